"""Pictures on things as browsers get them."""

import base64
import io
import json

import numpy as np
import pytest
from meshes import PLATES
from pictures import encoded
from PIL import Image
from scenes import box, room

from understudy.sim.sim import Sim
from understudy.studio.describe import description
from understudy.studio.gallery import Gallery, name_of
from understudy.world.face_textures import TextureFile
from understudy.world.scene import Ground, Heights, Solid, Wall
from understudy.world.shapes import Cylinder, Mesh, Pose

COLOURS = np.array([[(200, 0, 0), (0, 180, 0)]], np.uint8)
PRINT = encoded(COLOURS)


def described(scene, files, gallery=None):
    with Sim(scene, files=files) as sim:
        return json.loads(json.dumps(description(sim.view(), 1, gallery), allow_nan=False))


def floats(text, width):
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, width)


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


# ---- the gallery


def test_a_picture_is_handed_out_as_a_camera_sees_it():
    gallery = Gallery()
    clear = encoded(np.array([[(200, 0, 0, 255), (0, 180, 0, 0)]]))
    name = gallery.keep(TextureFile("p.png", clear, tint="#ff8000", under="#ffffff"))
    assert pixels(gallery.png(name)).tolist() == [[[200, 0, 0], [255, 128, 0]]]


def test_a_name_follows_from_content_and_looks_alone():
    one = TextureFile("a.png", PRINT)
    assert name_of(one) == name_of(TextureFile("b.png", PRINT))
    assert name_of(one) != name_of(TextureFile("a.png", PRINT, tint="#000000"))
    assert name_of(one) != name_of(TextureFile("a.png", PRINT, under="#000000"))


def test_a_large_picture_is_made_smaller():
    gallery = Gallery()
    name = gallery.keep(TextureFile("p.png", encoded(np.zeros((10, 4000, 3)))))
    assert pixels(gallery.png(name)).shape == (5, 2048, 3)


@pytest.mark.parametrize("data", [b"hello", PRINT[:50]])
def test_what_cannot_be_decoded_is_not_there(data):
    gallery = Gallery()
    assert gallery.png(gallery.keep(TextureFile("p.png", data))) is None


def test_a_name_that_nobody_gave_has_no_picture():
    assert Gallery().png("../../etc/passwd") is None


def test_pictures_of_a_scene_are_forgotten_with_the_next_but_one():
    gallery = Gallery()
    names = []
    for n in range(3):
        gallery.begin()
        names.append(gallery.keep(TextureFile("p.png", PRINT, tint=f"#00000{n}")))
    assert [gallery.png(name) is not None for name in names] == [False, True, True]


# ---- what a browser receives


def test_a_box_with_a_picture_has_textures_that_name_it():
    gallery = Gallery()
    (thing,) = described(room(objects=(box(picture="p.png"),)), {"p.png": PRINT}, gallery)["fixed"]
    textures = thing["textures"]
    assert (len(floats(textures["corners"], 3)), len(floats(textures["places"], 2))) == (36, 36)
    ((count, name),) = textures["parts"]
    assert count == 36
    assert pixels(gallery.png(name)).tolist() == COLOURS.tolist()


def test_plain_parts_of_textures_come_first_and_have_their_colour():
    drum = Solid(name="drum", shape=Cylinder(0.2, 0.5), pose=Pose(1.0), colour="#ff8000", picture="p.png", mass_kg=1.0)
    textures = described(room(objects=(drum,)), {"p.png": PRINT})["bodies"][1]["textures"]
    (plain, none), (shown, name) = textures["parts"]
    assert none == ""
    assert name
    assert plain + shown == len(floats(textures["corners"], 3))
    lids = floats(textures["corners"], 3)[:plain, 2]
    assert set(np.round(lids, 3).tolist()) == {0.0, 0.5}
    assert floats(textures["colours"], 3)[0] == pytest.approx([1.0, 128 / 255, 0.0])


def test_a_wall_with_a_picture_stands_where_it_stands():
    wall = Wall(name="w", points_m=((1, 0), (1, 2)), height_m=1.5, picture="p.png", picture_m=(0.5, 0.5))
    (described_wall,) = described(room(walls=(wall,)), {"p.png": PRINT})["walls"]
    corners, places = floats(described_wall["textures"]["corners"], 3), floats(described_wall["textures"]["places"], 2)
    assert np.ptp(corners, axis=0) == pytest.approx([0.03, 2.0, 1.5])
    assert places.max(axis=0) == pytest.approx([4.0, 3.0])


def test_a_mesh_is_described_once():
    data, others = PLATES["plate.glb"](PRINT)
    plate = Solid(name="plate", shape=Mesh("plate.glb"), pose=Pose(1.0, 0.0, 1.0))
    gallery = Gallery()
    scene = described(room(objects=(plate,), engine="rigid"), {"plate.glb": data, **others}, gallery)
    (thing,) = scene["fixed"]
    assert "corners" not in thing["shape"]
    ((count, name),) = thing["textures"]["parts"]
    assert (count, gallery.png(name) is None) == (6, False)


def test_a_ground_that_is_a_mesh_shows_its_pictures():
    ground = Ground(heights=Heights("plate.obj"))
    obj, beside = PLATES["plate.obj"](PRINT)
    lying = obj.replace(b"v 0.0 -0.5 -0.5", b"v -0.5 -0.5 0").replace(b"v 0.0 0.5 -0.5", b"v 0.5 -0.5 0")
    lying = lying.replace(b"v 0.0 0.5 0.5", b"v 0.5 0.5 0").replace(b"v 0.0 -0.5 0.5", b"v -0.5 0.5 0")
    scene = described(room(walls=(), ground=ground, engine="rigid"), {"plate.obj": lying, **beside})
    ((count, name),) = scene["ground"]["mesh"]["parts"]
    assert (count, bool(name)) == (6, True)


def test_a_picture_that_is_not_there_leaves_the_colour():
    (thing,) = described(room(objects=(box(picture="gone.png"),)), {})["fixed"]
    assert "textures" not in thing
