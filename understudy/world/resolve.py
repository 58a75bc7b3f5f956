"""From the document to the flat scene that engines see: merges includes, generates names, adds the edge wall.

Pure functions: robot models and line numbers are handled by ``formats``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from itertools import count
from typing import Any

from understudy.world.file_names import seen_from_beside
from understudy.world.geo import GeoFrame
from understudy.world.marks import Mark
from understudy.world.records import Finding
from understudy.world.robot import PlacedRobot
from understudy.world.rules import kind_of
from understudy.world.scene import COLLECTIONS, LISTS, Air, Ground, Scene, Solid, Thing, Wall
from understudy.world.shapes import GeoPose, Pose

EDGE = "ground-edge"


def flatten(scene: Scene) -> tuple[Scene, list[Finding]]:
    """Return the flat scene, robots still without parts, and its errors.

    Included things come first; the edge wall, if the ground has one, is the last wall.
    """
    return placed(named(edged(merged(scene))))


def merged(scene: Scene) -> Scene:
    """Return *scene* with its includes' things before its own, and their ground, origin, air, map if it has none.

    A port of the scene replaces an included one of the same name.
    """
    parts = [seen_from_beside(merged(include.scene), include.file) for include in scene.include]
    things: dict[str, Any] = {
        collection: tuple(thing for part in (*parts, scene) for thing in getattr(part, collection))
        for collection in LISTS.values()
    }
    candidates = (scene, *parts)
    ground = next((part.ground for part in candidates if part.ground != Ground()), Ground())
    origin = next((part.origin for part in candidates if part.origin is not None), None)
    air = next((part.air for part in candidates if part.air != Air()), Air())
    notes = next((part.map for part in candidates if part.map is not None), None)
    ports = tuple({port.name: port for part in (*parts, scene) for port in part.ports}.values())
    return dataclasses.replace(
        scene, include=(), ground=ground, origin=origin, air=air, map=notes, ports=ports, **things
    )


def edged(scene: Scene) -> Scene:
    """Return *scene* with a walled ground's edge as a wall like any other."""
    if not scene.ground.walled:
        return scene
    ground = dataclasses.replace(scene.ground, walled=False)
    return dataclasses.replace(scene, ground=ground, walls=(*scene.walls, edge_wall(scene.ground)))


def edge_wall(ground: Ground) -> Wall:
    """Return the closed wall around *ground*."""
    (x, y), (width, depth) = ground.center_m, ground.size_m
    corners = ((-width, -depth), (width, -depth), (width, depth), (-width, depth))
    return Wall(name=EDGE, closed=True, points_m=tuple((x + dx / 2, y + dy / 2) for dx, dy in corners))


def named(scene: Scene) -> Scene:
    """Return *scene* with a name for everything: ``p3dx-1``, ``wall-1``, ``box-1``, in file order."""
    names = _Names(named.name for named in (*scene.things(), *scene.ports))
    things: dict[str, Any] = {
        collection: tuple(
            thing if thing.name else dataclasses.replace(thing, name=names.new(stem(thing)))
            for thing in getattr(scene, collection)
        )
        for collection in COLLECTIONS.values()
    }
    return dataclasses.replace(scene, **things)


def stem(thing: Thing) -> str:
    """Return the beginning of a generated name.

    >>> stem(PlacedRobot(model="robots/my scout.toml"))
    'my-scout'
    """
    if isinstance(thing, Solid):
        return kind_of(type(thing.shape))
    if isinstance(thing, PlacedRobot):
        file = re.split(r"[/\\]", thing.model)[-1]
        return legal(re.sub(r"(\.urdf|\.toml|\.p|\.robi)?(\.xacro)?$", "", file), "robot")
    if isinstance(thing, Mark):
        return legal(thing.tag.type.lower(), "mark")
    return kind_of(type(thing))


def legal(word: str, noun: str) -> str:
    """Return a valid name made from any word, prefixed with *noun* if it would not begin with a letter.

    >>> legal("left wheel", "part"), legal("3rd", "part")
    ('left-wheel', 'part-3rd')
    """
    letters = hyphened(word)
    return letters if letters[:1].isalpha() else f"{noun}-{letters}".rstrip("-")


def hyphened(word: str) -> str:
    """Return a word with hyphens in place of characters not allowed in names.

    >>> hyphened(" left wheel!")
    'left-wheel'
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", word).strip("-")


class _Names:
    """Generates unused names."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def new(self, word: str) -> str:
        """Return the next free ``word-1``, ``word-2`` ..."""
        free = (n for n in count(self._last.get(word, 0) + 1) if f"{word}-{n}" not in self._taken)
        self._last[word] = next(free)
        return f"{word}-{self._last[word]}"


def placed(scene: Scene) -> tuple[Scene, list[Finding]]:
    """Return *scene* with every robot in metres; a geographic position needs the scene's origin."""
    findings, robots = [], []
    for index, robot in enumerate(scene.robots):
        if isinstance(robot.place, GeoPose):
            if scene.origin is None:
                wanted = "needs the scene's origin; add [origin] with latitude_deg and longitude_deg"
                findings.append(Finding(("robot", index, "latitude_deg"), wanted, needs=(("origin",),)))
            robot = dataclasses.replace(robot, place=local(robot.place, GeoFrame.from_origin(scene.origin)))
        robots.append(robot)
    return dataclasses.replace(scene, robots=tuple(robots)), findings


def local(place: GeoPose, frame: GeoFrame) -> Pose:
    """Return a geographic position in metres; without an altitude it is on the ground."""
    altitude_m = frame.altitude_m if place.altitude_m is None else place.altitude_m
    x_m, y_m, z_m = frame.to_local(place.latitude_deg, place.longitude_deg, altitude_m)
    return Pose(x_m, y_m, 0.0 if place.altitude_m is None else z_m, place.heading_rad)
