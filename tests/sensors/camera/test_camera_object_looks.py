"""What cameras see of objects with a ready look: the look and not the shape; on both engines, by rays and as drawn."""

import math
from dataclasses import replace

import numpy as np
import pytest
from meshes import box as cube
from meshes import obj
from pictures import encoded
from scenes import PERFECT, robot, room
from sensors.camera.test_camera_drawn import assert_agree, both, needs_gl, scene, taken

from understudy.assets import figures
from understudy.engines.rays.spatial.matter import scene_world
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.changes import Move
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Cylinder, Mesh, Mount, Pose

ENGINES = ["planar", "rigid"]


def table(look="table", **more):
    """A table, 2 m ahead, seen from the long side; its shape is a block."""
    given = {"shape": Box((0.8, 1.8, 0.75)), "pose": Pose(1.5, 0.0), "colour": "#ff0000", **more}
    return Solid(name="table", look=look, **given)


def mine(found):
    """Return which pixels show the object, the only thing besides room and ground."""
    numbers, counts = np.unique(found["labels"], return_counts=True)
    return found["labels"] == max(numbers[counts > 5])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("renderer", ["rays", pytest.param("gl", marks=needs_gl)])
@pytest.mark.parametrize("mass", [0.0, 20.0])
def test_an_object_shows_its_look_and_not_its_shape(engine, renderer, mass):
    block = taken(scene(table(look="", mass_kg=mass), renderer=renderer, engine=engine))
    dressed = taken(scene(table(mass_kg=mass), renderer=renderer, engine=engine))
    area, own = mine(block).sum(), mine(dressed).sum()
    assert 0.05 * area < own < 0.7 * area, "one sees through below a table"
    assert block["labels"].max() == dressed["labels"].max(), "its label stays"
    middle = (slice(30, 36), slice(38, 42))
    assert (dressed["depth"][middle] > block["depth"][middle] + 0.3).any()


@needs_gl
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("look", ["desk", "chair", "plant", "shelf", "tree"])
def test_drawn_looks_of_objects_agree_with_rays(engine, look):
    cast, drawn = both(scene(table(look, pose=Pose(1.8, 0.0, heading_rad=0.3)), engine=engine))
    assert_agree(cast, drawn, colour=4.0)


@pytest.mark.parametrize("look", [name for name in figures.names() if figures.figure(name).size_m])
def test_every_ready_look_stands_on_the_floor_and_is_made_of_few_triangles(look):
    world = scene_world(scene(table(look), renderer="rays"), {})
    row = int(np.flatnonzero(world.meshes.thing == 0)[0])
    first, count = world.meshes.tags[row, 3:5].tolist()
    corner = world.meshes.corners[first : first + count]
    points = np.concatenate([corner[:, :3], corner[:, :3] + corner[:, 3:6], corner[:, :3] + corner[:, 6:9]])
    assert world.meshes.form[row, 2] + points[:, 2].min() == pytest.approx(0.0, abs=0.05)
    assert count < 4000


def test_a_look_is_turned_to_lie_along_its_object():
    lengths = []
    for size in ((1.8, 0.8, 0.75), (0.8, 1.8, 0.75)):
        world = scene_world(scene(table(shape=Box(size)), renderer="rays"), {})
        corner = world.meshes.corners
        points = np.concatenate([corner[:, :3], corner[:, :3] + corner[:, 3:6], corner[:, :3] + corner[:, 6:9]])
        lengths.append(points.max(axis=0) - points.min(axis=0))
    assert lengths[0] == pytest.approx((1.8, 0.8, 0.75), rel=0.1)
    assert lengths[1] == pytest.approx((0.8, 1.8, 0.75), rel=0.1)


def test_equal_objects_share_one_tree():
    many = [replace(table(), name=f"t{n}", pose=Pose(2.0, n - 1.5)) for n in range(4)]
    alone, all_of_them = (scene_world(scene(*objects, renderer="rays"), {}) for objects in (many[:1], many))
    assert len(alone.meshes.corners) == len(all_of_them.meshes.corners)
    assert len(all_of_them.meshes.tags) == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_look_moves_with_its_object(engine):
    away = Move("table", Pose(2.5, 1.2))
    world = scene(table(mass_kg=20.0), renderer="rays", engine=engine)
    before, after = taken(world), taken(world, act=lambda sim: sim.change(away))
    label = before["labels"].max()
    columns = [np.nonzero(found["labels"] == label)[1].mean() for found in (before, after)]
    assert columns[1] < columns[0] - 10


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("mass", [0.0, 20.0])
def test_lasers_meet_the_shape_whatever_it_looks_like(engine, mass):
    def ranges(look):
        world = scene(table(look, mass_kg=mass), renderer="rays", engine=engine)
        first = world.robots[0]
        sheets = [SENSORS["laser"](rays=61, noise=PERFECT), SENSORS["sonar"](noise=PERFECT)]
        mounts = (Mount(z_m=0.2), Mount(z_m=0.3, pitch_rad=0.05))
        more = [DeviceSpec(name=f"r{n}", sheet=s, mount=m) for n, (s, m) in enumerate(zip(sheets, mounts))]
        parts = replace(first.parts, devices=(*first.parts.devices, *more))
        with Sim(replace(world, robots=(replace(first, parts=parts),)), seed=1) as sim:
            return np.concatenate([sim.robot("a").read(f"r{n}") for n in range(2)])

    assert np.array_equal(ranges(""), ranges("table"))


@pytest.mark.parametrize("engine", ENGINES)
def test_robots_run_into_the_shape_whatever_it_looks_like(engine):
    def end(look):
        with Sim(scene(table(look, pose=Pose(0.5, 0.0)), renderer="rays", engine=engine), seed=1) as sim:
            sim.robot("a").drive(0.5)
            sim.run(3.0)
            return sim.robot("a").pose.x_m

    assert end("table") == end("")
    assert end("table") < 0.2


def test_a_texture_is_shown_instead_of_a_look():
    pixels = np.full((8, 8, 3), (0, 0, 255))
    files = {"blue.png": encoded(pixels)}
    plain, dressed = (taken(scene(table(look, picture="blue.png"), renderer="rays"), files) for look in ("", "table"))
    assert np.array_equal(plain["rgb"], dressed["rgb"])


def test_a_mesh_with_a_look_shows_the_look():
    files = {"block.obj": obj(cube((0.8, 1.8, 0.75)))}
    world = scene(table(shape=Mesh("block.obj"), pose=Pose(1.5, 0.0)), renderer="rays")
    bare = scene(table(look="", shape=Mesh("block.obj"), pose=Pose(1.5, 0.0)), renderer="rays")
    assert mine(taken(world, files)).sum() < 0.7 * mine(taken(bare, files)).sum()


def test_what_cameras_do_not_see_has_no_look_either():
    hidden = table(surface=Surface(seen_by=("laser",)))
    assert np.array_equal(taken(scene(hidden, renderer="rays"))["rgb"], taken(scene(renderer="rays"))["rgb"])


def test_without_cameras_nothing_of_looks_is_built():
    world = scene_world(room(robot("a"), objects=(table(), replace(table(), name="t2", shape=Cylinder(0.3, 0.9)))), {})
    assert world.meshes is None


def test_a_camera_beside_a_look_sees_past_it():
    """Where the block would fill the picture, one sees the floor below the table."""
    found = taken(scene(table(pose=Pose(-0.2, 0.0)), renderer="rays", mount=Mount(z_m=0.3, pitch_rad=math.radians(10))))
    assert (found["labels"] == 1).mean() > 0.1
