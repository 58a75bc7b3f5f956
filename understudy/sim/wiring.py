"""Connects devices, units and wheels; rebuilt whenever the structure of the scene changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from understudy import elementary, rng
from understudy.assets.library import Library
from understudy.elementary import arrays
from understudy.engines.base import Array, Engine
from understudy.errors import EngineError
from understudy.robots import UNITS
from understudy.robots.base import Code, Output, Unit, Wiring
from understudy.robots.passthrough import Controller
from understudy.robots.servos import JointServos
from understudy.sensors.attitude import places
from understudy.sensors.batch import Batch, Reading
from understudy.sensors.camera import drawings
from understudy.sensors.filters import Filter
from understudy.sensors.surroundings import Surroundings
from understudy.world.marks import DIRT, NO_GPS, areas
from understudy.world.motion import Motion
from understudy.world.robot import PlacedRobot, UnitSpec
from understudy.world.rotations import turns_of
from understudy.world.scene import Scene
from understudy.world.shapes import Mount, Pose, pose_of

SERVOS = "servos"  # the unit of a robot's joints


class DriveRow:
    """The drive handle of a robot's firmware: a row of the targets."""

    def __init__(self, engine: Engine, targets: Array, row: int) -> None:
        self._engine, self._targets, self._row = engine, targets, row

    def set(self, motion: Motion) -> None:
        """Command this motion from the next engine step on."""
        ahead, left, turn = motion
        if not math.isfinite(ahead + left + turn):
            name = self._engine.scene().robots[self._row].name
            speeds = f"{ahead} m/s, {left} m/s to the left, {turn} rad/s"
            raise EngineError(f"{name}: the firmware commands an invalid motion (NaN or infinity): {speeds}")
        self._targets[self._row] = motion

    def asked(self) -> Motion:
        """Return the last commanded motion."""
        return Motion(*self._targets[self._row].tolist())

    def twist(self) -> Motion:
        """Return the true motion."""
        vx, vy, vz, wx, wy, wz = (float(v) for v in self._engine.twists()[self._row])
        roll, pitch, yaw = (float(angle) for angle in self._engine.poses()[self._row, 3:])
        cos, sin = elementary.direction(yaw)
        if roll == pitch == 0.0:
            return Motion(cos * vx + sin * vy, cos * vy - sin * vx, wz)
        ahead, left, up = turns_of(np.array([[0.0, 0.0, 0.0, roll, pitch, yaw]]))[0].T
        return Motion(
            float(arrays.product(ahead, (vx, vy, vz))),
            float(arrays.product(left, (vx, vy, vz))),
            float(arrays.product(up, (wx, wy, wz))),
        )


class JointRow:
    """The joint handle of firmware and programs: a row of the engine's joint chain."""

    def __init__(self, engine: Engine, row: int) -> None:
        self._engine, self._row = engine, row

    def aim(self, position: float) -> None:
        """Move to a position from the next engine step on (rad or m)."""
        self._engine.aim(self._row, position)

    def turn(self, speed: float) -> None:
        """Move at a speed from the next engine step on (rad/s or m/s)."""
        self._engine.turn(self._row, speed)

    def position(self) -> float:
        """Return the joint's position (rad or m)."""
        return float(self._engine.joints().position[self._row])

    def speed(self) -> float:
        """Return the joint's speed (rad/s or m/s)."""
        return float(self._engine.joints().speed[self._row])

    def effort(self) -> float:
        """Return the torque or force of its servo (N m or N)."""
        return float(self._engine.joints().effort[self._row])


class RobotPlace:
    """The true pose of a robot, which only a simulator knows."""

    def __init__(self, engine: Engine, row: int, around: Surroundings, mapped: bool) -> None:
        self._engine, self._row, self._around, self.mapped = engine, row, around, mapped
        self.start_us = around.frame.start_us

    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        return pose_of(self._engine.poses()[self._row])

    def joints(self) -> dict[str, JointRow]:
        """Return the robot's joints by name."""
        chain = self._engine.chain
        return {chain.joints[row].name: JointRow(self._engine, row) for row in chain.of_robot(self._row)}

    def geodetic(self, mount: Mount) -> tuple[float, float, float] | None:
        """Return latitude, longitude (deg) and altitude (m) of a point of the robot; None if unknown."""
        return self._around.frame.to_geo(*self._place(mount)) if self._around.on_earth else None

    def reception(self, mount: Mount) -> bool:
        """Return whether a GPS antenna at a point of the robot sees the sky."""
        x, y, _ = self._place(mount)
        return bool(self._around.reception(np.array([x]), np.array([y]))[0])

    def dirty(self, mount: Mount) -> bool:
        """Return whether a point of the robot is above dirt."""
        x, y, _ = self._place(mount)
        return self._around.dirty(x, y)

    def _place(self, mount: Mount) -> tuple[float, float, float]:
        here = self._engine.poses()[self._row : self._row + 1]
        x, y, z = (float(value) for value in places(here, mount)[0])
        return x, y, z


