"""What a browser receives about a scene."""

import base64
import dataclasses
import json

import numpy as np
import pytest
from limbs import PAN, TILT, bar, panning, ray
from meshes import box as mesh_box
from meshes import stl
from scenes import PERFECT, box, model, robot, room

import understudy as us
from understudy.errors import SceneError
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.studio.describe import description
from understudy.world.looks import Look
from understudy.world.robot import Circle, DeviceSpec, Polygon, Rectangle
from understudy.world.scene import Ball, Ground, Light, Scene, Solid, Wall
from understudy.world.shapes import Cone, Cylinder, Mesh, Mount, Pose, Sphere
from understudy.world.vehicle import Wheel


def described(scene, epoch=1):
    with Sim(scene) as sim:
        return json.loads(json.dumps(description(sim.view(), epoch), allow_nan=False))


def floats(text):
    return np.frombuffer(base64.b64decode(text), "<f4")


@pytest.mark.parametrize(
    ("shape", "plain"),
    [
        (Sphere(0.3), {"kind": "sphere", "radius": 0.3}),
        (Cylinder(0.3, 0.9), {"kind": "cylinder", "radius": 0.3, "height": 0.9}),
        (Cone(0.3, 0.9), {"kind": "cone", "radius": 0.3, "height": 0.9}),
    ],
)
def test_a_solid_keeps_its_shape(shape, plain):
    (thing,) = described(room(objects=(Solid(name="post", shape=shape, pose=Pose(1.0, 2.0, heading_rad=0.5)),)))[
        "fixed"
    ]
    assert (thing["name"], thing["shape"]) == ("post", plain)
    assert thing["pose"] == [1.0, 2.0, 0.0, 0.0, 0.0, 0.5]


def test_a_box_keeps_its_size():
    assert described(room(objects=(box(),)))["fixed"][0]["shape"] == {"kind": "box", "size": [0.4, 0.4, 0.5]}


def test_what_can_be_pushed_is_among_the_bodies_after_the_robots():
    scene = described(
        room(robot("a"), objects=(box("heavy", 2.0), box("light", 1.0, mass_kg=2.0)), balls=(Ball("ball"),))
    )
    assert scene["bodies"][0]["what"] == "robot"
    assert {body["name"] for body in scene["bodies"][1:]} == {"light", "ball"}
    assert [thing["name"] for thing in scene["fixed"]] == ["heavy"]


@pytest.mark.parametrize(
    ("body", "points"),
    [
        (Rectangle(0.4, 0.2, offset_x_m=0.1), [[0.3, 0.1], [-0.1, 0.1], [-0.1, -0.1], [0.3, -0.1]]),
        (Polygon(((0.2, 0.0), (-0.2, 0.2), (-0.2, -0.2))), [[0.2, 0.0], [-0.2, 0.2], [-0.2, -0.2]]),
    ],
)
def test_a_robot_keeps_its_outline(body, points):
    (found,) = described(room(robot(parts=model(body=body))))["bodies"]
    assert (found["shape"]["kind"], found["shape"]["height"]) == ("prism", body.height_m)
    assert found["shape"]["points"] == [pytest.approx(point) for point in points]


def test_a_round_robot_is_a_cylinder():
    (found,) = described(room(robot(parts=model(body=Circle(0.2, 0.3)))))["bodies"]
    assert found["shape"] == {"kind": "cylinder", "radius": 0.2, "height": 0.3}


def test_walls_come_as_pieces():
    scene = described(room(walls=(Wall(name="corner", points_m=((0, 0), (2, 0), (2, 3)), height_m=2.5),)))
    assert floats(scene["walls"][0]["pieces"]).tolist() == [0, 0, 2, 0, 2, 0, 2, 3]
    assert scene["walls"][0]["height"] == 2.5


def test_walls_have_their_corners_unless_there_are_too_many_to_drag():
    many = tuple((float(x), 0.0) for x in range(300))
    scene = described(room(walls=(Wall(name="l", points_m=((0, 0), (2, 0), (2, 3))), Wall(name="map", points_m=many))))
    assert [len(wall["points"]) for wall in scene["walls"]] == [3, 0]


def test_the_bounds_hold_all_walls():
    scene = described(room(walls=(Wall(name="corner", points_m=((-7, 1), (2, 0), (2, 3))),)))
    assert scene["bounds"] == [-7, 0, 2, 3]


