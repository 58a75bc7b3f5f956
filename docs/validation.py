"""Repeats two experiments of the SEAR dissertation and draws docs/validation/*.svg; a test fails when one is stale.

Section 5.6.2.1: a Roomba with a PING))) drives past obstacles; figure 5.6.2.2.2: an LMS-200 in front of boxes.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plots import Axes, Points, dots, figure, line

import understudy as us
from understudy.engines.planar.layout import box_segments
from understudy.world.scene import Scene, Solid
from understudy.world.shapes import Box, Cylinder

FOLDER = Path(__file__).parent / "validation"
BLUE, RED, GREY = "#0077bb", "#cc3311", "#888888"
SAFE_FORWARD = bytes([128, 131, 137]) + struct.pack(">hH", 200, 0x8000)  # start, safe, 200 mm/s straight on
DISTANCE = bytes([142, 19])  # packet 19: mm since the last request
CIRCLE = 32  # corners


@dataclass(frozen=True, slots=True)
class Drive:
    """What the program of the Roomba has recorded, one row per request."""

    odometer_m: list[float]
    nested_m: list[float]
    sector_m: list[float]


@dataclass(frozen=True, slots=True)
class Scan:
    """Where the echoes of a scan are, in the scanner's frame (m)."""

    plain: Points
    scattering: Points


@cache
def drive(metres: float = 5.8) -> Drive:
    """Drive straight on and record odometer and both rangers every 90 ms, with the bytes of the Open Interface."""
    rows = []
    with us.load(FOLDER / "ping_course.toml", seed=1) as sim:
        sim.open_ports()
        client, robot = sim.ports.link("roomba/serial").client(), sim.robot("roomba")
        client.send(SAFE_FORWARD)
        odometer_mm = 0
        while odometer_mm < 1000 * metres:
            client.send(DISTANCE)
            sim.step(6)
            (since,) = struct.unpack(">h", client.receive())
            odometer_mm += since
            rows.append((odometer_mm / 1000, float(robot.read("nested")[0]), float(robot.read("sector")[0])))
    return Drive(*map(list, zip(*rows)))


@cache
def scan() -> Scan:
    """Scan the boxes once with thin rays and once with the beam of the real scanner."""
    with us.load(FOLDER / "lms200_boxes.toml", seed=1) as sim:
        sim.step()
        robot = sim.robot("stand")
        return Scan(_echoes(robot, "plain"), _echoes(robot, "scattering"))


def _echoes(robot: us.Robot, device: str) -> Points:
    sheet = robot.sheet(device)
    pairs = zip(robot.read(device).tolist(), sheet.angles_rad().tolist())
    return [(r * math.cos(a), r * math.sin(a)) for r, a in pairs if r < sheet.max_m]


def outlines(scene: Scene) -> list[Points]:
    """Return the outlines of the objects of a scene, seen from above."""
    return [_outline(solid) for solid in scene.objects]


def _outline(solid: Solid) -> Points:
    if isinstance(solid.shape, Box):
        return [(ax, ay) for ax, ay, _, _ in box_segments(solid.pose, solid.shape)]
    assert isinstance(solid.shape, Cylinder)
    steps = [2 * math.pi * n / CIRCLE for n in range(CIRCLE)]
    x, y, r = solid.pose.x_m, solid.pose.y_m, solid.shape.radius_m
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in steps]


def _objects(file: str) -> list[Points]:
    with us.load(FOLDER / file) as sim:
        return outlines(sim.scene)


def curve() -> str:
    """Return the plot of range over odometer for both models of the beam."""
    seen, axes = drive(), Axes((0.0, 6.0), (0.0, 3.6), 620.0, 250.0)
    parts = [
        line(axes, list(zip(seen.odometer_m, ranges)), colour)
        for ranges, colour in ((seen.sector_m, RED), (seen.nested_m, BLUE))
    ]
    names = [("nested cones (PING)))", BLUE), ("one sector of a circle, as in Stage", RED)]
    return figure(axes, parts, "odometer (m)", "range (m)", names)


def course() -> str:
    """Return the map of the course, with the outlines of both beams at the start."""
    axes = Axes((-0.5, 7.0), (-1.6, 1.6), 620.0, 265.0)
    with us.load(FOLDER / "ping_course.toml") as sim:
        robot = sim.robot("roomba")
        beams = [(BLUE, robot.sheet("nested").lobes), (RED, robot.sheet("sector").lobes)]
    parts = [line(axes, outline, GREY, closed=True) for outline in _objects("ping_course.toml")]
    parts += [line(axes, [(0.0, 0.0), (5.8, 0.0)], GREY)]
    parts += [line(axes, _fan(lobe.width_rad, lobe.max_m), colour) for colour, lobes in beams for lobe in lobes]
    return figure(axes, parts, "x (m)", "y (m)", [("nested cones", BLUE), ("sector", RED)])


def _fan(width_rad: float, radius_m: float) -> Points:
    angles = [width_rad * (n / 16 - 0.5) for n in range(17)]
    return [(0.0, 0.0), *((radius_m * math.cos(a), radius_m * math.sin(a)) for a in angles), (0.0, 0.0)]


def boxes(name: str) -> str:
    """Return the plot of a scan from above: ``plain`` or ``scattering``; the scanner is at the lower edge."""
    axes = Axes((-3.6, 3.6), (-0.3, 4.9), 420.0, 303.3)
    stand_x = -2.5
    things = [[(-y, x - stand_x) for x, y in outline] for outline in _objects("lms200_boxes.toml")]
    parts = [line(axes, outline, GREY, closed=True) for outline in things]
    parts += [dots(axes, [(-y, x) for x, y in getattr(scan(), name)], RED if name == "scattering" else BLUE)]
    return figure(axes, parts, "to the right (m)", "ahead (m)", [])


DRAWINGS = {
    "ping-course": course,
    "ping-curve": curve,
    "lms200-plain": lambda: boxes("plain"),
    "lms200-scattering": lambda: boxes("scattering"),
}


def main() -> None:
    """Draw everything."""
    for name, draw in DRAWINGS.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
