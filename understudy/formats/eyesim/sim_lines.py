"""The lines of a ``.sim`` file: first the world and what is loaded, then what is placed, in the order of the file."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Callable, Sequence
from typing import TypeVar

from understudy.errors import FormatError, UnknownName, nearest
from understudy.formats.eyesim import things
from understudy.formats.eyesim.environment import MOST_THINGS, Environment, read_environment
from understudy.formats.eyesim.error_lines import ErrorMargins, error_overrides, read_error
from understudy.formats.eyesim.esobj_lines import read_object
from understudy.formats.eyesim.finder import EyeSimFiles
from understudy.formats.eyesim.line_words import FileNotes, TextLine, numbers
from understudy.formats.eyesim.robi_lines import read_robi
from understudy.formats.eyesim.robi_robot import keyword_of
from understudy.formats.eyesim.sim_starts import SimStarts
from understudy.formats.native.robot_read import find_robot
from understudy.world.file_names import seen_from_beside
from understudy.world.records import KeyPath
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Ball, Scene, Solid
from understudy.world.shapes import Mesh, Pose
from understudy.world.vocabulary import Vocabulary

T = TypeVar("T")
Placeable = Callable[[Pose, str], Ball | Solid]
_WORLDS = ("world", "maze")
_ROBI, _OBJ = ("robi", "robot"), ("obj", "object")
_OTHERS = ("settings", "marker", "error")
_ROBOT = "ROBOT x y phi [program], or ROBOT S [phi] [program]"


class SimReader:
    """Makes a scene of the lines of a ``.sim`` file; what is wrong goes to the notes."""

    def __init__(self, notes: FileNotes, files: EyeSimFiles, vocabulary: Vocabulary) -> None:
        self._notes, self._files, self._vocabulary = notes, files, vocabulary
        self._world: Environment | None = None
        self._robots = dict(things.ROBOTS)  # keyword -> model
        self._robot_files: dict[str, str] = {}  # name in the file -> model
        self._objects: dict[str, Placeable] = dict(things.OBJECTS)
        self._margins = ErrorMargins()
        self._starts = SimStarts((), "")
        self._placed: list[PlacedRobot] = []
        self._balls: list[Ball] = []
        self._solids: list[Solid] = []
        self._count: dict[str, int] = {}
        self._numbering: list[str] = []
        self.lines: dict[KeyPath, int] = {}

    def scene(self, lines: Sequence[TextLine]) -> Scene:
        """Return the scene of all lines."""
        for line in lines:
            self._load(line)
        scene = self._empty_world()
        for line in lines:
            if len(self._placed) + len(self._balls) + len(self._solids) >= MOST_THINGS:
                self._notes.wrong(line.number, f"too many robots and objects (at most {MOST_THINGS:,})")
                break
            self._place(line)
        return dataclasses.replace(
            scene,
            objects=tuple(self._solids),
            balls=tuple(self._balls),
            robots=tuple(map(self._with_margins, self._placed)),
            engine="rigid" if any(isinstance(solid.shape, Mesh) for solid in self._solids) else scene.engine,
            media=self._margins.media(),
            numbering=tuple(self._numbering),
        )

    def _empty_world(self) -> Scene:
        """Return the world without its robots and objects; the objects are the first ones to be numbered."""
        name = pathlib.PurePath(self._notes.file).stem
        if self._world is None:
            return Scene(name=name, ground=things.BOX)
        self._notes.take(self._world.warnings)
        self._starts = SimStarts(self._world.starts, self._world.file)
        for thing in self._world.loose:
            stem = "ball" if isinstance(thing, Ball) else "crate"
            self._keep(dataclasses.replace(thing, name=self._name(stem)), 0)
        scene = Scene(name=name, ground=self._world.ground, walls=self._world.walls)
        return seen_from_beside(scene, self._world.file)

    # ---- what is loaded

    def _load(self, line: TextLine) -> None:
        if line.key in _WORLDS:
            self._load_world(line)
        elif line.key in _ROBI:
            self._load_robot(line)
        elif line.key in _OBJ and not numbers(line.words[1:2]):
            self._load_object(line)
        elif line.key == "error":
            self._margins = read_error(line, self._margins, self._notes)

    def _file(self, line: TextLine) -> pathlib.Path | None:
        """Return the file that a line names; None, with an error, if there is none."""
        if len(line.words) < 2:
            self._notes.wrong(line.number, f"no file (want {line.key} FILE)")
            return None
        found = self._files.find(line.words[1])
        if found is None:
            self._notes.wrong(line.number, f"no such file {line.words[1][:80]!r} ({self._files.where()})")
        return found

    def _load_world(self, line: TextLine) -> None:
        if self._world is not None:
            self._notes.warn(line.number, "a second world; skipped")
        elif path := self._file(line):
            self._world = self._try(line, lambda: self._environment(path))

    def _environment(self, path: pathlib.Path) -> Environment:
        return read_environment(self._files.text(path), self._files.seen(path), path.parent)

    def _load_robot(self, line: TextLine) -> None:
        if path := self._file(line):
            name = self._files.seen(path)
            inside = FileNotes(name)
            params = self._try(line, lambda: read_robi(self._files.text(path), name, inside))
            self._notes.take(inside.warnings)
            self._notes.errors += inside.errors
            if params:
                self._robots[keyword_of(params)] = self._robot_files[line.words[1]] = name

    def _load_object(self, line: TextLine) -> None:
        if path := self._file(line):
            name = self._files.seen(path)
            made = self._try(line, lambda: read_object(self._files.text(path), name, path.parent, self._notes))
            if made:
                self._objects[made.name.lower()] = made.placeable(pathlib.PurePosixPath(name).parent.as_posix())

    def _try(self, line: TextLine, read: Callable[[], T]) -> T | None:
        """Return what is read, or None with the reason as an error."""
        try:
            return read()
        except FormatError as error:
            self._notes.wrong(line.number, str(error))
            return None

    # ---- what is placed

    def _place(self, line: TextLine) -> None:
        if line.key in self._robots and line.key not in _ROBI:
            self._robot(line, self._robots[line.key], line.words[1:])
        elif line.key in self._objects:
            self._object(line, line.key, line.words[1:])
        elif line.key in _ROBI:
            self._old_robot(line)
        elif line.key in _OBJ:
            self._old_object(line)
        elif line.key == "settings":
            self._settings(line)
        elif line.key == "marker":
            self._marker(line)
        elif line.key not in (*_WORLDS, *_OTHERS):
            self._unknown(line)

    def _robot(self, line: TextLine, model: str, words: Sequence[str]) -> None:
        """Place a robot: a pose or a letter, then perhaps its program."""
        try:
            pose, rest = self._starts.pose_of(words)
        except ValueError as problem:
            self._notes.wrong(line.number, f"{problem} (want {_ROBOT})")
            return
        self._add_robot(line, line.key, model, pose, rest)

    def _old_robot(self, line: TextLine) -> None:
        """Place a robot of EyeSim 6: ``robi FILE PROGRAM [x y phi]``; without a program the file is only loaded."""
        model = self._robot_files.get(line.words[1]) if len(line.words) > 2 else None
        if model is None:
            return
        words = line.words[3:]
        try:
            pose, rest = self._starts.pose_of(words) if words else (self._starts.next(), ())
        except ValueError as problem:
            self._notes.wrong(line.number, f"{problem} (want robi FILE PROGRAM x y phi)")
            return
        self._add_robot(line, pathlib.PurePath(model).stem, model, pose, (line.words[2], *rest))

    def _add_robot(self, line: TextLine, stem: str, model: str, pose: Pose, words: Sequence[str]) -> None:
        robot = things.robot_at(len(self._placed), model, pose, self._name(stem))
        self.lines["robot", len(self._placed)] = line.number
        self._placed.append(dataclasses.replace(robot, program=self._program(line, words)))

    def _program(self, line: TextLine, words: Sequence[str]) -> Program | None:
        if not words or not words[0]:
            return None
        name = words[0]
        if self._files.folder is not None:
            found = self._files.program(name)
            if found is None:
                self._notes.wrong(line.number, f"no such program {name[:80]!r} ({self._files.where()})")
                return None
            if found.suffix.lower() != pathlib.PurePath(name).suffix.lower():
                self._notes.warn(line.number, f"there is no {name[:80]}; its source {found.name} is run instead")
            name = self._files.seen(found)
        return Program(name, "realtime", tuple(words[1:]), interface="robios")

    def _object(self, line: TextLine, key: str, words: Sequence[str]) -> None:
        values = numbers(words[:3])
        if values is None or len(words) not in (2, 3):
            self._notes.wrong(line.number, f"not a place: {' '.join(words)[:60]!r} (want {line.words[0]} x y phi)")
            return
        x, y, phi = (*values, 0.0)[:3]
        pose = Pose(x / 1000, y / 1000, heading_rad=math.radians(phi))
        self._keep(self._objects[key](pose, self._name(key)), line.number)

    def _old_object(self, line: TextLine) -> None:
        """Place an object of EyeSim 6: ``object x y phi friction model``; one with a file name is only loaded."""
        words = line.words[1:]
        values = numbers(words[:4])
        if not numbers(words[:1]):
            return
        if values is None or len(words) != 5 or values[3] < 0.0:
            self._notes.wrong(line.number, f"not an object: {line.text[:60]!r} (want object x y phi friction MODEL)")
            return
        key = pathlib.PurePath(words[4].replace("\\", "/")).stem.lower()
        if key not in self._objects:
            self._notes.warn(
                line.number, f"the object {words[4][:60]} is not supported; skipped {nearest(key, self._objects)}"
            )
            return
        self._object(line, key, words[:3])
        if self.lines.get(("object", len(self._solids) - 1)) == line.number:
            self._solids[-1] = dataclasses.replace(self._solids[-1], friction=values[3])

    def _marker(self, line: TextLine) -> None:
        values = numbers(line.words[1:])
        if values is None or len(values) not in (2, 5, 6) or any(not 0.0 <= share <= 255.0 for share in values[2:]):
            self._notes.wrong(line.number, f"not a marker: {line.text[:60]!r} (want marker x y [R G B [A]])")
            return
        colour = "#" + "".join(f"{round(share):02x}" for share in values[2:5]) if len(values) > 2 else "#ff0000"
        self._keep(things.marker(values[0] / 1000, values[1] / 1000, colour), line.number)

    def _settings(self, line: TextLine) -> None:
        for word in line.words[1:]:
            if word.upper() in ("VIS", "TRACE"):
                text = f"settings {word.upper()} has no effect yet: the studio has buttons for sensor rays and trails"
            else:
                text = f"unknown setting {word[:40]!r}; skipped (known: VIS, TRACE)"
            self._notes.warn(line.number, text)

    def _unknown(self, line: TextLine) -> None:
        word = line.words[0][:40]
        if line.key in things.NOT_SUPPORTED:
            self._notes.warn(
                line.number, f"the robot {word} is not supported; skipped (there are S4, LabBot, Omni, Ackermann)"
            )
            return
        self._notes.unknown(line, [*_WORLDS, *_OTHERS, *_ROBI, *_OBJ, *self._robots, *self._objects])

    # ---- the scene

    def _name(self, stem: str) -> str:
        """Return the next name with this stem, and number it."""
        word = legal(stem, "robot")
        self._count[word] = self._count.get(word, 0) + 1
        name = f"{word}-{self._count[word]}"
        if name in self._numbering:  # a stem that ends like a number of another
            return self._name(stem)
        self._numbering.append(name)
        return name

    def _keep(self, thing: Ball | Solid, line: int) -> None:
        """Add an object of a line; one of the world has none in this file."""
        key = "ball" if isinstance(thing, Ball) else "object"
        if line:
            self.lines[key, len(self._balls if isinstance(thing, Ball) else self._solids)] = line
        if isinstance(thing, Ball):
            self._balls.append(thing)
        else:
            self._solids.append(thing)

    def _with_margins(self, robot: PlacedRobot) -> PlacedRobot:
        """Return a robot with the errors of the file, for the devices that it has."""
        if not self._margins.shares:
            return robot
        try:
            devices = find_robot(robot.model, self._files.folder, self._vocabulary).table.get("device", {})
        except UnknownName:  # reported when the scene is resolved
            return robot
        there = [name for name, device in devices.items() if device is not False]
        return dataclasses.replace(robot, overrides=error_overrides(self._margins, there) or None)
