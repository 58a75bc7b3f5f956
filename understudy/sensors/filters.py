"""User filters: ``filter = "file.py:name"``, a function from a device's reading to what it reports, as the last stage.

It gets the reading as an array, the time it was due (s) and one standard normal number per value of the reading, drawn
for this device and sample. A filter that uses no other randomness is deterministic (bit-identical).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.errors import ProgramError, nearest
from understudy.sensors.base import Array
from understudy.sensors.noise import FILTER, Keys, draw_normal
from understudy.units import US_PER_S

Function = Callable[[Array, float, Array], Any]
Call = Callable[[str, Callable[[], Any]], Any]  # runs a function of a file; raises ProgramError for every failure


class Filter:
    """One function of a user's file."""

    def __init__(self, spec: str, files: Contents, call: Call) -> None:
        self._file, _, name = spec.rpartition(":")
        self._call = call
        if self._file not in files:
            raise ProgramError(f"filter {spec!r}: no file {self._file!r} next to the scene (expected file.py:name)")
        space: dict[str, Any] = {"__name__": f"understudy_filter_{name}", "__file__": self._file}
        call(self._file, lambda: exec(compile(files[self._file], self._file, "exec"), space))
        found = space.get(name)
        if not callable(found):
            known = [each for each, value in space.items() if callable(value)]
            raise ProgramError(f"{self._file}: no function {name!r} {nearest(name, known)}")
        self._function: Function = found

    def __call__(
        self, values: Array, due_us: int, keys: Keys, sample: int, wanted: npt.NDArray[np.bool_]
    ) -> list[tuple[int, str]]:
        """Replace the *wanted* rows, one per device, by the function's results; returns the rows where it failed."""
        draws, failed = draw_normal(keys, sample, FILTER, values.shape[1]), []
        for row in np.nonzero(wanted)[0]:
            try:
                values[row] = self._one(values[row].copy(), due_us / US_PER_S, draws[row])
            except ProgramError as problem:
                failed.append((int(row), str(problem)))
        return failed

    def _one(self, reading: Array, t_s: float, draws: Array) -> Array:
        made: Array = self._call(self._file, lambda: np.asarray(self._function(reading, t_s, draws), np.float64))
        if made.shape != reading.shape:
            raise ProgramError(f"{self._file}: returned {made.size} values; expected {reading.size}, as in its input")
        return made
