"""A tape in the studio: it is wound, played and stepped, and shows the poses that were recorded, and their looks."""

import math

import pytest
from meshes import box, stl
from studio_browser import Command, Page, Watcher, until

import understudy as us
from understudy.tape import TapeWriter
from understudy.world.changes import Remove

pytestmark = [pytest.mark.browser, pytest.mark.long]

TICKS, EVERY = 800, 50
RADIUS = 0.15 * math.sqrt(2.0)  # of a wheel that is a box: to its corners
SCENE = """
schema = 1
name = "a room on tape"
seed = 4
ground = {size_m = [8, 6], walled = true}
object = [{name = "crate", kind = "box", size_m = [0.2, 0.2, 0.2], x_m = 3.0, y_m = -2.0}]
robot = [
    {model = "scout", name = "scout", x_m = -3.0, colour = "#0077bb"},
    {model = "robots/barrow.urdf", name = "barrow", y_m = 1.5, colour = "#0077bb"},
]
"""
WHEEL = """
<joint name="{side}" type="continuous"><parent link="base"/><child link="{side}_wheel"/><origin xyz="0 {y} 0.15"/>
<axis xyz="0 1 0"/></joint>
<link name="{side}_wheel"><visual><geometry><mesh filename="package://barrow/meshes/wheel.stl"/></geometry>
<material name="tyre"><color rgba="0.1 0.1 0.1 1"/></material></visual></link>
"""
BARROW = f"""<robot name="barrow">
<link name="base"><visual><origin xyz="0 0 0.3"/><geometry><mesh filename="package://barrow/meshes/tray.stl"
scale="0.001 0.001 0.001"/></geometry><material name="grass"><color rgba="0.1 0.7 0.2 1"/></material></visual></link>
{WHEEL.format(side="left", y=0.35)}{WHEEL.format(side="right", y=-0.35)}</robot>"""


def course(sim):
    """Drive a curve, and note where both robots have been."""
    sim.robot("scout").drive(0.4, 0.25)
    sim.robot("barrow").drive(-0.3, 0.1)
    seen = {0: poses(sim)}
    while sim.tick < TICKS:
        sim.step(EVERY)
        if sim.tick == 2 * EVERY:
            sim.change(Remove("crate"))
        seen[sim.tick] = poses(sim)
    return seen


