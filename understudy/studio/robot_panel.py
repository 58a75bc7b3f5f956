"""The right panel: motion and readings of the selected robot, its devices and ports."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from nicegui import ui

from understudy.robots.base import Offer
from understudy.sim.sim import Sim
from understudy.studio.commands import Commands
from understudy.studio.lcd import LcdPicture, LcdView, lcd_view
from understudy.studio.runner import Runner
from understudy.world.joints import Joint, Revolute
from understudy.world.robot import PlacedRobot

Faces = dict[str, tuple[Offer, ...]]
EVERY_S = 0.25
MOST_VALUES = 6


class RobotPanel:
    """Shows the selected robot or thing."""

    def __init__(self, runner: Runner, commands: Commands) -> None:
        self._runner, self._commands = runner, commands
        self._name = ""
        self._values: dict[str, ui.label] = {}
        self._fresh: dict[str, str] = {}
        self._offered: Faces = {}  # what was read last
        self._shown: Faces = {}
        self._lcd: LcdPicture | None = None  # of a robot that is selected
        self._lcd_view: LcdView | None = None
        self._body = ui.column().classes("full-width gap-1").mark("panel")
        with self._body:
            self._nothing()
        ui.timer(EVERY_S, self._update)

    def show(self, name: str, what: str) -> None:
        """Show the thing of this name."""
        self._name = name if what == "robot" else ""
        self._values.clear()
        self._body.clear()
        self._offered, self._shown, self._lcd, self._lcd_view = {}, {}, None, None
        with self._body:
            if not name:
                self._nothing()
                return
            ui.label(name).classes("text-subtitle1 text-weight-bold").mark("selected")
            self._actions(name, what)
            if what == "robot":
                self._rows(name)

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
                ui.label(port).classes("us-quiet").style("min-width: 64px")
                ui.label(url).classes("us-value").style("user-select: text")

    def _actions(self, name: str, what: str) -> None:
        with ui.row().classes("gap-1"):
            if what == "robot":
                _small("home", "move back to its start and reset odometry (Home)", lambda: self._commands.home(name))
            _small("content_copy", "duplicate (D)", lambda: self._commands.duplicate(name))
            _small("delete", "delete (Delete)", lambda: self._commands.remove(name))

    def _rows(self, name: str) -> None:
        robot = next((r for r in self._runner.sim.current.robots if r.name == name), None)
        if robot is None:
            return
        ui.label(robot.built.summary or robot.model).classes("us-quiet")
        for key in ("pose", "motion", "odometry", "stalled"):
            self._row(key)
        if robot.program:
            self._row("program")
        self._screen = ui.column().classes("full-width gap-0")  # where the LCD is, if the robot has one
        self._faces = ui.column().classes("full-width gap-1").mark("faces")
        self._servos(robot)
        ui.label("Devices").classes("us-heading q-mt-sm")
        for device in robot.built.devices:
            path = f"{name}/{device.name}"
            with ui.row().classes("full-width items-center no-wrap gap-1"):
                on = ui.checkbox(
                    value=device.sheet.on, on_change=lambda e, path=path: self._commands.switch(path, bool(e.value))
                )
                on.props(f'dense aria-label="{device.name} on"').tooltip("on or off")
                ui.label(device.name).classes("us-quiet").style("min-width: 64px").tooltip(device.sheet.kind)
                self._values[path] = ui.label("").classes("us-value col ellipsis")
        self._ports(name, "Ports")

    def _servos(self, robot: PlacedRobot) -> None:
        """Show a slider for each joint that has a servo."""
        moved = [joint for joint in robot.built.joints if joint.driven and not joint.follows]
        if moved:
            ui.label("Joints").classes("us-heading q-mt-sm")
        for joint in moved:
            low, high = (max(min(end, math.pi), -math.pi) for end in joint.motion.ends)
            call = partial(self._commands.aim, robot.name, joint.name)
            with ui.row().classes("full-width items-center no-wrap gap-2"):
                ui.label(joint.name).classes("us-quiet").style("min-width: 64px").tooltip(joint.motion.kind)
                slider = ui.slider(min=low, max=high, step=(high - low) / 200, value=joint.motion.start)
                slider.on_value_change(lambda event, call=call: call(float(event.value)))
                slider.classes("col").props(f'aria-label="{joint.name}"').tooltip(f"turn or slide {joint.name}")
                slider.mark(f"servo-{joint.name}")
                self._values[f"joint {joint.name}"] = ui.label("").classes("us-value").style("min-width: 56px")

    def _row(self, key: str) -> None:
        with ui.row().classes("full-width items-center no-wrap gap-1"):
            ui.label(key).classes("us-quiet").style("min-width: 64px")
            self._values[key] = ui.label("").classes("us-value").mark(f"value-{key}")

    def _update(self) -> None:
        """Show the last values, and request new ones."""
        for key, text in self._fresh.items():
            if key in self._values and self._values[key].text != text:
                self._values[key].text = text
        if self._offered != self._shown:
            self._show_faces()
        if self._lcd_view is not None:
            self._show_lcd(self._lcd_view)
        if self._name:
            name = self._name
            self._runner.ask(lambda sim: self._read(sim, name))

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
                        button.props("dense no-caps size=sm").mark(f"offer-{offer.label}")
                        button.tooltip(f"{unit}: {offer.label}")

    def _read(self, sim: Sim, name: str) -> None:
        """Read all values, in the simulation's thread."""
        if any(robot.name == name for robot in sim.current.robots):
            self._fresh = values(sim, name)
            offered, view = faces(sim, name), lcd_view(sim, name, self._lcd_view)
            if name == self._name:
                self._offered, self._lcd_view = offered, view


