"""Small flat scenes made in Python, for tests that need a world but no file."""

from __future__ import annotations

import math
from dataclasses import replace

from understudy.robots import UNITS
from understudy.sensors import SENSORS
from understudy.sensors.imperfection import LengthNoise
from understudy.world.robot import Circle, DeviceSpec, Differential, PlacedRobot, Port, RobotModel, UnitSpec
from understudy.world.scene import Ground, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Mount, Pose

PERFECT = LengthNoise(preset="perfect")
RING = tuple(Mount(yaw_rad=math.radians(angle)) for angle in (90, 30, -30, -90))


def model(noise=None, latency_us=0, **extra):
    quiet = {} if noise is None else {"noise": noise}
    devices = (
        DeviceSpec(name="front", sheet=SENSORS["laser"](rays=31, latency_us=latency_us, **quiet), mount=Mount(z_m=0.2)),
        DeviceSpec(name="sonar", sheet=SENSORS["sonar"](ring=RING, **quiet), mount=Mount(z_m=0.1)),
        DeviceSpec(name="gps", sheet=SENSORS["gps"](period_us=200_000, **quiet)),
        DeviceSpec(name="wheels", sheet=SENSORS["encoders"]()),
    )
    given = {
        "body": Circle(0.2),
        "drive": Differential(0.3, max_m_s=1.0, max_rad_s=3.0),
        "devices": devices,
    }
    return RobotModel(**{**given, **extra})


def pioneer_model(**extra):
    unit = UnitSpec(name="arcos", sheet=UNITS["pioneer"].Sheet(), uses=(("sonar", "sonar"), ("wheels", "wheels")))
    from understudy.protocols import PROTOCOLS

    port = Port(name="host", unit="arcos", sheet=PROTOCOLS["arcos"].Sheet(), link="loop:")
    return model(units=(unit,), ports=(port,), **extra)


def robot(name="scout", x=0.0, y=0.0, heading=0.0, parts=None, **extra):
    return PlacedRobot(name=name, place=Pose(x, y, heading_rad=heading), parts=parts or model(), **extra)


def room(*robots, width=6.0, depth=4.0, objects=(), **extra):
    x, y = width / 2, depth / 2
    wall = Wall(name="edge", points_m=((-x, -y), (x, -y), (x, y), (-x, y)), closed=True)
    return replace(
        Scene(
            name="room",
            ground=Ground((width, depth)),
            origin=Origin(33.61, -80.865, 100.0),
            walls=(wall,),
            objects=tuple(objects),
            robots=tuple(robots) or (robot(),),
        ),
        **extra,
    )


def box(name="box", x=1.5, y=0.0, size=(0.4, 0.4, 0.5), **extra):
    return Solid(name=name, shape=Box(size), pose=Pose(x, y), **extra)
