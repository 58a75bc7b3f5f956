"""The tables of requests and of operating modes: every telegram that a client may send, and what it leads to.

Requests that are not in the table (fields, password, pixels, permanent baud rate) are refused by telegram 92.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from understudy.robots.lms200 import orders
from understudy.robots.lms200.orders import SetMode

Make = Callable[[bytes], Any]


class Mode(NamedTuple):
    """An operating mode of request 20: the form of its parameters, what it sends, and the command that it means."""

    code: int
    name: str
    form: str = ""  # struct letters
    names: str = ""  # of the parameters
    telegram: str = ""
    make: Callable[..., Any] | None = None

    @property
    def status(self) -> str:
        """Return the status in the support table."""
        return "supported" if self.make else "refused"


def _baud(rate: int) -> Callable[[], orders.ChangeBaud]:
    return lambda: orders.ChangeBaud(rate)


def _installation(password: bytes) -> SetMode:
    return SetMode(0x00, password.decode("latin-1"))


_RANGES = "count u16, (first, last u16) x count"
MODES: tuple[Mode, ...] = (
    Mode(0x00, "installation: configuration is allowed", "8s", "password", make=_installation),
    Mode(0x10, "diagnosis", make=lambda: SetMode(0x10)),
    Mode(0x20, "minimum of each segment, continuously"),
    Mode(0x21, "minimum of each segment, on detection"),
    Mode(0x22, "minimum vertical distance, continuously"),
    Mode(0x23, "minimum vertical distance, on detection"),
    Mode(0x24, "all values, continuously", "", "", "B0", lambda: SetMode(0x24)),
    Mode(0x25, "values on request (at power-on)", "", "", "B0", lambda: SetMode(0x25)),
    Mode(0x26, "mean of scans", "B", "scans u8", "B6", lambda n: SetMode(0x26, mean_of=n)),
    Mode(0x27, "sub-range", "HH", "first, last u16", "B7", lambda a, b: SetMode(0x27, first=a, last=b)),
    Mode(0x28, "mean of a sub-range", "BHH", "scans u8, first, last u16", "BF",
         lambda n, a, b: SetMode(0x28, mean_of=n, first=a, last=b)),
    Mode(0x29, "values with field flags", "HH", "first, last u16", "B9"),
    Mode(0x2A, "partial scans as measured", "", "", "B0", lambda: SetMode(0x2A)),
    Mode(0x2B, "partial ranges with reflectivity", "", _RANGES),
    Mode(0x2C, "minima of partial ranges", "", _RANGES),
    Mode(0x2E, "navigation"),
    Mode(0x40, "38400 baud", make=_baud(38_400)),
    Mode(0x41, "19200 baud", make=_baud(19_200)),
    Mode(0x42, "9600 baud", make=_baud(9_600)),
    Mode(0x48, "500000 baud", make=_baud(500_000)),
    Mode(0x50, "ranges, and the reflectivity of a sub-range", "HH", "first, last u16", "C4",
         lambda a, b: SetMode(0x50, first=a, last=b)),
)  # fmt: skip
_MODES: Mapping[int, Mode] = MappingProxyType({mode.code: mode for mode in MODES})


def _mode(data: bytes) -> Any:
    """Return the command for a mode byte and its parameters; None if the parameters do not fit."""
    mode = _MODES.get(data[0]) if data else None
    if mode is None or mode.make is None:
        return SetMode(data[0]) if data else None
    form = f"<{mode.form}"
    if mode.code == 0x00:  # a wrong password may have any length
        return mode.make(data[1:])
    return mode.make(*struct.unpack(form, data[1:])) if len(data) == 1 + struct.calcsize(form) else None


def _variant(data: bytes) -> Any:
    return orders.SetVariant(*struct.unpack("<HH", data)) if len(data) == 4 else None


def _scan(data: bytes) -> Any:
    return orders.RequestScan() if data == b"\x01" else None


def _write(data: bytes) -> Any:
    return orders.WriteConfiguration(tuple(data))


class Request(NamedTuple):
    """A request: the form of its data, its reply, and the command that it means."""

    code: int
    name: str
    data: str
    reply: str
    make: Make


REQUESTS: tuple[Request, ...] = (
    Request(0x10, "restart", "", "91, later 90", lambda data: orders.Restart()),
    Request(0x20, "operating mode or baud rate", "mode u8, parameters", "A0", _mode),
    Request(0x30, "one scan", "01", "B0", _scan),
    Request(0x31, "status", "", "B1", lambda data: orders.ReadStatus()),
    Request(0x32, "errors", "", "B2", lambda data: orders.ReadErrors()),
    Request(0x3A, "type and software version", "", "BA", lambda data: orders.ReadType()),
    Request(0x3B, "variant", "angle u16 deg, step u16 1/100 deg", "BB", _variant),
    Request(0x74, "read the configuration", "", "F4", lambda data: orders.ReadConfiguration()),
    Request(0x77, "write the configuration", "7 to 34 bytes", "F7", _write),
)
_REQUESTS: Mapping[int, Request] = MappingProxyType({request.code: request for request in REQUESTS})


def command(body: bytes) -> Any:
    """Return the command that the body of a telegram means; Unsupported if there is none.

    >>> command(bytes([0x31])), command(bytes([0x99]))
    (ReadStatus(), Unsupported(code=153))
    """
    request = _REQUESTS.get(body[0])
    made = request.make(body[1:]) if request else None
    return orders.Unsupported(body[0]) if made is None else made
