"""The classic LCD, 128 x 64 pixels: a value is 0 (clear), 1 (set) or 2 (invert); and the keys."""

from __future__ import annotations

from typing import Any

from . import lcd
from .calls import current, robios
from .classic_constants import ANYKEY, NONSCROLLING, SCROLLING, imagecolumns, imagerows
from .keys import KEYRead, wait_for_key
from .printf import printf
from .values import encoded, image_bytes, store, text, whole

__all__ = [
    "KEYGet", "KEYGetBuf", "KEYRead", "KEYWait", "LCDArea", "LCDClear", "LCDGetPixel", "LCDGetPos", "LCDInvertPixel",
    "LCDLine", "LCDMenu", "LCDMenuI", "LCDMode", "LCDPrintf", "LCDPutChar", "LCDPutColorGraphic", "LCDPutFloat",
    "LCDPutFloatS", "LCDPutGraphic", "LCDPutHex", "LCDPutHex1", "LCDPutImage", "LCDPutInt", "LCDPutIntS",
    "LCDPutString", "LCDSetChar", "LCDSetPixel", "LCDSetPos", "LCDSetPrintf", "LCDSetString",
]  # fmt: skip
WIDTH, HEIGHT = 128, 64
LCDClear, LCDGetPos, LCDMenu, LCDPrintf = lcd.LCDClear, lcd.LCDGetPos, lcd.LCDMenu, lcd.LCDPrintf
LCDSetPos, LCDSetPrintf = lcd.LCDSetPos, lcd.LCDSetPrintf
_PIXEL, _LINE, _AREA = range(3)  # what LcdInvert inverts


def show(pattern: str, *values: Any) -> int:
    """Print at the cursor."""
    current().order("LcdPrint", rest=encoded(printf(pattern, *values)))
    return 0


def _show_at(row: Any, column: Any, words: str) -> int:
    current().order("LcdPrintAt", whole(row), whole(column), rest=encoded(words))
    return 0


def _letter(value: Any) -> str:
    return text(value)[:1] if isinstance(value, (str, bytes)) else chr(whole(value) & 255)


@robios()
def LCDPutChar(char: Any) -> int:
    """Print a character."""
    return show("%s", _letter(char))


@robios()
def LCDSetChar(row: Any, column: Any, char: Any) -> int:
    """Print a character at a text position."""
    return _show_at(row, column, _letter(char))


@robios()
def LCDPutString(string: Any) -> int:
    """Print a text."""
    return show("%s", text(string))


@robios()
def LCDSetString(row: Any, column: Any, string: Any) -> int:
    """Print a text at a text position."""
    return _show_at(row, column, text(string))


@robios()
def LCDPutHex(value: Any) -> int:
    """Print a number in 8 hexadecimal digits."""
    return show("%08X", whole(value) & 0xFFFFFFFF)


@robios()
def LCDPutHex1(value: Any) -> int:
    """Print a byte in 2 hexadecimal digits."""
    return show("%02X", whole(value) & 255)


@robios()
def LCDPutInt(value: Any) -> int:
    """Print a whole number."""
    return show("%d", whole(value))


@robios()
def LCDPutIntS(value: Any, spaces: Any) -> int:
    """Print a whole number with at least so many characters."""
    return show("%*d", whole(spaces), whole(value))


@robios()
def LCDPutFloat(value: Any) -> int:
    """Print a number."""
    return show("%f", value)


@robios()
def LCDPutFloatS(value: Any, spaces: Any, decimals: Any) -> int:
    """Print a number with at least so many characters, and so many decimals."""
    return show("%*.*f", whole(spaces), whole(decimals), value)


@robios()
def LCDMode(mode: Any) -> int:
    """Let text scroll or not: SCROLLING or NONSCROLLING; the cursor is never shown."""
    if whole(mode) & (SCROLLING | NONSCROLLING):
        current().order("LcdMode", 0x0002 if whole(mode) & SCROLLING else 0x0200)
    return 0


