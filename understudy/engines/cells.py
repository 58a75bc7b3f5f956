"""From a coordinate to the index of a cell: the one way in which compiled code makes an index from a number.

A number that no integer can hold, and NaN, become anything when they are converted, and an index made from that reads
memory that is not ours. So these functions compare numbers as numbers, and convert only what fits.
"""

from __future__ import annotations

from understudy.compiled import inner

OUTSIDE = -1


@inner(counted=False)
def cell_index(place, count):  # type: ignore[no-untyped-def]
    """Return which of *count* cells of width 1 is nearest to a place; NaN is in the first."""
    last = count - 1.0
    return int(place if place < last else last) if place > 0.0 else 0


@inner(counted=False)
def cell_within(place, count):  # type: ignore[no-untyped-def]
    """Return which of *count* cells of width 1 a place lies in, or OUTSIDE."""
    return int(place) if 0.0 <= place < count else OUTSIDE
