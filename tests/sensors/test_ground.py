"""Line, colour, cliff and reflective sensors against closed geometry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import encoded, striped
from scenes import box, model, robot, room
from sensors.scripted import Bench

from understudy.sensors import SENSORS
from understudy.sensors.floor import floor_of
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.surroundings import Surroundings
from understudy.sim.sim import Sim
from understudy.world.changes import Move
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Ground, Scene
from understudy.world.shapes import Mount, Pose

QUIET = PlainNoise("perfect")
STRIPE = {"floor.png": striped()}  # on 4 m x 4 m: black from x = -0.5 to 0.5
LOW = Mount(z_m=0.01)


def surroundings(picture="floor.png", files=STRIPE, **ground):
    return Surroundings(Scene(ground=Ground(**{"size_m": (4.0, 4.0), "picture": picture, **ground})), files=files)


def bench(kind, mount=LOW, around=None, count=1, **sheet):
    return Bench(SENSORS[kind](**{"noise": QUIET, **sheet}), mount, count, around=around or surroundings())


def read(kind, x=0.0, y=0.0, yaw=0.0, z=0.0, **how):
    return bench(kind, **how).at(0, poses=(x, y, z, 0.0, 0.0, yaw))[0]


def coloured(colour):
    return surroundings(picture="", colour=colour)


# ---- the picture on the ground


QUARTERS = {"q.png": encoded([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]])}


@pytest.mark.parametrize(
    ("x", "y", "colour"), [(9, 21, (255, 0, 0)), (11, 21, (0, 255, 0)), (9, 19, (0, 0, 255)), (11, 19, (255,) * 3)]
)
def test_the_picture_is_stretched_over_the_ground_about_its_centre_with_north_up(x, y, colour):
    around = surroundings("q.png", QUARTERS, size_m=(4.0, 6.0), center_m=(10.0, 20.0))
    assert read("colour", x, y, around=around)[:3].tolist() == list(colour)


def test_ground_without_a_picture_has_its_colour_everywhere():
    assert read("colour", 1.3, -0.7, around=coloured("#3366cc"))[:3].tolist() == [0x33, 0x66, 0xCC]


def test_the_picture_is_decoded_once_for_all():
    around = surroundings()
    assert around.floor is around.floor


def test_the_edge_belongs_to_the_ground_and_what_is_beyond_does_not():
    floor = floor_of(Ground((4.0, 2.0), (1.0, 0.0)), {})
    points = np.array([[3.0, 1.0], [-1.0, -1.0], [3.0001, 0.0], [0.0, -1.0001]])
    assert floor.on(points).tolist() == [True, True, False, False]


def share_beyond(chord):
    """Return the share of a disc of radius 1 that lies beyond a line at a distance from its middle."""
    chord = min(max(chord, -1.0), 1.0)
    return (math.acos(chord) - chord * math.sqrt(1 - chord * chord)) / math.pi


@settings(max_examples=60, deadline=None)
@given(st.floats(-1.2, 1.2), st.floats(0.05, 0.6), st.floats(-math.pi, math.pi))
def test_a_spot_sees_the_share_of_it_that_lies_on_the_line(offset, spot_m, yaw):
    """The spot's rim is *offset* radii away from the right edge of the stripe."""
    x = 0.5 - offset * spot_m / 2
    black = 1.0 - share_beyond(offset)
    assert read("line", x, yaw=yaw, spot_m=spot_m)[0] == pytest.approx(255 * (1 - black), abs=255 * 0.03)


@pytest.mark.parametrize("side", [-2.0, 2.0])
def test_a_spot_on_the_edge_of_plain_ground_sees_half_of_it(side):
    around = coloured("#ffffff")
    assert (
        read("line", side, around=around, spot_m=0.1)[0]
        == read("line", 0.0, side, around=around, spot_m=0.1)[0]
        == 127.5
    )


@pytest.mark.parametrize("spot_m", [0.002, 0.05, 0.3, 1.0])
def test_an_edge_through_the_middle_of_a_spot_halves_it_exactly(spot_m):
    assert read("line", 0.5, spot_m=spot_m)[0] == 127.5


def test_the_spot_follows_from_the_field_and_the_height():
    field = 2 * math.atan(0.5)  # as wide as it is high
    assert read("line", 0.6, mount=Mount(z_m=0.19), field_rad=field)[0] == 255.0
    assert read("line", 0.6, mount=Mount(z_m=0.22), field_rad=field)[0] < 255.0


def test_the_spot_is_under_the_mount_wherever_the_robot_looks():
    ahead = Mount(x_m=1.0, y_m=0.0, z_m=0.01)
    assert read("line", 0.0, mount=ahead)[0] == 255.0
    assert read("line", 1.0, yaw=math.pi, mount=ahead)[0] == 0.0


