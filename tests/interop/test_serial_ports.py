"""pyserial on pseudo-terminals and RFC 2217 of a run: baud rates, and modem lines under ``with-serial``."""

import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import pynmea2
import pytest
import serial
from contracts.link_contract import Recorder
from contracts.toy import ToySheet, ToyTalkSheet, toys_in_the_tables
from scenes import model, robot, room

import understudy as us
from understudy.links import Event, make
from understudy.links.base import LineState
from understudy.sim.sim import Sim
from understudy.world.changes import Quit
from understudy.world.robot import Port, UnitSpec

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore:set(Daemon|Name).. is deprecated:DeprecationWarning"),  # in pyserial 3.5
]

GPS_BAUD = 4800
SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
origin = {{latitude_deg = 46.5, longitude_deg = 6.6, altitude_m = 400}}
[[robot]]
model = "p3dx"
name = "pioneer"
port.gps.link = "{link}"
port.gps.baud = 4800
port.gps.pace = true
port.gps.wrong_baud = "{wrong}"
port.host.link = "loop:"
"""

WAKE = """
import sys, serial
with serial.Serial(sys.argv[1], 57600, timeout=5) as port:  # sets RTS and DTR itself
    port.rts = False
    port.rts = True
    port.dtr = False
    print(port.rts, port.dtr, port.cts, port.dsr, port.cd, port.ri)
    port.write(b"x")
"""

BREAK = """
import sys, serial
with serial.Serial(sys.argv[1], 9600, timeout=30) as port:
    port.send_break()
    print(port.readline().decode(), end="")
"""


@pytest.fixture(autouse=True)
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@contextmanager
def in_real_time(sim):
    """Run a simulation beside the test."""
    sim.step()  # what has to be compiled is compiled now
    sim.clock.speed = 1.0
    thread = threading.Thread(target=sim.run)
    thread.start()
    try:
        yield
    finally:
        sim.post(Quit())
        thread.join(10)


@contextmanager
def gps(link, wrong="garbage"):
    """Give the address of a GPS receiver's port."""
    with us.load_text(SCENE.format(link=link, wrong=wrong), ports=True) as sim, in_real_time(sim):
        yield sim.ports.info()["pioneer/gps"].url


def with_serial(code, url):
    """Run a Python program under with-serial; returns what it prints."""
    command = [sys.executable, "-m", "understudy", "with-serial", "--", sys.executable, "-c", code, url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


LINKS = ["pty:gps", "rfc2217://127.0.0.1:0"]


@pytest.mark.parametrize("link", LINKS)
def test_a_client_at_the_baud_rate_of_the_receiver_reads_sentences(link):
    with gps(link) as url, serial.serial_for_url(url, GPS_BAUD, timeout=60) as port:
        port.readline()  # the first may be the end of one
        assert pynmea2.parse(port.readline().decode(), check=True).talker == "GP"


@pytest.mark.parametrize("link", LINKS)
def test_a_client_at_another_baud_rate_reads_garbage(link):
    with gps(link) as url, serial.serial_for_url(url, 38_400, timeout=60) as port:
        got = port.read(200)
    assert len(got) == 200
    assert b"$GP" not in got


def test_a_client_that_hunts_for_the_baud_rate_finds_it():
    with gps("pty:gps") as url, serial.Serial(url, timeout=2) as port:
        for baud in (38_400, 9600, GPS_BAUD):
            port.baudrate = baud
            port.reset_input_buffer()
            if b"$GP" in port.read(150):
                break
        assert port.baudrate == GPS_BAUD


def test_a_port_may_be_silent_at_another_baud_rate():
    with gps("pty:gps", "silence") as url, serial.Serial(url, 38_400, timeout=3) as port:
        assert port.read(1) == b""


def test_a_plain_socket_is_always_at_the_right_baud_rate():
    with gps("tcp://127.0.0.1:0") as url, serial.serial_for_url(url.replace("tcp:", "socket:"), timeout=60) as port:
        port.readline()
        assert port.readline().startswith(b"$GP")


def test_a_program_that_toggles_rts_and_dtr_runs_under_with_serial_and_its_edges_arrive():
    link, sink = make("pty:robot", "scout/robot"), Recorder()
    with closing(link):
        link.open(sink)
        assert with_serial(WAKE, link.info().url) == "True False True True True False\n"
        sink.expect(Event.OPENED)
        assert sink.data(1) == b"x"
    steps = [LineState(57_600), LineState(57_600, rts=False), LineState(57_600), LineState(57_600, dtr=False)]
    assert sink.lines == steps


def test_the_same_program_fails_without():
    link = make("pty:robot", "scout/robot")
    with closing(link):
        link.open(Recorder())
        command = [sys.executable, "-c", WAKE, link.info().url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "Inappropriate ioctl for device" in done.stderr


def test_a_break_of_a_program_reaches_the_device_in_a_run():
    port = Port(name="host", unit="meter", sheet=ToyTalkSheet(), link="pty:toy", baud=9600)
    scene = room(robot("scout", parts=model(units=(UnitSpec(name="meter", sheet=ToySheet()),), ports=(port,))))
    with toys_in_the_tables(), Sim(scene, seed=1) as sim:
        sim.open_ports()
        with in_real_time(sim):
            assert with_serial(BREAK, sim.ports.info()["scout/host"].url) == "break\n"
