"""SEAR's object grammar: short and long forms, methods, and what is written to the project's folder."""

import pytest

import understudy.sear as sear
from understudy.errors import FormatError, UnderstudyError
from understudy.formats.sear import xml_object
from understudy.sear import (
    LIDAR,
    Box,
    Camera,
    Cone,
    Cylinder,
    Distance,
    Dynamics,
    Floor,
    Model,
    Project,
    SEARrobot,
    Wall,
    Wheel,
    using,
)

LISTED = (
    "Box", "Cone", "Cylinder", "Floor", "Model", "SEARrobot", "Wheel", "Dynamics", "GPS", "Compass", "Gyroscope",
    "Accelerometer", "Odometer", "Distance", "LIDAR", "Wall", "Camera",
)  # fmt: skip


@pytest.fixture
def project(tmp_path):
    with using(Project(tmp_path / "project")) as made:
        yield made


def test_every_name_of_the_grammar_can_be_imported():
    assert set(LISTED) <= set(dir(sear))
    assert all(callable(getattr(sear, name)) for name in LISTED)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Boxx"):
        _ = sear.Boxx


def test_an_object_is_written_when_it_is_made_and_again_when_it_changes(project):
    box = Box("Box1_name", 0.25, 0.5, 0.75, 0)
    file = project.folder / "environment" / "Box1_name.xml"
    assert xml_object.read(file.read_bytes(), "").values["width"] == 0.5
    box.move(-1.5, 1.25, 0)
    box.rotate(45, 0, 0)
    found = xml_object.read(file.read_bytes(), "")
    assert (found.move, found.rotate) == ((-1.5, 1.25, 0), (45, 0, 0))


@pytest.mark.parametrize(
    ("make", "kind", "more"),
    [
        (lambda *more: Box("o", 1, 2, 3, 4, *more), "box", {"length": 1, "width": 2, "height": 3, "mass": 4}),
        (lambda *more: Cylinder("o", 1, 2, 3, *more), "cylinder", {"radius": 1, "height": 2, "mass": 3}),
        (lambda *more: Cone("o", 1, 2, 3, *more), "cone", {"radius": 1, "height": 2, "mass": 3}),
        (lambda *more: Model("o", "a.obj", 3, *more), "model", {"file": "a.obj", "mass": 3}),
        (lambda *more: Floor("o", 1, 2, *more), "floor", {"length": 1, "width": 2}),
    ],
)
def test_long_forms_add_a_position_a_rotation_and_a_picture(project, make, kind, more):
    for place in ((), (1, 2, 3), (1, 2, 3, 10, 20, 30)):
        for picture in ((), ("wood.png",)):
            entry = make(*place, *picture).entry
            assert entry.kind == kind
            assert {key: entry[key] for key in more} == more
            assert entry.move == (place[:3] or (0, 0, 0))
            assert entry.rotate == (place[3:] or (0, 0, 0))
            assert entry["picture"] == "".join(picture)


def test_a_floor_can_be_invisible_to_rangers(project):
    Floor("f", 5, 5, False)
    assert project.document().scene.ground.seen_by == ("camera", "touch")


def test_a_wall_has_two_ends_height_thickness_and_picture(project):
    Wall("w", 1, 2, 3, 4, 0.5, 0.2, "bricks.png")
    wall = project.document().scene.walls[0]
    assert (wall.points_m, wall.height_m, wall.thickness_m) == (((2, 1), (4, 3)), 0.5, 0.2)


