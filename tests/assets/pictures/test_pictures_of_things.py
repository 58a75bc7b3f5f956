"""Pictures that scene files put on walls and things, and those that meshes bring along: checked, kept, reported."""

import io
import math
import re
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import PLATES, gltf_plate, packed
from pictures import encoded
from PIL import Image

import understudy as us
from understudy.assets.library import Library
from understudy.assets.meshes import mesh
from understudy.assets.meshes.textures import Pictures
from understudy.assets.pictures import texture
from understudy.cli import main
from understudy.errors import ChangeRefused, SceneError, UnderstudyError
from understudy.formats.mesh import node_tree
from understudy.formats.native import scene_file
from understudy.formats.native.json_schema import scene_schema
from understudy.sim import policy
from understudy.sim.vocabulary import vocabulary
from understudy.tape.reader import Tape
from understudy.world.changes import Add, Bring, Reset
from understudy.world.materials import Surface
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Mesh, Pose

PRINT = encoded(np.array([[(200, 0, 0), (0, 180, 0)]]))
SCENE = """schema = 1
engine = "rigid"
[[wall]]
name = "w"
points_m = [[3, -1], [3, 1]]
picture = "bricks.png"
picture_m = [0.5, 0.25]
[[object]]
kind = "box"
name = "crate"
size_m = [0.5, 0.5, 0.5]
x_m = 1.5
picture = "print.png"
[[robot]]
model = "scout"
name = "scout"
device.eye = {kind = "camera", width = 21, height = 15, mount = {z_m = 0.3}, noise = "perfect"}
"""


@pytest.fixture
def room(tmp_path):
    for name in ("bricks.png", "print.png"):
        (tmp_path / name).write_bytes(PRINT)
    (tmp_path / "room.toml").write_text(SCENE)
    return tmp_path / "room.toml"


def problems(path):
    with pytest.raises(SceneError) as caught:
        us.load(path)
    return str(caught.value).splitlines()


def bomb(side=20_000):
    """Return a small file that promises so many pixels each way."""
    data = io.BytesIO()
    Image.new("1", (side, side)).save(data, "PNG")
    return data.getvalue()


# ---- what a scene says


def test_pictures_are_found_beside_the_scene_and_seen(room):
    with us.load(room) as sim:
        assert sorted(sim.files) == ["bricks.png", "print.png"]
        red, green, _ = sim.robot("scout").pictures("eye")["rgb"][8, 8]
        assert red > green


def test_missing_pictures_are_named_with_their_lines(room):
    for name in ("bricks.png", "print.png"):
        (room.parent / name).unlink()
    assert problems(room) == [
        f"{room}:6: wall[0].picture: no such file 'bricks.png' beside room.toml",
        f"{room}:13: object[0].picture: no such file 'print.png' beside room.toml",
    ]


def test_what_is_no_picture_is_named_with_its_line(room):
    (room.parent / "print.png").write_text("a print")
    wanted = "print.png: not a supported picture; want PNG, JPEG, BMP or PPM"
    assert problems(room) == [f"{room}:13: object[0].picture: {wanted}"]


def test_a_picture_that_would_fill_the_memory_is_refused_unread(room):
    (room.parent / "print.png").write_bytes(bomb(8_000))
    wanted = "print.png: the picture is too large, 8000 x 8000 pixels; want at most 4096 x 4096 pixels"
    tracemalloc.start()
    try:
        assert problems(room) == [f"{room}:13: object[0].picture: {wanted}"]
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_file_that_is_far_too_long_is_not_even_read(room, monkeypatch):
    monkeypatch.setattr(texture, "MOST_BYTES", 20)
    (line, other) = problems(room)
    assert line.endswith(f"bricks.png: the picture is too large, {len(PRINT)} bytes; want at most 20")
    assert other.startswith(f"{room}:13: object[0].picture: print.png")


def test_pictures_that_are_too_much_together_are_refused_where_it_becomes_too_much(room, monkeypatch):
    monkeypatch.setattr(texture, "MOST_PIXELS", 3)
    (line,) = problems(room)
    assert line.startswith(f"{room}:13: object[0].picture: print.png: pictures on things have more than")


def test_a_picture_must_repeat_after_some_length(room):
    room.write_text(SCENE.replace("[0.5, 0.25]", "[0.5, 0]"))
    assert problems(room) == [f"{room}:7: wall[0].picture_m[1]: must be above 0, got 0"]


