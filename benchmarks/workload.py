"""The workload P(N): N robots that wander over a hospital floor, each with a laser and a ring of sonars.

One floor is 100 m x 100 m: 8 + 5 crossing corridors of 3 m, 224 rooms with one door and one free-standing bed each,
1,656 wall segments in all. For large N the floor is repeated, so that the number of robots per hectare stays the same.
Everything is a function of the numbers below; nothing is read or written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.laser import Laser
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, RobotModel
from understudy.world.scene import Ground, Scene, Wall
from understudy.world.shapes import Mount, Pose

Array = npt.NDArray[np.float64]
Segment = tuple[float, float, float, float]

FLOOR_SEED, POSE_SEED = 7, 11
SIDE_M, PITCH_M = 100.0, 101.0  # of one floor; from one floor to the next
CORRIDOR_M, DOOR_M = 3.0, 1.2
BANDS, BLOCKS, ROOMS = 7, 4, 4  # bands of rooms back to back; blocks in a band; rooms side by side in a block
BED_M = (2.0, 0.9)

RADIUS_M = 0.25
CLEAR_WALL_M, CLEAR_ROBOT_M = 0.12, 0.15  # free space around a robot at the start
TICK_US = 100_000
LASER_RAYS, LASER_M, LASER_SIGMA_M = 180, 8.0, 0.01
SONARS, SONAR_M, SONAR_SIGMA_M = 16, 5.0, 0.005
SONAR_OUT_M = 0.2  # from the robot's centre
RAYS = LASER_RAYS + SONARS

AHEAD_M_S, TURN_RAD_S = 0.5, 1.0
NEAR_M, TURN_STEPS = 0.8, 10
FRONT = slice(60, 120)  # the middle third of the laser's rays, 60 degrees


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """Walls as segments ax, ay, bx, by (m); the beds among them once more, as corners."""

    segments: Array  # (walls, 4)
    beds: Array  # (beds, 4, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """The input of every simulator: walls ax, ay, bx, by and start poses x, y, heading (m, rad)."""

    segments: Array
    poses: Array
    floors: int = 1

    def scene(self, *, noisy: bool = True) -> Scene:
        """Return the workload as a flat scene; every device is due at every tick."""
        parts = robot_model(noisy=noisy)
        low, high = self.segments.reshape(-1, 2).min(axis=0), self.segments.reshape(-1, 2).max(axis=0)
        (x, y), (width, depth) = ((low + high) / 2).tolist(), (high - low).tolist()
        return Scene(
            name="hospital",
            tick_us=TICK_US,
            ground=Ground((width, depth), (x, y)),
            walls=tuple(
                Wall(name=f"wall-{i}", points_m=((ax, ay), (bx, by)))
                for i, (ax, ay, bx, by) in enumerate(self.segments.tolist())
            ),
            robots=tuple(
                PlacedRobot(name=f"robot-{i}", place=Pose(x, y, heading_rad=heading), parts=parts)
                for i, (x, y, heading) in enumerate(self.poses.tolist())
            ),
        )


def population(robots: int, floors: int = 1) -> Workload:
    """Return P(*robots*), spread evenly over so many copies of the floor."""
    floor = hospital()
    poses = free_poses(floor, math.ceil(robots / floors))
    offsets = tile_offsets(floors)
    segments = np.concatenate([floor.segments + np.tile(offset, 2) for offset in offsets])
    places = np.concatenate([poses + np.append(offset, 0.0) for offset in offsets])
    return Workload(segments, places[:robots], floors)


def tile_offsets(floors: int) -> Array:
    """Return where each copy of the floor begins, row by row in a square (m)."""
    rows, columns = np.divmod(np.arange(floors), math.ceil(math.sqrt(floors)))
    return np.column_stack([rows, columns]) * PITCH_M


def square_metres(floors: int) -> Array:
    """Return the middle of every square metre of so many floors (m)."""
    x, y = np.meshgrid(np.arange(0.5, SIDE_M), np.arange(0.5, SIDE_M))
    middles = np.column_stack([x.ravel(), y.ravel()])
    return np.concatenate([middles + offset for offset in tile_offsets(floors)])


# ---- the floor


def hospital(seed: int = FLOOR_SEED) -> Floor:
    """Return the floor; the seed places doors and beds."""
    rng = np.random.default_rng(seed)
    depth = (SIDE_M - (BANDS + 1) * CORRIDOR_M) / (2 * BANDS)
    width = (SIDE_M - (BLOCKS + 1) * CORRIDOR_M) / BLOCKS
    corners = np.array([[0.0, 0.0], [SIDE_M, 0.0], [SIDE_M, SIDE_M], [0.0, SIDE_M]])
    segments, beds = outline(corners), []
    for band in range(BANDS):
        south = CORRIDOR_M + band * (CORRIDOR_M + 2 * depth)
        for block in range(BLOCKS):
            west = CORRIDOR_M + block * (CORRIDOR_M + width)
            segments += partitions(west, south, width, depth)
            for room in range(ROOMS):
                left, right = west + room * width / ROOMS, west + (room + 1) * width / ROOMS
                for front, back in ((south, south + depth), (south + 2 * depth, south + depth)):
                    segments += doorway(rng, left, right, front)
                    beds.append(bed(rng, left, right, min(front, back), max(front, back)))
                    segments += outline(beds[-1])
    return Floor(np.array(segments), np.array(beds))


def partitions(west: float, south: float, width: float, depth: float) -> list[Segment]:
    """Return a block's walls without doors: the one between its two rows of rooms, and those between neighbours."""
    middle, north = south + depth, south + 2 * depth
    walls = [(west, middle, west + width, middle)]
    for i in range(ROOMS + 1):
        x = west + i * width / ROOMS
        walls += [(x, south, x, middle), (x, middle, x, north)]
    return walls


