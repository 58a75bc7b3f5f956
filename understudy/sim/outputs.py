"""The outputs of all units of a run: motors on wheels and joints as rows of arrays, and devices that are switched.

A motor's speed follows its power with a time constant. Wheel speeds become the robot's row of targets, joint speeds the
engine's joint commands, so both engines are given the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.engines.base import Array, Engine
from understudy.errors import EngineError
from understudy.frozen import frozen
from understudy.robots.base import OpenOutput, Output
from understudy.sensors.batch import Reading
from understudy.sim.wiring import DriveRow, JointRow
from understudy.world.motion import Motion
from understudy.world.motors import DEVICE, JOINT, WHEEL, Motor, driven
from understudy.world.outputs import findings
from understudy.world.robot import PlacedRobot, UnitSpec
from understudy.world.rules import show

Tree = dict[str, Any]
COAST, DRIVE, BRAKE = range(3)
_THERE = 1e-3  # share of the full speed; nearer to where it goes a motor is there
_LEFT, _RIGHT = {"left", "both"}, {"right", "both"}


@frozen
class OutputRow:
    """One output, and what it drives."""

    path: str  # such as scout/rcx/A
    row: int  # of the robot
    track_m: float
    sort: str
    name: str
    full: float  # speed without load at full power (m/s or rad/s)
    motor: Motor
    sign: float  # -1: the motor is reversed


def bound_outputs(robots: Sequence[PlacedRobot]) -> list[OutputRow]:
    """Return the connected outputs of all units, in order; raises EngineError for what cannot be driven."""
    for robot in robots:
        for unit, key, text, _ in findings(robot.built):
            raise EngineError(f"{robot.name}/{unit}: {show(key)}: {text}")
    return [
        _bound(robot, row, spec, output, text)
        for row, robot in enumerate(robots)
        for spec in robot.built.units
        for output, text in spec.drives
    ]


def _bound(robot: PlacedRobot, row: int, spec: UnitSpec, output: str, text: str) -> OutputRow:
    (sort, name), drive, motor = driven(text), robot.built.drive, spec.motor
    full = 1.0
    if sort == WHEEL:
        full = motor.max_m_s or drive.max_m_s
    elif sort == JOINT:
        full = next(joint.motion.fastest for joint in robot.built.joints if joint.name == name)
    sign = -1.0 if output in motor.reversed else 1.0
    return OutputRow(f"{robot.name}/{spec.name}/{output}", row, drive.track_m, sort, name, full, motor, sign)


class Outputs:
    """All connected outputs of a run, one row each."""

    def __init__(
        self,
        engine: Engine,
        targets: Array,
        tick_us: int,
        robots: Sequence[PlacedRobot],
        devices: Mapping[str, Reading],
        before: Outputs | None = None,
    ) -> None:
        self._engine, self._targets, self._devices, self._robots = engine, targets, devices, robots
        self._bound = bound_outputs(robots)
        self._rows = {each.path: n for n, each in enumerate(self._bound)}
        self.power: Array = np.zeros(len(self._bound))
        self.mode = np.full(len(self._bound), COAST, np.int64)
        self.speeds: Array = np.zeros(len(self._bound))  # of the motors
        self._full: Array = np.array([each.full for each in self._bound], np.float64)
        self._gains: Array = np.array([_gains(each.motor, tick_us) for each in self._bound]).reshape(-1, 3)
        self._every = np.arange(len(self._bound))
        self._joints = [(n, self._joint(each)) for n, each in enumerate(self._bound) if each.sort == JOINT]
        self._wheels()
        self._adopt(before)

    def __len__(self) -> int:
        return len(self._bound)

    def _wheels(self) -> None:
        """Note which robots are driven by outputs, and by which on each side."""
        wheels = [(n, each) for n, each in enumerate(self._bound) if each.sort == WHEEL]
        self._by_unit: dict[str, list[int]] = {}
        for n, each in wheels:
            self._by_unit.setdefault(each.path.rpartition("/")[0], []).append(n)
        self._driven = np.array(sorted({each.row for _, each in wheels}), np.int64)
        place = {row: n for n, row in enumerate(self._driven.tolist())}
        self._track: Array = np.array([self._robots[row].built.drive.track_m for row in place], np.float64)
        self._sides = tuple(
            (_ints(place[each.row] for _, each in found), _ints(n for n, _ in found))
            for found in ([(n, each) for n, each in wheels if each.name in side] for side in (_LEFT, _RIGHT))
        )

    def of_unit(self, robot: str, spec: UnitSpec) -> dict[str, Output]:
        """Return the handles of a unit's outputs by name; an output without a connection has one, too."""
        paths = {name: f"{robot}/{spec.name}/{name}" for name in spec.sheet.outputs}
        return {name: self._handle(path) if path in self._rows else OpenOutput() for name, path in paths.items()}

    def _handle(self, path: str) -> Output:
        n = self._rows[path]
        each = self._bound[n]
        return DeviceOutput(self, n, each, self._device(each)) if each.sort == DEVICE else self._motor(n)

    def _motor(self, n: int) -> WheelOutput | JointOutput:
        each = self._bound[n]
        if each.sort == JOINT:
            return JointOutput(self, n, each, self._joint(each))
        return WheelOutput(self, n, each, DriveRow(self._engine, self._targets, each.row))

    def _device(self, each: OutputRow) -> Reading:
        return self._devices[f"{self._robots[each.row].name}/{each.name}"]

    def _joint(self, each: OutputRow) -> JointRow:
        return JointRow(self._engine, self._engine.chain.rows[each.row, each.name])

    def turns_wheels(self, unit: str) -> bool:
        """Return whether a unit has an output that drives a wheel."""
        return unit in self._by_unit

    def turn_wheels(self, unit: str, motion: Motion) -> None:
        """Set the wheel motors of a unit for a motion, by hand: the unit does not know of it."""
        for n in self._by_unit[unit]:
            each = self._bound[n]
            share = (motion.ahead_m_s + arm_m(each) * motion.turn_rad_s) / each.full
            self.power[n], self.mode[n] = min(max(share, -1.0), 1.0), DRIVE if share else BRAKE

    def step(self) -> None:
        """Advance the motors by one tick, and give their speeds to wheels and joints."""
        before = self.speeds
        goal = np.where(self.mode == DRIVE, self.power * self._full, 0.0)
        speeds = before + (goal - before) * self._gains[self._every, self.mode]
        self.speeds = np.where(np.abs(goal - speeds) < _THERE * self._full, goal, speeds)
        for n, joint in self._joints:
            if self.speeds[n] != before[n]:
                joint.turn(float(self.speeds[n]))
        if len(self._driven):
            self._drive()

    def _drive(self) -> None:
        """Turn the wheels: both sides together are the motion of the robot."""
        left, right = np.zeros(len(self._driven)), np.zeros(len(self._driven))
        for wheels, (places, rows) in zip((left, right), self._sides):
            wheels[places] = self.speeds[rows]
        self._targets[self._driven, 0] = (left + right) / 2
        self._targets[self._driven, 1] = 0.0
        self._targets[self._driven, 2] = (right - left) / self._track

    @property
    def driven(self) -> npt.NDArray[np.int64]:
        """Return the rows of the robots whose wheels are turned by outputs."""
        return self._driven

    def drawn_w(self) -> Array:
        """Return the power that the motors of each robot draw now; devices draw theirs by themselves (W)."""
        drawn = np.zeros(len(self._robots))
        for n, each in enumerate(self._bound):
            if each.sort != DEVICE and self.mode[n] == DRIVE:
                drawn[each.row] += self._motor(n).drawn_w()
        return drawn

    def _adopt(self, before: Outputs | None) -> None:
        """Continue with the outputs of the same path, if the structure has changed; devices of new ones are off."""
        for path, n in self._rows.items():
            if before is not None and path in before._rows:
                old = before._rows[path]
                self.power[n], self.mode[n], self.speeds[n] = before.power[old], before.mode[old], before.speeds[old]
            elif self._bound[n].sort == DEVICE:
                self._device(self._bound[n]).power(0.0)

    def state(self) -> Tree:
        """Return powers, modes and speeds; an empty tree if there are no outputs."""
        return {"power": self.power.copy(), "mode": self.mode.copy(), "speed": self.speeds.copy()} if self._rows else {}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically; raises EngineError if that cannot be one."""
        if not self._rows:
            return
        powers, modes, speeds = state["power"], state["mode"], state["speed"]
        possible = np.isfinite(speeds) & (np.abs(powers) <= 1.0) & np.isin(modes, (COAST, DRIVE, BRAKE))
        if not possible.all():
            raise EngineError("the saved run is inconsistent: the state of its outputs is not valid")
        self.power, self.mode, self.speeds = powers.copy(), modes.copy(), speeds.copy()


def _gains(motor: Motor, tick_us: int) -> tuple[float, ...]:
    """Return the share by which a motor comes nearer to its goal in one tick, by mode."""
    times_us = {COAST: motor.coast_us, DRIVE: motor.spin_up_us, BRAKE: motor.brake_us}
    return tuple(-elementary.expm1(-tick_us / times_us[mode]) if times_us[mode] else 1.0 for mode in sorted(times_us))


def arm_m(wheel: OutputRow) -> float:
    """Return the distance of a wheel to the right of the robot's middle (m)."""
    return {"left": -0.5, "right": 0.5}.get(wheel.name, 0.0) * wheel.track_m


