"""What a camera sees of pictures on things: exactly their pixels, upright, and never as in a mirror."""

import math
from dataclasses import replace

import numpy as np
import pytest
from meshes import PLATES
from pictures import encoded
from scenes import PERFECT, model, robot

from understudy.assets.library import Library
from understudy.engines.rays.spatial.caster import Tilted
from understudy.engines.rays.table import RayTable
from understudy.errors import ChangeRefused, FormatError
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world import texture_mapping
from understudy.world.changes import Add, Move
from understudy.world.face_textures import TextureFile
from understudy.world.materials import layer_mask
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Ground, Light, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Pose, Sphere

R, G, B, W, K, Y = (200, 0, 0), (0, 180, 0), (0, 0, 220), (250, 250, 250), (10, 10, 10), (220, 210, 0)
LETTER = np.array([[R, G, B], [W, K, Y]], np.uint8)  # the same in no mirror and no way turned
FOUR = np.array([[R, G, B, W], [K, Y, W, R]], np.uint8)  # around what is round
FILES = {"letter.png": encoded(LETTER), "four.png": encoded(FOUR)}
EVEN = {"ambient": 1.0, "lights": (Light("dark", brightness=0.0),)}  # things have exactly their colours
SIDE = 60  # pixels of a picture that is taken
AWAY_M = 1.5


def eye(x=0.0, y=0.0, heading=0.0, mount=None, width_m=1.0):
    """Return a robot whose camera sees a square of this width, AWAY_M before it."""
    field = 2.0 * math.atan(width_m / 2 / AWAY_M)
    sheet = SENSORS["camera"](width=SIDE, height=SIDE, field_rad=field, noise=PERFECT, shadows=False)
    device = DeviceSpec(name="eye", sheet=sheet, mount=mount or Mount(z_m=1.0))
    return robot("a", x, y, heading, model(devices=(device,)))


def taken(*things, files=FILES, engine="planar", looking=None, **extra):
    walls = tuple(thing for thing in things if isinstance(thing, Wall))
    objects = tuple(thing for thing in things if isinstance(thing, Solid))
    given = {"ground": Ground((40.0, 40.0)), **EVEN, **extra}
    scene = Scene(engine=engine, walls=walls, objects=objects, robots=(looking or eye(),), **given)
    with Sim(scene, seed=1, files=files) as sim:
        return sim.robot("a").pictures("eye")["rgb"].astype(int)


