"""Link URLs: one line of text that says how a port is reached.

===========================  ===========================================================
``tcp://127.0.0.1:8101``     this port or none
``tcp://127.0.0.1:8101+``    this port or the next free one
``tcp://127.0.0.1:0``        any free port
``tcp://:8101``              the loopback address, which is the default
``tcp://0.0.0.0:8101``       every network of this machine
``pty:NAME``                 a pseudo-terminal, linked as NAME in the user's runtime folder
``pty:/some/path``           a pseudo-terminal, linked at this path
``loop:``                    inside this process, for tests and programs
===========================  ===========================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from understudy.errors import LinkError, nearest

LOOPBACK = "127.0.0.1"
_TCP = re.compile(r"//(?P<host>\[[0-9A-Fa-f:.]+\]|[\w.-]*):(?P<port>[0-9]{1,5})(?P<next>\+?)/?")
_PTY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}|/(?:[^/\0]+/)*[^/\0]+")


@dataclass(frozen=True, slots=True)
class LinkUrl:
    """A link URL in its parts; a part that its scheme does not have is empty."""

    scheme: str
    host: str = ""
    port: int = 0
    next_free: bool = False  # a taken port gives way to the next one
    name: str = ""  # of a pseudo-terminal: a plain name, or an absolute path

    def __str__(self) -> str:
        """Return the URL as one would write it."""
        if self.scheme == "tcp":
            return f"{tcp_address(self.host, self.port)}{'+' if self.next_free else ''}"
        return f"{self.scheme}:{self.name}"


def parse(url: str) -> LinkUrl:
    """Return the parts of *url*; raises LinkError if it is none.

    >>> parse("tcp://127.0.0.1:8101+").port
    8101
    """
    scheme, colon, rest = url.partition(":")
    if not colon:
        raise LinkError(f"{url!r} is not a link; want tcp://HOST:PORT, pty:NAME or loop:")
    if scheme not in SCHEMES:
        raise LinkError(f"{url!r}: no such kind of link {scheme!r} {nearest(scheme, SCHEMES)}")
    return SCHEMES[scheme](url, rest)


def tcp_address(host: str, port: int) -> str:
    """Return the URL of a TCP port.

    >>> tcp_address("::1", 8101)
    'tcp://[::1]:8101'
    """
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def _tcp(url: str, rest: str) -> LinkUrl:
    found = _TCP.fullmatch(rest)
    if not found:
        raise LinkError(
            f"{url!r}: want tcp://HOST:PORT, such as tcp://{LOOPBACK}:8101, with + behind it for the next free port"
        )
    port = int(found["port"])
    if port > 65535:
        raise LinkError(f"{url!r}: a tcp port is at most 65535, got {port}; 0 stands for any free one")
    return LinkUrl("tcp", host=found["host"].strip("[]") or LOOPBACK, port=port, next_free=bool(found["next"]))


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


SCHEMES: Mapping[str, Callable[[str, str], LinkUrl]] = {"tcp": _tcp, "pty": _pty, "loop": _loop}
