"""docs/sear-axes.md, row by row: the number in a test's name is the number of its row."""

import math
import re
from pathlib import Path

import pytest

import understudy as us
from understudy.formats.sear import axes
from understudy.sear import (
    GPS,
    LIDAR,
    Accelerometer,
    Box,
    Compass,
    Cone,
    Cylinder,
    Distance,
    Dynamics,
    Floor,
    Gyroscope,
    Model,
    Project,
    SEARrobot,
    Wall,
    Wheel,
    using,
)
from understudy.sear.readings import Readings, sensor_places

TABLE = Path(__file__).parents[2] / "docs" / "sear-axes.md"


@pytest.fixture
def project(tmp_path):
    with using(Project(tmp_path / "project")) as made:
        yield made


def solid(project, name):
    return next(thing for thing in project.document().scene.objects if thing.name == name)


def robot_of(project):
    return project.document().scene.robots[0]


def device(project, name):
    return robot_of(project).overrides["device"][name]


def close(value, wanted):
    return value == pytest.approx(wanted, abs=1e-9)


def rover(*sensors, yaw=0.0, x=0.0, z=0.0):
    """Make a robot with two driven wheels, a castor on each end, and sensors."""
    robot = SEARrobot("rover")
    robot.addComponent(Dynamics("dynamics", 4, 300, 0.3, 0.4, 200, 0.01, x, 0, z, 0, 0, yaw))
    robot.addComponent(Cylinder("body", 0.16, 0.06, 4))
    for name, left, ahead, driven in (("l", 0.13, 0, 1), ("r", -0.13, 0, 1), ("f", 0, 0.13, 0), ("b", 0, -0.13, 0)):
        wheel = Wheel(name, 0.04, 0.02, driven)
        wheel.move(left, 0, ahead)
        robot.addWheel(wheel)
    for sensor in sensors:
        robot.addComponent(sensor)
    return robot


def running(project, **options):
    sim = us.load(project.document(), engine="planar", **options)
    return sim, Readings(sim, sensor_places(project.read()))


def numbers(text):
    return [float(word) for word in text.split(",")]


