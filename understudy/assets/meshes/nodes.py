"""The nodes of a mesh file, with name, pose and triangles; and the limits on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError
from understudy.world.face_textures import NO_PICTURE, FaceTextures, TextureFile
from understudy.world.triangles import NO_COLOURS, Colours, Triangles, welded

Array = npt.NDArray[np.float64]

MOST_BYTES = 512_000_000
MOST_TRIANGLES = 4_000_000
MOST_NODES = 20_000
_FAR = 1e9  # m
Y_UP: Array = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # to z up


@dataclass(frozen=True, eq=False)
class Node:
    """A named node of a file; *matrix* maps its frame to the file's, *triangles* are in its frame."""

    name: str
    matrix: Array  # (4, 4)
    triangles: Triangles | None = None
    parent: str = ""
    up: Array = field(default_factory=lambda: np.eye(3))  # the rotation that made z point up, already part of *matrix*

    def placed(self) -> Triangles | None:
        """Return the triangles in the frame of the file."""
        return self.triangles.moved(self.matrix[:3, :3], self.matrix[:3, 3]) if self.triangles else None


def checked(
    vertices: Array, faces: npt.NDArray[np.int64], colours: Colours, file: str, places: Array | None = None,
    texture_file: TextureFile | None = None,
) -> Triangles:  # fmt: skip
    """Return checked triangles; raises FormatError if there are none, or for NaN, infinity or a missing vertex.

    *places* are the texture coordinates of the vertices, if any, and *texture_file* is their texture, if any.
    """
    if not len(faces):
        raise FormatError(f"{file}: the file has no triangles")
    if len(faces) > MOST_TRIANGLES:
        raise FormatError(f"{file}: too many triangles: {len(faces):,} (at most {MOST_TRIANGLES:,}); simplify the mesh")
    if faces.min() < 0 or faces.max() >= len(vertices):
        bad = int(np.flatnonzero(((faces < 0) | (faces >= len(vertices))).any(axis=1))[0])
        raise FormatError(f"{file}: triangle {bad} refers to a missing vertex (there are {len(vertices):,})")
    used = np.zeros(len(vertices), np.bool_)
    used[faces] = True
    wrong = used & ~(np.abs(vertices) < _FAR).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise FormatError(f"{file}: vertex {row} is at {vertices[row].tolist()} (want finite numbers below {_FAR:g})")
    rows = np.cumsum(used) - 1
    textures = None if places is None else _textures(places[faces], texture_file)
    triangles = welded(vertices[used], rows[faces], colours if len(colours) == len(faces) else NO_COLOURS, textures)
    if not len(triangles.faces):
        raise FormatError(f"{file}: all its triangles are degenerate (lines or points)")
    return triangles


def _textures(places: Array, texture_file: TextureFile | None) -> FaceTextures:
    known = np.where(np.abs(places) < _FAR, places, np.nan).astype(np.float32)
    which = np.full(len(places), NO_PICTURE if texture_file is None else 0, np.int64)
    return FaceTextures(known, which, () if texture_file is None else (texture_file,))


def count_checked(nodes: Iterable[Node], file: str) -> tuple[Node, ...]:
    """Return checked nodes; raises FormatError if there are too many of them or of their triangles."""
    found = tuple(nodes)
    total = sum(len(node.triangles.faces) for node in found if node.triangles)
    if total > MOST_TRIANGLES:
        raise FormatError(f"{file}: too many triangles: {total:,} (at most {MOST_TRIANGLES:,}); simplify the mesh")
    if len(found) > MOST_NODES:
        raise FormatError(f"{file}: too many nodes: {len(found):,} (at most {MOST_NODES:,})")
    if not all(np.isfinite(node.matrix).all() for node in found):
        bad = next(node.name for node in found if not np.isfinite(node.matrix).all())
        raise FormatError(f"{file}: the pose of node {bad!r} contains NaN or infinity")
    return found
