"""Equal devices of the robots of many worlds as one array: rows of the first world, then those of the next, and so on.

Every world has a time and a seed of its own. Worlds that are equally old are measured together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import rng
from understudy.errors import EngineError
from understudy.sensors.base import Array, Keys, Rows, Truth
from understudy.sensors.measuring import Measuring
from understudy.world.shapes import Mount

Ints = npt.NDArray[np.int64]
TruthAt = Callable[[Ints], Truth]  # at the times of devices (us)


@dataclass(slots=True)
class _Delayed:
    """A sample of some worlds that waits for its latency."""

    report_us: int
    due_us: Ints
    worlds: Ints
    values: Array  # by world and device


class WorldBatch:
    """Devices with an equal data sheet and mount. Sample k is due at phase + k * period of its world's time."""

    joint = ""  # nothing moves on a robot

    def __init__(
        self, sheet: Any, mount: Mount, paths: Sequence[str], robots: Sequence[int], seeds: Ints, per_world: int,
        tick_us: int,
    ) -> None:  # fmt: skip
        self.sheet, self.mount, self.paths = sheet, mount, tuple(paths)
        self._measuring = Measuring(sheet, mount, tick_us)
        worlds = len(seeds)
        self._all: Ints = np.arange(worlds)
        self.rows: Rows = (per_world * self._all[:, None] + np.array(robots, np.int64)).reshape(-1)
        self.keys = self._keys_of(seeds)
        self.scales, self.table = self._measuring.scales, self._measuring.table
        self.memory = self._measuring.memory(self.keys)
        count, width = len(self.rows), len(self.scales)
        self.values: Array = np.full((count, width), np.nan)
        rays = len(self.table.origins) if self.table else width
        self.hits: Array = self.values if rays == width else np.empty((count, rays))
        self.lit: npt.NDArray[np.bool_] = np.full(count, sheet.on)
        self.taken: Ints = np.zeros(worlds, np.int64)  # samples measured
        self.stamp_us: Ints = np.full(worlds, -1)
        self.next_due_us: Ints = np.full(worlds, sheet.phase_us)
        self._delayed: list[_Delayed] = []
        self.simple: bool = self._measuring.simple and sheet.on
        self.serve(-1)

    def _keys_of(self, seeds: Ints) -> Keys:
        keys = [rng.key(seed, path) for seed in seeds.tolist() for path in self.paths]
        return np.array(keys, np.uint32).reshape(-1, 2)

    def serve(self, job: int) -> None:
        """Hear its number among those that compiled code serves; -1: it is not served."""
        self.job, self.direct = job, job >= 0

    def places(self, worlds: Ints) -> Ints:
        """Return the rows of the devices of some worlds."""
        count = len(self.paths)
        return (count * worlds[:, None] + np.arange(count)).reshape(-1)

    def of_world(self, path: str) -> Array:
        """Return the newest readings of the device at *path*, one row per world; a view."""
        shape = len(self._all), len(self.paths), len(self.scales)
        return self.values.reshape(shape)[:, self.paths.index(path)]

    # ---- samples

    @property
    def is_in_step(self) -> bool:
        """Return whether the next sample is due at the same time in all worlds; a restarted one may be behind."""
        return bool((self.next_due_us == self.next_due_us[0]).all())

    def due(self, t_us: Ints) -> Ints:
        """Return the worlds that have a sample to be taken."""
        return np.flatnonzero(self.next_due_us <= t_us)

    def sense(self, t_us: Ints, truth_at: TruthAt) -> None:
        """Take every sample that is due and report those whose latency has passed."""
        while len(worlds := self.due(t_us)):
            for alike in [worlds] if self._measuring.mixed_times else _equally_old(worlds, t_us):
                self._take(alike, truth_at(np.repeat(t_us[alike], len(self.paths))))
        if self._delayed:
            self._report_delayed(t_us)

    def _take(self, worlds: Ints, truth: Truth) -> None:
        """Take a sample in worlds that are equally old, or where that does not matter."""
        due_us, fresh = self.next_due_us[worlds], self._measured(worlds, truth)
        self._count(worlds)
        if self.sheet.latency_us:
            self._delayed.append(_Delayed(int(due_us[0]) + self.sheet.latency_us, due_us, worlds, fresh))
        else:
            self._report(worlds, due_us, fresh)

    def _measured(self, worlds: Ints, truth: Truth) -> Array:
        sample, measure, cast = int(self.taken[worlds[0]]), self._measuring.measure, truth.engine.cast
        if len(worlds) == len(self._all):
            return measure(truth, cast, self.rows, self.keys, sample, self.memory)
        places = self.places(worlds)
        memory = {name: rows[places] for name, rows in self.memory.items()}
        fresh = measure(truth, cast, self.rows[places], self.keys[places], sample, memory)
        for name, rows in memory.items():
            self.memory[name][places] = rows
        return fresh

    def _count(self, worlds: Ints) -> None:
        self.taken[worlds] += 1
        self.next_due_us[worlds] = self.sheet.phase_us + self.taken[worlds] * self._measuring.period_us

    def sensed(self, worlds: Ints) -> None:
        """Note that compiled code has written the sample that was due in some worlds."""
        self.stamp_us[worlds] = self.next_due_us[worlds]
        self._count(worlds)

    def _report(self, worlds: Ints, due_us: Ints, fresh: Array) -> None:
        self.stamp_us[worlds] = due_us
        self.values[self.places(worlds)] = fresh if self.sheet.on else self.sheet.blank()

    def _report_delayed(self, t_us: Ints) -> None:
        waiting = self._delayed
        self._delayed = []
        for sample in waiting:
            if sample.report_us <= t_us[sample.worlds[0]]:
                self._report(sample.worlds, sample.due_us, sample.values)
            else:
                self._delayed.append(sample)

    # ---- the beginning

    def check(self, truth: Truth) -> None:
        """Try to measure in the first world; raises EngineError that names the device if that cannot be done."""
        places = self.places(self._all[:1])
        try:
            memory = self._measuring.memory(self.keys[places])
            self._measuring.measure(truth, truth.engine.cast, self.rows[places], self.keys[places], 0, memory)
        except EngineError as problem:
            raise EngineError(f"{self.paths[0]}, a {self.sheet.kind}, needs {problem}") from problem

    def restart(self, worlds: Ints, seeds: Ints) -> None:
        """Start again in some worlds, with new seeds: nothing is measured, remembered or on its way."""
        places = self.places(worlds)
        self.keys[places] = self._keys_of(seeds)
        for name, rows in self._measuring.memory(self.keys[places]).items():
            self.memory[name][places] = rows
        self.values[places] = np.nan
        self.taken[worlds], self.stamp_us[worlds], self.next_due_us[worlds] = 0, -1, self.sheet.phase_us
        self._delayed = [kept for sample in self._delayed if len((kept := self._without(sample, worlds)).worlds)]

    def _without(self, sample: _Delayed, worlds: Ints) -> _Delayed:
        stays = ~np.isin(sample.worlds, worlds)
        values = sample.values[np.repeat(stays, len(self.paths))]
        return _Delayed(sample.report_us, sample.due_us[stays], sample.worlds[stays], values)


def _equally_old(worlds: Ints, t_us: Ints) -> Iterator[Ints]:
    """Yield the worlds in groups of the same time."""
    times = t_us[worlds]
    if (times == times[0]).all():
        yield worlds
        return
    order = np.argsort(times, kind="stable")
    cuts = np.flatnonzero(np.diff(times[order])) + 1
    yield from np.split(worlds[order], cuts)
