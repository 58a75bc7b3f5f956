"""A few words for tests of the scene file, so that they depend on no real sensor, firmware or protocol."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from understudy.robots.base import UnitSheet
from understudy.world.records import rule
from understudy.world.shapes import Mount
from understudy.world.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Noise:
    preset: Literal["", "perfect"] = rule("")
    sigma_m: float = rule(0.0, least=0.0)
    lost: float = rule(0.0, least=0.0, most=1.0)


class Sensor:
    """What scene files ask of any data sheet of a sensor."""

    __slots__ = ()
    on_joint: ClassVar[bool] = False
    filter: ClassVar[str] = ""

    def findings(self):
        return ()


@dataclass(frozen=True, slots=True)
class Laser(Sensor):
    kind: ClassVar[str] = "laser"
    field_rad: float = rule(math.pi, above=0.0, most=2 * math.pi, doc="opening angle")
    rays: int = rule(181, least=1)
    max_m: float = rule(8.0, above=0.0, doc="range")
    period_us: int = rule(100_000, above=0)
    noise: Noise = rule(Noise(sigma_m=0.01), shorthand="preset")


@dataclass(frozen=True, slots=True)
class Sonar(Sensor):
    kind: ClassVar[str] = "sonar"
    ring: tuple[Mount, ...] = rule()
    max_m: float = rule(5.0, above=0.0)
    period_us: int = rule(40_000, above=0)
    noise: Noise = rule(Noise(), shorthand="preset")


@dataclass(frozen=True, slots=True)
class Gps(Sensor):
    kind: ClassVar[str] = "gps"
    period_us: int = rule(1_000_000, above=0)
    noise: Noise = rule(Noise(sigma_m=1.5), shorthand="preset")


@dataclass(frozen=True, slots=True)
class Pioneer(UnitSheet):
    kind: ClassVar[str] = "pioneer"
    inputs: ClassVar[Mapping[str, str]] = {"sonar": "sonar", "laser1": "laser"}
    drives: ClassVar[bool] = True
    watchdog_us: int = rule(2_000_000, least=0)


@dataclass(frozen=True, slots=True)
class Receiver(UnitSheet):
    kind: ClassVar[str] = "receiver"
    inputs: ClassVar[Mapping[str, str]] = {"gps": "gps"}
    drives: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Brick(UnitSheet):
    kind: ClassVar[str] = "brick"
    outputs: ClassVar[tuple[str, ...]] = ("A", "B", "C")


@dataclass(frozen=True, slots=True)
class Arcos:
    kind: ClassVar[str] = "arcos"
    units: ClassVar[tuple[str, ...]] = ("pioneer",)


@dataclass(frozen=True, slots=True)
class Nmea:
    kind: ClassVar[str] = "nmea"
    units: ClassVar[tuple[str, ...]] = ("receiver",)
    sentences: tuple[str, ...] = ("GGA", "RMC")


ROVER = """\
[robot]
summary = "A rover for tests"
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.33}

[device.front]
kind = "laser"
mount = {x_m = 0.1, z_m = 0.3}
max_m = 8.0
period_ms = 100

[device.ring]
kind = "sonar"
ring = [{x_m = 0.1, yaw_deg = 90}, {x_m = 0.1, yaw_deg = -90}]

[unit.arcos]
kind = "pioneer"
uses = {sonar = "ring", laser1 = "front"}

[port.host]
unit = "arcos"
protocol = "arcos"
link = "tcp://127.0.0.1:8101+"

[card]
source = "this test"
"""

CRANE = """\
[robot]
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.33}

[joint.arm]
kind = "revolute"
mount = {z_m = 0.2}

[joint.gear]
kind = "revolute"
follows = "arm"

[device.front]
kind = "laser"

[unit.brick]
kind = "brick"
drives = {C = "device:front"}
"""

BROKEN = ROVER.replace("max_m = 8.0", "max_m = -8.0")

VOCABULARY = Vocabulary(
    devices={cls.kind: cls for cls in (Laser, Sonar, Gps)},
    units={cls.kind: cls for cls in (Pioneer, Receiver, Brick)},
    protocols={cls.kind: cls for cls in (Arcos, Nmea)},
    links=("tcp", "pty", "loop"),
    engines=("planar",),
    catalog={"rover": ROVER, "broken": BROKEN, "crane": CRANE},
)
