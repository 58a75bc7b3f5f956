"""Our own elementary functions: as exact as the C library's, and the same bits however they are computed."""

import math

import numba
import numpy as np
import pytest

from understudy import (
    elementary,
    jit,  # the former lets Numba compile the latter
)
from understudy.elementary import arrays

assert jit
COUNT = 4000
RNG = np.random.default_rng(12)


def spread(low, high):
    """Return numbers of both signs whose powers of ten are spread evenly."""
    return RNG.choice([-1.0, 1.0], COUNT) * 10.0 ** RNG.uniform(low, high, COUNT)


def about(most):
    return RNG.uniform(-most, most, COUNT)


ANGLES = np.concatenate([about(10.0), spread(-12, 3), about(1e8), np.pi / 4 * np.arange(-COUNT, COUNT)])
UNITS = np.concatenate([about(1.0), spread(-12, 0), 1.0 - np.abs(spread(-12, -1)), [1.0, -1.0]])
WIDE = np.concatenate([about(3.0), spread(-300, 300)])
SMALLISH = np.concatenate([about(30.0), about(0.5), spread(-12, -3)])
TABLE = {  # arguments; how many of the last bit's units a result may be away from the C library's
    "sin": (ANGLES, 1), "cos": (ANGLES, 1), "tan": (ANGLES, 1.5), "atan": (WIDE, 1.5), "asin": (UNITS, 2.5),
    "acos": (UNITS, 2.5), "exp": (np.concatenate([about(700.0), about(1.0)]), 1.5), "expm1": (SMALLISH, 2.5),
    "log": (np.concatenate([np.abs(WIDE), 1.0 + about(0.3)]), 1.5), "sinh": (SMALLISH, 3.5), "cosh": (SMALLISH, 2.5),
    "log1p": (np.concatenate([about(0.99), np.abs(spread(-12, 12))]), 1.5), "asinh": (SMALLISH, 2.5),
    "atanh": (UNITS[np.abs(UNITS) < 1.0], 2.5),
}  # fmt: skip
EDGES = np.array([
    0.0, -0.0, math.nan, math.inf, -math.inf, 1.0, -1.0, 2.0, -2.0, 5e-324, -5e-324, 1e-310, 1e9, 1e22, 1e300, -1e300,
    709.78, 710.0, -708.0, -740.0, -745.2, -800.0, 40.0, 0.1875, 0.4, -0.25, 2.0**-27, 2.0**-54,
])  # fmt: skip
MANY = sorted(name for name in TABLE if hasattr(arrays, name))


def same_bits(a, b):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return bool(((a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))).all())


def one_by_one(function, *columns):
    return np.array([function(*row) for row in zip(*(column.tolist() for column in columns))])


def mapped(function, arguments):
    """Compile a loop over a function of ours, as kernels call it."""
    names = "xy"[:arguments]
    call = ", ".join(f"{name}[i]" for name in names)
    scope = {"f": function}
    exec(f"def loop({', '.join(names)}, out):\n    for i in range(len(out)):\n        out[i] = f({call})", scope)
    return numba.njit(error_model="numpy")(scope["loop"])


@pytest.mark.parametrize("name", TABLE)
def test_a_function_is_as_exact_as_the_c_library(name):
    xs, most = TABLE[name]
    reference = one_by_one(getattr(math, name), xs)
    units = np.abs(one_by_one(getattr(elementary, name), xs) - reference) / np.spacing(np.abs(reference))
    assert units.max() <= most


@pytest.mark.parametrize("name", TABLE)
def test_compiled_code_gives_the_bits_of_the_interpreter(name):
    xs = np.concatenate([TABLE[name][0], EDGES])
    out = np.empty_like(xs)
    function = getattr(elementary, name)
    mapped(function, 1)(xs, out)
    assert same_bits(out, one_by_one(function, xs))


@pytest.mark.parametrize("name", MANY)
def test_an_array_gives_the_bits_of_its_numbers(name):
    xs = np.concatenate([TABLE[name][0], EDGES])
    assert same_bits(getattr(arrays, name)(xs), one_by_one(getattr(elementary, name), xs))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (30, 2)])
def test_arrays_keep_their_shape(shape):
    assert np.shape(arrays.sin(np.ones(shape))) == shape
    assert np.shape(arrays.atan2(np.ones(shape), 2.0)) == shape


def test_few_numbers_have_the_bits_of_many():
    xs = np.concatenate([about(3.0)[:100], EDGES])
    parts = [arrays.atan2(xs[n : n + 10], 0.5) for n in range(0, len(xs), 10)]
    assert same_bits(np.concatenate(parts), arrays.atan2(xs, 0.5))