def test_a_wall_turns_about_its_middle(project):
    wall = Wall("w", 0, -1, 0, 1)
    wall.rotate(0, 90, 0)
    (x1, y1), (x2, y2) = project.document().scene.walls[0].points_m
    assert (abs(x1), abs(x2)) == pytest.approx((0, 0), abs=1e-9)
    assert (y1, y2) == pytest.approx((-1, 1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Box("b", 0, 1, 1, 0),
        lambda: Box("b", float("nan"), 1, 1, 0),
        lambda: Box("b", 1, 1, 1, -1),
        lambda: Box("b", "1", 1, 1, 0),
        lambda: Box("", 1, 1, 1, 0),
        lambda: Box("b", 1, 1, 1, 0, 1, 2),
        lambda: Box("b", 1, 1, 1, 0).move(float("inf"), 0, 0),
        lambda: Box("b", 1, 1, 1, 0).scale(0),
        lambda: Wheel("w", 1, 1, 2),
        lambda: Distance("d", 1, 2, 3),
        lambda: Distance("d", [(1,)]),
        lambda: Distance("d", "no such device"),
        lambda: LIDAR("l").setResolution(0),
        lambda: LIDAR("l").LMS(2),
        lambda: Camera("c", 0, 60),
        lambda: Wall("w", 0, 0, 1, 1, 1, 1, 1),
        lambda: SEARrobot("r").addWheel(Box("b", 1, 1, 1, 0)),
        lambda: SEARrobot("r").addComponent(Floor("f", 1, 1)),
        lambda: SEARrobot("r").addComponent("body"),
    ],
)
def test_what_is_invalid_is_refused(project, make):
    with pytest.raises(UnderstudyError):
        make()


def test_both_ends_of_a_wall_must_differ(project):
    Wall("w", 1, 1, 1, 1)
    with pytest.raises(FormatError, match="same point"):
        project.document()


# ---- robots


def test_a_component_moves_to_the_robots_folder(project):
    body = Cylinder("Roomba Body", 0.17, 0.08, 4)
    assert (project.folder / "environment" / "Roomba Body.xml").exists()
    SEARrobot("myRoomba").addComponent(body)
    assert not (project.folder / "environment" / "Roomba Body.xml").exists()
    assert xml_object.read((project.folder / "robot" / "Roomba Body.xml").read_bytes(), "").robot == "myRoomba"


def test_wheels_are_in_the_robots_file_also_if_moved_afterwards(project):
    robot, wheel = SEARrobot("r"), Wheel("w", 0.04, 0.02, 1)
    robot.addWheel(wheel)
    wheel.move(0.1, 0, 0)
    robot.addComponent(Wheel("x", 0.04, 0.02, 1))
    entry = xml_object.read((project.folder / "robot" / "r.xml").read_bytes(), "")
    assert [(each.name, each.move, each["driven"]) for each in entry.wheels] == [
        ("w", (0.1, 0, 0), True), ("x", (0, 0, 0), True)
    ]  # fmt: skip


def test_making_a_robot_again_begins_without_components(project):
    SEARrobot("r").addComponent(Distance("old"))
    SEARrobot("r").addComponent(Distance("new"))
    assert [entry.name for entry in project.read().robot] == ["new", "r"]


def test_listing_2_has_springs_of_400_kg(project):
    robot = SEARrobot("r")
    robot.addComponent(Dynamics("d", 400, 60, 0.3, 0.4, 10000, 0.1, 0, 0.1, 0, 0, 0, 180))
    for name, x, z, driven in (("f", 0, 0.16, 0), ("r1", -0.16, 0, 1), ("l", 0.16, 0, 1), ("b", 0, -0.16, 0)):
        wheel = Wheel(name, 0.0381, 0.03, driven)
        wheel.move(x, 0, z)
        robot.addWheel(wheel)
    spring = project.document().scene.robots[0].overrides["wheel"]["l"]["suspension"]
    assert spring["stiffness_n_m"] == 60 * 400
    assert spring["damping_n_s_m"] == pytest.approx(0.35 * 2 * 60**0.5 * 400)
    assert spring["max_n"] == 10000
    assert spring["compression_m"] == pytest.approx(0.1 - 9.81 / (4 * 60))


def test_driven_wheels_on_two_axles_are_a_skid_drive(project):
    robot = SEARrobot("r")
    for number, (x, z) in enumerate(((0.2, 0.2), (-0.2, 0.2), (0.2, -0.2), (-0.2, -0.2))):
        wheel = Wheel(f"w{number}", 0.05, 0.03, 1)
        wheel.move(x, 0, z)
        robot.addWheel(wheel)
    assert project.document().scene.robots[0].overrides["drive"]["kind"] == "skid"


