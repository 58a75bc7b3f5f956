"""A URDF pendulum against its closed form: T = 2 pi sqrt(I / (m g d)), I about its axis, d to its centre of gravity."""

import math

import numpy as np
import pytest

from understudy import load

pytest.importorskip("mujoco")

G = 9.81
SWING_RAD = 0.02  # small: a period is 1 + SWING^2 / 16 times as long
MASS_KG = 2.0
TILT = 0.6  # of the frame that an inertia is given in

URDF = """<robot name="swing">
<link name="world"/>
<joint name="hook" type="fixed"><parent link="world"/><child link="stand"/><origin xyz="0.3 0 2" rpy="0 0 0.4"/></joint>
<link name="stand"/>
<joint name="hinge" type="continuous"><parent link="stand"/><child link="bob"/><axis xyz="0 1 0"/></joint>
<link name="bob"><visual><geometry><box size="0.1 0.1 0.8"/></geometry></visual>{bob}</link>
{more}</robot>"""
SCENE = """schema = 1
engine = "rigid"
ground = {{size_m = [4, 4]}}
gravity_m_s2 = {g}
[[robot]]
name = "swing"
model = "swing.urdf"
[robot.joint.hinge]
driven = false
start_rad = {start}
"""


def inertial(mass, z, inertia="", rpy="0 0 0"):
    return f'<inertial><origin xyz="0 0 {z}" rpy="{rpy}"/><mass value="{mass}"/>{inertia}</inertial>'


def inertia_tag(xx, yy, zz, yz=0.0):
    return f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="{yz}"/>'


def period(tmp_path, bob, more=""):
    """Return the period of a pendulum (s), by when it passes its middle upwards."""
    (tmp_path / "swing.urdf").write_text(URDF.format(bob=bob, more=more))
    (tmp_path / "scene.toml").write_text(SCENE.format(g=G, start=SWING_RAD))
    sim = load(tmp_path / "scene.toml")
    hinge = sim.robot("swing").servo("hinge")
    times, before = [], hinge.position
    while len(times) < 4:
        sim.step()
        now = hinge.position
        if before < 0.0 <= now:
            times.append((sim.t_us - sim.scene.tick_us * now / (now - before)) / 1e6)
        before = now
    return (times[-1] - times[0]) / 3


def closed_form(about_centre, arm, mass=MASS_KG):
    return math.tau * math.sqrt((about_centre + mass * arm * arm) / (mass * G * arm)) * (1 + SWING_RAD**2 / 16)


@pytest.mark.parametrize(("inertia", "arm"), [(1e-4, 0.5), (0.05, 0.5), (0.4, 0.5), (1.5, 0.3)])
def test_a_pendulum_swings_as_its_inertia_says(tmp_path, inertia, arm):
    bob = inertial(MASS_KG, -arm, inertia_tag(inertia, inertia, inertia))
    assert period(tmp_path, bob) == pytest.approx(closed_form(inertia, arm), rel=1e-4)


def test_an_inertia_given_in_a_turned_frame_is_turned_back(tmp_path):
    c, s = math.cos(TILT), math.sin(TILT)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    own = turn.T @ np.diag([0.4, 0.5, 0.2]) @ turn
    bob = inertial(MASS_KG, -0.5, inertia_tag(own[0, 0], own[1, 1], own[2, 2], own[1, 2]), rpy=f"{TILT} 0 0")
    assert period(tmp_path, bob) == pytest.approx(closed_form(0.5, 0.5), rel=1e-4)


def test_what_is_fixed_to_a_pendulum_swings_along(tmp_path):
    weight = f'<link name="weight">{inertial(1.0, 0.0, inertia_tag(0.02, 0.02, 0.02))}</link>'
    joint = '<joint name="f" type="fixed"><parent link="bob"/><child link="weight"/><origin xyz="0 0 -0.8"/></joint>'
    bob = inertial(MASS_KG, -0.5, inertia_tag(0.05, 0.05, 0.05))
    arm = (2.0 * 0.5 + 1.0 * 0.8) / 3.0
    about_centre = 0.05 + 2.0 * (arm - 0.5) ** 2 + 0.02 + 1.0 * (0.8 - arm) ** 2
    assert period(tmp_path, bob, weight + joint) == pytest.approx(closed_form(about_centre, arm, 3.0), rel=1e-4)


@pytest.mark.parametrize(
    "wrong", ["", inertia_tag(0.0, 0.0, 0.0), inertia_tag(-1.0, -1.0, -1.0), inertia_tag(0.1, 0.5, 0.1)]
)
def test_without_a_possible_inertia_a_pendulum_swings_as_its_form_says(tmp_path, wrong):
    rod = MASS_KG / 12 * (0.8**2 + 0.1**2)
    assert period(tmp_path, inertial(MASS_KG, -0.5, wrong)) == pytest.approx(closed_form(rod, 0.5), rel=1e-4)
