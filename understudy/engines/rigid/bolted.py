"""Bolted robots: MuJoCo bodies without degrees of freedom, which only a change of the scene moves.

Every movable body has seven numbers of MuJoCo's state for its pose. A bolted robot has them too, as the state of a
marker without shape or weight that is reset after each sub-step; the visible robot is a second body.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from understudy.engines.rigid.rows import Ints, Records

_GRAM = 1e-3


def add_bolted(world: Any, marker: Any, name: str) -> Any:
    """Return a body that stays in place; a *marker* holds its pose in the state."""
    marker.mass, marker.inertia, marker.explicitinertial = _GRAM, [_GRAM] * 3, True
    marker.gravcomp = 1.0
    return world.add_body(name=f"bolted:{name}", mocap=True)


class Bolts:
    """The bolted bodies, and where MuJoCo has them."""

    def __init__(self, bodies: Records, bolted: Mapping[int, int], model: Any) -> None:
        """Take the bolted bodies by row."""
        rows = np.array(sorted(bolted), np.int64)
        self._at: Ints = bodies["at"][rows][:, None] + np.arange(7)
        self._move: Ints = bodies["move"][rows][:, None] + np.arange(6)
        self._mocap: Ints = model.body_mocapid[[bolted[row] for row in rows.tolist()]].astype(np.int64)

    def __len__(self) -> int:
        """Return the number of bolted bodies."""
        return len(self._mocap)

    def put(self, data: Any) -> None:
        """Move bolted bodies to the poses of their markers."""
        seven = data.qpos[self._at]
        data.mocap_pos[self._mocap], data.mocap_quat[self._mocap] = seven[:, :3], seven[:, 3:]

    def hold(self, data: Any) -> None:
        """Reset markers to the poses of their bodies, at rest."""
        data.qpos[self._at] = np.hstack([data.mocap_pos[self._mocap], data.mocap_quat[self._mocap]])
        data.qvel[self._move] = 0.0
