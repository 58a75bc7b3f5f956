"""The genetic algorithm of the examples: trial after trial of one program, the same in every run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from understudy.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "eyesim"
GENERATIONS = 4


def evolve(capfd, seed):
    """Return what a short evolution prints."""
    words = ["--fast", "--seconds", "600", "--world", str(EXAMPLES / "evolve.wld"), str(EXAMPLES / "evolve.py")]
    assert main(["eyesim", *words, str(GENERATIONS), "5", str(seed), "2"]) == 0
    return capfd.readouterr().out


@pytest.fixture(scope="module")
def told():
    """Return a place for what the first test has found."""
    return {}


def test_wall_followers_get_better(capfd, told):
    told["text"] = text = evolve(capfd, 1)
    best = [float(number) for number in re.findall(r"best ([\d.]+)", text)]
    assert len(best) == GENERATIONS
    assert best == sorted(best)
    assert best[-1] > 1.3 * best[0] > 0.0
    assert len(re.search(r"weights (.+)", text)[1].split()) == 8


def test_the_same_seed_gives_the_same_evolution(capfd, told):
    assert evolve(capfd, 1) == (told["text"] if told else evolve(capfd, 1))
