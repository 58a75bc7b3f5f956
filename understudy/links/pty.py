"""Pseudo-terminal links: a serial port that any program can open by a stable name.

The system gives a pair: we hold the master, and the program opens the slave through a symbolic link. The slave is made
raw before its name appears and is not held open, so that the master tells whether a program has it open: reading fails
with EIO while nobody has. As on a real serial line one cannot tell who it is, or how many share it.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from understudy.errors import LinkError
from understudy.links.base import CHUNK, Event, LinkInfo, Sink
from understudy.links.directory import runtime_folder
from understudy.links.outbox import Outbox
from understudy.links.thread import shared
from understudy.links.url import LinkUrl

LIMIT = 16 * 1024  # bytes that wait for a slow reader, beside those that the system keeps (about as many)
LOOK_S = 0.05  # between two looks at a port that nobody has open: the system has no event for its opening
LINGER_S = 0.1  # for a client that was sent away to read the last bytes
NAMES = 100  # NAME, NAME-2, ... NAME-100 are tried
SLAVE = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # what a link of ours points to, on Linux and on macOS


def available() -> bool:
    """Say whether this system has pseudo-terminals."""
    try:
        import fcntl  # noqa: F401
        import termios  # noqa: F401
    except ImportError:
        return False
    return hasattr(os, "openpty")


class PtyLink:
    """A serial port made of a pseudo-terminal and a stable name."""

    def __init__(self, url: LinkUrl, label: str) -> None:
        self._wanted = url.name
        self._label = label
        self._url = str(url)
        self._notice = ""
        self._thread = shared()
        self._outbox = Outbox(LIMIT)
        self._sink: Sink = _nowhere
        self._name: Name | None = None
        self._pid = os.getpid()
        self._master = -1
        self._slave = ""
        self._timer: asyncio.TimerHandle | None = None
        self._leaving: set[int] = set()  # masters of clients that were sent away a moment ago
        self._connected = False
        self._visit = 0
        self._received = self._sent = 0

    def open(self, sink: Sink) -> None:
        """Make the port and publish its name; raises LinkError if that cannot be done."""
        assert self._name is None, f"{self._label} is open already"
        try:
            self._appear()
        except LinkError:
            raise
        except OSError as problem:
            raise LinkError(
                f"{self._label}: cannot make the serial port {self._wanted}: {problem.strerror}; "
                "choose another pty:NAME, or tcp://127.0.0.1:0"
            ) from problem
        self._sink = sink
        self._thread.hold()
        self._thread.post(self._look)
        atexit.register(self._close_at_exit)

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is dropped and counted, never waited for."""
        if self._outbox.put(data):
            self._thread.post(self._flush)

    def hang_up(self) -> None:
        """Unplug the port from whoever has it open, and offer a new one under the same name."""
        self._thread.post(self._unplug, self._visit)

    def close(self) -> None:
        """Stop, and remove the name."""
        name, self._name = self._name, None
        if name is not None:
            atexit.unregister(self._close_at_exit)
            name.give_back()
            self._thread.run(self._end())
            self._thread.release()

    def info(self) -> LinkInfo:
        """Return address and counters."""
        dropped = self._outbox.dropped
        return LinkInfo(self._url, self._connected, self._received, self._sent, dropped, self._notice)

    def _close_at_exit(self) -> None:
        """Leave no name behind when a program ends without closing; a forked copy of it has nothing to close."""
        if self._pid == os.getpid():
            self.close()

    def _appear(self) -> None:
        """Find a name that is free, and put a new pair behind it."""
        first = Path(self._wanted)
        if not first.is_absolute():
            first = runtime_folder() / first
        name = claim(first)
        try:
            self._master, self._slave = _plug(name)
        except BaseException:
            name.give_back()
            raise
        self._name, self._url = name, str(name.path)
        taken = f"the name {first} is in use by another run: {self._label} is at {name.path} instead"
        self._notice = "" if name.path == first else taken

    # What follows runs in the link thread.

    def _look(self) -> None:
        """Read what there is, and learn from it whether anybody has the port open."""
        data = _read(self._master)
        if data == b"":
            self._nobody()
            return
        if not self._connected:
            self._somebody()
        if data:
            self._received += len(data)
            self._sink(Event.DATA, data)

    def _somebody(self) -> None:
        if sys.platform == "darwin":  # there the first open of a slave brings the cooked defaults back
            _make_raw(self._master)
        self._connected = True
        self._visit += 1
        self._outbox.start()
        asyncio.get_running_loop().add_reader(self._master, self._look)
        self._sink(Event.OPENED, b"")

    def _nobody(self) -> None:
        if self._connected:
            self._detach()
            if not _tidy(self._slave):
                self._replace()
            self._sink(Event.CLOSED, b"")
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _detach(self) -> None:
        """Go back to looking now and then: a master without a client is always "ready", which would spin."""
        self._connected = False
        self._outbox.stop()
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._master)
        loop.remove_writer(self._master)

    def _flush(self) -> None:
        """Send until the system's buffer is full; goes on when there is room."""
        if not self._connected:
            return
        loop = asyncio.get_running_loop()
        while data := self._outbox.take():
            count = _write(self._master, data)
            self._sent += count
            if count < len(data):
                self._outbox.put_back(data[count:])
                loop.add_writer(self._master, self._flush)
                return
        loop.remove_writer(self._master)

    def _unplug(self, visit: int) -> None:
        if not self._connected or visit != self._visit:
            return
        self._flush()
        self._detach()
        self._replace()
        self._sink(Event.CLOSED, b"")
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _replace(self) -> None:
        """Put a new pair behind the name; the old one goes when its client has had time to read."""
        if self._name is None:
            return
        try:
            fresh = _plug(self._name)
        except OSError:  # no pair to be had: the old one must do
            return
        self._leaving.add(self._master)
        asyncio.get_running_loop().call_later(LINGER_S, self._drop, self._master)
        self._master, self._slave = fresh

    def _drop(self, master: int) -> None:
        if master in self._leaving:
            self._leaving.remove(master)
            os.close(master)

    async def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._connected:
            self._flush()
            self._detach()
            self._sink(Event.CLOSED, b"")
        for master in (*self._leaving, self._master):
            os.close(master)
        self._leaving.clear()
        self._master = -1


