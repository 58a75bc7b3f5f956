from __future__ import annotations

import math

import pytest
from contracts.format_contract import check_format
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import SceneError, UnknownName
from understudy.formats import FORMATS, detect
from understudy.formats.aria import param_file
from understudy.formats.aria.param_keywords import read
from understudy.formats.aria.param_robot import octagon
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import robot_model
from understudy.sim.vocabulary import vocabulary
from understudy.world.outlines import polygon_error
from understudy.world.robot import Differential, Omni

CUSTOM = """\
ConfigVersion 2.0
;  a robot for tests

Section General settings
Class Pioneer            ; kind of robot
Subclass custom          ; announced
RobotDiagonal 100
RobotWidth 400.00000     # wide
RobotLength 600
robotlengthfront 0
MaxRVelocity 120
MaxVelocity 900

Section Conversion factors
AngleConvFactor 0.002
DistConvFactor 0.5
VelConvFactor 1.5
RangeConvFactor 0.25
DiffConvFactor 0.005

Section Movement control parameters
TransAccel 400
TransDecel 0
RotAccel 0
RotDecel 80

Section GPS parameters
GPSPX -100
GPSPY 50

Section Sonar parameters
SonarNum 4
;  SonarUnit <number> <x> <y> <heading of disc,
 degrees> <more of the same comment>
SonarUnit 0 100 120 90
SonarUnit 2 110 0 -10 1 2 3 4 5 6
SonarUnit 3 0 0 -180

Section Laser parameters
LaserAutoConnect true
LaserX 21
LaserY -5
LaserTh 10
LaserIgnore              ; angles
LaserType lms2xx
LaserPort COM3

Section Laser 2 parameters
LaserX -200
LaserTh 180
LaserType
"""


def built(text, name="custom.p", folder=None):
    """Return the robot of a parameter file."""
    (folder / name).write_text(text)
    return robot_model(name, folder, vocabulary())


def device(model, name):
    return next((part for part in model.devices if part.name == name), None)


def arcos(model):
    return next(unit for unit in model.units if unit.name == "arcos")


@pytest.fixture
def custom(tmp_path):
    return built(CUSTOM, folder=tmp_path)


def test_parameter_files_keep_the_contract_of_formats():
    check_format(param_file, vocabulary(), {"custom.p": CUSTOM, "small.p": "Subclass small\n"})


# ---- the robot


def test_the_outline_is_the_octagon_of_length_width_and_diagonal(custom):
    assert sorted(custom.body.points_m) == sorted(
        (sx * x, sy * y) for sx in (1, -1) for sy in (1, -1) for x, y in ((0.3, 0.1), (0.2, 0.2))
    )


def test_the_outline_reaches_as_far_ahead_and_back_as_the_file_says(tmp_path):
    text = CUSTOM.replace("robotlengthfront 0", "RobotLengthFront 200\nRobotLengthRear 400")
    xs = [x for x, _ in built(text, folder=tmp_path).body.points_m]
    assert (max(xs), min(xs)) == (0.2, -0.4)


sizes = st.floats(1, 3000)


@given(sizes, sizes, st.floats(0, 3000), sizes, sizes)
def test_every_octagon_is_convex(width, length, diagonal, front, rear):
    text = f"RobotWidth {width:.1f}\nRobotLength {length:.1f}\nRobotDiagonal {diagonal:.1f}\n"
    text += f"RobotLengthFront {front:.1f}\nRobotLengthRear {rear:.1f}\n"
    points = tuple((x, y) for x, y in octagon(read(text, "a.p")))
    assert polygon_error(points) == ""


def test_a_diagonal_of_zero_leaves_a_rectangle():
    assert len(octagon(read("RobotDiagonal 0\n", "a.p"))) == 4


def test_speeds_and_track_are_those_of_the_file(custom):
    assert isinstance(custom.drive, Differential)
    assert (custom.drive.max_m_s, custom.drive.track_m) == (0.9, 0.4)
    assert math.degrees(custom.drive.max_rad_s) == pytest.approx(120)


