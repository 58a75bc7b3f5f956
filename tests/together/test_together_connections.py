"""Before time passes, links have seen what programs have done; and programs are told what was sent to them."""

import pytest

from understudy.links.base import Traffic
from understudy.together import connections
from understudy.together.connections import Connections
from understudy.together.wire import News, Report, Wire

ROBOT, TERMINAL = Wire(False, 40000, 8101), Wire(True, 7, 0)


class Source:
    """A link whose traffic comes as it is given, the last one for ever."""

    def __init__(self, *traffic):
        self.traffics, self.looks = list(traffic), 0

    def traffic(self, client):
        self.looks += 1
        return self.traffics.pop(0) if len(self.traffics) > 1 else self.traffics[0]


@pytest.fixture
def connected():
    made = []

    def connect(source, wire=ROBOT, written=10):
        made.append(Connections(lambda serial, client, port: ("scout/host", source) if source else None))
        if source:
            made[-1].take([Report(wire, written, 0, False)])
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
    made.take([Report(TERMINAL, 0, 12, False)])
    assert made.news(TERMINAL, (30, False)) == News(TERMINAL, 18, False)


def test_programs_that_talk_to_each_other_are_told_each_others_bytes(connected):
    made = connected(None)
    one, other = Wire(False, 1000, 2000), Wire(False, 2000, 1000)
    made.take([Report(one, 5, 0, False), Report(other, 7, 0, False)])
    assert made.state(one) == (7, False)
    made.release(other)
    made.settle()
    assert made.state(one) == (7, True)


def test_a_terminal_of_the_user_is_no_connection(connected):
    made = connected(None)
    assert made.take([Report(TERMINAL, 1, 0, False)]) == []
