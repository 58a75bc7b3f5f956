"""The right side: what the selected robot does and reads, its devices and ports."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from nicegui import ui

from understudy.sim.sim import Sim
from understudy.studio.desk import Desk
from understudy.studio.lookout import odometry
from understudy.studio.stage import Stage
from understudy.world.joints import Joint, Revolute
from understudy.world.robot import Robot

EVERY_S = 0.25
MOST_VALUES = 6


class RobotPanel:
    """Shows one robot, or what else is selected."""

    def __init__(self, stage: Stage, desk: Desk) -> None:
        self._stage, self._desk = stage, desk
        self._name = ""
        self._values: dict[str, ui.label] = {}
        self._fresh: dict[str, str] = {}
        self._body = ui.column().classes("full-width gap-1").mark("panel")
        with self._body:
            ui.label("Select a robot: click it in a view.").classes("us-quiet")
        ui.timer(EVERY_S, self._update)

    def show(self, name: str, what: str) -> None:
        """Show the thing of this name."""
        self._name = name if what == "robot" else ""
        self._values.clear()
        self._body.clear()
        with self._body:
            if not name:
                ui.label("Select a robot: click it in a view.").classes("us-quiet")
                return
            ui.label(name).classes("text-subtitle1 text-weight-bold").mark("selected")
            self._actions(name, what)
            if what == "robot":
                self._rows(name)

    def _actions(self, name: str, what: str) -> None:
        with ui.row().classes("gap-1"):
            if what == "robot":
                _small("home", "back to its start, odometer to zero (Home)", lambda: self._desk.home(name))
            _small("content_copy", "a copy beside it (D)", lambda: self._desk.duplicate(name))
            _small("delete", "take it away (Delete)", lambda: self._desk.remove(name))

    def _rows(self, name: str) -> None:
        robot = next((r for r in self._stage.sim.current.robots if r.name == name), None)
        if robot is None:
            return
        ui.label(robot.built.summary or robot.model).classes("us-quiet")
        for key in ("place", "motion", "odometry", "stalled"):
            self._row(key)
        if robot.program:
            ui.label(f"program {robot.program.file}").classes("us-quiet")
        self._servos(robot)
        ui.label("Devices").classes("us-heading q-mt-sm")
        for device in robot.built.devices:
            path = f"{name}/{device.name}"
            with ui.row().classes("full-width items-center no-wrap gap-1"):
                on = ui.checkbox(value=True, on_change=lambda e, path=path: self._desk.switch(path, bool(e.value)))
                on.props(f'dense aria-label="{device.name} on"').tooltip("on or off")
                ui.label(device.name).classes("us-quiet").style("min-width: 64px").tooltip(device.sheet.kind)
                self._values[path] = ui.label("").classes("us-value col ellipsis")
        mine = {path: info for path, info in self._stage.sim.ports.info().items() if path.startswith(f"{name}/")}
        if mine:
            ui.label("Ports").classes("us-heading q-mt-sm")
        for path, info in mine.items():
            if info.url:
                with ui.row().classes("full-width items-center no-wrap gap-1"):
                    ui.label(path.partition("/")[2]).classes("us-quiet").style("min-width: 64px")
                    ui.label(info.url).classes("us-value").style("user-select: text")

    def _servos(self, robot: Robot) -> None:
        """Show a slider for each joint that has a servo."""
        moved = [joint for joint in robot.built.joints if joint.driven and not joint.follows]
        if moved:
            ui.label("Joints").classes("us-heading q-mt-sm")
        for joint in moved:
            low, high = (max(min(end, math.pi), -math.pi) for end in joint.motion.ends)
            call = partial(self._desk.aim, robot.name, joint.name)
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
        """Show what was read last, and ask for the next reading."""
        for key, text in self._fresh.items():
            if key in self._values and self._values[key].text != text:
                self._values[key].text = text
        if self._name:
            name = self._name
            self._stage.ask(lambda sim: self._read(sim, name))

    def _read(self, sim: Sim, name: str) -> None:
        """Read everything, in the simulation's thread."""
        if any(robot.name == name for robot in sim.current.robots):
            self._fresh = values(sim, name)


def values(sim: Sim, name: str) -> dict[str, str]:
    """Return what there is to say of a robot, as text by row."""
    row = sim.row(name)
    robot, twist = sim.robot(name), sim.current.engine.twists()[row]
    pose = robot.pose
    ahead = twist[0] * math.cos(pose.heading_rad) + twist[1] * math.sin(pose.heading_rad)
    found = {
        "place": f"{pose.x_m:.3f}, {pose.y_m:.3f} m, {math.degrees(pose.heading_rad):.1f}°",
        "motion": f"{ahead:+.2f} m/s, {math.degrees(twist[5]):+.0f} °/s",
        "stalled": "yes" if robot.stalled else "no",
        "odometry": _odometry(sim, name),
    }
    for joint in sim.current.robots[row].built.joints:
        found[f"joint {joint.name}"] = _position(joint, robot.servo(joint.name).position)
    for device in sim.current.robots[row].built.devices:
        found[f"{name}/{device.name}"] = reading(device.sheet, robot.read(device.name))
    return found


def _position(joint: Joint, position: float) -> str:
    """Return where a joint is, in degrees or millimetres."""
    turns = isinstance(joint.motion, Revolute)
    return f"{math.degrees(position):.1f}°" if turns else f"{1000 * position:.0f} mm"


def _odometry(sim: Sim, name: str) -> str:
    place = odometry(sim.current, next(r for r in sim.current.robots if r.name == name))
    return "none" if place is None else f"{place[0]:.3f}, {place[1]:.3f} m, {math.degrees(place[2]):.1f}°"


def reading(sheet: Any, value: np.ndarray[Any, Any]) -> str:
    """Return a reading in few words: of a ranger the nearest, of anything else its first values with their names."""
    if hasattr(sheet, "ranges"):
        ranges = sheet.ranges(value)
        seen = ranges[np.isfinite(ranges)]
        return f"nearest {seen.min():.2f} m" if len(seen) else "nothing"
    names = sheet.columns() if hasattr(sheet, "columns") else ()
    parts = [f"{name} {number:.4g}" for name, number in zip(names, value.tolist())]
    more = f" ... {len(parts)}" if len(parts) > MOST_VALUES else ""
    return ", ".join(parts[:MOST_VALUES]) + more


def _small(icon: str, hint: str, call: Any) -> None:
    ui.button(icon=icon, on_click=call).props(f'flat dense size=sm aria-label="{hint}"').tooltip(hint)
