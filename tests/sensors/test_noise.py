import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rng
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.noise import corrupt

KEYS = np.array([rng.key(1, f"robot-{i}") for i in range(1000)], np.uint32)
SURE = 4.0  # standard deviations that a statistic may be off


def sample(noise, truth=2.0, columns=200, n=0, floor=0.0, nothing=8.0, keys=KEYS[:50], scales=None):
    values = np.full((len(keys), columns), truth)
    corrupt(noise, values, np.ones(columns) if scales is None else scales, floor, nothing, keys, n)
    return values


def standard(n=0):
    """Return a million errors in units of sigma, one row per robot."""
    return sample(LengthNoise(sigma_m=1.0), 0.0, 1000, n, -math.inf, math.nan, KEYS)


def lost(share, columns=1000, n=0, **options):
    """Return which readings are lost."""
    return np.isnan(sample(LengthNoise(lost=share), columns=columns, n=n, nothing=math.nan, **options))


@pytest.fixture(scope="module")
def draws():
    return standard()


# The spread


def test_errors_have_the_moments_of_the_normal_distribution(draws):
    count = draws.size
    assert abs(draws.mean()) < SURE * (1 / count) ** 0.5
    assert abs(draws.std() - 1.0) < SURE * (1 / (2 * count)) ** 0.5
    assert abs((draws**3).mean()) < SURE * (15 / count) ** 0.5
    assert abs((draws**4).mean() - 3.0) < SURE * (96 / count) ** 0.5


def test_errors_follow_the_normal_distribution_by_kolmogorov_and_smirnov(draws):
    ordered = np.sort(draws, axis=None)
    below = np.array([0.5 + 0.5 * math.erf(each) for each in (ordered * 0.5**0.5).tolist()])
    steps = np.arange(draws.size + 1) / draws.size
    distance = max(np.abs(below - steps[1:]).max(), np.abs(below - steps[:-1]).max())
    assert distance * draws.size**0.5 < 1.95  # one good generator in a thousand is worse


@pytest.mark.parametrize("limit", [3.0, 4.0])
def test_the_tails_are_as_heavy_as_they_should_be(limit):
    errors = np.array([standard(n) for n in range(4)])
    expected = errors.size * NormalDist().cdf(-limit)
    assert abs((errors > limit).sum() - expected) < SURE * expected**0.5
    assert abs((errors < -limit).sum() - expected) < SURE * expected**0.5


def correlation(one, other):
    return abs((one * other).mean()) * one.size**0.5


@pytest.mark.parametrize("distance", [1, 2, 3, 4, 5, 8])
def test_neighbouring_columns_are_independent(draws, distance):
    assert correlation(draws[:, :-distance], draws[:, distance:]) < SURE
    assert correlation(draws[:, :-distance] ** 2 - 1, draws[:, distance:] ** 2 - 1) < 2 * SURE


def test_neighbouring_samples_are_independent(draws):
    assert correlation(draws, standard(1)) < SURE


def test_neighbouring_rows_are_independent(draws):
    assert correlation(draws[:-1], draws[1:]) < SURE


def test_the_spread_is_sigma_times_the_scale_of_the_column():
    scales = np.array([1.0, 2.0, 0.0, 0.5])
    values = sample(LengthNoise(sigma_m=0.05), columns=4, keys=KEYS, scales=scales)
    assert np.abs(values.std(axis=0) - 0.05 * scales).max() < 0.01
    assert np.abs(values.mean(axis=0) - 2.0).max() < 0.01


