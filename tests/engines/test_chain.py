from __future__ import annotations

import math

import numpy as np
import pytest
from limbs import PAN, TILT, arm, base

from understudy.engines.joints import chain
from understudy.world.joints import Joint, Prismatic
from understudy.world.shapes import Mount


def test_a_frame_is_its_mount_while_the_joint_is_at_zero():
    frames = chain([("a", base(joints=(PAN,)))]).frames(np.zeros(1))
    assert frames.at[0] == pytest.approx([0.1, 0.0, 0.2])
    assert frames.turn[0] == pytest.approx(np.eye(3))


def test_what_sits_on_a_joint_goes_round_with_it():
    ahead = Joint(name="ahead", motion=Prismatic(), joint="pan", axis=(1, 0, 0), mount=Mount(x_m=0.3))
    frames = chain([("a", base(joints=(PAN, ahead)))]).frames(np.array([math.pi / 2, 0.1]))
    assert frames.at[1] == pytest.approx([0.1, 0.4, 0.2])


def test_positions_and_speeds_agree_with_small_steps():
    links, start, speed = chain([("a", arm())]), np.array([0.3, 0.5, -0.4, 0.02, 0.01]), np.array([1, -2, 3, 0.5, 0.2])
    frames, later = links.frames(start), links.frames(start + 1e-7 * speed)
    moves, turns = links.rates(frames, speed)
    assert moves == pytest.approx((later.at - frames.at) / 1e-7, abs=1e-5)
    spins = (later.turn @ frames.turn.swapaxes(1, 2) - np.eye(3)) / 1e-7
    assert turns == pytest.approx(np.stack([spins[:, 2, 1], spins[:, 0, 2], spins[:, 1, 0]], axis=1), abs=1e-5)


def test_gears_are_where_their_leaders_put_them():
    links = chain([("a", base(joints=(PAN, Joint(name="b", motion=TILT.motion, follows="pan", ratio=-0.5))))])
    assert links.geared(np.array([0.8, 9.0])).tolist() == [0.8, -0.4]


def test_robots_keep_their_joints_apart():
    links = chain([("a", base(joints=(TILT, PAN))), ("b", base(joints=(PAN,)))])
    assert links.paths == ("a/pan", "a/tilt", "b/pan")
    assert links.below.tolist() == [-1, 0, -1]
    assert links.rows[1, "pan"] == 2