def batches(
    scene: Scene, seed: int, filters: Mapping[str, Filter], before: Sequence[Batch] = (), now_us: int = 0
) -> list[Batch]:
    """Return all devices of the scene, equal ones in one batch, with their state taken over from *before*."""
    made = [
        Batch(sheet, mount, *group, seed, scene.tick_us, filters.get(sheet.filter), joint)
        for (sheet, mount, joint), group in groups_of_devices(scene).items()
    ]
    for batch in made:
        batch.adopt(before, now_us)
    return made


def groups_of_devices(scene: Scene) -> dict[tuple[Any, Mount, str], tuple[list[str], list[int]]]:
    """Return paths and robots of devices, those with an equal sheet, mount and joint together."""
    groups: dict[tuple[Any, Mount, str], tuple[list[str], list[int]]] = {}
    for row, robot in enumerate(scene.robots):
        for device in robot.built.devices:
            paths, rows = groups.setdefault((device.sheet, device.mount, device.joint), ([], []))
            paths.append(f"{robot.name}/{device.name}")
            rows.append(row)
    return groups


def surroundings(scene: Scene, files: Library, before: Surroundings | None = None) -> Surroundings:
    """Return the static surroundings that the scene's devices sense; raises FormatError for an invalid picture.

    Raises EngineError if a camera requires a renderer that is not available.
    """
    made = Surroundings(scene, areas(scene.marks, NO_GPS), files, areas(scene.marks, DIRT))
    if before is not None:
        made.keep_floor(before)
    drawings.check(scene)
    sheets = [device.sheet for robot in scene.robots for device in robot.built.devices]
    if any(sheet.sees_floor for sheet in sheets):
        _ = made.floor  # decode it now, not in the middle of a run
    if any(sheet.sees_pictures for sheet in sheets):
        files.open_pictures(scene)
    return made


def readings(made: Iterable[Batch]) -> dict[str, Reading]:
    """Return every device by its path."""
    return {path: Reading(batch, row) for batch in made for row, path in enumerate(batch.paths)}


def unit_specs(robot: PlacedRobot) -> list[UnitSpec]:
    """Return the robot's units, plus a plain controller if none drives, plus servos if the robot has joints."""
    specs = list(robot.built.units)
    if not any(spec.moves_robot for spec in specs):
        specs.append(UnitSpec(name="controller", sheet=Controller.Sheet()))
    if robot.built.joints:
        specs.append(UnitSpec(name=SERVOS, sheet=JointServos.Sheet()))
    return specs


def driver(robot: PlacedRobot) -> UnitSpec:
    """Return the unit that moves the robot."""
    return next(spec for spec in unit_specs(robot) if spec.moves_robot)


def wiring_of(
    robot: PlacedRobot,
    spec: UnitSpec,
    wheels: DriveRow,
    devices: dict[str, Reading],
    here: RobotPlace,
    seed: int,
    outputs: Mapping[str, Output],
    code: Code | None = None,
) -> Wiring:
    """Return what one unit of a robot is connected to."""
    every = [(device.name, device.name) for device in robot.built.devices] if spec.sheet.reads_all else []
    used = {name: devices[f"{robot.name}/{device}"] for name, device in (*every, *spec.uses)}
    key = rng.key(seed, f"{robot.name}/{spec.name}")
    return Wiring(robot.name, robot.built, used, wheels, here.start_us, key, here, here.joints(), outputs, code)


def make_unit(spec: UnitSpec, wiring: Wiring) -> Unit:
    """Return a new unit."""
    return UNITS[spec.sheet.kind](spec.sheet, wiring)
