"""How many trials of a RoBIOS program a core can run: a wall follower with 6 PSDs, in Python and in C, in lockstep.

A trial is 20 simulated seconds from the same start. "Together": one program resets its robot for each trial, so only
the first one pays for the start of processes. "Apart": each trial is a run of its own, with all that it imports.
Simulator and program share one core. The processor time of both counts on a machine that has other work; the peer, a
loop of plain Python, says how fast the core was meanwhile.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from results import Results, parse

TOGETHER, APART, TRIAL_S = 100, 2, 20
GOAL = 200  # simulated seconds per second
PEER_LOOPS = 2_000_000
COMMAND = (sys.executable, "-m", "understudy", "eyesim", "--fast", "--robot", "soccerbot", "--world", "room.wld")
WORLD = """
width 3000
height 2000
0 0 3000 0
3000 0 3000 2000
3000 2000 0 2000
0 2000 0 0
900 600 2100 600
2100 600 2100 1200
2100 1200 900 1200
900 1200 900 600
"""
PYTHON = """
import sys
from eye import *

for trial in range(int(sys.argv[2])):
    SIMSetRobot(0, 500, 1500, 0, 0)
    VWSetPosition(0, 0, 0)
    end = OSGetCount() + 1000 * int(sys.argv[1])
    while OSGetCount() < end:
        front, left, right = PSDGet(1), PSDGet(2), PSDGet(3)
        back, left_ahead, right_ahead = PSDGet(4), PSDGet(5), PSDGet(6)
        if front < 250 or right_ahead < 150:
            VWSetSpeed(50, -80)
        else:
            near = min(left, left_ahead * 707 // 1000)
            VWSetSpeed(250, max(-60, min(60, int((near - 180) / 3))))
        OSWait(50)
    print(trial, *VWGetPosition())
"""
C = """
#include "eyebot.h"

static int least(int a, int b) { return a < b ? a : b; }

int main(int argc, char *argv[]) {
    for (int trial = 0; trial < atoi(argv[2]); trial++) {
        int x, y, phi, end;
        SIMSetRobot(0, 500, 1500, 0, 0);
        VWSetPosition(0, 0, 0);
        end = OSGetCount() + 1000 * atoi(argv[1]);
        while (OSGetCount() < end) {
            int front = PSDGet(1), left = PSDGet(2), right = PSDGet(3);
            int back = PSDGet(4), left_ahead = PSDGet(5), right_ahead = PSDGet(6);
            (void)right, (void)back;
            if (front < 250 || right_ahead < 150)
                VWSetSpeed(50, -80);
            else {
                int turn = (least(left, left_ahead * 707 / 1000) - 180) / 3;
                VWSetSpeed(250, turn < -60 ? -60 : least(turn, 60));
            }
            OSWait(50);
        }
        VWGetPosition(&x, &y, &phi);
        printf("%d %d %d %d\\n", trial, x, y, phi);
    }
    return 0;
}
"""


@dataclass(frozen=True)
class Measured:
    """What some runs took, with the processes that they started (s), and where the robot was after each trial."""

    wall_s: float
    cpu_s: float
    lines: tuple[str, ...]


def runs(home: Path, program: str, trials: int, count: int) -> Measured:
    """Run a program so many times, with so many trials each."""
    before, since, lines = _children_s(), time.perf_counter(), []
    for _ in range(count):
        lines += _run(home, program, trials)
    return Measured(time.perf_counter() - since, _children_s() - before, tuple(lines))


def _run(home: Path, program: str, trials: int) -> Sequence[str]:
    words = [*COMMAND, program, str(TRIAL_S), str(trials)]
    done = subprocess.run(words, cwd=home, capture_output=True, text=True, check=False)
    if done.returncode or not re.search(r"hash \w+", done.stderr):
        sys.exit(done.stderr)
    return done.stdout.splitlines()


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peer_ns() -> float:
    """Return what a round of a Python loop takes now, of processor time (ns)."""
    begin = time.process_time()
    for i in range(PEER_LOOPS):
        i * i + 1
    return (time.process_time() - begin) / PEER_LOOPS * 1e9


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, text in (("room.wld", WORLD), ("follow.py", PYTHON), ("follow.c", C)):
            (home / name).write_text(text, encoding="utf-8")
        for program in ("follow.py", "follow.c"):
            _measure(results, home, program)
    results.finish()


def _measure(results: Results, home: Path, program: str) -> None:
    name = f"eyesim_trials.{Path(program).suffix[1:]}"
    runs(home, program, 1, 1)  # compile what is to be compiled
    peers = [peer_ns()]
    together = runs(home, program, TOGETHER, 1)
    peers.append(peer_ns())
    apart = runs(home, program, 1, APART)
    simulated = TOGETHER * TRIAL_S
    results.say(f"{name}.simulated_s_per_s", simulated / together.wall_s, least=GOAL)
    results.say(f"{name}.simulated_s_per_cpu_s", simulated / together.cpu_s, least=GOAL)
    later = (simulated - TRIAL_S) / (together.cpu_s - apart.cpu_s / APART)
    results.say(f"{name}.simulated_s_per_cpu_s_after_start", later)
    results.say(f"{name}.simulated_s_per_million_peer_loops", later * sum(peers) / 2 / 1000)
    results.say(f"{name}.trials_per_s", TOGETHER / together.wall_s)
    results.say(f"{name}.trials_per_cpu_s", TOGETHER / together.cpu_s)
    results.say(f"{name}.trials_apart_per_s", APART / apart.wall_s)
    results.say(f"{name}.trials_apart_per_cpu_s", APART / apart.cpu_s)


if __name__ == "__main__":
    main()
