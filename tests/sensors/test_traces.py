"""Where the rays of readings began and ended, for drawing."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import PERFECT
from sensors.looking import looking, pole

from understudy.errors import UnknownName
from understudy.sensors.beam import Beam
from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.infrared import Infrared, Proximity, Psd
from understudy.sensors.laser import Laser
from understudy.sensors.lobes import Lobe
from understudy.sensors.wheels import Encoders
from understudy.world.faults import Fault
from understudy.world.shapes import Mount

AHEAD = pole(1.0 * math.cos(0.2), 1.0 * math.sin(0.2), 0.1)


def traced(sheet, *objects, **where):
    return looking(sheet, *objects, **where).robot("scout").traces("it")


def test_rays_of_a_laser_begin_at_its_mount_and_end_on_the_walls():
    sheet = Laser(rays=37, field_rad=math.pi, max_m=30.0, noise=PERFECT)
    seen = traced(sheet, x=2.0, y=1.0, heading=0.7, mount=Mount(x_m=0.1, z_m=0.4))
    assert seen.echoes.all()
    assert np.allclose(seen.starts, [2.0 + 0.1 * math.cos(0.7), 1.0 + 0.1 * math.sin(0.7), 0.4])
    assert np.allclose(np.abs(seen.ends[:, :2]).max(axis=1), 10.0)


def test_a_laser_is_drawn_with_its_noise():
    sim = looking(Laser(rays=5, max_m=30.0, noise=LengthNoise(sigma_m=0.5)))
    seen, reading = sim.robot("scout").traces("it"), sim.robot("scout").read("it")
    assert np.allclose(np.linalg.norm(seen.ends - seen.starts, axis=1), reading)


RANGERS = [
    Sonar(cone_rad=0.6, noise=PERFECT),
    Sonar(cone_rad=0.6, rays_per_cone=35, noise=PERFECT),
    Sonar(lobes=(Lobe(0.1, 5.0), Lobe(0.6, 2.0)), noise=PERFECT),
    Infrared(cone_rad=0.6, max_m=2.0, noise=PERFECT),
    Infrared(cone_rad=0.6, curve=((0.0, 3.0), (2.0, 0.0)), noise=PERFECT),
    Psd(cone_rad=0.6, max_m=2.0, noise=PERFECT),
    Proximity(cone_rad=0.6, switch_m=1.5, noise=PERFECT),
]


@pytest.mark.parametrize("sheet", RANGERS, ids=lambda sheet: sheet.kind)
def test_an_echo_is_drawn_where_it_came_from(sheet):
    seen = traced(sheet, AHEAD)
    assert seen.echoes.tolist() == [True]
    assert seen.ends[0] == pytest.approx([0.95 * math.cos(0.2), 0.95 * math.sin(0.2), 0.1], abs=0.02)


@pytest.mark.parametrize("sheet", RANGERS, ids=lambda sheet: sheet.kind)
def test_no_echo_is_drawn_along_the_axis_as_far_as_the_device_reaches(sheet):
    seen = traced(sheet)
    assert seen.echoes.tolist() == [False]
    assert seen.ends[0] == pytest.approx([sheet.nothing(), 0.0, 0.1])


def test_tilted_rays_end_on_the_floor():
    seen = traced(Beam(noise=PERFECT), mount=Mount(z_m=1.0, pitch_rad=math.pi / 6))
    assert seen.ends[0] == pytest.approx([math.sqrt(3.0), 0.0, 0.0])


def test_a_ring_has_a_trace_for_each_place():
    ring = (Mount(yaw_rad=0.2), Mount(x_m=-0.1, yaw_rad=math.pi))
    seen = traced(Sonar(ring=ring, max_m=20.0, noise=PERFECT), AHEAD)
    assert seen.starts[:, 0].tolist() == [0.0, -0.1]
    assert seen.ends[1, 0] == pytest.approx(-10.0)


def test_a_dead_device_shows_no_echo():
    sim = looking(Sonar(), AHEAD)
    sim.change(Fault("scout/it", "dead"))
    sim.run(0.2)
    assert not sim.robot("scout").traces("it").echoes.any()


def test_what_casts_no_rays_and_what_has_no_reading_yet_has_no_traces():
    assert len(traced(Encoders()).starts) == 0
    assert len(traced(Sonar(latency_us=500_000)).starts) == 0


def test_a_missing_device_is_reported():
    with pytest.raises(UnknownName, match="scout has no device 'its' \\(did you mean 'it'\\?\\)"):
        looking(Sonar()).robot("scout").traces("its")


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 3))
def test_looking_at_traces_changes_nothing(often):
    def run(often):
        sim = looking(Sonar(lobes=(Lobe(0.3, 3.0), Lobe(0.9, 1.0))), AHEAD)
        sim.robot("scout").drive(0.2, 0.4)
        for _ in range(10):
            sim.run(0.1)
            for _ in range(often):
                sim.robot("scout").traces("it")
        return sim.hash(), sim.robot("scout").read("it").tolist()

    assert run(often) == run(0)
