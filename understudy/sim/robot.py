"""A robot as the user's own code holds it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from understudy.errors import UnknownName, nearest
from understudy.robots import UNITS
from understudy.robots.base import Drive
from understudy.robots.servos import Aim, Turn
from understudy.sensors.base import Array
from understudy.sensors.batch import Reading
from understudy.sim.inbox import Order
from understudy.sim.wiring import SERVOS, unit_specs
from understudy.sim.wiring import Servo as Handle
from understudy.world import extent
from understudy.world.changes import Move, Switch
from understudy.world.robot import Robot as RobotData
from understudy.world.shapes import Pose, pose_of

if TYPE_CHECKING:
    from understudy.sensors.traces import Traces
    from understudy.sim.sim import Sim


class Servo:
    """Moves and reads one joint of a robot: turning ones in rad, sliding ones in m."""

    def __init__(self, robot: Robot, joint: str) -> None:
        self._robot, self.name = robot, joint

    def to(self, position: float) -> None:
        """Go to a position from the next tick on, as fast as the servo can (rad or m)."""
        self._robot.order(Aim(self.name, self._number(position)), SERVOS)

    def turn(self, speed: float) -> None:
        """Move at a speed from the next tick on, until told otherwise or at the end (rad/s or m/s)."""
        self._robot.order(Turn(self.name, self._number(speed)), SERVOS)

    def _number(self, value: float) -> float:
        """Return what a servo can be told; raises ValueError for what is no number."""
        if not math.isfinite(value):
            raise ValueError(f"{self._robot.name}/{self.name}: want a finite number, got {value}")
        return float(value)

    @property
    def position(self) -> float:
        """Return where the joint truly is (rad or m)."""
        return self._robot.handle(self.name).position()

    @property
    def speed(self) -> float:
        """Return how fast the joint moves (rad/s or m/s)."""
        return self._robot.handle(self.name).speed()

    @property
    def effort(self) -> float:
        """Return how hard the servo pushes (N m or N); 0 on the planar engine."""
        return self._robot.handle(self.name).effort()


class Robot:
    """Drives, reads and moves one robot of a simulation."""

    def __init__(self, sim: Sim, data: RobotData, source: str = "api") -> None:
        self.name, self._sim, self._data, self._source = data.name, sim, data, source
        driving = [spec.name for spec in unit_specs(data) if UNITS[spec.sheet.kind].drives]
        self._unit = f"{self.name}/{driving[0]}"

    @property
    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        return pose_of(self._sim.current.engine.poses()[self._row])

    @property
    def stalled(self) -> bool:
        """Say whether something holds the robot back."""
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
        """Move like this from the next tick on, until told otherwise (m/s, rad/s, m/s to the left)."""
        self.order(Drive(float(m_s), float(rad_s), float(lateral_m_s)))

    def stop(self) -> None:
        """Stand still."""
        self.drive(0.0)

    def order(self, command: Any, unit: str = "") -> None:
        """Give a command to a unit; without a name, to the one that drives. Raises ValueError for NaN and infinity."""
        if wrong := extent.refusal(command):
            raise ValueError(f"{self.name}: {type(command).__name__}: {wrong}")
        path = f"{self.name}/{unit}" if unit else self._unit
        if path not in self._sim.current.units:
            units = [p.partition("/")[2] for p in self._sim.current.units if p.startswith(f"{self.name}/")]
            raise UnknownName(f"{self.name} has no unit {unit!r} {nearest(unit, units)}")
        self._sim.inbox.post(self._source, Order(path, command))

    def read(self, device: str) -> Array:
        """Return a copy of the newest reading of a sensor; its columns are on the data sheet."""
        return self._reading(device).read()

    def traces(self, device: str) -> Traces:
        """Return where the rays of a sensor's newest reading began and ended in the world, for drawing (m)."""
        from understudy.sensors.traces import traces  # for those who draw

        batch, row = self._reading(device).place
        return traces(batch, row, self._sim.current.engine)

    def pictures(self, device: str) -> dict[str, Array]:
        """Return the newest pictures of a camera by name (rgb, depth, labels, thermal), by rows and columns."""
        sheet = self.sheet(device)
        if not hasattr(sheet, "pictures"):
            raise UnknownName(f"{self.name}/{device} is a {sheet.kind} and takes no pictures")
        found: dict[str, Array] = sheet.pictures(self.read(device))
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

    def servo(self, joint: str) -> Servo:
        """Return a joint of the robot, to move and to read."""
        if joint not in self.joints:
            raise UnknownName(f"{self.name} has no joint {joint!r} {nearest(joint, self.joints)}")
        return Servo(self, joint)

    def handle(self, joint: str) -> Handle:
        """Return a joint as the engine of the present run has it."""
        engine = self._sim.current.engine
        return Handle(engine, engine.chain.rows[self._row, joint])

    def switch(self, device: str, on: bool) -> None:
        """Turn a device on or off; while it is off a sensor reads nothing and a lamp is dark."""
        self._reading(device)
        self._sim.change(Switch(f"{self.name}/{device}", on), self._source)

    def panel(self, unit: str) -> Any:
        """Return what a unit's face shows."""
        return self._sim.current.units[f"{self.name}/{unit}"].panel()

    def move_to(self, x_m: float, y_m: float, heading_rad: float = 0.0) -> None:
        """Put the robot elsewhere; its odometry does not notice."""
        self._sim.change(Move(self.name, Pose(float(x_m), float(y_m), heading_rad=float(heading_rad))), self._source)

    def __repr__(self) -> str:
        pose = self.pose
        return f"<Robot {self.name} at {pose.x_m:.3f}, {pose.y_m:.3f}, {pose.heading_rad:.3f} rad>"
