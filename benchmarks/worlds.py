"""How fast many small worlds step together: a walled room, a crate, a robot with a laser of 60 rays and a bumper.

The peer is the same number of simulations beside each other, each stepped by its own `step`, in the same process and
on one thread; 100 of them stand for more, for they cost the same each. Both take turns, with the same random actions,
and a world and its simulation must come to the same hash. "Worlds per second" are ticks of one world in a second of CPU
time (wall time on two threads), the best of some rounds; ratios are medians of these rounds.

"Scattered" worlds have been restarted one by one, so that no two groups of them are at the same time.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"))

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from results import Results, parse

import understudy as us
from understudy.world.scene import Scene

Array = npt.NDArray[np.float64]
Step = Callable[[Array], None]

SCENE = """
schema = 1
tick_ms = 100
ground = {size_m = [4, 4], walled = true}
[[object]]
name = "crate"
kind = "box"
size_m = [0.3, 0.3, 0.3]
mass_kg = 1.0
x_m = 0.5
[[robot]]
name = "scout"
x_m = -0.8
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
[robot.device.front]
kind = "laser"
mount = {z_m = 0.2}
rays = 60
max_m = 8.0
period_ms = 100
[robot.device.bumper]
kind = "bumper"
"""
COUNTS = (1, 100, 10_000)
MOST_SIMS = 100
ROUNDS, ROUND_S = 7, 0.5
HELD = 10  # ticks between two actions
AGES = 500  # different times of scattered worlds


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    with us.load_text(SCENE) as sim:
        scene = sim.scene
    for count in COUNTS:
        beside_simulations(results, scene, count)
    on_two_threads(results, scene, COUNTS[-1])
    scattered(results, scene, COUNTS[-1])
    results.finish()


class Simulations:
    """As many worlds, each in a simulation of its own."""

    def __init__(self, scene: Scene, count: int) -> None:
        self.sims = [us.Sim(scene, seed=seed, threads=1) for seed in range(count)]

    def step(self, actions: Array) -> None:
        """Ask every robot for its motion and advance each simulation by one tick."""
        for sim, action in zip(self.sims, actions):
            sim.fleet.drive(action[:, 0], action[:, 2], action[:, 1])
            sim.step()


def actions(count: int, number: int) -> Array:
    """Return what the robots of all worlds are asked for in a tick; they change their minds now and then."""
    rng = np.random.default_rng(number // HELD)
    return rng.uniform([-0.2, 0.0, -1.5], [0.6, 0.0, 1.5], (count, 1, 3))


def rate(step: Step, script: list[Array], clock: Callable[[], float]) -> float:
    """Return the ticks of worlds per second while a script is carried out."""
    begin = clock()
    for each in script:
        step(each)
    return sum(len(each) for each in script) / (clock() - begin)


def ticks_for(step: Step, count: int) -> int:
    """Return how many ticks take about as long as a round, after some to get warm."""
    for number in range(3):
        step(actions(count, number))
    begin = time.process_time()
    step(actions(count, 3))
    return max(3, int(ROUND_S / max(time.process_time() - begin, 1e-6)))


def beside_simulations(results: Results, scene: Scene, count: int) -> None:
    """Report how fast worlds are, and how many times faster than simulations beside each other."""
    some = min(count, MOST_SIMS)
    worlds, beside = us.worlds(scene, seeds=range(count), threads=1), Simulations(scene, some)
    ours, theirs = ticks_for(worlds.step, count), ticks_for(beside.step, some)
    rates = []
    for _ in range(ROUNDS):
        many = rate(worlds.step, [actions(count, number) for number in range(ours)], time.process_time)
        few = rate(beside.step, [actions(some, number) for number in range(theirs)], time.process_time)
        rates.append((many, few))
    agree(scene, count)
    fast, slow = np.array(rates).T
    results.say(f"worlds.per_second_{count}", float(fast.max()))
    results.say(f"worlds.of_simulations_per_second_{count}", float(slow.max()))
    results.say(f"worlds.ratio_{count}", float(np.median(fast / slow)), least=10.0 if count > 1 else None)


def agree(scene: Scene, count: int, ticks: int = 50) -> None:
    """Make sure that the last world and a simulation of its own end in the same state."""
    worlds, seed = us.worlds(scene, seeds=range(count), threads=1), count - 1
    with us.Sim(scene, seed=seed, threads=1) as sim:
        for number in range(ticks):
            wanted = actions(count, number)
            worlds.step(wanted)
            sim.fleet.drive(wanted[seed, :, 0], wanted[seed, :, 2], wanted[seed, :, 1])
            sim.step()
        assert worlds.hash(seed) == sim.hash(), "a world differs from its simulation"
        same = [bool((worlds.readings[path][seed] == sim.robot("scout").read(path.partition("/")[2])).all())
                for path in worlds.readings]  # fmt: skip
        assert all(same), "a world reads something else than its simulation"


def on_two_threads(results: Results, scene: Scene, count: int) -> None:
    """Report how fast worlds are on two threads."""
    worlds = us.worlds(scene, seeds=range(count), threads=2)
    ticks = ticks_for(worlds.step, count)
    rates = [
        rate(worlds.step, [actions(count, number) for number in range(ticks)], time.perf_counter) for _ in range(ROUNDS)
    ]
    results.say(f"worlds.per_second_{count}_two_threads", max(rates))


def scattered(results: Results, scene: Scene, count: int) -> None:
    """Report how fast worlds are whose times differ, and what it costs to restart a world (us)."""
    worlds = us.worlds(scene, seeds=range(count), threads=1)
    worlds.step(actions(count, 0))
    for part in np.array_split(np.random.default_rng(1).permutation(count), AGES):
        worlds.restart(part)
        worlds.step()
    ticks = ticks_for(worlds.step, count)
    rates = [
        rate(worlds.step, [actions(count, number) for number in range(ticks)], time.process_time) for _ in range(ROUNDS)
    ]
    results.say(f"worlds.per_second_{count}_scattered", max(rates))
    begin = time.process_time()
    worlds.restart(range(0, count, 10), seeds=range(0, count, 10))
    results.say("worlds.us_per_restart", (time.process_time() - begin) / (count / 10) * 1e6)


if __name__ == "__main__":
    main()
