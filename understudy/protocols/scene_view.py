"""What a protocol of the whole scene sees: values of one moment, made when they are asked for, never the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from understudy.frozen import frozen
from understudy.robots.base import Offer
from understudy.sensors.base import Array
from understudy.world.robot import PlacedRobot
from understudy.world.shapes import Pose


@frozen
class JointState:
    """How a joint moves: position, speed (rad or m, per s) and effort of its servo (N m or N)."""

    position: float
    speed: float
    effort: float


class SceneView(Protocol):
    """One moment of a run. Paths are ``robot/part``; unknown ones raise UnknownName with what there is."""

    @property
    def t_us(self) -> int:
        """Return the simulated time (us)."""
        ...

    @property
    def tick_us(self) -> int:
        """Return how long a tick is (us)."""
        ...

    @property
    def paused(self) -> bool:
        """Return whether time is paused."""
        ...

    @property
    def robots(self) -> Sequence[PlacedRobot]:
        """Return the robots: models and start poses, in the order of the rows of all tables."""
        ...

    def pose(self, robot: str) -> Pose:
        """Return the true pose of a robot (m, rad)."""
        ...

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad)."""
        ...

    def twists(self) -> Array:
        """Return velocities in the world's frame: vx, vy, vz (m/s), wx, wy, wz (rad/s)."""
        ...

    def stalled(self, robot: str) -> bool:
        """Return whether something blocks a robot."""
        ...

    def devices(self) -> Sequence[str]:
        """Return the paths of all sensors."""
        ...

    def sheet(self, device: str) -> Any:
        """Return the data sheet of a sensor."""
        ...

    def columns(self, device: str) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit: ``range_m[0]``, ``heading_deg``."""
        ...

    def reading(self, device: str) -> Array:
        """Return the newest reading of a sensor."""
        ...

    def stamp_us(self, device: str) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        ...

    def units(self) -> Sequence[str]:
        """Return the paths of all units."""
        ...

    def panel(self, unit: str) -> Any:
        """Return what a unit shows, as a frozen value."""
        ...

    def offers(self, unit: str) -> tuple[Offer, ...]:
        """Return what a user can do at a unit: its keys and buttons."""
        ...

    def joints(self) -> Mapping[str, JointState]:
        """Return how every joint moves, by path."""
        ...
