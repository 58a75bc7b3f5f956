"""Programs that we did not write drive our Roombas over a real pseudo-terminal."""

from __future__ import annotations

import threading
import time

import pytest
import serial
from pycreate2 import Create2
from pyroombaadapter import PyRoombaAdapter

import understudy as us
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop

SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
noise = "perfect"
[[robot]]
model = "{model}"
name = "r"
port.serial.link = "pty:{folder}/port"
"""


@pytest.fixture
def served(tmp_path):
    running = []

    def serve(model):
        sim = us.load_text(SCENE.format(model=model, folder=tmp_path), ports=True)
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
