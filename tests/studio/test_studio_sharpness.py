"""Screens with more device pixels than pixels: how fine the picture is drawn, and that the mouse hits what it shows."""

import base64
import io
import math

import numpy as np
import pytest
from PIL import Image
from studio_browser import Chromium, Page, until

pytestmark = pytest.mark.browser

GPU, SOFTWARE = "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620, OpenGL 4.6)", "ANGLE (Google, SwiftShader Device)"


@pytest.fixture(scope="module", params=[1.5, 2])
def screen(studio, eyes, request):
    """A browser on a screen with so many device pixels per pixel."""
    chromium = Chromium(size=(1000, 640), ratio=request.param)
    chromium.open(studio.url)
    yield chromium
    chromium.close()


@pytest.fixture
def sharp(screen, watcher):
    """Its page, drawn as with a graphics card."""
    made = Page(screen, watcher)
    screen.js("__us.stage.quality.fixed = true; __us.stage.quality.level = 2")
    made.begin()
    made.wait_for("", f"__us.stage.$refs.gl.width > {screen.ratio - 0.1} * __us.stage.width")
    return made


def measured(page, name, *means, wish="auto"):
    """Return the drawing's ratio after each series of frames of a mean time (ms), on a renderer of this name."""
    script = """
        const [name, means, wish, done] = arguments;
        import('/web/quality.js').then(({ Quality }) => {
            const made = new Quality(wish, name), found = [made.ratio];
            for (let i = 0; i < 10; i++) made.note(100); // what is compiled first is not measured
            for (const [count, ms] of means) {
                for (let i = 0; i < count; i++) made.note(ms);
                found.push(made.ratio);
            }
            done([found, made.planar]);
        });
    """
    ratios, planar = page.driver.execute_async_script(script, name, means, wish)
    return ratios, planar


# ---- how fine


def test_a_graphics_card_that_is_fast_enough_draws_every_device_pixel(screen):
    assert measured(screen, GPU, (200, 16.7)) == ([screen.ratio, screen.ratio], True)


def test_a_slow_graphics_card_draws_fewer_pixels_and_then_simpler_shadows(screen):
    ratios, planar = measured(screen, GPU, (22, 60), (22, 60), (22, 60), (22, 60))
    assert ratios == sorted(ratios, reverse=True)
    assert (ratios[0], ratios[-1]) == (screen.ratio, 1)
    assert not planar


def test_the_picture_is_fine_again_after_a_busy_moment_but_not_for_ever(screen):
    busy, calm = (30, 60), (300, 16.7)
    ratios, _ = measured(screen, GPU, busy, calm, busy, calm, busy, calm, busy, calm)
    assert ratios[2] == screen.ratio
    assert ratios[-1] < screen.ratio


def test_frames_that_are_neither_fast_nor_slow_change_nothing(screen):
    ratios, _ = measured(screen, GPU, (100, 35), (300, 35))
    assert set(ratios) == {screen.ratio}


@pytest.mark.parametrize(("wish", "name", "fine"), [("fine", SOFTWARE, True), ("fast", GPU, False)])
def test_a_chosen_quality_stays(screen, wish, name, fine):
    ratios, planar = measured(screen, name, (100, 200), (400, 10), wish=wish)
    assert set(ratios) == {screen.ratio if fine else 1}
    assert planar == fine


def test_software_draws_one_pixel_each_and_maps_and_names_every_device_pixel(screen):
    assert screen.us("stage.quality.software")
    assert measured(screen, SOFTWARE, (200, 10)) == ([1, 1], True)
    wide = "const b = __us.stage.list[0].element.getBoundingClientRect(); return b.width"
    assert screen.js("return __us.stage.list[0].overlay.width") == pytest.approx(screen.ratio * screen.js(wide), abs=1)