def poses(sim):
    return {
        name: (pose.x_m, pose.y_m, pose.heading_rad) for name in ("scout", "barrow") for pose in (sim.robot(name).pose,)
    }


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return the folder with a tape, and where the robots were at some of its ticks."""
    folder = tmp_path_factory.mktemp("tape")
    (folder / "robots" / "meshes").mkdir(parents=True)
    (folder / "robots" / "barrow.urdf").write_text(BARROW)
    (folder / "robots" / "meshes" / "tray.stl").write_bytes(stl(box((900.0, 500.0, 250.0))))
    (folder / "robots" / "meshes" / "wheel.stl").write_bytes(stl(box((0.3, 0.06, 0.3))))
    (folder / "room.toml").write_text(SCENE)
    with us.load(folder / "room.toml") as sim:
        sim.attach(TapeWriter(folder / "run.tape"))
        seen = course(sim)
    return folder, seen


@pytest.fixture(scope="module")
def tape(recorded, chromium):
    home = chromium.driver.current_url
    folder, seen = recorded
    made = Command("replay", str(folder / "run.tape"), "--view", "studio", "--no-browser", "--port", "0")
    chromium.open(made.url)
    page = Page(chromium, Watcher(made.url))
    page.js('__us.stage.set("beams", "none")')
    page.seen = seen
    yield page
    page.watcher.close()
    made.close()
    chromium.open(home)


@pytest.fixture
def held(tape):
    """The tape, held at its begin."""
    tape.watcher.do("pause")
    tape.watcher.do("speed", factor=1)
    tape.watcher.do("seek", position=0)
    until(lambda: tape.watcher.paused and tape.watcher.time_s == 0.0, why="the begin of the tape")
    tape.drawn()
    return tape


def tick(page):
    """Return which tick is drawn; none while a new description has no frame yet."""
    return round(page.js("return __us.world.frame?.time ?? -1") / 0.005)


def shown(page, name):
    return page.js("return __us.world.place(arguments[0]).slice(0, 3)", name)


def wind(page, position):
    """Click into the timeline at a place; returns the tick that it has led to."""
    box = page.js("return document.querySelector('.q-footer .q-slider__track-container').getBoundingClientRect()")
    point = round(box["left"] + box["width"] * position / TICKS), round(box["top"] + box["height"] / 2)
    before = tick(page)
    page.drag(point, point)
    until(lambda: tick(page) != before and abs(tick(page) - position) < TICKS / 50, 10, f"tick {position}")
    return tick(page)


def at(page, wanted):
    """Wind to exactly a tick that was noted."""
    page.watcher.do("seek", position=wanted)
    until(lambda: tick(page) == wanted, 10, f"tick {wanted}")


def check_poses(page):
    """Compare what is drawn at a noted tick with what was recorded there."""
    for name, (x, y, heading) in page.seen[tick(page)].items():
        found = shown(page, name)
        assert found[:2] == pytest.approx([x, y], abs=1e-5)
        assert math.remainder(found[2] - heading, math.tau) == pytest.approx(0.0, abs=1e-5)


def test_the_timeline_winds_forwards_and_backwards_to_what_was_recorded(held):
    for wanted in (600, 150, 450):
        near = wind(held, wanted)
        at(held, round(near / EVERY) * EVERY)
        check_poses(held)


def test_every_noted_pose_is_shown_from_the_end_to_the_begin(held):
    for wanted in sorted(held.seen, reverse=True)[::3]:
        at(held, wanted)
        check_poses(held)


def test_play_and_pause_go_along_the_tape(held):
    held.press("Run or pause")
    until(lambda: held.watcher.time_s > 0.3, why="the tape to run")
    held.press("Run or pause")
    until(lambda: held.watcher.paused, why="the pause")
    after = math.ceil(held.watcher.time_s / 0.005 / EVERY) * EVERY
    held.watcher.do("step", ticks=after - round(held.watcher.time_s / 0.005))
    until(lambda: tick(held) == after, 10, f"tick {after}")
    check_poses(held)


def test_a_step_is_one_tick_of_the_tape(held):
    at(held, EVERY - 1)
    held.press("Step one tick")
    until(lambda: tick(held) == EVERY, 10, "a tick")
    check_poses(held)


def test_the_timeline_goes_along_and_the_tape_stops_at_its_end(held):
    at(held, TICKS - 100)
    held.press("Run or pause")
    until(lambda: tick(held) == TICKS and held.watcher.paused, 10, "the end of the tape")
    slider = "return Number(document.querySelector('.q-footer [role=slider]').getAttribute('aria-valuenow'))"
    until(lambda: held.js(slider) == TICKS, 5, "the timeline's end")
    check_poses(held)


def test_what_is_on_tape_cannot_be_changed(held):
    held.watcher.do("remove", name="scout")
    until(lambda: "a tape is read-only" in held.us("stage.notice"), 5, "a refusal")
    assert "scout" in held.watcher.names()


def test_a_tape_has_no_buttons_that_would_change_it(held):
    labels = held.js("return [...document.querySelectorAll('button')].map((b) => b.ariaLabel ?? b.innerText)")
    assert not [label for label in labels if label.startswith(("File", "Load", "Undo", "Nothing to", "Add", "delete"))]
    assert any(label.startswith("Run or pause") for label in labels)


def test_a_tape_neither_offers_to_drive_nor_to_switch_sensors(held):
    assert not held.js("return document.querySelectorAll('.us-hint').length")
    until(lambda: held.js("return document.querySelectorAll('.us-readings section').length"), why="readings")
    assert not held.js("return document.querySelectorAll('.us-readings input[type=checkbox]').length")


def test_a_tape_has_a_log_of_what_was_done_then(held):
    held.watcher.do("speed", factor=10)
    held.press("Run or pause")
    log = "return [...document.querySelectorAll('.us-line')].map((row) => row.innerText).join('\\n')"
    until(lambda: "recorded of api: remove crate" in held.js(log), 10, "a line of the log")


def test_a_robot_from_urdf_has_the_colour_of_its_material_not_of_its_placing(held):
    from test_studio_browser import BLUE, like

    held.wait_for('__us.stage.select("barrow"); __us.stage.press(0, "top")', "true")
    held.js('__us.stage.set("names", false)')
    found = held.colours_near("barrow", 8)
    assert like(found, (26, 179, 51)) > 40
    assert like(found, BLUE) < 10  # of its trail and name


def test_wheels_turn_with_the_path_that_they_have_rolled(held):
    angle = """
        const crowd = __us.stage.view3d.bodies.of.get(__us.world.slots.get("barrow"));
        const { mesh, extra } = crowd.levels.find((level) => level.instances?.mesh.count).instances;
        const { axle, wheel } = mesh.geometry.attributes; // the graphics card turns what has an axle by travel / radius
        const left = [...Array(wheel.count).keys()].find((i) => wheel.getX(i) > 0 && axle.getY(i) > 0);
        const turned = extra[1].array[0] / wheel.getX(left);
        return Math.atan2(Math.sin(turned), Math.cos(turned));
    """
    assert held.js(angle) == pytest.approx(0.0, abs=1e-6)
    at(held, 100)
    held.drawn()
    (ax, ay, ah), (bx, by, bh) = held.seen[0]["barrow"], held.seen[100]["barrow"]
    left = -math.dist((ax, ay), (bx, by)) - (bh - ah) * 0.35  # it drives backwards
    assert held.js(angle) == pytest.approx(math.remainder(left / RADIUS, math.tau), abs=0.05)