def test_writing_and_reading_keep_pictures(room):
    document = scene_file.read(room, vocabulary())
    again = scene_file.parse(scene_file.write(document.scene), "again.toml", vocabulary(), room.parent)
    assert (again.scene.walls, again.scene.objects) == (document.scene.walls, document.scene.objects)
    assert again.scene.walls[0].picture_m == (0.5, 0.25)


def test_pictures_of_an_included_scene_are_looked_for_beside_that(tmp_path):
    (tmp_path / "rooms").mkdir()
    for name in ("bricks.png", "print.png"):
        (tmp_path / "rooms" / name).write_bytes(PRINT)
    head, _, robot = SCENE.partition("[[robot]]")
    (tmp_path / "rooms" / "hall.toml").write_text(head)
    (tmp_path / "all.toml").write_text(f'schema = 1\nengine = "rigid"\ninclude = ["rooms/hall.toml"]\n[[robot]]{robot}')
    with us.load(tmp_path / "all.toml") as sim:
        assert (sim.start.walls[0].picture, sim.start.objects[0].picture) == ("rooms/bricks.png", "rooms/print.png")
        assert sorted(sim.files) == ["rooms/bricks.png", "rooms/print.png"]


def test_a_saved_run_and_a_tape_carry_pictures_with_them(room):
    tape = room.parent / "a.tape"
    with us.load(room, tape=tape) as sim:
        sim.run(0.3)
        saved = sim.save()
        sim.run(0.3)
        seen = sim.robot("scout").read("eye").tolist()
    for name in ("bricks.png", "print.png"):
        (room.parent / name).unlink()
    with us.restore(saved) as again:
        again.run(0.3)
        assert again.robot("scout").read("eye").tolist() == seen
    assert Tape(tape).files == {"bricks.png": PRINT, "print.png": PRINT}
    assert us.replay(tape).mismatch is None


def test_the_schema_knows_pictures():
    wall = scene_schema(vocabulary())["$defs"]["Wall"]["properties"]
    assert (wall["picture"]["type"], wall["picture_m"]["type"]) == ("string", "array")


# ---- things that are added to a run

BLUE = encoded(np.array([[(0, 0, 220)]]))
BOX = Solid(name="late", shape=Box((0.5, 0.5, 0.5)), pose=Pose(0.9), picture="late.png")


def seen(sim):
    return sim.robot("scout").pictures("eye")["rgb"][8, 10].tolist()


def test_a_thing_brings_its_picture_from_beside_the_scene(room):
    (room.parent / "late.png").write_bytes(BLUE)
    with us.load(room) as sim:
        sim.change(Add(BOX))
        sim.run(0.2)
        red, _, blue = seen(sim)
    assert blue > 100 > red


def test_a_file_that_was_brought_is_in_saved_runs_and_on_tapes(room):
    (room.parent / "late.png").write_bytes(BLUE)
    with us.load(room, tape=room.parent / "a.tape") as sim:
        sim.run(0.1)
        sim.change(Add(BOX))
        sim.run(0.1)
        saved = sim.save()
        sim.run(0.3)
        wanted = seen(sim)
    (room.parent / "late.png").unlink()
    with us.restore(saved) as again:
        again.run(0.3)
        assert seen(again) == wanted
        again.change(Reset())
        again.change(Add(BOX))  # a new run of the same scene has it still
    assert us.replay(room.parent / "a.tape").mismatch is None


def test_another_file_of_the_same_name_is_refused(room):
    with us.load(room) as sim:
        wanted = r"^print\.png: the run already has a different file of that name; choose another name$"
        with pytest.raises(ChangeRefused, match=wanted):
            sim.change(Bring.of("print.png", BLUE))


def test_a_port_may_not_bring_files():
    assert policy.refusal("port:scout/host", Bring.of("a.png", b"")) == "port:scout/host may not bring"


def test_a_mesh_can_be_added_with_all_that_belongs_to_it(room):
    data, others = PLATES["plate.obj"](BLUE)
    (room.parent / "maps").mkdir()
    for name, content in (("plate.obj", data), *others.items()):
        (room.parent / name).write_bytes(content)
    plate = Solid(name="late", shape=Mesh("plate.obj"), pose=Pose(0.9, 0.0, 0.5), surface=Surface(obstacle=False))
    with us.load(room) as sim:
        sim.change(Add(plate))
        sim.run(0.2)
        red, _, blue = seen(sim)
    assert blue > 100 > red


# ---- what meshes bring along


def beside(folder, kind, picture=PRINT):
    """Write a plate with a picture and whatever belongs to it."""
    data, others = PLATES[kind](picture)
    for name, content in ((kind, data), *others.items()):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "s.toml").write_text(
        f'schema = 1\nengine = "rigid"\n[[object]]\nkind = "mesh"\nname = "p"\nfile = "{kind}"\nobstacle = false\n'
    )
    return folder / "s.toml"


