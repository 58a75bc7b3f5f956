"""What a wheel stands on: the first solid along a short ray, how far away, how it lies and how it grips.

The solids are those that sensors see, in the same rows; `form` of those that move is written by `readout.place`.
"""

from __future__ import annotations

from understudy.compiled import inner
from understudy.engines.cells import OUTSIDE, cell_within
from understudy.engines.rays.solid_normals import normal
from understudy.engines.rays.solid_shapes import NOTHING, ray_solid
from understudy.engines.rays.solids import OBSTACLE


@inner(copied=False)
def _try(k, ox, oy, oz, dx, dy, dz, best, hit, owner, solids):  # type: ignore[no-untyped-def]
    """Return distance and row of the nearer of what was hit and solid *k*; who is inside of it does not stand on it."""
    tags = solids.tags
    if tags[k, 1] & OBSTACLE and tags[k, 2] != owner:
        t = ray_solid(k, ox, oy, oz, dx, dy, dz, best, solids.form, tags, solids.edges)
        if 0.0 < t < best:
            return t, k
    return best, hit


@inner()
def _in_cell(i, j, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells):  # type: ignore[no-untyped-def]
    if i != OUTSIDE and j != OUTSIDE:
        for p in range(cells.start[j * cells.nx + i], cells.start[j * cells.nx + i + 1]):
            best, hit = _try(cells.rows[p], ox, oy, oz, dx, dy, dz, best, hit, owner, solids)
    return best, hit


@inner()
def _cell_at(x, y, cells):  # type: ignore[no-untyped-def]
    """Return the column and row of cells that a point lies in, each OUTSIDE if there is none."""
    return cell_within((x - cells.x0) / cells.cell, cells.nx), cell_within((y - cells.y0) / cells.cell, cells.ny)


@inner()
def look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count):  # type: ignore[no-untyped-def]
    """Return how far along a short ray something to stand on is, and its row, or the limit and NOTHING (m).

    *near* are the rows of moving solids that are worth a look, *count* of them.
    """
    best, hit = limit, NOTHING
    if cells.ground >= 0:
        if oz <= 0.0:
            return 0.0, cells.ground
        if dz < 0.0 and -oz / dz < best:
            best, hit = -oz / dz, cells.ground
    i, j = _cell_at(ox, oy, cells)
    best, hit = _in_cell(i, j, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells)
    i2, j2 = _cell_at(ox + limit * dx, oy + limit * dy, cells)
    if i2 != i or j2 != j:
        best, hit = _in_cell(i2, j2, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells)
    for p in range(count):
        best, hit = _try(near[p], ox, oy, oz, dx, dy, dz, best, hit, owner, solids)
    return best, hit


@inner()
def under(ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough):  # type: ignore[no-untyped-def]
    """Return what is under a wheel on flat ground: how far (the limit: nothing), its normal, its grip, whose it is."""
    reach, hit = look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count)
    if hit == NOTHING:
        return limit, 0.0, 0.0, 1.0, 0.0, NOTHING
    nx, ny, nz = normal(hit, ox + reach * dx, oy + reach * dy, oz + reach * dz, solids)
    return reach, nx, ny, nz, grips[hit], solids.tags[hit, 2] if hit >= fixed else NOTHING
