"""The studio in a real browser: the page is looked at, and the simulation's state is read beside it."""

import math
import time

import numpy as np
import pytest
from studio_browser import Chromium, Page, until

pytestmark = pytest.mark.browser

RED, BLUE, GREEN = (204, 51, 17), (0, 119, 187), (34, 170, 34)


def like(pixels, colour):
    """Return how many pixels have about this colour, however bright."""
    ways = pixels / np.maximum(np.linalg.norm(pixels, axis=1, keepdims=True), 1.0)
    wanted = np.array(colour) / np.linalg.norm(colour)
    return int(((ways @ wanted > 0.97) & (pixels.max(axis=1) > 40)).sum())


# ---- the page


def test_a_page_has_no_errors_and_asks_nobody_else(studio, watcher):
    chromium = Chromium(network=True)
    try:
        chromium.open(studio.url)
        asked = [url for url in chromium.requests() if url.startswith(("http", "ws"))]
        assert chromium.errors() == []
        assert len(asked) > 20
        assert {url.split("/")[2] for url in asked} == {watcher.host}
    finally:
        chromium.close()


def test_webgl_is_there_and_three_js_has_what_we_import(page):
    assert page.us("stage.view3d !== null")
    found = page.driver.execute_async_script(
        "const done = arguments[0]; import('/web/three.js').then((m) => done(Object.keys(m).sort()))"
    )
    assert {"OrbitControls", "THREE"} <= set(found)


def test_the_scene_is_drawn_where_it_is(page):
    page.watcher.do("pause")
    until(lambda: page.watcher.paused)
    assert like(page.colours_near("scout"), BLUE) > 60
    assert like(page.colours_near("crate"), GREEN) > 60


# ---- time


def test_frames_keep_coming(page):
    drawn = page.us("stream.drawn")
    until(lambda: page.us("stream.drawn") >= drawn + 15, why="15 frames")


def test_pause_holds_the_time_and_run_lets_it_go(page):
    page.press("Run or pause")
    until(lambda: page.watcher.paused)
    held = page.watcher.time_s
    until(lambda: page.watcher.status["t"] <= held, why="the status of this run")
    page.press("Run or pause")
    until(lambda: page.watcher.time_s > held)


def test_a_step_is_one_tick(page):
    page.press("Run or pause")
    until(lambda: page.watcher.paused)
    before = page.watcher.time_s
    page.press("Step one tick")
    until(lambda: page.watcher.time_s != before)
    assert page.watcher.time_s == pytest.approx(before + 0.005)
    until(lambda: page.us("world.frame.time") == page.watcher.time_s)


def test_reset_begins_again(page):
    until(lambda: page.watcher.time_s > 0.5)
    page.watcher.do("pause")
    page.press("Reset to the start")
    until(lambda: page.watcher.time_s == 0.0)


@pytest.mark.parametrize(("factor", "least", "most"), [("0.1", 0.05, 0.2), ("4", 2.5, 6.0)])
def test_the_speed_is_what_is_chosen(page, factor, least, most):
    page.watcher.do("speed", factor=float(factor))
    until(lambda: page.watcher.status["speed"] == float(factor))
    begun, start = time.monotonic(), page.watcher.time_s
    until(lambda: time.monotonic() > begun + 0.6)
    assert least < (page.watcher.time_s - start) / (time.monotonic() - begun) < most


def test_a_speed_can_be_chosen_from_the_list(page):
    page.click(".us-speed")
    page.wait_for("", "document.querySelectorAll('.q-menu .q-item').length > 5")
    page.js("[...document.querySelectorAll('.q-menu .q-item')].find((item) => item.innerText.trim() === '5 x').click()")
    until(lambda: page.watcher.status["speed"] == 5.0)


# ---- what is drawn


def test_a_robot_is_drawn_where_it_goes(page):
    page.watcher.do("pause")
    before = page.at("scout")
    page.watcher.do("grab", name="scout")
    page.watcher.do("drag", name="scout", x=1.5, y=-1.0)
    page.watcher.do("drop", name="scout")
    until(lambda: math.dist(page.at("scout"), before) > 50)
    assert like(page.colours_near("scout"), BLUE) > 40