def test_column_c_spreads_by_word_c_modulo_4_of_block_c_over_4():
    errors = standard(5)[3]
    for c in (0, 1, 2, 3, 4, 179, 998):
        counter = (5, 0, c // 4, 1)
        word = rng.philox(*(np.uint32(each) for each in (*counter, *KEYS[3])))[c % 4]
        assert abs(errors[c] + NormalDist().inv_cdf((int(word) + 0.5) / 2**32)) < 2e-5


# The losses


def test_the_share_of_lost_readings_is_the_one_on_the_sheet():
    for share in (0.001, 0.1, 0.7):
        gone = lost(share, keys=KEYS)
        assert abs(gone.mean() - share) < SURE * (share * (1 - share) / gone.size) ** 0.5


def test_every_column_loses_equally_often():
    gone = lost(0.1, keys=KEYS)
    assert np.abs(gone.mean(axis=0) - 0.1).max() < (SURE + 1) * (0.09 / len(KEYS)) ** 0.5


def test_gaps_between_lost_readings_follow_the_geometric_distribution():
    gaps = np.diff(np.flatnonzero(lost(0.05, 100_000, keys=KEYS[:1])[0])) - 1
    lengths = np.arange(gaps.max() + 1)
    longer = (gaps >= lengths[:, None]).mean(axis=1)
    assert np.abs(longer - 0.95**lengths).max() * gaps.size**0.5 < 1.95


def test_the_first_lost_reading_of_a_row_follows_the_geometric_distribution():
    first = np.argmax(lost(0.05, keys=KEYS), axis=1)
    lengths = np.arange(first.max() + 1)
    later = (first >= lengths[:, None]).mean(axis=1)
    assert np.abs(later - 0.95**lengths).max() * first.size**0.5 < 1.95


def test_losses_of_neighbouring_samples_are_independent():
    both = lost(0.1, keys=KEYS) & lost(0.1, n=1, keys=KEYS)
    assert abs(both.mean() - 0.01) < SURE * (0.0099 / both.size) ** 0.5


def test_all_is_lost_where_the_sheet_says_so():
    assert lost(1.0).all()


@pytest.mark.parametrize("share", [5e-324, 1e-300, 1e-12])
def test_next_to_nothing_is_lost_where_the_sheet_says_so(share):
    assert not lost(share, 100_000, keys=KEYS[:5]).any()


def test_spread_and_loss_do_not_share_draws():
    kept = ~lost(0.2, floor=-math.inf)
    errors = sample(LengthNoise(sigma_m=1.0), 0.0, 1000, floor=-math.inf, nothing=math.nan)
    both = sample(LengthNoise(sigma_m=1.0, lost=0.2), 0.0, 1000, floor=-math.inf, nothing=math.nan)
    assert np.array_equal(both, np.where(kept, errors, math.nan), equal_nan=True)
    assert abs(errors[kept].mean()) < SURE * (1 / kept.sum()) ** 0.5
    assert abs(errors[kept].std() - 1.0) < SURE * (1 / (2 * kept.sum())) ** 0.5


# The rules


def test_perfect_switches_the_stage_off():
    assert (sample(LengthNoise("perfect", sigma_m=0.5, lost=0.5)) == 2.0).all()


@pytest.mark.parametrize(
    ("truth", "nothing"), [(8.0, 8.0), (math.nan, 8.0), (math.nan, math.nan), (math.inf, math.inf)]
)
def test_a_missing_echo_never_gets_noise(truth, nothing):
    values = sample(LengthNoise(sigma_m=0.5, lost=0.3), truth, nothing=nothing)
    assert values.tobytes() == np.full_like(values, truth).tobytes()


def test_a_missing_echo_does_not_move_the_noise_of_its_neighbours():
    noise, holes = LengthNoise(sigma_m=0.1, lost=0.1), np.random.default_rng(1).random((50, 30)) < 0.3
    values = np.where(holes, 8.0, 2.0)
    corrupt(noise, values, np.ones(30), 0.0, 8.0, KEYS[:50], 0)
    assert np.array_equal(values, np.where(holes, 8.0, sample(noise, columns=30)))


def test_noise_never_leaves_the_range_of_the_device():
    values = sample(LengthNoise(sigma_m=3.0), floor=0.1)
    assert values.min() == 0.1
    assert values.max() == 8.0


def test_a_column_with_scale_0_is_untouched():
    scales = np.array([1.0, 0.0, 1.0])
    values = sample(LengthNoise(sigma_m=1.0, lost=0.5), -1.0, 3, floor=0.0, scales=scales)
    assert (values[:, 1] == -1.0).all()
    assert (values[:, ::2] >= 0.0).all()


def test_each_sample_has_noise_of_its_own():
    assert not np.array_equal(sample(LengthNoise(sigma_m=0.1), n=1), sample(LengthNoise(sigma_m=0.1), n=2))
    assert not np.array_equal(sample(LengthNoise(sigma_m=0.1), n=1), sample(LengthNoise(sigma_m=0.1), n=1 + 2**32))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, len(KEYS) - 1), min_size=1, max_size=300),
    st.integers(1, 70),
    st.sampled_from([0.0, 0.01, 0.4]),
    st.integers(0, 2**40),
)
def test_a_row_depends_neither_on_other_rows_nor_on_their_number(chosen, columns, share, n):
    noise = LengthNoise(sigma_m=0.1, lost=share)
    together = sample(noise, columns=columns, n=n, keys=KEYS[chosen])
    alone = sample(noise, columns=columns, n=n, keys=KEYS[chosen[-1:]])
    assert together[-1].tobytes() == alone[0].tobytes()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2500), st.integers(1, 3), st.integers(0, 2**40))
def test_a_column_does_not_depend_on_the_width_of_the_row(columns, rows, n):
    noise = LengthNoise(sigma_m=0.1, lost=0.01)
    narrow = sample(noise, columns=columns, n=n, keys=KEYS[:rows])
    wide = sample(noise, columns=2500, n=n, keys=KEYS[:rows])
    assert np.array_equal(narrow, wide[:, :columns])


def test_very_wide_rows_are_disturbed_to_their_end():
    values = sample(LengthNoise(sigma_m=0.1), columns=100_000, keys=KEYS[:2])
    assert (values != 2.0).mean() > 0.9999
    assert len(np.unique(values)) > 0.999 * values.size


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)])
def test_nothing_to_disturb_is_no_error(shape):
    values = np.empty(shape)
    corrupt(LengthNoise(sigma_m=0.1, lost=0.1), values, np.ones(shape[1]), 0.0, 8.0, KEYS[: shape[0]], 0)
    assert values.shape == shape
