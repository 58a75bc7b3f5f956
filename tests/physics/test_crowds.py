"""Robots of all shapes, boxes and balls, driven at random: nothing ever overlaps and nothing leaves the room."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scenes import box, model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.world.robot import Ackermann, Circle, Differential, Omni, Polygon, Rectangle, Skid
from understudy.world.scene import Ball, Wall
from understudy.world.shapes import Pose

LIMITS = {"max_m_s": 4.0, "max_rad_s": 6.0, "accel_m_s2": 1e3, "accel_rad_s2": 1e3}
DRIVES = (
    Differential(0.3, **LIMITS),
    Skid(0.3, **LIMITS),
    Omni(max_lateral_m_s=3.0, **LIMITS),
    Ackermann(0.3, **LIMITS),
)
BODIES = (
    Circle(0.2),
    Rectangle(0.5, 0.3, 0.08),
    Polygon(points_m=((0.3, -0.1), (0.3, 0.1), (-0.2, 0.25), (-0.2, -0.25))),
    Circle(0.1),
)
LESS_THAN_ROUNDING = 1e-9


def crowd(seed):
    random = np.random.default_rng(seed)
    places = random.permutation([(x, y) for x in (-2.2, -1.1, 0.0, 1.1, 2.2) for y in (-1.3, 0.0, 1.3)])
    robots = [
        robot(f"r{i}", *places[i], random.uniform(-3, 3), model(body=BODIES[i % 4], drive=DRIVES[seed % 4], devices=()))
        for i in range(6)
    ]
    boxes = [
        box(f"b{i}", *places[6 + i], (0.4, 0.25, 0.3), mass_kg=float(random.choice([0.5, 50.0]))) for i in range(4)
    ]
    balls = tuple(Ball(name=f"k{i}", pose=Pose(*places[10 + i]), bounce=0.8) for i in range(3))
    post = box("post", *places[13], (0.3, 0.3, 0.5))
    tick_us = int(random.choice([5_000, 20_000, 100_000, 1_000_000]))
    scene = room(*robots, objects=(*boxes, post), balls=balls, tick_us=tick_us)
    wall = Wall(name="inner", points_m=((-0.5, -1.9), (-0.5, -0.8)))
    return replace(scene, walls=(*scene.walls, wall)), random


def outlines(engine):
    """Return corners and radius of everything that moves."""
    movers, found = engine._movers, []
    for (x, y, heading), count, points, reach in zip(movers.place, movers.corners, movers.outline, movers.reach):
        c, s = math.cos(heading), math.sin(heading)
        corners = points[:count] @ np.array([[c, s], [-s, c]]) if count else np.zeros((1, 2))
        found.append((corners + np.array([x, y]), 0.0 if count else reach))
    return found


def axes(points):
    along = np.roll(points, -1, axis=0) - points
    return np.column_stack([along[:, 1], -along[:, 0]]) / np.hypot(*along.T)[:, None]


def gap(a, b):
    """Return the widest gap between two convex bodies along any line that can part them (m)."""
    (p, r), (q, s) = a, b
    lines = [axes(points) for points in (p, q) if len(points) > 1]
    between = (q[None] - p[:, None]).reshape(-1, 2)
    lengths = np.hypot(*between.T)
    lines.append(between[lengths > 0] / lengths[lengths > 0, None])
    normals = np.concatenate(lines)
    normals = np.concatenate([normals, -normals])
    return ((q @ normals.T).min(axis=0) - (p @ normals.T).max(axis=0)).max() - r - s


@pytest.mark.parametrize("seed", [*range(16), 97])
def test_nothing_overlaps_and_nothing_leaves(seed):
    scene, random = crowd(seed)
    engine = PlanarEngine(scene)
    fixed = [(np.array([p, q]), 0.0) for wall in scene.walls for p, q in zip(wall.points_m, wall.points_m[1:])]
    targets = np.zeros((6, 3))
    for tick in range(60):
        if tick % 5 == 0:
            targets = random.uniform((-4.0, -3.0, -6.0), (4.0, 3.0, 6.0), (6, 3))
        engine.step(targets)
        bodies = outlines(engine)
        worst = min(gap(a, b) for a, b in [*combinations(bodies, 2), *((a, w) for a in bodies for w in fixed)])
        assert worst > -LESS_THAN_ROUNDING, f"tick {tick}"
        assert all(np.abs(p[:, 0]).max() + r <= 3.0 and np.abs(p[:, 1]).max() + r <= 2.0 for p, r in bodies)
