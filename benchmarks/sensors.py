"""Cost of a reading of each kind of sensor: 200 robots with one each, 200 ticks, one thread.

The ratio is how many readings of a kind take as long as one laser scan of 181 rays in the same run.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))

import time

from results import Results

from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, RobotModel
from understudy.world.scene import Ground, Light, Origin, Scene, Wall
from understudy.world.shapes import Mount, Pose

ROBOTS, TICKS, ROUNDS = 200, 40, 5


def scene(sheet: object) -> Scene:
    """Return robots in a hall, each with one device and nothing else."""
    device = DeviceSpec(name="it", sheet=sheet, mount=Mount(x_m=0.1, z_m=0.1))
    parts = RobotModel(body=Circle(0.2), drive=Differential(track_m=0.3), devices=(device,))
    robots = tuple(
        PlacedRobot(
            name=f"r{i}", place=Pose(-19.0 + 2.0 * (i % 20), -9.0 + 2.0 * (i // 20), heading_rad=i), parts=parts
        )
        for i in range(ROBOTS)
    )
    walls = tuple(Wall(name=f"w{i}", points_m=((x, -10.0), (x, -4.0))) for i, x in enumerate((-12.0, -4.0, 4.0, 12.0)))
    return Scene(
        tick_us=100_000,
        ground=Ground(size_m=(44.0, 24.0), walled=True),
        origin=Origin(latitude_deg=42.8, longitude_deg=-71.6),
        walls=walls,
        lights=(Light(name="lamp"),),
        robots=robots,
    )


def cost_us(sheet: object) -> float:
    """Return the best time of a reading over several rounds (us)."""
    best = float("inf")
    with Sim(scene(sheet), threads=1) as sim:
        run = sim.current
        batch = run.batches[0]
        sim.fleet.drive(0.2, 0.3)
        sim.step(2)
        for _ in range(ROUNDS):
            taken, begin = batch.taken, time.process_time()
            for _ in range(TICKS):
                run.tick += 1
                run.sense()
            took = time.process_time() - begin
            best = min(best, took / max(batch.taken - taken, 1) / ROBOTS)
    return best * 1e6


def main() -> None:
    """Report every kind."""
    results = Results(False)
    laser = cost_us(SENSORS["laser"]())
    for kind, sheet in SENSORS.items():
        if kind == "camera":
            continue  # takes a thousand times as long; see terrain.py
        cost = laser if kind == "laser" else cost_us(sheet())
        results.say(f"sensors.us_{kind}", cost)
        print(f"  one laser scan is {laser / cost:.2f} readings of {kind}")
    results.finish()


if __name__ == "__main__":
    main()
