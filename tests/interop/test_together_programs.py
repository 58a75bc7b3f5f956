"""Programs that know nothing of us share the clock: three runs with a busy process beside them have one outcome."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from together_runs import SCENE, SUBJECTS, busy_machine, compiled, free_port, outcome

pytestmark = pytest.mark.interop
PYTHON = sys.executable
TIMES = 3
ROOMBA = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
[[robot]]
model = "create2"
name = "r"
port.serial.link = "pty:{folder}/roomba"
"""
PYCREATE2 = """
import sys, time
from pycreate2 import Create2
bot = Create2(sys.argv[1])
bot.start()
bot.safe()
for i in range(20):
    bot.drive_direct(150, 100 + 5 * i)
    time.sleep(0.1)
seen = bot.get_sensors()
bot.drive_stop()
print(f"{time.time():.6f}", seen.distance, seen.angle, seen.encoder_counts_left, seen.voltage)
"""
ADAPTER = """
import sys, time
from pyroombaadapter import PyRoombaAdapter
robot = PyRoombaAdapter(sys.argv[1])
robot.change_mode_to_safe()
robot.move(0.2, 0.3)
time.sleep(2)
robot.move(0, 0)
print(f"{time.time():.6f}")
"""


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def one_outcome(tmp_path, port):
    """Run programs several times on a busy machine; returns the outcome that all runs had."""

    def run(*commands, scene=SCENE, seconds=60.0):
        text = scene.format(port=port, folder=tmp_path)
        with busy_machine():
            found = [outcome(text, commands, tmp_path, seconds) for _ in range(TIMES)]
        assert all(each == found[0] for each in found), "\n---\n".join(each.printed for each in found)
        return found[0]

    return run


def needed(program: str, package: str) -> str:
    assert shutil.which(program), f"{program} is missing: apt-get install {package}"
    return program


def test_c_on_tcp(one_outcome, port, tmp_path):
    assert one_outcome([compiled("pioneer", tmp_path), str(port), "10"]).codes == (0,)


def test_every_way_of_waiting_in_c(one_outcome, tmp_path):
    assert one_outcome([compiled("waits", tmp_path), str(tmp_path / "gps")]).codes == (5,)


@pytest.mark.parametrize(("subject", "code"), [("waits", 5), ("corners", 6)])
def test_c_with_another_c_library(one_outcome, tmp_path, subject, code):
    made = str(tmp_path / subject)
    words = [needed("musl-gcc", "musl-tools"), "-O1", "-o", made, str(SUBJECTS / f"{subject}.c")]
    subprocess.run(words, check=True)
    assert one_outcome([made, str(tmp_path / "gps" if subject == "waits" else tmp_path)]).codes == (code,)


def test_rarer_system_calls_in_c(one_outcome, tmp_path):
    assert one_outcome([compiled("corners", tmp_path), str(tmp_path)]).codes == (6,)


def test_cpp_with_every_kind_of_meeting(one_outcome, port, tmp_path):
    words = [needed("c++", "g++"), "-std=c++20", "-O1", "-pthread", "-o", str(tmp_path / "threads")]
    subprocess.run([*words, str(SUBJECTS / "threads.cpp")], check=True)
    found = one_outcome([str(tmp_path / "threads"), str(port)])
    assert found.codes == (0,)
    assert "answer 7" in found.printed


def test_perl(one_outcome, port, tmp_path):
    found = one_outcome([needed("perl", "perl"), str(SUBJECTS / "drive.pl"), str(port), str(tmp_path / "gps")])
    assert found.codes == (0,)
    assert found.printed.count("too late") == 2
    assert "child 4" in found.printed


def test_python_with_asyncio(one_outcome, port, tmp_path):
    found = one_outcome([PYTHON, str(SUBJECTS / "streams.py"), str(port), str(tmp_path / "gps")])
    assert found.codes == (0,)
    assert "signal 0.5" in found.printed
    assert "hello" in found.printed


def test_python_with_threads(one_outcome, port):
    assert one_outcome([PYTHON, str(SUBJECTS / "threads.py"), str(port), "5"]).codes == (0,)


def test_python_with_processes(one_outcome):
    assert one_outcome([PYTHON, str(SUBJECTS / "processes.py")]).codes == (0,)


def test_a_shell_with_pipes(one_outcome, tmp_path):
    words = f"rm -f {tmp_path}/fifo; exec bash {SUBJECTS}/shell.sh {tmp_path}/gps {tmp_path}/fifo"
    assert one_outcome(["sh", "-c", words]).codes == (0,)


