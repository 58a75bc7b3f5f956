"""Eight numbers at once: Numba types with the operators of a number, for kernels that look at eight things in one go.

`Lanes` holds WIDTH numbers, `Flags` WIDTH booleans. They live in local variables of kernels only. LLVM lowers them to
what the machine has: one AVX-512 register, two of AVX2, four of SSE or NEON. Arrays must be C-contiguous. Values out of
bounds must not be loaded: `load_some` leaves such lanes at 0.

Every operation is rounded as written: nothing is fused, reordered or left for LLVM to choose, not even the sign of a
zero or the handling of NaN. So results are bit-identical on every processor, and equal to those of the interpreter.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

from understudy.engines.rays.simd import interpreted
from understudy.engines.rays.simd.llvm import WIDTH, element, splat
from understudy.jit import emitted

_F64, _I1, _I32, _I64 = ir.DoubleType(), ir.IntType(1), ir.IntType(32), ir.IntType(64)
_VECTOR, _TRUTHS = ir.VectorType(_F64, WIDTH), ir.VectorType(_I1, WIDTH)


class _Kind(types.Type):
    """A type whose values are LLVM vectors."""


lanes, flags = _Kind("Lanes"), _Kind("Flags")


@register_model(_Kind)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR if kind is lanes else _TRUTHS)


# ---- operators: of Lanes and Lanes or numbers, of Flags and Flags

_ARITHMETIC = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_COMPARED = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">="}
_LOGIC = {operator.and_: "and_", operator.or_: "or_"}
_MIXED = ((lanes, lanes), (lanes, types.float64), (types.float64, lanes))


def _spread(builder: Any, value: Any) -> Any:
    """Return a vector or a number as a vector."""
    return value if isinstance(value.type, ir.VectorType) else splat(builder, value, _VECTOR)


def _define(op: Any, kinds: Any, result: Any, emit: Any) -> None:
    """Define an operator for these kinds of operands."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, *args) if tuple(args) in kinds else None

    infer_global(op)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *(_spread(builder, value) for value in args))

    for pair in kinds:
        lower_builtin(op, *pair)(lower)


for _op, _name in _ARITHMETIC.items():
    _define(_op, _MIXED, lanes, lambda builder, a, b, name=_name: getattr(builder, name)(a, b))
for _op, _name in _COMPARED.items():
    _define(_op, _MIXED, flags, lambda builder, a, b, name=_name: builder.fcmp_ordered(name, a, b))
for _op, _name in _LOGIC.items():
    _define(_op, ((flags, flags),), flags, lambda builder, a, b, name=_name: getattr(builder, name)(a, b))


# ---- memory


def _pointer(context: Any, builder: Any, sig: Any, args: Any, count: Any = None) -> Any:
    """Return a pointer to WIDTH numbers in an array, or to *count* of them."""
    wide = _I64(WIDTH)
    used = wide if count is None else builder.select(builder.icmp_signed("<", count, wide), count, wide)
    return builder.bitcast(element(context, builder, sig.args[0], args[0], args[1], used), _VECTOR.as_pointer())


def _first(builder: Any, count: Any) -> Any:
    """Return flags for the first *count* lanes."""
    order = ir.Constant(ir.VectorType(_I32, WIDTH), list(range(WIDTH)))
    return builder.icmp_signed("<", order, splat(builder, builder.trunc(count, _I32), order.type))


@emitted(interpreted.load)
def load(typing, array, index):
    """Return the WIDTH values of an array from *index* on."""

    def generate(context, builder, sig, args):
        value = builder.load(_pointer(context, builder, sig, args))
        value.align = 8
        return value

    return lanes(array, types.intp), generate


@emitted(interpreted.load_some)
def load_some(typing, array, index, count):
    """Return *count* values of an array from *index* on, and 0 in the lanes after them."""

    def generate(context, builder, sig, args):
        pointer, some = _pointer(context, builder, sig, args, args[2]), _first(builder, args[2])
        kinds = [pointer.type, _I32, _TRUTHS, _VECTOR]
        name = f"llvm.masked.load.v{WIDTH}f64.p0"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_VECTOR, kinds), name)
        return builder.call(function, [pointer, _I32(8), some, ir.Constant(_VECTOR, [0.0] * WIDTH)])

    return lanes(array, types.intp, types.intp), generate


@emitted(interpreted.store)
def store(typing, array, index, values):
    """Write Lanes into an array from *index* on."""

    def generate(context, builder, sig, args):
        builder.store(args[2], _pointer(context, builder, sig, args)).align = 8
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@emitted(interpreted.store_some)
def store_some(typing, array, index, count, values):
    """Write the first *count* of Lanes into an array from *index* on."""

    def generate(context, builder, sig, args):
        pointer, some = _pointer(context, builder, sig, args, args[2]), _first(builder, args[2])
        kinds = [_VECTOR, pointer.type, _I32, _TRUTHS]
        name = f"llvm.masked.store.v{WIDTH}f64.p0"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), kinds), name)
        builder.call(function, [args[3], pointer, _I32(8), some])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, lanes), generate


# ---- functions that numbers have too


