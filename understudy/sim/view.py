"""One moment of a run as listeners and protocols of the scene see it: copies, made when they are asked for.

Nothing here gives out the engine, a unit or a batch, so that a listener cannot change the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from understudy.assets.library import Library
from understudy.engines.rays.table import RayTable
from understudy.errors import UnderstudyError, UnknownName, nearest
from understudy.frozen import frozen
from understudy.protocols.scene_view import JointState
from understudy.robots.base import Offer
from understudy.sensors.base import Array, Rows
from understudy.sensors.traces import distances, true_distances
from understudy.sim.robot_names import row_of
from understudy.world.news import At
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose, pose_of

if TYPE_CHECKING:
    from understudy.sim.run import Run

T = TypeVar("T")
Place = tuple[float, float, float]  # x, y (m), heading (rad)
ORIGIN: Place = (0.0, 0.0, 0.0)


class Structure:
    """What a description of the scene depends on besides time: compared, never looked into."""

    __slots__ = ("_parts",)

    def __init__(self, run: Run) -> None:
        self._parts = (run, run.batches, *run.engine.structure())

    def is_same(self, other: Structure) -> bool:
        """Return whether nothing was added, removed, replaced or given another form."""
        return len(self._parts) == len(other._parts) and all(a is b for a, b in zip(self._parts, other._parts))

    def is_same_run(self, other: Structure) -> bool:
        """Return whether there was no reset."""
        return self._parts[0] is other._parts[0]


@frozen
class RayDevices:
    """Devices of equal data sheets that look along rays."""

    number: int
    kind: str
    paths: Sequence[str]
    rows: Rows  # the robots that carry them
    joint: str  # that carries them; empty: the robot's body
    table: RayTable
    valid: tuple[bool, ...]  # which are on and have a reading


class View:
    """The values of one moment; after the next tick they are gone, and asking for one raises UnderstudyError."""

    __slots__ = ("_at", "_of", "paused", "t_us", "tick_us")

    def __init__(self, run: Run) -> None:
        self._of, self._at = run, run.tick
        self.t_us, self.tick_us, self.paused = run.t_us, run.start.tick_us, run.paused

    @property
    def _run(self) -> Run:
        if self._of.tick != self._at:
            raise UnderstudyError(
                f"this view of tick {self._at} is used at tick {self._of.tick}: copy the values that you keep"
            )
        return self._of

    # ---- robots and things

    @property
    def robots(self) -> tuple[PlacedRobot, ...]:
        """Return the robots: models and start poses, in the order of the rows of all tables."""
        return self._run.robots

    def pose(self, robot: str) -> Pose:
        """Return the true pose of a robot (m, rad)."""
        return pose_of(self._run.engine.poses()[self._row(robot)])

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad)."""
        return self._run.engine.poses().copy()

    def twists(self) -> Array:
        """Return velocities in the world's frame: vx, vy, vz (m/s), wx, wy, wz (rad/s)."""
        return self._run.engine.twists().copy()

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways since the start (m)."""
        return self._run.engine.travel().copy()

    def stalled(self, robot: str) -> bool:
        """Return whether something blocks a robot."""
        return bool(self._run.engine.stalled()[self._row(robot)])

    def blocked(self) -> tuple[bool, ...]:
        """Return for every robot whether something blocks it."""
        return tuple(self._run.engine.stalled().tolist())

    def odometry(self, robot: str) -> Place | None:
        """Return the pose estimate of a robot's firmware or odometry device; None if it has neither."""
        built = self.robots[self._row(robot)].built
        for unit in built.units:
            at = self._run.units[f"{robot}/{unit.name}"].pose_estimate()
            if at is not None:
                return at.x_m, at.y_m, at.heading_rad
        for device in built.devices:
            if device.sheet.kind == "odometry":
                x, y, heading = self.reading(f"{robot}/{device.name}")[:3].tolist()
                return (x, y, heading) if math.isfinite(x + y + heading) else ORIGIN
        return None

    def contacts(self) -> Array:
        """Return what robots touch: robot row; x, y (m), normal x, normal y; half length (m); layers that notice it."""
        return self._run.engine.contacts().copy()

    def movables(self) -> tuple[tuple[str, ...], Array]:
        """Return what else can move, objects and balls, by name, and where each is: rows as in `poses`."""
        names, poses = self._run.engine.movables()
        return names, poses.copy()

    def joints(self) -> Mapping[str, JointState]:
        """Return how every joint moves, by path."""
        motion = self._run.engine.joints()
        rows = zip(self._run.engine.chain.paths, *(column.tolist() for column in motion))
        return MappingProxyType({path: JointState(*row) for path, *row in rows})

    def limbs(self) -> Array:
        """Return where the joints of all robots are, as rows of poses; rows as in `joints`."""
        engine = self._run.engine
        chain = engine.chain
        return chain.places(engine.joints().position, engine.poses()) if len(chain) else np.zeros((0, 6))

    # ---- the scene

    def scene(self) -> Scene:
        """Return the scene as it is now."""
        return self._run.scene()

    @property
    def start(self) -> Scene:
        """Return the scene that a reset starts from."""
        return self._run.start

    @property
    def files(self) -> Library:
        """Return the files that the scene refers to, with their decoded contents."""
        return self._run.files

    def structure(self) -> Structure:
        """Return what a description of the scene depends on besides time."""
        return Structure(self._run)

    # ---- devices

    def devices(self) -> tuple[str, ...]:
        """Return the paths of all sensors."""
        return tuple(self._run.readings)

    def has_device(self, path: str) -> bool:
        """Return whether there is a sensor with this path."""
        return path in self._run.readings

    def sheet(self, device: str) -> Any:
        """Return the data sheet of a sensor."""
        return _known(self._run.readings, device, "device").sheet

    def columns(self, device: str) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit: ``range_m[0]``, ``heading_deg``."""
        names: tuple[str, ...] = self.sheet(device).columns()
        return names

    def reading(self, path: str) -> Array:
        """Return a copy of the newest reading of a device."""
        return _known(self._run.readings, path, "device").read()

    def is_on(self, device: str) -> bool:
        """Return whether a device is switched on."""
        batch, row = _known(self._run.readings, device, "device").place
        return not batch.off[row]

    def stamp_us(self, device: str) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        return _known(self._run.readings, device, "device").stamp_us

    def ray_groups(self) -> tuple[RayDevices, ...]:
        """Return the devices that look along rays, grouped by data sheet."""
        return tuple(
            RayDevices(
                number, batch.sheet.kind, batch.paths, batch.rows.copy(), batch.joint, batch.table,
                tuple((~batch.off & (batch.samples > 0)).tolist()),
            )
            for number, batch in enumerate(self._run.batches) if batch.table is not None
        )  # fmt: skip

    def ranges(self, group: RayDevices, which: Sequence[int]) -> Array:
        """Return the distances that the newest readings of some devices of a group tell; nan where one does not (m)."""
        batch = self._run.batches[group.number]
        return np.array([distances(batch, row) for row in which])

    def lost(self, group: RayDevices, which: Sequence[int], ranges: Array) -> npt.NDArray[np.bool_]:
        """Return which values of some devices are without an echo although something is there."""
        batch, limit_m = self._run.batches[group.number], group.table.limit_m
        found = np.asarray(ranges >= limit_m)
        for n, row in enumerate(which):
            if found[n].any():
                found[n] &= true_distances(batch, row, self._run.engine) < limit_m
        return found

    # ---- units

    def units(self) -> tuple[str, ...]:
        """Return the paths of all units."""
        return tuple(self._run.units)

    def panel(self, unit: str) -> Any:
        """Return what a unit shows, as a frozen value."""
        return _known(self._run.units, unit, "unit").panel()

    def offers(self, unit: str) -> tuple[Offer, ...]:
        """Return what a user can do at a unit: its keys and buttons."""
        return _known(self._run.units, unit, "unit").offers()

    def positions(self) -> Mapping[str, tuple[At, ...]]:
        """Return where programs are, one for each task, by the path of the unit that runs them."""
        found = ((path, unit.positions()) for path, unit in self._run.units.items())
        return MappingProxyType({path: places for path, places in found if places})

    def _row(self, robot: str) -> int:
        return row_of(robot, self._run.robots)


def _known(table: Mapping[str, T], path: str, noun: str) -> T:
    if path not in table:
        raise UnknownName(f"there is no {noun} {path!r} {nearest(path, table)}")
    return table[path]
