"""OBJ, STL, PLY, glTF and COLLADA by the library trimesh (and pycollada), after checks of their headers.

The library trusts headers; so counts are first checked against the size of the file, glTF's
tree of nodes is checked for cycles, COLLADA goes through our own XML reader, and pictures are withheld from it.
"""

from __future__ import annotations

import io
import json
import logging
import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from understudy.assets import xml_text
from understudy.assets.meshes.nodes import MOST_NODES, MOST_TRIANGLES, Array, Node, checked, count_checked
from understudy.assets.meshes.textures import (
    PLAIN,
    Pictures,
    among,
    map_name,
    maps_of,
    note_more_maps,
    plain_name,
    stubbed_gltf,
)
from understudy.elementary import arrays
from understudy.errors import EngineError, FormatError
from understudy.world.limits import FACE_CORNERS
from understudy.world.triangles import NO_COLOURS, Colours

_LONG_FACE = re.compile(rb"^[ \t]*f[ \t][^\n]{%d,}" % (2 * FACE_CORNERS), re.MULTILINE)
_PLY_COUNT = re.compile(rb"^element\s+\S+\s+(\S+)", re.MULTILINE)
_WANTED = "{file}: reading a {kind} file needs the mesh library: pip install 'understudy[rigid]'"
_COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def nodes(
    data: bytes, kind: str, file: str, others: Mapping[str, bytes], ignored: list[str] | None = None
) -> tuple[Node, ...]:
    """Return the nodes of a file of a *kind* (obj, stl, ply, glb, gltf, dae); *others* are the files next to it.

    Descriptions of materials that are not shown are added to *ignored*.
    """
    scale = _CHECKS[kind](data, file)
    pictures = Pictures(ignored)
    scene = _loaded(_prepared(data, kind, file, others, pictures), kind, file, others, pictures)
    found = []
    total = 0
    for name in _ordered(scene.graph.nodes, data, kind, file):
        if name == scene.graph.base_frame:
            continue
        matrix, geometry = scene.graph[name]
        body = scene.geometry.get(geometry) if geometry else None
        total += len(getattr(body, "faces", ()))
        if total > MOST_TRIANGLES:
            raise FormatError(f"{file}: too many triangles (at most {MOST_TRIANGLES:,}); simplify the mesh")
        parent = str(scene.graph.transforms.parents.get(name, ""))
        triangles = _triangles(body, file, pictures)
        found.append(Node(str(name), _scaled(np.asarray(matrix, np.float64), scale), triangles, parent))
    if not any(node.triangles for node in found):
        raise FormatError(f"{file}: the file has no triangles")
    return count_checked(found, file)


def _ordered(names: Any, data: bytes, kind: str, file: str) -> list[str]:
    """Return the names of nodes in the order of the file, if known, else in alphabetical order."""
    tree = gltf_json(data, file).get("nodes", []) if kind in ("glb", "gltf") else []
    rank = {node.get("name"): row for row, node in enumerate(tree)}
    return sorted(names, key=lambda name: (rank.get(name, len(rank)), str(name)))


def _scaled(matrix: Array, scale: float) -> Array:
    return np.asarray(arrays.product(np.diag([scale, scale, scale, 1.0]), matrix))


def _prepared(data: bytes, kind: str, file: str, others: Mapping[str, bytes], pictures: Pictures) -> bytes:
    """Return a file without embedded pictures; unsupported properties of its materials are recorded."""
    if kind == "obj":
        for name in _libraries(data):
            note_more_maps(among(name, others) or b"", pictures)
    if kind not in ("glb", "gltf"):
        return data
    with _gltf_errors(file):
        return stubbed_gltf(data, gltf_json(data, file), others, pictures)


def _loaded(data: bytes, kind: str, file: str, others: Mapping[str, bytes], pictures: Pictures) -> Any:
    """Return trimesh's scene; any exception of the library is reported as an error in the file."""
    try:
        import trimesh
        from trimesh.resolvers import Resolver
    except ImportError:
        raise EngineError(_WANTED.format(file=file, kind=kind.upper())) from None

    texts = set(_libraries(data)) if kind == "obj" else set()

    class Beside(Resolver):
        """Finds only the given files, and stubs for pictures."""

        def __init__(self) -> None:
            pass

        def get(self, key: str) -> bytes:
            if kind in ("glb", "gltf") or key in texts:
                return among(str(key), others) or b""
            name = map_name(str(key))
            return pictures.stub(name) if pictures.keep(name, among(name, others)) else b""

        def write(self, name: str, data: Any) -> None:
            raise KeyError(name)

        def namespaced(self, namespace: str) -> Any:
            return self

        def keys(self) -> list[str]:
            return list(others)

    log = logging.getLogger("trimesh")
    level = log.level
    try:
        log.setLevel(logging.CRITICAL)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return trimesh.load_scene(io.BytesIO(data), file_type=kind, resolver=Beside(), process=False)
    except MemoryError:
        raise FormatError(f"{file}: too large to be read") from None
    except ImportError as error:
        raise EngineError(f"{_WANTED.format(file=file, kind=kind.upper())} ({error})") from None
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0][:120]
        raise FormatError(f"{file}: not a valid {kind.upper()} file ({reason})") from None
    finally:
        log.setLevel(level)


