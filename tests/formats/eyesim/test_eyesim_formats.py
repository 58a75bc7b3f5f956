"""EyeSim's formats keep the contract of formats; what the corpus does not show."""

from __future__ import annotations

import dataclasses
import math
import zipfile
from pathlib import Path

import pytest
from contracts.format_contract import check_format

import understudy as us
from understudy import api, formats
from understudy.assets import fence
from understudy.cli import main
from understudy.errors import SceneError, UnderstudyError
from understudy.eyesim.setup import EyesimSetup, simulation
from understudy.formats.eyesim import esobj_file, maze_file, param_file, robi_file, sim_file
from understudy.formats.eyesim.environment import open_world
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import Program
from understudy.world.shapes import Mesh, Pose

CORPUS = Path(__file__).parent / "corpus"
MAZE = " _____\n|   |o|\n|S|___|\n250\n"
PIP = (CORPUS / "pip.robi").read_text()
SIM = (CORPUS / "yard.sim").read_text()
PARAMS = (CORPUS / "eyesim.p").read_text()
POST = (CORPUS / "post.esObj").read_text()


@pytest.fixture(scope="module")
def words():
    return vocabulary()


def scene_of(name, words):
    return formats.read(CORPUS / name, words).scene


def flat(name, words):
    return scene_file.resolve(formats.read(CORPUS / name, words), words)


@pytest.mark.parametrize(("module", "good"), [
    (maze_file, {"yard.maz": MAZE, "soccer.maz": (CORPUS / "soccer.maz").read_text()}),
    (sim_file, {"yard.sim": SIM}),
    (robi_file, {"pip.robi": PIP, "car.robi": (CORPUS / "car.robi").read_text()}),
    (esobj_file, {"post.esobj": POST}),
    (param_file, {"eyesim.p": PARAMS}),
])  # fmt: skip
def test_eyesims_formats_keep_the_contract_of_formats(module, good, words):
    check_format(module, words, good, CORPUS)


# ---- mazes


def test_the_soccer_field_of_the_paper_runs_with_ten_robots_and_a_ball():
    with us.load(CORPUS / "soccer.maz") as sim:
        assert len(sim.scene.robots) == 10
        assert len(sim.scene.balls) == 1
        assert len({robot.colour for robot in sim.scene.robots[:8]}) == 8
        sim.run(0.1)


def test_gaps_in_a_maze_make_no_difference(words):
    gaps, none = (scene_of(f"paper-rectangle{end}.maz", words) for end in ("", "-no-gaps"))
    assert gaps.walls == none.walls


def test_recessed_goals_are_walls_outside_the_field(words):
    pieces = scene_of("soccer.maz", words).walls[0].pieces_m
    assert (0.0, 0.5, 0.0, 1.0) in pieces  # the back of the left goal
    assert (0.0, 1.0, 0.1, 1.0) in pieces


@pytest.mark.parametrize(("name", "data", "is_maze"), [
    ("a.maz", b"", True),
    ("a.txt", MAZE.encode(), True),
    ("", MAZE.replace("\n", "\r\n").encode(), True),
    ("a.txt", b"| a table |\n|___|\n", False),
    ("a.txt", b"360\n", False),
    ("a.maz", b"\0", False),
])  # fmt: skip
def test_a_maze_is_known_by_its_drawing_or_its_name(name, data, is_maze):
    assert maze_file.sniff(data, name) is is_maze


def test_a_maze_is_written_from_a_scene_and_says_what_is_lost(tmp_path, capsys):
    (tmp_path / "room.toml").write_text(
        'schema = 1\nground = {size_m = [4, 3], center_m = [2, 1.5], walled = true}\n[[robot]]\nmodel = "s4"\n'
        "x_m = 0.5\ny_m = 0.5\nheading_deg = 180\n[[light]]\n[[ball]]\nx_m = 2.5\ny_m = 1.5\n"
    )
    assert main(["convert", str(tmp_path / "room.toml"), str(tmp_path / "room.maz")]) == 0
    assert (tmp_path / "room.maz").read_text() == (" _______\n|       |\n|    o  |\n|L______|\n1000\n")
    assert "models and programs of robots: a maze has soccerbots" in capsys.readouterr().out


@pytest.mark.parametrize(("walls", "words"), [
    ("points_m = [[0, 0], [1, 1]]", "is oblique, from 0, 0 to 1, 1; a maze has right angles only"),
    ("points_m = [[0, 0], [0.1234567, 0], [1, 0]]", "the walls are on no grid of up to 1000 cells"),
])  # fmt: skip
def test_walls_off_a_grid_are_no_maze(tmp_path, capsys, walls, words):
    text = f"schema = 1\nground = {{size_m = [4, 4], center_m = [2, 2]}}\n[[wall]]\n{walls}\n"
    (tmp_path / "room.toml").write_text(text)
    assert main(["convert", str(tmp_path / "room.toml"), str(tmp_path / "room.maz")]) == 1
    assert words in capsys.readouterr().err


