"""The examples in C and C++ give the same results as their twins in Python, to the bit."""

import re
from pathlib import Path

import pytest

from understudy.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "eyesim"
# program, its options
TWINS = {
    "square.c": ["--world", "room.wld"],
    "wall_follow.c": ["--world", "room.wld", "--seconds", "6"],
    "distbug.c": ["--world", "boxes.wld", "--seconds", "12"],
    "menu.c": ["--world", "room.wld", "--keys", "KEY1@0.5s,KEY3@2.5s,KEY2@4s,KEY4@6s"],
    "radio.c": ["--world", "team.sim", "--seconds", "7"],
    "classic_patrol.c": ["--world", "room.wld", "--robot", "soccerbot", "--seconds", "10"],
    "ball.cpp": ["--world", "ball.sim", "--seconds", "1.5"],
}


def result(program, options, folder, capfd):
    """Return the hash of the run, and what the consoles show at its end."""
    assert main(["eyesim", "--fast", program, *options, "--dump", str(folder)]) == 0
    consoles = {path.name: path.read_text() for path in sorted(folder.glob("*.txt"))}
    return re.search(r"hash (\w+)", capfd.readouterr().err)[1], consoles


@pytest.mark.parametrize("name", TWINS)
def test_an_example_gives_the_same_in_c_and_in_python(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(EXAMPLES)
    in_c = result(name, TWINS[name], tmp_path / "c", capfd)
    in_python = result(str(Path(name).with_suffix(".py")), TWINS[name], tmp_path / "python", capfd)
    assert in_c == in_python
    assert any(text.strip() for text in in_c[1].values())


def test_every_example_in_c_has_a_twin_that_is_compared():
    assert {path.name for path in EXAMPLES.iterdir() if path.suffix in (".c", ".cpp")} == set(TWINS)
