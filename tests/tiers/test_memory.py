import numpy as np
import pytest

from understudy.tiers import memory

KIND = np.dtype([("x", "f8"), ("n", "i8"), ("y", "f8")])


@pytest.fixture
def table():
    rows = np.zeros(4, KIND)
    rows["x"], rows["n"] = np.arange(4) / 2, np.arange(4)
    return rows


def test_rows_have_the_fields_as_attributes(table):
    rows = memory.as_compiled(table)
    assert [(row.x, row.n) for row in (rows[k] for k in range(4))] == [(0.0, 0), (0.5, 1), (1.0, 2), (1.5, 3)]


def test_what_is_written_to_a_row_is_in_the_array(table):
    rows = memory.as_compiled(table)
    rows[2].y, rows[2].n = 7.25, np.True_
    assert (table[2]["y"], table[2]["n"]) == (7.25, 1)


def test_a_row_can_be_written_over_another(table):
    rows = memory.as_compiled(table)
    rows[0] = rows[3]
    assert table[0] == table[3]


def test_fields_that_are_no_words_are_refused():
    with pytest.raises(TypeError, match="field small"):
        memory.as_compiled(np.zeros(1, np.dtype([("small", "i4"), ("other", "i4")])))


def test_an_array_at_an_address_is_the_array():
    array = np.arange(6.0)
    found = memory.array_at(array.ctypes.data, (2, 3), np.float64)
    found[1, 2] = -1.0
    assert array[5] == -1.0


def test_small_numbers_neither_wrap_nor_round():
    bytes_, reals = (memory.as_compiled(np.full(2, 200, kind)) for kind in (np.uint8, np.float32))
    assert bytes_[0] + bytes_[1] == 400
    assert reals[0] + 1e-9 == 200.0 + 1e-9


def test_the_table_of_arrays_does_not_grow_for_ever():
    array = np.zeros(4096)
    for n in range(3000):
        memory.array_at(array.ctypes.data + 8 * n, 1, np.float64)
    assert len(memory._ARRAYS) <= memory._MOST
