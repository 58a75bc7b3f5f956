"""Start-up time: import, first tick with a warm cache, first tick with an empty cache.

Each figure is the best of several fresh processes. The baseline is `import numpy`, measured in the same run: it
shows how slow this machine is now, and goals are multiples of it. Byte code is compiled before, as it is by pip, and
whatever PYTHONDONTWRITEBYTECODE says. With an empty cache the interpreter runs the kernels, and other processes compile
them; these are terminated as soon as the tick is done. The warm figure is measured when they have been compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import psutil
from results import parse

COMPILE = {"UNDERSTUDY_COMPILE": "now"}
FIRST_TICK = ["-m", "understudy", "examples", "run", "skeleton", "--seconds", "0.005", "--speed", "max", "--no-ports"]


def best(options: list[str], rounds: int, env: dict[str, str] | None = None) -> float:
    """Return the best wall time of a fresh Python with these options (s)."""
    return min(once(options, env or {}) for _ in range(rounds))


def once(options: list[str], env: dict[str, str]) -> float:
    """Return the wall time of a fresh Python with these options, compiling beside (s)."""
    begin = time.perf_counter()
    everything = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "UNDERSTUDY_COMPILE": "beside", **env}
    subprocess.run([sys.executable, *options], check=True, capture_output=True, env=everything)
    return time.perf_counter() - begin


def with_empty_cache(options: list[str], rounds: int) -> float:
    """Return the best wall time of a fresh Python whose cache is empty (s)."""
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            times.append(once(options, {"NUMBA_CACHE_DIR": cache}))
            send_home(cache)
    return min(times)


def send_home(cache: str) -> None:
    """End the processes that still compile into a folder."""
    for process in psutil.process_iter(["cmdline"]):
        if "understudy.tiers.worker" in " ".join(process.info["cmdline"] or ()):
            try:
                if process.environ().get("NUMBA_CACHE_DIR") == cache:
                    process.kill()
                    process.wait(10)
            except psutil.Error:
                continue


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        once(FIRST_TICK, COMPILE)
        bare = best(["-c", "pass"], 5)
        numpy = best(["-c", "import numpy"], 5) - bare
        light = best(["-c", "import understudy"], 5) - bare
        warm = best(FIRST_TICK, 5)
        cold = with_empty_cache(FIRST_TICK, 3)
    results.say("startup.import_numpy_s", numpy)
    results.say("startup.import_understudy_s", light, most=0.5)
    results.say("startup.import_over_numpy", light / numpy)
    results.say("startup.first_tick_warm_s", warm)
    results.say("startup.first_tick_warm_over_numpy", warm / numpy, most=8)
    results.say("startup.first_tick_cold_s", cold)
    results.say("startup.first_tick_cold_over_numpy", cold / numpy, most=20)
    results.finish()


if __name__ == "__main__":
    main()
