"""Whole scenes and robots from one file of named nodes: glTF, COLLADA, Ogre ``.scene``, Blender; also zipped.

Nodes named body, wheel... and castor... become a robot; a node named after a kind or model of sensor (``laser``,
``ping2``) becomes that sensor at its pose, if there is a robot; ground, floor and terrain become the ground; every
other node with triangles becomes an obstacle. The report says what each node became.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Iterable, Sequence

import numpy as np

from understudy import elementary
from understudy.assets.meshes import mesh
from understudy.assets.meshes.nodes import Node
from understudy.elementary import arrays
from understudy.errors import Problem
from understudy.formats import robot_parts
from understudy.formats.document import Document
from understudy.formats.robot_parts import Array, CastorBody, LookBody, Rig, Table, WheelBody
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ground, Heights, Scene, Solid
from understudy.world.shapes import Mesh, Pose
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".glb", ".gltf", ".dae", ".scene", ".zip", ".blend", ".obj", ".stl", ".ply", ".mesh.xml")

_BODY = re.compile(r"(body|chassis)([^a-z].*)?$", re.IGNORECASE)
_WHEEL = re.compile(r"wheel", re.IGNORECASE)
_CASTOR = re.compile(r"cast[oe]r", re.IGNORECASE)
_GROUND = re.compile(r"(ground|floor|terrain)([^a-z].*)?$", re.IGNORECASE)
_NUMBER = re.compile(r"[-_. ]?\d*$")
_FLAT_M = 1e-3
_KINDS = ("zip", "glb", "blend", "dae", "ogre", "scene", "ply")
_ROOM_M = 20.0  # least size of a generated flat ground


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a tree of nodes with triangles."""
    lower = name.lower()
    if not lower.endswith(SUFFIXES):
        return data[:4] == b"glTF"
    try:
        return mesh.kind_of(data, name) in _KINDS or lower.endswith(SUFFIXES)
    except ValueError:
        return False


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene of a file's nodes; raises FormatError."""
    content = data.encode() if isinstance(data, str) else data
    name, ignored = pathlib.PurePath(file).name, list[str]()
    nodes = mesh.nodes(content, name, mesh.gathered(content, name, folder) if folder else {}, ignored=ignored)
    sorter = Sorter(name, vocabulary, nodes)
    scene = sorter.scene()
    text = data if isinstance(data, str) else ""
    became = tuple(Problem(file, 0, "", note) for note in sorter.became)
    lost = tuple(Problem(file, 0, "", note) for note in (*sorter.lost, *(f"not shown: {words}" for words in ignored)))
    return Document(scene, file, text, folder, warnings=lost, became=became)


