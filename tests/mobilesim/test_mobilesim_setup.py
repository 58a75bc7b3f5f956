import math
from pathlib import Path

import pytest

from understudy.mobilesim import codes
from understudy.mobilesim.folders import Folders, find_map, folders
from understudy.mobilesim.options import Options, Wanted
from understudy.mobilesim.setup import mobilesim_scene
from understudy.sim.vocabulary import vocabulary
from understudy.world.outlines import of_robot, of_solid, overlaps
from understudy.world.shapes import Pose

ROOM = """\
2D-Map
Cairn: Dock -3000 0 180 "" ICON "Dock"
Cairn: RobotHome 1000 1500 90 "" ICON "Home"
LINES
-5000 -5000 5000 -5000
5000 -5000 5000 5000
5000 5000 -5000 5000
-5000 5000 -5000 -5000
DATA
"""
PARAMS = "Subclass custom\nRobotRadius 300\nRobotWidth 400\nRobotLength 500\n"


@pytest.fixture
def here(tmp_path):
    (tmp_path / "room.map").write_text(ROOM)
    (tmp_path / "custom.p").write_text(PARAMS)
    return Folders(tmp_path)


def built(here, *robots, **options):
    wanted = tuple(robot if isinstance(robot, Wanted) else Wanted(robot) for robot in robots)
    return mobilesim_scene(Options(robots=wanted, **options), vocabulary(), here)


def code(here, *robots, **options):
    with pytest.raises(codes.StartError) as caught:
        built(here, *robots, **options)
    return caught.value.code


def links(scene):
    return [port.link for robot in scene.robots for port in robot.built.ports if port.sheet.kind == "arcos"]


# ---- the world


def test_without_a_map_the_world_is_empty_and_200_m_wide(here):
    scene = built(here).scene
    assert (scene.ground.size_m, scene.walls, scene.robots[0].model) == ((200.0, 200.0), (), "p3dx")


def test_the_users_init_map_is_loaded_only_when_no_map_option_is_given(here, tmp_path):
    own = Folders(tmp_path, user=tmp_path / "user")
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "init.map").write_text(ROOM)
    assert built(own).scene.walls
    assert not built(own, nomap=True).scene.walls
    assert not built(own, map="").scene.walls


def test_a_map_is_found_whatever_the_case_of_its_letters(here):
    assert built(here, map="ROOM.Map").scene.name == "room"


