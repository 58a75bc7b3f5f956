"""What comes back of a laser: reflectance, drop-outs of dark and slanting things, readings at edges."""

import math

import numpy as np
import pytest
from contracts.sensor_contract import check_sensor
from scenes import PERFECT, box
from sensors.looking import looking, read

from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.laser import Laser
from understudy.world.faults import Fault
from understudy.world.materials import Surface
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Box, Mount, Pose

QUIET = LengthNoise()  # without noise, but not perfect: what else is wrong stays


def ray(**given):
    """Return a laser of one ray."""
    return Laser(**{"rays": 1, "noise": QUIET, "period_us": 5_000, **given})


def ahead(distance, reflectance=1.0, turned=0.0, wide=2.0):
    """Return a wall of cardboard whose middle is so far ahead."""
    surface = Surface(reflectance=reflectance)
    return Solid(name="it", shape=Box((1e-4, wide, 1.0)), pose=Pose(distance, heading_rad=turned), surface=surface)


def share(sheet, *objects, samples=400):
    """Return the share of samples in which something is seen."""
    sim = looking(sheet, *objects, walls=())
    seen = [sim.robot("scout").read("it")[0] < sheet.max_m for _ in range(samples) if sim.step() is None]
    return float(np.mean(seen))


# ---- reflectance


def test_reflectances_stand_behind_the_ranges():
    sheet = Laser(rays=3, field_rad=math.pi, reflectance=True, noise=PERFECT)
    reading = read(sheet, ahead(2.0, 7.5))
    assert sheet.columns()[2:4] == ("range_m[2]", "reflectance[0]")
    assert reading == pytest.approx([8.0, 2.0, 8.0, 0.0, 7.5, 0.0], abs=1e-4)


def test_noise_touches_no_reflectance_and_a_lost_reading_has_none():
    sheet = Laser(rays=1, reflectance=True, period_us=5_000, noise=LengthNoise(sigma_m=0.1, lost=0.5))
    sim = looking(sheet, ahead(2.0, 3.0))
    readings = np.array([sim.robot("scout").read("it") for _ in range(200) if sim.step() is None])
    lost = readings[:, 0] == 8.0
    assert 0.35 < lost.mean() < 0.65
    assert set(readings[lost, 1]) == {0.0}
    assert set(readings[~lost, 1]) == {3.0}
    assert len(set(readings[~lost, 0])) > 50


def test_a_dead_scanner_sees_nothing_and_no_reflectance():
    sim = looking(Laser(rays=2, reflectance=True), ahead(2.0))
    sim.change(Fault("scout/it", "dead"))
    sim.run(0.2)
    assert sim.robot("scout").read("it").tolist() == [8.0, 8.0, 0.0, 0.0]


def test_only_ranges_are_drawn():
    sim = looking(Laser(rays=3, reflectance=True, noise=PERFECT), ahead(2.0))
    assert len(sim.robot("scout").traces("it").ends) == 3


# ---- drop-outs


@pytest.mark.parametrize(
    ("distance", "reflectance", "expected"),
    [
        (4.9, 1.0, 1.0),
        (0.9, 0.04, 1.0),  # a fifth of the way: the square root of 0.04
        (1.5, 0.04, 0.0),
        (7.5, 4.0, 1.0),
    ],
)
def test_dark_things_are_seen_less_far(distance, reflectance, expected):
    assert share(ray(reach_m=5.0), ahead(distance, reflectance), samples=50) == expected


def test_at_the_end_of_its_reach_a_thing_is_seen_ever_more_seldom():
    strength = (5.0 / 5.8) ** 2
    assert share(ray(reach_m=5.0), ahead(5.8)) == pytest.approx(2 * strength - 1, abs=0.08)


@pytest.mark.parametrize(("turned", "expected"), [(0.0, 1.0), (0.7, 1.0), (1.3, 0.0)])
def test_slanting_things_are_seen_less_far(turned, expected):
    assert share(ray(reach_m=5.0), ahead(4.2, turned=turned, wide=6.0), samples=50) == expected


