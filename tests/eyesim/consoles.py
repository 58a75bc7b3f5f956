"""Consoles for tests."""

from understudy.robots.eyebot.console import console
from understudy.robots.eyebot.keys import Keys
from understudy.robots.eyebot.lcd import Lcd


def shown(*orders, keys=(), kind="robios7", pixels=True):
    """Return the console after some commands of its screen and of its keys."""
    lcd, pressed = Lcd(kind), Keys(kind)
    for order in orders:
        lcd.take(order)
    for order in keys:
        pressed.take(order)
    return console(lcd, pressed, pixels)
