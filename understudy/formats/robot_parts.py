"""A robot from bodies in space: detects wheels, castors, the outline of the rest and the kind of drive.

The result is a table as in a robot file. The robot's frame has x forward and its origin on the ground, below the
middle of the driven wheels (of the rear ones, if it steers).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.formats.stage.shape import convex_hull
from understudy.world.inertia import NOTHING, Heavy
from understudy.world.resolve import legal
from understudy.world.rotations import angles_of

Array = npt.NDArray[np.float64]
Table = dict[str, Any]

_WHEEL = re.compile(r"wheel|tyre|tire", re.IGNORECASE)
_CASTOR = re.compile(r"cast[oe]r", re.IGNORECASE)
_ROUND = 0.02  # of its radius: how far an outline may deviate from a circle to count as one
_MOST_CORNERS = 24
_SAME_ROW = 0.25  # of a wheel's radius: wheels this close to each other along x form one axle
USUAL_KG = 5.0
_LEAST_TRUNK = 0.05  # of its limbs' mass: the least mass of the body, if the file gives less or none
_BEARS = 0.1  # of the weight: castors on one side that carry less let the robot tip to the other
_BALL_M, _WITHIN = 0.02, 0.8  # an added castor: its radius, and its place as a share of the way to the body's end
_MANY, _WAYS = 2_000, 180  # of more points only the furthest in so many directions are used


@dataclass(frozen=True, eq=False)
class WheelBody:
    """A detected wheel: its centre, axle direction and size (m)."""

    name: str
    centre: Array
    axle: Array
    radius_m: float
    width_m: float
    driven: bool = True
    steered: bool = False


@dataclass(frozen=True, eq=False)
class CastorBody:
    """A detected castor (m)."""

    name: str
    centre: Array
    radius_m: float


@dataclass(frozen=True, eq=False)
class LookBody:
    """A visual of the robot: its shape as a table, and its pose in the file's frame."""

    name: str
    shape: Table
    matrix: Array
    stretch: tuple[float, ...] = (1.0, 1.0, 1.0)
    colour: str = ""
    wheel: str = ""  # the wheel it turns with
    joint: str = ""  # the joint that carries it


@dataclass(frozen=True, eq=False)
class JointBody:
    """A detected joint: its motion as a table, its zero pose in the file's frame, and its parent."""

    name: str
    motion: Table
    matrix: Array
    below: str = ""
    pans: bool = False  # its axis is vertical at any position of the other joints


@dataclass(frozen=True, eq=False)
class PartBody:
    """A piece of the robot that a joint carries: its shape as a table, and its pose in the file's frame."""

    name: str
    shape: Table
    matrix: Array
    joint: str
    heavy: Heavy | None = None  # its mass, in the file's frame
    friction: float = 0.0  # 0: the default of parts
    felt: bool = True  # false: it has mass but no collisions


@dataclass(frozen=True)
class Hold:
    """How a robot without wheels stands: bolted down or free, and the height of the ground in the file's frame (m)."""

    bolted: bool
    ground_m: float


@dataclass(frozen=True, eq=False)
class Rig:
    """Everything read from a file about a robot, in the file's frame, z up."""

    points: Array  # everything but wheels and castors, (N, 3)
    wheels: tuple[WheelBody, ...] = ()
    castors: tuple[CastorBody, ...] = ()
    devices: dict[str, tuple[Table, Array]] = field(default_factory=dict)  # by name: table and matrix
    summary: str = ""
    looks: tuple[LookBody, ...] = ()
    joints: tuple[JointBody, ...] = ()
    parts: tuple[PartBody, ...] = ()
    carried: Mapping[str, str] = field(default_factory=dict)  # device name -> the joint that carries it
    whole: Heavy = NOTHING  # the mass of all of it
    trunk: Heavy = NOTHING  # and without what joints carry
    hold: Hold | None = None  # of a robot without wheels; None: wheels are added

    @property
    def lacks_kg(self) -> float:
        """Return the mass to add to the body of a free robot so that it can carry its limbs (kg)."""
        limbs = math.fsum(part.heavy.mass_kg for part in self.parts if part.heavy is not None)
        lacking = (1.0 + _LEAST_TRUNK) * limbs - self.whole.mass_kg
        return max(lacking, 0.0) if self.hold is None or not self.hold.bolted else 0.0


def is_wheel(name: str) -> bool:
    """Return whether a name is that of a wheel.

    >>> is_wheel("left_wheel_link"), is_wheel("caster_wheel"), is_wheel("Steering")
    (True, False, False)
    """
    return _WHEEL.search(name) is not None and not is_castor(name)


def is_castor(name: str) -> bool:
    """Return whether a name is that of a castor."""
    return _CASTOR.search(name) is not None


