"""The picture in the middle of the studio, in a real browser: what is seen first, cameras, trails, walls in the way."""

from pathlib import Path

import numpy as np
import pytest
from studio_browser import Chromium, Page, Studio, Watcher, browsing, until

pytestmark = pytest.mark.browser

ROBOT_PIXELS = (Path(__file__).parent / "robot_pixels.js").read_text(encoding="utf-8")
EYE = "stage.list[0].eye"


def camera(page):
    return np.array(page.js("return __us.stage.list[0].camera.position.toArray()"))


def distance_to(page, name):
    x, y, _, z = page.us(f"world.place({name!r})")
    return float(np.linalg.norm(camera(page) - [x, y, z]))


def seen(chromium):
    """Return for each robot whether its middle is in the pane and nothing stands before it."""
    return chromium.js("""
        const [pane] = __us.stage.list, box = pane.element.getBoundingClientRect();
        return __us.world.robots.map(({ name, reach }) => {
            const [x, y, , z] = __us.world.place(name), [u, v] = __us.project(name);
            const inside = u > box.left && u < box.right && v > box.top && v < box.bottom;
            return inside && pane.eye.sees(x, y, z + reach);
        });
    """)


# ---- the first ten seconds


@pytest.fixture(scope="module")
def office():
    made = Studio()
    Watcher(made.url).close()
    yield made
    made.close()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_first_frame_shows_every_robot_and_the_selected_one_large(office, size):
    watcher = Watcher(office.url)
    watcher.do("pause")
    until(lambda: watcher.paused, why="a pause")
    watcher.do("reset")
    until(lambda: watcher.paused and watcher.time_s == 0.0, why="the start")
    chromium = Chromium(size=size)
    try:
        chromium.open(office.url)
        until(lambda: all(seen(chromium)), 20, "all robots")  # walls before them need some frames to go
        assert chromium.js(ROBOT_PIXELS) >= 2500
    finally:
        watcher.do("run")
        watcher.close()
        chromium.close()


EXAMPLES = Path(__file__).parents[2] / "examples"
SCENES = sorted(path for kind in ("*.toml", "*.map", "eyesim/*.sim", "eyesim/*.maz") for path in EXAMPLES.glob(kind))


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.name)
def test_the_selected_robot_is_large_in_every_example(scene):
    with browsing(Studio(str(scene), "--trust")) as page:
        assert page.js(ROBOT_PIXELS) >= 2500


def test_a_line_tells_how_to_drive_until_the_first_key(office):
    watcher, chromium = Watcher(office.url), Chromium()
    try:
        page = Page(chromium.open(office.url), watcher)
        hint = page.driver.find_element("css selector", ".us-hint")
        assert "drive pioneer" in hint.text.replace("\xa0", " ")
        before = watcher.place("pioneer")
        page.keys(down="ARROW_LEFT")  # no click before: the view has the focus
        until(lambda: abs(watcher.place("pioneer")[2] - before[2]) > 0.05, why="the robot to turn")
        page.keys(up="ARROW_LEFT")
        assert not page.driver.find_elements("css selector", ".us-hint")
    finally:
        watcher.close()
        chromium.close()


def test_without_a_graphics_card_every_pixel_is_drawn_once(page):
    assert page.us("stage.quality.software")
    assert not page.us("stage.quality.antialias")
    assert page.us("stage.quality.ratio") == 1


PICTURES = "stage.view3d.renderer.info.render.frame"  # drawn so far


def pictures_in(page, frames):
    """Return how many pictures are drawn while the browser asks for so many."""
    return page.driver.execute_async_script(
        f"""
        const done = arguments[1], before = __us.{PICTURES};
        const wait = (left) => (left ? requestAnimationFrame(() => wait(left - 1)) : done(__us.{PICTURES} - before));
        wait(arguments[0]);
        """,
        frames,
    )


def test_a_picture_that_would_be_the_same_is_not_drawn_again(page):
    page.watcher.do("pause")
    until(lambda: page.watcher.paused, why="a pause")
    until(lambda: pictures_in(page, 20) == 0, why="a still picture")


@pytest.mark.parametrize(
    "change",
    ["__us.stage.list[0].eye.shift(1, 0, 0)", "__us.stage.select('')", "__us.stage.set('grid', false)"],
)
def test_a_still_picture_is_drawn_again_when_something_in_it_changes(page, change):
    page.watcher.do("pause")
    until(lambda: page.watcher.paused, why="a pause")
    until(lambda: pictures_in(page, 20) == 0, why="a still picture")
    before = page.us(PICTURES)
    page.js(change)
    until(lambda: page.us(PICTURES) > before, why="another picture")


def test_a_still_picture_comes_back_after_the_graphics_driver_was_reset(page):
    page.watcher.do("pause")
    until(lambda: page.watcher.paused, why="a pause")
    until(lambda: pictures_in(page, 20) == 0, why="a still picture")
    before = page.stage_pixels().astype(int)
    page.driver.execute_async_script("""
        const done = arguments[0], { renderer } = __us.stage.view3d;
        const once = (event, then) => renderer.domElement.addEventListener(event, then, { once: true });
        once("webglcontextlost", () => setTimeout(() => renderer.forceContextRestore()));
        once("webglcontextrestored", () => requestAnimationFrame(() => requestAnimationFrame(done)));
        renderer.forceContextLoss();
    """)
    until(lambda: np.mean(np.abs(page.stage_pixels() - before)) < 1.0, why="the same picture")


