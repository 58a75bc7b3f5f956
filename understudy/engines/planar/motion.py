"""Motion on the floor: limits, exact arcs, and stopping at whatever is in the way.

Every robot proposes its next pose from the old ones; a proposal that would touch something, or another robot's old or
proposed body, is refused. So the order of robots cannot matter. A robot counts as the circle about its centre of
rotation that holds its outline: turning on the spot is always free.
"""

from __future__ import annotations

import math

from understudy.compiled import inner, kernel

ACKERMANN = 3


@inner()
def _toward(now, want, step):  # type: ignore[no-untyped-def]
    return min(max(want, now - step), now + step)


@inner()
def _clip(value, limit):  # type: ignore[no-untyped-def]
    return min(max(value, -limit), limit)


@inner()
def _wrap(angle):  # type: ignore[no-untyped-def]
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner()
def arc(x, y, heading, v, lateral, w, dt):  # type: ignore[no-untyped-def]
    """Return the pose after driving a constant twist for *dt* (exact)."""
    turn = w * dt
    if abs(turn) < 1e-9:
        along, across = dt, 0.5 * turn * dt
    else:
        along, across = math.sin(turn) / w, (1.0 - math.cos(turn)) / w
    c, s = math.cos(heading), math.sin(heading)
    fx, fy = v * along - lateral * across, v * across + lateral * along
    return x + c * fx - s * fy, y + s * fx + c * fy, _wrap(heading + turn)


@inner()
def _nearest_on_segment(x, y, seg, k):  # type: ignore[no-untyped-def]
    ax, ay = seg[k, 0], seg[k, 1]
    dx, dy = seg[k, 2] - ax, seg[k, 3] - ay
    length2 = dx * dx + dy * dy
    u = 0.0
    if length2 > 0.0:
        u = min(max(((x - ax) * dx + (y - ay) * dy) / length2, 0.0), 1.0)
    return ax + u * dx, ay + u * dy


@inner()
def _blocks(x, y, px, py, qx, qy, r, contact):  # type: ignore[no-untyped-def]
    """Say whether a point q stops the move from (x, y) to (px, py): too near afterwards, and nearer than before."""
    dx, dy = px - qx, py - qy
    after = dx * dx + dy * dy
    if after >= r * r:
        return False
    ox, oy = x - qx, y - qy
    if after >= ox * ox + oy * oy:
        return False  # moving away: a robot can always back out
    distance = math.sqrt(ox * ox + oy * oy)
    contact[0], contact[1] = qx, qy
    contact[2], contact[3] = (ox / distance, oy / distance) if distance > 0.0 else (0.0, 0.0)
    return True


@inner()
def _blocked_by_fixed(x, y, px, py, r, grid, obs, contact):  # type: ignore[no-untyped-def]
    i0 = max(0, int(math.floor((min(x, px) - r - grid.x0) / grid.cell)))
    i1 = min(grid.nx - 1, int(math.floor((max(x, px) + r - grid.x0) / grid.cell)))
    j0 = max(0, int(math.floor((min(y, py) - r - grid.y0) / grid.cell)))
    j1 = min(grid.ny - 1, int(math.floor((max(y, py) + r - grid.y0) / grid.cell)))
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            cell = j * grid.nx + i
            for p in range(grid.seg_start[cell], grid.seg_start[cell + 1]):
                k = grid.seg_index[p]
                if obs.seg_solid[k]:
                    qx, qy = _nearest_on_segment(px, py, obs.seg, k)
                    if _blocks(x, y, px, py, qx, qy, r, contact):
                        return True
            for p in range(grid.disc_start[cell], grid.disc_start[cell + 1]):
                k = grid.disc_index[p]
                if obs.disc_solid[k] and _blocks(
                    x, y, px, py, obs.disc[k, 0], obs.disc[k, 1], r + obs.disc[k, 2], contact
                ):
                    return True
    return False


