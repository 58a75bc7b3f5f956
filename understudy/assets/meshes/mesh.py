"""Triangle meshes from files: OBJ, STL, PLY, glTF, COLLADA, Ogre's ``.mesh.xml`` and ``.scene``, detected by content.

They may be zipped together with the files they need; Blender files are converted by Blender if it is installed.

glTF and Ogre have y up, COLLADA gives its up axis; both are rotated to z up. OBJ, STL and PLY do not define it: z is up
unless a scene says ``up = "y"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import numpy as np

from understudy.assets import archive, fence
from understudy.assets.meshes import blend, ogre_mesh, ogre_scene, trimesh_files
from understudy.assets.meshes.nodes import MOST_BYTES, Y_UP, Array, Node
from understudy.assets.meshes.textures import plain_name
from understudy.elementary import arrays
from understudy.errors import FormatError, nearest
from understudy.world.shapes import Mesh
from understudy.world.triangles import Triangles, joined

SUFFIXES = (".obj", ".stl", ".ply", ".glb", ".gltf", ".dae", ".mesh.xml", ".scene", ".zip", ".blend")
_FIRST = (".scene", ".gltf", ".glb", ".dae", ".obj", ".mesh.xml", ".stl", ".ply")  # in an archive
_X_UP = np.eye(3)[[1, 2, 0]]
_TURNS: Mapping[str, Array] = {"z": np.eye(3), "y": Y_UP, "x": _X_UP}
_XML_ROOT = re.compile(rb"<\s*(mesh|COLLADA|scene)\b")
_ROOT_KINDS = {b"mesh": "ogre", b"COLLADA": "dae", b"scene": "scene"}


def is_mesh(name: str) -> bool:
    """Return whether a file has the name of a mesh."""
    return name.lower().endswith(SUFFIXES)


def kind_of(data: bytes, file: str) -> str:
    """Return obj, stl, ply, glb, gltf, dae, ogre, scene, zip or blend, by content or name; raises FormatError."""
    if data[:4] == b"glTF":
        return "glb"
    if data[:4] in (b"ply\n", b"ply\r"):
        return "ply"
    if data.startswith(archive.SIGNATURE):
        return "zip"
    if blend.is_blend(data, file):
        return "blend"
    if root := _XML_ROOT.search(data[:4000]):
        return _ROOT_KINDS[root[1]]
    if data[:1000].lstrip()[:1] == b"{":
        return "gltf"
    if data[:1000].lstrip()[:5].lower() == b"solid" and not file.lower().endswith(".obj"):
        return "stl"
    suffix = PurePosixPath(file).suffix.lower()[1:]
    if file.lower().endswith(SUFFIXES) and suffix in ("obj", "stl"):
        return suffix
    raise FormatError(f"{file}: not a supported mesh file (want {', '.join(SUFFIXES)})")


def nodes(
    data: bytes, file: str, others: Mapping[str, bytes] | None = None, up: str = "", ignored: list[str] | None = None
) -> tuple[Node, ...]:
    """Return the nodes of a file, z up, in metres; *others* are files next to it by name; raises FormatError.

    Descriptions of materials that are not shown are added to *ignored*.
    """
    if len(data) > MOST_BYTES:
        raise FormatError(f"{file}: the file is too large: {len(data):,} bytes (at most {MOST_BYTES:,})")
    kind = kind_of(data, file)
    if kind == "zip":
        return _zipped(data, file, up, ignored)
    if kind == "blend":
        data, kind = blend.to_glb(data, file), "glb"
    found = _read(data, kind, file, others or {}, ignored)
    turn = np.eye(4)
    turn[:3, :3] = _TURNS[up or _up(data, kind, file)]
    return tuple(Node(n.name, arrays.product(turn, n.matrix), n.triangles, n.parent, turn[:3, :3]) for n in found)


def _read(
    data: bytes, kind: str, file: str, others: Mapping[str, bytes], ignored: list[str] | None
) -> tuple[Node, ...]:
    if kind == "ogre":
        return ogre_mesh.nodes(data, file, others, ignored)
    if kind == "scene":
        return ogre_scene.nodes(data, file, others, ignored)
    return trimesh_files.nodes(data, kind, file, others, ignored)


def _zipped(data: bytes, file: str, up: str, ignored: list[str] | None) -> tuple[Node, ...]:
    """Return the nodes of the first file of an archive that is a scene or a mesh, scenes before meshes."""
    inside = archive.unpacked(data, file)
    for suffix in _FIRST:
        for name in sorted(inside):
            if name.lower().endswith(suffix):
                folder = PurePosixPath(name).parent
                beside = {
                    str(PurePosixPath(other).relative_to(folder)): content
                    for other, content in inside.items()
                    if PurePosixPath(other).is_relative_to(folder)
                }
                return nodes(inside[name], f"{file}/{name}", beside, up, ignored)
    raise FormatError(f"{file}: the archive has neither a scene nor a mesh (want one of: {', '.join(_FIRST)})")


def _up(data: bytes, kind: str, file: str) -> str:
    if kind == "dae":
        return trimesh_files.up_of_dae(data, file)
    return "y" if kind in ("glb", "gltf", "ogre", "scene") else "z"


def read(data: bytes, shape: Mesh, others: Mapping[str, bytes] | None = None, in_place: bool = False) -> Triangles:
    """Return the body of a mesh shape, in metres; raises FormatError that names the file.

    A single node has its own origin and axes, unless requested *in_place*.
    """
    return body_of(nodes(data, shape.file, others, shape.up), shape, in_place)


def body_of(found: tuple[Node, ...], shape: Mesh, in_place: bool = False) -> Triangles:
    """Return the body of a mesh shape from the nodes of its file, in metres; raises FormatError."""
    if shape.node:
        found = _chosen(found, shape, in_place)
    bodies = [body for node in found if (body := node.placed())]
    if not bodies:
        raise FormatError(f"{shape.file}: no triangles in node {shape.node!r}")
    return joined(bodies).scaled(shape.scale).turned_out()


def _chosen(found: tuple[Node, ...], shape: Mesh, in_place: bool) -> tuple[Node, ...]:
    """Return one node, or the nodes below it if it is empty, in its own frame or in the file's."""
    root = next((node for node in found if node.name == shape.node), None)
    if root is None:
        raise FormatError(f"{shape.file}: no such node {shape.node!r} {nearest(shape.node, [n.name for n in found])}")
    home = np.eye(4) if in_place else arrays.inverse(place_of(root))
    wanted = (root,) if root.triangles else _below(found, root)
    return tuple(Node(node.name, arrays.product(home, node.matrix), node.triangles, node.parent) for node in wanted)