def _call(name: str) -> Any:
    """Return how to emit an LLVM function of one vector."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64")
        return builder.call(function, args)

    return generate


def _better(builder: Any, sign: str, a: Any, b: Any) -> Any:
    """Return the first of two vectors where it compares so, else the second; also if one is NaN or both are zeros."""
    return builder.select(builder.fcmp_ordered(sign, a, b), a, b)


def _choose(sign: str) -> Any:
    """Return how to emit the better of each two."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _better(builder, sign, *(_spread(builder, value) for value in args))

    return generate


def _best(sign: str) -> Any:
    """Return how to emit the best of all lanes: halves are compared until one number is left."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, count = args[0], WIDTH
        while count > 1:
            count //= 2
            halves = [ir.Constant(ir.VectorType(_I32, count), list(range(k, k + count))) for k in (0, count)]
            left = _better(builder, sign, *(builder.shuffle_vector(left, left, half) for half in halves))
        return builder.extract_element(left, _I32(0))

    return generate


@emitted(interpreted.high)
def high(typing, a, b):
    """Return the larger of each two, else the second; Lanes or numbers."""
    return lanes(a, b), _choose(">")


@emitted(interpreted.low)
def low(typing, a, b):
    """Return the smaller of each two, else the second; Lanes or numbers."""
    return lanes(a, b), _choose("<")


@emitted(np.sqrt)
def root(typing, a):
    """Return the square roots."""
    return lanes(a), _call("sqrt")


@emitted(np.abs)
def size(typing, a):
    """Return the values without their signs."""
    return lanes(a), _call("fabs")


@emitted(np.ceil)
def ceiling(typing, a):
    """Return the values rounded up."""
    return lanes(a), _call("ceil")


@emitted(interpreted.largest)
def largest(typing, a):
    """Return the largest of all lanes."""
    return types.float64(lanes), _best(">")


@emitted(interpreted.smallest)
def smallest(typing, a):
    """Return the smallest of all lanes."""
    return types.float64(lanes), _best("<")


# ---- products of vectors in the plane, eight at once: they keep kernels short, and Numba types them at once


def _of(*kinds: Any) -> Any:
    """Return the type of a sum of products: Lanes, if one factor is."""
    return lanes if lanes in kinds else types.float64


def _products(builder: Any, args: Any, pairs: Any) -> Any:
    """Return two products of these arguments, of one type."""
    if any(isinstance(value.type, ir.VectorType) for value in args):
        args = [_spread(builder, value) for value in args]
    return [builder.fmul(args[a], args[b]) for a, b in pairs]


@emitted(interpreted.dot)
def dot(typing, ax, ay, bx, by):
    """Return ``ax * bx + ay * by``; Lanes or numbers."""

    def generate(context, builder, sig, args):
        return builder.fadd(*_products(builder, args, ((0, 2), (1, 3))))

    return _of(ax, ay, bx, by)(ax, ay, bx, by), generate


@emitted(interpreted.cross)
def cross(typing, ax, ay, bx, by):
    """Return ``ax * by - ay * bx``; Lanes or numbers."""

    def generate(context, builder, sig, args):
        return builder.fsub(*_products(builder, args, ((0, 3), (1, 2))))

    return _of(ax, ay, bx, by)(ax, ay, bx, by), generate


@emitted(interpreted.polynomial)
def polynomial(typing, x, factors):
    """Return a polynomial of Lanes; *factors* is a tuple of numbers, that of the highest power last."""

    def generate(context, builder, sig, args):
        factors = [_spread(builder, builder.extract_value(args[1], n)) for n in range(len(sig.args[1]))]
        total = factors.pop()
        while factors:
            total = builder.fadd(builder.fmul(total, args[0]), factors.pop())
        return total

    return lanes(x, factors), generate


# ---- selecting lanes


@emitted(interpreted.every)
def every(typing, number):
    """Return Lanes that all hold the same number."""

    def generate(context, builder, sig, args):
        return splat(builder, args[0], _VECTOR)

    return lanes(types.float64), generate


@emitted(interpreted.select)
def select(typing, which, a, b):
    """Return *a* where flagged, else *b*; Lanes or numbers."""

    def generate(context, builder, sig, args):
        return builder.select(args[0], _spread(builder, args[1]), _spread(builder, args[2]))

    return lanes(which, a, b), generate


@emitted(interpreted.first_lanes)
def first_lanes(typing, count):
    """Return flags for the first *count* lanes."""

    def generate(context, builder, sig, args):
        return _first(builder, args[0])

    return flags(types.intp), generate


@emitted(interpreted.lanes_between)
def lanes_between(typing, first, last):
    """Return flags for the lanes from *first* on that are before *last*; both may lie outside."""

    def generate(context, builder, sig, args):
        return builder.and_(builder.not_(_first(builder, args[0])), _first(builder, args[1]))

    return flags(types.intp, types.intp), generate


@emitted(interpreted.bits)
def bits(typing, which):
    """Return flags as the bits of an integer, the first lane lowest."""

    def generate(context, builder, sig, args):
        return builder.zext(builder.bitcast(args[0], ir.IntType(WIDTH)), _I64)

    return types.int64(flags), generate


@emitted(interpreted.lowest)
def lowest(typing, whole):
    """Return the number of the lowest bit of a whole number that is not 0."""

    def generate(context, builder, sig, args):
        return builder.cttz(args[0], _I1(1))

    return types.int64(types.int64), generate
