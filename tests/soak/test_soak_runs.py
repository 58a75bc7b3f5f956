"""It lasts: memory and speed stay flat."""

import gc
import time

import psutil
import pytest
from scenes import pioneer_model, robot, room

from understudy.sim.sim import Sim

pytestmark = pytest.mark.soak


def memory_mb():
    gc.collect()
    return psutil.Process().memory_info().rss / 1e6


def soak(sim, hours, pieces):
    """Return memory (MB) and speed (ticks per second of the processor) after each piece of a long run."""
    memory, speed = [], []
    for _ in range(pieces):
        begin = time.process_time()
        ticks = sim.tick
        sim.run(hours * 3600.0 / pieces)
        speed.append((sim.tick - ticks) / (time.process_time() - begin))
        memory.append(memory_mb())
    return memory, speed


@pytest.mark.parametrize(("count", "hours"), [(1, 8.0), (50, 1.0)])
def test_a_long_run_keeps_its_memory_and_speed(count, hours):
    robots = [robot(f"r{i}", -40.0 + 1.6 * i, parts=pioneer_model()) for i in range(count)]
    with Sim(room(*robots, width=90.0, depth=90.0), seed=1) as sim:
        for each in sim.robots:
            each.drive(0.2, 0.3)
        sim.run(10.0)
        memory, speed = soak(sim, hours, 16)
    assert memory[-1] - memory[1] < 5.0, memory
    assert speed[-1] > 0.5 * max(speed[1:4]), speed