def _triangles(body: Any, file: str, pictures: Pictures) -> Any:
    """Return one of trimesh's bodies in our form; None for lines and points."""
    faces = np.asarray(getattr(body, "faces", np.empty((0, 3))))
    if body is None or not len(faces):
        return None
    vertices = np.asarray(body.vertices, np.float64)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise FormatError(f"{file}: each vertex must have three numbers")
    places = np.asarray(getattr(body.visual, "uv", None), np.float64)
    known = places.shape == (len(vertices), 2)
    texture_file = pictures.texture_of(getattr(body.visual, "material", None))
    if texture_file is not None and not known:
        pictures.miss(texture_file.name)
    colours = _colours(body, len(faces))
    return checked(vertices, faces.astype(np.int64), colours, file, *((places, texture_file) if known else ()))


def _colours(body: Any, count: int) -> Colours:
    """Return red, green, blue by face, if the file gives any; the mean of a texture is not used."""
    visual = body.visual
    if not getattr(visual, "defined", False):
        return NO_COLOURS
    try:
        if visual.kind == "texture":
            known = not _is_made_up(visual.material)
            return np.tile(np.asarray(visual.material.main_color, np.uint8)[:3], (count, 1)) if known else NO_COLOURS
        return np.asarray(visual.face_colors, np.uint8)[:, :3].copy()
    except (AttributeError, ValueError, IndexError, TypeError):
        return NO_COLOURS


def _is_made_up(material: Any) -> bool:
    """Return whether a material is not from the file: the library adds a grey one to an OBJ file without materials."""
    return material.name == PLAIN or (material.name is None and not hasattr(material, "baseColorFactor"))


# ---- checks of headers


def _check_obj(data: bytes, file: str) -> float:
    """Check for faces with too many corners; each takes at least two bytes of a line."""
    for face in _LONG_FACE.finditer(data):
        _check_corners(len(face[0].split()) - 1, file)
    return 1.0


def _check_corners(count: int, file: str) -> None:
    if count > FACE_CORNERS:
        raise FormatError(f"{file}: a face has {count:,} corners (at most {FACE_CORNERS:,}); triangulate the mesh")


def _check_stl(data: bytes, file: str) -> float:
    """Check the triangle count of a binary file (50 bytes each); a text file has at least that many bytes anyway."""
    if data[:5].lower() == b"solid" and b"facet" in data[:2000]:
        return 1.0
    count = struct.unpack("<I", data[80:84])[0] if len(data) >= 84 else 0
    if len(data) < 84 + 50 * count or not count:
        raise FormatError(f"{file}: the file is truncated (want {count:,} triangles, {84 + 50 * count:,} bytes)")
    return 1.0


def _check_ply(data: bytes, file: str) -> float:
    head, end, _ = data[:100_000].partition(b"end_header")
    if not end:
        raise FormatError(f"{file}: not a PLY file: its header is not terminated")
    for found in _PLY_COUNT.finditer(head):
        if not found[1].isdigit() or int(found[1]) > len(data):
            raise FormatError(f"{file}: {found[0].decode(errors='replace')}: more than the file's size allows")
    return 1.0


def _check_dae(data: bytes, file: str) -> float:
    """Return the unit of the file (m)."""
    root = xml_text.parse(data, file)
    if root.tag != "COLLADA":
        raise FormatError(f"{file}:{root.line}: not a COLLADA file (its root element is {root.tag!r})")
    _check_polygons(root, file)
    unit = root.find("asset", "unit")
    if unit is None or not unit.get("meter"):
        return 1.0
    (scale,) = xml_text.numbers(unit.get("meter"), 1, file, unit.line, "a unit in metres")
    return scale if 0.0 < scale < 1e6 else 1.0


