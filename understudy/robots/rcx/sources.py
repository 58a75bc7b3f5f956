"""Sources: the numbered registers of an RCX that instructions read and write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from understudy.robots.rcx.events import EVENTS
from understudy.robots.rcx.inputs import DEFAULT_MODE
from understudy.robots.rcx.tasks import TASKS

if TYPE_CHECKING:
    from understudy.robots.rcx.machine import Machine

Read = Callable[["Machine", int, int], int]  # machine, task, value
Write = Callable[["Machine", int, int, int], None]  # machine, task, value, number
CONSTANT, CURRENT_TASK = 2, 10
MESSAGE_PARAMETER = 1  # index of the mailbox's parameter
# system settings, as NQC's API for Swan numbers them
_BATTERY, _TASK, _ACCESS, _RANGE, _SLEEP, _PRIORITY, _PLAYING, _SPEAKS, _QUEUED, _LOG_SIZE = (
    0, 3, 12, 13, 20, 29, 31, 32, 33, 38,
)  # fmt: skip


class RcxSource(NamedTuple):
    """A kind of register: its name, the first firmware that has it (3: Swan), how to read and write it."""

    name: str
    since: int
    read: Read
    write: Write | None = None


def _event(field: str) -> tuple[Read, Write]:
    """Return how to read and write a field of the events."""

    def read(m: Machine, task: int, n: int) -> int:
        return int(getattr(m.events[n], field)) if 0 <= n < EVENTS else 0

    def write(m: Machine, task: int, n: int, number: int) -> None:
        if 0 <= n < EVENTS:
            setattr(m.events[n], field, number)

    return read, write


def _timer(tick_ms: int) -> tuple[Read, Write]:
    return (
        lambda m, task, n: m.timer(n, tick_ms) if 0 <= n < len(m.timers) else 0,
        lambda m, task, n, number: m.set_timer(n, number, tick_ms),
    )


def _input(field: str) -> Read:
    return lambda m, task, n: int(getattr(m.inputs[n], field)) if 0 <= n < len(m.inputs) else 0


def _motor(field: str) -> Read:
    return lambda m, task, n: int(getattr(m.bank.motors[n], field)) if 0 <= n < len(m.bank.motors) else 0


def _set_type(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.inputs) and 0 <= number < len(DEFAULT_MODE):
        m.inputs[n].plug(number)


def _set_mode(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.inputs):
        m.inputs[n].set_mode(number >> 5, number)


def _message(m: Machine, task: int, n: int) -> int:
    return m.parameter if n == MESSAGE_PARAMETER else m.message


def _set_message(m: Machine, task: int, n: int, number: int) -> None:
    if n == MESSAGE_PARAMETER:
        m.parameter = number
    else:
        m.receive(number)


def _fired(m: Machine, task: int, n: int) -> int:
    mine = task if n == CURRENT_TASK else n
    return m.tasks[mine].fired if 0 <= mine < TASKS else 0


def _signed_power(m: Machine, task: int, n: int) -> int:
    if not 0 <= n < len(m.bank.motors):
        return 0
    motor = m.bank.motors[n]
    return round(motor.percent) if motor.forward else -round(motor.percent)


def _set_power(full: float) -> Write:
    def write(m: Machine, task: int, n: int, number: int) -> None:
        if 0 <= n < len(m.bank.motors):
            m.bank.motors[n].percent = min(max(number, 0), full) * 100.0 / full

    return write


def _set_signed(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.bank.motors):
        m.bank.motors[n].set_signed(number)


def _set_brake(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.bank.motors):
        m.bank.motors[n].brake = number


def _set_level(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.bank.motors):
        m.bank.motors[n].set_level(number)


def _system(m: Machine, task: int, n: int) -> int:
    values = {
        _BATTERY: m.battery_mv, _TASK: task, _SLEEP: m.sleep_min, _PLAYING: int(m.face.playing(m.now_ms)),
        _SPEAKS: int(not m.face.muted), _LOG_SIZE: m.log_size,
        _RANGE: int(m.far), _QUEUED: m.face.waiting if m.face.playing(m.now_ms) else 0,
        **dict.fromkeys((_ACCESS, _PRIORITY), m.tasks[task].priority if 0 <= task < TASKS else 0),
    }  # fmt: skip
    return values[n] if n in values else m.settings.get(str(n), 0)


def _set_system(m: Machine, task: int, n: int, number: int) -> None:
    if n == _SLEEP:
        m.sleep_min = number & 0xFF
    elif n == _RANGE:
        m.far = bool(number)
    elif n in (_ACCESS, _PRIORITY) and 0 <= task < TASKS:
        m.tasks[task].priority = number & 0xFF
    elif n == _SPEAKS:
        m.face.muted = not number
    elif 0 <= n < 256:
        m.settings[str(n)] = number


def _uart(m: Machine, task: int, n: int) -> int:
    return m.uart[n] if 0 <= n < len(m.uart) else 0


def _set_uart(m: Machine, task: int, n: int, number: int) -> None:
    if 0 <= n < len(m.uart):
        m.uart[n] = number & 0xFF


def _log(column: int, indirect: bool) -> tuple[Read, Write]:
    """Return how to read and write type (0) or value (1) of an entry of the datalog."""

    def place(m: Machine, task: int, n: int) -> int:
        return m.variable(task, n) if indirect else n

    def read(m: Machine, task: int, n: int) -> int:
        at = place(m, task, n)
        return m.log[at][column] if 0 <= at < len(m.log) else 0

    def write(m: Machine, task: int, n: int, number: int) -> None:
        at = place(m, task, n)
        if 0 < at < len(m.log):
            m.log[at][column] = number & 0xFF if column == 0 else number

    return read, write


def _log_byte(indirect: bool) -> tuple[Read, Write]:
    def split(m: Machine, task: int, n: int) -> tuple[int, int]:
        return divmod(m.variable(task, n) if indirect else n, 3)

    def read(m: Machine, task: int, n: int) -> int:
        entry, byte = split(m, task, n)
        if not 0 <= entry < len(m.log):
            return 0
        kind, value = m.log[entry]
        return (kind, value & 0xFF, value >> 8 & 0xFF)[byte]

    def write(m: Machine, task: int, n: int, number: int) -> None:
        entry, byte = split(m, task, n)
        if 0 < entry < len(m.log):
            m.log[entry] = _with_byte(m.log[entry], byte, number & 0xFF)

    return read, write


def _with_byte(entry: list[int], byte: int, number: int) -> list[int]:
    parts = [entry[0], entry[1] & 0xFF, entry[1] >> 8 & 0xFF]
    parts[byte] = number
    value = parts[1] + 256 * parts[2]
    return [parts[0], value - 0x10000 if value & 0x8000 else value]


SOURCES: Mapping[int, RcxSource] = MappingProxyType({
    0: RcxSource("variable", 1, lambda m, task, n: m.variable(task, n),
                 lambda m, task, n, x: m.set_variable(task, n, x)),
    1: RcxSource("timer, 100 ms", 1, *_timer(100)),
    2: RcxSource("constant", 1, lambda m, task, n: n),
    3: RcxSource("motor status", 1, _motor("status")),
    4: RcxSource("random, 0 to value", 1, lambda m, task, n: m.random(n), lambda m, task, n, x: m.reseed(x)),
    5: RcxSource("motor power, signed percent", 3, _signed_power, _set_signed),
    7: RcxSource("brake power of a motor; kept, without effect", 3, _motor("brake"), _set_brake),
    8: RcxSource("program slot", 1, lambda m, task, n: m.slot, lambda m, task, n, x: m.select(x, task)),
    9: RcxSource("sensor value", 1, _input("value")),
    10: RcxSource("sensor type", 1, _input("type"), _set_type),
    11: RcxSource("sensor mode", 1, lambda m, task, n: m.mode_byte(n), _set_mode),
    12: RcxSource("sensor, raw", 1, _input("raw")),
    13: RcxSource("sensor, boolean", 1, _input("boolean")),
    14: RcxSource("clock, minutes", 1, lambda m, task, n: m.clock_min, lambda m, task, n, x: m.set_clock(x)),
    15: RcxSource("message", 1, _message, _set_message),
    16: RcxSource("motor power, 0 to 127", 3, lambda m, task, n: abs(_signed_power(m, task, n)) * 127 // 100,
                  _set_power(127.0)),
    17: RcxSource("global motor status", 2, _motor("global_status")),
    18: RcxSource("event type", 3, *_event("type")),
    19: RcxSource("event source", 3, *_event("source")),
    20: RcxSource("event count", 3, *_event("clicks")),
    21: RcxSource("counter", 2, lambda m, task, n: m.counter(n), lambda m, task, n, x: m.set_counter(n, x)),
    22: RcxSource("timer, 1 ms", 3, *_timer(1)),
    23: RcxSource("events of a task", 2, _fired),
    24: RcxSource("system setting", 3, _system, _set_system),
    25: RcxSource("event state", 2, _event("state")[0]),
    26: RcxSource("timer, 10 ms", 2, *_timer(10)),
    27: RcxSource("click counter", 2, *_event("clicks")),
    28: RcxSource("upper threshold", 2, *_event("upper")),
    29: RcxSource("lower threshold", 2, *_event("lower")),
    30: RcxSource("hysteresis", 2, *_event("hysteresis")),
    31: RcxSource("click time, 10 ms", 2, *_event("click")),
    32: RcxSource("motor power, 0 to 7", 3, _motor("level"), _set_level),
    33: RcxSource("UART", 2, _uart, _set_uart),
    34: RcxSource("battery, mV", 2, lambda m, task, n: m.battery_mv),
    35: RcxSource("firmware version", 2, lambda m, task, n: m.version),
    36: RcxSource("variable of a variable", 2, lambda m, task, n: m.variable(task, m.variable(task, n)),
                  lambda m, task, n, x: m.set_variable(task, m.variable(task, n), x)),
    37: RcxSource("datalog type of a variable", 2, *_log(0, True)),
    38: RcxSource("datalog type", 2, *_log(0, False)),
    39: RcxSource("datalog value of a variable", 2, *_log(1, True)),
    40: RcxSource("datalog value", 2, *_log(1, False)),
    41: RcxSource("datalog byte of a variable", 2, *_log_byte(True)),
    42: RcxSource("datalog byte", 2, *_log_byte(False)),
    43: RcxSource("global variable", 3, lambda m, task, n: m.global_variable(n),
                  lambda m, task, n, x: m.set_global(n, x)),
    44: RcxSource("global variable of one", 3, lambda m, task, n: m.global_variable(m.global_variable(n)),
                  lambda m, task, n, x: m.set_global(m.global_variable(n), x)),
})  # fmt: skip


def usable(source: int, generation: int) -> bool:
    """Return whether a firmware (1, 2, 3: Swan) has a source."""
    return source in SOURCES and SOURCES[source].since <= generation
