"""Conversion between MuJoCo's state and poses, twists and positions."""

from __future__ import annotations

import math

import numpy as np

from understudy import elementary
from understudy.engines.rigid.rows import Array
from understudy.jit import inner, kernel
from understudy.world.rotations import quaternion_of, quaternion_rows
from understudy.world.shapes import Pose

LOST = -1  # minus the row of the first diverged body: its state contains NaN or infinity
LEVEL_RAD = 0.002  # a robot tilted less than this counts as level: 16 mm higher or lower at 8 m
LEVEL_M = 0.005  # and one that is no more than this off its height


def quaternion(pose: Pose) -> tuple[float, float, float, float]:
    """Return the orientation of a pose: roll, then pitch, then yaw."""
    half = (pose.roll_rad / 2, pose.pitch_rad / 2, math.remainder(pose.heading_rad, math.tau) / 2)
    (cr, cp, cy), (sr, sp, sy) = map(elementary.cos, half), map(elementary.sin, half)
    return quaternion_of(cr, sr, cp, sp, cy, sy)


def placed(pose: Pose, offset: tuple[float, float, float]) -> Array:
    """Return the seven numbers of MuJoCo's state for a thing at *pose* whose frame has an *offset* from it."""
    w, x, y, z = quaternion(pose)
    turn = np.reshape(quaternion_rows(w, x, y, z), (3, 3))
    return np.array([*(np.array([pose.x_m, pose.y_m, pose.z_m]) + turn @ np.array(offset)), w, x, y, z])


turn_of = inner()(quaternion_rows)


@inner()
def _is_laid(qpos, at, laid, k):
    """Return whether a body is where it was placed."""
    same = True
    for n in range(7):
        same = same and qpos[at + n] == laid[k, n]
    return same


@kernel()
def read_out(qpos, qvel, bodies, laid, laid_poses, exact, poses, places, twists):
    """Write poses and places of all bodies and twists of the robots; return whether all robots are level, or LOST.

    A thing that has not moved since it was placed (*exact*) has exactly the numbers that it was given.
    """
    level = True
    for k in range(bodies.shape[0]):
        me = bodies[k]
        at = me.at
        xx, xy, xz, yx, yy, yz, zx, zy, zz = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
        x = qpos[at] - (xx * me.x + xy * me.y + xz * me.z)
        y = qpos[at + 1] - (yx * me.x + yy * me.y + yz * me.z)
        z = qpos[at + 2] - (zx * me.x + zy * me.y + zz * me.z)
        if me.rolls:  # its position is below its centre, at any orientation
            x, y, z = qpos[at], qpos[at + 1], qpos[at + 2] - me.z
        poses[k, 0], poses[k, 1], poses[k, 2] = x, y, z
        poses[k, 3] = elementary.atan2(zy, zz)
        poses[k, 4] = elementary.asin(min(max(-zx, -1.0), 1.0))
        poses[k, 5] = elementary.atan2(yx, xx)
        if me.rolls:
            poses[k, 3], poses[k, 4], poses[k, 5] = 0.0, 0.0, 0.0
        exact[k] = _is_laid(qpos, at, laid, k)
        if exact[k]:
            for n in range(6):
                poses[k, n] = laid_poses[k, n]
        places[k, 0], places[k, 1], places[k, 2] = poses[k, 0], poses[k, 1], poses[k, 5]
        if not abs(x) + abs(y) + abs(z) < math.inf:
            return LOST - k
        leaning = not me.rolls and (abs(zx) > LEVEL_RAD or abs(zy) > LEVEL_RAD or zz < 0.0)
        level = level and not leaning and abs(z - me.base) <= LEVEL_M
        if k < twists.shape[0]:
            v = me.move
            twists[k, 0], twists[k, 1], twists[k, 2] = qvel[v], qvel[v + 1], qvel[v + 2]
            a, b, c = qvel[v + 3], qvel[v + 4], qvel[v + 5]
            twists[k, 3] = xx * a + xy * b + xz * c
            twists[k, 4] = yx * a + yy * b + yz * c
            twists[k, 5] = zx * a + zy * b + zz * c
    return 1 if level else 0


@inner()
def place(qpos, bodies, solids, fixed, offset, turns, parts):
    """Write the positions of moving solids from MuJoCo's state."""
    form, tags = solids.form, solids.tags
    for k in range(fixed, form.shape[0]):
        me = bodies[tags[k, 2]]
        at, n = me.at, k - fixed
        xx, xy, xz, yx, yy, yz, zx, zy, zz = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
        x, y, z = offset[n, 0] - me.x, offset[n, 1] - me.y, offset[n, 2] - me.z
        form[k, 0] = qpos[at] + xx * x + xy * y + xz * z
        form[k, 1] = qpos[at + 1] + yx * x + yy * y + yz * z
        form[k, 2] = qpos[at + 2] + zx * x + zy * y + zz * z
        form[k, 3], form[k, 4], form[k, 5] = xx, xy, xz
        form[k, 6], form[k, 7], form[k, 8] = yx, yy, yz
        form[k, 9], form[k, 10], form[k, 11] = zx, zy, zz
        if k >= form.shape[0] - parts:  # it has its own orientation on its robot
            for row in range(3):
                a, b, c = form[k, 3 + 3 * row], form[k, 4 + 3 * row], form[k, 5 + 3 * row]
                for column in range(3):
                    form[k, 3 + 3 * row + column] = (
                        a * turns[n, 0, column] + b * turns[n, 1, column] + c * turns[n, 2, column]
                    )