@pytest.mark.parametrize(("turned", "expected"), [(79.0, 1.0), (81.0, 0.0)])
def test_what_is_met_too_flatly_gives_no_echo(turned, expected):
    sheet = ray(grazing_rad=math.radians(10.0))
    assert share(sheet, ahead(3.0, turned=math.radians(turned), wide=6.0), samples=3) == expected


def test_drop_outs_belong_to_the_device_and_repeat():
    def seen():
        sim = looking(Laser(rays=31, reach_m=2.5, noise=QUIET, period_us=5_000), size=6.0)
        sim.run(0.1)
        return sim.robot("scout").read("it")

    assert np.array_equal(seen(), seen())
    assert 5 < (seen() == 8.0).sum() < 31


# ---- edges


def edge(gap):
    """Return the edge of a box straight ahead, at 2 m, and a wall so far behind it."""
    return box("near", 2.5, 1.0, (1.0, 2.0, 1.0)), box("far", 3.0 + gap, 0.0, (2.0, 9.0, 1.0))


def test_an_edge_reads_between_near_and_far_if_they_are_close_together():
    got = read(ray(spot_rad=0.01), *edge(0.3))[0]
    assert 2.05 < got < 2.25
    assert read(ray(), *edge(0.3))[0] == pytest.approx(2.0)


def test_an_edge_reads_near_or_far_if_they_are_far_apart():
    for aside in np.linspace(-0.02, 0.02, 21):
        got = read(ray(spot_rad=0.01), *edge(2.0), y=float(aside))[0]
        assert got == pytest.approx(2.0, abs=0.01) or got == pytest.approx(4.0, abs=0.01)


def test_the_stronger_part_of_a_spot_is_read():
    mostly_near, mostly_far = (read(ray(spot_rad=0.02), *edge(2.0), y=y)[0] for y in (0.01, -0.01))
    assert mostly_near == pytest.approx(2.0, abs=0.01)
    assert mostly_far == pytest.approx(4.0, abs=0.01)


def test_a_reflector_outshines_what_is_nearer():
    near, far = (
        box("near", 2.5, 1.0, (1.0, 2.0, 1.0)),
        box("far", 5.0, 0.0, (2.0, 9.0, 1.0), surface=Surface(reflectance=30.0)),
    )
    assert read(ray(spot_rad=0.01, reach_m=30.0), near, far)[0] == pytest.approx(4.0, abs=0.01)


def test_a_smooth_wall_reads_the_same_with_a_spot():
    thin, wide = (read(Laser(rays=31, spot_rad=spot, noise=QUIET), size=6.0) for spot in (0.0, 0.005))
    assert np.allclose(thin, wide, atol=0.02)


def test_a_tilted_scanner_has_spots_too():
    down = Mount(z_m=1.0, pitch_rad=math.pi / 4)
    assert read(ray(spot_rad=0.01), mount=down)[0] == pytest.approx(math.sqrt(2.0), abs=0.01)


# ---- and all of it is optional


def test_a_perfect_scanner_has_none_of_it():
    spoiled = {"spot_rad": 0.01, "reach_m": 1.0, "grazing_rad": 0.5}
    assert (
        read(Laser(rays=9, noise=PERFECT, **spoiled), *edge(0.3)).tolist()
        == read(Laser(rays=9, noise=PERFECT), *edge(0.3)).tolist()
    )


def test_a_plain_scanner_is_served_by_compiled_code_and_a_closer_one_is_not():
    plain, closer = (looking(sheet).current.readings["scout/it"] for sheet in (Laser(), Laser(reach_m=9.0)))
    assert plain.place[0].simple
    assert not closer.place[0].simple


@pytest.mark.parametrize(
    "given",
    [
        {"reflectance": True},
        {"spot_rad": 0.01},
        {"reach_m": 2.0, "grazing_rad": 0.2, "spot_rad": 0.01, "reflectance": True},
    ],
)
def test_closer_scanners_fulfil_the_contract(given):
    check_sensor(lambda: Laser(rays=31, **given))


def test_walls_are_seen_by_their_own_reflectance():
    mirror = Wall(name="mirror", points_m=((3.0, -1.0), (3.0, 1.0)), surface=Surface(reflectance=9.0))
    sheet = Laser(rays=1, reflectance=True, noise=PERFECT)
    assert read(sheet, walls=(mirror,)).tolist() == [3.0, 9.0]
