"""The firmware of a Pioneer (ARCOS) as MobileSim imitates it: ramps, limits, watchdog, odometry, stall.

Translation and rotation are separate axes: a new command replaces the motion of its own axis only, and each axis ramps
to its target by itself. Numbers and rules follow MobileSim 0.9.8 and its manual; one fault is not copied: MobileSim
reverses from +v to -v in one step because it compares magnitudes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from understudy.rng import uniform
from understudy.robots.base import Drive, Session, Tree, Wiring
from understudy.sensors.base import Array
from understudy.units import US_PER_S, wrap_rad
from understudy.world.plain import rule

REST = Drive()
Errors = tuple[float, float, float]
NO_ERRORS: Errors = (0.0, 0.0, 0.0)
_ERROR_STAGE, _ERROR_PERIOD_US = np.uint64(1), 100_000


@dataclass(frozen=True, slots=True)
class Vel:
    """Translate at this speed; rotation goes on as it was."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class Rvel:
    """Rotate at this rate, counter-clockwise; translation goes on as it was."""

    deg_s: float


@dataclass(frozen=True, slots=True)
class Enable:
    """Switch the motors; off also cancels the motion."""

    on: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop both axes with the normal deceleration."""


@dataclass(frozen=True, slots=True)
class SetOdometry:
    """Let the odometry say that the robot stands here."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Sonar:
    """Switch all sonar arrays."""

    on: bool


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: satisfies the watchdog and does nothing else."""


@dataclass(frozen=True, slots=True)
class PioneerSheet:
    """Settings of the firmware: ramps, limits, and what it says about itself."""

    kind: ClassVar[str] = "pioneer"
    inputs: ClassVar[Mapping[str, str]] = {"sonar": "sonar", "wheels": "encoders", "laser1": "laser"}
    drives: ClassVar[bool] = True

    watchdog_us: int = rule(2_000_000, least=0, most=65_535_000, doc="silence after which it acts; 0: never")
    watchdog: Literal["stop", "warn"] = rule("stop", doc="stop: as the robot does; warn: as MobileSim does")
    accel_m_s2: float = rule(0.3, least=0.0, doc="0: at once")
    decel_m_s2: float = rule(0.3, least=0.0, doc="0: at once")
    accel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: at once")
    decel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: at once")
    max_m_s: float = rule(0.0, least=0.0, doc="0: what the drive can do")
    max_rad_s: float = rule(0.0, least=0.0, doc="0: what the drive can do")
    announced: str = rule("MobileSim", doc="name in the handshake; ARIA takes this one for a simulator")
    robot_class: str = "Pioneer"
    subtype: str = rule("p3dx-sh", doc="chooses the client's parameter file")
    sip_period_us: int = rule(100_000, least=1_000, most=255_000)
    battery_decivolts: int = rule(130, least=0, most=65_535)
    sonar_max_m: float = rule(5.0, above=0.0, doc="reported when nothing is in range")
    absent_sonars: tuple[int, ...] = rule((), least=0, most=254, doc="numbers without a disc: they report the maximum")
    odometry_error: tuple[float, float, float] = rule(
        NO_ERRORS,
        least=0.0,
        most=1.0,
        doc="greatest shares by which way ahead, way aside and turn are miscounted",
    )
    odometry_errors: Literal["once", "always", "constant"] = rule(
        "once", doc="drawn once for each robot, anew every 100 ms, or as large as they can be"
    )
    dist_factor: float = rule(1.0, above=0.0, doc="mm per count of the odometry (DistConvFactor)")
    vel_factor: float = rule(1.0, above=0.0, doc="mm/s per count of wheel speed (VelConvFactor)")
    range_factor: float = rule(1.0, above=0.0, doc="mm per count of a sonar range (RangeConvFactor)")
    angle_factor: float = rule(0.001534, above=0.0, doc="rad per count of the heading (AngleConvFactor)")
    diff_factor: float = rule(0.0056, above=0.0, doc="rad/s per mm/s of half the wheel difference (DiffConvFactor)")

    def perfect(self) -> PioneerSheet:
        """Return the settings of a firmware that counts its wheels exactly."""
        return dataclasses.replace(self, odometry_error=NO_ERRORS)


@dataclass(frozen=True, slots=True)
class Odometry:
    """Where the wheels say that the robot is, and the wheel reading that this rests on."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0
    m_s: float = 0.0
    lateral_m_s: float = 0.0
    rad_s: float = 0.0
    stalled: bool = False
    left_m: float = 0.0
    right_m: float = 0.0
    lateral_m: float = 0.0
    stamp_us: int = -1

    def advanced(self, wheels: Array, stamp_us: int, track_m: float, errors: Errors = NO_ERRORS) -> Odometry:
        """Return the odometry after a wheel reading: left, right and sideways travel (m), stalled.

        *errors* are the shares by which way, sideways and turn are miscounted; speeds are not.
        """
        left, right, lateral, stalled = (float(value) for value in wheels)
        if not math.isfinite(left + right + lateral):  # dead encoders count nothing
            return dataclasses.replace(self, m_s=0.0, lateral_m_s=0.0, rad_s=0.0, stalled=False, stamp_us=stamp_us)
        ahead = (left - self.left_m + right - self.right_m) / 2
        turn = (right - self.right_m - left + self.left_m) / track_m
        side = lateral - self.lateral_m
        x, y, turned = (way + way * error for way, error in zip((ahead, side, turn), errors))
        middle = self.heading_rad + turned / 2  # the chord of the arc points along its middle heading
        rate = US_PER_S / (stamp_us - self.stamp_us) if 0 <= self.stamp_us < stamp_us else 0.0
        return Odometry(
            self.x_m + x * math.cos(middle) - y * math.sin(middle),
            self.y_m + x * math.sin(middle) + y * math.cos(middle),
            wrap_rad(self.heading_rad + turned),
            ahead * rate, side * rate, turn * rate, stalled > 0.5, left, right, lateral, stamp_us,
        )  # fmt: skip


