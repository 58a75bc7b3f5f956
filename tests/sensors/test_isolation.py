"""Nobody's noise depends on anybody else: robots in rooms of their own read the same whoever else there is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limbs import PAN
from scenes import model, robot, room

from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Ground, Origin, Wall
from understudy.world.shapes import Mount

NAMES = "abcd"
DARK = ("lamp", "light")  # light goes over walls
ME = "b"


def parts():
    kinds = [kind for kind in SENSORS if kind not in DARK]
    return model(devices=tuple(device(kind) for kind in kinds), joints=(PAN,))


def device(kind):
    joint = "pan" if SENSORS[kind].on_joint else ""
    return DeviceSpec(name=kind, sheet=SENSORS[kind](), mount=Mount(x_m=0.1, z_m=0.1), joint=joint)


def rooms(names, seed=5):
    """Return robots, each always in the same closed room."""
    robots = [robot(name, x=8.0 * NAMES.index(name), heading=0.3, parts=parts()) for name in names]
    walls = tuple(
        Wall(name=f"room-{n}", points_m=((x - 3, -2), (x + 3, -2), (x + 3, 2), (x - 3, 2)), closed=True)
        for n, x in enumerate((0.0, 8.0, 16.0, 24.0))
    )
    scene = room(*robots, origin=Origin(latitude_deg=46.5, longitude_deg=6.6))
    return Sim(replace(scene, ground=Ground(size_m=(60.0, 10.0)), walls=walls), seed=seed)


def readings(names):
    with rooms(names) as sim:
        for name in names:
            sim.robot(name).drive(0.2, 0.4)
        sim.run(0.6)
        return {path: reading.read() for path, reading in sim.current.readings.items() if path.startswith(f"{ME}/")}


@pytest.fixture(scope="module")
def alone():
    return readings([ME])


@settings(max_examples=12, deadline=None)
@given(names=st.permutations(NAMES), count=st.integers(0, 3))
def test_who_else_is_there_and_in_what_order_changes_no_reading(alone, names, count):
    others = [name for name in names if name != ME][:count]
    order = sorted([*others, ME], key=names.index)
    found = readings(order)
    assert found.keys() == alone.keys()
    assert [path for path in found if not np.array_equal(found[path], alone[path], equal_nan=True)] == []


def test_another_seed_is_another_noise(alone):
    with rooms([ME], seed=6) as sim:
        sim.robot(ME).drive(0.2, 0.4)
        sim.run(0.6)
        assert not np.array_equal(sim.robot(ME).read("laser"), alone[f"{ME}/laser"])
