import contextlib
import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meshes import FILES, ball, box, dae, glb, gltf_table, obj, ogre, packed, ply, stl

from understudy.assets import files
from understudy.assets.library import Library
from understudy.assets.meshes import mesh, nodes
from understudy.assets.meshes.ogre_mesh import Material, materials
from understudy.errors import FormatError, SceneError, UnderstudyError
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.scene import Scene, Solid
from understudy.world.shapes import Mesh

Y_UP = ("a.glb", "a.mesh.xml")  # formats whose y is up


def read(data, file, **extra):
    return mesh.read(data, Mesh(file, **extra))


@pytest.mark.parametrize("file", FILES)
def test_a_box_of_every_format_is_that_box(file):
    body = read(FILES[file](box((1.0, 2.0, 3.0))), file)
    size = [1.0, 3.0, 2.0] if file in Y_UP else [1.0, 2.0, 3.0]
    assert body.bounds_m[1] - body.bounds_m[0] == pytest.approx(size, abs=1e-6)
    assert body.volume_m3 == pytest.approx(6.0, rel=1e-6)
    assert body.convex


@pytest.mark.parametrize("file", FILES)
def test_up_and_scale_are_what_the_scene_says(file):
    low, high = read(FILES[file](box((1.0, 2.0, 3.0))), file, up="y", scale=2.0).bounds_m
    assert high - low == pytest.approx([2.0, 6.0, 4.0], abs=1e-6)


def test_the_content_tells_the_format_and_not_the_name():
    assert read(glb(box()), "thing.stl").convex


def test_collada_says_its_unit_and_what_is_up():
    low, high = read(dae(box((1.0, 2.0, 3.0)), "Y_UP", 0.01), "a.dae").bounds_m
    assert high - low == pytest.approx([0.01, 0.03, 0.02], abs=1e-9)


def test_a_material_of_gltf_gives_the_colour():
    assert (read(glb(box(), colour=(1.0, 0.0, 0.0, 1.0)), "a.glb").colours == [255, 0, 0]).all()


def test_nodes_have_names_and_places():
    nodes = [
        {"name": "base", "children": [1, 2], "translation": [0.0, 0.0, 1.0]},
        {"name": "body", "mesh": 0, "translation": [5.0, 0.0, 0.0]},
        {"name": "laser", "translation": [0.0, 2.0, 0.0]},
    ]
    found = {node.name: node for node in mesh.nodes(glb(box(), nodes), "a.glb")}
    assert found["laser"].matrix[:3, 3] == pytest.approx([0.0, -1.0, 2.0])
    assert found["laser"].triangles is None
    assert found["body"].placed().centre_m == pytest.approx([5.0, -1.0, 0.0])
    assert (found["body"].parent, found["laser"].parent) == ("base", "base")


def test_one_node_of_a_file_can_be_had_about_its_own_zero():
    nodes = [{"name": "one", "mesh": 0, "translation": [5.0, 0.0, 0.0]}, {"name": "two", "mesh": 0}]
    assert read(glb(box(), nodes), "a.glb").volume_m3 == pytest.approx(12.0)
    one = read(glb(box(), nodes), "a.glb", node="one")
    assert one.volume_m3 == pytest.approx(6.0)
    assert one.centre_m == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    with pytest.raises(FormatError, match=r"a\.glb: no such node 'ona' \(did you mean 'one'\?\)"):
        read(glb(box(), nodes), "a.glb", node="ona")


def test_a_node_is_itself_or_else_what_is_below_it():
    nodes = [
        {"name": "group", "children": [1]},
        {"name": "table", "mesh": 0, "children": [2]},
        {"name": "lamp", "mesh": 0, "translation": [0.0, 5.0, 0.0]},
    ]
    volumes = {name: read(glb(box(), nodes), "a.glb", node=name).volume_m3 for name in ("group", "table", "lamp")}
    assert volumes == {"group": pytest.approx(12.0), "table": pytest.approx(6.0), "lamp": pytest.approx(6.0)}


