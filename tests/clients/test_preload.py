"""Programs with the library get answers on our ports, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from contracts.link_contract import Recorder

from understudy.clients import preload
from understudy.errors import LinkError
from understudy.links import Event, Link, make
from understudy.links.base import LineState

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has the library")

BEGIN = """
import array, fcntl, os, signal, struct, sys, termios, threading, time
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
RTS, DTR = struct.pack("i", termios.TIOCM_RTS), struct.pack("i", termios.TIOCM_DTR)

def lines():
    return struct.unpack("i", fcntl.ioctl(port, termios.TIOCMGET, bytes(4)))[0]

def refused(file, request):
    try:
        fcntl.ioctl(file, request, bytes(128))
    except OSError as problem:
        return problem.errno == 25
    return False
"""


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@pytest.fixture
def sink() -> Recorder:
    return Recorder()


@pytest.fixture
def link(sink: Recorder) -> Iterator[Link]:
    link = make("pty:robot", "scout/robot")
    with closing(link):
        link.open(sink)
        yield link


def run(code: str, link: Link) -> str:
    """Run a program with the library; returns what it prints."""
    words = [sys.executable, "-c", BEGIN + code, link.info().url]
    env = preload.environment(os.environ)
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_a_port_is_opened_with_its_lines_raised_and_a_device_that_is_ready(link: Link) -> None:
    said = run("print(lines() == sum((2, 4, termios.TIOCM_CTS, termios.TIOCM_DSR, termios.TIOCM_CD)))", link)
    assert said == "True"


def test_lines_are_set_read_and_reported(link: Link, sink: Recorder) -> None:
    code = """
fcntl.ioctl(port, termios.TIOCMBIC, RTS)
a = lines() & 6
fcntl.ioctl(port, termios.TIOCMBIS, RTS)
b = lines() & 6
fcntl.ioctl(port, termios.TIOCMSET, RTS)
print(a, b, lines() & 6)
os.write(port, b"x")
"""
    assert run(code, link) == "2 6 4"
    sink.expect(Event.OPENED)
    assert sink.data(1) == b"x"
    assert sink.lines == [LineState(rts=False), LineState(), LineState(dtr=False)]


def test_a_change_of_a_line_is_reported_before_the_bytes_that_follow_it(sink: Recorder) -> None:
    code = """
for n in range(200):
    fcntl.ioctl(port, termios.TIOCMBIS if n % 2 else termios.TIOCMBIC, RTS)
    os.write(port, bytes([n]))
"""
    changes: list[int] = []  # before each byte

    def keep(event: Event, data: bytes) -> None:
        sink(event, data)
        if event is Event.DATA:
            changes.extend([len(sink.lines)] * len(data))

    link = make("pty:other", "scout/other")
    with closing(link):
        link.open(keep)
        run(code, link)
        sink.expect(Event.OPENED)
        assert sink.data(200) == bytes(range(200))
    assert sink.lines == [LineState(rts=bool(n % 2)) for n in range(200)]
    assert [n for n in range(200) if changes[n] <= n] == []


def test_a_program_that_only_pulses_a_line_is_noticed(link: Link, sink: Recorder) -> None:
    run("fcntl.ioctl(port, termios.TIOCMBIC, RTS)", link)
    sink.expect(Event.OPENED)
    sink.expect(Event.CLOSED)
    assert sink.lines == [LineState(rts=False)]


@pytest.mark.parametrize(
    "call",
    [
        "termios.tcsendbreak(port, 0)",
        "fcntl.ioctl(port, 0x5409, 0)",
        "fcntl.ioctl(port, 0x5427); fcntl.ioctl(port, 0x5428)",
    ],
)
def test_a_break_is_reported_as_a_pulse(link: Link, sink: Recorder, call: str) -> None:
    run(f"{call}; os.write(port, b'x')", link)
    sink.expect(Event.OPENED)
    assert sink.data(1) == b"x"
    assert sink.lines == [LineState(breaking=True), LineState()]


def test_waiting_for_output_to_drain_is_no_break(link: Link, sink: Recorder) -> None:
    run("termios.tcdrain(port); os.write(port, b'x')", link)
    sink.expect(Event.OPENED)
    assert sink.data(1) == b"x"
    assert sink.lines == []


def test_a_custom_divisor_gives_the_baud_rate(link: Link, sink: Recorder) -> None:
    code = """
