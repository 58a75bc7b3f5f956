"""Cost of noise: white noise and losses of a hundred laser scans, of a thousand narrow readings, and of one.

The baseline is NumPy's `Generator.standard_normal`, which only draws the numbers; both alternate in one process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from results import parse

from understudy import rng
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.noise import corrupt

ROUNDS = 2_000
COLD = """
import time
import numpy as np
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.noise import corrupt
begin = time.process_time()
corrupt(LengthNoise(sigma_m=0.01, lost=0.001), np.ones((1, 1)), np.ones(1), 0.0, 8.0, np.zeros((1, 2), np.uint32), 0)
print(time.process_time() - begin)
"""


def scans(rows: int, columns: int) -> Callable[[int], None]:
    """Return a function that disturbs an array of this shape."""
    values, scales = np.full((rows, columns), 4.0), np.ones(columns)
    keys = np.array([rng.key(1, f"robot-{i}") for i in range(rows)], np.uint32)
    noise = LengthNoise(sigma_m=0.01, lost=0.001)
    return lambda n: corrupt(noise, values, scales, 0.1, 8.0, keys, n)


def draws(count: int) -> Callable[[int], None]:
    """Return a function that lets NumPy draw so many normal numbers."""
    generator, out = np.random.default_rng(1), np.empty(count)
    return lambda n: generator.standard_normal(out=out)


def best(*calls: Callable[[int], None]) -> list[float]:
    """Return the best time of each call, all taking turns (s)."""
    times = [float("inf")] * len(calls)
    for n in range(ROUNDS):
        for i, call in enumerate(calls):
            begin = time.perf_counter()
            call(n)
            times[i] = min(times[i], time.perf_counter() - begin)
    return times


def cold_s() -> float:
    """Return the processor time of the first call where nothing is compiled yet, the best of three (s)."""
    times = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "NUMBA_CACHE_DIR": cache}
            run = subprocess.run([sys.executable, "-c", COLD], check=True, capture_output=True, text=True, env=env)
            times.append(float(run.stdout))
    return min(times)


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    laser, narrow, single, peer = best(scans(100, 180), scans(1000, 4), scans(1, 1), draws(18_000))
    results.say("noise.ns_per_value", laser / 18_000 * 1e9, most=4.0)
    results.say("noise.narrow_ns_per_value", narrow / 4_000 * 1e9)
    results.say("noise.us_for_one_value", single * 1e6)
    results.say("noise.numpy_ns_per_draw", peer / 18_000 * 1e9)
    results.say("noise.over_numpy", laser / peer, most=0.4)
    results.say("noise.cold_compile_s", cold_s(), most=1.5)
    results.finish()


if __name__ == "__main__":
    main()