def spread(picture, rows=SIDE, columns=SIDE):
    """Return a picture enlarged to so many pixels."""
    return np.kron(picture, np.ones((rows // len(picture), columns // picture.shape[1], 1), int))


def around(angle, away=AWAY_M + 0.5, **extra):
    """Return a robot that looks at zero from a direction."""
    return eye(away * math.cos(angle), away * math.sin(angle), angle + math.pi, **extra)


CUBE = Solid(name="cube", shape=Box((1.0, 1.0, 1.0)), pose=Pose(z_m=0.5), picture="letter.png")


@pytest.mark.parametrize("engine", ["planar", "rigid"])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_each_side_of_a_box_shows_the_whole_picture_the_right_way_round(quarter, engine):
    assert (taken(CUBE, engine=engine, looking=around(quarter * math.pi / 2)) == spread(LETTER)).all()


def test_the_top_of_a_box_has_its_picture_as_the_ground_has_it():
    above = eye(0.0, -1.0, math.pi / 2, Mount(x_m=1.0, z_m=3.0, pitch_rad=math.pi / 2))
    assert (taken(CUBE, looking=above) == spread(LETTER)).all()


def test_the_bottom_of_a_box_reads_from_below():
    high = replace(CUBE, pose=Pose(z_m=4.0))
    below = eye(0.0, 1.0, -math.pi / 2, Mount(x_m=1.0, z_m=4.0 - AWAY_M, pitch_rad=-math.pi / 2))
    assert (taken(high, looking=below) == spread(LETTER)).all()


def test_a_picture_turns_with_its_thing():
    turned = replace(CUBE, pose=Pose(z_m=0.5, heading_rad=0.7))
    assert (taken(turned, looking=around(0.7)) == spread(LETTER)).all()


def test_a_picture_on_what_can_be_moved_goes_along():
    scene = Scene(objects=(replace(CUBE, mass_kg=5.0),), robots=(around(0.0),), **EVEN)
    with Sim(scene, seed=1, files=FILES) as sim:
        sim.change(Move("cube", Pose(3.0, 4.0, 0.5, 0.3)))
        sim.change(Move("a", Pose(3.0 + 2.0 * math.cos(0.3), 4.0 + 2.0 * math.sin(0.3), 0.0, 0.3 + math.pi)))
        sim.run(0.2)
        assert (sim.robot("a").pictures("eye")["rgb"] == spread(LETTER)).all()


@pytest.mark.parametrize("engine", ["planar", "rigid"])
@pytest.mark.parametrize("shape", [Cylinder(0.5, 2.0), Cone(0.5, 2.0), Sphere(1.0)])
def test_what_is_round_has_the_picture_once_around_with_its_middle_ahead(shape, engine):
    thing = Solid(name="round", shape=shape, picture="four.png")
    for quarter in range(4):
        seen = taken(thing, engine=engine, looking=around(quarter * math.pi / 2, 3.0, width_m=0.4))
        left, right = (quarter + 1) % 4, (quarter + 2) % 4
        high, low = seen[SIDE // 2 - 6], seen[SIDE // 2 + 5]  # above and below the middle
        assert high[[25, 35]].tolist() == FOUR[0, [left, right]].tolist()
        assert low[[25, 35]].tolist() == FOUR[1, [left, right]].tolist()


def test_the_poles_of_a_sphere_are_the_upper_and_lower_edge_of_the_picture():
    ball = Solid(name="ball", shape=Sphere(0.5), pose=Pose(z_m=0.5), picture="four.png")
    column = taken(ball, looking=around(0.3, 2.0, width_m=0.7))[:, 30]
    assert column[[0, 29, 30, 59]].tolist() == FOUR[[0, 0, 1, 1], 2].tolist()


def test_bottom_and_top_of_a_cylinder_have_its_colour():
    drum = Solid(name="drum", shape=Cylinder(0.5, 0.5), colour="#102030", picture="four.png")
    above = eye(0.0, -1.0, math.pi / 2, Mount(x_m=1.0, z_m=2.0, pitch_rad=math.pi / 2), width_m=0.5)
    assert (taken(drum, looking=above) == (0x10, 0x20, 0x30)).all()


# ---- walls


@pytest.mark.parametrize("engine", ["planar", "rigid"])
@pytest.mark.parametrize("angle", [0.0, math.pi])
@pytest.mark.parametrize("thickness", [0.0, 0.2])
def test_a_wall_shows_its_picture_on_both_sides_the_right_way_round(angle, thickness, engine):
    wall = Wall(name="w", points_m=((0.0, -0.5), (0.0, 0.5)), height_m=2.0, thickness_m=thickness, picture="letter.png")
    seen = taken(wall, engine=engine, looking=around(angle, AWAY_M + thickness / 2, width_m=2.0))
    wide = round(SIDE * (1.0 + thickness) / 2)  # of the wall in the picture that is taken
    first = (SIDE - wide) // 2
    assert (seen[:, first : first + wide] == spread(LETTER, SIDE, wide)).all()


def test_a_picture_on_a_wall_repeats_from_the_lower_left():
    wall = Wall(name="w", points_m=((0.0, -1.0), (0.0, 1.0)), height_m=2.0, picture="letter.png", picture_m=(1.0, 1.0))
    seen = taken(wall, looking=around(0.0, AWAY_M, width_m=2.0))
    assert (seen == np.tile(spread(LETTER, 30, 30), (2, 2, 1))).all()


def test_a_picture_that_does_not_fit_is_cut_at_the_right_and_at_the_top():
    wall = Wall(name="w", points_m=((0.0, -1.0), (0.0, 1.0)), height_m=2.0, picture="letter.png", picture_m=(4.0, 4.0))
    seen = taken(wall, looking=around(0.0, AWAY_M, width_m=2.0))
    assert (seen[:, :39] == LETTER[1, 0]).all()
    assert (seen[:, 41:] == LETTER[1, 1]).all()


def test_every_straight_piece_has_the_picture():
    wall = Wall(name="w", points_m=((0.0, -1.0), (0.0, 0.0), (0.0, 1.0)), height_m=2.0, picture="letter.png")
    seen = taken(wall, looking=around(0.0, AWAY_M, width_m=2.0))
    assert (seen == np.tile(spread(LETTER, SIDE, 30), (1, 2, 1))).all()


def test_the_ends_of_a_thick_wall_have_its_colour():
    wall = Wall(
        name="w", points_m=((-2.0, 0.0), (0.0, 0.0)), height_m=2.0, thickness_m=1.0, colour="#405060",
        picture="letter.png",
    )  # fmt: skip
    assert (taken(wall, looking=around(0.0, width_m=0.9)) == (0x40, 0x50, 0x60)).all()


# ---- meshes

PLATE = Solid(name="plate", shape=Mesh("plate", up="z"), pose=Pose(z_m=1.0), colour="#405060")


def plate(kind, **extra):
    """Return a plate of 1 m that looks along x, from a file that says how a picture lies on it."""
    data, others = PLATES[kind](encoded(LETTER))
    solid = replace(PLATE, shape=Mesh(kind, up="z"), **extra)
    return solid, {kind: data, **others, **FILES}


@pytest.mark.parametrize("kind", PLATES)
def test_a_mesh_brings_its_own_picture_along(kind):
    solid, files = plate(kind)
    assert (taken(solid, files=files, engine="rigid", looking=around(0.0, AWAY_M)) == spread(LETTER)).all()


@pytest.mark.parametrize("kind", PLATES)
def test_the_picture_of_the_scene_lies_as_the_mesh_says(kind):
    solid, files = plate(kind, picture="four.png")
    assert (taken(solid, files=files, engine="rigid", looking=around(0.0, AWAY_M)) == spread(FOUR)).all()


def test_two_things_of_one_mesh_may_show_different_pictures():
    one, files = plate("plate.obj", picture="four.png")
    other = replace(one, name="other", picture="letter.png", pose=Pose(y_m=1.0, z_m=1.0))
    seen = taken(one, other, files=files, engine="rigid", looking=around(0.0, AWAY_M, width_m=3.0))
    assert (seen[20:40, 20:40] == spread(FOUR, 20, 20)).all()
    assert seen[25, 43].tolist() == LETTER[0, 0].tolist()


def test_a_mesh_that_does_not_say_how_a_picture_lies_is_refused_with_advice():
    solid, files = plate("plate.obj", picture="four.png")
    files["plate.obj"] = b"v 0 0 0\nv 0 1 0\nv 0 1 1\nf 1 2 3\n"
    wanted = r"^plate\.obj: has no texture coordinates; UV-unwrap it .* or remove the picture of plate$"
    with pytest.raises(FormatError, match=wanted):
        taken(solid, files=files, engine="rigid")


def test_the_factor_of_a_gltf_material_tints_its_picture():
    data, others = PLATES["plate.glb"](encoded(LETTER), colour=(1.0, 0.5, 0.0, 1.0))
    solid = replace(PLATE, shape=Mesh("plate.glb", up="z"))
    seen = taken(solid, files={"plate.glb": data, **others}, engine="rigid", looking=around(0.0, AWAY_M))
    assert seen[10, 10].tolist() == [200, 0, 0]
    assert seen[10, 30].tolist() == [0, 90, 0]
    assert seen[10, 50].tolist() == [0, 0, 0]


# ---- what is no picture


def test_where_a_picture_is_transparent_the_colour_of_the_thing_shows():
    clear = encoded(np.array([[(255, 0, 0, 255), (255, 0, 0, 0)]]))
    seen = taken(replace(CUBE, colour="#0000ff", picture="c.png"), files={"c.png": clear}, looking=around(0.0))
    assert (seen[:, :30] == (255, 0, 0)).all()
    assert (seen[:, 30:] == (0, 0, 255)).all()


def test_light_and_shadow_fall_on_pictures_as_on_colours():
    dim = taken(CUBE, looking=around(0.0), ambient=0.5)
    assert (dim == np.rint(spread(LETTER) * 0.5)).all()


def test_a_missing_picture_is_named_if_a_camera_would_see_it():
    with pytest.raises(FormatError, match=r"^gone\.png: no such file; it is the picture of cube$"):
        taken(replace(CUBE, picture="gone.png"))


def test_a_damaged_picture_is_named_before_the_run_begins():
    with pytest.raises(FormatError, match=r"^letter\.png: the picture is damaged; save it again$"):
        taken(CUBE, files={"letter.png": FILES["letter.png"][:60]})


def test_a_thing_that_is_added_may_show_a_picture_that_the_scene_has():
    scene = Scene(objects=(replace(CUBE, name="far", pose=Pose(-9.0)),), robots=(around(0.0),), **EVEN)
    with Sim(scene, seed=1, files=FILES) as sim:
        sim.change(Add(replace(CUBE, picture="four.png")))
        sim.run(0.2)
        assert (sim.robot("a").pictures("eye")["rgb"] == spread(FOUR)).all()


def test_a_thing_that_is_added_with_a_picture_that_is_not_there_is_refused():
    with Sim(Scene(robots=(around(0.0),)), seed=1, files={}) as sim:
        with pytest.raises(ChangeRefused, match=r"^letter\.png: no such file; it is the picture of cube$"):
            sim.change(Add(CUBE))
        sim.run(0.1)


def test_pictures_of_too_many_pixels_together_are_refused(monkeypatch):
    monkeypatch.setattr("understudy.assets.pictures.texture.MOST_PIXELS", 10)
    other = replace(CUBE, name="other", pose=Pose(5.0), picture="four.png")
    with pytest.raises(FormatError, match=r"^four\.png: pictures on things have more than .* make them smaller$"):
        taken(CUBE, other, looking=around(0.0))


# ---- those who draw triangles see the same

RAMP = np.zeros((256, 256, 3), np.uint8)  # tells by its colour where on it one is
RAMP[:, :, 0], RAMP[:, :, 1] = np.arange(256), np.arange(256)[:, None]


class Standing:
    place, height = np.array([[0.0, 0.0, 0.0]]), np.array([[0.0, 0.3]])


@pytest.mark.parametrize(
    "thing",
    [
        Solid(name="t", shape=Box((1.0, 2.0, 0.5)), picture="ramp.png"),
        Solid(name="t", shape=Cylinder(0.5, 2.0), picture="ramp.png"),
        Solid(name="t", shape=Cone(0.5, 2.0), picture="ramp.png"),
        Solid(name="t", shape=Sphere(0.5), picture="ramp.png"),
        Wall(name="t", points_m=((-1.0, 0.5), (2.0, 1.5)), thickness_m=0.2, picture="ramp.png"),
        Wall(name="t", points_m=((-1.0, 0.5), (2.0, 1.5)), thickness_m=0.2, picture="ramp.png", picture_m=(0.7, 0.3)),
    ],
)
def test_the_triangles_of_a_thing_show_what_a_camera_sees(thing):
    files = Library({"ramp.png": encoded(RAMP)})
    body = files.textured(thing)
    shown = body.textures.which == 0
    middles, out = body.corners.mean(axis=1)[shown], body.normals[shown]
    table = RayTable(middles + 0.3 * out, -out, 1.0, layer_mask(("camera",)))
    here = robot("a", 0.0)
    scene = Scene(
        robots=(here,), objects=(thing,) if isinstance(thing, Solid) else (),
        walls=(thing,) if isinstance(thing, Wall) else (), ground=Ground(seen_by=()),
    )  # fmt: skip
    met = Tilted(scene, files).cast_things(table, np.array([0]), Standing(), np.empty((1, len(middles))))
    colour = met.colour[0]
    inside = met.label[0] == 2
    assert inside.mean() > 0.8  # rays to the ends of overlapping pieces may meet something else
    places = body.textures.places[shown].mean(axis=1)[inside] % 1.0
    wanted = np.column_stack([places[:, 0] * 256, (1.0 - places[:, 1]) * 256])
    assert np.abs(colour[inside, :2] + 0.5 - wanted).max() < 1.5  # a round body is a polygon as triangles


def test_faces_of_triangles_look_outward():
    texture_file = TextureFile("p", b"")
    for shape in (Box((1.0, 2.0, 0.5)), Cylinder(0.5, 2.0), Cone(0.5, 2.0), Sphere(0.5)):
        body = texture_mapping.wrapped(shape, texture_file, (1, 2, 3))
        middle = np.array([0.0, 0.0, body.bounds_m[1][2] / 2])
        assert (((body.corners.mean(axis=1) - middle) * body.normals).sum(axis=1) > 0.0).all(), shape


# ---- from afar


def test_a_picture_from_afar_is_a_mean_of_its_pixels():
    checkers = np.kron(np.indices((128, 128)).sum(axis=0)[:, :, None] % 2, np.full((1, 1, 3), 200))
    scene = {"files": {"c.png": encoded(checkers)}, "ground": Ground((400.0, 400.0))}
    seen = taken(replace(CUBE, picture="c.png"), looking=around(0.0, 40.0, width_m=0.1), **scene)
    assert (seen[28:32, 28:32] == 100).all()
