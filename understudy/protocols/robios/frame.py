"""The state of an EyeBot as a program's library gets it with each GO: fixed part, then one entry for each sensor.

Least byte first, without gaps; docs/robios.md has the table.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from understudy.robots.eyebot.firmware import Eyebot

DRIVING, STARTED, SOUNDING, RADIO_ON = 1, 2, 4, 8  # flags
NO_PSD, NO_IR, NO_COMPASS = 16, 32, 64  # flags of sensors that this frame does not hold
KEYS, RADIO = 256, 512  # further signals that a WAIT may name: a key or the screen is touched, a message comes
# what the fixed part holds, in order: name, form, meaning
FIELDS: tuple[tuple[str, str, str], ...] = (
    (
        "flags",
        "I",
        "1: a v-omega command is running; 2: all robots have started; 4: a sound is playing; 8: radio on; "
        "not in this frame are 16: PSDs, 32: infra-red, 64: compass (query 11)",
    ),
    ("stalled", "I", "stalled motors: 0 none, 1 left, 2 right, 3 both"),
    ("x_m", "d", "odometry"),
    ("y_m", "d", ""),
    ("rad", "d", ""),
    ("m_s", "d", "measured speeds"),
    ("rad_s", "d", ""),
    ("remaining_m", "d", "what remains of a v-omega command (m; rad of a turn)"),
    ("encoders", "4i", "ticks of encoders 1 to 4"),
    ("compass_deg", "i", "-1: no compass"),
    ("digital", "I", "bit 0 is line 1"),
    ("analog", "8H", "channels 1 to 8, 0 to 1023"),
    ("centivolts", "i", "battery"),
    ("keys", "I", "keys that are pressed: 1, 2, 4, 8"),
    ("presses", "4I", "how often KEY1 to KEY4 were pressed"),
    ("touch", "2i", "where the screen was touched last"),
    ("touches", "I", "how often the screen was touched"),
)
FIXED = struct.Struct("<" + "".join(form for _, form, _ in FIELDS))
_BUMP = struct.Struct("<Iq")


def flags(unit: Eyebot, started: bool) -> int:
    """Return the flags of an EyeBot."""
    return DRIVING * unit.pilot.driving | STARTED * started | SOUNDING * unit.sounding | RADIO_ON * unit.radio.on


def encode(unit: Eyebot, started: bool, absent: int = 0) -> bytes:
    """Return the state of an EyeBot; sensors that are *absent* need not be measured, and are 0."""
    wheels, keys = unit.wheels, unit.keys
    fixed = FIXED.pack(
        flags(unit, started) | absent, unit.stalled, wheels.x_m, wheels.y_m, wheels.rad, wheels.m_s, wheels.rad_s,
        unit.remaining_m, *unit.encoders(), 0 if absent & NO_COMPASS else unit.compass_deg(), unit.io.levels,
        *unit.io.analog, unit.centivolts(), keys.pressed, *keys.presses, *keys.touch, keys.touches,
    )  # fmt: skip
    psd = bytes(4 * unit.psds) if absent & NO_PSD else _whole(unit.psd_mm())
    ir = bytes(4 * unit.infrareds) if absent & NO_IR else _whole(unit.infrared())
    return fixed + psd + ir + b"".join(_BUMP.pack(bump.count, bump.last_us) for bump in unit.bumps)


def _whole(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}i", *values)