@robios()
def LCDMenuI(pos: Any, string: Any) -> int:
    """Set the label of one key, 1 to 4."""
    if not 1 <= whole(pos) <= 4:
        return 1
    current().order("LcdMenuItem", whole(pos), _colour(1), _colour(0), rest=encoded(string))
    return 0


# ---- graphics


def _in_colour() -> bool:
    return current().greeting.screen[0] > WIDTH


def _colour(value: int) -> int:
    """Return a value as the screen has it: on one in colour, clear is black and set is white."""
    if _in_colour():
        return 0x000000 if value == 0 else 0xFFFFFF
    return value if value in (0, 1, 2) else 1


def _draw(shape: int, name: str, place: tuple[int, ...], value: Any, *more: Any) -> int:
    if whole(value) == 2 and _in_colour():
        current().order("LcdInvert", shape, *(*place, 0, 0)[:4])
    else:
        current().order(name, *place, _colour(whole(value)), *more)
    return 0


@robios()
def LCDSetPixel(row: Any, column: Any, val: Any) -> int:
    """Set a pixel."""
    return _draw(_PIXEL, "LcdPixel", (whole(column), whole(row)), val)


@robios()
def LCDInvertPixel(row: Any, column: Any) -> int:
    """Invert a pixel."""
    current().order("LcdInvert", _PIXEL, whole(column), whole(row), 0, 0)
    return 0


def LCDGetPixel(row: Any, column: Any) -> int:
    """Return whether a pixel is set: 0 or 1."""
    return int(lcd.LCDGetPixel(column, row) != 0)


@robios()
def LCDLine(x1: Any, y1: Any, x2: Any, y2: Any, col: Any) -> int:
    """Draw a line."""
    return _draw(_LINE, "LcdLine", (whole(x1), whole(y1), whole(x2), whole(y2)), col)


@robios()
def LCDArea(x1: Any, y1: Any, x2: Any, y2: Any, col: Any) -> int:
    """Fill a rectangle."""
    return _draw(_AREA, "LcdArea", (whole(x1), whole(y1), whole(x2), whole(y2)), col, True)


def _show_image(pixels: bytes, width: int, height: int, channels: int, binary: bool) -> int:
    session = current()
    session.order("LcdImageArea", 0, 0, width, height)
    session.order("LcdImage", channels, binary, rest=pixels)
    return 0


def _inner(image: Any, channels: int) -> bytes:
    """Return an image without its border."""
    data, wide = image_bytes(image, imagerows * imagecolumns * channels), imagecolumns * channels
    return b"".join(data[y * wide + channels : (y + 1) * wide - channels] for y in range(1, imagerows - 1))


@robios()
def LCDPutGraphic(image: Any) -> int:
    """Draw a gray image."""
    return _show_image(_inner(image, 1), imagecolumns - 2, imagerows - 2, 1, False)


@robios()
def LCDPutColorGraphic(image: Any) -> int:
    """Draw a colour image."""
    return _show_image(_inner(image, 3), imagecolumns - 2, imagerows - 2, 3, False)


@robios()
def LCDPutImage(bits: Any) -> int:
    """Draw the whole screen: 1024 bytes of 8 pixels each, 1 is black."""
    packed = image_bytes(bits, WIDTH * HEIGHT // 8)
    pixels = bytes(byte >> shift & 1 for byte in packed for shift in range(7, -1, -1))
    return _show_image(pixels, WIDTH, HEIGHT, 1, True)


# ---- keys


@robios()
def KEYGet() -> int:
    """Wait for a key and return it."""
    return wait_for_key(ANYKEY)


@robios()
def KEYWait(excode: Any) -> int:
    """Wait for this key, or for any with ANYKEY, and return it."""
    return wait_for_key(whole(excode) & ANYKEY or ANYKEY)


@robios()
def KEYGetBuf(buffer: Any = None) -> int:
    """Wait for a key; with a buffer store it there and return 0."""
    key = wait_for_key(ANYKEY)
    if buffer is None:
        return key
    store(buffer, key)
    return 0
