"""Pictures on things in a real browser: what the page shows before its eye is what a camera there would see."""

import numpy as np
import pytest
from pictures import encoded
from studio_browser import Chromium, Studio, until

pytestmark = [pytest.mark.browser, pytest.mark.long]

SCENE = """
schema = 1
ground = {size_m = [8, 6]}
wall = [{points_m = [[-1, 2], [3, 2]], height_m = 0.5, picture = "print.png", picture_m = [1, 0.5]}]
[[object]]
name = "post"
kind = "cylinder"
radius_m = 0.2
x_m = 3
y_m = -2
mass_kg = 1
picture = "print.png"
[[object]]
name = "crate"
kind = "box"
size_m = [1, 1, 1]
picture = "print.png"
[[robot]]
model = "scout"
x_m = -2
y_m = -2
"""
RED, GREEN, BLUE, YELLOW = (230, 0, 0), (0, 200, 0), (0, 0, 230), (230, 230, 0)
BEFORE = """
    const pane = __us.stage.list[0], eye = pane.eye;
    eye.lead("orbit");  // the home view moves with the robots
    eye.camera.position.set(...arguments[0]);
    eye.controls.target.set(0, 0, 0.5);
    eye.controls.update();
    for (const key of ["grid", "names", "trails"]) __us.stage.set(key, false);
    const box = pane.element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "print.png").write_bytes(encoded(np.kron([[RED, GREEN], [BLUE, YELLOW]], np.ones((16, 16, 1)))))
    (folder / "room.toml").write_text(SCENE)
    studio = Studio(str(folder / "room.toml"))
    chromium = Chromium(network=True)
    chromium.open(studio.url)
    yield chromium
    chromium.close()
    studio.close()


def hue(pixel):
    """Return which of the four colours a lit pixel comes nearest to."""
    known = np.array([RED, GREEN, BLUE, YELLOW], float)
    known /= np.linalg.norm(known, axis=1)[:, None]
    return int((known @ (pixel / max(np.linalg.norm(pixel), 1.0))).argmax())


@pytest.mark.parametrize("eye", [(3, 0, 0.5), (-3, 0.01, 0.5), (0, -3, 0.5), (0.01, -0.5, 3.5)])
def test_a_box_shows_its_picture_the_right_way_round(page, eye):
    x, y = page.js(BEFORE, list(eye))

    def corners():
        seen = page.pixels()
        return [hue(seen[round(y) + dy, round(x) + dx]) for dy in (-40, 40) for dx in (-40, 40)]

    until(lambda: corners() == [0, 1, 2, 3], why="the picture")


def test_pictures_come_from_the_studio_alone_and_each_once(page):
    asked = [url for url in page.requests() if "/gallery/" in url]
    assert len(set(asked)) == len(asked) == 2  # with a wall's and with things' colour below, where it is transparent
    assert page.errors() == []