def test_the_frame_of_a_robot_is_below_its_driven_wheels(project):
    robot = SEARrobot("r")
    robot.addComponent(Dynamics("d", 4, 0, x=1, z=2, yaw=90))
    for x in (0.1, -0.1):
        wheel = Wheel(f"w{x}", 0.05, 0.03, 1)
        wheel.move(x, 0, -0.3)
        robot.addWheel(wheel)
    place = project.document().scene.robots[0].place
    assert (place.x_m, place.y_m) == pytest.approx((2.0, 0.7))  # 0.3 m behind, facing north


@pytest.mark.parametrize(
    ("sensor", "beam"),
    [
        (lambda: Distance("d"), {"model": "ping"}),
        (lambda: Distance("d", "EZ1"), {"model": "ez1"}),
        (lambda: Distance("d", "Parallax PING)))"), {"model": "ping"}),
        (lambda: Distance("d", 2.0, 30.0), {"model": "ping", "max_m": 2.0}),
        (lambda: Distance("d", [(20, 1), (8, 3)]), {"model": "ping", "max_m": 3.0}),
    ],
)
def test_a_distance_sensor_has_a_model_a_sector_or_cones(project, sensor, beam):
    SEARrobot("r").addComponent(sensor())
    device = project.document().scene.robots[0].overrides["device"]["d"]
    assert {key: device[key] for key in beam} == beam


def test_the_range_of_a_model_scales_its_cones(project):
    sensor = Distance("d")
    sensor.setRange(1.5)
    sensor.setResolution(12)
    SEARrobot("r").addComponent(sensor)
    lobes = project.document().scene.robots[0].overrides["device"]["d"]["lobes"]
    assert [(round(lobe["max_m"], 6), lobe["rays"]) for lobe in lobes] == [(0.4, 12), (0.9, 12), (1.5, 12)]


def test_beams_can_be_added_one_by_one(project):
    sensor = Distance("d")
    sensor.addBeam(10, 1)
    sensor.addBeam(5, 2, 8, 30, 10)
    assert sensor.entry["cones"] == ((10, 1, 0, 0, 0), (5, 2, 8, 30, 10))


def test_a_lidar_without_ports_has_any_spread(project):
    lidar = LIDAR("l")
    lidar.setSpread(270)
    lidar.setResolution(0.5)
    lidar.setRange(30)
    SEARrobot("r").addComponent(lidar)
    device = project.document().scene.robots[0].overrides["device"]["l"]
    assert (device["kind"], device["rays"], device["max_m"]) == ("laser", 541, 30)


def test_a_lidar_with_ports_is_an_lms200_at_its_baud_rate(project):
    lidar = LIDAR("myLidar")
    lidar.setPorts("/dev/my_Lidar01", "/dev/SEAR_LIDAR_01")
    lidar.setBaud(38400)
    SEARrobot("r").addComponent(lidar)
    table = project.document().scene.robots[0].overrides
    assert table["unit"]["myLidar"]["kind"] == "lms200"
    assert table["port"]["myLidar"]["baud"] == 38400
    assert table["port"]["myLidar"]["link"] == f"pty:{project.folder.resolve() / 'ports' / 'SEAR_LIDAR_01'}"


def test_two_devices_cannot_have_one_port(project):
    robot = SEARrobot("r")
    for name in "ab":
        lidar = LIDAR(name)
        lidar.setPorts("/dev/uart", "/dev/user")
        robot.addComponent(lidar)
    with pytest.raises(FormatError, match="has the port '/dev/user' already"):
        project.document()


def test_a_robot_has_the_mean_colour_of_its_bodys_picture(project):
    from understudy.formats.sear import pictures

    (project.folder / "assets").mkdir(parents=True)
    (project.folder / "assets" / "roomba.png").write_bytes(pictures.content(pictures.TRAFFIC_CONE))
    SEARrobot("r").addComponent(Cylinder("body", 0.2, 0.1, 3, "./roomba.png"))
    colour = project.document().scene.robots[0].colour
    assert int(colour[1:3], 16) > int(colour[5:7], 16) > 0
    (project.folder / "assets" / "roomba.png").write_bytes(b"damaged")
    assert project.document().scene.robots[0].colour == "#cc3311"


def test_the_docstring_of_dynamics_says_that_it_is_our_reading():
    assert "our reading" in Dynamics.__doc__
    assert "2*sqrt(stiffness)" in Dynamics.__doc__
