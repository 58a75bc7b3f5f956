import math

import pytest
from contracts.format_contract import check_format
from meshes import box, stl

from understudy.errors import FormatError, SceneError
from understudy.formats.native import scene_file
from understudy.formats.urdf import robot_file
from understudy.sim.vocabulary import vocabulary

WHEEL = """
<joint name="{side}_joint" type="continuous"><parent link="base"/><child link="{side}_wheel"/>
<origin xyz="0.1 {y} 0.05" rpy="{roll} 0 0"/><axis xyz="0 0 1"/></joint>
<link name="{side}_wheel"><collision><geometry><cylinder length="0.02" radius="0.06"/></geometry></collision>
<inertial><mass value="0.5"/></inertial></link>"""
TURTLE = f"""<?xml version="1.0"?>
<robot name="my turtle">
<link name="base"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
<inertial><origin xyz="0 0 0.1"/><mass value="3"/></inertial></link>
{WHEEL.format(side="left", y=0.15, roll=-math.pi / 2)}
{WHEEL.format(side="right", y=-0.15, roll=-math.pi / 2)}
<joint name="c" type="fixed"><parent link="base"/><child link="caster_back"/><origin xyz="-0.15 0 0.0"/></joint>
<link name="caster_back"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
<joint name="pan" type="revolute"><parent link="base"/><child link="scan"/><origin xyz="0.1 0 0.2" rpy="0 0 0.5"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<link name="scan"><visual><geometry><cylinder length="0.04" radius="0.03"/></geometry></visual></link>
<gazebo reference="scan"><sensor type="ray" name="lidar"><pose>0 0 0.01 0 0 0</pose><update_rate>5</update_rate>
<ray><scan><horizontal><samples>360</samples><min_angle>0</min_angle><max_angle>3.0</max_angle></horizontal></scan>
<range><min>0.12</min><max>3.5</max></range></ray></sensor>
<sensor type="camera" name="eye"/></gazebo>
</robot>
"""


def table(text=TURTLE, folder=None):
    return robot_file.robot(text, "turtle.urdf", folder).table


def test_two_wheels_make_a_differential_drive_about_their_middle():
    drive = table()["drive"]
    assert drive["kind"] == "differential"
    assert drive["track_m"] == pytest.approx(0.3, abs=1e-6)
    assert drive["wheel_radius_m"] == pytest.approx(0.06, abs=1e-6)
    wheel = table()["wheel"]["left_wheel"]
    assert (wheel["x_m"], wheel["z_m"], wheel["width_m"]) == pytest.approx((0.0, 0.06, 0.02), abs=1e-6)


def test_the_body_is_seen_from_the_middle_of_the_wheels_on_the_ground():
    body = table()["body"]
    assert sorted(body["points_m"]) == [[-0.3, -0.1], [-0.3, 0.1], [0.1, -0.1], [0.1, 0.1]]
    assert body["height_m"] == pytest.approx(0.16)
    assert body["mass_kg"] == 4.0


def test_mass_and_its_centre_are_those_of_all_links():
    dynamics = table()["dynamics"]
    assert dynamics["mass_kg"] == 4.0
    assert dynamics["inertia"]["cog_m"] == pytest.approx([-0.075, 0.0, 0.0975], abs=1e-6)


def test_a_castor_and_a_scanner_are_found_at_their_places():
    assert table()["castor"]["caster_back"]["x_m"] == -0.25
    lidar = table()["device"]["lidar"]
    assert (lidar["rays"], lidar["max_m"], lidar["period_us"]) == (360, 3.5, 200_000)
    assert lidar["joint"] == "pan"
    assert lidar["mount"] == pytest.approx({"z_m": 0.01, "yaw_rad": 1.5})


def test_a_report_says_what_each_link_became():
    found = robot_file.robot(TURTLE, "turtle.urdf")
    assert [note.text for note in found.became] == [
        "link 'base' became part of the body",
        "link 'left_wheel' became a wheel",
        "link 'right_wheel' became a wheel",
        "link 'caster_back' became a castor",
        "link 'scan' became a part on the joint 'pan'",
        "sensor 'lidar' became a laser",
    ]
    assert [note.text for note in found.lost] == [
        "what the joint of 'scan' carries has no mass; 0.08 kg is assumed",
        "sensor 'eye' of kind 'camera' is left out",
    ]


