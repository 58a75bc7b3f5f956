"""Walls in a real browser, drawn, picked and dragged by the mouse, on the map and in 3D."""

import pytest
from studio_browser import Studio, browsing, until

pytestmark = pytest.mark.browser

SCENE = """
schema = 1
name = "a site"
ground = {size_m = [8, 6], walled = true}
wall = [
    {name = "partition", points_m = [[1, -1], [1, 1]], height_m = 0.8},
    {name = "other", points_m = [[-2.13, 2.07], [0.0, 2.2]], height_m = 0.8},
]
object = [{name = "crate", kind = "box", size_m = [0.5, 0.5, 0.4], x_m = 2.0, y_m = -2.0}]
[[robot]]
model = "scout"
name = "scout"
x_m = -2.5
"""


@pytest.fixture(scope="module")
def opened():
    with browsing(Studio(scene=SCENE)) as page:
        yield page


@pytest.fixture(params=["2d", "3d"])
def site(opened, request):
    """The whole site, paused, as nobody has edited it; on a map or in 3D."""
    opened.watcher.begin()
    opened.watcher.do("pause")
    kind = request.param
    swap = f"if (__us.stage.list[0].kind !== '{kind}') __us.stage.press(0, 'swap')"
    opened.wait_for(swap, f"__us.world.frame?.epoch === {opened.watcher.scene['epoch']}")
    look = "__us.stage.press(0, 'all'); __us.stage.set('gridStep', 0.5); __us.stage.setTool('')"
    opened.wait_for(look, "__us.stage.list[0].map || __us.stage.view3d.room?.pieces.every((p) => p.cut === p.wanted)")
    return opened


def wall(page, name="partition"):
    found = [each for each in page.watcher.scene["walls"] if each["name"] == name]
    return [tuple(point) for point in found[0]["points"]] if found else None


def on_wall(page, x, y, z=0.3):
    """Return where a place of a wall's face is on the page (pixels)."""
    found = page.js(
        """
        const pane = __us.stage.list[0], box = pane.element.getBoundingClientRect();
        const at = pane.point(...arguments, box.width, box.height);
        return [box.left + at[0], box.top + at[1]];
        """,
        x,
        y,
        z,
    )
    return round(found[0]), round(found[1])


def pick(page, name="partition"):
    """Click a wall, at its middle."""
    (ax, ay), (bx, by) = wall(page, name)
    at = on_wall(page, (ax + bx) / 2, (ay + by) / 2)
    page.drag(at, at)
    until(lambda: page.us("world.selected") == name, why=f"{name} to be selected")
    page.drawn()


def becomes(page, *points, name="partition"):
    until(lambda: near(wall(page, name), points), why=f"{name} at {points}")


def near(found, wanted):
    return found is not None and all(a == pytest.approx(b) for a, b in zip(found, wanted, strict=True))


def label(page):
    return page.js("return document.querySelector('[aria-label^=\"Undo\"]')?.ariaLabel ?? ''")


def test_a_selected_wall_is_dragged_as_a_whole_and_stands_on_lines_of_the_grid(site):
    pick(site)
    site.drag(on_wall(site, 1.0, 0.4), on_wall(site, -0.48, 0.43))
    becomes(site, (-0.5, -1.0), (-0.5, 1.0))
    until(lambda: "move partition" in label(site), why="the label of undo")
    site.focus()
    site.keys(down="CONTROL z", up="z CONTROL")
    becomes(site, (1.0, -1.0), (1.0, 1.0))
    until(lambda: "move partition" not in label(site), why="the label of undo to follow")


@pytest.mark.parametrize(("end", "fixed"), [(0, (1.0, 1.0)), (1, (1.0, -1.0))])
def test_each_end_of_a_wall_is_dragged_by_its_handle(site, end, fixed):
    pick(site)
    here = wall(site)[end]
    site.drag(site.point(*here), site.point(2.02, here[1] / 2 + 0.02))
    moved = (2.0, here[1] / 2)
    becomes(site, *([moved, fixed] if end == 0 else [fixed, moved]))
    until(lambda: "end of partition" in label(site), why="the label of undo")


def test_an_end_snaps_to_the_end_of_another_wall(site):
    pick(site)
    x, y = site.point(-2.13, 2.07)
    site.drag(site.point(1.0, 1.0), (x + 4, y - 3))
    becomes(site, (1.0, -1.0), (-2.13, 2.07))


def test_a_whole_wall_snaps_with_either_end_to_another_wall(site):
    pick(site)
    site.drag(on_wall(site, 1.0, 0.5), on_wall(site, 0.02, 1.71))
    becomes(site, (0.0, 0.2), (0.0, 2.2))


def test_between_lines_of_the_grid_a_wall_goes_in_small_steps(site):
    pick(site)
    site.js("__us.stage.set('gridStep', 5)")  # the next line is far
    site.drag(site.point(1.0, 1.0), site.point(1.74, 1.52))
    becomes(site, (1.0, -1.0), (1.75, 1.5))


def test_escape_puts_a_wall_back_that_is_being_dragged(site):
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    pick(site)
    actions = ActionBuilder(site.driver, duration=20)
    actions.pointer_action.move_to_location(*on_wall(site, 1.0, 0.4)).pointer_down()
    actions.pointer_action.move_to_location(*on_wall(site, 0.0, 0.4))
    actions.perform()
    assert site.us("stage.moved?.by[0]") == pytest.approx(-1.0)
    site.type("ESCAPE")
    assert site.us("stage.moved") is None
    site.chromium.release()
    site.watcher.do("add", what="cone", x=3.0, y=2.0)  # a later edit: the wall has not been moved before it
    until(lambda: "cone-1" in site.watcher.names(), why="a cone")
    assert wall(site) == [(1.0, -1.0), (1.0, 1.0)]
    assert site.watcher.texts_of("held")[-1]["names"] == []


def test_a_wall_that_is_not_selected_is_not_moved_by_looking_around(site):
    site.select("scout")
    site.drag(on_wall(site, 1.0, 0.4), on_wall(site, 0.0, 0.4))
    site.drawn()
    assert site.us("stage.moved") is None
    assert site.us("world.selected") == "scout"
    assert wall(site) == [(1.0, -1.0), (1.0, 1.0)]


def test_delete_removes_the_selected_wall_and_undo_brings_it_back(site):
    pick(site)
    site.type("DELETE")
    until(lambda: wall(site) is None, why="no partition")
    until(lambda: "remove partition" in label(site), why="the label of undo")
    site.press("Undo")
    becomes(site, (1.0, -1.0), (1.0, 1.0))


def test_shift_keeps_an_end_level_with_the_other(site):
    from selenium.webdriver.common.keys import Keys

    pick(site)
    site.drag(site.point(1.0, 1.0), site.point(2.52, -0.6), keys=[Keys.SHIFT])
    becomes(site, (1.0, -1.0), (2.5, -1.0))


def test_the_second_click_of_a_new_wall_snaps_to_a_wall_that_is_there(site):
    site.js("__us.stage.setTool('wall')")
    x, y = site.point(1.0, 1.0)
    for at in (site.point(3.02, 1.02), (x + 3, y + 3)):
        site.drag(at, at)
    until(lambda: wall(site, "wall-1"), why="a wall")
    becomes(site, (3.0, 1.0), (1.0, 1.0), name="wall-1")
    until(lambda: site.us("world.selected") == "wall-1", why="its selection")
