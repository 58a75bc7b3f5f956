"""From a robot's data to rows: its wheels, their loads and their motors.

Missing data are derived. A differential drive has its two wheels and a castor behind that carries a fifth; a skid drive
four wheels within the body; an omni drive four mecanum wheels; a car four wheels, the front ones steered. Springs are
chosen such that a robot on level ground is level, at height 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy import elementary
from understudy.engines.rigid.joint_masses import middles
from understudy.engines.rigid.rows import CASTOR, ROBOT, ROLLERS, TYRE, WHEEL, Array, Records, Vehicles
from understudy.world.robot import (
    Ackermann,
    Body,
    Circle,
    Differential,
    Omni,
    Polygon,
    Rectangle,
    RobotModel,
    Skid,
    Undriven,
)
from understudy.world.scene import Scene
from understudy.world.vehicle import Castor, Suspension, Wheel

_SAG_M = 0.002  # compression of a wheel's spring by its load at rest ...
_SAG = 0.004  # ... at most this share of its stance: at the edge of tipping a robot leans by twice as much
_SWING = 0.7  # and at least such that it oscillates by at most this many radians within a sub-step
_DAMPING = 0.7  # of critical, at least, in heave; roll and pitch are damped critically ...
_MOST_DAMPED = 0.8  # ... as long as dampers take no more than this share of a motion within a sub-step
_TYRE_DAMPING = 0.7  # of critical
_TYRE_RAD_S = 100.0  # natural frequency of tyres with the mass that a wheel carries ...
_TYRE_STEP = 0.5  # ... and at most, in radians per sub-step, with the part of it that they move
_CASTORS_BEAR = 0.2  # of the weight, on a differential drive without wheels of its own
_SLOPE = 0.5  # motors can climb this share of the weight while accelerating ...
_MOST = 0.9  # ... but pull no more than this share of a wheel's grip, so that they stall before wheels slip
_MOST_OF_TWO = 0.7  # for robots on two wheels, whose load decreases when they push


@dataclass(frozen=True)
class Chassis:
    """A robot without its wheels: mass, centre of gravity, dimensions, ground clearance."""

    mass_kg: float
    cog_m: tuple[float, float, float]
    size_m: tuple[float, float, float]  # of its bounding box
    middle_m: tuple[float, float]  # the centre of that box
    clearance_m: float
    roll_kg_m2: float  # moments of inertia around its centre of gravity, along x ...
    pitch_kg_m2: float  # ... and along y


def chassis_of(model: RobotModel) -> Chassis:
    """Return mass and dimensions of a robot."""
    low, high = extents(model.body)
    given = model.dynamics
    limbs = list(middles(model).values())
    own = model.body.mass_kg + math.fsum(part.mass_kg for part in model.parts if not part.joint)
    mass = given.mass_kg or own + math.fsum(heavy for heavy, _ in limbs)
    radius = wheel_radius(model)
    height = model.body.height_m
    between = model.drive.wheelbase_m / 2 if isinstance(model.drive, Ackermann) else 0.0
    along = [w.x_m for w in model.wheels] + [c.x_m for c in model.castors]
    between = _CASTORS_BEAR * _castor_x(model) if _needs_castor(model) else between
    ahead = float(np.mean(along)) if model.wheels else between
    low_down = (ahead, 0.0, min(height / 3, radius / 2))
    cog = _together(mass, given.inertia.cog_m, limbs) if given.inertia else given.cog_m
    cog = cog or _together(mass, low_down, limbs)
    size = (high[0] - low[0], high[1] - low[1], height)
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    free = 0.0 if isinstance(model.drive, Undriven) else min(radius / 2, height / 4)
    boxed = (mass * (size[1] ** 2 + height**2) / 12, mass * (size[0] ** 2 + height**2) / 12)
    roll, pitch = given.inertia.moments_kg_m2[:2] if given.inertia else boxed
    return Chassis(mass, cog, size, middle, given.clearance_m or free, roll, pitch)


def _together(
    mass: float, own: tuple[float, float, float], limbs: Sequence[tuple[float, Array]]
) -> tuple[float, float, float]:
    """Return the centre of gravity of a robot of some mass, its limbs included (m)."""
    if not limbs:
        return own
    rest = mass - math.fsum(heavy for heavy, _ in limbs)
    x, y, z = ((rest * np.array(own) + sum(heavy * at for heavy, at in limbs)) / mass).tolist()
    return x, y, z


def wheel_radius(model: RobotModel) -> float:
    """Return the radius of the first driven wheel (m)."""
    own = [wheel.radius_m for wheel in model.wheels if wheel.driven and wheel.radius_m]
    return own[0] if own else model.drive.wheel_radius_m


def extents(body: Body) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the minimum and maximum x, y of a body (m)."""
    if isinstance(body, Circle):
        return (-body.radius_m, -body.radius_m), (body.radius_m, body.radius_m)
    if isinstance(body, Rectangle):
        x, y, ahead = body.length_m / 2, body.width_m / 2, body.offset_x_m
        return (ahead - x, -y), (ahead + x, y)
    assert isinstance(body, Polygon)
    xs, ys = zip(*body.points_m)
    return (min(xs), min(ys)), (max(xs), max(ys))


