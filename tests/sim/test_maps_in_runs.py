"""Maps under running robots."""

from __future__ import annotations

import math
import zipfile

import pytest
from scenes import PERFECT, model, robot, room

import understudy as us
from understudy.errors import ChangeRefused, FormatError, SceneError
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.tape import replay as replay_tape
from understudy.world.scene import Ball

HALL = """\
2D-Map
OriginLatLongAlt: 50 8 100
MapInfo: SectorType Name=Glass Sim.Obstacle=yes Sim.LaserReflect=0
Cairn: RobotHome -2000 1000 90 "" ICON "Home"
Cairn: Glass 0 0 0 "" ICON "pane" 2000 -1000 2100 1000
LINES
-5000 -5000 5000 -5000
5000 -5000 5000 5000
5000 5000 -5000 5000
-5000 5000 -5000 -5000
DATA
-3000 0
-3000 20
-3000 40
"""


@pytest.fixture
def hall(tmp_path):
    (tmp_path / "hall.map").write_text(HALL)
    return tmp_path / "hall.map"


@pytest.fixture
def sim():
    with Sim(room(robot(parts=model(noise=PERFECT)))) as made:
        yield made


def ahead(sim):
    return sim.robot("scout").read("front")[15]


def test_a_map_is_loaded_under_a_robot_that_drives_on(sim, hall):
    scout = sim.robot("scout")
    scout.drive(0.2)
    sim.run(1.0)
    pose = scout.pose
    sim.load_map(hall)
    assert scout.pose == pose
    sim.run(1.0)
    assert scout.pose.x_m == pytest.approx(pose.x_m + 0.2, abs=1e-3)
    assert ahead(sim) == pytest.approx(5.0 - scout.pose.x_m, abs=0.02)


def test_the_lasers_see_through_the_glass_that_robots_run_into(sim, hall):
    sim.load_map(hall)
    sim.robot("scout").drive(1.0)
    sim.run(5.0)
    assert sim.robot("scout").stalled
    assert sim.robot("scout").pose.x_m == pytest.approx(1.8, abs=1e-3)
    assert ahead(sim) > 3.0


