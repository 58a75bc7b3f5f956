"""Changes of the world or of its run, as frozen values. Any layer may make one; only ``sim`` carries it out."""

from __future__ import annotations

import base64
import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

from understudy.errors import ChangeRefused, nearest
from understudy.world.faults import Fault
from understudy.world.marks import Mark, Piece
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
class Bring:
    """Add a file to those that the run has, such as a picture for a thing that is to come."""

    name: str  # as the thing has it
    content: str  # in base 64

    @classmethod
    def of(cls, name: str, data: bytes) -> Bring:
        """Return the change that brings a file of this content."""
        return cls(name, base64.b64encode(data).decode("ascii"))

    @property
    def data(self) -> bytes:
        """Return the content of the file."""
        return base64.b64decode(self.content)


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
    """Exchange walls, objects, balls, lights, marks and ground for those of another scene; robots stay."""

    scene: Scene
    file: str = ""


@dataclass(frozen=True, slots=True)
class OpenMap:
    """Ask for the map in a file, as a client does; whoever owns the files reads it, and LoadMap or KeepMap follows.

    With *master*, from now on only masters may ask, until FreeMap.
    """

    file: str
    master: bool = False


@dataclass(frozen=True, slots=True)
class KeepMap:
    """Tell whoever asked for a map that it is here already, and its file as it was."""

    file: str


@dataclass(frozen=True, slots=True)
class FreeMap:
    """Let everybody ask for maps again."""


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
class Switch:
    """Turn a device (``scout/front``) on or off; while it is off it reads nothing."""

    path: str
    on: bool = True


@dataclass(frozen=True, slots=True)
class Tune:
    """Let a device (``scout/front``) work by another data sheet of its kind, as when a scanner gets another field."""

    path: str
    sheet: Any = rule(inline=True, kinds="devices")


@dataclass(frozen=True, slots=True)
class Grasp:
    """Let a robot take hold of the thing whose middle is nearest to a point of it; nothing beyond *reach_m* counts.

    The thing goes wherever the robot goes and bumps into nothing until Release.
    """

    robot: str
    x_m: float
    y_m: float = 0.0
    reach_m: float = 0.1


@dataclass(frozen=True, slots=True)
class Release:
    """Let a robot put down what it holds."""

    robot: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Note that the program of a robot has failed, or was interrupted because it did not come back; nothing else."""

    robot: str
    how: Literal["failed", "interrupted"] = "failed"


@dataclass(frozen=True, slots=True)
class Quit:
    """End the run with an exit code, now or after so much simulated time."""

    code: int = 0
    delay_us: int = rule(0, least=0)


Change = (
    Move | Add | Bring | Remove | Replace | LoadMap | OpenMap | KeepMap | FreeMap | Reset | Pause | Step | Speed
    | Switch | Tune | Grasp | Release | Ended | Quit | Fault
)  # fmt: skip
CHANGES: tuple[type, ...] = get_args(Change)


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
        return _mapped(scene, change.scene)
    if isinstance(change, Tune):
        return _tuned(scene, change)
    return scene


def _mapped(scene: Scene, new: Scene) -> Scene:
    """Return *new* with the robots and settings of *scene*."""
    taken = {thing.name for thing in new.things() if not isinstance(thing, Robot)}
    for robot in scene.robots:
        if robot.name in taken:
            raise ChangeRefused(f"something on the map is called {robot.name!r}, as a robot here; names must differ")
    things = {name: getattr(new, name) for name in COLLECTIONS.values() if name != "robots"}
    return dataclasses.replace(scene, ground=new.ground, origin=new.origin or scene.origin, map=new.map, **things)


def _tuned(scene: Scene, change: Tune) -> Scene:
    name, _, device = change.path.partition("/")
    robot = find(scene, name)
    devices = robot.built.devices if isinstance(robot, Robot) else ()
    found = next((d for d in devices if d.name == device), None)
    if found is None or not isinstance(robot, Robot):
        raise ChangeRefused(f"there is no device {change.path!r} {nearest(device, (d.name for d in devices))}")
    if type(found.sheet) is not type(change.sheet):
        raise ChangeRefused(f"{change.path} is a {found.sheet.kind}, not a {change.sheet.kind}")
    tuned = tuple(dataclasses.replace(d, sheet=change.sheet) if d is found else d for d in devices)
    return _swap(scene, robot, dataclasses.replace(robot, parts=dataclasses.replace(robot.built, devices=tuned)))


def moved(thing: Thing, pose: Pose) -> Thing:
    """Return *thing* at *pose*; a wall is shifted by it, and the line of a mark goes along."""
    if isinstance(thing, Wall):
        if pose.heading_rad:
            raise ChangeRefused(f"{thing.name} is a wall: it can be shifted, not turned")
        return _shifted_wall(thing, pose.x_m, pose.y_m)
    if isinstance(thing, Mark) and thing.line_m:
        dx, dy = pose.x_m - thing.pose.x_m, pose.y_m - thing.pose.y_m
        return dataclasses.replace(thing, pose=pose, line_m=_shifted_piece(thing.line_m, dx, dy))
    if isinstance(thing, Robot):
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
