"""Shapes that MuJoCo does not have, as triangles with normals: cylinders and cones, prisms, terrain, the ground.

All are in the frames of their rows in `rays`: a solid around its centre, terrain and ground in the world frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.rays.spatial.terrain import Relief

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

SIDES = 48  # of the polygons that approximate circles
_EDGE = 0.0005  # of a texture: distance from its edge at which the opposite edge does not bleed in
_BEYOND_M = 1e4  # the ground is drawn this far beyond its edge


class GroundTexture(NamedTuple):
    """A picture on the ground, from *left*, *top* over *width* and *depth* (m); north is up."""

    pixels: Pixels  # (rows, columns, 3)
    left: float
    top: float
    width: float
    depth: float

    @property
    def plain(self) -> bool:
        """Return whether it is a single colour."""
        return self.pixels.shape[:2] == (1, 1)

    def spots(self, points: Array) -> Array:
        """Return the texture coordinates of points, from 0 to 1; points outside are at its edge."""
        u, v = (points[..., 0] - self.left) / self.width, (self.top - points[..., 1]) / self.depth
        return np.clip(np.stack([u, v], axis=-1), _EDGE, 1.0 - _EDGE)


class Form(NamedTuple):
    """Triangles, the normals at their corners, and optional texture coordinates."""

    corners: Array  # (T, 3, 3), counter-clockwise from outside
    normals: Array  # (T, 3, 3)
    spots: Array | None = None  # (T, 3, 2)

    def with_spots(self, picture: GroundTexture) -> Form:
        """Return it with the ground's texture coordinates, if it has none yet."""
        return self if self.spots is not None else self._replace(spots=picture.spots(self.corners))


def flat(corners: Array) -> Form:
    """Return flat-shaded triangles."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(arrays.lengths(normal), 1e-300)[:, None]
    return Form(corners, np.repeat(normal[:, None], 3, axis=1))


def two_sided(form: Form) -> Form:
    """Return triangles that are visible from both sides."""
    corners = np.concatenate([form.corners, form.corners[:, ::-1]])
    spots = None if form.spots is None else np.concatenate([form.spots, form.spots[:, ::-1]])
    return Form(corners, np.concatenate([form.normals, -form.normals[:, ::-1]]), spots)


def round_body(radius: float, half: float, pointed: bool) -> Form:
    """Return a cylinder or, if *pointed*, a cone around the middle of its height."""
    angles = math.tau * np.arange(SIDES + 1) / SIDES
    across = np.column_stack([arrays.cos(angles), arrays.sin(angles)])
    low = np.column_stack([radius * across, np.full(SIDES + 1, -half)])
    high = np.column_stack([(0.0 if pointed else radius) * across, np.full(SIDES + 1, half)])
    lean = radius / (2.0 * half) if pointed else 0.0
    out = np.column_stack([across, np.full(SIDES + 1, lean)]) / elementary.hypot(1.0, lean)
    side = _strip(low, high)
    ends = [_fan(low[:-1, :2], -half)] if pointed else [_fan(low[:-1, :2], -half), _fan(low[:-1, :2], half)]
    return _joined([Form(side, _strip(out, out)), *ends])


def prism(points: Sequence[tuple[float, float]], half: float) -> Form:
    """Return an upright prism over a convex outline, which runs counter-clockwise."""
    outline = np.array([*points, points[0]])
    low, high = (np.column_stack([outline, np.full(len(outline), z)]) for z in (-half, half))
    return _joined([flat(_strip(low, high)), _fan(outline[:-1], -half), _fan(outline[:-1], half)])


def land(relief: Relief) -> Form:
    """Return terrain, with the same two triangles per cell that rays hit."""
    rows, columns = relief.z.shape
    x, y = np.meshgrid(relief.x0 + relief.dx * np.arange(columns), relief.y0 + relief.dy * np.arange(rows))
    return flat(_cells(np.stack([x, y, relief.z.astype(np.float64)], axis=-1)))


def floor(picture: GroundTexture, cells: int) -> Form:
    """Return flat ground with its texture, in this many cells each way; outside, the texture's edge continues."""
    x = np.linspace(picture.left, picture.left + picture.width, cells + 1)
    y = np.linspace(picture.top - picture.depth, picture.top, cells + 1)
    x, y = (np.concatenate([[line[0] - _BEYOND_M], line, [line[-1] + _BEYOND_M]]) for line in (x, y))
    form = flat(_cells(np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], axis=-1)))
    rows, columns = picture.pixels.shape[:2]
    middles = form.corners.mean(axis=1, keepdims=True)
    spots, beside = picture.spots(form.corners), picture.spots(middles)
    for axis, count in ((0, columns), (1, rows)):
        out = (beside[..., axis] <= _EDGE) | (beside[..., axis] >= 1.0 - _EDGE)
        inside = np.clip(beside[..., axis], 0.5 / count, 1.0 - 0.5 / count)  # the centre of the last pixel
        spots[..., axis] = np.where(out, inside, spots[..., axis])
    return form._replace(spots=spots)


def _cells(at: Array) -> Array:
    """Return two triangles for each cell of a grid of points, (rows, columns, 3)."""
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, :-1], at[1:, 1:]
    return np.stack([a, b, d, a, d, c], axis=2).reshape(-1, 3, 3)


def _strip(low: Array, high: Array) -> Array:
    """Return the triangles between two lines of points, the first line below and running to the right."""
    a, b, c, d = low[:-1], low[1:], high[:-1], high[1:]
    return np.stack([a, b, d, a, d, c], axis=1).reshape(-1, 3, 3)


def _fan(outline: Array, z: float) -> Form:
    """Return the top, or for negative z the bottom, of a body with a convex outline."""
    points = np.column_stack([outline, np.full(len(outline), z)])
    rows = np.arange(1, len(points) - 1)
    corners = np.stack([np.broadcast_to(points[0], (len(rows), 3)), points[rows], points[rows + 1]], axis=1)
    return flat(corners if z >= 0.0 else corners[:, ::-1])


def _joined(forms: Sequence[Form]) -> Form:
    return Form(np.concatenate([form.corners for form in forms]), np.concatenate([form.normals for form in forms]))
