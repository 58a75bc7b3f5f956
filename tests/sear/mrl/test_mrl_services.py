"""Services, listeners and the runtime, without any port."""

import logging
import re
import threading
from pathlib import Path

import pytest
from mrl_programs import PATIENCE_S, Program

from understudy.errors import ProgramError, UnknownName
from understudy.sear.mrl import Runtime, python_service
from understudy.sear.mrl.python_service import MOST_WAITING
from understudy.sear.mrl.runtime import TYPES
from understudy.sear.mrl.service import Service
from understudy.sear.service import SearService

LISTEN = """
    serial = Runtime.createAndStart("serial", "Serial")
    def heard():
        note(msg_serial_publishByte.data[0])
    serial.addListener("publishByte", python.name, "heard")
"""


@pytest.fixture(autouse=True)
def released():
    yield
    Runtime.releaseAll()


def test_a_function_is_called_for_what_a_service_publishes_and_finds_the_data():
    program = Program(LISTEN)
    program["serial"].publish("publishByte", 7)
    assert program.next() == 7


def test_a_function_with_an_argument_gets_the_data():
    program = Program(LISTEN).run("def heard(byte):\n    note(('argument', byte))")
    program["serial"].publish("publishByte", 7)
    assert program.next() == ("argument", 7)


def test_messages_arrive_in_order_and_by_one_thread_that_is_not_the_programs():
    program = Program(LISTEN, threading=threading)
    program.run("def heard():\n    note((msg_serial_publishByte.data[0], threading.get_ident()))")
    for byte in range(200):
        program["serial"].publish("publishByte", byte)
    heard = [program.next() for _ in range(200)]
    assert [byte for byte, _ in heard] == list(range(200))
    threads = {thread for _, thread in heard}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_program_that_waits_in_a_loop_gets_its_messages():
    program = Program(LISTEN, Timer=threading.Timer)
    program.run("""
        byte = None
        def heard():
            global byte
            byte = msg_serial_publishByte.data[0]
        Timer(0.05, lambda: serial.publish("publishByte", 3)).start()
        while byte is None:
            pass
    """)
    assert program["byte"] == 3


def test_nothing_is_published_before_the_service_is_started():
    program = Program(LISTEN.replace("createAndStart", "create"))
    program["serial"].publish("publishByte", 1)
    program["serial"].startService()
    program["serial"].publish("publishByte", 2)
    assert program.next() == 2


def test_a_removed_listener_is_not_called():
    program = Program(LISTEN)
    program.run('serial.removeListener("publishByte", python.name, "heard")')
    program["serial"].publish("publishByte", 1)
    assert program["python"].settle(PATIENCE_S)
    assert program.heard.empty()


def test_characters_that_names_cannot_have_become_underscores():
    program = Program("""
        port = Runtime.createAndStart("front port-1", "Serial")
        def heard():
            note(msg_front_port_1_publishByte.data[0])
        port.addListener("publishByte", python.name, "heard")
        port.publish("publishByte", 9)
    """)
    assert program.next() == 9


def test_a_function_that_fails_is_reported_with_file_and_line_and_the_next_message_arrives(caplog):
    program = Program(LISTEN).run("def heard():\n    note(1 / msg_serial_publishByte.data[0])")
    for byte in (0, 1):
        program["serial"].publish("publishByte", byte)
    assert program.next() == 1.0
    assert "program.py:2" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_function_that_does_not_exist_is_reported_with_the_nearest_name(caplog):
    program = Program(LISTEN).run('serial.addListener("publishByte", python.name, "hurd")')
    program["serial"].publish("publishByte", 1)
    assert program["python"].settle(PATIENCE_S)
    assert "did you mean 'heard'" in caplog.text


def test_the_builtin_input_is_never_called_in_place_of_a_missing_function(caplog):
    program = Program(LISTEN).run('serial.addListener("publishByte", python.name, "input")')
    program["serial"].publish("publishByte", 1)
    assert program["python"].settle(PATIENCE_S)
    assert "no function 'input'" in caplog.text