def test_without_greatest_speeds_they_are_those_of_the_base_model(tmp_path):
    drive = built("Subclass a\n", folder=tmp_path).drive
    assert (drive.max_m_s, round(math.degrees(drive.max_rad_s))) == (2.0, 100)


def test_a_ramp_of_zero_is_that_of_the_base_model(custom):
    sheet = arcos(custom).sheet
    found = (sheet.accel_m_s2, sheet.decel_m_s2, math.degrees(sheet.accel_rad_s2), math.degrees(sheet.decel_rad_s2))
    assert found == pytest.approx((0.4, 0.6, 100, 80))


def test_steep_ramps_are_within_what_the_motors_can_do(tmp_path):
    robot = built("TransDecel 9000\nRotAccel 3000\nSubclass a\n", folder=tmp_path)
    sheet = arcos(robot).sheet
    assert robot.drive.accel_m_s2 > sheet.decel_m_s2 == 9.0
    assert robot.drive.accel_rad_s2 > sheet.accel_rad_s2


def test_the_firmware_announces_class_and_subclass_and_counts_by_the_factors_of_the_file(custom):
    sheet = arcos(custom).sheet
    assert (sheet.robot_class, sheet.subtype) == ("Pioneer", "custom")
    factors = (sheet.angle_factor, sheet.dist_factor, sheet.vel_factor, sheet.range_factor, sheet.diff_factor)
    assert factors == (0.002, 0.5, 1.5, 0.25, 0.005)


def test_a_file_without_a_subclass_is_called_after_itself(tmp_path):
    assert arcos(built("RobotRadius 200\n", "tank.p", tmp_path)).sheet.subtype == "tank"


def test_sonars_that_are_numbered_but_not_there_report_the_maximum(custom):
    ring = device(custom, "sonar").sheet.ring
    assert [(d.x_m, d.y_m, round(math.degrees(d.yaw_rad))) for d in ring] == [(0.1, 0.12, 90), (0.11, 0.0, -10)]
    assert arcos(custom).sheet.absent_sonars == (1, 3)


def test_sonars_beyond_their_number_are_not_there(tmp_path):
    robot = built("SonarNum 1\nSonarUnit 0 1 2 3\nSonarUnit 1 4 5 6\n", folder=tmp_path)
    assert len(device(robot, "sonar").sheet.ring) == 1


def test_an_absurd_number_of_sonars_costs_neither_time_nor_memory(tmp_path):
    robot = built("SonarNum 99999999999999\nSonarUnit 0 1 2 3\nSonarUnit 1 4 5 6\n", folder=tmp_path)
    assert len(device(robot, "sonar").sheet.ring) == 2
    assert len(arcos(robot).sheet.absent_sonars) == 253


def test_the_laser_stands_where_the_file_says(custom):
    front = device(custom, "front")
    place = (front.mount.x_m, front.mount.y_m, round(math.degrees(front.mount.yaw_rad)))
    assert (*place, front.sheet.rays, front.sheet.max_m) == (0.021, -0.005, 10, 181, 32.0)
    assert dict(arcos(custom).uses) == {"sonar": "sonar", "wheels": "wheels", "laser1": "front", "gps": "gps"}


def test_a_laser_without_a_type_is_not_there(custom):
    assert device(custom, "laser2") is None


def test_clients_can_reach_a_second_laser(tmp_path):
    uses = dict(arcos(built(CUSTOM.rstrip() + " lms1XX\n", folder=tmp_path)).uses)
    assert (uses["laser1"], uses["laser2"]) == ("front", "laser2")


def test_a_second_laser_with_a_type_is_a_device_that_programs_can_read(tmp_path):
    rear = device(built(CUSTOM.rstrip() + " lms1XX\nLaserZ 400\n", folder=tmp_path), "laser2")
    assert (rear.sheet.rays, round(math.degrees(rear.mount.yaw_rad)), rear.mount.z_m) == (541, 180, 0.4)