def test_every_row_of_the_table_has_a_test():
    rows = re.findall(r"^\| (\d+) \|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    tests = re.findall(r"^def test_row_(\d+)_", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows, key=int) == [str(int(number)) for number in sorted(tests, key=int)]


def test_row_01_world_x_is_north(project):
    Box("b", 1, 1, 1, 0).move(2, 0, 0)
    assert solid(project, "b").pose.y_m == 2


def test_row_02_world_y_is_up(project):
    Box("b", 1, 1, 1, 0).move(0, 3, 0)
    assert solid(project, "b").pose.z_m == 2.5  # its foot


def test_row_03_world_z_is_east(project):
    Box("b", 1, 1, 1, 0).move(0, 0, 4)
    assert solid(project, "b").pose.x_m == 4


def test_row_04_body_axes_are_left_up_and_forward(project):
    sensor = Distance("ping")
    sensor.move(0.1, 0.2, 0.3)
    rover(sensor)
    mount, high = device(project, "ping")["mount"], 0.04 + 0.01 - 9.81 / (4 * 300)
    assert (mount["y_m"], mount["x_m"]) == (0.1, 0.3)
    assert close(mount["z_m"], 0.2 + high)


def test_row_05_a_robot_without_a_rotation_faces_east(project):
    rover()
    assert robot_of(project).place.heading_rad == 0.0


def test_row_06_units_are_metres_degrees_and_kilograms(project):
    box = Box("b", 1, 1, 1, 7, 0, 2, 0)
    box.rotate(0, 90, 0)
    thing = solid(project, "b")
    assert (thing.mass_kg, thing.pose.z_m) == (7, 1.5)
    assert close(thing.pose.heading_rad, math.pi / 2)


def test_row_07_positive_angles_are_counter_clockwise_seen_from_the_tip():
    assert axes.turn((90, 0, 0)) @ axes.ours(0, 1, 0) == pytest.approx(axes.ours(0, 0, 1), abs=1e-12)
    assert axes.turn((0, 90, 0)) @ axes.ours(0, 0, 1) == pytest.approx(axes.ours(1, 0, 0), abs=1e-12)
    assert axes.turn((0, 0, 90)) @ axes.ours(1, 0, 0) == pytest.approx(axes.ours(0, 1, 0), abs=1e-12)


def test_row_08_one_rotate_turns_about_y_then_z_then_x():
    about_y, about_z, about_x = axes.turn((0, 20, 0)), axes.turn((0, 0, 30)), axes.turn((40, 0, 0))
    assert axes.turn((40, 20, 30)) == pytest.approx(about_y @ about_z @ about_x)


def test_row_09_a_second_rotate_turns_about_the_objects_own_axes(project):
    box = Box("b", 1, 1, 1, 0)
    box.rotate(0, 90, 0)
    box.rotate(30, 0, 0)
    assert axes.turn(box.entry.rotate) == pytest.approx(axes.turn((0, 90, 0)) @ axes.turn((30, 0, 0)))


def test_row_10_steps_add_up_and_factors_multiply(project):
    box = Box("b", 1, 1, 1, 0)
    for _ in range(2):
        box.move(1, 2, 3)
        box.scale(2, 3, 1)
    assert box.entry.move == (2, 4, 6)
    assert box.entry.scale == (4, 9, 1)


def test_row_11_roll_pitch_and_yaw_are_about_body_z_x_and_y(project):
    robot = SEARrobot("r")
    robot.addComponent(Dynamics("d", 4, 0, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30))
    place = robot_of(project).place
    wanted = axes.pose((0, 1, 0), (20, 30, 10))
    found = (place.roll_rad, place.pitch_rad, place.heading_rad)
    assert found == pytest.approx((wanted.roll_rad, wanted.pitch_rad, wanted.heading_rad))


@pytest.mark.parametrize(("yaw", "heading"), [(90, math.pi / 2), (180, math.pi)])
def test_row_12_yaw_90_faces_north_and_180_west(project, yaw, heading):
    rover(yaw=yaw)
    assert close(robot_of(project).place.heading_rad, heading)


def test_row_13_a_sensor_without_a_rotation_looks_to_the_front(project):
    rover(Distance("ping"))
    Wall("w", -1, 2, 1, 2, 1, 0.01)
    sim, readings = running(project)
    with sim:
        sim.run(0.1)
        assert readings.distance("ping") == pytest.approx(1.995, abs=0.01)


def test_row_14_a_sensor_turned_by_45_about_y_looks_to_the_left(project):
    sensor = LIDAR("scan")
    sensor.rotate(0, 45, 0)
    rover(sensor)
    assert close(device(project, "scan")["mount"]["yaw_rad"], math.pi / 4)


def test_row_15_a_sensor_turned_by_30_about_x_looks_down(project):
    sensor = Distance("ping")
    sensor.rotate(30, 0, 0)
    rover(sensor)
    assert close(device(project, "ping")["mount"]["pitch_rad"], math.radians(30))


def test_row_16_a_lidar_scans_from_right_to_left(project):
    rover(LIDAR("scan"))
    Wall("right", -1, -1, -1, 1, 1, 0.01)  # south of a robot that faces east
    sim, readings = running(project)
    with sim:
        sim.run(0.2)
        scan = readings.lidar("scan")
    assert len(scan) == 181
    assert scan[0] == pytest.approx(0.995, abs=0.001)
    assert scan[90] == scan[180] == 8.191


def test_row_17_length_width_and_height_are_along_z_x_and_y(project):
    Box("b", 1, 2, 3, 0)
    Floor("f", 5, 6)
    assert solid(project, "b").shape.size_m == (1, 2, 3)  # ours: east, north, up
    assert project.document().scene.ground.size_m == (5, 6)


def test_row_18_cylinders_and_cones_stand_upright(project):
    Cylinder("c", 0.2, 1, 0)
    Cone("k", 0.3, 2, 0)
    assert (solid(project, "c").shape.radius_m, solid(project, "c").shape.height_m) == (0.2, 1)
    assert solid(project, "k").shape.kind == "cone"
    assert solid(project, "k").pose.roll_rad == solid(project, "k").pose.pitch_rad == 0.0


def test_row_19_a_wheel_has_its_axle_along_body_x(project):
    rover()
    left, right = (robot_of(project).overrides["wheel"][name] for name in "lr")
    assert (left["y_m"], right["y_m"], left["width_m"], left["radius_m"]) == (0.13, -0.13, 0.02, 0.04)


def test_row_20_the_position_of_a_solid_is_its_middle(project):
    Cylinder("c", 0.2, 1, 0, 0, 3, 0)
    Box("b", 1, 1, 2, 0, 0, 3, 0, 90, 0, 0)
    assert solid(project, "c").pose.z_m == 2.5
    assert solid(project, "b").pose.z_m == pytest.approx(3.0)
    assert solid(project, "b").pose.x_m == pytest.approx(-1.0)


def test_row_21_floors_walls_and_models_have_other_positions(project):
    Floor("f", 5, 5)
    Floor("shelf", 1, 1, 0, 2, 0)
    Wall("w", 0, 0, 1, 0)
    Model("tree", "models/Tree/Tree.mesh.xml").move(0, 0, 1)
    scene = project.document().scene
    assert solid(project, "shelf").pose.z_m + solid(project, "shelf").shape.size_m[2] == pytest.approx(2)
    assert scene.walls[0].points_m == ((0, 0), (0, 1))
    assert solid(project, "tree").pose.z_m == 0


def test_row_22_the_axes_of_a_mesh_are_sears(project):
    mesh = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (project.folder / "assets").mkdir(parents=True)
    (project.folder / "assets" / "corner.obj").write_text(mesh)
    Model("corner", "corner.obj")
    Floor("floor", 20, 20)
    rover(LIDAR("scan"), z=-2)
    scan_height = device(project, "scan")["mount"]["z_m"]
    with us.load(project.document()) as sim:
        sim.run(0.2)
        reading = sim.robot("rover").read("scan")
    assert reading[90] == pytest.approx(2.0, abs=0.01)  # its corner at the origin; the tip along Z points away
    assert reading[60] == 8.191
    assert min(reading[91:]) < 2.5  # and the corner along X to the left
    assert scan_height < 0.1


def test_row_23_what_falls_begins_on_the_floor_and_what_does_not_stays(project):
    Box("light", 1, 1, 1, 5)
    Box("fixed", 1, 1, 1, 0)
    assert solid(project, "light").pose.z_m == 0.0
    assert solid(project, "fixed").pose.z_m == -0.5


@pytest.fixture
def moving(project):
    """Return a rover that faces north, with all the sensors that its motion changes."""
    rover(Accelerometer("a"), Gyroscope("g"), Compass("c"), GPS("gps", 40.0, 100.0, -80.0), yaw=90)
    sim, readings = running(project)
    with sim:
        yield sim, readings


def test_row_24_speeding_up_ahead_is_positive_z(moving):
    sim, readings = moving
    sim.robot("rover").drive(0.4)
    sim.run(0.03)
    x, y, z = numbers(readings.accel("a"))
    assert z > 1.0
    assert (x, y) == (0.0, 0.0)


def test_row_25_turning_left_is_positive_y(moving):
    sim, readings = moving
    sim.robot("rover").drive(0.0, 0.5)
    sim.run(1.0)
    assert numbers(readings.gyro("g")) == pytest.approx([0.0, 0.5, 0.0])


@pytest.mark.parametrize(("yaw", "bearing"), [(0, 90.0), (90, 0.0), (180, -90.0), (-90, 180.0)])
def test_row_26_the_compass_counts_clockwise_from_north(project, yaw, bearing):
    rover(Compass("c"), yaw=yaw)
    sim, readings = running(project)
    with sim:
        sim.run(0.1)
        assert readings.compass("c") == pytest.approx(bearing, abs=1e-6)


def test_row_27_gps_follows_x_y_z(moving):
    sim, readings = moving
    robot = sim.robot("rover")
    sim.run(1.1)
    assert readings.gps("gps")[:2] == pytest.approx((40.0, -80.0), abs=1e-7)
    assert readings.gps("gps")[2] == pytest.approx(100.0, abs=0.2)
    robot.drive(0.4)
    sim.run(3)
    latitude, longitude, _ = readings.gps("gps")
    assert latitude > 40.000005
    assert longitude == pytest.approx(-80.0, abs=1e-7)


def test_row_28_components_are_in_the_bodys_frame(project):
    mast = Cylinder("mast", 0.02, 0.4, 0.2)
    mast.move(0, 0.25, -0.1)
    rover(mast, yaw=90, x=5)
    part = robot_of(project).overrides["part"]["mast"]
    assert part["mount"]["x_m"] == -0.1
    assert part["shape"] == {"kind": "cylinder", "radius_m": 0.02, "height_m": 0.4}
    assert not (project.folder / "environment" / "mast.xml").exists()


def test_row_29_an_idle_wheel_beside_the_axle_swivels(project):
    rover()
    overrides = robot_of(project).overrides
    assert sorted(overrides["castor"]) == ["b", "f"]
    assert sorted(overrides["wheel"]) == ["l", "r"]
