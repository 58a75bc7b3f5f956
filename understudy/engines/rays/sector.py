"""Exact cones: the nearest point of anything within a sector, at the price of a single ray.

What is nearest in a sector is hidden by nothing, so the lists of visible walls serve here too. A wall is clipped to the
sector's two sides; a disc beside the sector is met along the nearer side.
"""

from __future__ import annotations

import math

from understudy.compiled import inner
from understudy.engines.rays.beams import ray_in_world
from understudy.engines.rays.grid import ray_disc
from understudy.engines.rays.lists import TOO_MANY, UNKNOWN
from understudy.engines.rays.scan import MOST_EDGES, gather, list_at
from understudy.engines.rays.simd import at


@inner()
def clip_wall(px, py, qx, qy, cos, sin, best):  # type: ignore[no-untyped-def]
    """Return the distance to a wall within the sector about the x axis (half-angle by cos and sin), at most *best*."""
    p_left, q_left = px * sin - py * cos, qx * sin - qy * cos
    p_right, q_right = px * sin + py * cos, qx * sin + qy * cos
    if (p_left < 0.0 and q_left < 0.0) or (p_right < 0.0 and q_right < 0.0):
        return best
    first, last = 0.0, 1.0
    if p_left < 0.0:
        first = max(first, p_left / (p_left - q_left))
    elif q_left < 0.0:
        last = min(last, p_left / (p_left - q_left))
    if p_right < 0.0:
        first = max(first, p_right / (p_right - q_right))
    elif q_right < 0.0:
        last = min(last, p_right / (p_right - q_right))
    if first > last:
        return best
    dx, dy = qx - px, qy - py
    length2 = dx * dx + dy * dy
    nearest = -(px * dx + py * dy) / length2 if length2 > 0.0 else 0.0
    t = min(max(nearest, first), last)
    return min(best, math.hypot(px + t * dx, py + t * dy))


@inner()
def clip_disc(x, y, radius, cos, sin, best):  # type: ignore[no-untyped-def]
    """Return the distance to a disc within the sector about the x axis, at most *best*; 0 from inside."""
    distance = math.hypot(x, y)
    if distance <= radius:
        return 0.0
    if x * sin >= abs(y) * cos:
        return min(best, distance - radius)
    return ray_disc(0.0, 0.0, cos, sin if y > 0.0 else -sin, x, y, radius, best)


@inner()
def _cone_on_grid(x, y, dx, dy, cos, sin, limit, grid, seg):  # type: ignore[no-untyped-def]
    """Return the distance in a cone by looking at every wall of the cells around, where no list is kept."""
    around = limit
    i0 = max(0, int(math.floor((x - around - grid.x0) / grid.cell)))
    i1 = min(grid.nx - 1, int(math.floor((x + around - grid.x0) / grid.cell)))
    j0 = max(0, int(math.floor((y - around - grid.y0) / grid.cell)))
    j1 = min(grid.ny - 1, int(math.floor((y + around - grid.y0) / grid.cell)))
    best = limit
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            cell = j * grid.nx + i
            for p in range(grid.seg_start[cell], grid.seg_start[cell + 1]):
                k = grid.seg_index[p]
                ax, ay, bx, by = seg[k, 0] - x, seg[k, 1] - y, seg[k, 2] - x, seg[k, 3] - y
                best = clip_wall(
                    dx * ax + dy * ay, dx * ay - dy * ax, dx * bx + dy * by, dx * by - dy * bx, cos, sin, best
                )
    return best


@inner()
def cones(first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out):  # type: ignore[no-untyped-def]
    """Write the nearest distance within *half* of each axis into *out*; rays and return value as in `beams`."""
    missing = 0
    count, room, walls = rays.shape[0] // 4, lists.room, lists.walls
    cos, sin, limit, per_m = math.cos(half), math.sin(half), fan.limit, 1.0 / grid.cell
    for p in range(first, last):
        row = at(todo, p)
        me = at(rows, row)
        x, y = place[me, 0], place[me, 1]
        c, s = math.cos(place[me, 2]), math.sin(place[me, 2])
        farthest, unknown = 0.0, -1
        for r in range(count):
            ux, uy, dx, dy = ray_in_world(rays, r, count, x, y, c, s)
            begin, cell, ox, oy = list_at(ux, uy, grid, per_m, lists)
            if begin == UNKNOWN:
                unknown = cell
                break
            best = limit
            if begin == TOO_MANY:
                best = _cone_on_grid(ux, uy, dx, dy, cos, sin, limit, grid, seg)
            else:
                for k in range(begin, begin + at(lists.length, cell)):
                    px, py = at(walls, k) - ox, at(walls, k + room) - oy
                    qx, qy = at(walls, k + 2 * room) - ox, at(walls, k + 3 * room) - oy
                    best = clip_wall(
                        dx * px + dy * py, dx * py - dy * px, dx * qx + dy * qy, dx * qy - dy * qx, cos, sin, best
                    )
            work.z[r] = best
            farthest = max(farthest, best)
        if unknown >= 0:
            work.missing[missing] = unknown
            work.undone[missing] = row
            missing += 1
            continue
        far = farthest + reach
        discs, polygons = gather(me, x, y, c, s, -far, -far, far, far, far, bodies, work, fan, True)
        for r in range(count):
            out[row, r] = _cone_on_bodies(r, count, rays, cos, sin, discs, polygons, work)
    return missing


@inner()
def _cone_on_bodies(r, count, rays, cos, sin, discs, polygons, work):  # type: ignore[no-untyped-def]
    """Return the distance in one cone after the bodies near its robot, all in the robot's frame."""
    t, e = work.table, MOST_EDGES
    ox, oy, dx, dy = rays[r], rays[r + count], rays[r + 2 * count], rays[r + 3 * count]
    best = work.z[r]
    for q in range(discs):
        px, py = work.disc[q] - ox, work.disc[q + e] - oy
        best = clip_disc(dx * px + dy * py, dx * py - dy * px, work.disc[q + 2 * e], cos, sin, best)
    for body in range(polygons):
        inside = True
        for q in range(work.faces[body], work.faces[body + 1]):
            ux, uy, vx, vy = t[q + 2 * e] - ox, t[q + 3 * e] - oy, t[q + 4 * e] - ox, t[q + 5 * e] - oy
            inside = inside and ux * vy - uy * vx <= 0.0
            best = clip_wall(dx * ux + dy * uy, dx * uy - dy * ux, dx * vx + dy * vy, dx * vy - dy * vx, cos, sin, best)
        if inside:
            best = 0.0
    return best
