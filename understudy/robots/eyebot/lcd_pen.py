"""Carries out the commands of an EyeBot's screen: keeps cursor, colours, font and modes, and fills the canvas."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from understudy.frozen import frozen
from understudy.robots.eyebot import font, raster
from understudy.robots.eyebot import lcd_orders as orders
from understudy.robots.eyebot import lcd_screens as screens
from understudy.robots.eyebot.lcd_canvas import LcdCanvas

MOST_LETTERS = 16_384  # of one text; the rest is not shown
TAB = 8
KEY_COUNT = 4
_CONTROL = re.compile(r"([\n\r\t\b\f\v])")
QVGA = (0, 0, 320, 240)


@frozen
class LcdLabel:
    """The label of a key and its colours."""

    text: str
    foreground: int
    background: int


@dataclass(slots=True)
class _Settings:
    """What later commands depend on."""

    size: int
    foreground: int
    background: int
    row: int = 0
    col: int = 0
    variation: int = font.NORMAL
    colour_flags: int = 0
    mode: int = screens.AUTOREFRESH | screens.SCROLLING | screens.LINEFEED | screens.SHOWMENU
    labels: list[list[Any]] = field(default_factory=list)  # text, foreground, background
    image: list[int] = field(default_factory=lambda: list(QVGA))


class LcdPen:
    """The firmware of a screen."""

    def __init__(self, screen: screens.LcdScreen, canvas: LcdCanvas) -> None:
        self._screen, self._canvas = screen, canvas
        colours = (1, 0) if screen.monochrome else (screen.ink, screen.paper)
        self.now = _Settings(screen.size, *colours)
        self.now.labels = [self._label("") for _ in range(KEY_COUNT)]
        self._measure()
        self._do: dict[type, Callable[[Any], None]] = {
            orders.LcdPrint: self._print, orders.LcdPrintAt: self._print_at, orders.LcdClear: self._clear,
            orders.LcdCursor: self._cursor, orders.LcdColours: self._colours, orders.LcdColourFlags: self._flags,
            orders.LcdFont: self._font, orders.LcdFontSize: self._font_size, orders.LcdMode: self._mode,
            orders.LcdMenu: self._menu, orders.LcdMenuItem: self._menu_item, orders.LcdPixel: self._pixel,
            orders.LcdInvert: self._invert, orders.LcdLine: self._line, orders.LcdArea: self._area,
            orders.LcdCircle: self._circle, orders.LcdImageArea: self._image_area, orders.LcdImage: self._image,
        }  # fmt: skip

    def take(self, order: Any) -> None:
        """Carry out one command."""
        self._do[type(order)](order)

    def _measure(self) -> None:
        """Set what follows from font and colours."""
        now, screen = self.now, self._screen
        face = font.face(now.size)
        self.width, self.height = face.width, face.height
        self.columns, self.rows = screen.width // face.width, screen.text_height // face.height
        ink, paper = (screen.colour(colour) for colour in (now.foreground, now.background))
        self._ink = screen.ink if ink is None else ink
        self._paper: int | None = screen.paper if paper is None else paper
        if now.colour_flags & screens.FGCOL_INVERSE:
            self._ink ^= screen.inversion
        if now.colour_flags & screens.BGCOL_INVERSE:
            self._paper ^= screen.inversion
        if now.colour_flags & screens.BGCOL_TRANSPARENT:
            self._paper = None

    # ---- text

    def _print(self, order: orders.LcdPrint) -> None:
        self._type(order.text)

    def _print_at(self, order: orders.LcdPrintAt) -> None:
        self._move(order.row, order.col)
        if 0 <= order.row < self.rows and 0 <= order.col < self.columns:
            self._type(order.text)

    def _cursor(self, order: orders.LcdCursor) -> None:
        self._move(order.row, order.col)

    def _move(self, row: int, col: int) -> None:
        self.now.row, self.now.col = max(0, min(row, self.rows - 1)), max(0, min(col, self.columns - 1))

    def _clear(self, order: orders.LcdClear) -> None:
        self._canvas.clear()
        self.now.row, self.now.col = 0, 0

    def _type(self, text: str) -> None:
        """Write a text with its control characters."""
        line = text.removesuffix("\n")
        if line.isprintable() and len(line) <= self.columns - self.now.col:  # nearly always
            self._put(line)
            if len(line) < len(text):
                self._new_line()
            return
        for piece in _CONTROL.split(text[:MOST_LETTERS]):
            match piece:
                case "\n" | "\v":
                    self._new_line()
                case "\r":
                    self.now.col = 0
                case "\t":
                    self._write(" " * (TAB - self.now.col % TAB))
                case "\b":
                    self.now.col = max(self.now.col - 1, 0)
                case "\f":
                    self._clear(orders.LcdClear())
                case _:
                    self._write(piece)

    def _write(self, text: str) -> None:
        """Write letters; what does not fit into a row continues in the next one, or is cut off."""
        while text:
            room = self.columns - self.now.col
            if room <= 0:
                if not self.now.mode & screens.LINEFEED:
                    return
                self._new_line()
                room = self.columns
            self._put(text[:room])
            text = text[room:]

    def _put(self, text: str) -> None:
        """Write letters that fit into the row."""
        now = self.now
        x, y = now.col * self.width, now.row * self.height
        self._canvas.write(x, y, font.readable(text), now.size, now.variation, self._ink, self._paper)
        now.col += len(text)

    def _new_line(self) -> None:
        now = self.now
        now.col, now.row = 0, now.row + 1
        if now.row >= self.rows:
            if now.mode & screens.SCROLLING:
                self._canvas.scroll(self.height)
                now.row = self.rows - 1
            else:
                now.row = 0  # the text resumes at the top, as classic RoBIOS does

    # ---- settings

    def _colours(self, order: orders.LcdColours) -> None:
        self.now.foreground, self.now.background = self._plain(order.foreground), self._plain(order.background)
        self._measure()

    def _plain(self, colour: int) -> int:
        """Return a colour of any size as a number that can be saved."""
        if self._screen.monochrome:
            return colour if colour in (0, 2) else 1
        return colour & 0xFFFFFF

    def _flags(self, order: orders.LcdColourFlags) -> None:
        self.now.colour_flags = screens.switched(self.now.colour_flags, order.flags, screens.COLOUR_BITS)
        self._measure()

    def _mode(self, order: orders.LcdMode) -> None:
        self.now.mode = screens.switched(self.now.mode, order.flags, screens.MODE_BITS)

    def _font(self, order: orders.LcdFont) -> None:
        """Set the variation; all three fonts have the same letters, of one width."""
        if not self._screen.monochrome:
            self.now.variation = order.variation & (font.BOLD | font.ITALICS)

    def _font_size(self, order: orders.LcdFontSize) -> None:
        """Set the size; the cursor moves to the next position of the new rows and columns."""
        if self._screen.monochrome or order.size not in font.SIZES:
            return
        across, down = self.now.col * self.width, self.now.row * self.height
        self.now.size = order.size
        self._measure()
        self._move(-(-down // self.height), -(-across // self.width))

    def _label(self, text: str) -> list[Any]:
        return [text[: self._screen.label_letters], self._screen.label_ink, self._screen.label_paper]

    def _menu(self, order: orders.LcdMenu) -> None:
        """Set the labels; on the classic screen an empty text leaves a label as it is."""
        for number, text in enumerate((order.one, order.two, order.three, order.four)):
            if text or not self._screen.monochrome:
                self.now.labels[number] = self._label(_one_line(text))

    def _menu_item(self, order: orders.LcdMenuItem) -> None:
        if not 1 <= order.position <= KEY_COUNT:
            return
        label = self._label(_one_line(order.text))
        if not self._screen.monochrome:
            label[1:] = order.foreground & 0xFFFFFF, order.background & 0xFFFFFF
        self.now.labels[order.position - 1] = label

    # ---- graphics

    def _draw(self, shape: Callable[..., None], *values: Any, covers: Any = None) -> None:
        self._canvas.draw(shape, self._screen.inversion, *values, covers=covers)

    def _pixel(self, order: orders.LcdPixel) -> None:
        self._draw(raster.pixel, order.x, order.y, self._screen.colour(order.colour))

    def _line(self, order: orders.LcdLine) -> None:
        self._draw(raster.line, order.x1, order.y1, order.x2, order.y2, self._screen.colour(order.colour))

    def _area(self, order: orders.LcdArea) -> None:
        ink = self._screen.colour(order.colour)
        corners = (order.x1, order.y1, order.x2, order.y2)
        if not order.fill:
            self._draw(raster.outline, *corners, ink)
            return
        left, right, top, bottom = *sorted((order.x1, order.x2)), *sorted((order.y1, order.y2))
        covers = None if ink is None else (left, top, right + 1, bottom + 1)
        self._draw(raster.rectangle, *corners, ink, covers=covers)

    def _circle(self, order: orders.LcdCircle) -> None:
        shape = raster.disc if order.fill else raster.circle
        self._draw(shape, order.x, order.y, order.radius, self._screen.colour(order.colour))

    def _invert(self, order: orders.LcdInvert) -> None:
        match order.kind:
            case orders.LcdShape.PIXEL:
                self._draw(raster.pixel, order.x1, order.y1, None)
            case orders.LcdShape.LINE:
                self._draw(raster.line, order.x1, order.y1, order.x2, order.y2, None)
            case orders.LcdShape.AREA:
                self._draw(raster.rectangle, order.x1, order.y1, order.x2, order.y2, None)
            case orders.LcdShape.CIRCLE:
                self._draw(raster.disc, order.x1, order.y1, order.x2, None)

    def _image_area(self, order: orders.LcdImageArea) -> None:
        self.now.image = [raster.near(value) for value in (order.x, order.y, order.width, order.height)]

    def _image(self, order: orders.LcdImage) -> None:
        x, y, width, height = self.now.image
        if self._canvas.hidden or order.channels not in (1, 3) or width <= 0 or height <= 0:
            return
        values = raster.colours(order.pixels, order.channels, order.binary)
        if self._screen.monochrome:
            values = raster.dithered(values, width, self._screen.ink, self._screen.paper)
        rows = min(len(values) // width, height)
        self._canvas.draw(raster.image, x, y, width, height, values, covers=(x, y, x + width, y + rows))

    # ---- state

    def state(self) -> dict[str, Any]:
        """Return the settings."""
        return asdict(self.now)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue with saved settings."""
        self.now = _Settings(**{**state, "labels": [list(label) for label in state["labels"]]})
        self._measure()


def _one_line(text: str) -> str:
    return font.readable(" ".join(text.split()) if text.strip() else "")
