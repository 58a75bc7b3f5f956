"""What holds URDF robots: wheels, castors, bolts, legs or nothing; which engine they need; what they weigh."""

import math

import pytest

from understudy.errors import FormatError
from understudy.formats.native import scene_file
from understudy.formats.urdf import robot_file
from understudy.sim.vocabulary import vocabulary

BOX = '<collision><origin xyz="{at}"/><geometry><box size="{size}"/></geometry></collision>'
MASS = '<inertial><origin xyz="{at}"/><mass value="{mass}"/><inertia ixx="{i}" iyy="{i}" izz="{i}"/></inertial>'
WHEEL = '<collision><geometry><cylinder radius="{radius}" length="{width}"/></geometry></collision>'


def link(name, inside=""):
    return f'<link name="{name}">{inside}</link>'


def box(name, size="0.1 0.1 0.2", at="0 0 0.1", mass=1.0, inertia=0.01):
    return link(name, BOX.format(size=size, at=at) + MASS.format(at=at, mass=mass, i=inertia))


def wheel(name, radius=0.05, width=0.02):
    return link(name, WHEEL.format(radius=radius, width=width))


def joint(name, kind, parent, child, xyz="0 0 0", rpy="0 0 0", axis="0 0 1"):
    limit = '<limit lower="-1" upper="1" effort="9" velocity="2"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{limit}</joint>'
    )


def robot(*parts):
    return f'<robot name="r">{"".join(parts)}</robot>'


def read(*parts):
    return robot_file.robot(robot(*parts), "r.urdf")


def drive(*parts):
    return read(*parts).table["drive"]


def model(*parts):
    words = vocabulary()
    return scene_file.resolve(robot_file.parse(robot(*parts), "r.urdf", words), words).robots[0].built


ON_SIDE = f"{-math.pi / 2} 0 0"
ARM = (
    box("base"),
    box("upper"), joint("pan", "revolute", "base", "upper", "0 0 0.2"),
    box("fore"), joint("lift", "revolute", "upper", "fore", "0 0 0.2", "1.5707963 0 0"),
)  # fmt: skip
CART = (
    box("base", "0.4 0.2 0.05", "0 0 0.05", 5.0, 0.05),
    wheel("left"), joint("left_wheel_joint", "continuous", "base", "left", "0 0.12 0.03", ON_SIDE),
    wheel("right"), joint("right_wheel_joint", "continuous", "base", "right", "0 -0.12 0.03", ON_SIDE),
)  # fmt: skip


# ---- bolted, loose


def test_an_arm_is_bolted_down_and_gets_no_wheels():
    made = read(*ARM)
    assert made.table["drive"] == {"kind": "none"}
    assert "wheel" not in made.table
    assert "the robot is bolted down: it has no wheels" in [note.text for note in made.became]


@pytest.mark.parametrize("root", ["world", "fixed"])
def test_a_root_of_this_name_bolts_down_what_is_fixed_to_it_where_the_file_says(root):
    held = joint("hold", "fixed", root, "base", "1 2 0.5")
    made = read(link(root), held, *ARM).table
    assert made["drive"] == {"kind": "none"}
    assert made["joint"]["pan"]["mount"] == {"x_m": 1.0, "y_m": 2.0, "z_m": 0.7}


def test_wheels_of_a_robot_on_the_world_are_joints_that_turn():
    made = read(link("world"), joint("hold", "fixed", "world", "base"), *CART).table
    assert (made["drive"], set(made["joint"])) == ({"kind": "none"}, {"left_wheel_joint", "right_wheel_joint"})


def test_a_floating_joint_from_the_world_holds_nothing():
    assert drive(link("world"), joint("free", "floating", "world", "base"), *CART)["kind"] == "differential"


def test_a_robot_on_legs_is_not_held_and_its_feet_stand_on_the_ground():
    legs = [
        box(f"limb{n}", at="0 0 -0.1") + joint(f"j{n}", "revolute", "base", f"limb{n}", f"{x} {y} 0", axis="0 1 0")
        for n, (x, y) in enumerate([(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)])
    ]
    made = read(box("base", "0.4 0.3 0.1", "0 0 0.05", 5.0, 0.05), *legs).table
    assert made["drive"] == {"kind": "none", "bolted": False}
    assert made["dynamics"]["clearance_m"] == pytest.approx(0.2)
    assert made["part"]["limb0"]["friction"] == 0.8


