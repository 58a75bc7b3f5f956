"""A batch: all devices with an equal data sheet and mount, measured, disturbed and delayed as one array."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from understudy import rng
from understudy.engines.rays.table import RayTable
from understudy.errors import ChangeRefused
from understudy.sensors.base import Array, Memory, RaySheet, RememberingSheet, Rows, StateSheet, Truth
from understudy.sensors.lighting import LEVEL
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
        self.memory: Memory = sheet.memory(self._keys) if isinstance(sheet, RememberingSheet) else {}
        self._recalled = (self.memory,) if isinstance(sheet, RememberingSheet) else ()
        count, width = len(self.paths), len(self._scales)
        self._fresh: Array = np.empty((count, width))
        rays = len(self._table.origins) if self._table else 0
        self._hits = None if rays == width else np.empty((count, rays))  # one ray per value needs no room of its own
        self._waiting: deque[tuple[int, int, Array]] = deque()  # (report at, due at, values)
        self.values: Array = np.full((count, width), np.nan)
        self.stamp_us = -1
        self.taken = 0  # samples measured
        self.next_due_us: int = sheet.phase_us
        self.samples = 0  # samples reported
        self.dead = np.zeros(count, np.bool_)
        self.stuck = np.zeros(count, np.bool_)
        self._failing = False

    @property
    def waiting(self) -> bool:
        """Say whether samples wait for their latency to pass."""
        return bool(self._waiting)

    def sense(self, truth: Truth, cast: Cast) -> None:
        """Take every sample that is due and report those whose latency has passed."""
        while self.next_due_us <= truth.t_us:
            due_us = self.next_due_us
            self._measure(truth, cast)
            self._count(self.taken + 1)
            if self.sheet.latency_us:
                self._waiting.append((due_us + self.sheet.latency_us, due_us, self._fresh.copy()))
            else:
                self._report(due_us, self._fresh)
                self.values, self._fresh = self._fresh, self.values
        while self._waiting and self._waiting[0][0] <= truth.t_us:
            _, due_us, values = self._waiting.popleft()
            self._report(due_us, values)
            self.values = values

    def _count(self, taken: int) -> None:
        """Note how many samples were measured; sample k is due at phase + k * period."""
        self.taken, self.next_due_us = taken, self.sheet.phase_us + taken * self._period_us

    def _measure(self, truth: Truth, cast: Cast) -> None:
        out = self._fresh
        if self._table is not None:
            hits = out if self._hits is None else self._hits
            cast(self._table, self.rows, hits)
            self.sheet.reduce(hits, out)
        else:
            self.sheet.measure(truth, self.rows, self.mount, out, *self._recalled)
        corrupt(self.sheet.noise, out, self._scales, self.sheet.floor(), self.sheet.nothing(), self._keys, self.taken)
        if self._finish is not None:
            self._finish(truth, out)

    def _report(self, due_us: int, values: Array) -> None:
        """Count a reading and let failed devices spoil it."""
        self.stamp_us = due_us
        self.samples += 1
        if self._failing:
            values[self.stuck] = self.values[self.stuck]
            values[self.dead] = self.sheet.nothing()

    def fail(self, path: str, effect: str, active: bool) -> None:
        """Let the device at *path* read nothing (dead) or repeat itself (stuck), or work again."""
        row = self.paths.index(path)
        self.dead[row], self.stuck[row] = active and effect == "dead", active and effect == "stuck"
        self._failing = bool(self.dead.any() or self.stuck.any())

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
            "memory": {name: rows.copy() for name, rows in self.memory.items()},
        }

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        self.values = np.array(state["values"])
        self._waiting = deque((at, due, np.array(values)) for at, due, values in state["waiting"])
        self.stamp_us, self.samples = state["stamp_us"], state["samples"]
        self._count(state["taken"])
        self.dead[:], self.stuck[:] = state["dead"], state["stuck"]
        self._failing = bool(self.dead.any() or self.stuck.any())
        for name, rows in state["memory"].items():
            self.memory[name][:] = rows

    def adopt(self, others: Sequence[Batch]) -> None:
        """Take over what earlier batches know of the same devices, after the world has changed its structure."""
        rows = {path: (old, i) for old in others for i, path in enumerate(old.paths)}
        kept = [rows[path] for path in self.paths if path in rows]
        if not kept:
            return
        self._count(kept[0][0].taken)
        self.samples, self.stamp_us = kept[0][0].samples, kept[0][0].stamp_us
        self._waiting = deque((at, due, np.full_like(self._fresh, np.nan)) for at, due, _ in kept[0][0]._waiting)
        for i, path in enumerate(self.paths):
            if path in rows:
                old, row = rows[path]
                self.values[i], self.dead[i], self.stuck[i] = old.values[row], old.dead[row], old.stuck[row]
                self._remember(i, old, row)
                for (_, _, mine), (_, _, theirs) in zip(self._waiting, old._waiting):
                    mine[i] = theirs[row]
        self._failing = bool(self.dead.any() or self.stuck.any())

    def _remember(self, row: int, old: Batch, its_row: int) -> None:
        """Take over what an earlier device of the same kind remembers, as far as this one remembers the same."""
        theirs = old.memory if old.sheet.kind == self.sheet.kind else {}
        for name, mine in self.memory.items():
            if name in theirs and mine.shape[1:] == theirs[name].shape[1:]:
                mine[row] = theirs[name][its_row]


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

    def switch(self, level: float) -> None:
        """Switch a device that shines: 0 is off, 1 is on; raises ChangeRefused if this is none."""
        if LEVEL not in self._batch.memory:
            raise ChangeRefused(f"{self.name} is a {self.sheet.kind}: it cannot be switched")
        self._batch.memory[LEVEL][self._row] = min(max(level, 0.0), 1.0)

    @property
    def stamp_us(self) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        return self._batch.stamp_us

    @property
    def samples(self) -> int:
        """Return how many readings there have been."""
        return self._batch.samples
