"""What each instruction does: one function per opcode, with the machine, the task and the numbers of the text.

A direct command of the link runs the same functions; its task is OUTSIDE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from understudy.formats.rcx.swan_isa import VERBS
from understudy.robots.rcx.arithmetic import OPERATIONS, RELATIONS
from understudy.robots.rcx.events import EVENTS, RcxEvent
from understudy.robots.rcx.inputs import DEFAULT_MODE
from understudy.robots.rcx.machine import LOG_SIZE_ENTRY, MOST_LOG, Machine, wrap16
from understudy.robots.rcx.packets import HEADER, packet
from understudy.robots.rcx.registers import mode_of
from understudy.robots.rcx.swan import SWAN_STEPS
from understudy.robots.rcx.tasks import MAIN, MOST_LOOPS, TASKS

Numbers = Sequence[int]
Step = Callable[[Machine, int, Numbers], None]
MESSAGE = 0xF7
_TEN_MS = 10
_PREAMBLE, _COMPLEMENT, _CHECKSUM = 1, 2, 4  # flags of a UART packet
_PACKET_FLAGS, _BUFFER = 16, 16
_LOGGED = {0: 0x00, 1: 0x20, 9: 0x40, 14: 0x80}  # source -> type of an entry


# ---- variables


def _on_variable(verb: str) -> Step:
    """Return a step: variable, source, value."""
    compute = OPERATIONS[verb]

    def step(m: Machine, task: int, n: Numbers) -> None:
        m.set_variable(task, n[0], compute(m.variable(task, n[0]), m.read(task, n[1], n[2])))

    return step


def _on_source(verb: str) -> Step:
    """Return a step: source, value, source, value."""
    compute = OPERATIONS[verb]

    def step(m: Machine, task: int, n: Numbers) -> None:
        old = m.read(task, n[0], n[1]) if verb != "set" else 0
        m.write(task, n[0], n[1], wrap16(compute(old, m.read(task, n[2], n[3]))))

    return step


def _with_constant(verb: str) -> Step:
    """Return a step: source, value, constant."""
    compute = OPERATIONS[verb]
    return lambda m, task, n: m.write(task, n[0], n[1], wrap16(compute(m.read(task, n[0], n[1]), wrap16(n[2]))))


def _on_global(verb: str) -> Step:
    """Return a step: global variable, source, value."""
    compute = OPERATIONS[verb]
    return lambda m, task, n: m.set_global(n[0], compute(m.global_variable(n[0]), m.read(task, n[1], n[2])))


def _global_constant(verb: str) -> Step:
    """Return a step: global variable, constant."""
    compute = OPERATIONS[verb]
    return lambda m, task, n: m.set_global(n[0], compute(m.global_variable(n[0]), wrap16(n[1])))


# ---- flow


def _jump(m: Machine, task: int, n: Numbers) -> None:
    m.tasks[task].pc = n[-1]


def _check(m: Machine, task: int, n: Numbers) -> None:
    source, value, relation, source2, value2, target = n
    if not RELATIONS[relation](m.read(task, source, value), m.read(task, source2, value2)):
        m.tasks[task].pc = target


def _call(m: Machine, task: int, n: Numbers) -> None:
    me = m.tasks[task]
    if n[0] not in m.program.subs:
        return
    if me.sub != MAIN:
        m.fail(
            task,
            f"subroutine {me.sub} calls subroutine {n[0]}: the RCX has one return address",
            m.program.subs[me.sub],
            me.pc - 2,
        )
        return
    me.back, me.sub, me.pc = me.pc, n[0], 0


def _return(m: Machine, task: int, n: Numbers) -> None:
    me = m.tasks[task]
    if me.sub == MAIN:
        m.fail(task, "rets outside of a subroutine", m.program.tasks.get(task), me.pc - 1)
    else:
        me.go(me.back, MAIN)


def _wait(unit_ms: int) -> Step:
    def step(m: Machine, task: int, n: Numbers) -> None:
        m.tasks[task].wait_ms = max(m.read(task, n[0], n[1]), 0) * unit_ms

    return step


def _begin_loop(m: Machine, task: int, n: Numbers) -> None:
    loops, count = m.tasks[task].loops, m.read(task, n[0], n[1])
    if len(loops) < MOST_LOOPS:
        loops.append(count)
    else:
        loops[-1] = count


def _count_loop(m: Machine, task: int, n: Numbers) -> None:
    me = m.tasks[task]
    left = me.loops[-1] - 1 if me.loops else -1
    if left >= 0:
        me.loops[-1] = left
        return
    me.loops = me.loops[:-1]
    me.pc = n[0]


def _decrement(m: Machine, task: int, n: Numbers) -> None:
    m.set_variable(task, n[0], m.variable(task, n[0]) - 1)
    if m.variable(task, n[0]) < 0:
        m.tasks[task].pc = n[1]


def _stop(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < TASKS:
        m.tasks[n[0]].stop()


def _set_priority(m: Machine, task: int, n: Numbers) -> None:
    m.tasks[task].priority = n[0]


# ---- events and resources


def _monitor(m: Machine, task: int, n: Numbers) -> None:
    me = m.tasks[task]
    me.mask, me.handler, me.handler_sub = m.read(task, n[0], n[1]) & 0xFFFF, n[2], me.sub


def _end_monitor(m: Machine, task: int, n: Numbers) -> None:
    m.tasks[task].mask = 0


def _acquire(m: Machine, task: int, n: Numbers) -> None:
    """Take resources, unless a task of higher priority has one of them; others that have lose all."""
    me, (bits, handler) = m.tasks[task], n
    holders = [other for other in m.tasks if other is not me and other.running and other.resources & bits]
    if any(other.priority < me.priority for other in holders):
        me.pc = handler
        return
    for other in holders:
        other.resources = 0
        other.go(other.loser, other.loser_sub)
    me.resources |= bits
    me.loser, me.loser_sub = handler, me.sub


def _release(m: Machine, task: int, n: Numbers) -> None:
    m.tasks[task].resources = 0


def _define_event(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < EVENTS:
        m.events[n[0]].define(n[1], n[2])


def _calibrate(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < EVENTS:
        event = m.events[n[0]]
        event.calibrate(event.value(m), n[1], n[2], n[3], m.now_ms)


def _delete_events(m: Machine, task: int, n: Numbers) -> None:
    m.events = [RcxEvent() for _ in range(EVENTS)]


# ---- motors, inputs, timers


def _out(m: Machine, task: int, n: Numbers) -> None:
    for motor in m.bank.of(n[1]):
        motor.mode = mode_of(n[0])


def _global_out(m: Machine, task: int, n: Numbers) -> None:
    for motor in m.bank.of(n[1]):
        motor.enabled = mode_of(n[0])


def _direction(m: Machine, task: int, n: Numbers) -> None:
    for motor in m.bank.of(n[1]):
        motor.turn(n[0])


def _global_direction(m: Machine, task: int, n: Numbers) -> None:
    for motor in m.bank.of(n[1]):
        motor.turn_all(n[0])


def _power(m: Machine, task: int, n: Numbers) -> None:
    level = m.read(task, n[1], n[2])
    for motor in m.bank.of(n[0]):
        motor.set_level(level)


def _most_power(m: Machine, task: int, n: Numbers) -> None:
    level = m.read(task, n[1], n[2])
    for motor in m.bank.of(n[0]):
        motor.most = level if 0 <= level <= 7 else motor.most


def _sensor_type(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < len(m.inputs) and n[1] < len(DEFAULT_MODE):
        m.inputs[n[0]].plug(n[1])


def _sensor_mode(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < len(m.inputs):
        m.inputs[n[0]].set_mode(n[1], n[2])


def _clear_sensor(m: Machine, task: int, n: Numbers) -> None:
    if n[0] < len(m.inputs):
        m.inputs[n[0]].clear()


# ---- messages, log, sounds, display


def _transmit(m: Machine, task: int, data: bytes) -> None:
    """Send bytes; a task waits at its instruction while others are being sent, a direct command is lost."""
    if m.sending and task >= 0:
        m.tasks[task].pc = m.tasks[task].at
    else:
        m.send(data)


def _send(m: Machine, task: int, n: Numbers) -> None:
    _transmit(m, task, packet(bytes([MESSAGE, m.read(task, n[0], n[1]) & 0xFF])))


def _send_parameter(m: Machine, task: int, n: Numbers) -> None:
    parameter = m.read(task, n[2], n[3]) & 0xFFFF
    _transmit(m, task, packet(bytes([MESSAGE, m.read(task, n[0], n[1]) & 0xFF, parameter & 0xFF, parameter >> 8])))


def _fill_mailbox(m: Machine, task: int, n: Numbers) -> None:
    m.receive(n[0], wrap16(n[1]) if len(n) > 1 else 0)


def _fill_from_sources(m: Machine, task: int, n: Numbers) -> None:
    m.receive(m.read(task, n[0], n[1]), m.read(task, n[2], n[3]))


def _empty_mailbox(m: Machine, task: int, n: Numbers) -> None:
    m.message = m.parameter = 0


def _uart(m: Machine, task: int, n: Numbers) -> None:
    """Send bytes of the buffer, with header, complements and checksum as the packet's flags say."""
    data = bytes(m.uart[:_BUFFER][n[0] : n[0] + n[1]])
    flags = m.uart[_PACKET_FLAGS]
    if flags & (_COMPLEMENT | _CHECKSUM):
        data += bytes([sum(data) & 0xFF])
    if flags & _COMPLEMENT:
        data = bytes(each for byte in data for each in (byte, byte ^ 0xFF))
    if data:
        _transmit(m, task, (HEADER if flags & _PREAMBLE else b"") + data)


