from __future__ import annotations

import math

import pytest
from contracts.format_contract import check_format

from understudy.errors import SceneError
from understudy.formats import FORMATS, detect
from understudy.formats.native import scene_file
from understudy.formats.stage import world_file
from understudy.formats.stage.include import include_folder, resource_folder
from understudy.sim.vocabulary import vocabulary
from understudy.world import colour_names
from understudy.world.outlines import polygon_error
from understudy.world.robot import Ackermann, Differential, Omni
from understudy.world.shapes import Box

WORDS = vocabulary()
MODELS = 'include "PioneerRobotModels.world.inc"\n'
PLAN = b"P2 6 4 1\n1 1 1 1 1 1\n1 0 0 0 0 1\n1 0 1 1 0 1\n1 1 1 1 1 1\n"
OLD = """\
# as MobileSim's users write it
include "PioneerRobotModels.world.inc"
size [20 10]
resolution 0.02
window ( size [500 500] scale 0.03 )
define mine p3dx-sh ( max_speed [0.5 0 1.0] pioneer_robot_subtype "mine" )
mine ( name "first" pose [1 2 90] color "blue" )
box ( pose [3 3 0] )
"""
NEW = """\
# as users of Stage 4 write it
define urg ranger ( sensor ( range [0.1 30] fov 270 samples 1081 pose [0.01 0 0.02 0] ) size [0.05 0.05 0.1] )
define disc sensor ( range [0 4] fov 15 samples 1 )
define ring ranger ( disc ( pose [0.1 0.1 0 90] ) disc ( pose [0.1 -0.1 0 -90] ) )
define erratic position (
  size [0.4 0.3 0.25]
  origin [-0.05 0 0 0]
  drive "diff"
  velocity_bounds [-0.5 0.6 0 0 0 0 -90 45]
  urg ( pose [0.05 0 0 0] )
  ring ( pose [0 0 -0.1 0] )
)
erratic ( pose [-2 1 0 180] name "era" color "cornflower blue" )
model ( name "crate" pose [1 1 0 90] size [1 0.5 0.6] )
"""


def parse(text, folder=None):
    return world_file.parse(text.encode(), "a.world", WORDS, folder)


def scene(text, folder=None):
    return parse(text, folder).scene


def built(text, folder=None):
    """Return the first robot of a world, made whole."""
    return scene_file.resolve(parse(text, folder), WORDS).robots[0].built


def device(robot, name):
    return next((part for part in robot.devices if part.name == name), None)


def arcos(robot):
    return next(unit for unit in robot.units if unit.name == "arcos")


def warned(text, folder=None):
    return [str(warning) for warning in parse(text, folder).warnings]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "plan.pgm").write_bytes(PLAN)
    return tmp_path


def test_worlds_keep_the_contract_of_formats():
    check_format(world_file, WORDS, {"old.world": OLD, "new.world": NEW})


def test_worlds_of_stage_are_known_and_those_of_gazebo_are_not(tmp_path):
    (tmp_path / "a.world").write_text(NEW)
    assert detect(tmp_path / "a.world") is FORMATS["stage_world"]
    assert not world_file.sniff(b'<?xml version="1.0"?>\n<sdf>', "b.world")
    assert world_file.sniff(b"define crate model ( )\n", "crate.inc")
    assert not world_file.sniff(b"nothing of the kind", "notes.inc")


# ---- robots that go back to our models


def test_a_robot_of_the_catalogue_is_placed_with_what_differs():
    robot = scene(OLD).robots[0]
    assert (robot.name, robot.model, robot.colour) == ("first", "p3dx-sh", "#0000ff")
    assert (robot.place.x_m, robot.place.y_m, robot.place.heading_rad) == (1.0, 2.0, math.pi / 2)
    assert robot.overrides == {
        "drive": {"max_m_s": 0.5, "max_rad_s": 1.0}, "unit": {"arcos": {"subtype": "mine"}},
    }  # fmt: skip


def test_a_robot_of_the_catalogue_that_nothing_changes_has_no_overrides():
    robot = scene(MODELS + "seekur ( pose [0 0 0] )").robots[0]
    assert (robot.model, robot.overrides) == ("seekur", None)


def test_every_name_of_mobilesim_can_be_placed():
    for name in ("p3dx", "p3at-sh-lms500", "amigo", "powerbot-no-error", "pioneer-lx", "p2d8+", "red_p3dx"):
        assert len(scene(f"{MODELS}{name} ( pose [0 0 0] )").robots) == 1, name


