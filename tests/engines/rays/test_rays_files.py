"""Rays among triangles and over terrain, against every triangle tried one by one and against MuJoCo."""

import math
from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box, obj
from scenes import model, robot, room

from understudy.assets.pictures import grey_picture
from understudy.engines.rays.spatial.caster import Tilted
from understudy.engines.rays.spatial.matter import scene_world
from understudy.engines.rays.spatial.solid_shapes import NOTHING
from understudy.engines.rays.spatial.solids import cast_solids, cast_solids_hits, place_moving
from understudy.engines.rays.spatial.terrain import below, cast_terrain, relief_of
from understudy.engines.rays.spatial.triangles import Placed, cast_meshes, meshes_of, tree_of
from understudy.engines.rays.table import RayTable, no_hits
from understudy.world.scene import Ground, Heights, Scene, Solid
from understudy.world.shapes import Mesh, Pose
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles

LIMIT = 30.0
STILL = np.zeros((1, 6))
NOBODY = np.array([-2])


def rays(count, seed, spread=4.0):
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(count, 3))
    return rng.normal(size=(count, 3)) * spread, ways / np.linalg.norm(ways, axis=1)[:, None]


def one_by_one(corners, origins, ways):
    """Return the distances to the nearest of some triangles, each tried for each ray."""
    a, e1, e2 = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal, out = np.cross(e1, e2), np.full(len(origins), LIMIT)
    for n, (o, d) in enumerate(zip(origins, ways)):
        with np.errstate(all="ignore"):
            t = ((a - o) * normal).sum(axis=1) / (normal @ d)
            at = o + t[:, None] * d - a
            size = (normal * normal).sum(axis=1)
            u = (np.cross(at, e2) * normal).sum(axis=1) / size
            v = (np.cross(e1, at) * normal).sum(axis=1) / size
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        out[n] = min(t[hit].min(initial=LIMIT), LIMIT)
    return out


def meet(body, origins, ways, pose=(0.0,) * 6):
    meshes = meshes_of([Placed(tree_of(body), pose, 1, -1, 1.0)])
    out = np.full((1, len(origins)), LIMIT)
    cast_meshes(STILL, NOBODY, origins, ways, 1, meshes, 0, out, np.empty((0, 0), np.int64))
    return out[0]


def fly(terrain, origins, ways):
    out = np.full((1, len(origins)), LIMIT)
    cast_terrain(STILL, origins, ways, relief_of(terrain, 1), 0, out, np.empty((0, 0), np.int64))
    return out[0]


def hills(seed=3, rows=30, columns=40):
    heights = np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)
    return Terrain(heights, -3.0, -2.0, 0.15, 0.13)


# ---- triangles


def test_a_thousand_triangles_are_met_as_if_each_were_tried():
    rng = np.random.default_rng(1)
    corners = rng.normal(size=(1000, 1, 3)) * 3 + 0.4 * rng.normal(size=(1000, 3, 3))
    soup = Triangles(corners.reshape(-1, 3), np.arange(3000).reshape(-1, 3))
    origins, ways = rays(1000, 2, 5.0)
    expected = one_by_one(corners, origins, ways)
    assert (expected < LIMIT).mean() > 0.1
    assert meet(soup, origins, ways) == pytest.approx(expected, abs=1e-9)


def test_a_body_that_is_turned_and_moved_is_met_where_it_then_is():
    body, pose = ball(), (2.0, -1.0, 0.5, 0.3, -0.7, 2.0)
    (cr, cp, cy), (sr, sp, sy) = np.cos(pose[3:]), np.sin(pose[3:])
    turn = (
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    )
    origins, ways = rays(600, 4)
    outside = np.linalg.norm(origins - pose[:3], axis=1) > 1.0
    there = body.moved(turn, np.array(pose[:3]))
    expected = one_by_one(there.corners, origins, ways)[outside]
    assert meet(body, origins, ways, pose)[outside] == pytest.approx(expected, abs=1e-9)