def test_a_program_that_is_too_slow_loses_messages_and_is_told_once(caplog):
    gate = threading.Event()
    program = Program(LISTEN, gate=gate).run("def heard():\n    gate.wait(30)")
    caplog.set_level(logging.WARNING)
    for _ in range(MOST_WAITING + 50):
        program["serial"].publish("publishByte", 1)
    assert program["python"].lost in (49, 50)
    gate.set()
    assert caplog.text.count("too slow") == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('serial.addListener("publishBite", python.name, "heard")', "did you mean 'publishByte'"),
        ('serial.addListener("publishByte", "pyton", "heard")', "did you mean 'python'"),
        ('serial.addListener("publishByte", "serial", "heard")', "cannot listen"),
        ('Runtime.create("x", "LiDAR")', "did you mean 'LIDAR'"),
        ('Runtime.create("serial", "Roomba")', "already the name of"),
        ('Runtime.getService("seriel")', "did you mean 'serial'"),
    ],
)
def test_unknown_names_are_reported_with_what_exists(line, says):
    program = Program(LISTEN)
    with pytest.raises(UnknownName, match=says):
        program.run(line)


def test_a_service_is_made_once_and_found_by_name():
    first = Runtime.create("serial", "Serial")
    assert Runtime.createAndStart("serial", "Serial") is first
    assert Runtime.getService("serial") is first
    Runtime.release("serial")
    assert Runtime.create("serial", "Serial") is not first


def test_a_file_runs_with_the_names_of_the_program_that_executes_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "controller.py").write_text("answer = question * 2\ndef later():\n    return set_later\n")
    program = Program("question = 21\npython.execFile('controller.py')\nset_later = 5\nfound = later()")
    assert program["answer"] == 42
    assert program["found"] == 5


def test_a_file_is_also_found_beside_the_program(tmp_path):
    (tmp_path / "controller.py").write_text("found = True\n")
    program = Program('python.execFile("controller.py")', __file__=str(tmp_path / "main.py"))
    assert program["found"]


def test_listeners_work_again_after_a_function_that_did_not_end_was_left_behind(monkeypatch):
    monkeypatch.setattr(python_service, "END_S", 0.05)
    gate = threading.Event()
    program = Program(LISTEN, gate=gate).run("def heard():\n    gate.wait(30)")
    program["serial"].publish("publishByte", 1)
    Runtime.releaseAll()
    again = Program(LISTEN)
    for byte in (2, 3):
        again["serial"].publish("publishByte", byte)
    assert [again.next(), again.next()] == [2, 3]
    gate.set()


@pytest.mark.parametrize(
    ("text", "says"), [(None, "cannot be read"), ("x = (", "controller.py:1:"), ("x\0", "controller.py:1:")]
)
def test_a_file_that_cannot_run_is_reported(tmp_path, monkeypatch, text, says):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "controller.py").write_text(text, encoding="utf-8")
    with pytest.raises(ProgramError, match=says):
        Program("python.execFile('controller.py')")


def test_a_text_runs_with_the_names_of_the_program():
    assert Program('python.exec("x = 3")')["x"] == 3


def test_the_end_of_all_services_ends_their_threads():
    before = threading.active_count()
    program = Program(LISTEN)
    program["serial"].publish("publishByte", 1)
    program.next()
    Runtime.releaseAll()
    assert threading.active_count() == before


def test_a_service_knows_whether_it_is_busy():
    assert not Runtime.busy
    Program(LISTEN)
    assert Runtime.busy


def test_a_plain_service_publishes_nothing():
    with pytest.raises(UnknownName, match="there are none"):
        Service("plain", Runtime.getService).addListener("anything", "python", "heard")


def documented():
    """Yield type, topics and methods of each row of the table in docs/sear-myrobotlab.md."""
    page = (Path(__file__).parents[3] / "docs" / "sear-myrobotlab.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|", page, re.MULTILINE):
        yield row[0], *(re.findall(r"`(\w+)`", cell) for cell in row[1:])


def test_the_guide_lists_every_type_and_topic_and_only_methods_that_exist():
    rows = list(documented())
    assert {kind for kind, _, _ in rows} == set(TYPES)
    for kind, topics, methods in rows:
        assert set(topics) == set(TYPES[kind].topics), kind
        home = SearService if kind == "SEAR" else TYPES[kind]
        assert [name for name in methods if not callable(getattr(home, name, None))] == []
