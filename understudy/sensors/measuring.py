"""How devices of one data sheet and mount are measured: truth, then noise, then what the sheet makes of it.

It keeps nothing between samples: whoever measures brings the devices' rows, keys and memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array, Glance, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.imperfection import Noise
from understudy.sensors.noise import corrupt, wander
from understudy.world.shapes import Mount

Cast = Callable[[RayTable, Rows, Array], None]
OddNoise = tuple[Noise, float]  # of a device that is not as its sheet says; how many times as far it drifts


class Measuring:
    """The devices of one sheet on one mount, on any robots."""

    def __init__(self, sheet: Any, mount: Mount, tick_us: int) -> None:
        self.sheet, self.mount = sheet, mount
        self.period_us: int = sheet.period_us or tick_us  # 0: at every tick
        self.scales: Array = np.ascontiguousarray(sheet.scales(), np.float64)
        self.table: RayTable | None = sheet.table(mount)
        self._closer: bool = sheet.closer
        self._least, self._nothing, self._silent = sheet.floor(), sheet.nothing(), bool(sheet.noise.silent)
        self._finish = sheet.finish if type(sheet).finish is not Sampled.finish else None
        self._remembers = sheet.memory(np.empty((0, 2), np.uint32)) is not None
        plain = self.table is None and self._finish is None and sheet.noise.amount("drift") == 0.0
        self.bare: bool = plain and self._silent  # the truth is what the device reports
        self.mixed_times: bool = sheet.mixed_times and sheet.noise.silent and not sheet.latency_us
        self.deferrable = self.period_us == tick_us and not sheet.latency_us
        self.calms = self._silent and not sheet.latency_us and type(sheet).calm is not Sampled.calm
        self.simple = self.period_us >= tick_us and _writable_in_place(sheet, self.table)

    def memory(self, keys: Keys) -> Memory:
        """Return what new devices remember, one row each."""
        memory: Memory = self.sheet.memory(keys) if self._remembers else {}
        if self.sheet.noise.amount("drift") > 0.0:
            memory["drift"] = np.zeros((len(keys), len(self.scales)))
        return memory

    def measure(
        self,
        truth: Truth,
        cast: Cast,
        rows: Rows,
        keys: Keys,
        sample: int,
        memory: Memory,
        odd: Mapping[int, OddNoise] | None = None,
    ) -> Array:
        """Return a sample as the devices would report it at once; those in *odd* (by row) have other noise."""
        sheet, out = self.sheet, np.empty((len(rows), len(self.scales)))
        if self.table is not None and self._closer:
            sheet.look(Glance(truth, self.table, self.mount, rows, keys, sample), out)
        elif self.table is not None:
            self._range(self.table, cast, rows, out)
        else:
            self.tell(truth, rows, memory, out)
        walk = memory.get("drift")
        if walk is not None:
            wander(sheet.noise, walk, keys, sample, self.period_us)
        true = out.copy() if odd else None
        if not self._silent:
            corrupt(sheet.noise, out, self.scales, self._least, self._nothing, keys, sample, walk, sheet.whole)
        if odd and true is not None:
            self._corrupt_otherwise(odd, true, keys, sample, walk, out)
        if self._closer:
            sheet.settle(out)
        if self._finish is not None:
            self._finish(truth, out)
        return out

    def tell(self, truth: Truth, rows: Rows, memory: Memory, out: Array) -> None:
        """Write the true reading of devices that cast no rays."""
        if self._remembers:
            self.sheet.measure(truth, rows, self.mount, out, memory)
        else:
            self.sheet.measure(truth, rows, self.mount, out)

    def _corrupt_otherwise(
        self, odd: Mapping[int, OddNoise], true: Array, keys: Keys, sample: int, walk: Array | None, out: Array
    ) -> None:
        """Write the readings of devices whose noise is not that of their data sheet."""
        sheet, least, nothing = self.sheet, self._least, self._nothing
        for row, (noise, drift_scale) in odd.items():
            only = slice(row, row + 1)
            drifted = None if walk is None else drift_scale * walk[only]
            corrupt(noise, true[only], self.scales, least, nothing, keys[only], sample, drifted, sheet.whole)
            out[row] = true[row]

    def _range(self, table: RayTable, cast: Cast, rows: Rows, out: Array) -> None:
        """Write what the sheet makes of the distances along its rays: mostly the nearest of each value."""
        hits = np.empty((len(out), len(table.origins)))
        cast(table, rows, hits)
        if table.lengths is not None:
            hits[hits >= table.lengths] = table.limit_m
        self.sheet.reduce(hits, out)


def _writable_in_place(sheet: Any, table: RayTable | None) -> bool:
    """Say whether compiled code may write the readings of a sheet in place: nothing is delayed or comes between."""
    cls, noise = type(sheet), sheet.noise
    measures_plainly = table is not None and not sheet.closer and cls.reduce is Sampled.reduce
    reports_plainly = not sheet.whole and not sheet.latency_us and cls.finish is Sampled.finish
    return measures_plainly and reports_plainly and (noise.plain or noise.preset == "perfect")
