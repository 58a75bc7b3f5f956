from __future__ import annotations

import pytest

from understudy.world.joints import Joint, Prismatic, Revolute, findings, ordered


def words(*joints):
    return [f"{name}.{key}: {text}" for name, key, text in findings(joints)]


def turning(name, **given):
    return Joint(name=name, motion=given.pop("motion", Revolute()), **given)


def test_joints_come_after_what_they_sit_on_whatever_the_order_in_the_file():
    hand, arm, base = turning("hand", joint="arm"), turning("arm", joint="base"), turning("base")
    assert [joint.name for joint in ordered((hand, arm, base))] == ["base", "arm", "hand"]


def test_a_valid_arm_has_no_errors():
    assert words(turning("base"), turning("arm", joint="base", axis=(0, 1, 0))) == []


@pytest.mark.parametrize(
    ("joints", "wanted"),
    [
        ((turning("tilt", joint="pam"), turning("pan")), "tilt.joint: no such joint 'pam' (did you mean 'pan'?)"),
        ((turning("a", joint="b"), turning("b", joint="a")), "a.joint: the joints form a cycle"),
        ((turning("a", axis=(0, 0, 0)),), "a.axis: invalid axis"),
        ((turning("a", motion=Revolute(1.0, -1.0)),), "a.low_rad: must be below high_rad, -1"),
        ((turning("a", motion=Prismatic(0.0, 0.1, 0.2)),), "a.start_m: must be from 0 to 0.1, got 0.2"),
        ((turning("a", follows="a"), turning("b")), "a.follows: no such joint 'a'"),
        ((turning("a", follows="b", ratio=0.0), turning("b")), "a.ratio: must not be 0"),
        ((turning("a", follows="b"), turning("b", follows="c"), turning("c")), "let both follow c"),
    ],
    ids=["unknown", "ring", "axis", "range", "start", "own", "ratio", "train"],
)
def test_an_error_is_named_with_what_would_do(joints, wanted):
    assert any(wanted in line for line in words(*joints))


def test_only_a_joint_about_an_upright_axis_pans():
    tilt, slide = turning("tilt", axis=(0, 1, 0)), turning("slide", motion=Prismatic())
    assert [joint.upright for joint in (turning("pan"), tilt, slide)] == [True, False, False]
