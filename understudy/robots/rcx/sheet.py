"""Settings of an RCX: firmware, speed, what is connected to its ports, and the curve of its motors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from understudy.formats.rcx.isa import RcxFirmware
from understudy.frozen import frozen
from understudy.robots.base import UnitSheet
from understudy.world.rules import rule

PORTS = ("port1", "port2", "port3")
# LURobotSim thesis, table 3.7: 19.4, 20.4, 22.3, 24.3 and 25.1 rad/s at 20, 40, 60, 80 and 100 percent
_CURVE = (0.0, 0.7729, 0.8127, 0.8884, 0.9681, 1.0)


@frozen
class RcxPort:
    """What an input port needs to know about its device."""

    light: Literal["bright", "grey", "brick"] = rule(
        "bright",
        doc="what a light sensor reads over black and white: bright: 0 and 100; grey: 0 and 255, as in LURobotSim; "
        "brick: 30 and 55, as a real one over paper",
    )
    side: Literal["left", "right"] = rule("left", doc="of encoders: the wheel that a rotation sensor is on")
    gear: float = rule(1.0, doc="turns of a rotation sensor for one turn of the wheel or joint")


@frozen
class RcxSheet(UnitSheet):
    """Settings of an RCX; its motors are bound with ``drives``, its sensors with ``uses``."""

    kind: ClassVar[str] = "rcx"
    inputs: ClassVar[Mapping[str, str]] = {**dict.fromkeys(PORTS, "*"), "battery": "battery"}
    outputs: ClassVar[tuple[str, ...]] = ("A", "B", "C")

    version: RcxFirmware = rule("swan", doc="firmware; fw1: LEGO 3.09; fw2: LEGO 3.28; swan: that of ROBOLAB 2.9")
    pace: Literal["task", "brick"] = rule(
        "task", doc="task: one instruction of each task per millisecond; brick: one of all tasks every 3 ms, as fw2"
    )
    port1: RcxPort = rule(RcxPort(), doc="input 1")
    port2: RcxPort = rule(RcxPort(), doc="input 2")
    port3: RcxPort = rule(RcxPort(), doc="input 3")
    curve: tuple[float, ...] = rule(_CURVE, doc="share of the full speed at equal steps of power from 0 to 100 percent")
    speeds_rad_s: tuple[float, ...] = rule(
        (), doc="measured speed of a motor at equal steps of power up to 100 percent; replaces curve"
    )
    battery_mv: int = rule(9000, least=0, most=32_767, doc="voltage without a battery device")
    sags: bool = rule(False, doc="motors turn slower below 9 V")
    trace: bool = rule(False, doc="report every icon that a task reaches, to listeners and tapes")
    sleep_min: int = rule(0, least=0, most=255, doc="minutes without a program after which it switches off; 0: never")
    near_m: float = rule(1.0, above=0.0, doc="range of infra-red messages after txs 0")
    far_m: float = rule(10.0, above=0.0, doc="the same after txs 1")

    def ports(self) -> tuple[RcxPort, RcxPort, RcxPort]:
        """Return the settings of the three inputs."""
        return self.port1, self.port2, self.port3

    def share(self, percent: float, full_rad_s: float = 0.0) -> float:
        """Return the share of the full speed at a power from 0 to 100 percent.

        Measured speeds are shares of *full_rad_s*; of the largest of them if that is 0.

        >>> RcxSheet().share(100.0), RcxSheet().share(0.0), RcxSheet(speeds_rad_s=(6.0, 9.0)).share(50.0, 12.0)
        (1.0, 0.0, 0.5)
        """
        points = self._measured(full_rad_s) or self.curve or (0.0, 1.0)
        place = min(max(percent, 0.0), 100.0) / 100.0 * (len(points) - 1)
        below = min(int(place), len(points) - 2) if len(points) > 1 else 0
        above = min(below + 1, len(points) - 1)
        return points[below] + (points[above] - points[below]) * (place - below)

    def _measured(self, full_rad_s: float) -> tuple[float, ...]:
        full = full_rad_s or max(self.speeds_rad_s, default=0.0)
        return (0.0, *(speed / full for speed in self.speeds_rad_s)) if full > 0.0 and self.speeds_rad_s else ()
