"""Bumpers, feelers, stall and wheel drops against closed geometry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import striped
from scenes import box, model, robot, room
from sensors.scripted import Bench

from understudy.sensors import SENSORS
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.surroundings import Surroundings
from understudy.sensors.touch import Sector, fresh_memory, settled
from understudy.sim.sim import Sim
from understudy.world.changes import Move
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec, Omni, Rectangle
from understudy.world.scene import Ball, Ground, Scene, Solid
from understudy.world.shapes import Cylinder, Mount, Pose

EIGHT = tuple(Sector(math.radians(a - 22.5), math.radians(a + 22.5)) for a in range(0, 360, 45))
FIVE = tuple(Sector(math.radians(a - 15), math.radians(a + 15)) for a in (60, 30, 0, -30, -60))


def carrying(kind, mount=None, name="it", **sheet):
    return DeviceSpec(name=name, sheet=SENSORS[kind](**sheet), mount=mount or Mount(z_m=0.1))


def parts(device, **extra):
    return model(devices=(device,), **{"drive": Omni(max_rad_s=10.0), **extra})


def pressed(sim, name="a"):
    return sim.robot(name).read("it").tolist()


def driven(sim, seconds=1.0, ahead=0.5, turn=0.0, left=0.0, name="a"):
    sim.robot(name).drive(ahead, turn, left)
    sim.run(seconds)
    return pressed(sim, name)


def bumped(sectors=EIGHT, x=2.5, heading=0.0, mount=None, seconds=1.5, left=0.0, ahead=0.5, **extra):
    """Return what a robot's bumpers read that has driven against the wall in the east."""
    it = parts(carrying("bumper", mount, sectors=sectors), **extra)
    return driven(Sim(room(robot("a", x, heading=heading, parts=it))), seconds, ahead, 0.0, left)


# ---- bumpers


@pytest.mark.parametrize("number", range(8))
def test_the_sector_is_pressed_in_which_the_wall_is_touched(number):
    """Whichever way it faces, it moves east into the wall."""
    heading = -number * math.pi / 4
    reading = bumped(heading=heading, ahead=0.5 * math.cos(heading), left=-0.5 * math.sin(heading))
    assert [i for i, value in enumerate(reading) if value] == [number]


def test_a_touch_on_the_line_between_two_sectors_presses_both():
    assert bumped(SENSORS["bumper"]().sectors) == [1.0, 1.0]


def test_nothing_is_pressed_before_the_wall_is_reached():
    assert bumped(seconds=0.3) == [0.0] * 8


@settings(max_examples=25, deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi), st.floats(0.01, 2 * math.pi))
def test_any_sector_is_pressed_if_and_only_if_it_holds_the_angle_of_the_touch(heading, start, width):
    sector = Sector(start, start + width)
    reading = bumped((sector,), 2.75, heading, None, 0.3, -0.5 * math.sin(heading), 0.5 * math.cos(heading))
    inside = (-heading - start) % math.tau
    if min(abs(inside - width), inside, abs(inside - math.tau)) > 1e-4:
        assert reading == [float(inside < width)]


@pytest.mark.parametrize("sector", [Sector(-math.pi, math.pi), Sector(0.0, math.tau)])
def test_a_sector_all_around_feels_everything(sector):
    assert bumped((sector,)) == [1.0]


def test_a_sector_may_pass_behind():
    behind = Sector(math.radians(150), math.radians(-150))
    assert bumped((behind,), heading=math.pi, ahead=-0.5) == [1.0]
    assert bumped((behind,)) == [0.0]


def test_a_flat_front_against_a_wall_presses_every_bumper_along_it():
    square = {"body": Rectangle(0.4, 0.8)}
    assert bumped(FIVE, **square) == [1.0] * 5
    assert bumped(FIVE, heading=0.2, ahead=0.5 * math.cos(0.2), left=-0.5 * math.sin(0.2), **square)[:2] == [0.0] * 2


def test_a_box_narrower_than_the_front_presses_only_the_bumpers_it_touches():
    it = parts(carrying("bumper", sectors=FIVE), body=Rectangle(0.4, 0.8))
    post = box(x=1.2, y=0.3, size=(0.2, 0.1, 0.5))
    assert driven(Sim(room(robot("a", 0.5, parts=it), objects=(post,))), 2.0) == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_in_a_corner_both_walls_are_felt():
    it = parts(carrying("bumper", sectors=EIGHT))
    sim = Sim(room(robot("a", 2.5, 1.5, parts=it)))
    driven(sim, 1.5)
    reading = driven(sim, 1.5, 0.0, left=0.5)
    assert [i for i, value in enumerate(reading) if value] == [0, 2]


