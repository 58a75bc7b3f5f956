"""The example programs of EyeSim reach their goals in the real simulator, in lockstep."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from understudy.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "eyesim"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs an example and returns the text of each robot's LCD."""
    shutil.copytree(EXAMPLES, tmp_path / "eyesim")
    monkeypatch.chdir(tmp_path / "eyesim")

    def start(*words):
        options = ["--fast", "--view", "none", "--seconds", "300", "--dump", "lcd"]
        assert main(["eyesim", *words, *options]) == 0
        return {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path("lcd").glob("*.txt"))}

    return start


def test_the_square_is_closed(run):
    text = run("square.py", "--world", "room.wld")["s4-1"]
    assert "corner 2:  400  400  180" in text
    assert "error: 0.0 mm" in text


def test_the_wall_follower_stays_near_its_wall(run):
    text = run("wall_follow.py", "--world", "room.wld")["s4-1"]
    assert 100 < int(re.search(r"left +(\d+)", text)[1]) < 350


def test_the_maze_is_explored_and_left_on_the_shortest_path(run):
    text = run("maze.sim")["s4-1"]
    assert "16 cells, 10 steps to the farthest" in text
    assert "back at the start" in text


def test_distbug_reaches_its_goal(run):
    assert "reached" in run("distbug.py", "2600", "800", "--world", "boxes.wld")["s4-1"]


def test_the_ball_is_found_and_pushed(run):
    assert "pushed" in run("ball.sim")["s4-1"]


def test_robots_drive_one_after_the_other(run):
    texts = run("team.sim")
    assert "3 robots have driven" in texts["s4-1"]
    assert "1 says 1" in texts["s4-2"]
    assert "2 says 2" in texts["labbot-1"]


def test_the_menu_obeys_its_keys(run):
    text = run("menu.py", "--world", "room.wld", "--keys", "KEY1@1s,KEY3@4s,KEY2@6s,KEY2@7s,KEY4@10s")["s4-1"]
    assert "goodbye" in text
    assert "200    0   90" in text


def test_the_classic_patrol_turns_away_from_walls(run):
    text = run("classic_patrol.py", "--world", "room.wld", "--robot", "soccerbot")["soccerbot-1"]
    assert int(re.search(r"turns +(\d+)", text)[1]) >= 2
