"""Light sensors and lamps against closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import striped
from scenes import box, model, robot, room

from understudy.sensors import SENSORS
from understudy.sensors.imperfection import PlainNoise
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Fault, Move, Remove
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Ground, Light, Scene, Wall
from understudy.world.shapes import Mount, Pose

QUIET = PlainNoise("perfect")
AHEAD, UP, DOWN = Mount(z_m=0.5), Mount(z_m=0.5, pitch_rad=-math.pi / 2), Mount(x_m=0.3, z_m=0.1, pitch_rad=math.pi / 2)
TWO_METRES_EAST = Light(name="lamp", pose=Pose(2.0, 0.0, 0.5))


def eye(mount=AHEAD, name="eye", **sheet):
    return DeviceSpec(name=name, sheet=SENSORS["light"](**{"noise": QUIET, "period_us": 0, **sheet}), mount=mount)


def lamp(mount, name="lamp", **sheet):
    return DeviceSpec(name=name, sheet=SENSORS["lamp"](**sheet), mount=mount)


def sim_of(*devices, x=0.0, y=0.0, heading=0.0, lights=(), ambient=0.0, **scene):
    it = robot("a", x, y, heading, model(devices=devices))
    return Sim(room(it, width=20.0, depth=20.0, lights=lights, ambient=ambient, **scene))


def read(*devices, name="eye", **scene):
    return sim_of(*devices, **scene).robot("a").read(name)[0]


# ---- what comes straight from lamps


def test_without_light_it_is_dark():
    assert read(eye()) == 0.0


def test_light_that_is_everywhere_is_seen_everywhere():
    assert read(eye(), ambient=0.3) == pytest.approx(30.0)


def test_a_lamp_of_brightness_1_reads_full_light_at_1_metre():
    assert read(eye(), lights=(Light(name="l", pose=Pose(1.0, 0.0, 0.5)),)) == pytest.approx(100.0)


@settings(max_examples=30, deadline=None)
@given(st.floats(1.0, 8.0), st.floats(-math.pi, math.pi), st.floats(0.1, 5.0), st.floats(0.01, 1.0))
def test_a_lamp_falls_with_the_square_of_the_distance_and_the_cosine_of_the_angle(away, heading, height, brightness):
    light = Light(name="l", pose=Pose(away, 0.0, height), brightness=brightness)
    far2 = away**2 + (height - 0.5) ** 2
    wanted = brightness * max(away * math.cos(heading), 0.0) / far2**1.5
    assert read(eye(), heading=heading, lights=(light,)) == pytest.approx(min(100 * wanted, 100.0), abs=1e-3)


@pytest.mark.parametrize(("heading_deg", "lit"), [(180, True), (165, True), (155, False), (0, False)])
def test_a_lamp_with_a_beam_shines_only_where_its_heading_points(heading_deg, lit):
    pose = Pose(1.0, 0.0, 0.5, heading_rad=math.radians(heading_deg))
    lights = (Light(name="spot", pose=pose, beam_rad=math.radians(40)),)
    assert read(eye(), lights=lights) == pytest.approx(100.0 if lit else 0.0)


@pytest.mark.parametrize(("pitch_deg", "lit"), [(90, True), (45, False), (-90, False)])
def test_a_lamp_with_a_beam_lights_the_ground_that_it_is_tilted_to(pitch_deg, lit):
    pose = Pose(0.3, 0.0, 2.0, pitch_rad=math.radians(pitch_deg))
    lights = (Light(name="spot", pose=pose, beam_rad=math.radians(30)),)
    assert (read(eye(DOWN), lights=lights) > 0.0) == lit


def test_a_beam_turns_when_its_lamp_is_moved():
    spot = Light(name="spot", pose=Pose(1.0, 0.0, 0.5), beam_rad=math.radians(40))
    sim = sim_of(eye(), lights=(spot,))
    before = sim.robot("a").read("eye")[0]
    sim.change(Move("spot", Pose(1.0, 0.0, 0.5, heading_rad=math.pi)))
    sim.step()
    assert (before, sim.robot("a").read("eye")[0]) == (0.0, pytest.approx(100.0))


@pytest.mark.parametrize(("exponent", "share"), [(0.0, 1.0), (1.0, 0.5), (3.0, 0.125)])
def test_the_exponent_says_how_narrowly_it_looks(exponent, share):
    turned = read(eye(exponent=exponent), heading=math.radians(60), lights=(TWO_METRES_EAST,))
    assert turned == pytest.approx(25.0 * share)


def test_lamps_add_up_and_full_light_is_the_most():
    lamps = [Light(name=f"l{i}", pose=Pose(2.0, 0.0, 0.5)) for i in range(5)]
    assert read(eye(), lights=lamps[:3]) == pytest.approx(75.0)
    assert read(eye(), lights=lamps) == 100.0


def test_readings_go_from_dark_to_bright_at_full_light():
    assert read(eye(dark=1000.0, bright=0.0, full=0.5), lights=(TWO_METRES_EAST,)) == pytest.approx(500.0)


# ---- the sun


@pytest.mark.parametrize(("place", "light"), [((0, 0, 3), 0.0), ((5, 0, 0), 0.8), ((4, 0, 3), 0.64), ((-4, 0, 3), 0.0)])
def test_the_sun_shines_from_its_direction_wherever_the_robot_is(place, light):
    sun = Light(name="sun", style="sun", pose=Pose(*map(float, place)), brightness=0.8)
    walls = {"walls": ()}
    for x in (-7.0, 0.0, 7.0):
        assert read(eye(), x=x, lights=(sun,), **walls) == pytest.approx(100 * light, abs=1e-9)


def test_a_sun_without_a_direction_stands_in_the_zenith():
    assert read(eye(UP), lights=(Light(name="sun", style="sun", pose=Pose(), brightness=0.6),)) == pytest.approx(60.0)


# ---- shadows


def test_a_wall_throws_a_shadow():
    wall = Wall(name="w", points_m=((1.0, -1.0), (1.0, 1.0)), height_m=1.0)
    assert read(eye(), lights=(TWO_METRES_EAST,), walls=(wall,)) == 0.0
    assert read(eye(), y=2.5, lights=(TWO_METRES_EAST,), walls=(wall,)) > 0.0


@pytest.mark.parametrize(("height", "lit"), [(0.99, True), (1.01, False)])
def test_the_shadow_ends_where_the_wall_ends(height, lit):
    """The line from the eye at 0.5 m to the lamp at 2 m crosses the wall at 1 m."""
    wall = Wall(name="w", points_m=((1.0, -1.0), (1.0, 1.0)), height_m=height)
    light = Light(name="l", pose=Pose(3.0, 0.0, 2.0))
    assert bool(read(eye(), lights=(light,), walls=(wall,)) > 0.0) is lit


def test_what_cameras_do_not_see_throws_no_shadow():
    glass = box(x=1.0, size=(0.1, 2.0, 1.0), surface=Surface(seen_by=("laser",)))
    assert read(eye(), lights=(TWO_METRES_EAST,), objects=(glass,)) == pytest.approx(25.0)


def test_robots_throw_shadows_on_each_other_but_not_on_their_own_sensors():
    low = Mount(z_m=0.1)
    light = Light(name="l", pose=Pose(2.0, 0.0, 0.1))
    parts = model(devices=(eye(low),))
    scene = room(robot("a", parts=parts), robot("b", 1.0, parts=parts), lights=(light,), ambient=0.0)
    sim = Sim(scene)
    assert sim.robot("a").read("eye")[0] == 0.0
    assert sim.robot("b").read("eye")[0] == pytest.approx(100.0)
    sim.robot("b").move_to(1.0, 1.0)
    sim.step()
    assert sim.robot("a").read("eye")[0] == pytest.approx(25.0)


def test_a_robot_drives_out_of_the_shadow_where_the_line_to_the_lamp_passes_the_wall():
    wall = Wall(name="w", points_m=((1.0, -3.0), (1.0, 1.0)), height_m=1.0)
    light = Light(name="l", pose=Pose(2.0, 0.5, 0.5))
    sim = sim_of(eye(exponent=0.0), y=1.0, heading=math.pi / 2, lights=(light,), walls=(wall,))
    sim.robot("a").drive(0.5)
    while sim.robot("a").read("eye")[0] == 0.0:
        sim.step()
    assert sim.robot("a").pose.y_m == pytest.approx(1.5, abs=0.0026)


# ---- lights that change


def test_a_lamp_that_is_moved_shines_from_its_new_place():
    sim = sim_of(eye(), lights=(TWO_METRES_EAST,))
    sim.change(Move("lamp", Pose(1.0, 0.0, 0.5)))
    sim.step()
    assert sim.robot("a").read("eye")[0] == pytest.approx(100.0)


def test_lamps_can_be_added_and_removed():
    sim = sim_of(eye())
    sim.change(Add(TWO_METRES_EAST))
    sim.step()
    assert sim.robot("a").read("eye")[0] == pytest.approx(25.0)
    sim.change(Remove("lamp"))
    sim.step()
    assert sim.robot("a").read("eye")[0] == 0.0


def test_a_saved_run_keeps_a_lamp_where_it_was_moved_and_switched():
    sim = sim_of(eye(), lamp(Mount(x_m=1.0, z_m=0.5), "torch", brightness=0.1), lights=(TWO_METRES_EAST,))
    sim.change(Move("lamp", Pose(4.0, 0.0, 0.5)))
    sim.robot("a").switch("torch", False)
    sim.run(0.1)
    again = Sim.restored({**sim.save_tree(), "files": {}})
    again.step()
    assert again.robot("a").read("torch")[0] == 0.0
    assert again.robot("a").read("eye")[0] == pytest.approx(100 / 16)


# ---- the ground


STRIPE = {"floor.png": striped()}  # on 4 m x 4 m: black from x = -0.5 to 0.5


def over(x, *devices, ambient=0.0, lights=(), **ground):
    ground = Ground(**{"size_m": (4.0, 4.0), "picture": "floor.png", **ground})
    scene = Scene(ground=ground, robots=(robot("a", x, parts=model(devices=devices)),), ambient=ambient, lights=lights)
    return Sim(scene, files=STRIPE).robot("a").read("eye")[0]


def test_who_looks_at_the_ground_sees_it_by_its_colour_in_the_light_that_is_everywhere():
    assert over(0.0, eye(DOWN), ambient=0.4) == 0.0
    assert over(1.0, eye(DOWN), ambient=0.4) == pytest.approx(40.0)


def test_beyond_the_edge_the_ground_is_dark():
    assert over(3.0, eye(DOWN), ambient=0.4) == 0.0


def test_ground_that_is_too_far_away_is_not_looked_at():
    assert over(0.0, eye(DOWN, reach_m=0.05), ambient=0.4) == pytest.approx(40.0)


def test_a_lamp_over_the_ground_is_seen_in_it_and_not_from_behind():
    overhead = Light(name="l", pose=Pose(1.3, 0.0, 2.0))
    assert over(1.0, eye(DOWN), lights=(overhead,)) == pytest.approx(25.0)


def test_the_robot_throws_its_shadow_on_the_ground_it_looks_at():
    behind = Light(name="l", pose=Pose(-0.5, 0.0, 0.3))
    assert over(1.0, eye(DOWN), lights=(behind,)) == 0.0
    assert over(1.0, eye(Mount(z_m=0.1, pitch_rad=math.pi / 2)), lights=(Light(name="l"),)) == 0.0


def test_something_in_the_way_hides_the_ground():
    plank = box(x=0.3, size=(0.2, 0.2, 0.05))
    sim = sim_of(eye(DOWN), objects=(plank,), ambient=0.4, ground=Ground((20.0, 20.0), colour="#000000"))
    assert sim.robot("a").read("eye")[0] == pytest.approx(40.0)


# ---- lamps of robots


LED = {"brightness": 0.005, "beam_rad": math.radians(100)}
LEGO_EYE = eye(Mount(x_m=0.3, z_m=0.1, pitch_rad=math.pi / 2), dark=30.0, bright=100.0, full=1.75)
LEGO_LAMP = lamp(Mount(x_m=0.3, z_m=0.1, pitch_rad=math.pi / 2), **LED)


def test_a_lamp_beside_a_sensor_lights_the_ground_for_it():
    """A lamp of 0.005 at 10 cm gives 0.5."""
    assert over(1.0, LEGO_EYE, LEGO_LAMP) == pytest.approx(30 + 70 * 0.5 / 1.75)
    assert over(0.0, LEGO_EYE, LEGO_LAMP) == pytest.approx(30.0)


def test_a_lamp_is_switched_and_says_so():
    sim, seen = sim_of(eye(AHEAD), lamp(Mount(x_m=1.0, z_m=0.5), brightness=0.4)), []
    for on in (True, False, True):
        sim.robot("a").switch("lamp", on)
        sim.step()
        seen.append((sim.robot("a").read("lamp")[0], round(sim.robot("a").read("eye")[0], 6)))
    assert seen == [(1.0, 40.0), (0.0, 0.0), (1.0, 40.0)]


def test_firmware_switches_a_lamp_by_its_handle():
    sim = sim_of(eye(AHEAD), lamp(Mount(x_m=1.0, z_m=0.5)))
    sim.current.readings["a/lamp"].switch(False)
    sim.step()
    assert sim.robot("a").read("eye")[0] == 0.0


def test_a_lamp_may_be_off_at_first():
    sim = sim_of(eye(AHEAD), lamp(Mount(x_m=1.0, z_m=0.5), on=False))
    assert (sim.robot("a").read("eye")[0], sim.robot("a").read("lamp")[0]) == (0.0, 0.0)
    sim.robot("a").switch("lamp", True)
    sim.step()
    assert sim.robot("a").read("eye")[0] == pytest.approx(50.0)


def test_a_lamp_that_has_failed_is_dark():
    sim = sim_of(eye(AHEAD), lamp(Mount(x_m=1.0, z_m=0.5)))
    sim.change(Fault("a/lamp"))
    sim.step()
    assert sim.robot("a").read("eye")[0] == 0.0


def test_a_beam_lights_what_is_in_front_of_it():
    torch = lamp(Mount(z_m=0.5), brightness=0.3, beam_rad=math.radians(60))
    scene = room(
        robot("a", parts=model(devices=(torch,))),
        robot("b", 1.0, heading=math.pi, parts=model(devices=(eye(AHEAD),))),
        robot("c", 0.0, 1.0, heading=-math.pi / 2, parts=model(devices=(eye(AHEAD),))),
        ambient=0.0,
    )
    sim = Sim(scene)
    assert sim.robot("b").read("eye")[0] == pytest.approx(30.0)
    assert sim.robot("c").read("eye")[0] == 0.0
    sim.robot("a").move_to(0.0, 0.0, math.pi / 2)
    sim.step()
    assert (sim.robot("b").read("eye")[0], sim.robot("c").read("eye")[0]) == (0.0, pytest.approx(30.0))


def test_the_lamp_of_another_robot_is_not_hidden_by_the_body_that_carries_it():
    inside = lamp(Mount(z_m=0.1), brightness=0.2)
    other = model(devices=(eye(Mount(z_m=0.1)),))
    scene = room(robot("a", parts=model(devices=(inside,))), robot("b", 1.0, heading=math.pi, parts=other), ambient=0.0)
    assert Sim(scene).robot("b").read("eye")[0] == pytest.approx(20.0)


def test_a_program_switches_a_lamp_and_the_tape_repeats_it(tmp_path):
    import understudy as us

    (tmp_path / "blink.py").write_text(
        "def main(robot):\n"
        "    while True:\n"
        "        robot.switch('torch', False)\n        robot.wait(0.1)\n"
        "        robot.switch('torch', True)\n        robot.wait(0.1)\n"
    )
    (tmp_path / "room.toml").write_text(
        'schema = 1\n[[robot]]\nmodel = "scout"\nname = "a"\nprogram = "blink.py"\ndevice.torch = {kind = "lamp"}\n'
    )
    seen = []
    with us.load(tmp_path / "room.toml", tape=tmp_path / "a.tape") as sim:
        for _ in range(8):
            sim.run(0.05)
            seen.append(sim.robot("a").read("torch")[0])
    assert seen == [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    assert us.replay(tmp_path / "a.tape").mismatch is None


# ---- many at once


def test_many_robots_together_read_what_each_reads_alone():
    rng = np.random.default_rng(3)
    places = [(float(x), float(y), float(h)) for x, y, h in rng.uniform(-8, 8, (40, 3))]
    lights = tuple(Light(name=f"l{i}", pose=Pose(*map(float, rng.uniform(-9, 9, 2)), 3.0)) for i in range(12))
    walls = (Wall(name="w", points_m=((-3.0, -3.0), (3.0, 3.0))),)
    parts = model(devices=(eye(AHEAD), eye(DOWN, "down")))

    def readings(*chosen):
        robots = [robot(f"r{i}", *places[i], parts) for i in chosen]
        sim = Sim(Scene(ground=Ground((20.0, 20.0)), walls=walls, lights=lights, robots=tuple(robots)))
        return {i: (sim.robot(f"r{i}").read("eye")[0], sim.robot(f"r{i}").read("down")[0]) for i in chosen}

    together = readings(*range(40))
    apart = [i for i in range(40) if all(i == k or math.dist(places[i][:2], places[k][:2]) > 1.5 for k in range(40))]
    assert len(apart) > 5
    assert [readings(i)[i] for i in apart] == [together[i] for i in apart]
