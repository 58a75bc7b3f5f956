import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.sim.packing import digest, pack, unpack

LEAVES = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text() | st.binary()
)
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(TREES)
def test_a_tree_comes_back_as_it_was(tree):
    assert unpack(pack(tree)) == tree


@given(st.lists(st.floats(), max_size=9))
def test_arrays_come_back_to_the_bit(values):
    array = np.array(values)
    back = unpack(pack({"a": array}))["a"]
    assert back.tobytes() == array.tobytes()
    assert back.flags.writeable


def test_a_bit_of_difference_is_another_digest():
    assert digest({"x": 0.1}) != digest({"x": np.nextafter(0.1, 1.0)})


@given(st.binary(max_size=200))
def test_junk_raises_nothing_but_value_errors(junk):
    try:
        unpack(junk)
    except ValueError:
        return


def test_what_cannot_be_saved_is_named():
    with pytest.raises(TypeError, match="object cannot be saved"):
        pack({"x": object()})
