"""How bytes travel between a simulated robot and the user's program.

A link is named by a URL: ``tcp://127.0.0.1:8101+``, ``pty:NAME``, ``loop:``.
A new kind is one file, one line in `LINKS` and one in `url.SCHEMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from understudy.lazy import imported
from understudy.links.base import Event, Link, LinkInfo, Sink
from understudy.links.url import LinkUrl, parse

LINKS: Mapping[str, Callable[[LinkUrl, str], Link]] = imported(
    {"tcp": f"{__name__}.tcp:TcpLink", "pty": f"{__name__}.pty:PtyLink", "loop": f"{__name__}.loopback:LoopLink"}
)

__all__ = ["LINKS", "Event", "Link", "LinkInfo", "LinkUrl", "Sink", "make", "parse"]


def make(url: str, label: str) -> Link:
    """Return the link that *url* names, not yet open; *label* says whose it is in messages, such as ``scout/gps``."""
    target = parse(url)
    if target.scheme == "pty" and not _has_terminals():
        from understudy.links.tcp import TcpLink

        return TcpLink(parse("tcp://127.0.0.1:0"), label, "pseudo-terminals do not exist on this system")
    return LINKS[target.scheme](target, label)


def _has_terminals() -> bool:
    from understudy.links.pty import available

    return available()
