"""Bodies of triangles from files: OBJ, STL, PLY, glTF, COLLADA and Ogre's ``.mesh.xml``, told apart by their content.

glTF and Ogre have y up and COLLADA says what it has; that is turned to z up here. OBJ, STL and PLY do not say: z is up
unless a scene says ``up = "y"``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import numpy as np

from understudy.errors import FormatError, nearest
from understudy.formats import mesh_foreign, ogre_mesh
from understudy.formats.mesh_nodes import MOST_BYTES, Y_UP, Array, Node
from understudy.world.shapes import Mesh
from understudy.world.triangles import Triangles, joined

SUFFIXES = (".obj", ".stl", ".ply", ".glb", ".gltf", ".dae", ".mesh.xml")
_X_UP = np.eye(3)[[1, 2, 0]]
_TURNS: Mapping[str, Array] = {"z": np.eye(3), "y": Y_UP, "x": _X_UP}
_XML_ROOT = re.compile(rb"<\s*(mesh|COLLADA)\b")
_BLEND = "a Blender file; export it from Blender as glTF (File > Export > glTF 2.0) and name that file instead"


def is_mesh(name: str) -> bool:
    """Say whether a file has the name of a mesh."""
    return name.lower().endswith(SUFFIXES)


def kind_of(data: bytes, file: str) -> str:
    """Return obj, stl, ply, glb, gltf, dae or ogre, by content where it tells, else by the name; raises FormatError."""
    if data[:4] == b"glTF":
        return "glb"
    if data[:4] in (b"ply\n", b"ply\r"):
        return "ply"
    if data[:7] == b"BLENDER" or data[:4] == b"\x28\xb5\x2f\xfd" or file.endswith(".blend"):
        raise FormatError(f"{file}: {_BLEND}")
    if root := _XML_ROOT.search(data[:4000]):
        return "ogre" if root[1] == b"mesh" else "dae"
    if data[:1000].lstrip()[:1] == b"{":
        return "gltf"
    if data[:1000].lstrip()[:5].lower() == b"solid" and not file.lower().endswith(".obj"):
        return "stl"
    suffix = PurePosixPath(file).suffix.lower()[1:]
    if file.lower().endswith(SUFFIXES) and suffix in ("obj", "stl"):
        return suffix
    raise FormatError(f"{file}: not a mesh that can be read here (want {', '.join(SUFFIXES)})")


def nodes(data: bytes, file: str, others: Mapping[str, bytes] | None = None, up: str = "") -> tuple[Node, ...]:
    """Return the nodes of a file, z up, in metres; *others* are files beside it by name; raises FormatError."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"{file}: {len(data):,} bytes are too many (at most {MOST_BYTES:,})")
    kind = kind_of(data, file)
    beside = others or {}
    found = ogre_mesh.nodes(data, file, beside) if kind == "ogre" else mesh_foreign.nodes(data, kind, file, beside)
    turn = np.eye(4)
    turn[:3, :3] = _TURNS[up or _up(data, kind, file)]
    return tuple(Node(node.name, turn @ node.matrix, node.triangles, node.parent) for node in found)


def _up(data: bytes, kind: str, file: str) -> str:
    if kind == "dae":
        return mesh_foreign.up_of_dae(data, file)
    return "y" if kind in ("glb", "gltf", "ogre") else "z"


def read(data: bytes, shape: Mesh, others: Mapping[str, bytes] | None = None) -> Triangles:
    """Return the body that a shape of a scene means, in metres; raises FormatError that names the file."""
    found = nodes(data, shape.file, others, shape.up)
    if shape.node:
        found = _chosen(found, shape)
    bodies = [body for node in found if (body := node.placed())]
    if not bodies:
        raise FormatError(f"{shape.file}: no triangles in node {shape.node!r}")
    return joined(bodies).scaled(shape.scale).turned_out()


def _chosen(found: tuple[Node, ...], shape: Mesh) -> tuple[Node, ...]:
    """Return one node, its own zero as the body's zero, and what is below it."""
    root = next((node for node in found if node.name == shape.node), None)
    if root is None:
        raise FormatError(f"{shape.file}: no such node {shape.node!r} {nearest(shape.node, [n.name for n in found])}")
    below = {root.name}
    for _ in found:
        more = {node.name for node in found if node.parent in below} - below
        if not more:
            break
        below |= more
    home = np.linalg.inv(rigid(root.matrix))
    return tuple(Node(n.name, home @ n.matrix, n.triangles, n.parent) for n in found if n.name in below)


def rigid(matrix: Array) -> Array:
    """Return the place of a node without its scale: a rotation and a shift."""
    left, _, right = np.linalg.svd(matrix[:3, :3])
    turn = left @ right
    made = np.eye(4)
    made[:3, :3] = turn if np.linalg.det(turn) > 0.0 else left @ np.diag([1.0, 1.0, -1.0]) @ right
    made[:3, 3] = matrix[:3, 3]
    return made


def companions(data: bytes, file: str) -> list[str]:
    """Return the names of the files beside a mesh that belong to it, without those that lie elsewhere."""
    try:
        kind = kind_of(data, file)
        names = ogre_mesh.companions(file) if kind == "ogre" else mesh_foreign.companions(data, kind, file)
        return sorted({name for name in names if _is_beside(name)})
    except FormatError:
        return []  # said when it is read


def _is_beside(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return bool(name) and not path.is_absolute() and ".." not in path.parts and ":" not in name
