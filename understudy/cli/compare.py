"""The verb ``compare``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path

from understudy.cli import logs
from understudy.cli.examples import default_scene
from understudy.compare import APART_M, APART_RAD, Comparison, Path2, compare
from understudy.formats import targets
from understudy.formats.native import scene_file
from understudy.world.robot import Program

COLOURS = ("#0077bb", "#cc3311")  # of the two engines
WIDE, EDGE = 760.0, 40.0  # width and margin of the drawing (pixels)


def compare_engines(args: argparse.Namespace) -> int:
    """Run a scene on both engines and report where the results diverge."""
    if args.svg:
        targets.check(args.svg, "an SVG drawing", targets.is_svg)
    programs = {robot: Program(str(Path(file).resolve())) for robot, file in args.program}
    with logs.to_stderr("text"), logs.compile_notice():
        found = compare(args.file or default_scene(), args.seconds, seed=args.seed, programs=programs, drive=args.drive)
    print(table(found))
    if args.svg:
        scene_file.save(args.svg, drawing(found))
    return 0


def table(found: Comparison) -> str:
    """Return a row for every robot: path length, time of divergence, largest and final difference."""
    first, second = found.engines
    rows = [
        f"{found.seconds:g} s on {first} and on {second}; diverged: more than {APART_M * 100:g} cm "
        f"or {math.degrees(APART_RAD):g} deg apart",
        f"{'robot':16} {'path':>8}  {'diverged at':>12}  {'largest':>18}  {'at the end':>18}",
    ]
    for path in found.paths:
        parted = path.parted_s()
        rows.append(
            f"{path.name:16} {path.way_m():6.2f} m  {'never' if parted is None else f'{parted:.1f} s':>12}  "
            f"{_gap(path.apart_m().max(), path.turned_rad().max()):>18}  "
            f"{_gap(path.apart_m()[-1], path.turned_rad()[-1]):>18}"
        )
    return "\n".join(rows)


def _gap(metres: float, radians: float) -> str:
    return f"{metres * 100:.2f} cm, {math.degrees(radians):.2f} deg"


def drawing(found: Comparison) -> str:
    """Return the paths of all robots on both engines as SVG; a circle marks where they diverge."""
    points = [point for path in found.paths for rows in (path.first, path.second) for point in rows[:, :2].tolist()]
    low_x, high_x = (f(x for x, _ in points) for f in (min, max)) if points else (0.0, 1.0)
    low_y, high_y = (f(y for _, y in points) for f in (min, max)) if points else (0.0, 1.0)
    scale = (WIDE - 2 * EDGE) / max(high_x - low_x, high_y - low_y, 0.1)
    height = (high_y - low_y) * scale + 2 * EDGE

    def place(x: float, y: float) -> str:
        return f"{EDGE + (x - low_x) * scale:.1f},{height - EDGE - (y - low_y) * scale:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {height:.0f}" font-family="sans-serif" '
        'font-size="13"><rect width="100%" height="100%" fill="#ffffff"/>'
    ]
    for path in found.paths:
        for rows, colour in zip((path.first, path.second), COLOURS):
            line = " ".join(place(x, y) for x, y in rows[:, :2].tolist())
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(_marks(path, place(*path.first[0, :2].tolist()), _parting(path, place)))
    for number, (name, colour) in enumerate(zip(found.engines, COLOURS)):
        parts.append(f'<text x="{EDGE + 90 * number:g}" y="20" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _parting(path: Path2, place: Callable[[float, float], str]) -> str:
    parted = path.parted_s()
    return "" if parted is None else place(*path.first[round(parted * 10), :2].tolist())


def _marks(path: Path2, begin: str, parting: str) -> str:
    x, _, y = begin.partition(",")
    name = f'<text x="{x}" y="{y}" dx="6" dy="-6">{path.name}</text>'
    if not parting:
        return name
    px, _, py = parting.partition(",")
    return f'{name}<circle cx="{px}" cy="{py}" r="4" fill="none" stroke="#000000"/>'
