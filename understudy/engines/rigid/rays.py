"""Ray casting among bodies with any orientation, with the casters of the planar engine.

While all robots are level, level rays are cast as on a floor plan, which is exact and fast. Otherwise every ray is cast
in three dimensions, and a cone becomes a fan of rays in its robot's own plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from understudy.assets.library import Library
from understudy.engines.joints import Chain
from understudy.engines.rays.spatial import solids
from understudy.engines.rays.spatial.caster import Tilted, Upright
from understudy.engines.rays.spatial.matter import scene_world
from understudy.engines.rigid.rows import Array, Ints
from understudy.world.scene import Scene


class Limbs(NamedTuple):
    """Parts on joints: which moving solids, on which joint, and their orientation there."""

    rows: Ints
    joint: Ints
    turn: Array
    offset: Array


def _limbs(scene: Scene, world: solids.SolidWorld, chain: Chain) -> Limbs:
    seen = [(n, part) for n, robot in enumerate(scene.robots) for part in robot.built.parts if part.seen]
    found = [(k, chain.rows[n, part.joint]) for k, (n, part) in enumerate(seen) if part.joint]
    rows, joint = np.array(found, np.int64).reshape(-1, 2).T
    rows = rows + len(world.offset) - world.parts
    return Limbs(rows, joint, world.turns[rows], world.offset[rows])


class TiltedRays(Tilted):
    """Casts rays of any direction among bodies with six-number poses, one row of *poses* each."""

    def __init__(self, scene: Scene, poses: Array, files: Library, chain: Chain) -> None:
        super().__init__(scene, files)
        moving = solids.with_parts(solids.moving_of(scene), scene)
        self.world = self._world = scene_world(scene, files, moving)
        self._poses, self._built, self._stale = poses, True, True
        self._chain, self._limbs = chain, _limbs(scene, self.world, chain)

    def bend(self, position: Array) -> None:
        """Move parts on joints to the joints' positions."""
        if len(self._limbs.rows):
            turn, at = (part[self._limbs.joint] for part in self._chain.frames(position))
            self.world.turns[self._limbs.rows] = turn @ self._limbs.turn
            self.world.offset[self._limbs.rows] = at + np.einsum("nij,nj->ni", turn, self._limbs.offset)

    def moved(self) -> None:
        """Update after something has moved."""
        self._stale = True

    def _place(self, movers: Upright | None) -> None:
        if self._stale:
            solids.place_moving(self._world, self._poses)
            self._carry()
            self._stale = False
