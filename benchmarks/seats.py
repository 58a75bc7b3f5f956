"""How many times a second a program and the world can hand over to each other.

A hand-over is: the world says go, the program runs, gives an order and waits again. Only that is measured: between two
hand-overs the clock is set on by one tick, and nothing else moves. Programs in this process are greenlets, the others
processes at a socket; all share one core, so the processor time of all is what counts on a machine that has other work.
The peer is an empty record that goes there and back over such a socket, in Python too: what the system charges before
anybody does anything.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from results import parse

from understudy import api
from understudy.sim.sim import Sim
from understudy.world.robot import Program

SCENE = """
schema = 1
ground = {size_m = [20, 20], walled = true}
[[robot]]
name = "a"
model = "scout"
[[robot]]
name = "b"
model = "scout"
x_m = 2
"""
INSIDE = "def main(robot):\n    while True:\n        robot.drive(0.1)\n        robot.wait()\n"
OUTSIDE = (
    "from understudy_seat import connect\nrobot = connect()\nwhile True:\n    robot.drive(0.1)\n    robot.wait()\n"
)
READING = OUTSIDE.replace("robot.wait()", "robot.read('front')\n    robot.wait()")
ECHO = "import socket, sys\ns = socket.socket(fileno=int(sys.argv[1]))\nwhile (d := s.recv(64)): s.sendall(d)\n"
ROUNDS, SECONDS = 5, 1.0
GOAL = 40_000


def rate(once: Callable[[], None]) -> tuple[float, float]:
    """Return how often something can be done in a second, by the clock and of processor time: the best of rounds."""
    best = 0.0, 0.0
    for _ in range(ROUNDS):
        count, begin, used = 0, time.perf_counter(), cpu_s()
        while (passed := time.perf_counter() - begin) < SECONDS:
            for _ in range(100):
                once()
            count += 100
        best = max(best[0], count / passed), max(best[1], count / (cpu_s() - used))
    return best


def cpu_s() -> float:
    """Return the processor time of this process and of those that it has started (s)."""
    times = [process.cpu_times() for process in psutil.Process().children()]
    return time.process_time() + sum(each.user + each.system for each in times)


def seats(text: str, names: str, command: bool) -> tuple[float, float]:
    """Return the hand-overs a second of programs with this text on these robots, all of them together."""
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "room.toml").write_text(SCENE, encoding="utf-8")
        (Path(home) / "prog.py").write_text(text, encoding="utf-8")
        path = str(Path(home) / "prog.py")
        program = Program(command=(sys.executable, path)) if command else Program(path)
        with api.load(Path(home) / "room.toml", programs=dict.fromkeys(names, program)) as sim:
            sim.step()
            wall, cpu = rate(lambda: hand_over(sim))
            return len(names) * wall, len(names) * cpu


def hand_over(sim: Sim) -> None:
    """Let every program have its turn a tick later; what they order is dropped."""
    sim.current.tick += 1
    sim.take_turns()
    sim.inbox.forget()


def echoes() -> tuple[float, float]:
    """Return how often a second a record of 13 bytes goes to another process and back."""
    ours, theirs = socket.socketpair()
    with subprocess.Popen([sys.executable, "-c", ECHO, str(theirs.fileno())], pass_fds=[theirs.fileno()]) as process:
        theirs.close()
        best = rate(lambda: echo(ours))
        ours.close()
        process.wait()
    return best


def echo(sock: socket.socket) -> None:
    """Send a record and wait until it is back."""
    sock.sendall(b"x" * 13)
    sock.recv(64)


def main() -> None:
    """Measure and report."""
    results = parse(__doc__)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    peer, outside = echoes(), seats(OUTSIDE, "a", True)
    figures = {
        "echo": peer,
        "greenlet": seats(INSIDE, "a", False),
        "process": outside,
        "two_processes": seats(OUTSIDE, "ab", True),
        "process_with_reading": seats(READING, "a", True),
    }
    for name, (wall, cpu) in figures.items():
        results.say(f"seats.{name}_per_s", wall)
        results.say(f"seats.{name}_per_cpu_s", cpu, least=GOAL if name == "process" else None)
    results.say("seats.process_over_echo", outside[1] / peer[1])
    results.finish()


if __name__ == "__main__":
    main()
