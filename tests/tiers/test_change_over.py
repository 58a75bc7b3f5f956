"""Both tiers give the same bits, so a kernel may change over at any call."""

import random

import pytest
from tier_tools import interpreted, ticks

import understudy as us
from understudy.cli.examples import names

PUSHING = """
schema = 1
ground = {size_m = [6, 4], walled = true}
origin = {latitude_deg = 46.5, longitude_deg = 6.6}

[[object]]
name = "crate"
kind = "box"
mass_kg = 2.0
size_m = [0.3, 0.3, 0.3]
x_m = 0.2

[[ball]]
name = "ball"
radius_m = 0.1
x_m = 0.4
y_m = 0.27

[[robot]]
name = "a"
model = "p3dx"
x_m = -0.5
"""
TICKS = {"gallery": 22, "fetch": 40, "lego-plane": 60}  # what the interpreter is slow at


def example(name):
    return us.load(names()[name], seed=3)


def pushing():
    sim = us.load_text(PUSHING, seed=5)
    sim.robot("a").drive(0.7, 0.05)
    return sim


@pytest.mark.parametrize("name", [name for name in names() if names()[name].suffix == ".toml"])
def test_every_example_is_the_same_interpreted_and_compiled(name):
    count = TICKS.get(name, 120)
    with example(name) as sim:
        compiled = ticks(sim, count)
    with interpreted(), example(name) as sim:
        assert ticks(sim, count) == compiled


def test_who_pushes_and_what_rolls_is_the_same_interpreted_and_compiled():
    with pushing() as sim:
        start, compiled = sim.current.scene(), ticks(sim, 600)
        end = sim.current.scene()
    assert end.objects[0].pose != start.objects[0].pose
    assert end.balls[0].pose != start.balls[0].pose
    with interpreted(), pushing() as sim:
        assert ticks(sim, 600) == compiled


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("make", [lambda: example("skeleton"), lambda: example("office"), pushing])
def test_kernels_may_change_over_at_any_tick(make, seed):
    dice, count = random.Random(seed), 600 if make is pushing else 200
    with make() as sim:
        compiled = ticks(sim, count)
    with interpreted() as forgotten, make() as sim:
        when = {key: dice.randrange(count) for key in forgotten.code}
        for tick in range(count):
            for key in [key for key, at in when.items() if at == tick]:
                forgotten.give_back(key)
            assert ticks(sim, 1) == [compiled[tick]]