def test_a_laser_that_a_definition_adds_is_a_second_one():
    robot = built(MODELS + "define two p3dx ( sicklms200 ( pose [-0.15 0 180] ) )\ntwo ()")
    rear = device(robot, "laser2")
    assert (rear.mount.x_m, rear.mount.yaw_rad, rear.sheet.rays) == (-0.15, math.pi, 181)
    assert dict(arcos(robot).uses)["laser1"] == "front"


def test_a_laser_on_a_robot_without_one_is_its_first():
    robot = built(MODELS + "define one p3dx-nolaser ( sicklms200 ( pose [0.1 0 0] ) )\none ()")
    assert device(robot, "front").mount.x_m == 0.1
    assert dict(arcos(robot).uses)["laser1"] == "front"


def test_another_size_stretches_the_outline_of_the_model():
    points = built(MODELS + "define wide p3at ( size [0.626 1.0] )\nwide ()").body.points_m
    assert (max(y for _, y in points), max(x for x, _ in points)) == (0.5, 0.313)


def test_without_the_include_a_robot_is_ignored_and_the_include_is_named():
    assert scene("p3dx ( pose [0 0 0] )").robots == ()
    assert warned("p3dx ( pose [0 0 0] )") == [
        'a.world:1: p3dx: unknown kind of model, ignored (write include "PioneerRobotModels.world.inc" first)'
    ]


def test_the_models_are_found_under_any_path():
    text = 'include "/usr/local/MobileSim/PioneerRobotModels.world.inc"\np3dx ()'
    assert scene(text).robots[0].model == "p3dx"


def test_a_file_of_models_beside_the_world_counts_more_than_ours(tmp_path):
    (tmp_path / "PioneerRobotModels.world.inc").write_text('define p3dx position ( pioneer_robot_subtype "theirs" )')
    assert arcos(built(MODELS + "p3dx ()", tmp_path)).sheet.subtype == "theirs"


# ---- robots that the world describes itself


def test_a_robot_of_stage_4_has_its_size_and_origin():
    points = built(NEW).body.points_m
    assert sorted(points) == [(-0.25, -0.15), (-0.25, 0.15), (0.15, -0.15), (0.15, 0.15)]
    assert built(NEW).body.height_m == 0.25


def test_velocity_bounds_are_the_greatest_speeds():
    drive = built(NEW).drive
    assert isinstance(drive, Differential)
    assert (drive.max_m_s, drive.max_rad_s) == (0.6, pytest.approx(math.pi / 4))


def test_a_ranger_with_many_samples_is_a_laser():
    laser = device(built(NEW), "front")
    assert (laser.sheet.rays, laser.sheet.min_m, laser.sheet.max_m) == (1081, 0.1, 30.0)
    assert laser.sheet.field_rad == pytest.approx(math.radians(270))
    assert (laser.mount.x_m, laser.mount.z_m) == (pytest.approx(0.06), pytest.approx(0.27))


def test_a_ranger_of_single_samples_is_a_sonar_ring():
    sonar = device(built(NEW), "sonar")
    assert [(d.x_m, d.y_m, round(math.degrees(d.yaw_rad))) for d in sonar.sheet.ring] == [
        (0.1, 0.1, 90), (0.1, -0.1, -90),
    ]  # fmt: skip
    assert (sonar.sheet.max_m, sonar.sheet.cone_rad, sonar.mount.z_m) == (4.0, 0.0, pytest.approx(0.15))


def test_sensors_of_stage_are_exact_unless_noise_is_asked_for():
    assert device(built(NEW), "front").sheet.noise.preset == "perfect"
    robot = built("position ( laser ( noise 0.012 ) )")
    assert device(robot, "front").sheet.noise.sigma_m == pytest.approx(0.012 / math.sqrt(12))


def test_the_three_numbers_of_stage_4_are_variance_share_of_the_range_and_angle():
    robot = built("position ( ranger ( sensor ( samples 90 noise [0.0004 0.06 0] ) ) )")
    noise = device(robot, "front").sheet.noise
    assert (noise.sigma_m, noise.relative, noise.lost) == (pytest.approx(0.02), pytest.approx(0.06 / math.sqrt(3)), 0.0)


def test_a_ring_of_single_sensors_has_the_noise_of_the_first_that_says_one():
    robot = built("position ( ranger ( sensor ( pose [0 0 0 0] ) sensor ( pose [0 0 0 90] noise [0.0001 0 0] ) ) )")
    assert device(robot, "sonar").sheet.noise.sigma_m == pytest.approx(0.01)


