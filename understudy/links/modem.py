"""What a client says of the modem lines of a pseudo-terminal, which the system does not carry.

A program under ``understudy with-serial`` has a library (`understudy/clients/serial_lines.c`) that answers these calls
and reports them here: one line of text each, through a fifo in the runtime folder that has the numbers of the terminal
in its name.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from understudy.errors import LinkError
from understudy.frozen import frozen
from understudy.links.base import CHUNK
from understudy.links.directory import runtime_folder

STAND_IN_BAUD = 38_400  # a terminal with this rate and a custom divisor has the rate of the divisor
_REPORT = re.compile(rb"([01]) ([01]) ([01]) (\d{1,9})")


@frozen
class ModemReport:
    """The lines that a client holds; a serial driver raises RTS and DTR when it opens a port."""

    rts: bool = True
    dtr: bool = True
    breaking: bool = False
    divided_baud: int = 0  # rate of a custom divisor; 0: none

    def rate(self, baud: int) -> int:
        """Return the client's rate, where its terminal has *baud*."""
        return self.divided_baud if self.divided_baud and baud == STAND_IN_BAUD else baud


class ModemReports:
    """The fifo of one terminal."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self.file = file  # a descriptor to wait for
        self._rest = b""

    @staticmethod
    def of(terminal: str) -> ModemReports | None:
        """Return the reports on a new terminal; None where there are none: only Linux has the library."""
        if not sys.platform.startswith("linux"):
            return None
        try:
            device = Path(terminal).stat().st_rdev
            path = runtime_folder() / f".line-{os.major(device)}-{os.minor(device)}"
            path.unlink(missing_ok=True)  # of a run that has crashed
            os.mkfifo(path)
            path.chmod(0o666)  # like the terminal itself
            return ModemReports(path, os.open(path, os.O_RDWR | os.O_NONBLOCK))  # a writer too: it never ends
        except (OSError, LinkError):  # the port works without
            return None

    def read(self) -> list[ModemReport]:
        """Return what has arrived; junk is skipped."""
        try:
            data = self._rest + os.read(self.file, CHUNK)
        except OSError:
            return []
        *lines, rest = data.split(b"\n")
        self._rest = rest[:CHUNK]
        found = [_REPORT.fullmatch(line) for line in lines]
        return [_report(match) for match in found if match]

    def close(self) -> None:
        """Remove the fifo."""
        os.close(self.file)
        with suppress(OSError):
            self._path.unlink()


def _report(match: re.Match[bytes]) -> ModemReport:
    rts, dtr, breaking, baud = (int(group) for group in match.groups())
    return ModemReport(bool(rts), bool(dtr), bool(breaking), baud)
