"""Single rays with origins of their own, over the lists of visible walls and the bodies near their robot."""

from __future__ import annotations

import math

from understudy.compiled import inner
from understudy.engines.rays.grid import cast_walls, ray_segment
from understudy.engines.rays.lists import TOO_MANY, UNKNOWN
from understudy.engines.rays.scan import MOST_EDGES, gather, list_at
from understudy.engines.rays.simd import at, fmax, fmin, put

_TINY = 1e-20


@inner()
def ray_in_world(rays, r, count, x, y, c, s):  # type: ignore[no-untyped-def]
    """Return origin and direction of ray *r* for a robot at (x, y) with this heading; *rays* as in `beams`."""
    ax, ay, bx, by = at(rays, r), at(rays, r + count), at(rays, r + 2 * count), at(rays, r + 3 * count)
    return x + c * ax - s * ay, y + s * ax + c * ay, c * bx - s * by, s * bx + c * by


@inner(fastmath=True)
def _beam(start, count, ox, oy, dx, dy, nearest, lists):  # type: ignore[no-untyped-def]
    """Return the inverse range along one ray over the walls of a list."""
    walls, room = lists.walls, lists.room
    best = nearest
    for q in range(count):
        k = start + q
        px, py = at(walls, k) - ox, at(walls, k + room) - oy
        qx, qy = at(walls, k + 2 * room) - ox, at(walls, k + 3 * room) - oy
        s0, s1 = dx * py - dy * px, dx * qy - dy * qx
        d0, d1 = dx * px + dy * py, dx * qx + dy * qy
        v = (s1 - s0) / (d0 * s1 - d1 * s0 + _TINY)  # 0 / 0 along a wall is no hit
        best = fmax(best, v if s0 * s1 <= 0.0 else 0.0)
    return best


@inner(fastmath=True)
def beams(first, last, todo, rows, place, rays, limit, reach, fan, grid, seg, lists, bodies, work, out):  # type: ignore[no-untyped-def]
    """Write the ranges of single rays with origins of their own into *out*; return as `scan` does.

    *rays* has four planes: origin x, y and direction x, y in the robot's frame. *reach* is the farthest that an origin
    lies from its robot; *fan* is any fan, its angles are not used.
    """
    missing = 0
    count = rays.shape[0] // 4
    nearest, per_m = 1.0 / limit, 1.0 / grid.cell
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
            if begin == TOO_MANY:
                t = cast_walls(ux, uy, dx, dy, limit, grid, seg)
            else:
                t = 1.0 / _beam(begin, at(lists.length, cell), ox, oy, dx, dy, nearest, lists)
            work.z[r] = t
            farthest = max(farthest, t)
        if unknown >= 0:
            work.missing[missing] = unknown
            work.undone[missing] = row
            missing += 1
            continue
        far = farthest + reach
        discs, polygons = gather(me, x, y, c, s, -far, -far, far, far, far, bodies, work, fan, True)
        for q in range(discs):
            _shorten(rays, count, work.disc[q], work.disc[q + MOST_EDGES], work.disc[q + 2 * MOST_EDGES], work.z)
        if polygons:
            _beams_on_polygons(rays, count, polygons, work)
        for r in range(count):
            out[row, r] = work.z[r]
    return missing


@inner(fastmath=True)
def _shorten(rays, count, x, y, radius, z):  # type: ignore[no-untyped-def]
    """Shorten rays by a disc, all in the robot's frame; 0 for a ray that starts inside."""
    r2 = radius * radius
    for r in range(count):
        px, py = x - at(rays, r), y - at(rays, r + count)
        along = px * at(rays, r + 2 * count) + py * at(rays, r + 3 * count)
        d2 = px * px + py * py
        gap = r2 - (d2 - along * along)
        t = along - math.sqrt(fmax(gap, 0.0))
        t = t if gap > 0.0 and t > 0.0 else at(z, r)
        put(z, r, fmin(at(z, r), t if d2 > r2 else 0.0))


@inner(fastmath=True)
def _beams_on_polygons(rays, count, polygons, work):  # type: ignore[no-untyped-def]
    """Shorten rays by the polygons near their robot, all in its frame; 0 for a ray that starts inside."""
    t, e = work.table, MOST_EDGES
    for r in range(count):
        ox, oy, dx, dy = rays[r], rays[r + count], rays[r + 2 * count], rays[r + 3 * count]
        best = work.z[r]
        for body in range(polygons):
            inside = True
            for q in range(work.faces[body], work.faces[body + 1]):
                ux, uy, vx, vy = t[q + 2 * e], t[q + 3 * e], t[q + 4 * e], t[q + 5 * e]
                inside = inside and (ux - ox) * (vy - oy) - (uy - oy) * (vx - ox) <= 0.0
                best = ray_segment(ox, oy, dx, dy, ux, uy, vx, vy, best)
            if inside:
                best = 0.0
        work.z[r] = best