def test_walls_outside_the_ground_are_no_maze(tmp_path, capsys):
    (tmp_path / "room.toml").write_text("schema = 1\n[[wall]]\npoints_m = [[-20, 0], [1, 0]]\n")
    assert main(["convert", str(tmp_path / "room.toml"), str(tmp_path / "room.maz")]) == 1
    assert "a wall is outside the ground" in capsys.readouterr().err


# ---- .sim files


def test_programs_of_a_sim_file_are_robios_programs_in_real_time(words):
    first, second = (robot.program for robot in scene_of("yard.sim", words).robots)
    assert first == Program("patrol.py", "realtime", interface="robios")
    assert second == Program("my follower.py", "realtime", interface="robios")


def test_numbering_is_the_order_of_creation_of_robots_and_objects(words):
    assert flat("can-first.sim", words).numbering == ("can-1", "s4-1", "soccer-1", "golf-1", "crate-1")


def test_a_marker_is_seen_by_cameras_only_and_has_no_number(words):
    scene = scene_of("yard.sim", words)
    marker = scene.objects[0]
    assert (marker.surface.seen_by, marker.surface.obstacle, marker.colour) == (("camera",), False, "#00c800")
    assert scene.numbering == ("s4-1", "labbot-1", "can-1")


def test_friction_of_an_object_of_eyesim_6_is_kept(words):
    assert scene_of("classic.sim", words).objects[0].friction == 0.2


@pytest.mark.parametrize("place", [
    "worlds/far.wld", "../worlds/far.wld", "home/far.wld", "installed/far.wld", "installed/worlds/far.wld"
])  # fmt: skip
def test_worlds_are_found_where_eyesim_looks_for_them(tmp_path, monkeypatch, words, place):
    monkeypatch.setenv("HOME", str(tmp_path / "sims/home"))
    monkeypatch.setenv("EYESIM_HOME", str(tmp_path / "sims/installed"))
    (tmp_path / "sims").mkdir()
    (tmp_path / "sims" / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "sims" / place).write_text("width 1234\nheight 1000\n0 0 9 9\n")
    (tmp_path / "sims/a.sim").write_text("world far.wld\n")
    assert formats.read(tmp_path / "sims/a.sim", words).scene.ground.size_m[0] == 1.234


def test_files_outside_the_fence_are_said_not_to_exist(tmp_path, words):
    (tmp_path / "secret.wld").write_text("width 1\n0 0 1 1\n")
    (tmp_path / "sims").mkdir()
    (tmp_path / "sims/a.sim").write_text(f"world {tmp_path}/secret.wld\nS4 1 1 1 ../secret.wld\nrobi ../x.robi\n")
    with fence.within([tmp_path / "sims"]), pytest.raises(SceneError) as caught:
        formats.read(tmp_path / "sims/a.sim", words)
    lines = [problem.line for problem in caught.value.problems]
    assert lines == [1, 3, 2]
    assert all("no such" in problem.text for problem in caught.value.problems)


@pytest.mark.parametrize("name", ["~nobody/a.wld", "~", "..", "/", "%sim%", "a" * 5_000, "a\x0bb.wld"])
def test_a_name_that_no_world_can_have_is_no_such_file(tmp_path, words, name):
    (tmp_path / "a.sim").write_text(f'world "{name}"\n')
    with pytest.raises(SceneError, match=r"a\.sim:1: no such file"):
        formats.read(tmp_path / "a.sim", words)


def test_a_floor_picture_of_a_world_in_another_folder_is_found(tmp_path, words):
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds/oak.png").write_bytes((Path(__file__).parents[3] / "docs/studio.png").read_bytes())
    (tmp_path / "worlds/a.wld").write_text("floor 1000 1000\nfloor_texture oak.png\n")
    (tmp_path / "a.sim").write_text("world a.wld\n")
    assert formats.read(tmp_path / "a.sim", words).scene.ground.picture == "worlds/oak.png"


def test_an_archive_with_a_sim_file_is_a_scene(tmp_path, words):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("loaded.sim", "vr-floor.wld", "pip.robi", "post.esObj", "patrol.py"):
            archive.write(CORPUS / name, name)
    scene = scene_file.resolve(formats.read(tmp_path / "a.zip", words), words)
    assert scene.numbering == ("pip-1", "post-1", "post-2")


