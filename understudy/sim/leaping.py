"""Many ticks at once: while nothing but robots' wheels and their EyeBots has something to do, one compiled call.

It never changes a result; it only leaves out what a tick would find out in vain. Sensors that are measured when they
are read, devices that are off, and bumpers that touch nothing do not stand in the way; everything else does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from understudy.engines.base import Array, Engine
from understudy.engines.planar.engine import PlanarEngine
from understudy.robots.base import Asking, Unit
from understudy.robots.eyebot.firmware import Eyebot
from understudy.robots.eyebot.leap import LeapingBots
from understudy.sensors.batch import Batch, Reading
from understudy.sensors.wheels import Encoders
from understudy.world.robot import PlacedRobot

_LEAST = 2  # ticks; fewer are made one by one


class Leaps:
    """What a run can make many ticks of at once, from one structural change to the next."""

    def __init__(
        self, engine: PlanarEngine, targets: Array, bots: Mapping[int, Eyebot], batches: Sequence[Batch], tick_us: int
    ) -> None:
        self._engine, self._targets, self._batches, self._tick_us = engine, targets, batches, tick_us
        self._bots = LeapingBots(bots)
        self._encoders = {encoders.place[0] for unit in bots.values() if (encoders := _encoders(unit))}

    def prepare(self) -> None:
        """Compile what it needs."""
        self._bots.prepare(self._targets, self._engine.packed)

    def leap(self, most: float, now_us: int) -> int:
        """Make up to so many ticks, except for the sensing after the last; returns how many, 0 if none at once."""
        if not self._bots.ready(self._targets, self._engine.packed):
            return 0
        if not all(batch.exact and batch.stamp_us == now_us for batch in self._encoders):
            return 0
        awake = [batch for batch in self._batches if not batch.skipped]
        calm = [batch for batch in awake if batch.calm]
        ends = [now_us if batch.waiting else batch.next_due_us for batch in awake if batch not in calm]
        idle_us = min(ends, default=math.inf)
        ticks = min(most, self._ticks_to(min(idle_us, self._bots.idle_until_us(now_us)) - now_us))
        return self._go(ticks, now_us, calm) if ticks >= _LEAST else 0

    def _ticks_to(self, us: float) -> float:
        """Return how many ticks it takes for a time to pass."""
        return -(-us // self._tick_us)

    def _go(self, ticks: float, now_us: int, calm: Sequence[Batch]) -> int:
        engine, targets = self._engine, self._targets
        made, wanted, touches = self._bots.leap(int(ticks), now_us, self._tick_us, bool(calm), targets, engine.packed)
        engine.finish(targets, wanted)
        end_us = now_us + made * self._tick_us
        for batch in calm:
            batch.pass_over(end_us - 1 if wanted or touches else end_us)
        return made


def leaps_of(
    engine: Engine, targets: Array, robots: Sequence[PlacedRobot], units: Mapping[str, Unit], batches: Sequence[Batch],
    tick_us: int,
) -> Leaps | None:  # fmt: skip
    """Return what can leap; None if something of this run has to be called in every tick."""
    busy = [unit for unit in units.values() if unit.ticks or isinstance(unit, Asking)]
    if not isinstance(engine, PlanarEngine) or len(engine.chain) or not all(map(_encoders, busy)):
        return None
    rows = {robot.name: row for row, robot in enumerate(robots)}
    bots = {rows[path.partition("/")[0]]: unit for path, unit in units.items() if isinstance(unit, Eyebot)}
    return Leaps(engine, targets, bots, batches, tick_us) if len(bots) == len(busy) else None


def _encoders(unit: Unit) -> Reading | None:
    """Return the encoders of an EyeBot, if they count smoothly; None: it cannot leap."""
    device = unit.device("encoders") if isinstance(unit, Eyebot) else None
    smooth = isinstance(device, Reading) and isinstance(device.sheet, Encoders) and not device.sheet.ticks_per_m
    return device if isinstance(device, Reading) and smooth else None
