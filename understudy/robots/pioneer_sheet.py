"""Settings of a Pioneer's firmware; defaults are MobileSim's base model and the p3dx-sh of ARIA's parameter files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from understudy.robots.pioneer_exact import as_in_mobilesim
from understudy.world.plain import rule

NO_ERRORS = (0.0, 0.0, 0.0)
MOST_LASERS, ANALOG_PORTS, INFRAREDS = 4, 9, 8
_EXACT = "true: only what MobileSim has, and its sonar and laser; bumpers, gripper, I/O and the like are as if absent"

_INPUTS = {
    "sonar": "sonar", "wheels": "encoders", "bumpers": "bumper", "compass": "compass", "gyro": "gyro", "gps": "gps",
    "battery": "battery", "thermometer": "thermometer", "gripper": "gripper",
    **{f"laser{n}": "laser" for n in range(1, MOST_LASERS + 1)},
    **{f"infrared{n}": "*" for n in range(1, INFRAREDS + 1)},
    **{f"analog{n}": "*" for n in range(ANALOG_PORTS)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PioneerSheet:
    """Settings of the firmware: ramps, limits, and what it says about itself."""

    kind: ClassVar[str] = "pioneer"
    inputs: ClassVar[Mapping[str, str]] = _INPUTS
    drives: ClassVar[bool] = True

    exact: bool = rule(False, doc=_EXACT)
    watchdog_us: int = rule(2_000_000, least=0, most=65_535_000, doc="silence after which it acts; 0: never")
    watchdog: Literal["stop", "warn"] = rule(
        "warn", doc="warn: as MobileSim does; stop: as the robot does, until the next packet"
    )
    accel_m_s2: float = rule(0.3, least=0.0, doc="0: at once")
    decel_m_s2: float = rule(0.6, least=0.0, doc="0: at once")
    accel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: at once")
    decel_rad_s2: float = rule(math.radians(100.0), least=0.0, doc="0: at once")
    lateral_accel_m_s2: float = rule(0.5, least=0.0, doc="0: at once")
    lateral_decel_m_s2: float = rule(0.5, least=0.0, doc="0: at once")
    max_m_s: float = rule(0.0, least=0.0, doc="0: what the drive can do")
    max_rad_s: float = rule(0.0, least=0.0, doc="0: what the drive can do")
    cruise_m_s: float = rule(1.5, above=0.0, doc="of MOVE, until SETV")
    cruise_rad_s: float = rule(math.radians(74.0), above=0.0, doc="of HEAD and DHEAD, until SETRV")
    limits: Literal["cruise", "all"] = rule(
        "cruise", doc="what SETV and SETRV limit: MOVE, HEAD and DHEAD, as in MobileSim; or all motion, as in the robot"
    )
    report: Literal["mobilesim", "model"] = rule(
        "mobilesim", doc="limits that CONFIG tells before they are set: MobileSim's, the same for all; or the model's"
    )
    announced: str = rule("MobileSim", doc="name in the handshake; ARIA takes this one for a simulator")
    robot_class: str = "Pioneer"
    subtype: str = rule("p3dx-sh", doc="chooses the client's parameter file")
    sip_period_us: int = rule(100_000, least=1_000, most=255_000)
    battery_decivolts: int = rule(130, least=0, most=65_535, doc="if there is no battery to measure")
    state_of_charge: bool = rule(False, doc="true: the battery tells percent, and BATTEST sets them")
    sonar_max_m: float = rule(5.0, above=0.0, doc="reported when nothing is in range")
    absent_sonars: tuple[int, ...] = rule((), least=0, most=254, doc="numbers without a disc: they report the maximum")
    sonars_per_sip: int = rule(0, least=0, most=32, doc="so many in a status packet, then the next; 0: all")
    laser_nothing_mm: int = rule(32_767, least=1, most=65_535, doc="range of a laser ray that comes back from nowhere")
    ticks_per_mm: float = rule(0.0, least=0.0, doc="of the wheels, in encoder packets; 0: there are none")
    gps_aux: int = rule(1, least=0, most=3, doc="auxiliary port on which the gps speaks NMEA; 0: none")
    gyro_scaler: float = rule(1.626, above=0.0, doc="deg/s that the client takes for one (GyroScaler)")
    odometry_error: tuple[float, float, float] = rule(
        NO_ERRORS,
        least=0.0,
        most=1.0,
        doc="greatest shares by which way ahead, way to the side and turn are miscounted",
    )
    odometry_errors: Literal["once", "always", "constant"] = rule(
        "once", doc="drawn once for each robot, anew every 100 ms, or as large as they can be"
    )
    dist_factor: float = rule(1.0, above=0.0, doc="mm per count of the odometry (DistConvFactor)")
    vel_factor: float = rule(1.0, above=0.0, doc="mm/s per count of wheel speed (VelConvFactor)")
    range_factor: float = rule(1.0, above=0.0, doc="mm per count of a sonar range (RangeConvFactor)")
    angle_factor: float = rule(0.001534, above=0.0, doc="rad per count of the heading (AngleConvFactor)")
    diff_factor: float = rule(0.0056, above=0.0, doc="rad/s per mm/s of half the wheel difference (DiffConvFactor)")
    vel2_divisor: float = rule(20.0, above=0.0, doc="mm/s per step of VEL2 (Vel2Divisor)")

    def fitted(self, device: Any) -> Any:
        """Return the data sheet of a device that the firmware uses, as it works with it."""
        return as_in_mobilesim(device) if self.exact else device

    def perfect(self) -> PioneerSheet:
        """Return the settings of a firmware that counts its wheels exactly."""
        return dataclasses.replace(self, odometry_error=NO_ERRORS)