def test_a_ray_from_inside_a_closed_body_meets_it_at_0_even_if_its_end_is_inside_too():
    origins, ways = rays(50, 5, 0.1)
    assert (meet(ball(radius=40.0), origins, ways) == 0.0).all()


def test_no_ray_slips_through_the_edges_and_corners_of_a_body():
    body = ball()
    targets = np.concatenate([body.vertices, body.corners[:, :2].mean(axis=1), body.corners.mean(axis=1)])
    origins = targets * 5.0
    ways = -targets / np.linalg.norm(targets, axis=1)[:, None]
    assert meet(body, origins, ways) == pytest.approx(np.linalg.norm(origins - targets, axis=1), abs=1e-7)


# ---- terrain


def test_terrain_is_met_as_if_each_triangle_were_tried():
    origins, ways = rays(1500, 6, 1.5)
    origins[:, 2], ways[:, 2] = 3.0 + abs(origins[:, 2]), -abs(ways[:, 2])
    terrain = hills()
    width, depth = terrain.size_m
    corners = terrain.triangles().corners
    expected, found = one_by_one(corners, origins, ways), fly(terrain, origins, ways)
    ends = origins + found[:, None] * ways  # what comes in below the edge meets the side
    edge = (np.abs(ends[:, 0] + 3 - width / 2) > width / 2 - 1e-9) | (
        np.abs(ends[:, 1] + 2 - depth / 2) > depth / 2 - 1e-9
    )
    assert (expected < LIMIT).mean() > 0.15
    assert found[~edge] == pytest.approx(expected[~edge], abs=1e-9)


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (0.6, 0.8), (math.sqrt(0.5),) * 2])
def test_rays_along_grid_lines_and_through_corners_do_not_slip_through(way):
    heights = np.zeros((21, 21), np.float32)
    heights[0], heights[-1], heights[:, 0], heights[:, -1] = 1, 1, 1, 1
    terrain = Terrain(heights, -10.0, -10.0, 1.0, 1.0)
    origins = np.array([[x, y, 0.5] for x in range(-8, 9) for y in range(-8, 9)], np.float64)
    found = fly(terrain, origins, np.tile([*way, 0.0], (len(origins), 1)))
    ends = origins[:, :2] + found[:, None] * way
    assert np.abs(ends).max(axis=1) == pytest.approx(np.full(len(ends), 9.5), abs=1e-9)


def test_a_ray_from_below_the_surface_meets_it_at_0():
    origins = np.array([[0.0, 0.0, -20.0], [0.0, 0.0, -20.0]])
    assert (fly(hills(), origins, np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])) == 0.0).all()


def test_height_and_normal_below_a_point_are_those_of_the_triangle_there():
    terrain, points = hills(), np.random.default_rng(7).uniform([-2.9, -1.9], [2.7, 1.6], (200, 2))
    out = np.empty((200, 4))
    below(points, relief_of(terrain, 1), out)
    assert out[:, 0] == pytest.approx([terrain.height_m(x, y) for x, y in points], abs=1e-12)
    down = fly(terrain, np.column_stack([points, np.full(200, 10.0)]), np.tile([0.0, 0.0, -1.0], (200, 1)))
    assert out[:, 0] == pytest.approx(10.0 - down, abs=1e-9)
    body = terrain.triangles()
    at = np.column_stack([points, out[:, 0]])
    slopes = np.abs(np.einsum("nmi,mi->nm", at[:, None] - body.corners[None, :, 0], body.normals))
    near = np.einsum("ni,mi->nm", out[:, 1:], body.normals)
    assert (np.where(slopes < 1e-6, near, 0.0).max(axis=1) > 1 - 1e-9).all()


def test_beside_the_terrain_there_is_no_ground():
    out = np.empty((1, 4))
    below(np.array([[50.0, 0.0]]), relief_of(hills(), 1), out)
    assert out[0].tolist() == [-math.inf, 0.0, 0.0, 1.0]


