"""How long it takes until something happens: import, first tick with a warm cache, first tick with a cold one.

Each figure is the best of several fresh processes. The peer is `import numpy`, measured in the same run: it tells how
slow this machine is today.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from results import parse

FIRST_TICK = ["-m", "understudy", "examples", "run", "skeleton", "--seconds", "0.005", "--speed", "max", "--no-ports"]


def best(options: list[str], rounds: int, env: dict[str, str] | None = None) -> float:
    """Return the best wall time of a fresh Python with these options (s)."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run([sys.executable, *options], check=True, capture_output=True, env={**os.environ, **(env or {})})
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    bare = best(["-c", "pass"], 5)
    numpy = best(["-c", "import numpy"], 5) - bare
    light = best(["-c", "import understudy"], 5) - bare
    warm = best(FIRST_TICK, 5)
    with tempfile.TemporaryDirectory() as cache:
        cold = best(FIRST_TICK, 1, {"NUMBA_CACHE_DIR": cache})
    results.say("startup.import_numpy_s", numpy)
    results.say("startup.import_understudy_s", light, most=0.5)
    results.say("startup.import_over_numpy", light / numpy)
    results.say("startup.first_tick_warm_s", warm, most=1.5)
    results.say("startup.first_tick_warm_over_numpy", warm / numpy)
    results.say("startup.first_tick_cold_s", cold)
    results.finish()


if __name__ == "__main__":
    main()
