"""Many copies of one scene that step together, each with its own seed and its own time.

A world gives the same bits as the scene alone with its seed and its actions; who else steps beside it does not matter.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents, contents
from understudy.assets.library import Library
from understudy.engines.planar.worlds import PlanarWorlds
from understudy.errors import EngineError, UnknownName, nearest
from understudy.robots import UNITS
from understudy.robots.passthrough import Controller
from understudy.sensors.base import Array
from understudy.sensors.light import Lamp
from understudy.sensors.world_batch import WorldBatch
from understudy.sensors.world_senses import WorldSenses
from understudy.sim import wiring
from understudy.sim.packing import digest
from understudy.world import extent
from understudy.world.limits import LENGTH_M
from understudy.world.scene import Scene

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
_ALONE = "not supported in many worlds; run the scene alone (us.load), or remove it"


class Worlds:
    """Copies of a flat scene on the planar engine, driven and read as arrays whose first axis is the world.

    World *w* is the scene with the seed ``seeds[w]``. Readings are views, valid until the next step; all other arrays
    are copies.
    """

    def __init__(
        self,
        scene: Scene,
        seeds: Sequence[int],
        *,
        threads: int | None = None,
        folder: Path | None = None,
        files: Contents | None = None,
    ) -> None:
        extent.check(scene)
        _refuse_what_needs_a_run(scene)
        if not len(seeds):
            raise ValueError("want at least one world")
        self._scene, self._seeds = scene, np.array(seeds, np.int64)
        count, robots = len(self._seeds), len(scene.robots)
        self._engine = PlanarWorlds(scene, count, threads or os.cpu_count() or 1)
        self._targets: Array = np.zeros((count * robots, 3))
        self._tick: Ints = np.zeros(count, np.int64)
        self._batches = _batches(scene, self._seeds)
        around = wiring.surroundings(scene, Library.of(contents(scene, folder or Path()) if files is None else files))
        around.tracks_m = np.tile(around.tracks_m, count)
        self._senses = WorldSenses(self._engine, self._batches, around)
        self._readings = _Readings(self._batches)
        self._senses.sense(self._t_us)

    def __len__(self) -> int:
        return len(self._seeds)

    @property
    def seeds(self) -> Ints:
        """Return the seed of every world."""
        return self._seeds.copy()

    @property
    def robots(self) -> tuple[str, ...]:
        """Return the robots' names, in the order of the second axis of poses and actions."""
        return tuple(robot.name for robot in self._scene.robots)

    @property
    def _t_us(self) -> Ints:
        return self._tick * self._scene.tick_us

    @property
    def time_s(self) -> Array:
        """Return the simulated time of every world (s)."""
        return self._t_us / 1e6

    # ---- what is

    @property
    def readings(self) -> Mapping[str, Array]:
        """Return the newest readings by the path of the device (``scout/front``), (worlds, values)."""
        return self._readings

    def stamp_us(self, path: str) -> Ints:
        """Return the simulated time of the newest reading of a device in every world; -1 before the first (us)."""
        return self._readings.home(path).stamp_us.copy()

    @property
    def poses(self) -> Array:
        """Return x, y, heading of every robot, (worlds, robots, 3) (m, rad)."""
        poses = self._engine.poses()[:, [0, 1, 5]]
        return poses.reshape(len(self), -1, 3)

    @property
    def things(self) -> tuple[str, ...]:
        """Return the names of what else can move: pushable objects, then balls."""
        return self._engine.things()[0]

    @property
    def thing_poses(self) -> Array:
        """Return x, y, heading of everything else that can move, (worlds, things, 3) (m, rad)."""
        return self._engine.things()[1].copy()

    @property
    def stalled(self) -> Bools:
        """Say for every robot whether something holds it back, (worlds, robots)."""
        return self._engine.stalled().reshape(len(self), -1)

    @property
    def touching(self) -> Bools:
        """Say for every robot whether it touches something, or did so in the last tick, (worlds, robots)."""
        flags = np.zeros(self._targets.shape[0], np.bool_)
        flags[self._engine.contacts()[:, 0].astype(np.int64)] = True
        return flags.reshape(len(self), -1)

    def hash(self, world: int) -> str:
        """Return a digest of the state of one world: what `Sim.hash` returns for that world alone."""
        robots = len(self._scene.robots)
        specs = [(robot.name, spec) for robot in self._scene.robots for spec in wiring.unit_specs(robot)]
        units: dict[str, Any] = {f"{name}/{spec.name}": {} for name, spec in specs}
        targets = self._targets.reshape(len(self), robots, 3)[world]
        return digest({"engine": self._engine.state_of(world), "targets": targets, "units": units})

    # ---- what happens

    def step(self, actions: npt.ArrayLike | None = None, ticks: int = 1) -> None:
        """Ask every robot for a motion and advance all worlds by so many ticks.

        *actions* are (worlds, robots, 3), or what NumPy broadcasts to that: forward m/s, left m/s, turn rad/s. A robot
        with a NaN among its three, or all if there are no actions, goes on as it was asked before.
        """
        if actions is not None:
            self._obey(np.asarray(actions, np.float64))
        for _ in range(ticks):
            self._engine.step(self._targets)
            self._tick += 1
            self._senses.sense(self._t_us)

    def _obey(self, actions: Array) -> None:
        if np.isinf(actions).any():
            raise ValueError("want finite speeds, or NaN to leave a robot as it is; got infinity")
        shape = len(self), len(self._scene.robots), 3
        try:
            wanted = np.broadcast_to(actions, shape).reshape(-1, 3)
        except ValueError:
            raise ValueError(f"actions have the shape {actions.shape}, want (worlds, robots, 3) = {shape}") from None
        np.copyto(self._targets, wanted, where=~np.isnan(wanted).any(axis=1, keepdims=True))

    def restart(self, worlds: npt.ArrayLike | None = None, seeds: Sequence[int] | None = None) -> None:
        """Put some worlds back to time zero, with new seeds or the same ones.

        *worlds* are numbers or one flag for each world; all if left out.
        """
        chosen = self._chosen(worlds)
        if seeds is not None:
            if len(seeds) != len(chosen):
                raise ValueError(f"{len(seeds)} seeds for {len(chosen)} worlds")
            self._seeds[chosen] = seeds
        if len(chosen):
            self._engine.restart(chosen)
            self._targets.reshape(len(self), -1, 3)[chosen] = 0.0
            self._tick[chosen] = 0
            for batch in self._batches:
                batch.restart(chosen, self._seeds[chosen])
            self._senses.sense(self._t_us)

    def move(self, name: str, poses: npt.ArrayLike, worlds: npt.ArrayLike | None = None) -> None:
        """Put a robot, a pushable object or a ball elsewhere in some worlds, at rest; its odometry does not notice.

        *poses* are x, y, heading (m, rad), one for all or one for each of *worlds*, which are chosen as in `restart`.
        """
        known = (*self.robots, *self.things)
        if name not in known:
            raise UnknownName(f"no movable thing is named {name!r} {nearest(name, known)}")
        chosen = self._chosen(worlds)
        places = np.broadcast_to(np.asarray(poses, np.float64), (len(chosen), 3))
        if not (np.isfinite(places).all() and (np.abs(places[:, :2]) <= LENGTH_M).all()):
            raise ValueError(f"{name}: want finite poses within {LENGTH_M:g} m")
        self._engine.move(name, chosen, places)

    def _chosen(self, worlds: npt.ArrayLike | None) -> Ints:
        """Return numbers of worlds, each once; raises IndexError for those that are not there."""
        every = np.arange(len(self))
        given = every if worlds is None else np.atleast_1d(worlds)
        chosen = every[given if given.size else []]
        if len(np.unique(chosen)) < len(chosen):
            raise ValueError("a world is named twice")
        return chosen


