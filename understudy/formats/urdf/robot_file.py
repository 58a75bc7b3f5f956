"""URDF robots: links with bodies and masses, connected by fixed, revolute and prismatic joints, as one robot.

Wheels are links on continuous joints with a horizontal axis; links or joints called castor are castors; the rest gives
outline and height. Other moving joints become joints with servos, and the links on them parts. Masses, centres and
inertias are those of the file. A robot without wheels is bolted down, unless it has legs or no joints. Visuals are
kept as looks. Laser scanners are taken from the ``<gazebo>`` elements. Format: the ROS wiki, "urdf/XML";
SDF's sensor element for what Gazebo adds.
"""

from __future__ import annotations

import dataclasses
import math
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.errors import FormatError, Problem
from understudy.formats import robot_parts
from understudy.formats.document import Document, as_text
from understudy.formats.robot_formats import RobotFile
from understudy.formats.robot_parts import Array, CastorBody, Hold, LookBody, Rig, Table, WheelBody, free_name
from understudy.formats.urdf import xacro_text
from understudy.formats.urdf.files import Beside
from understudy.formats.urdf.joints import carriers, joint_names, joints_of, parts_of
from understudy.formats.urdf.kinds import BODY, CASTOR, WHEEL, Stance, rolls, stance_of, steered
from understudy.formats.urdf.links import MOVING, UrdfLink, links_of
from understudy.formats.urdf.looks import Painter, wheel_below
from understudy.formats.urdf.mass import Scales, lightened
from understudy.formats.urdf.shapes import UrdfNotes, origin, points_of
from understudy.formats.urdf.tidy import tidy, tidy_text
from understudy.world import inertia
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot
from understudy.world.rotations import turn_of
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".urdf", ".xacro")

_ROOT = re.compile(rb"<robot[\s>]")
_FEET = 0.8  # friction of limbs that a robot may stand on
_RAYS = ("ray", "gpu_ray", "lidar", "gpu_lidar")


@dataclass(frozen=True)
class UrdfRobot:
    """A robot of a URDF file as a table, and what each of its links and sensors became."""

    name: str
    table: Table
    engine: Literal["planar", "rigid"]  # that can move all its joints: planar if they only pan
    became: tuple[Problem, ...]
    lost: tuple[Problem, ...]


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a URDF robot."""
    is_robot = b"<link" in data or name.lower().endswith(SUFFIXES)
    return b"\0" not in data[:1000] and _ROOT.search(data[:10_000]) is not None and is_robot


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with only the robot that the file describes; raises FormatError."""
    found = robot(data, file, folder)
    placed = PlacedRobot(name=found.name, overrides=found.table)
    text = as_text(data, file)
    scene = Scene(name=found.name, engine=found.engine, robots=(placed,))
    return Document(
        scene, file, text, folder, {("robot", 0): 1}, warnings=found.lost,
        became=found.became,
    )  # fmt: skip


