"""The right panel: what is selected, what it reports and offers, and its ports."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from understudy.errors import ChangeRefused, UnknownName
from understudy.robots.base import Offer
from understudy.sim.sim import Sim
from understudy.studio.commands import Commands
from understudy.studio.heartbeat import Heartbeat
from understudy.studio.joint_sliders import JointSliders
from understudy.studio.lcd import LcdPicture, LcdView, lcd_view
from understudy.studio.property_form import PropertyForm
from understudy.studio.readings import sections
from understudy.studio.readings_view import ReadingsView
from understudy.studio.runner import Runner
from understudy.studio.scope import Pin, Scope

Faces = dict[str, tuple[Offer, ...]]
EVERY_S = 0.25


class RobotPanel:
    """Shows the selected robot or thing."""

    def __init__(
        self, runner: Runner, commands: Commands, heartbeat: Heartbeat, scope: Scope, on_pin: Callable[[Pin], None]
    ) -> None:
        self._runner, self._commands = runner, commands
        self._scope, self._on_pin = scope, on_pin
        self._name = ""
        self._what = ""
        self.hidden = False  # nobody sees it: nothing is read
        self._forget()
        self._body = ui.column().classes("full-width gap-1 no-wrap").mark("panel")
        with self._body:
            self._nothing()
        heartbeat.every(EVERY_S, self._update)

    def _forget(self) -> None:
        """Forget what was shown of another robot."""
        self._program: tuple[str, ui.label | None] = "", None  # its text as last read, and where it is shown
        self._offered: Faces = {}  # what was read last
        self._shown: Faces = {}
        self._lcd: LcdPicture | None = None
        self._lcd_view: LcdView | None = None
        self._readings: ReadingsView | None = None
        self._sliders: JointSliders | None = None
        self._form: PropertyForm | None = None
        self._stale = False  # the robot has other sensors than those that are shown

    def show(self, name: str, what: str) -> None:
        """Show the thing of this name; what is shown already stays, and scrolled as it is."""
        if (name, what) != (self._name, self._what) or self._stale:
            self._name, self._what = name, what
            self._build_body(name, what)

    def _build_body(self, name: str, what: str) -> None:
        self._body.clear()
        self._forget()
        with self._body:
            if not name:
                self._nothing()
                return
            ui.label(name).classes("text-subtitle1 text-weight-bold").mark("selected")
            self._actions(name, what)
            if what == "robot":
                self._rows(name)
            else:
                self._properties(name)

    def _toggle_typed(self) -> None:
        self._typed.set_visibility(not self._typed.visible)

    def _properties(self, name: str) -> None:
        if not self._runner.is_tape(self._runner.sim):
            self._form = PropertyForm(name, self._commands)

    def _nothing(self) -> None:
        """Show what there is while nothing is selected: how to select, and the ports of the scene."""
        ui.label("Select a robot: click it in a view.").classes("us-quiet")
        self._ports("", "Ports of the scene")

    def _ports(self, robot: str, heading: str) -> None:
        """Show the addresses of the ports of a robot, or (no name) of the scene."""
        found = {path.rpartition("/"): info.url for path, info in self._runner.sim.ports.info().items() if info.url}
        mine = {port: url for (owner, _, port), url in found.items() if owner == robot}
        if mine:
            ui.label(heading).classes("us-heading q-mt-sm")
        for port, url in mine.items():
            with ui.row().classes("full-width items-center no-wrap gap-1"):
                ui.label(port).classes("us-quiet us-key")
                ui.label(url).classes("us-value").style("user-select: text")

    def _actions(self, name: str, what: str) -> None:
        if self._runner.is_tape(self._runner.sim):
            return
        with ui.row().classes("gap-1"):
            if what == "robot":
                _small("edit", "type a pose or a colour", self._toggle_typed)
                _small("home", "move back to its start and reset odometry (Home)", lambda: self._commands.home(name))
            _small("content_copy", "duplicate (D)", lambda: self._commands.duplicate(name))
            _small("delete", "delete (Delete)", lambda: self._commands.remove(name))

    def _rows(self, name: str) -> None:
        robot = next((r for r in self._runner.sim.current.robots if r.name == name), None)
        if robot is None:
            return
        ui.label(robot.built.summary or robot.model).classes("us-quiet")
        self._typed = ui.column().classes("full-width").mark("typed")
        self._typed.set_visibility(False)
        with self._typed:
            self._properties(name)
        if robot.program:
            with ui.row().classes("full-width items-center no-wrap gap-1"):
                ui.label("program").classes("us-quiet us-key")
                self._program = "", ui.label("").classes("us-value").mark("value-program")
        self._screen = ui.column().classes("full-width gap-0")  # where the LCD is, if the robot has one
        self._faces = ui.column().classes("full-width gap-1").mark("faces")
        self._sliders = JointSliders(robot, self._commands)
        self._place = ui.column().classes("full-width gap-0").mark("readings")
        self._runner.ask(partial(self._find, name=name))
        self._ports(name, "Ports")

    def _find(self, sim: Sim, name: str) -> None:
        """Find out in the simulation's thread what can be read of a robot; the page's thread shows it."""
        found, switch = sections(sim, name), None if self._runner.is_tape(sim) else self._commands.switch

        def build() -> None:
            if self._name == name and self._readings is None:
                with self._place:
                    self._readings = ReadingsView(found, switch, self._on_pin)
                    self._readings.show_pins(self._scope.pins)

        self._build = build

    _build: Callable[[], None] | None = None

    # ---- while it is shown

    def show_pins(self) -> None:
        """Mark the values that are plotted."""
        if self._readings is not None:
            self._readings.show_pins(self._scope.pins)

    def _update(self) -> None:
        """Show the last values, and request new ones."""
        if self._build is not None:
            self._build()
            self._build = None
        if self._stale:
            self.show(self._name, self._what)
        text, label = self._program
        if label is not None and label.text != text:
            label.text = text
        if self._offered != self._shown:
            self._show_faces()
        if self._lcd_view is not None:
            self._show_lcd(self._lcd_view)
        for part in (self._readings, self._sliders, self._form):
            if part is not None:
                part.refresh()
        if self._name and not self.hidden:
            self._runner.ask(partial(self._read, name=self._name))

    def _show_lcd(self, view: LcdView) -> None:
        if self._lcd is None:
            with self._screen:
                self._lcd = LcdPicture(self._commands, view)
        else:
            self._lcd.show(view)

    def _show_faces(self) -> None:
        """Show a button for each order that a unit of the robot offers now."""
        self._shown = self._offered
        self._faces.clear()
        with self._faces:
            for unit, offers in self._shown.items():
                ui.label(unit.partition("/")[2]).classes("us-heading q-mt-sm")
                with ui.row().classes("gap-1"):
                    for offer in offers:
                        button = ui.button(offer.label, on_click=partial(self._commands.press, unit, offer))
                        button.props("dense no-caps size=12px").mark(f"offer-{offer.label}")
                        button.tooltip(f"{unit}: {offer.label}")

    def _read(self, sim: Sim, name: str) -> None:
        """Read all values, in the simulation's thread."""
        if name != self._name:
            return
        with contextlib.suppress(ChangeRefused):  # it was removed: the browser will select something else
            if self._form is not None:
                self._form.read(sim)
        if self._what != "robot" or all(robot.name != name for robot in sim.current.robots):
            return
        self._program = program_text(sim, name), self._program[1]
        self._offered = {} if self._runner.is_tape(sim) else faces(sim, name)
        self._lcd_view = lcd_view(sim, name, self._lcd_view)
        if self._sliders is not None:
            self._sliders.read(sim)
        if self._readings is not None:
            try:
                self._stale = not self._readings.read(sim, name)
            except UnknownName:
                self._stale = True


def faces(sim: Sim, name: str) -> Faces:
    """Return what the units of a robot offer, by path; those that offer nothing are left out."""
    view = sim.view()
    mine = [unit for unit in view.units() if unit.startswith(f"{name}/")]
    return {unit: offers for unit in mine if (offers := view.offers(unit))}


def program_text(sim: Sim, name: str) -> str:
    """Return which program drives a robot, and the line at which it is, if that is known."""
    program = sim.data(name).program
    title = program.title if program else ""
    return ", ".join(f"{at.program}:{at.line} {at.words}" for at in sim.program_positions().get(name, ())) or title


def _small(icon: str, hint: str, call: Any) -> None:
    ui.button(icon=icon, on_click=call).props(f'flat dense size=sm aria-label="{hint}"').tooltip(hint)