class Name:
    """A path for the symbolic link, ours alone for as long as its lock file is locked."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._target = ""

    def point_at(self, target: str) -> None:
        """Publish *target* under the name, in one step."""
        aside = self.path.with_name(f".{self.path.name}.new")
        aside.unlink(missing_ok=True)
        aside.symlink_to(target)
        aside.replace(self.path)
        self._target = target

    def give_back(self) -> None:
        """Remove the link, unless somebody else has put another one there, and unlock the name."""
        with suppress(OSError):
            if str(self.path.readlink()) == self._target:
                self.path.unlink()
        with suppress(OSError):
            _lock_file(self.path).unlink()
        os.close(self._lock)


def claim(first: Path) -> Name:
    """Return the first of NAME, NAME-2, ... that no running instance has."""
    for number in range(1, NAMES + 1):
        path = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not _is_replaceable(path):
            raise LinkError(f"{path} exists and is not a serial port of ours; remove it, or choose another name")
        lock = _lock(path)
        if lock is not None:
            return Name(path, lock)
    raise LinkError(f"{first} to {first.name}-{NAMES} are all in use; stop a run, or choose another name")


def _is_replaceable(path: Path) -> bool:
    """Say whether there is nothing, or a link that a run has left behind."""
    try:
        return bool(SLAVE.fullmatch(str(path.readlink())))
    except FileNotFoundError:
        return True
    except OSError:  # a file, a folder, a device
        return False


def _lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _lock(path: Path) -> int | None:
    """Return a descriptor that keeps *path* ours, or None if another run has it. The system unlocks for the dead."""
    import fcntl

    lock = _lock_file(path)
    while True:
        try:
            file = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except PermissionError:
            if lock.exists():  # another user's
                return None
            raise
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        with suppress(FileNotFoundError):
            if lock.stat().st_ino == os.fstat(file).st_ino:
                return file
        os.close(file)  # its last owner removed it between our two steps


def _plug(name: Name) -> tuple[int, str]:
    """Return the master of a new raw pair and the path of its slave, which *name* now points at."""
    master, slave = os.openpty()
    try:
        _make_raw(slave)
        os.fchmod(slave, 0o666)  # a daemon that has dropped its rights shall open it, too
        os.set_blocking(master, False)
        path = os.ttyname(slave)
        name.point_at(path)
    except BaseException:
        os.close(master)
        raise
    finally:
        os.close(slave)
    return master, path


def _make_raw(file: int) -> None:
    """Let every byte pass as it is: no echo, no line editing, no signals, no flow control."""
    import termios

    _, _, control, _, ispeed, ospeed, characters = termios.tcgetattr(file)
    control &= ~(termios.CSIZE | termios.PARENB | termios.CSTOPB)
    control |= termios.CS8 | termios.CREAD | termios.CLOCAL
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    termios.tcsetattr(file, termios.TCSANOW, [0, 0, control, 0, ispeed, ospeed, characters])


def _is_spoilt(file: int) -> bool:
    """Say whether a client that sets nothing would get or send other bytes than it means."""
    import termios

    iflag, oflag, _, lflag, _, _, characters = termios.tcgetattr(file)
    changes = termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP | termios.IXON
    if iflag & changes or oflag & termios.OPOST or lflag & (termios.ECHO | termios.ICANON | termios.ISIG):
        return True
    # reading never waits: pyserial leaves it so, and a plain "cat" would take that for the end
    return all(characters[index] in (0, b"\0") for index in (termios.VMIN, termios.VTIME))


def _tidy(slave: str) -> bool:
    """Make a port that was left as good as new; false if nobody but its last client may open it any more.

    What the client has not read would otherwise wait for the next one. A port that is raw already is left alone,
    because that next client may be there and have chosen its own settings.
    """
    import fcntl
    import termios

    try:
        file = os.open(slave, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # the client had taken it for itself alone, and a pseudo-terminal does not forget that
        return False
    with suppress(OSError):
        fcntl.ioctl(file, termios.TIOCNXCL)
        if _is_spoilt(file):
            _make_raw(file)
        for _ in range(LIMIT):  # ends sooner, with EAGAIN; flushing would miss what the system has not sorted in yet
            if not os.read(file, CHUNK):
                break
    os.close(file)
    return True


def _read(master: int) -> bytes | None:
    """Return bytes, None if there are none now, or b"" if nobody has the port open."""
    try:
        return os.read(master, CHUNK)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:  # EIO; other systems return b"" by themselves
        return b""


def _write(master: int, data: bytes) -> int:
    """Return how many bytes the system has taken."""
    try:
        return os.write(master, data)
    except OSError:  # full, or the client is just leaving, which the next look will find
        return 0


def _nowhere(event: Event, data: bytes) -> None:
    """Take events before there is a sink."""
