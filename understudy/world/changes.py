"""Changes of the world or of its run, as frozen values. Any layer may make one; only ``sim`` carries it out."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from understudy.errors import ChangeRefused, nearest
from understudy.world.faults import Fault
from understudy.world.plain import rule
from understudy.world.robot import Robot
from understudy.world.scene import COLLECTIONS, Scene, Thing, Wall
from understudy.world.shapes import Pose


@dataclass(frozen=True, slots=True)
class Move:
    """Put the thing of this name elsewhere; its odometry does not notice."""

    name: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class Add:
    """Add a thing; robots must be resolved."""

    thing: Thing = rule(tag="what")


@dataclass(frozen=True, slots=True)
class Remove:
    """Take the thing of this name away."""

    name: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Put another thing in the place of the one of this name."""

    name: str
    thing: Thing = rule(tag="what")


@dataclass(frozen=True, slots=True)
class LoadMap:
    """Exchange walls, objects, balls, lights and ground for those of another scene; robots stay."""

    scene: Scene
    file: str = ""


@dataclass(frozen=True, slots=True)
class Reset:
    """Put one robot back to its start pose, or (no name) begin a new run from the document."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold the clock (or let it go on); ports stay alive."""

    on: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """While paused: advance this many ticks."""

    ticks: int = rule(1, least=1)


@dataclass(frozen=True, slots=True)
class Speed:
    """Run at this multiple of real time; None is as fast as the machine can."""

    factor: float | None = rule(None, above=0.0)


@dataclass(frozen=True, slots=True)
class Quit:
    """End the run with an exit code."""

    code: int = 0


@dataclass(frozen=True, slots=True)
class Switch:
    """Switch the device at *path* (``scout/lamp``): 0 is off, 1 is on, and what is between is dimmed."""

    path: str
    level: float = rule(1.0, least=0.0, most=1.0)


Change = Move | Add | Remove | Replace | LoadMap | Reset | Pause | Step | Speed | Quit | Fault | Switch
CHANGES: tuple[type, ...] = (Move, Add, Remove, Replace, LoadMap, Reset, Pause, Step, Speed, Quit, Fault, Switch)


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a change, told to whoever asked for it."""

    change: Change
    ok: bool
    reason: str = ""


def find(scene: Scene, name: str) -> Thing:
    """Return the thing called *name*; raises ChangeRefused that lists what there is."""
    for thing in scene.things():
        if thing.name == name:
            return thing
    raise ChangeRefused(f"nothing here is called {name!r} {nearest(name, (t.name for t in scene.things()))}")


def apply(scene: Scene, change: Change) -> Scene:
    """Return *scene* as it is after *change*; changes that concern only the run leave it as it is."""
    if isinstance(change, Move):
        old = find(scene, change.name)
        return _swap(scene, old, moved(old, change.pose))
    if isinstance(change, Add):
        return _added(scene, change.thing)
    if isinstance(change, Remove):
        return _swap(scene, find(scene, change.name), None)
    if isinstance(change, Replace):
        return _replaced(scene, change)
    if isinstance(change, LoadMap):
        new = change.scene
        return dataclasses.replace(
            scene,
            ground=new.ground,
            origin=new.origin or scene.origin,
            walls=new.walls,
            objects=new.objects,
            balls=new.balls,
            lights=new.lights,
        )
    return scene


def moved(thing: Thing, pose: Pose) -> Thing:
    """Return *thing* at *pose*; a wall is shifted by it."""
    if isinstance(thing, Wall):
        if pose.heading_rad:
            raise ChangeRefused(f"{thing.name} is a wall: it can be shifted, not turned")
        points = tuple((x + pose.x_m, y + pose.y_m) for x, y in thing.points_m)
        return dataclasses.replace(thing, points_m=points)
    if isinstance(thing, Robot):
        return dataclasses.replace(thing, place=pose)
    return dataclasses.replace(thing, pose=pose)


def _added(scene: Scene, thing: Thing) -> Scene:
    _refuse_name(scene, thing.name)
    collection = COLLECTIONS[type(thing)]
    return _with(scene, collection, (*getattr(scene, collection), thing))


def _refuse_name(scene: Scene, name: str) -> None:
    if not name:
        raise ChangeRefused("what is added to a run needs a name")
    if any(other.name == name for other in scene.things()):
        raise ChangeRefused(f"there is a {name!r} already; names must differ")


def _replaced(scene: Scene, change: Replace) -> Scene:
    old = find(scene, change.name)
    if change.thing.name != old.name:
        _refuse_name(scene, change.thing.name)
    if type(old) is type(change.thing):
        return _swap(scene, old, change.thing)
    return _added(_swap(scene, old, None), change.thing)


def _swap(scene: Scene, old: Thing, new: Thing | None) -> Scene:
    collection = COLLECTIONS[type(old)]
    kept = tuple(new if t is old else t for t in getattr(scene, collection))
    return _with(scene, collection, tuple(t for t in kept if t is not None))


def _with(scene: Scene, collection: str, things: tuple[Any, ...]) -> Scene:
    changed: dict[str, Any] = {collection: things}
    return dataclasses.replace(scene, **changed)
