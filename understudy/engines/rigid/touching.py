"""Contacts of robots: MuJoCo's contact points, those of one robot with one other shape merged into a line."""

from __future__ import annotations

import numpy as np

from understudy import elementary
from understudy.engines.rigid.bodies import NEAR_M, SKIN_M, MujocoModel
from understudy.engines.rigid.rows import Array

_STEEP = 0.5  # a contact whose normal is steeper than this is a support, not a bumper contact


def touched(model: MujocoModel, data: object, robots: int) -> Array:
    """Return a row for each contact of a robot; the columns are those of the contract."""
    contact = data.contact  # type: ignore[attr-defined]
    near = contact.dist <= SKIN_M + NEAR_M
    pairs, points, normals = contact.geom[near], contact.pos[near], contact.frame[near, :3]
    groups: dict[tuple[int, int], list[tuple[Array, Array]]] = {}
    for pair, point, normal in zip(pairs.tolist(), points, normals):
        for side, sign in ((0, -1.0), (1, 1.0)):
            row = int(model.owner[pair[side]])
            if 0 <= row < robots and row != model.owner[pair[1 - side]] and abs(normal[2]) < _STEEP:
                groups.setdefault((row, pair[1 - side]), []).append((point, sign * normal))
    rows = [_line(row, int(model.mask[other]), met) for (row, other), met in sorted(groups.items(), key=_order)]
    return np.array(rows, np.float64).reshape(-1, 7)


def _order(group: tuple[tuple[int, int], object]) -> tuple[int, int]:
    return group[0]


def _line(row: int, mask: int, met: list[tuple[Array, Array]]) -> tuple[float, ...]:
    """Return one row: the midpoint and half the length of the line through the contact points, seen from above."""
    out = np.sum([normal[:2] for _, normal in met], axis=0)
    nx, ny = (float(value) for value in out / max(elementary.hypot(*out), 1e-12))
    along = [-ny * point[0] + nx * point[1] for point, _ in met]
    away = float(np.mean([nx * point[0] + ny * point[1] for point, _ in met]))
    middle, half = (max(along) + min(along)) / 2, (max(along) - min(along)) / 2
    return row, nx * away - ny * middle, ny * away + nx * middle, nx, ny, half, mask
