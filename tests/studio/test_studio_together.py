"""Programs that share the clock stand still with the world when somebody pauses it in the studio."""

from __future__ import annotations

import math
import sys

import pytest
from studio_browser import Command, Page, Watcher, until
from together_runs import needs_together

pytestmark = [pytest.mark.browser, needs_together]
SCENE = """
schema = 1
ground = {size_m = [8, 6], walled = true}
[[robot]]
model = "p3dx"
name = "pioneer"
port.host.link = "loop:"
port.gps.link = "loop:"
"""
EVERY_S = 0.05
PROGRAM = f"""
import sys, time
start = time.monotonic()
with open(sys.argv[1], "w") as file:
    for i in range(1, 1_000_000):
        print(i, file=file, flush=True)
        time.sleep(start + i * {EVERY_S} - time.monotonic())
"""


@pytest.fixture
def counts(tmp_path):
    """Return how many lines the program has written."""
    file = tmp_path / "lines.txt"
    return lambda: len(file.read_text().splitlines())


@pytest.fixture
def page(plain, tmp_path):
    """The page of a run whose program writes a line every 50 ms."""
    (tmp_path / "scene.toml").write_text(SCENE)
    program = [sys.executable, "-c", PROGRAM, str(tmp_path / "lines.txt")]
    words = [str(tmp_path / "scene.toml"), "--view", "studio", "--no-browser", "--port", "0", "--", *program]
    command = Command("together", *words, folder=tmp_path)
    home, watcher = plain.driver.current_url, None
    try:
        plain.open(command.url)
        watcher = Watcher(command.url)
        yield Page(plain, watcher)
    finally:
        plain.open(home)
        if watcher is not None:
            watcher.close()
        command.close()


def expected(time_s):
    """Return how many lines a program has written at this time: one at the start, then one every 50 ms."""
    return math.ceil(round(time_s / EVERY_S, 6))


def test_a_program_stands_still_while_the_world_is_paused_and_goes_on_with_it(page, counts):
    watcher = page.watcher
    until(lambda: watcher.time_s > 0.3, why="time to pass")
    page.press("Run or pause")
    until(lambda: watcher.paused)
    for _ in range(15):  # ticks, of 5 ms each
        held = watcher.time_s
        assert counts() == expected(held)
        page.press("Step one tick")
        until(lambda held=held: watcher.time_s != held, why="a step")
        assert watcher.time_s == pytest.approx(held + 0.005)
    held, lines = watcher.time_s, counts()
    assert lines == expected(held)
    page.press("Run or pause")
    until(lambda: counts() > lines + 5, why="more lines")
    assert not watcher.paused
    assert watcher.time_s > held
