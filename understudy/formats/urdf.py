"""URDF robots: links with bodies and masses, held together by fixed, turning and sliding joints, as one robot here.

Wheels are links on continuous joints whose axis is level; links called castor are castors; what is left gives outline,
height, mass and centre of gravity. What links look like is kept beside that. Laser scanners are taken from the
``<gazebo>`` elements. Other moving joints stay where they are at 0. Format: the ROS wiki, "urdf/XML"; SDF's sensor
element for what Gazebo adds.
"""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from understudy.errors import FormatError, Problem
from understudy.formats import robot_parts, xml_text
from understudy.formats.document import Document, as_text
from understudy.formats.robot_parts import Array, CastorBody, LookBody, Rig, Table, WheelBody
from understudy.formats.urdf_looks import Painter, wheel_below
from understudy.formats.urdf_shapes import Beside, Notes, origin, points_of
from understudy.formats.xml_text import Element
from understudy.world.resolve import legal
from understudy.world.robot import Robot
from understudy.world.scene import Scene
from understudy.world.turns import turn_of
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".urdf",)

_ROOT = re.compile(rb"<robot[\s>]")
_MOVING = ("revolute", "prismatic", "continuous", "floating", "planar")
_JOINTS = ("fixed", *_MOVING)
_MOST_LINKS = 2_000
_LEVEL = 0.2  # how steep the axle of a wheel may be
_RAYS = ("ray", "gpu_ray", "lidar", "gpu_lidar")


@dataclass(frozen=True, eq=False)
class Link:
    """A link, where it is when all joints are at 0, and the joint that holds it."""

    element: Element
    name: str
    matrix: Array
    joint: Element | None

    @property
    def kind(self) -> str:
        """Return the kind of its joint."""
        return self.joint.get("type") if self.joint else "fixed"

    @property
    def above(self) -> str:
        """Return the name of the link that holds it, nothing for the root."""
        parent = self.joint.first("parent") if self.joint else None
        return parent.get("link") if parent else ""

    def axis(self, file: str) -> Array:
        """Return the axis of its joint in the frame of the robot."""
        element = self.joint.first("axis") if self.joint else None
        own = xml_text.numbers(element.get("xyz", "1 0 0"), 3, file, element.line, "an axis") if element else (1, 0, 0)
        length = math.hypot(*own)
        if not length > 0.0:
            raise FormatError(f"{file}:{element.line if element else 0}: not an axis: all its numbers are 0")
        return np.asarray(self.matrix[:3, :3] @ np.array(own) / length)


@dataclass(frozen=True)
class Found:
    """A robot of a URDF file as a table, and what became of each of its links and sensors."""

    name: str
    table: Table
    became: tuple[Problem, ...]
    lost: tuple[Problem, ...]


