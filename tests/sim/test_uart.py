"""What a receiver hears at another baud rate than the sender's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.sim.uart import received

EVERY_BYTE = bytes(range(256))


@given(data=st.binary(max_size=60), baud=st.integers(50, 4_000_000))
def test_at_the_same_rate_every_byte_arrives(data, baud):
    assert received(data, baud, baud) == data


@pytest.mark.parametrize("off", [0.97, 0.99, 1.01, 1.03])
def test_a_receiver_that_is_three_percent_off_hears_every_byte(off):
    assert received(EVERY_BYTE, 100_000, round(100_000 * off)) == EVERY_BYTE


def test_at_half_the_rate_each_sample_is_every_second_bit():
    # nine low bits and then high; samples at bits 1, 3, 5, 7, 9 ...
    assert received(b"\x00", 19200, 9600) == b"\xf8"


def test_at_twice_the_rate_each_bit_is_heard_twice():
    assert received(b"\xff", 9600, 19200) == b"\xfe"


@given(data=st.binary(max_size=60), sent=st.integers(50, 4_000_000), sampled=st.integers(50, 4_000_000))
def test_garbage_is_never_much_longer_than_what_was_sent(data, sent, sampled):
    assert len(received(data, sent, sampled)) <= 5 * len(data)
