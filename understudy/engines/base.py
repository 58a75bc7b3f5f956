"""The engine contract: world and wheel targets in, motion, contacts and rays out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.table import Hits, RayTable
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

if TYPE_CHECKING:
    from understudy.engines.joints import Chain, Motion
    from understudy.engines.rays.sight import Sight
    from understudy.engines.rays.solids import SolidWorld
    from understudy.engines.rays.things import Things

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Tree = dict[str, Any]


class Seen(Protocol):
    """What sensors ask of an engine. Rows follow the scene's robots."""

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view, valid until the next call."""
        ...

    def twists(self) -> Array:
        """Return velocities in the world's frame: vx, vy, vz (m/s), wx, wy, wz (rad/s); a view."""
        ...

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways since the start (m); a view."""
        ...

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Say for every robot whether something holds it back; a view."""
        ...

    def contacts(self) -> Array:
        """Return what robots lean on, also at rest, and what they have met in the last step; one row each.

        Columns: robot row; x, y of the middle of the line along which it touches, and the way out, normal x, normal y;
        half the length of that line, 0 where it touches in a point; which layers of sensors notice the other.
        """
        ...

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m).

        *places* are the poses of what looks, one for each of *rows*, if the rays are not of the robots' own frames.
        """
        ...

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, for rays that are no cones, and into *hits* what was met, (rows, rays)."""
        ...

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray of the world's frame and what was met; return the normals there, (rays, 3).

        A ray passes through the robot of its row of *owners* (-1: through none). Where nothing is met the normal is 0.
        """
        ...

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> Things:
        """Write distances as `cast` does, for rays that are no cones; return what of the scene was met, for cameras."""
        ...

    def matter(self) -> SolidWorld:
        """Return all that rays can meet, where it is now; another object once the structure has changed."""
        ...

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> npt.NDArray[np.bool_]:
        """Say for each pair of points of the world (m) whether nothing that *layer* sees stands between them.

        A row of *passed* names two robots whose bodies do not count, -1 for nobody.
        """
        ...

    @property
    def chain(self) -> Chain:
        """Return the joints of all robots, as rows."""
        ...

    def joints(self) -> Motion:
        """Return how the joints move now; rows as in `chain`."""
        ...


class Engine(Seen, Protocol):
    """Advances a flat scene by whole ticks and answers questions about it.

    A class is made from a flat scene, a number of threads and the contents of the scene's files; it raises EngineError
    for what it cannot do, naming the object.
    """

    def step(self, targets: Array) -> None:
        """Advance one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        ...

    def prepare(self) -> None:
        """See to it that what ticks need is compiled, now or beside the run, so that none stops for it."""
        ...

    def aim(self, row: int, position: float) -> None:
        """Let a joint's servo go to a position (rad or m) from the next step on."""
        ...

    def turn(self, row: int, speed: float) -> None:
        """Let a joint's servo move at a speed (rad/s or m/s) from the next step on, until it is at its end."""
        ...

    def movables(self) -> tuple[tuple[str, ...], Array]:
        """Return what else can move, objects and balls, by name, and where each is: rows as in `poses`."""
        ...

    def structure(self) -> tuple[object, ...]:
        """Return values that stay the same objects until things are added, removed, replaced, or fixed ones moved."""
        ...

    @property
    def sight(self) -> Sight | None:
        """Return the caster of level rays, which compiled code may use by itself; None if there is no such caster."""
        ...

    def become(self, scene: Scene) -> None:
        """Take a changed scene, at a tick boundary: things added, removed, replaced.

        A robot that keeps its name keeps its motion and the path its wheels have rolled.
        """
        ...

    def move(self, name: str, pose: Pose) -> None:
        """Put a thing elsewhere, at rest; odometry does not notice."""
        ...

    def scene(self) -> Scene:
        """Return the scene as it is now, poses included."""
        ...

    def state(self) -> Tree:
        """Return all that influences the future, as a tree of plain values and arrays."""
        ...

    def restore(self, state: Tree) -> None:
        """Go on from a saved state; the next step is bit-identical."""
        ...
