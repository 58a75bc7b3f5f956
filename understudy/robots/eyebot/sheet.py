"""Settings of an EyeBot: numbers of its sensors, limits and ramps of its v-omega interface."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.robots.base import UnitSheet
from understudy.world.rules import rule

_INPUTS = {
    "psd": "psd", "ir": "proximity", "bumper": "bumper", "encoders": "encoders", "camera": "camera", "lidar": "laser",
    "compass": "compass", "battery": "battery",
}  # fmt: skip
_IDS = "RoBIOS numbers, in the order of the device's values; default: 1, 2, 3 ..."
_NAMES = "names of the hardware description table, in the same order"


@frozen
class EyebotSheet(UnitSheet):
    """Settings of the RoBIOS firmware of an EyeBot; any robot with wheels can have it."""

    kind: ClassVar[str] = "eyebot"
    inputs: ClassVar[Mapping[str, str]] = _INPUTS
    drives: ClassVar[bool] = True
    numbered: ClassVar[bool] = True

    console: Literal["robios7", "classic"] = rule("robios7", doc="the LCD: 480 x 320 pixels in colour, or 128 x 64")
    psd_ids: tuple[int, ...] = rule((), doc=_IDS)
    psd_names: tuple[str, ...] = rule((), doc=_NAMES)
    ir_ids: tuple[int, ...] = rule((), doc=_IDS)
    ir_names: tuple[str, ...] = rule((), doc=_NAMES)
    bumper_ids: tuple[int, ...] = rule((), doc=_IDS)
    bumper_names: tuple[str, ...] = rule((), doc=_NAMES)
    ticks_per_rev: int = rule(1100, least=1, doc="encoder ticks of a revolution of a wheel")
    max_m_s: float = rule(0.6, above=0.0, doc="limit of v-omega commands; higher speeds are reduced to it")
    max_rad_s: float = rule(math.radians(300.0), above=0.0, doc="limit of v-omega commands")
    ramp_m_s2: float = rule(1.0, above=0.0, doc="acceleration of v-omega commands")
    ramp_rad_s2: float = rule(math.radians(720.0), above=0.0, doc="angular acceleration of v-omega commands")
    motor_m_s: float = rule(0.4, above=0.0, doc="speed of a wheel at 100 percent of MOTORDrive")
    stall_us: int = rule(300_000, least=0, doc="how long a blocked robot tries before its command ends")
    pan_rad: float = rule(math.radians(90.0), least=0.0, doc="how far servo 1 turns the camera to either side")
    tilt_rad: float = rule(math.radians(45.0), least=0.0, doc="how far servo 2 turns the camera up or down")
    radio_bytes: int = rule(1024, least=0, doc="how much the radio keeps until it is read; further messages are lost")

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        for kind in ("psd", "ir", "bumper"):
            ids, names = getattr(self, f"{kind}_ids"), getattr(self, f"{kind}_names")
            if len(set(ids)) != len(ids):
                yield f"{kind}_ids", "each number may occur once"
            if ids and names and len(names) != len(ids):
                yield f"{kind}_names", f"want as many as {kind}_ids, {len(ids)}, got {len(names)}"