def test_a_sim_file_becomes_a_scene_of_ours(tmp_path, words):
    assert main(["convert", str(CORPUS / "loaded.sim"), str(tmp_path / "loaded.toml")]) == 0
    again = scene_file.resolve(formats.read(tmp_path / "loaded.toml", words), words)
    first = flat("loaded.sim", words)
    assert again.numbering == first.numbering
    assert [robot.built for robot in again.robots] == [robot.built for robot in first.robots]


@pytest.mark.parametrize("name", [
    "any-case.sim", "can-first.sim", "letter.sim", "classic.sim", "errors.sim", "loaded.sim", "no-world.sim",
    "quoted-robot.sim", "team.p", "eyesim.p", "poses.p", "pip.robi", "eyesim-6.robi", "newer-psd.robi", "car.robi",
    "omni.robi", "mesh-missing.robi", "looks.robi", "several-parts.esObj", "marble.esObj",
])  # fmt: skip
def test_a_good_file_of_the_corpus_makes_a_valid_scene(name, words):
    assert flat(name, words)


def test_error_margins_become_noise_of_devices_drive_errors_and_lost_messages(words):
    scene = flat("errors.sim", words)
    parts = scene.robots[0].built
    (psd,) = (device.sheet for device in parts.devices if device.name == "psd")
    (stage,) = parts.drive_stages
    assert psd.noise.relative == 0.05
    assert (stage.sheet.speed_margin, stage.sheet.speed_noise, stage.sheet.turn_margin) == (0.02, 0.02, 0.0)
    assert [(medium.name, medium.loss) for medium in scene.media] == [("radio", 0.1)]


# ---- robots, objects, parameter files


def test_a_scene_file_places_a_robi_robot(tmp_path):
    (tmp_path / "pip.robi").write_text(PIP)
    (tmp_path / "room.toml").write_text('schema = 1\n[[robot]]\nmodel = "pip.robi"\n')
    with us.load(tmp_path / "room.toml") as sim:
        robot = sim.scene.robots[0]
        (unit,) = robot.built.units
        assert (robot.name, robot.built.drive.track_m, unit.sheet.psd_ids) == ("pip-1", 0.09, (1, 2, 3))


def test_a_robi_error_names_the_robot_file(tmp_path, capsys):
    (tmp_path / "bad.robi").write_text("drive DIFFERENTIAL_DRIVE\nwheel 1\n")
    (tmp_path / "room.toml").write_text('schema = 1\n[[robot]]\nmodel = "bad.robi"\n')
    assert main(["check", str(tmp_path / "room.toml")]) == 1
    assert "bad.robi:2: not understood: 'wheel 1' (want wheel" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "scale"), [("cube.obj", 0.001), ("unit-cube.obj", 1.0)])
def test_a_mesh_is_in_millimetres_if_it_is_large(tmp_path, words, name, scale):
    (tmp_path / name).write_bytes((CORPUS / name).read_bytes())
    (tmp_path / "a.esObj").write_text(f"obj {name}\n")
    scene = formats.read(tmp_path / "a.esObj", words).scene
    assert scene.engine == "rigid"
    assert scene.objects[0].shape == Mesh(name, scale=scale, up="y", hull=True)


def test_a_fixed_object_cannot_be_pushed_and_a_loose_sphere_rolls(words):
    assert scene_of("post.esObj", words).objects[0].mass_kg == 0.0
    (marble,) = scene_of("marble.esObj", words).balls
    assert (marble.radius_m, marble.mass_kg) == (0.008, 0.01)


def test_speed_of_a_parameter_file_is_in_centimetres(words):
    robot = flat("eyesim.p", words).robots[0].built
    assert (robot.drive.max_m_s, robot.units[0].sheet.max_m_s) == (0.5, 0.5)
    assert robot.units[0].sheet.max_rad_s == pytest.approx(math.radians(120.0))
    assert robot.body.radius_m == 0.08


def test_sensors_of_a_parameter_file_are_at_polar_places(words):
    devices = {device.name: device.sheet for device in flat("eyesim.p", words).robots[0].built.devices}
    assert [round(mount.yaw_rad, 6) for mount in devices["psd"].ring] == [0.0, 1.570796, -1.570796]
    assert (devices["ir"].ring[0].x_m, devices["ir"].ring[0].y_m) == (0.06755, 0.039)
    assert (devices["bumper"].sectors[0].start_rad, len(devices["bumper"].sectors)) == (math.radians(-60.0), 1)


def test_a_parameter_file_without_sensors_keeps_those_of_the_soccerbot(words):
    devices = {device.name for device in flat("poses.p", words).robots[0].built.devices}
    assert {"psd", "ir", "bumper"} <= devices


def test_a_parameter_file_that_lists_sensors_lists_all_of_them(tmp_path, words):
    (tmp_path / "eyesim.p").write_text("name Blind\npsd PSD_FRONT -200 0 75 0\n")
    (robot,) = scene_file.resolve(formats.read(tmp_path / "eyesim.p", words), words).robots
    assert not {"ir", "bumper"} & {device.name for device in robot.built.devices}


