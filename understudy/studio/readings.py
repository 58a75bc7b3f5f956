"""Everything that can be read of a robot, for the panel: its motion, its joints and all values of its sensors.

A section is one table of the panel. Its values are those of a channel, so that each of them can also be plotted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.errors import UnknownName
from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.sim import recording
from understudy.sim.recording import Channel, Moment
from understudy.sim.sim import Sim
from understudy.sim.view import View
from understudy.studio.quantities import Quantity, in_degrees, quantity
from understudy.world.joints import Revolute
from understudy.world.robot import DeviceSpec, PlacedRobot

MOST_VALUES = 400  # of one sensor that are listed
ODOMETRY_COLUMNS = ("x_m", "y_m", "heading_rad")
JOINT_COLUMNS = ("position", "speed", "effort")
Pictures = Mapping[str, npt.NDArray[Any]]


@frozen
class ReadingTable:
    """A table of the panel: a path that names it, its kind, and its values."""

    path: str
    title: str
    kind: str
    values: tuple[Quantity, ...]
    bearings_deg: tuple[float, ...] = ()  # of ranges, to the left
    limit_m: float = 0.0
    pictures: tuple[str, ...] = ()
    is_device: bool = False
    on: bool = True

    def plain(self) -> dict[str, Any]:
        """Return it as plain values for a browser."""
        return {
            "path": self.path, "title": self.title, "kind": self.kind, "device": self.is_device, "on": self.on,
            "values": [[value.name, value.unit] for value in self.values], "bearings": self.bearings_deg,
            "limit": self.limit_m, "pictures": self.pictures,
        }  # fmt: skip


def sections(sim: Sim, name: str) -> list[ReadingTable]:
    """Return the sections of a robot; raises UnknownName."""
    robot, view = _robot(sim.view(), name), sim.view()
    parts = ["pose", "velocity", *(["odometry"] if view.odometry(name) is not None else [])]
    moving = [_told(view, f"{name}/{part}", "true" if part != "odometry" else "estimated") for part in parts]
    joints = [_told(view, f"{name}/{joint.name}", "joint") for joint in robot.built.joints]
    return [*moving, *joints, *(_device(view, name, device) for device in robot.built.devices)]


def _told(view: View, path: str, kind: str) -> ReadingTable:
    return ReadingTable(path, path.partition("/")[2], kind, quantities(view, path))


def quantities(view: View, path: str) -> tuple[Quantity, ...]:
    """Return what the values of a section are: a sensor's in its own units, others in degrees instead of radians."""
    columns = channel(view, path).columns
    if view.has_device(path):
        return tuple(map(quantity, columns[:MOST_VALUES]))
    if columns != JOINT_COLUMNS:
        return tuple(in_degrees(quantity(column)) for column in columns)
    name, _, part = path.partition("/")
    joint = next(joint for joint in _robot(view, name).built.joints if joint.name == part)
    units = ("rad", "rad/s", "N m") if isinstance(joint.motion, Revolute) else ("m", "m/s", "N")
    return tuple(in_degrees(Quantity(column, unit, 4)) for column, unit in zip(columns, units))


def _device(view: View, robot: str, device: DeviceSpec) -> ReadingTable:
    path = f"{robot}/{device.name}"
    sheet = view.sheet(path)
    images = sheet.pictures(view.reading(path))
    values = quantities(view, path) if images is None else ()
    bearings, limit_m = _bearings(sheet, device) if images is None else ((), 0.0)
    return ReadingTable(
        path, device.name, sheet.kind, values, bearings, limit_m, tuple(images or ()), is_device=True,
        on=view.is_on(path),
    )  # fmt: skip


def _bearings(sheet: Any, device: DeviceSpec) -> tuple[tuple[float, ...], float]:
    """Return the direction of each range (degrees to the left) and the farthest range (m); none without ranges."""
    blank = sheet.ranges(sheet.blank())
    table = sheet.table(device.mount) if blank is not None and len(blank) > 1 else None
    if table is None or len(table.directions) % len(blank):
        return (), 0.0
    middle = table.directions.reshape(len(blank), -1, 3).mean(axis=1)
    bearings = np.degrees(np.arctan2(middle[:, 1], middle[:, 0]))
    return tuple(np.round(bearings, 2).tolist()), float(table.limit_m)


def parts_of(view: View, name: str) -> object:
    """Return what the sections of a robot depend on, to be compared by identity; raises UnknownName."""
    return _robot(view, name).built


def _robot(view: View, name: str) -> PlacedRobot:
    robot = next((robot for robot in view.robots if robot.name == name), None)
    if robot is None:
        raise UnknownName(f"there is no robot {name!r}")
    return robot


# ---- channels


def channel(view: View, path: str) -> Channel:
    """Return the channel of a section; raises UnknownName."""
    robot, _, part = path.partition("/")
    if view.has_device(path):
        return recording.channel(view, path)
    if part == "odometry":
        return Channel(path, ODOMETRY_COLUMNS, lambda moment: moment.view.odometry(robot) or (math.nan,) * 3)
    if path in view.joints():
        return Channel(path, JOINT_COLUMNS, lambda moment: _joint_row(moment, path))
    return recording.channel(view, path)


def _joint_row(moment: Moment, path: str) -> tuple[float, ...]:
    state = moment.view.joints().get(path)
    if state is None:
        raise UnknownName(f"there is no joint {path!r}")
    return state.position, state.speed, state.effort


# ---- values


@frozen
class Figures:
    """The values of a section at one moment: texts, and ranges (m) for the plot; None where there is no number."""

    path: str
    texts: tuple[str, ...]
    ranges_m: tuple[float | None, ...] = ()
    brief: str = ""
    on: bool = True

    def plain(self) -> dict[str, Any]:
        """Return them as plain values for a browser."""
        return {"path": self.path, "texts": self.texts, "ranges": self.ranges_m, "brief": self.brief, "on": self.on}


def figures(view: View, section: ReadingTable, is_open: bool) -> Figures:
    """Return the values of a section; only its summary unless it is open."""
    on = not section.is_device or view.is_on(section.path)
    if section.pictures:
        return Figures(section.path, (), brief=", ".join(section.pictures), on=on)
    values = np.asarray(channel(view, section.path).read(Moment(view)), float)
    numbers = values[: len(section.values)].tolist()
    ranges = view.sheet(section.path).ranges(values) if section.is_device else None
    brief = _brief(section, numbers, ranges)
    if not is_open:
        return Figures(section.path, (), brief=brief, on=on)
    texts = tuple(quantity.text(number) for quantity, number in zip(section.values, numbers))
    shown = () if ranges is None or not section.bearings_deg else tuple(map(_finite, ranges.tolist()))
    return Figures(section.path, texts, shown, brief, on)


def _brief(section: ReadingTable, numbers: list[float], ranges: Array | None) -> str:
    """Return the summary of a section: the nearest range, or the first values."""
    if ranges is not None and len(ranges) > 1:
        seen = ranges[np.isfinite(ranges) & (ranges < section.limit_m)]
        return f"nearest {seen.min():.3f} m" if len(seen) else "nothing in range"
    shown = [f"{q.text(number)} {q.unit}".strip() for q, number in zip(section.values, numbers)]
    return ", ".join(shown[:3]) + (" …" if len(shown) > 3 else "")


def _finite(number: float) -> float | None:
    return round(number, 4) if math.isfinite(number) else None


def pictures(view: View, section: ReadingTable) -> Pictures:
    """Return copies of the images of a camera by name."""
    found: Pictures = view.sheet(section.path).pictures(view.reading(section.path))
    return found
