"""Readings in one compiled call are the readings batch by batch."""

import math

import numpy as np
import pytest
from scenes import model, robot, room

from understudy.sensors import level_rays
from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.laser import Laser
from understudy.sim.sim import Sim
from understudy.world.faults import Fault
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Mount

NOISE = LengthNoise(sigma_m=0.02, lost=0.05)
RING = tuple(Mount(yaw_rad=yaw) for yaw in (-1.0, 0.0, 1.0))
SHEETS = {
    "laser": Laser(rays=31, min_m=0.3, noise=NOISE),
    "cones": Sonar(ring=RING, noise=NOISE),
    "rays": Sonar(ring=RING, rays_per_cone=5, noise=NOISE),
    "rounded": Laser(rays=7, noise=LengthNoise(sigma_m=0.02, step_m=0.01)),
}


def crowd(count=5, threads=1):
    devices = tuple(DeviceSpec(name=name, sheet=sheet, mount=Mount(z_m=0.1)) for name, sheet in SHEETS.items())
    parts = model(devices=devices)
    robots = [robot(f"r{i}", x=-2.0 + 0.9 * i, y=0.3 * i, heading=i, parts=parts) for i in range(count)]
    return Sim(room(*robots), seed=3, threads=threads)


def readings(sim, seconds=1.0):
    sim.fleet.drive(0.3, np.linspace(-1, 1, len(sim.fleet)))
    sim.run(seconds)
    return {name: sim.fleet.read(name).copy() for name in SHEETS}


@pytest.mark.parametrize("name", ["laser", "cones", "rays"])
def test_a_device_reads_the_same_when_its_batch_is_measured_step_by_step(name):
    together, alone = crowd(), crowd()
    alone.change(Fault(f"r4/{name}", "dead"))
    assert not alone.current.readings[f"r0/{name}"]._batch.direct
    assert np.array_equal(readings(together)[name][:4], readings(alone)[name][:4])


def test_what_rounds_its_readings_is_measured_step_by_step():
    assert not crowd().current.readings["r0/rounded"]._batch.direct


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_and_the_order_of_robots_change_no_reading(threads, monkeypatch):
    alone = readings(crowd())
    monkeypatch.setattr(level_rays, "FEW", 2)
    monkeypatch.setattr(level_rays, "MANY", 2)
    shared = readings(crowd(threads=threads))
    assert all(np.array_equal(alone[name], shared[name]) for name in SHEETS)


def test_a_wall_that_is_moved_is_seen_at_its_new_place():
    from understudy.world.changes import Add
    from understudy.world.scene import Wall

    sim = crowd(1)
    sim.change(Add(Wall(name="near", points_m=((-1.0, -3.0), (-1.0, 3.0)))))
    sim.run(0.2)
    assert math.isclose(sim.robot("r0").read("cones")[1], 1.0, abs_tol=0.2)


def test_a_repaired_device_is_served_again():
    sim = crowd()
    sim.change(Fault("r1/laser", "dead"))
    sim.change(Fault("r1/laser", "dead", active=False))
    assert sim.current.readings["r1/laser"]._batch.direct


def test_a_job_of_few_robots_looks_at_nobody_beyond_its_own():
    extra = DeviceSpec(name="second", sheet=Laser(rays=9, noise=LengthNoise(preset="perfect")))
    plain, more = model(), model(devices=(*model().devices, extra))
    crowd = [robot(f"r{n}", n % 20 - 10.0, n // 20 - 5.0, parts=plain) for n in range(199)]
    with Sim(room(robot("one", 9.5, 4.8, parts=more), *crowd, width=24.0, depth=12.0)) as sim:
        assert np.isfinite(sim.robot("one").read("second")).all()
