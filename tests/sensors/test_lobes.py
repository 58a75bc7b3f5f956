"""Beams of several cones, against plain geometry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import PERFECT, box, model, robot, room
from sensors.looking import HIGH, looking, pole, read

from understudy.sensors import level_rays
from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import Lobe
from understudy.sim.sim import Sim
from understudy.world.faults import Fault
from understudy.world.robot import DeviceSpec
from understudy.world.shapes import Mount

DEG = math.pi / 180
WIDE_AND_LONG = (Lobe(60 * DEG, 1.0), Lobe(20 * DEG, 4.0))
WITH_SIDE_LOBES = (Lobe(20 * DEG, 4.0), Lobe(10 * DEG, 1.0, 40 * DEG), Lobe(10 * DEG, 1.0, -40 * DEG))


def sonar(*lobes, **given):
    return Sonar(**{"lobes": lobes, "max_m": 6.0, "noise": PERFECT, **given})


def at(angle_deg, distance, width=0.02):
    """Return a pole whose near side is so far away."""
    r = distance + width / 2
    return pole(r * math.cos(angle_deg * DEG), r * math.sin(angle_deg * DEG), width)


SEEN = [
    # lobes, angle (deg), distance (m), whether it is seen
    (WIDE_AND_LONG, 0, 3.9, True),
    (WIDE_AND_LONG, 0, 4.1, False),
    (WIDE_AND_LONG, 9, 3.9, True),
    (WIDE_AND_LONG, 12, 3.0, False),
    (WIDE_AND_LONG, 28, 0.9, True),
    (WIDE_AND_LONG, 28, 1.1, False),
    (WIDE_AND_LONG, 35, 0.9, False),
    (WITH_SIDE_LOBES, 40, 0.9, True),
    (WITH_SIDE_LOBES, -40, 0.9, True),
    (WITH_SIDE_LOBES, 25, 0.9, False),
    (WITH_SIDE_LOBES, 40, 1.1, False),
]


@pytest.mark.parametrize("rays", [0, 41])
@pytest.mark.parametrize(("lobes", "angle", "distance", "seen"), SEEN)
def test_a_pole_is_seen_in_a_lobe_as_far_as_the_lobe_reaches(lobes, angle, distance, seen, rays):
    beam = [Lobe(lobe.width_rad, lobe.max_m, lobe.yaw_rad, rays=rays) for lobe in lobes]
    expected = distance if seen else 6.0
    assert read(sonar(*beam), at(angle, distance))[0] == pytest.approx(expected, abs=0.011)


@settings(max_examples=40, deadline=None)
@given(st.floats(-80, 80), st.floats(0.3, 5.5))
def test_exact_lobes_are_the_envelope_of_their_cones(angle, distance):
    lobes, half = WIDE_AND_LONG, math.asin(0.01 / (distance + 0.01))  # how far a pole reaches to each side
    inside = [abs(angle * DEG) < lobe.width_rad / 2 and distance < lobe.max_m - 1e-6 for lobe in lobes]
    outside = [abs(angle * DEG) > lobe.width_rad / 2 + half or distance > lobe.max_m + 0.02 for lobe in lobes]
    got = read(sonar(*lobes), at(angle, distance))[0]
    assert not any(inside) or got == pytest.approx(distance, abs=1e-9)
    assert not all(outside) or got == 6.0


def test_the_nearest_echo_of_all_lobes_counts():
    assert read(sonar(*WIDE_AND_LONG), at(25, 0.8), at(0, 2.0))[0] == pytest.approx(0.8)


def test_something_too_far_in_a_lobe_does_not_hide_what_is_heard_in_another():
    lobes = (Lobe(60 * DEG, 1.0, rays=61), Lobe(4 * DEG, 4.0, rays=5))
    assert read(sonar(*lobes), at(20, 1.5), at(0, 3.0))[0] == pytest.approx(3.0, abs=0.01)


def test_a_beam_of_lobes_sees_through_the_middle_of_its_ring():
    ring = (Mount(yaw_rad=math.pi / 2), Mount(x_m=0.2))
    assert read(sonar(*WIDE_AND_LONG, ring=ring), at(0, 1.0)) == pytest.approx([6.0, 0.8])


def test_a_lobe_of_no_width_is_a_ray():
    beam = sonar(Lobe(0.0, 3.0), Lobe(30 * DEG, 0.5))
    assert read(beam, pole(1.0, 0.04, 0.1))[0] == pytest.approx(1.0 - 0.03, abs=1e-9)
    assert read(beam, pole(1.0, 0.06, 0.1))[0] == 6.0


def test_a_tilted_lobe_reaches_the_floor_only_within_its_length():
    down = Mount(z_m=1.0, pitch_rad=math.pi / 2)
    assert read(sonar(Lobe(20 * DEG, 1.5)), mount=down)[0] == pytest.approx(1.0)
    assert read(sonar(Lobe(20 * DEG, 0.9)), mount=down)[0] == 6.0


def test_a_lobe_that_looks_down_hears_the_floor_beside_the_main_lobe():
    beam = sonar(Lobe(10 * DEG, 5.0), Lobe(0.0, 3.0, pitch_rad=30 * DEG))
    assert read(beam, mount=Mount(z_m=0.5))[0] == pytest.approx(1.0)


def test_a_cone_that_is_not_level_is_filled_with_rays_up_to_its_edge():
    for rays in (1, 2, 5, 33):
        table = sonar(Lobe(40 * DEG, 6.0, rays=rays)).table(Mount(pitch_rad=0.2))
        axis = np.array([math.cos(0.2), 0.0, -math.sin(0.2)])
        off = np.degrees(np.arccos(np.clip(table.directions @ axis, -1.0, 1.0)))
        assert len(off) == rays
        assert off.max() == pytest.approx(20.0 if rays > 1 else 0.0, abs=1e-6)


def test_noise_leaves_alone_what_no_lobe_hears():
    noisy = sonar(*WIDE_AND_LONG, noise=LengthNoise(sigma_m=0.2))
    sim = looking(noisy, at(0, 4.5))
    for _ in range(20):
        sim.run(0.1)
        assert sim.robot("scout").read("it")[0] == 6.0


RAYS = tuple(Lobe(lobe.width_rad, lobe.max_m, lobe.yaw_rad, rays=9) for lobe in WITH_SIDE_LOBES)
SINGLE = (Lobe(0.0, 2.5),)


@pytest.mark.parametrize("lobes", [RAYS, SINGLE], ids=["many", "one"])
def test_lobes_of_rays_read_the_same_in_one_compiled_call_and_step_by_step(lobes):
    def crowd():
        ring = tuple(Mount(yaw_rad=yaw) for yaw in (-1.0, 0.0, 1.0))
        device = DeviceSpec(
            name="it", sheet=sonar(*lobes, ring=ring, noise=LengthNoise(sigma_m=0.01)), mount=Mount(z_m=HIGH)
        )
        robots = [robot(f"r{i}", x=-2.0 + 0.9 * i, heading=i, parts=model(devices=(device,))) for i in range(5)]
        return Sim(room(*robots, objects=(box(y=1.2),)), seed=5)

    together, alone = crowd(), crowd()
    assert together.current.readings["r0/it"]._batch.direct
    alone.change(Fault("r4/it", "dead"))
    assert not alone.current.readings["r0/it"]._batch.direct
    for sim in (together, alone):
        sim.fleet.drive(0.2, 0.5)
        sim.run(1.0)
    assert np.array_equal(together.fleet.read("it")[:4], alone.fleet.read("it")[:4])
    assert (together.fleet.read("it") < 6.0).any()


def test_threads_change_no_reading_of_lobes(monkeypatch):
    def values(threads):
        sim = Sim(room(*(robot(f"r{i}", x=-2.0 + 0.6 * i, parts=parts) for i in range(7))), seed=5, threads=threads)
        sim.run(0.5)
        return sim.fleet.read("it")

    parts = model(devices=(DeviceSpec(name="it", sheet=sonar(*RAYS), mount=Mount(z_m=HIGH)),))
    alone = values(1)
    monkeypatch.setattr(level_rays, "FEW", 2)
    assert np.array_equal(alone, values(3))