def test_points_stop_a_robot_and_its_rays(sim, hall):
    sim.load_map(hall)
    sim.robot("scout").move_to(0.0, 0.02, math.pi)
    sim.robot("scout").drive(1.0)
    sim.run(5.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(-2.8, abs=0.01)
    assert ahead(sim) == pytest.approx(0.2, abs=0.01)


def test_marks_and_origin_are_those_of_the_new_map(sim, hall):
    sim.load_map(hall)
    assert [mark.tag.label for mark in sim.scene.marks] == ["Home"]
    assert sim.scene.origin.latitude_deg == 50.0


def test_there_is_no_gps_fix_in_a_sector_of_bad_gps(sim, tmp_path):
    sector = 'Cairn: BadGPSSector 0 0 90 "" ICON "" -1000 -1000 1000 1000'
    (tmp_path / "a.map").write_text(f"2D-Map\n{sector}\nDATA\n")
    fixes = []
    for load, x in ((False, 0.0), (True, 0.0), (True, 1.5)):
        sim.load_map(tmp_path / "a.map") if load else None
        sim.robot("scout").move_to(x, 0.0)
        sim.run(1.0)
        fixes.append(float(sim.robot("scout").read("gps")[5]))
    assert fixes == [1.0, 0.0, 1.0]


def test_a_loaded_map_is_on_the_tape(hall, tmp_path):
    with Sim(room()) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.run(0.2)
        sim.load_map(hall)
        sim.robot("scout").drive(0.3)
        sim.run(0.5)
        digest = sim.hash()
    hall.unlink()
    assert replay_tape(tmp_path / "a.tape").hash == digest


def test_a_run_on_a_loaded_map_is_saved_and_goes_on(sim, hall):
    sim.load_map(hall)
    sim.robot("scout").drive(0.3)
    sim.run(0.5)
    with us.restore(sim.save()) as copy:
        for it in (sim, copy):
            it.run(0.5)
        assert copy.hash() == sim.hash()
        assert copy.scene.marks == sim.scene.marks


def test_a_scene_of_ours_is_a_map_too_and_its_robots_do_not_come(sim, tmp_path):
    (tmp_path / "a.toml").write_text('schema = 1\nground.walled = true\n[[robot]]\nmodel = "scout"\nname = "other"\n')
    sim.load_map(tmp_path / "a.toml")
    assert [it.name for it in sim.robots] == ["scout"]


def test_an_invalid_map_leaves_the_world_as_it_is(sim, tmp_path):
    before = sim.scene
    (tmp_path / "bad.map").write_text("2D-Map\n")
    (tmp_path / "bad.toml").write_text("schema = 1\n[[wall]]\n")
    with pytest.raises(FormatError):
        sim.load_map(tmp_path / "bad.map")
    with pytest.raises(SceneError):
        sim.load_map(tmp_path / "bad.toml")
    with pytest.raises(FormatError, match="cannot be read"):
        sim.load_map(tmp_path / "gone.map")
    assert sim.scene == before


def test_a_map_whose_thing_is_called_like_a_robot_is_refused(sim, tmp_path):
    (tmp_path / "a.toml").write_text('schema = 1\n[[ball]]\nname = "scout"\n')
    with pytest.raises(ChangeRefused, match="'scout' is a robot here and a thing on the map"):
        sim.load_map(tmp_path / "a.toml")
    assert Ball("scout") not in sim.scene.balls


# ---- loading with robots


def test_robots_are_put_where_the_map_says_one_below_the_other(hall):
    with us.load(hall, robots=["p3dx", "scout:second"]) as sim:
        assert [it.name for it in sim.robots] == ["p3dx-1", "second"]
        places = [(round(it.pose.x_m, 9), round(it.pose.y_m, 9)) for it in sim.robots]
        assert places == [(-2.0, 1.0), (-2.0, 0.0)]
        assert sim.robots[0].pose.heading_rad == pytest.approx(math.pi / 2)


def test_a_robot_whose_start_is_not_free_is_put_there_all_the_same(tmp_path, caplog):
    (tmp_path / "a.map").write_text("2D-Map\nDATA\n100 50\n")
    with us.load(tmp_path / "a.map", robots=["scout"]) as sim:
        sim.robots[0].drive(-0.5)
        sim.run(1.0)
        assert sim.robots[0].pose.x_m < -0.2
    assert caplog.messages == ["scout-1 starts inside wall-1; move one of them"]


def test_robots_can_be_added_to_a_scene_of_ours(tmp_path):
    (tmp_path / "a.toml").write_text('schema = 1\n[[robot]]\nmodel = "scout"\nx_m = 3\n')
    with us.load(tmp_path / "a.toml", robots=["scout"]) as sim:
        assert [(it.name, it.pose.x_m) for it in sim.robots] == [("scout-1", 3.0), ("scout-2", 0.0)]


def test_an_unknown_robot_is_reported_with_the_nearest(hall):
    with pytest.raises(SceneError, match=r"robot\[0\].model: no such robot 'p3dy' \(did you mean"):
        us.load(hall, robots=["p3dy"])


def test_warnings_of_a_map_are_logged(tmp_path, caplog):
    (tmp_path / "a.map").write_text("2D-Map\nDATA\n" + "x\n" * 30)
    us.load(tmp_path / "a.map").close()
    assert caplog.messages[0].endswith("a.map:3: not a point: 'x' (want x y)")
    assert (len(caplog.messages), caplog.messages[-1]) == (21, "... and 10 more")


def test_a_map_is_checked_without_running_it(hall):
    assert us.check(hall) == ()


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
def test_the_pictures_and_meshes_of_a_map_come_along_with_it(tmp_path, packed):
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    other = mesh.replace("v 1 0 0", "v 2 0 0")
    scene = 'schema = 1\nengine = "rigid"\n[[object]]\nname = "thing"\nkind = "mesh"\nfile = "thing.obj"\nx_m = 3\n'
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "thing.obj").write_text(mesh)
    (tmp_path / "start" / "start.toml").write_text(f'{scene}[[robot]]\nname = "scout"\nmodel = "scout"\n')
    (tmp_path / "thing.obj").write_text(other)
    (tmp_path / "next.toml").write_text(scene)
    path = tmp_path / "next.toml"
    if packed:
        with zipfile.ZipFile(tmp_path / "next.zip", "w") as archive:
            archive.writestr("next.toml", scene)
            archive.writestr("thing.obj", other)
        path = tmp_path / "next.zip"
    with us.load(tmp_path / "start" / "start.toml") as sim:
        sim.load_map(path)
        (thing,) = sim.scene.objects
        assert sim.current.files[thing.shape.file] == other.encode()
        with us.restore(sim.save()) as restored:
            assert restored.current.files[thing.shape.file] == other.encode()
