"""The lines of a world file (``.wld``), of Saphira's simulator and of EyeSim: the only reader of this format.

`aria.saphira_wld` makes a map of MobileSim from them, `environment` a world of EyeSim; see `saphira_wld` for the lines.
"""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from understudy import elementary
from understudy.assets import fence
from understudy.errors import FormatError
from understudy.formats.aria.words import number
from understudy.formats.eyesim.line_words import FileNotes
from understudy.frozen import frozen
from understudy.world.marks import Piece, Point
from understudy.world.records import KeyPath
from understudy.world.scene import Ground, Wall
from understudy.world.shapes import Pose

PLAIN = "x1 y1 x2 y2"
_LONGER = {6: " thickness height", 9: " thickness height R G B"}  # EyeSim 6: the extended world format
# each keyword with what follows it
KEYWORDS = {
    "width": "WIDTH", "height": "HEIGHT", "push": "X Y ANGLE", "pop": "", "position": "X Y ANGLE", "floor": "W H",
    "ball": "X Y", "floor_texture": "FILE",
}  # fmt: skip
_MOST_OPEN = 10_000  # frames: archived files have hundreds


@frozen
class WallFrame:
    """The position of a frame in the world (mm) and its rotation, counter-clockwise (deg)."""

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    def point(self, x: float, y: float) -> Point:
        """Return a point of the frame in the world (mm)."""
        if self.turn % 360.0 == 0.0:
            return self.x + x, self.y + y
        cos, sin = elementary.cos(math.radians(self.turn)), elementary.sin(math.radians(self.turn))
        return self.x + x * cos - y * sin, self.y + x * sin + y * cos

    def inner(self, x: float, y: float, clockwise: float) -> WallFrame:
        """Return a frame in this one."""
        return WallFrame(*self.point(x, y), math.remainder(self.turn - clockwise, 360.0))


class WallLook(NamedTuple):
    """What an extended line gives of a wall: thickness and height (mm), colour; None: not given."""

    thickness: float = 0.0
    height: float | None = None
    colour: str = ""


@dataclass(frozen=True)
class WorldPlan:
    """What a world file describes, in metres."""

    pieces: Mapping[WallLook, tuple[Piece, ...]]
    size_m: Mapping[str, float]
    picture: str
    positions: tuple[Pose, ...]
    balls: tuple[Pose, ...]
    lines: Mapping[KeyPath, int]  # of the picture, of positions and of balls
    notes: FileNotes

    def walls(self, height_m: float) -> tuple[Wall, ...]:
        """Return the walls, one for each look; plain ones are as high as this (m)."""
        return tuple(_wall(look, pieces, height_m) for look, pieces in self.pieces.items())

    def ground(self) -> Ground:
        """Return a ground of the file's size, else one that covers the walls."""
        center, size = [], []
        every = [piece for pieces in self.pieces.values() for piece in pieces]
        for word, axis in (("width", 0), ("height", 1)):
            along = [value for piece in every for value in piece[axis::2]] or [-10.0, 10.0]
            given = self.size_m.get(word, 0.0)
            low, high = (0.0, given) if given > 0.0 else (min(along), max(along))
            center.append((low + high) / 2)
            size.append(max(high - low, 1e-3))
        return Ground((size[0], size[1]), (center[0], center[1]), picture=self.picture)


def _wall(look: WallLook, pieces: tuple[Piece, ...], height_m: float) -> Wall:
    high = height_m if look.height is None else look.height / 1000
    wall = Wall(pieces_m=pieces, height_m=high, thickness_m=look.thickness / 1000)
    return dataclasses.replace(wall, colour=look.colour) if look.colour else wall


def read_world(text: str, file: str, folder: pathlib.Path | None) -> WorldPlan:
    """Return what a world file in *folder* describes; raises FormatError if no line is valid."""
    reader = _Reader(FileNotes(file), folder)
    for line, said in enumerate(text.splitlines(), 1):
        reader.take(line, said)
    return reader.plan()


def without_comment(line: str) -> str:
    """Return a line without its comment: from a semicolon on, or all of it if it begins with ``#``."""
    text = line.partition(";")[0].strip()
    return "" if text.startswith("#") else text


