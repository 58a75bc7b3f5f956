"""Scenes and robots from trees of named nodes: glTF, Ogre scenes, archives, Blender files."""

import io
import math
import stat
import sys
import zipfile

import numpy as np
import pytest
from contracts.format_contract import check_format
from meshes import box, glb, ogre

from understudy.assets import archive
from understudy.assets.library import Library
from understudy.assets.meshes import mesh
from understudy.errors import FormatError, UnderstudyError
from understudy.formats.mesh import node_tree
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.shapes import Mesh

CUBE = box((1.0, 1.0, 1.0))


def node(name, at=(0.0, 0.0, 0.0), size=None, **extra):
    """Return a node of glTF, which has y up."""
    body = {} if size is None else {"mesh": 0, "scale": list(size)}
    return {"name": name, "translation": list(at), **body, **extra}


ROBOT = [
    node("body", (0.0, 0.15, 0.0), (0.4, 0.2, 0.6)),
    node("wheel_left", (0.25, 0.1, 0.0), (0.05, 0.2, 0.2)),
    node("wheel_right", (-0.25, 0.1, 0.0), (0.05, 0.2, 0.2)),
    node("castor", (0.0, 0.05, -0.25), (0.1, 0.1, 0.1)),
    node("laser", (0.0, 0.3, 0.2)),
    node("ping2", (0.1, 0.2, 0.3), rotation=[0.0, math.sin(math.pi / 8), 0.0, math.cos(math.pi / 8)]),
]
ROOM = [
    node("floor", (0.0, -0.05, 0.0), (8.0, 0.0001, 6.0)),
    node("table", (2.0, 0.5, -1.0), (1.0, 1.0, 2.0)),
    node("something"),
    node("group", children=[4]),
    node("chair", (0.0, 0.5, 2.0), (0.5, 1.0, 0.5)),
]


def scene_of(nodes, file="a.glb"):
    return node_tree.parse(glb(CUBE, nodes), file, vocabulary())


def test_nodes_become_a_robot_that_drives_along_z_of_the_file():
    (robot,) = scene_of(ROBOT).scene.robots
    table = robot.overrides
    assert (robot.place.x_m, robot.place.y_m, robot.place.z_m) == (0.0, 0.0, 0.0)
    assert robot.place.heading_rad == pytest.approx(-math.pi / 2)
    assert table["drive"] == {
        "kind": "differential",
        "track_m": 0.5,
        "wheel_radius_m": pytest.approx(0.1),
    }
    assert table["wheel"]["wheel_left"]["y_m"] == 0.25
    assert (table["castor"]["castor"]["x_m"], table["castor"]["castor"]["radius_m"]) == (-0.25, 0.05)
    assert table["body"]["height_m"] == pytest.approx(0.25)


def test_nodes_named_as_sensors_become_those_sensors_where_they_are():
    devices = scene_of(ROBOT).scene.robots[0].overrides["device"]
    assert devices["laser"]["kind"] == "laser"
    assert devices["laser"]["mount"] == pytest.approx({"x_m": 0.2, "z_m": 0.3}, abs=1e-5)
    assert devices["ping2"]["model"] == "ping"
    assert devices["ping2"]["mount"]["yaw_rad"] == pytest.approx(math.pi / 4, abs=1e-5)
    assert devices["ping2"]["mount"]["y_m"] == pytest.approx(0.1)


def test_such_a_robot_is_whole(tmp_path):
    (tmp_path / "robot.glb").write_bytes(glb(CUBE, ROBOT))
    words = vocabulary()
    document = node_tree.parse(glb(CUBE, ROBOT), "robot.glb", words, tmp_path)
    (robot,) = scene_file.resolve(document, words).robots
    assert {device.name for device in robot.built.devices} == {"laser", "ping2"}
    assert len(robot.built.wheels) == 2


def test_the_rest_becomes_ground_and_obstacles_and_a_report_says_so():
    document = scene_of(ROOM)
    scene = document.scene
    assert scene.ground.size_m == pytest.approx((8.0, 6.0))
    assert [solid.name for solid in scene.objects] == ["table", "chair"]
    table = scene.objects[0]
    assert (table.pose.x_m, table.pose.y_m, table.pose.z_m) == pytest.approx((2.0, 1.0, 0.5))
    assert (table.pose.roll_rad, table.pose.pitch_rad, table.pose.heading_rad) == (0.0, 0.0, 0.0)
    assert table.colour == "#ff0000"
    assert [str(note) for note in document.became] == [
        "a.glb: node 'floor' became the ground",
        "a.glb: node 'table' became an obstacle",
        "a.glb: node 'group' became nothing; it only groups other nodes",
        "a.glb: node 'chair' became an obstacle",
    ]
    assert [str(note) for note in document.warnings] == [
        "a.glb: node 'something' is empty and not named after a sensor; it is left out"
    ]


def test_an_obstacle_is_where_its_node_is():
    scene, data = scene_of(ROOM).scene, glb(CUBE, ROOM)
    table = scene.objects[0]
    body = Library({"a.glb": data}).mesh(table.shape)
    assert body.bounds_m[1] == pytest.approx([0.5, 1.0, 0.5])
    whole = mesh.nodes(data, "a.glb")
    placed = next(n for n in whole if n.name == "table").placed()
    assert placed.centre_m == pytest.approx([2.0, 1.0, 0.5])