def test_mujoco_meets_terrain_and_meshes_at_the_same_places():
    mujoco = pytest.importorskip("mujoco")
    terrain, body = hills(rows=12, columns=15), ball(6, 8)
    spec, (width, depth) = mujoco.MjSpec(), terrain.size_m
    low, high = float(terrain.heights.min()), float(terrain.heights.max())
    share = (terrain.heights - low) / (high - low)
    spec.add_hfield(name="h", size=[width / 2, depth / 2, high - low, 1.0], nrow=12, ncol=15, userdata=share.ravel())
    middle = [*terrain.center_m, low]
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="h", pos=middle)
    spec.add_mesh(name="m", uservert=body.vertices.ravel(), userface=body.faces.ravel())
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", pos=[-2.0, -1.0, 4.0])
    compiled = spec.compile()
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    rng = np.random.default_rng(8)
    origins = np.column_stack([rng.uniform(-2.5, -1.5, 300), rng.uniform(-1.5, -1.0, 300), rng.uniform(5.1, 8, 300)])
    ways = np.array([0.0, 0.0, -1.0]) + rng.normal(size=(300, 3)) * 0.2
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    ours = np.minimum(fly(terrain, origins, ways), meet(body, origins, ways, (-2.0, -1.0, 4.0, 0.0, 0.0, 0.0)))
    ends = origins + ours[:, None] * ways
    inside = (ends[:, 2] > 2.9) | (
        (np.abs(ends[:, 0] - middle[0]) < width / 2 - 0.01) & (np.abs(ends[:, 1] - middle[1]) < depth / 2 - 0.01)
    )
    geom = np.zeros(1, np.int32)
    theirs = np.array([mujoco.mj_ray(compiled, data, o, d, None, 1, -1, geom) for o, d in zip(origins, ways)])
    seen = inside & (ours < LIMIT)
    assert seen.sum() > 80
    assert ours[seen] == pytest.approx(theirs[seen], abs=1e-5)


# ---- scenes


def statue(mass_kg=0.0, **extra):
    solid = Solid(name="statue", shape=Mesh("statue.obj"), pose=Pose(2.0, 0.0, 0.5), mass_kg=mass_kg, **extra)
    return room(robot("a"), objects=(solid,)), {"statue.obj": obj(box((1.0, 1.0, 1.0)))}


def look(scene, files, origin=(0.0, 0.0, 0.5), way=(1.0, 0.0, 0.0), layer=1):
    out, which = np.empty(1), np.empty(1, np.int64)
    world = scene_world(scene, files)
    cast_solids_hits(np.array([origin]), np.array([way]), LIMIT, layer, -1, world, out, which)
    return out[0], world, which


def test_a_mesh_of_a_scene_is_seen_at_its_place():
    assert look(*statue())[0] == pytest.approx(1.5)


def test_a_mesh_is_seen_only_by_its_layers():
    from understudy.world.materials import Surface

    scene, files = statue(surface=Surface(seen_by=("sonar",)))
    assert look(scene, files)[0] == pytest.approx(3.0)
    assert look(scene, files, layer=2)[0] == pytest.approx(1.5)


def test_a_mesh_with_mass_moves_and_is_owned():
    scene, files = statue(3.0)
    world = scene_world(scene, files)
    poses = np.zeros((2, 6))
    poses[1, :3] = 2.25, 0.0, 0.5
    place_moving(world, poses)
    out, which = np.empty(1), np.empty(1, np.int64)
    ray = np.array([[0.3, 0.0, 0.5]]), np.array([[1.0, 0.0, 0.0]])
    cast_solids_hits(*ray, LIMIT, 1, -1, world, out, which)
    assert out[0] == pytest.approx(1.45)
    assert world.owners(which).tolist() == [1]
    cast_solids(*ray, LIMIT, 1, 1, world, out)
    assert out[0] == pytest.approx(2.7)


