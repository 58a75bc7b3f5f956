"""Infra-red rangers, switches, EyeBot's PSD and single laser beams, against plain geometry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import PERFECT
from sensors.looking import looking, pole, read

from understudy.sensors.beam import Beam
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.infrared import Infrared, Proximity, Psd
from understudy.sensors.lobes import Lobe
from understudy.world.changes import Move, Switch
from understudy.world.faults import Fault
from understudy.world.materials import Surface
from understudy.world.shapes import Mount, Pose

CURVE = ((0.0, 0.5), (0.1, 2.5), (0.5, 0.5), (1.0, 0.3))


def near(distance, **extra):
    return pole(distance + 0.05, width=0.1, **extra)


def analogue(**given):
    return Infrared(**{"curve": CURVE, "noise": PERFECT, **given})


# ---- distance


def test_without_a_curve_the_distance_is_read_in_metres():
    assert read(Infrared(noise=PERFECT), near(0.5))[0] == pytest.approx(0.5)


@pytest.mark.parametrize(("distance", "reading"), [(0.03, 0.1), (0.9, 0.8)])
def test_a_distance_out_of_range_reads_as_the_end_of_the_range(distance, reading):
    assert read(Infrared(noise=PERFECT), near(distance))[0] == pytest.approx(reading)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.21, 1.2))
def test_volts_follow_the_curve(distance):
    assert read(analogue(), near(distance))[0] == pytest.approx(np.interp(distance, *zip(*CURVE)))


def test_below_its_range_the_voltage_equals_that_of_something_farther():
    volts = [read(analogue(), near(0.2 + away), mount=Mount(x_m=0.2, z_m=0.1))[0] for away in (0.05, 0.3)]
    assert volts == pytest.approx([1.5, 1.5])


def test_nothing_in_sight_gives_the_last_point_of_the_curve_and_no_noise():
    sim = looking(analogue(noise=LengthNoise(sigma_m=0.1, relative=0.1)))
    for _ in range(10):
        sim.run(0.05)
        assert sim.robot("scout").read("it")[0] == 0.3


@pytest.mark.parametrize(("counts", "full_v", "reading"), [(1024, 5.0, 307), (256, 5.0, 76), (1024, 1.0, 1023)])
def test_counts_are_the_steps_of_a_converter(counts, full_v, reading):
    sheet = analogue(counts=counts, full_v=full_v)
    assert sheet.columns() == ("counts[0]",)
    assert read(sheet, near(0.3))[0] == reading


def test_the_range_is_found_back_from_volts_and_from_counts():
    for sheet in (analogue(), analogue(counts=4096)):
        assert sheet.ranges(read(sheet, near(0.35)))[0] == pytest.approx(0.35, abs=0.001)


def test_what_only_sonars_notice_is_not_seen_by_infra_red():
    hidden = near(0.4, surface=Surface(seen_by=("sonar", "laser")))
    assert read(Infrared(noise=PERFECT), hidden)[0] == 0.8


def test_the_noise_of_a_ranger_grows_with_the_distance():
    def spread(distance):
        sim = looking(Infrared(noise=LengthNoise(relative=0.02), period_us=5_000), near(distance))
        return np.std([sim.robot("scout").read("it")[0] for _ in range(800) if sim.step() is None])

    assert spread(0.6) == pytest.approx(0.012, rel=0.15)
    assert spread(0.3) == pytest.approx(0.006, rel=0.15)


def test_a_ranger_has_lobes_as_a_sonar_has():
    sheet = Infrared(lobes=(Lobe(math.radians(2), 0.8), Lobe(math.radians(30), 0.3)), noise=PERFECT)
    assert read(sheet, pole(0.35 * math.cos(0.2), 0.35 * math.sin(0.2)))[0] == 0.8
    assert read(sheet, pole(0.32 * math.cos(0.2), 0.32 * math.sin(0.2)))[0] == pytest.approx(0.27)


# ---- switches


@pytest.mark.parametrize(("distance", "near_now"), [(0.23, 1.0), (0.25, 0.0)])
def test_a_switch_closes_at_its_switching_distance(distance, near_now):
    assert read(Proximity(noise=PERFECT), near(distance))[0] == near_now
    assert read(Proximity(noise=PERFECT, active="low"), near(distance))[0] == 1.0 - near_now


def test_a_switch_flickers_at_its_switching_distance_as_often_as_its_noise_says():
    sim = looking(Proximity(period_us=5_000, noise=LengthNoise(sigma_m=0.01)), near(0.245))
    seen = [sim.robot("scout").read("it")[0] for _ in range(1000) if sim.step() is None]
    assert np.mean(seen) == pytest.approx(0.309, abs=0.05)  # the share of a normal number above half its deviation


def test_a_switch_that_sees_nothing_never_flickers():
    sim = looking(Proximity(period_us=5_000, noise=LengthNoise(sigma_m=0.05)), near(0.5))
    assert not any(sim.robot("scout").read("it")[0] for _ in range(500) if sim.step() is None)


# ---- EyeBot's PSD


@pytest.mark.parametrize(("distance", "reading"), [(0.4321, 432), (0.25, 250), (0.9, 9999)])
def test_a_psd_reads_whole_millimetres_or_out_of_range(distance, reading):
    assert read(Psd(noise=PERFECT), near(distance))[0] == reading


def test_out_of_range_below_and_above_are_two_values():
    sheet = Psd(min_m=0.3, below_mm=1, above_mm=2, noise=PERFECT)
    assert [read(sheet, near(distance))[0] for distance in (0.25, 0.5, 0.9)] == [1, 500, 2]


def test_a_psd_is_a_single_ray():
    assert read(Psd(noise=PERFECT), pole(0.5, 0.051, 0.1))[0] == 9999
    assert read(Psd(noise=PERFECT), pole(0.5, 0.049, 0.1))[0] == pytest.approx(490, abs=1)


def test_the_range_of_a_psd_is_found_back():
    sheet = Psd(below_mm=0)
    assert sheet.ranges(np.array([0.0, 250.0, 9999.0])).tolist() == [0.8, 0.25, 0.8]


# ---- a single beam


def test_a_beam_reads_the_distance_along_one_line():
    assert read(Beam(noise=PERFECT), near(3.0))[0] == pytest.approx(3.0)
    assert read(Beam(noise=PERFECT), pole(3.0, 0.06))[0] == pytest.approx(10.0)


def test_a_beam_that_looks_down_sees_the_floor():
    down = Mount(z_m=1.0, pitch_rad=math.pi / 6)
    assert read(Beam(noise=PERFECT), mount=down)[0] == pytest.approx(2.0)


# ---- failures


BLANKS = [
    (analogue(), 0.3),
    (analogue(counts=1024), 61),
    (Infrared(), 0.8),
    (Proximity(), 0.0),
    (Proximity(active="low"), 1.0),
    (Psd(), 9999.0),
    (Beam(), 40.0),
]


@pytest.mark.parametrize(("sheet", "reading"), BLANKS)
def test_a_dead_device_reports_that_it_sees_nothing(sheet, reading):
    sim = looking(sheet, near(0.25))
    sim.change(Fault("scout/it", "dead"))
    sim.run(0.2)
    assert sim.robot("scout").read("it")[0] == pytest.approx(reading)


@pytest.mark.parametrize(("sheet", "reading"), BLANKS)
def test_a_device_that_is_switched_off_reports_that_it_sees_nothing(sheet, reading):
    sim = looking(sheet, near(0.25))
    sim.change(Switch("scout/it", False))
    sim.run(0.2)
    assert sim.robot("scout").read("it")[0] == pytest.approx(reading)


def test_what_moves_is_followed():
    sim = looking(Infrared(noise=PERFECT), near(0.5, mass_kg=1.0))
    sim.change(Move("pole", Pose(0.45, 0.0)))
    sim.run(0.1)
    assert sim.robot("scout").read("it")[0] == pytest.approx(0.4)


# ---- errors


@pytest.mark.parametrize(
    ("sheet", "key", "text"),
    [
        (Infrared(min_m=0.9), "min_m", "must be below max_m, 0.8, got 0.9"),
        (Infrared(ring=()), "ring", "needs at least one position, such as [{yaw_deg = 0}]"),
        (Psd(ring=()), "ring", "needs at least one position, such as [{yaw_deg = 0}]"),
        (Proximity(ring=()), "ring", "needs at least one position, such as [{yaw_deg = 0}]"),
        (Beam(max_m=0.01), "min_m", "must be below max_m, 0.01, got 0.05"),
        (analogue(curve=((0.1, 1.0),)), "curve", "needs two or more points [m, V] with increasing distances"),
        (
            analogue(curve=((0.1, 1.0), (0.1, 2.0))),
            "curve",
            "needs two or more points [m, V] with increasing distances",
        ),
        (analogue(curve=((-0.1, 1.0), (0.1, 2.0))), "curve", "distances must be at least 0, got -0.1"),
    ],
)
def test_values_that_do_not_fit_together_are_reported(sheet, key, text):
    assert list(sheet.findings()) == [(key, text)]
