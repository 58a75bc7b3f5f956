"""The bytes of a port on a page, decoded; the port that a program uses comes first."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from understudy.studio.journal import Chunk, Journal
from understudy.studio.lines import LineList
from understudy.studio.runner import Runner
from understudy.studio.wire import explained

MOST_HEX = 300  # characters


class BytesPane:
    """The bytes of one port, and the choice of the port."""

    def __init__(self, journal: Journal, runner: Runner) -> None:
        self._journal, self._runner = journal, runner
        self._last = 0
        self._chosen = False  # by the user
        self._lines = (
            LineList("No bytes yet: connect a program to a port.").classes("full-width full-height").mark("bytes")
        )

    def controls(self) -> ui.row:
        """Build the choice of the port, at another place of the page."""
        with ui.row().classes("items-center no-wrap gap-2") as row:
            self._port = ui.select({}).props('dense options-dense borderless prefix="port" aria-label="port"')
            self._port.style("min-width: 220px").tooltip("ports that a program uses come first").mark("port")
            self._port.on("update:model-value", self._choose)
            self._port.on_value_change(self._again)
        return row

    def _choose(self) -> None:
        self._chosen = True

    def refresh(self) -> None:
        """Show the ports, and the bytes since the last time."""
        known = self._ports()
        if known != self._port.options:
            first = next(iter(known), None)
            kept = self._port.value if self._chosen and self._port.value in known else first
            self._port.set_options(known, value=kept)
        self._show()

    def _ports(self) -> dict[str, str]:
        """Return the ports that bytes have crossed, those with a client first, with what to say about each."""
        used = {path for path, info in self._runner.sim.ports.info().items() if info.connected}
        ports = sorted(self._journal.ports(), key=lambda path: (path not in used, path))
        return {path: f"{path} (in use)" if path in used else path for path in ports}

    def _show(self) -> None:
        path = str(self._port.value or "")
        chunks = list(self._journal.chunks(path, self._last)) if path else []
        plug = self._runner.sim.current.plugs.get(path)
        protocol = plug.port.sheet.kind if plug else ""
        self._lines.add(_row(chunk, protocol) for chunk in chunks)
        if chunks:
            self._last = chunks[-1].number

    def _again(self) -> None:
        self._lines.clear()
        self._last = 0
        self._show()


def _row(chunk: Chunk, protocol: str) -> dict[str, Any]:
    """Return a line: the time, the direction as the robot sees it, what it means, and the bytes."""
    way = "received" if chunk.way == "in" else "sent"
    hexes, arrow = chunk.data.hex(" "), "→" if chunk.way == "in" else "←"
    return {
        "number": chunk.number, "when": f"{chunk.t_us / 1e6:10.3f}", "level": way, "mark": arrow,
        "words": explained(protocol, chunk.way, chunk.data) or f"{len(chunk.data)} bytes",
        "text": hexes if len(hexes) <= MOST_HEX else f"{hexes[:MOST_HEX]} …",
    }  # fmt: skip
