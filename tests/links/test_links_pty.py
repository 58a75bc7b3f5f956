from __future__ import annotations

import os
import stat
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import serial
from contracts.link_contract import ALL_BYTES, PATIENCE_S, Recorder, open_descriptors, wait_until
from links.clients import PtyClient

from understudy.errors import LinkError
from understudy.links import Event, Link, make
from understudy.links import pty as pty_module
from understudy.links.base import LineState

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

AWKWARD = bytes([0x03, 0x04, 0x0D, 0x0A, 0x11, 0x13, 0x7F, 0xFF, 0xFF, 0x00, 0x15, 0x1A, 0x1C])

FALLBACK = """
import sys
import asyncio, psutil, tempfile  # may use POSIX modules for themselves

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "termios", "pty", "tty", "resource"}:
            raise ModuleNotFoundError(f"No module named {name!r}")

for name in ("fcntl", "termios", "pty", "tty", "resource"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Hidden())

from understudy import links
link = links.make("pty:gps", "scout/gps")
link.open(lambda event, data: None)
print(link.info().url)
print(link.info().notice)
link.close()
"""

CRASH = """
import os, sys
from understudy import links
link = links.make("pty:gps", "scout/gps")
link.open(lambda event, data: None)
print(link.info().url, flush=True)
sys.stdin.read()
os._exit(1)
"""

FORGET = """
from understudy import links
link = links.make("pty:gps", "scout/gps")
link.open(lambda event, data: None)
print(link.info().url)
"""


@pytest.fixture
def sink() -> Recorder:
    return Recorder()


@pytest.fixture
def link(sink: Recorder) -> Iterator[Link]:
    link = make("pty:gps", "scout/gps")
    with closing(link):
        link.open(sink)
        yield link


def open_and_write(path: str, data: bytes) -> None:
    """Do what ``printf ... > PORT`` does: open, write, leave, and no settings."""
    port = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    os.write(port, data)
    os.close(port)


def ended(port: int) -> bool:
    """Say whether an open port was unplugged; waits for that."""
    try:
        return os.read(port, 1) == b""
    except OSError:
        return True


def test_awkward_bytes_pass_unchanged_to_the_link(link: Link, sink: Recorder) -> None:
    with serial.Serial(link.info().url, 9600, timeout=PATIENCE_S) as port:
        port.write(AWKWARD)
        sink.expect(Event.OPENED)
        assert sink.data(len(AWKWARD)) == AWKWARD


def test_awkward_bytes_pass_unchanged_from_the_link(link: Link, sink: Recorder) -> None:
    with serial.Serial(link.info().url, 9600, timeout=PATIENCE_S) as port:
        sink.expect(Event.OPENED)
        link.write(AWKWARD)
        assert port.read(len(AWKWARD)) == AWKWARD


def test_a_client_that_sets_nothing_finds_a_raw_port(link: Link, sink: Recorder) -> None:
    open_and_write(link.info().url, AWKWARD)
    sink.expect(Event.OPENED)
    assert sink.data(len(AWKWARD)) == AWKWARD
    sink.expect(Event.CLOSED)


def test_nothing_that_the_link_sends_comes_back_as_an_echo(link: Link, sink: Recorder) -> None:
    port = os.open(link.info().url, os.O_RDWR | os.O_NOCTTY)
    sink.expect(Event.OPENED)
    link.write(b"$GPGGA\r\n")
    assert os.read(port, 8) == b"$GPGGA\r\n"
    os.close(port)
    sink.expect(Event.CLOSED)
    assert sink.rest() == []


