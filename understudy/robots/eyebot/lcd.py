"""The screen of an EyeBot as data: takes the commands of `lcd_orders`, and draws only when it is looked at.

A command costs about a microsecond. Commands wait in a short list; pixels and text are bit-identical whether the
screen is looked at or not.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.robots.eyebot import font, raster
from understudy.robots.eyebot import lcd_orders as orders
from understudy.robots.eyebot.lcd_canvas import LcdCanvas, Rectangle
from understudy.robots.eyebot.lcd_pen import LcdLabel, LcdPen
from understudy.robots.eyebot.lcd_screens import SCREENS, SHOWMENU, LcdScreen

MOST_ORDERS, MOST_BYTES = 1024, 4_000_000  # that wait
_RULE = 0x404040  # the line between two labels
Size = Callable[[Any], int]


def _labels_size(order: orders.LcdMenu) -> int:
    return len(order.one) + len(order.two) + len(order.three) + len(order.four)


_SIZES: dict[type, Size | None] = {
    **dict.fromkeys(orders.LCD_ORDERS),
    orders.LcdPrint: lambda order: len(order.text),
    orders.LcdPrintAt: lambda order: len(order.text),
    orders.LcdMenuItem: lambda order: len(order.text),
    orders.LcdMenu: _labels_size,
    orders.LcdImage: lambda order: len(order.pixels),
}


class Lcd:
    """A screen, its menu and its text cursor."""

    def __init__(self, kind: str = "robios7") -> None:
        self.screen: LcdScreen = SCREENS[kind]
        self._canvas = LcdCanvas(self.screen)
        self._pen = LcdPen(self.screen, self._canvas)
        self._orders: list[Any] = []
        self._bytes = 0
        self._crc, self._counted = 0, 0  # of all orders so far; how many of those that wait it includes
        self._picture: tuple[int, npt.NDArray[np.uint8]] | None = None  # with the changes that it shows
        self.changes = 0  # increases with each command, so that a viewer knows when to look again

    def take(self, order: Any) -> None:
        """Take one command; raises TypeError for anything else."""
        try:
            size = _SIZES[type(order)]
        except KeyError:
            raise TypeError(f"{type(order).__name__} is not a command of a screen") from None
        self._orders.append(order)
        self.changes += 1
        if size is not None:
            self._bytes += size(order)
        if len(self._orders) >= MOST_ORDERS or self._bytes >= MOST_BYTES:
            self._settle()

    def _settle(self) -> None:
        """Carry out the commands that wait; what the last clear removes is not drawn."""
        if not self._orders:
            return
        self.digest()
        kinds = [type(order) for order in self._orders]
        last = len(kinds) - 1 - kinds[::-1].index(orders.LcdClear) if orders.LcdClear in kinds else 0
        for number, order in enumerate(self._orders):
            self._canvas.hidden = number < last
            self._pen.take(order)
        self._orders.clear()
        self._bytes, self._counted = 0, 0

    # ---- looking

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the area for text and graphics (pixels)."""
        return self.screen.width, self.screen.height

    def cursor(self) -> tuple[int, int]:
        """Return row and column of the text cursor."""
        self._settle()
        return self._pen.now.row, min(self._pen.now.col, self._pen.columns - 1)

    def text_size(self) -> tuple[int, int]:
        """Return how many rows and columns of text there are in the present font."""
        self._settle()
        return self._pen.rows, self._pen.columns

    def letter(self) -> tuple[int, int]:
        """Return width and height of a letter of the present font (pixels)."""
        self._settle()
        return self._pen.width, self._pen.height

    def text(self) -> tuple[str, ...]:
        """Return the rows of text on the screen, without blanks at their ends."""
        self._settle()
        return self._canvas.rows(self._pen.width, self._pen.height)

    def text_boxes(self) -> tuple[Rectangle, ...]:
        """Return where text is on the screen: left, top, right and bottom (pixels)."""
        self._settle()
        return self._canvas.boxes()

    def menu(self) -> tuple[LcdLabel, LcdLabel, LcdLabel, LcdLabel]:
        """Return the labels of the four keys."""
        self._settle()
        one, two, three, four = (LcdLabel(*label) for label in self._pen.now.labels)
        return one, two, three, four

    def pixel(self, x: int, y: int) -> int:
        """Return the colour of a pixel; on the classic screen 1 or 0; 0 outside the screen."""
        self._settle()
        if not (0 <= x < self.screen.width and 0 <= y < self.screen.height):
            return 0
        colour = int(self._canvas.frame()[y, x])
        return int(colour == self.screen.ink) if self.screen.monochrome else colour

    def pixels(self) -> npt.NDArray[np.uint8]:
        """Return the whole screen with its menu, as (row, column, red green blue); it cannot be written to."""
        if self._picture is None or self._picture[0] != self.changes:
            self._settle()
            picture = self._composed()
            picture.flags.writeable = False
            self._picture = self.changes, picture
        return self._picture[1]

    def _composed(self) -> npt.NDArray[np.uint8]:
        screen = self.screen
        whole = np.full((screen.bottom, screen.width), screen.paper, np.uint32)
        whole[: screen.height] = self._canvas.frame()
        if self._pen.now.mode & SHOWMENU and self._has_menu():
            self._draw_menu(whole)
        return np.stack([whole >> shift & 255 for shift in (16, 8, 0)], axis=2).astype(np.uint8)

    def _has_menu(self) -> bool:
        """Return whether there is a menu: a bar of its own always, a line of the screen when it has been set."""
        return self.screen.menu_top >= self.screen.height or any(label[0] for label in self._pen.now.labels)

    def _draw_menu(self, whole: raster.Pixels) -> None:
        screen = self.screen
        face = font.face(screen.label_size)
        wide, top = screen.width // 4, screen.menu_top
        down = (screen.bottom - top - face.height) // 2
        for number, label in enumerate(self.menu()):
            left = number * wide
            raster.rectangle(whole, 0, left, top, left + wide - 1, screen.bottom - 1, label.background)
            if label.text:
                x = left + max(wide - face.width * len(label.text), 0) // 2
                raster.text(whole, x, top + down, face.line(label.text), label.foreground, label.background)
            if number and not screen.monochrome:
                raster.rectangle(whole, 0, left, top, left, screen.bottom - 1, _RULE)

    # ---- state

    def digest(self) -> int:
        """Return a checksum of all commands so far."""
        crc = self._crc
        for order in self._orders[self._counted :]:
            crc = zlib.crc32(_bytes(order), crc)
            if type(order) is orders.LcdImage:
                crc = zlib.crc32(order.pixels, crc)
        self._crc, self._counted = crc, len(self._orders)
        return crc

    def state(self) -> dict[str, Any]:
        """Return everything, as a tree of plain values."""
        self._settle()
        canvas = self._canvas.state()
        canvas["frame"] = zlib.compress(canvas["frame"], 1)
        return {"canvas": canvas, "pen": self._pen.state(), "crc": self._crc, "changes": self.changes}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state, bit-identically."""
        self._orders.clear()
        self._picture = None
        self._bytes, self._counted, self._crc, self.changes = 0, 0, state["crc"], state["changes"]
        size = self.screen.width * self.screen.height * 4
        frame = zlib.decompressobj().decompress(state["canvas"]["frame"], size)
        self._canvas.restore({**state["canvas"], "frame": frame})
        self._pen.restore(state["pen"])


_VALUES: dict[type, Callable[[Any], Any]] = {
    kind: attrgetter(*names)
    for kind in orders.LCD_ORDERS
    if (names := [name for name in kind.__dataclass_fields__ if name != "pixels"])  # type: ignore[attr-defined]
}
_TAGS = {kind: kind.__name__ for kind in orders.LCD_ORDERS}


def _bytes(order: Any) -> bytes:
    """Return bytes that identify a command, except the pixels of an image."""
    kind = type(order)
    values = _VALUES[kind](order) if kind in _VALUES else None
    try:
        return (_TAGS[kind] + ascii(values)).encode()
    except ValueError:  # an integer of more than 4,300 digits
        return _TAGS[kind].encode()
