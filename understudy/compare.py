"""Run the same scene on two engines: where robots diverge, when, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from understudy import api
from understudy.elementary import arrays
from understudy.errors import UnderstudyError
from understudy.frozen import frozen
from understudy.sim.sim import Sim
from understudy.world.robot import Program

Array = npt.NDArray[np.float64]
EngineName = Literal["planar", "rigid"]
EVERY_S = 0.1
APART_M, APART_RAD = 0.05, math.radians(5.0)  # from here on two robots count as diverged

# the tour of a robot without a program: seconds, and shares of its drive's maximum (ahead, turn)
TOUR: tuple[tuple[float, float, float], ...] = (
    (2.0, 0.3, 0.0), (0.5, 0.0, 0.0), (2.0, 0.3, 0.15), (0.5, 0.0, 0.0), (2.0, 0.0, 0.3), (0.5, 0.0, 0.0),
    (2.0, -0.3, 0.0), (1.0, 0.0, 0.0),
)  # fmt: skip


@frozen
class Path2:
    """The path of one robot on each engine, row by row: x, y (m), heading (rad)."""

    name: str
    first: Array
    second: Array

    def apart_m(self) -> Array:
        """Return the distance between the two at every time (m)."""
        gap = self.first[:, :2] - self.second[:, :2]
        return np.asarray(arrays.hypot(gap[:, 0], gap[:, 1]))

    def turned_rad(self) -> Array:
        """Return the difference of their headings at every time (rad)."""
        gap = self.first[:, 2] - self.second[:, 2]
        return np.asarray(np.abs(arrays.atan2(arrays.sin(gap), arrays.cos(gap))))

    def parted_s(self) -> float | None:
        """Return when they first differed by more than the tolerance (s), None if never."""
        apart = (self.apart_m() > APART_M) | (self.turned_rad() > APART_RAD)
        return float(np.argmax(apart)) * EVERY_S if apart.any() else None

    def way_m(self) -> float:
        """Return the length of the path on the first engine (m)."""
        return float(arrays.hypot(*np.diff(self.first[:, :2], axis=0).T).sum())


@frozen
class Comparison:
    """The result of a comparison."""

    engines: tuple[str, str]
    seconds: float
    paths: tuple[Path2, ...]


def compare(
    scene: str | Path,
    seconds: float | None = None,
    *,
    seed: int | None = None,
    engines: tuple[EngineName, EngineName] = ("planar", "rigid"),
    programs: Mapping[str, str | Program] | None = None,
    drive: tuple[float, float] | None = None,
) -> Comparison:
    """Run a scene on two engines. Raises SceneError, EngineError.

    Robots without a program drive a short tour, or as *drive* says (m/s, rad/s).
    """
    last_s = sum(row[0] for row in TOUR) if seconds is None else seconds
    first, second = (_run(scene, name, last_s, seed, programs, drive) for name in engines)
    if set(first) != set(second):
        raise UnderstudyError("robots were added or removed in only one of the two runs; the runs cannot be compared")
    paths = tuple(Path2(name, first[name], second[name]) for name in first)
    return Comparison(engines, last_s, paths)


def _run(
    scene: str | Path,
    engine: EngineName,
    seconds: float,
    seed: int | None,
    programs: Mapping[str, str | Program] | None,
    drive: tuple[float, float] | None,
) -> dict[str, Array]:
    """Return the poses of every robot, ten times a second."""
    with api.load(scene, engine=engine, seed=seed, programs=programs) as sim:
        idle = [robot.name for robot in sim.start.robots if not robot.program and robot.name not in (programs or {})]
        rows: dict[str, list[tuple[float, float, float]]] = {robot.name: [] for robot in sim.start.robots}
        for step in range(round(seconds / EVERY_S) + 1):
            _drive(sim, idle, step * EVERY_S, drive)
            if step:
                sim.run(EVERY_S)
            view = sim.view()
            for robot, pose in zip(view.robots, view.poses().tolist()):
                rows.setdefault(robot.name, []).append((pose[0], pose[1], pose[5]))
    return {name: np.array(places) for name, places in rows.items() if places}


def _drive(sim: Sim, names: list[str], time_s: float, motion: tuple[float, float] | None) -> None:
    """Drive robots without a program: as commanded, or along the tour."""
    if motion is not None:
        for name in names:
            sim.robot(name).drive(*motion)
        return
    begun = 0.0
    for seconds, ahead, turn in TOUR:
        if begun <= time_s + 1e-9 < begun + seconds:
            for name in names:
                drive = sim.current.robots[sim.row(name)].built.drive
                sim.robot(name).drive(ahead * drive.max_m_s, turn * drive.max_rad_s)
            return
        begun += seconds
    for name in names:
        sim.robot(name).stop()
