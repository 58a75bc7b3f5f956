"""Fast parsing of long lists of whole numbers in text, a fixed count per line, with NumPy.

Other lines are found without a loop over all lines, and returned with their line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

_MOST_DIGITS = 10
_DECIMAL = re.compile(r"[+-]?(?:\d{1,9}\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?")


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a list, and its other lines: line number and text."""

    values: Ints  # (rows, width)
    rounded: list[tuple[int, str]]  # numbers with a fraction, rounded to whole ones
    other: list[tuple[int, str]]


def parse(data: bytes, width: int, first_line: int = 1) -> Rows:
    """Return the rows of *width* whole numbers; blank lines are skipped.

    >>> parse(b"1 2\\n\\n3 x\\n-5 6\\n", 2).values.tolist(), parse(b"1 2\\n\\n3 x\\n-5 6\\n", 2).other
    ([[1, 2], [-5, 6]], [(3, '3 x')])
    """
    chars = np.frombuffer(data, np.uint8)
    begins = np.concatenate([[0], np.flatnonzero(chars == ord("\n")) + 1])
    begins = begins[begins < len(chars)]
    good, blank = _good_lines(chars, begins, width)
    numbers = np.flatnonzero(good)
    values = _numbers(chars, begins, good).reshape(-1, width)
    lines = list(_lines(data, begins, np.flatnonzero(~good & ~blank)))
    rescued = {line: row for line, text in lines if (row := _rounded(text, width))}
    if rescued:
        numbers = np.concatenate([numbers, np.fromiter(rescued, np.int64)])
        order = np.argsort(numbers, kind="stable")
        values = np.concatenate([values, np.array(list(rescued.values()), np.int64)])[order]
    named = [(first_line + line, text) for line, text in lines]
    kept = {first_line + line for line in rescued}
    return Rows(values, [line for line in named if line[0] in kept], [line for line in named if line[0] not in kept])


def _good_lines(chars: Bytes, begins: Ints, width: int) -> tuple[Bools, Bools]:
    """Return for each line whether it is *width* whole numbers, and whether it is blank."""
    if not len(chars):
        return np.zeros(0, np.bool_), np.zeros(0, np.bool_)
    space = (chars == ord(" ")) | (chars == ord("\n")) | (chars == ord("\r")) | (chars == ord("\t"))
    digit = (chars >= ord("0")) & (chars <= ord("9"))
    before, after = np.concatenate([[True], space[:-1]]), np.concatenate([digit[1:], [False]])
    start = ~space & before
    wrong = ~space & ~digit & ~((chars == ord("-")) & start & after)
    wrong |= _too_long(space, start)
    count = np.add.reduceat(start, begins, dtype=np.int32)
    spoiled = np.logical_or.reduceat(wrong, begins)
    return (count == width) & ~spoiled, (count == 0) & ~spoiled


def _too_long(space: Bools, start: Bools) -> Bools:
    """Return where words begin that have more digits than any coordinate."""
    first = np.flatnonzero(start)
    last = np.flatnonzero(~space & np.concatenate([space[1:], [True]]))
    found = np.zeros(len(space), np.bool_)
    found[first[last - first >= _MOST_DIGITS]] = True
    return found


def _numbers(chars: Bytes, begins: Ints, good: Bools) -> Ints:
    if not good.any():
        return np.zeros(0, np.int64)
    if not good.all():
        chars = chars[np.repeat(good, np.diff(np.append(begins, len(chars))))]
    return np.fromstring(chars.tobytes().decode("ascii"), np.int64, sep=" ")


def _lines(data: bytes, begins: Ints, which: Ints) -> Iterator[tuple[int, str]]:
    ends = np.append(begins[1:], len(data))
    for line in which.tolist():
        yield line, data[begins[line] : ends[line]].decode("utf-8", "replace").strip()


def _rounded(text: str, width: int) -> tuple[int, ...]:
    """Return the nearest whole numbers of a line of numbers with fractions; empty if it is something else."""
    words = text.split()
    if len(words) != width or not all(map(_DECIMAL.fullmatch, words)):
        return ()
    values = [float(word) for word in words]
    return tuple(map(round, values)) if all(abs(value) < 10**_MOST_DIGITS for value in values) else ()
