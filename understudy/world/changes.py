"""Changes of the world or of its run, as frozen values. Any layer may create one; only ``sim`` applies it."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any, Literal, get_args

from understudy.errors import ChangeRefused, nearest
from understudy.frozen import frozen
from understudy.world.faults import Fault
from understudy.world.marks import Mark, Piece
from understudy.world.records import rule
from understudy.world.robot import PlacedRobot
from understudy.world.rules import verb_of
from understudy.world.scene import COLLECTIONS, Scene, Thing, Wall
from understudy.world.shapes import Pose


@frozen
class Move:
    """Move the named thing to another pose; odometry is not affected."""

    name: str = rule(key="move", verb=True, doc="the thing to move")
    pose: Pose = rule(key="to")


@frozen
class Add:
    """Add a thing; robots must be resolved."""

    thing: Thing = rule(key="add", tag="what", verb=True, doc="the thing to add to the world")


@frozen
class Bring:
    """Add a file to the run, such as a texture for a thing to be added."""

    name: str  # as the thing names it
    content: str  # base64

    @classmethod
    def of(cls, name: str, data: bytes) -> Bring:
        """Return the change that adds a file with this content."""
        return cls(name, base64.b64encode(data).decode("ascii"))

    @property
    def data(self) -> bytes:
        """Return the content of the file."""
        return base64.b64decode(self.content)


@frozen
class Remove:
    """Remove the named thing."""

    name: str = rule(key="remove", verb=True, doc="the thing to remove")


@frozen
class Replace:
    """Replace the named thing with another."""

    name: str = rule(key="replace", verb=True, doc="the thing to replace")
    thing: Thing = rule(key="with", tag="what")


@frozen
class LoadMap:
    """Replace walls, objects, balls, lights, marks and ground with those of another scene; robots stay."""

    scene: Scene = rule(key="map", verb=True)
    file: str = ""


@frozen
class OpenMap:
    """A client requests the map in a file; the owner of the files reads it, and LoadMap or KeepMap follows.

    With *master*, only masters may request maps from now on, until FreeMap.
    """

    file: str = rule(key="load_map", verb=True, doc="a map file of any format that replaces the world; robots stay")
    master: bool = False


@frozen
class KeepMap:
    """Answer a map request: the map is already loaded and its file unchanged."""

    file: str


@frozen
class FreeMap:
    """Allow every client to request maps again."""


@frozen
class Reset:
    """Put one robot back to its start pose, or (no name) begin a new run from the document."""

    name: str = rule(
        "", key="reset", verb=True, doc="the robot to return to its start pose; true: the whole run restarts"
    )


@frozen
class Pause:
    """Pause (or resume) the clock; ports stay active."""

    on: bool = rule(True, key="pause", verb=True, doc="true: pause the run; false: resume it")


@frozen
class Step:
    """While paused: advance this many ticks."""

    ticks: int = rule(1, key="step", verb=True, least=1)


@frozen
class Speed:
    """Run at this multiple of real time; None is as fast as the machine can."""

    factor: float | None = rule(
        None, key="speed", verb=True, doc="the speed of the run, as a multiple of real time", above=0.0
    )


@frozen
class Switch:
    """Turn a device (``scout/front``) on or off; while it is off it has no readings."""

    path: str = rule(key="switch", verb=True, doc="the device that is turned on or off")
    on: bool = True


@frozen
class Tune:
    """Give a device (``scout/front``) another data sheet of its kind, such as a scanner with another field of view."""

    path: str = rule(key="tune", verb=True)
    sheet: Any = rule(inline=True, kinds="devices")


@frozen
class Grasp:
    """Let a robot grasp the thing whose centre is nearest to a point on the robot, within *reach_m*.

    The thing moves with the robot and does not collide until Release.
    """

    robot: str = rule(key="grasp", verb=True, doc="the robot that grasps the thing nearest to a point in its frame")
    x_m: float = rule()
    y_m: float = 0.0
    reach_m: float = 0.1


@frozen
class Release:
    """Let a robot release the thing it holds."""

    robot: str = rule(key="release", verb=True, doc="the robot that releases what it holds")


@frozen
class Ended:
    """Record that the program of a robot failed, or was interrupted because it did not yield; no other effect."""

    robot: str
    how: Literal["failed", "interrupted"] = "failed"


@frozen
class Quit:
    """End the run with an exit code, now or after a simulated time."""

    code: int = rule(0, key="quit", verb=True, doc="the exit code with which the run ends")
    delay_us: int = rule(0, least=0)


Change = (
    Move | Add | Bring | Remove | Replace | LoadMap | OpenMap | KeepMap | FreeMap | Reset | Pause | Step | Speed
    | Switch | Tune | Grasp | Release | Ended | Quit | Fault
)  # fmt: skip
CHANGES: tuple[type, ...] = get_args(Change)
BY_VERB: dict[str, type] = {
    verb: cls for cls in CHANGES if (verb := verb_of(cls))
}  # those that a scene's event can make


@frozen
class Done:
    """The outcome of a change, reported to its sender."""

    change: Change
    ok: bool
    reason: str = ""


def find(scene: Scene, name: str) -> Thing:
    """Return the thing called *name*; raises ChangeRefused that lists the known names."""
    for thing in scene.things():
        if thing.name == name:
            return thing
    raise ChangeRefused(f"there is no {name!r} {nearest(name, (t.name for t in scene.things()))}")


def apply(scene: Scene, change: Change) -> Scene:
    """Return *scene* after *change*; changes that concern only the run leave it unchanged."""
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
        return _mapped(scene, change.scene)
    if isinstance(change, Tune):
        return _tuned(scene, change)
    return scene


def _mapped(scene: Scene, new: Scene) -> Scene:
    """Return *new* with the robots and settings of *scene*."""
    taken = {thing.name for thing in new.things() if not isinstance(thing, PlacedRobot)}
    for robot in scene.robots:
        if robot.name in taken:
            raise ChangeRefused(f"{robot.name!r} is a robot here and a thing on the map; names must be unique")
    things = {name: getattr(new, name) for name in COLLECTIONS.values() if name != "robots"}
    return dataclasses.replace(scene, ground=new.ground, origin=new.origin or scene.origin, map=new.map, **things)


def _tuned(scene: Scene, change: Tune) -> Scene:
    name, _, device = change.path.partition("/")
    robot = find(scene, name)
    devices = robot.built.devices if isinstance(robot, PlacedRobot) else ()
    found = next((d for d in devices if d.name == device), None)
    if found is None or not isinstance(robot, PlacedRobot):
        raise ChangeRefused(f"no such device {change.path!r} {nearest(device, (d.name for d in devices))}")
    if type(found.sheet) is not type(change.sheet):
        raise ChangeRefused(f"{change.path} is a {found.sheet.kind}, not a {change.sheet.kind}")
    tuned = tuple(dataclasses.replace(d, sheet=change.sheet) if d is found else d for d in devices)
    return _swap(scene, robot, dataclasses.replace(robot, parts=dataclasses.replace(robot.built, devices=tuned)))


def moved(thing: Thing, pose: Pose) -> Thing:
    """Return *thing* at *pose*; a wall is translated by it, and the line of a mark moves with it."""
    if isinstance(thing, Wall):
        if pose.heading_rad:
            raise ChangeRefused(f"{thing.name} is a wall: it can be moved but not rotated")
        return _shifted_wall(thing, pose.x_m, pose.y_m)
    if isinstance(thing, Mark) and thing.line_m:
        dx, dy = pose.x_m - thing.pose.x_m, pose.y_m - thing.pose.y_m
        return dataclasses.replace(thing, pose=pose, line_m=_shifted_piece(thing.line_m, dx, dy))
    if isinstance(thing, PlacedRobot):
        return dataclasses.replace(thing, place=pose)
    return dataclasses.replace(thing, pose=pose)


def _shifted_wall(wall: Wall, dx: float, dy: float) -> Wall:
    return dataclasses.replace(
        wall,
        points_m=tuple((x + dx, y + dy) for x, y in wall.points_m),
        pieces_m=tuple(_shifted_piece(piece, dx, dy) for piece in wall.pieces_m),
        dots_m=tuple((x + dx, y + dy) for x, y in wall.dots_m),
    )


def _shifted_piece(piece: Piece, dx: float, dy: float) -> Piece:
    ax, ay, bx, by = piece
    return ax + dx, ay + dy, bx + dx, by + dy


def _added(scene: Scene, thing: Thing) -> Scene:
    _refuse_name(scene, thing.name)
    collection = COLLECTIONS[type(thing)]
    return _with(scene, collection, (*getattr(scene, collection), thing))


def _refuse_name(scene: Scene, name: str) -> None:
    if not name:
        raise ChangeRefused("a thing added to a run needs a name")
    if any(other.name == name for other in (*scene.things(), *scene.ports)):
        raise ChangeRefused(f"{name!r} already exists; names must be unique")


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