def free_name(name: str, kind: str, taken: set[str]) -> str:
    """Return a valid name that is not in *taken* yet, and add it there.

    >>> taken = {"body"}
    >>> free_name("body", "look", taken), free_name("body", "look", taken)
    ('body-2', 'body-3')
    """
    word = legal(name, kind)
    names = (word if n == 1 else f"{word}-{n}" for n in range(1, len(taken) + 2))
    free = next(found for found in names if found not in taken)
    taken.add(free)
    return free


def wheel_of(name: str, points: Array, axle: Array | None = None, steered: bool = False) -> WheelBody:
    """Return the wheel made of these points; without *axle*, the axle is horizontal along the thinnest direction."""
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    if axle is None:
        sizes = np.ptp(points, axis=0)
        axle = np.array([1.0, 0.0, 0.0]) if sizes[0] < sizes[1] else np.array([0.0, 1.0, 0.0])
        width, radius = float(sizes.min()), float(sizes[2]) / 2
    else:
        along = arrays.product(points - centre, axle)
        width = float(np.ptp(along))
        radius = float(arrays.lengths(points - centre - along[:, None] * axle).max())
    return WheelBody(name, centre, axle, max(radius, 1e-3), max(width, 1e-3), steered=steered)


def missing_castor(rig: Rig) -> CastorBody | None:
    """Return the castor that a robot on one axle along y needs but its file lacks; None if none is missing.

    Without any castor it is on the heavier side. It is opposite the existing castors if they carry hardly any weight:
    such a robot tips over as it starts. A robot no longer than its wheels balances.
    """
    if len(rig.wheels) != 2 or not len(rig.points) or any(wheel.steered for wheel in rig.wheels):
        return None
    (x, _, z), radius = np.mean([wheel.centre for wheel in rig.wheels], axis=0), rig.wheels[0].radius_m
    if abs(rig.wheels[0].centre[0] - rig.wheels[1].centre[0]) > _SAME_ROW * radius:
        return None
    heavy = float(rig.whole.cog[0] if rig.whole.mass_kg else _middle(rig.points)[0]) - x
    ahead = _unheld(heavy, [float(castor.centre[0] - x) for castor in rig.castors])
    end = float(rig.points[:, 0].max() if ahead > 0 else rig.points[:, 0].min()) - x
    if not ahead or abs(end) < radius:
        return None
    small = min(_BALL_M, radius / 2)
    name = free_name("castor", "castor", {castor.name for castor in rig.castors})
    return CastorBody(name, np.array([x + _WITHIN * end, 0.0, z - radius + small]), small)


def _unheld(heavy: float, castors: Sequence[float]) -> int:
    """Return the side to which a robot on one axle would tip, 1 or -1; 0 if castors hold it (relative to the axle)."""
    if not castors:
        return 1 if heavy > 0.0 else -1
    way = 1 if castors[0] > 0.0 else -1
    if any(castor * way < 0.0 for castor in castors) or heavy * way > _BEARS * min(abs(castor) for castor in castors):
        return 0
    return -way


def frame_of(rig: Rig, ahead: Array | None = None) -> Array:
    """Return the robot's frame in the file's frame (4, 4); forward is *ahead*, else perpendicular to the axles."""
    made = np.eye(4)
    if ahead is None:
        ahead = np.array([1.0, 0.0])
        if rig.wheels and abs(sum(abs(wheel.axle[0]) for wheel in rig.wheels)) > abs(
            sum(abs(wheel.axle[1]) for wheel in rig.wheels)
        ):
            ahead = np.array([0.0, -1.0])  # glTF convention: the front faces +z
    made[:2, 0], made[:2, 1] = ahead, (-ahead[1], ahead[0])
    made[:3, 3] = _zero(rig) if rig.hold is None else (0.0, 0.0, rig.hold.ground_m)
    return made


def _zero(rig: Rig) -> Array:
    standing = [wheel for wheel in rig.wheels if wheel.driven] or list(rig.wheels)
    if any(wheel.steered for wheel in rig.wheels):
        standing = [wheel for wheel in rig.wheels if not wheel.steered] or standing
    middle = np.mean([w.centre for w in standing], axis=0) if standing else _middle(rig.points)
    feet = [wheel.centre[2] - wheel.radius_m for wheel in rig.wheels]
    feet += [castor.centre[2] - castor.radius_m for castor in rig.castors]
    ground = min(feet) if feet else float(rig.points[:, 2].min()) if len(rig.points) else 0.0
    return np.array([middle[0], middle[1], ground])


def _middle(points: Array) -> Array:
    return (points.min(axis=0) + points.max(axis=0)) / 2 if len(points) else np.zeros(3)


