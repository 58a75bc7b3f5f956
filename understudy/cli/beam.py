"""The verb ``beam``: the region in which a device detects a pole of a given width, as a text plot or an SVG file."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from understudy import api
from understudy.cli import logs
from understudy.cli.braille import BrailleCanvas, ViewBounds
from understudy.cli.picture import header
from understudy.cli.terminal import knows_braille
from understudy.errors import UnknownName, nearest
from understudy.formats import beam_points, targets
from understudy.formats.native import scene_file
from understudy.sensors import SENSORS
from understudy.sensors.cone import Sonar
from understudy.sensors.lobes import Lobe
from understudy.sensors.models import models
from understudy.sensors.pattern import Pattern, pattern, width_rad
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import PlacedRobot
from understudy.world.shapes import Mount

_ROWS, _COLUMNS = 30, 100  # maximum size of the plot
_ABOVE = Mount(z_m=1.0)  # mount of a device that belongs to no robot
_SIZE, _EDGE = 320.0, 26.0  # of an SVG file: the longer side of its grid, and the margin around it (pixels)


class FoundDevice(NamedTuple):
    """The device that the command line names."""

    title: str
    sheet: Any
    mount: Mount = _ABOVE


def beam(args: argparse.Namespace) -> int:
    """Show where a device detects a pole of a given width."""
    if args.svg:
        targets.check(args.svg, "an SVG drawing", targets.is_svg)
    found = find(args.sensor, args.scene)
    values = len(found.sheet.columns()) if found.sheet.table(found.mount) is not None else 0
    if args.number is not None and not args.number < values:
        raise UnknownName(f"{args.sensor} has no value {args.number}; its values are 0 to {values - 1}")
    with logs.to_stderr("text"), logs.compile_notice():
        seen = pattern(found.sheet, args.target, found.mount, args.number)
    if args.svg:
        Path(args.svg).write_text(svg(seen), encoding="utf-8")
        print(f"{args.svg}: written")
        return 0
    size = shutil.get_terminal_size((80, 24))
    title = f"{found.title}: where a pole of {args.target:g} m is detected"
    for row in (title, *plot(seen, min(size.columns, _COLUMNS), min(size.lines - 4, _ROWS)), *summary(seen)):
        print(row)
    return 0


# ---- which device


def find(sensor: str, scene: str | None) -> FoundDevice:
    """Return the device that *sensor* names: a model, a kind, ROBOT/DEVICE, or a file of measured points."""
    if "/" in sensor and not sensor.endswith(".csv"):
        return _on_robot(sensor, scene)
    if sensor in models():
        return FoundDevice(models()[sensor].summary, models()[sensor].sheet)
    kinds = SENSORS
    if sensor in kinds:
        return FoundDevice(f"a {sensor}", kinds[sensor]())
    if sensor.endswith(".csv"):
        lobes = tuple(Lobe(**lobe) for lobe in beam_points.parse(Path(sensor).read_text(encoding="utf-8"), sensor))  # type: ignore[arg-type]
        return FoundDevice(sensor, Sonar(lobes=lobes, max_m=max(lobe.max_m for lobe in lobes)))
    known = {*models(), *kinds}
    raise UnknownName(f"unknown device {sensor!r} {nearest(sensor, known)}; name a robot's device as ROBOT/DEVICE")


def _on_robot(sensor: str, scene: str | None) -> FoundDevice:
    name, _, device = sensor.partition("/")
    robots = _robots(name, scene)
    if name not in robots:
        raise UnknownName(f"{scene} has no robot {name!r} {nearest(name, robots)}")
    devices = {each.name: each for each in robots[name].built.devices}
    if device not in devices:
        raise UnknownName(f"{name} has no device {device!r} {nearest(device, devices)}")
    return FoundDevice(sensor, devices[device].sheet, devices[device].mount)


def _robots(name: str, scene: str | None) -> dict[str, PlacedRobot]:
    """Return the robots of a scene, or one robot of the catalogue."""
    if scene is not None:
        flat = scene_file.resolve(api.open_document(scene), vocabulary())
        return {robot.name: robot for robot in flat.robots}
    words = vocabulary()
    if name not in words.catalog:
        raise UnknownName(f"unknown robot {name!r} {nearest(name, words.catalog)}; for a robot of a scene add --scene")
    alone = f'schema = 1\n[[robot]]\nmodel = "{name}"\n'
    (robot,) = scene_file.resolve(scene_file.parse(alone, "<text>", words), words).robots
    return {name: robot}


# ---- as characters


def plot(seen: Pattern, width: int, height: int) -> list[str]:
    """Return the pattern as rows of characters below a scale; forward is to the right, > marks the robot's centre."""
    braille = knows_braille(sys.stdout.encoding or "", os.environ)
    corners = [(x, y) for x in (min(seen.x_m[0], 0.0), seen.x_m[-1]) for y in (seen.y_m[0], seen.y_m[-1])]
    bounds = ViewBounds(*(min(axis) for axis in zip(*corners)), *(max(axis) for axis in zip(*corners)))
    canvas = BrailleCanvas(bounds, width, _high(bounds, width, height), braille)
    for point in _dots(canvas, seen, bounds):
        canvas.dot(point)
    canvas.text((0.0, 0.0), ">")
    return ["".join(text for text, _ in row).rstrip() for row in (header("", canvas), *canvas.render())]


