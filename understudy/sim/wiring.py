"""Joins devices, units and wheels: what is rebuilt whenever the world changes its structure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from understudy import elementary, rng
from understudy.elementary import arrays
from understudy.engines.base import Array, Engine
from understudy.errors import EngineError
from understudy.formats.library import Library
from understudy.robots import UNITS
from understudy.robots.base import Unit, Wiring
from understudy.robots.controller import Controller
from understudy.robots.servos import Servos
from understudy.sensors import easel
from understudy.sensors.attitude import attitudes, places
from understudy.sensors.batch import Batch, Reading
from understudy.sensors.filters import Filter
from understudy.sensors.surroundings import Surroundings
from understudy.world.marks import gps_shadows
from understudy.world.robot import Robot
from understudy.world.robot import Unit as UnitSpec
from understudy.world.scene import Scene
from understudy.world.shapes import Mount, Pose, pose_of

SERVOS = "servos"  # the unit of a robot's joints


class Wheels:
    """A robot's drive as its firmware holds it: a row of the targets."""

    def __init__(self, engine: Engine, targets: Array, row: int) -> None:
        self._engine, self._targets, self._row = engine, targets, row

    def set(self, m_s: float, rad_s: float, lateral_m_s: float = 0.0) -> None:
        """Ask the drive for this motion from the next engine step on."""
        if not math.isfinite(m_s + lateral_m_s + rad_s):
            name = self._engine.scene().robots[self._row].name
            raise EngineError(f"{name}: firmware asks for {m_s} m/s, {lateral_m_s} m/s to the left, {rad_s} rad/s")
        self._targets[self._row] = (m_s, lateral_m_s, rad_s)

    def asked(self) -> tuple[float, float, float]:
        """Return what was asked for last: forward m/s, turn rad/s, m/s to the left."""
        ahead, left, turn = (float(value) for value in self._targets[self._row])
        return ahead, turn, left

    def twist(self) -> tuple[float, float, float]:
        """Return the true motion: forward m/s, left m/s, turn rad/s."""
        vx, vy, vz, wx, wy, wz = (float(v) for v in self._engine.twists()[self._row])
        roll, pitch, yaw = (float(angle) for angle in self._engine.poses()[self._row, 3:])
        cos, sin = elementary.direction(yaw)
        if roll == pitch == 0.0:
            return cos * vx + sin * vy, cos * vy - sin * vx, wz
        ahead, left, up = attitudes(np.array([[0.0, 0.0, 0.0, roll, pitch, yaw]]))[0].T
        return (
            float(arrays.product(ahead, (vx, vy, vz))),
            float(arrays.product(left, (vx, vy, vz))),
            float(arrays.product(up, (wx, wy, wz))),
        )


class Servo:
    """A joint as firmware and programs hold it: a row of the engine's chain."""

    def __init__(self, engine: Engine, row: int) -> None:
        self._engine, self._row = engine, row

    def aim(self, position: float) -> None:
        """Go to a position from the next engine step on (rad or m)."""
        self._engine.aim(self._row, position)

    def turn(self, speed: float) -> None:
        """Move at a speed from the next engine step on (rad/s or m/s)."""
        self._engine.turn(self._row, speed)

    def position(self) -> float:
        """Return where it is (rad or m)."""
        return float(self._engine.joints().position[self._row])

    def speed(self) -> float:
        """Return how fast it moves (rad/s or m/s)."""
        return float(self._engine.joints().speed[self._row])

    def effort(self) -> float:
        """Return how hard its servo pushes (N m or N)."""
        return float(self._engine.joints().effort[self._row])