@inner()
def _path_blocked(x, y, heading, v, lateral, w, dt, r, grid, obs, contact):  # type: ignore[no-untyped-def]
    """Walk the arc in pieces shorter than half a radius, so that nothing thin is jumped over."""
    pieces = max(1, int(math.ceil(2.0 * math.hypot(v, lateral) * dt / r)))
    ax, ay = x, y
    for n in range(1, pieces + 1):
        bx, by, _ = arc(x, y, heading, v, lateral, w, dt * n / pieces)
        if _blocked_by_fixed(ax, ay, bx, by, r, grid, obs, contact):
            return True
        ax, ay = bx, by
    return False


@inner()
def _blocked_by_movers(i, place, proposed, movers, contact):  # type: ignore[no-untyped-def]
    x, y, px, py = place[i, 0], place[i, 1], proposed[i, 0], proposed[i, 1]
    for k in range(place.shape[0]):
        if k == i or not movers.solid[k]:
            continue
        r = movers.reach[i] + movers.reach[k]
        if abs(px - place[k, 0]) > 2.0 * r and abs(px - proposed[k, 0]) > 2.0 * r:
            continue
        if _blocks(x, y, px, py, place[k, 0], place[k, 1], r, contact):
            return True
        if _blocks(x, y, px, py, proposed[k, 0], proposed[k, 1], r, contact):
            return True
    return False


@inner()
def _ramp(i, speed, targets, drives, dt):  # type: ignore[no-untyped-def]
    """Bring the speeds of robot *i* toward its targets, as far as its motors can."""
    limits = drives.limits
    accel, spin = limits[i, 3] * dt, limits[i, 4] * dt
    speed[i, 0] = _toward(speed[i, 0], _clip(targets[i, 0], limits[i, 0]), accel)
    speed[i, 1] = _toward(speed[i, 1], _clip(targets[i, 1], limits[i, 1]), accel)
    w = _toward(speed[i, 2], _clip(targets[i, 2], limits[i, 2]), spin)
    speed[i, 2] = _clip(w, abs(speed[i, 0]) * limits[i, 5]) if drives.kind[i] == ACKERMANN else w


@kernel()
def advance(  # type: ignore[no-untyped-def]
    movers, speed, travel, stalled, targets, drives, dt, grid, obs, proposed, contact, contacts
):
    """Advance every robot by one tick; return the number of contacts."""
    place = movers.place
    n = speed.shape[0]
    for k in range(n, place.shape[0]):
        proposed[k, 0], proposed[k, 1], proposed[k, 2] = place[k, 0], place[k, 1], place[k, 2]
    count = 0
    for i in range(n):
        _ramp(i, speed, targets, drives, dt)
        v, lateral, w = speed[i, 0], speed[i, 1], speed[i, 2]
        proposed[i, 0], proposed[i, 1], proposed[i, 2] = arc(place[i, 0], place[i, 1], place[i, 2], v, lateral, w, dt)
    for i in range(n):
        v, lateral, w = speed[i, 0], speed[i, 1], speed[i, 2]
        stalled[i] = (
            movers.solid[i]
            and (v != 0.0 or lateral != 0.0)
            and (
                _path_blocked(
                    place[i, 0], place[i, 1], place[i, 2], v, lateral, w, dt, movers.reach[i], grid, obs, contact
                )
                or _blocked_by_movers(i, place, proposed, movers, contact)
            )
        )
        if stalled[i]:
            contacts[count, 0] = i
            for c in range(4):
                contacts[count, c + 1] = contact[c]
            count += 1
    for i in range(n):
        if stalled[i]:
            speed[i, 0] = 0.0
            speed[i, 1] = 0.0
        else:
            place[i, 0], place[i, 1] = proposed[i, 0], proposed[i, 1]
        place[i, 2] = proposed[i, 2]
        half = 0.5 * drives.track[i] * speed[i, 2]
        travel[i, 0] += (speed[i, 0] - half) * dt
        travel[i, 1] += (speed[i, 0] + half) * dt
        travel[i, 2] += speed[i, 1] * dt
    return count
