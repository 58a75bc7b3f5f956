"""MobileSim without options: a start page for map and robots, and other maps for the simulation that runs then."""

import contextlib
import re

import pytest
from aria_client import AriaClient
from selenium.common.exceptions import WebDriverException
from studio_browser import Command, Page, Watcher, until
from test_studio_access import audit

pytestmark = [pytest.mark.browser, pytest.mark.long]

HEAD = "2D-Map\nLineMinPos: {low} {low}\nLineMaxPos: {high} {high}\nNumLines: {count}\n"
MAP_CHANGED = 0x66


def square(size_m, post=False):
    """Return a map of a square room; its middle is at 0, and there may be a piece of wall in it."""
    half = round(size_m * 500)
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    lines = [(*a, *b) for a, b in zip(corners, corners[1:] + corners[:1])] + [(1000, 0, 1000, 500)] * post
    head = HEAD.format(low=-half, high=half, count=len(lines))
    return head + "LINES\n" + "".join(f"{a} {b} {c} {d}\n" for a, b, c, d in lines) + "DATA\n"


class Start:
    """The start page of ``understudy mobilesim`` in a browser, and what comes after it."""

    def __init__(self, chromium, folder):
        self.chromium, self.js, self.driver = chromium, chromium.js, chromium.driver
        self.command = Command("mobilesim", folder=folder)
        self.chromium.driver.get(self.command.url)
        until(
            lambda: "number of" in self.text() and self.js("return document.querySelector('input[type=file]')"),
            60,
        )
        self._watcher = None

    def text(self):
        return self.js("return document.body.innerText")

    def field(self, label):
        found = f'input[aria-label="{label}"]'
        return until(lambda: self.driver.find_elements("css selector", found), 10, f"the field {label}")[0]

    def choose(self, label, words):
        """Open a list, type a part of what is wanted, and choose the first that is offered."""
        self.type(label, words)
        until(lambda: self.offers(words), 10, f"{words} among what is offered")
        self.js(
            "[...document.querySelectorAll('.q-menu .q-item')].find((e) => e.innerText.includes(arguments[0])).click()",
            words,
        )

    def offers(self, words):
        """Return what an open list has with these words."""
        shown = self.js("return [...document.querySelectorAll('.q-menu .q-item')].map((e) => e.innerText)")
        return [text for text in shown if words in text]

    def type(self, label, *words):
        field = self.field(label)
        field.click()
        field.send_keys("\ue009a\ue000\ue003", *words)  # all of it, away; then the words

    def press(self, words):
        script = "return [...document.querySelectorAll('button')].find((b) => b.innerText.includes(arguments[0]))"

        def is_pressed():
            with contextlib.suppress(WebDriverException):  # a dialog that fades in takes no mouse yet
                self.js(script, words).click()
                return True

        until(lambda: self.js(script, words) and is_pressed(), 10, f"a button {words}")

    def upload(self, path):
        self.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
        until(lambda: path.name in self.said_map(), 10, "the upload")

    def said_map(self):
        return self.js("return [...document.querySelectorAll('.q-card')][0].innerText")

    def begin(self):
        """Press Start and wait until the simulation is shown."""
        self.press("Start")
        until(lambda: self.js("return window.__us?.world.frame?.seq > 0"), 60, "the simulation")
        return self.watcher

    @property
    def watcher(self):
        self._watcher = self._watcher or Watcher(self.command.url)
        return self._watcher

    def client(self):
        """Return a program that is connected to the first robot, once it is open."""
        said = until(
            lambda: re.search(r"listens on tcp://127\.0\.0\.1:(\d+)", "".join(self.command.said)), 20, "a port"
        )
        return AriaClient("127.0.0.1", int(said[1]), gated=False).connect()

    def close(self):
        if self._watcher:
            self._watcher.close()
        self.command.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("maps")
    (made / "hall.map").write_text(square(10.0))
    (made / "cell.map").write_text(square(4.0))
    return made


