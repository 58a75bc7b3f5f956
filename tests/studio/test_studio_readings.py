"""The readings of a robot in a real browser: all values, pictures, plots, joints; and the arrangement of the page."""

import pytest
from studio_browser import Studio, browsing, until

pytestmark = pytest.mark.browser

SCENE = """
schema = 1
name = "readings"
ground = {size_m = [8, 6], walled = true}
origin = {latitude_deg = 46.5, longitude_deg = 6.6}
object = [{name = "post", kind = "cylinder", radius_m = 0.2, height_m = 1.0, x_m = 0.5}]
[[robot]]
model = "p3dx"
name = "pioneer"
x_m = -2.0
device.gps = {kind = "gps", noise = "perfect"}
device.eye = {kind = "camera", images = ["rgb", "depth", "labels"], width = 40, height = 30}
[[robot]]
model = "scout"
name = "bot"
y_m = 2.0
joint.pan = {kind = "revolute", low_deg = -120, high_deg = 120, max_deg_s = 400}
part.mast = {joint = "pan", mass_kg = 0.1, shape = {kind = "cylinder", radius_m = 0.02, height_m = 0.2}}
"""


@pytest.fixture(scope="module")
def room():
    with browsing(Studio(scene=SCENE)) as page:
        yield page


def value(page, name):
    return page.js("return document.querySelector(`[data-value='${arguments[0]}']`)?.innerText ?? ''", name)


def unfold(page, path):
    page.js(
        "const b = document.querySelector(`[data-path='${arguments[0]}'] button`);"
        "if (b.ariaExpanded !== 'true') b.click()",
        path,
    )


def choose(page, name):
    page.select(name)
    until(
        lambda: page.js("return document.querySelector('.us-readings section')?.dataset.path", name) == f"{name}/pose"
    )


def test_all_values_of_a_sensor_have_name_and_unit(room):
    choose(room, "pioneer")
    unfold(room, "pioneer/gps")
    until(lambda: value(room, "pioneer/gps latitude").startswith("46.5"), why="a latitude")
    rows = room.js("return document.querySelector(\"[data-path='pioneer/gps'] tbody\").innerText")
    assert all(word in rows for word in ("latitude", "longitude", "altitude", "satellites", "°", "m/s"))
    assert len(value(room, "pioneer/gps latitude").split(".")[1]) == 7


def test_ranges_are_a_list_and_a_plot(room):
    choose(room, "pioneer")
    unfold(room, "pioneer/sonar")
    until(lambda: value(room, "pioneer/sonar range 3") != "", why="ranges")
    inked = """
        const canvas = document.querySelector("[data-path='pioneer/sonar'] canvas");
        return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((v) => v > 0).length
    """
    until(lambda: room.js(inked) > 3000, why="a polar plot")


def test_the_pictures_of_a_camera_are_live(room):
    choose(room, "pioneer")
    sources = "return [...document.querySelectorAll(\"[data-path='pioneer/eye'] img\")].map((image) => image.src)"
    until(lambda: len(room.js(sources)) == 3, why="three pictures")
    before = room.js(sources)
    until(lambda: room.js(sources)[0] != before[0], why="another picture")


def test_a_pinned_value_is_plotted_paused_and_taken_away(room):
    choose(room, "pioneer")
    room.press("plot pose x")
    until(lambda: room.js("return window.__plots?.points.length > 5 && __plots.chart != null"), why="a curve")
    assert room.js("return document.querySelector('[data-curve]').innerText").startswith("-2")
    assert room.js("return document.querySelector('.us-chart').clientHeight") > 100
    room.js("__plots.hold()")
    held = room.js("return __plots.chart.getOption().series[0].data.length")
    until(lambda: room.js("return __plots.points.length") > held + 5, why="more points")
    assert room.js("return __plots.chart.getOption().series[0].data.length") == held
    room.js("__plots.hold()")
    room.js("__plots.chart.dispatchAction({type: 'dataZoom', start: 20, end: 60})")
    assert room.js("return __plots.chart.getOption().dataZoom[0].end") == 60
    room.press("stop plotting pioneer/pose x")
    until(lambda: room.js("return __plots.curves.length") == 0, why="no curve")


def test_a_slider_follows_its_joint_and_moves_it(room):
    choose(room, "bot")
    unfold(room, "bot/pan")
    until(lambda: room.js("return document.querySelectorAll('.q-drawer .q-slider').length") == 1, why="a slider")
    box = room.js("return document.querySelector('.q-drawer .q-slider__track-container').getBoundingClientRect()")
    at = round(box["left"] + 0.9 * box["width"]), round(box["top"] + box["height"] / 2)
    room.drag(at, at)
    until(lambda: float(value(room, "bot/pan position") or 0.0) > 60.0, why="the joint")
    room.watcher.do("reset")
    share = "return document.querySelector('.q-drawer .q-slider__selection').getBoundingClientRect().width"
    until(lambda: abs(room.js(share) - box["width"] / 2) < 3, why="the slider")


def test_the_panel_can_be_made_wider_and_stays_so_after_a_reload(room):
    choose(room, "bot")
    wide = "return document.querySelector('.q-drawer--right').clientWidth"
    before = room.js(wide)
    box = room.js("return document.querySelector('.us-grip').getBoundingClientRect()")
    at = round(box["left"] + 3), round(box["top"] + 200)
    room.drag(at, (at[0] - 120, at[1]))
    until(lambda: room.js(wide) > before + 90, why="a wider panel")
    room.js("document.querySelectorAll('.us-tabs .q-tab')[1].click()")
    until(lambda: "wire" in (room.js("return localStorage['understudy.layout']") or ""), why="the tab")
    room.chromium.open(room.driver.current_url)
    until(lambda: room.js(wide) > before + 90, why="the width")
    until(lambda: "Bytes" in room.js("return document.querySelector('.q-tab--active')?.innerText ?? ''"), why="the tab")
    until(lambda: room.us("world.selected") == "bot", why="the selection")


def test_repeated_messages_are_folded_and_warnings_have_a_colour(room):
    room.js("document.querySelectorAll('.us-tabs .q-tab')[0].click()")
    for _ in range(3):
        room.watcher.do("remove", name="nobody")
    rows = "return [...document.querySelectorAll('.us-line.us-warning')].map((row) => row.innerText)"
    until(lambda: any("nobody" in row and "× 3" in row for row in room.js(rows)), why="a folded warning")
    paint = "return getComputedStyle(document.querySelector('.us-line.us-warning')).backgroundColor"
    assert room.js(paint) not in ("rgba(0, 0, 0, 0)", "transparent")