def faces(sim: Sim, name: str) -> Faces:
    """Return what the units of a robot offer, by path; those that offer nothing are left out."""
    view = sim.view()
    mine = [unit for unit in view.units() if unit.startswith(f"{name}/")]
    return {unit: offers for unit in mine if (offers := view.offers(unit))}


def values(sim: Sim, name: str) -> dict[str, str]:
    """Return the displayed values of a robot, as text by row."""
    row = sim.row(name)
    robot, twist = sim.robot(name), sim.view().twists()[row]
    pose = robot.pose
    ahead = twist[0] * math.cos(pose.heading_rad) + twist[1] * math.sin(pose.heading_rad)
    found = {
        "pose": f"{pose.x_m:.3f}, {pose.y_m:.3f} m, {math.degrees(pose.heading_rad):.1f}°",
        "motion": f"{ahead:+.2f} m/s, {math.degrees(twist[5]):+.0f} °/s",
        "stalled": "yes" if robot.stalled else "no",
        "odometry": _odometry(sim, name),
        "program": _program(sim, name),
    }
    for joint in sim.current.robots[row].built.joints:
        found[f"joint {joint.name}"] = _position(joint, robot.servo(joint.name).position)
    for device in sim.current.robots[row].built.devices:
        found[f"{name}/{device.name}"] = reading(device.sheet, robot.read(device.name))
    return found


def _program(sim: Sim, name: str) -> str:
    """Return which program drives a robot, and the line at which it is, if that is known."""
    program = sim.data(name).program
    title = program.title if program else ""
    return ", ".join(f"{at.program}:{at.line} {at.words}" for at in sim.program_positions().get(name, ())) or title


def _position(joint: Joint, position: float) -> str:
    """Return a joint position, in degrees or millimetres."""
    turns = isinstance(joint.motion, Revolute)
    return f"{math.degrees(position):.1f}°" if turns else f"{1000 * position:.0f} mm"


def _odometry(sim: Sim, name: str) -> str:
    place = sim.view().odometry(name)
    return "none" if place is None else f"{place[0]:.3f}, {place[1]:.3f} m, {math.degrees(place[2]):.1f}°"


def reading(sheet: Any, value: np.ndarray[Any, Any]) -> str:
    """Return a short text for a reading: the nearest range, or the first values with their names."""
    ranges = sheet.ranges(value)
    if ranges is not None:
        seen = ranges[np.isfinite(ranges)]
        return f"nearest {seen.min():.2f} m" if len(seen) else "nothing"
    parts = [f"{name} {number:.4g}" for name, number in zip(sheet.columns(), value.tolist())]
    more = f" ... {len(parts)}" if len(parts) > MOST_VALUES else ""
    return ", ".join(parts[:MOST_VALUES]) + more


def _small(icon: str, hint: str, call: Any) -> None:
    ui.button(icon=icon, on_click=call).props(f'flat dense size=sm aria-label="{hint}"').tooltip(hint)