def robot_table(rig: Rig, frame: Array) -> Table:
    """Return a robot as a table; *frame* is its own frame in the file's frame."""
    home = arrays.inverse(frame)
    frames = {"": home} | {joint.name: arrays.inverse(joint.matrix) for joint in rig.joints}
    wheels = [(wheel, _into(home, wheel.centre)) for wheel in rig.wheels]
    castors = [(castor, _into(home, castor.centre)) for castor in rig.castors]
    table: Table = {
        "summary": rig.summary,
        "body": _body(rig, home),
        "drive": _drive(rig, home),
        "dynamics": _dynamics(rig, home),
        "wheel": {} if _steers_all(rig.wheels) else {wheel.name: _wheel(wheel, at) for wheel, at in wheels},
        "castor": {castor.name: _castor(castor, at) for castor, at in castors},
        "joint": {joint.name: _joint(joint, frames) for joint in rig.joints},
        "part": _parts(rig.parts, frames),
        "passing": [["*", "*"]] if rig.joints else [],
        "device": {
            name: {**sheet, **_mounted(matrix, rig.carried.get(name, ""), frames)}
            for name, (sheet, matrix) in rig.devices.items()
        },
        "look": {look.name: _look(look, frames, not _steers_all(rig.wheels)) for look in rig.looks},
    }
    return {key: value for key, value in table.items() if value}


def _into(home: Array, points: Array) -> Array:
    return np.asarray(arrays.product(points, home[:3, :3].T) + home[:3, 3])


def _exact(value: float) -> float:
    """Return a number to nine digits, with -0 and values close to 0 as 0."""
    return float(f"{value:.9g}") + 0.0 if abs(value) > 1e-15 else 0.0


def _short(value: float) -> float:
    """Return a number rounded to the micrometre, with -0 as 0."""
    return round(float(value), 6) + 0.0


def _wheel(wheel: WheelBody, at: Array) -> Table:
    return {
        "x_m": _short(at[0]), "y_m": _short(at[1]), "z_m": max(_short(at[2]), 1e-6),
        "radius_m": _short(wheel.radius_m), "width_m": _short(wheel.width_m), "driven": wheel.driven,
        "steered": wheel.steered,
    }  # fmt: skip


def _castor(castor: CastorBody, at: Array) -> Table:
    return {"x_m": _short(at[0]), "y_m": _short(at[1]), "radius_m": _short(castor.radius_m)}


def _mounted(matrix: Array, joint: str, frames: Mapping[str, Array]) -> Table:
    """Return the mount of something relative to the joint that carries it, or to the body."""
    return {"mount": mount(arrays.product(frames[joint], matrix))} | ({"joint": joint} if joint else {})


def _joint(joint: JointBody, frames: Mapping[str, Array]) -> Table:
    return {**joint.motion, **_mounted(joint.matrix, joint.below, frames)}


def _parts(parts: Sequence[PartBody], frames: Mapping[str, Array]) -> Table:
    """Return parts by unique names."""
    found: Table = {}
    taken = {"body"}
    for part in parts:
        table = {"shape": part.shape, **_mounted(part.matrix, part.joint, frames)}
        if part.heavy is not None:
            table |= {
                "mass_kg": _exact(part.heavy.mass_kg),
                "inertia": _inertia(part.heavy, arrays.inverse(part.matrix)),
            }
        table |= {"friction": part.friction} if part.friction else {}
        table |= {} if part.felt else {"contact": False, "seen": False}
        found[free_name(part.name, "part", taken)] = table
    return found


def _inertia(heavy: Heavy, home: Array) -> Table:
    """Return centre and moments of a mass in a frame, as a table."""
    seen = heavy.seen(home[:3, :3], home[:3, 3])
    tensor = [[_exact(value) for value in row] for row in seen.tensor]
    table: Table = {
        "cog_m": [_exact(value) for value in seen.cog],
        "moments_kg_m2": [tensor[0][0], tensor[1][1], tensor[2][2]],
    }
    products = [tensor[0][1], tensor[0][2], tensor[1][2]]
    return table | ({"products_kg_m2": products} if any(products) else {})


def _dynamics(rig: Rig, home: Array) -> Table:
    """Return mass, centre of mass and ground clearance of a robot."""
    table: Table = {}
    loose = rig.hold is None or not rig.hold.bolted
    if rig.whole.mass_kg > 0.0:
        table["mass_kg"] = _exact(rig.whole.mass_kg + rig.lacks_kg)
        if loose and not rig.lacks_kg:
            table["inertia"] = _inertia(rig.trunk, home)
    if rig.hold is not None and len(rig.points):
        low = _short(_into(home, rig.points)[:, 2].min())
        table |= {"clearance_m": low} if low > 0.0 else {}
    return table


