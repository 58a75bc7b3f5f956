"""The studio's page: toolbar, views, a panel for the selected thing, log and status bar."""

from __future__ import annotations

import asyncio
import contextlib
import math
import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from nicegui import ui

from understudy import __version__
from understudy.sim.vocabulary import vocabulary
from understudy.studio import palette
from understudy.studio.commands import Commands
from understudy.studio.journal import Journal
from understudy.studio.layout import PageLayout
from understudy.studio.lower_pane import TABS, LowerPane
from understudy.studio.map_choice import MapChoice, chooser
from understudy.studio.pictures import Album
from understudy.studio.robot_panel import RobotPanel
from understudy.studio.runner import Runner
from understudy.studio.scope import Pin
from understudy.studio.view import StageView

SPEEDS: dict[str, str] = {
    "step": "every tick", "0.1": "0.1 x", "0.25": "0.25 x", "0.5": "0.5 x", "1": "1 x", "2": "2 x", "5": "5 x",
    "10": "10 x", "max": "max",
}  # fmt: skip
SHOWN: dict[str, tuple[str, str, bool]] = {  # option -> label, hint, initial value
    "hits": ("Hit points", "where beams hit something", True),
    "rays": ("Single rays", "draw every ray as a line", False),
    "trails": ("Trails", "paths that robots have driven", True),
    "grid": ("Grid", "grid lines on the floor, with their spacing (G)", True),
    "names": ("Names", "names of robots and marks", True),
    "odometry": ("Odometry", "the robots' pose estimates, as outlines", False),
    "contacts": ("Contacts", "points where robots touch something", True),
    "shapes": ("Collision shapes", "the shapes that collide with each other", False),
}
PLOTS_BELOW = 64.0  # share of the height above plots, at most
BEAMS: dict[str, str] = {"none": "no beams", "selected": "beams of the selected robot", "all": "beams of all robots"}