def test_a_thing_without_joints_is_loose_if_it_weighs_something_and_else_bolted():
    assert drive(box("crate")) == {"kind": "none", "bolted": False}
    assert drive(link("crate", BOX.format(size="1 1 1", at="0 0 0"))) == {"kind": "none"}


def test_a_rod_that_turns_without_end_is_no_wheel():
    rod = box("rod", "0.05 0.05 0.5", "0 0 -0.25")
    made = read(box("base"), rod, joint("hinge", "continuous", "base", "rod", axis="0 1 0"))
    assert (made.table["drive"], made.engine) == ({"kind": "none"}, "rigid")


# ---- wheels and castors


def test_a_castor_is_known_by_the_name_of_its_joint():
    front = (
        wheel("front_wheel_link", 0.02),
        joint("front_castor_joint", "fixed", "base", "front_wheel_link", "0.15 0 0"),
    )
    made = read(*CART, *front).table
    assert "front_wheel_link" in made["castor"]
    assert made["castor"]["front_wheel_link"]["x_m"] == pytest.approx(0.15)
    assert set(made["wheel"]) == {"left", "right"}


def test_of_a_swivel_and_its_wheel_only_the_wheel_is_a_castor():
    swivel = (
        box("caster_swivel", "0.02 0.02 0.04", "0 0 0"),
        joint("s", "continuous", "base", "caster_swivel", "0.15 0 0.03"),
    )
    roll = wheel("small_wheel", 0.02), joint("w", "continuous", "caster_swivel", "small_wheel", "0 0 -0.03", ON_SIDE)
    made = read(*CART, *swivel, *roll)
    assert [name for name in made.table["castor"] if name != "castor"] == ["small_wheel"]
    assert "link 'caster_swivel' became part of the body, fixed at position 0" in [n.text for n in made.became]


def test_two_wheels_without_a_castor_get_one_on_the_heavy_side():
    made = read(*CART, box("load", mass=3.0), joint("l", "fixed", "base", "load", "0.1 0 0.1"))
    assert made.table["castor"]["castor"]["x_m"] == pytest.approx(0.16)
    assert any("two wheels and no castor" in note.text for note in made.lost)


def test_a_castor_that_bears_next_to_nothing_gets_one_opposite():
    front = wheel("front", 0.02), joint("front_castor_joint", "fixed", "base", "front", "0.15 0 0")
    assert read(*CART, *front).table["castor"]["castor"]["x_m"] == pytest.approx(-0.16)
    heavy = box("load", mass=3.0), joint("l", "fixed", "base", "load", "0.1 0 0.1")
    assert list(read(*CART, *front, *heavy).table["castor"]) == ["front"]


def test_a_joint_that_turns_the_whole_robot_steers_no_wheel():
    turntable = link("root"), joint("yaw", "continuous", "root", "base")
    assert drive(*turntable, *CART)["kind"] == "differential"


# ---- engines


def test_the_engine_is_chosen_by_axes_as_they_lie_in_the_world():
    assert read(*ARM).engine == "rigid"  # its second axis is z in its own frame, and level in the world's
    panning = box("head"), joint("pan", "revolute", "base", "head", "0 0 0.2", "1.5707963267948966 0 0", "0 1 0")
    made = read(box("base"), *panning)
    assert made.engine == "planar"
    assert made.table["joint"]["pan"]["axis"] == [0.0, 0.0, 1.0]
    assert model(box("base"), *panning).joints[0].upright


def test_what_a_joint_on_its_side_carries_stays_where_it_was():
    held = (
        box("head", "0.1 0.2 0.3", "0 0 0"),
        joint("pan", "revolute", "base", "head", "0 0 1", "1.5707963267948966 0 0", "0 1 0"),
    )
    made = read(box("base"), *held).table
    part = made["part"]["head"]["mount"]
    assert part == pytest.approx({"y_m": 0.15, "roll_rad": math.pi / 2}, abs=1e-6)


# ---- masses


def test_the_inertia_of_all_that_the_body_carries_is_one():
    made = read(box("base", inertia=0.1), box("top", inertia=0.2), joint("f", "fixed", "base", "top", "0 0 1")).table
    given = made["dynamics"]["inertia"]
    assert made["dynamics"]["mass_kg"] == 2.0
    assert given["cog_m"] == pytest.approx([0.0, 0.0, 0.6])
    assert given["moments_kg_m2"] == pytest.approx([0.1 + 0.2 + 2 * 0.25, 0.1 + 0.2 + 2 * 0.25, 0.3])


