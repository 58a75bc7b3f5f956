"""Terrain for MuJoCo: a height field."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.world.terrain import Terrain

_BASE_M = 1.0  # how far the solid ground below the lowest point reaches


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
