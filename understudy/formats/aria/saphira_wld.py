"""Saphira's world files (``.wld``): walls as lines, in frames that may be moved and turned.

After Saphira's Pioneer simulator and EyeSim's page "World Format"; millimetres and degrees::

    ; comment, to the end of the line
    width 4680             size of the world
    height 3240
    0 0 2880 0             a wall from x1 y1 to x2 y2
    push 100 100 45        what follows is in a frame at x y, turned clockwise; frames may be nested
    pop                    back to the frame before
    position 180 1260 -90  start pose of the robot: becomes a home, as in ARIA's own converter

and what later versions of EyeSim added::

    # comment              as a line of its own
    floor 4680 3240        width and height
    floor_texture oak.png  a picture on the floor
    0 0 2880 0 20 300      a wall with thickness and height, and perhaps its colour R G B, from 0 to 255
    ball 900 900           a ball

The direction in which frames turn is not documented; archived worlds fit their size only if it is clockwise. Other
lines are skipped with a warning. The lines are read by `eyesim.world_lines`; in a ``.sim`` file of EyeSim the same
world has robots at its positions instead of homes.
"""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Iterable, Iterator

from understudy.formats.aria.map_write import plan_of
from understudy.formats.document import Document, as_text
from understudy.formats.eyesim import things
from understudy.formats.eyesim.world_lines import read_world, without_comment
from understudy.world import outlines, walls
from understudy.world.marks import HOME, Mark, Piece, Tag
from understudy.world.scene import Scene, Solid, Wall
from understudy.world.shapes import Pose
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".wld",)

_NUMBER = r"[ \t]+[+-]?[\d.]+"
_LINES = re.compile(
    rf"(?:width|height){_NUMBER}|(?:floor|ball)(?:{_NUMBER}){{2}}|(?:push|position)(?:{_NUMBER}){{3}}|pop"
    rf"|floor_texture[ \t]+\S.*|[+-]?[\d.]+(?:{_NUMBER}){{3}}(?:(?:{_NUMBER}){{2}}|(?:{_NUMBER}){{5}})?",
    re.IGNORECASE,
)
_HEAD = 4096


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a Saphira world."""
    head = data[:_HEAD]
    if b"\0" in head:
        return False
    return name.lower().endswith(SUFFIXES) or _looks_like_one(head.decode("latin-1"), whole=len(data) <= _HEAD)


def _looks_like_one(head: str, whole: bool) -> bool:
    """Return whether every line is valid and at least one has a keyword."""
    lines = [without_comment(line) for line in (head.splitlines() if whole else head.splitlines()[:-1])]
    said = [line for line in lines if line]
    return any(line[0].isalpha() for line in said) and all(map(_LINES.fullmatch, said))


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the world that a file's text describes; raises FormatError."""
    text = as_text(data, file)
    plan = read_world(text, file, folder)
    scene = Scene(
        name=pathlib.PurePath(file).stem,
        ground=plan.ground(),
        walls=plan.walls(Wall().height_m),
        balls=tuple(things.golf_ball(pose) for pose in plan.balls),
        marks=tuple(map(_home, plan.positions)),
    )
    return Document(scene, file, text, folder, plan.lines, warnings=plan.notes.all_warnings())


def _home(pose: Pose) -> Mark:
    return Mark(tag=Tag(HOME, "Home"), pose=pose)


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
