"""What robots of URDF, glTF and robot files look like: shapes, places and colours, which nothing but eyes notices."""

import math

import numpy as np
import pytest
from formats.urdf.test_urdf import TURTLE
from meshes import box, glb, stl
from test_node_tree import CUBE, ROBOT

import understudy as us
from understudy.assets.files import contents
from understudy.errors import SceneError
from understudy.formats import robot_parts
from understudy.formats.convert import convert
from understudy.formats.mesh import node_tree
from understudy.formats.native import scene_file
from understudy.formats.urdf import robot_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.shapes import Box, Mesh, Sphere

VISUAL = '<visual><origin xyz="{at}" rpy="{turn}"/><geometry>{form}</geometry>{material}</visual>'
BLUE = '<material name="sky"><color rgba="0 0 1 1"/></material>'


def looks(*visuals, link="base", more="", folder=None):
    """Return the looks of the turtle with these visual elements in a link, and what was left out."""
    text = TURTLE.replace(f'<link name="{link}">', f'<link name="{link}">' + "".join(visuals))
    found = robot_file.robot(text.replace("</robot>", more + "</robot>"), "turtle.urdf", folder)
    return found.table.get("look", {}), [note.text for note in found.lost]


def visual(form, at="0 0 0", turn="0 0 0", material=""):
    return VISUAL.format(form=form, at=at, turn=turn, material=material)


@pytest.fixture
def folder(tmp_path):
    """A folder of robots beside one of meshes."""
    (tmp_path / "robots").mkdir()
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "hull.stl").write_bytes(stl(box((400.0, 200.0, 100.0))))
    return tmp_path


# ---- URDF


def test_a_robot_without_visual_elements_has_no_looks_but_those():
    assert list(looks()[0]) == ["scan"]


def test_a_box_stands_where_its_middle_was():
    look = looks(visual('<box size="0.2 0.1 0.4"/>', at="0.1 0 0.5"))[0]["base"]
    assert look["shape"] == {"kind": "box", "size_m": [0.2, 0.1, 0.4]}
    assert look["mount"] == pytest.approx({"z_m": 0.5 - 0.2 + 0.01})  # seen from the wheels, on the ground


def test_a_cylinder_that_lies_keeps_its_middle():
    form, roll = '<cylinder radius="0.1" length="0.4"/>', math.pi / 2
    mount = looks(visual(form, at="0.1 0 0.3", turn=f"{roll} 0 0"))[0]["base"]["mount"]
    assert mount == pytest.approx({"y_m": 0.2, "z_m": 0.31, "roll_rad": roll}, abs=1e-5)


@pytest.mark.parametrize(
    ("material", "more", "colour"),
    [
        (BLUE, "", "#0000ff"),
        ('<material name="lawn"/>', '<material name="lawn"><color rgba="0 0.5 0 1"/></material>', "#008000"),
        ("", '<gazebo reference="base"><material>Gazebo/Orange</material></gazebo>', "#ffa500"),
        ('<material name="nobody knows it"/>', "", None),
    ],
)
def test_a_colour_is_that_of_the_material_wherever_it_is_defined(material, more, colour):
    found, _ = looks(visual('<sphere radius="0.1"/>', material=material), more=more)
    assert found["base"].get("colour") == colour


def test_what_is_clear_as_air_is_left_out():
    clear = '<material name="air"><color rgba="1 1 1 0"/></material>'
    assert "base" not in looks(visual('<sphere radius="0.1"/>', material=clear))[0]


def test_a_wheel_and_what_is_fixed_to_it_turn_together():
    cap = (
        '<joint name="cap" type="fixed"><parent link="left_wheel"/><child link="hub"/></joint>'
        f'<link name="hub">{visual("""<sphere radius="0.02"/>""")}</link>'
    )
    found, _ = looks(visual('<sphere radius="0.1"/>'), link="left_wheel", more=cap)
    assert {name: look.get("wheel") for name, look in found.items()} == {
        "left_wheel": "left_wheel", "hub": "left_wheel", "scan": None
    }  # fmt: skip


def test_several_visual_elements_of_a_link_have_names_of_their_own():
    assert {"base", "base-2"} <= set(looks(*[visual('<sphere radius="0.1"/>')] * 2)[0])


def test_a_mesh_is_named_as_it_is_found_from_the_robots_folder(folder):
    form = '<mesh filename="package://turtle/meshes/hull.stl" scale="0.001 0.001 0.001"/>'
    look = looks(visual(form), folder=folder / "robots")[0]["base"]
    assert look["shape"] == {"kind": "mesh", "file": "../meshes/hull.stl", "scale": 0.001}


def test_a_mesh_may_be_mirrored_and_stretched(folder):
    look = looks(visual('<mesh filename="meshes/hull.stl" scale="1 -1 2"/>'), folder=folder)[0]["base"]
    assert look["stretch"] == [1.0, -1.0, 2.0]


def test_a_mesh_that_is_not_there_is_left_out_and_that_is_said_once(folder):
    found, lost = looks(visual('<mesh filename="gone.dae"/>'), folder=folder)
    assert "base" not in found
    assert [text for text in lost if "gone.dae" in text] == ["the mesh 'gone.dae' was not found; it is left out"]


