"""The studio on a tablet: fingers on the views, a pad to drive with, and targets that a finger can hit."""

import math

import pytest
from studio_browser import until
from test_studio_access import AUDIT, audit

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def upright(chromium, studio):
    """The page as it opens on a tablet that is held upright."""
    chromium.resize(820, 1180, touch=True)
    chromium.open(studio.url)
    until(lambda: chromium.js("return matchMedia('(pointer: coarse)').matches && innerWidth === 820"), why="a tablet")
    yield
    chromium.resize(1100, 720)
    chromium.open(studio.url)


@pytest.fixture
def tablet(upright, page):
    """Fingers on the page, which shows no beams: they take time to draw."""
    page.wait_for('__us.stage.set("beams", "none"); __us.stage.select("scout")', "true")
    return Fingers(page)


class Fingers:
    """What fingers do on a page, by the browser's own touch events."""

    def __init__(self, page):
        self.page = page

    def say(self, kind, *points):
        """Tell where all fingers are now."""
        touches = [{"x": round(x), "y": round(y), "id": n} for n, (x, y) in enumerate(points)]
        self.page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def move(self, *ways):
        """Put one finger after the other down, move all of them to their ends, and lift them."""
        for count in range(1, len(ways) + 1):
            self.say("touchStart", *(start for start, _ in ways[:count]))
        for part in (0.25, 0.5, 0.75, 1.0):
            self.say("touchMove", *(between(start, end, part) for start, end in ways))
        self.say("touchEnd")
        self.page.wait_for("", "true")

    def pinch(self, middle, before, after, shift=(0, 0)):
        """Spread or close two fingers about a point, and shift that point."""
        (x, y), (dx, dy) = middle, shift
        self.move(*(((x + side * before, y), (x + dx + side * after, y + dy)) for side in (-1, 1)))

    def middle(self):
        box = self.page.js("return document.querySelector('.us-pane').getBoundingClientRect()")
        return box["left"] + box["width"] / 2, box["top"] + box["height"] / 2


def between(start, end, part):
    return tuple(a + part * (b - a) for a, b in zip(start, end))


def on_map(tablet):
    tablet.page.wait_for('__us.stage.press(0, "swap")', "__us.stage.list[0].map?.scale > 0")
    return tablet.page.us("stage.list[0].map.scale")


def eye(tablet):
    """Return where the camera is and what it looks at."""
    found = tablet.page.js(
        "const e = __us.stage.list[0].eye; return [e.camera.position.toArray(), e.controls.target.toArray()]"
    )
    return found[0], found[1]


def free(tablet):
    """Return a place of the page with nothing but floor."""
    return tablet.page.point(-1.0, -2.2)


# ---- maps


def test_two_fingers_zoom_a_map_about_their_middle(tablet):
    scale = on_map(tablet)
    middle = tablet.middle()
    under = tablet.page.ground(middle)
    tablet.pinch(middle, 40, 80)
    assert tablet.page.us("stage.list[0].map.scale") == pytest.approx(2 * scale, rel=0.05)
    assert tablet.page.ground(middle) == pytest.approx(under, abs=0.02)


def test_two_fingers_shift_a_map_without_zooming_it(tablet):
    scale = on_map(tablet)
    (x, y), under = tablet.middle(), tablet.page.ground(tablet.middle())
    tablet.pinch((x, y), 50, 50, (60, 40))
    assert tablet.page.us("stage.list[0].map.scale") == pytest.approx(scale, rel=0.01)
    assert tablet.page.ground((x + 60, y + 40)) == pytest.approx(under, abs=0.03)


def test_one_finger_shifts_a_map(tablet):
    on_map(tablet)
    (x, y), under = free(tablet), tablet.page.ground(free(tablet))
    tablet.move(((x, y), (x + 30, y + 20)))
    assert tablet.page.ground((x + 30, y + 20)) == pytest.approx(under, abs=0.03)


# ---- 3D


def test_one_finger_goes_round_the_scene(tablet):
    (before, target), (x, y) = eye(tablet), free(tablet)
    tablet.move(((x, y), (x + 80, y)))
    after, looked_at = eye(tablet)
    assert looked_at == pytest.approx(target, abs=1e-6)
    assert math.dist(after, target) == pytest.approx(math.dist(before, target), rel=1e-6)
    assert math.dist(after, before) > 0.5


