"""Unmodified programs that share the clock: simulated seconds per second, and where the time goes.

The machine is rarely quiet, and simulator and programs take turns: so the speed is given by processor time, that of the
simulator and of all programs together, beside that by the wall clock. ``--hour`` adds a run of one simulated hour.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from results import Results

import understudy as us
from understudy.sim.sim import Sim

SUBJECTS = Path(__file__).parents[1] / "tests" / "together" / "subjects"
SCENE = """
schema = 1
ground = {{size_m = [8, 6], walled = true}}
[[robot]]
model = "p3dx-sh"
name = "pioneer"
x_m = -1.5
port.host.link = "tcp://127.0.0.1:{port}"
port.gps.link = "pty:{folder}/gps"
"""
PORT = 8691
GOAL = 20.0  # times real time, a single Pioneer with laser and sonar


class TickTime:
    """Adds up the processor time of the simulator's own ticks."""

    def __init__(self, sim: Sim) -> None:
        self.seconds, run = 0.0, sim.current
        self._advance = run.advance
        run.advance = self._timed  # type: ignore[method-assign]

    def _timed(self, *args):  # type: ignore[no-untyped-def]
        begun = time.thread_time()
        outcome = self._advance(*args)
        self.seconds += time.thread_time() - begun
        return outcome


def processor_s() -> float:
    """Return the processor time of this process and of the children that have ended (s)."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def warm_up(command: list[str], folder: Path) -> None:
    """Run a program once, so that everything is compiled."""
    with us.load_text(SCENE.format(port=PORT, folder=folder)) as sim:
        sim.together([command])


def measured(name: str, command: list[str], folder: Path, results: Results, goal: float | None = None) -> None:
    """Run one program and say how fast it went."""
    with us.load_text(SCENE.format(port=PORT, folder=folder)) as sim:
        clock, ticks = sim.share_clock([command]), TickTime(sim)
        start_s, wall, used = sim.time_s, time.perf_counter(), processor_s()
        clock.run()
        simulated, wall = sim.time_s - start_s, time.perf_counter() - wall
        if clock.exit_code:
            sys.exit(f"{command[0]} ended with exit code {clock.exit_code}")
    used = processor_s() - used
    results.say(f"together.{name}.x_real_time_by_processor_time", simulated / used, least=goal)
    results.say(f"together.{name}.x_real_time_by_wall_clock", simulated / wall)
    results.say(f"together.{name}.share_of_ticks", ticks.seconds / used)
    results.say(f"together.{name}.questions_per_simulated_s", clock.questions / simulated)


def main() -> None:
    """Measure each kind of program that this machine has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--hour", action="store_true", help="also run one simulated hour")
    args = parser.parse_args()
    results = Results(args.check)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiler = os.environ.get("CC", "cc")
        program = str(folder / "pioneer")
        subprocess.run([compiler, "-O2", "-o", program, str(SUBJECTS / "pioneer.c")], check=True)
        warm_up([program, str(PORT), "20", "laser"], folder)
        measured("c_with_laser_and_sonar", [program, str(PORT), "60", "laser"], folder, results, GOAL)
        threads = [sys.executable, str(SUBJECTS / "threads.py"), str(PORT), "20"]
        measured("python_with_threads", threads, folder, results)
        measured("pyserial_on_a_gps", [sys.executable, str(SUBJECTS / "gps.py"), f"{folder}/gps"], folder, results)
        if shutil.which("javac"):
            subprocess.run(["javac", "-d", name, str(SUBJECTS / "Drive.java")], check=True)
            measured("java", ["java", "-cp", name, "Drive", str(PORT), "20"], folder, results)
        if shutil.which("node"):
            measured("node", ["node", str(SUBJECTS / "drive.js"), str(PORT), "20"], folder, results)
        if args.hour:
            measured("an_hour_of_c", [program, str(PORT), "3600", "laser"], folder, results, GOAL)
    results.finish()


if __name__ == "__main__":
    main()
