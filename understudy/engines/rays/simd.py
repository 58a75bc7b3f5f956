"""What Numba has no words for: eight rays at once, and array access without the negative-index check.

Each is an intrinsic that emits LLVM vector code; LLVM lowers it to whatever the machine has (SSE, AVX, NEON). Measured
on a span of 13 rays: plain Numba 12 ns, these 3.5 ns. Arrays must be C-contiguous and one-dimensional, and padded by
WIDTH values where `raise_span` may reach beyond their end.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WIDTH = 8
_FAST = ("fast",)
_I32, _F64 = ir.IntType(32), ir.DoubleType()
_VEC = ir.VectorType(_F64, WIDTH)


def _element(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Return a pointer to one element of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def _splat(builder: Any, value: Any, vector: Any) -> Any:
    """Return a vector with *value* in every lane."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _I32(0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, WIDTH), [0] * WIDTH))


def _extreme(builder: Any, name: str, kind: Any, suffix: str, values: Any) -> Any:
    """Return llvm.maxnum or llvm.minnum of two values or vectors."""
    signature = ir.FunctionType(kind, [kind, kind])
    function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.{name}.{suffix}")
    return builder.call(function, values, fastmath=_FAST)


@intrinsic
def raise_span(typing, z, cos, sin, first, count, a, b):  # type: ignore[no-untyped-def]
    """Do ``z[r] = max(z[r], a * cos[r] + b * sin[r])`` for *count* (at most WIDTH) rays from *first* on."""
    signature = types.void(z, cos, sin, types.intp, types.intp, types.float64, types.float64)

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        def load(which):  # type: ignore[no-untyped-def]
            pointer = builder.bitcast(
                _element(context, builder, sig.args[which], args[which], args[3]), _VEC.as_pointer()
            )
            value = builder.load(pointer)
            value.align = 8
            return pointer, value

        (pointer, old), (_, c), (_, s) = load(0), load(1), load(2)
        sum_a = builder.fmul(_splat(builder, args[5], _VEC), c, flags=_FAST)
        sum_b = builder.fmul(_splat(builder, args[6], _VEC), s, flags=_FAST)
        new = builder.fadd(sum_a, sum_b, flags=_FAST)
        lanes = ir.Constant(ir.VectorType(_I32, WIDTH), list(range(WIDTH)))
        wanted = builder.icmp_signed("<", lanes, _splat(builder, builder.trunc(args[4], _I32), lanes.type))
        new = builder.select(wanted, new, ir.Constant(_VEC, [0.0] * WIDTH))
        builder.store(_extreme(builder, "maxnum", _VEC, f"v{WIDTH}f64", [old, new]), pointer).align = 8
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def fmax(typing, a, b):  # type: ignore[no-untyped-def]
    """Return the larger of two numbers, without a branch."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return _extreme(builder, "maxnum", _F64, "f64", args)

    return types.float64(types.float64, types.float64), generate


@intrinsic
def fmin(typing, a, b):  # type: ignore[no-untyped-def]
    """Return the smaller of two numbers, without a branch."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return _extreme(builder, "minnum", _F64, "f64", args)

    return types.float64(types.float64, types.float64), generate


@intrinsic
def at(typing, array, index):  # type: ignore[no-untyped-def]
    """Return ``array[index]``; the index must not be negative."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.load(_element(context, builder, sig.args[0], args[0], args[1]))

    return array.dtype(array, types.intp), generate


@intrinsic
def put(typing, array, index, value):  # type: ignore[no-untyped-def]
    """Do ``array[index] = value``; the index must not be negative."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        builder.store(args[2], _element(context, builder, sig.args[0], args[0], args[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate
