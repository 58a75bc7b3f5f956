"""Stage's world files as scenes, for MobileSim's ``-W`` and Stage itself.

``position`` models become robots that speak the Pioneer protocol, other models become walls and objects. What is not
supported (windows, controllers, grippers ...) is skipped and listed in the document's warnings with its line.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Mapping

from understudy.formats.document import Document
from understudy.formats.stage.include import Finder
from understudy.formats.stage.scene import Defined, Maker
from understudy.formats.stage.text import SourceLine, WorldText
from understudy.formats.stage.world_write import files_of, left_out, save
from understudy.world.robot import RobotModel
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "Defined", "defined", "defined_models", "files_of", "left_out", "parse", "save", "sniff"]

SUFFIXES: tuple[str, ...] = (".world", ".inc")
_STAGE = re.compile(
    rb'^[ \t]*(?:define[ \t]+[\w+-]+[ \t]+[\w+-]+|include[ \t]+"|(?:position|model|window|floorplan|map)\s*\()',
    re.MULTILINE,
)


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a Stage world (not a Gazebo one, which is XML)."""
    if b"\0" in data or data.lstrip().startswith(b"<"):
        return False
    return name.lower().endswith(".world") or _STAGE.search(data) is not None


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene that a world file describes; raises SceneError with every error, or the first of its text."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    finder = Finder(vocabulary, folder, os.environ)
    world = WorldText(finder.find, finder.robot)
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
    """Return everything that the files of a folder define in addition to MobileSim's models; raises SceneError.

    Files whose names begin with a dot are skipped; the others are read in alphabetical order.
    """
    finder = Finder(vocabulary, folder, os.environ)
    world = WorldText(finder.find, finder.robot)
    world.include(finder.MODELS, SourceLine("<models>", 0, True), 0)
    for file in sorted(folder.iterdir()) if folder is not None and folder.is_dir() else ():
        if file.is_file() and not file.name.startswith("."):
            world.read(finder.read(file), str(file))
    return Maker(world, vocabulary, finder.picture).defined()
