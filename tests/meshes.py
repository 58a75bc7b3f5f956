"""Small bodies of triangles and files of them, made without the library that reads them."""

from __future__ import annotations

import json
import struct

import numpy as np

from understudy.world.triangles import Triangles

_BOX_FACES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6],
     [1, 3, 5], [3, 7, 5]]
)  # fmt: skip


def box(size=(1.0, 2.0, 3.0), at=(0.0, 0.0, 0.0)):
    """Return a box about a point."""
    corners = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
    return Triangles(corners * size + at, _BOX_FACES.copy())


def ball(rings=12, around=16, radius=1.0):
    """Return a closed body that is nearly a sphere."""
    up, turn = np.linspace(0, np.pi, rings + 1)[1:-1], np.arange(around) * 2 * np.pi / around
    ring = [[np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)] for a in up for b in turn]
    vertices = np.array([*ring, [0, 0, 1], [0, 0, -1]]) * radius
    faces, top, bottom = [], len(ring), len(ring) + 1
    for b in range(around):
        c = (b + 1) % around
        faces.append([top, b, c])
        last = (rings - 2) * around
        faces.append([bottom, last + c, last + b])
        for a in range(rings - 2):
            p, q, r, s = a * around + b, a * around + c, (a + 1) * around + b, (a + 1) * around + c
            faces += [[p, r, q], [q, r, s]]
    return Triangles(vertices, np.array(faces))


def obj(body):
    lines = [*(f"v {x} {y} {z}" for x, y, z in body.vertices), *(f"f {a} {b} {c}" for a, b, c in body.faces + 1)]
    return "\n".join(["# a body", "o thing", *lines, ""]).encode()


def stl(body):
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corner.ravel(), 0) for corner in body.corners)
    return bytes(80) + struct.pack("<I", len(body.faces)) + rows


def ply(body):
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(body.vertices)}\nproperty float x\nproperty float y\n"
        f"property float z\nelement face {len(body.faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [*(f"{x} {y} {z}" for x, y, z in body.vertices), *(f"3 {a} {b} {c}" for a, b, c in body.faces)]
    return (head + "\n".join(rows) + "\n").encode()


def gltf_table(body, nodes=None, colour=(1.0, 0.0, 0.0, 1.0)):
    """Return the table of a glTF file of one mesh, and its bytes."""
    points, faces = body.vertices.astype("<f4").tobytes(), body.faces.astype("<u2").tobytes()
    low, high = body.vertices.min(axis=0).tolist(), body.vertices.max(axis=0).tolist()
    nodes = nodes or [{"name": "body", "mesh": 0}]
    children = {child for node in nodes for child in node.get("children", ())}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [n for n in range(len(nodes)) if n not in children]}],
        "nodes": nodes,
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": list(colour)}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(body.vertices), "type": "VEC3", "min": low,
             "max": high},
            {"bufferView": 1, "componentType": 5123, "count": body.faces.size, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(faces)},
        ],
        "buffers": [{"byteLength": len(points) + len(faces)}],
    }, points + faces  # fmt: skip


def glb(body, nodes=None, **extra):
    table, data = gltf_table(body, nodes, **extra)
    return packed(table, data)


def packed(table, data):
    text = json.dumps(table).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    pieces = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(pieces)) + pieces


def dae(body, up="Z_UP", unit=1.0):
    points = " ".join(map(str, body.vertices.ravel()))
    faces = " ".join(map(str, body.faces.ravel()))
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="unit" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="{body.vertices.size}">{points}</float_array>
<technique_common><accessor source="#pa" count="{len(body.vertices)}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(body.faces)}"><input semantic="VERTEX" source="#v" offset="0"/><p>{faces}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="n"><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


def ogre(body, material="Red", shared=False):
    points = "".join(f'<vertex><position x="{x}" y="{y}" z="{z}"/></vertex>' for x, y, z in body.vertices)
    geometry = f"<vertexbuffer positions='true'>{points}</vertexbuffer>"
    faces = "".join(f'<face v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in body.faces)
    before = f"<sharedgeometry>{geometry}</sharedgeometry>" if shared else ""
    own = "" if shared else f"<geometry>{geometry}</geometry>"
    return (
        f'<mesh>{before}\n<submeshes><submesh material="{material}" usesharedvertices="{str(shared).lower()}">'
        f"\n<faces>{faces}</faces>{own}</submesh></submeshes></mesh>"
    ).encode()


FILES = {"a.obj": obj, "a.stl": stl, "a.ply": ply, "a.glb": glb, "a.dae": dae, "a.mesh.xml": ogre}


# ---- a plate of 1 m in the plane x = 0 that looks along x, with a picture on it: z is up, whatever the format says

_PLATE = np.array([[0.0, -0.5, -0.5], [0.0, 0.5, -0.5], [0.0, 0.5, 0.5], [0.0, -0.5, 0.5]])
_PLATE_FACES = np.array([[0, 1, 2], [0, 2, 3]])
_PLATE_UV = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])  # from the lower left