class Page:
    """One browser's page. View settings belong to the page; the simulation is shared by all pages."""

    def __init__(self, runner: Runner, commands: Commands, journal: Journal, album: Album) -> None:
        self._runner, self._commands = runner, commands
        self._journal, self._album = journal, album
        self._dark = ui.dark_mode(False)
        self._place: ui.slider | None = None
        self._updating = False  # the page follows the simulation: the user has changed nothing
        ui.add_css(_CSS)
        for sheet in ("stage", "panels"):
            ui.add_head_html(f'<link rel="stylesheet" href="/web/{sheet}.css">')
        self._toolbar()
        self._left()
        self._middle()
        self._right()
        self._footer()

    # ---- parts

    def _toolbar(self) -> None:
        with ui.header().classes("us-chrome us-head items-center gap-1"):
            self._button("menu", "Show or hide the palette", lambda: self._shelf.toggle()).mark("shelf")
            ui.label("Understudy").classes("text-weight-bold text-subtitle1")
            self._title = ui.label(self._runner.title).classes("us-quiet ellipsis q-mr-sm")
            self._go = self._button("play_arrow", "Run or pause (Space in a view)", self._commands.toggle)
            self._go.mark("toggle")
            self._button("skip_next", "Step one tick (. in a view)", lambda: self._commands.step(1)).mark("step")
            self._button("restart_alt", "Reset to the start", self._commands.reset).mark("reset")
            self._speed = ui.select(SPEEDS, value="1", on_change=lambda e: self._set_speed(e.value)).props(
                'dense outlined options-dense aria-label="speed"'
            )
            self._speed.classes("us-speed").tooltip("Simulation speed; 'every tick' draws each tick").mark("speed")
            self._start = ui.button("Start program", icon="rocket_launch", on_click=self._commands.start_programs)
            self._start.props("dense no-caps color=positive").tooltip("Start the waiting programs").mark("start")
            self._clock = ui.label("0.000 s").classes("us-clock q-ml-sm").tooltip("simulated time").mark("clock")
            self._factor = (
                ui.label("")
                .classes("us-quiet")
                .tooltip("real-time factor: simulated seconds per second")
                .mark("factor")
            )
            ui.space()
            self._button("map", "Load another map, or reload this one", self._ask_map).mark("map")
            self._undo = self._button("undo", "Nothing to undo (Ctrl Z)", self._commands.undo)
            self._redo = self._button("redo", "Nothing to redo (Ctrl Y)", self._commands.redo)
            self._button("straighten", "Measure a distance (M): drag over the floor", self._measure)
            self._layers()
            self._panes = ui.toggle({1: "1", 2: "2", 4: "4"}, value=1, on_change=lambda e: self._set_panes(e.value))
            self._panes.props("dense no-caps").tooltip("Number of views").mark("panes")
            self._button("photo_camera", "Save a picture of the views", self._picture).mark("picture")
            self._button(
                "burst_mode", "Save a sequence of pictures at fixed simulated intervals", self._ask_sequence
            ).mark("burst")
            self._record = self._button("videocam", "Start or stop recording a movie", self._movie).mark("movie")
            self._button("dark_mode", "Dark or light theme", self._toggle_dark).mark("dark")
            self._button("keyboard", "Keyboard help (? in a view)", lambda: self._view.run_method("showHelp")).mark(
                "help"
            )
            self._button("view_sidebar", "Show or hide the robot panel", lambda: self._side.toggle()).mark("side")

    def _button(self, icon: str, hint: str, call: Any) -> ui.button:
        button = ui.button(icon=icon, on_click=call).props(f'flat dense aria-label="{hint}"')
        with button:
            button.hint = ui.tooltip(hint)  # type: ignore[attr-defined]
        return button

    def _layers(self) -> None:
        with ui.button(icon="layers").props('flat dense aria-label="What to draw"').mark("layers"):
            ui.tooltip("What to draw")
            with ui.menu().classes("q-pa-sm"):
                self._beams = ui.select(BEAMS, value="selected", on_change=lambda e: self._set("beams", e.value))
                self._beams.props('dense options-dense aria-label="beams"').mark("beams")
                self._boxes = {key: self._box(key, *row) for key, row in SHOWN.items()}

    def _box(self, key: str, label: str, hint: str, initial: bool) -> ui.checkbox:
        box = ui.checkbox(label, value=initial, on_change=lambda e: self._set(key, e.value)).props("dense")
        return box.classes("block q-mt-xs").tooltip(hint).mark(f"show-{key}")

    def _left(self) -> None:
        self._shelf = ui.left_drawer(value=False, bordered=True).props("width=220 breakpoint=900 show-if-above")
        with self._shelf.classes("us-chrome q-pa-sm"):
            ui.label("Add to the scene").classes("us-heading")
            models = {name: name for name in vocabulary().catalog}
            chosen = ui.select(models, value="p3dx", with_input=True, label="robot").props(
                "dense outlined options-dense"
            )
            chosen.classes("full-width").tooltip("Robot model to add; type a part of its name").mark("model")
            ui.button("Add robot", icon="smart_toy", on_click=lambda: self._pick_tool(str(chosen.value))).props(
                "dense no-caps outline"
            ).classes("full-width q-my-xs").tooltip("Then click where to place it").mark("add-robot")
            with ui.element("div").classes("us-palette"):
                for what, hint in palette.HINTS.items():
                    ui.button(what, on_click=lambda what=what: self._pick_tool(what)).props(
                        "dense no-caps outline"
                    ).tooltip(f"{hint}; then click where to place it").mark(f"add-{what}")
            ui.label("In the scene").classes("us-heading q-mt-md")
            self._things = ui.column().classes("us-things gap-0 full-width")

    def _right(self) -> None:
        self._side = ui.right_drawer(value=False, bordered=True).props("width=320 breakpoint=1050 show-if-above")
        with self._side.classes("us-chrome q-pa-sm"):
            plots = self._lower.plots
            self._panel = RobotPanel(self._runner, self._commands, plots.scope, self._pin)
            plots.on_pins = self._panel.show_pins
            self._layout = PageLayout(self._arrange, self._widen)

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
            self._toggle_dark()
        for key, drawer in (("shelf", self._shelf), ("side", self._side)):
            if kept.get(key) is False:
                drawer.hide()
            drawer.on_value_change(lambda event, key=key: self._layout.keep(key, bool(event.value)))
        self._side.on_value_change(self._note_side)
        self._split.on_value_change(lambda event: self._layout.keep("split", event.value))
        self._lower.tabs.on_value_change(lambda event: self._layout.keep("tab", event.value))

    def _note_side(self) -> None:
        self._panel.hidden = not self._side.value

    def _widen(self, width: int) -> None:
        self._side.props(f"width={width}")
        self._layout.keep("width", width)

    def _middle(self) -> None:
        self._split = split = ui.splitter(horizontal=True, value=78, limits=(30, 100)).classes("us-middle")
        with split.before:
            self._view = StageView(
                dark=bool(self._dark.value), on_message=self._hear, on_select=self._select,
                on_tool=self._tool_changed, on_option=self._option,
            )  # fmt: skip
            self._view.classes("full-width full-height")
        with split.after:
            self._lower = LowerPane(self._journal, self._runner, bool(self._dark.value))

    def _timeline(self) -> None:
        """Build the timeline of a tape; a live simulation has none."""
        sim = self._runner.sim
        if not Runner.is_tape(sim):
            return
        with ui.row().classes("full-width items-center no-wrap q-px-sm"):
            ui.icon("theaters").tooltip("this is a tape: you can scrub it, but not change it")
            self._place = ui.slider(min=sim.deck.first, max=sim.deck.length, value=sim.tick)
            self._place.props('aria-label="position on the tape"').classes("col").tooltip("scrub the tape").mark(
                "timeline"
            )
            self._place.on("change", lambda event: self._commands.seek(int(event.args)))
            ui.label(f"{sim.deck.length * sim.start.tick_us / 1e6:.1f} s").classes("us-quiet")

    def _footer(self) -> None:
        with ui.footer().classes("us-chrome us-status items-center gap-4"):
            self._timeline()
            self._state = ui.label("ready").mark("state")
            self._users = ui.label("").tooltip("connected browsers")
            self._clients = ui.label("").tooltip("programs connected to ports").mark("clients")
            ui.space()
            ui.label(f"seed {self._runner.sim.start.seed}").tooltip("seed of all noise")
            ui.label(f"{self._runner.sim.start.engine} engine, tick {self._runner.sim.start.tick_us / 1000:g} ms")
            ui.label(f"understudy {__version__}").tooltip(_versions()).mark("version")

    # ---- user actions

    def _set_speed(self, value: str) -> None:
        if self._updating:
            return
        self._commands.speed(None if value == "max" else value if value == "step" else float(value))

    def _set(self, key: str, value: Any) -> None:
        self._view.set(key, value)

    def _set_panes(self, count: int) -> None:
        self._view.set("panes", count)

    def _measure(self) -> None:
        self._view.set_tool("measure")
        ui.notify("Drag over the floor to measure; Esc to stop", position="top", timeout=3000)

    def _pick_tool(self, what: str) -> None:
        self._view.set_tool(what)
        ui.notify(f"Click where to place the {what}; Esc to cancel", position="top", timeout=3000)

    def _ask_map(self) -> None:
        maps = self._runner.sim.maps
        with ui.dialog(value=True) as dialog, ui.card().style("min-width: 420px"):
            ui.label("Load another map").classes("text-weight-bold")
            ui.label("Robots stay where they are; connected programs are notified.").classes("us-quiet")

            def load(chosen: MapChoice) -> None:
                self._commands.load_map(chosen.path, chosen.within)
                dialog.close()

            def again() -> None:
                self._commands.reload_map()
                dialog.close()

            chooser(maps.folders, load)
            name = maps.path.name if maps.path else "map"
            ui.button(f"Reload {name}", icon="refresh", on_click=again).props("no-caps flat").mark("map-again").tooltip(
                "read the map file again"
            ).set_enabled(maps.path is not None)

    def _pin(self, pin: Pin) -> None:
        if pin not in self._lower.plots.scope.pins:
            self._lower.show("plots")
            self._split.set_value(min(float(self._split.value or 0.0), PLOTS_BELOW))
        self._lower.plots.toggle(pin)

    def _toggle_dark(self) -> None:
        self._dark.value = not self._dark.value
        self._lower.plots.be_dark(bool(self._dark.value))
        self._view.be_dark(bool(self._dark.value))
        self._layout.keep("dark", bool(self._dark.value))

    async def _picture(self) -> None:
        url = await self._view.run_method("picture", timeout=10)
        self._view.run_method("save", url, f"understudy-{self._runner.sim.time_s:.3f}s.png")

    async def _movie(self) -> None:
        recording = await self._view.run_method("movie", timeout=10)
        self._record.props(f"color={'negative' if recording else 'primary'}")
        if recording:
            ui.notify("Recording; press again to stop and save", position="top")

    def _ask_sequence(self) -> None:
        with ui.dialog(value=True) as dialog, ui.card():
            ui.label("Save a picture at fixed intervals of simulated time, stepping the simulation in between.")
            every = ui.number("interval, ms", value=100, min=1).mark("burst-every")
            count = ui.number("number of pictures", value=20, min=1, max=2000).mark("burst-count")

            async def take() -> None:
                dialog.close()
                await self._sequence(float(every.value or 100), int(count.value or 1))

            ui.button("Start", on_click=take).props("no-caps").mark("burst-go")

    async def _sequence(self, every_ms: float, count: int) -> None:
        """Take pictures in step with the simulation, and download them as a zip archive."""
        take, ticks = self._album.open(), max(1, round(every_ms * 1000 / self._runner.sim.start.tick_us))
        sim = self._runner.sim
        self._commands.pause()
        await _until(lambda: sim.paused)
        for number in range(count):
            await self._view.run_method("shoot", f"/pictures/{take}/{number}", sim.time_s, timeout=30)
            wanted = sim.tick + ticks
            self._commands.step(ticks)
            await _until(lambda: sim.tick >= wanted)  # noqa: B023 - waited for at once
        ui.download.content(self._album.archive(take), "understudy-pictures.zip", "application/zip")

    # ---- messages of the browser

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message.get("kind")
        if kind == "status":
            self._show_status(message)
        elif kind == "scene":
            self._show_things(message["things"])
        elif kind == "history":
            self._show_history(message["undo"], message["redo"])

    def _show_status(self, status: dict[str, Any]) -> None:
        self._go.props(f"icon={'play_arrow' if status['paused'] else 'pause'}")
        self._clock.text = f"{status['t']:.3f} s"
        self._factor.text = "paused" if status["paused"] else f"{status['factor']:.2f} x"
        self._users.text = f"{len(status['viewers'])} watching"
        self._clients.text = f"{len(status['clients'])} of {status['ports']} ports in use, {status['devices']} devices"
        self._state.text = "paused" if status["paused"] else "running"
        self._start.visible = bool(status["armed"])
        if status["tape"] and self._place is not None:
            self._place.set_value(status["tape"][2])
        self._show_speed(status["speed"])

    def _show_speed(self, factor: float | None) -> None:
        """Show the speed, which another user may have set, without setting it again."""
        tick = self._runner.sim.start.tick_us / 1e6 * 30
        known = "max" if factor is None else "step" if math.isclose(factor, tick) else f"{factor:g}"
        if known in SPEEDS and self._speed.value != known:
            self._updating = True
            self._speed.set_value(known)
            self._updating = False

    def _show_history(self, undo: str, redo: str) -> None:
        self._undo.hint.text = f"Undo: {undo} (Ctrl Z)" if undo else "Nothing to undo (Ctrl Z)"  # type: ignore[attr-defined]
        self._redo.hint.text = f"Redo: {redo} (Ctrl Y)" if redo else "Nothing to redo (Ctrl Y)"  # type: ignore[attr-defined]

    def _show_things(self, things: list[dict[str, str]]) -> None:
        self._things.clear()
        with self._things:
            for thing in things[:200]:
                self._thing(thing["name"], thing["what"])
            if len(things) > 200:
                ui.label(f"... and {len(things) - 200} more").classes("us-quiet")

    def _thing(self, name: str, what: str) -> None:
        icons = {"robot": "smart_toy", "ball": "sports_soccer", "wall": "fence", "light": "lightbulb"}
        with ui.row().classes("us-thing items-center no-wrap full-width gap-1"):
            ui.icon(icons.get(what, "category")).classes("us-quiet")
            ui.button(name, on_click=lambda: self._view.run_method("select", name)).props(
                "flat dense no-caps align=left"
            ).classes("col ellipsis").tooltip(f"select {name}")
            ui.button(icon="delete", on_click=lambda: self._commands.remove(name)).props(
                f'flat dense size=sm aria-label="delete {name}"'
            ).tooltip(f"delete {name} (Delete)")

    def _select(self, chosen: dict[str, str]) -> None:
        self._panel.show(chosen["name"], chosen["what"])

    def _tool_changed(self, tool: dict[str, str]) -> None:
        self._state.text = f"place: {tool['tool']}" if tool["tool"] else "ready"

    def _option(self, option: dict[str, Any]) -> None:
        key, value = option["key"], option["value"]
        if key == "beams":
            self._beams.set_value(value)
        elif key == "panes":
            self._panes.set_value(value)
        elif key in self._boxes:
            self._boxes[key].set_value(value)


