"""Many worlds in one planar engine: each moves, touches and sees as if it were alone."""

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scenes import box, model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.planar.rows import MOVER
from understudy.engines.planar.worlds import PlanarWorlds
from understudy.engines.rays.table import RayTable, no_hits
from understudy.errors import EngineError
from understudy.world.robot import Polygon, Rectangle
from understudy.world.scene import Ball, Solid, Wall
from understudy.world.shapes import Cylinder, Pose

TRIANGLE = ((-0.15, -0.2), (0.3, 0.0), (-0.15, 0.2))
LEVEL = RayTable(
    np.tile([0.0, 0.0, 0.1], (8, 1)),
    np.array([[math.cos(a), math.sin(a), 0.0] for a in np.arange(8) * math.pi / 4]),
    5.0,
    1,
)


def yard(robots=6):
    """Return a yard that is too small for its robots, which have all shapes, and what they push."""
    shapes = [{}, {"body": Rectangle(0.4, 0.3)}, {"body": Polygon(TRIANGLE)}]
    placed = [
        robot(f"r{i}", -1.0 + 0.8 * (i % 3), -0.5 + 0.9 * (i // 3), i, parts=model(devices=(), **shapes[i % 3]))
        for i in range(robots)
    ]
    post = Solid(name="post", shape=Cylinder(0.1, 1.0), pose=Pose(1.2, 0.0))
    things = (post, box("crate", -0.6, 0.0, (0.25, 0.25, 0.3), mass_kg=1.0))
    ball = Ball(name="ball", radius_m=0.08, pose=Pose(0.2, 0.0))
    return room(*placed, objects=things, balls=(ball,), width=3.0, depth=2.4, tick_us=20_000)


def drives(count, robots, steps, seed=0):
    rng = np.random.default_rng(seed)
    some = rng.uniform([-0.4, 0.0, -2.5], [1.0, 0.0, 2.5], (steps // 15 + 1, count, robots, 3))
    return np.repeat(some, 15, axis=0)[:steps]


def same(tree, other):
    return all(
        np.asarray(tree[name]).tobytes() == np.asarray(other[name]).tobytes() for name in tree if name != "servos"
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_a_crowd_moves_and_touches_in_its_world_as_if_it_were_alone(threads):
    scene, count = yard(), 220  # so many that two threads are used
    many, alone = PlanarWorlds(scene, count, threads), {w: PlanarEngine(scene) for w in (0, 111, 219)}
    touched = 0
    for targets in drives(count, 6, 90):
        many.step(targets.reshape(-1, 3))
        contacts = many.contacts()
        for w, engine in alone.items():
            engine.step(targets[w])
            assert same(many.state_of(w), engine.state())
            mine = contacts[contacts[:, 0] // 6 == w]
            mine[:, 0] -= 6 * w
            assert mine.tobytes() == engine.contacts().tobytes()
            touched += len(mine)
    assert touched > 100


def test_robots_see_what_is_in_their_own_world_only():
    scene, count = yard(), 5
    many, alone = PlanarWorlds(scene, count), [PlanarEngine(scene) for _ in range(count)]
    for targets in drives(count, 6, 40):
        many.step(targets.reshape(-1, 3))
        for engine, mine in zip(alone, targets):
            engine.step(mine)
    out, hits = np.empty((6 * count, 8)), no_hits(6 * count, 8)
    many.cast_hits(LEVEL, np.arange(6 * count), out, hits)
    for w, engine in enumerate(alone):
        mine, its = np.empty((6, 8)), no_hits(6, 8)
        engine.cast_hits(LEVEL, np.arange(6), mine, its)
        rows = slice(6 * w, 6 * w + 6)
        assert out[rows].tobytes() == mine.tobytes()
        assert hits.reflectance[rows].tobytes() == its.reflectance.tobytes()
        assert hits.cosine[rows].tobytes() == its.cosine.tobytes()
        met = hits.robot[rows]
        assert np.where(met < 0, met, met - 6 * w).tolist() == its.robot.tolist()


def test_a_world_with_more_pairs_than_there_is_room_for_is_advanced_all_the_same():
    robots = [robot(f"r{i}", 0.01 * i, 0.01 * i, parts=model(devices=())) for i in range(30)]
    scene = room(*robots)
    many, alone = PlanarWorlds(scene, 3), PlanarEngine(scene)
    for targets in drives(3, 30, 5):
        many.step(targets.reshape(-1, 3))
        alone.step(targets[2])
    assert same(many.state_of(2), alone.state())


KEPT = {  # what describes a mover, and what is reported of it after a tick
    "reach", "radius", "drag", "corners", "first", "solid", "ball", "car", "bottom", "top", "max_v", "max_u", "max_w",
    "accel", "accel_w", "curve", "track", "stalled", "who", "inner", "mass", "pull", "spin", "bounce", "roll", "mode",
}  # fmt: skip


def test_nothing_that_a_tick_leaves_behind_matters_to_the_next():
    clean, dirty = PlanarEngine(yard()), PlanarEngine(yard())
    rng = np.random.default_rng(2)
    for targets in drives(1, 6, 400, seed=3)[:, 0]:
        rows = dirty._arena.rows[:-1]  # the last stands for what is fixed
        for name in set(MOVER.names) - KEPT:
            whole = MOVER[name].kind == "i"
            rows[name] = rng.integers(0, 2, len(rows)) if whole else rng.uniform(-1.0, 1.0, len(rows))
        clean.step(targets)
        dirty.step(targets)
        assert same(clean.state(), dirty.state())


def test_worlds_share_their_walls():
    walls = tuple(
        Wall(name=f"w{i}", points_m=((0.05 * i, 1.0 + 0.001 * i), (0.05 * i + 0.03, 1.5))) for i in range(2_000)
    )
    scene = room(robot(parts=model(devices=())), width=220.0)
    few, many = (memory_of(scene, walls, count) for count in (1, 1_000))
    assert many - few < 3e6  # a copy of the walls takes more than 100 kB


def memory_of(scene, walls, count):
    tracemalloc.start()
    try:
        kept = PlanarWorlds(replace(scene, walls=walls), count)
        kept.step(np.zeros((count, 3)))
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_what_needs_space_is_refused():
    many = PlanarWorlds(room(), 2)
    slanting = RayTable(np.zeros((1, 3)), np.array([[0.6, 0.0, 0.8]]), 5.0, 1)
    with pytest.raises(EngineError, match=r"rays that are not level: not supported in many worlds.*us.load"):
        many.cast(slanting, np.array([0]), np.empty((1, 1)))
    with pytest.raises(EngineError, match="lines of sight"):
        many.clear(np.zeros((1, 3)), np.ones((1, 3)), np.zeros((1, 2), np.int64), 1)
