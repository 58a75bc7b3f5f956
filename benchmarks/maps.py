"""How long it takes to read, write and drive on maps. The baseline is reading the same numbers with plain Python.

Each figure is the best of several rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from results import parse

from understudy import api
from understudy.formats.aria import map_file
from understudy.formats.native import scene_file
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.world.walls import pieces

LINES, POINTS = 200_000, 60_000
SPAN_MM = 100_000


def many_lines() -> bytes:
    """Return a map of about 5 MB of walls."""
    dice = np.random.default_rng(1)
    starts = dice.integers(-SPAN_MM, SPAN_MM, (LINES, 2))
    rows = np.column_stack([starts, starts + dice.integers(-3_000, 3_000, (LINES, 2))]).tolist()
    return ("2D-Map\nLINES\n" + "\n".join(f"{a} {b} {c} {d}" for a, b, c, d in rows) + "\nDATA\n").encode()


def scanned() -> bytes:
    """Return rooms of 4 m as a scanner draws them: so many points beside their walls, on a grid of 20 mm."""
    dice = np.random.default_rng(2)
    along, wall = dice.uniform(0.0, 24_000.0, POINTS), 4_000.0 * dice.integers(0, 7, POINTS)
    door = (along + 1_500.0) % 4_000.0 < 1_000.0
    across = dice.random(POINTS) < 0.5
    x, y = np.where(across, along, wall), np.where(across, wall, along)
    noise = dice.normal(0.0, 15.0, (POINTS, 2))
    rows = (20 * np.rint((np.column_stack([x, y]) + noise)[~door] / 20)).astype(int).tolist()
    home = 'Cairn: RobotHome 2000 2000 0 "" ICON "Home"'
    return (f"2D-Map\nResolution: 20\n{home}\nDATA\n" + "\n".join(f"{a} {b}" for a, b in rows) + "\n").encode()


def best_s(call: Callable[[], Any], tries: int = 5) -> float:
    """Return the best wall time of a call (s)."""
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def by_hand(data: bytes) -> list[tuple[int, ...]]:
    """Read all rows as one would at first."""
    return [tuple(map(int, line.split())) for line in data.decode().splitlines() if line[-1:].isdigit()]


def main() -> None:
    """Measure and report."""
    results, words = parse(__doc__), vocabulary()
    large, rooms = many_lines(), scanned()
    read = best_s(lambda: map_file.parse(large, "large.map", words))
    document = map_file.parse(large, "large.map", words)
    results.say("maps.megabytes", len(large) / 1e6)
    results.say("maps.read_s", read, most=1.0)
    results.say("maps.read_over_plain_python", read / best_s(lambda: by_hand(large)))
    results.say("maps.write_s", best_s(lambda: map_file.write(document.scene), 3))
    wall = map_file.parse(rooms, "rooms.map", words).scene.walls[0]
    results.say("maps.points", len(wall.dots_m))
    results.say("maps.pieces_of_points", len(pieces(wall)))
    results.say("maps.join_points_s", best_s(lambda: pieces(wall)))
    walk(results, api.with_robots(map_file.parse(rooms, "rooms.map", words), ["p3dx"]))
    results.finish()


def walk(results: Any, document: Any) -> None:
    """Measure how a Pioneer gets on among the points."""
    scene = scene_file.resolve(document, vocabulary(), overlaps_too=False)
    go(scene, 1.0)  # compiles
    results.say("maps.points_to_first_tick_s", best_s(lambda: first_tick(scene), 3), most=3.0)
    results.say("maps.times_real_time_among_points", 10.0 / go(scene, 10.0), least=2.0)


def go(scene: Any, seconds: float) -> float:
    """Let the robot drive in a circle; return how long that took (s)."""
    with Sim(scene) as sim:
        sim.robots[0].drive(0.3, 0.3)
        begin = time.perf_counter()
        sim.run(seconds)
        return time.perf_counter() - begin


def first_tick(scene: Any) -> None:
    """Build a simulation and let one tick pass."""
    with Sim(scene) as sim:
        sim.step()


if __name__ == "__main__":
    main()
