"""Limbs: what joints carry, as bodies of MuJoCo, and the servos that move them.

Servos are speed servos: the commanded speed decreases near the target position, and full torque is reached at a small
speed error. So a servo holds its load, yields at its torque limit, and never exceeds its speed limit.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy import elementary
from understudy.engines.joints import chain
from understudy.engines.rigid.joint_masses import above, burden, masses, middles
from understudy.engines.rigid.rows import Ints
from understudy.engines.rigid.vehicle import Chassis
from understudy.errors import EngineError
from understudy.world.inertia import Heavy
from understudy.world.joints import Joint, Revolute
from understudy.world.robot import RobotModel
from understudy.world.rotations import rotation, shift

AIM_1_S = 40.0  # speed command per remaining distance
_LAG = 0.02  # a servo reaches full torque at this speed error, as a share of its maximum speed
_ARMATURE = 0.2  # of what a servo adds within a sub-step: stabilises light limbs
_BEARS = 3.0  # default strength, as a multiple of the weight that a servo carries
_LEAST = 0.05  # N m or N
_SMALL_M = 0.02  # approximate size of a joint
_GEAR_S = 0.004  # time constant of a gear, at least


@dataclass(frozen=True)
class Limb:
    """A joint of MuJoCo's model and its servo, if it has one."""

    joint: Any
    servo: Any | None


def without_limbs(model: RobotModel, whole: Chassis, name: str) -> Chassis:
    """Return mass and centre of a robot without what its joints carry; raises EngineError if nothing is left."""
    if not model.joints:
        return whole
    limbs = list(middles(model).values())
    left = whole.mass_kg - math.fsum(mass for mass, _ in limbs)
    if left <= 0.0:
        raise EngineError(
            f"{name}: its joints carry {whole.mass_kg - left:g} kg, but the whole robot has only "
            f"{whole.mass_kg:g} kg; set a larger dynamics.mass_kg"
        )
    moment = whole.mass_kg * np.array(whole.cog_m) - sum(mass * at for mass, at in limbs)
    x, y, z = (moment / left).tolist()
    own = model.dynamics.inertia
    return dataclasses.replace(whole, mass_kg=left, cog_m=own.cog_m if own else (x, y, z))


def strength(model: RobotModel, joint: Joint, gravity: float) -> float:
    """Return the strength of a joint's servo: the given one, or enough for its load (N m or N)."""
    if joint.motion.strength:
        return joint.motion.strength
    links, found = chain([("", model)]), middles(model)
    here = links.frames(links.starts).at[links.rows[0, joint.name]]
    turns = isinstance(joint.motion, Revolute)
    weight = [
        mass * (elementary.hypot(*(a - b for a, b in zip(at, here))) + _SMALL_M if turns else 1.0)
        for name, (mass, at) in found.items()
        if name in above(model, joint.name)
    ]
    return max(_BEARS * (gravity or 9.81) * math.fsum(weight), _LEAST)


def add_joint(mj: Any, parent: Any, joint: Joint, path: str) -> tuple[Any, Any]:
    """Add the frame of a joint to its parent; return its body and its joint."""
    quat = np.zeros(4)
    mj.mju_mat2Quat(quat, rotation(joint.mount).reshape(-1))
    body = parent.add_body(pos=shift(joint.mount), quat=quat)
    kind = mj.mjtJoint.mjJNT_HINGE if isinstance(joint.motion, Revolute) else mj.mjtJoint.mjJNT_SLIDE
    low, high = joint.motion.ends
    ends = {"limited": True, "range": [low, high]} if math.isfinite(low) else {"limited": False}
    return body, body.add_joint(type=kind, axis=list(joint.axis), name=f"joint:{path}", **ends)


def weigh(body: Any, model: RobotModel, joint: str) -> bool:
    """Set the inertia of a joint's frame, if one is given, or a small one if nothing on it has mass.

    Return whether it has done so; otherwise the shapes on the joint have mass.
    """
    whole, mass = burden(model, joint), masses(model)[joint]
    if whole is not None:
        set_inertia(body, whole)
    elif not any(part.mass_kg for part in model.parts if part.joint == joint):
        body.mass, body.inertia, body.explicitinertial = mass, [0.4 * mass * _SMALL_M**2] * 3, True
    return whole is not None


def set_inertia(body: Any, whole: Heavy) -> None:
    """Set mass, centre and full inertia tensor of a MuJoCo body."""
    body.mass, body.ipos, body.explicitinertial = whole.mass_kg, whole.cog.tolist(), True
    tensor = whole.tensor
    body.fullinertia = [*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]]


def add_servo(spec: Any, mj: Any, joint: Any, motion: Any, strong: float) -> Any:
    """Add a speed servo to a joint; return it."""
    gain = strong / (_LAG * motion.fastest)
    joint.armature = _ARMATURE * gain * spec.option.timestep
    servo = spec.add_actuator(name=f"servo-{joint.name}", target=joint.name, trntype=mj.mjtTrn.mjTRN_JOINT)
    servo.gaintype, servo.biastype = mj.mjtGain.mjGAIN_FIXED, mj.mjtBias.mjBIAS_AFFINE
    servo.gainprm[0], servo.biasprm[2] = gain, -gain
    servo.forcelimited, servo.forcerange = True, [-strong, strong]
    return servo


def add_gear(spec: Any, mj: Any, follower: Any, leader: Any, ratio: float) -> None:
    """Couple a joint to another."""
    gear = spec.add_equality(
        type=mj.mjtEq.mjEQ_JOINT, name1=follower.name, name2=leader.name, objtype=mj.mjtObj.mjOBJ_JOINT
    )
    gear.data[:5] = [0.0, ratio, 0.0, 0.0, 0.0]
    gear.solref = [max(_GEAR_S, 2.0 * spec.option.timestep), 1.0]
    gear.solimp = [0.99, 0.999, 0.0001, 0.5, 2.0]  # almost rigid


@dataclass(frozen=True, eq=False)
class Bound:
    """MuJoCo's indices of the joints of a scene, as rows of the chain: positions, speeds, and servos, -1 for none."""

    at: Ints
    move: Ints
    servo: Ints

    @property
    def driven(self) -> Ints:
        """Return the rows with servos."""
        return np.flatnonzero(self.servo >= 0)


def bound(limbs: list[Limb], model: Any) -> Bound:
    """Return MuJoCo's indices of joints."""
    return Bound(
        np.array([model.jnt_qposadr[limb.joint.id] for limb in limbs], np.int64),
        np.array([model.jnt_dofadr[limb.joint.id] for limb in limbs], np.int64),
        np.array([-1 if limb.servo is None else limb.servo.id for limb in limbs], np.int64),
    )