def test_the_sectors_turn_with_the_mount():
    front = (Sector(-0.5, 0.5),)
    assert bumped(front, mount=Mount(yaw_rad=math.pi)) == [0.0]
    assert bumped(front, mount=Mount(yaw_rad=math.pi), heading=math.pi, ahead=-0.5) == [1.0]


def test_a_bumper_stays_pressed_at_rest_and_is_let_go_when_the_robot_backs_out():
    sim = Sim(room(robot("a", 2.5, parts=parts(carrying("bumper")))))
    driven(sim, 1.5)
    assert driven(sim, 1.0, 0.0) == [1.0, 1.0]
    assert driven(sim, 0.1, -0.2) == [0.0, 0.0]


def test_a_robot_that_was_put_against_a_wall_feels_it_from_the_start():
    sim = Sim(room(robot("a", 2.8, parts=parts(carrying("bumper")))))
    assert pressed(sim) == [1.0, 1.0]
    sim.change(Move("a", Pose(2.0)))
    sim.step()
    assert pressed(sim) == [0.0, 0.0]


def test_both_feel_it_when_one_robot_drives_into_another_that_stands():
    it = parts(carrying("bumper", sectors=EIGHT))
    sim = Sim(room(robot("a", -1.0, parts=it), robot("b", 0.0, heading=math.pi / 2, parts=it)))
    driven(sim, 3.0)
    assert [pressed(sim, name).index(1.0) for name in "ab"] == [0, 2]
    assert sum(pressed(sim)) == sum(pressed(sim, "b")) == 1.0


def test_what_is_pushed_along_is_felt_all_the_time():
    it, crate = parts(carrying("bumper")), box("crate", 0.5, mass_kg=0.5)
    sim, seen = Sim(room(robot("a", parts=it), objects=(crate,))), []
    sim.robot("a").drive(0.4)
    for _ in range(500):
        sim.step()
        seen.append(sum(pressed(sim)))
    first = seen.index(2.0)
    assert sim.robot("a").pose.x_m > 0.5
    assert set(seen[first:]) == {2.0}


def test_a_ball_that_is_kicked_away_is_felt_for_a_moment_or_as_long_as_the_bumper_is_held():
    ball = Ball(name="ball", radius_m=0.1, pose=Pose(0.6), bounce=1.0)
    felt = []
    for hold_us in (0, 300_000):
        it = parts(carrying("bumper", hold_us=hold_us))
        sim = Sim(room(robot("a", parts=it), balls=(ball,)))
        sim.robot("a").drive(0.5)
        readings = []
        for _ in range(200):
            sim.step()
            readings.append(pressed(sim)[0])
        felt.append(sum(readings))
    assert 1 <= felt[0] < 10
    assert felt[1] == felt[0] + 59


@pytest.mark.parametrize(
    ("surface", "reading", "stalled"),
    [
        (Surface(), [1.0, 1.0], True),
        (Surface(seen_by=("laser",)), [0.0, 0.0], True),
        (Surface(seen_by=("touch",)), [1.0, 1.0], True),
        (Surface(obstacle=False), [0.0, 0.0], False),
    ],
)
def test_who_is_hidden_from_touch_or_lets_robots_pass_presses_no_bumper(surface, reading, stalled):
    sim = Sim(room(robot("a", parts=parts(carrying("bumper"))), objects=(box(x=1.0, surface=surface),)))
    assert driven(sim, 1.6) == reading
    assert sim.robot("a").stalled == stalled


def test_what_is_higher_than_the_robot_is_not_felt():
    lamp = Solid(name="shelf", shape=Cylinder(0.5, 0.2), pose=Pose(1.0, z_m=0.5))
    assert driven(Sim(room(robot("a", parts=parts(carrying("bumper"))), objects=(lamp,))), 1.6) == [0.0, 0.0]