def test_three_zeros_are_no_noise():
    robot = built("position ( ranger ( sensor ( samples 90 noise [0 0 0] ) ) )")
    assert device(robot, "front").sheet.noise.preset == "perfect"


def test_noise_of_the_angle_is_reported_as_ignored():
    found = parse("position ( ranger ( sensor ( samples 90 noise [0.0001 0 0.5] ) ) )")
    assert any("noise" in note.path and "directions" in note.text for note in found.warnings)


def test_an_old_laser_and_an_old_ranger_are_read():
    text = """position (
      size [0.5 0.4]
      laser ( range_min 0.2 range_max 12 fov 90 samples 91 pose [0.1 0 10] )
      ranger ( scount 4 sview [0.1 3.0 30] ssize [0.01 0.04]
        spose[0] [0.1 0.1 90] spose[1] [0.2 0 0] spose[3] [0.1 -0.1 -90] sview[1] [3 3 0] )
    )"""
    robot = built(text)
    laser, sonar = device(robot, "front"), device(robot, "sonar")
    assert (laser.sheet.rays, laser.sheet.max_m, laser.mount.yaw_rad) == (91, 12.0, pytest.approx(math.radians(10)))
    assert [d.y_m for d in sonar.sheet.ring] == [0.1, -0.1]
    assert (sonar.sheet.min_m, sonar.sheet.max_m) == (0.1, 3.0)
    assert arcos(robot).sheet.absent_sonars == (1, 2)


def test_a_sonar_that_takes_the_closest_of_its_cone_has_a_cone():
    robot = built('position ( ranger ( scount 1 spose[0] [0 0 0] sview [0 5 30] projection_type "closest" ) )')
    assert device(robot, "sonar").sheet.cone_rad == pytest.approx(math.radians(30))


def test_a_plain_position_answers_as_a_pioneer_and_has_no_sensors():
    robot = built("position ()")
    assert [part.name for part in robot.devices] == ["wheels"]
    assert (arcos(robot).sheet.subtype, arcos(robot).sheet.dist_factor) == ("p3dx-sh", 1.0)
    assert [port.name for port in robot.ports] == ["host"]
    assert (robot.drive.max_m_s, math.degrees(robot.drive.max_rad_s)) == (1.0, pytest.approx(90))


def test_drives_have_their_kinds():
    assert isinstance(built('position ( drive "omni" velocity_bounds [-1 1 -0.7 0.7 0 0 -90 90] )').drive, Omni)
    car = built('position ( drive "car" wheelbase 0.6 )').drive
    assert isinstance(car, Ackermann)
    assert car.wheelbase_m == 0.6


def test_mobilesims_properties_set_the_firmware():
    text = """position (
      pioneer_robot_type "MTX" pioneer_robot_subtype "x" pioneer_distconv 0.5 pioneer_diffconv 0.004
      pioneer_angleconv 0.002 pioneer_velconv 2 pioneer_rangeconv 0.3 pioneer_watchdog 500
      accel [0.4 0 1.0] decel [0.8 0 2.0] pioneer_gps_pos_x -0.2 pioneer_gps_pos_y 0.1 )"""
    robot = built(text)
    sheet = arcos(robot).sheet
    assert (sheet.robot_class, sheet.subtype, sheet.watchdog_us) == ("MTX", "x", 500_000)
    factors = (sheet.dist_factor, sheet.diff_factor, sheet.angle_factor, sheet.vel_factor, sheet.range_factor)
    assert factors == (0.5, 0.004, 0.002, 2.0, 0.3)
    assert (sheet.accel_m_s2, sheet.decel_m_s2, sheet.accel_rad_s2, sheet.decel_rad_s2) == (0.4, 0.8, 1.0, 2.0)
    assert (robot.drive.track_m, device(robot, "gps").mount.x_m, device(robot, "gps").mount.y_m) == (0.5, -0.2, 0.1)


ERRORS = [
    ("", (0.0, 0.0, 0.0)),
    ('localization "gps" odom_error [0.1 0.1 0.1]', (0.0, 0.0, 0.0)),
    ('localization "odom" odom_error [0.01 0.02 0.03]', (0.01, 0.02, 0.03)),
    ('localization "odom" odom_error [0.02 0.04 0 0.06]', (0.01, 0.02, 0.03)),
    ('localization "odom" odom_error [0 0.01 0 0.02 0 0.03]', (0.01, 0.02, 0.03)),
    ('localization "odom"', (0.015, 0.015, 0.025)),
]