def test_a_row_of_spots_reads_one_value_each():
    row = tuple(Mount(y_m=y) for y in (0.9, 0.2, -0.2, -0.9))
    assert read("line", yaw=-math.pi / 2, spots=row).tolist() == [255.0, 0.0, 0.0, 255.0]


def test_the_spots_turn_with_the_mount():
    row = tuple(Mount(x_m=x) for x in (0.9, 0.0, -0.2))
    assert read("line", spots=row).tolist() == [255.0, 0.0, 0.0]
    assert read("line", spots=row, mount=Mount(z_m=0.01, yaw_rad=math.pi / 2)).tolist() == [0.0, 0.0, 0.0]


# ---- line and light sensors


@pytest.mark.parametrize(
    ("measures", "reading"), [("grey", 0.587 * 128), ("brightness", 100 * 128 / 255)], ids=["grey", "brightness"]
)
def test_green_is_read_by_its_luminance_or_by_its_hsv_value(measures, reading):
    assert read("line", around=coloured("#008000"), measures=measures)[0] == pytest.approx(reading)


def test_a_lego_light_sensor_reads_percent():
    lego = {"measures": "brightness", "black": 33.0, "white": 50.0}
    assert read("line", 0.0, **lego)[0] == 33.0
    assert read("line", 1.0, **lego)[0] == 50.0
    assert read("line", 0.5, spot_m=0.01, **lego)[0] == pytest.approx(41.5)


def test_a_sensor_that_reads_high_over_black_is_one_with_black_above_white():
    assert read("line", 0.0, black=1000.0, white=80.0)[0] == 1000.0


def test_beyond_the_edge_it_is_black():
    assert read("line", 3.0)[0] == 0.0


def test_a_lifted_robot_sees_the_ground_fade_with_the_square_of_the_height():
    assert read("line", 1.0, z=0.01, spot_m=0.01)[0] == pytest.approx(255 / 4)


def test_a_tilted_robot_looks_where_its_belly_points():
    pitched = bench("line", Mount(z_m=1.0), spot_m=0.01).at(0, poses=(0.5 + 1.1, 0, 0, 0, math.pi / 4, 0))
    assert pitched[0, 0] == pytest.approx(255.0)
    steeper = bench("line", Mount(z_m=1.0), spot_m=0.01).at(0, poses=(0.4, 0, 0, 0, math.pi / 4, 0))
    assert steeper[0, 0] == 0.0


def test_noise_stays_between_black_and_white():
    noisy = bench("line", count=200, noise=PlainNoise(sigma=40.0)).at(0, poses=(0.49, 0, 0, 0, 0, 0))
    assert noisy.min() == 0.0
    assert noisy.max() <= 255.0


# ---- colours


@pytest.mark.parametrize(
    ("colour", "name"),
    [("#101010", "black"), ("#1020e0", "blue"), ("#108820", "green"), ("#f0f020", "yellow"), ("#e01010", "red"),
     ("#f0f0f0", "white"), ("#804010", "brown")],
)  # fmt: skip
def test_a_colour_has_the_name_of_the_nearest_of_the_palette(colour, name):
    reading = read("colour", around=coloured(colour))
    assert SENSORS["colour"]().name(reading) == name


def test_beyond_the_edge_there_is_no_colour():
    reading = read("colour", 3.0)
    assert reading.tolist() == [0.0, 0.0, 0.0, 0.0]
    assert SENSORS["colour"]().name(reading) == ""


def test_a_palette_of_ones_own_is_numbered_from_one():
    from understudy.sensors.ground import Named

    own = (Named("sky", "#88bbff"), Named("grass", "#227722"))
    assert read("colour", around=coloured("#228822"), palette=own)[3] == 2.0
    assert read("colour", around=coloured("#228822"), palette=())[3] == 0.0


def test_the_name_follows_from_what_is_reported_noise_included():
    values = bench("colour", count=300, around=coloured("#808080"), noise=PlainNoise(sigma=60.0)).at(0)
    assert len(set(values[:, 3])) > 1
    assert ((values[:, :3] >= 0) & (values[:, :3] <= 255)).all()


def test_a_lost_reading_has_no_name():
    values = bench("colour", noise=PlainNoise(lost=1.0)).at(0)
    assert np.isnan(values).all()


# ---- cliffs


def test_a_cliff_is_where_the_ground_ends():
    spots = (Mount(x_m=0.2), Mount(x_m=-0.2))
    reading = read("cliff", 1.9, spots=spots)
    assert reading.tolist() == [1.0, 0.0, 0.0, 4095.0]


def test_the_signal_of_a_cliff_sensor_is_the_share_of_its_spot_on_the_ground():
    assert read("cliff", 2.0, spots=(Mount(),), spot_m=0.1)[1] == pytest.approx(4095 / 2)


