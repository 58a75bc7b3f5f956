import threading

import pytest

from understudy.errors import TapeError
from understudy.links.base import Event
from understudy.sim.inbox import MAX_PENDING_BYTES, Bytes, Inbox, Item, Order


def data(port, raw):
    return Bytes(port, Event.DATA, raw)


def test_items_come_out_in_the_order_they_went_in_with_their_place():
    inbox = Inbox()
    inbox.post("api", Order("a/controller", 1))
    inbox.post("port:a/host", data("a/host", b"x"))
    taken = inbox.take(7, 0)
    assert [(item.tick, item.sub, item.sequence, item.source) for item in taken] == [
        (7, 0, 0, "api"),
        (7, 0, 1, "port:a/host"),
    ]
    assert inbox.take(8, 0) == []


def test_a_flood_on_one_port_is_cut_and_counted_and_other_ports_are_spared():
    inbox = Inbox()
    for _ in range(100):
        inbox.post("port:a", data("a", b"x" * 4096))
    inbox.post("port:b", data("b", b"y"))
    taken = inbox.take(1, 0)
    kept = sum(len(item.body.data) for item in taken if item.body.port == "a")
    assert kept == MAX_PENDING_BYTES
    assert inbox.lost["a"] == 100 * 4096 - MAX_PENDING_BYTES
    assert taken[-1].body.port == "b"


def test_a_port_that_lost_bytes_is_heard_again_after_the_next_take():
    inbox = Inbox()
    for _ in range(20):
        inbox.post("port:a", data("a", b"x" * 4096))
    inbox.take(1, 0)
    inbox.post("port:a", data("a", b"z"))
    assert inbox.take(2, 0)[0].body.data == b"z"


def test_the_end_of_a_connection_is_never_lost():
    inbox = Inbox()
    inbox.post("port:a", data("a", b"x" * MAX_PENDING_BYTES))
    inbox.post("port:a", Bytes("a", Event.CLOSED))
    assert inbox.take(1, 0)[-1].body.event is Event.CLOSED


def test_waiting_ends_when_something_arrives():
    inbox = Inbox()
    threading.Thread(target=inbox.post, args=("api", Order("u", 1))).start()
    assert inbox.wait(5.0)


def test_recorded_items_find_their_old_place_among_new_ones():
    inbox = Inbox()
    inbox.post("program:a", Order("a", 1))
    inbox.post("program:b", Order("b", 2))
    inbox.interleave([Item(3, 0, 1, "api", Order("x", 9))])
    assert [item.source for item in inbox.take(3, 0)] == ["program:a", "api", "program:b"]


def test_a_gap_in_recorded_items_is_an_error():
    with pytest.raises(TapeError, match="gaps"):
        Inbox().interleave([Item(3, 0, 5, "api", Order("x", 9))])