def sniff(data: bytes, name: str) -> bool:
    """Say whether a file of this content and name is a URDF robot."""
    return b"\0" not in data[:1000] and _ROOT.search(data[:10_000]) is not None and b"<link" in data


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with nothing but the robot that the file describes; raises FormatError."""
    found = robot(data, file, folder)
    placed = Robot(name=found.name, overrides=found.table)
    text = as_text(data, file)
    return Document(
        Scene(name=found.name, robots=(placed,)), file, text, folder, {("robot", 0): 1}, warnings=found.lost,
        became=found.became,
    )  # fmt: skip


def robot(data: bytes | str, file: str, folder: pathlib.Path | None = None) -> Found:
    """Return the robot that a file describes; meshes are looked for beside it; raises FormatError."""
    root = xml_text.parse(as_text(data, file).encode(), file)
    if root.tag != "robot":
        raise FormatError(f"{file}:{root.line}: not a URDF robot (its outermost element is {root.tag!r}, want 'robot')")
    notes = Notes(file)
    rig = _rig(root, _links(root, file), file, Beside(folder), notes)
    frame = robot_parts.frame_of(rig, np.array([1.0, 0.0]))
    name = legal(root.get("name") or pathlib.PurePath(file).stem, "robot")
    return Found(name, robot_parts.robot_table(rig, frame), notes.sorted(notes.became), notes.sorted(notes.lost))


# ---- the tree


def _links(root: Element, file: str) -> list[Link]:
    """Return the links from the root of the tree down; raises if they are no tree."""
    elements = {link.get("name"): link for link in root.all("link")}
    if not elements or "" in elements:
        raise FormatError(f"{file}:{root.line}: want links, each with a name")
    if len(elements) > _MOST_LINKS:
        raise FormatError(f"{file}: {len(elements):,} links are too many (at most {_MOST_LINKS:,})")
    held: dict[str, tuple[str, Element]] = {}
    for joint in root.all("joint"):
        parent, child = _ends(joint, elements, file)
        if child in held:
            raise FormatError(f"{file}:{joint.line}: the link {child!r} has a joint already; want a tree")
        held[child] = (parent, joint)
    roots = [name for name in elements if name not in held]
    if len(roots) != 1:
        raise FormatError(f"{file}: {len(roots)} links have no joint above them (want one, the root: {roots[:5]})")
    return list(_walk(roots[0], elements, held, file))


def _ends(joint: Element, elements: Mapping[str, Element], file: str) -> tuple[str, str]:
    parent, child = (element.get("link") if (element := joint.first(tag)) else "" for tag in ("parent", "child"))
    for end in (parent, child):
        if end not in elements:
            raise FormatError(f"{file}:{joint.line}: the joint {joint.get('name')!r} names no link: {end!r}")
    if joint.get("type") not in _JOINTS:
        raise FormatError(
            f"{file}:{joint.line}: no such joint {joint.get('type')!r} (want one of: {', '.join(_JOINTS)})"
        )
    return parent, child


def _walk(
    root: str, elements: Mapping[str, Element], held: Mapping[str, tuple[str, Element]], file: str
) -> Iterator[Link]:
    children: dict[str, list[str]] = {}
    for child, (parent, _) in held.items():
        children.setdefault(parent, []).append(child)
    todo = [Link(elements[root], root, np.eye(4), None)]
    while todo:
        link = todo.pop()
        yield link
        for child in children.get(link.name, ()):
            joint = held[child][1]
            todo.append(Link(elements[child], child, link.matrix @ origin(joint, file), joint))


# ---- what each link is


def _rig(root: Element, links: list[Link], file: str, beside: Beside, notes: Notes) -> Rig:
    """Return the parts of the robot, and note what each link became."""
    wheels: list[WheelBody] = []
    castors: list[CastorBody] = []
    points: list[Array] = []

    steered = _steered(links, file)
    for link in links:
        cloud = _cloud(link, file, beside, notes)
        what = _kind(link, file) if len(cloud) else "nothing to see or touch"
        if what == "a wheel":
            wheels.append(_wheel(link, cloud, link.name in steered, file))
        elif what == "a castor":
            low, high = cloud.min(axis=0), cloud.max(axis=0)
            castors.append(CastorBody(legal(link.name, "castor"), (low + high) / 2, float(high[2] - low[2]) / 2))
        elif len(cloud):
            points.append(cloud)
        held = " that stays where it is at 0" if link.kind in _MOVING and what == "part of the body" else ""
        notes.say(link.element, f"link {link.name!r} became {what}{held}")
    body = np.concatenate(points) if points else np.zeros((0, 3))
    mass, cog = _mass(links, file)
    lone = len(wheels) > 2 and not any(wheel.steered for wheel in wheels)
    driven = _driven(wheels) if lone else tuple(wheels)
    name, devices = root.get("name") or "a robot", _sensors(root, links, file, notes)
    looks = tuple(_looks(links, Painter(root, file, beside, notes), {wheel.name for wheel in wheels}))
    return Rig(body, driven, tuple(castors), devices, mass, cog, f"{name}, from a URDF file", looks)


def _looks(links: list[Link], painter: Painter, wheels: set[str]) -> Iterator[LookBody]:
    """Yield what the links look like; what is fixed to a wheel turns with it."""
    known = {link.name: legal(link.name, "wheel") for link in links if legal(link.name, "wheel") in wheels}
    parents = {link.name: (link.above, link.kind) for link in links}
    for link in links:
        yield from painter.looks(link.element, link.matrix, wheel_below(link.name, parents, known))


def _driven(wheels: list[WheelBody]) -> tuple[WheelBody, ...]:
    """Return wheels of which an odd one, such as a third, only rolls along."""
    if len(wheels) % 2 == 0:
        return tuple(wheels)
    alone = min(wheels, key=lambda wheel: abs(wheel.centre[1]))
    return tuple(WheelBody(w.name, w.centre, w.axle, w.radius_m, w.width_m, w is not alone, w.steered) for w in wheels)


def _kind(link: Link, file: str) -> str:
    if robot_parts.is_castor(link.name):
        return "a castor"
    turns = link.kind == "continuous" or (link.kind == "revolute" and robot_parts.is_wheel(link.name))
    if (
        turns
        and abs(link.axis(file)[2]) < _LEVEL
        and not robot_parts.is_castor(link.joint.get("name") if link.joint else "")
    ):
        return "a wheel"
    return "part of the body"


def _steered(links: list[Link], file: str) -> set[str]:
    """Return the wheels whose parent turns about an upright axis."""
    by_name = {link.name: link for link in links}
    found = set()
    for link in links:
        above = by_name.get(link.above)
        if above and above.kind in ("revolute", "continuous") and abs(above.axis(file)[2]) > 1.0 - _LEVEL:
            found.add(link.name)
    return found


def _wheel(link: Link, cloud: Array, steered: bool, file: str) -> WheelBody:
    return robot_parts.wheel_of(legal(link.name, "wheel"), cloud, link.axis(file), steered=steered)


def _cloud(link: Link, file: str, beside: Beside, notes: Notes) -> Array:
    """Return points of what a link is made of, in the frame of the robot: its collision bodies, or else its looks."""
    for tag in ("collision", "visual"):
        clouds = [
            points_of(part, link.matrix @ origin(part, file), file, beside, notes) for part in link.element.all(tag)
        ]
        clouds = [cloud for cloud in clouds if len(cloud)]
        if clouds:
            return np.concatenate(clouds)
    return np.zeros((0, 3))


def _mass(links: list[Link], file: str) -> tuple[float, Array | None]:
    """Return the mass of all links and where its centre is (kg, m)."""
    total, moment = 0.0, np.zeros(3)
    for link in links:
        inertial = link.element.first("inertial")
        mass = inertial.first("mass") if inertial else None
        if inertial is None or mass is None:
            continue
        (kg,) = xml_text.numbers(mass.get("value"), 1, file, mass.line, "a mass")
        if kg < 0.0:
            raise FormatError(f"{file}:{mass.line}: a mass below 0")
        total += kg
        moment += kg * (link.matrix @ origin(inertial, file))[:3, 3]
    return total, moment / total if total > 0.0 else None


# ---- sensors


def _sensors(root: Element, links: list[Link], file: str, notes: Notes) -> dict[str, tuple[Table, Array]]:
    by_name = {link.name: link for link in links}
    found: dict[str, tuple[Table, Array]] = {}
    for gazebo in root.all("gazebo"):
        link = by_name.get(gazebo.get("reference"))
        for sensor in gazebo.all("sensor") if link else ():
            assert link is not None
            name = legal(sensor.get("name") or "sensor", "sensor")
            scan = sensor.first("ray") or sensor.first("lidar")
            if sensor.get("type") not in _RAYS or scan is None or name in found:
                notes.lose(sensor, f"sensor {name!r} of kind {sensor.get('type')!r} is left out")
                continue
            sheet, ahead = _laser(sensor, scan, file)
            found[name] = (sheet, link.matrix @ _pose(sensor, file) @ ahead)
            notes.say(sensor, f"sensor {name!r} became a laser")
    return found


def _pose(sensor: Element, file: str) -> Array:
    made, pose = np.eye(4), sensor.first("pose")
    if pose is not None and pose.text.strip():
        x, y, z, roll, pitch, yaw = xml_text.numbers(pose.text, 6, file, pose.line, "a pose")
        made[:3, :3], made[:3, 3] = turn_of(roll, pitch, yaw), (x, y, z)
    return made


def _laser(sensor: Element, scan: Element, file: str) -> tuple[Table, Array]:
    """Return a scanner, and how far the middle of its field is turned from where the sensor looks."""

    def number(default: float, *tags: str) -> float:
        element = scan.find(*tags)
        return xml_text.numbers(element.text, 1, file, element.line, tags[-1])[0] if element else default

    across = ("scan", "horizontal")
    low, high = number(-1.57, *across, "min_angle"), number(1.57, *across, "max_angle")
    rays = min(max(int(number(181, *across, "samples")), 1), 100_000)
    table: Table = {
        "kind": "laser",
        "rays": rays,
        "field_rad": min(max(high - low, 1e-3), math.tau),
        "min_m": max(number(0.0, "range", "min"), 0.0),
        "max_m": max(number(8.0, "range", "max"), 0.01),
    }
    rate = sensor.first("update_rate")
    hertz = xml_text.numbers(rate.text, 1, file, rate.line, "a rate")[0] if rate and rate.text.strip() else 0.0
    if 1e-3 < hertz < 1e5:
        table["period_us"] = max(round(1e6 / hertz), 1)
    ahead = np.eye(4)
    ahead[:3, :3] = turn_of(0.0, 0.0, (low + high) / 2)
    return table, ahead
