"""The v-omega interface: speeds with ramps, and drives over a distance or an angle that end where they should.

A drive is controlled by what remains of it by the odometry: the speed rises with the ramp, and falls so that the robot
stops where the drive ends. A robot that makes no headway gives up after a while and reports a stall, so that a program
that waits for the end of a drive cannot wait for ever.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from understudy import elementary
from understudy.jit import shared
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.odometry import WheelOdometry
from understudy.robots.eyebot.sheet import EyebotSheet
from understudy.world.motion import REST, Motion

DRIVES = ("idle", "speed", "straight", "turn", "curve")
IDLE, SPEED, STRAIGHT, TURN, CURVE = range(len(DRIVES))  # from STRAIGHT on it ends by itself
_NEAR_M, _NEAR_RAD = 1e-5, 1e-5  # a drive that is this near has ended
_HEADWAY = 0.05  # less than this share of the asked speed is no headway


@dataclass(slots=True)
class Pilot:
    """The running v-omega command and the speeds that it asks for now."""

    drive: int = IDLE
    goal_m: float = 0.0  # of a drive, signed
    goal_rad: float = 0.0
    from_m: float = 0.0  # odometry at its start
    from_rad: float = 0.0
    cruise: float = 0.0  # its speed, m/s or rad/s
    m_s: float = 0.0  # speeds asked for now
    left_m_s: float = 0.0
    rad_s: float = 0.0
    aim_m_s: float = 0.0  # of SetSpeed
    aim_left_m_s: float = 0.0
    aim_rad_s: float = 0.0
    blocked_us: int = 0
    stalled: bool = False

    @property
    def driving(self) -> bool:
        """Return whether a drive over a distance or an angle is running."""
        return self.drive >= STRAIGHT

    # ---- commands

    def order(self, command: object, sheet: EyebotSheet, wheels: WheelOdometry) -> None:
        """Take a v-omega command; it replaces the running one."""
        self.stalled, self.blocked_us = False, 0
        self.from_m, self.from_rad = wheels.path_m, wheels.turned_rad
        match command:
            case orders.SetSpeed(m_s, rad_s, left_m_s):
                self.drive = SPEED
                self.aim_m_s, self.aim_left_m_s = _limited(m_s, sheet.max_m_s), _limited(left_m_s, sheet.max_m_s)
                self.aim_rad_s = _limited(rad_s, sheet.max_rad_s)
            case orders.Straight(distance_m, m_s):
                self._begin(STRAIGHT, distance_m, 0.0, min(abs(m_s), sheet.max_m_s))
            case orders.Turn(angle_rad, rad_s):
                self._begin(TURN, 0.0, angle_rad, min(abs(rad_s), sheet.max_rad_s))
            case orders.Curve(distance_m, angle_rad, m_s):
                self._curve(distance_m, angle_rad, m_s, sheet)
            case orders.DriveTo(ahead_m, left_m, m_s):
                self._curve(*_arc(ahead_m, left_m), m_s, sheet)

    def _begin(self, drive: int, goal_m: float, goal_rad: float, cruise: float) -> None:
        """Begin a drive; one without a way or without speed has ended."""
        self.drive = drive if cruise > 0.0 and (goal_m or goal_rad) else SPEED
        self.goal_m, self.goal_rad, self.cruise = goal_m, goal_rad, cruise
        self.aim_m_s = self.aim_left_m_s = self.aim_rad_s = 0.0

    def _curve(self, distance_m: float, angle_rad: float, m_s: float, sheet: EyebotSheet) -> None:
        cruise = min(abs(m_s), sheet.max_m_s)
        if distance_m and abs(angle_rad) > 0.0:
            cruise = min(cruise, sheet.max_rad_s * abs(distance_m / angle_rad))
        self._begin(CURVE if distance_m else IDLE, distance_m, angle_rad if distance_m else 0.0, cruise)

    def stop(self) -> None:
        """Forget the command: motors are driven by other means."""
        self.drive, self.m_s, self.left_m_s, self.rad_s = IDLE, 0.0, 0.0, 0.0

    # ---- time

    def remaining_m(self, wheels: WheelOdometry) -> float:
        """Return what remains of a drive as a positive number: metres, radians of a turn."""
        if not self.driving:
            return 0.0
        left_m, left_rad = _remaining(self, wheels)
        return abs(float(left_rad if self.drive == TURN else left_m))

    def tick(self, dt_us: int, sheet: EyebotSheet, wheels: WheelOdometry) -> Motion:
        """Return the motion to ask for until the next tick."""
        steer(self, wheels, sheet, dt_us)
        return Motion(self.m_s, self.left_m_s, self.rad_s) if self.drive != IDLE else REST

    def state(self) -> dict[str, Any]:
        """Return everything, as a tree of plain values."""
        return {**asdict(self), "drive": DRIVES[self.drive]}

    @classmethod
    def of(cls, state: dict[str, Any]) -> Pilot:
        """Return the pilot of a saved state."""
        return cls(**{**state, "drive": DRIVES.index(state["drive"])})


# ---- the same for a Pilot, an odometry and a sheet, and for rows with the same fields


@shared
def steer(pilot, wheels, limits, dt_us):
    """Set the speeds to ask for until the next tick."""
    seconds = dt_us / 1e6
    if pilot.drive >= STRAIGHT:
        _watch(pilot, wheels, limits, dt_us)
    if pilot.drive == SPEED:
        _ramp(pilot, limits, seconds)
    elif pilot.drive >= STRAIGHT:
        _follow(pilot, wheels, limits, seconds)


@shared
def _remaining(pilot, wheels):
    """Return what remains of a drive, signed (m, rad)."""
    return pilot.goal_m - (wheels.path_m - pilot.from_m), pilot.goal_rad - (wheels.turned_rad - pilot.from_rad)


@shared
def _ramp(pilot, limits, seconds):
    pilot.m_s = _towards(pilot.m_s, pilot.aim_m_s, limits.ramp_m_s2 * seconds)
    pilot.left_m_s = _towards(pilot.left_m_s, pilot.aim_left_m_s, limits.ramp_m_s2 * seconds)
    pilot.rad_s = _towards(pilot.rad_s, pilot.aim_rad_s, limits.ramp_rad_s2 * seconds)


@shared
def _follow(pilot, wheels, limits, seconds):
    left_m, left_rad = _remaining(pilot, wheels)
    pilot.left_m_s = 0.0
    if pilot.drive == TURN:
        pilot.rad_s = _approach(pilot.rad_s, left_rad, pilot.cruise, limits.ramp_rad_s2, seconds)
        pilot.m_s = _towards(pilot.m_s, 0.0, limits.ramp_m_s2 * seconds)
        ended = abs(left_rad) < _NEAR_RAD
    else:
        pilot.m_s = _approach(pilot.m_s, left_m, pilot.cruise, limits.ramp_m_s2, seconds)
        turn = pilot.m_s * left_rad / left_m if abs(left_m) > _NEAR_M else left_rad / seconds
        pilot.rad_s = _limited(turn, limits.max_rad_s)
        ended = abs(left_m) < _NEAR_M
    if ended:
        _end(pilot)


@shared
def _end(pilot):
    pilot.drive, pilot.aim_m_s, pilot.aim_left_m_s, pilot.aim_rad_s = SPEED, 0.0, 0.0, 0.0
    pilot.m_s, pilot.left_m_s, pilot.rad_s = 0.0, 0.0, 0.0


@shared
def _watch(pilot, wheels, limits, dt_us):
    """End a drive that makes no headway."""
    asked, done = pilot.m_s, wheels.m_s
    if pilot.drive == TURN:
        asked, done = pilot.rad_s, wheels.rad_s
    pilot.blocked_us = pilot.blocked_us + dt_us if abs(done) < _HEADWAY * abs(asked) else 0
    if pilot.blocked_us > limits.stall_us:
        _end(pilot)
        pilot.stalled = True


@shared
def _limited(value, most):
    return max(-most, min(most, value))


@shared
def _towards(value, aim, step):
    return aim if abs(aim - value) <= step else value + math.copysign(step, aim - value)


@shared
def _approach(speed, left, cruise, ramp, seconds):
    """Return the speed of the next tick: up the ramp to cruise, and down so that nothing remains at the end."""
    half = ramp * seconds / 2
    stopping = math.sqrt(2.0 * ramp * abs(left) + half * half) - half
    fastest = min(cruise, stopping, abs(left) / seconds)
    return math.copysign(1.0, left) * min(fastest, max(0.0, math.copysign(1.0, left) * speed) + ramp * seconds)


def _arc(ahead_m: float, left_m: float) -> tuple[float, float]:
    """Return length and angle of the arc to a point of the robot's frame; a point behind it is driven to backwards."""
    chord = math.sqrt(ahead_m * ahead_m + left_m * left_m)
    if ahead_m <= 0.0 and not left_m:
        return ahead_m, 0.0
    angle = 2.0 * elementary.atan2(left_m, ahead_m)
    return (chord * (angle / 2) / elementary.sin(angle / 2) if abs(angle) > 1e-9 else chord), angle
