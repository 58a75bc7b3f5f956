"""The studio: frames per second in Chromium, load of the server, and latency from a key to the wheels.

Each scene runs in a process of its own as `understudy studio` does, at real time; Chromium draws without a graphics
card, so its frames per second are a lower bound. The server's share is processor time per second, with a browser
and without. For the latency a WebSocket client in this process presses and releases a key a hundred times; the
time from its message to the tick that applies the command is measured.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from results import Results, parse

import understudy as us
from understudy.sim.inbox import Order
from understudy.sim.listeners import Snapshot
from understudy.world.changes import Quit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from studio_browser import Chromium, Studio, Watcher  # the browser that the tests use

PICTURES = "stage.view3d.renderer.info.render.frame"  # drawn so far; none is drawn twice
SECONDS = 6.0
PRESSES = 100
SCENE = """
schema = 1
seed = 1
{tick}
ground = {{size_m = [{size}, {size}], walled = true}}
origin = {{latitude_deg = 46.5, longitude_deg = 6.6}}
"""
ROBOT = '[[robot]]\nmodel = "{model}"\nname = "r{n}"\nx_m = {x}\ny_m = {y}\nheading_deg = {turn}\n'


def scene(robots: int, model: str, tick_us: int = 5000) -> str:
    """Return a hall with robots in rows."""
    side = int(np.ceil(np.sqrt(robots)))
    spots = [(1.5 * (n % side - side / 2 + 0.5), 1.5 * (n // side - side / 2 + 0.5)) for n in range(robots)]
    rows = (ROBOT.format(model=model, n=n, x=x, y=y, turn=n * 37 % 360) for n, (x, y) in enumerate(spots))
    return SCENE.format(size=1.5 * side + 4, tick=f"tick_us = {tick_us}") + "".join(rows)


def share(pid: int, seconds: float) -> float:
    """Return the processor time that a process uses per second."""
    process, begun = psutil.Process(pid), time.perf_counter()
    before = process.cpu_times()
    time.sleep(seconds)
    after = process.cpu_times()
    return (after.user + after.system - before.user - before.system) / (time.perf_counter() - begun)


def browser_s(chromium: Chromium) -> float:
    """Return the processor time that Chromium has used: on a busy machine a better measure than frames per second."""
    root = psutil.Process(chromium.driver.service.process.pid)
    times = [process.cpu_times() for process in (root, *root.children(recursive=True))]
    return sum(found.user + found.system for found in times)


def watched(results: Results, name: str, text: str, beams: str, least: float) -> None:
    """Show one scene and measure."""
    studio = Studio(scene=text)
    try:
        Watcher(studio.url).close()  # waits until the scene is there
        alone = share(studio.pid, SECONDS)
        chromium = Chromium(size=(1280, 800))
        try:
            chromium.open(studio.url)
            chromium.js(f'__us.stage.set("beams", "{beams}")')
            time.sleep(1.0)
            before, begun, spent = chromium.us(PICTURES), time.perf_counter(), browser_s(chromium)
            used = share(studio.pid, SECONDS)
            drawn, spent = chromium.us(PICTURES) - before, browser_s(chromium) - spent
            frames = drawn / (time.perf_counter() - begun)
        finally:
            chromium.close()
    finally:
        studio.close()
    results.say(f"{name}_frames_per_second", frames, least=least)
    results.say(f"{name}_browser_ms_per_frame", 1000.0 * spent / max(drawn, 1))
    results.say(f"{name}_server_cores_with_a_browser", used)
    results.say(f"{name}_server_cores_for_the_browser", used - alone)


# ---- from a key to the wheels


class Stopwatch:
    """Records when a command of a user is applied."""

    def __init__(self) -> None:
        self.taken = threading.Event()
        self.at_s = 0.0

    def begin(self, sim: us.Sim) -> None:
        """Nothing to prepare."""

    def tick(self, snapshot: Snapshot) -> None:
        """Look for a command."""
        if any(isinstance(item.body, Order) and item.source == "user" for item in snapshot.items):
            self.at_s = time.perf_counter()
            self.taken.set()

    def end(self, reason: str) -> None:
        """Nothing to do."""


@contextmanager
def client(host: str) -> Iterator[Any]:
    """Yield a connection to the stream whose frames are answered."""
    from websockets.sync.client import connect

    with connect(f"ws://{host}/stream", origin=f"http://{host}", max_size=None) as socket:  # type: ignore[arg-type]
        threading.Thread(target=lambda: [socket.send(bytes(4)) for data in socket if isinstance(data, bytes)]).start()
        yield socket


def delays_ms(robots: int) -> tuple[Any, float]:
    """Return how long keys take to reach the wheels, and the tick (ms)."""
    from understudy.studio.app import Studio as Served

    watch, found = Stopwatch(), []
    with us.load_text(scene(robots, "scout")) as sim, Served(port=0) as served:
        sim.attach(watch)
        sim.clock.speed = 1.0
        runner = served.show(sim)

        def press() -> None:
            with client(served.url.split("/")[2]) as socket:
                for number in range(PRESSES):
                    watch.taken.clear()
                    time.sleep(0.013)
                    keys = ["forward"] if number % 2 == 0 else []
                    begun = time.perf_counter()
                    socket.send(json.dumps({"do": "drive", "robot": "r0", "keys": keys}))
                    watch.taken.wait(2.0)
                    found.append((watch.at_s - begun) * 1000.0)
            sim.post(Quit())

        threading.Thread(target=press).start()
        runner.run()
    return np.array(found), sim.start.tick_us / 1000.0


def main() -> None:
    """Measure all."""
    results = parse(__doc__)
    watched(results, "one_robot", scene(1, "p3dx"), "selected", least=15.0)
    watched(results, "twenty_lasers", scene(20, "scout"), "all", least=8.0)
    watched(results, "twenty_pioneers", scene(20, "p3dx"), "selected", least=8.0)
    watched(results, "five_hundred", scene(500, "scout", 20_000), "selected", least=5.0)
    delays, tick_ms = delays_ms(1)
    results.say("key_to_wheels_p50_ms", float(np.percentile(delays, 50)))
    results.say("key_to_wheels_p50_ticks", float(np.percentile(delays, 50)) / tick_ms, most=2.0)
    results.say("key_to_wheels_p95_ticks", float(np.percentile(delays, 95)) / tick_ms, most=5.0)
    results.finish()


if __name__ == "__main__":
    main()
