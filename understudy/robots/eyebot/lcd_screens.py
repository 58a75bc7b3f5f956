"""The two screens of EyeBots, and the flags of their modes (RoBIOS-7 and classic RoBIOS).

RoBIOS-7: 480 x 320 pixels in colour, and a menu bar below them. Classic: 128 x 64 pixels that are set or clear; the
last of 8 lines is the menu. Neither manual states the size of letters: rows of 14 and columns of 7 pixels fit the
published programs.
"""

from __future__ import annotations

from understudy.frozen import frozen

# ---- flags: the low half of a set of flags switches on, the high half switches off

BGCOL_TRANSPARENT, BGCOL_INVERSE, FGCOL_INVERSE = 0x01, 0x02, 0x04  # off: 0x10, 0x20, 0x40
AUTOREFRESH, SCROLLING, LINEFEED, SHOWMENU, LISTMENU, FB_ROTATE = 0x01, 0x02, 0x04, 0x08, 0x10, 0x80  # off: 0x0100 ...
COLOUR_BITS, MODE_BITS = 4, 8


def switched(now: int, flags: int, bits: int) -> int:
    """Return the flags that are on after *flags*; what these do not name stays, off wins over on.

    >>> switched(0b0110, 0b0100_0001, 4)
    3
    """
    every = (1 << bits) - 1
    return (now | flags & every) & ~(flags >> bits & every)


@frozen
class LcdScreen:
    """The data sheet of a screen (pixels; colours 0xRRGGBB)."""

    width: int
    height: int  # for text and graphics
    menu_top: int
    bottom: int  # end of the whole screen
    text_height: int  # text scrolls within it
    ink: int  # of text and of set pixels
    paper: int  # of the background and of clear pixels
    label_ink: int
    label_paper: int
    label_letters: int  # a longer label is cut
    label_size: int  # of its letters
    size: int  # of letters
    monochrome: bool = False

    @property
    def inversion(self) -> int:
        """Return what an inverted pixel is combined with (exclusive or)."""
        return self.ink ^ self.paper

    def colour(self, value: int) -> int | None:
        """Return the colour of a command; None inverts."""
        if not self.monochrome:
            return value & 0xFFFFFF
        return None if value == 2 else self.ink if value else self.paper


CLASSIC_SIZE = 7  # of letters, 8 x 8 pixels with their gaps
SCREENS = {
    "robios7": LcdScreen(
        width=480, height=320, menu_top=320, bottom=350, text_height=320, ink=0xFFFFFF, paper=0x000000,
        label_ink=0x000000, label_paper=0xC0C0C0, label_letters=14, label_size=14, size=12,
    ),
    "classic": LcdScreen(
        width=128, height=64, menu_top=56, bottom=64, text_height=56, ink=0x10202C, paper=0xB8CCA8,
        label_ink=0x10202C, label_paper=0xB8CCA8, label_letters=4, label_size=CLASSIC_SIZE, size=CLASSIC_SIZE,
        monochrome=True,
    ),
}  # fmt: skip