def test_a_mesh_takes_its_other_files_along(tmp_path):
    table, data = gltf_table(box())
    table["buffers"][0]["uri"] = "box.bin"
    table["images"] = [{"uri": "../../secret.png"}]
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "box.bin").write_bytes(data)
    (tmp_path / "things" / "box.gltf").write_text(json.dumps(table))
    scene = Scene(objects=(Solid(name="box", shape=Mesh("things/box.gltf")),))
    found = files.contents(scene, tmp_path)
    assert sorted(found) == ["things/box.bin", "things/box.gltf"]
    assert Library(found).mesh(Mesh("things/box.gltf")).convex


def test_a_missing_file_is_named():
    with pytest.raises(FormatError, match=r"gone\.obj: no such file"):
        Library({}).mesh(Mesh("gone.obj"))


def test_polygons_of_an_obj_become_triangles():
    square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n"
    assert len(read(square, "a.obj").faces) == 2


def test_a_file_that_is_no_mesh_is_reported_with_its_line(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    text = 'schema = 1\n[[object]]\nkind = "mesh"\nfile = "notes.txt"\n'
    with pytest.raises(SceneError, match=r"s\.toml:4: object\[0\]\.file: notes\.txt: not a supported mesh file"):
        scene_file.parse(text, "s.toml", vocabulary(), tmp_path)


def test_a_vertex_that_no_triangle_has_may_be_anything():
    data = ogre(box()).replace(b"</vertexbuffer>", b"<vertex><position x='nan' y='0' z='0'/></vertex></vertexbuffer>")
    assert read(data, "a.mesh.xml").convex


# ---- Ogre


def test_shared_geometry_and_own_geometry_are_the_same_body():
    assert read(ogre(ball(), shared=True), "a.mesh.xml").volume_m3 == pytest.approx(
        read(ogre(ball()), "a.mesh.xml").volume_m3
    )


def test_the_material_beside_a_mesh_gives_its_colour():
    script = b"material Red\n{\n technique\n {\n  pass\n  {\n   diffuse 1 0.5 0 1\n  }\n }\n}\n"
    body = mesh.read(ogre(box()), Mesh("a.mesh.xml"), {"a.material": script})
    assert (body.colours == [255, 128, 0]).all()


def test_a_material_script_is_read_as_far_as_it_counts():
    script = """
    // a comment { with a brace
    material "Dark wood" : Wood
    { /* another } */ technique { pass { ambient 1 1 1
      diffuse 0 0 1
      texture_unit { texture oak.png
      scale 2 2 } } } }
    material Bad { technique { pass { diffuse red green blue } } }
    """
    assert materials(script) == {"Dark wood": Material("#0000ff", "oak.png"), "Bad": Material()}


def test_strips_and_fans_are_triangles():
    def mesh_of(kind):
        points = "".join(f'<vertex><position x="{x}" y="{y}" z="0"/></vertex>' for x, y in CORNERS[kind])
        faces = '<face v1="0" v2="1" v3="2"/><face v1="3"/>'
        return (
            f'<mesh><submeshes><submesh operationtype="{kind}" usesharedvertices="false"><faces>{faces}</faces>'
            f"<geometry><vertexbuffer>{points}</vertexbuffer></geometry></submesh></submeshes></mesh>"
        ).encode()

    CORNERS = {
        "triangle_strip": ((0, 0), (1, 0), (0, 1), (1, 1)),
        "triangle_fan": ((0, 0), (1, 0), (1, 1), (0, 1)),
    }
    for kind in CORNERS:
        body = read(mesh_of(kind), "a.mesh.xml", up="z")
        assert (body.normals == [0.0, 0.0, 1.0]).all(), kind
        assert len(body.faces) == 2


# ---- hostile files


@pytest.mark.parametrize(
    ("file", "data", "wanted"),
    [
        ("a.stl", stl(box())[:-9], r"a\.stl: the file is truncated \(want 12 triangles, 684 bytes\)"),
        ("a.stl", bytes(80) + struct.pack("<I", 4_000_000_000) + bytes(50), "the file is truncated"),
        ("a.ply", ply(box()).replace(b"vertex 8", b"vertex 4000000000"), "more than the file's size allows"),
        ("a.ply", ply(box())[:40], "its header is not terminated"),
        ("a.obj", b"# nothing\n", "the file has no triangles|not a valid OBJ"),
        ("a.obj", obj(box()).replace(b"v 0.5 1.0 1.5", b"v nan 1.0 1.5"), "vertex|finite|nan|read"),
        ("a.glb", glb(box())[:-40], "the file is truncated"),
        ("a.dae", dae(box())[:-60], r"a\.dae:\d+: not XML"),
        ("a.mesh.xml", ogre(box())[:-20], r"a\.mesh\.xml:\d+: not XML"),
        ("a.mesh.xml", b"<mesh><submeshes/></mesh>", "no triangles"),
        (
            "a.mesh.xml",
            ogre(box()).replace(b'v1="0"', b'v1="99"'),
            r"a\.mesh\.xml:2: triangle 0 refers to a missing vertex",
        ),
        ("a.mesh.xml", ogre(box()).replace(b'x="0.5"', b'x="inf"'), "want finite numbers"),
        ("a.mesh.xml", b"<mesh>" + b"<a>" * 5000, "nested too deeply"),
        ("a.png", b"\x89PNG", "not a supported mesh file"),
        (
            "a.blend",
            b"BLENDER-v300",
            "Blender is not installed, so this file cannot be converted; open it in Blender, export it",
        ),
        ("a.obj", b"", "not a|no triangles"),
    ],
)
def test_a_damaged_file_is_refused_by_name(file, data, wanted):
    with pytest.raises(FormatError, match=wanted) as problem:
        read(data, file)
    assert str(problem.value).startswith(file)


@pytest.mark.parametrize("file", ["a.dae", "a.mesh.xml"])
def test_entities_are_refused_before_they_grow(file):
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    with pytest.raises(FormatError, match=rf"{file}:\d+: XML entities are not supported"):
        read(bomb + FILES[file](box()).replace(b'<?xml version="1.0"?>', b""), file)


def changed(**changes):
    table, data = gltf_table(box())
    for key, change in changes.items():
        change(table[key])
    return packed(table, data)


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (changed(accessors=lambda rows: rows[0].update(count=2_000_000_000)), r"accessors\[0\]"),
        (changed(accessors=lambda rows: rows[0].update(count=-5)), r"accessors\[0\]"),
        (changed(nodes=lambda rows: rows[0].update(children=[0])), "in a cycle"),
        (changed(nodes=lambda rows: rows[0].update(children=[7])), "is missing"),
        (changed(accessors=lambda rows: rows[0].update(bufferView=9)), "not glTF"),
    ],
)
def test_gltf_that_claims_too_much_is_refused(data, wanted):
    with pytest.raises(FormatError, match=wanted):
        read(data, "a.glb")


def test_gltf_reads_nothing_that_was_not_handed_over():
    table, _ = gltf_table(box())
    table["buffers"][0]["uri"] = "/etc/passwd"
    with pytest.raises(FormatError, match=r"a\.gltf: not a valid GLTF file"):
        read(json.dumps(table).encode(), "a.gltf")


def test_a_body_that_is_placed_too_often_is_refused(monkeypatch):
    monkeypatch.setattr("understudy.assets.meshes.trimesh_files.MOST_TRIANGLES", 100)
    with pytest.raises(FormatError, match="simplify the mesh"):
        read(glb(box(), [{"name": f"n{n}", "mesh": 0} for n in range(20)]), "a.glb")
    monkeypatch.setattr(nodes, "MOST_TRIANGLES", 10)
    with pytest.raises(FormatError, match="too many triangles: 12"):
        read(obj(box()), "a.obj")


@pytest.mark.parametrize("file", FILES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_file_with_wrong_bytes_is_a_body_or_an_error(file, data):
    good = bytearray(FILES[file](box()))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    del good[data.draw(st.integers(len(good) // 2, len(good))) :]
    with contextlib.suppress(UnderstudyError):
        body = read(bytes(good), file)
        assert np.isfinite(body.vertices[body.faces]).all()
