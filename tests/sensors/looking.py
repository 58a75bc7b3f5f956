"""A single device in a small world, for tests of what it reads."""

from __future__ import annotations

from scenes import model, robot, room

from understudy.sim.sim import Sim
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Solid
from understudy.world.shapes import Cylinder, Mount, Pose

HIGH = 0.1  # of the device's mount (m)


def looking(sheet, *objects, x=0.0, y=0.0, heading=0.0, mount=None, walls=None, size=20.0, seed=3):
    """Return a simulation of one robot, "scout", in a room of 20 m with one device, "it"."""
    device = DeviceSpec(name="it", sheet=sheet, mount=mount or Mount(z_m=HIGH))
    scout = robot("scout", x, y, heading, model(devices=(device,)))
    extra = {} if walls is None else {"walls": walls}
    return Sim(room(scout, width=size, depth=size, objects=objects, **extra), seed=seed)


def read(sheet, *objects, **where):
    """Return the first reading of a device."""
    return looking(sheet, *objects, **where).robot("scout").read("it")


def pole(x, y=0.0, width=0.1, name="pole", **extra):
    return Solid(name=name, shape=Cylinder(width / 2, 1.0), pose=Pose(x, y), **extra)
