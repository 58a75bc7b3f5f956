"""The lower pane in a real browser: bytes of the port in use, an RCX's program; and what was just seen, again."""

import re
import shutil
from pathlib import Path

import pytest
from aria_client import AriaClient
from studio_browser import Command, browsing, until

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENE = """
schema = 1
name = "lower pane"
ground = {size_m = [8, 6], walled = true}
[[robot]]
model = "p3dx"
name = "a-pioneer"
x_m = -2.0
port.host.link = "tcp://127.0.0.1:0"
[[robot]]
model = "p3dx"
name = "b-pioneer"
y_m = 2.0
port.host.link = "tcp://127.0.0.1:0"
[[robot]]
model = "rcx-m5"
name = "brick"
y_m = -2.0
program = "line_follower.lasm"
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    (folder / "lab.toml").write_text(SCENE)
    shutil.copy(EXAMPLES / "line_follower.lasm", folder)
    command = Command("studio", str(folder / "lab.toml"), "--no-browser", "--port", "0")
    with browsing(command) as page:
        page.command = command
        yield page


def tab(page, name):
    page.js("[...document.querySelectorAll('.us-tabs .q-tab')].find((t) => t.innerText === arguments[0]).click()", name)


def test_the_port_that_a_program_uses_comes_first_and_its_bytes_are_explained(lab):
    ports = dict(re.findall(r"(\w+-pioneer)/host listens on tcp://127\.0\.0\.1:(\d+)", "".join(lab.command.said)))
    client = AriaClient("127.0.0.1", int(ports["b-pioneer"]), gated=False).connect()
    tab(lab, "Bytes")
    chosen = "return [...document.querySelectorAll('.us-tabs .q-select')].map((each) => each.innerText).join(' ')"
    until(lambda: "b-pioneer/host (in use)" in lab.js(chosen), why="the port in use")
    words = "return [...document.querySelectorAll('.us-words')].map((cell) => [cell.innerText, cell.offsetLeft])"
    until(lambda: any("status" in text for text, _ in lab.js(words)), why="explained bytes")
    assert len({left for _, left in lab.js(words)}) == 1  # in one column
    client.close()


def test_at_least_five_lines_of_bytes_are_seen_at_1280_by_800(lab):
    tab(lab, "Bytes")
    until(lambda: lab.js("return document.querySelectorAll('.us-line.us-sent').length > 5"), why="lines")
    box = lab.js(
        "return [...document.querySelectorAll('.us-lines')].find((b) => b.offsetParent).getBoundingClientRect()"
    )
    line = lab.js("return [...document.querySelectorAll('.us-line.us-sent')].at(-1).getBoundingClientRect()")
    assert box["height"] / line["height"] >= 5
    assert line["left"] >= box["left"]


def test_the_program_of_an_rcx_is_shown_and_marks_what_runs(lab):
    lab.select("brick")
    tab(lab, "Program")
    until(lambda: lab.js("return document.querySelectorAll('.us-program [data-icon]').length") > 4, why="icons")
    until(lambda: lab.js("return document.querySelectorAll('.us-program .now').length") == 1, why="the icon that runs")


def test_lurobotsims_keys_move_along_the_program(lab):
    lab.select("brick")
    tab(lab, "Log")
    lab.js("__us.stage.choose('lurobotsim')")
    lab.focus()
    along = "return document.querySelector('.us-program')?.scrollLeft ?? 0"

    def scrolls(key):  # a key that comes before the program is drawn has nothing to scroll
        lab.type(key)
        return lab.js(along)

    until(lambda: scrolls("F6") > 50, why="a scroll")
    until(lambda: scrolls("F5") < 50, why="the way back")
    lab.js("__us.stage.choose('understudy')")


def test_what_was_just_seen_is_shown_again_and_then_the_present(lab):
    until(lambda: lab.us("world.frame.time") > 2.0, why="something to see")
    now = lab.us("world.frame.time")
    lab.press("Again")
    until(lambda: lab.us("stage.again"), why="the notice")
    until(lambda: lab.us("world.frame.time") < now - 1.0, why="an earlier frame")
    lab.js("document.querySelector('.us-again button').click()")
    until(lambda: lab.us("world.frame.time") > now and not lab.us("stage.again"), why="the present")


def test_a_sequence_leaves_the_clock_as_it_was(lab):
    lab.watcher.do("run")
    until(lambda: not lab.watcher.paused, why="a running clock")
    lab.press("Save a sequence")
    start = "return [...document.querySelectorAll('.q-dialog button')].find((b) => b.innerText === 'Start')"
    until(lambda: lab.js(start), why="the dialog").click()
    until(lambda: re.search(r"\d of 20", lab.js("return document.body.innerText")), why="progress")
    until(lambda: not lab.js("return document.querySelectorAll('.q-dialog').length"), 60, "its end")
    until(lambda: not lab.watcher.paused, why="a running clock")
