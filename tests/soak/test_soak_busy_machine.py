"""A studio on a machine with a load of twenty: its page never reloads itself, and recovers when the load ends."""

import contextlib
import os
import subprocess
import sys
import time

import pytest
from studio_browser import Chromium, Page, Studio, Watcher, until

pytestmark = [pytest.mark.soak, pytest.mark.browser]

LOAD, LEAST, SECONDS = 20, 10, 100.0  # processes, with those that others run; at least so many of our own
PATIENCE_S = 240.0  # for one thing to happen on such a machine
SCENE = """
schema = 1
name = "a room beside busy processes"
ground = {size_m = [12, 9], walled = true}
robot = [
    {model = "p3dx", name = "pioneer", x_m = -4.0},
    {model = "scout", name = "scout", y_m = 2.0},
]
"""


@contextlib.contextmanager
def busy(count):
    """Keep so many processes busy."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
        for process in running:
            process.wait()


@pytest.fixture
def page():
    studio = Studio(scene=SCENE)
    watcher, chromium = Watcher(studio.url), Chromium(size=(1280, 800))
    chromium.driver.set_script_timeout(PATIENCE_S)
    chromium.driver.command_executor.client_config.timeout = PATIENCE_S + 10.0
    chromium.open(studio.url)
    yield Page(chromium, watcher)
    chromium.close()
    watcher.close()
    studio.close()


def drives(page):
    """Hold a key until the robot has moved, and release it."""
    before = page.watcher.place("pioneer")
    page.focus()
    page.keys(down="ARROW_LEFT")
    until(lambda: abs(page.watcher.place("pioneer")[2] - before[2]) > 0.05, PATIENCE_S, "the robot to turn")
    page.keys(up="ARROW_LEFT")


def views(page):
    for count in (2, 4, 1):
        page.wait_for(f'__us.stage.set("panes", {count})', f"__us.stage.list.length === {count}", PATIENCE_S)
    for kind in ("2d", "3d"):
        page.wait_for('__us.stage.press(0, "swap")', f"__us.stage.list[0].kind === '{kind}'", PATIENCE_S)


def panels(page):
    """Close and open the drawers, and look into every tab below the views."""
    for name in ("list of things", "list of things", "robot panel", "robot panel"):
        page.js('document.querySelector(`[aria-label*="${arguments[0]}" i]`)?.click()', name)
        page.wait_for("", "true", PATIENCE_S)
    for tab in ("Bytes", "Plots", "Program", "Log"):
        page.js(
            "[...document.querySelectorAll('.q-tab')].find((e) => e.innerText.trim() === arguments[0])?.click()", tab
        )
        active = f"document.querySelector('.q-tab--active')?.innerText.trim() === '{tab}'"
        page.wait_for("", active, PATIENCE_S)


def edits(page):
    page.watcher.do("add", what="cone", x=3.0, y=-2.0)
    until(lambda: "cone-1" in page.watcher.names(), PATIENCE_S, "a cone")
    page.watcher.do("remove", name="cone-1")
    until(lambda: "cone-1" not in page.watcher.names(), PATIENCE_S, "no cone")


def test_no_page_reloads_itself_at_a_load_of_twenty(page):
    page.js("window.marked = true; window.notices = []")
    page.js("setInterval(() => { const n = __us.stage.notice; if (n && notices.at(-1) !== n) notices.push(n); }, 100)")
    with busy(max(LEAST, LOAD - round(os.getloadavg()[0]))):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for act in (drives, views, panels, edits):  # each of them waits until it has happened
                act(page)
                assert page.js("return window.marked"), f"reloaded during {act.__name__}"
    until(lambda: page.js("return !__us.stage.notice"), 30, "no notice")
    late = "return arguments[0] - (__us.world.frame?.time ?? -9)"
    until(lambda: page.js(late, page.watcher.time_s) < 0.5, 30, "the page to show the present")
    drives(page)
    assert page.js("return window.marked"), "reloaded afterwards"
    assert page.js("return notices") == []
    assert page.chromium.errors() == []