def test_a_port_that_a_client_left_cooked_is_raw_for_the_next(link: Link, sink: Recorder) -> None:
    import termios

    port = os.open(link.info().url, os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(port)
    settings[3] |= termios.ECHO | termios.ICANON | termios.ISIG
    termios.tcsetattr(port, termios.TCSANOW, settings)
    sink.expect(Event.OPENED)
    os.close(port)
    sink.expect(Event.CLOSED)
    open_and_write(link.info().url, AWKWARD)
    sink.expect(Event.OPENED)
    assert sink.data(len(AWKWARD)) == AWKWARD


def test_the_settings_of_a_client_are_left_alone(link: Link, sink: Recorder) -> None:
    import termios

    with serial.Serial(link.info().url, 57600, timeout=PATIENCE_S) as port:
        settings = termios.tcgetattr(port.fd)
        sink.expect(Event.OPENED)
        link.write(b"x")
        assert port.read(1) == b"x"
        assert termios.tcgetattr(port.fd) == settings


@pytest.mark.parametrize("count", [1, 3000, 20_000])
def test_stale_bytes_are_not_delivered_to_a_late_opener(link: Link, sink: Recorder, count: int) -> None:
    first = PtyClient(link)
    sink.expect(Event.OPENED)
    link.write(b"s" * count)
    wait_until(lambda: link.info().sent > count // 2)
    first.close()
    sink.expect(Event.CLOSED)
    link.write(b"t" * count)
    port = os.open(link.info().url, os.O_RDWR | os.O_NOCTTY)
    sink.expect(Event.OPENED)
    link.write(b"fresh")
    assert os.read(port, 100) == b"fresh"
    os.close(port)


def test_a_client_that_only_drops_a_line_and_leaves_is_heard(link: Link, sink: Recorder) -> None:
    for _ in range(5):
        open_and_write(link.info().url, b"drive")
        sink.expect(Event.OPENED)
        assert sink.data(5) == b"drive"
        sink.expect(Event.CLOSED)


def test_a_thousand_programs_in_a_row_are_heard(link: Link, sink: Recorder) -> None:
    before = open_descriptors()
    for number in range(1000):
        open_and_write(link.info().url, struct.pack(">H", number))
    got = b""
    while len(got) < 2000:
        got += sink.next()[1]
    assert struct.unpack(">1000H", got) == tuple(range(1000))
    wait_until(lambda: not link.info().connected)
    assert open_descriptors() <= before


def test_a_program_that_reopens_the_port_at_once_is_answered_each_time(link: Link, sink: Recorder) -> None:
    for number in range(100):
        with serial.Serial(link.info().url, 9600, timeout=PATIENCE_S) as port:
            port.write(bytes([number]))
            while (Event.DATA, bytes([number])) != sink.next():
                pass
            link.write(bytes([number]))
            assert port.read(1) == bytes([number])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no event for it")
def test_the_first_byte_is_noticed_without_waiting_for_the_next_look(
    sink: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pty_module, "LOOK_S", 1000.0)
    link = make("pty:gps", "scout/gps")
    with closing(link):
        link.open(sink)
        for _ in range(3):
            open_and_write(link.info().url, b"now")
            sink.expect(Event.OPENED)
            assert sink.data(3) == b"now"
            sink.expect(Event.CLOSED)


def test_a_port_that_nobody_has_open_is_looked_at_rarely(
    link: Link, sink: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_and_write(link.info().url, b"now")
    sink.expect(Event.OPENED)
    assert sink.data(3) == b"now"
    sink.expect(Event.CLOSED)
    looks: list[int] = []
    monkeypatch.setattr(pty_module, "_read", lambda master: looks.append(master) or b"")
    threading.Event().wait(0.5)
    assert len(looks) < 50


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has reports of modem lines")
def test_junk_about_modem_lines_is_skipped(link: Link, sink: Recorder, runtime: Path) -> None:
    (fifo,) = runtime.glob(".line-*")
    for junk in (b"\n\n", b"1 2 3\n", b"9 9 9 9\n", ALL_BYTES * 100, b"1 1 0 99999999999\n"):
        fifo.write_bytes(junk)
    with closing(PtyClient(link)) as client:
        sink.expect(Event.OPENED)
        client.send(b"x")
        assert sink.data(1) == b"x"
    assert sink.lines == [LineState(9600)]


def test_a_program_that_opens_the_port_and_does_nothing_is_no_burden(link: Link, sink: Recorder) -> None:
    idle = os.open(link.info().url, os.O_RDWR | os.O_NOCTTY)
    sink.expect(Event.OPENED)
    with closing(PtyClient(link)) as client:
        client.send(ALL_BYTES)
        assert sink.data(256) == ALL_BYTES
        link.write(b"x")
        assert client.receive(1) == b"x"
    os.close(idle)
    sink.expect(Event.CLOSED)


def test_a_slow_reader_is_buffered_for_within_bounds(link: Link, sink: Recorder) -> None:
    with closing(PtyClient(link)):
        sink.expect(Event.OPENED)
        for _ in range(1000):
            link.write(b"x" * 1000)
        wait_until(lambda: link.info().dropped > 900_000)
        assert link._outbox._size <= 16 * 1024  # type: ignore[attr-defined]


def test_hanging_up_unplugs_the_port_and_the_name_leads_to_a_new_one(link: Link, sink: Recorder) -> None:
    old = os.open(link.info().url, os.O_RDWR | os.O_NOCTTY)
    sink.expect(Event.OPENED)
    before = Path(link.info().url).readlink()
    link.hang_up()
    sink.expect(Event.CLOSED)
    assert ended(old)
    os.close(old)
    assert Path(link.info().url).readlink() != before
    open_and_write(link.info().url, b"hello")
    sink.expect(Event.OPENED)
    assert sink.data(5) == b"hello"


def test_a_port_that_its_client_has_taken_for_good_is_replaced(
    link: Link, sink: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pty_module, "tidy", lambda slave: False)
    before = Path(link.info().url).readlink()
    open_and_write(link.info().url, b"mine")
    sink.expect(Event.OPENED)
    assert sink.data(4) == b"mine"
    sink.expect(Event.CLOSED)
    assert Path(link.info().url).readlink() != before
    open_and_write(link.info().url, b"hello")
    sink.expect(Event.OPENED)
    assert sink.data(5) == b"hello"


def test_the_name_is_a_link_in_the_runtime_folder_and_goes_with_the_port(runtime: Path) -> None:
    link = make("pty:gps", "scout/gps")
    link.open(Recorder())
    assert link.info().url == str(runtime / "gps")
    assert (runtime / "gps").is_symlink()
    link.close()
    assert list(runtime.iterdir()) == []


def test_a_port_may_be_linked_at_any_path(tmp_path: Path) -> None:
    link = make(f"pty:{tmp_path}/my robot", "scout/gps")
    with closing(link):
        link.open(Recorder())
        assert link.info().url == str(tmp_path / "my robot")
        assert stat.S_ISCHR((tmp_path / "my robot").stat().st_mode)


def test_every_user_may_open_the_port(link: Link) -> None:
    assert stat.S_IMODE(Path(link.info().url).stat().st_mode) == 0o666


def test_two_ports_with_the_same_name_stand_side_by_side(link: Link, sink: Recorder) -> None:
    other, other_sink = make("pty:gps", "rover/gps"), Recorder()
    with closing(other):
        other.open(other_sink)
        assert other.info().url == link.info().url + "-2"
        open_and_write(link.info().url, b"one")
        open_and_write(other.info().url, b"two")
        sink.expect(Event.OPENED)
        other_sink.expect(Event.OPENED)
        assert (sink.data(3), other_sink.data(3)) == (b"one", b"two")


def test_a_port_that_got_another_name_says_so(link: Link) -> None:
    other = make("pty:gps", "rover/gps")
    with closing(other):
        other.open(Recorder())
        first = link.info()
        words = f"{first.url} is in use by another run: rover/gps is at {first.url}-2 instead"
        assert (first.notice, other.info().notice) == ("", words)


def test_a_name_that_has_become_free_is_used_again(link: Link) -> None:
    for _ in range(3):
        other = make("pty:gps", "rover/gps")
        with closing(other):
            other.open(Recorder())
            assert other.info().url == link.info().url + "-2"


def test_a_name_that_another_process_has_is_left_to_it() -> None:
    with subprocess.Popen([sys.executable, "-c", CRASH], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        theirs = other.stdout.readline().decode().strip()
        link = make("pty:gps", "scout/gps")
        with closing(link):
            link.open(Recorder())
            assert link.info().url == theirs + "-2"
        other.communicate()


def test_a_name_that_a_crashed_process_left_behind_is_taken_over(runtime: Path) -> None:
    subprocess.run([sys.executable, "-c", CRASH], input=b"", check=False, capture_output=True, timeout=30)
    assert (runtime / "gps").is_symlink()
    link, sink = make("pty:gps", "scout/gps"), Recorder()
    with closing(link):
        link.open(sink)
        assert link.info().url == str(runtime / "gps")
        open_and_write(link.info().url, b"hello")
        sink.expect(Event.OPENED)


def test_a_program_that_forgets_to_close_leaves_no_name(runtime: Path) -> None:
    subprocess.run([sys.executable, "-c", FORGET], check=True, capture_output=True, timeout=30)
    assert list(runtime.iterdir()) == []


def test_many_ports_that_open_at_once_get_names_of_their_own() -> None:
    links = [make("pty:gps", f"r{n}/gps") for n in range(12)]
    openers = [threading.Thread(target=link.open, args=(Recorder(),)) for link in links]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    urls = {link.info().url for link in links}
    for link in links:
        link.close()
    assert len(urls) == 12


def test_a_foreign_file_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("important")
    with pytest.raises(
        LinkError, match="thesis exists and is not a simulated serial port; remove it, or choose another"
    ):
        make(f"pty:{tmp_path}/thesis", "scout/gps").open(Recorder())
    assert (tmp_path / "thesis").read_text() == "important"


def test_a_link_to_a_real_device_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "gps").symlink_to("/dev/null")
    with pytest.raises(LinkError, match="gps exists and is not a simulated serial port"):
        make(f"pty:{tmp_path}/gps", "scout/gps").open(Recorder())


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match=r"scout/gps: cannot create the serial port .*/nowhere/gps: No such file"):
        make(f"pty:{tmp_path}/nowhere/gps", "scout/gps").open(Recorder())


def test_a_system_without_pseudo_terminals_gets_tcp_and_a_notice() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", FALLBACK], check=True, capture_output=True, text=True, timeout=30
    )
    url, notice = run.stdout.splitlines()
    assert url.startswith("tcp://127.0.0.1:")
    assert notice == f"this system has no pseudo-terminals: scout/gps listens on {url} instead"
    assert run.stderr == ""


@pytest.mark.parametrize("baud", [9600, 115_200, 250_000, 31_250])
def test_the_baud_rate_of_a_client_is_reported_before_its_bytes(link: Link, sink: Recorder, baud: int) -> None:
    with closing(serial.Serial(link.info().url, baud)) as port:
        sink.expect(Event.OPENED)
        port.write(b"x")
        assert sink.data(1) == b"x"
        assert sink.lines == [LineState(baud)]


def test_another_baud_rate_of_the_same_client_is_reported(link: Link, sink: Recorder) -> None:
    with closing(serial.Serial(link.info().url, 9600)) as port:
        sink.expect(Event.OPENED)
        port.baudrate = 38_400
        link.write(b"y")
        assert port.read(1) == b"y"
        wait_until(lambda: sink.lines[-1:] == [LineState(38_400)])


def test_a_client_that_sets_no_baud_rate_has_none(link: Link, sink: Recorder) -> None:
    with Path(link.info().url).open("wb", buffering=0) as port:  # as a shell does with >
        sink.expect(Event.OPENED)
        port.write(b"x")
        assert sink.data(1) == b"x"
        assert sink.lines == []


@pytest.mark.parametrize(("baud", "found"), [(38_400, 38_400), (500_000, 500_000), (31_250, 50)])
def test_a_port_appears_with_the_rate_of_its_device(tmp_path: Path, baud: int, found: int) -> None:
    link = make(f"pty:{tmp_path}/gps", "scout/gps", baud)
    with closing(link):
        link.open(Recorder())
        with Path(link.info().url).open("rb", buffering=0) as port:  # sets no rate, as gpsd at first
            assert termios.tcgetattr(port)[4:6] == [getattr(termios, f"B{found}")] * 2


def test_a_client_that_keeps_the_rate_that_it_finds_is_at_the_rate_of_the_device(tmp_path: Path) -> None:
    link, sink = make(f"pty:{tmp_path}/gps", "scout/gps", 38_400), Recorder()
    with closing(link):
        link.open(sink)
        with Path(link.info().url).open("wb", buffering=0) as port:
            sink.expect(Event.OPENED)
            port.write(b"x")
            assert sink.data(1) == b"x"
        assert sink.lines == [LineState(38_400)]


def test_a_client_that_is_held_back_blocks_like_on_a_slow_line(link: Link, sink: Recorder) -> None:
    with closing(serial.Serial(link.info().url, 9600)) as port:
        sink.expect(Event.OPENED)
        link.hold_back(True)
        with suppress(BlockingIOError):
            for _ in range(100):
                os.write(port.fileno(), b"x" * 1000)
            pytest.fail("100,000 bytes were accepted")