def test_looks_change_nothing_of_body_wheels_and_mass(folder):
    plain = robot_file.robot(TURTLE, "turtle.urdf").table
    text = TURTLE.replace('<link name="base">', '<link name="base">' + visual('<box size="9 9 9"/>'))
    with_looks = robot_file.robot(text, "turtle.urdf").table
    assert {**with_looks, "look": 0} == {**plain, "look": 0}


# ---- glTF


def test_nodes_of_a_robot_are_its_looks_and_wheels_turn():
    table = node_tree.parse(glb(CUBE, ROBOT), "a.glb", vocabulary()).scene.robots[0].overrides
    assert {name: look.get("wheel") for name, look in table["look"].items()} == {
        "body": None, "wheel_left": "wheel_left", "wheel_right": "wheel_right", "castor": None
    }  # fmt: skip
    assert table["look"]["body"]["shape"] == {"kind": "mesh", "file": "a.glb", "node": "body"}
    assert table["look"]["wheel_left"]["mount"]["y_m"] == pytest.approx(0.25)


# ---- files


def resolved(folder, text):
    (folder / "scene.toml").write_text(text)
    words = vocabulary()
    return scene_file.resolve(scene_file.parse(text, "scene.toml", words, folder), words)


def test_files_of_a_robot_in_another_folder_are_found_from_the_scene(folder):
    form = '<mesh filename="meshes/hull.stl"/>'
    (folder / "robots" / "turtle.urdf").write_text(
        TURTLE.replace('<link name="base">', f'<link name="base">{visual(form)}')
    )
    scene = resolved(folder, 'schema = 1\n[[robot]]\nmodel = "robots/turtle.urdf"\n')
    assert list(contents(scene, folder)) == ["robots/../meshes/hull.stl"]


def test_files_of_an_included_scene_are_found_from_the_one_that_includes_it(folder):
    (folder / "robots" / "part.toml").write_text(
        'schema = 1\n[[robot]]\nmodel = "scout"\nlook.hull.shape = {kind = "mesh", file = "../meshes/hull.stl"}\n'
    )
    scene = resolved(folder, 'schema = 1\ninclude = ["robots/part.toml"]\n')
    assert list(contents(scene, folder)) == ["robots/../meshes/hull.stl"]


def test_looks_stand_in_a_robot_file_of_our_own(folder):
    (folder / "robots" / "mine.toml").write_text(
        '[robot]\nlike = "scout"\n[look]\nbody = false\n[look.hull]\nshape = {kind = "mesh", file = "hull.stl"}\n'
        '[look.eye]\nshape = {kind = "sphere", radius_m = 0.05}\nmount = {z_m = 0.3}\ncolour = "#ff0000"\n'
    )
    (robot,) = resolved(folder, 'schema = 1\n[[robot]]\nmodel = "robots/mine.toml"\n').robots
    hull, eye = robot.built.looks
    assert hull.shape == Mesh("robots/hull.stl")
    assert (eye.shape, eye.colour, eye.mount.z_m) == (Sphere(0.05), "#ff0000", 0.3)


def test_a_look_on_a_wheel_that_is_not_there_is_refused_with_its_line(folder):
    shape = '{kind = "sphere", radius_m = 1}'
    text = f'schema = 1\n[[robot]]\nmodel = "scout"\n[robot.look.tyre]\nshape = {shape}\nwheel = "left"\n'
    with pytest.raises(SceneError, match=r"scene\.toml:6: robot\[0\]\.look\.tyre\.wheel: no such wheel"):
        resolved(folder, text)


def test_looks_are_written_and_read_back(folder):
    look = '{shape = {kind = "box", size_m = [1, 1, 1]}, mount = {z_m = 0.5}}'
    scene = resolved(folder, f'schema = 1\n[[robot]]\nmodel = "scout"\nlook.body = false\nlook.hat = {look}\n')
    (robot,) = us.load_text(scene_file.write(scene)).start.robots
    assert (robot.built.looks[0].shape, robot.built.looks[0].mount.z_m) == (Box((1.0, 1.0, 1.0)), 0.5)


def test_a_robot_that_is_converted_into_another_folder_finds_its_meshes(folder):
    form = '<mesh filename="meshes/hull.stl"/>'
    text = TURTLE.replace('<link name="base">', f'<link name="base">{visual(form)}')
    (folder / "turtle.urdf").write_text(text)
    convert(folder / "turtle.urdf", folder / "robots" / "turtle.toml", vocabulary())
    with us.load(folder / "robots" / "turtle.toml") as sim:
        assert list(sim.files) == ["../meshes/hull.stl"]


# ---- places


@pytest.mark.parametrize("pitch", [0.0, 0.3, math.pi / 2, -math.pi / 2])
def test_a_mount_is_the_place_that_it_was_made_of_also_straight_up(pitch):
    from understudy.formats.urdf.shapes import turn_of

    place = np.eye(4)
    place[:3, :3] = turn_of(0.4, pitch, -1.1)
    made = robot_parts.mount(place)
    again = turn_of(*(made.get(f"{word}_rad", 0.0) for word in ("roll", "pitch", "yaw")))
    assert again == pytest.approx(place[:3, :3], abs=1e-5)