@dataclass
class _Reader:
    """Reads a world line by line."""

    notes: FileNotes
    folder: pathlib.Path | None
    frames: list[WallFrame] = field(default_factory=lambda: [WallFrame()])
    size: dict[str, float] = field(default_factory=dict)
    pieces: dict[WallLook, list[Piece]] = field(default_factory=dict)
    picture: str = ""
    positions: list[Pose] = field(default_factory=list)
    balls: list[Pose] = field(default_factory=list)
    lines: dict[KeyPath, int] = field(default_factory=dict)
    line: int = 0
    understood: int = 0

    def take(self, line: int, text: str) -> None:
        """Process one line, or add a warning."""
        said = without_comment(text)
        if not said:
            return
        self.line = line
        try:
            self._take(said.split(), said)
            self.understood += 1
        except FormatError:
            raise
        except ValueError as problem:
            self.notes.warn(line, str(problem))

    def _take(self, words: list[str], said: str) -> None:
        word = words[0].lower()
        if word == "floor_texture":
            self._texture(said[len(word) :].strip().strip('"'))
        elif word in KEYWORDS:
            want = KEYWORDS[word]
            _DO[word](self, _numbers(words[1:], f"{word} {want}".strip(), (len(want.split()),), words))
        else:
            self._wall(_numbers(words, PLAIN, (4, *_LONGER), words))

    def _wall(self, values: list[float]) -> None:
        frame, (x1, y1, x2, y2) = self.frames[-1], values[:4]
        piece = _metres(*frame.point(x1, y1), *frame.point(x2, y2))
        self.pieces.setdefault(_look(values[4:]), []).append(piece)

    def _texture(self, name: str) -> None:
        if not name:
            raise ValueError("not a line of a world: 'floor_texture' (want floor_texture FILE)")
        name = name.replace("\\", "/")
        if self.folder is not None and not fence.is_file(self.folder / name):
            raise ValueError(f"no such picture {name[:80]!r}; the floor has none")
        self.picture = name
        self.lines["ground", "picture"] = self.line

    def push(self, values: list[float]) -> None:
        """Open a frame."""
        if len(self.frames) > _MOST_OPEN:
            raise FormatError(f"{self.notes.file}:{self.line}: more than {_MOST_OPEN:,} push without pop")
        self.frames.append(self.frames[-1].inner(*values))

    def pop(self, values: list[float]) -> None:
        """Close the innermost frame."""
        if len(self.frames) == 1:
            raise ValueError("pop without push before it; skipped")
        self.frames.pop()

    def position(self, values: list[float]) -> None:
        """Add the start of a robot, in the frame that is open."""
        frame = self.frames[-1]
        x, y = frame.point(values[0], values[1])
        self.lines["position", len(self.positions)] = self.line
        self.positions.append(Pose(x / 1000, y / 1000, heading_rad=math.radians(frame.turn + values[2])))

    def ball(self, values: list[float]) -> None:
        """Add a ball, in the frame that is open."""
        x, y = self.frames[-1].point(values[0], values[1])
        self.lines["ball", len(self.balls)] = self.line
        self.balls.append(Pose(x / 1000, y / 1000))

    def sized(self, **mm: float) -> None:
        """Set width or height of the world."""
        self.size |= {word: value / 1000 for word, value in mm.items()}

    def plan(self) -> WorldPlan:
        """Return the result of all lines; raises FormatError if no line was valid."""
        if self.notes.warnings and not self.understood:
            raise FormatError(f"{self.notes.warnings[0]}; no line is valid in a Saphira world")
        pieces = {look: tuple(rows) for look, rows in self.pieces.items()}
        starts, balls = tuple(self.positions), tuple(self.balls)
        return WorldPlan(pieces, self.size, self.picture, starts, balls, self.lines, self.notes)


_DO: Mapping[str, Callable[[_Reader, list[float]], None]] = {
    "width": lambda reader, values: reader.sized(width=values[0]),
    "height": lambda reader, values: reader.sized(height=values[0]),
    "floor": lambda reader, values: reader.sized(width=values[0], height=values[1]),
    "push": _Reader.push,
    "pop": _Reader.pop,
    "position": _Reader.position,
    "ball": _Reader.ball,
}


def _numbers(words: list[str], want: str, counts: tuple[int, ...], line: list[str]) -> list[float]:
    try:
        values = [number(word) for word in words]
    except ValueError:
        values = []
    if len(values) not in counts or len(words) not in counts:
        noun = "a wall" if want == PLAIN else "a line of a world"
        raise ValueError(f"not {noun}: {' '.join(line)[:60]!r} (want {want})")
    return values


def _look(values: list[float]) -> WallLook:
    """Return the look that the additional numbers of a wall's line give; raises ValueError."""
    if not values:
        return WallLook()
    thickness, height, *rgb = values
    if thickness < 0.0 or height <= 0.0:
        raise ValueError(f"not a wall: thickness {thickness:g} and height {height:g} (want 0 or more, and above 0)")
    if any(not 0.0 <= share <= 255.0 for share in rgb):
        raise ValueError("not a wall: its colour must be three numbers from 0 to 255")
    return WallLook(thickness, height, "".join(["#", *(f"{round(share):02x}" for share in rgb)]) if rgb else "")


def _metres(x1: float, y1: float, x2: float, y2: float) -> Piece:
    return x1 / 1000, y1 / 1000, x2 / 1000, y2 / 1000
