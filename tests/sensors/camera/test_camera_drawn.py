"""MuJoCo's renderer against rays: the same scene, pixel by pixel. Edges of things may be a pixel apart."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from limbs import PAN, TILT, arm, bend, panning
from meshes import ball, obj
from meshes import box as cube
from pictures import encoded
from scenes import PERFECT, model, robot, room

from understudy.assets.pictures import grey_picture
from understudy.engines.gl import opengl
from understudy.errors import EngineError
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Move, Remove
from understudy.world.materials import Surface
from understudy.world.robot import Circle, DeviceSpec, Polygon, Rectangle
from understudy.world.scene import Air, Ball, Ground, Heights, Light, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Pose, Sphere
from understudy.world.terrain import Terrain
from understudy.world.vehicle import BodyPart

needs_gl = pytest.mark.skipif(not opengl.found().kind, reason=f"no OpenGL without a screen: {opengl.found().drawer}")
ALL = ("rgb", "depth", "labels", "thermal")
LOOK = Mount(z_m=0.5, pitch_rad=0.15)
CRATE = Solid(name="crate", shape=Box((0.5, 1.0, 1.0)), pose=Pose(2.25, 0.0), colour="#ff8000")
KINDS = (Box((0.6, 0.4, 0.5)), Cylinder(0.3, 0.7), Cone(0.35, 0.9), Sphere(0.3))


def scene(*objects, renderer="gl", images=ALL, mount=LOOK, body=None, others=(), sheet=None, **extra):
    given = {"images": images, "width": 80, "height": 60, "noise": PERFECT, "renderer": renderer, **(sheet or {})}
    eye = DeviceSpec(name="eye", sheet=SENSORS["camera"](**given), mount=mount)
    own = model(devices=(eye,), **({"body": body} if body else {}))
    world = room(robot("a", -1.0, parts=own), *others, width=14.0, depth=8.0, objects=objects)
    return replace(world, **{"engine": "rigid", **extra})


def with_renderer(world, renderer):
    first = world.robots[0]
    eye = first.parts.devices[0]
    parts = replace(first.parts, devices=(replace(eye, sheet=replace(eye.sheet, renderer=renderer)),))
    return replace(world, robots=(replace(first, parts=parts), *world.robots[1:]))


def taken(world, files=None, act=None):
    with Sim(world, seed=1, files=files or {}) as sim:
        if act is not None:
            act(sim)
            sim.run(0.2)
        return {name: picture.astype(float) for name, picture in sim.robot("a").pictures("eye").items()}


def edges(labels):
    """Return which pixels have a neighbour that shows another thing."""
    near = np.zeros(labels.shape, bool)
    for axis in (0, 1):
        change = np.diff(labels, axis=axis) != 0
        first, second = [slice(None)] * 2, [slice(None)] * 2
        first[axis], second[axis] = slice(None, -1), slice(1, None)
        near[tuple(first)] |= change
        near[tuple(second)] |= change
    return near


def both(world, files=None, act=None):
    return (taken(with_renderer(world, name), files, act) for name in ("rays", "gl"))


def assert_agree(cast, drawn, colour=2.0):
    inside = ~edges(cast["labels"]) & ~edges(drawn["labels"])
    assert (cast["labels"] == drawn["labels"]).mean() >= 0.97
    apart = np.abs(cast["depth"] - drawn["depth"])
    assert ((apart <= 0.01) | (apart <= 0.01 * cast["depth"]))[inside].mean() >= 0.98
    assert np.abs(cast["rgb"] - drawn["rgb"]).mean() <= colour
    assert np.abs(cast["rgb"] - drawn["rgb"])[inside].mean() <= colour / 2
    assert (cast["thermal"] == drawn["thermal"]).mean() >= 0.97


@st.composite
def things(draw):
    count = draw(st.integers(0, 10))
    found_ = []
    for number in range(count):
        x, y, z = draw(st.floats(0.7, 5.0)), draw(st.floats(-3.0, 3.0)), draw(st.floats(0.0, 0.5))
        turns = [draw(st.floats(-1.5, 1.5)) for _ in range(3)]
        pose = Pose(x, y, z, *turns)
        colour = f"#{draw(st.integers(0, 0xFFFFFF)):06x}"
        warm = Surface(temperature_c=draw(st.sampled_from([None, 37.0])))
        shape = draw(st.sampled_from(KINDS))
        found_.append(Solid(name=f"t{number}", shape=shape, pose=pose, colour=colour, surface=warm))
    return tuple(found_)


@needs_gl
@settings(max_examples=8)
@given(things())
@example(())
def test_drawn_pictures_agree_with_rays_on_any_solids(objects):
    assert_agree(*both(scene(*objects)))


@needs_gl
@pytest.mark.parametrize("engine", ["rigid", "planar"])
def test_any_engine_can_have_drawn_pictures(engine):
    upright = tuple(
        Solid(name=f"t{n}", shape=shape, pose=Pose(1.5 + n, n - 1.0, heading_rad=0.5)) for n, shape in enumerate(KINDS)
    )
    assert_agree(*both(scene(*upright, engine=engine, balls=(Ball("ball", pose=Pose(0.5, 0.3)),))))


@needs_gl
def test_meshes_are_drawn_with_the_colours_of_their_faces_and_from_both_sides():
    body = ball(radius=0.5)
    half = replace(body, faces=body.faces[body.vertices[body.faces].mean(axis=1)[:, 0] > -0.1])  # open to the camera
    coloured = obj(cube((1.0, 1.0, 1.0))).decode().splitlines()
    coloured[1:1] = ["mtllib m.mtl"]
    first = next(k for k, line in enumerate(coloured) if line.startswith("f "))
    coloured[first:first] = ["usemtl green"]
    coloured[first + 5 : first + 5] = ["usemtl red"]
    files = {
        "half.obj": obj(half), "whole.obj": obj(body), "m.obj": "\n".join(coloured).encode(),
        "m.mtl": b"newmtl green\nKd 0 1 0\nnewmtl red\nKd 1 0 0.5\n",
    }  # fmt: skip
    objects = (
        Solid(name="half", shape=Mesh("half.obj", hull=True), pose=Pose(1.0, 0.5, 0.6), colour="#8040c0"),
        Solid(name="whole", shape=Mesh("whole.obj"), pose=Pose(2.0, -0.8, 0.6), colour="#20c040"),
        Solid(name="again", shape=Mesh("whole.obj"), pose=Pose(4.0, -2.0, 0.6, 0.3, 0.2, 0.1), mass_kg=1.0),
        Solid(name="painted", shape=Mesh("m.obj"), pose=Pose(3.0, 1.5, 0.6, 0.7, 0.3, 0.2)),
    )
    cast, drawn = both(scene(*objects), files)
    assert_agree(cast, drawn)
    assert {3.0, 4.0, 5.0, 6.0} <= set(np.unique(drawn["labels"]))
    assert ((drawn["rgb"][..., 0] == 0) & (drawn["rgb"][..., 1] > 100)).any()


@needs_gl
def test_terrain_is_drawn_as_rays_meet_it():
    rows, columns = np.mgrid[0:41, 0:41]
    heights = grey_picture.to_pgm((128 + 100 * np.sin(columns / 3) * np.cos(rows / 4)).astype(np.uint8), "")
    checks = encoded(np.kron(np.indices((6, 6)).sum(axis=0) % 2, np.ones((8, 8)))[..., None] * [200, 100, 50])
    for floor in ("", "floor.png"):
        ground = Ground((14.0, 8.0), heights=Heights("h.pgm", high_m=1.0), picture=floor)
        world = scene(CRATE, ground=ground, walls=())
        assert_agree(*both(world, {"h.pgm": heights, "floor.png": checks}), colour=6.0)


@needs_gl
def test_ground_that_is_a_mesh_is_drawn():
    columns = np.mgrid[0:21, 0:21][1]
    land = Terrain((0.2 * np.sin(columns / 3)).astype(np.float32), -10.0, -10.0, 1.0, 1.0).triangles()
    world = scene(CRATE, ground=Ground((20.0, 20.0), heights=Heights("land.obj", cell_m=0.5)), walls=())
    assert_agree(*both(world, {"land.obj": obj(land)}))


@needs_gl
@pytest.mark.parametrize("side", [2, 8])
def test_the_ground_shows_its_picture_and_the_colour_of_its_edge_beyond(side):
    pixels = np.random.default_rng(1).integers(0, 256, (side, side, 3))
    world = scene(walls=(), ground=Ground((6.0, 4.0), picture="floor.png"), mount=Mount(z_m=1.5, pitch_rad=0.5))
    cast, drawn = both(world, {"floor.png": encoded(pixels)})
    assert_agree(cast, drawn, colour=8.0)  # OpenGL blends at edges, where rays pick a pixel
    near = np.abs(cast["rgb"] - drawn["rgb"])
    assert np.median(near) <= 1.0
    assert (near.max(axis=2) > 10.0).mean() < 0.2


def poster(rows=24, columns=36):
    """Return a picture that is another one upside down or in a mirror."""
    down, right = np.mgrid[0:rows, 0:columns]
    pixels = np.stack([right * 255 // columns, down * 255 // rows, np.zeros_like(down)], axis=-1)
    pixels[: rows // 4, : columns // 4] = 255
    return encoded(pixels)


@needs_gl
@pytest.mark.parametrize("turn", [0.0, 2.0, 4.0])
def test_things_show_their_pictures(turn):
    objects = tuple(
        Solid(
            name=f"k{n}", shape=shape, pose=Pose(1.5 + n / 2, 1.2 - 0.8 * n, 0.1, turn + n, 0.3, 0.2), picture="p.png"
        )
        for n, shape in enumerate(KINDS)
    )
    plain = taken(scene(*(replace(thing, picture="") for thing in objects)))
    cast, drawn = both(scene(*objects), {"p.png": poster()})
    assert_agree(cast, drawn, colour=4.0)
    assert np.abs(plain["rgb"] - drawn["rgb"]).mean() > 4.0


@needs_gl
@pytest.mark.parametrize(("thick", "size"), [(0.0, None), (0.2, (2.0, 0.4)), (0.0, (1.0, 1.0))])
def test_walls_show_their_pictures_on_both_sides(thick, size):
    wall = Wall(
        name="w", points_m=((2.0, -2.0), (2.5, 2.0), (1.0, 2.5)), thickness_m=thick, picture="p.png", picture_m=size
    )
    for x, heading in ((0.0, 0.0), (5.0, math.pi)):
        world = scene(walls=(wall,))
        first = replace(world.robots[0], place=Pose(x, 0.0, heading_rad=heading))
        assert_agree(*both(replace(world, robots=(first,)), {"p.png": poster()}), colour=6.0)


@needs_gl
def test_meshes_show_the_picture_of_the_scene_where_they_know_how():
    body = obj(cube((1.0, 1.0, 1.0))).decode().splitlines()
    spots = ["vt 0 0", "vt 1 0", "vt 0 1", "vt 1 1"]
    faces = [
        " ".join(f"{corner}/{1 + n}" for n, corner in enumerate(line.split()[1:])) for line in body if line[0] == "f"
    ]
    text = "\n".join([*(line for line in body if line[:1] == "v"), *spots, *(f"f {face}" for face in faces)])
    thing = Solid(name="cube", shape=Mesh("m.obj"), pose=Pose(2.0, 0.3, 0.6, 0.7, 0.3, 0.2), picture="p.png")
    assert_agree(*both(scene(thing), {"m.obj": text.encode(), "p.png": poster()}), colour=4.0)


@needs_gl
@pytest.mark.parametrize("body", [Circle(0.3), Rectangle(0.6, 0.4), Polygon(((0.3, 0.0), (-0.2, 0.3), (-0.3, -0.3)))])
def test_a_camera_sees_other_robots_and_not_its_own(body):
    parts = (BodyPart(name="fin", shape=Box((0.2, 0.1, 0.1)), mount=Mount(x_m=0.2, z_m=0.4, yaw_rad=0.5)),)
    other = robot("b", 1.0, 0.3, heading=2.5, parts=model(body=body, devices=(), parts=parts))
    world = scene(body=body, others=(other,), mount=Mount(z_m=0.1))
    cast, drawn = both(world)
    assert_agree(cast, drawn)
    assert set(np.unique(drawn["labels"])) == {0.0, 1.0, 2.0, 4.0}


@needs_gl
def test_what_joints_carry_is_drawn_where_they_have_it_and_seen_from_there():
    eye = DeviceSpec(name="eye", joint="tilt", sheet=scene().robots[0].parts.devices[0].sheet, mount=Mount(z_m=0.1))
    looking = replace(scene(CRATE).robots[0], parts=panning(eye, joints=(PAN, TILT)))
    other = robot("b", 0.8, 0.3, heading=2.5, parts=arm())

    def act(sim):
        sim.robot("a").servo("pan").to(-0.2)
        sim.robot("a").servo("tilt").to(0.2)
        bend(sim.robot("b"), -40.0, 60.0)
        sim.run(0.8)

    cast, drawn = both(replace(scene(CRATE), robots=(looking, other)), act=act)
    assert_agree(cast, drawn)
    assert {3.0, 5.0} <= set(np.unique(drawn["labels"]))


@needs_gl
def test_what_cameras_must_not_see_is_not_drawn():
    hidden = replace(CRATE, surface=Surface(seen_by=("laser",)))
    drawn = taken(scene(hidden, mount=Mount(z_m=0.5)))
    assert drawn["depth"][30, 40] == pytest.approx(8.0, abs=0.01)
    assert 3.0 not in drawn["labels"]


@needs_gl
def test_walls_without_thickness_are_drawn_from_both_sides():
    thin = Wall(name="thin", points_m=((2.0, -1.0), (2.5, 1.0)), thickness_m=0.0, height_m=0.8, colour="#ff0000")
    for heading in (0.0, math.pi):
        world = scene(walls=(thin,))
        first = replace(world.robots[0], place=Pose(4.0 if heading else 0.0, 0.0, heading_rad=heading))
        assert_agree(*both(replace(world, robots=(first,))))


@needs_gl
def test_things_are_drawn_where_they_are_after_changes():
    late = Solid(name="late", shape=Cone(0.3, 0.8), pose=Pose(1.0, -0.5), colour="#00ff00")
    loose = Solid(name="loose", shape=Cylinder(0.2, 0.6), pose=Pose(2.0, 1.0), mass_kg=1.0)

    def act(sim):
        for change in (Add(late), Remove("other"), Move("crate", Pose(2.5, 0.7, heading_rad=0.4))):
            sim.change(change)
            sim.run(0.1)
        sim.change(Move("loose", Pose(1.5, -1.0)))
        sim.robot("a").drive(0.5, 0.3)

    world = scene(CRATE, replace(CRATE, name="other", pose=Pose(1.5, 1.0)), loose)
    cast, drawn = both(world, act=act)
    assert_agree(cast, drawn)
    assert 5.0 in drawn["labels"]


@needs_gl
def test_two_runs_draw_the_same_bytes():
    loose = Solid(name="loose", shape=Sphere(0.3), pose=Pose(1.0, 0.2, 1.0), mass_kg=1.0)

    def act(sim):
        sim.robot("a").drive(0.5)

    first, second = (taken(scene(CRATE, loose), act=act) for _ in range(2))
    assert all((first[name] == second[name]).all() for name in ALL)


@needs_gl
def test_two_sizes_of_pictures_and_two_runs_side_by_side_do_not_disturb_each_other():
    small, large = scene(CRATE), scene(CRATE, sheet={"width": 200, "height": 150})
    alone = [taken(world)["depth"] for world in (small, large)]
    with Sim(small, seed=1) as one, Sim(large, seed=1) as other:
        for _ in range(3):
            one.run(0.1)
            other.run(0.1)
        together = [sim.robot("a").pictures("eye")["depth"] for sim in (one, other)]
    assert all((a == b).all() for a, b in zip(alone, together))


@needs_gl
def test_depth_has_the_limits_of_the_sheet():
    depth = taken(scene(CRATE, mount=Mount(z_m=0.5), sheet={"min_m": 1.5, "max_m": 4.0}))["depth"]
    assert depth[30, 40] == pytest.approx(3.0, abs=1e-3)
    assert (depth[30, 0], depth[59, 40]) == (0.0, 0.0)


@needs_gl
def test_warm_lamps_shine_in_pictures_of_warmth():
    lamp = Light("lamp", pose=Pose(1.0, 0.35, 0.5), temperature_c=90.0)
    thermal = taken(scene(CRATE, images=("thermal",), lights=(lamp,), air=Air(12.0)))["thermal"]
    assert (thermal.max(), thermal[59, 40]) == (90.0, 12.0)


@needs_gl
def test_suns_shine_as_rays_say_if_nothing_throws_shadows():
    suns = (Light("sun", style="sun", pose=Pose(1.0, 0.5, 2.0), brightness=0.7),
            Light("other", style="sun", pose=Pose(-1.0, -2.0, 1.0), brightness=0.3))  # fmt: skip
    world = scene(CRATE, *map_kinds(), lights=suns, ambient=0.1, sheet={"shadows": False})
    assert_agree(*both(world))


@needs_gl
def test_suns_throw_shadows():
    sun = Light("sun", style="sun", pose=Pose(1.0, 1.5, 2.0), brightness=0.7)
    world = scene(CRATE, *map_kinds(), lights=(sun,), ambient=0.2)
    assert_agree(*both(world), colour=3.0)


@needs_gl
def test_more_light_than_white_is_not_lost_on_dark_things():
    assert_agree(*both(scene(replace(CRATE, colour="#202020"), sheet={"full": 0.2})), colour=4.0)


@needs_gl
def test_a_drawn_lamp_lights_what_is_near_it():
    lamp = Light("lamp", pose=Pose(1.0, 0.0, 2.0), brightness=3.0)
    world = scene(CRATE, *map_kinds(), lights=(lamp,), ambient=0.1, sheet={"shadows": False})
    assert_agree(*both(world), colour=5.0)


def map_kinds():
    return tuple(
        Solid(name=f"k{n}", shape=shape, pose=Pose(1.0 + n, 1.5 - n, heading_rad=0.3)) for n, shape in enumerate(KINDS)
    )


@needs_gl
def test_by_itself_a_camera_on_rigid_is_drawn_unless_lamps_throw_shadows():
    lamp = Light("lamp", pose=Pose(1.0, 0.0, 2.0), brightness=3.0)
    for lights, same in (((), "gl"), ((lamp,), "rays")):
        world = scene(CRATE, *map_kinds(), lights=lights)
        chosen, alike = (taken(with_renderer(world, name)) for name in ("auto", same))
        assert all((chosen[image] == alike[image]).all() for image in ALL)


@needs_gl
def test_by_itself_a_small_picture_of_many_triangles_is_cast():
    heights = grey_picture.to_pgm(np.random.default_rng(1).integers(0, 9, (120, 120)).astype(np.uint8), "")
    world = scene(CRATE, ground=Ground((14.0, 8.0), heights=Heights("h.pgm", high_m=1.0)), walls=())
    chosen, alike = (taken(with_renderer(world, name), {"h.pgm": heights}) for name in ("auto", "rays"))
    assert all((chosen[image] == alike[image]).all() for image in ALL)


@needs_gl
def test_on_planar_a_camera_is_cast_by_itself():
    world = scene(CRATE, engine="planar")
    chosen, alike = (taken(with_renderer(world, name)) for name in ("auto", "rays"))
    assert all((chosen[image] == alike[image]).all() for image in ALL)


def test_requiring_opengl_where_there_is_none_says_what_to_install(monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "disable")
    with pytest.raises(EngineError, match=r'a/eye: renderer = "gl" is not available: MUJOCO_GL=disable'):
        Sim(scene(CRATE))
    monkeypatch.setattr(opengl, "find_library", lambda name: None)
    monkeypatch.setenv("MUJOCO_GL", "egl")
    opengl._found.cache_clear()
    try:
        with pytest.raises(EngineError, match="apt install libosmesa6, or libegl1"):
            Sim(scene(CRATE))
    finally:
        opengl._found.cache_clear()


def test_without_opengl_a_camera_is_cast_in_silence(monkeypatch, caplog):
    alike = taken(scene(CRATE, renderer="rays"))
    monkeypatch.setenv("MUJOCO_GL", "disable")
    chosen = taken(scene(CRATE, renderer="auto"))
    assert all((chosen[image] == alike[image]).all() for image in ALL)
    assert not [record for record in caplog.records if record.levelname != "INFO"]
