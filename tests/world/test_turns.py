from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import understudy
from understudy.world.rotations import (
    about,
    angles_of,
    quaternion_of,
    quaternion_rows,
    turn_of,
    turn_of_quaternion,
    turns_of,
)

ANGLES = st.floats(-math.pi, math.pi)
ROTATES = re.compile(r"\bc[cy] \* s[bp] \* s[ar]\b|\bs[cy] \* s[bp] \* s[ar]\b|\bx \* y - w \* z\b")


@given(ANGLES, ANGLES, ANGLES)
def test_the_angles_of_a_rotation_make_it_again(roll, pitch, yaw):
    turn = turn_of(roll, pitch, yaw)
    assert turn_of(*angles_of(turn)) == pytest.approx(turn, abs=1e-7)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2], ids=["down", "up"])
@given(ANGLES, ANGLES)
def test_what_looks_straight_up_or_down_keeps_how_it_is_turned(pitch, roll, yaw):
    turn = turn_of(roll, pitch, yaw)
    assert turn_of(*angles_of(turn)) == pytest.approx(turn, abs=1e-7)


@pytest.mark.parametrize(
    ("axis", "angles"), [((1, 0, 0), (0.4, 0, 0)), ((0, 1, 0), (0, 0.4, 0)), ((0, 0, 1), (0, 0, 0.4))]
)
def test_turning_about_an_axis_of_the_frame_is_one_of_the_three_angles(axis, angles):
    assert about(np.array(axis, float), 0.4) == pytest.approx(turn_of(*angles))


@given(st.lists(st.tuples(ANGLES, ANGLES, ANGLES), min_size=1, max_size=9))
def test_many_rotations_are_those_of_one_after_the_other(angles):
    poses = np.column_stack([np.zeros((len(angles), 3)), angles])
    assert turns_of(poses) == pytest.approx(np.array([turn_of(*row) for row in angles]), abs=1e-15)


@given(ANGLES, ANGLES, ANGLES, st.floats(0.1, 10.0))
def test_a_quaternion_of_any_length_turns_as_its_angles_do(roll, pitch, yaw, length):
    half = [f(angle / 2) for angle in (roll, pitch, yaw) for f in (math.cos, math.sin)]
    unit = quaternion_of(*half)
    assert np.reshape(quaternion_rows(*unit), (3, 3)) == pytest.approx(turn_of(roll, pitch, yaw), abs=1e-12)
    assert turn_of_quaternion(*(length * part for part in unit)) == pytest.approx(turn_of(roll, pitch, yaw), abs=1e-12)


def test_nobody_else_writes_the_product_of_three_sines_of_a_rotation():
    """A matrix of roll, pitch and yaw, or their quaternion, has products such as cy * sp * sr."""
    package = Path(understudy.__file__).parent
    files = [file for file in package.rglob("*.py") if ROTATES.search(file.read_text(encoding="utf-8"))]
    assert sorted(str(file.relative_to(package)) for file in files) == [
        "sensors/inertial.py",  # in a kernel, which turns back into the frame of the robot
        "world/rotations.py",
    ]