@pytest.mark.parametrize("option", ["grid", "names", "beams", "shapes"])
def test_a_switch_changes_the_picture(page, option):
    page.watcher.do("pause")
    until(lambda: page.watcher.paused)
    until(lambda: page.us("world.frame.ranges.length") > 0, why="beams")
    before = page.stage_pixels()
    page.js('const o = __us.stage.options, k = arguments[0]; __us.stage.set(k, k === "beams" ? "none" : !o[k])', option)
    until(lambda: (page.stage_pixels() != before).any(axis=2).sum() > 100, 5, f"{option} to be seen")


def test_trails_show_where_a_robot_has_been(page):
    page.watcher.do("speed", factor=5)
    page.js('__us.stage.set("beams", "none")')
    page.focus()
    page.keys(down="ARROW_UP")
    until(lambda: page.us("world.trails.count") > 10, why="a trail")
    page.keys(up="ARROW_UP")
    page.watcher.do("pause")
    until(lambda: page.watcher.paused)
    before = page.stage_pixels()
    page.js('__us.stage.set("trails", false)')
    until(lambda: (page.stage_pixels() != before).any(axis=2).sum() > 20, 5, "trails to go")


def test_four_views_are_all_drawn_and_all_different(page):
    page.panes(4)
    page.watcher.do("pause")
    page.drawn()
    views = [page.stage_pixels(pane) for pane in range(4)]
    assert all(len(np.unique(view.reshape(-1, 3), axis=0)) > 20 for view in views)
    sums = [int(view.sum()) for view in views]
    assert len(set(sums)) == 4


def test_the_map_shows_robots_in_their_colours(page):
    page.js('__us.stage.press(0, "swap")')
    page.watcher.do("pause")
    page.drawn()
    assert like(page.colours_near("pioneer", 8), RED) > 40


def test_every_preset_sees_the_robots_from_another_side(page):
    seen = set()
    for look in ("top", "front", "back", "left", "right"):
        page.wait_for(f'__us.stage.press(0, "{look}")', "true")
        x, y = page.at("pioneer")
        assert page.js("return document.elementFromPoint(...arguments).closest('.us-pane') !== null", x, y)
        seen.add(tuple(round(side, 1) for side in page.js("return __us.stage.list[0].camera.position.toArray()")))
    assert len(seen) == 5


def test_the_camera_follows(page):
    page.js('__us.stage.press(0, "follow")')
    page.drawn()
    before = page.at("pioneer")
    page.watcher.do("grab", name="pioneer")
    page.watcher.do("drag", name="pioneer", x=-1.0, y=-1.0)
    page.watcher.do("drop", name="pioneer")
    until(lambda: page.js("return __us.world.place('pioneer')[0]") > -1.1)
    page.drawn()
    assert math.dist(page.at("pioneer"), before) < 4


# ---- hands


@pytest.mark.parametrize("view", ["3d", "2d"])
@pytest.mark.parametrize("name", ["pioneer", "desk"])
def test_what_is_dragged_goes_along_with_the_pointer(page, name, view):
    if view == "2d":
        page.js('__us.stage.press(0, "swap")')
        page.drawn()
    start, before = page.at(name), page.watcher.place(name)
    end = start[0] + 60, start[1] + 25
    (ax, ay), (bx, by) = page.ground(start), page.ground(end)
    page.drag(start, end)
    wanted = before[0] + bx - ax, before[1] + by - ay
    until(lambda: math.dist(page.watcher.place(name)[:2], wanted) < 0.02, why=f"{name} at {wanted}")


def test_a_layout_that_is_laid_again_has_one_pair_of_hands(page):
    page.wait_for("__us.stage.lay()", "__us.stage.list[0].eye.looked")
    page.wait_for('__us.stage.press(0, "all")', "true")
    start, before = page.at("desk"), page.watcher.place("desk")
    page.drag(start, (start[0] + 60, start[1] + 25))
    until(lambda: math.dist(page.watcher.place("desk")[:2], before[:2]) > 0.2, why="the desk to move")


def test_a_drag_changes_no_odometry_and_beams_react(page):
    page.watcher.do("select", robot="pioneer")
    page.focus()
    page.keys(down="ARROW_UP")
    until(lambda: page.watcher.place("pioneer")[0] > -1.95)
    page.keys(up="ARROW_UP")
    until(lambda: not page.watcher.moves("pioneer"))
    believed = page.watcher.believed("pioneer")
    ranges = page.js("return Array.from(__us.world.frame.ranges[0].values)")
    start = page.at("pioneer")
    page.drag(start, (start[0] + 80, start[1] + 10))
    until(lambda: page.watcher.place("pioneer")[0] > -1.7)
    assert page.watcher.believed("pioneer") == pytest.approx(believed, abs=1e-3)
    until(lambda: page.js("return Array.from(__us.world.frame.ranges[0].values)") != ranges)