LASERS = [
    ("LaserType lms5XX", 191, 190, 80.0),
    ("LaserType tim5XX", 91, 270, 4.0),
    ("LaserType s3series", 541, 270, 30.0),
    ("LaserType urg2.0", 360, 360, 30.0),
    ("LaserType something", 181, 180, 32.0),
    ("LaserPossessed true", 181, 180, 32.0),
    ("LaserType lms2xx\nLaserMaxRange 5000", 181, 180, 5.0),
    ("LaserType lms1XX\nLaserStartDegrees -117\nLaserEndDegrees 117", 469, 234, 20.0),
    ("LaserType lms2xx\nLaserDegreesChoice 100\nLaserIncrementChoice half", 201, 100, 32.0),
    ("LaserType lms1XX\nLaserIncrement 0.25", 1081, 270, 20.0),
]


@pytest.mark.parametrize(("text", "rays", "field", "far_m"), LASERS)
def test_a_laser_is_as_its_type_and_the_file_say(tmp_path, text, rays, field, far_m):
    sheet = device(built(text, folder=tmp_path), "front").sheet
    assert (sheet.rays, round(math.degrees(sheet.field_rad), 6), sheet.max_m) == (rays, field, far_m)


def test_a_robot_without_laser_sonar_and_antenna_has_only_wheels(tmp_path):
    robot = built("Subclass bare\n", folder=tmp_path)
    assert [part.name for part in robot.devices] == ["wheels"]
    assert dict(arcos(robot).uses) == {"wheels": "wheels"}


def test_the_antenna_stands_where_the_file_says(custom):
    mount = device(custom, "gps").mount
    assert (mount.x_m, mount.y_m) == (-0.1, 0.05)
    assert [port.name for port in custom.ports] == ["host"]


def test_a_robot_with_lateral_velocity_moves_sideways(tmp_path):
    drive = built("HasLatVel true\nMaxLatVelocity 700\nMaxVelocity 800\n", folder=tmp_path).drive
    assert isinstance(drive, Omni)
    assert (drive.max_lateral_m_s, drive.max_m_s) == (0.7, 0.8)


def test_it_miscounts_as_the_base_model_does_and_has_a_card(custom):
    assert arcos(custom).sheet.odometry_error == (0.0075, 0.0075, 0.0075)
    assert custom.card["sources"] == ["ARIA parameter file custom.p", "MobileSim 0.9.8, its base model"]


# ---- in scenes


def test_a_parameter_file_is_a_scene_with_its_robot():
    document = param_file.parse(CUSTOM.encode(), "my robots/custom.p", vocabulary())
    placed = scene_file.resolve(document, vocabulary()).robots[0]
    assert (placed.name, arcos(placed.built).sheet.subtype) == ("custom", "custom")


def test_a_scene_places_a_parameter_file_and_overrides_it(tmp_path):
    (tmp_path / "custom.p").write_text(CUSTOM)
    text = 'schema = 1\n[[robot]]\nmodel = "custom.p"\ndevice.front.max_m = 3\n'
    robot = scene_file.resolve(scene_file.parse(text, "room.toml", vocabulary(), tmp_path), vocabulary()).robots[0]
    assert (robot.name, device(robot.built, "front").sheet.max_m) == ("custom-1", 3)


def test_a_robot_file_can_be_like_a_parameter_file(tmp_path):
    (tmp_path / "custom.p").write_text(CUSTOM)
    robot = built('[robot]\nlike = "custom.p"\n[unit.arcos]\nodometry_error = [0, 0, 0]\n', "mine.toml", tmp_path)
    assert (arcos(robot).sheet.subtype, arcos(robot).sheet.odometry_error) == ("custom", (0.0, 0.0, 0.0))


def test_a_written_scene_keeps_the_robot(tmp_path):
    document = param_file.parse(CUSTOM.encode(), "custom.p", vocabulary())
    again = scene_file.parse(scene_file.write(document.scene), "room.toml", vocabulary())
    assert scene_file.resolve(again, vocabulary()).robots == scene_file.resolve(document, vocabulary()).robots


def test_it_is_known_by_name_and_content(tmp_path):
    (tmp_path / "custom.p").write_text(CUSTOM)
    assert detect(tmp_path / "custom.p") is FORMATS["aria_params"]
    assert not param_file.sniff(b"\x80\x04pickle", "model.p")
    assert not param_file.sniff(b"say $x;\n", "script.p")
    assert param_file.sniff(b"Subclass a\nRobotRadius 1\n", "params.txt")


