"""The LCD: text, graphics, images and the labels of the keys."""

from __future__ import annotations

import struct
from typing import Any

from .calls import NO_EFFECT, current, robios
from .constants import FONT_SIZES, SIZES
from .printf import printf
from .values import encoded, image_bytes, store, whole

__all__ = [
    "LCDArea", "LCDAreaInvert", "LCDCircle", "LCDCircleInvert", "LCDClear", "LCDFontSize", "LCDGetPixel", "LCDGetPos",
    "LCDGetSize", "LCDImage", "LCDImageBinary", "LCDImageGray", "LCDImageSize", "LCDImageStart", "LCDLine",
    "LCDLineInvert", "LCDMenu", "LCDMenuI", "LCDPixel", "LCDPixelInvert", "LCDPrintf", "LCDRefresh", "LCDSetColor",
    "LCDSetFont", "LCDSetFontSize", "LCDSetMode", "LCDSetPos", "LCDSetPrintf",
]  # fmt: skip
_PIXEL, _LINE, _AREA, _CIRCLE = range(4)  # what LcdInvert inverts
_MOST_SIDE = 10_000  # of an image


class ImageArea:
    """Where images are drawn; until the program sets it, it has the size of the camera's images."""

    place, size = (0, 0), SIZES[1]
    chosen = False

    def follow(self, size: tuple[int, int]) -> None:
        """Take the size of the camera, unless the program has set one."""
        if not self.chosen and size != self.size:
            self.size = size
            current().order("LcdImageArea", *self.place, *size)


area = ImageArea()


def _order(name: str, *values: Any, rest: bytes = b"") -> int:
    current().order(name, *map(whole, values), rest=rest)
    return 0


def _colour(value: Any) -> int:
    return whole(value) & 0xFFFFFF


# ---- text


@robios()
def LCDPrintf(format: Any, *values: Any) -> int:
    """Print at the cursor, as C's printf does; surplus arguments are ignored."""
    return _order("LcdPrint", rest=encoded(printf(format, *values)))


@robios()
def LCDSetPrintf(row: Any, column: Any, format: Any, *values: Any) -> int:
    """Print at a text position."""
    return _order("LcdPrintAt", row, column, rest=encoded(printf(format, *values)))


@robios()
def LCDClear() -> int:
    """Clear text and graphics."""
    return _order("LcdClear")


@robios()
def LCDSetPos(row: Any, column: Any) -> int:
    """Move the text cursor."""
    return _order("LcdCursor", row, column)


@robios()
def LCDGetPos(row: Any = None, column: Any = None) -> Any:
    """Return the text cursor [row, column]; with two ctypes ints, store it there."""
    session = current()
    session.settle()
    answer = session.query("LCD_CURSOR")
    place = list(struct.unpack("<ii", answer)) if len(answer) == 8 else [0, 0]
    return _stored(place, row, column)


def _stored(values: list[int], first: Any, second: Any) -> Any:
    if first is None:
        return values
    store(first, values[0])
    store(second, values[1])
    return 0


@robios()
def LCDSetColor(fg: Any, bg: Any = 0) -> int:
    """Set the colours of later text (0xRRGGBB)."""
    return _order("LcdColours", _colour(fg), _colour(bg))


@robios()
def LCDSetFont(font: Any, variation: Any = 0) -> int:
    """Set the font and its variation of later text."""
    return _order("LcdFont", font, variation)


@robios()
def LCDSetFontSize(fontsize: Any) -> int:
    """Set the size of later text: 8, 10, 12, 14, 18 or 24; 1 for others."""
    return _font_size(fontsize)


@robios()
def LCDFontSize(fontsize: Any) -> int:
    """Set the size of later text (another name of LCDSetFontSize)."""
    return _font_size(fontsize)


def _font_size(size: Any) -> int:
    return _order("LcdFontSize", size) if whole(size) in FONT_SIZES else 1


@robios()
def LCDSetMode(mode: Any) -> int:
    """Switch modes of the LCD: a sum of LCD_ constants."""
    return _order("LcdMode", mode)


@robios()
def LCDMenu(string1: Any, string2: Any, string3: Any, string4: Any) -> int:
    """Set the labels of the four keys."""
    return _order("LcdMenu", rest=b"\0".join(map(encoded, (string1, string2, string3, string4))))