@pytest.mark.parametrize(("button", "keys"), [(2, ()), (0, ("\ue008",))])
def test_the_right_button_or_shift_turns(page, button, keys):
    start, before = page.at("scout"), page.watcher.place("scout")
    end = page.point(before[0] + 1.0, before[1] + 1.0)
    page.drag((start[0] + 4, start[1]), end, button, keys)
    until(lambda: abs(page.watcher.place("scout")[2] - before[2]) > 0.2, why="the robot to turn")
    assert page.watcher.place("scout")[:2] == pytest.approx(before[:2], abs=0.02)


def test_a_drag_is_undone_and_done_again_by_keys(page):
    page.watcher.do("pause")
    start, before = page.at("crate"), page.watcher.place("crate")
    page.drag(start, (start[0] + 60, start[1]))
    until(lambda: any(text["undo"] == "move crate" for text in page.watcher.texts_of("history")), why="the drop")
    page.focus()
    page.keys(down="CONTROL z", up="z CONTROL")
    until(lambda: page.watcher.place("crate")[:2] == pytest.approx(before[:2], abs=1e-3))
    page.keys(down="CONTROL y", up="y CONTROL")
    until(lambda: math.dist(page.watcher.place("crate")[:2], before[:2]) > 0.1)


def test_a_click_selects_and_the_panel_shows_it(page):
    page.drag(page.at("scout"), page.at("scout"))
    until(lambda: page.us("world.selected") == "scout")
    until(lambda: "scout" in page.driver.find_element("css selector", ".q-drawer--right").text)


def test_the_panel_has_the_buttons_of_the_robot(page):
    page.drag(page.at("pioneer"), page.at("pioneer"))
    panel = ".q-drawer--right"
    until(lambda: "motors o" in page.driver.find_element("css selector", panel).text)


def test_a_thing_of_the_palette_is_put_where_one_clicks(page):
    page.watcher.do("pause")
    page.click(".us-palette button", 2)
    until(lambda: page.us("stage.tool") == "cone", 5, "the tool")
    x, y = page.at("pioneer")
    wanted = page.ground((x + 30, y + 90))
    page.drag((x + 30, y + 90), (x + 30, y + 90))
    until(lambda: "cone-1" in page.watcher.names(), 5, "a cone")
    assert page.watcher.place("cone-1")[:2] == pytest.approx(wanted, abs=0.02)
    until(lambda: page.us("world.thing('cone-1') !== undefined"))
    page.js("__us.stage.select('cone-1')")
    page.focus()
    page.type("DELETE")
    until(lambda: "cone-1" not in page.watcher.names())


@pytest.mark.parametrize("view", ["3d", "2d"])
def test_a_lamp_is_seen_and_can_be_carried(page, view):
    page.watcher.do("pause")
    page.watcher.do("add", what="lamp", x=1.0, y=-1.0)
    until(lambda: page.us("world.thing('light-1') !== undefined"), 5, "a lamp")
    if view == "2d":
        page.js('__us.stage.press(0, "swap")')
    page.drawn()
    start = page.at("light-1") if view == "2d" else page.js(HIGH, "light-1")
    assert (
        page.js(
            "const p = __us.stage.list[0], b = p.element.getBoundingClientRect(); "
            "return p.pick((arguments[0] - b.left) / b.width, (arguments[1] - b.top) / b.height)",
            *start,
        )
        == "light-1"
    )
    page.drag(start, (start[0] - 60, start[1] + 20))
    until(lambda: math.dist(lamp(page), (1.0, -1.0)) > 0.2, 5, "the lamp to move")


HIGH = """
    const pane = __us.stage.list[0], box = pane.element.getBoundingClientRect();
    const [x, y, , z] = __us.world.place(arguments[0]), [u, v] = pane.eye.project(x, y, z);
    return [Math.round(box.left + u * box.width), Math.round(box.top + v * box.height)];
"""


def lamp(page):
    return next(light for light in page.watcher.scene["lights"] if light["name"] == "light-1")["pose"][:2]


def test_a_robot_of_the_catalogue_is_put_where_one_clicks(page):
    page.watcher.do("pause")
    page.js("[...document.querySelectorAll('button')].find((b) => b.innerText.includes('Add robot')).click()")
    until(lambda: page.us("stage.tool") == "p3dx", 5, "the tool")
    x, y = page.at("crate")
    page.drag((x, y + 90), (x, y + 90))
    until(lambda: "p3dx-1" in page.watcher.names(), 5, "a robot")