def test_the_bounds_of_a_scene_without_walls_are_its_ground():
    scene = described(Scene(ground=Ground((6.0, 4.0), (1.0, 0.0)), robots=(robot(),)))
    assert scene["bounds"] == [-2.0, -2.0, 4.0, 2.0]


def test_lights_are_described():
    assert described(room(lights=(Light("lamp", pose=Pose(1.0, 2.0)),)))["lights"][0]["name"] == "lamp"


def test_a_mark_has_the_name_that_people_see(tmp_path):
    (tmp_path / "a.map").write_text(
        "2D-Map\nLineMinPos: 0 0\nLineMaxPos: 4000 4000\nNumLines: 1\n"
        'Cairn: Goal 1000 2000 90.0 "" ICON "desk"\nLINES\n0 0 4000 4000\nDATA\n'
    )
    with us.load(tmp_path / "a.map") as sim:
        (mark,) = description(sim.view(), 1)["marks"]
    assert (mark["label"], mark["pose"][:2]) == ("desk", [1.0, 2.0])


# ---- beams


def test_a_laser_has_a_line_for_each_ray():
    beams = described(room(robot(parts=model(PERFECT))))["beams"]
    laser = next(row for row in beams if row["sensor"] == "laser")
    ways = floats(laser["ways"]).reshape(-1, 3)
    assert (laser["count"], laser["paths"]) == (31, ["scout/front"])
    assert np.linalg.norm(ways, axis=1) == pytest.approx(1.0)
    assert floats(laser["widths"]).tolist() == [0.0] * 31


def test_a_sonar_has_a_cone_for_each_transducer():
    beams = described(room(robot(parts=model(PERFECT))))["beams"]
    sonar = next(row for row in beams if row["sensor"] == "sonar")
    ways, widths = floats(sonar["ways"]).reshape(-1, 3), floats(sonar["widths"])
    assert np.degrees(np.arctan2(ways[:, 1], ways[:, 0])) == pytest.approx([90, 30, -30, -90], abs=0.01)
    assert np.all((widths > 0.1) & (widths < 1.5))


def test_equal_devices_are_one_batch_and_others_another():
    far = model(PERFECT)
    near = model(
        PERFECT, devices=(DeviceSpec(name="front", sheet=SENSORS["laser"](rays=5, max_m=2.0), mount=Mount(z_m=0.2)),)
    )
    beams = described(room(robot("a", -1, parts=far), robot("b", 1, parts=far), robot("c", y=1, parts=near)))["beams"]
    lasers = [(row["paths"], row["count"]) for row in beams if row["sensor"] == "laser"]
    assert lasers == [(["a/front", "b/front"], 31), (["c/front"], 5)]


def test_every_robot_of_the_catalogue_can_be_described():
    from understudy.sim.vocabulary import vocabulary

    names = list(vocabulary().catalog)
    rows = "".join(f'[[robot]]\nmodel = "{name}"\nx_m = {3 * n}\n' for n, name in enumerate(names))
    text = f"schema = 1\nground = {{size_m = [400, 20]}}\norigin = {{latitude_deg = 46, longitude_deg = 6}}\n{rows}"
    with us.load_text(text) as sim:
        scene = json.loads(json.dumps(description(sim.view(), 1), allow_nan=False))
    assert [body["model"] for body in scene["bodies"]] == names


