"""From a document to the flat scene: robots get their parts, then cross-checks."""

from __future__ import annotations

import dataclasses
import pathlib
import shlex

from understudy.assets import fence
from understudy.errors import Problem, UnknownName, nearest
from understudy.formats.beam_points import measured
from understudy.formats.document import Document
from understudy.formats.ground_size import grounded, stood, stood_thing
from understudy.formats.native import event_flat, robot_files
from understudy.formats.native.device_models import completed
from understudy.formats.native.robot_read import (
    Table,
    complain_of_absent,
    find_robot,
    fitted,
    merge,
    perfect,
    read_model,
    without_misspelt,
    without_taken_away,
)
from understudy.formats.robot_formats import RobotFile
from understudy.formats.sources import SourceMap
from understudy.world import events
from understudy.world.geo import GeoFrame
from understudy.world.records import Finding, KeyPath, Reader
from understudy.world.resolve import flatten, local, merged
from understudy.world.robot import PlacedRobot, Program, RobotModel
from understudy.world.rules import canonical
from understudy.world.scene import Scene, SceneEvent
from understudy.world.shapes import GeoPose
from understudy.world.terrain import Terrain
from understudy.world.validate import validate
from understudy.world.vocabulary import Vocabulary


class Flattener:
    """Flattens one document and collects every error."""

    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.places = SourceMap(document)
        self.problems: list[Problem] = []
        self._vocabulary = vocabulary
        self._reader = Reader(kinds=vocabulary.kinds)
        self._files: dict[tuple[str, str], RobotFile] = {}
        self._unchanged: dict[tuple[str, str], RobotModel] = {}  # models without overrides, read once

    def run(self, broken: set[tuple[str, KeyPath]], overlaps_too: bool = True, events_too: bool = True) -> Scene:
        """Return the flat scene; errors that follow from a *broken* path of a file are not reported."""
        main = self.places.main
        scene, terrain, no_ground = grounded(merged(main.scene), main.folder)
        flat, misplaced = flatten(scene)
        flat = stood(flat, terrain) if terrain else flat
        robots = tuple(self._built(robot, ("robot", index), flat.noise) for index, robot in enumerate(flat.robots))
        flat = self._with_events(dataclasses.replace(flat, robots=robots), terrain, events_too)
        findings = self._reader.findings
        spoiled = [self.places.flat(file, path) for file, path in broken] + [finding.path for finding in findings]
        across = [
            m
            for m in (*no_ground, *misplaced, *validate(flat, self._vocabulary, overlaps_too))
            if not _is_moot(m, spoiled)
        ]
        self.problems += map(self.places.problem, (*findings, *across))
        return flat

    def _with_events(self, flat: Scene, terrain: Terrain | None, wanted: bool) -> Scene:
        """Return a scene whose events are changes that a run can make; without events if they are not *wanted*."""
        made = [self._event(event, row, flat, terrain) for row, event in enumerate(flat.events if wanted else ())]
        flat = dataclasses.replace(flat, events=tuple(made))
        whole = (event_flat.tuned(event, flat, self._reader, ("event", row)) for row, event in enumerate(made))
        return dataclasses.replace(flat, events=tuple(whole))

    def _event(self, event: SceneEvent, row: int, flat: Scene, terrain: Terrain | None) -> SceneEvent:
        path: KeyPath = ("event", row)
        event = event_flat.opened(event, self._folder(path), self._reader, path, self._vocabulary)
        if (found := events.thing_of(event)) is None:
            return event
        key, thing = found
        if isinstance(thing, PlacedRobot):
            if isinstance(thing.place, GeoPose):
                thing = dataclasses.replace(thing, place=local(thing.place, GeoFrame.from_origin(flat.origin)))
            thing = self._built(thing, (*path, key), flat.noise)
        return events.with_thing(event, lambda _: stood_thing(thing, terrain) if terrain else thing)

    def _built(self, robot: PlacedRobot, path: KeyPath, scene_noise: str) -> PlacedRobot:
        """Return *robot* with its parts, or without them if they are not available."""
        parts = robot.parts
        if parts is None or robot.overrides:
            parts = self._parts(robot, path)
        parts = fitted(parts) if parts else None
        if parts and "perfect" in (scene_noise, robot.noise):
            parts = perfect(parts)
        program = robot.program and _decided(robot.program, self.places.main.folder or pathlib.Path())
        return dataclasses.replace(robot, parts=parts, overrides=None, program=program)

    def _parts(self, robot: PlacedRobot, path: KeyPath) -> RobotModel | None:
        over, unread = measured(robot.overrides or {}, self._folder(path))
        try:
            base = self._base(robot, path)
        except UnknownName as error:
            self._reader.complain((*path, "model"), str(error))
            return None
        if not base and not over.keys() & {"body", "drive"}:
            if not robot.model:  # else the error in its file is already reported
                robots = nearest("", self._vocabulary.catalog)
                self._reader.complain((*path, "model"), f"missing; name a robot {robots} or give body and drive here")
            return None
        key = (str(self._folder(path)), robot.model)
        if not over and key in self._unchanged:
            return self._unchanged[key]
        before = len(self._reader.findings)
        complain_of_absent(self._reader, base, over, path)
        over = without_misspelt(self._reader, base, over, path)
        table, unknown = completed(merge(without_taken_away(base, over), over), self._vocabulary.models)
        for finding in (*unread, *unknown):
            self._reader.complain((*path, *finding.path), finding.text)
        beside = robot_files.way(self.places.main.folder, self._folder(path))
        model = read_model(self._reader, robot_files.seen_from_beside(table, beside), path)
        if not over and len(self._reader.findings) == before:
            self._unchanged[key] = model
        return model

    def _folder(self, path: KeyPath) -> pathlib.Path | None:
        """Return the folder of the file that places a robot."""
        return self.places.owner(path[:2])[0].folder

    def _base(self, robot: PlacedRobot, path: KeyPath) -> Table:
        """Return the table of the robot's model; empty without one."""
        if not robot.model:
            return {}
        folder = self._folder(path)
        key = (str(folder), robot.model)
        if key not in self._files:
            self._files[key] = find_robot(robot.model, folder, self._vocabulary)
            self.problems += self._files[key].problems
        self.places.robot_sources[path] = self._files[key].source
        return self._files[key].table


def _decided(program: Program, folder: pathlib.Path) -> Program:
    """Return a program that is either a file or a command; it is a file if there is one of that name."""
    if not program.may_be_command:
        return program
    file = pathlib.PurePosixPath(program.folder) / program.file
    if fence.is_file(folder / file):
        return dataclasses.replace(program, file=str(file), folder="")
    try:
        words = tuple(shlex.split(program.file))
    except ValueError:  # a quotation mark without its other half
        words = ()
    return dataclasses.replace(program, file="", command=words) if words else program


def _is_moot(finding: Finding, spoiled: list[KeyPath]) -> bool:
    """Return whether *finding* depends on something that is itself invalid, completely or in part."""
    return any(_touch(_canonical(need), _canonical(path)) for need in finding.needs for path in spoiled)


def _touch(one: KeyPath, other: KeyPath) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _canonical(path: KeyPath) -> KeyPath:
    return tuple(canonical(part) if isinstance(part, str) else part for part in path)
