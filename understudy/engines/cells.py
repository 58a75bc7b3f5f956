"""From a coordinate to a cell index: the only way in which compiled code makes an index from a float.

Converting NaN, or a float that no integer can hold, gives an arbitrary integer, and such an index reads foreign memory.
So these functions compare floats, and convert only what fits.
"""

from __future__ import annotations

from understudy.jit import inner

OUTSIDE = -1


@inner(counted=False)
def cell_index(place, count):
    """Return which of *count* cells of width 1 is nearest to a coordinate; NaN is in the first."""
    last = count - 1.0
    return int(place if place < last else last) if place > 0.0 else 0


@inner(counted=False)
def cell_within(place, count):
    """Return which of *count* cells of width 1 contains a coordinate, or OUTSIDE."""
    return int(place) if 0.0 <= place < count else OUTSIDE