def test_black_ground_is_no_cliff_unless_the_threshold_says_so():
    plain, strict = {"spots": (Mount(),)}, {"spots": (Mount(),), "threshold": 300.0}
    assert read("cliff", 0.0, **plain).tolist() == [0.0, pytest.approx(4095 * 0.05)]
    assert read("cliff", 0.0, **strict)[0] == 1.0
    assert read("cliff", 1.0, **strict)[0] == 0.0


def test_a_robot_that_is_lifted_high_sees_cliffs():
    assert read("cliff", 1.0, z=0.3, mount=Mount())[:4].tolist() == [1.0] * 4


def test_a_lost_signal_is_neither_a_cliff_nor_none():
    assert np.isnan(bench("cliff", noise=PlainNoise(lost=1.0)).at(0)).all()


def test_the_cliff_follows_from_the_signal_that_is_reported():
    values = bench("cliff", count=100, around=coloured("#000000"), noise=PlainNoise(sigma=100.0)).at(0)
    assert np.array_equal(values[:, :4], values[:, 4:] < 100.0)
    assert 0.0 < values[:, :4].mean() < 1.0


# ---- reflective infra-red


def reflective(mount, objects=(), ground=None, x=0.0, **sheet):
    device = DeviceSpec(name="ir", sheet=SENSORS["reflective"](noise=QUIET, **sheet), mount=mount)
    scene = room(robot("it", x, parts=model(devices=(device,))), objects=objects, **(ground or {}))
    return Sim(scene).robot("it").read("ir")


def test_the_signal_of_a_wall_falls_with_the_square_of_its_distance():
    ahead = Mount(x_m=0.2, z_m=0.1)
    assert reflective(ahead, x=2.8 - 0.02, best_m=0.02).tolist() == [1.0, pytest.approx(4095.0)]
    assert reflective(ahead, x=2.8 - 0.08, best_m=0.02)[1] == pytest.approx(4095 / 16)
    assert reflective(ahead, x=2.0, best_m=0.02).tolist() == [0.0, 0.0]


def test_infra_red_does_not_see_what_is_hidden_from_it():
    hidden = box(x=0.45, surface=Surface(seen_by=("laser",)))
    assert reflective(Mount(x_m=0.2, z_m=0.1), (hidden,)).tolist() == [0.0, 0.0]


def test_the_ground_is_seen_by_its_colour_and_not_beyond_its_edge():
    down = Mount(x_m=0.5, z_m=0.04, pitch_rad=math.pi / 2)
    grey = {"ground": Ground((6.0, 4.0), colour="#808080")}
    wanted = 4095 * (0.05 + 0.95 * 128 / 255) / 4
    assert reflective(down, ground=grey, best_m=0.02)[1] == pytest.approx(wanted)
    assert reflective(down, ground=grey, x=2.6, best_m=0.02).tolist() == [0.0, 0.0]


# ---- in a run


def test_a_robot_that_drives_over_a_line_sees_it_come_and_go():
    sheet = SENSORS["line"](noise=QUIET, period_us=5_000, spot_m=0.004)
    parts = model(devices=(DeviceSpec(name="eye", sheet=sheet, mount=LOW),))
    scene = Scene(ground=Ground((4.0, 4.0), picture="floor.png"), robots=(robot("it", -1.0, parts=parts),))
    sim, seen = Sim(scene, files=STRIPE), []
    sim.robot("it").drive(0.5)
    while sim.robot("it").pose.x_m < 1.0:
        sim.step()
        seen.append((sim.robot("it").pose.x_m, sim.robot("it").read("eye")[0]))
    black = [x for x, value in seen if value < 127.5]
    assert (black[0], black[-1]) == (pytest.approx(-0.5, abs=0.004), pytest.approx(0.5, abs=0.004))


def test_a_robot_that_is_picked_up_sees_a_cliff_and_no_line():
    devices = (DeviceSpec(name="cliff", sheet=SENSORS["cliff"](noise=QUIET, period_us=0)),)
    sim = Sim(room(robot("it", parts=model(devices=devices))))
    assert not sim.robot("it").read("cliff")[:4].any()
    sim.change(Move("it", Pose(z_m=0.5)))
    sim.step()
    assert sim.robot("it").read("cliff")[:4].all()


@pytest.mark.parametrize("kind", ["line", "colour", "cliff"])
def test_many_robots_together_read_what_each_reads_alone(kind):
    places = np.random.default_rng(1).uniform(-2.2, 2.2, (50, 6)) * (1, 1, 0.01, 0.05, 0.05, 1)
    together = bench(kind, count=50).at(0, poses=places)
    for i in (0, 17, 49):
        assert bench(kind).at(0, poses=places[i])[0].tobytes() == together[i].tobytes()
