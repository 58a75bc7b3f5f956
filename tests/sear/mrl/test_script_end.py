"""A script whose last line has run stays while its listeners are at work, as in MyRobotLab."""

import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

PATIENCE_S = 60.0
LISTENS = """
from understudy.sear.mrl import Runtime, python
serial = Runtime.createAndStart("serial", "Serial")
def heard():
    print("heard", msg_serial_publishByte.data[0], flush=True)
serial.addListener("publishByte", python.name, "heard")
"""

LATER = """
import threading
threading.Timer(0.2, lambda: serial.publish("publishByte", 5)).start()
print("last line", flush=True)
"""


@contextmanager
def running(tmp_path, text):
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "script.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


def test_a_script_with_a_listener_stays_until_ctrl_c(tmp_path):
    with running(tmp_path, LISTENS + LATER) as process:
        assert [process.stdout.readline().strip() for _ in range(2)] == ["last line", "heard 5"]
        assert "until Ctrl-C" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def test_ports_stay_open_as_long_as_the_script_stays(tmp_path):
    text = """
from understudy.sear.mrl import Runtime, SerialDeviceFactory, VirtualSerialPort, python
serial = Runtime.createAndStart("serial", "Serial")
ends = VirtualSerialPort("/dev/first"), VirtualSerialPort("/dev/second")
VirtualSerialPort.makeNullModem(*ends)
for end in ends:
    SerialDeviceFactory.add(end)
serial.connect("/dev/first")
other = Runtime.createAndStart("other", "Serial")
other.connect("/dev/second")
def heard():
    print("heard", msg_serial_publishByte.data[0], flush=True)
serial.addListener("publishByte", python.name, "heard")
""" + LATER.replace('serial.publish("publishByte", 5)', "other.write(5)").replace("0.2", "1.0")
    with running(tmp_path, text) as process:
        assert [process.stdout.readline().strip() for _ in range(2)] == ["last line", "heard 5"]


@pytest.mark.parametrize(
    ("end", "code"), [("Runtime.releaseAll()", 0), ("raise ValueError", 1), ("serial.addListenr()", 1)]
)
def test_a_script_that_releases_its_services_or_fails_ends(tmp_path, end, code):
    with running(tmp_path, LISTENS + end) as process:
        assert process.wait(PATIENCE_S) == code


def test_a_script_without_listeners_ends(tmp_path):
    with running(tmp_path, 'from understudy.sear.mrl import Runtime\nRuntime.create("r", "Roomba")\n') as process:
        assert process.wait(PATIENCE_S) == 0


def test_a_listener_may_end_the_script(tmp_path):
    ends = LISTENS + 'def heard():\n    Runtime.releaseAll()\nserial.publish("publishByte", 1)\n'
    with running(tmp_path, ends) as process:
        assert process.wait(PATIENCE_S) == 0
