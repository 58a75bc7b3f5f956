"""What level rays meet, by the planar casters, against the caster of three dimensions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from test_rays_scan import BODIES, FANS, office

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.table import no_hits
from understudy.sensors import SENSORS
from understudy.world.materials import Surface
from understudy.world.scene import Ball, Solid, Wall
from understudy.world.shapes import Cone, Mount, Pose, Sphere

ROWS = np.arange(0, 30, 2)
RING = tuple(Mount(0.2 * math.cos(a), 0.2 * math.sin(a), 0.5, a) for a in np.linspace(-3, 3, 16))
LASERS = {**FANS, "single rays": (SENSORS["sonar"](ring=RING, rays_per_cone=5, max_m=5.0), Mount())}


def colourful(body, seed=0):
    """Return a crowded floor on which everything has a reflectance of its own, and some things only others see."""
    scene = office(seed, body)
    random = np.random.default_rng(seed)

    def painted(thing):
        seen_by = ("laser", "sonar") if random.random() < 0.9 else ("infrared",)
        return replace(thing, surface=Surface(reflectance=round(random.uniform(0.1, 2.0), 3), seen_by=seen_by))

    balls = tuple(painted(Ball(name=f"ball{i}", radius_m=0.6, pose=Pose(*random.uniform(-9, 9, 2)))) for i in range(4))
    shapes = (Cone(0.8, 1.5), Sphere(0.7), Cone(0.5, 1.0), Sphere(0.55))
    round_things = tuple(
        Solid(name=f"round{i}", shape=shape, pose=Pose(*random.uniform(-9, 9, 2)), mass_kg=5.0 * (i > 1))
        for i, shape in enumerate(shapes)
    )
    robots = tuple(replace(each, parts=painted(each.built)) for each in scene.robots)
    objects = tuple(map(painted, (*scene.objects, *round_things)))
    return replace(
        scene, walls=tuple(map(painted, scene.walls)), objects=objects, balls=balls,
        robots=robots,
    )  # fmt: skip


def met(cast, table, rows):
    out, hits = np.empty((len(rows), len(table.origins))), no_hits(len(rows), len(table.origins))
    cast(table, rows, out, hits)
    return out, hits


def by_solids(engine):
    return lambda table, rows, out, hits: engine._tilted.cast_hits(table, rows, engine._movers, out, hits)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("laser", LASERS)
def test_rays_meet_what_the_solid_caster_says_that_they_meet(body, laser):
    sheet, mount = LASERS[laser]
    table = sheet.table(mount)
    engine = PlanarEngine(colourful(BODIES[body]))
    out, hits = met(engine.cast_hits, table, ROWS)
    wanted, exact = met(by_solids(engine), table, ROWS)
    free = wanted.any(axis=1)  # who stands within another robot sees nothing but it
    assert np.abs(out - wanted)[free].max() < 1e-6
    assert np.array_equal(hits.robot[free], exact.robot[free])
    assert np.array_equal(hits.reflectance[free], exact.reflectance[free])
    assert np.abs(hits.cosine - exact.cosine)[free].max() < 1e-5
    assert len(np.unique(hits.reflectance)) > 10 or laser in ("one ray", "a narrow one")


def test_distances_are_those_of_the_cast_without_hits():
    sheet, mount = FANS["a whole turn"]
    engine, table = PlanarEngine(colourful(BODIES["polygons"])), sheet.table(mount)
    plain = np.empty((len(ROWS), sheet.rays))
    engine.cast(table, ROWS, plain)
    assert np.array_equal(met(engine.cast_hits, table, ROWS)[0], plain)


def test_a_cell_that_sees_too_many_walls_tells_them_apart_too():
    stubs = [
        Wall(
            name=f"stub{i}",
            points_m=((4 * math.cos(a), 4 * math.sin(a)), (4.1 * math.cos(a), 4.1 * math.sin(a + 0.002))),
            surface=Surface(reflectance=round(0.1 + i / 500, 3)),
        )
        for i, a in enumerate(np.linspace(0, 6.28, 700))
    ]
    scene = replace(office(4, BODIES["discs"], walls=1), objects=())
    engine = PlanarEngine(replace(scene, walls=(*scene.walls, *stubs)))
    sheet, mount = FANS["a whole turn"]
    table = sheet.table(mount)
    out, hits = met(engine.cast_hits, table, ROWS)
    wanted, exact = met(by_solids(engine), table, ROWS)
    free = wanted.any(axis=1)
    assert np.abs(out - wanted)[free].max() < 1e-6
    assert np.array_equal(hits.reflectance[free], exact.reflectance[free])


def test_robots_on_floors_of_their_own_see_their_own_heights():
    low = Wall(name="low", points_m=((1.0, -9.0), (1.0, 9.0)), height_m=0.3, surface=Surface(reflectance=0.25))
    scene = replace(office(1, BODIES["discs"], count=2, walls=1), objects=())
    up = replace(scene.robots[1], place=Pose(-3.0, 2.0, 0.5))
    scene = replace(scene, walls=(scene.walls[0], low), robots=(replace(scene.robots[0], place=Pose(-3.0, 0.0)), up))
    sheet, mount = SENSORS["laser"](rays=1, max_m=20.0), Mount(z_m=0.2)
    out, hits = met(PlanarEngine(scene).cast_hits, sheet.table(mount), np.array([0, 1]))
    assert out[:, 0] == pytest.approx([4.0, 13.0])
    assert hits.reflectance[:, 0].tolist() == [0.25, 1.0]


@pytest.mark.soak  # nobody asks cones for this yet, and it takes long to compile
def test_a_cone_tells_who_is_nearest_in_it():
    cones = SENSORS["sonar"](ring=RING, cone_rad=math.radians(20.0), max_m=5.0)
    dense = replace(cones, rays_per_cone=401)
    engine = PlanarEngine(colourful(BODIES["polygons"]))
    out, hits = met(engine.cast_hits, cones.table(Mount()), ROWS)
    plain = np.empty_like(out)
    engine.cast(cones.table(Mount()), ROWS, plain)
    assert np.array_equal(out, plain)
    wanted, exact = met(by_solids(engine), dense.table(Mount()), ROWS)
    nearest = wanted.reshape(len(ROWS), len(RING), -1).argmin(axis=2)[..., None]
    robot, bright = (
        np.take_along_axis(values.reshape(len(ROWS), len(RING), -1), nearest, axis=2)[..., 0]
        for values in (exact.robot, exact.reflectance)
    )
    free = wanted.any(axis=1)
    assert np.mean(hits.robot[free] == robot[free]) > 0.98  # dense rays may pass by the tip that is nearest
    assert np.mean(hits.reflectance[free] == bright[free]) > 0.98
