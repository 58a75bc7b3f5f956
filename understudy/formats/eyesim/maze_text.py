"""The text of a maze (``.maz``): a drawing of walls in characters, as in Micro Mouse contests.

Characters count from 1. At odd places ``|`` is a wall along y, at even places ``_`` is a wall along x, below the row;
``_`` at odd places only closes the gaps of the drawing::

     _____
    |   |o|
    |S|___|
    250

Cell column c uses the characters 2c+1 (its left wall) and 2c+2 (its lower wall and what is in it). The first line has
only the upper border. Letters are starts of robots: S and U up, D down, L left, R right; o is a ball, x a crate. A
letter in upper case has a wall below it. The last line may be the size of a cell in mm.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from understudy.errors import FormatError
from understudy.formats.eyesim.line_words import FileNotes
from understudy.frozen import frozen
from understudy.world.marks import Piece
from understudy.world.shapes import Pose

SUFFIXES: tuple[str, ...] = (".maz",)
CELL_MM = 360.0  # the paper
HEADINGS = {"s": 90.0, "u": 90.0, "d": 270.0, "l": 180.0, "r": 0.0}
_OTHERS = "ox"
_BLANKS = " ._"  # a dot marks a crossing of the grid in contest mazes
LONGEST = 2_001  # characters of a line, and lines: a thousand cells
_MOST_CELL_MM = 1_000_000.0
_SIZE = re.compile(r"\d+(?:\.\d+)?")


@frozen
class MazeSymbol:
    """A letter in a maze, in lower case; its pose in the world, and its line in the file."""

    letter: str
    pose: Pose
    line: int

    @property
    def is_start(self) -> bool:
        """Return whether a robot starts here."""
        return self.letter in HEADINGS


@dataclass(frozen=True)
class MazePlan:
    """A maze in cells: lower left corner of each piece of wall, with y up, and what stands in it."""

    cell_mm: float
    along_x: frozenset[tuple[int, int]]  # column and row of the left end; the piece is one cell long
    along_y: frozenset[tuple[int, int]]  # of the lower end
    symbols: tuple[MazeSymbol, ...]
    cells: tuple[int, int]  # columns and rows
    first_line: int
    notes: FileNotes

    @property
    def has_walls(self) -> bool:
        """Return whether there is any wall."""
        return bool(self.along_x or self.along_y)

    @property
    def size_m(self) -> tuple[float, float]:
        """Return width and height."""
        return self.cells[0] * self.cell_mm / 1000, self.cells[1] * self.cell_mm / 1000

    def pieces_m(self) -> tuple[Piece, ...]:
        """Return the walls; pieces in one line are joined. Those along x come first, from below and from the left."""
        made: list[Piece] = []
        for row, start, end in _runs((row, column) for column, row in self.along_x):
            made.append(self._metres(start, row, end, row))
        for column, start, end in _runs(self.along_y):
            made.append(self._metres(column, start, column, end))
        return tuple(made)

    def _metres(self, x1: int, y1: int, x2: int, y2: int) -> Piece:
        return tuple(value * self.cell_mm / 1000 for value in (x1, y1, x2, y2))  # type: ignore[return-value]


def _runs(pieces: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield line, start and end of pieces (line, place) that follow one another.

    >>> list(_runs([(0, 2), (0, 0), (0, 1), (3, 5)]))
    [(0, 0, 3), (3, 5, 6)]
    """
    ordered = enumerate(sorted(pieces))
    for (line, _), group in groupby(ordered, lambda each: (each[1][0], each[1][1] - each[0])):
        places = [place for _, (_, place) in group]
        yield line, places[0], places[-1] + 1


def read_maze(text: str, file: str) -> MazePlan:
    """Return the maze that a text draws; raises FormatError."""
    notes = FileNotes(file)
    rows = [(at, line.rstrip()) for at, line in enumerate(text.splitlines(), 1)]
    while rows and not rows[-1][1]:
        rows.pop()
    cell, rows = _cell_size(rows, notes)
    while rows and (not rows[0][1] or _SIZE.fullmatch(rows[0][1].strip())):  # newer files begin with a number
        rows.pop(0)
    _check_size(rows, file)
    return _Drawing(rows, cell, notes).plan()


