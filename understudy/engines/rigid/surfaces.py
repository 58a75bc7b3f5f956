"""Terrain and meshes for MuJoCo: a height field, and convex bodies. Dents are never filled without a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.engines.rigid.rows import Array, Ints
from understudy.errors import EngineError
from understudy.world.shapes import Mesh
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles

_BASE_M = 1.0  # how far the solid ground below the lowest point reaches
_MOST_PIECES = 256


def height_field(spec: Any, mj: Any, terrain: Terrain) -> dict[str, Any]:
    """Add a height field to a model; return the shape that it is."""
    low, high = float(terrain.heights.min()), float(terrain.heights.max())
    rise = max(high - low, 1e-3)
    rows, columns = terrain.heights.shape
    x, y = (size / 2 for size in terrain.size_m)
    data = ((terrain.heights.astype(np.float64) - low) / rise).astype(np.float32).ravel()
    spec.add_hfield(name="ground", nrow=rows, ncol=columns, size=[x, y, rise, _BASE_M], userdata=data)
    middle = terrain.center_m
    return {"type": mj.mjtGeom.mjGEOM_HFIELD, "hfieldname": "ground", "pos": [*middle, low]}


def convex_pieces(name: str, shape: Mesh, body: Triangles) -> list[Array]:
    """Return the corners of convex bodies that together are the mesh; raises EngineError for one with dents."""
    if shape.hull or body.convex:
        return [body.vertices[np.unique(body.faces)]]
    pieces = _pieces(body)
    if len(pieces) > _MOST_PIECES or not all(piece.convex for piece in pieces):
        raise EngineError(
            f"{name}: the mesh {shape.file} is not convex, and others could only bump into its convex hull; "
            "split it into convex bodies, set hull = true if the hull will do, or make it the ground's heights"
        )
    return [piece.vertices[np.unique(piece.faces)] for piece in pieces]


def _pieces(body: Triangles) -> list[Triangles]:
    """Return the parts of a mesh that share no vertex."""
    labels = _labels(body.faces, len(body.vertices))[body.faces[:, 0]]
    kinds = np.unique(labels)
    return [Triangles(body.vertices, body.faces[labels == kind]) for kind in kinds[: _MOST_PIECES + 1]]


def _labels(faces: Ints, count: int) -> Ints:
    """Return for each vertex the least vertex that it hangs together with."""
    labels = np.arange(count)
    while True:
        least = labels[faces].min(axis=1)
        after = labels.copy()
        for column in faces.T:
            np.minimum.at(after, column, least)
        after = after[after]
        if np.array_equal(after, labels):
            return labels
        labels = after