def doorway(rng: np.random.Generator, left: float, right: float, y: float) -> list[Segment]:
    """Return a room's front wall: two pieces with a door between them."""
    door = rng.uniform(left + 0.4, right - 0.4 - DOOR_M)
    return [(left, y, door, y), (door + DOOR_M, y, right, y)]


def bed(rng: np.random.Generator, left: float, right: float, south: float, north: float) -> Array:
    """Return the corners of a room's bed: along a wall, across, or turned freely."""
    heading = rng.choice([0.0, math.pi / 2, rng.uniform(0, math.pi)])
    centre = np.array([rng.uniform(left + 1.5, right - 1.5), rng.uniform(south + 1.7, north - 1.7)])
    cos, sin = math.cos(heading), math.sin(heading)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * BED_M / 2
    return np.asarray(centre + corners @ np.array([[cos, sin], [-sin, cos]]))


def outline(corners: Array) -> list[Segment]:
    """Return the sides of a closed polygon."""
    return [(a[0], a[1], b[0], b[1]) for a, b in zip(corners, np.roll(corners, -1, axis=0))]


# ---- where the robots start


def free_poses(floor: Floor, count: int, seed: int = POSE_SEED) -> Array:
    """Return x, y, heading of so many robots in free places (m, rad); the first ones do not depend on the count."""
    rng = np.random.default_rng(seed)
    poses = np.empty((count, 3))
    found = 0
    while found < count:
        place = rng.uniform(0.5, SIDE_M - 0.5, 2)
        gaps = np.hypot(*(poses[:found, :2] - place).T)
        if is_free(floor, place) and gaps.min(initial=math.inf) >= 2 * RADIUS_M + CLEAR_ROBOT_M:
            poses[found] = *place, rng.uniform(-math.pi, math.pi)
            found += 1
    return poses


def is_free(floor: Floor, place: Array) -> bool:
    """Return whether a robot has room there: clear of every wall and not within a bed."""
    near = bool(wall_distances(floor.segments, place).min() < RADIUS_M + CLEAR_WALL_M)
    sides = np.roll(floor.beds, -1, axis=1) - floor.beds
    to = place - floor.beds
    left = sides[..., 0] * to[..., 1] - sides[..., 1] * to[..., 0] > 0
    return not near and not left.all(axis=1).any()


def wall_distances(segments: Array, place: Array) -> Array:
    """Return how far each wall is from a place (m)."""
    start, along = segments[:, :2], segments[:, 2:] - segments[:, :2]
    share = np.clip(((place - start) * along).sum(axis=1) / (along * along).sum(axis=1), 0, 1)
    return np.asarray(np.hypot(*(start + share[:, None] * along - place).T))


# ---- the robots and their program


def sonar_bearings() -> Array:
    """Return the direction of each sonar of the ring (rad)."""
    return np.linspace(-math.pi, math.pi, SONARS, endpoint=False)


def robot_model(*, noisy: bool = True) -> RobotModel:
    """Return the model of all robots."""
    ring = tuple(
        Mount(x_m=SONAR_OUT_M * math.cos(a), y_m=SONAR_OUT_M * math.sin(a), yaw_rad=a)
        for a in sonar_bearings().tolist()
    )
    laser = Laser(rays=LASER_RAYS, max_m=LASER_M, period_us=TICK_US, noise=noise(LASER_SIGMA_M, noisy))
    sonar = Sonar(
        ring=ring, rays_per_cone=1, min_m=0.0, max_m=SONAR_M, period_us=TICK_US, noise=noise(SONAR_SIGMA_M, noisy)
    )
    return RobotModel(
        body=Circle(RADIUS_M),
        drive=Differential(0.4, max_m_s=0.5, max_rad_s=1.0, accel_m_s2=0.5, accel_rad_s2=math.pi),
        devices=(
            DeviceSpec(name="laser", sheet=laser, mount=Mount(z_m=0.2)),
            DeviceSpec(name="sonar", sheet=sonar, mount=Mount(z_m=0.1)),
        ),
    )


def noise(sigma_m: float, noisy: bool) -> LengthNoise:
    """Return white noise, or none."""
    return LengthNoise(sigma_m=sigma_m) if noisy else LengthNoise(preset="perfect")


class Wander:
    """The program of all robots: drive ahead; if blocked, turn to the freer side for at least 10 steps."""

    def __init__(self, robots: int) -> None:
        self._turn = np.zeros(robots, np.int64)  # steps left to turn, negative to the right; 0: ahead

    def __call__(self, laser: Array, stalled: npt.NDArray[np.bool_]) -> Array:
        """Return what each robot is to do next: forward m/s, left m/s, turn rad/s."""
        turn = self._turn
        blocked = (laser[:, FRONT].min(axis=1) < NEAR_M) | stalled
        begin = blocked & (turn == 0)
        seen = laser[begin]
        freer_left = seen[:, FRONT.stop :].sum(axis=1) > seen[:, : FRONT.start].sum(axis=1)
        turn[begin] = np.where(freer_left, TURN_STEPS, -TURN_STEPS)
        targets = np.zeros((len(turn), 3))
        targets[:, 0] = np.where(turn == 0, AHEAD_M_S, 0.0)
        targets[:, 2] = TURN_RAD_S * np.sign(turn)
        last = np.abs(turn) == 1  # it keeps turning until the way is free
        turn[last & ~blocked] = 0
        turn[~last] -= np.sign(turn[~last])
        return targets