def _range(m: Machine, task: int, n: Numbers) -> None:
    m.far = bool(n[0])


def _create_log(m: Machine, task: int, n: Numbers) -> None:
    """Make a datalog; its first entry has the number of entries."""
    fits = n[0] <= MOST_LOG and 3 * n[0] <= m.free + 3 * m.log_size
    if fits:
        m.log_size, m.log = n[0], [[LOG_SIZE_ENTRY, 1]]


def _log(m: Machine, task: int, n: Numbers) -> None:
    if len(m.log) <= m.log_size and n[0] in _LOGGED:
        m.log.append([(_LOGGED[n[0]] + n[1]) & 0xFF, m.read(task, n[0], n[1])])
        m.log[0][1] = len(m.log)


def _tone_of_variable(m: Machine, task: int, n: Numbers) -> None:
    m.face.tone(m.variable(task, n[0]), n[1], m.now_ms)


def _mute(muted: bool) -> Step:
    def step(m: Machine, task: int, n: Numbers) -> None:
        m.face.muted = muted

    return step


def _view(m: Machine, task: int, n: Numbers) -> None:
    view = m.read(task, n[0], n[1])
    if 0 <= view <= 7:
        m.face.view = view


def _user_display(m: Machine, task: int, n: Numbers) -> None:
    m.face.decimals, m.face.source, m.face.value = min(n[0], 3), n[1], n[2]


