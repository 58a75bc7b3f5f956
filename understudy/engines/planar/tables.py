"""The tables of the motion kernels, made from a scene: bodies, fixed pieces in a grid, and work space."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.planar.layout import Movers, pushables
from understudy.engines.planar.rows import CORNER, FRAME, MOVER, NOBODY, PAIR, PIECE, Arena, Ints, Records
from understudy.engines.rays.level.grid import Obstacles, boxes_of, cells_over, wall_lists
from understudy.world.robot import Ackermann, Omni, PlacedRobot
from understudy.world.scene import Scene, Solid
from understudy.world.shapes import Box

Array = npt.NDArray[np.float64]

_STRIDE_M = 0.01  # maximum step of pushing, or half of the smallest thing's size


class FixedPieces(NamedTuple):
    """The fixed pieces that robots collide with, and which of them lie in each cell of a grid."""

    pieces: Records
    start: Ints
    held: Ints
    frame: Records  # only the grid's part is set


def floor(fixed: Obstacles, low: Array, high: Array) -> FixedPieces:
    """Return the solid obstacles in a grid from *low* to *high*; cells of 1 m, more on large maps."""
    seg, disc = fixed.seg[fixed.seg_solid], fixed.disc[fixed.disc_solid]
    pieces = np.zeros(len(seg) + len(disc), PIECE)
    for name, ends, middles in zip(("ax", "ay", "bx", "by"), seg.T, disc[:, [0, 1, 0, 1]].T):
        pieces[name] = np.concatenate([ends, middles])
    pieces["radius"][len(seg) :] = disc[:, 2]
    heights = np.concatenate([fixed.seg_z[fixed.seg_solid], fixed.disc_z[fixed.disc_solid]])
    pieces["bottom"], pieces["top"] = heights.T
    frame = np.zeros(1, FRAME)
    ends = np.column_stack([pieces["bx"] - pieces["ax"], pieces["by"] - pieces["ay"]])
    width, depth = (high - low).tolist()
    cell, *size = cells_over(width, depth, np.abs(ends) + 2.0 * pieces["radius"][:, None])
    flat = np.column_stack([pieces[name] for name in ("ax", "ay", "bx", "by")])
    boxes = boxes_of(flat) + pieces["radius"][:, None] * (-1.0, -1.0, 1.0, 1.0)
    frame["left"], frame["low"], frame["cells"] = *low, 1.0 / cell
    frame["across"], frame["up"] = size
    return FixedPieces(pieces, *wall_lists(boxes, flat, low, cell, *size), frame)


def arena(scene: Scene, movers: Movers, floor: FixedPieces) -> Arena:
    """Return all rows for these movers on this floor."""
    rows, frame, widest = _rows(scene, movers), floor.frame.copy(), max(2, movers.outline.shape[1])
    corners = np.zeros((len(rows) + 2, widest), CORNER)
    rows["first"] = widest * np.arange(len(rows))
    for mine, points, count in zip(corners, movers.outline, movers.corners):
        _put_corners(mine[:count], points[:count])
    frame["tick"], frame["a"], frame["b"] = scene.tick_us / 1e6, widest * len(rows), widest * (len(rows) + 1)
    frame["axis"] = np.argmax(np.ptp(movers.place[:, :2], axis=0)) if len(movers.place) else 0
    frame["stride"] = min([_STRIDE_M, *(0.5 * rows["inner"][len(scene.robots) : -1])])
    pairs = np.zeros(16 + 8 * len(rows), PAIR)
    made = Arena(rows, corners.reshape(-1), floor.pieces, floor.start, floor.held, pairs, frame)
    sort(made, movers.place)
    return made


def sort(arena: Arena, place: Array) -> None:
    """Sort the movers approximately in the order of the neighbour search; results do not depend on it."""
    arena.pairs["row"][: len(place)] = np.argsort(place[:, arena.frame["axis"][0]], kind="stable")


def with_more_pairs(arena: Arena) -> Arena:
    """Return the same rows with room for twice as many pairs."""
    return arena._replace(pairs=np.concatenate([arena.pairs, arena.pairs]))


def masks(fixed: Obstacles) -> Ints:
    """Return the sensor layers that detect each of the pieces that robots collide with, in their order."""
    return np.concatenate([fixed.seg_mask[fixed.seg_solid], fixed.disc_mask[fixed.disc_solid]])


# ---- rows of movers


def _rows(scene: Scene, movers: Movers) -> Records:
    rows = np.zeros(len(movers.place) + 1, MOVER)
    rows["who"], rows["cos"] = NOBODY, 1.0
    every = rows[:-1]
    every["reach"], every["corners"] = movers.reach, movers.corners
    every["radius"] = np.where(movers.corners == 0, movers.reach, 0.0)
    every["bottom"], every["top"] = movers.height.T
    every["solid"], every["mass"] = movers.solid, movers.mass
    for row, reach, points in zip(every, movers.reach, movers.outline):
        row["inner"] = _inner(points[: row["corners"]]) if row["corners"] else reach
    for row, robot in zip(every, scene.robots):
        _put_robot(row, robot, scene.ground.friction)
    for row, solid in zip(every[len(scene.robots) :], pushables(scene)):
        row["pull"], row["spin"] = solid.mass_kg * solid.friction, _spin(solid)
    for row, ball in zip(every[len(every) - len(scene.balls) :], scene.balls):
        row["ball"], row["bounce"], row["roll"] = 1, ball.bounce, ball.rolling_friction * scene.gravity_m_s2
    return rows


def _put_robot(row: Any, robot: PlacedRobot, friction: float) -> None:
    drive = robot.built.drive
    row["pull"] = robot.built.body.mass_kg * friction
    row["max_v"], row["max_w"], row["track"] = drive.max_m_s, drive.max_rad_s, drive.track_m
    row["accel"], row["accel_w"] = drive.accel_m_s2, drive.accel_rad_s2
    if isinstance(drive, Omni):
        row["max_u"] = drive.max_lateral_m_s
    elif isinstance(drive, Ackermann):
        row["car"], row["curve"] = 1, elementary.tan(drive.max_steer_rad) / drive.wheelbase_m


def _put_corners(corners: Records, points: Array) -> None:
    along = np.roll(points, -1, axis=0) - points
    corners["x"], corners["y"] = points.T
    corners["out_x"], corners["out_y"] = np.column_stack([along[:, 1], -along[:, 0]]).T / arrays.hypot(*along.T)


def _inner(points: Array) -> float:
    """Return the radius of the circle around the position that fits into an outline; 0 if it lies outside (m)."""
    after = np.roll(points, -1, axis=0)
    area = points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]
    return max(float((area / arrays.hypot(*(after - points).T)).min()), 0.0)


def _spin(solid: Solid) -> float:
    """Return how easily a box turns: one over the mean square distance of its base from its centre (1/m2)."""
    if not isinstance(solid.shape, Box):
        return 0.0
    x, y = solid.shape.size_m[0] / 2, solid.shape.size_m[1] / 2
    mean = (
        elementary.hypot(x, y) / 3
        + x * x * elementary.asinh(y / x) / (6 * y)
        + y * y * elementary.asinh(x / y) / (6 * x)
    )
    return 1.0 / (mean * mean)
