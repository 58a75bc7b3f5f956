"""Mass and centre of gravity of what the joints of a robot carry."""

from __future__ import annotations

import math

import numpy as np

from understudy.engines.joints import Array, chain
from understudy.world import inertia
from understudy.world.inertia import Heavy
from understudy.world.robot import RobotModel
from understudy.world.rotations import rotation, shift
from understudy.world.shapes import Box, Cone, Cylinder, half_height
from understudy.world.vehicle import BodyPart

_LIGHT = 0.02  # of the body's mass: default mass on a joint


def masses(model: RobotModel) -> dict[str, float]:
    """Return the mass of each joint's frame: that of its parts, or a small default if they have none (kg)."""
    found = {
        joint.name: math.fsum(part.mass_kg for part in model.parts if part.joint == joint.name)
        for joint in model.joints
    }
    return {name: mass or _LIGHT * model.body.mass_kg for name, mass in found.items()}


def middles(model: RobotModel) -> dict[str, tuple[float, Array]]:
    """Return mass and centre of what each joint carries directly, at the start, in the robot's frame (kg, m)."""
    links, weights = chain([("", model)]), masses(model)
    frames, found = links.frames(links.starts), {}
    for row, joint in enumerate(links.joints):
        mine = [part for part in model.parts if part.joint == joint.name and part.mass_kg]
        own = np.average([_middle(part) for part in mine], axis=0, weights=[p.mass_kg for p in mine]) if mine else 0.0
        found[joint.name] = (weights[joint.name], frames.at[row] + frames.turn[row] @ (np.zeros(3) + own))
    return found


def _middle(part: BodyPart) -> Array:
    """Return the centre of gravity of a part in the frame that carries it (m)."""
    own = (0.0, 0.0, half_height(part.shape)) if part.inertia is None else part.inertia.cog_m
    return np.asarray(shift(part.mount) + rotation(part.mount) @ np.array(own))


def burden(model: RobotModel, joint: str) -> Heavy | None:
    """Return all parts on a joint as one mass in its frame, if one has a given inertia; else None: shapes have mass."""
    mine = [part for part in model.parts if part.joint == joint and part.mass_kg]
    if all(part.inertia is None for part in mine):
        return None
    whole = inertia.merged([_heavy(part) for part in mine])
    return Heavy(whole.mass_kg, whole.cog, inertia.rounded_up(whole.tensor))


def _heavy(part: BodyPart) -> Heavy:
    turn = rotation(part.mount)
    tensor = _filled(part) if part.inertia is None else part.inertia.tensor
    return Heavy(part.mass_kg, _middle(part), turn @ tensor @ turn.T)


def _filled(part: BodyPart) -> Array:
    """Return the inertia tensor of a part's shape with uniform density, around its centre (kg m2)."""
    shape, mass = part.shape, part.mass_kg
    if isinstance(shape, Box):
        return inertia.box(mass, shape.size_m)
    if isinstance(shape, Cylinder):
        return inertia.cylinder(mass, shape.radius_m, shape.height_m)
    if isinstance(shape, Cone):  # around half of its height, which is used as its centre
        lower = inertia.away(np.array([0.0, 0.0, shape.height_m / 4]))
        return inertia.cone(mass, shape.radius_m, shape.height_m) + mass * lower
    return inertia.ball(mass, shape.radius_m)


def above(model: RobotModel, name: str) -> set[str]:
    """Return a joint and all joints above it."""
    found = {name}
    while more := {joint.name for joint in model.joints if joint.joint in found} - found:
        found |= more
    return found
