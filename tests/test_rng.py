from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rng

ONES, PI = [0xFFFFFFFF] * 6, [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0]
STAGE = np.uint64(1)
WORD = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("given_words", "published"),
    [
        ([0] * 6, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (ONES, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (PI, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_gives_the_published_vectors(given_words, published):
    words = rng.philox(*(np.uint32(word) for word in given_words))
    assert " ".join(f"{int(word):08x}" for word in words) == published


@given(st.text(), st.text(), st.integers(0, 2**63 - 1))
def test_different_owners_have_different_keys(one, other, seed):
    assert (rng.key(seed, one) == rng.key(seed, other)) == (one == other)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(WORD, WORD, WORD), max_size=40), st.integers(0, 2**63 - 1))
def test_many_blocks_at_once_are_the_blocks_one_by_one(addresses, sample):
    blocks = np.zeros((4, 40), np.uint32)
    for n, address in enumerate(addresses):
        blocks[:3, n] = address
    rng.words(sample, STAGE, blocks, len(addresses))
    for n, (k0, k1, number) in enumerate(addresses):
        counter = (sample & 0xFFFFFFFF, sample >> 32, number, 1)
        assert blocks[:, n].tolist() == list(rng.philox(*(np.uint32(word) for word in (*counter, k0, k1))))


def normals(words):
    """Return the normal number of each word."""
    blocks = np.zeros((4, len(words)), np.uint32)
    blocks[0] = words
    out = np.empty(4 * len(words))
    rng.normals(blocks, len(words), rng.QUANTILES, out)
    return out[::4]


def test_each_word_gives_its_quantile_of_the_normal_distribution_out_to_the_ends_of_the_tails():
    near = np.unique(np.geomspace(1, 2**31 - 1, 20_000).astype(np.uint32))
    words = np.concatenate([np.arange(1000, dtype=np.uint32), near])
    exact = [-NormalDist().inv_cdf((int(word) + 0.5) / 2**32) for word in words]
    assert np.abs(normals(words) - exact).max() < 2e-5


def test_the_two_halves_of_the_words_are_mirror_images():
    words = np.random.default_rng(1).integers(0, 2**32, 10_000, dtype=np.uint32)
    assert (normals(words) == -normals(~words)).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(WORD, min_size=2, max_size=50).map(sorted))
def test_a_larger_word_never_gives_a_larger_number(words):
    assert all(one >= other for one, other in pairwise(normals(np.array(words, np.uint32))))


def test_the_table_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        rng.QUANTILES[0, 0] = 1.0


def test_uniform_numbers_fill_the_open_unit_interval():
    k0, k1 = (np.uint32(word) for word in rng.key(7, "a"))
    draws = np.array([rng.uniform(k0, k1, sample, STAGE, 0) for sample in range(20_000)])
    assert draws.min() > 0.0
    assert draws.max() < 1.0
    assert np.abs(np.histogram(draws, 10, (0.0, 1.0))[0] - 2000).max() < 4 * 2000**0.5