def _below(found: tuple[Node, ...], root: Node) -> tuple[Node, ...]:
    """Return all descendants of a node."""
    names = {root.name}
    for _ in found:
        more = {node.name for node in found if node.parent in names} - names
        if not more:
            break
        names |= more
    return tuple(node for node in found if node.name in names)


def place_of(node: Node) -> Array:
    """Return the pose of a node without its scale (rotation and translation); without rotation its own z is up."""
    left, _, right = np.linalg.svd(node.matrix[:3, :3])
    turn = arrays.product(left, right)
    if np.linalg.det(turn) < 0.0:
        turn = arrays.product(left, np.diag([1.0, 1.0, -1.0]), right)
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = arrays.product(arrays.grained(turn), node.up.T), node.matrix[:3, 3]
    return made


def gathered(data: bytes, file: str, folder: Path) -> dict[str, bytes]:
    """Return the files in a folder that belong to a mesh there, by name, including the pictures of its materials."""
    found = _present(companions(data, file), folder)
    for name, script in list(found.items()):
        named = (*trimesh_files.pictures_named(name, script), *ogre_mesh.pictures_named(name, script))
        found |= _present(sorted({plain_name(picture) for picture in named if _is_beside(plain_name(picture))}), folder)
    return found


def _present(names: Iterable[str], folder: Path) -> dict[str, bytes]:
    files = {name: folder / name for name in names}
    present = {name: path for name, path in files.items() if fence.is_file(path)}
    return {name: fence.read_bytes(path) for name, path in present.items() if fence.size_of(path) <= MOST_BYTES}


def companions(data: bytes, file: str) -> list[str]:
    """Return the names of the files that belong to a mesh, without those outside its folder."""
    try:
        kind = kind_of(data, file)
        names = _named(data, kind, file)
        return sorted({name for name in names if _is_beside(name)})
    except FormatError:
        return []  # reported when it is read


def _named(data: bytes, kind: str, file: str) -> Iterator[str]:
    if kind == "ogre":
        return ogre_mesh.companions(file)
    return ogre_scene.mesh_names(data, file) if kind == "scene" else trimesh_files.companions(data, kind, file)


def _is_beside(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return bool(name) and not path.is_absolute() and ".." not in path.parts and ":" not in name