def _look(look: LookBody, frames: Mapping[str, Array], rolls: bool) -> Table:
    table: Table = {"shape": look.shape, **_mounted(look.matrix, look.joint, frames)}
    table |= {"colour": look.colour, "wheel": look.wheel if rolls else ""}
    if tuple(look.stretch) != (1.0, 1.0, 1.0):
        table["stretch"] = [float(factor) for factor in look.stretch]
    return {key: value for key, value in table.items() if value}


def _body(rig: Rig, home: Array) -> Table:
    """Return the outline of a robot seen from above: a circle about its origin, or a convex polygon."""
    points = _into(home, rig.points) if len(rig.points) else np.zeros((0, 3))
    mass: Table = {"mass_kg": _exact(rig.whole.mass_kg) or USUAL_KG}
    height = _short(max(float(points[:, 2].max(initial=0.0)), 0.01))
    hull = _outline(points)
    if hull is None:
        return {"shape": "circle", "radius_m": 0.1, "height_m": height, **mass}
    reach = arrays.hypot(*hull.T)
    if len(hull) >= 8 and np.ptp(reach) < _ROUND * reach.max():
        return {"shape": "circle", "radius_m": _short(reach.max()), "height_m": height, **mass}
    corners = [[_short(x), _short(y)] for x, y in hull]
    return {"shape": "polygon", "points_m": corners, "height_m": height, **mass}


def _outline(points: Array) -> Array | None:
    """Return a convex outline with few corners, counter-clockwise; None if there is none."""
    if len(points) < 3:
        return None
    hull = np.array(convex_hull(_outermost(points[:, :2])))
    while len(hull) > 3:
        before, after = np.roll(hull, 1, axis=0), np.roll(hull, -1, axis=0)
        (ax, ay), (bx, by) = (hull - before).T, (after - hull).T
        turn = np.abs(ax * by - ay * bx) / np.maximum(arrays.lengths(after - before), 1e-12)
        if len(hull) <= _MOST_CORNERS and turn.min() > 1e-4:
            break
        hull = np.delete(hull, turn.argmin(), axis=0)
    flat = len(hull) < 3 or min(np.ptp(hull, axis=0)) < 1e-3
    return None if flat else hull


def _outermost(points: Array) -> Array:
    """Return few points with nearly the same hull."""
    if len(points) < _MANY:
        return points
    ways = np.arange(_WAYS) * (math.tau / _WAYS)
    reach = arrays.product(points, np.array([arrays.cos(ways), arrays.sin(ways)]))
    return np.asarray(points[np.unique(reach.argmax(axis=0))])


def _steers_all(wheels: Sequence[WheelBody]) -> bool:
    """Return whether a robot can move in any direction because all its wheels steer."""
    return len(wheels) > 2 and all(wheel.steered for wheel in wheels)


def _drive(rig: Rig, home: Array) -> Table:
    """Return how a robot drives: fixed, differential, skid-steered or with steered wheels."""
    if rig.hold is not None:
        return {"kind": "none"} if rig.hold.bolted else {"kind": "none", "bolted": False}
    wheels = [(wheel, _into(home, wheel.centre)) for wheel in rig.wheels]
    points = _into(home, rig.points) if len(rig.points) else np.zeros((1, 3))
    driven = [(wheel, at) for wheel, at in wheels if wheel.driven] or wheels
    if not driven:
        return {"kind": "differential", "track_m": max(_short(np.ptp(points[:, 1])), 0.05)}
    ys = [at[1] for _, at in driven]
    radius = _short(max(wheel.radius_m for wheel, _ in driven))
    base = {"track_m": max(_short(max(ys) - min(ys)), 0.01), "wheel_radius_m": radius}
    if _steers_all(rig.wheels):
        return {"kind": "omni", **base}
    steered = [at[0] for wheel, at in wheels if wheel.steered]
    if steered:
        fixed = [at[0] for wheel, at in wheels if not wheel.steered] or [0.0]
        return {"kind": "ackermann", "wheelbase_m": max(_short(abs(np.mean(steered) - np.mean(fixed))), 0.01), **base}
    xs = [at[0] for _, at in driven]
    rows = max(xs) - min(xs) > _SAME_ROW * radius
    return {"kind": "skid" if rows and len(driven) >= 4 else "differential", **base}


def mount(matrix: Array) -> Table:
    """Return a pose in the robot's frame as a mount: rotations about x, then y, then z."""
    turn, at = matrix[:3, :3], matrix[:3, 3]
    roll, pitch, yaw = angles_of(turn)
    angles = {"yaw_rad": yaw, "pitch_rad": pitch, "roll_rad": roll}
    made = {key: _short(value) for key, value in zip(("x_m", "y_m", "z_m"), at)}
    made |= {key: _short(angle) for key, angle in angles.items()}
    return {key: value for key, value in made.items() if value}
