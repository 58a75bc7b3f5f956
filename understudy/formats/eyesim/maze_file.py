"""EyeSim's mazes (``.maz``): walls drawn in characters, with starts of robots, balls and crates.

A maze that is run directly has a robot at each of its letters, the catalogue's ``soccerbot``.
"""

from __future__ import annotations

import pathlib
import re

from understudy.formats.document import Document, as_text
from understudy.formats.eyesim.environment import read_environment
from understudy.formats.eyesim.maze_text import SUFFIXES
from understudy.formats.eyesim.maze_write import left_out, write
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "left_out", "parse", "sniff", "write"]

_HEAD = 4096
_DRAWN = re.compile(r"[ _|.SUDLRsudlroOxX]*[ \r]*")
_NUMBER = re.compile(r"\s*\d*\s*")


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a maze."""
    if b"\0" in data[:_HEAD]:
        return False
    return name.lower().endswith(SUFFIXES) or _looks_like_one(data[:_HEAD].decode("latin-1"), len(data) <= _HEAD)


def _looks_like_one(head: str, whole: bool) -> bool:
    """Return whether every line is drawn, or a number, and there are walls along both axes."""
    lines = head.splitlines() if whole else head.splitlines()[:-1]
    drawn = [line for line in lines if not _NUMBER.fullmatch(line)]
    both = any("|" in line for line in drawn) and any("_" in line for line in drawn)
    return both and all(map(_DRAWN.fullmatch, drawn))


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene that a maze draws; raises FormatError."""
    return read_environment(data, file, folder).document(as_text(data, file), folder)
