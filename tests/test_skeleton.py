"""The walking skeleton: one thin path through every room, end to end."""

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import venv
import zipfile
from pathlib import Path

import numpy as np
import pynmea2
import pytest
import serial

import understudy as us
from understudy.sim.programs import GatedProgram
from understudy.world.changes import Move, Pause
from understudy.world.shapes import Pose

ROOT = Path(__file__).parent.parent
SCENE = """
schema = 1
ground = {size_m = [8, 6], walled = true}
origin = {latitude_deg = 46.5, longitude_deg = 6.6, altitude_m = 400}
object = [{kind = "box", name = "crate", size_m = [0.5, 0.5, 0.6], x_m = 1.5, y_m = 1.5}]
[[robot]]
model = "p3dx"
name = "pioneer"
x_m = -2
port.host.link = "tcp://127.0.0.1:0"
port.gps.link = "pty:skeleton-gps"
[[robot]]
model = "scout"
name = "scout"
y_m = -2
program = "circle.py"
"""
CIRCLE = """
def main(robot):
    while True:
        robot.drive(0.3, 0.4 if robot.wait_for("front").min() > 0.5 else 1.2)
"""


class Client:
    """A socket client of thirty lines: syncs, opens, drives, reads status packets."""

    def __init__(self, url):
        host, port = url.removeprefix("tcp://").split(":")
        self.socket = socket.create_connection((host, int(port)), 10)
        self.buffer = b""

    def send(self, *body):
        raw = bytes(body)
        total = sum(struct.unpack(f">{len(raw) // 2}H", raw[: len(raw) & ~1])) & 0xFFFF
        total ^= raw[-1] if len(raw) % 2 else 0
        self.socket.sendall(b"\xfa\xfb" + bytes([len(raw) + 2]) + raw + struct.pack(">H", total))

    def packet(self):
        while len(self.buffer) < 3 or len(self.buffer) < self.buffer[2] + 3:
            more = self.socket.recv(4096)
            assert more, "the port hung up"
            self.buffer += more
        assert self.buffer[:2] == b"\xfa\xfb"
        size = self.buffer[2] + 3
        packet, self.buffer = self.buffer[3 : size - 2], self.buffer[size:]
        return packet

    def sync(self):
        for number in (0, 1, 2):
            self.send(number)
            assert self.packet()[0] == number
        self.send(1, 0x3B, 1, 0)

    def sip(self):
        while (packet := self.packet())[0] not in (0x32, 0x33):
            pass
        x, y, _ = struct.unpack("<hhh", packet[1:7])
        count = packet[19]
        sonar = [struct.unpack_from("<BH", packet, 20 + 3 * i)[1] for i in range(count)]
        return x, y, sonar

    def velocity(self, mm_s):
        self.send(11, 0x3B if mm_s >= 0 else 0x1B, *struct.pack("<H", abs(mm_s)))

    def set_pose(self, x_mm, y_mm, degrees):
        self.send(224, 0, *struct.pack("<iii", x_mm, y_mm, degrees))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "room.toml").write_text(SCENE)
    (tmp_path / "circle.py").write_text(CIRCLE)
    return tmp_path


def in_background(sim):
    thread = threading.Thread(target=sim.run)
    thread.start()
    return thread


def stop(sim, thread):
    sim.post(us_quit())
    thread.join(30)
    assert not thread.is_alive()


def us_quit():
    from understudy.world.changes import Quit

    return Quit()


def test_a_client_drives_is_moved_and_sees_it_while_another_port_streams_nmea(folder):
    with us.load(folder / "room.toml", seed=3, speed=10.0, ports=True, tape=folder / "a.tape") as sim:
        thread = in_background(sim)
        try:
            client = Client(sim.ports.info()["pioneer/host"].url)
            client.sync()
            before = client.sip()[2]
            client.velocity(400)
            while (sip := client.sip())[0] < 1000:
                client.send(0)
            client.velocity(0)
            assert sip[0] >= 1000
            client.set_pose(2500, -1500, 90)
            sonars = [client.sip()[2] for _ in range(5)]
            assert max(abs(np.array(sonars[-1]) - np.array(before))) > 300, "the sonars see another place"
            assert client.sip()[0] >= 1000, "the odometry does not notice"
            with serial.Serial(sim.ports.info()["pioneer/gps"].url, timeout=10) as port:
                sentences = [pynmea2.parse(port.readline().decode(), check=True) for _ in range(8)]
            assert {"GGA", "RMC"} <= {sentence.sentence_type for sentence in sentences}
            fix = next(s for s in sentences if s.sentence_type == "GGA")
            assert fix.latitude == pytest.approx(46.5, abs=0.001)
            client.socket.close()
        finally:
            stop(sim, thread)
        final, ticks = sim.hash(), sim.tick
    replayed = us.replay(folder / "a.tape")
    assert (replayed.hash, replayed.ticks, replayed.mismatch) == (final, ticks, None), "the tape needs no clients"