def _cell_size(rows: list[tuple[int, str]], notes: FileNotes) -> tuple[float, list[tuple[int, str]]]:
    """Return the size of a cell, and the rows without it."""
    if not rows or not re.fullmatch(r"[+-]?[\d.]+(?:[eE][+-]?\d+)?|[+-]?nan|[+-]?inf", word := rows[-1][1].strip()):
        return CELL_MM, rows
    at = rows[-1][0]
    if not _SIZE.fullmatch(word) or not 1.0 <= float(word) <= _MOST_CELL_MM:
        raise FormatError(
            f"{notes.file}:{at}: not the size of a cell: {word[:40]!r} (want 1 to {_MOST_CELL_MM:,.0f} mm)"
        )
    return float(word), rows[:-1]


def _check_size(rows: list[tuple[int, str]], file: str) -> None:
    """Raise FormatError if there is no maze, or if it is too large."""
    if len(rows) > LONGEST:
        raise FormatError(f"{file}:{rows[LONGEST][0]}: the maze is too high: {len(rows):,} lines (at most {LONGEST:,})")
    for at, line in rows:
        if len(line) > LONGEST:
            raise FormatError(f"{file}:{at}: the maze is too wide: {len(line):,} characters (at most {LONGEST:,})")
    if not any(set(line) & set("|_") or line.strip(_BLANKS) for _, line in rows):
        raise FormatError(f"{file}: no maze in this file (draw walls with | and _)")


class _Drawing:
    """Reads the rows of a maze."""

    def __init__(self, rows: list[tuple[int, str]], cell: float, notes: FileNotes) -> None:
        self._rows, self._cell, self._notes = rows, cell, notes
        self._along_x: set[tuple[int, int]] = set()
        self._along_y: set[tuple[int, int]] = set()
        self._symbols: list[MazeSymbol] = []
        self._ends: list[float] = [1.0]  # right ends of everything (cells)

    def plan(self) -> MazePlan:
        """Return the maze."""
        top = len(self._rows) - 1
        for below, (at, line) in enumerate(self._rows):
            for place, letter in enumerate(line):
                if letter not in " .":
                    self._take(letter, place, top - below, at)
        high = max(top + self._first_row_is_inhabited(), 1)
        cells = (math.ceil(max(self._ends)), high)
        along = frozenset(self._along_x), frozenset(self._along_y)
        return MazePlan(self._cell, *along, tuple(self._symbols), cells, self._rows[0][0], self._notes)

    def _first_row_is_inhabited(self) -> bool:
        """Return whether the first line has more than the upper border."""
        top = len(self._rows) - 1
        first = [symbol for symbol in self._symbols if symbol.line == self._rows[0][0]]
        return bool(first) or any(row == top for _, row in self._along_y)

    def _take(self, letter: str, place: int, row: int, at: int) -> None:
        """Take a character at a place, from 0, of a row, from below."""
        column, is_cell = divmod(place, 2)
        small = letter.lower()
        if small in HEADINGS or small in _OTHERS:
            self._symbol(small, place, row, at)
        if letter == "|" and not is_cell:
            self._along_y.add((column, row))
            self._ends.append(column)
        elif is_cell and (letter == "_" or (letter.isupper() and (small in HEADINGS or small in _OTHERS))):
            self._along_x.add((column, row))
            self._ends.append(column + 1)
        elif letter != "_" and small not in HEADINGS and small not in _OTHERS:
            self._complain(letter, place, at)

    def _symbol(self, letter: str, place: int, row: int, at: int) -> None:
        x, y = (value * self._cell / 1000 for value in ((place) / 2, row + 0.5))
        heading = math.radians(HEADINGS.get(letter, 0.0))
        self._ends.append(place / 2)
        self._symbols.append(MazeSymbol(letter, Pose(x, y, heading_rad=heading), at))

    def _complain(self, letter: str, place: int, at: int) -> None:
        if letter == "|":
            why = "walls along y are at odd places, 1, 3, 5 ..."
        elif letter == "\t":
            why = "a tab counts as one character; use blanks"
        else:
            why = "want | _ or one of S U D L R o x"
        self._notes.warn(at, f"{letter!r} at place {place + 1} is taken for a blank ({why})")