def test_a_map_may_lie_in_the_resources_or_in_a_map_folder(here, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert built(Folders(elsewhere, resources=tmp_path), map="room.map").scene.walls
    assert built(Folders(elsewhere), map="room.map", map_dir=("..",)).scene.walls


def test_a_map_of_any_format_will_do_and_its_robots_stay_out(here, tmp_path):
    (tmp_path / "hall.toml").write_text(
        'schema = 1\nground = {size_m = [9, 9], walled = true}\n[[robot]]\nmodel = "scout"\n'
    )
    scene = built(here, map="hall.toml").scene
    assert [robot.model for robot in scene.robots] == ["p3dx"]
    assert scene.walls


# ---- robots, names, ports


def test_robots_are_named_and_get_ports_in_order(here):
    scene = built(here, "p3dx", Wanted("amigo", "Bob"), "p3dx").scene
    assert [robot.name for robot in scene.robots] == ["p3dx-1", "Bob", "p3dx-2"]
    assert links(scene) == [f"tcp://127.0.0.1:{port}+" for port in (8101, 8102, 8103)]


def test_names_that_are_taken_or_no_names_are_made_into_some(here):
    names = [robot.name for robot in built(here, *(Wanted("p3dx", name) for name in ("a b", "a b", "7"))).scene.robots]
    assert names == ["a-b", "a-b-2", "robot-7"]


def test_address_and_first_port_are_as_asked(here):
    assert links(built(here, port=9000, bind_to_address="::1").scene) == ["tcp://[::1]:9000+"]


def test_other_ports_of_several_robots_do_not_meet(here):
    scene = built(here, "p3dx", "p3dx").scene
    ports = [port.link for robot in scene.robots for port in robot.built.ports]
    assert len(set(ports)) == len(ports)


def test_boxes_are_things_without_a_port(here):
    scene = built(here, "p3dx", "box", Wanted("box-reflector", "mirror")).scene
    assert [box.name for box in scene.objects] == ["box-1", "mirror"]
    assert scene.objects[1].surface.reflectance == 2.0
    assert len(scene.robots) == 1


def test_a_parameter_file_is_a_model(here):
    scene = built(here, Wanted("custom.p", "Bob")).scene
    assert scene.robots[0].built.units[0].sheet.subtype == "custom"


def test_a_factory_is_no_robot_but_has_the_next_port(here):
    setup = built(here, "p3dx", Wanted("amigo", "", True), "p3dx", map="room.map")
    (factory,) = setup.factories
    assert links(setup.scene) == ["tcp://127.0.0.1:8101+", "tcp://127.0.0.1:8103+"]
    assert factory.link == "tcp://127.0.0.1:8102+"
    assert (factory.robot.pose.x_m, factory.robot.pose.y_m) == (1.0, 1.5)
    assert [port.link for port in factory.robot.built.ports] == ["loop:"]


def test_what_is_made_for_clients_is_exact_too(here):
    (factory,) = built(here, Wanted("p3dx", "", True), exact=True).factories
    sheets = {device.name: device.sheet for device in factory.robot.built.devices}
    assert (sheets["sonar"].cone_rad, sheets["front"].noise.lost) == (0.0, 0.0)


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "user" / "include"
    folder.mkdir(parents=True)
    (folder / "mine.inc").write_text(
        'define mybot p3dx ( pioneer_robot_subtype "p3dx-sh" )\ndefine crate box ( size [1 2] )\n'
    )
    (folder / ".hidden").write_text("this is no world")
    return Folders(tmp_path, user=tmp_path / "user")


def test_the_users_include_folder_defines_robots_and_boxes(own):
    scene = built(own, "mybot", "crate", "p3dx").scene
    assert [robot.name for robot in scene.robots] == ["mybot-1", "p3dx-1"]
    assert scene.robots[0].built.units[0].sheet.subtype == "p3dx-sh"
    assert scene.objects[0].shape.size_m[:2] == (1.0, 2.0)


def test_an_invalid_include_file_is_an_error_at_the_start(own):
    (own.user / "include" / "worse.inc").write_text("define ( ]")
    assert code(own, "p3dx") == codes.START


def test_with_a_stage_world_the_include_folder_is_not_read_and_its_robots_get_ports(own, tmp_path):
    world = 'include "PioneerRobotModels.world.inc"\np3dx ( name "one" pose [1 2 90] )\nbox ( pose [4 4 0] )\n'
    (tmp_path / "a.world").write_text(world)
    (own.user / "include" / "worse.inc").write_text("define ( ]")
    scene = built(own, stageworld="a.world").scene
    assert [robot.name for robot in scene.robots] == ["one"]
    assert links(scene) == ["tcp://127.0.0.1:8101+"]


# ---- settings


@pytest.mark.parametrize(
    ("mode", "error", "errors"),
    [
        ("", 0.0075, "once"),
        ("random_init", 0.0075, "once"),
        ("random_each_update", 0.0075, "always"),
        ("constant", 0.0075, "constant"),
        ("none", 0.0, "once"),
    ],
)
def test_the_odometry_errs_as_asked(here, mode, error, errors):
    sheet = built(here, odom_error_mode=mode).scene.robots[0].built.units[0].sheet
    assert (max(sheet.odometry_error), sheet.odometry_errors) == (error, errors)


def test_without_errors_is_a_mode_of_its_own(here):
    assert max(built(here, no_error=True).scene.robots[0].built.units[0].sheet.odometry_error) == 0.0


def test_watchdog_and_extras_are_as_asked(here):
    usual, asked = (
        built(here, **words).scene.robots[0].built.units[0].sheet for words in ({}, {"watchdog": "stop", "exact": True})
    )
    assert (usual.watchdog, usual.exact, asked.watchdog, asked.exact) == ("warn", False, "stop", True)


def test_what_is_forbidden_is_a_property_of_the_ports(here):
    ports = built(here, "p3dx", forbid=("reset",)).scene.robots[0].built.ports
    assert next(port for port in ports if port.name == "host").forbid == ("reset",)


def test_a_very_short_update_makes_the_tick_shorter(here):
    assert built(here, update_interval=2.0).scene.tick_us == 2000
    assert built(here, update_interval=50.0).scene.tick_us == 5000


# ---- start poses


def poses(scene):
    return [
        (round(r.pose.x_m, 6), round(r.pose.y_m, 6), round(math.degrees(r.pose.heading_rad), 6)) for r in scene.robots
    ]


def test_robots_start_at_the_home_and_each_further_one_a_metre_below(here):
    scene = built(here, "p3dx", "p3dx", "box", "p3dx", map="room.map").scene
    assert poses(scene) == [(1.0, 1.5, 90.0), (1.0, 0.5, 90.0), (1.0, -1.5, 90.0)]
    assert scene.objects[0].pose.y_m == -0.5


def test_robots_for_whom_the_line_is_too_long_are_put_inside_the_map(here):
    scene = built(here, *["p3dx"] * 15, map="room.map").scene
    assert all(abs(x) < 5 and abs(y) < 5 for x, y, _ in poses(scene))
    assert not list(overlaps(list(map(of_robot, scene.robots)), []))


def test_without_a_home_they_start_at_the_dock_and_without_that_in_the_middle(here, tmp_path):
    (tmp_path / "dock.map").write_text("\n".join(line for line in ROOM.splitlines() if "Home" not in line) + "\n")
    assert poses(built(here, map="dock.map").scene) == [(-3.0, 0.0, 180.0)]
    assert poses(built(here).scene) == [(0.0, 0.0, 0.0)]


def test_a_start_that_is_given_counts_more_than_the_home(here):
    scene = built(here, "p3dx", "p3dx", map="room.map", start=Pose(2.0, 3.0)).scene
    assert poses(scene) == [(2.0, 3.0, 0.0), (2.0, 2.0, 0.0)]


def test_outside_is_two_metres_from_the_map(here):
    assert poses(built(here, "p3dx", "p3dx", map="room.map", start="outside").scene)[0][:2] == (-7.0, 5.0)


def test_random_places_are_free_and_follow_the_seed(here):
    robots = ["p3dx"] * 12 + ["box"] * 3
    scene = built(here, *robots, map="room.map", start="random", seed=1).scene
    outlines = [*map(of_robot, scene.robots), *(outline for box in scene.objects for outline in of_solid(box))]
    assert not list(overlaps(outlines, []))
    assert poses(scene) == poses(built(here, *robots, map="room.map", start="random", seed=1).scene)
    assert poses(scene) != poses(built(here, *robots, map="room.map", start="random", seed=2).scene)
    assert all(abs(x) < 5 and abs(y) < 5 for x, y, _ in poses(scene))


def test_a_robot_that_would_stand_in_a_wall_stands_beside_it_and_is_reported(here):
    setup = built(here, "p3dx", map="room.map", start=Pose(0.0, 5.0))
    assert poses(setup.scene)[0][:2] != (0.0, 5.0)
    assert "p3dx-1 starts at" in setup.notices[-1]


def test_many_large_robots_find_room(here):
    scene = built(here, *["seekur"] * 4, map="room.map").scene
    assert not list(overlaps([of_robot(robot) for robot in scene.robots], []))


# ---- exit codes


@pytest.mark.parametrize(
    ("robot", "options", "wanted"),
    [
        ("p3dx", {"map": "none.map"}, codes.MAP),
        ("p3dx", {"map": "custom.p"}, None),
        ("p3dxx", {}, codes.ARGUMENTS),
        ("none.p", {}, codes.PARAMETERS),
        ("bad.p", {}, codes.PARAMETERS),
        ("scout-tank", {}, codes.ARGUMENTS),
        ("p3dx", {"stageworld": "none.world"}, codes.START),
        ("p3dx", {"port": 65_535}, None),
    ],
)
def test_what_cannot_be_started_has_mobilesims_exit_code(here, tmp_path, robot, options, wanted):
    (tmp_path / "bad.p").write_text("SonarUnit a b c d\nRobotRadius -5\nSubclass x\n")
    if wanted is None:
        built(here, robot, **options)
    else:
        assert code(here, robot, **options) == wanted


def test_too_many_robots_for_the_ports_that_there_are(here):
    assert code(here, "p3dx", "p3dx", port=65_535) == codes.ARGUMENTS


def test_a_broken_map_is_a_map_error(here, tmp_path):
    (tmp_path / "broken.map").write_text("2D-Map\nMinPos: 0 0\n")
    assert code(here, "p3dx", map="broken.map") == codes.MAP


def test_a_factory_of_boxes_is_an_error(here):
    assert code(here, Wanted("box", "", True)) == codes.ARGUMENTS


# ---- folders


def test_the_folders_are_the_users_own_and_the_variables(tmp_path):
    found = folders(tmp_path, {"MOBILESIM": str(tmp_path / "res")}, tmp_path / "home")
    assert found.resources == tmp_path / "res"
    assert found.user is not None
    assert found.user.parent == tmp_path / "home"


def test_include_files_are_read_in_the_order_of_their_names_without_hidden_ones(tmp_path):
    (tmp_path / "include").mkdir()
    for name in ("b.inc", "a.world", ".hidden"):
        (tmp_path / "include" / name).write_text("")
    assert [file.name for file in Folders(tmp_path, user=tmp_path).includes] == ["a.world", "b.inc"]


def test_a_map_is_found_by_its_whole_path_too(tmp_path):
    (tmp_path / "a.map").write_text(ROOM)
    assert find_map(str(tmp_path / "a.map"), [Path("/nowhere")]) == tmp_path / "a.map"


# ---- what others choose on the start page


@pytest.fixture
def upload(tmp_path):
    """A folder with an uploaded map, whose author would like to see what is outside."""
    (tmp_path / "secret.toml").write_text("root:x:0:0\n")
    (tmp_path / "up").mkdir()
    return tmp_path / "up"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("spy.world", 'include "../secret.toml"'),
        ("spy.toml", 'schema = 1\ninclude = ["../secret.toml"]'),
    ],
)
def test_an_uploaded_map_reads_nothing_outside_its_folder(here, upload, name, text):
    (upload / name).write_text(text)
    with pytest.raises(codes.StartError) as caught:
        mobilesim_scene(Options(map=str(upload / name)), vocabulary(), here, within=[upload])
    assert "root:x" not in str(caught.value)


def test_files_of_a_map_come_from_its_own_folder_and_not_from_the_working_one(here, tmp_path, upload):
    for folder, colour in ((tmp_path, b"P5 1 1 255 \x00"), (upload, b"P5 1 1 255 \xff")):
        (folder / "tiles.pgm").write_bytes(colour)
    (upload / "hall.toml").write_text('schema = 1\nground.walled = true\nground.picture = "tiles.pgm"\n')
    setup = mobilesim_scene(Options(map=str(upload / "hall.toml")), vocabulary(), here, within=[upload])
    assert setup.files == {"tiles.pgm": b"P5 1 1 255 \xff"}


def test_a_robots_file_that_a_user_types_lies_below_the_working_folder(tmp_path, upload):
    options = Options(robots=(Wanted("../secret.toml"),), nomap=True)
    with pytest.raises(codes.StartError, match="outside") as caught:
        mobilesim_scene(options, vocabulary(), Folders(upload), within=())
    assert "root:x" not in str(caught.value)


def test_a_robots_file_of_the_working_folder_will_do(here):
    setup = mobilesim_scene(Options(robots=(Wanted("custom.p"),), nomap=True), vocabulary(), here, within=())
    assert [robot.model for robot in setup.scene.robots] == ["custom.p"]
