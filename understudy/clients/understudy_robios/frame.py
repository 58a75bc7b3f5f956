"""What the simulation tells: about the robot (WELCOME), and its state with every GO. Values are decoded on demand."""

from __future__ import annotations

import struct
from typing import Any

DRIVING, STARTED, SOUNDING, RADIO_ON = 1, 2, 4, 8  # flags
NO_PSD, NO_IR, NO_COMPASS = 16, 32, 64  # flags of sensors that the frame does not hold
KEYS, RADIO = 256, 512  # further signals that a WAIT may name
# name and form of the fixed part of a frame, in order
FIELDS = (
    ("flags", "I"),
    ("stalled", "I"),
    ("x_m", "d"),
    ("y_m", "d"),
    ("rad", "d"),
    ("m_s", "d"),
    ("rad_s", "d"),
    ("remaining_m", "d"),
    ("encoders", "4i"),
    ("compass_deg", "i"),
    ("digital", "I"),
    ("analog", "8H"),
    ("centivolts", "i"),
    ("keys", "I"),
    ("presses", "4I"),
    ("touch", "2i"),
    ("touches", "I"),
)
_T_US = struct.Struct("<q")
_BEGIN = struct.Struct("<qI")  # the time, and the first field
_INT = struct.Struct("<i")
_BUMP = struct.Struct("<Iq")


def _places() -> dict[str, tuple[struct.Struct, int]]:
    """Return form and place of each field."""
    places, at = {}, 0
    for name, form in FIELDS:
        packed = struct.Struct("<" + form)
        places[name] = packed, at
        at += packed.size
    return places


_PLACES = _places()
FIXED_BYTES = sum(packed.size for packed, _ in _PLACES.values())


class Greeting:
    """What a WELCOME record says about the robot and the run."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, str] = {}
        self.sensors: dict[str, list[tuple[int, str]]] = {"psd": [], "ir": [], "bumper": []}  # id and name of each
        for line in text.splitlines():
            key, _, value = line.strip().partition(" ")
            if key in self.sensors:
                number, _, name = value.partition(" ")
                self.sensors[key].append((int(number), name.strip("- ")))
            elif key:
                self.values[key] = value
        self._places = {
            kind: {number: at for at, (number, _) in enumerate(known)} for kind, known in self.sensors.items()
        }
        self.name = self.values.get("robot", "")
        self.id, self.t_us = self.number("id", 1), self.number("t_us", 0)
        self.tick_us, self.cost_us = max(self.number("tick_us", 10_000), 1), self.number("cost_us", 20)
        self.gated = self.values.get("pace", "realtime") == "gated"
        width, _, height = self.values.get("screen", "480 320").partition(" ")
        self.screen = int(width), int(height)

    def number(self, key: str, usual: int) -> int:
        """Return a whole number by its key."""
        return int(self.values.get(key, usual))

    def place(self, kind: str, number: int) -> int:
        """Return the place of a sensor in the frame by its id; -1 if there is none."""
        return self._places[kind].get(number, -1)


class StateFrame:
    """The content of a GO record."""

    __slots__ = ("_bumps_at", "_data", "_ir_at", "_psd_at", "flags", "t_us")

    def __init__(self, data: bytes, psds: int, irs: int) -> None:
        if len(data) < _T_US.size + FIXED_BYTES + 4 * (psds + irs):
            raise ValueError(f"a GO record of {len(data)} bytes is too short")
        self._data = data
        self.t_us: int
        self.flags: int
        self.t_us, self.flags = _BEGIN.unpack_from(data)
        self._psd_at = _T_US.size + FIXED_BYTES
        self._ir_at = self._psd_at + 4 * psds
        self._bumps_at = self._ir_at + 4 * irs

    def __getattr__(self, name: str) -> Any:
        try:
            packed, at = _PLACES[name]
        except KeyError:
            raise AttributeError(name) from None
        values = packed.unpack_from(self._data, _T_US.size + at)
        return values if len(values) > 1 else values[0]

    def psd_mm(self, place: int) -> int:
        """Return the distance that the PSD at a place measures."""
        return int(_INT.unpack_from(self._data, self._psd_at + 4 * place)[0])

    def ir(self, place: int) -> int:
        """Return whether the proximity sensor at a place sees something: 0 or 1."""
        return int(_INT.unpack_from(self._data, self._ir_at + 4 * place)[0])

    def bump(self, place: int) -> tuple[int, int]:
        """Return how often a bumper was pressed, and when last (us)."""
        count, last_us = _BUMP.unpack_from(self._data, self._bumps_at + _BUMP.size * place)
        return int(count), int(last_us)