def read_robot(data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that the file describes, for scenes that name it; raises FormatError."""
    return RobotFile.of(file, robot(data, file, folder).table)


def robot(data: bytes | str, file: str, folder: pathlib.Path | None = None) -> UrdfRobot:
    """Return the robot that a file describes; meshes are searched relative to it; raises FormatError."""
    text = as_text(data, file)
    if xacro_text.is_xacro(text, file):
        text, file = xacro_text.expand(file, folder), f"{file} (expanded)"
    root = xml_text.parse(tidy_text(text).encode(), file)
    if root.tag != "robot":
        raise FormatError(f"{file}:{root.line}: not a URDF robot (its root element is {root.tag!r}, want 'robot')")
    notes = UrdfNotes(file)
    tidy(root, notes)
    rig = _rig(root, links_of(root, file), file, Beside(folder), notes)
    if rig.lacks_kg:
        notes.lose(root, f"the body is too light for what it carries; {rig.lacks_kg:.2g} kg is added")
    if found := robot_parts.missing_castor(rig):
        rig = dataclasses.replace(rig, castors=(*rig.castors, found))
        notes.lose(
            root, f"two wheels and no castor on this side: one is added {found.centre[0]:.3f} m ahead of the root"
        )
    frame = robot_parts.frame_of(rig, np.array([1.0, 0.0]))
    name = legal(root.get("name") or pathlib.PurePath(file).name.split(".")[0], "robot")
    engine: Literal["planar", "rigid"] = "planar" if all(joint.pans for joint in rig.joints) else "rigid"
    return UrdfRobot(
        name, robot_parts.robot_table(rig, frame), engine, notes.sorted(notes.became), notes.sorted(notes.lost)
    )


# ---- the kinds of links


def _rig(root: Element, links: list[UrdfLink], file: str, beside: Beside, notes: UrdfNotes) -> Rig:
    """Return the parts of the robot, and report what each link became."""
    clouds = {link.name: _cloud(link, file, beside, notes) for link in links}
    scales = Scales(file, beside, notes)
    heavy = {link.name: scales.weigh(link) for link in links}
    stance = stance_of(links, clouds, any(mass.mass_kg for mass in heavy.values()), file)
    moved = carriers(links, stance.links(WHEEL) | stance.links(CASTOR))
    names = joint_names(links, moved)
    on = {link: names[carrier] for link, carrier in moved.items()}
    whole = inertia.merged(list(heavy.values()))
    heavy |= lightened(links, moved, heavy, scales, notes)
    joints = tuple(joints_of(links, moved, names, file, notes))
    _say(links, stance, on, notes)
    wheels = _wheels(links, clouds, stance, file)
    sensors = _sensors(root, links, file, notes)
    body = [clouds[name] for name, what in stance.kinds.items() if what == BODY and name not in moved]
    grip = _FEET if stance.loose else 0.0
    return Rig(
        np.concatenate(body) if body else np.zeros((0, 3)), wheels, tuple(_castors(links, clouds, stance)),
        {n: (sheet, at) for n, (sheet, at, _) in sensors.items()},
        f"{root.get('name') or 'a robot'}, from a URDF file",
        tuple(_looks(links, Painter(root, file, beside, notes), {wheel.name for wheel in wheels}, on)),
        joints,
        tuple(p for link in links if link.name in on
              for p in parts_of(link, on[link.name], heavy[link.name], grip, file, beside, notes)),
        {n: on[link] for n, (_, _, link) in sensors.items() if link in on},
        whole, inertia.merged([heavy[link.name] for link in links if link.name not in moved]),
        _hold(stance, wheels, clouds),
    )  # fmt: skip


def _hold(stance: Stance, wheels: Sequence[WheelBody], clouds: Mapping[str, Array]) -> Hold | None:
    """Return how a robot without wheels is held: its lowest point, and whether it is bolted down."""
    if wheels:
        return None
    low = min((float(cloud[:, 2].min()) for cloud in clouds.values() if len(cloud)), default=0.0)
    return Hold(bool(stance.bolted), 0.0 if stance.in_world else low)


def _say(links: list[UrdfLink], stance: Stance, on: Mapping[str, str], notes: UrdfNotes) -> None:
    """Report what each link became, and how the robot is held."""
    for link in links:
        what = f"a part on the joint {on[link.name]!r}" if link.name in on else stance.kinds[link.name]
        held = ", fixed at position 0" if link.kind in MOVING and what == BODY else ""
        notes.say(link.element, f"link {link.name!r} became {what}{held}")
    if stance.bolted or stance.loose:
        word = "bolted down" if stance.bolted else "free"
        notes.say(links[0].element, f"the robot is {word}: {stance.bolted or stance.loose}")


def _wheels(links: list[UrdfLink], clouds: Mapping[str, Array], stance: Stance, file: str) -> tuple[WheelBody, ...]:
    """Return the wheels; an odd unsteered one, such as a third, is not driven."""
    turned, taken = steered(links, stance.links(WHEEL), file), set[str]()
    wheels = [
        robot_parts.wheel_of(
            free_name(link.name, "wheel", taken), clouds[link.name], link.axis(file) if rolls(link, file) else None,
            steered=link.name in turned,
        )
        for link in links if stance.kinds[link.name] == WHEEL
    ]  # fmt: skip
    if len(wheels) <= 2 or len(wheels) % 2 == 0 or any(wheel.steered for wheel in wheels):
        return tuple(wheels)
    alone = min(wheels, key=lambda wheel: abs(wheel.centre[1]))
    return tuple(dataclasses.replace(wheel, driven=wheel is not alone) for wheel in wheels)


def _castors(links: list[UrdfLink], clouds: Mapping[str, Array], stance: Stance) -> Iterator[CastorBody]:
    taken: set[str] = set()
    for link in links:
        if stance.kinds[link.name] == CASTOR:
            low, high = clouds[link.name].min(axis=0), clouds[link.name].max(axis=0)
            radius = max(float(high[2] - low[2]) / 2, 1e-3)
            yield CastorBody(free_name(link.name, "castor", taken), (low + high) / 2, radius)


def _looks(links: list[UrdfLink], painter: Painter, wheels: set[str], on: Mapping[str, str]) -> Iterator[LookBody]:
    """Yield the looks of the links; looks fixed to a wheel turn with it, those on a joint move with it."""
    known = {link.name: legal(link.name, "wheel") for link in links if legal(link.name, "wheel") in wheels}
    parents = {link.name: (link.above, link.kind) for link in links}
    for link in links:
        wheel = "" if link.name in on else wheel_below(link.name, parents, known)
        yield from painter.looks(link.element, link.matrix, wheel, on.get(link.name, ""))


def _cloud(link: UrdfLink, file: str, beside: Beside, notes: UrdfNotes) -> Array:
    """Return the points of a link in the frame of the robot: of its collision bodies, or else its visuals."""
    for tag in ("collision", "visual"):
        clouds = [
            points_of(part, arrays.product(link.matrix, origin(part, file)), file, beside, notes)
            for part in link.element.all(tag)
        ]
        clouds = [cloud for cloud in clouds if len(cloud)]
        if clouds:
            return np.concatenate(clouds)
    return np.zeros((0, 3))


# ---- sensors


def _sensors(root: Element, links: list[UrdfLink], file: str, notes: UrdfNotes) -> dict[str, tuple[Table, Array, str]]:
    """Return sensors by name: as tables, their poses, and their links."""
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
            found[name] = (sheet, arrays.product(link.matrix, _pose(sensor, file), ahead), link.name)
            notes.say(sensor, f"sensor {name!r} became a laser")
    return found


def _pose(sensor: Element, file: str) -> Array:
    made, pose = np.eye(4), sensor.first("pose")
    if pose is not None and pose.text.strip():
        x, y, z, roll, pitch, yaw = xml_text.numbers(pose.text, 6, file, pose.line, "a pose")
        made[:3, :3], made[:3, 3] = turn_of(roll, pitch, yaw), (x, y, z)
    return made


def _laser(sensor: Element, scan: Element, file: str) -> tuple[Table, Array]:
    """Return a scanner, and the rotation from the sensor's direction to the middle of its field of view."""

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
