"""Settings of a Pioneer's firmware; defaults are MobileSim's base model and the p3dx-sh of ARIA's parameter files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from understudy.frozen import frozen
from understudy.robots.base import UnitSheet
from understudy.robots.pioneer.exact import as_in_mobilesim
from understudy.world.records import rule

NO_ERRORS = (0.0, 0.0, 0.0)
MOST_LASERS, ANALOG_PORTS, INFRAREDS = 4, 9, 8
_EXACT = "true: only what MobileSim supports, with its sonar and laser models; bumpers, gripper, I/O etc. are absent"

_INPUTS = {
    "sonar": "sonar", "wheels": "encoders", "bumpers": "bumper", "compass": "compass", "gyro": "gyro", "gps": "gps",
    "battery": "battery", "thermometer": "thermometer", "gripper": "gripper",
    **{f"laser{n}": "laser" for n in range(1, MOST_LASERS + 1)},
    **{f"infrared{n}": "*" for n in range(1, INFRAREDS + 1)},
    **{f"analog{n}": "*" for n in range(ANALOG_PORTS)},
}  # fmt: skip


@frozen
class PioneerSheet(UnitSheet):
    """Settings of the firmware: ramps, limits, and what it reports about itself."""

    kind: ClassVar[str] = "pioneer"
    inputs: ClassVar[Mapping[str, str]] = _INPUTS
    drives: ClassVar[bool] = True

    exact: bool = rule(False, doc=_EXACT)
    watchdog_us: int = rule(2_000_000, least=0, most=65_535_000, doc="silence after which it fires; 0: never")
    watchdog: Literal["stop", "warn"] = rule(
        "warn", doc="warn: log only, as MobileSim; stop: stop until the next packet, as the real robot"
    )
    accel_m_s2: float = rule(0.3, least=0.0, doc="0: unlimited")
    decel_m_s2: float = rule(0.6, least=0.0, doc="0: unlimited")
    accel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: unlimited")
    decel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: unlimited")
    lateral_accel_m_s2: float = rule(0.5, least=0.0, doc="0: unlimited")
    lateral_decel_m_s2: float = rule(0.5, least=0.0, doc="0: unlimited")
    max_m_s: float = rule(0.0, least=0.0, doc="0: the limit of the drive")
    max_rad_s: float = rule(0.0, least=0.0, doc="0: the limit of the drive")
    cruise_m_s: float = rule(1.5, above=0.0, doc="speed of MOVE, until SETV")
    cruise_rad_s: float = rule(math.radians(74.0), above=0.0, doc="speed of HEAD and DHEAD, until SETRV")
    limits: Literal["cruise", "all"] = rule(
        "cruise", doc="SETV and SETRV limit MOVE, HEAD and DHEAD, as in MobileSim; or all motion, as on the real robot"
    )
    report: Literal["mobilesim", "model"] = rule(
        "mobilesim", doc="limits that CONFIG reports before they are set: MobileSim's constants, or those of the model"
    )
    announced: str = rule("MobileSim", doc="name in the handshake; ARIA treats MobileSim as a simulator")
    robot_class: str = "Pioneer"
    subtype: str = rule("p3dx-sh", doc="selects the client's parameter file")
    sip_period_us: int = rule(100_000, least=1_000, most=255_000)
    battery_decivolts: int = rule(130, least=0, most=65_535, doc="reported if the robot has no battery device")
    state_of_charge: bool = rule(False, doc="true: the battery reports percent, and BATTEST sets it")
    sonar_max_m: float = rule(5.0, above=0.0, doc="reported when nothing is in range")
    absent_sonars: tuple[int, ...] = rule((), least=0, most=254, doc="missing transducers: they report the maximum")
    sonars_per_sip: int = rule(0, least=0, most=32, doc="sonars per status packet, in turn; 0: all")
    laser_nothing_mm: int = rule(32_767, least=1, most=65_535, doc="range sent for a laser ray without echo")
    ticks_per_mm: float = rule(0.0, least=0.0, doc="encoder ticks of the wheels; 0: no encoder packets")
    gps_aux: int = rule(1, least=0, most=3, doc="auxiliary port on which the gps sends NMEA; 0: none")
    gyro_scaler: float = rule(1.626, above=0.0, doc="scale of the rates that the client assumes (GyroScaler)")
    odometry_error: tuple[float, float, float] = rule(
        NO_ERRORS,
        least=0.0,
        most=1.0,
        doc="maximum relative errors of distance ahead, distance sideways and rotation",
    )
    odometry_errors: Literal["once", "always", "constant"] = rule(
        "once", doc="random, once per robot; random, every 100 ms; or always the maximum error"
    )
    dist_factor: float = rule(1.0, above=0.0, doc="mm per count of the odometry (DistConvFactor)")
    vel_factor: float = rule(1.0, above=0.0, doc="mm/s per count of wheel speed (VelConvFactor)")
    range_factor: float = rule(1.0, above=0.0, doc="mm per count of a sonar range (RangeConvFactor)")
    angle_factor: float = rule(0.001534, above=0.0, doc="rad per count of the heading (AngleConvFactor)")
    diff_factor: float = rule(0.0056, above=0.0, doc="rad/s per mm/s of half the wheel difference (DiffConvFactor)")
    vel2_divisor: float = rule(20.0, above=0.0, doc="mm/s per step of VEL2 (Vel2Divisor)")

    def fitted(self, device: Any) -> Any:
        """Return the data sheet of a device as the firmware operates it."""
        return as_in_mobilesim(device) if self.exact else device

    def perfect(self) -> PioneerSheet:
        """Return the settings of a firmware without odometry error."""
        return dataclasses.replace(self, odometry_error=NO_ERRORS)
