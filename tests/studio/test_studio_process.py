"""The command itself: who gets in from elsewhere, and what a browser does when the studio comes back."""

import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from conftest import ROOM
from studio_browser import Command, Page, Studio, Watcher, until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

pytestmark = pytest.mark.browser
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def public():
    """A studio that other machines can reach."""
    made = Studio("--host", "0.0.0.0", scene=ROOM)
    yield made
    made.close()


def ask(url, **headers):
    """Return the status of an answer."""
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as problem:
        problem.close()
        return problem.code


def greet(url, **headers):
    """Return "open" if a websocket opens, else the status of its refusal."""
    origin = headers.pop("origin", None)
    try:
        with connect(url, origin=origin, additional_headers=headers):
            return "open"
    except InvalidStatus as problem:
        return problem.response.status_code


def parts(studio):
    base, token = re.match(r"(http://[^/]+)/\?token=(.+)", studio.url).groups()
    return base, token


@pytest.mark.parametrize("path", ["/", "/web/stage.js", "/_nicegui_ws/socket.io/?EIO=4&transport=polling"])
def test_without_the_token_nothing_is_served(public, path):
    base, _ = parts(public)
    assert ask(base + path) == 401


def test_with_the_token_the_page_is_served(public):
    assert ask(public.url) == 200


def test_under_another_name_nothing_is_served_though_the_token_is_right(public):
    assert ask(public.url, Host="evil.example") == 421


def test_the_stream_wants_cookie_and_origin(public):
    base, token = parts(public)
    stream, cookie = base.replace("http", "ws") + "/stream", f"understudy_token_{base.rsplit(':', 1)[1]}={token}"
    assert greet(stream, origin=base) == 403
    assert greet(stream, origin="http://evil.example", cookie=cookie) == 403
    assert greet(stream, origin=base, cookie=cookie) == "open"


def test_the_studio_says_that_others_can_come_in(public):
    until(lambda: any("other machines can reach" in line for line in public.said), why="a warning")


def test_a_browser_finds_the_studio_again_when_it_was_started_anew(plain):
    first = Studio(scene=ROOM)
    port = int(first.url.rsplit(":", 1)[1].strip("/"))
    home = plain.driver.current_url
    try:
        plain.open(first.url)
        first.close()
        until(lambda: "Start it again" in plain.us("stage.notice"), 10, "a notice that says what to do")
        assert plain.js("return getComputedStyle(document.querySelector('#popup')).display") == "none"
        second = Studio(scene=ROOM, port=port)
        try:
            watcher = Watcher(second.url)
            until(lambda: plain.js("return window.__us?.world.frame?.time > 0 && !__us.stage.notice"), 40, "new frames")
            assert set(Page(plain, watcher).us("world.robots.map((robot) => robot.name)")) == {"pioneer", "scout"}
            watcher.close()
        finally:
            second.close()
    finally:
        plain.open(home)


def test_mobilesim_with_options_has_a_window_too(plain, tmp_path):
    words = ("-m", str(EXAMPLES / "floor.map"), "-r", "p3dx:mine", "-p", "0", "--studio", "--minimize-gui")
    command = Command("mobilesim", *words, folder=tmp_path)
    home = plain.driver.current_url
    try:
        plain.open(command.url)
        assert plain.us("world.robots.map((robot) => robot.name)") == ["mine"]
    finally:
        plain.open(home)
        command.close()