class Sorter:
    """Decides what each node becomes."""

    def __init__(self, file: str, vocabulary: Vocabulary, nodes: tuple[Node, ...]) -> None:
        self.became: list[str] = []
        self.lost: list[str] = []
        self._file, self._vocabulary, self._nodes = file, vocabulary, nodes
        self._names: set[str] = set()
        self._robot = any(node.triangles and _BODY.match(node.name) for node in nodes)
        self._ground = next((n for n in nodes if n.triangles and _GROUND.match(n.name)), None)

    def scene(self) -> Scene:
        """Return the scene, and fill the report."""
        parts: dict[str, list[Node]] = {"body": [], "wheel": [], "castor": [], "sensor": [], "obstacle": []}
        for node in self._nodes:
            kind = self._kind(node)
            if kind in parts:
                parts[kind].append(node)
        for node in (*parts["body"], *parts["wheel"], *parts["castor"]):
            self._miss_picture(node, "robots have no textures")
        robots = (self._robot_of(parts),) if self._robot else ()
        solids = tuple(self._solid(node) for node in parts["obstacle"])
        name = legal(pathlib.PurePath(self._file).name.partition(".")[0], "scene")
        scene = Scene(name=name, ground=self._ground_of(), objects=solids, robots=robots)
        return dataclasses.replace(scene, engine="rigid") if solids or self._is_hilly() else scene

    def _kind(self, node: Node) -> str:
        """Return what a node becomes, and record it."""
        if self._robot and node.triangles:
            for word, pattern in (("body", _BODY), ("castor", _CASTOR), ("wheel", _WHEEL)):
                if pattern.match(node.name):
                    return self._note(node, word, f"the robot's {word}")
        sensor = self._sensor(node)
        if self._robot and sensor:
            return self._note(node, "sensor", f"a sensor of the robot: {sensor}")
        if node is self._ground:
            return self._note(node, "ground", "the ground")
        if node.triangles:
            return self._note(node, "obstacle", "an obstacle")
        if any(other.parent == node.name for other in self._nodes):
            return self._note(node, "", "nothing; it only groups other nodes")
        self.lost.append(f"node {node.name!r} is empty and not named after a sensor; it is left out")
        return ""

    def _note(self, node: Node, kind: str, words: str) -> str:
        self.became.append(f"node {node.name!r} became {words}")
        return kind

    def _miss_picture(self, node: Node, why: str) -> None:
        if node.triangles and node.triangles.textures and node.triangles.textures.files:
            self.lost.append(f"the texture of node {node.name!r} is not shown: {why}")

    def _sensor(self, node: Node) -> str:
        """Return the kind or model of sensor that a node is named after, or an empty text."""
        word = _NUMBER.sub("", node.name).lower()
        known = {*self._vocabulary.models, *(kind for kind in self._vocabulary.devices if self._is_plain(kind))}
        by_word = {name.lower(): name for name in sorted(known)}
        return by_word.get(node.name.lower()) or by_word.get(word, "")

    def _is_plain(self, kind: str) -> bool:
        """Return whether a kind of device has no required values."""
        fields = dataclasses.fields(self._vocabulary.devices[kind])
        missing = dataclasses.MISSING
        return all(field.default is not missing or field.default_factory is not missing for field in fields)

    # ---- the robot

    def _robot_of(self, parts: dict[str, list[Node]]) -> PlacedRobot:
        wheels = tuple(robot_parts.wheel_of(self._free(n.name), _points(n)) for n in parts["wheel"])
        castors = tuple(self._castor(node) for node in parts["castor"])
        points = np.concatenate([_points(node) for node in parts["body"]])
        rig = Rig(points, wheels, castors, {}, summary=f"a robot of {self._file}", looks=self._looks(parts, wheels))
        frame = robot_parts.frame_of(rig)
        devices = {self._free(node.name): self._device(node, frame) for node in parts["sensor"]}
        table = robot_parts.robot_table(dataclasses.replace(rig, devices=devices), frame)
        x, y, z = (round(float(value), 6) + 0.0 for value in frame[:3, 3])
        heading = elementary.atan2(frame[1, 0], frame[0, 0])
        height = 0.0 if abs(z) < _FLAT_M else z
        return PlacedRobot(name=self._free("robot"), place=Pose(x, y, height, heading), overrides=table)

    def _looks(self, parts: dict[str, list[Node]], wheels: Sequence[WheelBody]) -> tuple[LookBody, ...]:
        """Return the looks of the robot's nodes; those of wheels turn with them."""
        rolling = {id(node): wheel.name for node, wheel in zip(parts["wheel"], wheels)}
        own = [node for kind in ("body", "wheel", "castor", "sensor") for node in parts[kind] if node.triangles]
        names: set[str] = set()
        return tuple(
            LookBody(
                robot_parts.free_name(node.name, "look", names),
                {"kind": "mesh", "file": self._file, "node": node.name},
                mesh.place_of(node),
                wheel=rolling.get(id(node), ""),
            )
            for node in own
        )

    def _castor(self, node: Node) -> CastorBody:
        points = _points(node)
        low, high = points.min(axis=0), points.max(axis=0)
        return CastorBody(self._free(node.name), (low + high) / 2, float(high[2] - low[2]) / 2)

    def _device(self, node: Node, frame: Array) -> tuple[Table, Array]:
        """Return a sensor and its pose; without rotation it points forward."""
        found = self._sensor(node)
        table = {"model": found} if found in self._vocabulary.models else {"kind": found}
        place = np.eye(4)
        own = mesh.place_of(node)
        place[:3, :3] = arrays.product(own[:3, :3], frame[:3, :3])
        place[:3, 3] = own[:3, 3]
        return table, place

    # ---- the rest

    def _solid(self, node: Node) -> Solid:
        mount = robot_parts.mount(mesh.place_of(node))
        pose = Pose(
            mount.get("x_m", 0.0), mount.get("y_m", 0.0), mount.get("z_m", 0.0), mount.get("yaw_rad", 0.0),
            mount.get("pitch_rad", 0.0), mount.get("roll_rad", 0.0),
        )  # fmt: skip
        solid = Solid(name=self._free(node.name), shape=Mesh(self._file, node=node.name), pose=pose)
        colour = _colour(node)
        return dataclasses.replace(solid, colour=colour) if colour else solid

    def _free(self, name: str) -> str:
        return robot_parts.free_name(name, "thing", self._names)

    def _is_hilly(self) -> bool:
        return self._ground is not None and float(np.ptp(_points(self._ground)[:, 2])) > _FLAT_M

    def _ground_of(self) -> Ground:
        """Return the ground: a flat node gives its size, any other is terrain; without one it covers everything."""
        points = _all_points([self._ground] if self._ground else self._nodes)
        low, high = points.min(axis=0), points.max(axis=0)
        center = (round(float(low[0] + high[0]) / 2, 6) + 0.0, round(float(low[1] + high[1]) / 2, 6) + 0.0)
        if self._ground is not None and self._is_hilly():
            return Ground(center_m=center, heights=Heights(self._file, node=self._ground.name))
        if self._ground is not None:
            self._miss_picture(self._ground, "flat ground shows only ground.picture")
        least = _FLAT_M if self._ground else _ROOM_M
        size = (max(round(float(high[0] - low[0]), 6), least), max(round(float(high[1] - low[1]), 6), least))
        return Ground(size, center)


def _points(node: Node) -> Array:
    body = node.placed()
    assert body is not None
    return body.vertices


def _all_points(nodes: Iterable[Node]) -> Array:
    clouds = [_points(node) for node in nodes if node.triangles]
    return np.concatenate(clouds) if clouds else np.zeros((1, 3))


def _colour(node: Node) -> str:
    """Return the most usual colour of a node, or an empty text."""
    if node.triangles is None or not len(node.triangles.colours):
        return ""
    colours, counts = np.unique(node.triangles.colours, axis=0, return_counts=True)
    return "#" + bytes(colours[counts.argmax()].tolist()).hex()
