"""The handle of a robot in the Python API."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from understudy.errors import ChangeRefused, UnknownName, nearest
from understudy.robots.base import Drive
from understudy.robots.servos import Aim, JointSpeed
from understudy.sensors.base import Array
from understudy.sensors.batch import Reading
from understudy.sim.inbox import Order
from understudy.sim.wiring import SERVOS, driver
from understudy.sim.wiring import JointRow as Handle
from understudy.world import extent
from understudy.world.changes import Move, Switch
from understudy.world.motion import Motion, in_own_frame
from understudy.world.outlines import of_robot
from understudy.world.robot import PlacedRobot
from understudy.world.shapes import Pose, pose_of

if TYPE_CHECKING:
    from understudy.sensors.traces import Traces
    from understudy.sim.sim import Sim


class ServoHandle:
    """Moves and reads one joint of a robot: revolute joints in rad, prismatic joints in m."""

    def __init__(self, robot: Robot, joint: str) -> None:
        self._robot, self.name = robot, joint

    def to(self, position: float) -> None:
        """Move to a position from the next tick on, as fast as the servo can (rad or m)."""
        self._robot.order(Aim(self.name, self._number(position)), SERVOS)

    def turn(self, speed: float) -> None:
        """Move at a speed from the next tick on, until the next command or the joint limit (rad/s or m/s)."""
        self._robot.order(JointSpeed(self.name, self._number(speed)), SERVOS)

    def _number(self, value: float) -> float:
        """Return a setpoint as float; raises ValueError for NaN and infinity."""
        if not math.isfinite(value):
            raise ValueError(f"{self._robot.name}/{self.name}: want a finite number, got {value}")
        return float(value)

    @property
    def position(self) -> float:
        """Return the true position of the joint (rad or m)."""
        return self._robot.handle(self.name).position()

    @property
    def speed(self) -> float:
        """Return the speed of the joint (rad/s or m/s)."""
        return self._robot.handle(self.name).speed()

    @property
    def effort(self) -> float:
        """Return the torque or force of the servo (N m or N); 0 on the planar engine."""
        return self._robot.handle(self.name).effort()


class Robot:
    """Drives, reads and moves one robot of a simulation."""

    def __init__(self, sim: Sim, data: PlacedRobot, source: str = "api") -> None:
        self.name, self._sim, self._data, self.source = data.name, sim, data, source
        self._unit = f"{self.name}/{driver(data).name}"

    @property
    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        return pose_of(self._sim.current.engine.poses()[self._row])

    @property
    def velocity(self) -> Motion:
        """Return the true velocity in the robot's own frame: ahead, to the left (m/s), turning left (rad/s)."""
        engine, row = self._sim.current.engine, self._row
        vx, vy, _, _, _, turn = engine.twists()[row].tolist()
        return in_own_frame(float(engine.poses()[row, 5]), vx, vy, turn)

    @property
    def stalled(self) -> bool:
        """Return whether something blocks the robot."""
        return bool(self._sim.current.engine.stalled()[self._row])

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the names of the robot's sensors."""
        return tuple(device.name for device in self._data.built.devices)

    @property
    def time_s(self) -> float:
        """Return the simulated time (s)."""
        return self._sim.t_us / 1e6

    @property
    def _row(self) -> int:
        return self._sim.row(self.name)

    def drive(self, m_s: float, rad_s: float = 0.0, lateral_m_s: float = 0.0) -> None:
        """Move like this from the next tick on, until the next command (m/s, rad/s, m/s to the left)."""
        command = Drive(float(m_s), float(rad_s), float(lateral_m_s))
        if math.isfinite(command.m_s + command.rad_s + command.lateral_m_s):  # nothing else to check
            self._sim.inbox.post(self.source, Order(self.unit_path(), command))
        else:
            self.order(command)

    def stop(self) -> None:
        """Stop the robot."""
        self.drive(0.0)

    def order(self, command: Any, unit: str = "") -> None:
        """Give a command to a unit; by default to the one that drives. Raises ValueError for NaN and infinity."""
        self.post(command, unit)

    def post(self, command: Any, unit: str, question: bool = False) -> Order:
        """Give a command to a unit and return the order; the reply to a *question* is kept until it is taken."""
        if wrong := extent.refusal(command):
            raise ValueError(f"{self.name}: {type(command).__name__}: {wrong}")
        order = Order(self.unit_path(unit), command)
        if question:
            self._sim.questions.ask(order)
        self._sim.inbox.post(self.source, order)
        return order

    def unit_path(self, unit: str = "") -> str:
        """Return the path of a unit, by default of the one that drives; raises UnknownName."""
        path = f"{self.name}/{unit}" if unit else self._unit
        if path not in self._sim.current.units:
            units = [p.partition("/")[2] for p in self._sim.current.units if p.startswith(f"{self.name}/")]
            raise UnknownName(f"{self.name} has no unit {unit!r} {nearest(unit, units)}")
        return path

    def ask(self, command: Any, unit: str = "") -> Any:
        """Give a command to a unit and return its reply, between ticks; None if the unit has no reply to it.

        Inside a program this takes one tick.
        """
        order = self.post(command, unit, question=True)
        self._sim.exchange()
        return self._sim.questions.reply(order)

    def read(self, device: str) -> Array:
        """Return a copy of the newest reading of a sensor; the data sheet describes its columns."""
        return self._reading(device).read()

    def traces(self, device: str) -> Traces:
        """Return the start and end points of the rays of a sensor's newest reading, in world coordinates (m)."""
        from understudy.sensors.traces import traces  # needed only for drawing

        batch, row = self._reading(device).place
        return traces(batch, row, self._sim.current.engine)

    def pictures(self, device: str) -> dict[str, npt.NDArray[Any]]:
        """Return the newest images of a camera by name, by rows and columns.

        ``rgb`` is uint8 with three channels; ``depth`` (m), ``labels`` and ``thermal`` (Celsius) are float64.
        """
        sheet = self.sheet(device)
        found: dict[str, npt.NDArray[Any]] | None = sheet.pictures(self.read(device))
        if found is None:
            raise UnknownName(f"{self.name}/{device} is not a camera but a {sheet.kind}: it has no images")
        return found

    def stamp_us(self, device: str) -> int:
        """Return the simulated time of the newest reading of a sensor (us)."""
        return self._reading(device).stamp_us

    def sheet(self, device: str) -> Any:
        """Return the data sheet of a sensor."""
        return self._reading(device).sheet

    def _reading(self, device: str) -> Reading:
        path = f"{self.name}/{device}"
        if path not in self._sim.current.readings:
            raise UnknownName(f"{self.name} has no device {device!r} {nearest(device, self.devices)}")
        return self._sim.current.readings[path]

    @property
    def joints(self) -> tuple[str, ...]:
        """Return the names of the robot's joints."""
        return tuple(joint.name for joint in self._data.built.joints)

    def servo(self, joint: str) -> ServoHandle:
        """Return a handle to move and read a joint of the robot."""
        if joint not in self.joints:
            raise UnknownName(f"{self.name} has no joint {joint!r} {nearest(joint, self.joints)}")
        return ServoHandle(self, joint)

    def handle(self, joint: str) -> Handle:
        """Return the joint in the engine of the current run."""
        engine = self._sim.current.engine
        return Handle(engine, engine.chain.rows[self._row, joint])

    def switch(self, device: str, on: bool) -> None:
        """Turn a device on or off; while off, a sensor has no readings and a lamp is dark."""
        self._reading(device)
        self._sim.change(Switch(f"{self.name}/{device}", on), self.source)

    def panel(self, unit: str) -> Any:
        """Return the values for a unit's panel."""
        return self._sim.current.units[self.unit_path(unit)].panel()

    def move_to(self, x_m: float, y_m: float, heading_rad: float = 0.0) -> None:
        """Teleport the robot; its odometry does not change. Raises ChangeRefused if something is there."""
        change = Move(self.name, Pose(float(x_m), float(y_m), heading_rad=float(heading_rad)))
        if not extent.refusal(change) and (there := self._blocker(change.pose)):
            raise ChangeRefused(f"{self.name} cannot be at {x_m:g}, {y_m:g}: {there} is there; choose a free place")
        self._sim.change(change, self.source)

    def _blocker(self, pose: Pose) -> str:
        """Return the name of what is where the robot would be; empty if the place is free."""
        from understudy.world import clearance  # few programs need it

        if not self._data.built.surface.obstacle:
            return ""
        return clearance.blocker(self._sim.scene, of_robot(dataclasses.replace(self._data, place=pose)))

    def __repr__(self) -> str:
        try:
            return f"<{type(self).__name__} {self.name} {self._caption()}>"
        except UnknownName:
            return f"<{type(self).__name__} {self.name}: removed from the scene>"

    def _caption(self) -> str:
        """Return model, pose and motion in one line."""
        pose, moves = self.pose, self.velocity
        model = f"({self._data.model}) " if self._data.model else ""
        stalled = ", stalled" if self.stalled else ""
        return (
            f"{model}at {pose.x_m:.3f}, {pose.y_m:.3f} m, {pose.heading_rad:.3f} rad, "
            f"moving {moves.ahead_m_s:.2f} m/s, {moves.turn_rad_s:.2f} rad/s{stalled}"
        )

    def _repr_html_(self) -> str:
        """Return a map with this robot marked, for notebooks."""
        from understudy.sim import map_svg

        try:
            words = f"{self.name} {self._caption()}; devices: {', '.join(self.devices) or 'none'}"
        except UnknownName:
            return map_svg.figure("", f"{self.name}: removed from the scene")
        return map_svg.figure(map_svg.draw(self._sim.scene, marked=self.name), words)
