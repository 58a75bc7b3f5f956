"""The page shown before the simulation is ready: progress messages, or a choice of map and robots."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from understudy.studio.journal import Journal

EVERY_S = 0.4
SHOWN = 12  # lines


def waiting_page(journal: Journal, start_page: Callable[[], None] | None, ready: Callable[[], bool]) -> None:
    """Build a page that reloads as soon as the simulation is *ready*."""
    ui.add_head_html('<link rel="stylesheet" href="/web/stage.css">')
    ui.add_css(".q-page-container { padding: 0 !important; } .us-lines { font: 12px ui-monospace, monospace; }")
    with ui.column().classes("items-center q-pa-md q-mx-auto").style("max-width: 640px; width: 100%; margin-top: 6vh"):
        ui.label("Understudy").classes("text-h4")
        if start_page is not None:
            start_page()
        else:
            ui.spinner(size="lg").props('aria-label="loading the scene"')
            ui.label("Loading the scene ...")
        lines = ui.column().classes("us-lines full-width gap-0").mark("preparing")

    def look() -> None:
        if ready():
            ui.navigate.reload()
        lines.clear()
        with lines:
            for line in journal.lines()[-SHOWN:]:
                ui.label(str(line))

    ui.timer(EVERY_S, look)
