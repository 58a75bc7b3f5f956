"""Contact wheels: rolling bodies with MuJoCo's contacts, as an alternative to our ray wheels and tyres.

A wheel touches as an ellipsoid: a cylinder touches with two edges, which pull against each other when a robot turns.
Motors are speed servos with limited torque; castors slide without friction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.engines.rigid.rows import ROLLING, Records
from understudy.engines.rigid.vehicle import Chassis
from understudy.errors import EngineError
from understudy.world.robot import PlacedRobot, RobotModel
from understudy.world.vehicle import Castor, Wheel

_LAG = 0.02  # a servo reaches full torque at this speed error, as a share of its maximum speed
_ARMATURE = 0.2  # of what a servo adds within a sub-step: stabilises light wheels
_WHEEL_MASS = 0.03  # of the robot, each
_STEER_RAD_S = 30.0  # bandwidth of a steering servo


@dataclass(frozen=True)
class Rolling:
    """A contact wheel in MuJoCo: its joint, its motor, and its steering if it has one."""

    spin: Any
    motor: Any | None
    steering: Any | None


def has_contact_wheels(model: RobotModel) -> bool:
    """Return whether a robot has contact wheels."""
    return model.dynamics.wheel_model == "contact"


def refuse_rollers(robot: PlacedRobot, wheels: Sequence[Wheel]) -> None:
    """Raise EngineError if a robot has mecanum wheels, which only ray wheels support."""
    if any(wheel.roller_rad for wheel in wheels):
        raise EngineError(f'{robot.name}: mecanum wheels need wheel_model = "ray"')


def wheel_mass(chassis: Chassis) -> float:
    """Return the mass of one contact wheel (kg)."""
    return _WHEEL_MASS * chassis.mass_kg


def add_wheel(
    spec: Any, mj: Any, body: Any, wheel: Wheel, row: Any, mass: float, fastest: float
) -> tuple[Any, Rolling]:
    """Add a wheel to a robot's body; return its own body, and what turns it. *row* is its row of WHEEL."""
    radius, step = float(row["radius"]), spec.option.timestep
    child = body.add_body(pos=[float(row["x"]), float(row["y"]), float(row["z"])])
    thin = (3 * radius * radius + wheel.width_m**2) / 12
    child.mass, child.inertia = mass, [mass * thin, mass * radius * radius / 2, mass * thin]
    child.explicitinertial = True
    steering = _steering(spec, mj, child, mass * thin, step) if wheel.steered else None
    torque = float(row["motor"]) * radius
    gain = torque / (_LAG * fastest / radius) if wheel.driven else 0.0
    spin = child.add_joint(
        type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0], name=_new(spec, "spin"), armature=_ARMATURE * gain * step
    )
    motor = _servo(spec, mj, spin.name, gain, torque) if wheel.driven else None
    return child, Rolling(spin, motor, steering)


def _new(spec: Any, word: str) -> str:
    return f"{word}-{len(spec.joints)}"


def _steering(spec: Any, mj: Any, child: Any, inertia: float, step: float) -> Any:
    """Add a joint that a position servo turns around the vertical axis; return the servo."""
    stiff = inertia * _STEER_RAD_S**2 * 10
    joint = child.add_joint(
        type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1], name=_new(spec, "steer"), armature=10 * inertia,
        damping=2 * inertia * 10 * _STEER_RAD_S,
    )  # fmt: skip
    servo = spec.add_actuator(name=f"servo-{joint.name}", target=joint.name, trntype=mj.mjtTrn.mjTRN_JOINT)
    servo.gaintype, servo.biastype = mj.mjtGain.mjGAIN_FIXED, mj.mjtBias.mjBIAS_AFFINE
    servo.gainprm[0], servo.biasprm[1] = stiff * 10, -stiff * 10
    return servo


def _servo(spec: Any, mj: Any, joint: str, gain: float, torque: float) -> Any:
    motor = spec.add_actuator(name=f"motor-{joint}", target=joint, trntype=mj.mjtTrn.mjTRN_JOINT)
    motor.gaintype, motor.biastype = mj.mjtGain.mjGAIN_FIXED, mj.mjtBias.mjBIAS_AFFINE
    motor.gainprm[0], motor.biasprm[2] = gain, -gain
    motor.forcelimited, motor.forcerange = True, [-torque, torque]
    return motor


def tyre_shape(mj: Any, wheel: Wheel, row: Any, grip: float) -> dict[str, Any]:
    """Return the shape of a wheel."""
    size = [float(row["radius"]), wheel.width_m / 2, float(row["radius"])]
    friction = [wheel.friction * grip, 0.005, 0.0001]
    return {"type": mj.mjtGeom.mjGEOM_ELLIPSOID, "size": size, "friction": friction, "priority": 4, "condim": 3}


def castor_shape(mj: Any, castor: Castor) -> dict[str, Any]:
    """Return the shape of a castor: a sliding sphere."""
    at = [castor.x_m, castor.y_m, castor.radius_m]
    slide = {"condim": 3, "friction": [castor.friction, 0.0, 0.0]} if castor.friction else {"condim": 1}
    return {"type": mj.mjtGeom.mjGEOM_SPHERE, "size": [castor.radius_m, 0.0, 0.0], "pos": at, "priority": 5, **slide}


def bind(wheels: Records, rolling: Sequence[Rolling], model: Any) -> None:
    """Write MuJoCo's indices of the joints and servos of a robot's wheels into their rows."""
    for row, wheel in zip(wheels, rolling):
        row["kind"], row["dof"] = ROLLING, int(model.jnt_dofadr[wheel.spin.id])
        row["control"] = -1 if wheel.motor is None else int(wheel.motor.id)
        row["steering"] = -1 if wheel.steering is None else int(wheel.steering.id)
    wheels["bend_x"] = np.zeros(len(wheels))
