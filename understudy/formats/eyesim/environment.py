"""The environment of EyeSim's robots: walls, floor, balls, crates and starts, from a world or a maze file."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from understudy import formats
from understudy.errors import FormatError, Problem
from understudy.formats.document import Document, as_text
from understudy.formats.eyesim import maze_text, things
from understudy.formats.eyesim.line_words import check_size
from understudy.formats.eyesim.world_lines import read_world
from understudy.frozen import frozen
from understudy.world.records import KeyPath
from understudy.world.scene import Ball, Ground, Scene, Solid, Wall
from understudy.world.shapes import Pose

WALL_M = 0.2  # EyeSim-VR; the paper's walls have no height
MOST_THINGS = 5_000  # robots, and balls and crates, of one file


@frozen
class Start:
    """Where a robot may start: its pose, its letter in a maze, and its line in the file."""

    pose: Pose
    letter: str = ""
    line: int = 0


@dataclass(frozen=True)
class Environment:
    """What a world or maze file describes, without robots."""

    file: str
    ground: Ground
    walls: tuple[Wall, ...]
    loose: tuple[Ball | Solid, ...] = ()  # what can be pushed
    starts: tuple[Start, ...] = ()
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()

    def balls(self) -> tuple[Ball, ...]:
        """Return the balls."""
        return tuple(thing for thing in self.loose if isinstance(thing, Ball))

    def objects(self) -> tuple[Solid, ...]:
        """Return the other objects."""
        return tuple(thing for thing in self.loose if isinstance(thing, Solid))

    def scene(self, model: str = things.START_MODEL) -> Scene:
        """Return the scene in which a robot of this model is at every start."""
        robots = (things.robot_at(n, model, start.pose) for n, start in enumerate(self.starts))
        return Scene(
            name=pathlib.PurePath(self.file).stem,
            ground=self.ground,
            walls=self.walls,
            objects=self.objects(),
            balls=self.balls(),
            robots=tuple(robots),
        )

    def document(self, text: str, folder: pathlib.Path | None, model: str = things.START_MODEL) -> Document:
        """Return the document of a file that is run directly."""
        lines: dict[KeyPath, int] = dict(self.lines)
        lines |= {("robot", n): start.line for n, start in enumerate(self.starts)}
        return Document(self.scene(model), self.file, text, folder, lines, warnings=self.warnings)


def open_world(path: pathlib.Path, model: str = things.START_MODEL) -> Document:
    """Return a world or maze file as EyeSim runs it: with a robot of this model at each start; raises FormatError."""
    data = formats.content(path)
    made = read_environment(data, str(path), path.parent).document(as_text(data, str(path)), path.parent, model)
    return dataclasses.replace(made, format="maze" if is_maze(path.name) else "wld")


def is_maze(name: str) -> bool:
    """Return whether a file is a maze by its name."""
    return name.lower().endswith(maze_text.SUFFIXES)


def read_environment(data: bytes | str, file: str, folder: pathlib.Path | None) -> Environment:
    """Return the environment in a world or maze file in *folder*; raises FormatError."""
    if isinstance(data, bytes):
        check_size(data, file)
    text = as_text(data, file)
    made = _of_maze(text, file) if is_maze(file) else _of_world(text, file, folder)
    for noun, count in (("robots", len(made.starts)), ("objects", len(made.loose))):
        if count > MOST_THINGS:
            raise FormatError(f"{file}: too many {noun}: {count:,} (at most {MOST_THINGS:,})")
    return made


def _of_world(text: str, file: str, folder: pathlib.Path | None) -> Environment:
    plan = read_world(text, file, folder)
    lines = plan.lines
    starts = [Start(pose, line=lines["position", n]) for n, pose in enumerate(plan.positions)]
    balls = tuple(map(things.golf_ball, plan.balls))
    rest = {path: line for path, line in lines.items() if path[0] != "position"}
    return Environment(file, plan.ground(), plan.walls(WALL_M), balls, tuple(starts), rest, plan.notes.all_warnings())


def _of_maze(text: str, file: str) -> Environment:
    maze = maze_text.read_maze(text, file)
    walls = (Wall(pieces_m=maze.pieces_m(), height_m=WALL_M),) if maze.has_walls else ()
    wide, high = maze.size_m
    starts = tuple(Start(symbol.pose, symbol.letter, symbol.line) for symbol in maze.symbols if symbol.is_start)
    made = [(symbol, _thing(symbol)) for symbol in maze.symbols if not symbol.is_start]
    lines = {("wall", 0): maze.first_line, **dict(_thing_lines(made))}
    ground = Ground((wide, high), (wide / 2, high / 2))
    warnings = maze.notes.all_warnings()
    return Environment(file, ground, walls, tuple(thing for _, thing in made), starts, lines, warnings)


def _thing(symbol: maze_text.MazeSymbol) -> Ball | Solid:
    return (things.golf_ball if symbol.letter == "o" else things.crate)(symbol.pose)


def _thing_lines(made: list[tuple[maze_text.MazeSymbol, Ball | Solid]]) -> Iterator[tuple[KeyPath, int]]:
    count = {"ball": 0, "object": 0}
    for symbol, thing in made:
        key = "ball" if isinstance(thing, Ball) else "object"
        yield (key, count[key]), symbol.line
        count[key] += 1
