"""`.sear` files as scenes."""

import io
import zipfile

import pytest
from contracts.format_contract import check_format

from understudy import api, formats
from understudy.errors import FormatError
from understudy.formats.sear import kinds, pictures, project_file, xml_object
from understudy.formats.sear.kinds import KINDS, made
from understudy.sim.vocabulary import vocabulary

BOX = (
    '<box name="crate"><length>1</length><width>2</width><height>3</height><mass>0</mass>'
    '<move x="4" y="1.5" z="0"/></box>'
)
TREE = '<model name="tree"><file>models/Tree/Tree.mesh.xml</file><move x="3" y="0" z="1"/></model>'
ROBOT = """<robot name="my Roomba">
  <wheel name="l"><radius>0.04</radius><width>0.02</width><driven>true</driven><move x="0.13" y="0" z="0"/></wheel>
  <wheel name="r"><radius>0.04</radius><width>0.02</width><driven>1</driven><move x="-0.13" y="0" z="0"/></wheel>
</robot>"""
PING = '<distance name="Ping 1"><beam angle="20" range="1"/><beam angle="8" range="2" lines="5" left="10"/></distance>'
FILES = {"environment/crate.xml": BOX, "environment/tree.xml": TREE, "robot/r.xml": ROBOT, "robot/ping.xml": PING}


def packed(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


def scene_of(files):
    return project_file.parse(packed(files), "x.sear", vocabulary()).scene


def test_the_format_keeps_the_contract():
    check_format(project_file, vocabulary(), {"room.sear": packed(FILES)})


def test_the_format_is_detected_by_content():
    assert formats.FORMATS["sear"] is project_file
    assert project_file.sniff(packed(FILES), "renamed.zip")
    assert not project_file.sniff(packed({"scene.toml": "schema = 1"}), "scene.zip")


def test_an_archive_may_hold_one_folder_with_the_project():
    inner = {f"SEARproject/{name}": text for name, text in FILES.items()}
    assert scene_of(inner) == scene_of(FILES)


def test_a_scene_has_the_projects_objects_and_robots():
    scene = scene_of(FILES)
    assert [thing.name for thing in scene.objects] == ["crate", "tree"]
    assert [(robot.name, robot.label) for robot in scene.robots] == [("my-Roomba", "my Roomba")]
    assert scene.engine == "rigid"


def test_nested_cones_become_lobes():
    lobes = scene_of(FILES).robots[0].overrides["device"]["Ping-1"]["lobes"]
    assert [round(lobe["width_rad"], 6) for lobe in lobes] == [0.698132, 0.279253]
    assert lobes[1] | {"width_rad": 0} == {"width_rad": 0, "max_m": 2.0, "rays": 5, "yaw_rad": pytest.approx(0.1745329)}


def test_a_missing_picture_is_reported_and_the_default_is_used():
    files = {"environment/b.xml": BOX.replace("</box>", "<picture>./wood.jpg</picture></box>")}
    document = project_file.parse(packed(files), "x.sear", vocabulary())
    assert "wood.jpg" in str(document.warnings[0])
    assert document.scene.objects[0].picture == pictures.CARDBOARD
    assert document.files[pictures.CARDBOARD].startswith(b"\x89PNG")


def test_a_picture_of_the_project_is_used_under_the_names_that_users_write():
    picture = pictures.content(pictures.BIN)
    box = BOX.replace("</box>", "<picture>./wood.png</picture></box>")
    files = {"environment/b.xml": box, "assets/wood.png": picture}
    document = project_file.parse(packed(files), "x.sear", vocabulary())
    assert (document.scene.objects[0].picture, document.warnings) == ("wood.png", ())


@pytest.mark.parametrize("name", [*pictures.DEFAULTS.values(), pictures.LEAVES])
def test_default_pictures_are_pictures(name):
    from PIL import Image

    with Image.open(io.BytesIO(pictures.content(name))) as picture:
        assert picture.size == (64, 64)
        assert len(picture.getcolors(10_000)) > 2


def test_the_tree_is_a_closed_mesh_of_two_convex_parts():
    from understudy.assets import convex
    from understudy.assets.meshes import ogre_mesh
    from understudy.world.triangles import joined

    found = ogre_mesh.nodes(pictures.content(pictures.TREE), "Tree.mesh.xml", {})
    body = joined([part for node in found if (part := node.placed())])
    parts = convex.separate(body)
    assert len(parts) == 2
    assert all(part.convex for part in parts)
    assert max(body.vertices.max(axis=0)) == pytest.approx(3.0)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_object_is_written_and_read_back(kind):
    sheet = KINDS[kind].values
    values = {value.name: value.default for value in sheet if value.default not in (None, ())}
    missing = {value.name: 1.5 if value.sort == "number" else "a&b" for value in sheet if value.default is None}
    entry = made(kind, 'a "quoted" <name>', values | missing)
    text = xml_object.write(entry)
    found = xml_object.read(text.encode(), "a.xml")
    assert (found.name, dict(found.values)) == (entry.name, dict(entry.values))
    assert xml_object.write(found) == text


def test_errors_name_file_and_line():
    text = '<box name="b">\n<length>1</length>\n<width>x</width>\n</box>'
    with pytest.raises(FormatError, match=r"b\.xml:3: width: want a number, got 'x'"):
        xml_object.read(text.encode(), "b.xml")


def test_every_value_has_a_description_for_the_documentation():
    assert [f"{kind}.{v.name}" for kind, sheet in KINDS.items() for v in sheet.values if not v.doc] == []


def test_a_scene_of_a_project_runs_on_both_engines(tmp_path):
    (tmp_path / "x.sear").write_bytes(packed({key: FILES[key] for key in FILES if "tree" not in key}))
    for engine in ("planar", "rigid"):
        with api.load(tmp_path / "x.sear", engine=engine) as sim:
            sim.robot("my-Roomba").drive(0.2)
            sim.run(1.0)
            assert sim.robot("my-Roomba").pose.x_m == pytest.approx(0.2, abs=0.02)


def test_a_converted_project_is_the_same_scene(tmp_path):
    from understudy.cli import main

    (tmp_path / "x.sear").write_bytes(packed({key: FILES[key] for key in FILES if "robot/" in key}))
    assert main(["convert", str(tmp_path / "x.sear"), str(tmp_path / "x.toml")]) == 0
    assert main(["check", str(tmp_path / "x.toml")]) == 0


def test_finite_refuses_what_is_not_a_number():
    for wrong in (float("nan"), float("inf"), True, "1", None, 10**400):
        with pytest.raises(FormatError):
            kinds.finite(wrong, "x")
