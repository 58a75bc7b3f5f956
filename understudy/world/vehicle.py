"""The mechanics of a robot in three dimensions: wheels, castors, parts, mass and motors.

All of it is optional: by default it is derived from the body and the drive. A number of 0 is derived, too.
"""

from __future__ import annotations

from typing import Literal

from understudy.frozen import frozen
from understudy.world.inertia import Inertia
from understudy.world.records import rule
from understudy.world.shapes import Box, Cone, Cylinder, Mount, Sphere


@frozen
class Suspension:
    """The suspension of a wheel about its position when the robot stands on level ground."""

    stiffness_n_m: float = rule(
        0.0, least=0.0, doc="0: its static load compresses it by 2 mm, or 0.4 % of a narrow stance"
    )
    damping_n_s_m: float = rule(0.0, least=0.0, doc="0: roll and pitch do not overshoot")
    compression_m: float = rule(0.0, least=0.0, doc="maximum compression; 0: half the wheel's radius")
    rest_m: float = rule(0.0, least=0.0, doc="extension without load; 0: from its stiffness")
    max_n: float = rule(0.0, least=0.0, doc="maximum force; 0: twenty times its static load")


@frozen(kw_only=True)
class Wheel:
    """A wheel; its position is the centre of its axle in the robot's frame."""

    name: str = rule(form="name")
    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = rule(0.0, least=0.0, doc="height of the axle; 0: the wheel's radius")
    radius_m: float = rule(0.0, least=0.0, doc="0: that of the drive")
    width_m: float = rule(0.03, above=0.0)
    driven: bool = True
    steered: bool = rule(False, doc="turned by the steering of an ackermann drive")
    roller_rad: float = rule(0.0, least=-1.5, most=1.5, doc="of a mecanum wheel: angle of its rollers' axles")
    friction: float = rule(1.0, least=0.0, doc="with ground of friction 1; the two are multiplied")
    slip: float = rule(1.0, least=0.0, most=1.0, doc="share of the friction that remains while the wheel slips")
    suspension: Suspension = rule(Suspension())


@frozen(kw_only=True)
class Castor:
    """A ball or swivel wheel that carries load and does not steer; its position is its ground contact point."""

    name: str = rule(form="name")
    x_m: float = 0.0
    y_m: float = 0.0
    radius_m: float = rule(0.02, above=0.0)
    friction: float = rule(0.0, least=0.0, doc="against being moved in any direction")
    suspension: Suspension = rule(Suspension())


BODY = "body"  # name of a robot's own body among its parts
ALL = "*"  # and all of them together
PartShape = Box | Cylinder | Cone | Sphere


@frozen(kw_only=True)
class BodyPart:
    """A piece of the robot in addition to its body: visible, colliding, or both."""

    name: str = rule(form="name")
    shape: PartShape = rule(tag="kind")
    joint: str = rule("", doc="the joint that carries it; default: the robot's body")
    mount: Mount = rule(Mount())
    mass_kg: float = rule(0.0, least=0.0)
    inertia: Inertia | None = rule(
        None, doc="of a part on a joint, in the frame of its mount; default: its shape with uniform density"
    )
    friction: float = rule(0.2, least=0.0, doc="against what it slides along or grips")
    contact: bool = rule(True, doc="false: visible only, without collisions")
    seen: bool = rule(True, doc="false: collisions only, invisible to sensors")
    colour: str = rule("#808080", form="colour")


@frozen
class Dynamics:
    """Masses, motors and brakes, as the rigid engine needs them."""

    mass_kg: float = rule(0.0, least=0.0, doc="total mass; 0: that of the body and the parts")
    cog_m: tuple[float, float, float] | None = rule(None, doc="centre of gravity; default: low, between the wheels")
    inertia: Inertia | None = rule(
        None,
        doc="of the body alone, without what joints carry; its cog_m applies; default: of its bounding box",
    )
    clearance_m: float = rule(0.0, least=0.0, doc="free height under the body; 0: half a wheel's radius")
    motor_rad_s: float = rule(0.0, least=0.0, doc="maximum wheel speed of a motor; 0: from the drive's limits")
    motor_n_m: float = rule(0.0, least=0.0, doc="torque on each driven wheel; 0: for the drive's acceleration uphill")
    brake_n_m: float = rule(0.0, least=0.0, doc="torque that holds each driven wheel; 0: more than its friction limit")
    wheel_model: Literal["ray", "contact"] = rule("ray", doc="contact: wheels are separate rolling bodies")