def _versions() -> str:
    """Return the versions of packages that results may depend on."""
    known = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba", "mujoco", "nicegui"):
        with contextlib.suppress(PackageNotFoundError):
            known.append(f"{name} {version(name)}")
    return ", ".join(known)


async def _until(ready: Callable[[], bool], patience_s: float = 10.0) -> None:
    """Wait until *ready* returns true, at most *patience_s*."""
    for _ in range(round(patience_s / 0.01)):
        if ready():
            return
        await asyncio.sleep(0.01)


_CSS = """
body { --us-ink: #1b2026; --us-paper: #f5f6f7; }
.body--dark { --us-ink: #eef2f5; --us-paper: #1a2027; }
.q-page-container { height: 100vh; }
.q-page, .nicegui-content { height: 100%; min-height: 0 !important; padding: 0; }
.us-middle { width: 100%; height: 100%; }
.us-chrome { background: var(--us-paper) !important; color: var(--us-ink) !important; }
.us-chrome .q-btn { color: inherit; }
.us-heading { font-weight: 600; font-size: 13px; margin-bottom: 4px; }
.us-clock { font-variant-numeric: tabular-nums; font-weight: 600; min-width: 92px; text-align: right; }
.us-speed { min-width: 104px; }
.us-palette { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; }
.us-status { font-size: 12px; padding: 3px 10px !important; border-top: 1px solid #8884; }
.us-things { max-height: 45vh; overflow-y: auto; }
.q-splitter__panel { overflow: hidden; }
"""
