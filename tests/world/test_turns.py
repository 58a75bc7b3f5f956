from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.world.turns import about, angles_of, turn_of

ANGLES = st.floats(-math.pi, math.pi)


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
