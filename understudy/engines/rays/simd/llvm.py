"""What Numba does not offer: array access without the negative-index check, and LLVM code shared by vectors.

Each is an intrinsic that emits LLVM code. Arrays must be C-contiguous; an index counts values, for any shape. It is
checked only in code that is compiled with bounds checks (`jit`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils

from understudy.engines.rays.simd import interpreted
from understudy.jit import BOUNDS_CHECKED, emitted
from understudy.tiers import memory

WIDTH = interpreted.WIDTH  # numbers per vector
_I32, _I64 = ir.IntType(32), ir.IntType(64)


def aligned(count: int) -> npt.NDArray[np.float64]:
    """Return this many zeros, aligned to a cache line: accesses across lines take twice as long."""
    room = np.zeros(count + WIDTH)
    first = -(room.ctypes.data // room.itemsize) % WIDTH
    return room[first : first + count]


def element(context: Any, builder: Any, kind: Any, array: Any, index: Any, count: Any = None) -> Any:
    """Return a pointer to the first of *count* used elements of an array; without a count it is not checked."""
    made = context.make_array(kind)(context, builder, array)
    if BOUNDS_CHECKED and count is not None:
        _check(context, builder, made.nitems, index, count)
    return builder.gep(made.data, [index])


def _check(context: Any, builder: Any, size: Any, index: Any, count: Any) -> None:
    """Raise IndexError, in compiled code, if *count* elements from an index on are not all in an array."""
    before, beyond = (
        builder.icmp_signed("<", index, _I64(0)),
        builder.icmp_signed(">", builder.add(index, count), size),
    )
    wanted = builder.icmp_signed(">", count, _I64(0))
    with builder.if_then(builder.and_(wanted, builder.or_(before, beyond)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("an index of a vector kernel is out of bounds",))


def splat(builder: Any, value: Any, vector: Any) -> Any:
    """Return a vector with *value* in every lane."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _I32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, WIDTH), [0] * WIDTH))


@emitted(interpreted.at)
def at(typing, array, index):
    """Return ``array[index]``; the index must not be negative."""

    def generate(context, builder, sig, args):
        return builder.load(element(context, builder, sig.args[0], args[0], args[1], _I64(1)))

    return array.dtype(array, types.intp), generate


@emitted(interpreted.put)
def put(typing, array, index, value):
    """Do ``array[index] = value``; the index must not be negative."""

    def generate(context, builder, sig, args):
        builder.store(args[2], element(context, builder, sig.args[0], args[0], args[1], _I64(1)))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


@emitted(interpreted.fetch)
def fetch(typing, array, index):
    """Prefetch the cache line of ``array[index]``."""

    def generate(context, builder, sig, args):
        place = builder.bitcast(element(context, builder, sig.args[0], args[0], args[1]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@emitted(memory.array_at)
def array_at(typing, address, shape, kind):
    """Return the array of this shape (a tuple) and dtype at an address, which the caller keeps alive."""
    array = types.Array(kind.dtype, len(shape), "C")

    def generate(context, builder, sig, args):
        from numba.np.arrayobj import populate_array  # slow to import, and used only by the compiler

        made, size = (
            context.make_array(array)(context, builder),
            context.get_abi_sizeof(context.get_data_type(array.dtype)),
        )
        lengths, strides = [builder.extract_value(args[1], n) for n in range(array.ndim)], [ir.Constant(_I64, size)]
        for length in lengths[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        data = builder.inttoptr(args[0], made.data.type)
        populate_array(made, data, lengths, strides, ir.Constant(_I64, size), None)
        return made._getvalue()

    return array(types.int64, shape, kind), generate