@pytest.mark.parametrize("kind", PLATES)
def test_a_mesh_takes_its_picture_along(tmp_path, kind):
    with us.load(beside(tmp_path, kind)) as sim:
        textures = sim.current.files.body(sim.start.objects[0]).textures
    assert [texture_file.data for texture_file in textures.files] == [PRINT]


@pytest.mark.parametrize("kind", PLATES)
def test_check_is_content_with_a_mesh_whose_picture_is_there(tmp_path, kind, capsys):
    assert main(["check", str(beside(tmp_path, kind))]) == 0
    assert capsys.readouterr().out.endswith("s.toml: good\n")


@pytest.mark.parametrize("kind", [kind for kind in PLATES if kind != "plate.glb"])
def test_check_says_which_picture_of_a_mesh_is_missing(tmp_path, kind, capsys):
    path = beside(tmp_path, kind)
    for picture in tmp_path.rglob("*print.png"):
        picture.unlink()
    assert main(["check", str(path)]) == 0
    said = capsys.readouterr()
    assert "print.png: not found next to or inside the file" in said.err
    assert f"{kind}: not shown: the picture" in said.err
    assert said.out.endswith("good, 1 warning\n")


@pytest.mark.parametrize("kind", PLATES)
def test_a_bomb_in_a_mesh_is_left_out_unread(kind):
    data, others = PLATES[kind](bomb(8_000))
    mesh.nodes(data, kind, others)  # what is imported and compiled is not counted
    ignored = []
    tracemalloc.start()
    try:
        (node,) = mesh.nodes(data, kind, others, ignored=ignored)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert node.triangles.textures.files == ()
    assert len(ignored) == 1
    assert "the picture is too large, 8000 x 8000 pixels; want at most 4096 x 4096 pixels" in ignored[0]


def test_a_picture_elsewhere_is_not_fetched(tmp_path):
    (tmp_path / "secret.png").write_bytes(PRINT)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "plate.mtl").write_bytes(b"newmtl paper\nmap_Kd ../secret.png\n")
    data = PLATES["plate.obj"](PRINT)[0]
    assert sorted(mesh.gathered(data, "plate.obj", tmp_path / "in")) == ["plate.mtl"]


