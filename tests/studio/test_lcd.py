"""The LCD of an EyeBot in the page."""

import base64

import pytest

import understudy as us
from understudy.robots.eyebot.lcd_orders import LcdPrint
from understudy.studio.lcd import lcd_view

ROOM = """
schema = 1
[[robot]]
name = "pip"
model = "s4"
[[robot]]
name = "scout"
model = "scout"
x_m = 2.0
"""


@pytest.fixture
def sim():
    with us.load_text(ROOM) as made:
        yield made


def test_the_lcd_is_a_png_picture(sim):
    view = lcd_view(sim, "pip", None)
    head, _, picture = view.url.partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(picture).startswith(b"\x89PNG")


def test_it_is_drawn_again_only_when_it_has_changed(sim):
    before = lcd_view(sim, "pip", None)
    sim.step(10)
    assert lcd_view(sim, "pip", before) is before
    sim.robot("pip").order(LcdPrint("hello"))
    sim.step()
    after = lcd_view(sim, "pip", before)
    assert after.changes > before.changes
    assert after.url != before.url


def test_a_robot_without_an_lcd_shows_none(sim):
    assert lcd_view(sim, "scout", None) is None
