"""The commands of an EyeBot's screen, in pixels, text cells and colours 0xRRGGBB; taken by `lcd.Lcd`.

Any integer is valid: what is outside the screen is clipped. On the classic screen a colour is 0 (clear), 1 (set) or 2
(invert). Texts and pixels come last in each command, as on the wire.
"""

from __future__ import annotations

from enum import IntEnum

from understudy.frozen import frozen


class LcdShape(IntEnum):
    """What `LcdInvert` inverts."""

    PIXEL = 0
    LINE = 1
    AREA = 2
    CIRCLE = 3


@frozen
class LcdPrint:
    """Print at the cursor, and move it."""

    text: str


@frozen
class LcdPrintAt:
    """Print at a text position, and leave the cursor behind the text; nothing is shown outside the screen."""

    row: int
    col: int
    text: str


@frozen
class LcdClear:
    """Clear text and graphics, and move the cursor to the top left; the menu stays."""


@frozen
class LcdCursor:
    """Move the text cursor."""

    row: int
    col: int


@frozen
class LcdColours:
    """Set the colours of later text."""

    foreground: int
    background: int


@frozen
class LcdColourFlags:
    """Set how later text is coloured: a sum of the flags BGCOL_... and FGCOL_..., see `lcd_modes`."""

    flags: int


@frozen
class LcdFont:
    """Set the font (0 Helvetica, 1 Times, 2 Courier) and its variation (0 normal, 1 bold, 2 italics) of later text."""

    font: int
    variation: int


@frozen
class LcdFontSize:
    """Set the size of later text: 8, 10, 12, 14, 18 or 24; others are ignored."""

    size: int


@frozen
class LcdMode:
    """Switch modes on and off: a sum of the flags LCD_..., see `lcd_modes`."""

    flags: int


@frozen
class LcdMenu:
    """Set the labels of the four keys."""

    one: str
    two: str
    three: str
    four: str


@frozen
class LcdMenuItem:
    """Set the label of one key, 1 to 4, and its colours."""

    position: int
    foreground: int
    background: int
    text: str


@frozen
class LcdPixel:
    """Set one pixel; (0, 0) is the top left."""

    x: int
    y: int
    colour: int


@frozen
class LcdInvert:
    """Invert the pixels of an `LcdShape`; a circle has its centre in x1 and y1, and its radius in x2."""

    kind: int
    x1: int
    y1: int
    x2: int
    y2: int


@frozen
class LcdLine:
    """Draw a line; both ends belong to it."""

    x1: int
    y1: int
    x2: int
    y2: int
    colour: int


@frozen
class LcdArea:
    """Draw a rectangle, filled or its outline; both corners belong to it."""

    x1: int
    y1: int
    x2: int
    y2: int
    colour: int
    fill: bool


@frozen
class LcdCircle:
    """Draw a circle, filled or its outline."""

    x: int
    y: int
    radius: int
    colour: int
    fill: bool


@frozen
class LcdImageArea:
    """Set where later images are drawn, and their size."""

    x: int
    y: int
    width: int
    height: int


@frozen
class LcdImage:
    """Draw an image: 3 bytes a pixel (red, green, blue) or 1 (grey; binary: 0 white, 1 black)."""

    channels: int
    binary: bool
    pixels: bytes


LCD_ORDERS: tuple[type, ...] = (
    LcdPrint, LcdPrintAt, LcdClear, LcdCursor, LcdColours, LcdColourFlags, LcdFont, LcdFontSize, LcdMode, LcdMenu,
    LcdMenuItem, LcdPixel, LcdInvert, LcdLine, LcdArea, LcdCircle, LcdImageArea, LcdImage,
)  # fmt: skip
