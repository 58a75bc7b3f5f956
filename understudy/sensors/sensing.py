"""All sensing of a tick: level rays of all batches in one compiled call, the rest batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.engines.base import Engine
from understudy.engines.rays.level.caster import Sight
from understudy.sensors.base import Array, MotorLoads, Truth
from understudy.sensors.batch import Batch
from understudy.sensors.level_rays import Observer
from understudy.sensors.light import Lamp
from understudy.sensors.surroundings import Surroundings


class Senses:
    """The batches of a run, measured when they are due."""

    def __init__(self, engine: Engine, batches: Sequence[Batch], around: Surroundings) -> None:
        self._engine, self._batches, self._around = engine, batches, around
        self._lamps = tuple(batch for batch in batches if isinstance(batch.sheet, Lamp))
        self._loads = tuple(batch for batch in batches if batch.sheet.power_w)
        self._sight: Sight | None = None
        self.observer: Observer  # handles what compiled code can do

    def sense(self, t_us: int, slipped: Array | None = None, motors: MotorLoads | None = None) -> None:
        """Measure every batch that is due; *slipped* is the path that wheels slipped, *motors* load batteries."""
        due = [batch for batch in self._batches if batch.next_due_us <= t_us or batch.waiting]
        if not due:
            return
        if self._sight is not self._engine.sight:
            self._hire()
        direct = [batch for batch in due if batch.direct]
        if direct:
            self._observe(direct)
        if len(direct) == len(due):
            return
        truth = Truth(t_us, self._engine, self._around, self._lamps, self._loads, slipped=slipped, motors=motors)
        for batch in due:
            if not batch.direct:
                here = truth.on(batch.joint)
                batch.sense(here, here.engine.cast)

    def _hire(self) -> None:
        """Assign all suitable batches to compiled code."""
        for batch in self._batches:
            batch.serve(-1)
        self._sight = self._engine.sight
        if self._sight is not None:
            self.observer = Observer(self._sight, self._batches)

    def _observe(self, batches: list[Batch]) -> None:
        observer, robots = self.observer, 0
        for batch in batches:
            observer.due[batch.job], observer.sample[batch.job] = 1, batch.taken
            robots = max(robots, len(batch.paths))
        observer.run(robots)
        for batch in batches:
            batch.sensed()
