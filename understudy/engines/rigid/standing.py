"""How a robot stands where it is put: on a slope its springs are pressed and its tyres bent from the beginning.

Were it put down as it stands on level ground, it would first slide and lean until they are, and swing through: a robot
that just can stand on a slope would be thrown over by that.
"""

from __future__ import annotations

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rigid.readout import turned
from understudy.engines.rigid.rows import ROLLING, TYRE, Array, Records
from understudy.engines.rigid.vehicle import Chassis, chassis_of
from understudy.world.robot import RobotModel


def stand(at: Array, wheels: Records, model: RobotModel, gravity: float) -> Array:
    """Return where a robot comes to rest that is put *at* a place, seven numbers of MuJoCo's, and bend its tyres.

    Its own frame lies on the ground that it stands on, a slope if it leans.
    """
    if not len(wheels):  # bolted down, or lying loose
        return at
    up = np.array(turned(*at[3:].tolist())[6:])  # the world's z axis, seen from the robot
    if not (up[0] or up[1]) or not gravity or up[2] <= 0.0 or (wheels["kind"] == ROLLING).any():
        return at
    chassis = chassis_of(model)
    force = chassis.mass_kg * gravity * up
    settled = _settled(wheels, chassis, force)
    _bend(wheels, force, np.maximum(wheels["load"] - wheels["stiff"] * (settled @ _lifts(wheels)), 0.0))
    return _moved(at, *settled.tolist())


def _lifts(wheels: Records) -> Array:
    """Return how much each wheel is lifted when the robot rises, rolls and pitches by 1."""
    return np.stack([np.ones(len(wheels)), wheels["y"], -wheels["x"]])


def _bend(wheels: Records, force: Array, bears: Array) -> None:
    """Bend tyres so that they hold a robot against a force along the ground, each by what it bears."""
    tyres = wheels["kind"] == TYRE
    for name, part, holding in (("bend_x", force[0], tyres & (wheels["driven"] == 1)), ("bend_y", force[1], tyres)):
        share = np.where(holding, bears, 0.0)
        wheels[name] = -part * share / (max(float(share.sum()), 1e-9) * wheels["bristle"])


def _settled(wheels: Records, chassis: Chassis, force: Array) -> Array:
    """Return how far springs let a robot rise (m), roll and pitch (rad) until they bear it; nothing if it falls over.

    *force* is what holds it against gravity, at the ground, in its own frame.
    """
    (x, y, high), lifts = chassis.cog_m, _lifts(wheels)
    springs = lifts * wheels["stiff"] @ lifts.T - np.diag([0.0, force[2] * high, force[2] * high])
    borne = np.array([force[2], force[2] * y - force[1] * high, -force[2] * x + force[0] * high])
    found = np.linalg.lstsq(springs, lifts @ wheels["load"] - borne, rcond=1e-9)[0]
    return np.asarray(found if (wheels["load"] >= wheels["stiff"] * (found @ lifts)).all() else np.zeros(3))


def _moved(at: Array, rise: float, roll: float, pitch: float) -> Array:
    """Return a place that is a little higher and turned a little, seen from itself."""
    w, x, y, z = at[3:].tolist()
    a, b = roll / 2, pitch / 2
    turn = np.array([w - x * a - y * b, x + w * a - z * b, y + w * b + z * a, z + x * b - y * a])
    up = np.array(turned(w, x, y, z)[2::3])
    return np.concatenate([at[:3] + rise * up, turn / arrays.lengths(turn)])
