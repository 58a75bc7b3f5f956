"""One studio and one Chromium for all tests that need them."""

from __future__ import annotations

import pytest
from studio_browser import Chromium, Page, Studio, Watcher

ROOM = """
schema = 1
name = "a room for tests"
seed = 4
ground = {size_m = [8, 6], walled = true}
origin = {latitude_deg = 46.5, longitude_deg = 6.6}
object = [
    {name = "desk", kind = "box", size_m = [1.2, 0.6, 0.7], x_m = 2.0, y_m = 1.8},
    {name = "crate", kind = "box", size_m = [0.5, 0.5, 0.4], x_m = 0.0, y_m = -1.6, mass_kg = 2, colour = "#22aa22"},
]

[[robot]]
model = "p3dx"
name = "pioneer"
x_m = -2.0
colour = "#cc3311"

[[robot]]
model = "scout"
name = "scout"
y_m = 1.0
colour = "#0077bb"
"""


@pytest.fixture(scope="session")
def studio():
    made = Studio(scene=ROOM)
    yield made
    made.close()


@pytest.fixture(scope="session")
def chromium(studio, eyes):
    made = Chromium()
    made.open(studio.url)
    yield made
    made.close()


@pytest.fixture(scope="session")
def plain(studio, eyes):
    """A second browser, without WebGL."""
    made = Chromium("--disable-3d-apis")
    made.open(studio.url)
    yield made
    made.close()


@pytest.fixture(scope="session")
def eyes(studio):
    made = Watcher(studio.url)
    yield made
    made.close()


@pytest.fixture
def watcher(eyes):
    """A client that knows the state of a run that has just begun, at real time."""
    eyes.begin()
    return eyes


@pytest.fixture
def page(chromium, watcher):
    """The studio's page as it is when it is opened, showing the run that has just begun."""
    made = Page(chromium, watcher)
    made.begin()
    return made
