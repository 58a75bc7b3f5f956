"""What a mesh file holds before it is one body: nodes with a name, a place and triangles; and what is too much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError
from understudy.world.skins import NO_PICTURE, Poster, Skin
from understudy.world.triangles import NO_COLOURS, Colours, Triangles, welded

Array = npt.NDArray[np.float64]

MOST_BYTES = 512_000_000
MOST_TRIANGLES = 4_000_000
MOST_NODES = 20_000
_FAR = 1e9  # m
Y_UP: Array = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # to z up


@dataclass(frozen=True, eq=False)
class Node:
    """A named place in a file; *matrix* leads from its frame to the file's, *triangles* are in its frame."""

    name: str
    matrix: Array  # (4, 4)
    triangles: Triangles | None = None
    parent: str = ""
    up: Array = field(default_factory=lambda: np.eye(3))  # the turn that made z point up, part of *matrix* already

    def placed(self) -> Triangles | None:
        """Return the triangles in the frame of the file."""
        return self.triangles.moved(self.matrix[:3, :3], self.matrix[:3, 3]) if self.triangles else None


def checked(
    vertices: Array, faces: npt.NDArray[np.int64], colours: Colours, file: str, places: Array | None = None,
    poster: Poster | None = None,
) -> Triangles:  # fmt: skip
    """Return triangles if they are some; raises FormatError if a number is none or a vertex is not there.

    *places* are those of the vertices on a picture, if the file has any, and *poster* is that, if there is one.
    """
    if not len(faces):
        raise FormatError(f"{file}: no triangles in it")
    if len(faces) > MOST_TRIANGLES:
        raise FormatError(f"{file}: {len(faces):,} triangles are too many (at most {MOST_TRIANGLES:,}); simplify it")
    if faces.min() < 0 or faces.max() >= len(vertices):
        bad = int(np.flatnonzero(((faces < 0) | (faces >= len(vertices))).any(axis=1))[0])
        raise FormatError(f"{file}: triangle {bad} names a vertex that is not there (there are {len(vertices):,})")
    used = np.zeros(len(vertices), np.bool_)
    used[faces] = True
    wrong = used & ~(np.abs(vertices) < _FAR).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise FormatError(f"{file}: vertex {row} is at {vertices[row].tolist()} (want finite numbers below {_FAR:g})")
    rows = np.cumsum(used) - 1
    skin = None if places is None else _skin(places[faces], poster)
    triangles = welded(vertices[used], rows[faces], colours if len(colours) == len(faces) else NO_COLOURS, skin)
    if not len(triangles.faces):
        raise FormatError(f"{file}: its triangles are only lines and points")
    return triangles


def _skin(places: Array, poster: Poster | None) -> Skin:
    known = np.where(np.abs(places) < _FAR, places, np.nan).astype(np.float32)
    which = np.full(len(places), NO_PICTURE if poster is None else 0, np.int64)
    return Skin(known, which, () if poster is None else (poster,))


def count_checked(nodes: Iterable[Node], file: str) -> tuple[Node, ...]:
    """Return nodes if they are not too many, nor their triangles all together."""
    found = tuple(nodes)
    total = sum(len(node.triangles.faces) for node in found if node.triangles)
    if total > MOST_TRIANGLES:
        raise FormatError(f"{file}: {total:,} triangles are too many (at most {MOST_TRIANGLES:,}); simplify it")
    if len(found) > MOST_NODES:
        raise FormatError(f"{file}: {len(found):,} nodes are too many (at most {MOST_NODES:,})")
    if not all(np.isfinite(node.matrix).all() for node in found):
        bad = next(node.name for node in found if not np.isfinite(node.matrix).all())
        raise FormatError(f"{file}: the place of node {bad!r} has numbers that are none")
    return found
