"""What a wheel stands on: the first solid along a short ray, its distance, normal and grip.

The solids are those that sensors see, in the same rows; `readout.place` writes `form` of the moving ones.
"""

from __future__ import annotations

from understudy.engines.cells import OUTSIDE, cell_within
from understudy.engines.rays.spatial.solid_normals import normal
from understudy.engines.rays.spatial.solid_shapes import NOTHING, ray_solid
from understudy.engines.rays.spatial.solids import OBSTACLE
from understudy.jit import inner


@inner(copied=False)
def _try(k, ox, oy, oz, dx, dy, dz, best, hit, owner, solids):
    """Return distance and row of the nearer of the hit so far and solid *k*; solids around the origin do not count."""
    tags = solids.tags
    if tags[k, 1] & OBSTACLE and tags[k, 2] != owner:
        t = ray_solid(k, ox, oy, oz, dx, dy, dz, best, solids.form, tags, solids.edges)
        if 0.0 < t < best:
            return t, k
    return best, hit


@inner()
def _in_cell(i, j, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells):
    if i != OUTSIDE and j != OUTSIDE:
        for p in range(cells.start[j * cells.nx + i], cells.start[j * cells.nx + i + 1]):
            best, hit = _try(cells.rows[p], ox, oy, oz, dx, dy, dz, best, hit, owner, solids)
    return best, hit


@inner()
def _cell_at(x, y, cells):
    """Return the column and row of the cell that contains a point, each OUTSIDE if there is none."""
    return cell_within((x - cells.x0) / cells.cell, cells.nx), cell_within((y - cells.y0) / cells.cell, cells.ny)


@inner()
def look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count):
    """Return the distance along a short ray to something to stand on, and its row, or the limit and NOTHING (m).

    *near* are the *count* rows of moving solids to be tested.
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
def under(ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough):
    """Return what is under a wheel on flat ground: distance (the limit: nothing), normal, grip, owner."""
    reach, hit = look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count)
    if hit == NOTHING:
        return limit, 0.0, 0.0, 1.0, 0.0, NOTHING
    nx, ny, nz = normal(hit, ox + reach * dx, oy + reach * dy, oz + reach * dz, solids)
    return reach, nx, ny, nz, grips[hit], solids.tags[hit, 2] if hit >= fixed else NOTHING