def points():
    """Return y and x of points all around, and of all pairs of edges."""
    edges = np.array(np.meshgrid(EDGES, EDGES)).reshape(2, -1)
    return np.concatenate([np.array([WIDE, RNG.permutation(WIDE)]), np.array([about(1.0), about(1.0)]), edges], axis=1)


def test_the_angle_of_a_point_is_as_exact_as_the_c_library():
    ys, xs = points()
    ours, reference = one_by_one(elementary.atan2, ys, xs), one_by_one(math.atan2, ys, xs)
    real = ~np.isnan(reference)
    assert (np.isnan(ours) == ~real).all()
    assert (np.signbit(ours) == np.signbit(reference))[real].all()
    assert (np.abs(ours - reference)[real] <= 1.5 * np.spacing(np.abs(reference[real]))).all()


def test_the_angle_of_a_point_has_the_same_bits_in_every_way():
    ys, xs = points()
    ours, out = one_by_one(elementary.atan2, ys, xs), np.empty_like(xs)
    mapped(elementary.atan2, 2)(ys, xs, out)
    assert same_bits(out, ours)
    assert same_bits(arrays.atan2(ys, xs), ours)


@pytest.mark.parametrize("name", [name for name in TABLE if name not in ("cosh", "sinh")])
def test_edges_are_those_of_the_c_library(name):
    with np.errstate(all="ignore"):
        numpy_name = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "atanh": "arctanh"}
        reference = getattr(np, numpy_name.get(name, name))(EDGES)
    few = np.abs(EDGES) != 1e9
    few &= (np.abs(EDGES) < 1e9) | (name not in ("sin", "cos", "tan", "asinh"))
    ours = one_by_one(getattr(elementary, name), EDGES)
    assert np.allclose(ours[few], reference[few], rtol=1e-15, atol=5e-324, equal_nan=True)
    nothing = (EDGES == 0.0) & (reference == 0.0)
    assert (np.signbit(ours) == np.signbit(reference))[nothing].all()


def test_a_direction_is_cosine_and_sine():
    xs = np.concatenate([ANGLES, EDGES])
    found = one_by_one(elementary.direction, xs)
    assert same_bits(found[:, 0], one_by_one(elementary.cos, xs))
    assert same_bits(found[:, 1], one_by_one(elementary.sin, xs))


def test_an_inverse_times_its_matrix_is_one():
    matrix = RNG.normal(size=(4, 4))
    assert np.allclose(arrays.product(arrays.inverse(matrix), matrix), np.eye(4), atol=1e-12)
    with pytest.raises(np.linalg.LinAlgError):
        arrays.inverse(np.ones((3, 3)))


def test_huge_angles_are_folded_by_the_double_nearest_to_a_turn():
    assert elementary.sin(1e22) == elementary.sin(math.fmod(1e22, math.tau))
    assert math.isnan(elementary.cos(math.inf))


def test_a_power_is_that_of_logarithms():
    xs, exponents = np.abs(about(5.0)), about(3.0)
    assert np.allclose(arrays.power(xs, exponents), xs**exponents, rtol=1e-14)
    assert same_bits(arrays.power(xs, exponents), one_by_one(elementary.power, xs, exponents))
    assert arrays.power([0.0, 0.0, 3.0], [2.0, 0.0, 0.0]).tolist() == [0.0, 1.0, 1.0]


def test_lengths_are_roots_of_sums_of_squares():
    xs, ys = about(5.0), about(5.0)
    assert same_bits(arrays.hypot(xs, ys), one_by_one(elementary.hypot, xs, ys))
    assert same_bits(arrays.lengths(np.column_stack([xs, ys])), arrays.hypot(xs, ys))
    assert elementary.hypot(2.0, 3.0, 6.0) == 7.0


@pytest.mark.parametrize(
    ("a", "b"),
    [((3,), (3,)), ((4, 3), (3,)), ((3,), (3, 2)), ((4, 3), (3, 5)), ((7, 4, 3), (7, 3, 2)), ((4, 3), (7, 3, 2))],
)
def test_a_product_of_matrices_is_that_of_numpy(a, b):
    one, other = RNG.normal(size=a), RNG.normal(size=b)
    found = arrays.product(one, other)
    assert found.shape == (one @ other).shape
    assert np.allclose(found, one @ other, rtol=1e-13, atol=1e-15)
