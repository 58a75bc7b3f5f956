"""Speed of the rigid engine: a robot with all sensors, a hundred without, and compared with pybullet on one scene."""

from __future__ import annotations

import math
import time

import numpy as np
from peer_pybullet import Peer
from results import Results, parse

from understudy.engines.rigid.engine import RigidEngine
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, RobotModel
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Box, Mount, Pose

TICK_S = 0.005
SUBSTEP_S = 0.0025
BOXES = 12
TURN = 0.6
BODY, DRIVE = Circle(0.2, 0.2, 8.0), Differential(0.33, 0.0975, 1.0, 3.0)


def main() -> None:
    """Print every figure."""
    results = parse(__doc__)
    one_robot(results)
    a_hundred(results)
    beside_pybullet(results)
    results.finish()


def devices() -> tuple[DeviceSpec, ...]:
    """Return a laser, sixteen sonars and an inertial unit."""
    ring = tuple(Mount(yaw_rad=math.radians(22.5 * k)) for k in range(16))
    return (
        DeviceSpec(name="laser", sheet=SENSORS["laser"](rays=181, period_us=100_000), mount=Mount(z_m=0.25)),
        DeviceSpec(name="sonar", sheet=SENSORS["sonar"](ring=ring), mount=Mount(z_m=0.1)),
        DeviceSpec(name="accelerometer", sheet=SENSORS["accelerometer"](period_us=10_000)),
        DeviceSpec(name="gyro", sheet=SENSORS["gyro"](period_us=10_000)),
    )


def places(count: int, apart_m: float) -> list[tuple[float, float]]:
    """Return points on a square lattice about the origin."""
    side = math.ceil(math.sqrt(count))
    middle = (side - 1) / 2
    return [(apart_m * (k % side - middle), apart_m * (k // side - middle)) for k in range(count)]


def world(robots: int, sensing: bool) -> Scene:
    """Return a walled floor with boxes on it and robots between them."""
    size = 4.0 + 1.5 * math.ceil(math.sqrt(robots))
    half = size / 2
    wall = Wall(name="edge", points_m=((-half, -half), (half, -half), (half, half), (-half, half)), closed=True)
    boxes = tuple(
        Solid(name=f"box-{k}", shape=Box((0.3, 0.3, 0.4)), pose=Pose(x, y), mass_kg=2.0 * (k % 6 == 0))
        for k, (x, y) in enumerate(ring(BOXES, half - 0.5))
    )
    model = RobotModel(body=BODY, drive=DRIVE, devices=devices() if sensing else ())
    crew = tuple(
        PlacedRobot(name=f"r{k:03}", place=Pose(x, y), parts=model) for k, (x, y) in enumerate(places(robots, 1.5))
    )
    return Scene(name="yard", engine="rigid", ground=Ground((size, size)), walls=(wall,), objects=boxes, robots=crew)


def ring(count: int, radius_m: float) -> list[tuple[float, float]]:
    """Return points on a circle."""
    angles = [math.tau * k / count for k in range(count)]
    return [(radius_m * math.cos(a), radius_m * math.sin(a)) for a in angles]


def best(times: list[float]) -> float:
    """Return the best of several rounds (s)."""
    return min(times)


def one_robot(results: Results) -> None:
    """One robot with all sensors, as a user runs it."""
    with Sim(world(1, True), threads=1) as sim:
        sim.robot("r000").drive(0.3, TURN)
        sim.run(1.0)
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            sim.run(4.0)
            times.append(time.perf_counter() - begin)
    results.say("one_robot_with_sensors_times_real_time", 4.0 / best(times), least=30.0)


def a_hundred(results: Results) -> None:
    """A hundred robots on wheels, without lasers."""
    engine, targets = RigidEngine(world(100, False)), np.tile([0.3, 0.0, TURN], (100, 1))
    for _ in range(100):
        engine.step(targets)
    results.say(
        "hundred_robots_times_real_time", 1.0 / best([_timed(engine, targets, 1.0) for _ in range(5)]), least=1.0
    )


def _timed(engine: RigidEngine, targets: np.ndarray, seconds: float) -> float:
    """Return how long so much simulated time takes (s)."""
    begin = time.perf_counter()
    for _ in range(round(seconds / TICK_S)):
        engine.step(targets)
    return time.perf_counter() - begin


def beside_pybullet(results: Results) -> None:
    """Steps and rays of one robot in both simulators, alternately."""
    scene = world(1, False)
    engine, targets = RigidEngine(scene), np.array([[0.3, 0.0, TURN]])
    peer = Peer(scene, SUBSTEP_S, 0.3, TURN)
    engine.step(targets)
    ours, theirs = [], []
    for _ in range(7):
        ours.append(_timed(engine, targets, 1.0))
        theirs.append(peer.steps(1.0))
    results.say("one_robot_step_us", 1e6 * best(ours) * SUBSTEP_S)
    results.say("one_robot_step_pybullet_us", 1e6 * best(theirs) * SUBSTEP_S)
    results.say("one_robot_step_times_pybullet", best(theirs) / best(ours))
    peer.close()


if __name__ == "__main__":
    main()