def test_a_bumper_that_loses_readings_is_let_go_for_them():
    it = parts(carrying("bumper", noise=PlainNoise(lost=0.5)))
    sim, seen = Sim(room(robot("a", 2.8, parts=it)), seed=2), []
    for _ in range(400):
        sim.step()
        seen.append(pressed(sim))
    assert np.mean(seen) == pytest.approx(0.5, abs=0.08)
    assert set(np.ravel(seen)) == {0.0, 1.0}


# ---- contacts of the engine


def test_contacts_of_a_flat_side_have_the_length_of_the_touch():
    it = parts(carrying("bumper"), body=Rectangle(0.4, 0.8))
    sim = Sim(room(robot("a", 2.5, parts=it)))
    driven(sim, 1.5)
    ((row, x, y, nx, ny, half, layers),) = sim.current.engine.contacts()
    assert (row, x, y) == (0.0, pytest.approx(3.0, abs=1e-5), pytest.approx(0.0, abs=1e-6))
    assert (nx, ny, half, layers) == (pytest.approx(-1.0), pytest.approx(0.0, abs=1e-6), pytest.approx(0.4), 31.0)


def test_many_robots_in_a_heap_have_as_many_contacts_as_pairs_and_order_is_free():
    places = [(x * 0.4, y * 0.4) for x in range(4) for y in range(4)]
    it = parts(carrying("bumper"))
    counts = []
    for order in (places, places[::-1]):
        sim = Sim(room(*(robot(f"r{i}", x, y, parts=it) for i, (x, y) in enumerate(order)), width=9.0, depth=9.0))
        rows = sim.current.engine.contacts()
        counts.append(sorted((rows[:, 1:3]).round(6).tolist()))
        assert len(rows) == 2 * 24
    assert counts[0] == counts[1]


# ---- a feeler


def felt(x, y=0.0, mount=None, objects=(), surface=None, **sheet):
    """Return what a feeler on the front of a robot at 0, 0 reads of a post of 2 cm at x, y."""
    post = Solid(name="post", shape=Cylinder(0.01, 0.5), pose=Pose(x, y), surface=surface or Surface())
    it = parts(carrying("touch", mount or Mount(x_m=0.2, z_m=0.1), **sheet))
    return pressed(Sim(room(robot("a", parts=it), objects=(post, *objects))))


@pytest.mark.parametrize(
    ("x", "y", "reading"),
    [
        (0.25, 0.0, 1.0),
        (0.269, 0.0, 1.0),
        (0.271, 0.0, 0.0),  # beyond its reach of 6 cm
        (0.23, 0.059, 1.0),
        (0.23, 0.061, 0.0),  # beside its width of 10 cm
        (0.23, -0.059, 1.0),
        (0.255, 0.03, 1.0),
        (-0.25, 0.0, 0.0),
    ],
)
def test_a_feeler_is_pressed_by_what_is_within_its_plate(x, y, reading):
    assert felt(x, y, width_m=0.1, reach_m=0.06) == [reading]


def test_a_feeler_looks_where_it_is_mounted():
    left = Mount(y_m=0.2, z_m=0.1, yaw_rad=math.pi / 2)
    assert felt(0.0, 0.225, left) == [1.0]
    assert felt(0.225, 0.0, left) == [0.0]


def test_a_feeler_without_width_is_a_whisker():
    assert felt(0.24, 0.0095, width_m=0.0, reach_m=0.06) == [1.0]
    assert felt(0.24, 0.0105, width_m=0.0, reach_m=0.06) == [0.0]


def test_a_feeler_that_points_down_feels_the_floor():
    down = Mount(x_m=0.2, z_m=0.05, pitch_rad=math.pi / 2)
    assert felt(9.0, 0.0, down, reach_m=0.06) == [1.0]
    assert felt(9.0, 0.0, down, reach_m=0.04) == [0.0]


def test_a_feeler_feels_what_lets_robots_pass_but_not_what_is_hidden_from_touch():
    assert felt(0.22, surface=Surface(obstacle=False)) == [1.0]
    assert felt(0.22, surface=Surface(seen_by=("laser",))) == [0.0]


def test_a_feeler_is_pressed_before_the_robot_is_stopped():
    it = parts(carrying("touch", Mount(x_m=0.2, z_m=0.1), reach_m=0.05))
    sim = Sim(room(robot("a", 2.5, parts=it)))
    sim.robot("a").drive(0.5)
    while not pressed(sim)[0]:
        sim.step()
    assert 3.0 - 0.25 <= sim.robot("a").pose.x_m <= 3.0 - 0.25 + 0.0026
    assert not sim.robot("a").stalled