class _Readings(Mapping[str, Array]):
    """The newest readings by the path of the device, one row per world."""

    def __init__(self, batches: Sequence[WorldBatch]) -> None:
        self._homes = {path: batch for batch in batches for path in batch.paths}

    def home(self, path: str) -> WorldBatch:
        """Return the batch of a device."""
        if path not in self._homes:
            raise UnknownName(f"no robot has a device {path!r} {nearest(path, self._homes)}")
        return self._homes[path]

    def __getitem__(self, path: str) -> Array:
        """Return the readings of a device."""
        view = self.home(path).of_world(path)
        view.flags.writeable = False
        return view

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


def _batches(scene: Scene, seeds: Ints) -> list[WorldBatch]:
    """Return all devices of all worlds, equal ones together."""
    groups = wiring.groups_of_devices(scene)
    return [
        WorldBatch(sheet, mount, *group, seeds, len(scene.robots), scene.tick_us)
        for (sheet, mount, _), group in groups.items()
    ]


def _refuse_what_needs_a_run(scene: Scene) -> None:
    """Raise EngineError for what copies of a scene cannot have, naming each."""
    found = list(_needs(scene))
    if found:
        raise EngineError("; ".join(found) + f": {_ALONE}")


def _needs(scene: Scene) -> Iterator[str]:
    if scene.engine != "planar":
        yield f"the scene asks for the {scene.engine} engine"
    if not scene.robots:
        yield "the scene has no robots"
    if scene.events:
        yield "the scene has events"
    for scene_port in scene.ports:
        yield f"{scene_port.name} is a port"
    for robot in scene.robots:
        if robot.program:
            yield f"{robot.name} has a program"
        for spec in robot.built.units:
            if UNITS[spec.sheet.kind] is not Controller:
                yield f"{robot.name}/{spec.name} is firmware ({spec.sheet.kind})"
        for stage in robot.built.drive_stages:
            yield f"{robot.name}/{stage.name} is a drive stage"
        for port in robot.built.ports:
            yield f"{robot.name}/{port.name} is a port"
        for device in robot.built.devices:
            yield from _needs_of(f"{robot.name}/{device.name}", device.sheet)


def _needs_of(path: str, sheet: Any) -> Iterator[str]:
    if sheet.filter:
        yield f"{path} has a filter function"
    if isinstance(sheet, Lamp):
        yield f"{path} is a lamp"
