"""What became of URDF robots: makes the table of docs/urdf-robots.md from a folder of files.

python docs/urdf_table.py FOLDER [--title WORDS] [--skip WORD ...] > table.md
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from understudy.errors import UnderstudyError
from understudy.formats import native, urdf
from understudy.formats.document import Document
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
    files = sorted(path for suffix in urdf.SUFFIXES for path in args.folder.rglob(f"*{suffix}"))
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
        document = urdf.parse(path.read_bytes(), path.name, words, path.parent)
        model = native.resolve(document, words).robots[0].built
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
    """Yield what was left out or not believed, alike ones counted."""
    kinds = Counter(_kind(str(getattr(warning, "text", warning))) for warning in warnings)
    for text, count in kinds.items():
        yield f"{text} ({count})" if count > 1 else text


_KINDS = {
    "no body's": "inertia is no body's, that of the forms counts",
    "has no mass": "a joint carries no mass",
    "is not there": "mesh is not there",
    "offset": "mimics with an offset",
    "mimics none": "mimics none that moves",
    "next to nothing": "mass added to the body",
    "without extent": "form without extent",
    "no castor": "a castor is added",
    "three numbers": "more numbers than three",
}


def _kind(text: str) -> str:
    if text.startswith("sensor "):
        return f"sensor of kind {text.split(' of kind ')[1]}"
    return next((words for mark, words in _KINDS.items() if mark in text), _short(text))


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
