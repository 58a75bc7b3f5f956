"""What happens in a scene by itself: the changes that its events may make, and what is wrong with them.

In a document an event says what its file says: the values of a device that change, the name of a map. In a flat scene
it holds the change that the run makes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from understudy.errors import ChangeRefused, nearest
from understudy.frozen import frozen
from understudy.world import faults
from understudy.world.changes import BY_VERB, Add, Grasp, LoadMap, Move, Release, Remove, Replace, Reset, Switch, apply
from understudy.world.drive_stages import DriveStage
from understudy.world.faults import Fault
from understudy.world.outputs import misfits
from understudy.world.records import Finding, KeyPath
from understudy.world.robot import DeviceSpec, PlacedRobot
from understudy.world.rules import key_of, rule, rule_of
from understudy.world.scene import LISTS, Scene, SceneEvent, Thing


@frozen
class Retune:
    """Let a device (``scout/front``) work by other values of its data sheet, as a document says it; see `Tune`."""

    path: str = rule(key="tune", verb=True, doc="the device whose data sheet changes")
    values: Mapping[str, Any] = rule(key="set")


# verb of a file -> class; a map is named there and not written out, and who is paused makes no steps by a clock
FILE_VERBS: dict[str, type] = {**{v: cls for v, cls in BY_VERB.items() if v not in ("map", "step")}, "tune": Retune}
_NAMED = (Move, Remove, Replace, Reset)  # changes of what has a name
_OF_ROBOT = (Grasp, Release)
_THINGS: tuple[KeyPath, ...] = tuple((key,) for key in LISTS)  # an invalid thing has no name yet


def thing_of(event: SceneEvent) -> tuple[str, Thing] | None:
    """Return the thing that an event brings into the world and the key that it stands under, None if it brings none."""
    change = event.change
    if not isinstance(change, Add | Replace):
        return None
    field = next(field for field in dataclasses.fields(change) if field.name == "thing")
    return key_of(field), change.thing


def with_thing(event: SceneEvent, alter: Callable[[Thing], Thing]) -> SceneEvent:
    """Return an event with the thing that it brings altered; others as they are."""
    if thing_of(event) is None:
        return event
    return dataclasses.replace(event, change=dataclasses.replace(event.change, thing=alter(event.change.thing)))


def brought_robots(scene: Scene) -> Iterator[PlacedRobot]:
    """Yield the robots that the events of a scene bring."""
    for event in scene.events:
        found = thing_of(event)
        if found and isinstance(found[1], PlacedRobot):
            yield found[1]


def brought_scenes(scene: Scene) -> Iterator[Scene]:
    """Yield what the events of a scene bring: each thing as a scene of its own, and whole maps."""
    for event in scene.events:
        if found := thing_of(event):
            yield apply(Scene(), Add(dataclasses.replace(found[1], name=found[1].name or "it")))
        elif isinstance(event.change, LoadMap):
            yield event.change.scene


def device_at(scene: Scene, path: str) -> DeviceSpec | None:
    """Return the device at a path (``scout/front``) of a robot that is there, or that an event brings."""
    name, _, device = path.partition("/")
    for robot in (*scene.robots, *brought_robots(scene)):
        for spec in robot.parts.devices if robot.parts and robot.name == name else ():
            if spec.name == device:
                return spec
    return None


# ---- errors


def findings(scene: Scene) -> Iterator[Finding]:
    """Yield the names in events of a flat scene that no part of it has at any time."""
    everything = [*scene.things(), *(thing for part in brought_scenes(scene) for thing in part.things())]
    names = {thing.name for thing in everything}
    robots = {thing.name: thing for thing in everything if isinstance(thing, PlacedRobot)}
    for row, event in enumerate(scene.events):
        change, path = event.change, ("event", row)
        if isinstance(change, _NAMED) and change.name and change.name not in names:
            yield _unknown(event, path, "thing", change.name, names)
        elif isinstance(change, _OF_ROBOT) and change.robot not in robots:
            yield _unknown(event, path, "robot", change.robot, robots)
        elif isinstance(change, Switch) and change.path not in _paths(robots, "device"):
            yield _unknown(event, path, "device", change.path, _paths(robots, "device"))
        elif isinstance(change, Fault):
            yield from _fault(change, path, robots, scene)
        if (found := thing_of(event)) and not found[1].name:
            yield Finding((*path, found[0], "name"), "missing: what comes into a run needs a name")


def _unknown(event: SceneEvent, path: KeyPath, noun: str, word: str, known: Any) -> Finding:
    verb = next(key_of(field) for field in dataclasses.fields(event.change) if rule_of(field).verb)
    return Finding((*path, verb), f"no such {noun} {word!r} {nearest(word, known)}", needs=_THINGS)


def _fault(fault: Fault, path: KeyPath, robots: Mapping[str, PlacedRobot], scene: Scene) -> Iterator[Finding]:
    parts: dict[str, faults.Sort] = dict.fromkeys(robots, "drive")
    for sort in ("device", "port"):
        parts |= dict.fromkeys(_paths(robots, sort), sort)
    parts |= dict.fromkeys((port.name for port in scene.ports), "port")
    if fault.path not in parts:
        yield Finding((*path, "fault"), f"no such part {fault.path!r} {nearest(fault.path, parts)}", needs=_THINGS)
        return
    try:
        faults.check(fault, parts[fault.path])
    except ChangeRefused as problem:
        yield Finding((*path, "effect"), str(problem))
        return
    model = robots[fault.path].parts if fault.path in robots else None
    for key, text in misfits(fault.how, model) if model and isinstance(fault.how, DriveStage) else ():
        yield Finding((*path, key if key != "kind" else "effect"), text, elsewhere=(path,))


def _paths(robots: Mapping[str, PlacedRobot], section: str) -> list[str]:
    built = ((name, robot.parts) for name, robot in robots.items() if robot.parts)
    return [f"{name}/{part.name}" for name, parts in built for part in getattr(parts, f"{section}s")]
