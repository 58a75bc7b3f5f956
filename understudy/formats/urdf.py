"""URDF robots: links with bodies and masses, held together by fixed, turning and sliding joints, as one robot here.

Wheels are links on continuous joints whose axis is level; links called castor are castors; what is left gives outline,
height, mass and centre of gravity. Other moving joints become joints with servos, and the links on them parts. What
links look like is kept beside that. Laser scanners are taken from the ``<gazebo>`` elements. Format: the ROS wiki,
"urdf/XML"; SDF's sensor element for what Gazebo adds.
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
from understudy.formats.robot_parts import Array, CastorBody, LookBody, PartBody, Rig, Table, WheelBody
from understudy.formats.urdf_joints import carriers, joint_name, joints_of, parts_of
from understudy.formats.urdf_links import MOVING, Link, links_of
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
_LEVEL = 0.2  # how steep the axle of a wheel may be
_STANDS = 0.25  # of its height: how far above the lowest point of a robot a wheel may end
_RAYS = ("ray", "gpu_ray", "lidar", "gpu_lidar")


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
    scene = Scene(name=found.name, engine="rigid" if _needs_rigid(found.table) else "planar", robots=(placed,))
    return Document(
        scene, file, text, folder, {("robot", 0): 1}, warnings=found.lost,
        became=found.became,
    )  # fmt: skip


def _needs_rigid(table: Table) -> bool:
    """Say whether a robot has joints that no floor plan can show."""
    return any(
        joint["kind"] == "prismatic" or joint["axis"][:2] != [0.0, 0.0] for joint in table.get("joint", {}).values()
    )


def robot(data: bytes | str, file: str, folder: pathlib.Path | None = None) -> Found:
    """Return the robot that a file describes; meshes are looked for beside it; raises FormatError."""
    root = xml_text.parse(as_text(data, file).encode(), file)
    if root.tag != "robot":
        raise FormatError(f"{file}:{root.line}: not a URDF robot (its outermost element is {root.tag!r}, want 'robot')")
    notes = Notes(file)
    rig = _rig(root, links_of(root, file), file, Beside(folder), notes)
    frame = robot_parts.frame_of(rig, np.array([1.0, 0.0]))
    name = legal(root.get("name") or pathlib.PurePath(file).stem, "robot")
    return Found(name, robot_parts.robot_table(rig, frame), notes.sorted(notes.became), notes.sorted(notes.lost))


# ---- what each link is


def _rig(root: Element, links: list[Link], file: str, beside: Beside, notes: Notes) -> Rig:
    """Return the parts of the robot, and note what each link became."""
    wheels: list[WheelBody] = []
    castors: list[CastorBody] = []
    points: list[Array] = []

    steered = _steered(links, file)
    clouds = {link.name: _cloud(link, file, beside, notes) for link in links}
    lowest = min((cloud[:, 2].min() for cloud in clouds.values() if len(cloud)), default=0.0)
    kinds = {link.name: _kind(link, clouds[link.name], lowest, file) for link in links}
    moved = carriers(links, {name for name, what in kinds.items() if what in ("a wheel", "a castor")})
    names = {link.name: joint_name(link) for link in links if moved.get(link.name) == link.name}
    parts: list[PartBody] = []
    for link in links:
        cloud, what = clouds[link.name], kinds[link.name]
        if link.name in moved:
            what = f"a part on the joint {names[moved[link.name]]!r}"
            parts += parts_of(link, names[moved[link.name]], file, beside, notes)
        elif what == "a wheel":
            wheels.append(_wheel(link, cloud, link.name in steered, file))
        elif what == "a castor":
            low, high = cloud.min(axis=0), cloud.max(axis=0)
            castors.append(CastorBody(legal(link.name, "castor"), (low + high) / 2, float(high[2] - low[2]) / 2))
        elif len(cloud):
            points.append(cloud)
        held = " that stays where it is at 0" if link.kind in MOVING and what == "part of the body" else ""
        notes.say(link.element, f"link {link.name!r} became {what}{held}")
    body = np.concatenate(points) if points else np.zeros((0, 3))
    mass, cog = _mass(links, file)
    lone = len(wheels) > 2 and not any(wheel.steered for wheel in wheels)
    driven = _driven(wheels) if lone else tuple(wheels)
    name = root.get("name") or "a robot"
    sensors = _sensors(root, links, file, notes)
    on = {link: names[carrier] for link, carrier in moved.items()}
    looks = tuple(_looks(links, Painter(root, file, beside, notes), {wheel.name for wheel in wheels}, on))
    return Rig(
        body, driven, tuple(castors), {n: (sheet, at) for n, (sheet, at, _) in sensors.items()}, mass, cog,
        f"{name}, from a URDF file", looks, tuple(joints_of(links, moved, file, notes)), tuple(parts),
        {n: on[link] for n, (_, _, link) in sensors.items() if link in on},
    )  # fmt: skip


def _looks(links: list[Link], painter: Painter, wheels: set[str], on: Mapping[str, str]) -> Iterator[LookBody]:
    """Yield what the links look like; what is fixed to a wheel turns with it, and joints carry what they carry."""
    known = {link.name: legal(link.name, "wheel") for link in links if legal(link.name, "wheel") in wheels}
    parents = {link.name: (link.above, link.kind) for link in links}
    for link in links:
        wheel = wheel_below(link.name, parents, known)
        yield from painter.looks(link.element, link.matrix, wheel, on.get(link.name, ""))


def _driven(wheels: list[WheelBody]) -> tuple[WheelBody, ...]:
    """Return wheels of which an odd one, such as a third, only rolls along."""
    if len(wheels) % 2 == 0:
        return tuple(wheels)
    alone = min(wheels, key=lambda wheel: abs(wheel.centre[1]))
    return tuple(WheelBody(w.name, w.centre, w.axle, w.radius_m, w.width_m, w is not alone, w.steered) for w in wheels)


def _kind(link: Link, cloud: Array, lowest: float, file: str) -> str:
    """Return what a link is by itself: only what reaches down to where the robot stands is a wheel without a name."""
    if not len(cloud):
        return "nothing to see or touch"
    if robot_parts.is_castor(link.name):
        return "a castor"
    stands = cloud[:, 2].min() <= lowest + _STANDS * np.ptp(cloud[:, 2])
    named = robot_parts.is_wheel(link.name)
    turns = (link.kind == "continuous" and (named or stands)) or (link.kind == "revolute" and named)
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


def _sensors(root: Element, links: list[Link], file: str, notes: Notes) -> dict[str, tuple[Table, Array, str]]:
    """Return sensors by name: as tables, where they are, and the links that they are on."""
    by_name = {link.name: link for link in links}
    found: dict[str, tuple[Table, Array, str]] = {}
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
            found[name] = (sheet, link.matrix @ _pose(sensor, file) @ ahead, link.name)
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