# ---- derived wheels


def wheels_of(model: RobotModel) -> tuple[Wheel, ...]:
    """Return the wheels of a robot, given or derived."""
    if model.wheels or isinstance(model.drive, Undriven):
        return model.wheels
    drive, (low, high) = model.drive, extents(model.body)
    if isinstance(drive, Ackermann):
        return _car_wheels(drive)
    x, y = 0.35 * (high[0] - low[0]), 0.4 * (high[1] - low[1])
    if isinstance(drive, Omni):
        return tuple(_mecanum(name, sx * x, sy * y) for name, sx, sy in _FOUR)
    if isinstance(drive, Skid):
        return tuple(Wheel(name=name, x_m=sx * min(x, y), y_m=sy * y) for name, sx, sy in _FOUR)
    half = drive.track_m / 2
    return Wheel(name="left", y_m=half), Wheel(name="right", y_m=-half)


_FOUR = (("front-left", 1, 1), ("front-right", 1, -1), ("rear-left", -1, 1), ("rear-right", -1, -1))


def _mecanum(name: str, x: float, y: float) -> Wheel:
    return Wheel(name=name, x_m=x, y_m=y, roller_rad=math.copysign(math.pi / 4, -x * y))


def _car_wheels(drive: Ackermann) -> tuple[Wheel, ...]:
    half, base = drive.track_m / 2, drive.wheelbase_m
    rear = (Wheel(name="rear-left", y_m=half), Wheel(name="rear-right", y_m=-half))
    front = (("front-left", half), ("front-right", -half))
    return (*rear, *(Wheel(name=name, x_m=base, y_m=y, driven=False, steered=True) for name, y in front))


def castors_of(model: RobotModel) -> tuple[Castor, ...]:
    """Return the castors of a robot: given, or a derived one for two wheels that would tip over."""
    if model.castors or model.wheels or not _needs_castor(model):
        return model.castors
    return (Castor(name="rear", x_m=_castor_x(model)),)


def _needs_castor(model: RobotModel) -> bool:
    return isinstance(model.drive, Differential) and not isinstance(model.drive, Skid)


def _castor_x(model: RobotModel) -> float:
    """Return the position of a derived castor: behind, because three points stand on any ground (m)."""
    low, high = extents(model.body)
    return -max(0.8 * -low[0], 0.3 * (high[0] - low[0]))


# ---- rows


def vehicles_of(scene: Scene, step_s: float) -> Vehicles:
    """Return the rows of all robots and wheels of a scene, in its order; *step_s* is the length of a sub-step."""
    robots = np.zeros(len(scene.robots), ROBOT)
    every: list[Records] = []
    for row, robot in zip(robots, scene.robots):
        mine = wheel_rows(robot.built, scene.gravity_m_s2, step_s)
        row["first"] = sum(map(len, every))
        row["last"] = row["first"] + len(mine)
        row["reach"] = max(
            (elementary.hypot(w["x"], w["y"], w["z"]) + w["radius"] + w["down"] for w in mine), default=0.0
        )
        _put_drive(row, robot.built)
        every.append(mine)
    return Vehicles(robots, np.concatenate(every) if every else np.zeros(0, WHEEL))


def _put_drive(row: Any, model: RobotModel) -> None:
    drive = model.drive
    row["max_v"], row["max_w"], row["track"] = drive.max_m_s, drive.max_rad_s, drive.track_m
    row["accel"], row["accel_w"] = drive.accel_m_s2, drive.accel_rad_s2
    row["fastest"] = model.dynamics.motor_rad_s * wheel_radius(model) or math.inf
    if isinstance(drive, Omni):
        row["max_u"] = drive.max_lateral_m_s
    elif isinstance(drive, Ackermann):
        row["car"], row["curve"] = 1, elementary.tan(drive.max_steer_rad) / drive.wheelbase_m


