"""Events of a document as changes that a run can make: maps read, robots built, data sheets completed."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

from understudy.errors import FormatError, SceneError, nearest
from understudy.formats.native.robot_read import merge
from understudy.world import events
from understudy.world.changes import LoadMap, OpenMap, Tune
from understudy.world.events import Retune
from understudy.world.file_names import file_names, seen_from_beside
from understudy.world.records import BAD, KeyPath, Reader, to_plain
from understudy.world.rules import kind_of
from understudy.world.scene import Scene, SceneEvent
from understudy.world.vocabulary import Vocabulary


def opened(
    event: SceneEvent, folder: pathlib.Path | None, reader: Reader, path: KeyPath, vocabulary: Vocabulary
) -> SceneEvent:
    """Return an event that names a map with what is in that; without robots and events, which a map has not."""
    if not isinstance(event.change, OpenMap):
        return event
    file = event.change.file
    try:
        scene = _map_in((folder or pathlib.Path()) / file, vocabulary)
    except (FormatError, SceneError) as problem:
        reader.complain((*path, "load_map"), f"the map cannot be read: {problem}")
        return event
    return dataclasses.replace(event, change=LoadMap(seen_from_beside(scene, file), file))


def _map_in(path: pathlib.Path, vocabulary: Vocabulary) -> Scene:
    from understudy import formats
    from understudy.formats.native.scene_flat import Flattener

    document = formats.read(path, vocabulary)
    flattener = Flattener(document, vocabulary)
    with document.opened():
        scene = flattener.run(set(), overlaps_too=False, events_too=False)
    if flattener.problems:
        raise SceneError(flattener.places.ordered(flattener.problems))
    scene = dataclasses.replace(scene, robots=())
    if document.files and any(file_names(scene)):
        raise FormatError(f"{path}: it names files inside its archive; unpack it")
    return scene


def tuned(event: SceneEvent, scene: Scene, reader: Reader, path: KeyPath) -> SceneEvent:
    """Return an event that changes some values of a device with the whole data sheet that follows."""
    if not isinstance(event.change, Retune):
        return event
    device = events.device_at(scene, event.change.path)
    if device is None:
        robots = (*scene.robots, *events.brought_robots(scene))
        known = [f"{robot.name}/{spec.name}" for robot in robots if robot.parts for spec in robot.parts.devices]
        wrong = f"no such device {event.change.path!r} {nearest(event.change.path, known)}"
        reader.complain((*path, "tune"), wrong)
        return event
    table = merge(to_plain(device.sheet), event.change.values)
    sheet: Any = reader.record(type(device.sheet), table, (*path, "set"))
    return event if sheet is BAD else dataclasses.replace(event, change=Tune(event.change.path, sheet))


def as_in_file(event: SceneEvent) -> SceneEvent:
    """Return an event as a document has it: a map by its name, a data sheet by its values."""
    change = event.change
    if isinstance(change, LoadMap):
        return dataclasses.replace(event, change=OpenMap(change.file))
    if isinstance(change, Tune):
        values = to_plain(change.sheet)
        return dataclasses.replace(event, change=Retune(change.path, values or {"kind": kind_of(type(change.sheet))}))
    return event
