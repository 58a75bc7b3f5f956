"""What the joints of a robot carry: how heavy it is, and where."""

from __future__ import annotations

import math

import numpy as np

from understudy.engines.joints import Array, chain
from understudy.world.robot import RobotModel
from understudy.world.shapes import half_height
from understudy.world.turns import rotation, shift
from understudy.world.vehicle import Part

_LIGHT = 0.02  # of the body's mass: what a joint carries if nobody has said what that weighs


def masses(model: RobotModel) -> dict[str, float]:
    """Return the mass of each joint's frame: its parts', or a little if they have none (kg)."""
    found = {
        joint.name: math.fsum(part.mass_kg for part in model.parts if part.joint == joint.name)
        for joint in model.joints
    }
    return {name: mass or _LIGHT * model.body.mass_kg for name, mass in found.items()}


def middles(model: RobotModel) -> dict[str, tuple[float, Array]]:
    """Return mass and centre of what each joint carries by itself, at the start, in the robot's frame (kg, m)."""
    links, weights = chain([("", model)]), masses(model)
    frames, found = links.frames(links.starts), {}
    for row, joint in enumerate(links.joints):
        mine = [part for part in model.parts if part.joint == joint.name and part.mass_kg]
        own = np.average([_middle(part) for part in mine], axis=0, weights=[p.mass_kg for p in mine]) if mine else 0.0
        found[joint.name] = (weights[joint.name], frames.at[row] + frames.turn[row] @ (np.zeros(3) + own))
    return found


def _middle(part: Part) -> Array:
    """Return where the middle of a part is in the frame that carries it (m)."""
    return np.asarray(shift(part.mount) + rotation(part.mount) @ np.array([0.0, 0.0, half_height(part.shape)]))


def above(model: RobotModel, name: str) -> set[str]:
    """Return a joint and all joints that sit on it."""
    found = {name}
    while more := {joint.name for joint in model.joints if joint.joint in found} - found:
        found |= more
    return found
