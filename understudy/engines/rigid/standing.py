"""Initial state of a robot's wheels: on a slope its springs are compressed and its tyres deflected from the start.

A robot placed as on level ground would first slide and lean until they are, and overshoot: a robot that can just stand
on a slope would tip over.
"""

from __future__ import annotations

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rigid.rows import ROLLING, TYRE, Array, Records
from understudy.engines.rigid.vehicle import Chassis, chassis_of
from understudy.world.robot import RobotModel
from understudy.world.rotations import quaternion_rows


def stand(at: Array, wheels: Records, model: RobotModel, gravity: float) -> Array:
    """Return the rest pose of a robot placed *at* a pose (seven numbers of MuJoCo), and deflect its tyres.

    Its own frame lies on the ground that it stands on, a slope if it is tilted.
    """
    if not len(wheels):  # bolted down, or without wheels
        return at
    up = np.array(quaternion_rows(*at[3:].tolist())[6:])  # the world's z axis in the robot's frame
    if not (up[0] or up[1]) or not gravity or up[2] <= 0.0 or (wheels["kind"] == ROLLING).any():
        return at
    chassis = chassis_of(model)
    force = chassis.mass_kg * gravity * up
    settled = _settled(wheels, chassis, force)
    _bend(wheels, force, np.maximum(wheels["load"] - wheels["stiff"] * (settled @ _lifts(wheels)), 0.0))
    return _moved(at, *settled.tolist())


def _lifts(wheels: Records) -> Array:
    """Return the lift of each wheel when the robot rises, rolls and pitches by 1."""
    return np.stack([np.ones(len(wheels)), wheels["y"], -wheels["x"]])


def _bend(wheels: Records, force: Array, bears: Array) -> None:
    """Deflect tyres so that they hold a robot against a force along the ground, in proportion to their loads."""
    tyres = wheels["kind"] == TYRE
    for name, part, holding in (("bend_x", force[0], tyres & (wheels["driven"] == 1)), ("bend_y", force[1], tyres)):
        share = np.where(holding, bears, 0.0)
        wheels[name] = -part * share / (max(float(share.sum()), 1e-9) * wheels["bristle"])


def _settled(wheels: Records, chassis: Chassis, force: Array) -> Array:
    """Return how far springs let a robot rise (m), roll and pitch (rad) until they carry it; zero if it tips over.

    *force* is the support force against gravity, at the ground, in its own frame.
    """
    (x, y, high), lifts = chassis.cog_m, _lifts(wheels)
    springs = lifts * wheels["stiff"] @ lifts.T - np.diag([0.0, force[2] * high, force[2] * high])
    borne = np.array([force[2], force[2] * y - force[1] * high, -force[2] * x + force[0] * high])
    found = np.linalg.lstsq(springs, lifts @ wheels["load"] - borne, rcond=1e-9)[0]
    return np.asarray(found if (wheels["load"] >= wheels["stiff"] * (found @ lifts)).all() else np.zeros(3))


def _moved(at: Array, rise: float, roll: float, pitch: float) -> Array:
    """Return a pose raised and rotated slightly in its own frame."""
    w, x, y, z = at[3:].tolist()
    a, b = roll / 2, pitch / 2
    turn = np.array([w - x * a - y * b, x + w * a - z * b, y + w * b + z * a, z + x * b - y * a])
    up = np.array(quaternion_rows(w, x, y, z)[2::3])
    return np.concatenate([at[:3] + rise * up, turn / arrays.lengths(turn)])
