"""EyeSim's objects (``.esObj``): a mesh with colliders and a mass, as a scene with this object."""

from __future__ import annotations

import pathlib

from understudy.formats.document import Document, as_text
from understudy.formats.eyesim.esobj_lines import SUFFIXES, read_object
from understudy.formats.eyesim.line_words import FileNotes
from understudy.world.records import KeyPath
from understudy.world.resolve import legal
from understudy.world.scene import Ball, Scene
from understudy.world.shapes import Pose
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "parse", "sniff"]


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is an object of EyeSim."""
    return name.lower().endswith(SUFFIXES) and b"\0" not in data


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with only the object that the file describes; raises FormatError."""
    notes = FileNotes(file)
    made = read_object(data, file, folder, notes)
    thing = made.placeable()(Pose(), legal(made.name, "object"))
    key = "ball" if isinstance(thing, Ball) else "object"
    lines: dict[KeyPath, int] = {(key, 0): min(made.lines.values(), default=1)}
    balls, objects = ((thing,), ()) if isinstance(thing, Ball) else ((), (thing,))
    engine = "planar" if made.colliders else "rigid"
    scene = Scene(name=pathlib.PurePath(file).stem, engine=engine, objects=objects, balls=balls)
    return Document(scene, file, as_text(data, file), folder, lines, warnings=notes.all_warnings())
