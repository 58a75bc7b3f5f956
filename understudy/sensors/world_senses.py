"""Everything that the robots of many worlds sense in a tick: level rays in one compiled call, the rest by batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from understudy.engines.planar.worlds import PlanarWorlds
from understudy.sensors.base import Truth
from understudy.sensors.level_rays import Observer
from understudy.sensors.surroundings import Surroundings
from understudy.sensors.world_batch import WorldBatch

Ints = npt.NDArray[np.int64]


class WorldSenses:
    """The batches of many worlds, measured when they are due."""

    def __init__(self, engine: PlanarWorlds, batches: Sequence[WorldBatch], around: Surroundings) -> None:
        self._engine, self._batches, self._around = engine, batches, around
        self._loads = tuple(batch for batch in batches if batch.sheet.power_w)
        for batch in batches:
            batch.check(self._truth(np.zeros(len(batch.paths), np.int64)))
        self._observer = Observer(engine.sight, batches)

    def _truth(self, t_us: Ints) -> Truth:
        """Return what is true for devices at their times."""
        differ = bool((t_us != t_us[0]).any())
        return Truth(int(t_us[0]), self._engine, self._around, (), self._loads, by_device_us=t_us if differ else None)

    def sense(self, t_us: Ints) -> None:
        """Measure what is due at the times of the worlds."""
        together = bool((t_us == t_us[0]).all())
        direct = [batch for batch in self._batches if batch.direct]
        in_step = [batch for batch in direct if together and batch.is_in_step]
        self._observe_all([batch for batch in in_step if batch.next_due_us[0] <= t_us[0]])
        for batch in direct:
            if batch not in in_step:
                self._observe_some(batch, batch.due(t_us))
        for batch in self._batches:
            if not batch.direct:
                batch.sense(t_us, self._truth)

    def _observe_all(self, batches: Sequence[WorldBatch]) -> None:
        """Let compiled code take a sample in all worlds, which are equally old."""
        if not batches:
            return
        for batch in batches:
            self._observer.due[batch.job], self._observer.sample[batch.job] = 1, batch.taken[0]
        self._observer.run(max(len(batch.rows) for batch in batches))
        everywhere = np.arange(self._engine.count)
        for batch in batches:
            batch.sensed(everywhere)

    def _observe_some(self, batch: WorldBatch, worlds: Ints) -> None:
        """Let compiled code take a sample in some worlds, each its own."""
        if len(worlds):
            samples = np.repeat(batch.taken, len(batch.paths))
            self._observer.run_rows(batch.job, batch.places(worlds), samples)
            batch.sensed(worlds)