def wheel_rows(model: RobotModel, gravity: float, step_s: float) -> Records:
    """Return the rows of a robot's wheels and castors; contact wheels without castors."""
    wheels, castors, chassis = wheels_of(model), castors_of(model), chassis_of(model)
    rolls = model.dynamics.wheel_model == "contact"  # castors are then shapes of the body
    rows = np.zeros(len(wheels) + len(castors), WHEEL)
    if not len(rows):
        return rows
    for row, wheel in zip(rows, wheels):
        _put_wheel(row, wheel, model)
    for row, castor in zip(rows[len(wheels) :], castors):
        row["kind"], row["x"], row["y"], row["mu"], row["slip"] = CASTOR, castor.x_m, castor.y_m, castor.friction, 1.0
        row["radius"] = row["z"] = castor.radius_m
    springs = [w.suspension for w in wheels] + [c.suspension for c in castors]
    masses = _put_loads(rows, chassis, gravity, springs, step_s, bool(model.wheels))
    _put_tyres(rows, masses, chassis, step_s)
    _put_dampers(rows, masses, chassis, springs, step_s)
    _put_motors(rows, model, chassis, gravity)
    _put_kinematics(rows, model)
    return rows[: len(wheels)] if rolls else rows


def _put_wheel(row: Any, wheel: Wheel, model: RobotModel) -> None:
    radius = wheel.radius_m or model.drive.wheel_radius_m
    row["kind"] = ROLLERS if wheel.roller_rad else TYRE
    row["driven"], row["steered"] = wheel.driven, wheel.steered
    row["x"], row["y"], row["z"], row["radius"] = wheel.x_m, wheel.y_m, wheel.z_m or radius, radius
    row["mu"], row["slip"] = wheel.friction, wheel.slip
    row["axle_x"], row["axle_y"] = elementary.cos(wheel.roller_rad), elementary.sin(wheel.roller_rad)


# ---- loads


def _put_loads(
    rows: Records, chassis: Chassis, gravity: float, springs: Sequence[Suspension], step_s: float, own: bool
) -> Array:
    """Write loads and springs; return the mass that each wheel carries (kg)."""
    weight = chassis.mass_kg * gravity
    rows["load"] = _loads(rows, chassis, own) * weight
    share = np.maximum(rows["load"], 0.02 * weight) if weight else np.full(len(rows), chassis.mass_kg)
    masses = share / (gravity or 1.0)
    stance = [extent for extent in (np.ptp(rows["x"]), np.ptp(rows["y"])) if extent]
    sag = max(min(_SAG_M, _SAG * min(stance, default=math.inf)), gravity * (step_s / _SWING) ** 2)
    for row, spring, bears in zip(rows, springs, share):
        row["stiff"] = spring.stiffness_n_m or bears / sag
        row["up"] = min(spring.compression_m or row["radius"] / 2, 0.9 * row["radius"])
        row["down"] = spring.rest_m or bears / row["stiff"]
        row["most"] = spring.max_n or 20 * bears
    return np.asarray(masses)


def _put_tyres(rows: Records, masses: Array, chassis: Chassis, step_s: float) -> None:
    """Write the tyres: stiffness for the mass that each carries, damping for the part of it that a push below moves.

    A tall robot yields below: tyres damped for all of its mass would oscillate, lift its wheels on a slope and tip it
    over.
    """
    length, width, height = chassis.size_m
    moved = masses / (1.0 + 12.0 * chassis.cog_m[2] ** 2 / (min(length, width) ** 2 + height**2))
    rows["bristle"] = np.minimum(masses * _TYRE_RAD_S**2, moved * (_TYRE_STEP / step_s) ** 2)
    rows["brush"] = 2 * _TYRE_DAMPING * np.sqrt(rows["bristle"] * moved)


def _put_dampers(rows: Records, masses: Array, chassis: Chassis, springs: Sequence[Suspension], step_s: float) -> None:
    """Write the dampers: a robot placed on a slope must lean without overshoot, or it tips too early.

    Relative to critical damping of each wheel's load, a tall robot needs more in roll than in heave: it rotates
    around the ground with all its height.
    """
    critical = 2.0 * np.sqrt(rows["stiff"] * masses)
    x, y, z = chassis.cog_m
    mass = chassis.mass_kg
    share, most = _DAMPING, _MOST_DAMPED * mass / step_s / critical.sum()
    for arms, swings in ((rows["y"] - y, chassis.roll_kg_m2), (rows["x"] - x, chassis.pitch_kg_m2)):
        damps = float(critical @ arms**2)
        if damps > 0.0:
            share = max(share, 2.0 * math.sqrt(float(rows["stiff"] @ arms**2) * (swings + mass * z * z)) / damps)
            most = min(most, _MOST_DAMPED * swings / step_s / damps)
    for row, spring, amount in zip(rows, springs, critical):
        row["damp"] = spring.damping_n_s_m or min(share, most) * amount