# ---- stall, debounce and hold


def switch(changes, ticks, **sheet):
    """Return what a stall sensor reads at every ms, when the stall comes and goes at the given ms."""
    bench, on, seen = Bench(SENSORS["stall"](**sheet)), False, []
    for tick in range(ticks):
        on = not on if tick in changes else on
        seen.append(int(bench.at(tick * 1_000, stalled=on)[0, 0]))
    return seen


def test_a_stall_is_read_as_it_is():
    assert switch((2, 5), 8) == [0, 0, 1, 1, 1, 0, 0, 0]


def test_a_change_counts_only_when_it_has_lasted():
    assert switch((2, 4, 6, 10), 14, debounce_us=3_000) == [0] * 9 + [1] * 4 + [0]


def test_a_press_is_held_after_it_was_let_go():
    assert switch((2, 3), 8, hold_us=3_000) == [0, 0, 1, 1, 1, 0, 0, 0]


def test_a_new_press_holds_it_anew():
    assert switch((1, 2, 3, 4), 10, hold_us=3_000) == [0, 1, 1, 1, 1, 1, 0, 0, 0, 0]


def test_a_robot_that_drives_against_a_wall_is_stalled():
    sim = Sim(room(robot("a", 2.5, parts=parts(carrying("stall")))))
    assert driven(sim, 0.3) == [0.0]
    assert driven(sim, 1.5) == [1.0]
    assert driven(sim, 0.2, 0.0) == [0.0]


def test_a_saved_run_remembers_how_long_a_bumper_is_held():
    it = parts(carrying("bumper", hold_us=500_000, debounce_us=20_000))
    sim = Sim(room(robot("a", 2.5, parts=it)))
    driven(sim, 1.5)
    driven(sim, 0.2, -0.5)
    again = Sim.restored({**sim.save_tree(), "files": {}})
    for each in (sim, again):
        each.run(0.1)
        assert pressed(each) == [1.0, 1.0]
        each.run(0.4)
        assert pressed(each) == [0.0, 0.0]


# ---- wheels


def dropped(x=0.0, z=0.0, around=None, **sheet):
    around = around or Surroundings(Scene(ground=Ground((4.0, 4.0))))
    bench = Bench(SENSORS["wheel_drop"](**sheet), around=around)
    return bench.at(0, poses=(x, 0.0, z, 0.0, 0.0, math.pi / 2))[0].tolist()


def test_wheels_drop_one_after_the_other_beyond_the_edge():
    assert dropped(1.88) == [0.0, 0.0]
    assert dropped(1.95) == [0.0, 1.0]
    assert dropped(-1.95) == [1.0, 0.0]
    assert dropped(2.2) == [1.0, 1.0]


def test_wheels_hang_when_the_robot_is_lifted():
    assert dropped(z=0.009) == [0.0, 0.0]
    assert dropped(z=0.011) == [1.0, 1.0]


def test_dark_ground_is_a_hole_if_the_sheet_says_so():
    around = Surroundings(Scene(ground=Ground((4.0, 4.0), picture="f.png")), files={"f.png": striped()})
    assert dropped(0.0, around=around) == [0.0, 0.0]
    assert dropped(0.0, around=around, hole_below=50.0) == [1.0, 1.0]
    assert dropped(0.45, around=around, hole_below=50.0) == [1.0, 0.0]


def test_a_caster_is_a_third_wheel():
    caster = (*SENSORS["wheel_drop"]().wheels, Mount(x_m=0.1))
    assert dropped(1.88, wheels=caster) == [0.0, 0.0, 0.0]


def test_switches_whose_times_differ_are_settled_as_each_is_alone():
    rng, count = np.random.default_rng(3), 50
    begin = 5_000 * rng.integers(0, 20, count)
    together, alone = fresh_memory(count, 2), [fresh_memory(1, 2) for _ in range(count)]
    for tick in range(40):
        pressed, now = rng.random((count, 2)) < 0.4, begin + 5_000 * tick
        counts = settled(pressed, now[:, None], together, 8_000, 12_000)
        each = [
            settled(pressed[i : i + 1], int(now[i]), memory, 8_000, 12_000)[0].tolist()
            for i, memory in enumerate(alone)
        ]
        assert counts.tolist() == each