@pytest.mark.parametrize(("text", "errors"), ERRORS)
def test_odometry_errors_are_as_each_version_writes_them(text, errors):
    assert arcos(built(f"position ( {text} )")).sheet.odometry_error == pytest.approx(errors)


SHAPES = [
    "polygons 1 polygon[0].points 3 polygon[0].point[0] [0 0] polygon[0].point[1] [2 0] polygon[0].point[2] [1 8]",
    "blocks 1 block[0].points 3 block[0].point[2] [0 0] block[0].point[1] [2 0] block[0].point[0] [1 8]",
    "block ( points 3 point[0] [0 0] point[1] [2 0] point[2] [1 8] z [0 1] )",
    "block ( points 3 point[0] [0 0] point[1] [2 0] point[2] [1 4] ) block ( points 2 point[0] [1 4] point[1] [1 8] )",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_body_is_stretched_to_its_size_about_its_middle(shape):
    points = built(f"position ( size [1 2] {shape} )").body.points_m
    assert sorted(points) == [(-0.5, -1.0), (0.0, 1.0), (0.5, -1.0)]


def test_a_body_that_is_not_convex_becomes_its_hull():
    star = "block ( points 5 point[0] [0 0] point[1] [4 0] point[2] [4 4] point[3] [2 1] point[4] [0 4] )"
    points = built(f"position ( size [1 1] {star} )").body.points_m
    assert polygon_error(points) == ""
    assert len(points) == 4


# ---- walls and things


def test_the_dark_pixels_of_a_picture_are_stretched_to_the_size(folder):
    text = 'model ( name "plan" bitmap "plan.pgm" size [8 2 0.7] pose [1 2 0 0] color "gray30" )'
    (wall,) = scene(text, folder).walls
    xs = [x for x, _, _, _ in wall.pieces_m] + [x for _, _, x, _ in wall.pieces_m]
    ys = [y for _, y, _, _ in wall.pieces_m] + [y for _, _, _, y in wall.pieces_m]
    assert (min(xs), max(xs), min(ys), max(ys)) == (-3.0, 5.0, 1.0, 3.0)
    assert (wall.name, wall.height_m, wall.colour, wall.solid) == ("plan", 0.7, "#4d4d4d", True)


def test_with_a_boundary_the_whole_picture_is_stretched_and_has_a_rim(folder):
    plan, rim = scene('model ( bitmap "plan.pgm" size [6 4] boundary 1 )', folder).walls
    assert max(x for x, _, _, _ in plan.pieces_m) == 2.0
    assert rim.points_m == ((-3.0, -2.0), (3.0, -2.0), (3.0, 2.0), (-3.0, 2.0))
    assert rim.closed


def test_a_picture_with_a_resolution_has_the_size_of_its_pixels(folder):
    (wall,) = scene('model ( bitmap "plan.pgm" bitmap_resolution 0.5 )', folder).walls
    xs = [x for x, _, _, _ in wall.pieces_m]
    assert (min(xs), max(xs)) == (-1.0, 1.0)


def test_a_turned_plan_is_turned(folder):
    (wall,) = scene('model ( bitmap "plan.pgm" size [8 2] pose [0 0 90] )', folder).walls
    assert max(y for _, y, _, _ in wall.pieces_m) == 4.0


def test_a_picture_beside_an_included_file_is_found(tmp_path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "plan.pgm").write_bytes(PLAN)
    (tmp_path / "inc" / "map.inc").write_text('define plan model ( bitmap "plan.pgm" size [4 2] )\n')
    assert len(scene('include "inc/map.inc"\nplan ()', tmp_path).walls) == 1


def test_a_plain_model_is_a_box():
    crate = scene(NEW).objects[0]
    assert isinstance(crate.shape, Box)
    assert (crate.name, crate.shape.size_m, crate.mass_kg) == ("crate", (1.0, 0.5, 0.6), 0.0)
    assert crate.pose.heading_rad == pytest.approx(math.pi / 2)


def test_boxes_of_mobilesim_can_be_pushed_and_are_seen_by_few():
    text = MODELS + "box ( pose [1 0 0] )\nbox-nolaser ( pose [2 0 0] )\nbox-reflector ( pose [3 0 0] )"
    plain, unseen, mirror = scene(text).objects
    assert all(box.shape == Box((0.5, 0.5, 1.0)) and box.mass_kg == 10.0 for box in (plain, unseen, mirror))
    assert "laser" not in unseen.surface.seen_by
    assert mirror.surface.reflectance == 2.0
    assert plain.colour == "#ffff00"


def test_what_a_gripper_can_take_can_be_pushed():
    assert scene("model ( gripper_return 1 mass 2 )").objects[0].mass_kg == 2.0


RETURNS = [
    ("obstacle_return 0", ("laser", "sonar", "infrared", "camera", "touch"), 1.0, False),
    ("laser_return 0", ("sonar", "infrared", "camera", "touch"), 1.0, True),
    ("laser_return 2", ("laser", "sonar", "infrared", "camera", "touch"), 2.0, True),
    ("ranger_return 0", ("laser", "infrared", "camera", "touch"), 1.0, True),
    ("ranger_return -1", ("camera", "touch"), 1.0, True),
    ("ranger_return 0.5", ("laser", "sonar", "infrared", "camera", "touch"), 1.0, True),
]


@pytest.mark.parametrize(("text", "seen_by", "reflectance", "obstacle"), RETURNS)
def test_returns_say_who_notices_a_thing(text, seen_by, reflectance, obstacle):
    surface = scene(f"model ( {text} )").objects[0].surface
    assert (surface.seen_by, surface.reflectance, surface.obstacle) == (seen_by, reflectance, obstacle)


def test_models_on_models_are_placed_in_their_frame_and_on_top():
    text = "model ( pose [1 2 0 90] size [1 1 0.5] model ( pose [0.2 0 0.1 0] size [0.1 0.1 0.1] ) )"
    _, top = scene(text).objects
    assert (top.pose.x_m, top.pose.y_m, top.pose.z_m) == (pytest.approx(1.0), pytest.approx(2.2), pytest.approx(0.6))


def test_a_polygon_is_a_solid_wall_and_a_line_an_open_one():
    text = "model ( size [2 2] block ( points 3 point[0] [0 0] point[1] [1 0] point[2] [0.5 1] z [0 1] ) )"
    (triangle,) = scene(text).walls
    assert triangle.points_m == ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))
    assert triangle.closed
    assert triangle.solid
    (line,) = scene("model ( size [2 2] line_count 1 line[0] [0 0 1 1] )").walls
    assert (line.points_m, line.closed) == (((-1.0, -1.0), (1.0, 1.0)), False)


