"""What links report is held until the next tick, joined and put in order."""

from understudy.links.base import CHUNK, Event
from understudy.sim.inbox import Bytes, Inbox
from understudy.sim.staging import Stage
from understudy.world.changes import Remove


def released(*posts):
    inbox = Inbox()
    stage = Stage(inbox)
    for source, body in posts:
        stage.post(source, body)
    assert inbox.count() == 0
    stage.release()
    return [body for _, body in inbox.waiting()]


def data(port, text):
    return f"port:{port}", Bytes(port, Event.DATA, text)


def test_ports_come_by_name_and_pieces_are_joined():
    found = released(data("b/host", b"1"), data("a/host", b"x"), data("b/host", b"2"))
    assert found == [Bytes("a/host", Event.DATA, b"x"), Bytes("b/host", Event.DATA, b"12")]


def test_other_events_of_a_port_keep_their_place_among_its_data():
    opened, closed = Bytes("a/host", Event.OPENED), Bytes("a/host", Event.CLOSED)
    found = released(("p", opened), data("a/host", b"1"), ("p", closed), ("p", opened), data("a/host", b"2"))
    assert found == [opened, data("a/host", b"1")[1], closed, opened, data("a/host", b"2")[1]]


def test_long_data_is_cut_at_the_same_places_however_it_came():
    whole = bytes(range(256)) * 50
    pieces = [data("a/host", whole[i : i + 100]) for i in range(0, len(whole), 100)]
    assert released(*pieces) == released(data("a/host", whole))
    assert [len(body.data) for body in released(*pieces)] == [CHUNK, CHUNK, CHUNK, len(whole) - 3 * CHUNK]


def test_a_robot_is_removed_after_what_its_ports_report():
    gone = Remove("a")
    assert released(("factory:x", gone), data("a/host", b"1"), data("b/host", b"2"))[1] == gone
