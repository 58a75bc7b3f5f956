"""What cameras see of other robots: their looks, and not their bodies; on both engines, by rays and as drawn."""

import math
from dataclasses import replace

import numpy as np
import pytest
from limbs import PAN, panning
from meshes import box as cube
from meshes import obj
from pictures import encoded
from scenes import model, robot
from sensors.camera.test_camera_drawn import assert_agree, both, needs_gl, scene, taken

from understudy.sensors import SENSORS
from understudy.world.looks import Look
from understudy.world.materials import Surface
from understudy.world.robot import Circle, DeviceSpec
from understudy.world.shapes import Box, Cylinder, Mesh, Mount
from understudy.world.vehicle import BodyPart

RED, BLUE = np.array([204, 51, 17]), np.array([0, 64, 255])
HULL = Look(name="hull", shape=Box((0.4, 0.6, 0.5)), colour="#0040ff")
PAINT = """mtllib m.mtl
usemtl green
"""
FILES = {"hull.obj": obj(cube((0.4, 0.6, 0.5))), "m.mtl": b"newmtl green\nKd 0 1 0\n"}


def seen(world, files=None, act=None):
    """Return the colours of the picture without their brightness."""
    rgb = taken(world, files, act)["rgb"].astype(np.float64)
    return rgb / np.maximum(rgb.max(axis=2, keepdims=True), 1.0)


def shows(colours, colour):
    """Say how many pixels show a colour, in whatever light."""
    wanted = np.array(colour) / max(colour)
    return int((np.abs(colours - wanted).max(axis=2) < 0.03).sum())


def other(*looks, **given):
    return robot("b", 1.5, parts=model(devices=(), body=Circle(0.3, height_m=0.6), looks=looks, **given))


@pytest.mark.parametrize("engine", ["planar", "rigid"])
@pytest.mark.parametrize("renderer", ["rays", pytest.param("gl", marks=needs_gl)])
def test_a_robot_wears_its_looks_and_not_its_body(engine, renderer):
    bare = seen(scene(renderer=renderer, engine=engine, others=(other(),)))
    worn = seen(scene(renderer=renderer, engine=engine, others=(other(HULL),)))
    assert shows(bare, RED) > 100
    assert not shows(bare, BLUE)
    assert shows(worn, BLUE) > 100
    assert not shows(worn, RED)


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_look_without_a_colour_has_that_of_the_robot(engine):
    look = Look(name="hull", shape=Mesh("hull.obj"), mount=Mount(z_m=0.3))
    assert shows(seen(scene(renderer="rays", engine=engine, others=(other(look),)), FILES), RED) > 100


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_look_that_is_a_mesh_has_the_colours_of_its_file(engine):
    look = Look(name="hull", shape=Mesh("green.obj"), mount=Mount(z_m=0.3), colour="#0040ff")
    files = {**FILES, "green.obj": PAINT.encode() + FILES["hull.obj"]}
    colours = seen(scene(renderer="rays", engine=engine, others=(other(look),)), files)
    assert shows(colours, (0, 255, 0)) > 100
    assert not shows(colours, BLUE)


def test_a_robot_does_not_see_its_own_looks():
    world = scene(renderer="rays", engine="planar", others=())
    first = world.robots[0]
    cap = Look(name="cap", shape=Box((2.0, 2.0, 2.0)), colour="#0040ff")
    dressed = replace(world, robots=(replace(first, parts=replace(first.parts, looks=(cap,))),))
    assert np.array_equal(taken(world)["rgb"], taken(dressed)["rgb"])


