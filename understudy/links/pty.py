"""Pseudo-terminal links: a serial port that any program can open by a stable name.

The system creates a pair: the link holds the master, and the program opens the slave through a symbolic link. The slave
is set to raw mode before its name appears. The link does not keep it open, so that the master shows whether a program
has it open: reading fails with EIO while none has. As on a real serial line, the link cannot tell which program it is,
or how many share the port.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
from pathlib import Path

from understudy.errors import LinkError
from understudy.links import speed
from understudy.links.base import CHUNK, Event, LineState, LinkInfo, Sink, Traffic, discard
from understudy.links.directory import runtime_folder
from understudy.links.modem import ModemReport
from understudy.links.names import Name, claim
from understudy.links.outbox import Outbox
from understudy.links.terminal import Pair, make_raw, tidy
from understudy.links.thread import shared
from understudy.links.url import LinkUrl

LIMIT = 16 * 1024  # send queue for a slow reader (bytes), besides the system's own buffer (about as large)
LOOK_S = 0.05  # polling interval of a port that no program has open: opening it gives no event, its first byte does
LINGER_S = 0.1  # time for a disconnected client to read the last bytes


def available() -> bool:
    """Return whether this system has pseudo-terminals."""
    try:
        import fcntl  # noqa: F401
        import termios  # noqa: F401
    except ImportError:
        return False
    return hasattr(os, "openpty")


class PtyLink:
    """A serial port made of a pseudo-terminal and a stable name."""

    def __init__(self, url: LinkUrl, label: str) -> None:
        self._wanted, self._baud = url.name, url.baud
        self._label = label
        self._url = str(url)
        self._notice = ""
        self._thread = shared()
        self._outbox = Outbox(LIMIT)
        self._sink: Sink = discard
        self._name: Name | None = None
        self._pid = os.getpid()
        self._pair: Pair | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._watching = False  # for the first byte of a program
        self._leaving: set[Pair] = set()  # of clients that were disconnected a moment ago
        self._connected = False
        self._line = LineState()  # that was reported
        self._modem = ModemReport()  # of the client
        self._received = self._sent = 0
        self._before = (0, 0)  # what these were when the current program opened the port
        self._reading = True
        self._most_sent: int | None = None  # bytes that the current program may be sent in all; None: any number

    def open(self, sink: Sink) -> None:
        """Create the port and publish its name; raises LinkError if that fails."""
        assert self._name is None, f"{self._label} is open already"
        try:
            self._appear()
        except LinkError:
            raise
        except OSError as problem:
            raise LinkError(
                f"{self._label}: cannot create the serial port {self._wanted}: {problem.strerror}; "
                "choose another pty:NAME, or tcp://127.0.0.1:0"
            ) from problem
        self._sink = sink
        self._thread.hold()
        self._thread.post(self._begin)
        atexit.register(self._close_at_exit)

    def write(self, data: bytes, client: int | None = None) -> None:
        """Send bytes to this client (default: the current one) without blocking; what cannot be sent is counted."""
        if self._outbox.put(data, client):
            self._thread.post(self._flush)

    def hold_back(self, on: bool) -> None:
        """Stop reading from the client, whose writes then block as on a slow line; or go on."""
        self._thread.post(self._read_on, self._outbox.client, not on)

    def hang_up(self, client: int | None = None) -> None:
        """Disconnect the programs that have the port open, and offer a new port under the same name."""
        self._thread.post(self._unplug, self._outbox.client if client is None else client)

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
        return LinkInfo(
            self._url, self._connected, self._received, self._sent, self._outbox.dropped, self._notice,
            waiting=self._outbox.size,
        )  # fmt: skip

    def _close_at_exit(self) -> None:
        """Remove the name when a program ends without closing; a forked copy of the process has nothing to close."""
        if self._pid == os.getpid():
            self.close()

    def _appear(self) -> None:
        """Find a free name, and let it point to a new pair."""
        first = Path(self._wanted)
        if not first.is_absolute():
            first = runtime_folder() / first
        name = claim(first)
        try:
            self._pair = Pair.new(name, self._baud)
        except BaseException:
            name.give_back()
            raise
        self._name, self._url = name, str(name.path)
        taken = f"{first} is in use by another run: {self._label} is at {name.path} instead"
        self._notice = "" if name.path == first else taken

    # The methods below run in the link thread.

    def look(self) -> None:
        """Notice at once whether a program has the port open, or its new settings, for which there is no event."""
        self._look_at_line() if self._connected else self._look()

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of the programs that have /dev/pts/*client* open; None if that has not been seen."""
        if self._pair is None or self._pair.slave != f"/dev/pts/{client}":
            return Traffic(0, 0, "closed")
        self._reported()
        if not self._connected:
            return None
        self._most_sent = most_sent
        self._flush()
        received, sent = self._before
        return Traffic(self._received - received, self._sent - sent, "open", self._reading)

    def _begin(self) -> None:
        self._listen_for_reports(True)
        self._look()

    def _look(self) -> None:
        """Read the available bytes, and detect whether a program has the port open."""
        if self._pair is None:
            return
        data = _read(self._pair.master)
        if data == b"":
            self._not_open()
            return
        if not self._connected:
            self._opened()
        if data:
            self._take_reports()  # a client changes its lines before it writes, or it does not care
            self._look_at_line()
            self._received += len(data)
            self._sink(Event.DATA, data)

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(LOOK_S, self._look)
        if not self._watching and self._pair is not None and self._pair.first_byte is not None:
            self._watching = True
            loop.add_reader(self._pair.first_byte, self._woken)

    def _stop_looking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._watching and self._pair is not None and self._pair.first_byte is not None:
            self._watching = False
            asyncio.get_running_loop().remove_reader(self._pair.first_byte)

    def _woken(self) -> None:
        if self._pair is not None and self._pair.first_byte is not None:
            self._pair.first_byte.poll(0)  # takes the event
        self._look()

    def _look_at_line(self) -> None:
        """Report other settings; the system has no event for the baud rate, so this looks whenever bytes pass."""
        if self._pair is None:
            return
        modem = self._modem
        line = LineState(modem.rate(speed.baud(self._pair.master)), modem.rts, modem.dtr, modem.breaking)
        if line != self._line:
            self._line = line
            self._sink(Event.LINE, line.encode())

    def _listen_for_reports(self, on: bool) -> None:
        if self._pair is not None and self._pair.reports:
            loop, file = asyncio.get_running_loop(), self._pair.reports.file
            loop.add_reader(file, self._reported) if on else loop.remove_reader(file)

    def _reported(self) -> None:
        """Take what a client under ``with-serial`` says of its modem lines; it may have opened the port just now."""
        if not self._connected:
            self._look()
        self._take_reports()

    def _take_reports(self) -> None:
        reports = self._pair.reports.read() if self._pair is not None and self._pair.reports else []
        if reports and not self._connected:
            self._opened()  # for a moment only: it has closed the port already
        for report in reports:
            self._modem = report
            self._look_at_line()

    def _read_on(self, client: int, on: bool) -> None:
        if self._connected and client == self._outbox.client and self._pair is not None:
            self._reading, loop = on, asyncio.get_running_loop()
            loop.add_reader(self._pair.master, self._look) if on else loop.remove_reader(self._pair.master)

    def _opened(self) -> None:
        assert self._pair is not None
        if sys.platform == "darwin":  # there the first open of a slave restores the cooked defaults
            make_raw(self._pair.master)
        self._stop_looking()
        self._connected = True
        self._line, self._modem = LineState(), ModemReport()
        self._before, self._reading, self._most_sent = (self._received, self._sent), True, None
        self._outbox.start()
        asyncio.get_running_loop().add_reader(self._pair.master, self._look)
        self._sink(Event.OPENED, b"")
        self._look_at_line()

    def _not_open(self) -> None:
        assert self._pair is not None
        if self._connected:
            self._take_reports()
            self._detach()
            if not tidy(self._pair.slave):
                self._replace()
            self._sink(Event.CLOSED, b"")
        self._look_later()

    def _detach(self) -> None:
        """Return to polling: a master without a client is always "ready", which would spin."""
        assert self._pair is not None
        self._connected = False
        self._outbox.stop()
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pair.master)
        loop.remove_writer(self._pair.master)

    def _flush(self) -> None:
        """Send until the system's buffer is full; called again when there is room."""
        if not self._connected or self._pair is None:
            return
        loop, master = asyncio.get_running_loop(), self._pair.master
        self._look_at_line()
        while data := self._outbox.take(self._room()):
            count = _write(master, data)
            self._sent += count
            if count < len(data):
                self._outbox.put_back(data[count:])
                loop.add_writer(master, self._flush)
                return
        loop.remove_writer(master)

    def _room(self) -> int | None:
        """Return how many bytes the current program may be sent now; None: as many as the system takes."""
        return None if self._most_sent is None else self._most_sent - (self._sent - self._before[1])

    def _unplug(self, client: int) -> None:
        if not self._connected or client != self._outbox.client:
            return
        self._flush()
        self._detach()
        self._replace()
        self._sink(Event.CLOSED, b"")
        self._look_later()

    def _replace(self) -> None:
        """Let the name point to a new pair; the old one is closed after its client has had time to read."""
        if self._name is None or self._pair is None:
            return
        try:
            fresh = Pair.new(self._name, self._baud)
        except OSError:  # no new pair available: keep the old one
            return
        self._stop_looking()
        self._listen_for_reports(False)
        self._leaving.add(self._pair)
        asyncio.get_running_loop().call_later(LINGER_S, self._drop, self._pair)
        self._pair = fresh
        self._listen_for_reports(True)

    def _drop(self, pair: Pair) -> None:
        if pair in self._leaving:
            self._leaving.remove(pair)
            pair.close()

    async def _end(self) -> None:
        self._stop_looking()
        self._listen_for_reports(False)
        if self._connected:
            self._flush()
            self._detach()
            self._sink(Event.CLOSED, b"")
        for pair in self._leaving:
            pair.close()
        self._leaving.clear()
        if self._pair is not None:
            self._pair.close()
        self._pair = None


def _read(master: int) -> bytes | None:
    """Return bytes, None if there are none now, or b"" if no program has the port open."""
    try:
        return os.read(master, CHUNK)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:  # EIO; other systems return b"" by themselves
        return b""


def _write(master: int, data: bytes) -> int:
    """Return how many bytes the system has accepted."""
    try:
        return os.write(master, data)
    except OSError:  # full, or the client is closing, which the next poll detects
        return 0