def plate_obj(picture):
    corners = "".join(f"v {x} {y} {z}\nvt {u} {v}\n" for (x, y, z), (u, v) in zip(_PLATE, _PLATE_UV))
    text = f"mtllib plate.mtl\n{corners}usemtl paper\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n"
    return text.encode(), {
        "plate.mtl": b"newmtl paper\nKd 0.5 0.5 0.5\nmap_Kd maps\\print.png\n",
        "maps/print.png": picture,
    }


def gltf_plate(picture, colour=(1.0, 1.0, 1.0, 1.0)):
    """Return the table of a plate whose picture is in its buffer, and the buffer."""
    table, data = gltf_table(Triangles(_PLATE, _PLATE_FACES), colour=colour)
    places = (_PLATE_UV * (1.0, -1.0) + (0.0, 1.0)).astype("<f4").tobytes()  # glTF counts from the top
    data += bytes(-len(data) % 4)
    table["bufferViews"] += [
        {"buffer": 0, "byteOffset": len(data), "byteLength": len(places)},
        {"buffer": 0, "byteOffset": len(data) + len(places), "byteLength": len(picture)},
    ]
    table["accessors"].append({"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC2"})
    table["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = 2
    table["images"] = [{"bufferView": 3, "mimeType": "image/png"}]
    table["textures"] = [{"source": 0}]
    table["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    data += places + picture
    table["buffers"][0]["byteLength"] = len(data)
    return table, data


def plate_glb(picture, **extra):
    return packed(*gltf_plate(picture, **extra)), {}


def plate_gltf(picture):
    table, data = gltf_plate(picture)
    table["buffers"][0]["uri"] = "plate.bin"
    table["images"] = [{"uri": "my%20print.png"}]
    return json.dumps(table).encode(), {"plate.bin": data, "my print.png": picture}


def plate_dae(picture):
    points, places = " ".join(map(str, _PLATE.ravel())), " ".join(map(str, _PLATE_UV.ravel()))
    faces = " ".join(f"{corner} {corner}" for corner in _PLATE_FACES.ravel())
    return (
        f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="unit" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="print"><init_from>./print.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="surface"><surface type="2D"><init_from>print</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
<technique sid="t"><lambert><diffuse><texture texture="sampler" texcoord="UV"/></diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">{points}</float_array>
<technique_common><accessor source="#pa" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<source id="u"><float_array id="ua" count="8">{places}</float_array>
<technique_common><accessor source="#ua" count="4" stride="2">
<param name="S" type="float"/><param name="T" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2" material="paper"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="TEXCOORD" source="#u" offset="1" set="0"/><p>{faces}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="n"><instance_geometry url="#g">
<bind_material><technique_common><instance_material symbol="paper" target="#m"/></technique_common></bind_material>
</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode(),
        {"print.png": picture},
    )


def plate_ogre(picture):
    vertices = "".join(
        f'<vertex><position x="{x}" y="{y}" z="{z}"/><texcoord u="{u}" v="{1 - v}"/></vertex>'
        for (x, y, z), (u, v) in zip(_PLATE, _PLATE_UV)
    )
    faces = "".join(f'<face v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in _PLATE_FACES)
    text = (
        f'<mesh><submeshes><submesh material="Paper" usesharedvertices="false"><faces>{faces}</faces>'
        f"<geometry><vertexbuffer>{vertices}</vertexbuffer></geometry></submesh></submeshes></mesh>"
    )
    script = b"material Paper\n{\n technique {\n pass {\n texture_unit {\n texture print.png\n }\n }\n }\n}\n"
    return text.encode(), {"plate.material": script, "print.png": picture}


PLATES = {
    "plate.obj": plate_obj, "plate.glb": plate_glb, "plate.gltf": plate_gltf, "plate.dae": plate_dae,
    "plate.mesh.xml": plate_ogre,
}  # fmt: skip