# ---- errors and notes

INVALID = [
    ("RobotWidth wide", "a.p:1: RobotWidth: want a number, got 'wide'"),
    ("\nRobotWidth -3", "a.p:2: RobotWidth: must be above 0, got -3"),
    ("DiffConvFactor 0", "a.p:1: DiffConvFactor: must be above 0, got 0"),
    ("HasLatVel maybe", "a.p:1: HasLatVel: want true or false, got 'maybe'"),
    ("SonarUnit 0 1 2", "a.p:1: SonarUnit: want 4 numbers, got '0 1 2'"),
    ("SonarUnit 0 1 x 3", "a.p:1: SonarUnit: want a number, got 'x'"),
    ("SonarUnit -1 1 2 3", "a.p:1: SonarUnit: its number must be 0 to 254, got -1"),
    ("maxvelocity nan", "a.p:1: MaxVelocity: want a number, got 'nan'"),
    ("MaxVelocity 1e999", "a.p:1: MaxVelocity: want a number, got '1e999'"),
]


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_errors_are_reported_with_their_line(tmp_path, text, message):
    with pytest.raises(SceneError) as error:
        read(text, "a.p")
    assert str(error.value) == message
    (tmp_path / "a.p").write_text(text)
    with pytest.raises(SceneError) as again:
        robot_model("a.p", tmp_path, vocabulary())
    assert str(again.value) == message


def test_every_error_is_reported_at_once():
    with pytest.raises(SceneError) as error:
        read("RobotWidth x\nRobotLength y\n", "a.p")
    assert len(error.value.problems) == 2


def test_a_missing_file_is_reported_by_its_name(tmp_path):
    with pytest.raises(UnknownName, match=r"^cannot read the robot file 'absent\.p': No such file or directory$"):
        robot_model("absent.p", tmp_path, vocabulary())


def test_unknown_keywords_are_kept_as_notes_with_their_lines():
    notes = read("Subclass a\nRobotWidht 3\nFrobnicate 7\nLaserPort COM1\n", "a.p").notes
    assert list(map(str, notes)) == [
        "a.p:2: RobotWidht: unknown keyword (did you mean 'RobotWidth'?)",
        "a.p:3: Frobnicate: unknown keyword, skipped",
        "a.p:4: LaserPort: unknown keyword, skipped",
    ]


def test_only_keywords_that_may_be_slips_are_warned_of():
    warnings = param_file.parse(b"Subclass a\nRobotWidht 3\nLaserPort COM1\nPTZType x\n", "a.p", vocabulary()).warnings
    assert [warning.path for warning in warnings] == ["RobotWidht"]


def test_a_comment_that_was_wrapped_is_still_a_comment():
    assert (
        read(CUSTOM, "a.p").notes == read(CUSTOM.replace(" degrees> <more of the same comment>\n", "\n"), "a.p").notes
    )


def test_values_that_are_left_out_are_the_defaults():
    params = read("RobotWidth\nClass\nHolonomic ; empty\n", "a.p")
    assert (params.number("RobotWidth"), params.text("Class"), params.flag("Holonomic")) == (400.0, "Pioneer", True)


def test_keywords_of_each_laser_are_kept_apart():
    params = read(
        "Section Laser parameters\nLaserX 1\nSection Laser 2 parameters\nLaserX 2\nSection Other\nLaserX 3\n", "a.p"
    )
    assert (params.number("LaserX"), params.number("LaserX", 2), params.number("LaserX", 3)) == (3.0, 2.0, 0.0)


NAMES = [
    ("p3dx", ("p3dx", "")),
    ("p3dx:robot1", ("p3dx", "robot1")),
    ("dir/custom.p:Bob", ("dir/custom.p", "Bob")),
    ("C:\\robots\\custom.p", ("C:\\robots\\custom.p", "")),
    ("C:/robots/custom.p:Bob", ("C:/robots/custom.p", "Bob")),
]


@pytest.mark.parametrize(("text", "parts"), NAMES)
def test_a_name_stands_behind_the_last_colon(text, parts):
    assert param_file.model_and_name(text) == parts
