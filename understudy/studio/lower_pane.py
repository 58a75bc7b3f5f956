"""The lower pane of a page: messages, bytes, plots and an RCX's program as tabs."""

from __future__ import annotations

from nicegui import ui

from understudy.studio.bytes_pane import BytesPane
from understudy.studio.heartbeat import Heartbeat
from understudy.studio.journal import Journal
from understudy.studio.log_pane import LogPane
from understudy.studio.plots import Plots
from understudy.studio.program_view import ProgramView
from understudy.studio.runner import Runner

EVERY_S = 0.4
TABS = {
    "log": ("Log", "messages"),
    "wire": ("Bytes", "bytes sent and received on ports"),
    "plots": ("Plots", "pinned values over time"),
    "program": ("Program", "program of the selected RCX as icons (F5, F6: along it)"),
}


class LowerPane:
    """The tabs, each with its own controls beside them."""

    def __init__(self, journal: Journal, runner: Runner, heartbeat: Heartbeat, dark: bool) -> None:
        with ui.column().classes("us-chrome full-width full-height gap-0 no-wrap"):
            with ui.row().classes("full-width items-center no-wrap gap-2 q-px-sm us-tabs"):
                with ui.tabs().props("dense no-caps align=left") as self.tabs:
                    for key, (label, hint) in TABS.items():
                        ui.tab(key, label).tooltip(hint).mark(f"tab-{key}")
                ui.space()
                controls = ui.row().classes("items-center no-wrap")
            with ui.tab_panels(self.tabs, value="log", keep_alive=True).classes("us-log full-width col"):
                with ui.tab_panel("log").classes("q-pa-none"):
                    self._log = LogPane(journal)
                with ui.tab_panel("wire").classes("q-pa-none"):
                    self._bytes = BytesPane(journal, runner)
                with ui.tab_panel("plots").classes("q-pa-none"):
                    self.plots = Plots(runner, heartbeat, dark).classes("full-width full-height").mark("plots")
                with ui.tab_panel("program").classes("q-pa-none"):
                    self.program = ProgramView(runner, heartbeat).classes("full-width full-height").mark("program")
            with controls:
                self._controls = {"log": self._log.controls(), "wire": self._bytes.controls()}
        self.tabs.on_value_change(self._show_controls)
        self.tabs.on_value_change(self.program.on_shown)
        self._show_controls()
        self._refresh()
        heartbeat.every(EVERY_S, self._refresh)

    def show(self, tab: str) -> None:
        """Show a tab."""
        self.tabs.set_value(tab)

    def _show_controls(self) -> None:
        for key, row in self._controls.items():
            row.set_visibility(self.tabs.value == key)

    def _refresh(self) -> None:
        self._log.refresh()
        self._bytes.refresh()
