"""Many ticks of EyeBots on the planar engine in one compiled call, bit-identical to as many single ticks.

Odometry and v-omega interface are the functions that single ticks use; here they work on rows in place of objects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

import numpy as np

from understudy.engines.base import Array
from understudy.engines.planar.motion import BEGIN, advance
from understudy.engines.planar.resting_contacts import touched
from understudy.engines.planar.rows import Ints, enter, pack, triples
from understudy.engines.rays.simd.llvm import array_at
from understudy.jit import inner, kernel
from understudy.jit import prepare as prepare_kernel
from understudy.robots.eyebot.firmware import Eyebot
from understudy.robots.eyebot.odometry import WheelOdometry, reckon
from understudy.robots.eyebot.pilot import IDLE, Pilot, steer


def _row_kind(cls: Any) -> np.dtype[Any]:
    """Return rows with the fields of a data class."""
    return np.dtype([(field.name, "f8" if field.type == "float" else "i8") for field in fields(cls)])


_LIMITS = ("max_rad_s", "ramp_m_s2", "ramp_rad_s2", "stall_us")  # of the sheet
WHEELS, PILOT = _row_kind(WheelOdometry), _row_kind(Pilot)
BOT = np.dtype([*((name, "f8") for name in (*_LIMITS, "track_m")), ("row", "i8"), ("by_number", "i8")])
_wheels_of, _pilot_of, _limits_of = (
    attrgetter(*WHEELS.names or ()),
    attrgetter(*PILOT.names or ()),
    attrgetter(*_LIMITS),
)


@kernel(effort=10)
def leap(ticks, t_us, tick_us, feels, targets, packed, bots):
    """Make up to so many ticks; return how many were made, what the engine wants to end the last, and if it touches.

    It ends with a tick in which a v-omega drive has ended or, if robots *feel*, one touches something.
    """
    arena, place, travel = enter(packed), triples(packed, 0), triples(packed, 2)
    for n in range(ticks):
        ended = drive(t_us, tick_us, targets, travel, bots)
        t_us += tick_us
        wanted = advance(BEGIN, targets, packed)
        touches = wanted == 0 and feels and touched(arena, place, travel.shape[0])
        if wanted != 0 or ended or touches:
            return n + 1, wanted, touches
    return ticks, 0, False


@inner(copied=False)
def drive(t_us, tick_us, targets, travel, bots):
    """Take the encoders of all EyeBots and set the wheels; returns whether a drive has ended."""
    wheels, pilots = array_at(bots[0], (bots[1],), WHEELS), array_at(bots[2], (bots[3],), PILOT)
    sheets, ended = array_at(bots[4], (bots[5],), BOT), False
    for b in range(sheets.shape[0]):
        bot, pilot = sheets[b], pilots[b]
        i = bot.row
        if wheels[b].stamp_us != t_us:
            reckon(wheels[b], travel[i, 0], travel[i, 1], travel[i, 2], t_us, bot.track_m)
        if bot.by_number == 0:
            before = pilot.drive
            steer(pilot, wheels[b], bot, tick_us)
            ended = ended or pilot.drive != before
            driven = pilot.drive != IDLE
            targets[i, 0] = pilot.m_s if driven else 0.0
            targets[i, 1] = pilot.left_m_s if driven else 0.0
            targets[i, 2] = pilot.rad_s if driven else 0.0
    return ended


def _piloted(*values: Any) -> Pilot:
    *others, stalled = values
    pilot = Pilot(*others)
    pilot.stalled = bool(stalled)
    return pilot


class LeapingBots:
    """The rows of some EyeBots."""

    def __init__(self, bots: Mapping[int, Eyebot]) -> None:
        """Take EyeBots by the rows of their robots."""
        self._units = list(bots.values())
        count = len(bots)
        self._wheels, self._pilots, self._bots = np.zeros(count, WHEELS), np.zeros(count, PILOT), np.zeros(count, BOT)
        for n, (row, unit) in enumerate(bots.items()):
            self._bots[n] = (*_limits_of(unit.sheet), unit.track_m, row, 0)
        self._wanted = False  # whether the compiler knows of it
        self._packed = pack(self._wheels, self._pilots, self._bots)

    def prepare(self, targets: Array, engine: Ints) -> None:
        """Compile what `leap` needs."""
        self._wanted = True
        prepare_kernel(leap, 0, 0, 1, True, targets, engine, self._packed)

    def ready(self, targets: Array, engine: Ints) -> bool:
        """Return whether `leap` is compiled: to interpret it takes longer than to make single ticks."""
        if not self._wanted:
            self.prepare(targets, engine)
        return bool(leap.compiled)

    def idle_until_us(self, now_us: int) -> float:
        """Return the time until which nothing but driving happens: a sound may end, or a servo move (us)."""
        if any(unit.asks_something or not unit.motors.still for unit in self._units):
            return now_us
        return min((unit.sound_ends_us for unit in self._units if unit.sound_ends_us > now_us), default=math.inf)

    def leap(
        self, ticks: int, t_us: int, tick_us: int, feels: bool, targets: Array, engine: Ints
    ) -> tuple[int, int, bool]:
        """Make up to so many ticks from a time on; returns the same as the kernel."""
        for n, unit in enumerate(self._units):
            self._bots["by_number"][n] = unit.before_leap(t_us + tick_us)
            self._wheels[n], self._pilots[n] = _wheels_of(unit.wheels), _pilot_of(unit.pilot)
        made, wanted, touches = leap(ticks, t_us, tick_us, feels, targets, engine, self._packed)
        for unit, wheels, pilot in zip(self._units, self._wheels.tolist(), self._pilots.tolist()):
            unit.after_leap(t_us + made * tick_us, WheelOdometry(*wheels), _piloted(*pilot))
        return made, wanted, touches