def test_four_wheels_skid_and_steered_ones_steer():
    more = TURTLE.replace("</robot>", "") + "".join(
        WHEEL.format(side=f"{side}_front", y=y, roll=-math.pi / 2).replace('"0.1 ', '"0.4 ')
        for side, y in (("left", 0.15), ("right", -0.15))
    )
    assert table(more + "</robot>")["drive"]["kind"] == "skid"
    knuckles = more
    for side, y in (("left", 0.15), ("right", -0.15)):
        knuckles = knuckles.replace(
            f'<parent link="base"/><child link="{side}_front_wheel"/>\n<origin xyz="0.4 {y} 0.05"',
            f'<parent link="{side}_knuckle"/><child link="{side}_front_wheel"/>\n<origin xyz="0 0 0"',
        ) + (
            f'<link name="{side}_knuckle"/><joint name="{side}_k" type="revolute"><parent link="base"/>'
            f'<child link="{side}_knuckle"/><origin xyz="0.4 {y} 0.05"/><axis xyz="0 0 1"/></joint>'
        )
    drive = table(knuckles + "</robot>")["drive"]
    assert (drive["kind"], drive["wheelbase_m"]) == ("ackermann", pytest.approx(0.3, abs=1e-6))


def test_meshes_are_found_beside_the_robot_whatever_the_package(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "hull.stl").write_bytes(stl(box((400.0, 200.0, 100.0))))
    form = '<mesh filename="package://turtle/meshes/hull.stl" scale="0.001 0.001 0.001"/>'
    text = TURTLE.replace('<box size="0.4 0.2 0.1"/>', form)
    assert sorted(table(text, tmp_path)["body"]["points_m"]) == sorted(table()["body"]["points_m"])
    away = robot_file.robot(text.replace("hull.stl", "../../../etc/passwd"), "turtle.urdf", tmp_path)
    assert "was not found; it is left out" in away.lost[0].text


def test_a_scene_may_name_a_urdf_file_as_its_robot(tmp_path):
    (tmp_path / "turtle.urdf").write_text(TURTLE)
    words, text = vocabulary(), 'schema = 1\n[[robot]]\nmodel = "turtle.urdf"\nx_m = 1.0\n'
    (robot,) = scene_file.resolve(scene_file.parse(text, "s.toml", words, tmp_path), words).robots
    assert (robot.name, robot.built.drive.track_m) == ("turtle-1", pytest.approx(0.3, abs=1e-6))
    (tmp_path / "turtle.urdf").write_text("<robot>")
    with pytest.raises(SceneError, match=r"turtle\.urdf: \d*:? ?not XML"):
        scene_file.resolve(scene_file.parse(text, "s.toml", words, tmp_path), words)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (
            '<child link="caster_back"/>',
            '<child link="gone"/>',
            r"turtle\.urdf:15: the joint 'c' names an unknown link 'gone'",
        ),
        ('<child link="caster_back"/>', '<child link="left_wheel"/>', "has two parent joints"),
        ('type="fixed"', 'type="glue"', "unknown joint type 'glue'"),
        (
            'size="0.4 0.2 0.1"',
            'size="0.4 0.2"',
            r"turtle\.urdf:3: not a box: its size: '0\.4 0\.2' \(want 3 numbers\)",
        ),
        ('size="0.4 0.2 0.1"', 'size="0.4 0.2 -1"', "must be above 0"),
        ('<mass value="3"/>', '<mass value="-3"/>', "a mass must not be negative"),
        ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', "invalid axis"),
        ('xyz="0 0 0.1"', 'xyz="0 nan 0.1"', "not a position"),
        ("<robot", "<sdf", "not a URDF robot|not XML"),
    ],
)
def test_an_error_is_named_with_its_line(old, new, wanted):
    with pytest.raises(FormatError, match=wanted):
        table(TURTLE.replace(old, new))


def test_a_circle_of_links_is_refused():
    text = '<robot><link name="a"/><link name="b"/>' + "".join(
        f'<joint type="fixed"><parent link="{p}"/><child link="{c}"/></joint>' for p, c in ("ab", "ba")
    )
    with pytest.raises(FormatError, match="0 links have no parent joint"):
        table(text + "</robot>")


def test_urdf_keeps_the_contract_of_formats():
    check_format(robot_file, vocabulary(), {"turtle.urdf": TURTLE})


# ---- joints

LIMB = """
<joint name="{joint}" type="{kind}"><parent link="{below}"/><child link="{name}"/><origin xyz="{at}"/>
<axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="{effort}" velocity="2"/>{more}</joint>
<link name="{name}"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.02 0.03 0.2"/></geometry></collision>
<inertial><origin xyz="0 0 0.1"/><mass value="0.25"/></inertial></link>"""


