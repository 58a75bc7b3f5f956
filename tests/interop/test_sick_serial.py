"""A scanner on a pseudo-terminal, with pyserial: baud rates that really change, in real time."""

import shutil
import tempfile
import threading
from pathlib import Path

import pytest
import serial
from lms200_desk import PORT, scene

import understudy as us
from understudy.protocols.sick_lms200.telegrams import encode
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop
ACK = b"\x06"


@pytest.fixture
def port():
    folder = Path(tempfile.mkdtemp())
    text = scene(link=f"pty:{folder}/sick", port='pace = true\nwrong_baud = "silence"')
    with us.load_text(text, ports=True) as sim:
        sim.step()  # what has to be compiled is compiled now
        sim.clock.speed = 1.0
        thread = threading.Thread(target=sim.run)
        thread.start()
        yield sim.ports.info()[PORT].url
        sim.post(Quit())
        thread.join(10)
    shutil.rmtree(folder)


def ask(device, body):
    """Return the body of the reply to a request; empty after a time-out."""
    device.reset_input_buffer()
    device.write(encode(bytes.fromhex(body)))
    return next_telegram(device) if device.read(1) == ACK else b""


def next_telegram(device):
    head = device.read_until(b"\x02\x80")
    size = int.from_bytes(device.read(2), "little") if head.endswith(b"\x02\x80") else 0
    body = device.read(size + 2)[:-2] if size else b""
    return body


def test_a_client_changes_the_baud_rate_and_streams(port):
    with serial.Serial(port, 9600, timeout=20) as device:
        assert ask(device, "2025") == b"\xa0\x00\x10"
        assert b"LMS200" in ask(device, "3a")
        assert ask(device, "2040") == b"\xa0\x00\x10"
        device.timeout = 0.5
        assert ask(device, "31") == b""
        device.baudrate, device.timeout = 38_400, 20
        assert len(ask(device, "31")) == 153
        assert ask(device, "3bb4003200")[1] == 1
        assert ask(device, "2024") == b"\xa0\x00\x10"
        scans = [next_telegram(device) for _ in range(3)]
        assert {scan[:3].hex() for scan in scans} == {"b06941"}
        assert {int.from_bytes(scan[3 + 360 : 5 + 360], "little") for scan in scans} == {6000}


def test_the_next_client_finds_the_scanner_at_the_rate_of_the_last_one(port):
    with serial.Serial(port, 9600, timeout=20) as device:
        assert ask(device, "2048") == b"\xa0\x00\x10"
    with serial.Serial(port, 38_400, timeout=20) as device:
        assert ask(device, "32") == b"\xb2\x10"