def _switch_off(m: Machine, task: int, n: Numbers) -> None:
    """Switch off; not while it is set never to switch itself off."""
    if m.sleep_min:
        m.switch(False)


def _sleep_after(m: Machine, task: int, n: Numbers) -> None:
    m.sleep_min, m.quiet_ms = n[0], 0


_VARIABLES = {
    0x14: "set", 0x24: "sum", 0x34: "sub", 0x44: "div", 0x54: "mul", 0x64: "sgn", 0x74: "abs", 0x84: "and", 0x94: "or",
    0x2E: "not", 0xF5: "mod",
}  # fmt: skip
_ON_SOURCES = {
    0x05: "set", 0x2F: "set", 0x36: "set", 0x7B: "abs", 0x7C: "sgn", 0x7D: "btst", 0x7E: "bset", 0x7F: "bclr",
    0x88: "xor", 0x98: "shl", 0x99: "shr", 0x9B: "neg",
}  # fmt: skip
_FAMILIES: Mapping[int, Callable[[str], Step]] = {
    0x08: _on_source, 0x48: _global_constant, 0x58: _global_constant, 0xB8: _on_source, 0xC8: _on_global,
    0xD8: _with_constant, 0xF8: _on_source,
}  # fmt: skip

EXECUTE: Mapping[int, Step] = MappingProxyType({
    **{code: _on_variable(verb) for code, verb in _VARIABLES.items()},
    **{code: _on_source(verb) for code, verb in _ON_SOURCES.items()},
    **{first + n: make(verb) for first, make in _FAMILIES.items() for n, verb in enumerate(VERBS)},
    **SWAN_STEPS,
    0x02: _tone_of_variable,
    0x03: lambda m, task, n: m.raise_events(m.read(task, n[0], n[1]) & 0xFFFF),
    0x04: _calibrate,
    0x06: _delete_events,
    0x13: _power,
    0x17: _call,
    0x21: _out,
    0x22: lambda m, task, n: m.set_clock(60 * n[0] + n[1]),
    0x23: lambda m, task, n: m.face.tone(n[0], n[1], m.now_ms),
    0x27: _jump,
    0x2B: _global_constant("set"),
    0x2C: _global_constant("set"),
    0x2D: _on_global("set"),
    0x31: _range,
    0x32: _sensor_type,
    0x33: _view,
    0x37: _count_loop,
    0x40: lambda m, task, n: m.delete("task"),
    0x42: _sensor_mode,
    0x43: _wait(_TEN_MS),
    0x47: _wait(1),
    0x50: lambda m, task, n: m.stop_all(),
    0x51: lambda m, task, n: m.face.system_sound(n[0], m.now_ms),
    0x52: _create_log,
    0x60: _switch_off,
    0x61: lambda m, task, n: m.delete("task", n[0]),
    0x62: _log,
    0x67: _global_out,
    0x70: lambda m, task, n: m.delete("sub"),
    0x71: lambda m, task, n: m.start(n[0], task),
    0x72: _jump,
    0x73: _acquire,
    0x77: _global_direction,
    0x80: lambda m, task, n: m.face.clear(m.now_ms),
    0x81: _stop,
    0x82: _begin_loop,
    0x85: _check,
    0x90: _empty_mailbox,
    0x91: lambda m, task, n: m.select(n[0], task),
    0x92: _count_loop,
    0x93: _define_event,
    0x95: _check,
    0x97: lambda m, task, n: m.set_counter(n[0], m.counter(n[0]) + 1),
    0xA0: _release,
    0xA1: lambda m, task, n: m.set_timer(n[0], 0, 1),
    0xA2: _fill_mailbox,
    0xA3: _most_power,
    0xA7: lambda m, task, n: m.set_counter(n[0], m.counter(n[0]) - 1),
    0xB0: _end_monitor,
    0xB1: _sleep_after,
    0xB2: _send,
    0xB3: _fill_mailbox,
    0xB4: _monitor,
    0xB5: _monitor,
    0xB7: lambda m, task, n: m.set_counter(n[0], 0),
    0xC1: lambda m, task, n: m.delete("sub", n[0]),
    0xC2: _uart,
    0xC3: _send_parameter,
    0xC4: _fill_from_sources,
    0xD0: _mute(True),
    0xD1: _clear_sensor,
    0xD7: _set_priority,
    0xE0: _mute(False),
    0xE1: _direction,
    0xE5: _user_display,
    0xF2: _decrement,
    0xF3: _decrement,
    0xF6: _return,
    0xF7: _fill_mailbox,
})  # fmt: skip
