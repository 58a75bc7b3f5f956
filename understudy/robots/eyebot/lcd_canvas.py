"""The picture of an EyeBot's screen: text and graphics wait in a list and are drawn when the picture is read.

Text that is overwritten or scrolled out of view before that is never drawn, so a program that prints all the time
costs little while no one looks. What is drawn is the same either way.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from understudy.robots.eyebot import font, raster
from understudy.robots.eyebot.lcd_screens import LcdScreen

MOST_WAITING = 256  # drawings, then they are drawn
_OFF_GRID = 0  # instead of a size: letters that are not in whole rows of their size
Rectangle = tuple[int, int, int, int]  # left, top, right, bottom; the last two are outside
Place = tuple[int, int]  # y, x
Letter = tuple[str, int, int]  # with width and height of its cell


class _Text(NamedTuple):
    """A text that waits; its place counts from where the top of the screen was when the list was empty."""

    x: int
    y: int
    text: str
    size: int
    variation: int
    ink: int
    paper: int | None


class _Graphic(NamedTuple):
    """A shape or an image that waits, and what it covers entirely."""

    draw: Callable[..., None]
    values: tuple[Any, ...]
    covers: Rectangle | None


class LcdCanvas:
    """Pixels and letters of a screen, and what is to be drawn on it."""

    def __init__(self, screen: LcdScreen) -> None:
        self._screen = screen
        self._frame = np.full((screen.height, screen.width), screen.paper, np.uint32)
        self._letters: dict[Place, Letter] = {}
        self._grids: set[int] = set()  # sizes of these letters; several do not share a grid
        self._waiting: dict[Any, _Text | _Graphic] = {}
        self._numbers = count()
        self._wiped = False
        self._moved = 0  # pixels to scroll before the list is drawn
        self._graphics = False  # in the list
        self.hidden = False  # the screen will be cleared before anybody sees it

    # ---- what waits

    def clear(self) -> None:
        """Clear the screen."""
        self._forget()
        self._wiped = True

    def _forget(self) -> None:
        self._waiting.clear()
        self._moved, self._graphics = 0, False

    def write(self, x: int, y: int, text: str, size: int, variation: int, ink: int, paper: int | None) -> None:
        """Write a line of text within the screen; paper None is transparent."""
        if self.hidden or not text:
            return
        y += self._moved
        key: Any = (x, y, size)
        old = self._waiting.get(key)
        if paper is None or (isinstance(old, _Text) and len(old.text) > len(text)):
            key = next(self._numbers)
        elif old:
            del self._waiting[key]  # the new text covers it, whatever was drawn in between
        self._waiting[key] = _Text(x, y, text, size, variation, ink, paper)
        if len(self._waiting) > MOST_WAITING:
            self._shorten()

    def draw(self, draw: Callable[..., None], *values: Any, covers: Rectangle | None = None) -> None:
        """Draw with a function of `raster`, which gets the pixels and *values*."""
        if self.hidden:
            return
        if self._moved:
            self._settle()
        self._waiting[next(self._numbers)] = _Graphic(draw, values, covers)
        self._graphics = True
        if len(self._waiting) > MOST_WAITING:
            self._settle()

    def scroll(self, pixels: int) -> None:
        """Move everything up."""
        if self.hidden:
            return
        if self._graphics:
            self._settle()
        self._moved += pixels

    def _shorten(self) -> None:
        """Drop texts that have been scrolled out of view; draw if many are left."""
        self._waiting = {key: item for key, item in self._waiting.items() if not self._is_gone(item)}
        if len(self._waiting) > MOST_WAITING // 2:
            self._settle()

    def _is_gone(self, item: _Text | _Graphic) -> bool:
        return isinstance(item, _Text) and item.y + font.face(item.size).height <= self._moved

    # ---- drawing

    def _settle(self) -> None:
        """Draw what waits."""
        if self._wiped:
            self._frame.fill(self._screen.paper)
            self._letters.clear()
            self._grids.clear()
            self._wiped = False
        if self._moved:
            self._scroll(self._moved)
        for item in self._waiting.values():
            if isinstance(item, _Text):
                self._write(item)
            else:
                item.draw(self._frame, *item.values)
                if item.covers and self._letters:
                    self._erase_covered(item.covers)
        self._forget()

    def _scroll(self, pixels: int) -> None:
        frame, kept = self._frame, max(self._frame.shape[0] - pixels, 0)
        if kept:
            frame[:kept] = frame[pixels:].copy()
        frame[kept:] = self._screen.paper
        self._letters = {(y - pixels, x): letter for (y, x), letter in self._letters.items() if y >= pixels}
        if any(pixels % font.face(size).height for size in self._grids - {_OFF_GRID}):
            self._grids.add(_OFF_GRID)

    def _write(self, item: _Text) -> None:
        face, y = font.face(item.size, item.variation), item.y - self._moved
        if y + face.height <= 0:
            return
        cut = max(-y, 0)  # rows of another size may be partly out of view
        raster.text(self._frame, item.x, y + cut, face.line(item.text)[cut:], item.ink, item.paper)
        self._note(item, face, y)

    def _note(self, item: _Text, face: font.Face, y: int) -> None:
        """Remember the letters of a text instead of those that it covers."""
        self._grids.add(item.size if y % face.height == 0 else _OFF_GRID)
        end = item.x + face.width * len(item.text)
        if item.paper is not None and (len(self._grids) > 1 or _OFF_GRID in self._grids):
            self._erase_touched((item.x, y, end, y + face.height))
        for x, letter in zip(range(item.x, end, face.width), item.text):
            if y >= 0 and (letter != font.SPACE or item.paper is not None):
                self._letters[y, x] = (letter, face.width, face.height)

    def _erase_touched(self, box: Rectangle) -> None:
        left, top, right, bottom = box
        self._letters = {
            (y, x): (letter, width, height) for (y, x), (letter, width, height) in self._letters.items()
            if x >= right or x + width <= left or y >= bottom or y + height <= top
        }  # fmt: skip

    def _erase_covered(self, box: Rectangle) -> None:
        left, top, right, bottom = box
        self._letters = {
            (y, x): (letter, width, height) for (y, x), (letter, width, height) in self._letters.items()
            if x < left or x + width > right or y < top or y + height > bottom
        }  # fmt: skip

    # ---- what is seen

    def frame(self) -> raster.Pixels:
        """Return the pixels; they are only valid until the next command."""
        self._settle()
        return self._frame

    def rows(self, width: int, height: int) -> tuple[str, ...]:
        """Return the letters on the screen in rows of this many columns and rows; blanks at the end are cut off."""
        self._settle()
        across, down = self._screen.width // width, self._screen.text_height // height
        rows = [""] * down
        end_y, end_x = -1, -1
        for (y, x), (letter, wide, _) in sorted(self._letters.items()):
            row = min(y // height, down - 1)
            adjacent = y == end_y and x == end_x  # large letters stand side by side, too
            rows[row] = (rows[row] if adjacent else rows[row].ljust(x // width)) + letter
            end_y, end_x = y, x + wide
        return tuple(row[:across].rstrip() for row in rows)

    def boxes(self) -> tuple[Rectangle, ...]:
        """Return the rectangles that letters take, one for letters side by side."""
        self._settle()
        found: list[list[int]] = []
        for (y, x), (_, width, height) in sorted(self._letters.items()):
            if found and found[-1][1:] == [y, x, y + height]:
                found[-1][2] = x + width
            else:
                found.append([x, y, x + width, y + height])
        return tuple((left, top, right, bottom) for left, top, right, bottom in found)

    # ---- state

    def state(self) -> dict[str, Any]:
        """Return pixels and letters."""
        self._settle()
        letters = [[y, x, *letter] for (y, x), letter in sorted(self._letters.items())]
        return {"frame": self._frame.astype("<u4").tobytes(), "letters": letters}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue with saved pixels and letters."""
        self._forget()
        self._wiped = False
        self._frame = np.frombuffer(state["frame"], "<u4").astype(np.uint32).reshape(self._frame.shape)
        self._letters = {(y, x): (letter, width, height) for y, x, letter, width, height in state["letters"]}
        self._grids = {_OFF_GRID} if self._letters else set()  # their sizes are not known
