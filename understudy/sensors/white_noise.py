"""White noise for whole rows of readings, eight blocks of random words at a time.

It draws exactly the numbers that `rng` does for the same keys and counters: column c spreads by the normal number of
word c % 4 of block c // 4. Sums and products are rounded as written, so the results are bit-identical on all machines.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from understudy.engines.rays.simd.llvm import WIDTH, array_at, element, splat
from understudy.engines.rays.simd.vec8 import lanes, load, load_some, store, store_some
from understudy.jit import inner, kernel
from understudy.rng import FACTORS, PIECE_MASK, PIECE_SHIFT, STEPS, row_of_normals, row_of_words

SPREAD = 1  # the stage that draws
_ROUNDS = 10
_F64, _I32, _I64 = ir.DoubleType(), ir.IntType(32), ir.IntType(64)
_NUMBERS, _HALVES, _WORDS = (ir.VectorType(kind, WIDTH) for kind in (_F64, _I32, _I64))
_COLUMNS = 4 * WIDTH  # that eight blocks fill
_CHUNK = 8 * _COLUMNS  # whose words are drawn before they are used
_WORDS_OF_BLOCK = 4


def _same(kind: Any, value: Any) -> Any:
    """Return a constant vector with the same value everywhere."""
    return ir.Constant(kind, [value] * WIDTH)


def _philox(builder: Any, c: list[Any], k: list[Any]) -> list[Any]:
    """Return four vectors of random words, in the lower halves; the upper ones are undefined."""
    half, lower = _same(_WORDS, 32), _same(_WORDS, 0xFFFFFFFF)
    for _ in range(_ROUNDS):
        p = [builder.mul(_same(_WORDS, factor), builder.and_(c[2 * n], lower)) for n, factor in enumerate(FACTORS)]
        upper = [builder.lshr(product, half) for product in p]
        c = [
            builder.xor(builder.xor(upper[1], c[1]), k[0]), p[1],
            builder.xor(builder.xor(upper[0], c[3]), k[1]), p[0],
        ]  # fmt: skip
        k = [builder.add(each, _same(_WORDS, step)) for each, step in zip(k, STEPS)]
    return c


@intrinsic
def _draw(typing, low, high, number, stage, k0, k1):
    """Return the words of eight blocks from *number* on as signed numbers plus a half: all first words, and so on."""

    def generate(context, builder, sig, args):
        low, high, number, stage, *k = (splat(builder, value, _WORDS) for value in args)
        number = builder.add(number, ir.Constant(_WORDS, list(range(WIDTH))))
        words = _philox(builder, [low, high, number, stage], k)
        signed = [builder.sitofp(builder.trunc(word, _HALVES), _NUMBERS) for word in words]
        drawn = [builder.fadd(value, _same(_NUMBERS, 0.5)) for value in signed]
        return context.make_tuple(builder, sig.return_type, drawn)

    return types.UniTuple(lanes, _WORDS_OF_BLOCK)(*[types.uint64] * 6), generate


def _looked_up(builder: Any, table: Any, x: Any) -> tuple[Any, Any]:
    """Return intercepts and slopes of the table segments that the numbers at *x* lie in.

    Memory and integer instructions are used, which leaves the vector units free for other work.
    """
    bits, pair = builder.bitcast(x, _I64.as_pointer()), ir.VectorType(_F64, 2)
    pairs = builder.bitcast(table, pair.as_pointer())
    pieces = []
    for lane in range(WIDTH):
        piece = builder.lshr(builder.load(builder.gep(bits, [_I32(lane)])), _I64(PIECE_SHIFT))
        pieces.append(builder.load(builder.gep(pairs, [builder.and_(piece, _I64(PIECE_MASK))])))
        pieces[-1].align = 8
    while len(pieces) > 1:
        order = ir.Constant(ir.VectorType(_I32, 2 * pieces[0].type.count), list(range(2 * pieces[0].type.count)))
        pieces = [builder.shuffle_vector(a, b, order) for a, b in zip(pieces[::2], pieces[1::2])]
    return tuple(
        builder.shuffle_vector(pieces[0], pieces[0], ir.Constant(_HALVES, list(range(n, 2 * WIDTH, 2)))) for n in (0, 1)
    )


@intrinsic
def _normal(typing, numbers, index, table):
    """Return the normal numbers of the words at *index*."""

    def generate(context, builder, sig, args):
        data = element(context, builder, sig.args[0], args[0], args[1], _I64(WIDTH))
        intercept, slope = _looked_up(builder, context.make_array(sig.args[2])(context, builder, args[2]).data, data)
        x = builder.load(builder.bitcast(data, _NUMBERS.as_pointer()))
        x.align = 8
        kind = ir.FunctionType(_NUMBERS, [_NUMBERS, _NUMBERS])
        copysign = cgutils.get_or_insert_function(builder.module, kind, f"llvm.copysign.v{WIDTH}f64")
        return builder.fadd(builder.call(copysign, [intercept, x]), builder.fmul(slope, x))

    return lanes(numbers, types.intp, table), generate


@intrinsic
def _on_stack(typing):
    """Return the address of a stack buffer for a chunk of numbers; it lasts as long as the function."""

    def generate(context, builder, sig, args):
        room = cgutils.alloca_once(builder, ir.ArrayType(_F64, _CHUNK))
        room.align = 8 * WIDTH
        return builder.ptrtoint(room, _I64)

    return types.int64(), generate


@intrinsic
def _in_order(typing, drawn):
    """Return four times eight numbers block by block instead of word by word."""

    def generate(context, builder, sig, args):
        rows = [builder.extract_value(args[0], n) for n in range(_WORDS_OF_BLOCK)]
        wide = ir.VectorType(_I32, 2 * WIDTH)
        joined = ir.Constant(wide, list(range(2 * WIDTH)))
        pairs = [builder.shuffle_vector(rows[n], rows[n + 1], joined) for n in (0, 2)]
        order = [block + WIDTH * word for block in range(WIDTH) for word in range(_WORDS_OF_BLOCK)]
        sorted_rows = [
            builder.shuffle_vector(*pairs, ir.Constant(_HALVES, order[n : n + WIDTH]))
            for n in range(0, _COLUMNS, WIDTH)
        ]
        return context.make_tuple(builder, sig.return_type, sorted_rows)

    return drawn(drawn), generate


@intrinsic
def _disturbed(typing, truth, scale, error, sigma, low, high, nothing):
    """Return readings with errors, within bounds; values without scale or equal to *nothing* are unchanged."""

    def generate(context, builder, sig, args):
        truth, scale, error = args[:3]
        sigma, low, high, nothing = (splat(builder, value, _NUMBERS) for value in args[3:])
        value = builder.fadd(truth, builder.fmul(builder.fmul(sigma, scale), error))
        value = builder.select(builder.fcmp_ordered("<", value, low), low, value)
        value = builder.select(builder.fcmp_ordered(">", value, high), high, value)
        heard = builder.fcmp_unordered("!=", truth, nothing)
        touched = builder.and_(heard, builder.fcmp_unordered("!=", scale, _same(_NUMBERS, 0.0)))
        return builder.select(touched, value, truth)

    return lanes(lanes, lanes, lanes, *[types.float64] * 4), generate


@inner(counted=False)
def _add(values, scales, row, c, columns, errors, sigma, low, high, nothing):
    """Disturb at most WIDTH values of a row, from column *c* on."""
    at = row * columns + c
    if c + WIDTH <= columns:
        store(values, at, _disturbed(load(values, at), load(scales, c), errors, sigma, low, high, nothing))
    elif c < columns:
        count = columns - c
        truth, scale = load_some(values, at, count), load_some(scales, c, count)
        store_some(values, at, count, _disturbed(truth, scale, errors, sigma, low, high, nothing))


def _spread(values, todo, first, last, sigma, scales, floor, nothing, keys, sample, table):
    """Do the same as `spread`, by NumPy over whole rows."""
    columns = values.shape[1]
    low, high = (floor, nothing) if nothing > floor else (-math.inf, math.inf)
    for row in todo[first:last]:
        error = row_of_normals(row_of_words(sample, SPREAD, keys[row, 0], keys[row, 1], columns), table)
        truth = values[row]
        value = truth + (sigma * scales) * error
        value = np.where(value < low, low, value)
        value = np.where(value > high, high, value)
        values[row] = np.where((truth != nothing) & (scales != 0.0), value, truth)


@kernel(twin=_spread)
def spread(values, todo, first, last, sigma, scales, floor, nothing, keys, sample, table):
    """Disturb the rows todo[first:last]."""
    columns, x = values.shape[1], array_at(_on_stack(), (_CHUNK,), np.float64)
    low, high = (floor, nothing) if nothing > floor else (-math.inf, math.inf)
    for p in range(first, last):
        row = todo[p]
        for left in range(0, columns, _CHUNK):
            right = min(left + _CHUNK, columns)
            for c in range(left, right, _COLUMNS):
                words = _draw(sample & 0xFFFFFFFF, sample >> 32, c // 4, SPREAD, keys[row, 0], keys[row, 1])
                a, b, d, e = _in_order(words)
                store(x, c - left, a)
                store(x, c - left + WIDTH, b)
                store(x, c - left + 2 * WIDTH, d)
                store(x, c - left + 3 * WIDTH, e)
            for c in range(left, right, WIDTH):
                _add(values, scales, row, c, columns, _normal(x, c - left, table), sigma, low, high, nothing)
