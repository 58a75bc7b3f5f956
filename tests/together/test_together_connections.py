"""Before time passes, links have seen what programs have done; and programs learn what was sent to them."""

import pytest

from understudy.links.base import Traffic
from understudy.together import connections
from understudy.together.connections import BOUNDLESS, SERIAL_WINDOW, SOCKET_WINDOW, Connections, HeldConnection
from understudy.together.wire import News, Report, Wire

ROBOT, TERMINAL = Wire(False, 40000, 8101), Wire(True, 7, 0)


class Source:
    """A link whose traffic comes as it is given, the last one for ever."""

    def __init__(self, *traffic):
        self.traffics, self.looks = list(traffic), 0

    def traffic(self, client, most_sent):
        self.looks += 1
        self.most_sent = most_sent
        return self.traffics.pop(0) if len(self.traffics) > 1 else self.traffics[0]


@pytest.fixture
def connected():
    made = []

    def connect(source, wire=ROBOT, written=10):
        made.append(Connections(lambda serial, client, port: ("scout/host", source) if source else None))
        if source:
            made[-1].take([Report(wire, written, -1, False)])
        return made[-1]

    yield connect
    for each in made:
        each.close()


def test_settle_waits_until_the_link_has_seen_the_client_and_its_bytes(connected):
    source = Source(None, Traffic(0, 0, "waiting"), Traffic(4, 0), Traffic(10, 0))
    connected(source).settle()
    assert source.looks == 4


def test_settle_does_not_wait_for_bytes_that_the_link_does_not_read(connected):
    source = Source(Traffic(4, 0, reading=False))
    made = connected(source)
    made.settle()
    made.settle()
    assert source.looks == 2  # but it looks again each time


def test_a_closed_connection_is_waited_for_until_the_link_has_seen_the_end(connected):
    source = Source(Traffic(10, 0), Traffic(10, 0), Traffic(10, 0, "closed"))
    made = connected(source)
    made.settle()
    made.release(ROBOT)
    made.settle()
    assert source.looks == 3
    assert made.state(ROBOT) is None


def test_bytes_that_never_come_give_a_warning_and_the_run_goes_on(connected, monkeypatch, caplog):
    monkeypatch.setattr(connections, "PATIENCE_S", 0.01)
    connected(Source(Traffic(4, 0))).settle()
    assert "bytes of scout/host have not arrived" in caplog.text


def test_a_terminal_that_was_open_and_is_no_longer_has_ended(connected):
    made = connected(Source(Traffic(10, 3), None), TERMINAL)
    made.settle()
    assert made.state(TERMINAL) == (3, False)
    made.look()
    made.settle()
    assert made.state(TERMINAL) == (3, True)


def test_news_of_a_terminal_are_the_bytes_that_are_unread(connected):
    made = connected(Source(Traffic(10, 30)), TERMINAL)
    made.settle()
    made.take([Report(TERMINAL, 0, 18, False)])
    assert made.news(TERMINAL) == News(TERMINAL, 18, False, SERIAL_WINDOW - 10)


def test_programs_that_talk_to_each_other_are_told_each_others_bytes(connected):
    made = connected(None)
    one, other = Wire(False, 1000, 2000), Wire(False, 2000, 1000)
    made.take([Report(one, 5, -1, False), Report(other, 7, -1, False)])
    assert made.state(one) == (7, False)
    made.release(other)
    made.settle()
    assert made.state(one) == (7, True)


def test_a_terminal_of_the_user_is_no_connection(connected):
    made = connected(None)
    assert made.take([Report(TERMINAL, 1, 0, False)]) == []


def test_a_link_may_send_what_fits_besides_the_unread_bytes(connected):
    source = Source(Traffic(10, 1000))
    made = connected(source, TERMINAL)
    made.settle()
    assert source.most_sent == SERIAL_WINDOW
    made.take([Report(TERMINAL, 0, 300, False)])
    made.settle()
    assert source.most_sent == 700 + SERIAL_WINDOW


def test_a_program_may_write_again_when_the_run_has_taken_what_it_wrote(connected):
    made = connected(Source(Traffic(SOCKET_WINDOW, 0)), written=SOCKET_WINDOW)
    made.settle()
    assert made.room(ROBOT) == 0
    assert not made.is_new(ROBOT, HeldConnection(wants=1))
    made.ticked()
    assert made.room(ROBOT) == SOCKET_WINDOW
    assert made.is_new(ROBOT, HeldConnection(wants=1))
    assert not made.is_new(ROBOT, HeldConnection())  # it does not wait


def test_bytes_on_a_slow_serial_line_take_room():
    source = Source(Traffic(100, 0))
    made = Connections(lambda serial, client, port: ("scout/gps", source), lambda port: 40)
    made.take([Report(TERMINAL, 100, -1, False)])
    made.settle()
    assert made.room(TERMINAL) == SERIAL_WINDOW - 100
    made.ticked()
    assert made.room(TERMINAL) == SERIAL_WINDOW - 40
    assert not made.is_new(TERMINAL, HeldConnection(wants=SERIAL_WINDOW))  # until it is drained
    made.close()


def test_between_programs_the_reader_makes_room(connected):
    made = connected(None)
    one, other = Wire(False, 1000, 2000), Wire(False, 2000, 1000)
    made.take([Report(one, 30_000, -1, False)])
    assert made.room(one) == BOUNDLESS  # nobody of ours is at the other end yet
    made.take([Report(other, 0, -1, False)])
    assert made.room(one) == SOCKET_WINDOW - 30_000
    made.take([Report(other, 0, 5_000, False)])
    assert made.room(one) == SOCKET_WINDOW - 5_000


def test_settle_waits_until_the_link_has_seen_that_a_program_writes_no_more(connected):
    source = Source(Traffic(10, 0), Traffic(10, 0), Traffic(10, 0, "closed"))
    made = connected(source)
    made.settle()
    made.take([Report(ROBOT, 10, 0, False, shut=True)])
    made.settle()
    assert source.looks == 3
    assert made.state(ROBOT) == (0, True)


def test_a_program_sees_that_the_one_at_the_other_end_writes_no_more(connected):
    made = connected(None)
    one, other = Wire(False, 1000, 2000), Wire(False, 2000, 1000)
    made.take([Report(one, 5, -1, False), Report(other, 7, -1, False)])
    made.take([Report(other, 9, 5, False, shut=True)])
    made.settle()
    assert made.state(one) == (9, True)


def test_a_connection_that_has_ended_lets_a_program_write_and_find_out(connected):
    made = connected(Source(Traffic(10, 0), Traffic(10, 0, "closed")))
    made.settle()
    made.look()
    made.settle()
    assert made.room(ROBOT) == BOUNDLESS
