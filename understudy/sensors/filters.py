"""A user's own last stage: ``filter = "file.py:name"``, a function from a device's reading to what it reports.

It gets the reading as an array, the time it was due (s) and as many standard normal numbers as the reading has values,
drawn for this device and sample alone; who uses these and no other chance repeats to the bit.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from understudy.errors import ProgramError, nearest
from understudy.formats.files import Contents
from understudy.sensors.base import Array
from understudy.sensors.noise import FILTER, Keys, draw_normal
from understudy.units import US_PER_S

Function = Callable[[Array, float, Array], Any]


class Filter:
    """One function of a user's file."""

    def __init__(self, spec: str, files: Contents) -> None:
        self._file, _, name = spec.rpartition(":")
        if self._file not in files:
            raise ProgramError(f"filter {spec!r}: there is no file {self._file!r} beside the scene (want file.py:name)")
        space: dict[str, Any] = {"__name__": f"understudy_filter_{name}", "__file__": self._file}
        try:
            exec(compile(files[self._file], self._file, "exec"), space)
        except Exception as problem:
            raise ProgramError(f"{self._where(problem)}: {problem!r}") from problem
        found = space.get(name)
        if not callable(found):
            known = [each for each, value in space.items() if callable(value)]
            raise ProgramError(f"{self._file}: has no function {name!r} {nearest(name, known)}")
        self._function: Function = found

    def __call__(self, values: Array, due_us: int, keys: Keys, sample: int) -> None:
        """Replace readings (one row per device) by what the function makes of them."""
        draws = draw_normal(keys, sample, FILTER, values.shape[1])
        for row in range(len(values)):
            values[row] = self._one(values[row].copy(), due_us / US_PER_S, draws[row])

    def _one(self, reading: Array, t_s: float, draws: Array) -> Array:
        try:
            made = np.asarray(self._function(reading, t_s, draws), np.float64)
        except Exception as problem:
            raise ProgramError(f"{self._where(problem)}: {problem!r}") from problem
        if made.shape != reading.shape:
            raise ProgramError(f"{self._file}: returned {made.size} values, want {reading.size} as it was given")
        return made

    def _where(self, problem: Exception) -> str:
        """Return file and line of the user's own code that failed."""
        lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == self._file]
        line = problem.lineno if isinstance(problem, SyntaxError) else (lines or [None])[-1]
        return f"{self._file}:{line}" if line else self._file
