"""Puts things where nothing should be, and lets every sensor look.

A process of its own, called with an engine and a world, for a crash would end all tests. It says on stderr what it is
about to do, so that a crash has a name, and ends with an exception if something is neither done nor refused in words.
"""

from __future__ import annotations

import logging
import math
import struct
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from meshes import box, obj
from pictures import striped
from protocols.arcos.arcos_talk import frame

import understudy as us
from understudy.assets.pictures import grey_picture
from understudy.errors import UnderstudyError
from understudy.links.base import Event
from understudy.sensors import SENSORS
from understudy.sim.inbox import Bytes, FleetOrder, Order
from understudy.world.changes import Add, Grasp, Move, Remove
from understudy.world.scene import Ball, Wall
from understudy.world.shapes import Pose

FAR = [sign * 10.0**power for power in (3, 6, 8, 12, 300) for sign in (1, -1)]
ABSURD = [math.nan, math.inf, -math.inf]
DRIVES = 1000.0  # m; here a robot can still drive on and look

_WORLDS = {
    "floor": '[ground]\nsize_m = [6, 4]\npicture = "striped.png"\n',
    "hills": '[ground]\nsize_m = [6, 4]\nheights = "ramp.pgm"\n'
    '[[object]]\nname = "body"\nkind = "mesh"\nfile = "body.obj"\nx_m = 1\ny_m = -1\n',
}
_SCENE = """schema = 1
engine = "{engine}"
tick_ms = 10
{ground}
[[wall]]
name = "wall"
points_m = [[2, -1], [2, 1]]
picture = "striped.png"
[[object]]
name = "crate"
kind = "box"
size_m = [0.3, 0.3, 0.3]
x_m = -2
mass_kg = 1
[[object]]
name = "pillar"
kind = "cylinder"
radius_m = 0.1
y_m = 1.5
[[ball]]
name = "ball"
x_m = -1
y_m = 1
[[light]]
name = "lamp"
[origin]
latitude_deg = 42
[[robot]]
model = "p3dx"
name = "pioneer"
y_m = -1
[[robot]]
name = "probe"
body = {{shape = "box", length_m = 0.4, width_m = 0.3, height_m = 0.3}}
drive = {{kind = "differential", track_m = 0.3, max_m_s = 2}}
[robot.joint]
neck = {{kind = "revolute", mount = {{z_m = 0.3}}}}
{devices}
"""
_OWN = {"camera": 'width = 16\nheight = 12\nimages = ["rgb", "depth", "labels"]', "feedback": 'joint = "neck"'}
_TILTED = {"laser": "rays = 19", "sonar": "", "beam": "", "infrared": ""}


def _devices() -> str:
    """Return every kind of sensor, those with rays also at an angle and on a joint."""
    tables = [f'[robot.device.{kind}]\nkind = "{kind}"\nperiod_us = 0\n{_OWN.get(kind, "")}' for kind in SENSORS]
    for kind, extra in _TILTED.items():
        given = f'kind = "{kind}"\nperiod_us = 0\n{extra}'
        tables.append(f"[robot.device.{kind}-down]\n{given}\nmount = {{z_m = 0.3, pitch_deg = 20}}")
        tables.append(f'[robot.device.{kind}-pan]\n{given}\njoint = "neck"')
    return "\n".join(tables)


def _text(engine: str, world: str) -> str:
    return _SCENE.format(engine=engine, ground=_WORLDS[world], devices=_devices())


@contextmanager
def about_to(words: str):
    """Say what comes; a refusal in words is as good as doing it."""
    print(words, file=sys.stderr, flush=True)
    try:
        yield
    except (UnderstudyError, ValueError) as problem:
        if len(str(problem)) < 10:
            raise AssertionError(f"{words}: refused without a reason") from problem


def _look(sim: us.Sim) -> None:
    """Let time pass and read everything."""
    sim.step(4)  # the Pioneer's sonar is due
    for robot in sim.robots:
        for device in robot.devices:
            robot.read(device)
            robot.traces(device)
    sim.current.engine.contacts()


def place(sim: us.Sim) -> None:
    """Put robots, things and balls somewhere."""
    for value in [*FAR, *ABSURD]:
        for pose in (
            Pose(value, 0.5),
            Pose(0.5, value),
            Pose(value, value),
            Pose(0.5, 0.5, value),
            Pose(heading_rad=value),
        ):
            for name in ("probe", "pioneer", "crate", "ball"):
                with about_to(f"put {name} at {pose}"):
                    sim.change(Move(name, pose))
            with about_to(f"look with everything at {pose}"):
                _look(sim)
    for name, y in (("probe", 0.0), ("pioneer", -1.0), ("crate", 1.0), ("ball", 1.5)):
        sim.change(Move(name, Pose(0.0, y)))
    _look(sim)


