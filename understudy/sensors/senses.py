"""Everything that robots sense in a tick: level rays of all batches in one compiled call, the rest batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.engines.base import Engine
from understudy.sensors.base import Truth
from understudy.sensors.batch import Batch
from understudy.sensors.observe import Observer
from understudy.world.geo import Frame


class Senses:
    """The batches of a run, measured when they are due."""

    def __init__(self, engine: Engine, batches: Sequence[Batch], frame: Frame) -> None:
        self._engine, self._batches, self._frame = engine, batches, frame
        self._observer: Observer | None = None

    def sense(self, t_us: int) -> None:
        """Measure what is due."""
        due = [batch for batch in self._batches if batch.next_due_us <= t_us or batch.waiting]
        if not due:
            return
        if self._observer is None or not self._observer.serves(self._engine.sight):
            self._hire()
        truth = Truth(t_us, self._engine, self._frame)
        direct = [batch for batch in due if batch.direct]
        if direct:
            self._observe(direct, truth)
        if len(direct) < len(due):
            for batch in due:
                if not batch.direct:
                    batch.sense(truth, self._engine.cast)

    def _hire(self) -> None:
        """Let compiled code serve all batches that it can."""
        for batch in self._batches:
            batch.job = -1
        sight = self._engine.sight
        self._observer = Observer(sight, self._batches) if sight is not None else None

    def _observe(self, batches: list[Batch], truth: Truth) -> None:
        observer = self._observer
        assert observer is not None
        for batch in batches:
            observer.want(batch.job, batch.taken)
        observer.run(max([len(batch.paths) for batch in batches]))
        for batch in batches:
            batch.sensed(truth)