def test_ranges_of_a_parameter_file_are_those_of_its_sensors(words):
    devices = {device.name: device.sheet for device in flat("team.p", words).robots[0].built.devices}
    assert (devices["psd"].min_m, devices["psd"].max_m, devices["ir"].switch_m) == (0.06, 0.8, 0.15)


def test_aria_keeps_its_own_parameter_files(tmp_path, words):
    (tmp_path / "a.p").write_text("Subclass small\nRobotRadius 200\n")
    assert formats.read(tmp_path / "a.p", words).format == "aria_params"


# ---- worlds


def test_a_world_has_homes_for_mobilesim_and_robots_for_eyesim(words):
    path = CORPUS / "two-positions.wld"
    assert len(formats.read(path, words).scene.marks) == 2
    scene = open_world(path, "s4").scene
    assert (scene.marks, scene.walls[0].height_m) == ((), 0.2)
    assert [(robot.model, robot.place) for robot in scene.robots] == [
        ("s4", Pose(0.5, 0.5)), ("s4", Pose(1.5, 0.5, heading_rad=math.pi))
    ]  # fmt: skip


def test_the_verb_eyesim_puts_robots_at_the_positions_of_a_world():
    with simulation(EyesimSetup(world=CORPUS / "two-positions.wld", speed=None)) as sim:
        poses = [robot.pose for robot in sim.scene.robots]
    assert poses == [Pose(0.5, 0.5), Pose(1.5, 0.5, heading_rad=math.pi)]


def test_a_robot_at_a_position_inside_a_wall_is_an_error_at_its_line(tmp_path, words):
    (tmp_path / "a.wld").write_text("width 1000\nheight 1000\n0 500 1000 500\nposition 500 500 0\n")
    with pytest.raises(SceneError) as caught:
        scene_file.resolve(open_world(tmp_path / "a.wld", "s4"), words)
    assert str(caught.value) == f"{tmp_path}/a.wld:4: robot[0]: s4-1 starts inside wall-1; move one of them"


def test_the_model_at_the_letters_of_a_maze_can_be_chosen():
    assert {robot.model for robot in open_world(CORPUS / "soccer.maz", "labbot").scene.robots} == {"labbot"}


def test_extended_walls_have_thickness_height_and_colour(words):
    walls = [dataclasses.replace(wall, pieces_m=()) for wall in scene_of("extended.wld", words).walls]
    assert [(wall.thickness_m, wall.height_m, wall.colour) for wall in walls] == [
        (0.02, 0.3, "#7a7a7a"), (0.02, 0.3, "#ff0010"), (0.0, 1.0, "#7a7a7a")
    ]  # fmt: skip


# ---- files that are too much


@pytest.mark.parametrize(("name", "text", "words_"), [
    ("a.wld", "push 1 1 1\n" * 10_002, "a.wld:10001: more than 10,000 push without pop"),
    ("a.maz", "|" * 2_002 + "\n", "a.maz:1: the maze is too wide: 2,002 characters (at most 2,001)"),
    ("a.maz", "| |\n" * 2_002, "a.maz:2002: the maze is too high: 2,002 lines (at most 2,001)"),
    ("a.maz", "S" * 2_001 + "\n" + ("S" * 2_001 + "\n") * 4, "a.maz: too many robots: 10,005 (at most 5,000)"),
    ("a.sim", "S4 1 1 1\n" * 5_002, "a.sim:5001: too many robots and objects (at most 5,000)"),
    ("a.sim", "world a.sim\n" * 3, "a.sim:1: "),
    ("a.sim", "x\n" * 100_001, "a.sim: the file is too long: more than 100,000 lines"),
    ("a.p", "robots 1e9\n", "a.p:1: robots of 1e+09 (want 1 to 5000)"),
    ("a.p", "robot 1 1 1\n" * 5_001, "a.p:5001: too many robots (at most 5,000)"),
])  # fmt: skip
def test_a_file_that_is_too_much_is_refused(tmp_path, words, name, text, words_):
    (tmp_path / name).write_text(text)
    with pytest.raises(UnderstudyError) as caught:
        api.open_document(tmp_path / name)
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(words_)


@pytest.mark.parametrize("name", ["a.sim", "a.wld", "a.robi", "a.esObj", "a.p"])
def test_thousands_of_lines_of_nonsense_give_few_warnings(tmp_path, words, name):
    (tmp_path / name).write_text("name x\ndiameter 9\nspeed 9\nwidth 9\ncollider box 1 1 1 1 1 1\n" + "x y\n" * 60_000)
    document = formats.read(tmp_path / name, words)
    assert 0 < len(document.warnings) <= 1_001
