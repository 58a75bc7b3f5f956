"""The head of the page: files, time, history, and what is drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from nicegui import ui

from understudy.studio.commands import Commands
from understudy.studio.layers_menu import LayersMenu
from understudy.studio.runner import FRAME_S, Runner

if TYPE_CHECKING:
    from understudy.studio.page import Page

SPEEDS: dict[str, str] = {
    "step": "every tick", "0.1": "0.1 x", "0.25": "0.25 x", "0.5": "0.5 x", "1": "1 x", "2": "2 x", "5": "5 x",
    "10": "10 x", "max": "max",
}  # fmt: skip


class Toolbar:
    """Buttons in one row; what would change a tape is left out for one."""

    def __init__(self, page: Page, runner: Runner, commands: Commands, fixed: bool) -> None:
        self._runner, self._commands = runner, commands
        self._updating = False  # the page follows the simulation: the user has changed nothing
        with ui.header().classes("us-chrome us-head items-center gap-1"):
            _button("menu", "Show or hide the list of things", page.toggle_shelf).mark("shelf")
            ui.label("Understudy").classes("text-weight-bold text-subtitle1 us-brand")
            if not fixed:
                page.file_menu()
            self._title = ui.label(runner.title).classes("us-quiet ellipsis q-mr-sm us-title").mark("title")
            self._time()
            ui.space()
            if not fixed:
                _button("map", "Load another map, or reload this one", page.ask_map).mark("map")
                self._undo = _button("undo", "Nothing to undo (Ctrl Z)", commands.undo).mark("undo")
                self._redo = _button("redo", "Nothing to redo (Ctrl Y)", commands.redo).mark("redo")
            self._history: tuple[str, str] | None = ("", "") if not fixed else None
            _button("straighten", "Measure a distance (M): drag over the floor", page.measure)
            self._layers = LayersMenu(page.set_option, commands.clear_trails)
            self._panes = ui.toggle({1: "1", 2: "2", 4: "4"}, value=1)
            self._panes.on_value_change(lambda event: page.set_option("panes", event.value))
            self._panes.props("dense no-caps").tooltip("Number of views").mark("panes")
            _button("replay", "Again: show the last 15 seconds as just seen", page.again).mark("again")
            self._pictures(page)
            _button("dark_mode", "Dark or light theme", page.toggle_dark).mark("dark")
            _button("keyboard", "Keyboard help (? in a view)", page.show_help).mark("help")
            _button("view_sidebar", "Show or hide the robot panel", page.toggle_side).mark("side")

    def _time(self) -> None:
        commands = self._commands
        self._go = _button("play_arrow", "Run or pause (Space in a view)", commands.toggle).mark("toggle")
        _button("skip_next", "Step one tick (. in a view)", lambda: commands.step(1)).mark("step")
        _button("restart_alt", "Reset to the start", commands.reset).mark("reset")
        self._speed = ui.select(SPEEDS, value="1", on_change=lambda e: self._set_speed(e.value)).props(
            'dense outlined options-dense aria-label="speed"'
        )
        self._speed.classes("us-speed").tooltip("Simulation speed; 'every tick' draws each tick").mark("speed")
        self._start = ui.button("Start program", icon="rocket_launch", on_click=commands.start_programs)
        self._start.props("dense no-caps color=positive").tooltip("Start the waiting programs").mark("start")
        self._clock = ui.label("0.000 s").classes("us-clock q-ml-sm").tooltip("simulated time").mark("clock")
        self._factor = ui.label("").classes("us-quiet us-factor").mark("factor")
        self._factor.tooltip("real-time factor: simulated seconds per second")

    def _pictures(self, page: Page) -> None:
        _button("photo_camera", "Save a picture of the views", page.picture).mark("picture")
        hint = "Save a sequence of pictures at fixed simulated intervals"
        _button("burst_mode", hint, page.ask_sequence).mark("burst")

        async def movie() -> None:
            record.props(f"color={'negative' if await page.movie() else 'primary'}")

        record = _button("videocam", "Start or stop recording a movie", movie).mark("movie")

    def _set_speed(self, value: str) -> None:
        if not self._updating:
            self._commands.speed(None if value == "max" else value if value == "step" else float(value))

    # ---- showing

    def show(self, status: dict[str, Any]) -> None:
        """Show the status of the run."""
        paused = bool(status["paused"])
        self._go.props(f"icon={'play_arrow' if paused else 'pause'}")
        self._clock.text = f"{status['t']:.3f} s"
        self._factor.text = "paused" if paused else f"{status['factor']:.2f} x"
        self._start.visible = bool(status["armed"])
        self._title.text = f"{status['title']} •" if status["dirty"] else str(status["title"])
        self._show_speed(status["speed"])
        self.show_history(*status["history"])

    def _show_speed(self, factor: float | None) -> None:
        """Show the speed, which another user may have set, without setting it again."""
        tick = self._runner.sim.start.tick_us / 1e6 / FRAME_S
        known = "max" if factor is None else "step" if math.isclose(factor, tick) else f"{factor:g}"
        if known in SPEEDS and self._speed.value != known:
            self._updating = True
            self._speed.set_value(known)
            self._updating = False

    def show_history(self, undo: str, redo: str) -> None:
        """Show what would be undone and redone, for the eye and for screen readers."""
        if self._history in (None, (undo, redo)):
            return
        self._history = undo, redo
        _rename(self._undo, f"Undo: {undo} (Ctrl Z)" if undo else "Nothing to undo (Ctrl Z)")
        _rename(self._redo, f"Redo: {redo} (Ctrl Y)" if redo else "Nothing to redo (Ctrl Y)")

    def show_option(self, key: str, value: Any) -> None:
        """Show an option that was changed in a view."""
        if key == "panes":
            self._panes.set_value(value)
        else:
            self._layers.show(key, value)


def _button(icon: str, hint: str, call: Any) -> ui.button:
    button = ui.button(icon=icon, on_click=call).props(f'flat dense aria-label="{hint}"')
    with button:
        button.hint = ui.tooltip(hint)  # type: ignore[attr-defined]
    return button


def _rename(button: ui.button, hint: str) -> None:
    button._props["aria-label"] = hint
    button.update()
    button.hint.text = hint  # type: ignore[attr-defined]
