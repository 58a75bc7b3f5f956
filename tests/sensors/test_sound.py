"""Sound that is thrown back as by a mirror, against plain geometry."""

import math

import numpy as np
import pytest
from contracts.sensor_contract import check_sensor
from scenes import PERFECT, box, model, robot, room
from sensors.looking import HIGH, looking, pole, read

from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import Lobe
from understudy.sensors.sound import Reflection
from understudy.sim.sim import Sim
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Wall
from understudy.world.shapes import Mount

DEG = math.pi / 180
QUIET = LengthNoise()  # without noise, but not perfect


def sonar(cone_deg=20.0, specular_deg=15.0, bounces=0, crosstalk=False, **given):
    how = Reflection(specular_deg * DEG, bounces, crosstalk)
    return Sonar(**{"cone_rad": cone_deg * DEG, "max_m": 8.0, "noise": QUIET, "reflection": how, **given})


def wall(*points, name="wall"):
    return Wall(name=name, points_m=points)


def slanting(angle_deg, distance=2.0):
    """Return a long wall whose middle is straight ahead and whose normal is turned by an angle."""
    x, y = 20.0 * math.sin(angle_deg * DEG), 20.0 * math.cos(angle_deg * DEG)
    return wall((distance - x, y), (distance + x, -y))


# ---- specular


def test_a_wall_straight_ahead_answers_as_ever():
    assert read(sonar(), walls=(slanting(0),))[0] == pytest.approx(2.0)


@pytest.mark.parametrize("angle", [5, 9.9])
def test_a_wall_whose_normal_is_in_the_cone_answers_from_its_nearest_point(angle):
    assert read(sonar(), walls=(slanting(angle),))[0] == pytest.approx(2.0 * math.cos(angle * DEG), abs=1e-3)


@pytest.mark.parametrize(("angle", "heard"), [(24.0, True), (26.0, False), (60.0, False)])
def test_a_wall_at_too_large_an_angle_is_not_heard(angle, heard):
    """The edge of the cone meets it 10 degrees less slantingly than the axis."""
    got = read(sonar(), walls=(slanting(angle),))[0]
    assert (got < 8.0) == heard
    assert read(Sonar(cone_rad=20 * DEG, noise=QUIET), walls=(slanting(angle),))[0] < 5.0


def test_a_pole_answers_from_any_side():
    for angle in (-8.0, 0.0, 8.0):
        got = read(sonar(), pole(2.0 * math.cos(angle * DEG), 2.0 * math.sin(angle * DEG), 0.2), walls=())
        assert got[0] == pytest.approx(1.9, abs=0.01)


def test_a_box_is_heard_by_its_face_but_not_by_its_corner():
    assert read(sonar(), box(x=2.0), walls=())[0] == pytest.approx(1.8)
    turned = box(x=2.0)
    turned = type(turned)(name="it", shape=turned.shape, pose=type(turned.pose)(2.0, 0.0, heading_rad=math.pi / 4))
    assert read(sonar(), turned, walls=())[0] == 8.0


def test_what_is_near_and_not_heard_does_not_hide_itself_behind_an_echo_from_beyond():
    assert read(sonar(cone_deg=0.0), walls=(slanting(60, 1.0), wall((3.0, -1.0), (3.0, 1.0), name="behind")))[0] == 8.0


# ---- one bounce


def corner():
    """Return a wall at 45 degrees, 1 m ahead, and one that the sound meets straight on after 2 m more."""
    return slanting(45, 1.0), wall((-5.0, 2.0), (5.0, 2.0), name="left"), wall((-5.0, -2.0), (5.0, -2.0), name="right")


def test_sound_may_come_back_over_two_surfaces():
    assert read(sonar(cone_deg=0.0, bounces=1), walls=corner())[0] == pytest.approx(3.0, abs=1e-5)
    assert read(sonar(cone_deg=0.0), walls=corner())[0] == 8.0


def test_a_bounced_echo_must_be_in_reach_all_the_way():
    assert read(sonar(cone_deg=0.0, bounces=1, max_m=2.9), walls=corner())[0] == 2.9
    lobes = (Lobe(0.0, 2.9),)
    assert read(sonar(bounces=1, lobes=lobes), walls=corner())[0] == 8.0


def test_a_second_surface_at_an_angle_gives_no_echo():
    walls = (
        slanting(45, 1.0),
        wall((-5.0, -7.0), (6.0, 4.0), name="along"),
        wall((-3.0, -5.0), (9.0, 0.0), name="flat"),
    )
    assert read(sonar(cone_deg=0.0, bounces=1, specular_deg=5.0), walls=walls)[0] == 8.0


def test_the_nearest_of_echo_and_bounced_echo_counts():
    got = read(sonar(cone_deg=60.0, bounces=1), pole(0.6, 0.2, 0.05), walls=corner())
    assert got[0] == pytest.approx(math.hypot(0.6, 0.2) - 0.025, abs=0.01)


# ---- cross-talk


def pair(**given):
    """Return two transducers, 1 m apart, that look at the same point of a wall 2 m ahead."""
    aim = math.atan2(0.5, 2.0)
    ring = (Mount(y_m=0.5, yaw_rad=-aim), Mount(y_m=-0.5, yaw_rad=aim))
    return sonar(**{"cone_deg": 2.0, "specular_deg": 5.0, "ring": ring, **given})


