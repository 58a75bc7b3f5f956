"""Saphira's world files (``.wld``): walls as lines, in frames that may be moved and turned.

After Saphira's Pioneer simulator and EyeSim's page "World Format"; millimetres and degrees::

    ; comment, to the end of the line
    width 4680             size of the world
    height 3240
    0 0 2880 0             a wall from x1 y1 to x2 y2
    push 100 100 45        what follows is in a frame at x y, turned clockwise; frames may be nested
    pop                    back to the frame before
    position 180 1260 -90  start pose of the robot: becomes a home, as in ARIA's own converter

The direction in which frames turn is not documented; archived worlds fit their size only if it is clockwise. Other
lines are skipped with a warning.
"""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from understudy import elementary
from understudy.errors import FormatError, Problem
from understudy.formats.aria.map_write import plan_of
from understudy.formats.aria.words import number
from understudy.formats.document import Document, as_text
from understudy.world import outlines, walls
from understudy.world.marks import HOME, Mark, Piece, Point, Tag
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Pose
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".wld",)

_NUMBER = r"[ \t]+[+-]?[\d.]+"
_LINES = re.compile(
    rf"(?:width|height){_NUMBER}|(?:push|position)(?:{_NUMBER}){{3}}|pop|[+-]?[\d.]+(?:{_NUMBER}){{3}}", re.IGNORECASE
)
_WORDS = {"width": "WIDTH", "height": "HEIGHT", "push": "X Y ANGLE", "pop": "", "position": "X Y ANGLE"}
_HEAD = 4096


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a Saphira world."""
    head = data[:_HEAD]
    if b"\0" in head:
        return False
    return name.lower().endswith(SUFFIXES) or _looks_like_one(head.decode("latin-1"), whole=len(data) <= _HEAD)


def _looks_like_one(head: str, whole: bool) -> bool:
    """Return whether every line is valid and at least one has a keyword."""
    lines = [_without_comment(line) for line in (head.splitlines() if whole else head.splitlines()[:-1])]
    said = [line for line in lines if line]
    return any(line[0].isalpha() for line in said) and all(map(_LINES.fullmatch, said))


def _without_comment(line: str) -> str:
    text = line.partition(";")[0].strip()
    return "" if text.startswith("#") else text


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the world that a file's text describes; raises FormatError."""
    text = as_text(data, file)
    reader = _Reader(file)
    for number_, line in enumerate(text.splitlines(), 1):
        reader.take(number_, line)
    return Document(reader.scene(), file, text, folder, warnings=tuple(reader.warnings))


@dataclass(frozen=True, slots=True)
class _Frame:
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


