"""What Numba has no words for: array access without the negative-index check, and the LLVM code that vectors share.

Each is an intrinsic that emits LLVM code. Arrays must be C-contiguous; an index counts values, whatever the shape.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDTH = 8  # numbers that are worked on at once
_I32 = ir.IntType(32)


def element(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Return a pointer to one element of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def splat(builder: Any, value: Any, vector: Any) -> Any:
    """Return a vector with *value* in every lane."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _I32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, WIDTH), [0] * WIDTH))


@intrinsic
def at(typing, array, index):  # type: ignore[no-untyped-def]
    """Return ``array[index]``; the index must not be negative."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.load(element(context, builder, sig.args[0], args[0], args[1]))

    return array.dtype(array, types.intp), generate


@intrinsic
def put(typing, array, index, value):  # type: ignore[no-untyped-def]
    """Do ``array[index] = value``; the index must not be negative."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        builder.store(args[2], element(context, builder, sig.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate
