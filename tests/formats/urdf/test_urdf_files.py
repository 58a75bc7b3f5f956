"""Where the files of URDF robots are found: packages above, beside and in the environment; xacro files."""

import os
import sys

import pytest
from meshes import box, stl

from understudy import load
from understudy.assets import fence
from understudy.errors import FormatError, SceneError
from understudy.formats.native import scene_file
from understudy.formats.urdf import robot_file
from understudy.sim.vocabulary import vocabulary

HULL = stl(box((0.4, 0.2, 0.1)))
OTHER = stl(box((1.0, 1.0, 1.0)))
TEXT = """<robot name="r"><link name="base"><collision><geometry>
<mesh filename="{name}"/></geometry></collision><inertial><mass value="1"/></inertial></link></robot>"""
URL = "package://parts/meshes/hull.stl"


def put(path, data=HULL):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def found(folder, name=URL):
    folder.mkdir(parents=True, exist_ok=True)
    return robot_file.robot(TEXT.format(name=name), "r.urdf", folder)


def is_hull(made):
    """Say whether it is the mesh that was meant, and no other."""
    points = made.table["body"].get("points_m", ())
    return not made.lost and sorted(points) == [[-0.2, -0.1], [-0.2, 0.1], [0.2, -0.1], [0.2, 0.1]]


# ---- packages


@pytest.mark.parametrize(
    "place",
    [
        "ws/src/parts/meshes/hull.stl",  # beside the robot's package
        "ws/src/group/parts/meshes/hull.stl",  # in another repository
        "ws/parts/meshes/hull.stl",  # beside a folder above
        "ws/src/robot/parts/meshes/hull.stl",  # in the robot's package
    ],
)
def test_a_package_is_found_above_and_beside_the_robot(tmp_path, place):
    put(tmp_path / place)
    assert is_hull(found(tmp_path / "ws/src/robot/urdf"))


def test_a_package_may_have_another_name_than_its_folder(tmp_path):
    put(tmp_path / "src/parts-master/meshes/hull.stl")
    (tmp_path / "src/parts-master/package.xml").write_text("<package><name>parts</name></package>")
    assert is_hull(found(tmp_path / "src/robot/urdf"))


@pytest.mark.parametrize(("variable", "below"), [("ROS_PACKAGE_PATH", ""), ("AMENT_PREFIX_PATH", "share")])
def test_a_package_is_found_where_the_environment_says(tmp_path, monkeypatch, variable, below):
    put(tmp_path / "elsewhere" / below / "parts/meshes/hull.stl")
    monkeypatch.setenv(variable, os.pathsep.join(["/nowhere", str(tmp_path / "elsewhere")]))
    assert is_hull(found(tmp_path / "a/b/c/d/e/f/g/h"))


def test_the_mesh_of_the_named_package_comes_before_one_of_the_same_name_nearby(tmp_path):
    put(tmp_path / "src/parts/meshes/hull.stl")
    put(tmp_path / "src/robot/meshes/hull.stl", OTHER)
    assert is_hull(found(tmp_path / "src/robot/urdf"))


@pytest.mark.parametrize("name", ["package://parts/../secret.stl", "package://../secret.stl", "../../secret.stl"])
def test_a_name_that_climbs_out_of_its_package_finds_nothing(tmp_path, name):
    put(tmp_path / "secret.stl")
    put(tmp_path / "src/parts/meshes/hull.stl")
    assert "was not found" in found(tmp_path / "src/robot/urdf", name).lost[0].text


def test_behind_a_fence_no_package_is_looked_for_outside(tmp_path):
    put(tmp_path / "parts/meshes/hull.stl")
    (tmp_path / "upload").mkdir()
    with fence.within([tmp_path / "upload"]):
        assert "was not found" in found(tmp_path / "upload").lost[0].text


# ---- xacro

XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="$(find parts)/side.xacro"/>
<xacro:property name="half" value="0.2"/>
<link name="base"><collision><geometry><box size="${2 * half} ${half} 0.1"/></geometry></collision></link>
<xacro:side name="left" y="${half}"/>
</robot>"""
SIDE = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="side" params="name y">
<link name="${name}"/><joint name="${name}_joint" type="fixed"><parent link="base"/><child link="${name}"/>
<origin xyz="0 ${y} 0"/></joint></xacro:macro></robot>"""


def test_without_the_package_a_xacro_file_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacro", None)
    (tmp_path / "r.urdf.xacro").write_text(XACRO)
    with pytest.raises(FormatError, match=r"r\.urdf\.xacro: .* pip install 'understudy\[xacro\]'"):
        load(tmp_path / "r.urdf.xacro")


def test_a_xacro_file_that_is_not_called_so_is_not_run(tmp_path):
    (tmp_path / "r.urdf").write_text(XACRO)
    with pytest.raises(FormatError, match=r"a xacro file is a program; rename it to \*\.xacro if you trust it"):
        load(tmp_path / "r.urdf")


def test_a_file_that_xacro_has_made_is_a_urdf_file(tmp_path):
    put(tmp_path / "hull.stl")
    text = TEXT.format(name="hull.stl").replace("</robot>", "<!-- <xacro:property name='a' value='${b}'/> --></robot>")
    assert robot_file.robot(text, "r.urdf", tmp_path).table["drive"]["kind"] == "none"


def test_a_xacro_file_from_elsewhere_is_not_run(tmp_path):
    (tmp_path / "r.xacro").write_text(XACRO)
    with fence.within([tmp_path]), pytest.raises(FormatError, match="a program and is not run in this context"):
        robot_file.robot(XACRO, "r.xacro", tmp_path)


@pytest.fixture
def xacro():
    """Return the package that expands; it is one of those for development."""
    return pytest.importorskip("xacro")


def test_a_xacro_file_is_expanded_with_its_includes(tmp_path, xacro):
    put(tmp_path / "parts/side.xacro", SIDE.encode())
    put(tmp_path / "robot/r.urdf.xacro", XACRO.encode())
    made = robot_file.robot(XACRO, "r.urdf.xacro", tmp_path / "robot")
    assert made.table["body"]["points_m"][0] == [-0.2, -0.1]
    assert "link 'left' became nothing (no geometry)" in [note.text for note in made.became]


def test_a_scene_may_name_a_xacro_file_as_its_robot(tmp_path, xacro):
    put(tmp_path / "parts/side.xacro", SIDE.encode())
    put(tmp_path / "r.urdf.xacro", XACRO.encode())
    words, text = vocabulary(), 'schema = 1\n[[robot]]\nmodel = "r.urdf.xacro"\n'
    (robot,) = scene_file.resolve(scene_file.parse(text, "s.toml", words, tmp_path), words).robots
    assert robot.name == "r-1"


def test_a_package_that_is_missing_is_named(tmp_path, xacro):
    put(tmp_path / "r.xacro", XACRO.replace("find parts", "find lost-parts").encode())
    with pytest.raises(FormatError, match=r"r\.xacro: xacro failed: .*no such package"):
        robot_file.robot(XACRO, "r.xacro", tmp_path)


def test_an_error_in_a_xacro_file_of_a_scene_is_reported(tmp_path, xacro):
    put(tmp_path / "r.xacro", XACRO.replace("2 * half", "2 * hale").encode())
    put(tmp_path / "parts/side.xacro", SIDE.encode())
    words, text = vocabulary(), 'schema = 1\n[[robot]]\nmodel = "r.xacro"\n'
    with pytest.raises(SceneError, match=r"r\.xacro: xacro failed: .*hale"):
        scene_file.resolve(scene_file.parse(text, "s.toml", words, tmp_path), words)