def test_what_else_a_material_has_is_said_once():
    table, data = gltf_plate(PRINT)
    table["materials"][0] |= {"normalTexture": {"index": 0}, "alphaMode": "BLEND"}
    table["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 1
    ignored = []
    mesh.nodes(packed(table, data), "a.glb", ignored=ignored)
    assert ignored == [
        "of materials normalTexture: only colours and colour textures are supported",
        "transparency of materials: not supported, they are opaque",
        "second or transformed texture coordinates (texCoord, KHR_texture_transform): not used",
    ]


def test_maps_of_an_obj_file_other_than_its_colour_are_said():
    data, others = PLATES["plate.obj"](PRINT)
    others["plate.mtl"] += b"map_Bump bumps.png\nmap_Ks shine.png\n"
    ignored = []
    mesh.nodes(data, "plate.obj", others, ignored=ignored)
    assert ignored == ["of materials map_bump, map_ks: only colours and colour textures are supported"]


@pytest.mark.parametrize(
    ("kind", "mark"),
    [("plate.obj", rb"(?<=\d)/\d"), ("plate.mesh.xml", rb"<texcoord[^>]*>"), ("plate.glb", b"TEXCOORD_0")],
)
def test_a_picture_without_places_on_it_is_said_not_to_be_shown(kind, mark):
    data, others = PLATES[kind](PRINT)
    data = re.sub(mark, b"TEXCOORD_9" if kind == "plate.glb" else b"", data)
    ignored = []
    (node,) = mesh.nodes(data, kind, others, ignored=ignored)
    assert not node.triangles.textures or not node.triangles.textures.files
    assert len(ignored) == 1
    assert ignored[0].endswith(": the mesh has no texture coordinates")


def test_options_before_the_name_of_a_map_are_skipped():
    data, others = PLATES["plate.obj"](PRINT)
    others["plate.mtl"] = b"newmtl paper\nmap_Kd -s 1 1 1 -clamp on maps/print.png\n"
    (node,) = mesh.nodes(data, "plate.obj", others)
    assert node.triangles.textures.files[0].name == "maps/print.png"


def test_a_material_of_the_older_kind_of_gltf_shows_its_picture():
    table, data = gltf_plate(PRINT)
    base = table["materials"][0].pop("pbrMetallicRoughness")
    old = {"diffuseTexture": base["baseColorTexture"], "diffuseFactor": [1.0, 0.0, 0.0, 1.0]}
    table["materials"][0]["extensions"] = {"KHR_materials_pbrSpecularGlossiness": old}
    (node,) = mesh.nodes(packed(table, data), "a.glb")
    assert [(texture_file.data, texture_file.tint) for texture_file in node.triangles.textures.files] == [
        (PRINT, "#ff0000")
    ]


def test_gltf_without_a_material_still_says_how_a_picture_lies():
    table, data = gltf_plate(PRINT)
    del table["meshes"][0]["primitives"][0]["material"]
    (node,) = mesh.nodes(packed(table, data), "a.glb")
    assert node.triangles.textures.is_known
    assert len(node.triangles.colours) == 0


def test_a_mesh_that_does_not_say_how_a_picture_lies_is_named_with_its_line(tmp_path):
    path = beside(tmp_path, "plate.obj")
    path.write_text(path.read_text() + 'picture = "maps/print.png"\n')
    us.load(path).close()
    (tmp_path / "plate.obj").write_bytes(b"v 0 0 0\nv 0 1 0\nv 0 1 1\nf 1 2 3\n")
    (line,) = problems(path)
    wanted = "plate.obj: has no texture coordinates; UV-unwrap it in your modelling program"
    assert line.startswith(f"{path}:8: object[0].picture: {wanted}")


def test_places_that_are_whole_numbers_are_left_out_and_said():
    table, data = gltf_plate(PRINT)
    table["accessors"][2] |= {"componentType": 5123, "normalized": True}
    ignored = []
    (node,) = mesh.nodes(packed(table, data), "a.glb", ignored=ignored)
    assert node.triangles.textures is None
    assert ignored[0] == "textures with integer coordinates (KHR_mesh_quantization)"


def test_a_mesh_in_an_archive_finds_its_picture_there():
    data, others = PLATES["plate.obj"](PRINT)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in (("plate.obj", data), *others.items()):
            archive.writestr(f"model/{name}", content)
    (node,) = mesh.nodes(made.getvalue(), "plate.zip")
    assert [texture_file.data for texture_file in node.triangles.textures.files] == [PRINT]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("body", "wheel_left", "wheel_right"), "the texture of node 'body' is not shown: robots have no textures"),
        (("floor", "chair"), "the texture of node 'floor' is not shown: flat ground shows only ground.picture"),
    ],
)
def test_a_scene_of_one_file_says_which_pictures_it_cannot_keep(names, words):
    table, data = gltf_plate(PRINT)
    lie = {"rotation": [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]} if "floor" in names else {}
    table["nodes"] = [{"name": name, "mesh": 0, **(lie if name == "floor" else {})} for name in names]
    table["scenes"] = [{"nodes": list(range(len(names)))}]
    document = node_tree.parse(packed(table, data), "room.glb", vocabulary())
    assert any(words in problem.text for problem in document.warnings)


def test_parts_of_one_file_keep_their_pictures_when_they_become_one_body():
    table, data = gltf_plate(PRINT)
    table["nodes"] = [{"name": "one", "mesh": 0}, {"name": "two", "mesh": 0, "scale": [-1.0, 1.0, 1.0]}]
    table["scenes"] = [{"nodes": [0, 1]}]
    body = Library({"a.glb": packed(table, data)}).body(Solid(name="p", shape=Mesh("a.glb", up="z")))
    assert body.textures.which.tolist() == [0, 0, 0, 0]
    at = np.isclose(body.corners[:, :, 1:], 0.5)
    assert (body.textures.places == at).all()  # also where a mirror has turned the faces round


def test_names_with_any_letters_come_back_from_the_stub():
    pictures = Pictures()
    assert pictures.keep("Tür ☃ \\ a.png", PRINT)
    image = Image.open(io.BytesIO(pictures.stub("Tür ☃ \\ a.png")))
    material = type("Material", (), {"image": image})()
    assert pictures.texture_of(material).name == "Tür ☃ \\ a.png"


@pytest.mark.parametrize("kind", PLATES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_mesh_with_wrong_bytes_is_a_body_or_an_error(kind, data):
    good, others = PLATES[kind](PRINT)
    good = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    try:
        nodes = mesh.nodes(bytes(good), kind, others)
    except UnderstudyError:
        return
    for textures in (node.triangles.textures for node in nodes if node.triangles):
        assert textures is None or textures.which.max(initial=-1) < len(textures.files)