@dataclass(slots=True)
class Memory:
    """All of the firmware that changes."""

    odometry: Odometry = Odometry()
    want: Drive = REST  # where the ramps lead
    asked: Drive = REST  # where the ramps are
    motors_on: bool = True
    sonar_on: bool = True
    session: bool = False
    silent_us: int = 0
    lapsed: bool = False  # the watchdog has struck since the last order


@dataclass(frozen=True, slots=True)
class PioneerPanel:
    """The lamps and numbers of the robot's deck (m, rad)."""

    motors_on: bool
    sonar_on: bool
    session: bool
    lapsed: bool
    stalled: bool
    x_m: float
    y_m: float
    heading_rad: float
    m_s: float
    rad_s: float


def miscounts(sheet: PioneerSheet, key: tuple[int, int], stamp_us: int) -> Errors:
    """Return the shares by which a wheel reading is miscounted: ahead, to the side, turning."""
    if sheet.odometry_error == NO_ERRORS or sheet.odometry_errors == "constant":
        return sheet.odometry_error
    sample = stamp_us // _ERROR_PERIOD_US if sheet.odometry_errors == "always" else 0
    drawn = (2.0 * float(uniform(*key, sample, _ERROR_STAGE, n)) - 1.0 for n in range(3))
    ahead, side, turn = (most * share for most, share in zip(sheet.odometry_error, drawn))
    return ahead, side, turn


def ramp(speed: float, target: float, accel: float, decel: float, dt_s: float) -> float:
    """Return *speed* after *dt_s* on its way to *target*; a rate of 0 is instantaneous.

    >>> ramp(0.0, 0.2, 0.3, 0.6, 0.1), ramp(0.1, -0.2, 0.3, 1.0, 0.2)
    (0.03, -0.03)
    """
    if speed * target < 0.0:  # slow down to zero first, then speed up in the time that is left
        braking_s = abs(speed) / decel if decel else 0.0
        if dt_s < braking_s:
            return speed - math.copysign(decel * dt_s, speed)
        speed, dt_s = 0.0, dt_s - braking_s
    rate = accel if abs(target) > abs(speed) else decel
    if not rate or abs(target - speed) <= rate * dt_s:
        return target
    return speed + math.copysign(rate * dt_s, target - speed)


def clip(value: float, limit: float) -> float:
    """Return *value* within +-*limit*."""
    return max(-limit, min(limit, value))


