"""Processor time of the simulator while a client floods a serial port with 20,000 requests, on a real pseudo-terminal.

A polite client asks again when it has the answer, which a Roomba gives once in 15 ms and a scanner as its line allows.
The flooding one writes its requests in a tight loop and throws away what it reads. Reported: processor time of the
simulator per second for both, and the ratio. The device's line sets the pace, so the ratio stays small.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
import tty
from pathlib import Path

from results import Results

import understudy as us
from understudy.protocols.sick_lms200.telegrams import encode
from understudy.world.changes import Quit

REQUESTS, SECONDS, WARM_UP_S = 20_000, 6.0, 2.0
SCENE = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
[[robot]]
name = "r"
model = "{model}"
port.{port}.link = "pty:{folder}/port"
"""
# model -> port, what a client sends first, its request, bytes of the answer
DEVICES = {
    "create2": ("serial", bytes([128]), bytes([142, 100]), 80),
    "roomba-400": ("serial", bytes([128]), bytes([142, 0]), 26),
    "lms200-stand": ("sick", b"", encode(b"\x31"), 1 + 159),
}


def client(model: str, path: str, manner: str) -> None:
    """Ask until the time is over; in the process of the client."""
    _, start, request, size = DEVICES[model]
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    os.write(port, start)
    end = time.monotonic() + WARM_UP_S + SECONDS
    if manner == "flood":
        threading.Thread(target=flood, args=(port, request), daemon=True).start()
        while time.monotonic() < end:
            os.read(port, 4096)
        return
    while time.monotonic() < end:
        os.write(port, request)
        waiting = size
        while waiting > 0:
            waiting -= len(os.read(port, waiting))


def flood(port: int, request: bytes) -> None:
    """Write requests in a tight loop, 20,000 and more; the port makes the client wait as a slow line does."""
    while True:
        for _ in range(REQUESTS):
            os.write(port, request)


def cores_used(model: str, manner: str) -> float:
    """Return how much of a core the simulator uses while such a client is at work."""
    with tempfile.TemporaryDirectory() as folder:
        text = SCENE.format(model=model, port=DEVICES[model][0], folder=folder)
        with us.load_text(text, ports=True) as sim:
            sim.step(20)
            sim.clock.speed = 1.0
            caller = subprocess.Popen([sys.executable, __file__, "--client", model, f"{Path(folder)}/port", manner])
            marks: list[tuple[float, float]] = []

            def mark() -> None:
                marks.append((time.perf_counter(), time.process_time()))

            timers = [threading.Timer(WARM_UP_S, mark), threading.Timer(WARM_UP_S + SECONDS, mark)]
            timers.append(threading.Timer(WARM_UP_S + SECONDS + 0.1, lambda: sim.post(Quit())))
            for timer in timers:
                timer.start()
            sim.run()
            caller.kill()
            caller.wait()
    (begin, used_before), (end, used_after) = marks
    return (used_after - used_before) / (end - begin)


def main() -> None:
    """Measure, or be a client."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 where a stated goal is missed")
    parser.add_argument("--client", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.client:
        client(*args.client)
        return
    results = Results(args.check)
    for model in DEVICES:
        polite, flooded = (cores_used(model, manner) for manner in ("polite", "flood"))
        name = model.replace("-", "_")
        results.say(f"{name}_polite_cores", polite)
        results.say(f"{name}_flooded_cores", flooded)
        results.say(f"{name}_flooded_per_polite", flooded / polite, most=2.0)
    results.finish()


if __name__ == "__main__":
    main()
