"""Links: byte streams between a simulated robot and the user's program.

A link has a URL: ``tcp://127.0.0.1:8101+``, ``rfc2217://127.0.0.1:8101+``, ``pty:NAME``, ``loop:``.
A new kind is one file, one line in `LINKS` and one in `url.SCHEMES`; a kind of another package gets the rest of its URL
as the name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from understudy.errors import LinkError, nearest
from understudy.links.base import Event, Link, LinkInfo, Sink
from understudy.links.url import SCHEMES, LinkUrl, parse
from understudy.plugins import Registry, callable_only

LINKS: Mapping[str, Callable[[LinkUrl, str], Link]] = Registry(
    "understudy.links",
    "link",
    {
        "tcp": f"{__name__}.tcp:TcpLink",
        "rfc2217": f"{__name__}.rfc2217:Rfc2217Link",
        "pty": f"{__name__}.pty:PtyLink",
        "loop": f"{__name__}.loopback:LoopLink",
    },
    callable_only,
)

__all__ = ["LINKS", "Event", "Link", "LinkInfo", "LinkUrl", "Sink", "make", "parse"]


def make(url: str, label: str, baud: int = 0) -> Link:
    """Return the link for *url*, not yet open; *label* names its port in messages, such as ``scout/gps``.

    A pseudo-terminal appears with the *baud* rate of its device, as a port does that was used with that device before.
    """
    target = replace(_parsed(url), baud=baud)
    if target.scheme == "pty" and not _has_terminals():
        from understudy.links.tcp import TcpLink

        return TcpLink(parse("tcp://127.0.0.1:0"), label, "this system has no pseudo-terminals")
    return LINKS[target.scheme](target, label)


def _parsed(url: str) -> LinkUrl:
    """Return the parts of a URL; what its scheme means may be the business of another package."""
    scheme, colon, rest = url.partition(":")
    if not colon or scheme in SCHEMES:
        return parse(url)
    if scheme not in LINKS:
        raise LinkError(f"{url!r}: no such kind of link {scheme!r} {nearest(scheme, LINKS)}")
    return LinkUrl(scheme, name=rest)


def _has_terminals() -> bool:
    from understudy.links.pty import available

    return available()
