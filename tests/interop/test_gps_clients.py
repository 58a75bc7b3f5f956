"""Programs that we did not write read our GPS."""

import json
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pynmea2
import pytest
import serial

import understudy as us
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop

SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
origin = {{latitude_deg = 46.5, longitude_deg = 6.6, altitude_m = 400}}
[[robot]]
model = "p3dx"
name = "pioneer"
port.gps = {{link = "pty:{folder}/gps"{serial}}}
port.host.link = "loop:"
"""
LINES = {"no line": "", "a line of 38400 baud": ", baud = 38400, pace = true", "4800": ", baud = 4800, pace = true"}


@pytest.fixture(params=LINES)
def port(request):
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)  # gpsd gives up its rights before it opens the port again
    with us.load_text(SCENE.format(folder=folder, serial=LINES[request.param]), ports=True) as sim:
        bauds = [plug.line.baud for plug in sim.current.plugs.values() if plug.line]
        sim.step()  # what has to be compiled is compiled now
        sim.clock.speed = 1.0
        thread = threading.Thread(target=sim.run)
        thread.start()
        yield sim.ports.info()["pioneer/gps"].url, (bauds or [0])[0]
        sim.post(Quit())
        thread.join(10)
    shutil.rmtree(folder)


def test_pyserial_and_pynmea2_read_the_port_like_a_receiver(port):
    path, baud = port
    with serial.Serial(path, baud or 4800, timeout=60) as device:
        device.readline()  # the first may be the end of one
        sentences = [pynmea2.parse(device.readline().decode(), check=True) for _ in range(8)]
    positions = [s for s in sentences if s.sentence_type == "GGA"]
    assert positions[0].latitude == pytest.approx(46.5, abs=0.001)
    assert positions[0].gps_qual == 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_gpsd_takes_the_port_for_a_receiver_with_a_fix(port):
    for program in ("gpsd", "gpspipe"):
        assert shutil.which(program), f"{program} is missing: apt-get install gpsd gpsd-clients"
    number, (path, _) = str(free_port()), port
    daemon = subprocess.Popen(["gpsd", "-N", "-n", "-S", number, path], stderr=subprocess.DEVNULL)
    try:
        reports = []
        for _ in range(20):
            done = subprocess.run(
                ["gpspipe", "-w", "-n", "12", f"127.0.0.1:{number}"],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            reports += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            fixes = [r for r in reports if r.get("class") == "TPV" and r.get("mode") == 3]
            if fixes:
                break
        assert fixes[-1]["lat"] == pytest.approx(46.5, abs=0.001)
        assert fixes[-1]["lon"] == pytest.approx(6.6, abs=0.001)
        assert "time" in fixes[-1]
    finally:
        daemon.terminate()
        daemon.wait(10)