def _check_polygons(element: xml_text.Element, file: str) -> None:
    """Check for faces with too many corners: a polylist has a count per face, a polygon is one face."""
    for child in element.children:
        if element.tag == "polylist" and child.tag == "vcount":
            _check_corners(max((int(n) for n in child.text.split() if n.isdigit()), default=0), file)
        elif element.tag in ("polygons", "ph") and child.tag == "p" and len(child.text) > 2 * FACE_CORNERS:
            inputs = 1 + max(
                (int(i.get("offset")) for i in element.all("input") if i.get("offset").isdigit()), default=0
            )
            _check_corners(len(child.text.split()) // min(inputs, 16), file)
        _check_polygons(child, file)


def up_of_dae(data: bytes, file: str) -> str:
    """Return which axis of a COLLADA file points up; y by default."""
    axis = xml_text.parse(data, file).find("asset", "up_axis")
    return {"X_UP": "x", "Z_UP": "z"}.get(axis.text.strip() if axis else "", "y")


def gltf_json(data: bytes, file: str) -> dict[str, Any]:
    """Return the table of a glTF file, or of the first chunk of a GLB; raises FormatError."""
    if data[:4] == b"glTF":
        if len(data) < 20 or struct.unpack("<I", data[8:12])[0] > len(data):
            raise FormatError(f"{file}: the file is truncated")
        data = data[20 : 20 + struct.unpack("<I", data[12:16])[0]]
    try:
        table = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file}: not glTF ({error})") from None
    if not isinstance(table, dict):
        raise FormatError(f"{file}: not glTF (want a table)")
    return table


def _check_gltf(data: bytes, file: str) -> float:
    table = gltf_json(data, file)
    with _gltf_errors(file):
        _check_accessors(table, file)
        _check_tree(table, file)
    return 1.0


@contextmanager
def _gltf_errors(file: str) -> Iterator[None]:
    """Turn any exception from an invalid table into a FormatError."""
    try:
        yield
    except (TypeError, KeyError, AttributeError, IndexError, ValueError, struct.error) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file}: not glTF ({type(error).__name__}: {error})") from None


def _check_accessors(table: dict[str, Any], file: str) -> None:
    views = table.get("bufferViews", [])
    for row, accessor in enumerate(table.get("accessors", [])):
        count = accessor["count"]
        size = _COMPONENTS[accessor["componentType"]] * _WIDTHS[accessor["type"]]
        room = views[accessor["bufferView"]]["byteLength"] if "bufferView" in accessor else 100_000_000
        if not isinstance(count, int) or not 0 <= count * size <= room:
            raise FormatError(f"{file}: accessors[{row}]: {count} values do not fit into its bytes")


def _check_tree(table: dict[str, Any], file: str) -> None:
    """Raise FormatError if the nodes have a cycle or two parents."""
    tree = table.get("nodes", [])
    if len(tree) > MOST_NODES:
        raise FormatError(f"{file}: too many nodes: {len(tree):,} (at most {MOST_NODES:,})")
    parents: dict[int, int] = {}
    for parent, node in enumerate(tree):
        for child in node.get("children", ()):
            if child in parents or not 0 <= child < len(tree):
                raise FormatError(f"{file}: nodes[{parent}]: child {child} is missing or already has a parent")
            parents[child] = parent
    for start in parents:
        steps, here = 0, start
        while here in parents:
            here, steps = parents[here], steps + 1
            if here == start or steps > xml_text.MOST_DEPTH:
                raise FormatError(f"{file}: nodes[{start}] is in a cycle, or nested too deeply")


def companions(data: bytes, kind: str, file: str) -> Iterator[str]:
    """Yield the names of files that a glTF, OBJ or COLLADA file needs; for glTF and COLLADA also pictures."""
    if kind == "gltf":
        for entry in (*_tables(gltf_json(data, file), "buffers"), *_tables(gltf_json(data, file), "images")):
            uri = entry.get("uri")
            if isinstance(uri, str) and not uri.startswith("data:"):
                yield from (uri, plain_name(uri))
    elif kind == "obj":
        yield from _libraries(data)
    elif kind == "dae":
        yield from (plain_name(image) for image in _dae_images(xml_text.parse(data, file)))


def pictures_named(name: str, data: bytes) -> list[str]:
    """Return the pictures that a material file names."""
    return maps_of(data) if name.lower().endswith(".mtl") else []


def _libraries(data: bytes) -> list[str]:
    """Return the names of the material files of an OBJ file."""
    found = re.findall(rb"^mtllib[ \t]+(\S[^\r\n]*)", data, re.MULTILINE)
    return [line.decode(errors="replace").strip() for line in found]


def _dae_images(root: xml_text.Element) -> Iterator[str]:
    for image in (image for group in root.all("library_images") for image in group.all("image")):
        for place in image.all("init_from"):
            yield place.text.strip() or next((ref.text.strip() for ref in place.all("ref")), "")


def _tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    rows = table.get(key, [])
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


_CHECKS: Mapping[str, Any] = {
    "obj": _check_obj,
    "stl": _check_stl,
    "ply": _check_ply,
    "dae": _check_dae,
    "glb": _check_gltf,
    "gltf": _check_gltf,
}
