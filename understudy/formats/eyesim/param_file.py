"""EyeSim's parameter file (``eyesim.p``) of the paper's time: the robot, how many there are, and their environment."""

from __future__ import annotations

import dataclasses
import math
import os
import pathlib
import re
from collections.abc import Iterator

from understudy.errors import FormatError
from understudy.formats.document import Document, as_text
from understudy.formats.eyesim import things
from understudy.formats.eyesim.environment import Environment, Start, read_environment
from understudy.formats.eyesim.finder import EyeSimFiles
from understudy.formats.eyesim.line_words import FileNotes
from understudy.formats.eyesim.param_lines import KEYWORDS, ClassicParams, read_params
from understudy.formats.eyesim.param_robot import robot_overrides
from understudy.world.file_names import seen_from_beside
from understudy.world.records import KeyPath
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "parse", "sniff"]

SUFFIXES: tuple[str, ...] = (".p",)
_LINE = re.compile(rb"^[ \t\r]*+(?:" + "|".join(KEYWORDS).encode() + rb")\s", re.MULTILINE | re.IGNORECASE)


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a parameter file of EyeSim."""
    return name.lower().endswith(SUFFIXES) and b"\0" not in data and _LINE.search(data) is not None


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene that a parameter file describes; raises SceneError with every error."""
    text = as_text(data, file)
    notes = FileNotes(file)
    params = read_params(text, file, notes)
    world = _environment(params, EyeSimFiles(folder, os.environ), notes)
    starts = list(_starts(params, world, notes))
    notes.raise_errors()
    scene = world.scene() if world else Scene(ground=things.BOX)
    scene = seen_from_beside(dataclasses.replace(scene, robots=()), world.file if world else "")
    robots = tuple(_robot(params, n, start.pose) for n, start in enumerate(starts))
    scene = dataclasses.replace(
        scene,
        name=pathlib.PurePath(file).stem,
        robots=robots,
        media=params.margins.media(),
        start_together=len(robots) > 1,  # section 5.1 of the paper
    )
    lines: dict[KeyPath, int] = {("robot", n): start.line for n, start in enumerate(starts)}
    return Document(scene, file, text, folder, lines, warnings=notes.all_warnings())


def _environment(params: ClassicParams, files: EyeSimFiles, notes: FileNotes) -> Environment | None:
    """Return the environment that the file names; None if it names none, or with an error."""
    if params.environment is None:
        return None
    name, line = params.environment
    path = files.find(name)
    if path is None:
        notes.wrong(line, f"no such file {name[:80]!r} ({files.where()})")
        return None
    try:
        world = read_environment(files.text(path), files.seen(path), path.parent)
    except FormatError as error:
        notes.wrong(line, str(error))
        return None
    notes.take(world.warnings)
    return world


def _starts(params: ClassicParams, world: Environment | None, notes: FileNotes) -> Iterator[Start]:
    """Yield where robots start: at the poses of the file, then at the starts of the environment."""
    own = [Start(_pose(x, y, phi), line=line) for x, y, phi, line in params.poses]
    number = int(params.single.get("robots", 0))
    others = (
        [dataclasses.replace(start, line=params.environment[1]) for start in world.starts]
        if (world and params.environment and (number or not own))
        else []
    )
    line = params.lines.get("robots", 0)
    every = [*own, *others] or [Start(_middle(world), line=line)]
    if number > len(every):
        starts = f"{len(every)} start{'s' if len(every) != 1 else ''}"
        text = f"{number} robots but {starts} (add lines: robot x y phi; or letters to the maze)"
        notes.wrong(line, text)
    yield from every[: number or None]


def _middle(world: Environment | None) -> Pose:
    x, y = (world.ground if world else things.BOX).center_m
    return Pose(x, y)


def _pose(x: float, y: float, phi: float) -> Pose:
    return Pose(x / 1000, y / 1000, heading_rad=math.radians(phi))


def _robot(params: ClassicParams, number: int, pose: Pose) -> PlacedRobot:
    name = f"{legal(params.name, 'robot')}-{number + 1}"
    robot = things.robot_at(number, things.START_MODEL, pose, name)
    return dataclasses.replace(robot, overrides=robot_overrides(params) or None)
