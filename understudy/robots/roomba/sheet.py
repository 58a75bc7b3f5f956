"""Settings of a Roomba's firmware, and what the three generations do differently."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.robots.base import UnitSheet
from understudy.world.rules import rule

Name = Literal["roomba400", "create1", "create2"]
COUNTS_PER_M = 508.8 / (math.pi * 0.072)  # of a Create 2's encoders

_INPUTS = {
    "wheels": "encoders", "bumpers": "bumper", "drops": "wheel_drop", "cliffs": "cliff", "wall": "reflective",
    "lights": "reflective", "battery": "battery", "thermometer": "thermometer",
}  # fmt: skip


@frozen
class Generation:
    """What differs between the generations of the interface."""

    label: str
    songs: int  # how many it keeps
    no_ir: int  # the infrared character when none is received
    buoys: tuple[int, int, int, int]  # infrared characters of a home base: base value, red, green, force field
    angle: Literal["deg", "mm"]
    strict: bool  # safe only from full, full only from safe
    castor: bool  # it reports that its castor has dropped
    cargo_bay: bool
    buttons: Mapping[int, str]  # bit -> behaviour that it starts
    dirt_m: tuple[float, ...] = ()  # where its dirt sensors are, left of the middle


_BUTTONS_400, _BUTTONS = {0: "max", 1: "clean", 2: "spot"}, {0: "clean", 1: "spot", 2: "dock"}
_ONE, _TWO = (0.0,), (0.06, -0.06)  # dirt sensors
_OLD_BUOYS, _NEW_BUOYS = (240, 8, 4, 2), (160, 8, 4, 1)
GENERATIONS: Mapping[Name, Generation] = MappingProxyType({
    "roomba400": Generation("Roomba 400 (SCI)", 16, 255, _OLD_BUOYS, "mm", True, True, False, _BUTTONS_400, _TWO),
    "create1": Generation("Create (Create OI)", 16, 255, _OLD_BUOYS, "deg", False, True, True, {}),
    "create2": Generation("Create 2, Roomba 500 and 600", 5, 0, _NEW_BUOYS, "deg", False, False, False, _BUTTONS, _ONE),
})  # fmt: skip


@frozen
class RoombaSheet(UnitSheet):
    """Settings of the firmware of a Roomba or Create; any robot with wheels can have it."""

    kind: ClassVar[str] = "roomba"
    inputs: ClassVar[Mapping[str, str]] = _INPUTS
    drives: ClassVar[bool] = True

    generation: Name = rule("create2", doc="the interface that it implements")
    max_m_s: float = rule(0.5, above=0.0, doc="maximum speed of a wheel")
    counts_per_m: float = rule(COUNTS_PER_M, above=0.0, doc="encoder counts per metre of a wheel")
    lose_fractions: bool = rule(
        False,
        doc="true: reading distance or angle also clears the fraction below 1 mm or 1 degree, as a real Create does",
    )
    sleep_us: int = rule(0, least=0, doc="time in passive mode without a command until it sleeps; 0: never")
    battery_mah: int = rule(2696, least=1, most=65_535, doc="capacity, if the robot has no battery device")
    charge_a: float = rule(1.25, above=0.0, doc="current of the charger")
    dock_m: float = rule(0.25, above=0.0, doc="docked if the centres of robot and home base are this near")
