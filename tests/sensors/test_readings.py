import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import PERFECT, box, model, robot, room

from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.geo import GeoFrame
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Mount

PERFECT_MODEL = model(PERFECT)


def one(x=0.0, y=0.0, heading=0.0, **extra):
    return Sim(room(robot("scout", x, y, heading, PERFECT_MODEL), **extra))


def test_the_laser_sees_the_walls_where_they_are():
    ranges = one(x=1.0).robot("scout").read("front")
    assert ranges[15] == pytest.approx(2.0)
    assert (ranges[0], ranges[30]) == (pytest.approx(2.0), pytest.approx(2.0))


def test_a_reading_is_there_before_the_first_tick():
    assert not np.isnan(one().robot("scout").read("front")).any()


def test_the_laser_does_not_see_what_is_hidden_from_it():
    from understudy.world.materials import Surface

    hidden = box(surface=Surface(seen_by=("sonar",)))
    scout = one(objects=(hidden,)).robot("scout")
    assert scout.read("front")[15] == pytest.approx(3.0)


def test_the_laser_looks_over_what_is_lower_than_its_mount():
    scout = one(objects=(box(size=(0.4, 0.4, 0.15)),)).robot("scout")
    assert scout.read("front")[15] == pytest.approx(3.0)
    assert one(objects=(box(size=(0.4, 0.4, 0.25)),)).robot("scout").read("front")[15] == pytest.approx(1.3)


def test_robots_see_each_other_but_not_themselves():
    sim = Sim(room(robot("a", -1.0, parts=PERFECT_MODEL), robot("b", 1.0, parts=PERFECT_MODEL)))
    assert sim.robot("a").read("front")[15] == pytest.approx(1.8)


def test_a_sonar_reports_the_nearest_thing_in_its_cone():
    sheet = SENSORS["sonar"](ring=(Mount(),), cone_rad=math.radians(40), rays_per_cone=41, noise=PERFECT)
    parts = model(devices=(DeviceSpec(name="sonar", sheet=sheet, mount=Mount(z_m=0.1)),))
    sim = Sim(room(robot("scout", parts=parts), objects=(box(x=1.5, y=0.45),)))
    corner = math.hypot(1.3, 0.25)
    assert sim.robot("scout").read("sonar")[0] == pytest.approx(corner, abs=0.02)


def test_the_gps_reports_the_antenna_in_degrees():
    scout = one(x=1.0, y=2.0 - 0.5).robot("scout")
    wanted = GeoFrame.from_origin(room().origin).to_geo(1.0, 1.5, 0.0)
    assert scout.read("gps")[:3] == pytest.approx(wanted)


def test_the_gps_course_is_clockwise_from_north():
    sim = one(heading=0.0)
    sim.robot("scout").drive(0.5)
    sim.run(1.0)
    speed, course = sim.robot("scout").read("gps")[3:5]
    assert (speed, course) == (pytest.approx(0.5), pytest.approx(90.0))


def test_encoders_count_the_path_of_each_side():
    sim = one()
    sim.robot("scout").drive(0.0, 1.0)
    sim.run(2.0)
    left, right, lateral, stalled = sim.robot("scout").read("wheels")
    assert left == -right
    assert right == pytest.approx(0.15 * 2.0, rel=0.05)
    assert (lateral, stalled) == (0.0, 0.0)


def test_samples_are_stamped_with_the_time_they_were_due():
    sim = one()
    sim.run(0.333)
    assert sim.robot("scout").stamp_us("front") == 300_000


def test_a_device_whose_period_is_no_multiple_of_the_tick_never_drifts():
    sheet = SENSORS["laser"](rays=3, period_us=33_333)
    sim = Sim(room(robot("scout", parts=model(devices=(DeviceSpec(name="front", sheet=sheet),)))))
    sim.run(10.0)
    assert sim.robot("scout").stamp_us("front") == 300 * 33_333


def test_equal_devices_form_one_batch():
    sim = Sim(room(robot("a", -1.0), robot("b", 1.0)))
    assert sorted(len(batch.paths) for batch in sim.current.batches) == [2, 2, 2, 2]


@settings(max_examples=15, deadline=None)
@given(st.permutations(["a", "b", "c"]), st.sets(st.sampled_from(["b", "c"])))
def test_adding_removing_and_reordering_robots_never_changes_anothers_noise(order, gone):
    """Each robot has a corner of its own, out of sight of the others."""
    places = {"a": (-2.0, 0.0, math.pi), "b": (2.0, 1.0, 0.0), "c": (2.0, -1.0, 0.0)}
    kept = [name for name in order if name not in gone or name == "a"]
    sim = Sim(room(*(robot(name, *places[name]) for name in kept)), seed=11)
    alone = Sim(room(robot("a", *places["a"])), seed=11)
    for each in (sim, alone):
        each.run(0.5)
    assert sim.robot("a").read("front").tobytes() == alone.robot("a").read("front").tobytes()
    assert sim.robot("a").read("gps").tobytes() == alone.robot("a").read("gps").tobytes()


def test_a_laser_that_looks_down_sees_the_floor_and_one_that_rolls_sees_its_plane():
    down = DeviceSpec(
        name="down", sheet=SENSORS["laser"](rays=1, noise=PERFECT), mount=Mount(z_m=0.5, pitch_rad=math.pi / 6)
    )
    side = DeviceSpec(
        name="side", sheet=SENSORS["laser"](rays=3, noise=PERFECT), mount=Mount(z_m=0.5, roll_rad=math.pi / 2)
    )
    sim = Sim(room(robot("scout", parts=model(devices=(down, side)))))
    assert sim.robot("scout").read("down")[0] == pytest.approx(1.0)
    assert sim.robot("scout").read("side") == pytest.approx([0.5, 3.0, 8.0])


def test_a_sonar_that_looks_down_hears_the_floor():
    sheet = SENSORS["sonar"](ring=(Mount(),), cone_rad=math.radians(30), noise=PERFECT)
    parts = model(devices=(DeviceSpec(name="sonar", sheet=sheet, mount=Mount(z_m=0.5, pitch_rad=math.pi / 2)),))
    assert Sim(room(robot("scout", parts=parts))).robot("scout").read("sonar")[0] == pytest.approx(0.5)
