"""Replies that need a look at the scene, as trees of plain values; what does not exist raises UnknownName."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.protocols.base import Tree
from understudy.protocols.scene_view import SceneView
from understudy.units import US_PER_S

VERSION = 1
Look = Callable[[SceneView, Mapping[str, Any]], Tree]


def hello(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return the name of the protocol, its version and its requests."""
    from understudy.protocols.json_lines.requests import REQUESTS

    return {"protocol": "json_lines", "version": VERSION, "requests": list(REQUESTS)}


def time(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return the simulated time and whether it is paused."""
    return {"t_s": view.t_us / US_PER_S, "paused": view.paused}


def robots(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return what there is of each robot."""
    devices, moves = view.devices(), view.joints()
    return {
        "robots": [
            {"name": r.name, "model": r.model, "sensors": _of(r.name, devices), "joints": _of(r.name, moves)}
            for r in view.robots
        ]
    }


def _of(robot: str, paths: Any) -> list[str]:
    return [path for path in paths if path.startswith(f"{robot}/")]


def _chosen(view: SceneView, given: Mapping[str, Any], paths: Any) -> list[str]:
    """Return the paths of one robot, or all; raises UnknownName."""
    if given["robot"] is None:
        return list(paths)
    view.stalled(given["robot"])  # it must exist
    return _of(given["robot"], paths)


def sensors(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return kind and values of each sensor: 1 for a single value, else how many there are."""
    return {"sensors": [_sensor(view, path) for path in _chosen(view, given, view.devices())]}


def _sensor(view: SceneView, path: str) -> Tree:
    named = by_name(view.columns(path), [0.0] * len(view.columns(path)))
    sizes = {name: len(value) if isinstance(value, list) else 1 for name, value in named.items()}
    return {"name": path, "kind": view.sheet(path).kind, "values": sizes}


def read(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return the newest reading of a sensor."""
    path = given["sensor"]
    stamp_us = view.stamp_us(path)
    values = by_name(view.columns(path), [finite(value) for value in view.reading(path).tolist()])
    return {"sensor": path, "t_s": None if stamp_us < 0 else stamp_us / US_PER_S, "values": values}


def by_name(columns: tuple[str, ...], values: list[Any]) -> Tree:
    """Return values by the names of their columns; those with an index become a list.

    >>> by_name(("range_m[0]", "range_m[1]", "stalled"), [2.0, None, 0.0])
    {'range_m': [2.0, None], 'stalled': 0.0}
    """
    named: Tree = {}
    for column, value in zip(columns, values):
        name, bracket, _ = column.partition("[")
        if bracket:
            named.setdefault(name, []).append(value)
        else:
            named[name] = value
    return named


def finite(value: float) -> float | None:
    """Return a number as JSON can hold it: None in place of NaN and infinity."""
    return value if math.isfinite(value) else None


def pose(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return the true pose of a robot and whether something blocks it."""
    at = view.pose(given["robot"])
    heading_deg = finite(math.degrees(at.heading_rad))
    place = {"x_m": finite(at.x_m), "y_m": finite(at.y_m), "z_m": finite(at.z_m), "heading_deg": heading_deg}
    return {"robot": given["robot"], **place, "stalled": view.stalled(given["robot"])}


def joints(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Return how joints move."""
    moves = view.joints()
    return {"joints": {path: _joint(moves[path]) for path in _chosen(view, given, moves)}}


def _joint(joint: Any) -> Tree:
    return {name: finite(getattr(joint, name)) for name in ("position", "speed", "effort")}


def servo(view: SceneView, given: Mapping[str, Any]) -> Tree:
    """Confirm the order to a joint; one that does not exist or has no servo has ignored it."""
    driven = [
        f"{robot.name}/{joint.name}"
        for robot in view.robots for joint in robot.built.joints if joint.driven and not joint.follows
    ]  # fmt: skip
    if given["joint"] not in driven:
        raise UnknownName(f"no joint with a servo is named {given['joint']!r} {nearest(given['joint'], driven)}")
    return {"ok": True}