# ---- the world


def test_units_of_length_and_angle_count_everywhere():
    text = 'unit_length "mm"\nunit_angle "radians"\nmodel ( pose [1000 500 1.5] size [300 200] )'
    crate = scene(text).objects[0]
    assert (crate.pose.x_m, crate.pose.y_m, crate.pose.heading_rad) == (1.0, 0.5, 1.5)
    assert crate.shape.size_m[:2] == pytest.approx((0.3, 0.2))


def test_the_ground_is_as_large_as_the_world_says_or_holds_all_that_stands_on_it():
    assert scene(OLD).ground.size_m == (20.0, 10.0)
    ground = scene("model ( pose [10.2 0 0] size [1 1] )").ground
    assert (ground.size_m, ground.center_m) == ((4.0, 4.0), (10.0, 0.0))


def test_names_are_made_legal_and_kept_as_labels():
    text = 'position ( name "robot 1" )\nposition ( name "robot 1" pose [3 0 0] )\nposition ( name "7" pose [6 0 0] )'
    assert [(robot.name, robot.label) for robot in scene(text).robots] == [
        ("robot-1", "robot 1"), ("", "robot 1"), ("", "7"),
    ]  # fmt: skip


def test_a_world_runs():
    from understudy.sim.sim import Sim

    sim = Sim(scene_file.resolve(parse(NEW), WORDS))
    sim.robot("era").drive(0.3)
    sim.step(400)
    assert sim.robot("era").pose.x_m < -2.2


def test_a_scene_of_a_world_is_written_as_our_own_and_reads_back(folder):
    document = parse(OLD + 'model ( name "plan" bitmap "plan.pgm" size [8 2 0.7] )', folder)
    again = scene_file.parse(scene_file.write(document.scene), "b.toml", WORDS)
    assert again.scene == document.scene


# ---- what is skipped, and errors


