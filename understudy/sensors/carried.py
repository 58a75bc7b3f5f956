"""What a sensor sees that sits on a joint: the same world, from frames that joints move about on their robots."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.engines.base import Array, Rows, Seen
from understudy.engines.joints import Chain, Motion
from understudy.engines.rays.solids import SolidWorld
from understudy.engines.rays.table import Hits, RayTable
from understudy.engines.rays.things import Things
from understudy.sensors.attitude import attitudes, cross

Bools = npt.NDArray[np.bool_]


def seen_from(engine: Seen, joint: str) -> Seen:
    """Return what is seen from the joints of that name; without a name from the robots themselves."""
    body = engine.body if isinstance(engine, Carried) else engine
    return Carried(body, joint) if joint else body


class Carried:
    """An engine as the devices on a joint see it, now: poses, speeds and rays are those of the joint's frame.

    Robots that have no such joint look from their own frames.
    """

    def __init__(self, body: Seen, joint: str) -> None:
        self.body, self._joint = body, joint
        self._poses: Array | None = None  # worked out once: a camera asks for each of its robots

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
        """Return how fast the frames move and turn in the world (m/s, rad/s)."""
        chain, (rows, robots) = self.body.chain, self._mine()
        motion, twists = self.body.joints(), self.body.twists().copy()
        frames = chain.frames(motion.position)
        moves, turns = (rates[rows] for rates in chain.rates(frames, motion.speed))
        lies = attitudes(self.body.poses()[robots])
        away, moves, turns = (np.einsum("nij,nj->ni", lies, part) for part in (frames.at[rows], moves, turns))
        twists[robots, :3] += cross(twists[robots, 3:], away) + moves
        twists[robots, 3:] += turns
        return twists

    def travel(self) -> Array:
        """Return the path rolled by the wheels (m)."""
        return self.body.travel()

    def stalled(self) -> Bools:
        """Say for every robot whether something holds it back."""
        return self.body.stalled()

    def contacts(self) -> Array:
        """Return what robots touch."""
        return self.body.contacts()

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance along each ray of the frames of *rows* (m)."""
        self.body.cast(table, rows, out, self._places(rows, places))

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, and what was met."""
        self.body.cast_hits(table, rows, out, hits, self._places(rows, places))

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> Things:
        """Write distances as `cast` does; return what of the scene was met."""
        return self.body.cast_things(table, rows, out, self._places(rows, places))

    def _places(self, rows: Rows, places: Array | None) -> Array:
        return self.poses()[rows] if places is None else places

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray of the world's frame and what was met; return the normals there."""
        return self.body.cast_world(origins, directions, limit_m, layer, owners, out, hits)

    def matter(self) -> SolidWorld:
        """Return all that rays can meet, where it is now."""
        return self.body.matter()

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> Bools:
        """Say for each pair of points (m) whether nothing that *layer* sees stands between them."""
        return self.body.clear(origins, ends, passed, layer)

    @property
    def chain(self) -> Chain:
        """Return the joints of all robots."""
        return self.body.chain

    def joints(self) -> Motion:
        """Return how the joints move."""
        return self.body.joints()
