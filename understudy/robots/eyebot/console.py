"""What a user sees of an EyeBot's console, and what can be done at it: the value that panels show."""

from __future__ import annotations

from understudy.frozen import frozen
from understudy.robots.base import Offer
from understudy.robots.eyebot.keys import KEYS, Keys, KeyTap
from understudy.robots.eyebot.lcd import Lcd
from understudy.robots.eyebot.lcd_pen import LcdLabel


@frozen
class Console:
    """The screen with its menu, and the keys."""

    width: int  # of the whole picture with its menu (pixels)
    height: int
    graphics_height: int  # without the menu bar
    letter: tuple[int, int]  # width and height of a letter (pixels)
    text: tuple[str, ...]  # rows, without blanks at their ends
    text_boxes: tuple[tuple[int, int, int, int], ...]  # where text is: left, top, right, bottom (pixels)
    menu: tuple[LcdLabel, ...]
    pressed: int  # a sum of KEY1 to KEY4
    changes: int  # increases with each command; equal numbers of one robot mean an equal screen
    pixels: bytes | None  # red, green, blue of each pixel, one row after the other; None if not asked for


def console(lcd: Lcd, keys: Keys, pixels: bool = True) -> Console:
    """Return what a user sees; without pixels it costs much less."""
    screen = lcd.screen
    return Console(
        screen.width, screen.bottom, screen.height, lcd.letter(), lcd.text(), lcd.text_boxes(), lcd.menu(),
        keys.pressed, lcd.changes, lcd.pixels().tobytes() if pixels else None,
    )  # fmt: skip


def offers(lcd: Lcd) -> tuple[Offer, ...]:
    """Return the four keys, with their labels."""
    return tuple(
        Offer(f"KEY{number}: {label.text}" if label.text else f"KEY{number}", KeyTap(key))
        for number, (key, label) in enumerate(zip(KEYS, lcd.menu()), 1)
    )