def _loads(rows: Records, chassis: Chassis, own: bool) -> Array:
    """Return the share of the weight that each wheel carries on level ground; negative only if a robot would tip over.

    Of all distributions that hold the robot level it is the one nearest to equal; derived castors get less.
    """
    fair = np.ones(len(rows))
    castors = rows["kind"] == CASTOR
    if not own and castors.any():
        fair = np.where(castors, _CASTORS_BEAR / castors.sum(), (1 - _CASTORS_BEAR) / (~castors).sum())
    fair = fair / fair.sum()
    balance = np.stack([np.ones(len(rows)), rows["x"] - chassis.cog_m[0], rows["y"] - chassis.cog_m[1]])
    lacking = np.array([1.0, 0.0, 0.0]) - balance @ fair
    return np.asarray(np.maximum(fair + fair * (balance.T @ np.linalg.pinv(balance * fair @ balance.T) @ lacking), 0.0))


# ---- motors and kinematics


def _put_motors(rows: Records, model: RobotModel, chassis: Chassis, gravity: float) -> None:
    driven = rows["driven"] == 1
    weight, count = chassis.mass_kg * gravity, max(int(driven.sum()), 1)
    pull = chassis.mass_kg * model.drive.accel_m_s2 + _SLOPE * weight
    share = np.where(driven, np.maximum(rows["load"], 1e-9), 0.0)
    share = share / share.sum() if share.sum() else np.full(len(rows), 1 / count)
    most = _MOST_OF_TWO if _needs_castor(model) else _MOST
    holds = most * rows["mu"] * rows["load"] if weight else math.inf
    rows["motor"], rows["brake"] = np.minimum(pull * share, holds), math.inf
    if isinstance(model.drive, Skid) and weight and not model.dynamics.motor_n_m:
        # on uneven ground two wheels may carry the robot, and must be able to turn it
        rows["motor"], rows["share"] = np.where(driven, np.maximum(pull / 2, rows["motor"]), 0.0), _MOST
    if model.dynamics.motor_n_m:
        rows["motor"] = model.dynamics.motor_n_m / rows["radius"]
    if model.dynamics.brake_n_m:
        rows["brake"] = model.dynamics.brake_n_m / rows["radius"]
    rows["motor"] = np.where(rows["kind"] == ROLLERS, rows["motor"] * math.sqrt(2), rows["motor"])


def _put_kinematics(rows: Records, model: RobotModel) -> None:
    """Write the rim speeds for a motion, and the motion for rim speeds."""
    side = _sides(rows, model)
    roll = np.where(rows["kind"] == ROLLERS, rows["axle_y"] / np.where(rows["axle_x"], rows["axle_x"], 1.0), 0.0)
    rows["per_v"] = 1.0
    rows["per_u"] = roll
    rows["per_w"] = -side + rows["x"] * roll
    driven = (rows["driven"] == 1) & (rows["kind"] != CASTOR)
    ask = np.stack([rows["per_v"], rows["per_u"], rows["per_w"]], axis=1) * driven[:, None]
    rows["to_v"], rows["to_u"], rows["to_w"] = np.linalg.pinv(ask)
    for name in ("per_v", "per_u", "per_w"):
        rows[name] *= driven


def _sides(rows: Records, model: RobotModel) -> Array:
    """Return the lateral position of each wheel as the motor controller assumes it (m).

    A controller uses the track of the drive. Derived wheels of a skid drive have no such track: there the controller
    knows their slip, which for equally loaded wheels is 1 + (base / track)^2.
    """
    drive, y = model.drive, rows["y"]
    if isinstance(drive, Skid) and not model.wheels:
        base, track = np.ptp(rows["x"]), np.ptp(y)
        return np.asarray(np.sign(y) * track * (1 + (base / track) ** 2) / 2)
    if isinstance(drive, Differential):
        return np.asarray(np.sign(y) * drive.track_m / 2)
    return np.asarray(y)
