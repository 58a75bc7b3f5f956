"""The objects and robots that EyeSim has built in: their sizes, masses and colours.

EyeSim publishes no sizes, so that they are those of the real things, or our own where there is no standard:

| thing | size | source |
| --- | --- | --- |
| soccer ball | circumference 69 cm, 430 g | FIFA, Laws of the Game, law 2: 68 to 70 cm, 410 to 450 g |
| golf ball | diameter 42.67 mm, 45.93 g | R&A and USGA, Equipment Rules: the smallest and heaviest ball |
| can | diameter 66 mm, height 115 mm, 350 g | standard drinks can of 330 ml, full |
| crate | cube of 100 mm, 500 g | ours |
| marker | disc of 100 mm, without physics | ours |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from understudy.world.materials import Surface
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Solid
from understudy.world.shapes import Box, Cylinder, Pose

START_MODEL = "soccerbot"  # the robot at each start of a maze or world that is run directly: the paper's
BOX = Ground((2.0, 2.0), (1.0, 1.0), walled=True)  # a new world of EyeSim-VR; the corner is at 0, 0

# the names of EyeSim's robots in .sim files, and ours in the catalogue
ROBOTS: Mapping[str, str] = {
    "s4": "s4",
    "soccerbot": "soccerbot",
    "labbot": "labbot",
    "omni": "eyebot-omni",
    "ackermann": "eyebot-ackermann",
    "eyebot": "soccerbot",
}
# EyeSim has these too
NOT_SUPPORTED = frozenset({
    "mako", "bluerov", "usal", "cubot", "cubot-r", "starman", "nao", "manipulator", "ufactory850", "allbot", "subsim",
})  # fmt: skip

# robots are "displayed in different colors to facilitate distinguishing between them" (the paper); these differ for
# people with colour blindness too (Okabe and Ito)
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#f0e442", "#666666")

_GOLF_M, _GOLF_KG = 0.04267 / 2, 0.04593
_SOCCER_M, _SOCCER_KG = 0.69 / math.tau, 0.43


def golf_ball(pose: Pose, name: str = "") -> Ball:
    """Return a golf ball: the ball of mazes, as in RoboCup's small-size league, from which the paper's field is."""
    return Ball(name=name, radius_m=_GOLF_M, mass_kg=_GOLF_KG, pose=pose, colour="#ff8000")


def soccer_ball(pose: Pose, name: str = "") -> Ball:
    """Return a ball of size 5."""
    return Ball(name=name, radius_m=round(_SOCCER_M, 4), mass_kg=_SOCCER_KG, pose=pose, colour="#f0f0f0")


def can(pose: Pose, name: str = "") -> Solid:
    """Return a drinks can; it is red, as programs that look for it with a camera expect."""
    return Solid(name=name, shape=Cylinder(0.033, 0.115), pose=pose, mass_kg=0.35, colour="#cc0000")


def crate(pose: Pose, name: str = "") -> Solid:
    """Return a wooden crate."""
    return Solid(name=name, shape=Box((0.1, 0.1, 0.1)), pose=pose, mass_kg=0.5, colour="#a0703c")


def marker(x_m: float, y_m: float, colour: str) -> Solid:
    """Return a coloured disc on the floor that only cameras see."""
    seen = Surface(seen_by=("camera",), obstacle=False)
    return Solid(shape=Cylinder(0.05, 0.001), pose=Pose(x_m, y_m), colour=colour, surface=seen)


# the names of objects in .sim files
OBJECTS: Mapping[str, Callable[[Pose, str], Ball | Solid]] = {
    "can": can,
    "soccer": soccer_ball,
    "golf": golf_ball,
    "crate": crate,
    "crate1": crate,
    "crate2": crate,
    "crate3": crate,
}


def robot_at(number: int, model: str, pose: Pose, name: str = "") -> PlacedRobot:
    """Return the robot with this number, from 0, in a colour of its own."""
    return PlacedRobot(name=name, model=model, place=pose, colour=COLOURS[number % len(COLOURS)])
