"""A batch: all devices with the same data sheet and mount, measured, disturbed and delayed as one array."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from understudy import rng
from understudy.engines.rays.table import RayTable
from understudy.sensors import failing
from understudy.sensors.base import Array, Memory, Rows, Truth
from understudy.sensors.filters import Filter
from understudy.sensors.measuring import Cast, Measuring, OddNoise
from understudy.world.drive_stages import Dead, Stuck
from understudy.world.faults import Delay, Effect
from understudy.world.shapes import Mount

Tree = dict[str, Any]


class Present(Protocol):
    """Gives the true state at the present tick, for samples that are measured when they are read."""

    def truth(self, joint: str) -> Truth:
        """Return the true state in the frame of the joints with this name; empty: that of the robots."""
        ...


class Batch:
    """Identical devices of many robots. Sample k is due at phase + k * period and never drifts."""

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
        self._measuring = Measuring(sheet, mount, tick_us)
        self._period_us = self._measuring.period_us
        self.rows: Rows = np.array(rows, np.int64)
        self.keys = np.array([rng.key(seed, path) for path in paths], np.uint32)
        self.scales, self.table = self._measuring.scales, self._measuring.table
        self.looks: RayTable | None = None  # the rays that represent it in drawings, created on first use
        count, width = len(self.paths), len(self.scales)
        self.memory: Memory = self._measuring.memory(self.keys)
        self._values: Array = np.full((count, width), np.nan)
        rays = len(self.table.origins) if self.table else width
        self.hits: Array = self._values if rays == width else np.empty((count, rays))
        self.waiting: deque[tuple[int, int, Array]] = deque()  # during their latency: (report at, due at, values)
        self.stamp_us = -1
        self.taken = 0  # samples measured
        self.next_due_us: int = sheet.phase_us
        self.samples = 0  # samples reported
        self.dead = np.zeros(count, np.bool_)
        self.stuck = np.zeros(count, np.bool_)
        self.off = np.full(count, not sheet.on)
        self._effects: dict[int, Effect] = {}  # what is wrong with some rows
        self._noises: dict[int, OddNoise] = {}  # rows whose noise is another one because of that
        self._late: dict[int, failing.LateRow] = {}
        self._failing = bool(self.off.any())
        self.simple = own_stage is None and not joint and self._measuring.simple
        # with a sample at every tick, one that nobody reads before the next is not needed: nothing depends on it
        self._deferrable = self._measuring.deferrable and own_stage is None and not self.memory
        self._calms = own_stage is None and not joint and self._measuring.calms
        self._blank = bool(self.off.all())  # whether the readings are those of devices that are off
        if self._blank:
            self._values[:] = sheet.blank()
        self._unread: tuple[Present, int] | None = None  # a sample that is measured when it is read
        self.serve(-1)

    @property
    def values(self) -> Array:
        """Return the newest readings, one row per device."""
        if self._unread is not None:
            self.settle()
        return self._values

    def settle(self) -> None:
        """Measure a sample that was put off: before something changes the world that it is a sample of."""
        if self._unread is not None:
            present, sample = self._unread
            self._unread = None
            truth = present.truth(self.joint)
            if self._measuring.bare and not self._noises:
                self._measuring.tell(truth, self.rows, self.memory, self._values)
            else:
                self._values[:] = self._measured(truth, truth.engine.cast, sample)

    def serve(self, job: int) -> None:
        """Set its number among the jobs of compiled code; -1: not handled by compiled code."""
        self.job = job
        self.direct = job >= 0 and not self._failing  # whether compiled code takes the next sample
        self.defers = (
            self._deferrable and not self._failing and not self.direct
        )  # whether it is measured when it is read

    def put_off(self, present: Present, t_us: int) -> None:
        """Take the samples that are due, the last of them to be measured when it is read."""
        if self.next_due_us <= t_us:
            self.pass_over(t_us)
            self._unread = present, self.taken - 1

    def pass_over(self, t_us: int) -> None:
        """Count the samples that are due without measuring them: the reading stays, or nobody reads it."""
        count = (t_us - self.next_due_us) // self._period_us + 1
        if count > 0:
            self.taken += count
            self.samples += count
            self.next_due_us += count * self._period_us
            self.stamp_us = self.next_due_us - self._period_us

    @property
    def skipped(self) -> bool:
        """Return whether its samples need not be taken one by one: measured when read, or devices that stay off."""
        return (self.defers or self._dark()) and not self.waiting

    @property
    def calm(self) -> bool:
        """Return whether further samples change nothing as long as no robot touches anything."""
        return self._calms and not self._failing and self.sheet.calm(self.memory) and not self._values.any()

    @property
    def exact(self) -> bool:
        """Return whether readings are the truth of their tick."""
        return self.defers and self._measuring.bare and not self._noises

    def sense(self, truth: Truth, cast: Cast) -> None:
        """Take every sample that is due and report those whose latency has passed."""
        while self.next_due_us <= truth.t_us:
            due_us = self.next_due_us
            if self._dark():
                self.sensed()
                continue
            fresh = self._measured(truth, cast, self.taken)
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

    def _measured(self, truth: Truth, cast: Cast, sample: int) -> Array:
        return self._measuring.measure(truth, cast, self.rows, self.keys, sample, self.memory, self._noises)

    def _dark(self) -> bool:
        """Return whether nothing needs to be measured: all devices are off, and have been at the sample before."""
        return self._failing and self._blank and not self.memory and bool(self.off.all())

    def _filter(self, stage: Filter, fresh: Array, due_us: int) -> None:
        """Apply the user's filter to a sample; a device whose filter fails is dead from then on."""
        for row, problem in stage(fresh, due_us, self.keys, self.taken, ~self.dead):
            self._problems.append((self.paths[row], problem))
            self.fail(self.paths[row], Dead(), True)

    def problems(self) -> list[tuple[str, str]]:
        """Return the devices whose filter has failed since the last call, and why."""
        found, self._problems = self._problems, []
        return found

    def sensed(self) -> None:
        """Record that the sample that was due is taken, by compiled code or when it is read."""
        self.stamp_us = self.next_due_us
        self.taken += 1
        self.samples += 1
        self.next_due_us += self._period_us

    def _count(self, taken: int) -> None:
        """Set the number of samples measured; sample k is due at phase + k * period."""
        self.taken, self.next_due_us = taken, self.sheet.phase_us + taken * self._period_us

    def is_due_at(self, now_us: int) -> bool:
        """Return whether the time of the next sample is plausible for this time: neither long past nor far ahead."""
        early = now_us - 2 * self._period_us
        return bool(early < self.next_due_us <= max(now_us, self.sheet.phase_us) + 2 * self._period_us)

    def _report(self, due_us: int, values: Array) -> None:
        """Publish a reading; failed devices change it."""
        self.stamp_us = due_us
        self.samples += 1
        if self._failing:
            values[self.stuck] = self.values[self.stuck]
            for row, late in self._late.items():
                values[row] = late.shown(values[row], self.values[row], due_us)
            values[self.dead | self.off] = self.sheet.blank()
        self._blank = self._failing and not self.waiting and bool(self.off.all())
        self._values[:] = values

    def fail(self, path: str, effect: Effect, active: bool) -> None:
        """Make the device at *path* fail in this way and no other, or work again."""
        row = self.paths.index(path)
        for table in (self._effects, self._noises, self._late):
            table.pop(row, None)
        self.dead[row] = self.stuck[row] = False
        if active:
            self._suffer(row, effect)
        self._heed_failures()

    def keep_failing(self, path: str, effect: Effect) -> None:
        """Make the device at *path* fail in this way, unless it fails already."""
        if self.paths.index(path) not in self._effects:
            self.fail(path, effect, True)

    def _suffer(self, row: int, effect: Effect) -> None:
        self._effects[row] = effect
        self.dead[row], self.stuck[row] = isinstance(effect, Dead), isinstance(effect, Stuck)
        if (noise := failing.altered(self.sheet.noise, effect)) is not None:
            self._noises[row] = noise, failing.drift_scale(effect)
        if isinstance(effect, Delay):
            self._late[row] = failing.LateRow(effect.delay_us)

    def switch(self, path: str, on: bool) -> None:
        """Turn the device at *path* on or off."""
        self.off[self.paths.index(path)] = not on
        self._heed_failures()

    def power(self, path: str, share: float) -> None:
        """Supply the device at *path* with a share of its power: 0 turns it off, and a lamp is as bright as that."""
        self.switch(path, share != 0.0)
        if "level" in self.memory and share:
            self.memory["level"][self.paths.index(path)] = abs(share)

    @property
    def lit(self) -> npt.NDArray[np.bool_]:
        """Return which devices are on and have not failed."""
        return np.asarray(~(self.off | self.dead))

    @property
    def level(self) -> Array:
        """Return the share of their power that lamps are supplied with."""
        return self.memory["level"]

    def _heed_failures(self) -> None:
        self.settle()
        self._failing = bool(self.dead.any() or self.stuck.any() or self.off.any() or self._effects)
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
            "late": {self.paths[row]: late.state() for row, late in self._late.items()},
            "memory": {name: rows.copy() for name, rows in self.memory.items()},
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; its faults are already set."""
        self._unread = None
        self._values[:] = state["values"]
        self.waiting = deque((at, due, np.array(values)) for at, due, values in state["waiting"])
        self.stamp_us, self.samples = state["stamp_us"], state["samples"]
        self._count(state["taken"])
        self.dead[:], self.stuck[:], self.off[:] = state["dead"], state["stuck"], state["off"]
        for row, late in self._late.items():
            late.line = deque((at, np.array(values)) for at, values in state["late"].get(self.paths[row], ()))
        self._heed_failures()
        for name, rows in state["memory"].items():
            self.memory[name][:] = rows

    def adopt(self, others: Sequence[Batch], now_us: int = 0) -> None:
        """Take over the state of earlier batches for the same devices, after a structural change of the world.

        Devices that are new, or now have another number of values, start with the sample that is due next.
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
                self._values[i] = old.values[row]
                if row in old._effects:
                    self._suffer(i, old._effects[row])
                if i in self._late:
                    self._late[i].line = deque(old._late[row].line)
                self.dead[i], self.stuck[i], self.off[i] = old.dead[row], old.stuck[row], old.off[row]
                self._remember(i, old, row)
                for (_, _, mine), (_, _, theirs) in zip(self.waiting, old.waiting):
                    mine[i] = theirs[row]
        self._heed_failures()

    def _remember(self, row: int, old: Batch, its_row: int) -> None:
        """Take over the memory of an earlier device of the same kind, as far as the entries match."""
        theirs = old.memory if old.sheet.kind == self.sheet.kind else {}
        for name, mine in self.memory.items():
            if name in theirs and mine.shape[1:] == theirs[name].shape[1:]:
                mine[row] = theirs[name][its_row]


class Reading:
    """A device as a unit or a program sees it: a name, a batch and a row."""

    __slots__ = ("_batch", "_row", "name")

    def __init__(self, batch: Batch, row: int) -> None:
        self.name, self._batch, self._row = batch.paths[row], batch, row

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        return self._batch.sheet

    @property
    def place(self) -> tuple[Batch, int]:
        """Return where the device is stored: its batch and its row there."""
        return self._batch, self._row

    def read(self) -> Array:
        """Return a copy of the newest reading."""
        reading: Array = self._batch.values[self._row].copy()
        return reading

    def switch(self, on: bool) -> None:
        """Turn the device on or off, starting with the next sample."""
        self._batch.switch(self.name, on)

    def power(self, share: float) -> None:
        """Supply the device with a share of its power, from the next sample on; 0 turns it off."""
        self._batch.power(self.name, share)

    @property
    def stamp_us(self) -> int:
        """Return when the newest reading was due; -1 before the first (us)."""
        return self._batch.stamp_us

    @property
    def samples(self) -> int:
        """Return the number of readings so far."""
        return self._batch.samples