def drive(sim: us.Sim) -> None:
    """Drive far out, and ask for what no motor can do."""
    probe = sim.robot("probe")
    for x, y in ((-DRIVES, 0.0), (DRIVES, 0.0), (0.0, -DRIVES), (-60.0, 0.0)):
        with about_to(f"drive on at {x}, {y}"):
            probe.move_to(x, y)
            probe.drive(2.0, 0.5)
            _look(sim)
    for value in [*FAR, *ABSURD]:
        with about_to(f"drive at {value}"):
            probe.drive(value, value)
            assert math.isfinite(value), "robot.drive must refuse what is not finite"
        with about_to(f"order {value} past the robot"):
            sim.inbox.post("api", Order("probe/controller", us_drive(value)))
            sim.inbox.post("api", FleetOrder(np.full((2, 3), value)))
        with about_to(f"turn the neck to {value}"):
            probe.servo("neck").to(value)
        with about_to(f"turn the neck at {value}"):
            probe.servo("neck").turn(value)
        with about_to(f"grasp {value} away"):
            sim.change(Grasp("probe", value, value))
        _look(sim)
        assert np.isfinite(sim.fleet.poses).all(), f"poses are no numbers after {value}"
    sim.fleet.drive(0.0)


def us_drive(value: float):
    """Return the order that `robot.drive` would refuse."""
    from understudy.robots.base import Drive

    return Drive(value, value)


def add(sim: us.Sim) -> None:
    """Add things and walls far away."""
    for n, value in enumerate([*FAR, *ABSURD]):
        with about_to(f"add a ball at {value}"):
            sim.change(Add(Ball(f"b{n}", pose=Pose(value, value))))
        for end in ((value, 3.0), (3.0, value), (value, -value)):
            with about_to(f"add a wall to {end}"):
                _try_wall(sim, end)


def _try_wall(sim: us.Sim, end: tuple[float, float]) -> None:
    sim.change(Add(Wall(name="far", points_m=((3.0, 3.0), end))))
    _look(sim)
    sim.change(Remove("far"))


def send(sim: us.Sim) -> None:
    """Put the Pioneer elsewhere by packets: SIM_SET_POSE, in mm."""
    sim.inbox.post("port", Bytes("pioneer/host", Event.OPENED))
    hello = [frame(bytes([code])) for code in (0, 1, 2)]
    open_up = frame(bytes([1]))
    sim.inbox.post("port", Bytes("pioneer/host", Event.DATA, b"".join([*hello, open_up])))
    _look(sim)
    for x, y in ((-60_000, 0), (-(2**31), 0), (2**31 - 1, -(2**31)), (0, 2**31 - 1)):
        with about_to(f"SIM_SET_POSE {x}, {y}"):
            packet = frame(bytes([224, 0x3B]) + struct.pack("<iii", x, y, 90))
            sim.inbox.post("port", Bytes("pioneer/host", Event.DATA, packet))
            _look(sim)
            assert abs(sim.robot("pioneer").pose.x_m - x / 1000.0) < 0.1, "the packet was not obeyed"


def poison(sim: us.Sim) -> None:
    """Let the compiled code see what should never come to it, as from a damaged state."""
    engine = sim.current.engine
    good = engine.state()
    key, columns = ("place", slice(0, 3)) if "place" in good else ("at", slice(0, 7))
    tables = [batch.table for batch in sim.current.batches if batch.table is not None]
    for value in [*ABSURD, 1e19, -1e19, 1e300]:
        bad = engine.state()
        bad[key] = bad[key].copy()
        bad[key].reshape(-1)[columns] = value
        with about_to(f"restore {value}"):
            engine.restore(bad)
        for table in tables:
            with about_to(f"cast {len(table.origins)} rays from {value}"):
                engine.cast(table, np.array([0, 1]), np.empty((2, len(table.origins))))
        with about_to(f"step and touch at {value}"):
            engine.contacts()
            engine.step(np.full((2, 3), value))
        engine.restore(good)


def load(engine: str, world: str, folder: Path) -> None:
    """Load scenes that hold what is far away."""
    text = _text(engine, world)
    for value in ["1e3", "-1e8", "-1e12", "nan"]:
        for old, new in (
            ("y_m = -1\n[[robot]]", f"y_m = {value}\n[[robot]]"),
            ("x_m = -2", f"x_m = {value}"),
            ("[2, 1]]", f"[2, {value}]]"),
            ("[2, 1]]", f"[{value}, {value}]]"),
            ("size_m = [6, 4]", f"size_m = [6, {value}]"),
            ("pitch_deg = 20}", f"pitch_deg = 20, x_m = {value}}}"),
        ):
            with about_to(f"load {new!r}"), us.load_text(text.replace(old, new, 1), folder=folder) as sim:
                sim.step(2)


def main(engine: str, world: str) -> None:
    """Do all of it."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "striped.png").write_bytes(striped())
        (folder / "body.obj").write_bytes(obj(box((0.5, 0.5, 0.5))))
        grey = np.tile(np.linspace(0, 20, 6).astype(np.uint8), (3, 1))
        (folder / "ramp.pgm").write_bytes(grey_picture.to_pgm(grey, "a ramp"))
        with us.load_text(_text(engine, world), folder=folder) as sim:
            for part in (place, drive, send, add, poison):
                part(sim)
        load(engine, world, folder)
    print("all is well")


if __name__ == "__main__":
    main(*sys.argv[1:])
