"""The verb ``compare``: the same scene on both engines, and where they part."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from understudy import api
from understudy.cli.canvas import Bounds

Array = npt.NDArray[np.float64]

_EVERY_S = 0.1
_SIZE, _EDGE = 480.0, 16.0  # of the drawing
_COLOURS = {"planar": "#0077bb", "rigid": "#ee7733"}
ENGINES: tuple[Literal["planar", "rigid"], ...] = ("planar", "rigid")


@dataclass(frozen=True)
class Paths:
    """Where robots were: one array (times, robots, x y heading) for each engine, and the times (s)."""

    names: tuple[str, ...]
    times: Array
    planar: Array
    rigid: Array

    def apart_m(self) -> Array:
        """Return how far each robot is from its double, (times, robots) (m)."""
        return np.asarray(np.hypot(*np.moveaxis(self.planar - self.rigid, 2, 0)[:2]))

    def turned_rad(self) -> Array:
        """Return by how much each robot looks elsewhere than its double, (times, robots) (rad)."""
        off = self.planar[..., 2] - self.rigid[..., 2]
        return np.asarray(np.abs(np.mod(off + math.pi, math.tau) - math.pi))

    def gone_m(self) -> Array:
        """Return how far each robot has gone on the planar engine (m)."""
        steps = np.diff(self.planar[..., :2], axis=0)
        return np.asarray(np.hypot(steps[..., 0], steps[..., 1]).sum(axis=0))


def compare(args: argparse.Namespace) -> int:
    """Run a scene on both engines and say where they part."""
    runs = [_run(Path(args.file), engine, args.seconds, args.drive) for engine in ENGINES]
    (names, times, planar), (_, _, rigid) = runs
    paths = Paths(names, times, planar, rigid)
    for line in table(paths, args.apart):
        print(line)
    if args.svg:
        Path(args.svg).write_text(svg(paths), encoding="utf-8")
        print(f"drawn: {args.svg}")
    return 0


def _run(
    path: Path, engine: Literal["planar", "rigid"], seconds: float, drive: Sequence[float] | None
) -> tuple[tuple[str, ...], Array, Array]:
    """Return the robots, times and places of one run; who has no program drives as asked."""
    with api.load(path, engine=engine) as sim:
        programmed = {robot.name for robot in sim.start.robots if robot.program}
        for robot in sim.robots:
            if drive is not None and robot.name not in programmed:
                robot.drive(*drive)
        rows, times = [sim.fleet.poses[:, [0, 1, 5]].copy()], [0.0]
        while sim.time_s < seconds - 1e-9:
            sim.run(min(_EVERY_S, seconds - sim.time_s))
            rows.append(sim.fleet.poses[:, [0, 1, 5]].copy())
            times.append(sim.time_s)
        return tuple(robot.name for robot in sim.robots), np.array(times), np.array(rows)


def table(paths: Paths, limit_m: float) -> Iterator[str]:
    """Yield a line for each robot: its way, how far it is from its double, and since when that is beyond a limit."""
    apart, turned, gone = paths.apart_m(), paths.turned_rad(), paths.gone_m()
    yield f"{'robot':16} {'way':>8} {'apart':>9} {'at most':>9} {'turned':>8}  more than {limit_m:g} m apart"
    for row, name in enumerate(paths.names):
        beyond = np.flatnonzero(apart[:, row] > limit_m)
        since = f"from {paths.times[beyond[0]]:.1f} s on" if len(beyond) else "never"
        yield (
            f"{name:16} {gone[row]:6.2f} m {1000 * apart[-1, row]:6.1f} mm {1000 * apart[:, row].max():6.1f} mm "
            f"{math.degrees(turned[-1, row]):4.1f} deg  {since}"
        )


# ---- as SVG


def svg(paths: Paths) -> str:
    """Return the ways of all robots on both engines as a drawing."""
    points = np.concatenate([paths.planar, paths.rigid]).reshape(-1, 3)[:, :2]
    (left, bottom), (right, top) = points.min(axis=0) - 0.2, points.max(axis=0) + 0.2
    bounds = Bounds(float(left), float(bottom), float(right), float(top))
    scale = _SIZE / max(bounds.right - bounds.left, bounds.top - bounds.bottom)
    size = ((bounds.right - bounds.left) * scale + 2 * _EDGE, (bounds.top - bounds.bottom) * scale + 2 * _EDGE)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" width="{size[0]:.0f}">'
    lines = [_way(path, bounds, scale, _COLOURS[name]) for name, path in zip(ENGINES, (paths.planar, paths.rigid))]
    font = 'font-family="sans-serif" font-size="12"'
    words = [
        f'<text x="{_EDGE:.0f}" y="{14 + 14 * row}" {font} fill="{colour}">{name}</text>'
        for row, (name, colour) in enumerate(_COLOURS.items())
    ]
    return "\n".join([head, *(line for way in lines for line in way), *words, "</svg>", ""])


def _way(path: Array, bounds: Bounds, scale: float, colour: str) -> list[str]:
    """Return a line for each robot, with a dot where it ends."""
    drawn = []
    for row in range(path.shape[1]):
        across = (path[:, row, 0] - bounds.left) * scale + _EDGE
        down = (bounds.top - path[:, row, 1]) * scale + _EDGE
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down))
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        drawn.append(f'<circle cx="{across[-1]:.1f}" cy="{down[-1]:.1f}" r="3" fill="{colour}"/>')
    return drawn
