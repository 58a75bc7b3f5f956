"""Messages of a run on a page, with a filter."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from understudy.studio.journal import Journal, LogLine
from understudy.studio.lines import LineList

LEVELS = {"all": (), "warnings": ("warning", "error", "critical"), "errors": ("error", "critical")}


class LogPane:
    """The messages, and the controls that choose among them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._last = 0
        self._lines = LineList("No messages.", folds=True).classes("full-width full-height").mark("log")

    def controls(self) -> ui.row:
        """Build the controls, at another place of the page."""
        with ui.row().classes("items-center no-wrap gap-2") as row:
            self._level = ui.select(list(LEVELS), value="all", on_change=self._again).props(
                'dense options-dense borderless aria-label="minimum level of messages"'
            ).tooltip("minimum level of messages").mark("level")  # fmt: skip
            self._words = ui.input(placeholder="filter", on_change=self._again).props(
                'dense clearable aria-label="text to filter messages by"'
            ).tooltip("show only messages that contain this text").mark("filter")  # fmt: skip
            ui.button(icon="download", on_click=self._download).props('flat dense aria-label="save the log"').tooltip(
                "save the log to a file"
            ).mark("download")
        return row

    def _wanted(self, after: int) -> list[LogLine]:
        return self._journal.lines(after, LEVELS[str(self._level.value)], str(self._words.value or ""))

    def refresh(self) -> None:
        """Show the messages since the last time."""
        news = self._wanted(self._last)
        self._lines.add(map(_row, news))
        if news:
            self._last = news[-1].number

    def _again(self) -> None:
        self._lines.clear()
        self._last = 0
        self.refresh()

    def _download(self) -> None:
        text = "".join(f"{line}\n" for line in self._wanted(0))
        ui.download.content(text, "understudy.log", "text/plain")


def _row(line: LogLine) -> dict[str, Any]:
    when = f"{line.t_us / 1e6:10.3f}"
    return {"number": line.number, "when": when, "level": line.level, "mark": line.level, "text": line.text}
