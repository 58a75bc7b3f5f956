"""What a perfect device must read, worked out from poses alone and without the package's sensors or rays.

The course: a room of 6 m by 4 m with one box, towards which a robot drives until it leans on it. An oracle gets the
data sheet, and the moment at which the sample was taken; nan means that it does not judge that value there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

START_M, DRIVE = (-0.6, 0.3), (0.3, 0.05)
AT_THE_RIM = (0.19, 0.02, 0.1, 0.1)  # a mount: x, y, z (m), yaw (rad)
IN_THE_MIDDLE = (0.0, 0.0, 0.1, 0.1)
RADIUS_M, TRACK_M = 0.2, 0.3
ROOM_M, WALL_M = (3.0, 2.0), 1.0  # half of its length and width; the height of its walls
BOX_M = (0.3, 0.7, 0.1, 0.45, 0.5)  # from x to x, from y to y, height
LAMP_M, LAMP = (2.5, 0.5, 2.5), 0.8
GROUND = (216.0, 212.0, 204.0)  # the colour that a ground has
GREY = 0.299 * 216 + 0.587 * 212 + 0.114 * 204
ORIGIN_DEG = (33.61, -80.865, 100.0)
AMBIENT, AIR_C, GRAVITY = 0.2, 20.0, 9.80665


class Moment(NamedTuple):
    """The truth at the end of a tick: pose, speed in the world, and joint."""

    t_s: float
    x: float
    y: float
    heading: float
    vx: float
    vy: float
    turn: float
    joint: tuple[float, float, float]


@dataclass(frozen=True)
class Course:
    """Everything up to the moment that is judged, the start first; *before* is when the sample before was taken."""

    past: list[Moment]
    before: int
    mount: tuple[float, float, float, float]

    @property
    def now(self):
        return self.past[-1]

    def device(self):
        """Return place and direction of the device: x, y (m), angle (rad)."""
        return *self.point(*self.mount[:2]), self.now.heading + self.mount[3]

    def point(self, ahead, left):
        cos, sin = math.cos(self.now.heading), math.sin(self.now.heading)
        return self.now.x + ahead * cos - left * sin, self.now.y + ahead * sin + left * cos

    def on_device(self, ahead, left):
        x, y, angle = self.device()
        return x + ahead * math.cos(angle) - left * math.sin(angle), y + ahead * math.sin(angle) + left * math.cos(
            angle
        )

    def speed(self, moment=None):
        """Return how the device moves in the world (m/s)."""
        m = moment or self.now
        (ahead, left), (cos, sin) = self.mount[:2], (math.cos(m.heading), math.sin(m.heading))
        rx, ry = ahead * cos - left * sin, ahead * sin + left * cos
        return m.vx - m.turn * ry, m.vy + m.turn * rx

    def gap(self):
        """Return how far the robot's rim is from the box (m)."""
        near = [min(max(at, low), high) for at, low, high in ((self.now.x, *BOX_M[:2]), (self.now.y, *BOX_M[2:4]))]
        return math.dist(near, (self.now.x, self.now.y)) - RADIUS_M, near

    def free(self):
        return self.gap()[0] > 0.02

    def leaning(self):
        """Say whether the robot has leant on the box for a while."""
        return len(self.past) > 60 and Course(self.past[:-60], 0, self.mount).gap()[0] < 1e-3

    def path(self):
        """Return the distance that the centre of the robot has covered, forward (m)."""
        steps = zip(self.past, self.past[1:])
        return sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in steps)


BLOCKS = ((-ROOM_M[0], ROOM_M[0], -ROOM_M[1], ROOM_M[1], WALL_M), BOX_M)  # what has upright faces


def sides(blocks):
    """Yield every upright face as two points."""
    for x0, x1, y0, y1, _ in blocks:
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        yield from zip(corners, corners[1:] + corners[:1])


def away(x, y, angles, blocks=BLOCKS):
    """Return how far the nearest face is along each direction, face by face (m)."""
    nearest = np.full(np.shape(angles), np.inf)
    ux, uy = np.cos(angles), np.sin(angles)
    for (ax, ay), (bx, by) in sides(blocks):
        ex, ey = bx - ax, by - ay
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = ux * ey - uy * ex
            along = ((ax - x) * ey - (ay - y) * ex) / cross
            share = ((ax - x) * uy - (ay - y) * ux) / cross
        nearest = np.where((along >= 0) & (share >= 0) & (share <= 1) & (along < nearest), along, nearest)
    return nearest


def inside(x, y):
    return BOX_M[0] < x < BOX_M[1] and BOX_M[2] < y < BOX_M[3]


# ---- what looks ahead


def scan(sheet, course):
    x, y, angle = course.device()
    fan = -sheet.field_rad / 2 + sheet.field_rad / (sheet.rays - 1) * np.arange(sheet.rays)
    return np.clip(away(x, y, angle + fan), sheet.min_m, sheet.max_m)