def limb(name, below, joint, at="0 0 0.2", axis="0 1 0", kind="revolute", low=-1.5, high=1.5, effort=4, more=""):
    return LIMB.format(**locals())


def with_limbs(*limbs):
    return TURTLE.replace("</robot>", "".join(limbs) + "</robot>")


ARM = with_limbs(
    limb("upper", "base", "shoulder", at="0.1 0 0.15"),
    limb("fore", "upper", "elbow"),
    limb("left", "fore", "grip", at="0 0.01 0.2", kind="prismatic", low=0.0, high=0.03),
    limb(
        "right", "fore", "grip2", at="0 -0.01 0.2", axis="0 -1 0", kind="prismatic", low=0.0, high=0.03,
        more='<mimic joint="grip" multiplier="0.5"/>',
    ),
)  # fmt: skip


def test_moving_joints_become_servos_with_their_limits():
    joints = table(ARM)["joint"]
    assert set(joints) == {"pan", "shoulder", "elbow", "grip", "grip2"}
    shoulder = joints["shoulder"]
    assert (shoulder["low_rad"], shoulder["max_rad_s"], shoulder["motor_n_m"]) == (-1.5, 2.0, 4.0)
    assert shoulder["mount"] == pytest.approx({"z_m": 0.16})
    assert (joints["elbow"]["joint"], joints["elbow"]["mount"]) == ("shoulder", {"z_m": 0.2})
    assert (joints["grip"]["kind"], joints["grip"]["high_m"]) == ("prismatic", 0.03)


def test_a_joint_that_mimics_another_is_its_gear():
    gear = table(ARM)["joint"]["grip2"]
    assert (gear["follows"], gear["ratio"]) == ("grip", 0.5)


def test_links_on_joints_become_parts_with_their_mass():
    part = table(ARM)["part"]["fore"]
    assert (part["joint"], part["mass_kg"], part["mount"]) == ("elbow", 0.25, {})
    assert part["shape"] == {"kind": "box", "size_m": [0.02, 0.03, 0.2]}


def test_a_mesh_on_a_joint_is_met_as_its_box_and_looks_like_itself(tmp_path):
    (tmp_path / "bar.stl").write_bytes(stl(box((0.1, 0.2, 0.4))))
    mesh = '<visual><geometry><mesh filename="bar.stl"/></geometry></visual></link>'
    text = with_limbs(limb("upper", "base", "shoulder").replace("</link>", mesh).replace("collision", "kollision"))
    made = table(text, tmp_path)
    assert made["part"]["upper"]["shape"] == {"kind": "box", "size_m": pytest.approx([0.1, 0.2, 0.4])}
    assert (made["look"]["upper"]["joint"], made["look"]["upper"]["shape"]["file"]) == ("shoulder", "bar.stl")


def test_what_a_robot_stands_on_is_held_by_its_body():
    leg = limb("leg", "base", "rocker", kind="revolute")
    wheel = WHEEL.format(side="third", y=0.0, roll=-math.pi / 2).replace('parent link="base"', 'parent link="leg"')
    made = robot_file.robot(with_limbs(leg, wheel), "turtle.urdf")
    assert "rocker" not in made.table["joint"]
    assert any("'leg' became part of the body, fixed at position 0" in note.text for note in made.became)


def test_a_continuous_joint_high_up_is_no_wheel():
    made = table(with_limbs(limb("upper", "base", "shoulder", at="0.1 0 0.15", kind="continuous")))
    assert made["joint"]["shoulder"]["endless"] is True
    assert set(made["wheel"]) == {"left_wheel", "right_wheel"}


def test_an_arm_from_a_urdf_file_moves_on_the_rigid_engine(tmp_path):
    pytest.importorskip("mujoco")
    from understudy import load

    (tmp_path / "arm.urdf").write_text(ARM)
    sim = load(tmp_path / "arm.urdf")
    robot = sim.robot("my-turtle")
    assert sim.scene.engine == "rigid"
    robot.servo("shoulder").to(0.5)
    robot.servo("grip").to(0.02)
    sim.run(seconds=1.5)
    found = [robot.servo(name).position for name in ("shoulder", "elbow", "grip", "grip2")]
    assert found == pytest.approx([0.5, 0.0, 0.02, 0.01], abs=0.005)