def test_looks_have_the_label_and_the_warmth_of_their_robot():
    found = taken(scene(renderer="rays", others=(other(HULL, surface=Surface(temperature_c=33.0)),)))
    mine = (
        np.abs(found["rgb"] / np.maximum(found["rgb"].max(axis=2, keepdims=True), 1) - BLUE / 255).max(axis=2)
    ) < 0.03
    assert mine.any()
    assert len(np.unique(found["labels"][mine])) == 1
    assert (found["thermal"][mine] == 33.0).all()


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_lasers_meet_the_body_whatever_it_wears(engine):
    from understudy.sim.sim import Sim

    def ranges(*looks):
        world = scene(renderer="rays", engine=engine, others=(other(*looks),))
        first = world.robots[0]
        laser = DeviceSpec(name="front", sheet=SENSORS["laser"](rays=31), mount=Mount(z_m=0.2))
        laser = replace(laser, sheet=replace(laser.sheet, noise=replace(SENSORS["laser"]().noise, preset="perfect")))
        parts = replace(first.parts, devices=(*first.parts.devices, laser))
        with Sim(replace(world, robots=(replace(first, parts=parts), *world.robots[1:])), seed=1) as sim:
            return sim.robot("a").read("front").copy()

    assert np.array_equal(ranges(), ranges(HULL))


def test_a_look_whose_file_is_missing_leaves_the_body():
    look = Look(name="hull", shape=Mesh("nowhere.obj"))
    assert shows(seen(scene(renderer="rays", others=(other(look),))), RED) > 100


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_look_on_a_joint_turns_with_it(engine):
    flag = Look(name="flag", joint="pan", shape=Box((0.02, 0.6, 0.3)), mount=Mount(x_m=0.1), colour="#0040ff")
    watched = robot("b", 1.0, parts=panning(joints=(PAN,), looks=(flag,)))
    world = scene(renderer="rays", engine=engine, others=(watched,))
    ahead = shows(seen(world), BLUE)
    aside = shows(seen(world, act=lambda sim: (sim.robot("b").servo("pan").to(math.pi / 2), sim.run(1.5))), BLUE)
    assert ahead > 4 * aside > 0


@needs_gl
@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_drawn_looks_agree_with_rays(engine):
    looks = (
        Look(name="hull", shape=Box((0.4, 0.6, 0.3)), mount=Mount(z_m=0.1, yaw_rad=0.4), colour="#0040ff"),
        Look(name="mast", shape=Cylinder(0.05, 0.6), mount=Mount(z_m=0.4), stretch=(1.0, 2.0, 1.0), colour="#10c020"),
        Look(name="nose", shape=Mesh("green.obj", scale=0.4), mount=Mount(x_m=-0.25, z_m=0.2)),
    )
    files = {**FILES, "green.obj": PAINT.encode() + FILES["hull.obj"]}
    assert_agree(*both(scene(engine=engine, others=(other(*looks),)), files))


@needs_gl
def test_pictures_on_looks_are_drawn_as_rays_see_them():
    pixels = np.kron(np.random.default_rng(1).integers(0, 256, (4, 4, 3)), np.ones((16, 16, 1)))
    text = (
        "mtllib p.mtl\nv 0 -0.4 0\nv 0 0.4 0\nv 0 0.4 0.8\nv 0 -0.4 0.8\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
        "usemtl sign\nf 1/1 4/4 3/3\nf 1/1 3/3 2/2\n"
    )
    files = {"sign.obj": text.encode(), "p.mtl": b"newmtl sign\nmap_Kd sign.png\n", "sign.png": encoded(pixels)}
    cast, drawn = both(scene(others=(other(Look(name="sign", shape=Mesh("sign.obj"))),)), files)
    assert_agree(cast, drawn, colour=8.0)
    mine = cast["labels"] == cast["labels"][30, 40]
    assert len(np.unique(cast["rgb"][mine], axis=0)) > 8, "it shows its picture"


def test_parts_on_joints_stay_hidden_where_a_robot_wears_looks():
    bar = BodyPart(name="bar", shape=Box((0.1, 0.1, 1.2)), colour="#00ff00")
    watched = other(HULL, parts=(bar,))
    assert not shows(seen(scene(renderer="rays", others=(watched,))), RED)