def ahead(course, cone_rad=0.0):
    """Return the nearest distance within a level cone (m)."""
    x, y, angle = course.device()
    return away(x, y, angle + np.linspace(-cone_rad / 2, cone_rad / 2, 4001 if cone_rad else 1)).min()


def ranged(sheet, course):
    return [min(max(ahead(course, getattr(sheet, "cone_rad", 0.0)), sheet.min_m), sheet.max_m)]


def switched(sheet, course):
    distance = ahead(course, sheet.cone_rad)
    return [math.nan if abs(distance - sheet.switch_m) < 1e-3 else distance < sheet.switch_m]


def millimetres(sheet, course):
    distance = ahead(course, sheet.cone_rad)
    return [round(1000 * distance) if sheet.min_m <= distance < sheet.max_m else 9999]


def thrown_back(sheet, course):
    distance = ahead(course)
    signal = sheet.full * min(sheet.best_m / distance, 1.0) ** 2 if distance < sheet.max_m else 0.0
    return [math.nan if abs(signal - sheet.threshold) < 1 else signal >= sheet.threshold, signal]


def beams(sheet, course):
    """A beam begins at the left paddle, which must be beside the box."""
    across = np.linspace(-sheet.width_m / 2, sheet.width_m / 2, 201)
    assert not inside(*course.on_device(sheet.reach_m, sheet.width_m / 2))
    return [any(inside(*course.on_device(share * sheet.reach_m, left)) for left in across) for share in (0.85, 0.35)]


def depth(sheet, course):
    """For each pixel the nearest of floor and faces that are high enough, along the axis; 0 for the sky."""
    x, y, angle = course.device()
    focal = sheet.width / 2 / math.tan(sheet.field_rad / 2)
    left = (sheet.width / 2 - 0.5 - np.arange(sheet.width)) / focal
    up = ((sheet.height / 2 - 0.5 - np.arange(sheet.height)) / focal)[:, None]
    floor = np.where(up < 0, -course.mount[2] / np.minimum(up, -1e-9), np.inf)
    nearest = np.broadcast_to(floor, (sheet.height, sheet.width))
    for block in BLOCKS:
        far = away(x, y, angle + np.arctan(left), (block,)) / np.hypot(1, left)
        with np.errstate(invalid="ignore"):
            met = np.where(course.mount[2] + far * up <= block[4], far, np.inf)
        nearest = np.minimum(nearest, met)
    return np.where(np.isfinite(nearest), nearest, 0.0).reshape(-1)


# ---- what touches


def sectors(sheet, course):
    gap, (x, y) = course.gap()
    if not (course.free() or course.leaning()):
        return [math.nan, math.nan]
    dx, dy, angle = course.device()
    bearing = math.remainder(math.atan2(y - dy, x - dx) - angle, math.tau)
    return [gap < 0.02 and 0.0 < bearing < math.pi / 2, gap < 0.02 and -math.pi / 2 < bearing < 0.0]


def plate(sheet, course):
    half = sheet.width_m / 2
    spots = [(far, left) for far in np.linspace(0, sheet.reach_m, 21) for left in np.linspace(-half, half, 21)]
    return [any(inside(*course.on_device(*spot)) for spot in spots)]


def held(sheet, course):
    return [1.0 if course.leaning() else 0.0 if course.free() else math.nan]


def hanging(sheet, course):
    return [float(course.mount[2] > sheet.travel_m) if course.free() else math.nan] * 2


# ---- what looks down, and light


def grey(sheet, course):
    return [GREY]


def colour(sheet, course):
    return [*GROUND, 6.0]  # nearest to white, the sixth of the palette


def cliffs(sheet, course):
    return [0.0] * 4 + [sheet.full * (0.05 + 0.95 * GREY / 255)] * 4


def light(sheet, course):
    x, y, angle = course.device()
    if x > -0.2:
        return [math.nan]  # the box begins to hide the lamp
    to = np.array(LAMP_M) - (x, y, course.mount[2])
    far = math.hypot(*to)
    cosine = (to[0] * math.cos(angle) + to[1] * math.sin(angle)) / far
    return [100 * min(AMBIENT + LAMP * max(cosine, 0.0) / far**2, 1.0)]


# ---- where it is and how it moves


def compass(sheet, course):
    return [(90 - math.degrees(course.now.heading + course.mount[3])) % 360]