RESTORE = """
import sys, understudy as us
with us.restore(sys.argv[1], trust=True) as sim:
    sim.step(1000 - sim.tick)
    print(sim.hash())
"""


def test_saved_at_tick_500_in_one_process_and_restored_in_another_it_is_equal_at_tick_1000(folder):
    with us.load(folder / "room.toml", seed=3) as sim:
        sim.robot("pioneer").drive(0.2, 0.3)
        sim.step(500)
        (folder / "run").write_bytes(sim.save())
        sim.step(500)
        final = sim.hash()
    other = subprocess.run(
        [sys.executable, "-c", RESTORE, str(folder / "run")], capture_output=True, text=True, check=True
    )
    assert other.stdout.split() == [final]


class Watcher:
    def __init__(self):
        self.ticks = 0

    def begin(self, sim):
        pass

    def tick(self, snapshot):
        self.ticks += 1
        snapshot.poses(), snapshot.hash(), snapshot.state()

    def end(self, reason):
        pass


def test_the_gated_program_gives_the_same_hash_at_any_speed_and_with_a_listener(folder):
    def end(speed, listener=None):
        with us.load(folder / "room.toml", seed=3, speed=speed) as sim:
            if listener is not None:
                sim.attach(listener)
            sim.run(1.5)
            assert isinstance(sim.seats.seat_of("scout"), GatedProgram)
            return sim.hash()

    watcher = Watcher()
    assert end(None) == end(1.0) == end(None, watcher)
    assert watcher.ticks == 300


def test_pause_connect_drag_resume(folder):
    with us.load(folder / "room.toml", seed=3, speed=10.0, ports=True, tape=folder / "a.tape") as sim:
        thread = in_background(sim)
        try:
            sim.post(Pause(True))
            client = Client(sim.ports.info()["pioneer/host"].url)
            client.sync()  # answers come although no time passes
            held = sim.tick
            sim.post(Move("pioneer", Pose(0.0, 2.0)))
            client.send(18)
            assert client.packet()[0] == 0x20, "CONFIG is answered too"
            assert sim.tick == held
            sim.post(Pause(False))
            client.sip()
            client.velocity(200)
            while client.sip()[0] < 100:
                pass
            client.socket.close()
        finally:
            stop(sim, thread)
        assert sim.robot("pioneer").pose.y_m == pytest.approx(2.0, abs=0.01)
        assert sim.robot("pioneer").pose.x_m > 0.05
        final = sim.hash()
    replayed = us.replay(folder / "a.tape")
    assert (replayed.hash, replayed.mismatch) == (final, None)


PLAIN = """
schema = 1
ground = {size_m = [8, 6], walled = true}
[[robot]]
model = "scout"
device = {front = false, sonar = false}
"""
ELSEWHERE = """
import importlib, pkgutil, understudy as us
for module in pkgutil.walk_packages(us.__path__, "understudy."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ModuleNotFoundError as problem:  # of an extra, which is not installed here
        extra = problem.name.partition(".")[0] in ("nicegui", "starlette")
        if not (extra and module.name.startswith("understudy.studio.")):
            raise
with us.load("plain.toml", seed=1) as sim:
    sim.run(1.0)
    print(sim.tick)
"""


def test_the_wheel_installs_into_an_empty_environment_and_runs_from_another_folder(tmp_path):
    def say(*words, cwd=None):
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=True).stdout

    own_pip = (sys.executable, "-m", "pip")
    source = tmp_path / "source"  # a copy: builds leave things behind that later ones would pick up
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    say(*own_pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(source))
    (wheel,) = tmp_path.glob("understudy-*.whl")
    venv.create(tmp_path / "empty")
    python = str(tmp_path / "empty" / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    say(*own_pip, "--python", python, "install", "--no-compile", str(wheel))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "plain.toml").write_text(PLAIN)  # without rays: those take half a minute to compile
    assert say(python, "-I", "-c", ELSEWHERE, cwd=elsewhere).split() == ["200"]
    listed = say(python, "-I", "-m", "understudy", "examples", cwd=elsewhere)
    assert {"office", "controller/sensor_board", "json/room"} <= set(listed.split())
    with zipfile.ZipFile(wheel) as archive:
        packed = {name.removeprefix("understudy/") for name in archive.namelist()}
    files = (path.relative_to(source) for path in (source / "examples").rglob("*") if path.is_file())
    assert {path.as_posix() for path in files if path.suffix != ".pyc"} <= packed
    assert "p3dx" in say(python, "-I", "-m", "understudy", "catalog", cwd=elsewhere)