@robios()
def LCDMenuI(pos: Any, string: Any, fg: Any = 0xFFFFFF, bg: Any = 0) -> int:
    """Set the label of one key, 1 to 4, and its colours."""
    if not 1 <= whole(pos) <= 4:
        return 1
    return _order("LcdMenuItem", pos, _colour(fg), _colour(bg), rest=encoded(string))


@robios()
def LCDGetSize(x: Any = None, y: Any = None) -> Any:
    """Return the size of the LCD [width, height] (pixels); with two ctypes ints, store it there."""
    return _stored(list(current().greeting.screen), x, y)


@robios(support=NO_EFFECT)
def LCDRefresh() -> int:
    """Refresh the LCD; it always shows the newest state."""
    return 0


# ---- graphics


@robios()
def LCDPixel(x: Any, y: Any, col: Any) -> int:
    """Set a pixel; (0, 0) is the top left."""
    return _order("LcdPixel", x, y, _colour(col))


@robios()
def LCDGetPixel(x: Any, y: Any) -> int:
    """Return the colour of a pixel."""
    session = current()
    session.settle()
    answer = session.query("LCD_PIXEL", whole(x), whole(y))
    return int(struct.unpack("<i", answer)[0]) if len(answer) == 4 else 0


@robios()
def LCDLine(x1: Any, y1: Any, x2: Any, y2: Any, col: Any) -> int:
    """Draw a line."""
    return _order("LcdLine", x1, y1, x2, y2, _colour(col))


@robios()
def LCDArea(x1: Any, y1: Any, x2: Any, y2: Any, col: Any, fill: Any = 1) -> int:
    """Draw a rectangle, filled (1) or its outline (0)."""
    return _order("LcdArea", x1, y1, x2, y2, _colour(col), bool(whole(fill)))


@robios()
def LCDCircle(x1: Any, y1: Any, size: Any, col: Any, fill: Any = 1) -> int:
    """Draw a circle with a radius, filled (1) or its outline (0)."""
    return _order("LcdCircle", x1, y1, size, _colour(col), bool(whole(fill)))


@robios()
def LCDPixelInvert(x: Any, y: Any) -> int:
    """Invert a pixel."""
    return _order("LcdInvert", _PIXEL, x, y, 0, 0)


@robios()
def LCDLineInvert(x1: Any, y1: Any, x2: Any, y2: Any) -> int:
    """Invert a line."""
    return _order("LcdInvert", _LINE, x1, y1, x2, y2)


@robios()
def LCDAreaInvert(x1: Any, y1: Any, x2: Any, y2: Any) -> int:
    """Invert a rectangle."""
    return _order("LcdInvert", _AREA, x1, y1, x2, y2)


@robios()
def LCDCircleInvert(x1: Any, y1: Any, size: Any) -> int:
    """Invert a circle with a radius."""
    return _order("LcdInvert", _CIRCLE, x1, y1, size, 0)


# ---- images


@robios()
def LCDImageSize(type: Any) -> int:
    """Set the size of later images: QQVGA, QVGA, VGA ...; 1 for others."""
    size = SIZES.get(whole(type))
    if size is None:
        return 1
    area.size, area.chosen = size, True
    return _order("LcdImageArea", *area.place, *size)


@robios()
def LCDImageStart(x: Any, y: Any, xs: Any, ys: Any) -> int:
    """Set place and size of later images (pixels)."""
    size = whole(xs), whole(ys)
    if not all(0 < side <= _MOST_SIDE for side in size):
        return 1
    area.place, area.size, area.chosen = (whole(x), whole(y)), size, True
    return _order("LcdImageArea", *area.place, *size)


def _image(image: Any, channels: int, binary: bool) -> int:
    width, height = area.size
    return _order("LcdImage", channels, binary, rest=image_bytes(image, width * height * channels))


@robios()
def LCDImage(image: Any) -> int:
    """Draw a colour image: 3 bytes a pixel, in any kind of buffer or list."""
    return _image(image, 3, False)


@robios()
def LCDImageGray(image: Any) -> int:
    """Draw a gray image: 1 byte a pixel."""
    return _image(image, 1, False)


@robios()
def LCDImageBinary(image: Any) -> int:
    """Draw a binary image: 0 white, 1 black."""
    return _image(image, 1, True)