class Pioneer:
    """Drives as a Pioneer's controller does.

    Motors are on at first, go off when a session ends, and come on again by ENABLE or by a program's Drive.
    """

    Sheet: ClassVar[type] = PioneerSheet
    inputs: ClassVar[Mapping[str, str]] = PioneerSheet.inputs
    drives: ClassVar[bool] = PioneerSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session, Vel, Rvel, Enable, Stop, SetOdometry, Sonar, Pulse)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: PioneerSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self.rewire(wiring)
        self._memory = Memory()
        self._set_odometry(SetOdometry())

    @property
    def motors_on(self) -> bool:
        """Say whether the motors are on."""
        return self._memory.motors_on

    @property
    def sonar_on(self) -> bool:
        """Say whether there is a sonar and it is on."""
        return self.has_sonar and self._memory.sonar_on

    @property
    def has_sonar(self) -> bool:
        """Say whether a sonar is plugged in."""
        return "sonar" in self._wiring.devices

    @property
    def odometry(self) -> Odometry:
        """Return the odometry up to the newest wheel reading."""
        odometry, device = self._memory.odometry, self._wiring.devices.get("wheels")
        if device is None or device.stamp_us == odometry.stamp_us:
            return odometry
        track_m = self._wiring.model.drive.track_m
        return odometry.advanced(device.read(), device.stamp_us, track_m, self._errors(device.stamp_us))

    def _errors(self, stamp_us: int) -> Errors:
        if self.sheet.odometry_errors != "always":
            return self._first_errors
        return miscounts(self.sheet, self._wiring.key, stamp_us)

    @property
    def ranges_m(self) -> tuple[float, ...]:
        """Return the newest range of each sonar (m); empty before the first reading or while off."""
        if not self.sonar_on or self._wiring.devices["sonar"].stamp_us < 0:
            return ()
        most, absent = self.sheet.sonar_max_m, frozenset(self.sheet.absent_sonars)
        readings = [float(value) for value in self._wiring.devices["sonar"].read()]
        present = (value if 0.0 <= value <= most else most for value in readings)
        return tuple(most if n in absent else next(present, most) for n in range(len(readings) + len(absent)))

    def rewire(self, wiring: Wiring) -> None:
        """Take new handles; odometry and motion go on."""
        self._wiring = wiring
        self._first_errors = miscounts(self.sheet, wiring.key, 0)

    def order(self, command: Any) -> None:
        """Take one command; every one of them satisfies the watchdog."""
        self._memory.silent_us, self._memory.lapsed = 0, False
        match command:
            case Drive():
                self._memory.motors_on = True
                self._want(command.m_s, command.rad_s, command.lateral_m_s)
            case Vel() | Rvel() | Stop():
                self._move(command)
            case Enable():
                self._enable(command.on)
            case SetOdometry():
                self._set_odometry(command)
            case Sonar():
                self._memory.sonar_on = command.on
            case Session():
                self._session(command.open)
            case Pulse():
                pass
            case _:
                names = ", ".join(kind.__name__ for kind in self.commands)
                raise TypeError(f"pioneer takes {names}, not {command!r}")

    def _move(self, command: Vel | Rvel | Stop) -> None:
        want = self._memory.want
        if not self._memory.motors_on:  # discarded, not queued
            return
        if isinstance(command, Vel):
            self._want(command.mm_s / 1000, want.rad_s, want.lateral_m_s)
        elif isinstance(command, Rvel):
            self._want(want.m_s, math.radians(command.deg_s), want.lateral_m_s)
        else:
            self._memory.want = REST

    def _want(self, m_s: float, rad_s: float, lateral_m_s: float) -> None:
        drive, sheet = self._wiring.model.drive, self.sheet
        self._memory.want = Drive(
            clip(m_s, min(drive.max_m_s, sheet.max_m_s or math.inf)),
            clip(rad_s, min(drive.max_rad_s, sheet.max_rad_s or math.inf)),
            clip(lateral_m_s, getattr(drive, "max_lateral_m_s", 0.0)),
        )

    def _enable(self, on: bool) -> None:
        self._memory.motors_on = on
        if not on:
            self._memory.want = REST

    def _set_odometry(self, place: SetOdometry) -> None:
        heading = wrap_rad(place.heading_rad)
        self._memory.odometry = dataclasses.replace(self.odometry, x_m=place.x_m, y_m=place.y_m, heading_rad=heading)

    def _session(self, opened: bool) -> None:
        """Begin with odometry zero and sonar on; end standing, with motors and sonar off."""
        self._memory.session = self._memory.sonar_on = opened
        self._set_odometry(SetOdometry())
        if not opened:
            self._enable(False)

    def tick(self, now_us: int, dt_us: int) -> None:
        """Count the wheels, watch the client, ramp, and set the wheels; nothing happens while the clock is held."""
        if not dt_us:
            return
        self._memory.odometry = self.odometry
        self._watch(dt_us)
        self._ramp(dt_us / US_PER_S)
        asked = self._memory.asked
        self._wiring.wheels.set(asked.m_s, asked.rad_s, asked.lateral_m_s)

    def _watch(self, dt_us: int) -> None:
        memory, limit = self._memory, self.sheet.watchdog_us
        if not memory.session or not limit:
            return
        if memory.silent_us >= limit and not memory.lapsed:
            memory.lapsed = True
            if self.sheet.watchdog == "stop":
                memory.want = REST
        memory.silent_us += dt_us

    def _ramp(self, dt_s: float) -> None:
        sheet, want, asked = self.sheet, self._memory.want, self._memory.asked
        self._memory.asked = Drive(
            ramp(asked.m_s, want.m_s, sheet.accel_m_s2, sheet.decel_m_s2, dt_s),
            ramp(asked.rad_s, want.rad_s, sheet.accel_rad_s2, sheet.decel_rad_s2, dt_s),
            ramp(asked.lateral_m_s, want.lateral_m_s, sheet.accel_m_s2, sheet.decel_m_s2, dt_s),
        )

    def panel(self) -> PioneerPanel:
        """Return lamps, odometry and speed."""
        memory, at = self._memory, self.odometry
        return PioneerPanel(
            memory.motors_on, self.sonar_on, memory.session, memory.lapsed, at.stalled,
            at.x_m, at.y_m, at.heading_rad, at.m_s, at.rad_s,
        )  # fmt: skip

    def state(self) -> Tree:
        """Return everything the firmware remembers."""
        return dataclasses.asdict(self._memory)

    def restore(self, state: Tree) -> None:
        """Go on from a saved memory, to the bit."""
        parts = {"odometry": Odometry(**state["odometry"]), "want": Drive(**state["want"])}
        self._memory = Memory(**{**state, **parts, "asked": Drive(**state["asked"])})
