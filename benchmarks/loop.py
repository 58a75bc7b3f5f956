"""Cost of the run loop on top of the engine: ticks of a room with one robot without sensors.

The baseline is the bare `engine.step` of the same scene in the same run.
"""

from __future__ import annotations

import time

import numpy as np
from results import parse

import understudy as us

SCENE = """
schema = 1
ground = {size_m = [20, 20], walled = true}
[[robot]]
name = "scout"
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
"""
TICKS = 20_000


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    ratios, loops, engines = [], [], []
    with us.load_text(SCENE) as sim:
        sim.robot("scout").drive(0.2, 0.5)
        sim.step(100)
        targets = np.array([[0.2, 0.0, 0.5]])
        for _ in range(5):
            begin = time.process_time()
            sim.step(TICKS)
            loop = time.process_time() - begin
            begin = time.process_time()
            for _ in range(TICKS):
                sim.current.engine.step(targets)
            engine = time.process_time() - begin
            ratios.append(loop / engine)
            loops.append(loop / TICKS * 1e6)
            engines.append(engine / TICKS * 1e6)
    results.say("loop.us_per_tick", min(loops))
    results.say("loop.engine_us_per_tick", min(engines))
    results.say("loop.over_engine", sorted(ratios)[2])
    results.finish()


if __name__ == "__main__":
    main()