def test_software_draws_twenty_pioneers_with_few_triangles_and_three_with_all():
    row = '[[robot]]\nmodel = "p3dx"\nname = "r{0}"\nx_m = {1}\ny_m = {2}\n'
    found = {}
    for count in (3, 20):
        rows = (row.format(n, n % 5 - 2, n // 5 - 2) for n in range(count))
        scene = "schema = 1\nseed = 1\nground = {size_m = [8, 8], walled = true}\n" + "".join(rows)
        with browsing(Studio(scene=scene)) as page:
            found[count] = page.js("""
                const [{ levels }] = __us.stage.view3d.bodies.crowds;
                const meshes = levels.filter((level) => level.instances).map((level) => level.instances.mesh);
                return meshes.reduce((sum, { count, geometry }) => sum + count * geometry.index.count / 3, 0);
            """)
    assert found[20] < 20 * 1300
    assert found[3] > 3 * 2000


# ---- walls in the way


def behind_a_wall(page):
    """Look at the pioneer from outside the room, low over the floor."""
    page.js("""
        const { eye } = __us.stage.list[0];
        eye.lead("orbit");
        const Vector3 = eye.camera.position.constructor;
        eye.place(new Vector3(-8, 0, 1.0), new Vector3(-2, 0, 0.1));
    """)


def test_a_wall_before_the_selected_robot_is_cut_away_and_comes_back(page):
    behind_a_wall(page)
    wall = "window.__us.stage.view3d.room.pieces.filter((piece) => piece.wall && piece.cut > 0.9).length"
    until(lambda: page.js(f"return {wall}") == 1, why="the wall to sink")
    page.js('__us.stage.press(0, "top")')
    until(lambda: page.js(f"return {wall}") == 0, why="the wall to rise")


def test_a_name_is_not_written_on_a_wall_that_hides_its_robot(page):
    behind_a_wall(page)
    sees = "__us.stage.list[0].eye.sees(0, 1, 0.1)"
    page.wait_for('__us.stage.select("pioneer")', sees)  # the wall is cut away
    assert not page.js(f"for (const piece of __us.stage.view3d.room.pieces) piece.cut = 0; return {sees}")


# ---- cameras


def test_presets_look_at_the_selected_robot_or_else_at_the_scene(page):
    page.select("scout")
    page.js('__us.stage.press(0, "front")')
    x, y, heading = page.watcher.place("scout")
    eye = camera(page)[:2] - [x, y]
    assert np.cos(np.arctan2(eye[1], eye[0]) - heading) > 0.99
    near = distance_to(page, "scout")
    page.select("")
    page.js('__us.stage.press(0, "front")')
    assert distance_to(page, "scout") > 2 * near


def test_follow_is_in_proportion_to_the_robot_and_goes_along(page):
    page.js('__us.stage.press(0, "follow")')
    page.drawn()
    reach = page.us("world.thing('pioneer').reach")
    assert distance_to(page, "pioneer") == pytest.approx(11 * reach, rel=0.15)
    page.select("scout")
    page.drawn()
    until(lambda: abs(distance_to(page, "scout") - 11 * page.us("world.thing('scout').reach")) < 0.5, why="the scout")


def test_ride_sits_at_the_scanner_without_the_robot_itself(page):
    page.js('__us.stage.press(0, "ride")')
    page.drawn()
    mount = page.us("world.thing('pioneer').devices.find((device) => device.kind === 'laser').mount")
    x, y, heading = page.watcher.place("pioneer")
    wanted = [x + mount[0] * np.cos(heading), y + mount[0] * np.sin(heading), mount[2]]
    assert camera(page) == pytest.approx(wanted, abs=0.02)
    assert page.us(f"{EYE}.hidden") == page.us("world.slots.get('pioneer')")


def test_a_camera_survives_a_reload(page):
    page.select("scout")
    page.js('__us.stage.press(0, "left")')
    before = camera(page)
    page.driver.refresh()
    until(lambda: page.js("return window.__us?.stage.greeted"), 30, "the page")
    assert camera(page) == pytest.approx(before, abs=1e-6)
    assert page.us("world.selected") == "scout"


@pytest.mark.parametrize(
    ("key", "axis", "way"),
    [
        ("ARROW_UP", 0, 1),
        ("ARROW_DOWN", 0, -1),
        ("ARROW_LEFT", 1, 1),
        ("ARROW_RIGHT", 1, -1),
        ("F1", 2, -1),
        ("F2", 2, 1),
    ],
)
def test_lurobotsims_keys_move_the_camera_along_the_axes(page, key, axis, way):
    page.js('__us.stage.choose("lurobotsim")')
    page.focus()
    before = camera(page)
    page.type(key)
    moved = camera(page) - before
    assert np.argmax(np.abs(moved)) == axis
    assert np.sign(moved[axis]) == way


def test_lurobotsims_f3_and_f4_turn_the_camera_and_letters_view_the_robot(page):
    page.js('__us.stage.choose("lurobotsim")')
    page.focus()
    heading = """
        const { eye } = __us.stage.list[0], way = eye.controls.target.clone().sub(eye.camera.position);
        return Math.atan2(way.y, way.x);
    """
    before = page.js(heading)
    page.type("F3")
    assert page.js(heading) < before
    page.type("F4", "F4")
    assert page.js(heading) > before
    x, y, _ = page.watcher.place("pioneer")
    for key, way in {"f": (1, 0), "b": (-1, 0), "s": (0, -1)}.items():  # it looks along x
        page.type(key)
        eye = camera(page)[:2] - [x, y]
        assert eye @ way > 0.9 * np.linalg.norm(eye)


def test_sears_camera_follows_at_the_start_and_space_changes_to_flying(page):
    page.js('__us.stage.choose("sear")')
    assert page.us(f"{EYE}.mode") == "follow"
    page.focus()
    page.type("SPACE")
    assert page.us(f"{EYE}.mode") == "fly"
    page.type("SPACE")
    assert page.us(f"{EYE}.mode") == "follow"


# ---- trails


def drive_a_little(page):
    page.focus()
    page.keys(down="ARROW_UP")
    until(lambda: page.us("world.trails.count") > 8, why="a trail")
    page.keys(up="ARROW_UP")
    until(lambda: not page.watcher.moves("pioneer"), why="the robot to stop")


def points(page):
    return page.us("world.trails.strokes('pioneer').flatMap((stroke) => [...stroke.points])")


def test_trails_are_the_same_in_every_browser_and_after_a_reload(page, plain):
    drive_a_little(page)
    until(lambda: len(points(page)) > 20)
    mine = points(page)
    other = Page(plain, page.watcher)
    until(lambda: points(other) == mine, why="the same trail in the other browser")
    page.driver.refresh()
    until(lambda: page.js("return window.__us?.stage.greeted"), 30, "the page")
    until(lambda: points(page) == mine, why="the trail after the reload")


def test_trails_are_cleared_for_everybody(page, plain):
    drive_a_little(page)
    page.watcher.do("clear_trails")
    until(lambda: page.us("world.trails.count") <= 2, why="no trail")
    until(lambda: Page(plain, page.watcher).us("world.trails.count") <= 2, why="no trail in the other browser")


def test_a_trail_can_be_shortened(page):
    drive_a_little(page)
    page.js('__us.stage.set("trailLength", 0.1)')
    strokes = page.us("world.trails.strokes('pioneer', 0.1).flatMap((stroke) => [...stroke.points])")
    assert 0 < len(strokes) < len(points(page))
    page.js('__us.stage.set("trailLength", 0)')


# ---- and


def test_the_grid_has_the_chosen_step(page):
    page.js('__us.stage.set("gridStep", 0.1)')
    until(lambda: page.us("stage.view3d.gridded") == 0.1, why="a fine grid")
    page.js('__us.stage.set("gridStep", 0)')
    until(lambda: page.us("stage.view3d.gridded") == 0.5, why="the usual grid")


def test_large_type_for_projectors(page):
    size = "return parseFloat(getComputedStyle(document.querySelector('.us-clock')).fontSize)"
    before = page.js(size)
    page.js('__us.stage.set("large", true)')
    assert page.js(size) > 1.3 * before
    page.js('__us.stage.set("large", false)')
    assert page.js(size) == before


LOSSY = """
schema = 1
ground = {size_m = [6, 6], walled = true}
[[robot]]
name = "pioneer"
model = "p3dx"
device.front.noise = {lost = 0.2}
"""


def test_a_lost_return_is_explained_and_not_drawn_through_walls():
    with browsing(Studio(scene=LOSSY)) as page:
        rays = """
            const found = {lost: 0, longest: 0};
            __us.world.beams((beam, s, w, length, width, echo, row, lost) => {
                if (beam.sensor === "laser") { found.lost += lost; found.longest = Math.max(found.longest, length); }
            });
            return found;
        """
        until(lambda: page.js(rays)["lost"] > 10, why="lost returns")
        assert page.js(rays)["longest"] < 5.0  # the room's diagonal from its middle, not the scanner's 32 m
        page.js("""
            const pen = CanvasRenderingContext2D.prototype, fill = pen.fillText;
            window.written = new Set();
            __us.world.lostAt = null; // it is explained once
            pen.fillText = function (text, ...more) { written.add(text); return fill.call(this, text, ...more); };
        """)
        until(lambda: any("echo that was lost" in text for text in page.js("return [...written]")), why="a note")


def test_the_buttons_of_a_view_can_be_clicked(page):
    page.press("follow the selected robot")
    until(lambda: page.us(f"{EYE}.mode") == "follow", why="the camera to follow")
    page.press("switch to the 2D map")
    until(lambda: page.us("stage.list[0].kind") == "2d", why="the map")
