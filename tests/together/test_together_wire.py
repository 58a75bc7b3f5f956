"""Messages between programs and simulator."""

import pytest

from understudy.together.wire import NEVER_US, About, Bye, Hello, Idle, News, Report, Wire, Words, go, parse


def test_a_report_of_a_process_that_waits_for_ever_names_its_connections():
    found = parse("idle -1 5000 0 1 1 t:40000:8101:12:30:0:0 p:7:0:3:-1:1:4095")
    tcp = Report(Wire(False, 40000, 8101), 12, 30, False)
    terminal = Report(Wire(True, 7, 0), 3, -1, True, 4095)
    assert found == Idle(NEVER_US, 5000, False, True, True, (tcp, terminal))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", Hello()),
        ("bye 12", Bye(12, ())),
        ("spawn 99 7", About("spawn", 99, 7)),
        ("poke -1 7", About("poke", -1, 7)),
        ("kill 99 7", About("kill", 99, 7)),
        ("note all is well", Words("all is well", False)),
        ("fatal nothing is", Words("nothing is", True)),
    ],
)
def test_messages_are_read(text, message):
    assert parse(text) == message


@pytest.mark.parametrize("text", ["", "idle", "idle a b c d e", "bye", "spawn 1", "spawn x y", "bye 1 t:1", "dance 1"])
def test_what_no_library_says_is_no_message(text):
    assert parse(text) is None


def test_go_tells_the_end_of_a_connection():
    text = go(1, 2, True, False, [News(Wire(True, 5, 0), 9, False, 8), News(Wire(False, 4, 3), 0, True, 7)])
    assert text == "go 1 2 1 5:0:9:0:8 4:3:0:1:7"
