"""The drive part of a Pioneer's firmware: motion commands, limits of the session, and the three axes."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from understudy.robots.base import Drive, Tree
from understudy.robots.pioneer import orders
from understudy.robots.pioneer.motion import DONE_RAD, QUICK_M_S2, QUICK_RAD_S2, Axis, AxisLimits
from understudy.robots.pioneer.odometry import WheelOdometry
from understudy.robots.pioneer.sheet import PioneerSheet
from understudy.units import wrap_rad
from understudy.world.motion import Motion
from understudy.world.robot import RobotModel

MOTION = (
    orders.Vel, orders.Rvel, orders.LateralVel, orders.Vel2, orders.Travel, orders.Head, orders.TurnBy,
)  # fmt: skip
LIMITS = (orders.SetSpeed, orders.SetTurnRate, orders.SetAccel)
REST = Drive()


@dataclass(slots=True)
class Limits:
    """The limits that the client has set in this session; None: not set (m, rad)."""

    speed: float | None = None
    turn_rate: float | None = None
    ahead_accel: float | None = None
    ahead_decel: float | None = None
    turn_accel: float | None = None
    turn_decel: float | None = None
    lateral_accel: float | None = None
    lateral_decel: float | None = None


@dataclass(slots=True)
class DriveMemory:
    """The state of the drive."""

    ahead: Axis = field(default_factory=Axis)
    turn: Axis = field(default_factory=Axis)
    lateral: Axis = field(default_factory=Axis)
    limits: Limits = field(default_factory=Limits)
    quick: bool = False  # an emergency stop is in progress


class DriveTrain:
    """Three axes with their limits."""

    def __init__(self, sheet: PioneerSheet) -> None:
        self._sheet = sheet
        self._memory = DriveMemory()
        self.most = Motion()  # greatest speeds

    def rewire(self, model: RobotModel) -> None:
        """Read the limits of the drive."""
        drive, sheet = model.drive, self._sheet
        self.most = Motion(
            min(drive.max_m_s, sheet.max_m_s or math.inf),
            drive.max_lateral_m_s,
            min(drive.max_rad_s, sheet.max_rad_s or math.inf),
        )
        self._set_bounds()

    @property
    def limits(self) -> Limits:
        """Return the limits that the client has set."""
        return self._memory.limits

    @property
    def ramps(self) -> tuple[AxisLimits, AxisLimits, AxisLimits]:
        """Return the current limits of the axes: ahead, turning, sideways."""
        return self._bounds

    def move(self, command: Any) -> None:
        """Take a motion command; ignored during an emergency stop."""
        memory = self._memory
        if memory.quick:
            return
        match command:
            case orders.Vel(mm_s):
                memory.ahead.go(mm_s / 1000)
            case orders.Rvel(deg_s):
                memory.turn.go(math.radians(deg_s))
            case orders.LateralVel(mm_s):
                memory.lateral.go(mm_s / 1000)
            case orders.Vel2(left, right):
                step = self._sheet.vel2_divisor
                memory.ahead.go((left + right) / 2 * step / 1000)
                memory.turn.go((right - left) / 2 * step * self._sheet.diff_factor)
            case orders.Travel(mm):
                memory.ahead.cover(mm / 1000)
            case orders.Head(deg):
                memory.turn.face(wrap_rad(math.radians(deg)))
            case orders.TurnBy(deg):
                memory.turn.cover(math.radians(deg))

    def go(self, motion: Drive) -> None:
        """Hold these speeds."""
        self._memory.ahead.go(motion.m_s)
        self._memory.turn.go(motion.rad_s)
        self._memory.lateral.go(motion.lateral_m_s)

    def stop_quickly(self) -> None:
        """Stop all axes with the maximum deceleration."""
        self.go(REST)
        self._memory.quick = True
        self._set_bounds()

    def stop_at(self, front: bool, rear: bool) -> None:
        """Stop at once if the robot drives towards a pressed bumper at its front or rear."""
        ahead = self._memory.ahead
        way = ahead.goal or ahead.asked
        if (front and way > 0.0) or (rear and way < 0.0):
            ahead.go(0.0)
            ahead.asked = 0.0

    def limit(self, command: Any) -> None:
        """Take a setting of the session."""
        limits = self._memory.limits
        match command:
            case orders.SetSpeed(mm_s):
                limits.speed = abs(mm_s) / 1000 or None
            case orders.SetTurnRate(deg_s):
                limits.turn_rate = math.radians(abs(deg_s)) or None
            case orders.SetAccel(axis, rate):
                unit = math.radians(1.0) if axis == "turn" else 0.001
                setattr(limits, f"{axis}_{'accel' if rate >= 0 else 'decel'}", abs(rate) * unit)
        self._set_bounds()

    def forget_limits(self) -> None:
        """End a session."""
        self._memory.limits = Limits()
        self._set_bounds()

    def _set_bounds(self) -> None:
        """Compute the limits of the axes from settings and session limits."""
        sheet, limits = self._sheet, self._memory.limits
        most, sideways, most_turn = self.most
        if sheet.limits == "all":
            most, most_turn = min(most, limits.speed or most), min(most_turn, limits.turn_rate or most_turn)
        ahead = AxisLimits(most, limits.speed or sheet.cruise_m_s, sheet.accel_m_s2, sheet.decel_m_s2)
        turn = AxisLimits(
            most_turn, limits.turn_rate or sheet.cruise_rad_s, sheet.accel_rad_s2, sheet.decel_rad_s2, DONE_RAD
        )
        lateral = AxisLimits(sideways, sideways, sheet.lateral_accel_m_s2, sheet.lateral_decel_m_s2)
        self._bounds = (
            ahead.with_ramps(limits.ahead_accel, limits.ahead_decel),
            turn.with_ramps(limits.turn_accel, limits.turn_decel),
            lateral.with_ramps(limits.lateral_accel, limits.lateral_decel),
        )
        if self._memory.quick:
            ahead, turn, lateral = self._bounds
            self._bounds = (
                ahead.with_ramps(QUICK_M_S2, QUICK_M_S2),
                turn.with_ramps(QUICK_RAD_S2, QUICK_RAD_S2),
                lateral.with_ramps(QUICK_M_S2, QUICK_M_S2),
            )

    def advance(self, before: WheelOdometry, now: WheelOdometry, dt_s: float, held: bool) -> Motion:
        """Return the speeds for the next *dt_s*; if *held*, the axes come to rest."""
        memory, heading = self._memory, now.heading_rad
        ahead, turn, lateral = self._bounds
        m_s = memory.ahead.advance(ahead, now.way_m - before.way_m, heading, dt_s, held)
        rad_s = memory.turn.advance(turn, now.turned_rad - before.turned_rad, heading, dt_s, held)
        lateral_m_s = memory.lateral.advance(lateral, 0.0, heading, dt_s, held)
        if memory.quick and m_s == rad_s == lateral_m_s == now.m_s == now.rad_s == 0.0:
            memory.quick = False
            self._set_bounds()
        return Motion(m_s, lateral_m_s, rad_s)

    def state(self) -> Tree:
        """Return axes and limits."""
        return dataclasses.asdict(self._memory)

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically."""
        axes = {name: Axis(**state[name]) for name in ("ahead", "turn", "lateral")}
        self._memory = DriveMemory(**axes, limits=Limits(**state["limits"]), quick=state["quick"])
        self._set_bounds()
