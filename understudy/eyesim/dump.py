"""Writes the console of an EyeBot to files: the screen as PNG, its text and menu as text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from understudy.assets.pictures import grey_picture
from understudy.errors import UnderstudyError, excerpt
from understudy.formats.native import scene_file
from understudy.robots.eyebot.console import Console
from understudy.robots.eyebot.keys import KEYS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,200}")


def picture(console: Console) -> npt.NDArray[np.uint8]:
    """Return the pixels of a console, as (row, column, red green blue); raises ValueError if it has none."""
    if console.pixels is None:
        raise ValueError("the console was made without its pixels")
    return np.frombuffer(console.pixels, np.uint8).reshape(console.height, console.width, 3)


def png(console: Console) -> bytes:
    """Return the screen as a PNG file."""
    return grey_picture.to_other(picture(console), ".png")


def text(console: Console) -> str:
    """Return rows, menu and pressed keys as a text file; empty rows at the end are left out.

    The menu is the last line: ``[GO] [LEFT] [] [END]``.
    """
    rows = "\n".join(console.text).rstrip("\n")
    menu = " ".join(f"[{label.text}]" for label in console.menu)
    pressed = [f"KEY{number}" for number, key in enumerate(KEYS, 1) if console.pressed & key]
    return "\n".join([rows, menu, *([f"pressed: {' '.join(pressed)}"] if pressed else [])]) + "\n"


def dump(folder: str | Path, name: str, console: Console) -> tuple[Path, Path]:
    """Write NAME.png and NAME.txt into a folder, which is made if needed; returns their paths.

    Raises UnderstudyError if they cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UnderstudyError(f"{excerpt(name)} cannot be the name of a file (letters, digits, '_', '-' and '.' can)")
    picture_file, text_file = Path(folder, f"{name}.png"), Path(folder, f"{name}.txt")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        scene_file.save(picture_file, png(console))
        scene_file.save(text_file, text(console))
    except OSError as problem:
        raise UnderstudyError(f"{folder}: the console cannot be written: {problem.strerror}") from problem
    return picture_file, text_file
