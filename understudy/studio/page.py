"""The studio's page: toolbar, views, a panel for the selected thing, log and status bar."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from understudy.studio.commands import Commands
from understudy.studio.dialogs import actions, dialog
from understudy.studio.file_desk import FileDesk
from understudy.studio.file_menu import FileMenu
from understudy.studio.heartbeat import Heartbeat
from understudy.studio.layout import PageLayout
from understudy.studio.lower_pane import TABS, LowerPane
from understudy.studio.map_choice import MapChoice, chooser
from understudy.studio.robot_panel import RobotPanel
from understudy.studio.runner import Runner
from understudy.studio.scope import Pin
from understudy.studio.sequence import Sequence
from understudy.studio.shelf import Shelf
from understudy.studio.status_bar import StatusBar
from understudy.studio.toolbar import Toolbar
from understudy.studio.view import StageView

if TYPE_CHECKING:
    from understudy.studio.app import Studio

LOG_BELOW = 86.0  # share of the height above the log, at first: the picture is what one looks at
PLOTS_BELOW = 64.0  # share of the height above bytes, plots and programs, at most
GONE_S = 1.0  # between two checks whether another simulation is shown
AGAIN_S = 15.0  # what is shown again


class Page:
    """One browser's page. View settings belong to the page; the simulation is shared by all pages."""

    def __init__(self, studio: Studio, runner: Runner, commands: Commands, desk: FileDesk) -> None:
        self._runner, self._commands, self._desk = runner, commands, desk
        self._fixed = runner.is_tape(runner.sim)  # it can be watched, not changed
        self._dirty = False
        self._dark = ui.dark_mode(False)
        self._heartbeat = Heartbeat()
        self._sequence = Sequence(runner, commands, studio.album)
        for sheet in ("stage", "panels"):
            ui.add_head_html(f'<link rel="stylesheet" href="/web/{sheet}.css">')
        self._files: FileMenu | None = None
        self._bar = Toolbar(self, runner, commands, self._fixed)
        self._shelf = Shelf(self.pick_tool, self.select, commands.remove, self._fixed)
        self._middle(studio)
        self._right()
        self._status = StatusBar(runner, commands.seek)
        ui.timer(GONE_S, lambda: None if studio.runner is runner else ui.navigate.reload())

    # ---- parts

    def file_menu(self) -> None:
        """Build the file menu, in the toolbar."""
        self._files = FileMenu(self._desk, lambda: self._dirty)

    def _middle(self, studio: Studio) -> None:
        self._split = split = ui.splitter(horizontal=True, value=LOG_BELOW, limits=(30, 100)).classes("us-middle")
        with split.before:
            self._view = StageView(
                dark=bool(self._dark.value), on_message=self._hear, on_select=self._select,
                on_tool=self._tool_changed, on_option=self._option,
            )  # fmt: skip
            self._view.classes("full-width full-height")
        with split.after:
            self._lower = LowerPane(studio.journal, self._runner, self._heartbeat, bool(self._dark.value))

    def _right(self) -> None:
        self._side = ui.right_drawer(value=False, bordered=True).props("width=320 breakpoint=1050 show-if-above")
        with self._side.classes("us-chrome q-pa-sm"):
            plots = self._lower.plots
            self._panel = RobotPanel(self._runner, self._commands, self._heartbeat, plots.scope, self._pin)
            plots.on_pins = self._panel.show_pins
            self._layout = PageLayout(self._arrange, self._widen, self._save)

    # ---- arrangement

    def _arrange(self, kept: dict[str, Any]) -> None:
        """Arrange the page as the browser has kept it, and keep what changes from now on."""
        width, split = kept.get("width"), kept.get("split")
        if isinstance(width, int):
            self._side.props(f"width={min(max(width, 200), 2000)}")
        if isinstance(split, int | float) and math.isfinite(split):
            self._split.set_value(min(max(float(split), 30.0), 100.0))
        if kept.get("tab") in TABS:
            self._lower.show(kept["tab"])
        if kept.get("dark") is True:
            self.toggle_dark()
        for key, drawer in (("shelf", self._shelf.drawer), ("side", self._side)):
            if kept.get(key) is False:
                drawer.hide()
            drawer.on_value_change(lambda event, key=key: self._layout.keep(key, bool(event.value)))
        self._side.on_value_change(self._note_side)
        self._split.on_value_change(lambda event: self._layout.keep("split", event.value))
        self._lower.tabs.on_value_change(self._show_tab)

    def _show_tab(self, event: ValueChangeEventArguments[Any]) -> None:
        """Keep the choice; bytes, plots and programs need more height than the log."""
        self._layout.keep("tab", event.value)
        if event.value != "log":
            self._split.set_value(min(float(self._split.value or 0.0), PLOTS_BELOW))

    def _note_side(self) -> None:
        self._panel.hidden = not self._side.value

    def _widen(self, width: int) -> None:
        self._side.props(f"width={width}")
        self._layout.keep("width", width)

    def toggle_shelf(self) -> None:
        """Show or hide the left drawer."""
        self._shelf.drawer.toggle()

    def toggle_side(self) -> None:
        """Show or hide the right drawer."""
        self._side.toggle()

    def toggle_dark(self) -> None:
        """Switch between the dark and the light theme."""
        self._dark.value = dark = not self._dark.value
        self._lower.plots.be_dark(dark)
        self._view.be_dark(dark)
        self._layout.keep("dark", dark)

    # ---- user actions

    def set_option(self, key: str, value: Any) -> None:
        """Change what is drawn."""
        self._view.set(key, value)

    def measure(self) -> None:
        """Let the user measure a distance."""
        self._view.set_tool("measure")
        ui.notify("Drag over the floor to measure; Esc to stop", position="top", timeout=3000)

    def pick_tool(self, what: str) -> None:
        """Let the user place a thing."""
        self._view.set_tool(what)
        words = "where the wall begins, then where it ends" if what == "wall" else f"where to place the {what}"
        ui.notify(f"Click {words}; Esc to cancel", position="top", timeout=3000)

    def select(self, name: str) -> None:
        """Select a thing in the views."""
        self._view.run_method("select", name)

    def show_help(self) -> None:
        """Show the keys."""
        self._view.run_method("showHelp")

    def again(self) -> None:
        """Show the last seconds again, as they were just seen."""
        self._view.run_method("send", {"do": "again", "seconds": AGAIN_S})

    def ask_map(self) -> None:
        """Ask for another map."""
        maps = self._runner.sim.maps
        with dialog("Load another map", "Robots stay where they are; connected programs are notified.") as made:

            def load(chosen: MapChoice) -> None:
                self._commands.load_map(chosen.path, chosen.within)
                made.close()

            def again() -> None:
                self._commands.reload_map()
                made.close()

            chooser(maps.folders, load)
            name = maps.path.name if maps.path else "map"
            ui.button(f"Reload {name}", icon="refresh", on_click=again).props("no-caps flat").mark("map-again").tooltip(
                "read the map file again"
            ).set_enabled(maps.path is not None)
            actions(made, mark="map")

    def ask_sequence(self) -> None:
        """Ask for a sequence of pictures."""
        self._sequence.ask(self._view)

    async def picture(self) -> None:
        """Save a picture of the views."""
        url = await self._view.run_method("picture", timeout=10)
        self._view.run_method("save", url, f"understudy-{self._runner.sim.time_s:.3f}s.png")

    async def movie(self) -> bool:
        """Start or stop recording a movie; returns whether it records."""
        recording = bool(await self._view.run_method("movie", timeout=10))
        if recording:
            ui.notify("Recording; press again to stop and save", position="top")
        return recording

    def _pin(self, pin: Pin) -> None:
        if pin not in self._lower.plots.scope.pins:
            self._lower.show("plots")
        self._lower.plots.toggle(pin)

    def _save(self) -> None:
        if self._files is not None:
            self._files.save()

    # ---- messages of the browser

    def _hear(self, message: dict[str, Any]) -> None:
        hear: dict[str, Callable[[dict[str, Any]], None]] = {
            "status": self._show_status, "scene": lambda m: self._shelf.show(m["things"]),
            "history": lambda m: self._bar.show_history(m["undo"], m["redo"]), "saved": self._saved,
            "program": self._scroll_program,
        }  # fmt: skip
        if (call := hear.get(str(message.get("kind")))) is not None:
            call(message)

    def _show_status(self, status: dict[str, Any]) -> None:
        self._heartbeat.beat()
        self._dirty = bool(status["dirty"])
        self._bar.show(status)
        self._status.show(status)

    def _saved(self, message: dict[str, Any]) -> None:
        ui.notify(f"Saved {message['name']} in {message['folder']}", type="positive", position="top")

    def _scroll_program(self, message: dict[str, Any]) -> None:
        """Show the program window, as LURobotSim's keys F5 and F6 do, and move along it."""
        self._lower.show("program")
        self._lower.program.scroll(int(message["step"]))

    def _select(self, chosen: dict[str, str]) -> None:
        self._panel.show(chosen["name"], chosen["what"])
        if chosen["what"] == "robot":
            self._lower.program.choose(chosen["name"])

    def _tool_changed(self, tool: dict[str, str]) -> None:
        self._status.tool = tool["tool"]

    def _option(self, option: dict[str, Any]) -> None:
        self._bar.show_option(option["key"], option["value"])