def test_a_distance_is_measured(page):
    page.focus()
    page.type("m")
    until(lambda: page.us("stage.tool") == "measure")
    start = page.at("pioneer")
    page.drag(start, (start[0] + 100, start[1]))
    ruler = page.us("stage.ruler")
    assert math.dist(ruler["from"], ruler["to"]) == pytest.approx(
        math.dist(page.ground(start), page.ground((start[0] + 100, start[1]))), rel=0.02
    )
    page.type("ESCAPE")
    until(lambda: page.us("stage.tool") == "")


# ---- keys


def test_a_key_drives_while_it_is_held(page):
    page.focus()
    page.keys(down="ARROW_UP")
    until(lambda: page.watcher.place("pioneer")[0] > -1.9, why="the robot to drive")
    page.keys(up="ARROW_UP")
    until(lambda: not page.watcher.moves("pioneer"), 5, "the robot to stop")


def test_two_keys_make_an_arc(page):
    page.focus()
    page.keys(down="ARROW_UP ARROW_LEFT")
    until(lambda: page.watcher.place("pioneer")[2] > 0.2 and page.watcher.place("pioneer")[0] > -1.95)
    page.keys(up="ARROW_UP ARROW_LEFT")


def test_keys_in_an_input_drive_nothing(page):
    page.js("document.querySelector('input[aria-label=\"text to filter messages by\"]').focus()")
    page.keys(down="i")
    until(lambda: page.js("return document.activeElement.value") == "i")
    assert not page.watcher.moves("pioneer")
    page.keys(up="i")
    page.type("BACKSPACE")


@pytest.mark.parametrize("loss", ["document.activeElement.blur()", "window.dispatchEvent(new Event('blur'))"])
def test_a_lost_focus_stops_the_robot(page, loss):
    page.focus()
    page.keys(down="ARROW_LEFT")
    until(lambda: page.watcher.place("pioneer")[2] > 0.1)
    page.js(loss)
    lost = page.watcher.time_s
    until(lambda: not page.watcher.moves("pioneer"), 5, "the robot to stop")
    assert page.watcher.time_s - lost < 1.5  # within 0.5 s, and the ramp
    page.keys(up="ARROW_LEFT")


@pytest.mark.parametrize(
    ("preset", "key", "moves"),
    [
        ("sear", "u", True),
        ("sear", "i", False),
        ("sear2011", "u", True),
        ("lurobotsim", "o", True),
        ("lurobotsim", "ARROW_UP", False),
    ],
)
def test_the_presets_have_their_own_keys(page, preset, key, moves):
    page.js(f'__us.stage.choose("{preset}")')
    page.focus()
    page.keys(down=key)
    if moves:
        until(lambda: page.watcher.place("pioneer")[0] > -1.95, why="the robot to drive")
    else:
        assert not page.watcher.moves("pioneer")
    page.keys(up=key)


def rests(watcher, name):
    before, now_s = watcher.place(name), watcher.time_s
    until(lambda: watcher.time_s > now_s + 0.1, why="a tenth of a second")
    return watcher.place(name) == before


def test_enter_of_sear_puts_the_robot_back(page):
    page.js('__us.stage.choose("sear")')
    page.focus()
    page.keys(down="u")
    until(lambda: page.watcher.place("pioneer")[0] > -1.9)
    page.keys(up="u")
    until(lambda: rests(page.watcher, "pioneer"), why="the robot to be at rest")
    page.type("ENTER")
    until(lambda: page.watcher.place("pioneer")[0] == pytest.approx(-2.0, abs=1e-3), why="the robot to be back")


def test_space_of_sear_flies(page):
    page.js('__us.stage.choose("sear")')
    page.focus()
    page.type("SPACE")
    before = page.us("stage.list[0].camera.position.z")
    page.keys(down="q")
    until(lambda: page.us("stage.list[0].camera.position.z") > before + 0.1)
    page.keys(up="q")
    page.type("SPACE")
    assert page.us("stage.list[0].eye.mode") == "follow"


