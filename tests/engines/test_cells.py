"""Indices that compiled code makes from numbers, whatever these are."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from understudy.engines.cells import OUTSIDE, cell_index, cell_within
from understudy.jit import kernel

HUGE = [1e9, 1e12, 2.0**63, 1e19, 1e300, math.inf]


@kernel()
def _nearest(place, count):
    return cell_index(place, count)


@kernel()
def _within(place, count):
    return cell_within(place, count)


def test_a_place_lies_in_the_cell_that_begins_at_or_below_it():
    places = [0.0, 0.5, 1.0, 3.999, 4.0, 7.5]
    assert [_nearest(place, 8) for place in places] == [_within(place, 8) for place in places] == [0, 0, 1, 3, 4, 7]


@pytest.mark.parametrize("place", HUGE)
def test_what_is_beyond_the_cells_is_in_the_last_or_first(place):
    assert (_nearest(place, 8), _nearest(-place, 8)) == (7, 0)


@pytest.mark.parametrize("place", [-0.001, 8.0, *HUGE, *(-place for place in HUGE), math.nan])
def test_what_is_beyond_the_cells_is_outside(place):
    assert _within(place, 8) == OUTSIDE


def test_nan_is_in_the_first_cell():
    assert _nearest(math.nan, 8) == 0


def test_the_edge_of_the_last_cell_still_belongs_to_the_nearest_one():
    assert (_nearest(8.0, 8), _within(np.nextafter(8.0, 0.0), 8)) == (7, 7)


# ---- compiled with bounds checks

_CHECKED = """
import numpy as np
from understudy.jit import kernel
from understudy.engines.rays.simd.vec8 import load, load_some, store, store_some, every
from understudy.engines.rays.simd.llvm import at, put

@kernel()
def plain(a, k): return a[k]
@kernel()
def one(a, k): return at(a, k)
@kernel()
def written(a, k): put(a, k, 1.0)
@kernel()
def eight(a, k): store(a, 0, load(a, k))
@kernel()
def some(a, k): store_some(a, 0, 2, load_some(a, k, 2))
@kernel()
def eight_written(a, k): store(a, k, every(1.0))

a = np.zeros(16)
for function, last in ((plain, 15), (one, 15), (written, 15), (eight, 8), (some, 14), (eight_written, 8)):
    function(a, last)
    for wrong in (last + 1, 10**6, -17):
        try:
            function(a, wrong)
        except IndexError:
            continue
        print(function.__name__, wrong)
"""


def test_with_the_switch_every_access_beyond_an_array_is_an_error(tmp_path):
    script = tmp_path / "checked.py"  # Numba's cache wants a file
    script.write_text(_CHECKED, encoding="utf-8")
    environment = {**os.environ, "UNDERSTUDY_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_code_with_bounds_checks_is_kept_in_a_folder_of_its_own():
    ask = "from understudy.jit import _cache_folder; print(_cache_folder())"
    folders = [
        subprocess.run(
            [sys.executable, "-c", ask], capture_output=True, text=True, check=True,
            env={**os.environ, "UNDERSTUDY_BOUNDSCHECK": switch},
        ).stdout.strip()
        for switch in ("", "0", "1")
    ]  # fmt: skip
    assert folders == [folders[0], folders[0], f"{folders[0]}-checked"]
