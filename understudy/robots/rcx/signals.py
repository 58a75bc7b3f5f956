"""From the reading of a device to the signal that it gives to a port of an RCX."""

from __future__ import annotations

import math

from understudy.robots.rcx.inputs import (
    ANGLE,
    LIGHT,
    NO_DEVICE,
    PRESSED,
    RAW_MOST,
    RELEASED,
    SWITCH,
    TEMPERATURE,
    Signal,
    raw_of_celsius,
    raw_of_percent,
)  # fmt: skip
from understudy.robots.rcx.sheet import RcxPort
from understudy.sensors.base import Device

_SWITCHES = ("touch", "bumper", "stall", "wheel_drop")
_LIGHTS = ("line", "light")
_AXLES = ("encoders", "feedback")
_BLACK, _WHITE = 30.0, 55.0  # percent that a real sensor reads over paper
_STEPS = 16  # of a turn
_MOST_ANGLE = 2**31


def type_of(device: Device) -> int:
    """Return the type of sensor that a device is; a port has it until a program sets another one."""
    kind = _kind(device)
    types = {**dict.fromkeys(_SWITCHES, SWITCH), **dict.fromkeys(_LIGHTS, LIGHT), **dict.fromkeys(_AXLES, ANGLE)}
    return TEMPERATURE if kind == "thermometer" else types.get(kind, NO_DEVICE)


def signal_of(device: Device, port: RcxPort, wheel_radius_m: float) -> Signal:
    """Return what a device gives to its port now; one without a reading is an open port."""
    kind, values = _kind(device), device.read()
    if not len(values):
        return Signal()
    first = float(values[0])
    if kind in _AXLES:
        column = 1 if kind == "encoders" and port.side == "right" and len(values) > 1 else 0
        radius_m = wheel_radius_m if kind == "encoders" else 1.0
        return Signal(angle=_angle(float(values[column]), radius_m, port.gear))
    if math.isnan(first):
        return Signal()
    if kind in _SWITCHES:
        return Signal(PRESSED if (values > 0.5).any() else RELEASED)
    if kind in _LIGHTS:
        return _light(_share(device, first), port)
    if kind == "thermometer":
        return Signal(raw_of_celsius(_celsius(first, device.sheet.unit)))
    return Signal(round(min(max(first, 0.0), float(RAW_MOST))))


def _kind(device: Device) -> str:
    return str(getattr(device.sheet, "kind", ""))


def _share(device: Device, value: float) -> float:
    """Return the brightness of a reading, 0 for black to 1 for white."""
    sheet = device.sheet
    dark, bright = sheet.range() if sheet.kind == "line" else (sheet.dark, sheet.bright)
    return min(max((value - dark) / (bright - dark), 0.0), 1.0) if bright != dark else 0.0


def _light(share: float, port: RcxPort) -> Signal:
    if port.light == "grey":
        return Signal(raw_of_percent(100.0 * share), light=round(255.0 * share))
    return Signal(raw_of_percent(100.0 * share if port.light == "bright" else _BLACK + (_WHITE - _BLACK) * share))


def _angle(moved: float, radius_m: float, gear: float) -> int:
    """Return whole sixteenths of a turn for a path of a wheel (m), or an angle if the radius is 1."""
    steps = moved / radius_m / (2.0 * math.pi) * _STEPS * gear if radius_m else 0.0
    return math.floor(min(max(steps, -_MOST_ANGLE), _MOST_ANGLE)) if math.isfinite(steps) else 0


def _celsius(value: float, unit: str) -> float:
    return {"c": value, "f": (value - 32.0) / 1.8, "k": value - 273.15}[unit]