class Standing:
    place = np.zeros((1, 3))
    height = np.array([[0.0, 0.2]])


def test_hits_on_a_mesh_have_a_normal_and_no_robot():
    scene, files = statue()
    caster, hits, out = Tilted(scene, files), no_hits(1), np.empty(1)
    origins, ways = np.array([[0.0, 0.0, 0.5]]), np.array([[1.0, 0.0, 0.0]])
    normals = caster.cast_world(origins, ways, LIMIT, 1, np.array([0]), Standing(), out, hits)
    assert normals.tolist() == [[-1.0, 0.0, 0.0]]
    assert (hits.robot[0], hits.reflectance[0], hits.cosine[0]) == (-1, 1.0, 1.0)
    assert not caster.clear(origins, np.array([[2.9, 0.0, 0.5]]), np.array([[0, -1]]), 1, Standing())[0]
    assert caster.clear(origins, np.array([[1.4, 0.0, 0.5]]), np.array([[0, -1]]), 1, Standing())[0]


def ramp():
    """Return a scene whose ground rises from 0 in the west to 1 m in the east."""
    grey = np.tile(np.linspace(0, 255, 6).astype(np.uint8), (3, 1))
    ground = Ground((10.0, 10.0), heights=Heights("ramp.pgm"))
    return Scene(ground=ground, robots=(robot("a", parts=model()),)), {"ramp.pgm": grey_picture.to_pgm(grey, "a ramp")}


def test_the_terrain_of_a_scene_is_seen_instead_of_flat_ground():
    scene, files = ramp()
    distance, _world, _which = look(scene, files, (0.0, 0.0, 3.0), (0.0, 0.0, -1.0))
    assert distance == pytest.approx(2.5, abs=1e-6)
    caster, hits, out = Tilted(scene, files), no_hits(1), np.empty(1)
    down = np.array([[0.0, 0.0, 3.0]]), np.array([[0.0, 0.0, -1.0]])
    normals = caster.cast_world(*down, LIMIT, 1, np.array([0]), Standing(), out, hits)
    assert normals[0] == pytest.approx(np.array([-0.1, 0.0, 1.0]) / math.hypot(0.1, 1.0), abs=1e-6)


def test_a_robot_on_terrain_looks_ahead_and_meets_the_slope():
    scene, files = ramp()
    table = RayTable(np.array([[0.0, 0.0, 0.7]]), np.array([[1.0, 0.0, 0.0]]), LIMIT, 1)
    out = np.empty((1, 1))
    Tilted(scene, files).cast(table, np.array([0]), Standing(), out)
    assert out[0, 0] == pytest.approx(2.0, abs=1e-6)


def test_ground_can_be_invisible():
    scene, files = ramp()
    unseen = replace(scene, ground=replace(scene.ground, seen_by=("sonar",)))
    distance, _, which = look(unseen, files, (3.0, 0.0, 3.0), (0.0, 0.0, -1.0))
    assert (distance, which[0]) == (LIMIT, NOTHING)
    flat = replace(unseen, ground=Ground(seen_by=("sonar",)))
    assert look(flat, files, (3.0, 0.0, 3.0), (0.0, 0.0, -1.0))[0] == LIMIT
    assert look(flat, files, (3.0, 0.0, 3.0), (0.0, 0.0, -1.0), layer=2)[0] == pytest.approx(3.0)


def test_ground_that_is_a_mesh_is_seen_as_its_triangles():
    tilted = Triangles(np.array([[0.0, 0, 0], [4, 0, 0], [4, 4, 2], [0, 4, 2]]), np.array([[0, 1, 2], [0, 2, 3]]))
    scene = replace(ramp()[0], ground=Ground(heights=Heights("hill.obj")))
    assert look(scene, {"hill.obj": obj(tilted)}, (1.0, 1.5, 5.0), (0.0, 0.0, -1.0))[0] == pytest.approx(3.25)
