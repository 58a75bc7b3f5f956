"""Triangle meshes, and their properties: volume, centre, inertia, closed, convex.

Volume and moments are sums over the tetrahedra that each triangle spans with the origin; those of a closed surface are
exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.world.face_textures import FaceTextures, joined_textures

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint8]

_SAME = 1e-9  # of the size: vertices this close are merged
_FLAT = 1e-6  # of the size: how far a vertex may be outside a face of a convex body
# large odd multipliers, so that few triples have the same hash
_MIXERS = np.array([-7046029254386353131, 4354685564936845355, 1609587929392839161])
NO_COLOURS: Colours = np.empty((0, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Triangles:
    """Vertices (m), faces as three of their rows each, counter-clockwise from outside, their colours and textures."""

    vertices: Array  # (N, 3)
    faces: Ints  # (M, 3)
    colours: Colours = field(default_factory=lambda: NO_COLOURS)  # (M, 3), or (0, 3) if the file has none
    textures: FaceTextures | None = None  # None if the file has no textures

    @cached_property
    def corners(self) -> Array:
        """Return the three corners of each face, (M, 3, 3) (m)."""
        return self.vertices[self.faces]

    @cached_property
    def bounds_m(self) -> tuple[Array, Array]:
        """Return the lower and upper corner of the bounding box (m)."""
        used = self.vertices[self.used]
        return used.min(axis=0), used.max(axis=0)

    @cached_property
    def used(self) -> npt.NDArray[np.bool_]:
        """Return which vertices belong to a face."""
        found = np.zeros(len(self.vertices), np.bool_)
        found[self.faces] = True
        return found

    @property
    def size_m(self) -> float:
        """Return the diagonal of the bounding box (m)."""
        low, high = self.bounds_m
        return float(arrays.lengths(high - low))

    @cached_property
    def normals(self) -> Array:
        """Return the outward unit normal of each face, (M, 3); 0 for a face of zero area."""
        a, b, c = self.corners.swapaxes(0, 1)
        normal = np.cross(b - a, c - a)
        length = arrays.lengths(normal)[:, None]
        return np.asarray(normal / np.maximum(length, 1e-300))

    @cached_property
    def closed(self) -> bool:
        """Return whether every edge has exactly two faces, which traverse it in opposite directions."""
        edges, _ = self._edges()
        count = len(self.vertices)
        one, other = np.sort(edges @ [count, 1]), np.sort(edges @ [1, count])
        return bool(len(one)) and bool((one == other).all()) and bool((one[1:] != one[:-1]).all())

    @cached_property
    def volume_m3(self) -> float:
        """Return the volume (m3); negative if the faces are inside out."""
        a, b, c = self.corners.swapaxes(0, 1)
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)

    @cached_property
    def centre_m(self) -> Array:
        """Return the centre of volume (m)."""
        a, b, c = self.corners.swapaxes(0, 1)
        six = np.einsum("ij,ij->i", a, np.cross(b, c))
        return np.asarray((six[:, None] * (a + b + c)).sum(axis=0) / 4.0 / six.sum())

    @cached_property
    def inertia_m5(self) -> Array:
        """Return the moments of inertia about the centre for a density of 1, as a matrix (m5)."""
        at = self.corners - self.centre_m
        a, b, c = at.swapaxes(0, 1)
        six = np.einsum("ij,ij->i", a, np.cross(b, c))
        total = at.sum(axis=1)
        squares = np.einsum("n,nki,nkj->ij", six, at, at) + np.einsum("n,ni,nj->ij", six, total, total)
        squares /= 120.0
        return np.asarray(np.eye(3) * np.trace(squares) - squares)

    @cached_property
    def convex(self) -> bool:
        """Return whether it is a single closed convex body."""
        if not self.closed:
            return False
        edges, opposite = self._edges()
        count = len(self.vertices)
        there, back = np.argsort(edges @ [count, 1], kind="stable"), np.argsort(edges @ [1, count], kind="stable")
        face = there % len(self.faces)
        beyond = self.vertices[opposite[back]] - self.vertices[edges[there, 0]]
        out = np.einsum("ij,ij->i", self.normals[face], beyond)
        whole = int(self.used.sum()) - len(edges) // 2 + len(self.faces) == 2  # Euler: one body without holes
        turned = -1.0 if self.volume_m3 < 0.0 else 1.0
        return bool(whole and (turned * out <= _FLAT * self.size_m).all())

    def _edges(self) -> tuple[Ints, Ints]:
        """Return the edges of all faces, (3 M, 2), and the opposite vertex of the face."""
        a, b, c = self.faces.T
        edges = np.concatenate([np.column_stack([a, b]), np.column_stack([b, c]), np.column_stack([c, a])])
        return edges, np.concatenate([c, a, b])

    def scaled(self, factor: float) -> Triangles:
        """Return it scaled by a factor."""
        return replace(self, vertices=self.vertices * factor)

    def turned_out(self) -> Triangles:
        """Return it with outward faces: flipped if it is closed and inside out."""
        return self._inside_out() if self.closed and self.volume_m3 < 0.0 else self

    def _inside_out(self) -> Triangles:
        return replace(
            self, faces=self.faces[:, ::-1].copy(), textures=self.textures.turned() if self.textures else None
        )

    def moved(self, turn: Array, shift: Array) -> Triangles:
        """Return it after a linear map (a rotation, a scale) and a translation (m)."""
        body = self._inside_out() if np.linalg.det(turn) < 0.0 else self
        return replace(body, vertices=arrays.product(self.vertices, turn.T) + shift)


def welded(
    vertices: Array, faces: Ints, colours: Colours = NO_COLOURS, textures: FaceTextures | None = None
) -> Triangles:
    """Return triangles with coincident vertices merged; degenerate faces are left out.

    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    >>> welded(corners, np.arange(6).reshape(2, 3)).vertices.shape
    (4, 3)
    """
    size = float(np.ptp(vertices, axis=0).max(initial=0.0)) or 1.0
    cells = np.rint(vertices / (size * _SAME)).astype(np.int64) if len(vertices) else np.empty((0, 3), np.int64)
    first, same = _distinct(cells)
    order = np.argsort(first, kind="stable")  # vertices keep their order
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    rows = rank[same][faces].astype(np.int64).reshape(-1, 3)
    real = (rows[:, 0] != rows[:, 1]) & (rows[:, 1] != rows[:, 2]) & (rows[:, 2] != rows[:, 0])
    painted = colours[real] if len(colours) else colours
    return Triangles(vertices[first[order]], rows[real], painted, textures.of(real) if textures else None)


def _distinct(cells: Ints) -> tuple[Ints, Ints]:
    """Return the first row of each distinct value, and the value index of each row: by a hash, if that is unique."""
    with np.errstate(over="ignore"):
        mixed = (cells * _MIXERS).sum(axis=1)
    _, first, same = np.unique(mixed, return_index=True, return_inverse=True)
    if not (cells[first[same]] == cells).all():
        _, first, same = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return first, same.reshape(-1)


def joined(parts: list[Triangles]) -> Triangles:
    """Return several bodies as one."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    faces = np.concatenate([part.faces + start for part, start in zip(parts, starts)])
    some = any(len(part.colours) for part in parts)
    colours = np.concatenate([_coloured(part) for part in parts]) if some else NO_COLOURS
    textures = joined_textures([part.textures for part in parts], [len(part.faces) for part in parts])
    return Triangles(np.concatenate([part.vertices for part in parts]), faces, colours, textures)


def _coloured(part: Triangles) -> Colours:
    return part.colours if len(part.colours) else np.full((len(part.faces), 3), 160, np.uint8)
