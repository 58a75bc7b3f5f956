"""The font of an EyeBot's screen in its sizes: tables of how much of each pixel a letter covers.

All sizes come from the two faces of `letters`. The sizes 14, 18 and 24 are scaled, with soft edges; in the others
each pixel is fully set or clear.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen
from understudy.robots.eyebot import letters

Levels = npt.NDArray[np.uint8]

FULL = 16  # the level of a pixel that a letter covers
SPACE, DEGREE, BOX = " ", "°", "□"
_LETTERS = SPACE + "".join(map(chr, range(33, 127))) + DEGREE + BOX
_NUMBERS = {letter: number for number, letter in enumerate(_LETTERS)}
NORMAL, BOLD, ITALICS = 0, 1, 2


class _Cell(NamedTuple):
    """The size of a cell, which face it contains, where, and to which size the cell is scaled."""

    face: str
    width: int
    height: int
    left: int
    top: int
    scaled: tuple[int, int] | None = None


_CELLS = {
    7: _Cell("small", 8, 8, 1, 0),  # the classic screen
    8: _Cell("small", 6, 10, 0, 1),
    10: _Cell("small", 6, 12, 0, 2),
    12: _Cell("large", 7, 14, 1, 2),
    14: _Cell("large", 7, 14, 1, 2, (8, 16)),
    18: _Cell("large", 7, 14, 1, 2, (11, 21)),
    24: _Cell("large", 7, 14, 1, 2, (14, 28)),
}
SIZES = (8, 10, 12, 14, 18, 24)  # of RoBIOS-7


@frozen
class Face:
    """The letters of one size: for each a cell of levels from 0 to FULL."""

    width: int
    height: int
    cells: Levels  # letter, row, column

    def line(self, text: str) -> Levels:
        """Return a line of text, as levels by row and column."""
        found = self.cells[[number(letter) for letter in text]]
        return found.transpose(1, 0, 2).reshape(self.height, -1)


def number(letter: str) -> int:
    """Return the number of a letter in a face; an accent is left out, other letters are boxes.

    >>> [_LETTERS[number(letter)] for letter in "aé°語"]
    ['a', 'e', '°', '□']
    """
    known = _NUMBERS.get(letter)
    if known is None:
        known = _NUMBERS.get(unicodedata.normalize("NFKD", letter)[0], _NUMBERS[BOX])
    return known


def readable(text: str) -> str:
    """Return a text with a box for each letter that has no place of its own in a line of text."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(letter if _is_narrow(letter) else BOX for letter in text)


def _is_narrow(letter: str) -> bool:
    wide = unicodedata.east_asian_width(letter) in "WF" or unicodedata.combining(letter)
    return letter.isprintable() and not wide


@lru_cache(maxsize=64)
def face(size: int, variation: int = NORMAL) -> Face:
    """Return the letters of a size; *variation* is a sum of BOLD and ITALICS."""
    cell = _CELLS[size]
    table = _placed(cell)
    if variation & ITALICS:
        table = _slanted(table)
    levels = table * np.uint8(FULL) if cell.scaled is None else _scaled(table, *cell.scaled)
    if variation & BOLD:
        levels = _thick(levels)
    levels.flags.writeable = False
    return Face(levels.shape[2], levels.shape[1], levels)


def _placed(cell: _Cell) -> Levels:
    """Return the letters of a face in their cells, as 0 and 1."""
    large = cell.face == "large"
    drawn = _read(letters.LARGE, letters.LARGE_ROWS) if large else _read(letters.SMALL, letters.SMALL_ROWS)
    table = np.zeros((len(_LETTERS), cell.height, cell.width), np.uint8)
    for letter, rows in drawn.items():
        height, width = rows.shape
        table[_NUMBERS[letter], cell.top : cell.top + height, cell.left : cell.left + width] = rows
    return table


def _read(text: str, rows: int) -> dict[str, Levels]:
    """Return the letters of a table of `letters`, as 0 and 1."""
    found = {}
    lines = [line for line in text.splitlines() if line]
    for start in range(0, len(lines), rows + 1):
        band = [line.split() for line in lines[start : start + rows + 1]]
        for letter, *drawn in zip(*band):
            found[letter] = np.array([[pixel == "#" for pixel in row] for row in drawn], np.uint8)
    return found


def _thick(levels: Levels) -> Levels:
    """Return letters with strokes that are a pixel wider to the right; gaps of one pixel stay open."""
    before, after = np.zeros_like(levels), np.zeros_like(levels)
    before[:, :, 1:], after[:, :, :-1] = levels[:, :, :-1], levels[:, :, 1:]
    return np.where(after > levels, levels, np.maximum(levels, before))


def _slanted(table: Levels) -> Levels:
    """Return letters that lean to the right: upper rows are moved by a pixel, lower rows back by one."""
    third = table.shape[1] // 3
    moved = table.copy()
    moved[:, : third + 1, 1:], moved[:, : third + 1, 0] = table[:, : third + 1, :-1], 0
    moved[:, -third:, :-1], moved[:, -third:, -1] = table[:, -third:, 1:], 0
    return moved


def _scaled(table: Levels, width: int, height: int) -> Levels:
    """Return cells of another size: smoothed, then each pixel by the part of it that is covered."""
    fine = np.stack([_smooth(_smooth(letter)) for letter in table]).astype(np.int64)
    rows, columns = fine.shape[1:]
    by_row = np.repeat(fine, height, axis=1).reshape(len(fine), height, rows, columns).sum(axis=2)
    covered = np.repeat(by_row, width, axis=2).reshape(len(fine), height, width, columns).sum(axis=3)
    levels: Levels = ((covered * FULL * 2 + rows * columns) // (rows * columns * 2)).astype(np.uint8)
    return levels


def _smooth(letter: Levels) -> Levels:
    """Return a letter of twice the size; where two pixels touch at a corner, the notches beside it are filled."""
    padded = np.pad(letter, 1)
    rows, columns = letter.shape
    double = np.empty((2 * rows, 2 * columns), np.uint8)
    for row in (0, 1):
        for column in (0, 1):
            beside = padded[1:-1, 2 * column :][:, :columns]
            above = padded[2 * row :, 1:-1][:rows]
            between = padded[2 * row :, 2 * column :][:rows, :columns]
            double[row::2, column::2] = letter | (beside & above & ~between)
    return double
