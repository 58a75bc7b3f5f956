import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy import rng

ONES, PI = [0xFFFFFFFF] * 6, [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0]


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


def key(owner):
    return tuple(np.uint32(word) for word in rng.key(7, owner))


def test_normal_numbers_have_mean_zero_and_spread_one():
    draws = np.array([rng.normal_pair(*key("a"), np.uint64(i), np.uint32(0), np.uint32(1)) for i in range(20_000)])
    assert abs(draws.mean()) < 0.02
    assert abs(draws.std() - 1.0) < 0.02


def test_uniform_numbers_fill_the_open_unit_interval():
    draws = np.array([rng.uniform_pair(*key("a"), np.uint64(i), np.uint32(0), np.uint32(1)) for i in range(20_000)])
    assert draws.min() > 0.0
    assert draws.max() < 1.0
    assert abs(draws.mean() - 0.5) < 0.01


@given(st.text(), st.text(), st.integers(0, 2**63 - 1))
def test_different_owners_have_different_keys(one, other, seed):
    assert (rng.key(seed, one) == rng.key(seed, other)) == (one == other)


def test_a_draw_depends_on_nothing_but_key_sample_and_draw():
    again = [rng.normal_pair(*key("x"), np.uint64(5), np.uint32(3), np.uint32(1)) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0] != rng.normal_pair(*key("x"), np.uint64(6), np.uint32(3), np.uint32(1))