def test_ground_that_is_not_flat_is_terrain():
    scene = scene_of([node("terrain", (1.0, 0.0, 0.0), (8.0, 2.0, 6.0), rotation=[0.0, 0.0, 0.1, 0.995])]).scene
    assert scene.engine == "rigid"
    assert scene.ground.heights.node == "terrain"
    made = Library({"a.glb": glb(CUBE, [node("terrain", (1.0, 0.0, 0.0), (8.0, 2.0, 6.0))])})
    terrain = made.terrain(scene.ground)
    assert terrain.center_m == pytest.approx((scene.ground.center_m[0], 0.0), abs=1e-6)
    assert terrain.height_m(1.0, 0.0) == pytest.approx(1.0)


# ---- Ogre scenes

SCENE = b"""<scene formatVersion="1.0"><nodes>
<node name="table"><position x="2" y="0.5" z="-1"/>
<rotation qw="0.7071067811865476" qx="0" qy="0.7071067811865476" qz="0"/>
<scale x="1" y="1" z="2"/><entity name="table" meshFile="cube.mesh"/>
<node name="lamp"><position x="0" y="1" z="0"/></node></node>
</nodes></scene>"""
BESIDE = {"cube.mesh.xml": ogre(CUBE), "cube.material": b"material Red { technique { pass { diffuse 0 1 0 1\n} } }"}


def test_an_ogre_scene_has_its_nodes_where_they_are():
    table, lamp = mesh.nodes(SCENE, "a.scene", BESIDE)
    low, high = table.placed().bounds_m
    assert high - low == pytest.approx([2.0, 1.0, 1.0])
    assert (low + high) / 2 == pytest.approx([2.0, 1.0, 0.5])
    assert (table.triangles.colours == [0, 255, 0]).all()
    assert (lamp.matrix[:3, 3], lamp.parent) == (pytest.approx([2.0, 1.0, 1.5]), "table")


def test_the_meshes_of_an_ogre_scene_are_found_beside_it(tmp_path):
    for name, data in {**BESIDE, "a.scene": SCENE}.items():
        (tmp_path / name).write_bytes(data)
    document = node_tree.parse(SCENE, "a.scene", vocabulary(), tmp_path)
    (table,) = document.scene.objects
    assert (table.name, table.pose.heading_rad) == ("table", pytest.approx(math.pi / 2))
    words = vocabulary()
    assert scene_file.resolve(document, words).objects[0].shape == Mesh("a.scene", node="table")


def test_a_mesh_that_is_not_there_or_not_text_is_named_with_its_line():
    with pytest.raises(
        FormatError, match=r"a\.scene:4: the mesh 'cube\.mesh' is not next to the scene; convert it with"
    ):
        mesh.nodes(SCENE, "a.scene", {})
    with pytest.raises(FormatError, match="is in Ogre's binary format"):
        mesh.nodes(SCENE, "a.scene", {"cube.mesh": b"\x00\x10[MeshSerializer_v1.8]"})


# ---- archives


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


def test_a_zipped_scene_is_read_with_what_is_beside_it():
    data = zipped({"room/a.scene": SCENE, **{f"room/{name}": data for name, data in BESIDE.items()}})
    scene = node_tree.parse(data, "room.zip", vocabulary()).scene
    assert scene.objects[0].shape == Mesh("room.zip", node="table")
    assert Library({"room.zip": data}).mesh(scene.objects[0].shape).volume_m3 == pytest.approx(2.0)


def test_an_archive_that_grows_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 1_000_000)
    bomb = zipped({"a.scene": bytes(3_000_000)})
    assert len(bomb) < 10_000
    with pytest.raises(FormatError, match=r"room\.zip: too large when unpacked \(at most 1,000,000 bytes\)"):
        mesh.nodes(bomb, "room.zip")
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    with pytest.raises(FormatError, match="the archive has too many files: 4"):
        mesh.nodes(zipped({f"{n}.obj": b"" for n in range(4)}), "room.zip")


def test_a_damaged_or_empty_archive_is_refused():
    good = zipped({"a.scene": SCENE})
    for data in (good[:50], good[: len(good) // 2], zipped({"readme.txt": b"hello"})):
        with pytest.raises(FormatError, match=r"^room\.zip: "):
            mesh.nodes(data, "room.zip")


# ---- Blender


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Blender is a script")
def test_an_installed_blender_converts_its_files(tmp_path, monkeypatch):
    (tmp_path / "made.glb").write_bytes(glb(CUBE, ROOM))
    stand_in = tmp_path / "blender"
    stand_in.write_text(
        f"#!{sys.executable}\nimport re, shutil, sys\n"
        "assert '--disable-autoexec' in sys.argv and '--background' in sys.argv\n"
        "target = re.search(r\"filepath='([^']*)'\", sys.argv[-1])[1]\n"
        f"shutil.copy({str(tmp_path / 'made.glb')!r}, target)\n"
    )
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    scene = node_tree.parse(b"BLENDER-v402RENDH", "room.blend", vocabulary()).scene
    assert [solid.name for solid in scene.objects] == ["table", "chair"]


# ---- the contract


def test_files_of_nodes_keep_the_contract():
    check_format(node_tree, vocabulary(), {"a.glb": glb(CUBE, ROBOT + ROOM[1:2])})


def test_damaged_scenes_are_refused_or_read():
    dice = np.random.default_rng(1)
    for _ in range(60):
        data = bytearray(SCENE)
        data[dice.integers(len(data))] = dice.integers(256)
        try:
            mesh.nodes(bytes(data), "a.scene", BESIDE)
        except UnderstudyError as problem:
            text = str(problem)
            assert text.startswith(("a.scene", "cube.mesh"))
