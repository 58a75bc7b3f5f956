"""Stage's world files as scenes, as MobileSim's ``-W`` and Stage's own users write them.

``position`` models become robots that answer like a Pioneer, other models become walls and things. What has no meaning
here (windows, controllers, grippers ...) is passed over, and the document's warnings say so with the lines.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping

from understudy.formats.document import Document
from understudy.formats.stage_include import Finder
from understudy.formats.stage_scene import Defined, Maker
from understudy.formats.stage_text import Place, World
from understudy.formats.stage_write import files_of, left_out, save
from understudy.world.robot import RobotModel
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "Defined", "defined", "defined_models", "files_of", "left_out", "parse", "save", "sniff"]

SUFFIXES: tuple[str, ...] = (".world", ".inc")
_STAGE = re.compile(
    rb'^[ \t]*(?:define[ \t]+[\w+-]+[ \t]+[\w+-]+|include[ \t]+"|(?:position|model|window|floorplan|map)\s*\()',
    re.MULTILINE,
)


def sniff(data: bytes, name: str) -> bool:
    """Say whether a file of this content and name is a world of Stage (and not one of Gazebo, which is XML)."""
    if b"\0" in data or data.lstrip().startswith(b"<"):
        return False
    return name.lower().endswith(".world") or _STAGE.search(data) is not None


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene that a world file describes; raises SceneError with every mistake, or the first of its text."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    finder = Finder(vocabulary, folder, os.environ)
    world = World(finder.find, finder.robot)
    world.read(text.removeprefix("\ufeff"), file)
    maker = Maker(world, vocabulary, finder.picture)
    scene = maker.scene(pathlib.PurePath(file).stem)
    lines = {path: place.line for path, place in maker.places.items() if place.file == file}
    return Document(scene, file, text, folder, lines, warnings=maker.warnings())


# ---- definitions for MobileSim's -r


def defined_models(folder: pathlib.Path | None, vocabulary: Vocabulary) -> Mapping[str, RobotModel]:
    """Return the robots that the files of a folder define, by name; raises SceneError."""
    return defined(folder, vocabulary).robots


def defined(folder: pathlib.Path | None, vocabulary: Vocabulary) -> Defined:
    """Return all that the files of a folder define on top of MobileSim's models; raises SceneError.

    Files whose names begin with a dot are left out; the others are read in the order of their names.
    """
    finder = Finder(vocabulary, folder, os.environ)
    world = World(finder.find, finder.robot)
    world.include(finder.MODELS, Place("<models>", 0, True), 0)
    for file in sorted(folder.iterdir()) if folder is not None and folder.is_dir() else ():
        if file.is_file() and not file.name.startswith("."):
            world.read(finder.read(file), str(file))
    return Maker(world, vocabulary, finder.picture).defined()
