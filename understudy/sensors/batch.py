"""A batch: all devices with an equal data sheet and mount, measured, disturbed and delayed as one array."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import rng
from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array, Glance, Memory, RaySheet, RememberingSheet, Rows, Sampled, Truth
from understudy.sensors.filters import Filter
from understudy.sensors.noise import corrupt, wander
from understudy.world.shapes import Mount

Cast = Callable[[RayTable, Rows, Array], None]
Tree = dict[str, Any]


class Batch:
    """Equal devices of many robots. Sample k is due at phase + k * period and never drifts."""

    def __init__(
        self,
        sheet: Any,
        mount: Mount,
        paths: Sequence[str],
        rows: Sequence[int],
        seed: int,
        tick_us: int,
        own_stage: Filter | None = None,
        joint: str = "",
    ) -> None:
        self.sheet, self.mount, self.paths = sheet, mount, tuple(paths)
        self.joint = joint
        self._own_stage = own_stage
        self._problems: list[tuple[str, str]] = []
        self._period_us = sheet.period_us or tick_us  # 0: at every tick
        self.rows: Rows = np.array(rows, np.int64)
        self.keys = np.array([rng.key(seed, path) for path in paths], np.uint32)
        self.scales: Array = np.ascontiguousarray(sheet.scales(), np.float64)
        self.table: RayTable | None = sheet.table(mount) if isinstance(sheet, RaySheet) else None
        self.looks: RayTable | None = None  # the rays that stand for it in drawings, once somebody draws
        self._reduce = getattr(sheet, "reduce", None)
        self._closer = bool(getattr(sheet, "closer", False))
        self._whole = bool(getattr(sheet, "whole", False))
        self._finish = sheet.finish if type(sheet).finish is not Sampled.finish else None
        count, width = len(self.paths), len(self.scales)
        self.memory: Memory = sheet.memory(self.keys) if isinstance(sheet, RememberingSheet) else {}
        self._recalled = (self.memory,) if isinstance(sheet, RememberingSheet) else ()
        self.values: Array = np.full((count, width), np.nan)
        rays = len(self.table.origins) if self.table else width
        self.hits: Array = self.values if rays == width else np.empty((count, rays))
        if sheet.noise.amount("drift") > 0.0:
            self.memory["drift"] = np.zeros((count, width))
        self.waiting: deque[tuple[int, int, Array]] = deque()  # for their latency: (report at, due at, values)
        self.stamp_us = -1
        self.taken = 0  # samples measured
        self.next_due_us: int = sheet.phase_us
        self.samples = 0  # samples reported
        self.dead = np.zeros(count, np.bool_)
        self.stuck = np.zeros(count, np.bool_)
        self.off = np.full(count, not getattr(sheet, "on", True))  # a sheet may say that its devices begin so
        self._failing = bool(self.off.any())
        # whether compiled code may write readings in place, one at a tick: nothing is delayed, nothing comes between
        noise = sheet.noise
        self.simple = (
            self.table is not None
            and self._reduce is None
            and not (self._closer or self._whole)
            and self._finish is None
            and own_stage is None
            and not joint
            and not sheet.latency_us
            and self._period_us >= tick_us
            and (noise.plain or noise.preset == "perfect")
        )
        self.serve(-1)

    def serve(self, job: int) -> None:
        """Hear its number among those that compiled code serves; -1: it is not served."""
        self.job = job
        self.direct = job >= 0 and not self._failing  # whether compiled code takes the next sample

    def sense(self, truth: Truth, cast: Cast) -> None:
        """Take every sample that is due and report those whose latency has passed."""
        while self.next_due_us <= truth.t_us:
            due_us, fresh = self.next_due_us, self._measure(truth, cast)
            if self._own_stage is not None:
                self._filter(self._own_stage, fresh, due_us)
            self._count(self.taken + 1)
            if self.sheet.latency_us:
                self.waiting.append((due_us + self.sheet.latency_us, due_us, fresh))
            else:
                self._report(due_us, fresh)
        while self.waiting and self.waiting[0][0] <= truth.t_us:
            _, due_us, values = self.waiting.popleft()
            self._report(due_us, values)

    def _filter(self, stage: Filter, fresh: Array, due_us: int) -> None:
        """Let the user's own stage work on a sample; a device on which it fails is dead from now on."""
        for row, problem in stage(fresh, due_us, self.keys, self.taken, ~self.dead):
            self._problems.append((self.paths[row], problem))
            self.fail(self.paths[row], "dead", True)

    def problems(self) -> list[tuple[str, str]]:
        """Return the devices whose filter has failed since last asked, and why."""
        found, self._problems = self._problems, []
        return found

    def sensed(self) -> None:
        """Note that compiled code has written the sample that was due."""
        self.stamp_us = self.next_due_us
        self.taken += 1
        self.samples += 1
        self.next_due_us += self._period_us

    def _count(self, taken: int) -> None:
        """Note how many samples were measured; sample k is due at phase + k * period."""
        self.taken, self.next_due_us = taken, self.sheet.phase_us + taken * self._period_us

    def is_due_at(self, now_us: int) -> bool:
        """Say whether the next sample is where it is in a run of this time: neither long past nor far away."""
        early = now_us - 2 * self._period_us
        return bool(early < self.next_due_us <= max(now_us, self.sheet.phase_us) + 2 * self._period_us)

    def _measure(self, truth: Truth, cast: Cast) -> Array:
        """Return a sample as the device would report it at once."""
        sheet, out = self.sheet, np.empty_like(self.values)
        if self.table is not None and self._closer:
            sheet.look(Glance(truth, self.table, self.mount, self.rows, self.keys, self.taken), out)
        elif self.table is not None:
            self._range(self.table, cast, out)
        else:
            sheet.measure(truth, self.rows, self.mount, out, *self._recalled)
        walk = self.memory.get("drift")
        if walk is not None:
            wander(sheet.noise, walk, self.keys, self.taken, self._period_us)
        least, nothing = sheet.floor(), sheet.nothing()
        corrupt(sheet.noise, out, self.scales, least, nothing, self.keys, self.taken, walk, self._whole)
        if self._closer:
            sheet.settle(out)
        if self._finish is not None:
            self._finish(truth, out)
        return out

    def _range(self, table: RayTable, cast: Cast, out: Array) -> None:
        """Write distances: the nearest of each value's rays, or what the sheet makes of them."""
        count, width = out.shape
        hits = np.empty((count, len(table.origins)))
        cast(table, self.rows, hits)
        if table.lengths is not None:
            hits[hits >= table.lengths] = table.limit_m
        if self._reduce is not None:
            self._reduce(hits, out)
        else:
            nearest = hits.reshape(count, width, hits.shape[1] // width).min(axis=2)
            np.maximum(nearest, self.sheet.floor(), out=out)

    def _report(self, due_us: int, values: Array) -> None:
        """Show a reading; failed devices spoil it."""
        self.stamp_us = due_us
        self.samples += 1
        if self._failing:
            values[self.stuck] = self.values[self.stuck]
            values[self.dead | self.off] = self.sheet.blank()
        self.values[:] = values

    def fail(self, path: str, effect: str, active: bool) -> None:
        """Let the device at *path* read nothing (dead) or repeat itself (stuck), or work again."""
        row = self.paths.index(path)
        self.dead[row], self.stuck[row] = active and effect == "dead", active and effect == "stuck"
        self._heed_failures()

    def switch(self, path: str, on: bool) -> None:
        """Turn the device at *path* on or off."""
        self.off[self.paths.index(path)] = not on
        self._heed_failures()

    @property
    def lit(self) -> npt.NDArray[np.bool_]:
        """Say which devices are on and have not failed."""
        return np.asarray(~(self.off | self.dead))

    def _heed_failures(self) -> None:
        self._failing = bool(self.dead.any() or self.stuck.any() or self.off.any())
        self.serve(self.job)

    def state(self) -> Tree:
        """Return readings, delay line and counters."""
        return {
            "paths": list(self.paths),
            "values": self.values.copy(),
            "waiting": [[at, due, values.copy()] for at, due, values in self.waiting],
            "stamp_us": self.stamp_us,
            "taken": self.taken,
            "samples": self.samples,
            "dead": self.dead.copy(),
            "stuck": self.stuck.copy(),
            "off": self.off.copy(),
            "memory": {name: rows.copy() for name, rows in self.memory.items()},
        }

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        self.values[:] = state["values"]
        self.waiting = deque((at, due, np.array(values)) for at, due, values in state["waiting"])
        self.stamp_us, self.samples = state["stamp_us"], state["samples"]
        self._count(state["taken"])
        self.dead[:], self.stuck[:], self.off[:] = state["dead"], state["stuck"], state["off"]
        self._heed_failures()
        for name, rows in state["memory"].items():
            self.memory[name][:] = rows

    def adopt(self, others: Sequence[Batch], now_us: int = 0) -> None:
        """Take over what earlier batches know of the same devices, after the world has changed its structure.

        Devices that are new, or read another number of values now, begin with the sample that is due next.
        """
        alike = [old for old in others if len(old.scales) == len(self.scales)]
        rows = {path: (old, i) for old in alike for i, path in enumerate(old.paths)}
        kept = [rows[path] for path in self.paths if path in rows]
        if not kept:
            self._count(max(0, -((self.sheet.phase_us - now_us) // self._period_us)))
            return
        self._count(kept[0][0].taken)
        self.samples, self.stamp_us = kept[0][0].samples, kept[0][0].stamp_us
        self.waiting = deque((at, due, np.full_like(self.values, np.nan)) for at, due, _ in kept[0][0].waiting)
        for i, path in enumerate(self.paths):
            if path in rows:
                old, row = rows[path]
                self.values[i] = old.values[row]
                self.dead[i], self.stuck[i], self.off[i] = old.dead[row], old.stuck[row], old.off[row]
                self._remember(i, old, row)
                for (_, _, mine), (_, _, theirs) in zip(self.waiting, old.waiting):
                    mine[i] = theirs[row]
        self._heed_failures()

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

    @property
    def place(self) -> tuple[Batch, int]:
        """Return where the device is kept: its batch and its row there."""
        return self._batch, self._row

    def read(self) -> Array:
        """Return a copy of the newest reading."""
        reading: Array = self._batch.values[self._row].copy()
        return reading

    def switch(self, on: bool) -> None:
        """Turn the device on or off, from the next sample on."""
        self._batch.switch(self.name, on)

    @property
    def stamp_us(self) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        return self._batch.stamp_us

    @property
    def samples(self) -> int:
        """Return how many readings there have been."""
        return self._batch.samples