def test_five_hundred_robots_are_described_in_less_than_a_megabyte():
    crowd = [robot(f"r{n}", n % 25 - 12.0, n // 25 - 10.0) for n in range(500)]
    with Sim(room(*crowd, width=30.0, depth=24.0)) as sim:
        text = json.dumps(description(sim.view(), 1))
    assert len(json.loads(text)["bodies"]) == 500
    assert len(text) < 1_000_000


# ---- looks


def described_files(scene, files):
    with Sim(scene, files=files) as sim:
        return json.loads(json.dumps(description(sim.view(), 1), allow_nan=False))


HULL = Look(name="hull", shape=Mesh("hull.stl"), mount=Mount(z_m=0.2), colour="#112233")


def test_a_mesh_is_described_once_however_many_robots_have_it():
    parts, files = model(looks=(HULL,)), {"hull.stl": stl(mesh_box((0.4, 0.2, 0.1)))}
    scene = described_files(room(robot("a", parts=parts), robot("b", 1.0, parts=parts)), files)
    assert len(scene["meshes"]) == 1
    assert len(floats(scene["meshes"][0]["corners"])) == 12 * 9
    for body in scene["bodies"]:
        (look,) = body["looks"]
        assert (look["shape"]["mesh"], look["mounts"][0][2], look["colour"]) == (0, 0.2, "#112233")


def test_a_mirrored_mesh_keeps_its_outside_outside():
    files = {"hull.stl": stl(mesh_box((0.4, 0.2, 0.1), (1.0, 0.0, 0.0)))}
    turned = dataclasses.replace(HULL, stretch=(-1.0, 1.0, 1.0))
    scene = described_files(room(robot(parts=model(looks=(turned,)))), files)
    a, b, c = floats(scene["meshes"][0]["corners"]).reshape(-1, 3, 3).swapaxes(0, 1)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(0.4 * 0.2 * 0.1, rel=1e-4)
    assert a[:, 0].max() < 0.0


def test_a_look_whose_file_is_not_there_is_left_out_and_that_is_said(caplog):
    ball = Look(name="ball", shape=Sphere(0.1))
    scene = described_files(room(robot(parts=model(looks=(HULL, ball)))), {})
    assert [look["shape"]["kind"] for look in scene["bodies"][0]["looks"]] == ["sphere"]
    assert "scout: look hull is not drawn: hull.stl: no such file" in caplog.text


def test_wheels_say_which_is_which():
    wheel = Wheel(name="left", x_m=0.3, y_m=0.2, radius_m=0.1, steered=True)
    (found,) = described(room(robot(parts=model(wheels=(wheel,)))))["bodies"][0]["wheels"]
    assert (found["name"], found["at"], found["steered"]) == ("left", [0.3, 0.2, 0.1], True)


def test_parts_and_beams_say_which_joint_they_go_with():
    parts = panning(ray(), joints=(PAN, TILT), parts=(bar("flag", "tilt", (0.1, 0.1, 0.1)),))
    sim = Sim(room(robot("a", x=-1.0), robot(parts=parts), engine="rigid"))
    found = description(sim.view(), 1)
    assert [body["limbs"] for body in found["bodies"]] == [2, 2]
    assert found["bodies"][1]["joints"] == 2
    assert [part["joint"] for part in found["bodies"][1]["parts"]] == [1]
    assert [beam["frames"] for beam in found["beams"] if beam["paths"] == ("scout/eye",)] == [{1: 2}]


# ---- figures


def catalogue(text):
    with us.load_text(f"schema = 1\n{text}") as sim:
        return json.loads(json.dumps(description(sim.view(), 1), allow_nan=False))


def test_a_figure_is_described_once_however_many_things_wear_it():
    chair = '[[object]]\nkind = "cylinder"\nradius_m = 0.25\nheight_m = 0.5\nlook = "chair"\n'
    scene = catalogue(f"{chair}x_m = 2\n{chair}x_m = 4\n")
    assert [thing["figure"] for thing in scene["fixed"]] == ["chair", "chair"]
    assert list(scene["figures"]) == ["chair"]
    assert {"seat", "back"} <= {part["name"] for part in scene["figures"]["chair"]["parts"]}


def worn(text):
    (body,) = catalogue(text)["bodies"]
    return {look["name"]: (look["shape"].get("figure"), look["mounts"][0][2]) for look in body["looks"]}


def test_a_robot_of_the_catalogue_wears_a_figure_and_its_scanner():
    assert worn('[[robot]]\nmodel = "p3dx"\n') == {"body": ("p3dx", 0.0), "front": ("lms200", 0.35)}


def test_a_robot_without_a_scanner_wears_none():
    assert worn('[[robot]]\nmodel = "p3dx-nolaser"\n') == {"body": ("p3dx", 0.0)}


def test_a_look_with_the_name_of_a_scanner_replaces_it():
    look = 'look.front = {shape = {kind = "figure", name = "lms500"}, mount = {z_m = 0.3}}'
    assert worn(f'[[robot]]\nmodel = "p3dx"\n{look}\n')["front"] == ("lms500", 0.3)


def test_an_unknown_look_is_an_error_with_its_line():
    with pytest.raises(SceneError, match=r"object\[0\].look: no such look 'dsk' \(did you mean 'desk'"):
        catalogue('[[object]]\nkind = "box"\nsize_m = [1, 1, 1]\nlook = "dsk"\n')