def _high(bounds: ViewBounds, width: int, height: int) -> int:
    """Return the number of rows that the plot needs; a character is twice as high as wide."""
    wanted = math.ceil(width / 2 * (bounds.top - bounds.bottom) / (bounds.right - bounds.left)) + 1
    return max(min(wanted, height), 3)


def _dots(canvas: BrailleCanvas, seen: Pattern, bounds: ViewBounds) -> Iterator[tuple[float, float]]:
    """Yield a point for every dot of the canvas at which the pole is detected."""
    step = 1.0 / canvas.fit.dots_per_m
    x, y = np.meshgrid(
        np.arange(bounds.left, bounds.right + step, step), np.arange(bounds.bottom, bounds.top + step, step)
    )
    noticed = seen.at(x, y)
    yield from zip(x[noticed].tolist(), y[noticed].tolist())


def summary(seen: Pattern) -> Iterator[str]:
    """Yield the range and the width of the pattern as lines of text."""
    far = seen.farthest_m()
    if far == 0.0:
        yield "not detected anywhere"
        return
    yield f"up to {far:.2f} m"
    for part in (0.25, 0.5, 0.75):
        yield f"{math.degrees(width_rad(seen, part * far)):4.0f} deg wide at {part * far:.2f} m"


# ---- as SVG


def svg(seen: Pattern) -> str:
    """Return the pattern as an SVG drawing; forward is up, with circles around the robot's centre."""
    wide, high = float(seen.y_m[-1] - seen.y_m[0]), float(seen.x_m[-1] - seen.x_m[0])
    scale = _SIZE / max(wide, high)
    left, top = -seen.y_m[-1] * scale - _EDGE, -seen.x_m[-1] * scale - _EDGE
    size = f"{wide * scale + 2 * _EDGE:.0f}", f"{high * scale + 2 * _EDGE:.0f}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.1f} {top:.1f} {size[0]} {size[1]}" width="{size[0]}">'
    )
    cells = f'<path d="{"".join(_cells(seen, scale))}" fill="#33bbee" fill-opacity="0.6"/>'
    dot = '<circle r="3" fill="#cc3311"/>'
    return "\n".join([head, cells, *_circles(max(wide, high), scale), dot, "</svg>", ""])


def _cells(seen: Pattern, scale: float) -> Iterator[str]:
    """Yield a rectangle for each run of adjacent cells."""
    high, wide = (step * scale for step in seen.steps_m)
    for column, x in enumerate(seen.x_m.tolist()):
        noticed = [False, *seen.seen[::-1, column].tolist(), False]  # from left to right
        edges = [i for i in range(len(noticed) - 1) if noticed[i] != noticed[i + 1]]
        for first, last in zip(edges[::2], edges[1::2]):
            across, down = -seen.y_m[-1] * scale + (first - 0.5) * wide, -x * scale - high / 2
            yield f"M{across:.1f},{down:.1f}h{(last - first) * wide:.1f}v{high:.1f}h{(first - last) * wide:.1f}z"


def _circles(extent_m: float, scale: float) -> Iterator[str]:
    """Yield circles at round distances, with their labels."""
    power = 10.0 ** math.floor(math.log10(extent_m / 2))
    gap = max(power * digit for digit in (1, 2, 5) if power * digit <= extent_m / 2)
    style = 'fill="none" stroke="#999" stroke-width="0.7" stroke-dasharray="3 3"'
    font = 'font-family="sans-serif" font-size="11" fill="#666"'
    for n in range(1, math.floor(extent_m / gap) + 1):
        radius = n * gap * scale
        yield f'<circle r="{radius:.1f}" {style}/>'
        yield f'<text x="4" y="{-radius - 3:.1f}" {font}>{n * gap:g} m</text>'
