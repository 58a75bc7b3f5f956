"""Programs that we did not write drive our Roombas over a real pseudo-terminal."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
import serial
from pycreate2 import Create2
from pyroombaadapter import PyRoombaAdapter

import understudy as us
from understudy.protocols.roomba_oi.packets import contents
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop

SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
noise = "perfect"
[[robot]]
model = "{model}"
name = "r"
port.serial.link = "{link}"
{more}
"""


@pytest.fixture
def served(tmp_path):
    running = []

    def serve(model, link="", more=""):
        link = link or f"pty:{tmp_path}/port"
        sim = us.load_text(SCENE.format(model=model, link=link, more=more), ports=True)
        sim.step(3)  # what has to be compiled is compiled now
        sim.clock.speed = 1.0
        thread = threading.Thread(target=sim.run)
        thread.start()
        running.append((sim, thread))
        return sim, sim.ports.info()["r/serial"].url

    yield serve
    for sim, thread in running:
        sim.post(Quit())
        thread.join(10)
        sim.close()


def with_pycreate2(port):
    """Drive 40 cm and play a song; the destructor of the client talks to the robot, so it ends here."""
    bot = Create2(port)
    bot.start()
    bot.safe()
    first = bot.get_sensors()
    bot.drive_direct(200, 200)
    distance = 0
    while distance < 400:
        distance += bot.get_sensors().distance
    bot.drive_direct(0, 0)
    time.sleep(0.5)
    last = bot.get_sensors()
    bot.createSong(1, [70, 64])
    bot.playSong(1)
    time.sleep(0.1)
    return first, last, bot.get_sensors(), distance + last.distance


def test_pycreate2_drives_and_reads_every_sensor(served):
    sim, port = served("create2")
    first, last, playing, distance = with_pycreate2(port)
    assert (first.open_interface_mode, first.charger_state) == (2, 0)
    assert 14_000 < first.voltage < 17_500
    counts = last.encoder_counts_left - first.encoder_counts_left
    assert counts * 3.14159 * 72.0 / 508.8 == pytest.approx(distance, abs=2.0)
    assert sim.robot("r").pose.x_m * 1000 == pytest.approx(distance, abs=3.0)
    assert (playing.song_number, playing.song_playing) == (1, True)


def with_pyroombaadapter(port):
    """Turn to the left, read packets and a stream."""
    adapter = PyRoombaAdapter(port)
    mode = adapter.request_oi_mode()
    adapter.send_drive_direct(100, -100)
    time.sleep(1.0)
    adapter.send_drive_direct(0, 0)
    time.sleep(0.3)
    turned = adapter.request_angle()
    adapter.data_stream_start(["Voltage", "OI Mode", "Left Encoder Counts"])
    frames = [adapter.data_stream_read() for _ in range(20)]
    adapter.data_stream_stop()
    return mode, turned, frames


def test_pyroombaadapter_turns_and_reads_packets_and_a_stream(served):
    sim, port = served("create2")
    mode, turned, frames = with_pyroombaadapter(port)
    assert mode == 2
    assert turned == pytest.approx(sim.robot("r").pose.heading_rad, abs=0.02)
    assert turned > 0.3
    assert {len(frame) for frame in frames} == {3}
    assert {frame[1] for frame in frames} == {2}


@pytest.mark.parametrize(("model", "baud"), [("create1", 57600), ("roomba-400", 57600), ("create2", 115200)])
def test_pyserial_reads_a_group_of_26_bytes_as_often_as_the_robot_answers(served, model, baud):
    _, port = served(model)
    with serial.Serial(port, baud, timeout=5) as line:
        line.write(bytes([128]))
        begun, answers = time.monotonic(), 0
        while answers < 100:
            line.write(bytes([142, 0]))
            assert len(line.read(26)) == 26
            answers += 1
        assert time.monotonic() - begun > 1.3  # no faster than 15 ms each


def test_a_wrong_baud_rate_is_not_understood(served):
    _, port = served("create2")
    with serial.Serial(port, 57600, timeout=0.5) as line:
        line.write(bytes([128, 142, 35]))
        assert line.read(10) != bytes([1])
        line.baudrate = 115200
        time.sleep(0.3)
        line.reset_input_buffer()
        line.write(bytes([0, 0, 0, 128, 142, 35]))
        assert line.read(10)[-1:] == bytes([1])


WAKES = """
import sys, time, serial

def mode(port):
    port.reset_input_buffer()
    port.write(bytes([128, 142, 35]))
    return port.read(1).hex() or "silence"

with serial.serial_for_url(sys.argv[1], 115200, timeout=1.0) as port:
    print(mode(port))
    for patience_s in (1.5, 3.0, 6.0, 12.0):  # the robot falls asleep after a second of its own time
        time.sleep(patience_s)
        if mode(port) == "silence":
            print("asleep")
            break
    setattr(port, sys.argv[2], False)
    time.sleep(0.3)
    setattr(port, sys.argv[2], True)
    time.sleep(0.3)
    print(mode(port))
"""


@pytest.mark.parametrize("wire", ["rts", "dtr"])
@pytest.mark.parametrize("link", ["", "rfc2217://127.0.0.1:0"])
def test_a_sleeping_robot_is_woken_by_a_modem_line(served, link, wire):
    _, port = served("create2", link, "unit.oi.sleep_s = 1")
    wrapped = [] if link else [sys.executable, "-m", "understudy", "with-serial", "--"]
    command = [*wrapped, sys.executable, "-W", "ignore", "-c", WAKES, port, wire]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.split(), done.stderr) == (["01", "asleep", "01"], "")


# what the C++ driver of ROS (libcreate) does, with nothing but the calls of the system
ROS_IDS = (
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    17,
    18,
    19,
    20,
    21,
    22,
    23,
    24,
    25,
    26,
    28,
    29,
    30,
    31,
    35,
    37,
    43,
    44,
    45,
    58,
)


def frames(line, count):
    """Return the bodies of so many frames of a stream, found by header, length and sum."""
    found, data = [], b""
    while len(found) < count:
        got = line.read(64)
        assert got, "the stream has ended"
        data += got
        while len(data) > 1 and len(data) >= data[1] + 3:
            size = data[1] + 3
            if data[0] == 19 and sum(data[:size]) % 256 == 0:
                found.append(data[2 : size - 1])
                data = data[size:]
            else:
                data = data[1:]
    return found


def test_a_stream_of_the_ros_driver_has_all_packets_in_each_frame(served):
    _, port = served("create2")
    with serial.Serial(port, 115_200, timeout=5) as line:
        line.write(bytes([128]))
        line.write(bytes([148, len(ROS_IDS), *ROS_IDS]))
        for body in frames(line, 60):
            ids = []
            while body:
                ids.append(body[0])
                body = body[1 + sum(packet.size for packet in contents("create2")[body[0]]) :]
            assert tuple(ids) == ROS_IDS
        line.write(bytes([132, 145, 0, 100, 0, 100, 128, 173]))
        time.sleep(0.5)
        line.reset_input_buffer()
        line.timeout = 0.5
        assert line.read(10) == b""
