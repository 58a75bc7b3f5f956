"""A null modem: two serial ports whose programs talk to each other.

A program that sends faster than the other one reads has to wait, as with a handshake; what is sent while no program has
the other port open is lost, as on a wire. Programs at different baud rates get garbage from each other, unless the
modem takes any rate.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial

from understudy.errors import LinkError
from understudy.links import Event, LinkInfo, parse
from understudy.links.base import LineState
from understudy.links.directory import PortEntry
from understudy.links.pty import PtyLink, available
from understudy.sim import uart

HOLD_BACK, GO_ON = 4096, 1024  # waiting bytes at which the other program must wait, and may go on


class NullModem:
    """Two pseudo-terminals by name."""

    LOOK_S = 0.01  # interval of `relieve`

    def __init__(self, first: str, second: str, any_baud: bool = False) -> None:
        if not available():
            raise LinkError("this system has no pseudo-terminals, which a null modem needs")
        self._links = _end(first), _end(second)
        self._any_baud = any_baud
        self._bauds = [0, 0]  # that the programs have set
        self._held = [False, False]
        self.opened = (threading.Event(), threading.Event())  # set while a program has the port open

    def open(self) -> None:
        """Create both ports; raises LinkError."""
        for side, link in enumerate(self._links):
            link.open(partial(self._arrived, side))

    def close(self) -> None:
        """Remove both ports."""
        for link in self._links:
            link.close()

    def infos(self) -> tuple[LinkInfo, LinkInfo]:
        """Return address and counters of both ports."""
        first, second = self._links
        return first.info(), second.info()

    def notices(self) -> Iterator[str]:
        """Yield a sentence for each port that has another name than it was given."""
        return (info.notice for info in self.infos() if info.notice)

    def entries(self) -> list[PortEntry]:
        """Return both ports as other processes see them."""
        return [
            PortEntry(
                "null-modem", "any", info.url, f"end {side + 1}", "",
                connected=info.connected, received=info.received, sent=info.sent, dropped=info.dropped,
            )
            for side, info in enumerate(self.infos())
        ]  # fmt: skip

    def relieve(self) -> None:
        """Let programs go on whose bytes were read meanwhile."""
        for side in (0, 1):
            if self._held[side] and self._links[1 - side].info().waiting < GO_ON:
                self._held[side] = False
                self._links[side].hold_back(False)

    def _arrived(self, side: int, event: Event, data: bytes) -> None:
        """Take an event of the program at one side; in the link thread."""
        match event:
            case Event.OPENED | Event.CLOSED:
                self._bauds[side], self._held[side] = 0, False
                self.opened[side].set() if event is Event.OPENED else self.opened[side].clear()
            case Event.LINE:
                line = LineState.decode(data)
                self._bauds[side] = line.baud if line else 0
            case Event.DATA:
                self._carry(side, data)

    def _carry(self, side: int, data: bytes) -> None:
        other = self._links[1 - side]
        other.look()  # it may have been opened a moment ago
        sent_at, sampled_at = self._bauds[side], self._bauds[1 - side]
        fits = self._any_baud or not sent_at or not sampled_at
        other.write(data if fits else uart.received(data, sent_at, sampled_at))
        if other.info().waiting > HOLD_BACK:
            self._held[side] = True
            self._links[side].hold_back(True)


def _end(name: str) -> PtyLink:
    """Return the link of one end."""
    return PtyLink(parse(f"pty:{name.removeprefix('pty:')}"), f"null modem end {name}")
