"""Pseudo-terminals of the system: a new raw pair, and a pair that is raw and empty for the next client."""

from __future__ import annotations

import os
from contextlib import suppress

from understudy.frozen import frozen
from understudy.links import speed
from understudy.links.base import CHUNK
from understudy.links.edges import EdgePoll, edge_poll
from understudy.links.modem import ModemReports
from understudy.links.names import Name

MOST_READS = 16 * 1024  # of stale bytes; there are far fewer


@frozen
class Pair:
    """A pseudo-terminal: the end that the link holds, the path of the client's end, and what it says of its lines."""

    master: int
    slave: str
    reports: ModemReports | None
    first_byte: EdgePoll | None  # ready when something happens to the pair, once; None: this system cannot tell

    @classmethod
    def new(cls, name: Name, baud: int = 0) -> Pair:
        """Return a new raw pair with the rate of its device; *name* now points to it."""
        master, slave = os.openpty()
        reports = first_byte = None
        try:
            make_raw(slave)
            speed.begin_with(slave, baud)
            os.fchmod(slave, 0o666)  # so that a daemon without privileges can open it, too
            os.set_blocking(master, False)
            path = os.ttyname(slave)
            reports = ModemReports.of(path)
            first_byte = edge_poll(master)
            name.point_at(path)
        except BaseException:
            cls(master, "", reports, first_byte).close()
            raise
        finally:
            os.close(slave)
        return cls(master, path, reports, first_byte)

    def close(self) -> None:
        """Unplug the client."""
        if self.first_byte is not None:
            self.first_byte.close()
        os.close(self.master)
        if self.reports:
            self.reports.close()


def open_client(path: str) -> int:
    """Open a serial port as a program does, in raw mode; raises OSError, also for a file that is not a terminal."""
    import termios

    file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        make_raw(file)
    except termios.error as problem:
        os.close(file)
        raise OSError(problem.args[0], f"{problem.args[1]}; it is not a serial port", path) from problem
    return file


def make_raw(file: int) -> None:
    """Set raw mode: no echo, no line editing, no signals, no flow control."""
    import termios

    _, _, control, _, ispeed, ospeed, characters = termios.tcgetattr(file)
    control &= ~(termios.CSIZE | termios.PARENB | termios.CSTOPB)
    control |= termios.CS8 | termios.CREAD | termios.CLOCAL
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    termios.tcsetattr(file, termios.TCSANOW, [0, 0, control, 0, ispeed, ospeed, characters])


def _is_cooked(file: int) -> bool:
    """Return whether the settings would change the bytes of a client that does not set its own."""
    import termios

    iflag, oflag, _, lflag, _, _, characters = termios.tcgetattr(file)
    changes = termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP | termios.IXON
    if iflag & changes or oflag & termios.OPOST or lflag & (termios.ECHO | termios.ICANON | termios.ISIG):
        return True
    # a read that never blocks: pyserial leaves it so, and a plain "cat" would take that for the end of file
    return all(characters[index] in (0, b"\0") for index in (termios.VMIN, termios.VTIME))


def tidy(slave: str) -> bool:
    """Reset a port after its client has closed it; return False if only that client may open it again.

    Bytes that the client has not read would otherwise go to the next one. A port in raw mode keeps its settings,
    because the next client may have opened it already and chosen its own.
    """
    import fcntl
    import termios

    try:
        file = os.open(slave, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # the client had opened it exclusively, and a pseudo-terminal keeps that flag
        return False
    with suppress(OSError):
        fcntl.ioctl(file, termios.TIOCNXCL)
        if _is_cooked(file):
            make_raw(file)
        for _ in range(MOST_READS):  # ends with EAGAIN; a flush would miss bytes that the system still processes
            if not os.read(file, CHUNK):
                break
    os.close(file)
    return True