def test_transducers_of_a_ring_hear_each_other():
    assert read(pair(crosstalk=True), walls=(slanting(0),)) == pytest.approx([math.hypot(2.0, 0.5)] * 2, abs=1e-3)
    assert read(pair(), walls=(slanting(0),)).tolist() == [8.0, 8.0]


def test_they_do_not_if_the_mirror_sends_the_sound_elsewhere():
    assert read(pair(crosstalk=True, specular_deg=1.0), walls=(slanting(6),)).tolist() == [8.0, 8.0]


def test_they_do_not_if_something_stands_between():
    hidden = box(x=1.0, y=-0.25, size=(0.05, 0.05, 1.0), surface=Surface(seen_by=("sonar",)))
    got = read(pair(crosstalk=True, cone_deg=0.5), hidden, walls=(slanting(0),))
    assert got[0] == 8.0


def test_a_transducer_hears_a_neighbours_echo_if_it_comes_sooner():
    near = pole(1.0, 0.5, 0.1)
    ring = (Mount(y_m=0.5), Mount(y_m=0.0))
    sheet = sonar(ring=ring, cone_deg=60.0, specular_deg=80.0, crosstalk=True)
    alone = sonar(ring=ring, cone_deg=60.0, specular_deg=80.0)
    assert read(sheet, near, walls=())[1] < read(alone, near, walls=())[1] - 0.03


def crowd(*places, objects=(), **given):
    parts = model(devices=(DeviceSpec(name="it", sheet=sonar(ring=(Mount(x_m=0.2),), **given), mount=Mount(z_m=HIGH)),))
    robots = [robot(f"r{i}", x, y, heading, parts) for i, (x, y, heading) in enumerate(places)]
    return Sim(room(*robots, objects=objects, width=30.0, depth=30.0))


FACING = ((0.0, 0.0, 0.0), (3.0, 0.0, math.pi))


def test_robots_that_face_each_other_hear_each_other_at_half_the_distance():
    assert crowd(*FACING, crosstalk=True).fleet.read("it")[:, 0] == pytest.approx([1.3, 1.3])
    assert crowd(*FACING).fleet.read("it")[:, 0] == pytest.approx([2.6, 2.6], abs=0.01)


def test_robots_that_look_elsewhere_or_are_hidden_do_not():
    aside = ((0.0, 0.0, 0.0), (3.0, 0.0, math.pi / 2))
    assert crowd(*aside, crosstalk=True).fleet.read("it")[0, 0] == pytest.approx(2.6, abs=0.01)
    behind = crowd(*FACING, objects=(box(x=1.5),), crosstalk=True)
    assert behind.fleet.read("it")[0, 0] == pytest.approx(1.1, abs=0.01)


def test_of_several_robots_the_nearest_that_can_be_heard_counts():
    sim = crowd((0.0, 0.0, 0.0), (6.0, 0.5, math.pi), (4.0, -0.3, math.pi), crosstalk=True)
    assert sim.fleet.read("it")[0, 0] == pytest.approx(math.hypot(3.6, 0.3) / 2, abs=1e-9)


def test_who_is_out_of_reach_is_not_heard():
    assert crowd((0.0, 0.0, 0.0), (14.0, 0.0, math.pi), crosstalk=True, max_m=5.0).fleet.read("it")[0, 0] == 5.0


# ---- and all of it is optional


def test_a_perfect_sonar_hears_every_echo():
    assert read(sonar(noise=PERFECT), walls=(slanting(60),))[0] < 2.0


def test_without_reflection_sonars_are_served_by_compiled_code():
    assert looking(Sonar()).current.readings["scout/it"].place[0].simple
    assert not looking(sonar()).current.readings["scout/it"].place[0].simple


def test_noise_leaves_alone_what_is_not_heard():
    sim = looking(sonar(noise=LengthNoise(sigma_m=0.3)), walls=(slanting(60),))
    for _ in range(5):
        sim.run(0.1)
        assert sim.robot("scout").read("it")[0] == 8.0


@pytest.mark.parametrize("how", [Reflection(), Reflection(bounces=1, crosstalk=True)])
def test_sonars_with_reflection_fulfil_the_contract(how):
    ring = tuple(Mount(x_m=0.1, yaw_rad=yaw) for yaw in (-0.5, 0.0, 0.5))
    check_sensor(lambda: Sonar(ring=ring, reflection=how))


def test_what_one_robot_hears_does_not_depend_on_robots_far_away():
    one = crowd((0.0, 0.0, 0.3), crosstalk=True, bounces=1, cone_deg=60.0)
    two = crowd((0.0, 0.0, 0.3), (-12.0, -12.0, 2.0), crosstalk=True, bounces=1, cone_deg=60.0)
    assert np.array_equal(one.fleet.read("it")[0], two.fleet.read("it")[0])


def test_tilted_sonars_hear_the_floor_only_from_straight_above():
    steep, flat = (Mount(z_m=1.0, pitch_rad=angle * DEG) for angle in (85.0, 40.0))
    assert read(sonar(), mount=steep, walls=())[0] == pytest.approx(1.0, abs=0.01)
    assert read(sonar(), mount=flat, walls=())[0] == 8.0