settings = termios.tcgetattr(port)
settings[4] = settings[5] = termios.B38400
termios.tcsetattr(port, termios.TCSANOW, settings)
serial = bytearray(fcntl.ioctl(port, 0x541E, bytes(72)))
struct.pack_into("i", serial, 16, 0x0030)  # custom divisor
struct.pack_into("i", serial, 24, struct.unpack_from("i", serial, 28)[0] // 500_000)
fcntl.ioctl(port, 0x541F, bytes(serial))
os.write(port, b"x")
"""
    run(code, link)
    sink.expect(Event.OPENED)
    assert sink.data(1) == b"x"
    assert sink.lines[-1] == LineState(500_000)


def test_counters_are_zero(link: Link) -> None:
    assert run("print(any(fcntl.ioctl(port, 0x545D, bytes(80))))", link) == "False"


def test_waiting_for_a_line_ends_when_the_simulator_unplugs_the_port(link: Link, sink: Recorder) -> None:
    words = [sys.executable, "-c", BEGIN + "os.write(port, b'x')\nfcntl.ioctl(port, 0x545C, 64)", link.info().url]
    env = preload.environment(os.environ)
    with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True) as program:
        sink.expect(Event.OPENED)
        assert sink.data(1) == b"x"
        link.hang_up()
        _, said = program.communicate(timeout=60)
    assert "Input/output error" in said


def test_a_port_that_is_closed_and_opened_again_has_its_lines_raised(link: Link) -> None:
    code = """
fcntl.ioctl(port, termios.TIOCMBIC, RTS)
os.close(port)
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
print(lines() & 6)
"""
    assert run(code, link) == "6"


def test_a_child_process_finds_the_lines_as_they_were(link: Link) -> None:
    code = """
fcntl.ioctl(port, termios.TIOCMBIC, RTS)
if child := os.fork():
    os.waitpid(child, 0)
else:
    print(lines() & 6)
"""
    assert run(code, link) == "2"


def test_a_child_process_that_closes_its_files_changes_nothing(link: Link) -> None:
    code = """
import subprocess
fcntl.ioctl(port, termios.TIOCMBIC, RTS)
subprocess.run(["true"], close_fds=True)
print(lines() & 6)
"""
    assert run(code, link) == "2"


def test_other_terminals_refuse_as_before(link: Link) -> None:
    code = """
_, other = os.openpty()
print(refused(other, termios.TIOCMGET), refused(other, 0x541E), refused(other, 0x545D))
"""
    assert run(code, link) == "True True True"


def test_a_file_that_is_no_terminal_refuses_as_before(link: Link) -> None:
    assert run("print(refused(os.pipe()[0], termios.TIOCMGET))", link) == "True"


def test_a_simulator_that_has_crashed_is_not_answered_for(link: Link, tmp_path: Path) -> None:
    code = """
import shutil
_, other = os.openpty()
number = os.fstat(other).st_rdev
os.mkfifo(f"{os.environ['UNDERSTUDY_LINES']}/.line-{os.major(number)}-{os.minor(number)}")
print(refused(other, termios.TIOCMGET))
"""
    assert run(code, link) == "True"


def test_many_threads_use_a_port_at_once(link: Link) -> None:
    code = """
def work():
    for _ in range(300):
        fcntl.ioctl(port, termios.TIOCMBIC, RTS)
        fcntl.ioctl(port, termios.TIOCMBIS, RTS)
        os.close(os.open("/dev/null", os.O_RDONLY))
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(lines() & 6)
"""
    assert run(code, link) == "6"


def test_nothing_is_left_in_the_runtime_folder(link: Link, tmp_path: Path) -> None:
    run("fcntl.ioctl(port, termios.TIOCMBIC, RTS)", link)
    link.close()
    assert list((tmp_path / "understudy").iterdir()) == []


def test_other_libraries_stay_preloaded() -> None:
    env = preload.environment({"LD_PRELOAD": "/lib/other.so"})
    assert env["LD_PRELOAD"] == f"{preload.library_path()}:/lib/other.so"


def test_without_a_compiler_the_message_names_the_way_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(LinkError, match=r"no C compiler found .*: install one.* or give the port a link rfc2217://"):
        preload.library_path()


def test_a_compiler_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho 'error: out of registers' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(LinkError, match=r"cannot compile .*serial_lines.c: error: out of registers"):
        preload.library_path()
    assert list((tmp_path / "understudy").glob("serial*")) == []


def test_on_other_systems_the_message_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(LinkError, match="on Linux only; give the port a link rfc2217://"):
        preload.library_path()


def test_a_cache_whose_path_has_a_space_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    assert preload.library_path().parent == tmp_path / "understudy"