class _Reader:
    """Reads a world line by line."""

    def __init__(self, file: str) -> None:
        self.warnings: list[Problem] = []
        self._file = file
        self._frames = [_Frame()]
        self._size: dict[str, float] = {}
        self._pieces: list[Piece] = []
        self._homes: list[Mark] = []
        self._understood = 0

    def take(self, line: int, text: str) -> None:
        """Process one line, or add a warning."""
        said = _without_comment(text)
        if not said:
            return
        try:
            self._take(said.split())
            self._understood += 1
        except ValueError as problem:
            self.warnings.append(Problem(self._file, line, "", str(problem)))

    def _take(self, words: list[str]) -> None:
        word = words[0].lower()
        if word in _WORDS:
            self._do(word, _numbers(words[1:], f"{word} {_WORDS[word]}".strip(), len(_WORDS[word].split()), words))
        else:
            x1, y1, x2, y2 = _numbers(words, "x1 y1 x2 y2", 4, words)
            frame = self._frames[-1]
            self._pieces.append(_metres(*frame.point(x1, y1), *frame.point(x2, y2)))

    def _do(self, word: str, values: list[float]) -> None:
        frame = self._frames[-1]
        if word == "pop":
            if len(self._frames) == 1:
                raise ValueError("pop without push before it; skipped")
            self._frames.pop()
        elif word == "push":
            self._frames.append(_Frame(*frame.point(values[0], values[1]), frame.turn - values[2]))
        elif word == "position":
            x, y = frame.point(values[0], values[1])
            pose = Pose(x / 1000, y / 1000, heading_rad=math.radians(frame.turn + values[2]))
            self._homes.append(Mark(tag=Tag(HOME, "Home"), pose=pose))
        else:
            self._size[word] = values[0] / 1000

    def scene(self) -> Scene:
        """Return the scene of all lines; raises FormatError if no line was valid."""
        if self.warnings and not self._understood:
            raise FormatError(f"{self.warnings[0]}; no line is valid in a Saphira world")
        return Scene(
            name=pathlib.PurePath(self._file).stem,
            ground=self._ground(),
            walls=(Wall(pieces_m=tuple(self._pieces)),) if self._pieces else (),
            marks=tuple(self._homes),
        )

    def _ground(self) -> Ground:
        """Return a ground of the file's size, else one that covers the walls."""
        center, size = [], []
        for word, axis in (("width", 0), ("height", 1)):
            along = [value for piece in self._pieces for value in piece[axis::2]] or [-10.0, 10.0]
            given = self._size.get(word, 0.0)
            low, high = (0.0, given) if given > 0.0 else (min(along), max(along))
            center.append((low + high) / 2)
            size.append(max(high - low, 1e-3))
        return Ground((size[0], size[1]), (center[0], center[1]))


# ---- back


def write(scene: Scene) -> str:
    """Return *scene* as a world: all obstacles as lines, the home as the robot's position."""
    plan, ground = plan_of(scene), scene.ground
    lines = []
    if all(abs(middle - size / 2) < 1e-9 for middle, size in zip(ground.center_m, ground.size_m)):
        lines = [f"width {_mm(ground.size_m[0])}", f"height {_mm(ground.size_m[1])}"]
    dots = walls.pieces(Wall(dots_m=tuple(plan.dots), dot_m=plan.dot_m)).tolist() if plan.dots else []
    pieces = [*plan.pieces, *(piece for _, piece in plan.reflectors), *dots, *_boxes(plan.boxes)]
    lines += [" ".join(map(_mm, piece)) for piece in pieces]
    homes = [mark.pose for mark in plan.marks if mark.tag.type == HOME and mark.status == "active"]
    lines += [f"position {_mm(pose.x_m)} {_mm(pose.y_m)} {math.degrees(pose.heading_rad):.9g}" for pose in homes[:1]]
    return "\n".join(lines) + "\n"


def left_out(scene: Scene) -> list[str]:
    """Return descriptions of what a Saphira world does not store."""
    marks = [mark for mark in scene.marks if mark.tag.type != HOME]
    parts = {"robot": scene.robots, "ball": scene.balls, "light": scene.lights, "mark": marks}
    words = [f"{len(found)} {noun}{'s' if len(found) != 1 else ''}" for noun, found in parts.items() if found]
    return [*words, "names, heights, colours and surface properties: everything is a line"]


def _boxes(boxes: Iterable[Solid]) -> Iterator[Piece]:
    for box in boxes:
        for outline in outlines.of_solid(box):
            for (x1, y1), (x2, y2) in zip(outline.points, (*outline.points[1:], outline.points[0])):
                yield x1, y1, x2, y2


def _mm(metres: float) -> str:
    return f"{round(1000.0 * metres, 6) + 0.0:.12g}"  # no -0


def _numbers(words: list[str], want: str, count: int, line: list[str]) -> list[float]:
    try:
        values = [number(word) for word in words]
    except ValueError:
        values = []
    if len(values) != count or len(words) != count:
        noun = "a wall" if want == "x1 y1 x2 y2" else "a line of a world"
        raise ValueError(f"not {noun}: {' '.join(line)[:60]!r} (want {want})")
    return values


def _metres(x1: float, y1: float, x2: float, y2: float) -> Piece:
    return x1 / 1000, y1 / 1000, x2 / 1000, y2 / 1000
