"""The four keys of an EyeBot and its touch screen: what is pressed now, and how often each key was pressed.

A program that polls seldom still sees a short press, because it compares counters.
"""

from __future__ import annotations

from typing import Any

from understudy.frozen import frozen
from understudy.robots.eyebot.lcd_screens import SCREENS, LcdScreen

KEY1, KEY2, KEY3, KEY4 = KEYS = (1, 2, 4, 8)
ANY_KEY = KEY1 | KEY2 | KEY3 | KEY4
_COUNTS = 0xFFFF_FFFF  # counters have 32 bits


@frozen
class KeyPress:
    """Fingers press keys, a sum of KEY1 to KEY4, and hold them."""

    keys: int


@frozen
class KeyRelease:
    """Fingers release keys."""

    keys: int


@frozen
class KeyTap:
    """Fingers press keys and release them at once."""

    keys: int


@frozen
class ScreenTouch:
    """A finger touches the screen (pixels from the top left); a label of the menu bar acts like its key."""

    x: int
    y: int


KEY_ORDERS: tuple[type, ...] = (KeyPress, KeyRelease, KeyTap, ScreenTouch)


class Keys:
    """The state of keys and touch screen."""

    def __init__(self, kind: str = "robios7") -> None:
        self._screen: LcdScreen = SCREENS[kind]
        self.pressed = 0  # a sum of KEY1 to KEY4
        self.presses = [0, 0, 0, 0]  # of each key
        self.touch = (0, 0)  # the last one
        self.touches = 0

    def take(self, order: Any) -> None:
        """Take one command; raises TypeError for anything else."""
        match order:
            case KeyPress(keys):
                self._count(keys & ~self.pressed)
                self.pressed |= keys & ANY_KEY
            case KeyRelease(keys):
                self.pressed &= ~keys
            case KeyTap(keys):
                self._count(keys & ~self.pressed)
            case ScreenTouch(x, y):
                self._touched(x, y)
            case _:
                raise TypeError(f"{type(order).__name__} is not a command of keys")

    def _count(self, keys: int) -> None:
        for number, key in enumerate(KEYS):
            if keys & key:
                self.presses[number] = self.presses[number] + 1 & _COUNTS

    def _touched(self, x: int, y: int) -> None:
        screen = self._screen
        if screen.monochrome or not (0 <= x < screen.width and 0 <= y < screen.bottom):
            return
        if y >= screen.menu_top:
            self._count(KEYS[x * len(KEYS) // screen.width] & ~self.pressed)
        else:
            self.touch, self.touches = (x, y), self.touches + 1 & _COUNTS

    def state(self) -> dict[str, Any]:
        """Return everything, as a tree of plain values."""
        return {
            "pressed": self.pressed, "presses": list(self.presses), "touch": list(self.touch), "touches": self.touches,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.pressed, self.presses = state["pressed"], list(state["presses"])
        (x, y), self.touches = state["touch"], state["touches"]
        self.touch = (x, y)
