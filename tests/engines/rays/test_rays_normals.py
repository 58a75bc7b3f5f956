"""Normals of what rays meet, against the rate at which distances change."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.table import no_hits
from understudy.world.robot import Circle, Polygon, Rectangle
from understudy.world.scene import Ball, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Pose, Sphere

POLYGON = ((0.4, -0.3), (0.5, 0.2), (0.0, 0.5), (-0.5, 0.1), (-0.2, -0.4))
THINGS = {
    "box": {"objects": (Solid(name="it", shape=Box((0.8, 0.5, 1.0)), pose=Pose(heading_rad=0.4)),)},
    "low box": {"objects": (Solid(name="it", shape=Box((0.8, 0.5, 0.2))),)},
    "cylinder": {"objects": (Solid(name="it", shape=Cylinder(0.4, 1.0)),)},
    "cone": {"objects": (Solid(name="it", shape=Cone(0.5, 1.2)),)},
    "sphere": {"objects": (Solid(name="it", shape=Sphere(0.5)),)},
    "ball": {"balls": (Ball(name="it", radius_m=0.4),)},
    "wall": {"walls": (Wall(name="it", points_m=((-1.0, -0.2), (1.0, 0.5)), thickness_m=0.0),)},
    "thick wall": {"walls": (Wall(name="it", points_m=((-1.0, -0.2), (1.0, 0.5)), thickness_m=0.2),)},
    "round robot": {"robots": (robot("it", parts=model(body=Circle(0.4, 1.0))),)},
    "square robot": {"robots": (robot("it", heading=0.3, parts=model(body=Rectangle(0.8, 0.5, 0.1, 1.0))),)},
    "polygon robot": {"robots": (robot("it", heading=0.3, parts=model(body=Polygon(POLYGON, 1.0))),)},
}
SMALL = 1e-6


@pytest.fixture(scope="module")
def engines():
    made = {}
    for name, extra in THINGS.items():
        walls = extra.get("walls", (Wall(name="far", points_m=((50.0, 50.0), (51.0, 50.0))),))
        made[name] = PlanarEngine(room(*extra.get("robots", (robot("far", 40.0),)), **{**extra, "walls": walls}))
    return made


def cast(engine, origins, ways):
    out, hits = np.empty(len(origins)), no_hits(len(origins))
    normals = engine.cast_world(origins, ways, 10.0, 1, np.full(len(origins), -1), out, hits)
    return out, hits, normals


@pytest.mark.parametrize("name", THINGS)
@settings(max_examples=20, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(0.1, 0.5), st.floats(-0.3, 0.3), st.floats(-0.03, 0.3))
def test_a_normal_is_the_way_in_which_the_surface_recedes(engines, name, around, high, aside, down):
    origin = np.array([3.0 * math.cos(around), 3.0 * math.sin(around), high + 3.0 * math.tan(down)])
    way = np.array([-math.cos(around + aside), -math.sin(around + aside), -math.tan(down)])
    way /= np.linalg.norm(way)
    aside_1 = np.cross(way, [0.0, 0.0, 1.0])
    aside_1 /= np.linalg.norm(aside_1)
    aside_2 = np.cross(way, aside_1)
    origins = np.array([origin, *(origin + sign * SMALL * each for each in (aside_1, aside_2) for sign in (1, -1))])
    out, hits, normals = cast(engines[name], origins, np.tile(way, (5, 1)))
    if (out == 10.0).any():
        return
    rates = np.array([out[1] - out[2], out[3] - out[4]]) / (2 * SMALL)
    one_sided = np.array([out[1] - out[0], out[3] - out[0]]) / SMALL
    if np.abs(rates - one_sided).max() > 1e-3 or np.abs(rates).max() > 20.0:
        return  # at an edge, or along the surface
    expected = -way + rates[0] * aside_1 + rates[1] * aside_2
    assert normals[0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-4)
    assert hits.cosine[0] == pytest.approx(-normals[0] @ way)


def test_rays_that_meet_nothing_have_no_normal(engines):
    out, hits, normals = cast(engines["box"], np.array([[3.0, 0.0, 0.3]]), np.array([[1.0, 0.0, 0.0]]))
    assert (out[0], hits.cosine[0], hits.reflectance[0], hits.robot[0]) == (10.0, 0.0, 0.0, -1)
    assert not normals.any()


def test_the_floor_looks_up(engines):
    way = np.array([[0.6, 0.0, -0.8]])
    out, hits, normals = cast(engines["box"], np.array([[3.0, 0.0, 0.8]]), way)
    assert out[0] == pytest.approx(1.0)
    assert normals[0].tolist() == [0.0, 0.0, 1.0]
    assert hits.cosine[0] == pytest.approx(0.8)