def gps(sheet, course):
    (x, y, _), (vx, vy) = course.device(), course.speed()
    latitude, longitude, altitude = ORIGIN_DEG
    sin2 = math.sin(math.radians(latitude)) ** 2
    root = math.sqrt(1 - 6.69437999014e-3 * sin2)
    prime, meridian = 6378137.0 / root, 6378137.0 * (1 - 6.69437999014e-3) / root**3
    east = math.degrees(x / ((prime + altitude) * math.cos(math.radians(latitude))))
    north = math.degrees(y / (meridian + altitude))
    speed = math.hypot(vx, vy)
    course_deg = math.degrees(math.atan2(vx, vy)) % 360 if speed > 0.05 else math.nan
    return [latitude + north, longitude + east, altitude + course.mount[2], speed, course_deg, 1, 8, 1.2]


def rate(sheet, course):
    return [0.0, 0.0, course.now.turn]


def force(sheet, course):
    a, b = course.past[course.before], course.now
    if not course.free() or b.t_s == a.t_s or b.t_s < 0.3:  # while it gathers speed the mean is of other moments
        return [math.nan] * 3
    (ax, ay), (bx, by) = course.speed(a), course.speed(b)
    gain, side = (bx - ax) / (b.t_s - a.t_s), (by - ay) / (b.t_s - a.t_s)
    cos, sin = math.cos(b.heading + course.mount[3]), math.sin(b.heading + course.mount[3])
    return [gain * cos + side * sin, side * cos - gain * sin, GRAVITY]


def wheels(sheet, course):
    if not course.free():
        return [math.nan] * 4
    turned = (course.now.heading - course.past[0].heading) * TRACK_M / 2
    return [course.path() - turned, course.path() + turned, 0.0, 0.0]


def gone(sheet, course):
    return [course.path()] * 2 if course.free() else [math.nan] * 2


def reckoned(sheet, course):
    if not course.free():
        return [math.nan] * 6
    start, now, before = course.past[0], course.now, course.past[course.before]
    dx, dy = now.x - start.x, now.y - start.y
    cos, sin = math.cos(start.heading), math.sin(start.heading)
    passed = now.t_s - before.t_s
    speed = math.dist((now.x, now.y), (before.x, before.y)) / passed if passed else 0.0
    turn = (now.heading - before.heading) / passed if passed else 0.0
    return [dx * cos + dy * sin, dy * cos - dx * sin, now.heading - start.heading, speed, turn, 0.0]


# ---- the rest


def battery(sheet, course):
    """A full battery that gives idle and driving power behind its resistance, for a few seconds."""
    if not course.free():
        return [math.nan] * 4
    power = sheet.idle_w + sheet.drive_j_m * math.hypot(course.now.vx, course.now.vy)
    steady = course.now.t_s > 0.5  # the current is the mean since the sample before
    resting = 6 * 2.12
    current = 2 * power / (resting + math.sqrt(resting**2 - 4 * sheet.resistance_ohm * power))
    drawn = (sheet.idle_w * course.now.t_s + sheet.drive_j_m * course.path()) / resting / 3600
    values = [resting - current * sheet.resistance_ohm, -current] if steady else [math.nan] * 2
    return [*values, 21.0 - drawn, 1 - drawn / 21.0]


def air(sheet, course):
    return [AIR_C]


def joint(sheet, course):
    return course.now.joint


def on(sheet, course):
    return [1.0]


class Oracle(NamedTuple):
    """What a kind must read, within what tolerance, and the settings with which that is so."""

    reads: object
    near: float = 1e-9
    settings: dict = {}  # noqa: RUF012 - never changed
    mount: tuple = AT_THE_RIM


ORACLES = {
    "accelerometer": Oracle(force, 5e-3, {"bandwidth_hz": 0.0}),
    "battery": Oracle(battery, 2e-2),
    "beam": Oracle(ranged),
    "bumper": Oracle(sectors, mount=IN_THE_MIDDLE),
    "camera": Oracle(depth, 1e-9, {"images": ("depth",), "width": 16, "height": 12}),
    "cliff": Oracle(cliffs, 1e-6),
    "colour": Oracle(colour, 1e-6),
    "compass": Oracle(compass, 1e-8, {"north": "true"}),
    "encoders": Oracle(wheels, 1e-5),
    "feedback": Oracle(joint),
    "gps": Oracle(gps, 1e-6),
    "gripper": Oracle(beams),
    "gyro": Oracle(rate, 1e-12, {"bandwidth_hz": 0.0}),
    "infrared": Oracle(ranged, 1e-5),
    "lamp": Oracle(on),
    "laser": Oracle(scan),
    "light": Oracle(light, 1e-6),
    "line": Oracle(grey, 1e-6),
    "odometer": Oracle(gone, 1e-5),
    "odometry": Oracle(reckoned, 1e-5),
    "proximity": Oracle(switched),
    "psd": Oracle(millimetres),
    "reflective": Oracle(thrown_back, 1e-6),
    "sonar": Oracle(ranged, 1e-5),
    "stall": Oracle(held),
    "thermometer": Oracle(air),
    "touch": Oracle(plate),
    "wheel_drop": Oracle(hanging),
}