def test_two_fingers_come_nearer_to_the_scene(tablet):
    before, target = eye(tablet)
    x, y = free(tablet)
    tablet.pinch((x, y), 30, 60)
    after, looked_at = eye(tablet)
    assert math.dist(after, looked_at) < 0.7 * math.dist(before, target)


def test_two_fingers_shift_the_scene_along_the_floor(tablet):
    before, target = eye(tablet)
    tablet.pinch(free(tablet), 40, 40, (60, 30))
    after, looked_at = eye(tablet)
    assert math.dist(target, looked_at) > 0.3
    assert looked_at[2] == pytest.approx(target[2], abs=1e-3)
    assert math.dist(after, looked_at) == pytest.approx(math.dist(before, target), rel=0.02)


def test_a_finger_that_comes_second_takes_nothing_away(tablet):
    here, robot = free(tablet), tablet.page.at("scout")
    before = tablet.page.watcher.place("scout")
    tablet.move((here, here), (robot, (robot[0] + 60, robot[1])))
    assert tablet.page.watcher.place("scout") == pytest.approx(before, abs=1e-3)


# ---- things


@pytest.mark.parametrize("view", ["3d", "2d"])
def test_a_finger_drags_a_robot(tablet, view):
    if view == "2d":
        on_map(tablet)
    page = tablet.page
    start, before = page.at("scout"), page.watcher.place("scout")
    end = start[0] + 50, start[1] + 30
    (ax, ay), (bx, by) = page.ground(start), page.ground(end)
    tablet.move((start, end))
    wanted = before[0] + bx - ax, before[1] + by - ay
    until(lambda: math.dist(page.watcher.place("scout")[:2], wanted) < 0.02, 5, f"scout at {wanted}")


def test_a_second_finger_turns_the_robot_that_the_first_one_holds(tablet):
    on_map(tablet)
    page = tablet.page
    (x, y), before = page.at("scout"), page.watcher.place("scout")
    tablet.move(((x, y), (x, y)), ((x + 80, y), (x, y - 80)))  # a quarter turn to the left
    until(lambda: abs(page.watcher.place("scout")[2] - before[2] - math.pi / 2) < 0.05, 5, "a quarter turn")
    assert page.watcher.place("scout")[:2] == pytest.approx(before[:2], abs=0.02)


def test_a_tap_selects(tablet):
    here = tablet.page.at("pioneer")
    tablet.move((here, (here[0] + 3, here[1])))
    until(lambda: tablet.page.us("world.selected") == "pioneer", 5, "the selection")


# ---- the page


def test_a_finger_on_a_view_neither_scrolls_nor_zooms_the_page(tablet):
    tablet.pinch(tablet.middle(), 30, 120, (40, 80))
    assert tablet.page.js("return [visualViewport.scale, scrollX, scrollY, visualViewport.pageTop]") == [1, 0, 0, 0]


def test_the_pad_drives_while_it_is_pulled(tablet):
    page = tablet.page
    box = page.js("return document.querySelector('.us-pad').getBoundingClientRect()")
    x, y, pull = box["left"] + box["width"] / 2, box["top"] + box["height"] / 2, box["height"] / 2 - 4
    before = page.watcher.place("scout")
    tablet.say("touchStart", (x, y))
    tablet.say("touchMove", (x, y - pull))
    until(lambda: page.watcher.place("scout")[0] > before[0] + 0.1, 5, "the robot to drive")
    tablet.say("touchEnd")
    until(lambda: not page.watcher.moves("scout"), 5, "the robot to stop")


def test_everything_is_large_enough_for_a_finger(tablet):
    tablet.page.watcher.do("pause")
    assert tablet.page.js("return getComputedStyle(document.querySelector('.us-pane')).touchAction") == "none"
    assert tablet.page.driver.execute_async_script(AUDIT, "sizes", 40) == []


def test_nothing_covers_the_views_of_a_page_that_was_just_opened(tablet):
    script = "return document.elementFromPoint(...arguments).closest('.us-pane') !== null"
    box = tablet.page.js("return document.querySelector('.us-pane').getBoundingClientRect()")
    for part in (0.1, 0.5, 0.9):
        assert tablet.page.js(script, box["left"] + part * box["width"], box["top"] + box["height"] / 2)


def test_a_tablet_has_room_for_the_views(tablet):
    box = tablet.page.js("return document.querySelector('.us-stage').getBoundingClientRect()")
    assert box["width"] > 700
    assert box["height"] > 600
    assert tablet.page.js("return document.documentElement.scrollWidth <= innerWidth")
    assert audit(tablet.page, "names") == []
