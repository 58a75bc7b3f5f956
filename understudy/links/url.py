"""Link URLs: how clients connect to a port.

============================  ==========================================================
``tcp://127.0.0.1:8101``      exactly this port
``tcp://127.0.0.1:8101+``     this port or the next free one
``tcp://127.0.0.1:0``         any free port
``tcp://:8101``               the loopback address, which is the default
``tcp://0.0.0.0:8101``        all networks of this machine
``rfc2217://127.0.0.1:8101``  the same with the settings of a serial port, which RFC 2217 carries; + and 0 as above
``pty:NAME``                  a pseudo-terminal, linked as NAME in the user's runtime folder
``pty:/some/path``            a pseudo-terminal, linked at this path
``loop:``                     inside this process, for tests and programs
============================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from understudy.errors import LinkError, nearest
from understudy.frozen import frozen

LOOPBACK = "127.0.0.1"
_TCP = re.compile(r"//(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]*):(?P<port>[0-9]{1,5})(?P<next>\+?)/?")
_PTY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}|/(?:[^/\0]+/)*[^/\0]+")


@frozen
class LinkUrl:
    """The parts of a link URL; parts that its scheme does not have are empty."""

    scheme: str
    host: str = ""
    port: int = 0
    next_free: bool = False  # if the port is in use, take the next free one
    name: str = ""  # name or absolute path of a pseudo-terminal
    baud: int = 0  # of the device behind the port, which is not part of the text; 0: it has none

    def __str__(self) -> str:
        """Return the URL as text."""
        if self.host:
            return f"{tcp_address(self.host, self.port, self.scheme)}{'+' if self.next_free else ''}"
        return f"{self.scheme}:{self.name}"


def parse(url: str) -> LinkUrl:
    """Return the parts of *url*; raises LinkError if it is invalid.

    >>> parse("tcp://127.0.0.1:8101+").port
    8101
    """
    scheme, colon, rest = url.partition(":")
    if not colon:
        raise LinkError(f"{url!r} is not a link URL; want tcp://HOST:PORT, rfc2217://HOST:PORT, pty:NAME or loop:")
    if scheme not in SCHEMES:
        raise LinkError(f"{url!r}: no such kind of link {scheme!r} {nearest(scheme, SCHEMES)}")
    return SCHEMES[scheme](url, rest)


def tcp_address(host: str, port: int, scheme: str = "tcp") -> str:
    """Return the URL of a TCP port; *scheme* says what is spoken on it.

    >>> tcp_address("::1", 8101)
    'tcp://[::1]:8101'
    """
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _tcp(url: str, rest: str) -> LinkUrl:
    found, scheme = _TCP.fullmatch(rest), url.partition(":")[0]
    if not found:
        address = tcp_address(LOOPBACK, 8101, scheme)
        raise LinkError(
            f"{url!r}: want {scheme}://HOST:PORT, such as {address}, with + at the end for the next free port"
        )
    port = int(found["port"])
    if port > 65535:
        raise LinkError(f"{url!r}: a tcp port is at most 65535, got {port}; use 0 for any free port")
    return LinkUrl(scheme, host=found["host"].strip("[]") or LOOPBACK, port=port, next_free=bool(found["next"]))


def _pty(url: str, rest: str) -> LinkUrl:
    if not _PTY.fullmatch(rest):
        raise LinkError(
            f"{url!r}: want pty:NAME (a letter, then letters, digits, '-' or '_'), "
            "or an absolute path, such as pty:/tmp/gps"
        )
    return LinkUrl("pty", name=rest)


def _loop(url: str, rest: str) -> LinkUrl:
    if rest:
        raise LinkError(f"{url!r}: a loop link has no address; write loop:")
    return LinkUrl("loop")


SCHEMES: Mapping[str, Callable[[str, str], LinkUrl]] = {"tcp": _tcp, "rfc2217": _tcp, "pty": _pty, "loop": _loop}
