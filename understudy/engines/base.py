"""The engine contract: world and wheel targets in; motion, contacts and ray casting out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.table import Hits, RayTable
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

if TYPE_CHECKING:
    from understudy.engines.joints import Chain, JointMotion
    from understudy.engines.rays.level.caster import Sight
    from understudy.engines.rays.spatial.hits import HitDetails
    from understudy.engines.rays.spatial.solids import SolidWorld

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Tree = dict[str, Any]


class Seen(Protocol):
    """The part of an engine that sensors use. Rows follow the scene's robots."""

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view, valid until the next call."""
        ...

    def twists(self) -> Array:
        """Return velocities in the world frame: vx, vy, vz (m/s), wx, wy, wz (rad/s); a view."""
        ...

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways since the start (m); a view."""
        ...

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Return for every robot whether it is stalled; a view."""
        ...

    def contacts(self) -> Array:
        """Return the contacts of robots, resting ones and those of the last step; one row each.

        Columns: robot row; x, y of the midpoint of the contact line; outward normal x, normal y; half the length of
        that line, 0 for a point contact; the sensor layers that detect the other body.
        """
        ...

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m).

        *places* are the poses of the frames, one for each of *rows*, if the rays are not in the robots' own frames.
        """
        ...

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, for rays that are not cones, and into *hits* what was hit, (rows, rays)."""
        ...

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray in the world frame and what was hit; return the normals there, (rays, 3).

        A ray ignores the robot of its row of *owners* (-1: none). Where nothing is hit the normal is 0.
        """
        ...

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> HitDetails:
        """Write distances as `cast` does, for rays that are not cones; return the things that were hit, for cameras."""
        ...

    def matter(self) -> SolidWorld:
        """Return everything that rays can hit, at its present position; another object after a structural change."""
        ...

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> npt.NDArray[np.bool_]:
        """Return for each pair of world points (m) whether nothing that *layer* sees is between them.

        A row of *passed* names two robots whose bodies do not count, -1 for none.
        """
        ...

    @property
    def chain(self) -> Chain:
        """Return the joints of all robots, as rows."""
        ...

    def joints(self) -> JointMotion:
        """Return the present motion of the joints; rows as in `chain`."""
        ...


class Engine(Seen, Protocol):
    """Advances a flat scene by whole ticks and answers queries about it.

    A class is made from a flat scene, a number of threads and the contents of the scene's files; it raises EngineError
    for unsupported scenes, naming the object.
    """

    def step(self, targets: Array) -> None:
        """Advance one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        ...

    def prepare(self) -> None:
        """Make sure that the kernels of a tick are compiled, now or in the background, so that no tick waits for it."""
        ...

    def aim(self, row: int, position: float) -> None:
        """Move a joint's servo to a position (rad or m) from the next step on."""
        ...

    def turn(self, row: int, speed: float) -> None:
        """Move a joint's servo at a speed (rad/s or m/s) from the next step on, up to its joint limit."""
        ...

    def movables(self) -> tuple[tuple[str, ...], Array]:
        """Return the other movable objects, things and balls, by name, and their poses: rows as in `poses`."""
        ...

    def structure(self) -> tuple[object, ...]:
        """Return values that stay the same objects until things are added, removed, replaced, or fixed ones moved."""
        ...

    @property
    def sight(self) -> Sight | None:
        """Return the caster of level rays, which compiled code may use directly; None if there is no such caster."""
        ...

    def rebuild(self, scene: Scene) -> None:
        """Apply a changed scene at a tick boundary: things added, removed, replaced.

        A robot that keeps its name keeps its motion and the path its wheels have rolled.
        """
        ...

    def move(self, name: str, pose: Pose) -> None:
        """Move a thing to another pose, at rest; odometry is not affected."""
        ...

    def scene(self) -> Scene:
        """Return the scene in its present state, poses included."""
        ...

    def state(self) -> Tree:
        """Return everything that influences the future, as a tree of plain values and arrays."""
        ...

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; the next step is bit-identical."""
        ...
