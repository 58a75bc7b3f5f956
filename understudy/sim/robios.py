"""A program that speaks RoBIOS, at its seat: what its calls do, what its queries return, and its frames.

Robots and objects have numbers (`world.numbering`). If the scene says ``start_together``, programs wait for each other
at their first driving or sensor call; a flag of the frame says when all have reached it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.clients import understudy_seat as wire
from understudy.errors import ProgramError, UnderstudyError
from understudy.protocols.robios import calls, frame
from understudy.protocols.robios.queries import Query, decode
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.firmware import Eyebot
from understudy.sensors.laser import Sweep
from understudy.sim.robot import Robot
from understudy.world import numbering
from understudy.world.changes import Move, find
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Solid, Thing
from understudy.world.shapes import Mount, Pose

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

MOST_BYTES = 1 << 24  # of one record: a picture
COST_US = 20  # simulated time that a call takes
MOST_POINTS, MOST_PIXELS = 3600, 2592 * 1944
FAR_MM = 9999
_TIME = struct.Struct("<q")
_PLACE = struct.Struct("<4d")


class RobiosTalk:
    """The RoBIOS side of a seat."""

    def __init__(self, sim: Sim, robot: Robot, realtime: bool) -> None:
        self._sim, self._robot, self._realtime = sim, robot, realtime
        self._unit = unit_name(sim.data(robot.name))
        self._absent = frame.NO_PSD | frame.NO_IR | frame.NO_COMPASS  # that the program has never asked for
        self._told = 0  # number of the last radio message that the program has
        self._results: dict[type, Callable[[Any], bytes]] = {
            Query.Lidar: self._lidar,
            Query.Camera: self._camera,
            Query.RobotPose: lambda query: self._place(query.number, robots=True),
            Query.ObjectPose: lambda query: self._place(query.number, robots=False),
            Query.Counts: lambda query: struct.pack("<II", *self._counts()),
            Query.RadioRobots: lambda query: self._listeners(),
            Query.LcdPixel: lambda query: struct.pack("<i", self.unit.lcd.pixel(query.x, query.y)),
            Query.LcdCursor: lambda query: struct.pack("<ii", *self.unit.lcd.cursor()),
            Query.Microphone: lambda query: struct.pack("<i", 0),
            Query.Sensors: lambda query: self._sensors(query.sensors),
            Query.Servo: lambda query: struct.pack("<i", self.unit.servo(query.servo)),
        }

    @property
    def unit(self) -> Eyebot:
        """Return the robot's EyeBot."""
        unit = self._sim.current.units[f"{self._robot.name}/{self._unit}"]
        assert isinstance(unit, Eyebot)
        return unit

    # ---- records to the program

    def welcome(self) -> bytes:
        """Return the record that begins the conversation: lines of a key and its values."""
        sim, unit, sheet = self._sim, self.unit, self.unit.sheet
        width, height = unit.lcd.size
        lines = [
            f"robot {self._robot.name}",
            f"id {self._number()}",
            f"pace {'realtime' if self._realtime else 'gated'}",
            f"tick_us {sim.start.tick_us}",
            f"t_us {sim.t_us}",
            f"cost_us {COST_US}",
            f"screen {width} {height}",
            f"drive {unit.drive_kind}",
            f"m_per_tick {unit.m_per_tick!r}",
            *(f"{name} {int(unit.device(name) is not None)}" for name in ("camera", "lidar")),
        ]
        lines += _channels("psd", unit.psds, sheet.psd_ids, sheet.psd_names)
        lines += _channels("ir", unit.infrareds, sheet.ir_ids, sheet.ir_names)
        lines += _channels("bumper", len(unit.bumps), sheet.bumper_ids, sheet.bumper_names)
        return wire.record(wire.WELCOME, "\n".join(lines).encode())

    def go(self, now_us: int) -> bytes:
        """Return the record that begins a turn, after what the radio has heard."""
        unit = self.unit
        heard = b"".join(self._heard(*each) for each in unit.radio.waiting if each[0] > self._told)
        self._told = max(self._told, unit.radio.heard)
        return heard + wire.record(wire.GO, self._frame(unit, now_us))

    def _frame(self, unit: Eyebot, now_us: int) -> bytes:
        return _TIME.pack(now_us) + frame.encode(unit, self._sim.start_line.free, self._absent)

    def _sensors(self, sensors: int) -> bytes:
        """Return a frame with sensors that the program reads for the first time."""
        self._absent &= ~sensors
        return self._frame(self.unit, self._sim.t_us)

    def signals(self, wanted: int) -> tuple[int, ...]:
        """Return what a program may wait for a change of: flags of the frame, keys, radio."""
        unit = self.unit
        flags = frame.flags(unit, self._sim.start_line.free) & wanted
        keys = (*unit.keys.presses, unit.keys.touches, unit.keys.pressed) if wanted & frame.KEYS else ()
        return (flags, *keys, unit.radio.heard if wanted & frame.RADIO else 0)

    def _heard(self, number: int, robot: str, data: bytes) -> bytes:
        names = numbering.names(self._sim.scene)
        sender = names.index(robot) + 1 if robot in names else 0
        return wire.record(wire.HEARD, struct.pack("<Ii", number, sender) + data)

    # ---- calls

    def order(self, content: bytes) -> Callable[[], object]:
        """Return what a call does, to be done when the turn ends; raises ValueError."""
        command = calls.decode(content)
        match command:
            case calls.AtStart():
                return partial(self._sim.start_line.arrive, self._robot.name)
            case calls.MoveRobot(number):
                return partial(self._move, self._name(number, robots=True), command)
            case calls.MoveObject(number):
                return partial(self._move, self._name(number, robots=False), command)
            case calls.SendRadio(number, data):
                return partial(self._send, number, data)
        return partial(self._robot.order, command, self._unit)

    def _send(self, number: int, data: bytes) -> None:
        """Send a radio message; there is nothing to say if nobody has the number."""
        name = self._name(number, robots=True) if number else ""
        if name or not number:
            self._robot.order(orders.RadioSend(name, data), self._unit)

    def _move(self, name: str, command: calls.MoveRobot | calls.MoveObject) -> None:
        """Place a thing on the ground where it stands: RoBIOS programs give any height."""
        if name:
            z_m = _pose(find(self._sim.scene, name)).z_m
            pose = Pose(command.x_m, command.y_m, z_m, heading_rad=command.rad)
            self._sim.change(Move(name, pose), self._robot.source)

    # ---- queries

    def result(self, content: bytes) -> bytes:
        """Return the record that answers a query; empty if there is no such thing. Raises ValueError."""
        query = decode(content)
        try:
            return wire.record(wire.RESULT, self._results[type(query)](query))
        except UnderstudyError:
            return wire.record(wire.RESULT)

    def _lidar(self, query: Query.Lidar) -> bytes:
        """Return distances from left to right; the middle one is straight ahead (mm)."""
        points, degrees = max(1, min(query.points, MOST_POINTS)), max(1, min(query.range_deg, 360))
        step = np.deg2rad(degrees) / (points if degrees == 360 else max(points - 1, 1))
        first = np.deg2rad(degrees) / 2 - (points - 1) * step  # of the rightmost
        device, mount = self._device("lidar")
        sheet = replace(device, rays=points, sweep=Sweep(float(first), float(step)), period_us=0)
        tilted = replace(mount, pitch_rad=mount.pitch_rad + float(np.deg2rad(max(-90, min(90, query.tilt_deg)))))
        metres = self._measured(sheet, tilted, "lidar")[::-1]
        whole = np.where(metres < device.max_m, np.rint(1000.0 * metres), FAR_MM)
        return bytes(np.clip(np.nan_to_num(whole, nan=FAR_MM), 0, FAR_MM).astype("<i4").tobytes())

    def _camera(self, query: Query.Camera) -> bytes:
        """Return a picture: red, green and blue of each pixel, by rows from the top left."""
        if not 0 < query.width * query.height <= MOST_PIXELS:
            raise ProgramError("no such resolution")
        device, mount = self._device("camera")
        sheet = replace(device, images=("rgb",), width=query.width, height=query.height)
        return bytes(self._measured(sheet, self.unit.camera_mount(mount), "camera").astype(np.uint8).tobytes())

    def _measured(self, sheet: Any, mount: Mount, name: str) -> Any:
        """Return what a device with this sheet would measure now."""
        run = self._sim.current
        row = self._sim.row(self._robot.name)
        return run.senses.once(run.t_us, sheet, mount, row, (run.seed, f"{self._robot.name}/{name}"), run.tick)

    def _device(self, name: str) -> tuple[Any, Mount]:
        device = self.unit.device(name)
        if device is None:
            raise ProgramError(f"{self._robot.name} has no {name}")
        spec = next(spec for spec in self._sim.data(self._robot.name).built.devices if device.name.endswith(spec.name))
        return spec.sheet, spec.mount

    def _place(self, number: int, robots: bool) -> bytes:
        name = self._name(number, robots)
        if not name:
            return b""
        pose = _pose(find(self._sim.scene, name))
        return _PLACE.pack(pose.x_m, pose.y_m, pose.z_m, pose.heading_rad)

    def _counts(self) -> tuple[int, int]:
        scene = self._sim.scene
        robots = {robot.name for robot in scene.robots}
        present = {thing.name for thing in scene.things()}
        names = numbering.names(scene)
        return len(robots), sum(name in present and name not in robots for name in names)

    def _listeners(self) -> bytes:
        """Return the numbers of the robots whose radio is on."""
        names, units = numbering.names(self._sim.scene), self._sim.current.units
        on = {path.partition("/")[0] for path, unit in units.items() if isinstance(unit, Eyebot) and unit.radio.on}
        return b"".join(struct.pack("<I", number) for number, name in enumerate(names, 1) if name in on)

    # ---- numbers

    def _number(self) -> int:
        return numbering.names(self._sim.scene).index(self._robot.name) + 1

    def _name(self, number: int, robots: bool) -> str:
        """Return the name of a robot or object by its number; empty if there is none. Robot 0 is the caller."""
        if robots and number == 0:
            return self._robot.name
        names = numbering.names(self._sim.scene)
        name = names[number - 1] if 1 <= number <= len(names) else ""
        with suppress(UnderstudyError):
            return name if isinstance(find(self._sim.scene, name), PlacedRobot) == robots else ""
        return ""

    def leave(self) -> None:
        """Note that the program has ended: nobody waits for it."""
        self._sim.start_line.arrive(self._robot.name)


def unit_name(robot: PlacedRobot) -> str:
    """Return the name of a robot's EyeBot; raises ProgramError if it has none."""
    for spec in robot.built.units:
        if spec.sheet.kind == "eyebot":
            return spec.name
    raise ProgramError(f"{robot.name} has no unit of kind eyebot, which RoBIOS programs need (model s4 has one)")


def _pose(thing: Thing) -> Pose:
    """Return where a robot, a ball or an object is."""
    assert isinstance(thing, PlacedRobot | Ball | Solid)
    return thing.pose


def _channels(kind: str, count: int, ids: tuple[int, ...], names: tuple[str, ...]) -> list[str]:
    """Return a line for each sensor of a kind: its number and its name."""
    numbers = (*ids, *range(len(ids) + 1, count + 1))
    labels = (*names, *["-"] * count)
    return [f"{kind} {number} {label or '-'}" for number, label in zip(numbers[:count], labels)]
