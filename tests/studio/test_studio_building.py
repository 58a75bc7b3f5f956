"""Building a scene in a real browser and keeping it: add, draw, pick, type, undo, save, open."""

import pytest
from studio_browser import Studio, browsing, until

import understudy as us

pytestmark = pytest.mark.browser

SCENE = """
schema = 1
name = "a site"
ground = {size_m = [8, 6], walled = true}
wall = [{name = "partition", points_m = [[1, -1], [1, 1]], height_m = 0.8}]
object = [{name = "crate", kind = "box", size_m = [0.5, 0.5, 0.4], x_m = -1.0}]
[[robot]]
model = "scout"
name = "scout"
x_m = -2.5
"""


@pytest.fixture(scope="module")
def site():
    studio = Studio(scene=SCENE)
    with browsing(studio) as page:
        page.file = studio.scene
        page.watcher.do("pause")
        page.js("__us.stage.press(0, 'swap')")  # a map shows the whole room
        page.drawn()
        yield page


def pick(page, text, inside=".q-menu .q-item"):
    """Click what has this text, as soon as it is there."""
    found = (
        "return [...document.querySelectorAll(arguments[0])].filter((e) => e.innerText.trim().startsWith(arguments[1]))"
    )
    until(lambda: page.js(f"{found}.length", inside, text), why=text)
    page.js(f"{found.removeprefix('return ')}[0].click()", inside, text)


def menu(page, text):
    page.js("document.querySelector('[aria-label^=\"File\"]').click()")  # wherever it is while the page is laid out
    pick(page, text)


def field(page, label):
    return page.driver.find_element("css selector", f'input[aria-label^="{label}"]')


def retype(element, text):
    from selenium.webdriver.common.keys import Keys

    element.send_keys(Keys.CONTROL, "a")
    element.send_keys(text + Keys.ENTER)


def shows(page, label, value):
    return page.js("return document.querySelector(`input[aria-label^='${arguments[0]}']`)?.value", label) == value


def test_what_was_just_added_is_selected(site):
    site.js("__us.stage.setTool('box')")
    at = site.point(0.0, -2.0)
    site.drag(at, at)
    until(lambda: site.us("world.selected") == "box-1", why="the box to be selected")
    until(lambda: shows(site, "length of box-1", "0.5"), why="its size")


def test_a_typed_size_colour_and_pose_is_taken(site):
    site.select("crate")
    until(lambda: shows(site, "x of crate", "-1"), why="the form")
    retype(field(site, "length of crate"), "1.5")
    until(lambda: site.watcher.scene["fixed"][0]["shape"]["size"][0] == 1.5, why="the size")
    retype(field(site, "x of crate"), "-0.5")
    until(lambda: site.watcher.place("crate")[0] == pytest.approx(-0.5), why="the pose")
    assert site.us("world.selected") == "crate"


def test_the_label_of_undo_follows(site):
    label = "return document.querySelector('[aria-label^=\"Undo\"]')?.ariaLabel ?? ''"
    until(lambda: "x of crate" in site.js(label), why="the label")
    site.press("Undo")
    until(lambda: "length of crate" in site.js(label), why="the next label")
    until(lambda: site.watcher.place("crate")[0] == pytest.approx(-1.0), why="the old place")


def test_a_wall_is_drawn_by_two_clicks_and_picked_by_one(site):
    site.js("__us.stage.setTool('wall')")
    for x in (-3.0, -1.5):
        at = site.point(x, 2.0)
        site.drag(at, at)
    until(lambda: any(wall["name"] == "wall-1" for wall in site.watcher.scene["walls"]), why="a wall")
    until(lambda: shows(site, "to x of wall-1", "-1.5"), why="its end")
    at = site.point(1.0, 0.0)
    site.drag(at, at)
    until(lambda: site.us("world.selected") == "partition", why="the partition")


def test_a_wall_is_picked_in_3d_too(site):
    site.js("__us.stage.press(0, 'swap'); __us.stage.select(''); __us.stage.press(0, 'all')")
    site.drawn()
    found = """
        const pane = __us.stage.list[0], box = pane.element.getBoundingClientRect();
        const at = pane.point(1, 0.3, 0.8, box.width, box.height);
        return pane.wallAt(at[0] / box.width, at[1] / box.height)?.name
    """
    until(lambda: site.js(found) == "partition", why="the partition")
    site.js("__us.stage.press(0, 'swap')")


def test_the_middle_button_zooms_a_map(site):
    site.drawn()
    wide = "return __us.stage.list[0].point(1, 0, 0, 1, 1)[0] - __us.stage.list[0].point(-1, 0, 0, 1, 1)[0]"
    before = site.js(wide)
    at = site.point(0.0, 0.0)
    site.drag(at, (at[0], at[1] - 60), button=1)
    until(lambda: site.js(wide) > 1.2 * before, why="a nearer map")
    site.js("__us.stage.press(0, 'initial')")


def test_ctrl_s_saves_the_scene_with_its_comments(site):
    until(lambda: "•" in site.js("return document.querySelector('.us-title').innerText"), why="a mark of changes")
    site.keys(down="CONTROL s", up="s CONTROL")
    until(lambda: "•" not in site.js("return document.querySelector('.us-title').innerText"), why="no mark of changes")
    saved = us.load(site.file).start
    assert {"wall-1", "box-1"} <= {thing.name for thing in saved.things()}
    assert 'name = "partition", points_m = [[1, -1], [1, 1]]' in site.file.read_text()


def test_save_as_asks_for_a_name_and_does_not_take_a_path(site):
    menu(site, "Save as")
    until(lambda: site.js("return document.querySelectorAll('.q-dialog input').length"), why="a field")
    retype(site.driver.find_element("css selector", ".q-dialog input"), "../elsewhere")
    until(lambda: "plain file name" in site.js("return document.querySelector('.q-dialog').innerText"), why="a refusal")
    retype(site.driver.find_element("css selector", ".q-dialog input"), "another")
    until(lambda: site.file.with_name("another.toml").is_file(), why="the file")
    until(lambda: site.js("return document.querySelector('.us-title').innerText") == "another", why="the title")


def no_dialog(page):
    until(lambda: not page.js("return document.querySelectorAll('.q-dialog').length"), why="no dialog")


@pytest.mark.parametrize("button", ["Save a sequence", "Load another map"])
def test_dialogs_can_be_cancelled(site, button):
    no_dialog(site)
    site.press(button)
    pick(site, "Cancel", ".q-dialog button")
    no_dialog(site)


def test_changes_are_asked_about_before_another_scene_is_opened(site):
    site.watcher.do("add", what="ball", x=2.0, y=2.0)
    until(lambda: "•" in site.js("return document.querySelector('.us-title').innerText"), why="a mark of changes")
    menu(site, "New")
    pick(site, "Cancel", ".q-dialog button")
    no_dialog(site)
    assert "scout" in site.watcher.names()
    menu(site, "New")
    site.js("window.old = true")
    pick(site, "Discard", ".q-dialog button")
    anew = "return !window.old && window.__us?.stream?.drawn > 1 && __us.world.scene.bodies.length === 0"
    until(lambda: site.js(anew), 30, "a room")


def test_a_recent_scene_is_opened_again(site):
    until(lambda: site.js("return document.querySelector('.us-title')?.innerText") == "untitled", why="the page")
    menu(site, "Open")
    pick(site, "another.toml", ".q-dialog button")
    until(lambda: site.js("return window.__us?.world.scene?.bodies[0]?.name === 'scout'"), 30, "the scene")
    until(lambda: site.js("return document.querySelector('.us-title')?.innerText") == "another", why="the title")
