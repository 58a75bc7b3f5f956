"""Two other ways to find where a ray meets a solid, in plain NumPy, to judge the ray caster by."""

import numpy as np

from understudy.world.robot import Polygon
from understudy.world.scene import Wall
from understudy.world.shapes import Box, Cone, Cylinder, Sphere

LIMIT = 30.0


def into_frame(pose, origins, directions):
    """Bring rays into the frame of a pose, by one rotation after the other."""
    (cr, cp, cy), (sr, sp, sy) = (f([pose.roll_rad, pose.pitch_rad, pose.heading_rad]) for f in (np.cos, np.sin))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    turn = about_z @ about_y @ about_x
    return (origins - [pose.x_m, pose.y_m, pose.z_m]) @ turn, directions @ turn


# ---- first other way to find a hit: a convex function that is below 0 inside, its least value, and bisection


def depth(shape, p):
    """Say how far points are outside a shape that stands on the origin (not a distance, but convex)."""
    x, y, z = p[..., 0], p[..., 1], p[..., 2]
    if isinstance(shape, Box):
        sx, sy, sz = shape.size_m
        return np.max([abs(x) - sx / 2, abs(y) - sy / 2, -z, z - sz], axis=0)
    if isinstance(shape, Sphere):
        return np.sqrt(x**2 + y**2 + (z - shape.radius_m) ** 2) - shape.radius_m
    if isinstance(shape, Polygon):
        ends = zip(shape.points_m, (*shape.points_m[1:], shape.points_m[0]))
        sides = [(x - ax) * (by - ay) - (y - ay) * (bx - ax) for (ax, ay), (bx, by) in ends]
        return np.max([*sides, -z, z - shape.height_m], axis=0)
    narrowing = 1 - z / shape.height_m if isinstance(shape, Cone) else 1.0
    return np.max([np.hypot(x, y) - shape.radius_m * narrowing, -z, z - shape.height_m], axis=0)


def bisected(shape, p, d):
    """Return the distance to a shape along rays, and which rays miss it or meet it beyond doubt."""
    low, high = np.zeros(len(p)), np.full(len(p), LIMIT)
    for _ in range(100):
        third, two = low + (high - low) / 3, high - (high - low) / 3
        nearer = depth(shape, p + third[:, None] * d) < depth(shape, p + two[:, None] * d)
        low, high = np.where(nearer, low, third), np.where(nearer, two, high)
    inside, least = high, depth(shape, p + high[:, None] * d)
    low, high = np.zeros(len(p)), inside
    for _ in range(60):
        middle = (low + high) / 2
        out = depth(shape, p + middle[:, None] * d) > 0
        low, high = np.where(out, middle, low), np.where(out, high, middle)
    return np.where(least < 0, np.where(depth(shape, p) <= 0, 0.0, high), LIMIT), np.abs(least) > 1e-9


# ---- second other way: every face of every solid on its own, and the nearest of all


def faces(shape, p, d):
    """Yield for each face of a shape that stands on the origin: distances along rays, and whether they count."""
    if isinstance(shape, Wall):
        (ax, ay), (bx, by) = shape.points_m
        t, u = crossing(p, d, ax, ay, bx, by)
        z = p[:, 2] + t * d[:, 2]
        yield t, (u >= 0) & (u <= 1) & (z >= 0) & (z <= shape.height_m)
        return
    if isinstance(shape, Box):
        half = np.array(shape.size_m) / 2
        p = p - [0, 0, half[2]]
        for axis, side in ((a, s) for a in range(3) for s in (-1, 1)):
            t = (side * half[axis] - p[:, axis]) / d[:, axis]
            others = np.delete(np.arange(3), axis)
            yield t, (np.abs(p + t[:, None] * d)[:, others] <= half[others]).all(axis=1)
        return
    high = 2 * shape.radius_m if isinstance(shape, Sphere) else shape.height_m
    if isinstance(shape, Polygon):
        for (ax, ay), (bx, by) in zip(shape.points_m, (*shape.points_m[1:], shape.points_m[0])):
            t, u = crossing(p, d, ax, ay, bx, by)
            z = p[:, 2] + t * d[:, 2]
            yield t, (u >= 0) & (u <= 1) & (z >= 0) & (z <= high)
    else:
        k, centre = {Cylinder: (0, 0), Cone: (shape.radius_m / high, high), Sphere: (1j, high / 2)}[type(shape)]
        k2, down = (k * k).real, p[:, 2] - centre
        r2 = 0.0 if isinstance(shape, Cone) else shape.radius_m**2
        a = d[:, 0] ** 2 + d[:, 1] ** 2 - k2 * d[:, 2] ** 2
        b = p[:, 0] * d[:, 0] + p[:, 1] * d[:, 1] - k2 * down * d[:, 2]
        c = p[:, 0] ** 2 + p[:, 1] ** 2 - k2 * down**2 - r2
        for sign in (-1, 1):
            t = (-b + sign * np.sqrt(b * b - a * c)) / a
            z = p[:, 2] + t * d[:, 2]
            yield t, (z >= 0) & (z <= high)
    for cap in (0.0, high) if not isinstance(shape, Sphere) else ():
        t = (cap - p[:, 2]) / d[:, 2]
        q = p + t[:, None] * d
        q[:, 2] = high / 2 if not isinstance(shape, Cone) else cap
        yield t, depth(shape, q) <= 0


def crossing(p, d, ax, ay, bx, by):
    """Return how far along rays the vertical plane through a line is, and where on the line."""
    ex, ey = bx - ax, by - ay
    across = d[:, 0] * ey - d[:, 1] * ex
    wx, wy = ax - p[:, 0], ay - p[:, 1]
    return (wx * ey - wy * ex) / across, (wx * d[:, 1] - wy * d[:, 0]) / across


def by_faces(things, origins, directions):
    """Return the distance to the nearest of shapes with poses, none of them left out."""
    best = np.full(len(origins), LIMIT)
    with np.errstate(divide="ignore", invalid="ignore"):
        for shape, pose in things:
            somewhere = (*shape.points_m[0], 0.0) if isinstance(shape, Wall) else (pose.x_m, pose.y_m, pose.z_m)
            away = somewhere - origins
            ahead = np.einsum("ni,ni->n", away, directions)
            rows = np.flatnonzero(np.einsum("ni,ni->n", away, away) - ahead**2 < 5.0**2)  # no shape here is larger
            p, d = into_frame(pose, origins[rows], directions[rows])
            for t, counts in faces(shape, p, d):
                hit = counts & (t >= 0) & (t < best[rows])
                best[rows[hit]] = t[hit]
            if not isinstance(shape, Wall):
                best[rows[depth(shape, p) <= 0]] = 0.0
    return best
