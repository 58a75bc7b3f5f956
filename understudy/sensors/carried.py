"""The world as seen by a sensor on a joint: the same world, from frames that move with the joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.engines.base import Array, Rows, Seen
from understudy.engines.joints import Chain, JointMotion
from understudy.engines.rays.table import Hits, RayTable
from understudy.sensors.attitude import cross
from understudy.world.rotations import turns_of

if TYPE_CHECKING:
    from understudy.engines.rays.spatial.hits import HitDetails
    from understudy.engines.rays.spatial.solids import SolidWorld

Bools = npt.NDArray[np.bool_]


def seen_from(engine: Seen, joint: str) -> Seen:
    """Return the world as seen from the joints of that name; without a name, from the robots themselves."""
    body = engine.body if isinstance(engine, Carried) else engine
    return Carried(body, joint) if joint else body


class Carried:
    """An engine as the devices on a joint see it now: poses, velocities and rays are in the joint's frame.

    Robots without such a joint use their own frames.
    """

    def __init__(self, body: Seen, joint: str) -> None:
        self.body, self._joint = body, joint
        self._poses: Array | None = None  # computed once: a camera asks once for each robot

    def _mine(self) -> tuple[list[int], Rows]:
        """Return the rows of the joints, and of their robots."""
        chain = self.body.chain
        rows = [row for row, joint in enumerate(chain.joints) if joint.name == self._joint]
        return rows, chain.robot[rows]

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of the frames (m, rad)."""
        if self._poses is None:
            self._poses, (rows, robots) = self.body.poses().copy(), self._mine()
            self._poses[robots] = self.body.chain.places(self.body.joints().position, self._poses)[rows]
        return self._poses

    def twists(self) -> Array:
        """Return the velocities of the frames in the world (m/s, rad/s)."""
        chain, (rows, robots) = self.body.chain, self._mine()
        motion, twists = self.body.joints(), self.body.twists().copy()
        frames = chain.frames(motion.position)
        moves, turns = (rates[rows] for rates in chain.rates(frames, motion.speed))
        lies = turns_of(self.body.poses()[robots])
        away, moves, turns = (np.einsum("nij,nj->ni", lies, part) for part in (frames.at[rows], moves, turns))
        twists[robots, :3] += cross(twists[robots, 3:], away) + moves
        twists[robots, 3:] += turns
        return twists

    def travel(self) -> Array:
        """Return the path rolled by the wheels (m)."""
        return self.body.travel()

    def stalled(self) -> Bools:
        """Return for every robot whether it is stalled."""
        return self.body.stalled()

    def contacts(self) -> Array:
        """Return the contacts of robots."""
        return self.body.contacts()

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance along each ray of the frames of *rows* (m)."""
        self.body.cast(table, rows, out, self._places(rows, places))

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, and what was hit."""
        self.body.cast_hits(table, rows, out, hits, self._places(rows, places))

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> HitDetails:
        """Write distances as `cast` does; return the things that were hit."""
        return self.body.cast_things(table, rows, out, self._places(rows, places))

    def _places(self, rows: Rows, places: Array | None) -> Array:
        return self.poses()[rows] if places is None else places

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray in the world frame and what was hit; return the normals there."""
        return self.body.cast_world(origins, directions, limit_m, layer, owners, out, hits)

    def matter(self) -> SolidWorld:
        """Return everything that rays can hit, at its present position."""
        return self.body.matter()

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> Bools:
        """Return for each pair of points (m) whether nothing that *layer* sees is between them."""
        return self.body.clear(origins, ends, passed, layer)

    @property
    def chain(self) -> Chain:
        """Return the joints of all robots."""
        return self.body.chain

    def joints(self) -> JointMotion:
        """Return the motion of the joints."""
        return self.body.joints()
