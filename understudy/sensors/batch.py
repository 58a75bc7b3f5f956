"""A batch: all devices with an equal data sheet and mount, measured, disturbed and delayed as one array."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from understudy import rng
from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array, RaySheet, Rows, StateSheet, Truth
from understudy.sensors.noise import corrupt
from understudy.world.shapes import Mount

Cast = Callable[[RayTable, Rows, Array], None]
Tree = dict[str, Any]


class Batch:
    """Equal devices of many robots. Sample k is due at phase + k * period and never drifts."""

    def __init__(
        self, sheet: Any, mount: Mount, paths: Sequence[str], rows: Sequence[int], seed: int, tick_us: int
    ) -> None:
        self.sheet, self.mount, self.paths = sheet, mount, tuple(paths)
        self._period_us = sheet.period_us or tick_us  # 0: at every tick
        self.rows: Rows = np.array(rows, np.int64)
        self._keys = np.array([rng.key(seed, path) for path in paths], np.uint32)
        self._scales = sheet.scales()
        self._table = sheet.table(mount) if isinstance(sheet, RaySheet) else None
        self._finish = sheet.finish if isinstance(sheet, StateSheet) else None
        count, width = len(self.paths), len(self._scales)
        self._hits = np.empty((count, len(self._table.origins))) if self._table else None
        self._fresh = np.empty((count, width))
        self._waiting: deque[tuple[int, int, Array]] = deque()  # (report at, due at, values)
        self.values: Array = np.full((count, width), np.nan)
        self.stamp_us = -1
        self.taken = 0  # samples measured
        self.samples = 0  # samples reported
        self.dead = np.zeros(count, np.bool_)
        self.stuck = np.zeros(count, np.bool_)

    @property
    def next_due_us(self) -> int:
        """Return when the next sample is due (us)."""
        return int(self.sheet.phase_us + self.taken * self._period_us)

    @property
    def waiting(self) -> bool:
        """Say whether samples wait for their latency to pass."""
        return bool(self._waiting)

    def sense(self, truth: Truth, cast: Cast) -> None:
        """Take every sample that is due and report those whose latency has passed."""
        while self.next_due_us <= truth.t_us:
            due_us = self.next_due_us
            self._measure(truth, cast)
            self.taken += 1
            self._waiting.append((due_us + self.sheet.latency_us, due_us, self._fresh))
            if self.sheet.latency_us:
                self._fresh = self._fresh.copy()
        while self._waiting and self._waiting[0][0] <= truth.t_us:
            _, self.stamp_us, values = self._waiting.popleft()
            self._report(values)

    def _measure(self, truth: Truth, cast: Cast) -> None:
        out = self._fresh
        if self._table is not None and self._hits is not None:
            cast(self._table, self.rows, self._hits)
            self.sheet.reduce(self._hits, out)
        else:
            self.sheet.measure(truth, self.rows, self.mount, out)
        corrupt(self.sheet.noise, out, self._scales, self.sheet.floor(), self.sheet.nothing(), self._keys, self.taken)
        if self._finish is not None:
            self._finish(truth, out)

    def _report(self, values: Array) -> None:
        self.samples += 1
        if self.dead.any() or self.stuck.any():
            values = np.where(self.stuck[:, None], self.values, values)
            values[self.dead] = self.sheet.nothing()
        self.values[:] = values

    def state(self) -> Tree:
        """Return readings, delay line and counters."""
        return {
            "paths": list(self.paths),
            "values": self.values.copy(),
            "waiting": [[at, due, values.copy()] for at, due, values in self._waiting],
            "stamp_us": self.stamp_us,
            "taken": self.taken,
            "samples": self.samples,
            "dead": self.dead.copy(),
            "stuck": self.stuck.copy(),
        }

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        self.values[:] = state["values"]
        self._waiting = deque((at, due, np.array(values)) for at, due, values in state["waiting"])
        self.stamp_us, self.taken, self.samples = state["stamp_us"], state["taken"], state["samples"]
        self.dead[:] = state["dead"]
        self.stuck[:] = state["stuck"]

    def adopt(self, others: Sequence[Batch]) -> None:
        """Take over what earlier batches know of the same devices, after the world has changed its structure."""
        rows = {path: (old, i) for old in others for i, path in enumerate(old.paths)}
        kept = [rows[path] for path in self.paths if path in rows]
        if not kept:
            return
        self.taken = kept[0][0].taken
        self.samples, self.stamp_us = kept[0][0].samples, kept[0][0].stamp_us
        self._waiting = deque((at, due, np.full_like(self._fresh, np.nan)) for at, due, _ in kept[0][0]._waiting)
        for i, path in enumerate(self.paths):
            if path in rows:
                old, row = rows[path]
                self.values[i], self.dead[i], self.stuck[i] = old.values[row], old.dead[row], old.stuck[row]
                for (_, _, mine), (_, _, theirs) in zip(self._waiting, old._waiting):
                    mine[i] = theirs[row]


class Reading:
    """A device as a unit or a program holds it: a name, a batch and a row."""

    __slots__ = ("_batch", "_row", "name")

    def __init__(self, batch: Batch, row: int) -> None:
        self.name, self._batch, self._row = batch.paths[row], batch, row

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        return self._batch.sheet

    def read(self) -> Array:
        """Return a copy of the newest reading."""
        reading: Array = self._batch.values[self._row].copy()
        return reading

    @property
    def stamp_us(self) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        return self._batch.stamp_us

    @property
    def samples(self) -> int:
        """Return how many readings there have been."""
        return self._batch.samples
