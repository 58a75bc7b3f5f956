"""Ogre's ``.scene`` (DotScene) files: a tree of nodes, whose entities name meshes beside the file.

Each node has a position, a rotation (a quaternion) and a scale against the one above it. ``thing.mesh`` stands for
``thing.mesh.xml`` beside the scene, which OgreXMLConverter makes from it. Format: ``dotscene.dtd`` of Ogre's tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats import ogre_mesh, xml_text
from understudy.formats.mesh_nodes import MOST_NODES, Node, count_checked
from understudy.formats.xml_text import Element
from understudy.world.triangles import Triangles, joined

Array = npt.NDArray[np.float64]

_CONVERT = "convert it with OgreXMLConverter and put the .mesh.xml beside the scene"


def nodes(data: bytes, file: str, others: Mapping[str, bytes], ignored: list[str] | None = None) -> tuple[Node, ...]:
    """Return the nodes of a scene; *others* are the files beside it; raises FormatError.

    What of its looks is not shown is added to *ignored*, in words.
    """
    root = xml_text.parse(data, file)
    if root.tag != "scene":
        raise FormatError(f"{file}:{root.line}: not an Ogre scene (its outermost element is {root.tag!r})")
    reader = _Reader(file, others, [] if ignored is None else ignored)
    for group in root.all("nodes"):
        reader.take(group, _local(group, file), "")
    return count_checked(reader.found, file)


def mesh_names(data: bytes, file: str) -> Iterator[str]:
    """Yield the names of the files beside a scene that it needs."""
    root = xml_text.parse(data, file)
    for entity in _entities(root):
        name = entity.get("meshFile")
        yield from (f"{name}.xml", *ogre_mesh.companions(f"{name}.xml"))
    yield PurePosixPath(file).stem + ".material"
    for script in _all(root, "file"):
        if script.get("name").endswith(".material"):
            yield script.get("name")


def _entities(root: Element) -> Iterator[Element]:
    return (entity for entity in _all(root, "entity") if entity.get("meshFile"))


def _all(element: Element, tag: str) -> Iterator[Element]:
    for child in element.children:
        if child.tag == tag:
            yield child
        yield from _all(child, tag)


class _Reader:
    """Walks the tree; a mesh that several entities have is read once."""

    def __init__(self, file: str, others: Mapping[str, bytes], ignored: list[str]) -> None:
        self.found: list[Node] = []
        self._file, self._others, self._ignored = file, others, ignored
        self._meshes: dict[str, Triangles] = {}
        self._names: set[str] = set()

    def take(self, element: Element, above: Array, parent: str) -> None:
        """Note the nodes below an element, each with what it holds."""
        for node in element.all("node"):
            if len(self.found) >= MOST_NODES:
                raise FormatError(f"{self._file}:{node.line}: more than {MOST_NODES:,} nodes")
            matrix = arrays.product(above, _local(node, self._file))
            name = self._free(node.get("name") or node.get("id") or "node")
            bodies = [self._mesh(entity) for entity in node.all("entity") if entity.get("meshFile")]
            self.found.append(Node(name, matrix, joined(bodies) if bodies else None, parent))
            self.take(node, matrix, name)

    def _free(self, name: str) -> str:
        count, free = 1, name
        while free in self._names:
            count += 1
            free = f"{name}-{count}"
        self._names.add(free)
        return free

    def _mesh(self, entity: Element) -> Triangles:
        name = entity.get("meshFile")
        if name not in self._meshes:
            found = next((other for other in (f"{name}.xml", name) if self._has_text(other)), None)
            if found is None:
                what = "is in Ogre's binary form" if name in self._others else "is not beside the scene"
                raise FormatError(f"{self._file}:{entity.line}: the mesh {name!r} {what}; {_CONVERT}")
            (node,) = ogre_mesh.nodes(self._others[found], found, self._others, self._ignored)
            assert node.triangles is not None
            self._meshes[name] = node.triangles
        return self._meshes[name]

    def _has_text(self, name: str) -> bool:
        return b"<mesh" in self._others.get(name, b"")[:4000]


def _local(node: Element, file: str) -> Array:
    """Return where a node is against the one above it."""
    made = np.eye(4)
    made[:3, :3] = arrays.product(
        _turn(node.first("rotation") or node.first("quaternion"), file),
        np.diag(_triple(node.first("scale"), file, 1.0)),
    )
    made[:3, 3] = _triple(node.first("position"), file, 0.0)
    return made


def _triple(element: Element | None, file: str, default: float) -> tuple[float, ...]:
    if element is None:
        return (default,) * 3
    words = " ".join(element.get(key, str(default)) for key in ("x", "y", "z"))
    return xml_text.numbers(words, 3, file, element.line, f"a {element.tag}")


def _turn(element: Element | None, file: str) -> Array:
    """Return the rotation of a quaternion, which files spell qx or x."""
    if element is None:
        return np.eye(3)
    pairs = (("qw", "w"), ("qx", "x"), ("qy", "y"), ("qz", "z"))
    words = " ".join(element.get(q, element.get(plain, "nan")) for q, plain in pairs)
    w, x, y, z = xml_text.numbers(words, 4, file, element.line, "a rotation")
    length = w * w + x * x + y * y + z * z
    if not length > 1e-12:
        raise FormatError(f"{file}:{element.line}: not a rotation: all its numbers are 0")
    s = 2.0 / length
    return np.array([
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ])  # fmt: skip
