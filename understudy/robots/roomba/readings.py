"""Every sensor value of a Roomba by name, in the units of the interface. Some are cleared by reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from understudy.robots.roomba.modes import NUMBERS
from understudy.robots.roomba.power import celsius

if TYPE_CHECKING:
    from understudy.robots.roomba.firmware import Roomba

Reading = Callable[["Roomba"], float]
_WHEEL_MA, _STALLED_MA, _IDLE_MA, _BRUSH_MA = 300.0, 1100.0, 60.0, 250.0
_BAUD_PIN = 0x10  # of the cargo bay: open
_EIGHT_BITS, _TEN_BITS, _FULL_V = 255, 1023, 5.0
_TURNING_M_S = 0.005  # the castor counts as turning from this speed on


def _bits(*flags: bool) -> int:
    return sum(flag << n for n, flag in enumerate(flags))


def _bumps_drops(unit: Roomba) -> int:
    (left, right), (left_drop, right_drop, castor) = unit.senses.bumps, unit.senses.drops
    return _bits(right, left, right_drop, left_drop, castor and unit.generation.castor)


def _overcurrents(unit: Roomba) -> int:
    left, right = (unit.odometer.stalled and speed != 0.0 for speed in unit.speeds)
    return _bits(False, False, False, right, left)


def _dirt(unit: Roomba, sensor: int) -> float:
    places = unit.generation.dirt_m
    return _EIGHT_BITS * unit.dirt(places[sensor]) if sensor < len(places) else 0.0


def _wheel_ma(unit: Roomba, speed: float) -> float:
    if speed == 0.0:
        return 0.0
    if unit.odometer.stalled:
        return _STALLED_MA if speed > 0.0 else -_STALLED_MA
    return (_IDLE_MA if speed > 0.0 else -_IDLE_MA) + _WHEEL_MA * speed / unit.sheet.max_m_s


def _angle(unit: Roomba) -> int:
    lose, odometer = unit.sheet.lose_fractions, unit.odometer
    return odometer.take_angle_mm(lose) if unit.generation.angle == "mm" else odometer.take_angle_deg(lose)


def _stasis(unit: Roomba) -> int:
    return _bits(unit.true_m_s > _TURNING_M_S)


def _cliff(n: int) -> Reading:
    return lambda unit: unit.senses.cliffs[n]


def _cliff_signal(n: int) -> Reading:
    return lambda unit: unit.senses.cliff_signals[n]


def _light_signal(n: int) -> Reading:
    return lambda unit: unit.senses.light_signals[n]


READINGS: Mapping[str, Reading] = MappingProxyType({
    "bumps and wheel drops": _bumps_drops,
    "wall": lambda unit: unit.senses.wall,
    "cliff left": _cliff(0),
    "cliff front left": _cliff(1),
    "cliff front right": _cliff(2),
    "cliff right": _cliff(3),
    "virtual wall": lambda unit: unit.beams.virtual_wall,
    "overcurrents": _overcurrents,
    "dirt": lambda unit: _dirt(unit, 0),
    "dirt right": lambda unit: _dirt(unit, 1),
    "infrared character": lambda unit: unit.beams.character,
    "buttons": lambda unit: unit.deck.buttons,
    "distance": lambda unit: unit.odometer.take_distance_mm(unit.sheet.lose_fractions),
    "angle": _angle,
    "charging state": lambda unit: unit.charging,
    "voltage": lambda unit: unit.gauge.volts * 1000,
    "current": lambda unit: unit.gauge.amps * 1000,
    "temperature": lambda unit: celsius(unit.device("thermometer")),
    "charge": lambda unit: unit.gauge.charge_ah * 1000,
    "capacity": lambda unit: unit.gauge.capacity_ah * 1000,
    "wall signal": lambda unit: unit.senses.wall_signal,
    "cliff left signal": _cliff_signal(0),
    "cliff front left signal": _cliff_signal(1),
    "cliff front right signal": _cliff_signal(2),
    "cliff right signal": _cliff_signal(3),
    "cargo bay inputs": lambda unit: unit.deck.inputs | _BAUD_PIN if unit.generation.cargo_bay else 0,
    "cargo bay analog": lambda unit: unit.deck.volts * _TEN_BITS / _FULL_V if unit.generation.cargo_bay else 0,
    "charging sources": lambda unit: unit.power.sources,
    "mode": lambda unit: NUMBERS[unit.mode],
    "song number": lambda unit: unit.jukebox.number,
    "song playing": lambda unit: unit.jukebox.playing,
    "stream packets": lambda unit: unit.asked.stream,
    "requested velocity": lambda unit: unit.asked.mm_s,
    "requested radius": lambda unit: unit.asked.radius_mm,
    "requested right velocity": lambda unit: unit.asked.right_mm_s,
    "requested left velocity": lambda unit: unit.asked.left_mm_s,
    "left encoder counts": lambda unit: unit.odometer.counts(unit.sheet.counts_per_m)[0],
    "right encoder counts": lambda unit: unit.odometer.counts(unit.sheet.counts_per_m)[1],
    "light bumpers": lambda unit: _bits(*unit.senses.lights),
    "light bump left signal": _light_signal(0),
    "light bump front left signal": _light_signal(1),
    "light bump centre left signal": _light_signal(2),
    "light bump centre right signal": _light_signal(3),
    "light bump front right signal": _light_signal(4),
    "light bump right signal": _light_signal(5),
    "infrared character left": lambda unit: unit.beams.left_character,
    "infrared character right": lambda unit: unit.beams.right_character,
    "left motor current": lambda unit: _wheel_ma(unit, unit.speeds.left),
    "right motor current": lambda unit: _wheel_ma(unit, unit.speeds.right),
    "main brush current": lambda unit: unit.deck.motors[0] * _BRUSH_MA,
    "side brush current": lambda unit: unit.deck.motors[1] * _BRUSH_MA,
    "stasis": _stasis,
})  # fmt: skip
