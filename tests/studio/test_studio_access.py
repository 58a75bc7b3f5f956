"""Everybody can use it: names, tooltips, contrast, keyboard and sizes are checked in the browser."""

import math
from pathlib import Path

import pytest
from studio_browser import until

pytestmark = pytest.mark.browser

AUDIT = (Path(__file__).parent.parent / "studio_access.js").read_text(encoding="utf-8")


def audit(page, what):
    page.driver.set_script_timeout(90)
    return page.driver.execute_async_script(AUDIT, what)


@pytest.fixture
def resting(page):
    """A page that does not change while it is looked at."""
    page.watcher.do("pause")
    page.js("document.querySelectorAll('.q-notification').forEach((note) => note.remove())")
    return page


STILL = "!document.getAnimations().some((each) => each instanceof CSSTransition && each.playState === 'running')"


def be(page, dark):
    if page.js("return document.body.classList.contains('body--dark')") != dark:
        page.press("Dark or light")
        until(lambda: page.js("return document.body.classList.contains('body--dark')") == dark, 5, "other colours")
        page.drawn()
        until(lambda: page.js(f"return {STILL}"), 5, "colours that fade to be there")


@pytest.mark.parametrize("what", ["names", "sizes", "tabs", "tooltips"])
def test_every_control_can_be_found_and_used(resting, what):
    assert audit(resting, what) == []


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_what_is_behind_it(resting, dark):
    be(resting, dark)
    try:
        assert audit(resting, "contrast") == []
    finally:
        be(resting, False)


@pytest.mark.parametrize("dark", [False, True])
def test_menus_dialogs_and_help_are_readable_too(resting, dark):
    be(resting, dark)
    try:
        resting.js("__us.stage.help = true")
        resting.press("What to draw")
        resting.wait_for("", "document.querySelector('.q-menu .q-checkbox') && document.querySelector('.us-help')")
        resting.wait_for("", "getComputedStyle(document.querySelector('.q-menu')).opacity === '1'")  # it fades in
        assert [*audit(resting, "contrast"), *audit(resting, "names")] == []
    finally:
        resting.type("ESCAPE")
        resting.js("__us.stage.help = false")
        be(resting, False)


def test_tab_leads_into_a_view_and_out_of_it(resting):
    resting.js("document.querySelector('.us-pane').focus()")
    for _ in range(30):
        resting.type("TAB")
        if resting.js("return !document.activeElement.closest('.us-stage')"):
            break
    assert resting.js("return !document.activeElement.closest('.us-stage')")


def test_a_button_in_a_view_is_pressed_by_space_and_does_not_hold_the_clock(page):
    page.js("document.querySelector('.us-bar button[title^=\"the selected robot from above\"]').focus()")
    before = page.us("stage.list[0].camera.position.z")
    page.type("SPACE")
    until(lambda: page.us("stage.list[0].camera.position.z") != before, 5, "the view from above")
    assert not page.watcher.paused


def test_the_focus_can_be_seen(resting):
    resting.js("document.querySelector('.us-pane').focus()")
    assert resting.js("return getComputedStyle(document.activeElement).boxShadow") != "none"


def test_colours_of_robots_differ_for_every_eye():
    from understudy.studio.palette import ROBOT_COLOURS

    assert len(set(ROBOT_COLOURS)) == len(ROBOT_COLOURS) >= 8
    for seen in map(as_seen, ("normal", "protan", "deutan")):
        colours = [seen(colour) for colour in ROBOT_COLOURS[:6]]
        for i, one in enumerate(colours):
            assert min(math.dist(one, other) for other in colours[:i] + colours[i + 1 :]) > 20


def as_seen(eye):
    """Return how an eye without red or green receptors sees a colour (Vienot, Brettel and Mollon, 1999)."""
    rows = {
        "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
        "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    }[eye]

    def seen(colour):
        linear = [(int(colour[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
        mixed = [max(sum(a * b for a, b in zip(row, linear)), 0.0) for row in rows]
        return [255 * value ** (1 / 2.2) for value in mixed]

    return seen