def test_what_is_skipped_is_reported_once_with_its_line():
    text = """window ( size [1 1] )
    speedup 3
    frobnicate 7
    position ( ctrl "wander" gui_nose 1 joules 3 laser ( ) fiducialfinder ( range_max 3 ) )
    position ( pose [3 0 0] ctrl "wander" )
    zone ( )
    modl ( )
    """
    assert warned(text) == [
        "a.world:3: world.frobnicate: is ignored",
        "a.world:4: fiducialfinder: is ignored",
        "a.world:4: position.ctrl: is ignored",
        "a.world:4: position.joules: is ignored",
        "a.world:6: zone: is ignored",
        "a.world:7: modl: unknown kind of model, ignored (did you mean 'model'?)",
    ]


INVALID = [
    ("model ( pose [1 2] )", "a.world:1: pose: want 3 or 4 numbers, got [1 2]"),
    ('\nmodel ( pose [1 "a" 3] )', "a.world:2: pose: want 3 or 4 numbers, got [1 a 3]"),
    ("model ( size [1 0 1] )", "a.world:1: size: must be above 0"),
    ("model ( name 3 )", 'a.world:1: name: want one "text"'),
    ('position ( drive "legs" )', 'a.world:1: drive: want "diff", "omni" or "car", got "legs"'),
    ('unit_length "miles"', "a.world:1: unit_length: no such unit 'miles' (known: cm, m, mm)"),
    ('model ( bitmap "absent.png" )', "a.world:1: bitmap: cannot read 'absent.png' (No such file or directory)"),
    ('model ( bitmap "bad.png" )',
     "a.world:1: bitmap: cannot read 'bad.png' (not a valid picture (cannot identify image file))"),
    ('include "map.inc"',
     "a.world:1: include: no such file 'map.inc' (searched beside the world, in STAGEPATH and in MOBILESIM)"),
    ("model ( pose [1e999 0 0] )", "a.world:1: pose: want 3 or 4 numbers, got [inf 0 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_errors_are_reported_with_their_line(tmp_path, monkeypatch, text, message):
    monkeypatch.delenv("STAGEPATH", raising=False)
    monkeypatch.delenv("MOBILESIM", raising=False)
    (tmp_path / "bad.png").write_bytes(b"nothing of the kind")
    with pytest.raises(SceneError) as error:
        parse(text, tmp_path)
    assert str(error.value) == message


def test_every_error_is_reported_at_once():
    with pytest.raises(SceneError) as error:
        parse("model ( pose [1] size [1] )\nposition ( pose [2] )\n")
    assert len(error.value.problems) == 3


def test_a_robot_inside_a_wall_is_reported_with_its_line(folder):
    text = 'model ( bitmap "plan.pgm" size [8 2] )\n\nposition ( name "era" pose [-3 0.9 0] )'
    with pytest.raises(SceneError) as error:
        scene_file.resolve(parse(text, folder), WORDS)
    assert str(error.value) == "a.world:3: robot[0]: era starts inside wall-1; move one of them"


# ---- where files are found


def test_includes_are_looked_for_in_stagepath_and_mobilesim(tmp_path, monkeypatch):
    for name in ("stage", "mobilesim"):
        (tmp_path / name).mkdir()
    (tmp_path / "stage" / "a.inc").write_text("define a model ( )\n")
    (tmp_path / "mobilesim" / "b.inc").write_text("define b model ( )\n")
    monkeypatch.setenv("STAGEPATH", str(tmp_path / "stage"))
    monkeypatch.setenv("MOBILESIM", str(tmp_path / "mobilesim"))
    assert len(scene('include "a.inc"\ninclude "worlds/b.inc"\na ()\nb ()').objects) == 2


def test_the_folders_of_mobilesim(tmp_path):
    assert include_folder(tmp_path, "linux") == tmp_path / ".MobileSim" / "include"
    assert include_folder(tmp_path, "win32") == tmp_path / "MobileSim" / "include"
    assert resource_folder({}) is None
    assert resource_folder({"MOBILESIM": str(tmp_path)}) == tmp_path


# ---- colours

COLOURS = [
    ("red", "#ff0000"), ("gray30", "#4d4d4d"), ("grey100", "#ffffff"), ("Light Blue", "#add8e6"), ("green", "#00ff00"),
    ("red4", "#8b0000"), ("#12ab9F", "#12ab9f"), ("nosuch", None), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), COLOURS)
def test_colours_have_their_x11_names(name, expected):
    assert colour_names.colour(name) == expected


def test_colours_can_be_shares():
    assert scene("model ( color_rgba [1 0.5 0 0.2] )").objects[0].colour == "#ff8000"
