"""Debian's nqc compiles for our RCX, downloads to it over a real pseudo-terminal, and asks it questions."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import understudy as us
from understudy.formats.rcx.disasm import disassemble
from understudy.formats.rcx.icon_text import compile_icons, write_icons
from understudy.formats.rcx.image import read_image, write_image
from understudy.formats.rcx.lasm import assemble
from understudy.robots.rcx.machine import Machine
from understudy.robots.rcx.orders import LoadProgram
from understudy.world.changes import Quit

pytestmark = pytest.mark.interop
LIMIT_S = 20.0

SCENE = """
schema = 1
ground = {{size_m = [6, 4]}}
noise = "perfect"
[[robot]]
model = "rcx-m5"
name = "r"
x_m = -2
unit.rcx.version = "fw2"
port.tower.link = "{link}"
{more}
"""
COUNTING = """
int n;
task main()
{
    SetSensor(SENSOR_1, SENSOR_LIGHT);
    CreateDatalog(20);
    OnFwd(OUT_A + OUT_C);
    repeat (5) { n++; AddToDatalog(n); Wait(2); }
    Off(OUT_A + OUT_C);
}
"""
# programs of our own with everything that nqc compiles differently
PROGRAMS = {
    "loops": "int a; task main() { int i;"
    " for (i = 0; i < 300; i++) { if (i == 7) continue; a += i; if (a > 999) break; }"
    " do { a--; } while (a >= 0); until (SENSOR_2 == 1); while (true) { a = Random(9); } }",
    "switches": "int a, b; task main() { switch (a) { case 1: b = 2; break; case -300: b = 3; default: b = 4; }"
    " if (a != b && SENSOR_1 < 40 || Timer(1) >= 10) Fwd(OUT_A); else Rev(OUT_C); }",
    "tasks": "int n; sub beep() { PlaySound(3); PlayTone(440, 20); } void add(int &x, int y) { x += y; }"
    " task other() { while (true) { beep(); Wait(100); } }"
    " task main() { start other; add(n, 300); SetPower(OUT_A + OUT_B, n); stop other; SendMessage(n); }",
    "long jumps": "int a; task main() { while (a < 5) { " + "a *= 3; a -= 2; a /= 4; a |= 9; a &= 77; " * 30 + "} }",
    "far checks": "int a; task main() { if (a == 1) { " + "PlaySound(1); " * 60 + "} else { PlaySound(2); } }",
}
SECOND = {
    "events": "int g; task main() { SetEvent(1, SENSOR_1, EVENT_TYPE_PRESSED); SetEvent(4, Timer(2), EVENT_TYPE_HIGH);"
    " SetUpperLimit(4, 20); monitor (EVENT_MASK(1) | EVENT_MASK(4)) { Wait(500); } catch (EVENT_MASK(1)) { g = 1; }"
    " catch { g = ActiveEvents(0); } }",
    "resources": "task main() { SetPriority(3); acquire (ACQUIRE_OUT_A + ACQUIRE_SOUND) { OnFwd(OUT_A); Wait(90); }"
    " catch { Off(OUT_A); } }",
    "arrays": "int a[5], i, *p; task main() { for (i = 0; i < 5; i++) a[i] = i * i; p = &i; *p = 7; i = a[3]; }",
    "data": "int g; task main() { CreateDatalog(50); AddToDatalog(SENSOR_2); SetUserDisplay(g, 1); IncCounter(1);"
    " SetGlobalOutput(OUT_A, OUT_OFF); SetMaxPower(OUT_B, 3); SetGlobalDirection(OUT_C, OUT_REV);"
    " CalibrateEvent(1, 5, 9, 2);"
    " SetSerialComm(SERIAL_COMM_DEFAULT); SetSerialData(0, 0x10); SendSerial(0, 1); MuteSound();"
    " g = abs(g) ^ sign(g) % 3; }",
}
CASES = [(target, name, text) for target in ("RCX", "RCX2", "Swan") for name, text in PROGRAMS.items()] + [
    (target, name, text) for target in ("RCX2", "Swan") for name, text in SECOND.items()
]


def nqc(*words, check=True):
    assert shutil.which("nqc"), "nqc is missing: apt-get install nqc"
    done = subprocess.run(["nqc", *words], capture_output=True, text=True, timeout=LIMIT_S)
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(("target", "name", "text"), CASES, ids=[f"{row[0]} {row[1]}" for row in CASES])
def test_what_nqc_compiles_is_the_same_after_disassembly_and_assembly(tmp_path, target, name, text):
    (tmp_path / "x.nqc").write_text(text)
    nqc(f"-T{target}", f"-O{tmp_path / 'x.rcx'}", str(tmp_path / "x.nqc"))
    data = (tmp_path / "x.rcx").read_bytes()
    image = read_image(data)
    assert write_image(image) == data
    for dialect in ("lego", "nqc"):
        assert write_image(assemble(disassemble(image, dialect), dialect=dialect)) == data


@pytest.mark.parametrize(("target", "name", "text"), CASES, ids=[f"{row[0]} {row[1]}" for row in CASES])
def test_what_nqc_compiles_does_the_same_as_icon_text(tmp_path, target, name, text):
    """Instruction by instruction: only the lengths of jumps differ."""
    (tmp_path / "x.nqc").write_text(text)
    nqc(f"-T{target}", f"-O{tmp_path / 'x.rcx'}", str(tmp_path / "x.nqc"))
    image = read_image((tmp_path / "x.rcx").read_bytes())
    icons = write_icons(image)
    again = compile_icons(icons, "x.icons")
    assert write_icons(again) == icons
    ends = []
    for program in (image, again):
        machine = Machine(program.firmware, False, lambda number, seed: number * 0.618 % 1.0)
        for fragment in program:
            machine.store(fragment)
        machine.start(0)
        for _ in range(1500):
            machine.pass_ms()
        ends.append((machine.memory, machine.bank.drives(), machine.log, machine.message, machine.draws, machine.notes))
    assert ends[0] == ends[1]


ARITHMETIC = """
int a, b, c, d, e, f, g, h;
int list[4];
void swap(int &x, int &y) { int t = x; x = y; y = t; }
sub twice() { h = g * 2; }
task main()
{
    a = -37; b = 5;
    c = a / b; d = a * b; e = abs(a) - sign(a);
    f = (a & 60) | 3;
    swap(a, b);
    g = 0;
    repeat (4) { list[g] = g * g; g++; }
    g = list[3] + list[2];
    twice();
    switch (g) { case 9: b = 1; break; case 13: b = -300; break; default: b = 2; }
    while (g > 0) { g -= 4; if (g == 5) { e += 100; } }
    until (c != 0);
    a = (a == 5 && b < 0) ? 111 : 222;
}
"""


@pytest.mark.parametrize(("target", "firmware"), [("RCX2", "fw2"), ("Swan", "swan")])
def test_what_nqc_compiles_computes_what_the_source_says(tmp_path, target, firmware):
    (tmp_path / "x.nqc").write_text(ARITHMETIC)
    nqc(f"-T{target}", f"-O{tmp_path / 'x.rcx'}", str(tmp_path / "x.nqc"))
    scene = f'schema = 1\n[[robot]]\nname = "r"\nmodel = "rcx-m3"\nunit.rcx.version = "{firmware}"\n'
    with us.load_text(scene) as sim:
        sim.robot("r").order(LoadProgram("x.rcx", (tmp_path / "x.rcx").read_bytes()))
        sim.run(0.5)
        panel = sim.robot("r").panel("rcx")
    assert not panel.running
    assert panel.variables[:12] == (111, -300, -7, -185, 138, -37 & 60 | 3, -3, 26, 0, 1, 4, 9)


@pytest.fixture
def brick(tmp_path):
    """A brick whose simulation runs at real time, and its port."""
    link = f"pty:{tmp_path}/tower"
    sim = us.load_text(SCENE.format(link=link, more=""), ports=True)
    sim.step(3)  # what has to be compiled is compiled now
    sim.clock.speed = 1.0
    thread = threading.Thread(target=sim.run)
    thread.start()
    (tmp_path / "x.nqc").write_text(COUNTING)
    yield Brick(sim, sim.ports.info()["r/tower"].url, str(tmp_path / "x.nqc"))
    sim.post(Quit())
    thread.join(LIMIT_S)
    sim.close()


class Brick:
    def __init__(self, sim, port, program):
        self.sim, self.port, self.program = sim, port, program

    def nqc(self, *words, check=True):
        return nqc("-TRCX2", f"-S{self.port}", *words, check=check)

    @property
    def machine(self):
        return self.sim.current.units["r/rcx"].machine

    def wait_until(self, true):
        end = time.monotonic() + LIMIT_S
        while not true():
            assert time.monotonic() < end, "it does not happen"
            time.sleep(0.01)


def test_a_program_is_downloaded_and_run_twice_and_read_back(brick):
    for _ in range(2):
        assert "complete" in brick.nqc("-d", brick.program, "-run")
        brick.wait_until(lambda: brick.machine.memory[0] == 5 and not brick.machine.running)
        assert brick.nqc("-raw", "120000").split() == ["05", "00"]
        logged = [line for line in brick.nqc("-datalog").splitlines() if line.isdigit()]
        assert logged == ["1", "2", "3", "4", "5"]
        brick.nqc("-raw", "1400020000")  # variable 0 = 0
    assert brick.sim.robot("r").pose.x_m > -2.0


def test_messages_clock_and_programs_are_set_and_cleared(brick):
    brick.nqc("-msg", "17")
    brick.wait_until(lambda: brick.machine.message == 17)
    brick.nqc("-watch", "1234")
    assert brick.nqc("-raw", "120e00").split() == ["f2", "02"]
    brick.nqc("-d", "-pgm", "3", brick.program)
    assert brick.machine.slots[2].tasks
    brick.nqc("-clear")
    assert not any(list(slot) for slot in brick.machine.slots)
    brick.nqc("-near", "-sleep", "9")
    assert (brick.machine.far, brick.machine.sleep_min) == (False, 9)


def test_a_brick_that_waits_for_programs_runs_each_from_the_start(tmp_path):
    (tmp_path / "x.nqc").write_text("task main() { OnFwd(OUT_A + OUT_C); Wait(50); Off(OUT_A + OUT_C); }")
    words = ["rcx", "serve", "--robot", "M4", "--world", "E1", "--engine", "planar", "--port", "0", "--programs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "understudy", *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        watchdog = threading.Timer(3 * LIMIT_S, process.kill)
        watchdog.start()
        lines = iter(process.stdout)
        port = next(line for line in lines if line.startswith("nqc: ")).split()[2]
        travelled = []
        for _ in range(2):
            nqc("-TSwan", port, "-d", str(tmp_path / "x.nqc"), "-run")
            travelled.append(next(line for line in lines if "travelled" in line).split()[1])
        assert process.wait(LIMIT_S) == 0
        watchdog.cancel()
    assert float(travelled[0]) == pytest.approx(0.2635, abs=0.02)
    assert travelled[0] == travelled[1]


def killed(brick, program, *words):
    """Begin a download of a long program and kill nqc in the middle of it."""
    long = brick.program.replace("x.nqc", "long.nqc")
    Path(long).write_text(program)
    process = subprocess.Popen(
        ["nqc", "-TRCX2", f"-S{brick.port}", *words, long], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    direct = brick.sim.current.units["r/rcx"]._direct
    brick.wait_until(lambda: direct.download.last >= 2)
    process.send_signal(signal.SIGKILL)
    process.wait(LIMIT_S)


LONG = "task main() { " + "PlaySound(1); Wait(1); " * 600 + "}"


def test_after_killed_downloads_the_next_one_works(brick):
    for _ in range(2):
        killed(brick, LONG, "-d")
    assert "complete" in brick.nqc("-d", brick.program, "-run")
    brick.wait_until(lambda: brick.machine.memory[0] == 5)


def test_a_killed_download_leaves_the_programs_of_other_slots(brick):
    brick.nqc("-d", "-pgm", "1", brick.program)
    code = brick.machine.slots[0].tasks[0].code
    killed(brick, LONG, "-d", "-pgm", "3")
    assert brick.machine.slots[0].tasks[0].code == code
    brick.nqc("-pgm", "1", "-run")
    brick.wait_until(lambda: brick.machine.memory[0] == 5)


def test_every_request_works_twice_in_a_row(brick):
    for n in (1, 2):
        brick.nqc("-msg", str(n))
        brick.wait_until(lambda number=n: brick.machine.message == number)
        brick.nqc("-watch", f"0{n}30")
        assert brick.machine.clock_min == 60 * n + 30
        assert brick.nqc("-raw", f"140102{n:02x}00").strip() == ""
        assert brick.nqc("-raw", "120001").split() == [f"{n:02x}", "00"]
        brick.nqc("-far" if n == 1 else "-near")
        assert brick.machine.far is (n == 1)
        brick.nqc("-d", brick.program)
        assert list(brick.machine.program.tasks) == [0]
        brick.nqc("-clear")
        assert not brick.machine.program.tasks
        assert not [line for line in brick.nqc("-datalog").splitlines() if line.isdigit()]


def test_a_long_datalog_comes_whole_twice(brick):
    """Longer than what nqc asks for at once."""
    Path(brick.program).write_text("int n; task main() { CreateDatalog(60); repeat (47) { n++; AddToDatalog(n); } }")
    brick.nqc("-d", brick.program, "-run")
    brick.wait_until(lambda: len(brick.machine.log) == 48 and not brick.machine.running)
    for _ in range(2):
        logged = [int(line) for line in brick.nqc("-datalog").splitlines() if line.isdigit()]
        assert logged == list(range(1, 48))


def test_the_remote_control_drives_while_its_button_is_held(brick):
    brick.nqc("-remote", "0028", "3")  # A and C forward
    brick.wait_until(lambda: brick.sim.robot("r").pose.x_m > -1.99)
    brick.wait_until(lambda: all(drive.percent == 0 for drive in brick.machine.bank.drives()))


def test_firmware_is_downloaded_and_the_brick_works_again(brick, tmp_path):
    (tmp_path / "fake.lgo").write_text(srecords(bytes(range(256)) * 3, 0x8000))
    brick.nqc("-d", brick.program)
    brick.nqc("-firmware", str(tmp_path / "fake.lgo"))
    assert not brick.machine.program.tasks
    assert "complete" in brick.nqc("-d", brick.program, "-run")


def test_firmware_is_downloaded_twice_and_after_a_killed_download(brick, tmp_path):
    firmware = srecords(bytes(range(256)) * 80, 0x8000)
    killed(brick, firmware, "-firmware")
    assert not brick.sim.current.units["r/rcx"]._direct.has_firmware
    (tmp_path / "fake.lgo").write_text(srecords(bytes(range(256)) * 3, 0x8000))
    for _ in range(2):
        brick.nqc("-firmware", str(tmp_path / "fake.lgo"))
    assert "complete" in brick.nqc("-d", brick.program, "-run")
    brick.wait_until(lambda: brick.machine.memory[0] == 5)


def srecords(data, start):
    """Return data as Motorola S-records, the form of the firmware's file."""
    lines = ["S0030000FC"]
    for n in range(0, len(data), 16):
        body = bytes([len(data[n : n + 16]) + 3]) + (start + n).to_bytes(2, "big") + data[n : n + 16]
        lines.append(f"S1{body.hex().upper()}{~sum(body) & 0xFF:02X}")
    body = bytes([3]) + start.to_bytes(2, "big")
    lines.append(f"S9{body.hex().upper()}{~sum(body) & 0xFF:02X}")
    return "\n".join(lines) + "\n"