def test_java(one_outcome, port, tmp_path):
    subprocess.run([needed("javac", "default-jdk"), "-d", str(tmp_path), str(SUBJECTS / "Drive.java")], check=True)
    found = one_outcome(["java", "-cp", str(tmp_path), "Drive", str(port), "5"])
    assert found.codes == (0,)
    assert "pieces" in found.printed


def test_node(one_outcome, port):
    found = one_outcome([needed("node", "nodejs"), str(SUBJECTS / "drive.js"), str(port), "5"])
    assert found.codes == (0,)
    assert {"worker", "child", "file"} <= set(found.printed.split())


def test_pyserial_on_a_pseudo_terminal(one_outcome, tmp_path):
    assert one_outcome([PYTHON, str(SUBJECTS / "gps.py"), str(tmp_path / "gps")]).codes == (0,)


@pytest.mark.parametrize("program", [PYCREATE2, ADAPTER], ids=["pycreate2", "pyroombaadapter"])
def test_clients_of_a_roomba(one_outcome, tmp_path, program):
    assert one_outcome([PYTHON, "-c", program, str(tmp_path / "roomba")], scene=ROOMBA).codes == (0,)


def test_gpsd_and_gpspipe(one_outcome, tmp_path):
    number = str(free_port())
    tmp_path.chmod(0o755)
    daemon = [needed("gpsd", "gpsd"), "-N", "-n", "-S", number, str(tmp_path / "gps")]
    pipe = f"sleep 0.5; exec {needed('gpspipe', 'gpsd-clients')} -w -n 10 127.0.0.1:{number}"
    found = one_outcome(["sh", "-c", pipe], daemon, seconds=15)
    assert found.codes == (0, None)
    assert '"class":"TPV"' in found.printed
    assert '"mode":3' in found.printed


def test_two_programs_on_two_robots(one_outcome, port, tmp_path):
    second = free_port()
    more = """
[[robot]]
model = "p3at"
name = "other"
x_m = 1.5
port.host.link = "tcp://127.0.0.1:{second}"
port.gps.link = "loop:"
"""
    other = [PYTHON, str(SUBJECTS / "threads.py"), str(second), "4"]
    scene = SCENE + more.replace("{second}", str(second))
    assert one_outcome([compiled("pioneer", tmp_path), str(port), "5"], other, scene=scene).codes == (0, 0)


SICK = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
[[robot]]
model = "lms200-stand"
name = "s"
port.sick.link = "pty:{folder}/sick"
"""
SCANS = ["2", "0", "2", "0", "0x20", "0x24", "0x34", "0x08"]  # continuous output
STREAM = ["128", "148", "1", "100"]  # all sensors, all the time


@pytest.mark.parametrize(
    ("scene", "port_name", "first"),
    [(SCENE, "gps", []), (SICK, "sick", SCANS), (ROOMBA, "roomba", STREAM)],
    ids=["gps", "lms200", "roomba"],
)
def test_a_stream_that_is_not_read_for_half_a_minute(one_outcome, tmp_path, scene, port_name, first):
    found = one_outcome([compiled("full", tmp_path), str(tmp_path / port_name), "silent", "30", *first], scene=scene)
    assert "unread 4095" in found.printed


@pytest.mark.parametrize("what", ["waiting", "polling"])
def test_a_hundred_kilobytes_to_a_slow_serial_port(one_outcome, tmp_path, what):
    words = [compiled("full", tmp_path), str(tmp_path / "roomba"), what, "100000"]
    assert one_outcome(words, scene=ROOMBA).codes == (0,)


def test_pyserial_on_a_full_serial_port(one_outcome, tmp_path):
    found = one_outcome([PYTHON, str(SUBJECTS / "full.py"), str(tmp_path / "roomba")], scene=ROOMBA)
    assert "unread 4095" in found.printed
    assert "Write timeout" in found.printed


def test_a_socket_that_is_not_read(one_outcome, port):
    scene = SCENE.replace('"p3dx"', '"p3dx-sh"')
    found = one_outcome([PYTHON, str(SUBJECTS / "flood.py"), str(port), "silent"], scene=scene)
    assert int(found.printed.split()[0]) > 290_000


@pytest.mark.skipif(os.getuid() != 0, reason="only root chooses the numbers of processes")
def test_process_numbers_and_what_is_drawn_from_them(one_outcome):  # here, where no other run has the same numbers
    found = one_outcome(["bash", "-c", "echo $$ $RANDOM; sleep 0.1 & echo $!; (echo $BASHPID); wait"])
    first, _, *others = [int(word) for word in found.printed.split()]
    assert others == [first + 1, first + 2]
