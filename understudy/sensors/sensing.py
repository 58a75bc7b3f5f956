"""All sensing of a tick: level rays of all batches in one compiled call, the rest batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy import rng
from understudy.engines.base import Engine
from understudy.engines.rays.level.caster import Sight
from understudy.sensors.base import Array, MotorLoads, Truth
from understudy.sensors.batch import Batch
from understudy.sensors.level_rays import Observer
from understudy.sensors.light import Lamp
from understudy.sensors.measuring import Measuring
from understudy.sensors.surroundings import Surroundings
from understudy.world.shapes import Mount


class Senses:
    """The batches of a run, measured when they are due."""

    def __init__(self, engine: Engine, batches: Sequence[Batch], around: Surroundings) -> None:
        self._engine, self._batches, self._around = engine, batches, around
        self._lamps = tuple(batch for batch in batches if isinstance(batch.sheet, Lamp))
        self._loads = tuple(batch for batch in batches if batch.sheet.power_w)
        self._sight: Sight | None = None
        self._now: tuple[int, Array | None, MotorLoads | None] = (0, None, None)
        self._truths: dict[str, Truth] = {}  # of this tick by joint, as far as somebody has asked
        self.observer: Observer  # handles what compiled code can do

    def sense(self, t_us: int, slipped: Array | None = None, motors: MotorLoads | None = None) -> None:
        """Measure every batch that is due; *slipped* is the path that wheels slipped, *motors* load batteries."""
        due = [batch for batch in self._batches if batch.next_due_us <= t_us or batch.waiting]
        if not due:
            return
        if self._sight is not self._engine.sight:
            self._hire()
        self._now = t_us, slipped, motors
        self._truths.clear()
        measured = []
        for batch in due:
            if batch.defers:
                batch.put_off(self, t_us)
            else:
                measured.append(batch)
        if measured:
            self._measure(measured)

    def _measure(self, due: list[Batch]) -> None:
        """Measure batches now: in compiled code, or one by one."""
        direct = [batch for batch in due if batch.direct]
        if direct:
            self._observe(direct)
        for batch in due:
            if not batch.direct:
                truth = self.truth(batch.joint)
                batch.sense(truth, truth.engine.cast)

    def truth(self, joint: str) -> Truth:
        """Return the true state at this tick in the frame of the joints with this name; empty: that of the robots."""
        made = self._truths.get(joint)
        if made is None:
            t_us, slipped, motors = self._now
            base = Truth(t_us, self._engine, self._around, self._lamps, self._loads, slipped=slipped, motors=motors)
            made = self._truths[joint] = base.on(joint) if joint else base
        return made

    def once(self, t_us: int, sheet: Any, mount: Mount, row: int, owner: tuple[int, str], sample: int) -> Array:
        """Return what a device with this sheet and mount on a robot would report now; it need not be one of the run."""
        truth = Truth(t_us, self._engine, self._around, self._lamps, self._loads)
        keys = np.array([rng.key(*owner)], np.uint32)
        measuring = Measuring(sheet, mount, max(sheet.period_us, 1))
        memory = measuring.memory(keys)
        out: Array = measuring.measure(truth, self._engine.cast, np.array([row]), keys, sample, memory)[0]
        return out

    def settle(self) -> None:
        """Measure every sample that was put off until it is read, before the world changes."""
        for batch in self._batches:
            batch.settle()

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
