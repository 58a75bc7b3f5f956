"""Robots with joints, for tests: an eye that pans and tilts, and an arm with two fingers."""

from __future__ import annotations

import math

from understudy.sensors import SENSORS
from understudy.world.joints import Joint, Prismatic, Revolute
from understudy.world.robot import DeviceSpec, Rectangle, RobotModel, Skid
from understudy.world.shapes import Box, Mount
from understudy.world.vehicle import BodyPart

QUIET = {"noise": SENSORS["laser"]().noise.__class__(preset="perfect")}
PAN = Joint(name="pan", motion=Revolute(-2.0, 2.0, max_rad_s=2.0), mount=Mount(x_m=0.1, z_m=0.2))
TILT = Joint(name="tilt", motion=Revolute(-1.0, 1.0), joint="pan", axis=(0.0, 1.0, 0.0), mount=Mount(z_m=0.05))
UP = (0.0, 1.0, 0.0)


def base(**given):
    kept = {"body": Rectangle(0.4, 0.3, height_m=0.15, mass_kg=15.0), "drive": Skid(0.3, 0.06)}
    return RobotModel(**{**kept, **given})


def panning(*devices, joints=(PAN,), **given):
    return base(joints=joints, devices=devices, **given)


def ray(name="eye", joint="pan", **mount):
    return DeviceSpec(name=name, joint=joint, sheet=SENSORS["laser"](rays=1, max_m=8.0, **QUIET), mount=Mount(**mount))


def bar(name, joint, size, mass=0.3, friction=0.2, **mount):
    return BodyPart(name=name, joint=joint, shape=Box(size), mass_kg=mass, friction=friction, mount=Mount(**mount))


def arm(**given):
    finger = {"motion": Prismatic(0.0, 0.04, 0.03, motor_n=10.0), "joint": "elbow"}
    joints = (
        Joint(name="pan", motion=Revolute(-2.0, 2.0), mount=Mount(x_m=0.12, z_m=0.17)),
        Joint(name="shoulder", motion=Revolute(-1.6, 1.8), joint="pan", axis=UP),
        Joint(name="elbow", motion=Revolute(-2.7, 2.7), joint="shoulder", axis=UP, mount=Mount(z_m=0.25)),
        Joint(name="left", axis=(0, 1, 0), mount=Mount(y_m=0.01, z_m=0.2), **finger),
        Joint(name="right", axis=(0, -1, 0), mount=Mount(y_m=-0.01, z_m=0.2), follows="left", **finger),
    )
    parts = (
        bar("upper", "shoulder", (0.04, 0.04, 0.24), 0.4),
        bar("fore", "elbow", (0.035, 0.035, 0.17), z_m=0.01),
        bar("finger-left", "left", (0.02, 0.01, 0.06), 0.03, friction=1.0),
        bar("finger-right", "right", (0.02, 0.01, 0.06), 0.03, friction=1.0),
    )
    return base(**{"joints": joints, "parts": parts, **given})


def bend(robot, shoulder_deg, elbow_deg):
    robot.servo("shoulder").to(math.radians(shoulder_deg))
    robot.servo("elbow").to(math.radians(elbow_deg))