@pytest.fixture
def start(plain, folder):
    home = plain.driver.current_url
    made = Start(plain, folder)
    yield made
    made.close()
    plain.open(home)


@pytest.fixture(scope="module")
def hall(plain, folder):
    """A simulation that was started with a map and a model out of the lists, and a program that is connected."""
    home = plain.driver.current_url
    made = Start(plain, folder)
    made.complaints = [line for what in ("names", "sizes", "contrast", "tooltips") for line in audit(made, what)]
    made.choose("choose a map", "hall.map")
    until(lambda: "hall.map" in made.said_map().splitlines()[1], 10, "the map")
    made.choose("model", "p3at-sh")
    made.begin()
    made.program = made.client()
    yield made
    with contextlib.suppress(OSError):
        made.program.vanish()
    made.close()
    plain.open(home)


def width(watcher):
    ax, _, bx, _ = watcher.scene["bounds"]
    return bx - ax


def map_changes(program, cycles=600):
    """Return the words of the next MAP_CHANGED: whether a user wanted it, whether it was loaded, and the file."""
    for _ in range(cycles):
        found = [body for body in program.packets if body[0] == MAP_CHANGED]
        program.packets.clear()
        if found:
            return found
        program.cycle()
    raise AssertionError(f"no MAP_CHANGED within {cycles} cycles")


def test_the_start_page_can_be_read_and_used_by_everybody(hall):
    assert hall.complaints == []


def test_map_and_model_of_the_lists_are_what_runs(hall):
    assert width(hall.watcher) == pytest.approx(10.0)
    assert [body["model"] for body in hall.watcher.scene["bodies"]] == ["p3at-sh"]
    assert hall.program.subtype == "p3at-sh"
    until(lambda: hall.watcher.time_s > 0.2, why="time to pass")


def test_another_map_is_loaded_and_the_program_hears_that_a_user_did_it(hall):
    Page(hall.chromium, hall.watcher).press("Load another map")
    hall.choose("choose a map", "cell.map")
    until(lambda: width(hall.watcher) == pytest.approx(4.0), 10, "the other map")
    (body,) = map_changes(hall.program)
    assert body[1] == 1
    assert b"cell.map" in body


def test_a_map_that_has_changed_is_read_again_and_the_program_hears_of_it(hall, folder):
    pieces = len(hall.watcher.scene["walls"][0]["pieces"])
    (folder / "cell.map").write_text(square(4.0, post=True))
    until(lambda: hall.js("return document.querySelector('.q-dialog') === null"), 10, "the last dialog to close")
    Page(hall.chromium, hall.watcher).press("Load another map")
    hall.press("Reload cell.map")
    until(lambda: len(hall.watcher.scene["walls"][0]["pieces"]) > pieces, 10, "the post")
    (body,) = map_changes(hall.program)
    assert body[1] == 1


def test_an_uploaded_map_and_a_typed_model_run_after_a_typing_error(start, tmp_path):
    (tmp_path / "mine.map").write_text(square(7.0))
    start.upload(tmp_path / "mine.map")
    start.type("model", "p3dxx")
    start.press("Start")
    until(lambda: "no such robot 'p3dxx'" in start.text(), 10, "a complaint")
    start.type("model", "amigo", "\ue007")
    watcher = start.begin()
    assert width(watcher) == pytest.approx(7.0)
    assert [body["model"] for body in watcher.scene["bodies"]] == ["amigo"]


def test_no_map_is_an_empty_world(start):
    start.choose("choose a map", "hall.map")
    start.press("No map")
    until(lambda: "an empty world" in start.said_map(), 10, "no map")
    watcher = start.begin()
    assert (watcher.scene["walls"], len(watcher.scene["bodies"])) == ([], 1)


def test_maps_that_come_with_the_program_are_offered(start):
    start.choose("choose a map", "floor.map")
    until(lambda: "floor.map" in start.said_map(), 10, "the map")