def test_the_inertia_of_a_link_on_a_joint_is_seen_from_its_part():
    given = read(*ARM).table["part"]["fore"]
    assert (given["mass_kg"], given["inertia"]["moments_kg_m2"]) == (1.0, [0.01, 0.01, 0.01])
    assert given["inertia"]["cog_m"] == pytest.approx([0.0, 0.0, 0.1], abs=1e-9)


@pytest.mark.parametrize(
    ("inertia", "why"),
    [
        ('ixx="0" iyy="0" izz="0"', "its moments are 0"),
        ('ixx="-1" iyy="1" izz="1"', "it has negative moments"),
        ('ixx="1" iyy="1" izz="9"', "one of its moments, 9, is greater than the sum of the others, 2"),
    ],
)
def test_an_inertia_that_no_body_has_is_reported_and_that_of_the_forms_counts(inertia, why):
    inside = f'<inertial><mass value="12"/><inertia {inertia}/></inertial>'
    made = read(link("base", BOX.format(size="1 2 3", at="0 0 0") + inside))
    assert f"the inertia of the link 'base' is invalid: {why}; it is computed from its shapes" in made.lost[0].text
    assert made.table["dynamics"]["inertia"]["moments_kg_m2"] == pytest.approx([13.0, 10.0, 5.0])


def test_an_inertia_that_is_no_number_is_refused_with_its_line():
    inside = '<inertial><mass value="1"/><inertia ixx="much" iyy="1" izz="1"/></inertial>'
    with pytest.raises(FormatError, match=r"r\.urdf:1: not an inertia: its ixx: 'much'"):
        read(link("base", inside))


def test_a_body_without_mass_that_carries_a_heavy_arm_gets_some():
    carried = link("base", BOX.format(size="0.4 0.2 0.05", at="0 0 0.05")), *CART[1:], box("arm", mass=2.0)
    made = read(*carried, joint("lift", "revolute", "base", "arm", axis="0 1 0"))
    assert made.table["dynamics"]["mass_kg"] == pytest.approx(2.1)
    assert any("0.1 kg is added" in note.text for note in made.lost)


# ---- what other programs let pass


def test_a_declaration_after_blank_lines_and_a_zero_at_the_end_are_let_pass():
    text = f'\n\n<?xml version="1.0"?>\n{robot(*ARM)}\n\0'
    assert robot_file.robot(text, "r.urdf").table["drive"] == {"kind": "none"}


def test_a_fourth_number_and_a_form_without_extent_are_reported_and_left_out():
    crate = link("base", BOX.format(size="1 1 1", at="0 0 0 7") + BOX.format(size="0 0 0", at="0 0 0"))
    made = read(crate)
    assert [note.text for note in made.lost] == [
        "xyz '0 0 0 7': want three numbers; the first three are used",
        "a box of zero size; it is left out",
    ]


def test_defaults_that_xacro_has_left_count():
    crate = link("base", BOX.format(size="1 1 1", at="$(optenv WHERE 0 0 0.5)"))
    assert read(crate).table["body"]["height_m"] == pytest.approx(1.0)


def test_a_joint_that_mimics_one_that_mimics_follows_the_first():
    def geared(name, leader, ratio):
        return joint(name, "revolute", "base", f"l-{name}", axis="1 0 0").replace(
            "</joint>", f'<mimic joint="{leader}" multiplier="{ratio}"/></joint>'
        )

    parts = [box(f"l-{name}") for name in "abc"]
    made = read(
        box("base"),
        *parts,
        joint("a", "revolute", "base", "l-a", axis="1 0 0"),
        geared("b", "a", 2),
        geared("c", "b", 3),
    )
    assert (made.table["joint"]["c"]["follows"], made.table["joint"]["c"]["ratio"]) == ("a", 6.0)


def test_a_robot_whose_castor_only_its_joint_names_stands_level_and_stays_so(tmp_path):
    pytest.importorskip("mujoco")
    from understudy import load

    front = (
        wheel("front_wheel_link", 0.02),
        joint("front_castor_joint", "fixed", "base", "front_wheel_link", "0.15 0 0"),
    )
    (tmp_path / "cart.urdf").write_text(robot(*CART, *front))
    sim = load(tmp_path / "cart.urdf", engine="rigid")
    cart = sim.robot("r")
    for speed in (0.0, 0.4, 0.0):
        cart.drive(speed, 0.0)
        sim.run(seconds=1.0)
        assert abs(math.degrees(cart.pose.pitch_rad)) < 0.5
