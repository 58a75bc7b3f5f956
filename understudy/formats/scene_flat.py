"""From a document to the flat scene: robots get their parts, and everything is checked against everything."""

from __future__ import annotations

import dataclasses
import pathlib

from understudy.errors import Problem, UnknownName, nearest
from understudy.formats import look_files
from understudy.formats.beam_points import measured
from understudy.formats.device_models import completed
from understudy.formats.document import Document
from understudy.formats.grounded import grounded, stood
from understudy.formats.places import Places
from understudy.formats.robot_read import (
    RobotFile,
    Table,
    complain_of_absent,
    find_robot,
    fitted,
    merge,
    perfect,
    read_model,
    without_taken_away,
)
from understudy.world.plain import Mistake, Path, Reader
from understudy.world.resolve import flatten, merged
from understudy.world.robot import Robot, RobotModel
from understudy.world.rules import canonical
from understudy.world.scene import Scene
from understudy.world.validate import validate
from understudy.world.vocabulary import Vocabulary


class Flattener:
    """Makes one document flat and collects every mistake on the way."""

    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.places = Places(document)
        self.problems: list[Problem] = []
        self._vocabulary = vocabulary
        self._reader = Reader(kinds=vocabulary.kinds)
        self._files: dict[tuple[str, str], RobotFile] = {}
        self._unchanged: dict[tuple[str, str], RobotModel] = {}  # robots as their files have them: read once

    def run(self, broken: set[tuple[str, Path]], overlaps_too: bool = True) -> Scene:
        """Return the flat scene; what depends on a *broken* path of a file is not complained of."""
        main = self.places.main
        scene, terrain, no_ground = grounded(merged(main.scene), main.folder)
        flat, misplaced = flatten(scene)
        flat = stood(flat, terrain) if terrain else flat
        robots = tuple(self._built(robot, index, flat.noise) for index, robot in enumerate(flat.robots))
        flat = dataclasses.replace(flat, robots=robots)
        mistakes = self._reader.mistakes
        spoiled = [self.places.flat(file, path) for file, path in broken] + [mistake.path for mistake in mistakes]
        across = [
            m
            for m in (*no_ground, *misplaced, *validate(flat, self._vocabulary, overlaps_too))
            if not _is_moot(m, spoiled)
        ]
        self.problems += map(self.places.problem, (*mistakes, *across))
        return flat

    def _built(self, robot: Robot, index: int, scene_noise: str) -> Robot:
        """Return *robot* with its parts, or without if they cannot be had."""
        parts = robot.parts
        if parts is None or robot.overrides:
            parts = self._parts(robot, index)
        parts = fitted(parts) if parts else None
        if parts and "perfect" in (scene_noise, robot.noise):
            parts = perfect(parts)
        return dataclasses.replace(robot, parts=parts, overrides=None)

    def _parts(self, robot: Robot, index: int) -> RobotModel | None:
        path: Path = ("robot", index)
        over, unread = measured(robot.overrides or {}, self._folder(index))
        try:
            base = self._base(robot, index)
        except UnknownName as error:
            self._reader.complain((*path, "model"), str(error))
            return None
        if not base and not over.keys() & {"body", "drive"}:
            if not robot.model:  # else its file is mistaken, which has been said
                robots = nearest("", self._vocabulary.catalog)
                self._reader.complain((*path, "model"), f"missing; name a robot {robots} or give body and drive here")
            return None
        key = (str(self._folder(index)), robot.model)
        if not over and key in self._unchanged:
            return self._unchanged[key]
        before = len(self._reader.mistakes)
        complain_of_absent(self._reader, base, over, path)
        table, unknown = completed(merge(without_taken_away(base, over), over), self._vocabulary.models)
        for mistake in (*unread, *unknown):
            self._reader.complain((*path, *mistake.path), mistake.text)
        beside = look_files.way(self.places.main.folder, self._folder(index))
        model = read_model(self._reader, look_files.seen_from_beside(table, beside), path)
        if not over and len(self._reader.mistakes) == before:
            self._unchanged[key] = model
        return model

    def _folder(self, index: int) -> pathlib.Path | None:
        """Return the folder of the file that places a robot."""
        return self.places.owner(("robot", index))[0].folder

    def _base(self, robot: Robot, index: int) -> Table:
        """Return the table of the robot's model; empty without one."""
        if not robot.model:
            return {}
        folder = self._folder(index)
        key = (str(folder), robot.model)
        if key not in self._files:
            self._files[key] = find_robot(robot.model, folder, self._vocabulary)
            self.problems += self._files[key].problems
        self.places.robot_sources[index] = self._files[key].source
        return self._files[key].table


def _is_moot(mistake: Mistake, spoiled: list[Path]) -> bool:
    """Say whether something that *mistake* needs is mistaken itself, as a whole or in part."""
    return any(_touch(_canonical(need), _canonical(path)) for need in mistake.needs for path in spoiled)


def _touch(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _canonical(path: Path) -> Path:
    return tuple(canonical(part) if isinstance(part, str) else part for part in path)