def test_the_camera_keys_of_sear_2011_need_no_key_before_them(page):
    page.js('__us.stage.choose("sear2011")')
    page.focus()
    before = page.us("stage.list[0].camera.position.z")
    page.keys(down="q")
    until(lambda: page.us("stage.list[0].camera.position.z") > before + 0.1, why="the camera to rise")
    page.keys(up="q")
    assert page.us("stage.list[0].eye.mode") == "fly"


def test_a_question_mark_shows_the_keys_and_escape_hides_them(page):
    page.focus()
    page.keys(down="?", up="?")
    until(lambda: page.driver.find_elements("css selector", ".us-help"))
    assert "SEAR" in page.driver.find_element("css selector", ".us-help").text
    page.type("ESCAPE")
    until(lambda: not page.driver.find_elements("css selector", ".us-help"))


# ---- pictures


def test_a_picture_is_a_png_that_shows_the_scene(page):
    import base64
    import io

    from PIL import Image

    page.watcher.do("pause")
    page.js('__us.stage.set("names", false)')
    page.drawn()
    url = page.driver.execute_async_script("__us.stage.picture().then(arguments[0])")
    data = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    box = page.js("const b = __us.stage.root.getBoundingClientRect(); return [b.left, b.top]")
    x, y = (round(a - b) for a, b in zip(page.at("crate"), box))
    assert like(picture[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), GREEN) > 30


# ---- several browsers


def test_a_pause_shows_in_the_other_browser(page, plain):
    other = Page(plain, page.watcher)
    page.press("Run or pause")
    until(lambda: "paused" in other.driver.find_element("css selector", "header").text, 5, "the pause in the other")


def test_looks_are_everybodys_own(page, plain):
    other = Page(plain, page.watcher)
    before = other.us("stage.list[0].map.scale"), other.us("stage.panes")
    page.panes(2)
    page.js('__us.stage.press(1, "in")')
    other.drawn()
    assert (other.us("stage.list[0].map.scale"), other.us("stage.panes")) == before


def test_what_one_holds_the_other_cannot_take(page, plain):
    page.js('__us.stage.send({do: "grab", name: "scout"})')
    until(lambda: page.watcher.texts_of("held")[-1]["names"] == ["scout"])
    Page(plain, page.watcher).js('__us.stage.send({do: "grab", name: "scout"})')
    until(lambda: "is held by" in plain.us("stage.notice"), 5, "a notice in the other browser")
    page.js('__us.stage.send({do: "drop", name: "scout"})')


def test_without_webgl_the_map_is_drawn_and_driven(plain, watcher):
    page = Page(plain, watcher)
    page.begin()
    assert page.us(
        "stage.view3d === null && stage.list[0].kind === '2d'".replace("stage.list", "window.__us.stage.list")
    )
    page.focus()
    page.keys(down="ARROW_UP")
    until(lambda: watcher.place("pioneer")[0] > -1.95)
    page.keys(up="ARROW_UP")
    assert like(page.colours_near("pioneer", 8), RED) > 30


def test_a_killed_browser_stops_its_robot(studio, watcher):
    doomed = Chromium("--disable-3d-apis")
    page = Page(doomed.open(studio.url), watcher)
    page.begin()
    page.focus()
    page.keys(down="ARROW_LEFT")
    until(lambda: watcher.place("pioneer")[2] > 0.1)
    doomed.kill()
    until(lambda: not watcher.moves("pioneer"), 5, "the robot to stop")


def test_a_slow_browser_is_late_by_little_and_slows_nobody(page):
    page.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 6})
    try:
        begun, start, frames = time.monotonic(), page.watcher.time_s, page.watcher.frames
        until(lambda: time.monotonic() > begun + 1.5)
        wall = time.monotonic() - begun
        assert (page.watcher.time_s - start) / wall > 0.8
        assert (page.watcher.frames - frames) / wall > 15
        assert page.watcher.time_s - page.us("world.frame.time") < 0.5
    finally:
        page.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})


def test_a_hidden_page_gets_no_frames_and_goes_on_when_it_is_back(page):
    page.driver.minimize_window()
    until(lambda: page.js("return document.hidden"))
    before = page.us("stream.drawn")
    start = page.watcher.time_s
    until(lambda: page.watcher.time_s > start + 0.5)
    assert page.us("stream.drawn") <= before + 2
    page.driver.set_window_rect(0, 0, 1100, 720)
    until(lambda: not page.js("return document.hidden"))
    page.drawn()
    assert page.watcher.time_s - page.us("world.frame.time") < 0.5


def test_after_all_this_the_console_has_no_errors(chromium):
    assert chromium.errors() == []