def _ints(numbers: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.array(list(numbers), np.int64)


class _Handle:
    """What the handles of all outputs share: power, and the current of a motor."""

    def __init__(self, outputs: Outputs, row: int, bound: OutputRow) -> None:
        self._outputs, self._row, self._bound = outputs, row, bound

    def set(self, power: float) -> None:
        """Give it a share of full power, clamped to -1 .. 1; 0 brakes. Raises EngineError for NaN and infinity."""
        if not math.isfinite(power):
            raise EngineError(f"{self._bound.path}: the firmware sets an invalid power (NaN or infinity): {power}")
        share = self._bound.sign * min(max(float(power), -1.0), 1.0)
        self._put(share, DRIVE if share else BRAKE)

    def brake(self) -> None:
        """Stop fast."""
        self._put(0.0, BRAKE)

    def coast(self) -> None:
        """Roll out."""
        self._put(0.0, COAST)

    def _put(self, power: float, mode: int) -> None:
        self._outputs.power[self._row], self._outputs.mode[self._row] = power + 0.0, mode

    def speed(self) -> float:
        """Return the true speed in the direction of positive power (m/s or rad/s)."""
        return self._bound.sign * self._true_speed() + 0.0

    def _true_speed(self) -> float:
        raise NotImplementedError

    def current_a(self) -> float:
        """Return the current: that of a held motor at speed 0, less the faster it turns; 0 while it coasts (A)."""
        if self._outputs.mode[self._row] == COAST:
            return 0.0
        power, motor = float(self._outputs.power[self._row]), self._bound.motor
        missing = min(max(power - self._true_speed() / self._bound.full, -2.0), 2.0)  # 2: at full speed the other way
        return self._bound.sign * ((motor.stall_a - motor.idle_a) * missing + motor.idle_a * power) + 0.0

    def drawn_w(self) -> float:
        """Return the power from the supply: a share of the time it gives the motor's current; none comes back (W)."""
        share = self._bound.sign * float(self._outputs.power[self._row])
        return self._bound.motor.supply_v * max(share * self.current_a(), 0.0)


class WheelOutput(_Handle):
    """The motor of a wheel, or of the wheels of both sides."""

    def __init__(self, outputs: Outputs, row: int, bound: OutputRow, wheels: DriveRow) -> None:
        super().__init__(outputs, row, bound)
        self._wheels = wheels

    def _true_speed(self) -> float:
        twist = self._wheels.twist()
        return twist.ahead_m_s + arm_m(self._bound) * twist.turn_rad_s


class JointOutput(_Handle):
    """The motor of a joint."""

    def __init__(self, outputs: Outputs, row: int, bound: OutputRow, joint: JointRow) -> None:
        super().__init__(outputs, row, bound)
        self._joint = joint

    def _true_speed(self) -> float:
        return self._joint.speed()


class DeviceOutput(_Handle):
    """The supply of a device: on with any power, and a lamp is as bright as the power."""

    def __init__(self, outputs: Outputs, row: int, bound: OutputRow, device: Reading) -> None:
        super().__init__(outputs, row, bound)
        self._device = device

    def _put(self, power: float, mode: int) -> None:
        super()._put(power, mode)
        self._device.power(power)

    def _true_speed(self) -> float:
        return 0.0

    def current_a(self) -> float:
        """Return the current of the device (A)."""
        power = abs(float(self._outputs.power[self._row]))
        return float(self._device.sheet.power_w) * power / self._bound.motor.supply_v