class Here:
    """Where a robot truly is, which only a simulator can tell."""

    def __init__(self, engine: Engine, row: int, around: Surroundings, mapped: bool) -> None:
        self._engine, self._row, self._around, self.mapped = engine, row, around, mapped
        self.start_us = around.frame.start_us

    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        return pose_of(self._engine.poses()[self._row])

    def joints(self) -> dict[str, Servo]:
        """Return the robot's joints by name."""
        chain = self._engine.chain
        return {chain.joints[row].name: Servo(self._engine, row) for row in chain.of_robot(self._row)}

    def geodetic(self, mount: Mount) -> tuple[float, float, float] | None:
        """Return latitude, longitude (deg) and altitude (m) of a point of the robot; None if that is not known."""
        return self._around.frame.to_geo(*self._place(mount)) if self._around.on_earth else None

    def reception(self, mount: Mount) -> bool:
        """Say whether a GPS antenna at a point of the robot sees the sky."""
        x, y, _ = self._place(mount)
        return bool(self._around.reception(np.array([x]), np.array([y]))[0])

    def _place(self, mount: Mount) -> tuple[float, float, float]:
        here = self._engine.poses()[self._row : self._row + 1]
        x, y, z = (float(value) for value in places(here, mount)[0])
        return x, y, z


def batches(
    scene: Scene, seed: int, filters: Mapping[str, Filter], before: Sequence[Batch] = (), now_us: int = 0
) -> list[Batch]:
    """Return all devices of the scene, equal ones together, with what *before* knows of them."""
    groups: dict[tuple[Any, Mount, str], tuple[list[str], list[int]]] = {}
    for row, robot in enumerate(scene.robots):
        for device in robot.built.devices:
            paths, rows = groups.setdefault((device.sheet, device.mount, device.joint), ([], []))
            paths.append(f"{robot.name}/{device.name}")
            rows.append(row)
    made = [
        Batch(sheet, mount, *group, seed, scene.tick_us, filters.get(sheet.filter), joint)
        for (sheet, mount, joint), group in groups.items()
    ]
    for batch in made:
        batch.adopt(before, now_us)
    return made


def surroundings(scene: Scene, files: Library, before: Surroundings | None = None) -> Surroundings:
    """Return what the scene's devices see besides what moves; raises FormatError for a picture that one needs.

    A camera that insists on a renderer which is not here gives an EngineError.
    """
    made = Surroundings(scene, gps_shadows(scene.marks), files)
    if before is not None:
        made.keep_floor(before)
    easel.check(scene)
    sheets = [device.sheet for robot in scene.robots for device in robot.built.devices]
    if any(getattr(sheet, "sees_floor", False) for sheet in sheets):
        _ = made.floor  # now, and not in the middle of a run
    if any(getattr(sheet, "sees_pictures", False) for sheet in sheets):
        files.open_pictures(scene)
    return made


def readings(made: Iterable[Batch]) -> dict[str, Reading]:
    """Return every device by its path."""
    return {path: Reading(batch, row) for batch in made for row, path in enumerate(batch.paths)}


def unit_specs(robot: Robot) -> list[UnitSpec]:
    """Return the robot's units; one that nothing drives gets a plain controller, one with joints their servos."""
    specs = list(robot.built.units)
    if not any(UNITS[spec.sheet.kind].drives for spec in specs):
        specs.append(UnitSpec(name="controller", sheet=Controller.Sheet()))
    if robot.built.joints:
        specs.append(UnitSpec(name=SERVOS, sheet=Servos.Sheet()))
    return specs


def wiring_of(
    robot: Robot, spec: UnitSpec, wheels: Wheels, devices: dict[str, Reading], here: Here, seed: int
) -> Wiring:
    """Return what one unit of a robot is connected to."""
    used = {name: devices[f"{robot.name}/{device}"] for name, device in spec.uses}
    key = rng.key(seed, f"{robot.name}/{spec.name}")
    return Wiring(robot.name, robot.built, used, wheels, here.start_us, key, here, here.joints())


def make_unit(spec: UnitSpec, wiring: Wiring) -> Unit:
    """Return a running firmware."""
    return UNITS[spec.sheet.kind](spec.sheet, wiring)
