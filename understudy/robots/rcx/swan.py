"""Instructions of Swan's firmware on 32 bits and floating point, its test-and-branch forms, and what else it adds.

A number of 32 bits is two adjacent variables, the low word first; a floating-point number is the bits of an IEEE 754
single in the same place. Every other source is its value of 16 bits. NQC's listings have names and lengths only; these
layouts, and ``tab...`` as ``chk`` and ``chkl`` with other operands, are our reading of them.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from understudy.formats.rcx.swan_isa import BRANCHES, VERBS, RcxBranch
from understudy.robots.rcx.arithmetic import OPERATIONS, RELATIONS
from understudy.robots.rcx.events import EVENTS, RcxEvent
from understudy.robots.rcx.machine import LOG_SIZE_ENTRY, MEMORY, TIMERS, Machine, wrap16
from understudy.robots.rcx.sources import CONSTANT

Numbers = Sequence[int]
Step = Callable[[Machine, int, Numbers], None]
Operand = Callable[[Machine, int, int, int], float]  # machine, task, source, value
_WORD, _HALF = 0x10000, 0x8000
_LEAST16, _MOST16 = -_HALF, _HALF - 1
_LEAST32, _MOST32 = -0x8000_0000, 0x7FFF_FFFF
_KHZ, _TONE_10MS = 1000, 10
# flags of clrall, as NQC's API names them; 20 is breakpoints
_TIMERS, _INPUTS, _VARIABLES, _STACK, _EVENTS, _DATALOG = 0x01, 0x02, 0x04, 0x08, 0x10, 0x40


def wrap32(number: int) -> int:
    """Return a number as a signed one of 32 bits.

    >>> wrap32(2**31), wrap32(-5)
    (-2147483648, -5)
    """
    return (number - _LEAST32) % (1 << 32) + _LEAST32


# ---- operands


def _place(m: Machine, task: int, source: int, value: int) -> int | None:
    """Return the index of the low word of a variable in memory, -1 if there is none; None for other sources."""
    match source:
        case 0:  # variable
            return m.place(task, value)
        case 36:  # variable of a variable
            return m.place(task, m.variable(task, value))
        case 43:  # global variable
            return value
        case 44:  # global variable of one
            return m.global_variable(value)
        case _:
            return None


def long_of(m: Machine, task: int, source: int, value: int) -> int:
    """Return a number of 32 bits."""
    low = _place(m, task, source, value)
    if low is None:
        return m.read(task, source, value)
    return wrap32(m.global_variable(low) % _WORD + _WORD * m.global_variable(low + 1)) if low >= 0 else 0


def set_long(m: Machine, task: int, source: int, value: int, number: int) -> None:
    """Set a number of 32 bits; a source that is not a variable gets its low word."""
    low = _place(m, task, source, value)
    if low is None:
        m.write(task, source, value, wrap16(number))
    elif low >= 0:
        m.set_global(low, number)
        m.set_global(low + 1, number >> 16)


def float_of(m: Machine, task: int, source: int, value: int) -> float:
    """Return a floating-point number."""
    if _place(m, task, source, value) is None:
        return float(m.read(task, source, value))
    number: float = struct.unpack("<f", struct.pack("<i", long_of(m, task, source, value)))[0]
    return number


def set_float(m: Machine, task: int, source: int, value: int, number: float) -> None:
    """Set a floating-point number; a source that is not a variable gets its whole part."""
    if _place(m, task, source, value) is None:
        m.write(task, source, value, whole(number, _LEAST16, _MOST16))
    else:
        set_long(m, task, source, value, struct.unpack("<i", _single(number))[0])


def _single(number: float) -> bytes:
    try:
        return struct.pack("<f", number)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, number))


def whole(number: float, least: int, most: int) -> int:
    """Return the whole part of a number between two limits; 0 for one that is not a number.

    >>> whole(-2.7, -10, 10), whole(1e9, -10, 10), whole(float("nan"), -10, 10)
    (-2, 10, 0)
    """
    return 0 if math.isnan(number) else int(min(max(number, least), most))


# ---- arithmetic


def _long(verb: str) -> Step:
    """Return a step: target, source."""
    compute = OPERATIONS[verb]
    return lambda m, task, n: set_long(m, task, n[0], n[1], compute(long_of(m, task, *n[:2]), long_of(m, task, *n[2:])))


def _long_constant(verb: str) -> Step:
    """Return a step: target, constant of one, two or four bytes."""
    compute = OPERATIONS[verb]

    def step(m: Machine, task: int, n: Numbers) -> None:
        constant = n[2] if len(n) == 3 else int.from_bytes(bytes(n[2:]), "big", signed=True)
        set_long(m, task, n[0], n[1], compute(long_of(m, task, n[0], n[1]), constant))

    return step


def _float(compute: Callable[[float, float], float]) -> Step:
    """Return a step: target, source."""
    return lambda m, task, n: set_float(
        m, task, n[0], n[1], compute(float_of(m, task, *n[:2]), float_of(m, task, *n[2:]))
    )


def _quotient(a: float, b: float) -> float:
    """Return a quotient; as with whole numbers, division by 0 changes nothing."""
    return a if b == 0.0 else a / b


def _float_to_long(m: Machine, task: int, n: Numbers) -> None:
    set_long(m, task, n[0], n[1], whole(float_of(m, task, n[2], n[3]), _LEAST32, _MOST32))


def _float_to_word(m: Machine, task: int, n: Numbers) -> None:
    m.write(task, n[0], n[1], whole(float_of(m, task, n[2], n[3]), _LEAST16, _MOST16))


_OPERANDS: Mapping[str, Operand] = {
    "int": lambda m, task, source, value: m.read(task, source, value),
    "long": long_of,
    "float": float_of,
}


# ---- branches and others


def _branch(form: RcxBranch) -> Step:
    """Return a step: source 1, value 1, relation, source 2, value 2, where to go if the relation does not hold."""
    read, (first, second) = _OPERANDS[form.type], form.constants

    def step(m: Machine, task: int, n: Numbers) -> None:
        a = read(m, task, CONSTANT if first else n[0], n[1])
        b = read(m, task, CONSTANT if second else n[3], n[4])
        if not RELATIONS[n[2]](a, b):
            m.tasks[task].pc = n[5]

    return step


def _clear_all(m: Machine, task: int, n: Numbers) -> None:
    flags = n[0]
    for timer in range(TIMERS if flags & _TIMERS else 0):
        m.set_timer(timer, 0, 1)
    for port in m.inputs if flags & _INPUTS else ():
        port.clear()
    if flags & _VARIABLES:
        m.memory = [0] * MEMORY
    if flags & _STACK and task >= 0:
        m.tasks[task].loops = []
    if flags & _EVENTS:
        m.events = [RcxEvent() for _ in range(EVENTS)]
    if flags & _DATALOG:
        m.log = [[LOG_SIZE_ENTRY, 1]]


def _tone(m: Machine, task: int, n: Numbers) -> None:
    m.face.tone(m.read(task, n[0], n[1]) * _KHZ, _TONE_10MS, m.now_ms)


def _assert(m: Machine, task: int, n: Numbers) -> None:
    me = m.tasks[task]
    m.fail(task, "an assertion has failed", m.fragment_of(task), me.pc - 1)


def _nothing(m: Machine, task: int, n: Numbers) -> None:
    """Do nothing: breakpoints are for debuggers, uploads are requests of the link."""


_IDLE = (0x00, 0x46, 0xB6, 0xD6, *range(0xE6, 0xF0))  # noop, uploads, breakpoints
SWAN_STEPS: Mapping[int, Step] = MappingProxyType({
    **{0x18 + n: _long(verb) for n, verb in enumerate(VERBS)},
    **{0x68 + n: _long_constant(verb) for n, verb in enumerate(VERBS)},
    **{code: _branch(form) for code, form in BRANCHES.items()},
    **dict.fromkeys(_IDLE, _nothing),
    0x26: _long("set"),
    0x28: _long_constant("set"),
    0x29: _long_constant("set"),
    0x38: _float(operator.add),
    0x39: _float(operator.sub),
    0x3A: _float(operator.mul),
    0x3B: _float(_quotient),
    0x66: _assert,
    0x76: _long_constant("set"),
    0x8C: _float_to_long,
    0x8D: lambda m, task, n: set_long(m, task, n[0], n[1], m.read(task, n[2], n[3])),
    0xAC: lambda m, task, n: set_float(m, task, n[0], n[1], m.read(task, n[2], n[3])),
    0xAD: lambda m, task, n: set_float(m, task, n[0], n[1], long_of(m, task, n[2], n[3])),
    0xAE: _float_to_word,
    0xAF: lambda m, task, n: m.write(task, n[0], n[1], wrap16(long_of(m, task, n[2], n[3]))),
    0xC7: _clear_all,
    0xD3: _tone,
    0xE3: _tone,
})  # fmt: skip
