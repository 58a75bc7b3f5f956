"""White noise in lanes: the very numbers that are drawn one by one, in every column of a row of any width."""

import numpy as np
import pytest

from understudy.rng import QUANTILES
from understudy.sensors.noise import draw_normal
from understudy.sensors.white_noise import SPREAD, spread

KEYS = np.random.default_rng(5).integers(0, 2**32, (9, 2), dtype=np.uint32)


def disturbed(values, sample, sigma=1.0, scales=None, floor=-np.inf, nothing=np.nan, todo=None):
    """Return values, of which the rows *todo* are disturbed."""
    scales, todo = np.ones(values.shape[1]) if scales is None else scales, np.arange(9) if todo is None else todo
    out = values.copy()
    spread(out, todo, 0, len(todo), sigma, scales, floor, nothing, KEYS, sample, QUANTILES)
    return out


@pytest.mark.parametrize("sample", [0, 7, 2**33 + 5])
@pytest.mark.parametrize("columns", [1, 7, 8, 16, 31, 32, 33, 180, 256, 257, 1081])
def test_every_column_gets_the_normal_number_of_its_word(columns, sample):
    wanted = draw_normal(KEYS, sample, SPREAD, columns)
    assert disturbed(np.zeros((9, columns)), sample).tobytes() == wanted.tobytes()


def test_sums_and_products_are_rounded_one_by_one():
    values, scales = np.random.default_rng(1).uniform(0, 8, (9, 45)), np.linspace(0.5, 2.0, 45)
    wanted = values + (0.3 * scales) * draw_normal(KEYS, 3, SPREAD, 45)
    assert disturbed(values, 3, 0.3, scales).tobytes() == wanted.tobytes()


def test_what_is_nothing_or_has_no_scale_stays():
    values, scales = np.full((9, 20), 5.0), np.ones(20)
    values[:, 3], scales[11] = 8.0, 0.0
    got = disturbed(values, 0, 0.1, scales, 0.0, 8.0)
    assert (got == values).all(axis=0).nonzero()[0].tolist() == [3, 11]


def test_readings_stay_between_the_floor_and_nothing():
    got = disturbed(np.full((9, 180), 4.0), 0, 5.0, floor=1.0, nothing=8.0)
    assert (got.min(), got.max()) == (1.0, 8.0)


def test_only_the_rows_that_are_asked_for_change():
    values = np.full((9, 12), 4.0)
    got = disturbed(values, 0, todo=np.array([6, 2]))
    assert (got != values).any(axis=1).nonzero()[0].tolist() == [2, 6]
