"""Makes the tables of docs/urdf-robots.md: how the URDF robots of a folder are read.

python docs/urdf_table.py FOLDER [--title WORDS] [--skip WORD ...] > table.md
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from understudy.errors import UnderstudyError
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.urdf import robot_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import RobotModel, Undriven

HEAD = ("file", "stands as", "wheels", "castors", "joints", "engine", "mass (kg)", "notes")


def main(argv: list[str]) -> int:
    """Write the table of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--title", default="", help="a heading before the table")
    parser.add_argument("--skip", nargs="*", default=(), help="leave out files with one of these words in their path")
    args = parser.parse_args(argv)
    files = sorted(path for suffix in robot_file.SUFFIXES for path in args.folder.rglob(f"*{suffix}"))
    kept = [path for path in files if not any(word in path.as_posix() for word in args.skip)]
    heading = f"## {args.title}\n\n" if args.title else ""
    sys.stdout.write(f"{heading}{table(_row(path, args.folder) for path in kept)}\n")
    return 0


def table(rows: Iterable[tuple[str, ...]]) -> str:
    """Return rows as a table of Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def _row(path: pathlib.Path, folder: pathlib.Path) -> tuple[str, ...]:
    name = f"`{path.relative_to(folder).as_posix()}`"
    words = vocabulary()
    try:
        document = robot_file.parse(path.read_bytes(), path.name, words, path.parent)
        model = scene_file.resolve(document, words).robots[0].built
    except UnderstudyError as problem:
        return (name, "refused", "", "", "", "", "", _short(str(problem).splitlines()[0]))
    mass = model.dynamics.mass_kg
    return (
        name, _stands(model), _count(document, "a wheel"), str(len(model.castors)), str(len(model.joints)),
        document.scene.engine, f"{mass:.3g}" if mass else "none given", "; ".join(_notes(document.warnings)),
    )  # fmt: skip


def _count(document: Document, what: str) -> str:
    return str(sum(note.text.endswith(f"became {what}") for note in document.became))


def _stands(model: RobotModel) -> str:
    if isinstance(model.drive, Undriven):
        return "bolted down" if model.drive.bolted else "loose"
    return model.drive.kind


def _notes(warnings: Iterable[object]) -> Iterator[str]:
    """Yield what was left out or replaced; equal notes are counted."""
    kinds = Counter(_kind(str(getattr(warning, "text", warning))) for warning in warnings)
    for text, count in kinds.items():
        yield f"{text} ({count})" if count > 1 else text


_KINDS = {  # part of a warning of understudy/formats/urdf: a short note
    "inertia of": "invalid inertia, computed from the shapes",
    "has no mass": "a joint carries no mass",
    "the mesh": "mesh not found",
    "offset": "mimics with an offset",
    "mimics": "mimics a joint that does not move",
    "kg is added": "mass added to the body",
    "kg are added": "mass added to the body",
    "no castor": "a castor is added",
    "three numbers": "more numbers than three",
    "a box ": "shape of zero size",
    "a cylinder ": "shape of zero size",
    "a sphere ": "shape of zero size",
}


def _kind(text: str) -> str:
    if text.startswith("sensor "):
        return f"sensor of kind {text.split(' of kind ')[1]}"
    return next((words for mark, words in _KINDS.items() if mark in text), _short(text))


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
