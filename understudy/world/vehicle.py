"""What carries and drives a robot in three dimensions: wheels, castors, parts, mass and motors.

All of it may be left out: then it follows from the body and the drive. A number that is 0 or left out is derived too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from understudy.world.inertia import Inertia
from understudy.world.plain import rule
from understudy.world.shapes import Box, Cone, Cylinder, Mount, Sphere


@dataclass(frozen=True, slots=True)
class Suspension:
    """How a wheel is sprung about the place that it has when the robot stands on level ground."""

    stiffness_n_m: float = rule(
        0.0, least=0.0, doc="0: its load at rest presses it in by 2 mm, or 0.4 % of a narrow stance"
    )
    damping_n_s_m: float = rule(0.0, least=0.0, doc="0: a robot that rolls or pitches does not swing through")
    compression_m: float = rule(0.0, least=0.0, doc="how far it can be pressed in; 0: half the wheel's radius")
    rest_m: float = rule(0.0, least=0.0, doc="how far it hangs down without a load; 0: as its stiffness makes it")
    max_n: float = rule(0.0, least=0.0, doc="the most that it bears; 0: twenty times its load at rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel; its place is that of its axle's middle, seen from the robot."""

    name: str = rule(form="name")
    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = rule(0.0, least=0.0, doc="height of the axle; 0: the wheel's radius")
    radius_m: float = rule(0.0, least=0.0, doc="0: that of the drive")
    width_m: float = rule(0.03, above=0.0)
    driven: bool = True
    steered: bool = rule(False, doc="turned by the steering of an ackermann drive")
    roller_rad: float = rule(0.0, least=-1.5, most=1.5, doc="of a mecanum wheel: its rollers' axles to its own way")
    friction: float = rule(1.0, least=0.0, doc="with ground of friction 1; the two are multiplied")
    slip: float = rule(1.0, least=0.0, most=1.0, doc="share of the friction that is left while the wheel slips")
    suspension: Suspension = rule(Suspension())


@dataclass(frozen=True, slots=True, kw_only=True)
class Castor:
    """A ball or swivel wheel that carries and does not steer; its place is where it touches level ground."""

    name: str = rule(form="name")
    x_m: float = 0.0
    y_m: float = 0.0
    radius_m: float = rule(0.02, above=0.0)
    friction: float = rule(0.0, least=0.0, doc="against being moved in any direction")
    suspension: Suspension = rule(Suspension())


BODY = "body"  # what a robot's own body is called among its parts
ALL = "*"  # and all of them together
PartShape = Box | Cylinder | Cone | Sphere


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of the robot beside its body: something to see, something to bump into, or both."""

    name: str = rule(form="name")
    shape: PartShape = rule(tag="kind")
    joint: str = rule("", doc="the joint that carries it; left out: the robot's body")
    mount: Mount = rule(Mount())
    mass_kg: float = rule(0.0, least=0.0)
    inertia: Inertia | None = rule(
        None, doc="of a part on a joint, seen from its mount; left out: its shape's, filled evenly"
    )
    friction: float = rule(0.2, least=0.0, doc="against what it slides along or grips")
    contact: bool = rule(True, doc="false: only its look, others pass through it")
    seen: bool = rule(True, doc="false: only its contact, sensors do not notice it")
    colour: str = rule("#808080", form="colour")


@dataclass(frozen=True, slots=True)
class Dynamics:
    """Masses, motors and brakes, as the rigid engine needs them."""

    mass_kg: float = rule(0.0, least=0.0, doc="of all together; 0: the body's and the parts'")
    cog_m: tuple[float, float, float] | None = rule(None, doc="centre of gravity; left out: low, between the wheels")
    inertia: Inertia | None = rule(
        None,
        doc="of the body by itself, without what joints carry; its cog_m counts; left out: of the box that holds it",
    )
    clearance_m: float = rule(0.0, least=0.0, doc="free height under the body; 0: half a wheel's radius")
    motor_rad_s: float = rule(
        0.0, least=0.0, doc="how fast a motor turns its wheel at most; 0: as the drive's limits say"
    )
    motor_n_m: float = rule(0.0, least=0.0, doc="torque on each driven wheel; 0: for the drive's acceleration uphill")
    brake_n_m: float = rule(0.0, least=0.0, doc="torque that holds each driven wheel; 0: more than its friction bears")
    wheel_model: Literal["ray", "contact"] = rule("ray", doc="contact: wheels are bodies of their own that roll")
