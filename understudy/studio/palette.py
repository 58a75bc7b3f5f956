"""What can be added to a running scene with one click: robots of the catalogue and simple obstacles."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import moved
from understudy.world.resolve import named
from understudy.world.robot import PlacedRobot
from understudy.world.scene import COLLECTIONS, Ball, Light, Scene, Solid, Thing, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Pose, Sphere

# colours that are distinguishable with any colour vision (after Okabe and Ito, and Tol)
ROBOT_COLOURS = ("#cc3311", "#0077bb", "#009988", "#ee7733", "#33bbee", "#aa3377", "#999933", "#882255")

OBSTACLES: Mapping[str, Thing] = {
    "box": Solid(shape=Box((0.5, 0.5, 0.5)), colour="#b08040"),
    "cylinder": Solid(shape=Cylinder(0.2, 0.8), colour="#6f8fa6"),
    "cone": Solid(shape=Cone(0.2, 0.6), colour="#dd7722", look="cone"),
    "sphere": Solid(shape=Sphere(0.25), colour="#7a9a6a"),
    "crate": Solid(name="", shape=Box((0.4, 0.4, 0.3)), mass_kg=2.0, colour="#c8a060", look="crate"),
    "carton": Solid(shape=Box((0.5, 0.4, 0.35)), mass_kg=0.5, colour="#c49a6c", look="cardboard"),
    "can": Solid(shape=Cylinder(0.033, 0.12), mass_kg=0.05, colour="#c8201e", look="can"),
    "ball": Ball(),
    "desk": Solid(shape=Box((1.6, 0.8, 0.75)), colour="#c79a63", look="desk"),
    "chair": Solid(shape=Cylinder(0.25, 0.5), colour="#3e6f8e", look="chair"),
    "shelf": Solid(shape=Box((0.4, 2.0, 2.0)), colour="#c79a63", look="shelf"),
    "plant": Solid(shape=Cylinder(0.3, 1.4), colour="#4f8f4a", look="plant"),
    "door": Solid(shape=Box((0.9, 0.05, 2.05)), colour="#a9713c", look="door"),
    "tree": Solid(shape=Cylinder(0.3, 3.5), colour="#4f8f4a", look="tree"),
    "wall": Wall(points_m=((-0.75, 0.0), (0.75, 0.0)), thickness_m=0.1),
    "lamp": Light(),
}
HINTS: Mapping[str, str] = {
    "box": "a fixed box",
    "cylinder": "a post",
    "cone": "a traffic cone",
    "sphere": "a fixed sphere",
    "crate": "a crate of 2 kg that robots can push",
    "carton": "a box of cardboard, 0.5 kg, that robots can push",
    "can": "an empty drinks can that robots can push",
    "ball": "a ball that rolls",
    "desk": "a desk with a screen",
    "chair": "an office chair",
    "shelf": "a shelf with books, 2 m high",
    "plant": "a plant in a pot",
    "door": "a door leaf, standing open",
    "tree": "a tree; its trunk is the obstacle",
    "wall": "a straight wall: click where it begins and where it ends",
    "lamp": "a lamp, for light sensors",
}


def obstacle(what: str, x_m: float, y_m: float, scene: Scene) -> Thing:
    """Return a new thing of the palette with an unused name; raises UnknownName."""
    if what not in OBSTACLES:
        raise UnknownName(f"the palette has no {what!r} {nearest(what, OBSTACLES)}")
    return _named(_at(OBSTACLES[what], x_m, y_m), scene)


def wall(ends: tuple[tuple[float, float], tuple[float, float]], scene: Scene) -> Thing:
    """Return a new straight wall between two points, as thick as those of the palette."""
    pattern = OBSTACLES["wall"]
    assert isinstance(pattern, Wall)
    return _named(dataclasses.replace(pattern, points_m=ends), scene)


def robot(model: str, place: Pose, scene: Scene) -> PlacedRobot:
    """Return a new robot of the catalogue, resolved and named; raises SceneError for an unknown model."""
    count = len(scene.robots)
    new = PlacedRobot(name="", model=model, place=place, colour=ROBOT_COLOURS[count % len(ROBOT_COLOURS)])
    wanted = dataclasses.replace(new, name=_named(new, scene).name)
    made = scene_file.resolve(Document(Scene(origin=scene.origin, robots=(wanted,)), model), vocabulary())
    return made.robots[0]


def twin(thing: Thing, scene: Scene, dx_m: float = 0.6) -> Thing:
    """Return a copy of a thing, beside it and with an unused name."""
    stem = re.sub(r"-\d+$", "", thing.name)
    taken = {other.name for other in scene.things()}
    name = next(f"{stem}-{n}" for n in range(2, len(taken) + 3) if f"{stem}-{n}" not in taken)
    if isinstance(thing, Wall):
        return dataclasses.replace(_at(thing, dx_m, dx_m), name=name)
    place = thing.pose
    return dataclasses.replace(_at(thing, place.x_m + dx_m, place.y_m), name=name)


def _named(thing: Thing, scene: Scene) -> Thing:
    """Return a thing with the name that it would get in the scene file."""
    collection = COLLECTIONS[type(thing)]
    more: dict[str, Any] = {collection: (*getattr(scene, collection), thing)}
    grown = dataclasses.replace(scene, **more)
    made: Thing = getattr(named(grown), collection)[-1]
    return made


def _at(thing: Thing, x_m: float, y_m: float) -> Thing:
    """Return a thing moved to a position; a wall is shifted by it."""
    if isinstance(thing, Wall):
        return moved(thing, Pose(x_m, y_m))
    if isinstance(thing, PlacedRobot):
        return dataclasses.replace(thing, place=dataclasses.replace(thing.pose, x_m=x_m, y_m=y_m))
    return dataclasses.replace(thing, pose=dataclasses.replace(thing.pose, x_m=x_m, y_m=y_m))
