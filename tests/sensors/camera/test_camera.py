import math
from dataclasses import replace

import numpy as np
import pytest
from meshes import box as cube
from meshes import obj
from scenes import PERFECT, model, robot, room

from understudy.assets.pictures import grey_picture
from understudy.errors import UnknownName
from understudy.sensors import SENSORS
from understudy.sensors.camera.camera import DepthNoise
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.models import models
from understudy.sim.sim import Sim
from understudy.world.labels import labels
from understudy.world.materials import Surface
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Air, Ball, Ground, Heights, Light, Solid
from understudy.world.shapes import Box, Cylinder, Mesh, Mount, Pose

MOUNT = Mount(z_m=0.5)
LEVEL = Solid(name="crate", shape=Box((0.5, 1.0, 1.0)), pose=Pose(2.25, 0.0), colour="#ff8000")


def scene(sheet, *objects, mount=MOUNT, **extra):
    parts = model(devices=(DeviceSpec(name="eye", sheet=sheet, mount=mount),))
    return room(robot("a", -1.0, parts=parts), width=8.0, depth=6.0, objects=objects, **extra)


def camera(*images, noise=PERFECT, **extra):
    return SENSORS["camera"](images=images, width=41, height=31, noise=noise, **extra)


def taken(world, files=None):
    sim = Sim(world, seed=1, files=files or {})
    return {name: picture.astype(float) for name, picture in sim.robot("a").pictures("eye").items()}


def test_colours_are_bytes_and_depth_is_in_metres():
    with Sim(scene(camera("rgb", "depth"), LEVEL), seed=1) as sim:
        pictures = sim.robot("a").pictures("eye")
    assert [(str(pictures[name].dtype), pictures[name].shape) for name in pictures] == [
        ("uint8", (31, 41, 3)), ("float64", (31, 41)),
    ]  # fmt: skip


def test_a_camera_without_a_reading_has_black_bytes():
    sheet = camera("rgb")
    assert not sheet.pictures(np.full(31 * 41 * 3, np.nan))["rgb"].any()


def test_depth_is_measured_along_the_axis_of_the_camera():
    depth = taken(scene(camera("depth"), LEVEL))["depth"]
    assert depth[15, 20] == pytest.approx(3.0)
    assert depth[15, 18:23] == pytest.approx(np.full(5, 3.0))
    assert depth[15, 0] == pytest.approx(5.0)  # the wall behind
    assert depth[30, 20] == pytest.approx(0.5 / math.tan(math.radians(30)) * 20.5 / 15)  # the ground


def test_what_is_out_of_range_has_no_depth():
    depth = taken(scene(camera("depth", min_m=1.5, max_m=4.0), LEVEL))["depth"]
    assert (depth[15, 20], depth[15, 0], depth[30, 20]) == (pytest.approx(3.0), 0.0, 0.0)


def test_left_is_left_and_up_is_up():
    left = Solid(name="left", shape=Cylinder(0.2, 2.0), pose=Pose(1.0, 0.6))
    labels_seen = taken(scene(camera("labels"), left))["labels"]
    columns = np.flatnonzero((labels_seen == 3).any(axis=0))
    assert columns.max() < 20
    assert (labels_seen[-1] == 1).all()


def test_labels_name_what_is_seen():
    world = scene(camera("labels"), LEVEL, balls=(Ball("ball", pose=Pose(1.0, -0.5)),))
    names = labels(world)
    seen = taken(world)["labels"].astype(int)
    assert {names[number] for number in np.unique(seen)} == {"nothing", "ground", "edge", "crate", "ball"}
    assert names[seen[15, 20]] == "crate"


def test_colours_are_those_of_things_and_the_sky_is_bright():
    rgb = taken(scene(camera("rgb"), LEVEL))["rgb"]
    red, green, blue = rgb[15, 20]
    assert red > 100
    assert (green / red, blue) == (pytest.approx(128 / 255, abs=0.02), 0.0)
    assert (rgb[0, 20] > 150).all()


def test_the_ground_shows_its_picture():
    grey = np.zeros((2, 2), np.uint8)
    grey[:, 1] = 255  # east is white
    world = scene(camera("rgb"), mount=Mount(z_m=0.5, pitch_rad=0.7))
    ground = replace(world.ground, picture="floor.pgm")
    rgb = taken(replace(world, ground=ground), {"floor.pgm": grey_picture.to_pgm(grey, "")})["rgb"]
    assert (rgb[0, 20] > 200).all()
    assert (rgb[30, 20] == 0).all()


def test_a_lamp_lights_what_it_reaches_and_things_throw_shadows():
    lamp = Light("lamp", pose=Pose(1.0, 0.0, 3.0), brightness=4.0)
    world = replace(scene(camera("rgb"), LEVEL), lights=(lamp,), ambient=0.1)
    roof = Solid(name="roof", shape=Box((1.0, 3.0, 0.05)), pose=Pose(1.5, 0.0, 2.0))
    lit, dark = (taken(each)["rgb"][15, 20, 0] for each in (world, replace(world, objects=(LEVEL, roof))))
    assert lit > 2 * dark
    assert dark == pytest.approx(0.1 * 255, abs=1)
    bare = replace(world, robots=scene(camera("rgb", shadows=False)).robots, objects=(LEVEL, roof))
    assert taken(bare)["rgb"][15, 20, 0] == lit


