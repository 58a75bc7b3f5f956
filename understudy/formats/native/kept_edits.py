"""Edits of a run taken back into the document that it was made from, so that a saved file keeps what users wrote there.

The document names models of the catalogue, has things without names and includes other files; a run has none of that.
So what did not change stays as it was written, and only the rest is taken from the run.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from understudy.errors import UnderstudyError
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.world.resolve import EDGE, merged, named
from understudy.world.robot import PlacedRobot
from understudy.world.scene import COLLECTIONS, Scene, Thing
from understudy.world.vocabulary import Vocabulary

Things = dict[str, Thing]


def with_edits(document: Document, before: Scene, after: Scene, vocabulary: Vocabulary) -> Scene:
    """Return the document's scene with what differs between two flat scenes: the run's first one, and another."""
    scene = document.scene
    old, new = _by_name(before), _by_name(after)
    if scene.include and (_mapped(before, after) or _included(scene) & _touched(old, new)):
        scene = merged(scene)  # an included file is not ours to change
    things: dict[str, Any] = {
        collection: _collection(scene, collection, old, new, _Robots(document, before, vocabulary))
        for collection in COLLECTIONS.values()
    }
    ground = scene.ground
    if _mapped(before, after):
        ground = after.ground
    elif old.get(EDGE) != new.get(EDGE):
        ground = dataclasses.replace(ground, walled=False)
    return dataclasses.replace(scene, ground=ground, origin=after.origin, map=after.map, **things)


def self_contained(after: Scene, vocabulary: Vocabulary) -> Scene:
    """Return a flat scene for a file in any folder: robots of the catalogue by name, all others in full."""
    robots = _Robots(Document(Scene()), Scene(), vocabulary)
    return dataclasses.replace(after, robots=tuple(map(robots.added, after.robots)))


def _by_name(scene: Scene) -> Things:
    return {thing.name: thing for thing in scene.things()}


def _mapped(before: Scene, after: Scene) -> bool:
    """Return whether another map was loaded."""
    return before.ground != after.ground or before.map != after.map


def _touched(old: Things, new: Things) -> set[str]:
    return {name for name, thing in old.items() if new.get(name) != thing}


def _included(scene: Scene) -> set[str]:
    own, everything = {id(thing) for thing in scene.things()}, named(merged(scene))
    originals = merged(scene).things()
    return {thing.name for thing, original in zip(everything.things(), originals) if id(original) not in own}


def _collection(scene: Scene, collection: str, old: Things, new: Things, robots: _Robots) -> tuple[Any, ...]:
    """Return what a file has of one kind: things as they were written, edited ones, and added ones at the end."""
    written = getattr(scene, collection)
    everything = getattr(named(merged(scene)), collection)
    names = [thing.name for thing in everything[len(everything) - len(written) :]]
    if not set(names) <= new.keys():  # one is gone: the made-up names of others would change
        written = [dataclasses.replace(thing, name=name) for name, thing in zip(names, written)]
    kept = [_kept(thing, old.get(name), new[name], robots) for name, thing in zip(names, written) if name in new]
    known = {thing.name for thing in everything} | ({EDGE} if old.get(EDGE) == new.get(EDGE) else set())
    mine = [thing for thing in new.values() if COLLECTIONS[type(thing)] == collection and thing.name not in known]
    return (*kept, *(robots.added(thing) if isinstance(thing, PlacedRobot) else thing for thing in mine))


def _kept(written: Thing, before: Thing | None, after: Thing, robots: _Robots) -> Thing:
    if after == before:
        return written
    if isinstance(written, PlacedRobot) and isinstance(after, PlacedRobot):
        return dataclasses.replace(written, name=after.name, place=after.place, colour=after.colour, label=after.label)
    return robots.added(after) if isinstance(after, PlacedRobot) else after


class _Robots:
    """Writes robots that were added during a run as short as possible."""

    def __init__(self, document: Document, before: Scene, vocabulary: Vocabulary) -> None:
        written = {robot.name: robot for robot in named(merged(document.scene)).robots}
        self._known = [(robot, written[robot.name]) for robot in before.robots if robot.name in written]
        self._vocabulary = vocabulary

    def added(self, robot: PlacedRobot) -> PlacedRobot:
        """Return a robot by its model if that says all: one of the catalogue, or of another robot of the file."""
        bare = dataclasses.replace(robot, parts=None, overrides=None)
        for flat, written in self._known:
            if (flat.model, flat.parts) == (robot.model, robot.parts):
                return dataclasses.replace(bare, overrides=written.overrides)
        return bare if self._parts_of(bare) == robot.parts else robot

    def _parts_of(self, bare: PlacedRobot) -> Any:
        if bare.model not in self._vocabulary.catalog:
            return None
        alone = Document(Scene(robots=(dataclasses.replace(bare, program=None),)))
        try:
            return scene_file.resolve(alone, self._vocabulary).robots[0].parts
        except UnderstudyError:
            return None
