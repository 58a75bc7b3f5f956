"""Drawing with characters: dots in Braille cells, two by four to a cell. Independent of any terminal.

A colour is a string: ``#rrggbb``, a style that the terminal knows such as ``bold``, or empty for plain text.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import groupby, pairwise
from typing import NamedTuple

from understudy.frozen import frozen

Point = tuple[float, float]
Run = tuple[str, str]  # text, colour
Row = list[Run]

FARTHEST = 1e15  # dots; points farther away, NaN and infinity are not drawn
CELL_WIDTH, CELL_HEIGHT = 2, 4  # dots; a cell is about twice as high as wide, so dots are about square
_BRAILLE = 0x2800
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode, block Braille Patterns: by row, by column
_LEFT, _RIGHT = 0x47, 0xB8  # the two columns of a cell
_LINES = (0x09, 0x12, 0x24, 0xC0)  # the four lines of a cell, from the top
_TOP, _BOTTOM = 0x1B, 0xE4


class ViewBounds(NamedTuple):
    """A rectangle of the world (m)."""

    left: float
    bottom: float
    right: float
    top: float

    @staticmethod
    def around(points: Iterable[Point]) -> ViewBounds:
        """Return the smallest rectangle that holds all points, at least one metre wide and high."""
        xs, ys = zip(*points)
        middle_x, half_x = (min(xs) + max(xs)) / 2, max((max(xs) - min(xs)) / 2, 0.5)
        middle_y, half_y = (min(ys) + max(ys)) / 2, max((max(ys) - min(ys)) / 2, 0.5)
        return ViewBounds(middle_x - half_x, middle_y - half_y, middle_x + half_x, middle_y + half_y)


@frozen
class Fit:
    """The transformation from world coordinates (m) to dots, counted from the top left."""

    left_m: float
    top_m: float
    dots_per_m: float

    @staticmethod
    def to(bounds: ViewBounds, width: int, height: int) -> Fit:
        """Return the largest view of *bounds* that fits into this many cells, to scale and centred."""
        across, down = width * CELL_WIDTH - 1, height * CELL_HEIGHT - 1
        scale = min(across / (bounds.right - bounds.left), down / (bounds.top - bounds.bottom))
        spare_x = across / scale - (bounds.right - bounds.left)
        spare_y = down / scale - (bounds.top - bounds.bottom)
        return Fit(bounds.left - spare_x / 2, bounds.top + spare_y / 2, scale)

    def dots(self, point: Point) -> Point:
        """Return the position of a world point, in dots to the right and down."""
        return (point[0] - self.left_m) * self.dots_per_m, (self.top_m - point[1]) * self.dots_per_m


class BrailleCanvas:
    """A grid of character cells that shows a rectangle of the world; later drawing covers earlier drawing."""

    def __init__(self, bounds: ViewBounds, width: int, height: int, braille: bool = True) -> None:
        self.width, self.height, self.braille = max(width, 1), max(height, 1), braille
        self.fit = Fit.to(bounds, self.width, self.height)
        self._bits = [[0] * self.width for _ in range(self.height)]
        self._texts = [[""] * self.width for _ in range(self.height)]
        self._colours = [[""] * self.width for _ in range(self.height)]

    def copy(self) -> BrailleCanvas:
        """Return a copy with the same content."""
        made = copy(self)
        made._bits = [row.copy() for row in self._bits]
        made._texts, made._colours = [row.copy() for row in self._texts], [row.copy() for row in self._colours]
        return made

    def dot(self, point: Point, colour: str = "") -> None:
        """Set the dot nearest to a world point."""
        x, y = self.fit.dots(point)
        if near(x, y):
            self._set(nearest(x), nearest(y), colour)

    def _set(self, x: int, y: int, colour: str) -> None:
        if 0 <= x < self.width * CELL_WIDTH and 0 <= y < self.height * CELL_HEIGHT:
            row, column = y // CELL_HEIGHT, x // CELL_WIDTH
            self._bits[row][column] |= _BITS[y % CELL_HEIGHT][x % CELL_WIDTH]
            self._colours[row][column] = colour

    def line(self, start: Point, end: Point, colour: str = "") -> None:
        """Draw a straight line."""
        ends = self._clipped(self.fit.dots(start), self.fit.dots(end))
        if ends is None:
            return
        (ax, ay), (bx, by) = ends
        steps = max(math.ceil(abs(bx - ax)), math.ceil(abs(by - ay)), 1)
        for i in range(steps + 1):
            self._set(nearest(ax + (bx - ax) * i / steps), nearest(ay + (by - ay) * i / steps), colour)

    def _clipped(self, start: Point, end: Point) -> tuple[Point, Point] | None:
        """Return the visible part of a line, in dots."""
        if not near(*start, *end):
            return None
        first, last = 0.0, 1.0
        for axis, size in enumerate((self.width * CELL_WIDTH, self.height * CELL_HEIGHT)):
            at, way = start[axis], end[axis] - start[axis]
            if way:
                ways = sorted(((-0.5 - at) / way, (size - 0.5 - at) / way))
                first, last = max(first, ways[0]), min(last, ways[1])
            elif not -0.5 <= at < size - 0.5:
                return None
        return (_between(start, end, first), _between(start, end, last)) if first <= last else None

    def lines(self, points: Sequence[Point], colour: str = "") -> None:
        """Draw a line through all points."""
        for start, end in pairwise(points):
            self.line(start, end, colour)

    def polygon(self, points: Sequence[Point], colour: str = "") -> None:
        """Draw a closed outline."""
        self.lines((*points, points[0]), colour)

    def circle(self, centre: Point, radius_m: float, colour: str = "") -> None:
        """Draw a circle around the dot nearest to *centre*; a circle smaller than a dot is drawn as a dot."""
        x, y = self.fit.dots(centre)
        radius = radius_m * self.fit.dots_per_m
        if not near(x, y, radius):
            return
        sides = min(max(8, 8 * round(radius)), 720)
        for i in range(sides):
            across, down = radius * math.cos(math.tau * i / sides), radius * math.sin(math.tau * i / sides)
            self._set(nearest(x) + round(across), nearest(y) + round(down), colour)

    def text(self, point: Point, text: str, colour: str = "", shift: int = 0) -> None:
        """Write text at a world point, *shift* cells to the right; text that does not fit is clipped."""
        x, y = self.fit.dots(point)
        if not near(x, y):
            return
        row, column = nearest(y) // CELL_HEIGHT, nearest(x) // CELL_WIDTH + shift
        for i, letter in enumerate(text):
            if 0 <= row < self.height and 0 <= column + i < self.width:
                self._texts[row][column + i] = letter
                self._colours[row][column + i] = colour

    def render(self) -> list[Row]:
        """Return the rows from the top, each as runs of one colour."""
        return [self._row(row) for row in range(self.height)]

    def _row(self, row: int) -> Row:
        letter = braille_letter if self.braille else ascii_letter
        letters = [text or letter(bits) for text, bits in zip(self._texts[row], self._bits[row])]
        return joined(zip(letters, self._colours[row]))


def near(*values: float) -> bool:
    """Return whether all values are finite and small enough to be drawn (dots)."""
    return all(abs(value) < FARTHEST for value in values)


def nearest(value: float) -> int:
    """Return the nearest whole number; halves go up, where ``round`` would leave gaps in a line."""
    return math.floor(value + 0.5)


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def braille_letter(bits: int) -> str:
    """Return the character of a cell with these dots.

    >>> braille_letter(0x01 | 0x80)
    '⢁'
    """
    return chr(_BRAILLE + bits) if bits else " "


def ascii_letter(bits: int) -> str:
    """Return the plain character that looks most like a cell with these dots.

    >>> [ascii_letter(bits) for bits in (0, 0x09, 0x47, 0x08 | 0x10 | 0x04 | 0x40, 0xC0, 0x3F)]
    [' ', '-', '|', '/', '_', '#']
    """
    if not bits or bits.bit_count() == 1:
        return "." if bits else " "
    if any(not bits & ~line for line in _LINES):
        return "_" if bits == _LINES[3] else "-"
    if not bits & _LEFT or not bits & _RIGHT:
        return "|"
    if not bits & _RIGHT & _BOTTOM and not bits & _LEFT & _TOP:
        return "/"
    if not bits & _LEFT & _BOTTOM and not bits & _RIGHT & _TOP:
        return "\\"
    return "#" if bits.bit_count() >= 6 else "+"


def joined(runs: Iterable[Run]) -> Row:
    """Return runs with neighbours of equal colour merged; blanks take the colour before them if it is invisible."""
    coloured: list[Run] = []
    for text, colour in runs:
        before = coloured[-1][1] if coloured else ""
        coloured.append((text, colour if text.strip() or "reverse" in before else before))
    return [("".join(text for text, _ in group), colour) for colour, group in groupby(coloured, lambda run: run[1])]


def blend(colour: str, other: str, part: float) -> str:
    """Return *colour* blended with the share *part* of *other*.

    >>> blend("#ff0000", "#808080", 0.5)
    '#c04040'
    """
    pairs = zip(rgb(colour), rgb(other))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``, 0 to 255."""
    number = int(colour.lstrip("#"), 16)
    return number >> 16 & 255, number >> 8 & 255, number & 255


def cells(text: str) -> int:
    """Return the width of a text in cells: wide letters take two, combining marks none."""
    return sum(_cells(letter) for letter in text)


def _cells(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return *text* in at most *width* cells, without control characters.

    >>> cut("a\\tlong line", 6), cut("short", 6)
    ('a lon~', 'short')
    """
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    if cells(clean) <= width:
        return clean
    kept = ""
    for letter in clean:
        if cells(kept) + _cells(letter) > width - 1:
            break
        kept += letter
    return f"{kept}~" if width > 0 else ""