def test_a_window_that_moves_to_another_screen_is_drawn_for_that_one(sharp, screen):
    own = screen.ratio
    try:
        screen.ratio = 1
        screen.resize(1000, 640)
        sharp.wait_for("", "__us.stage.$refs.gl.width <= __us.stage.width + 1")
    finally:
        screen.ratio = own
        screen.resize(1000, 640)
    sharp.wait_for("", f"__us.stage.$refs.gl.width > {own - 0.1} * __us.stage.width")


# ---- the mouse


@pytest.mark.parametrize("view", ["3d", "2d"])
@pytest.mark.parametrize("name", ["scout", "desk"])
def test_what_is_dragged_goes_along_with_the_pointer_on_such_screens(sharp, view, name):
    if view == "2d":
        sharp.wait_for("__us.stage.press(0, 'swap')", "__us.stage.list[0].map?.scale > 0")
    sharp.watcher.do("pause")
    until(lambda: sharp.watcher.paused, why="a pause")
    start, before = sharp.at(name), sharp.watcher.place(name)
    end = start[0] - 60, start[1] + 25
    (ax, ay), (bx, by) = sharp.ground(start), sharp.ground(end)
    sharp.drag(start, end)
    wanted = before[0] + bx - ax, before[1] + by - ay
    until(lambda: math.dist(sharp.watcher.place(name)[:2], wanted) < 0.02, 5, f"{name} at {wanted}")
    sharp.wait_for("", f"Math.hypot(__us.project('{name}')[0] - {end[0]}, __us.project('{name}')[1] - {end[1]}) < 3")


def test_a_thing_is_drawn_where_the_mouse_finds_it(sharp, screen):
    sharp.watcher.do("pause")
    sharp.js("__us.stage.set('names', false)")
    sharp.drawn()
    x, y = (round(screen.ratio * value) for value in sharp.at("crate"))
    pixels = screen.pixels()[y - 6 : y + 6, x - 6 : x + 6].reshape(-1, 3)
    green = (pixels[:, 1] > 1.4 * pixels[:, 0]) & (pixels[:, 1] > 1.4 * pixels[:, 2])
    assert green.mean() > 0.8


# ---- sharpness


def test_edges_are_as_sharp_as_the_screen(sharp, screen):
    """A picture that is only enlarged has no details between neighbouring device pixels."""
    sharp.watcher.do("pause")
    sharp.drawn()
    detail = {}
    for level in (0, 2):
        sharp.wait_for(
            f"__us.stage.quality.level = {level}",
            f"__us.stage.ratio === Math.min(devicePixelRatio, {[1, 1, 2][level]})",
        )
        box = sharp.js("return document.querySelector('.us-stage').getBoundingClientRect()")
        top, left = (round(screen.ratio * (box[side] + 60)) for side in ("top", "left"))
        grey = screen.pixels()[top : top + 500, left : left + 700].mean(axis=2)
        detail[level] = np.abs(np.diff(grey, n=2, axis=1)).mean()
    assert detail[2] > 1.3 * detail[0]


def test_a_saved_picture_has_the_pixels_of_the_screen(sharp, screen):
    url = sharp.driver.execute_async_script("__us.stage.picture().then(arguments[0])")
    shot = Image.open(io.BytesIO(base64.b64decode(url.removeprefix("data:image/png;base64,"))))
    assert shot.width == pytest.approx(screen.ratio * sharp.us("stage.width"), abs=1)


def test_nothing_is_cut_off_on_such_screens(sharp, screen):
    assert sharp.js("return document.documentElement.scrollWidth <= innerWidth")
    sharp.press("Load another map")
    until(lambda: sharp.js("return document.querySelectorAll('.q-dialog .q-card').length"), why="a dialog")
    box = sharp.js("return document.querySelector('.q-dialog .q-card').getBoundingClientRect()")
    assert box["left"] >= 0
    assert box["right"] <= 1000
    assert box["bottom"] <= 640
    sharp.type("ESCAPE")
    until(lambda: not sharp.js("return document.querySelectorAll('.q-dialog').length"), why="no dialog")


def test_the_console_of_such_a_browser_has_no_errors(screen):
    assert screen.errors() == []
