"""The lower pane: messages with a filter, and the bytes of each port, decoded."""

from __future__ import annotations

from nicegui import ui

from understudy.studio.journal import Journal, LogLine
from understudy.studio.runner import Runner
from understudy.studio.wire import explained

LEVELS = {"all": (), "warnings": ("warning", "error", "critical"), "errors": ("error", "critical")}
SHOWN = 300  # lines
EVERY_S = 0.4


class LogPane:
    """Messages and bytes on one page."""

    def __init__(self, journal: Journal, runner: Runner) -> None:
        self._journal, self._runner = journal, runner
        self._last = self._last_chunk = 0
        with ui.column().classes("us-chrome full-width full-height gap-0 no-wrap"):
            with ui.row().classes("full-width items-center no-wrap gap-2 q-px-sm"):
                with ui.tabs().props("dense no-caps align=left") as tabs:
                    ui.tab("log", "Log").tooltip("messages").mark("tab-log")
                    ui.tab("wire", "Bytes").tooltip("bytes sent and received on ports").mark("tab-wire")
                self._filter()
            with ui.tab_panels(tabs, value="log", keep_alive=True).classes("us-log full-width col"):
                with ui.tab_panel("log").classes("q-pa-none"):
                    self._lines = ui.log(max_lines=SHOWN).classes("us-lines full-width full-height").mark("log")
                with ui.tab_panel("wire").classes("q-pa-none column no-wrap"):
                    self._port = ui.select([], label="port", on_change=self._other_port).props(
                        "dense outlined options-dense"
                    ).classes("q-ma-xs").style("min-width: 220px").mark("port")  # fmt: skip
                    self._bytes = ui.log(max_lines=SHOWN).classes("us-lines full-width col").mark("bytes")
        ui.add_css(".us-lines { font: 12px ui-monospace, monospace; border: 0; } .us-log { background: transparent; }")
        self._show()
        ui.timer(EVERY_S, self._show)

    def _filter(self) -> None:
        ui.space()
        self._level = ui.select(list(LEVELS), value="all", on_change=self._again).props(
            'dense options-dense borderless aria-label="minimum level of messages"'
        ).tooltip("minimum level of messages").mark("level")  # fmt: skip
        self._words = ui.input(placeholder="filter", on_change=self._again).props(
            'dense clearable aria-label="text to filter messages by"'
        ).tooltip("show only messages that contain this text").mark("filter")  # fmt: skip
        ui.button(icon="download", on_click=self._download).props('flat dense aria-label="save the log"').tooltip(
            "save the log to a file"
        ).mark("download")

    def _wanted(self, after: int) -> list[LogLine]:
        return self._journal.lines(after, LEVELS[str(self._level.value)], str(self._words.value or ""))

    def _show(self) -> None:
        for line in self._wanted(self._last)[-SHOWN:]:
            self._lines.push(str(line), classes="text-negative" if line.level in LEVELS["errors"] else "")
            self._last = line.number
        known = list(self._journal.ports())
        if known != self._port.options:
            self._port.set_options(known, value=self._port.value or (known[0] if known else None))
        self._show_bytes()

    def _show_bytes(self) -> None:
        if not self._port.value:
            return
        path = str(self._port.value)
        plug = self._runner.sim.current.plugs.get(path)
        for chunk in list(self._journal.chunks(path, self._last_chunk))[-SHOWN:]:
            arrow = "→" if chunk.way == "in" else "←"
            words = explained(plug.port.sheet.kind if plug else "", chunk.way, chunk.data)
            self._bytes.push(f"{chunk.t_us / 1e6:10.3f} {arrow} {chunk.data.hex(' ')[:300]}   {words}")
            self._last_chunk = chunk.number

    def _again(self) -> None:
        self._lines.clear()
        self._last = 0
        self._show()

    def _other_port(self) -> None:
        self._bytes.clear()
        self._last_chunk = 0
        self._show_bytes()

    def _download(self) -> None:
        text = "".join(f"{line}\n" for line in self._wanted(0))
        ui.download.content(text, "understudy.log", "text/plain")
