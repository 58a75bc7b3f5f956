"""The baud rate of a terminal. The system ignores that of a pseudo-terminal; a simulated line does not."""

from __future__ import annotations

import re
import struct
import sys

from understudy.errors import LinkError

UNSET = 50  # baud; a new port has it, and no client of today chooses it
_TCGETS2 = 0x802C542A  # Linux: also reads rates that have no constant of their own
_TERMIOS2 = struct.Struct("=4IB19s2I")


def begin_with(file: int, rate: int) -> None:
    """Give a new terminal its device's rate; without one, the rate that says that no client has set any.

    Programs such as gpsd begin with the rate that they find, and some never set one.
    """
    import termios

    settings = termios.tcgetattr(file)
    settings[4] = settings[5] = getattr(termios, f"B{rate}", termios.B50) if rate else termios.B50
    termios.tcsetattr(file, termios.TCSANOW, settings)


def set_baud(file: int, rate: int) -> None:
    """Set the baud rate of a terminal, as a client; raises LinkError for a rate that the system does not have."""
    import termios

    constant = getattr(termios, f"B{rate}", None)
    if constant is None:
        raise LinkError(f"this system has no baud rate {rate}; try pyserial, or a usual rate such as 9600 or 57600")
    settings = termios.tcgetattr(file)
    settings[4] = settings[5] = constant
    termios.tcsetattr(file, termios.TCSANOW, settings)


def baud(file: int) -> int:
    """Return the baud rate of a terminal; 0 if no client has set one."""
    rate = _any_rate(file) or _standard_rate(file)
    return 0 if rate == UNSET else rate


def _any_rate(file: int) -> int:
    import fcntl

    if not sys.platform.startswith("linux"):
        return 0
    try:
        return int(_TERMIOS2.unpack(fcntl.ioctl(file, _TCGETS2, bytes(_TERMIOS2.size)))[-1])
    except OSError:  # another number on this processor
        return 0


def _standard_rate(file: int) -> int:
    import termios

    try:
        constant = termios.tcgetattr(file)[5]
    except (OSError, termios.error):
        return 0
    names = {getattr(termios, name): int(name[1:]) for name in dir(termios) if re.fullmatch(r"B\d+", name)}
    return names[constant] if constant in names else int(constant)