def test_warmth_is_that_of_surfaces_lamps_or_the_air():
    warm = replace(LEVEL, surface=Surface(temperature_c=37.0))
    lamp = Light("lamp", pose=Pose(1.0, 0.35, 0.5), temperature_c=90.0)
    world = replace(scene(camera("thermal"), warm), lights=(lamp,), air=Air(12.0))
    thermal = taken(world)["thermal"]
    assert (thermal[15, 20], thermal[30, 20]) == (37.0, 12.0)
    assert thermal.max() == 90.0
    assert thermal[:, 21:].max() == 37.0


def test_what_cameras_do_not_see_is_not_in_the_picture():
    hidden = replace(LEVEL, surface=Surface(seen_by=("laser",)))
    assert taken(scene(camera("depth"), hidden))["depth"][15, 20] == pytest.approx(5.0)


def test_meshes_have_their_own_colours_and_terrain_is_ground():
    body = cube((1.0, 1.0, 1.0))
    files = {"m.obj": obj(body).replace(b"o thing", b"mtllib m.mtl\nusemtl green")}
    files |= {
        "m.mtl": b"newmtl green\nKd 0 1 0\n",
        "h.pgm": grey_picture.to_pgm(np.array([[0, 0], [0, 0]], np.uint8), ""),
    }
    thing = Solid(name="thing", shape=Mesh("m.obj"), pose=Pose(2.5, 0.0, 0.5))
    ground = Ground((8.0, 6.0), heights=Heights("h.pgm"))
    flat = scene(camera("labels", "rgb"), thing)
    engine = pytest.importorskip("understudy.engines.rays.spatial.caster").Tilted(replace(flat, ground=ground), files)
    sheet = flat.robots[0].built.devices[0].sheet

    class Standing:
        place, height = np.array([[-1.0, 0.0, 0.0]]), np.array([[0.0, 0.3]])

    out = np.empty((1, sheet.width * sheet.height))
    met = engine.cast_things(sheet.table(MOUNT), np.array([0]), Standing(), out)
    label = met.label.reshape(31, 41)
    assert (label[15, 20], label[30, 20]) == (3, 1)
    assert met.colour.reshape(31, 41, 3)[15, 20].tolist() == [0, 255, 0]
    assert met.normal.reshape(31, 41, 3)[30, 20].tolist() == [0.0, 0.0, 1.0]


def test_a_cloud_of_points_lies_where_things_are():
    sheet = camera("rgb", "depth")
    sim = Sim(scene(sheet, LEVEL), seed=1)
    points = sheet.points(sim.robot("a").read("eye"))
    nearest = points[np.abs(points[:, 1:]).sum(axis=1).argmin()]
    assert nearest == pytest.approx([3.0, 0.0, 0.0], abs=1e-9)


def test_colours_err_as_the_sheet_says():
    sheet = SENSORS["camera"](noise=PlainNoise(sigma=2.0))
    quiet, noisy = (taken(scene(each, LEVEL))["rgb"] for each in (replace(sheet, noise=PERFECT), sheet))
    inside = (quiet > 20) & (quiet < 235)
    errors = (noisy - quiet)[inside]
    assert abs(errors.mean()) < 0.1
    assert errors.std() == pytest.approx(math.sqrt(4.0 + 1 / 12), rel=0.03)


def test_noise_of_depth_grows_and_has_steps():
    noise = DepthNoise(0.0012, 0.0019, 0.4, 0.00285)
    draws = np.random.default_rng(1).normal(size=20_000)
    for depth_m in (1.0, 3.0):
        spoiled = noise.spoil(np.full(20_000, depth_m), draws)
        sigma = 0.0012 + 0.0019 * (depth_m - 0.4) ** 2
        step = 0.00285 * depth_m**2
        assert spoiled.mean() == pytest.approx(depth_m, abs=step / 4)
        assert spoiled.std() == pytest.approx(math.hypot(sigma, step / math.sqrt(12)), rel=0.15)
        assert np.unique(spoiled).size < 40
    assert (noise.spoil(np.zeros(5), np.ones(5)) == 0.0).all()


def test_the_kinect_of_the_catalogue_sees_depth_in_its_range():
    sheet = replace(models()["kinect"].sheet, width=40, height=30)
    sim = Sim(scene(sheet, LEVEL), seed=1)
    depth = sim.robot("a").pictures("eye")["depth"]
    assert depth[15, 20] == pytest.approx(3.0, abs=0.1)
    assert depth[15, 0] == 0.0  # the wall is at 5 m
    assert depth[depth > 0.0].min() > 0.75


def test_a_sensor_that_is_no_camera_takes_no_pictures():
    sim = Sim(room(), seed=1)
    with pytest.raises(UnknownName, match="scout/front is not a camera but a laser"):
        sim.robot("scout").pictures("front")
