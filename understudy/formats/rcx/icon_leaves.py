"""Instructions to icons without a condition: motors, stops, waits for seconds, sounds, containers, tasks.

The longest run of instructions that makes an icon counts. Words that would not give the same instructions again are
not exact; the text form then shows the instructions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from understudy.formats.rcx.code import Instruction
from understudy.formats.rcx.disasm import text_of
from understudy.formats.rcx.icon_words import (
    ARITHMETIC,
    LEVEL_OF_POWER,
    MOST,
    PERCENT_PER_POWER,
    SCRATCH,
    SENSORS,
    SOUNDS,
    Setting,
    WordsError,
    leaf_lines,
    letters_of,
    value_words,
)
from understudy.formats.rcx.isa import RcxFirmware
from understudy.frozen import frozen

MOST_RUN = 6  # instructions of the longest icon: three motors with their power


@frozen
class Found:
    """An icon in a list of instructions: what it is, and how many of them it takes."""

    kind: str
    words: str
    count: int
    settings: tuple[Setting, ...] = ()
    exact: bool = True  # whether the words compile to these instructions


def leaf_of(run: Sequence[Instruction], firmware: RcxFirmware) -> Found:
    """Return the icon that instructions begin with; one that nothing recognises is of kind ``lasm``."""
    for look in (_begin, _motor_by_power, _motor_by_percent, _motor_by_level, _single):
        found = look(run, firmware)
        if found is not None:
            return _checked(found, run, firmware)
    return Found("lasm", f"lasm {text_of(run[0])}", 1)


def _checked(found: Found, run: Sequence[Instruction], firmware: RcxFirmware) -> Found:
    try:
        lines = leaf_lines(found.words, firmware)
    except WordsError:
        lines = None
    exact = lines == [text_of(each) for each in run[: found.count]]
    return Found(found.kind, found.words, found.count, found.settings, exact)


def _names(run: Sequence[Instruction]) -> list[str]:
    return [each.opcode.name for each in run]


def _begin(run: Sequence[Instruction], firmware: RcxFirmware) -> Found | None:
    """What ROBOLAB writes at the start of a program."""
    if run[0].opcode.name != "tmrz" or run[0].numbers != (3,) or run[0].at != 0:
        return None
    if firmware != "swan":
        return Found("begin", "begin", 1)
    return Found("begin", "begin", 2) if len(run) > 1 and text_of(run[1]) == "set 24,9,2,1" else None


# ---- motors


def _motor_by_power(run: Sequence[Instruction], _: RcxFirmware) -> Found | None:
    """ROBOLAB 2.9: the power times 20 or -20 in a variable, then into each motor."""
    if _names(run[:2]) != ["set", "mulv"] or run[0].numbers[:3] != (0, SCRATCH, 2):
        return None
    power, (variable, source, factor) = run[0].numbers[3], run[1].numbers
    powered = list(_powered(run[2:], (0, SCRATCH)))
    count = 2 + len(powered)
    if variable != SCRATCH or source != 2 or abs(factor) != PERCENT_PER_POWER or not _switches_on(run, count, powered):
        return None
    mask = run[count].numbers[1]
    return _motor(mask, factor > 0, f"power {power}", count + 1, ("power", power))


def _motor_by_percent(run: Sequence[Instruction], _: RcxFirmware) -> Found | None:
    """A constant power for each motor (Swan)."""
    if run[0].opcode.name != "set" or run[0].numbers[0] != 5 or run[0].numbers[2] != 2:
        return None
    percent = run[0].numbers[3]
    powered = list(_powered(run, (2, percent)))
    if not _switches_on(run, len(powered), powered):
        return None
    mask = run[len(powered)].numbers[1]
    return _motor(mask, percent >= 0, f"{abs(percent)} %", len(powered) + 1, ("percent", abs(percent)))


def _powered(run: Sequence[Instruction], value: tuple[int, int]) -> Iterator[int]:
    """Return the motors whose power is set to a value."""
    for each in run:
        if each.opcode.name != "set" or each.numbers[0] != 5 or each.numbers[2:] != value:
            return
        yield each.numbers[1]


def _switches_on(run: Sequence[Instruction], count: int, powered: Sequence[int]) -> bool:
    here = run[count] if count < len(run) else None
    return (
        bool(powered) and here is not None and here.opcode.name == "out" and here.numbers[0] == 2 != here.numbers[1] + 2
    )


def _motor_by_level(run: Sequence[Instruction], firmware: RcxFirmware) -> Found | None:
    """The older form: direction, power, on."""
    names = _names(run[:3])
    if not names or names[0] != "dir" or run[0].numbers[0] not in (0, 2) or not run[0].numbers[1]:
        return None
    direction, mask = run[0].numbers
    ahead = direction == 2
    if names[1:] == ["pwr", "out"] and run[1].numbers[:2] == (mask, 2) and run[2].numbers == (2, mask):
        level = run[1].numbers[2]
        if firmware != "swan" and level in LEVEL_OF_POWER:
            power = LEVEL_OF_POWER.index(level) + 1
            return _motor(mask, ahead, f"power {power}", 3, ("power", power))
        return _motor(mask, ahead, f"level {level}", 3, ("level", level))
    if names[1:2] == ["out"] and run[1].numbers == (2, mask):
        return _motor(mask, ahead, "same power", 2)
    return None


def _motor(mask: int, ahead: bool, strength: str, count: int, *more: Setting) -> Found:
    direction = "forward" if ahead else "backward"
    letters = letters_of(mask)
    settings: tuple[Setting, ...] = (("motors", letters), ("direction", direction), *more)
    return Found("motor", f"motor {letters} {direction} {strength}", count, settings)


# ---- single instructions


def _single(run: Sequence[Instruction], _: RcxFirmware) -> Found | None:
    here = run[0]
    look = _SINGLE.get(here.opcode.name)
    leaf = look(here.numbers) if look is not None else None
    return None if leaf is None else Found(leaf[0], leaf[1], 1, tuple(leaf[2:]))


Leaf = tuple[str, str, *tuple[Setting, ...]]
_OUT = ("float", "stop", "on")


def _out(numbers: tuple[int, ...]) -> Leaf | None:
    mode, mask = numbers
    if mode > 2 or not mask:
        return None
    letters = letters_of(mask)
    return ("motor" if mode == 2 else "stop", f"{_OUT[mode]} {letters}", ("motors", letters))


def _dir(numbers: tuple[int, ...]) -> Leaf | None:
    direction, mask = numbers
    if direction > 2 or not mask:
        return None
    letters = letters_of(mask)
    words = (f"direction {letters} backward", f"flip {letters}", f"direction {letters} forward")[direction]
    return ("motor", words, ("motors", letters))


def _pwr(numbers: tuple[int, ...]) -> Leaf | None:
    mask, source, level = numbers
    if source != 2 or not 0 < mask < 8 or not 0 <= level < 8:
        return None
    return ("motor", f"level {letters_of(mask)} {level}", ("motors", letters_of(mask)), ("level", level))


def _wait(numbers: tuple[int, ...]) -> Leaf:
    source, value = numbers
    if source not in (2, 4) or value < 0:
        return "wait", f"wait {value_words(source, value)} hundredths"
    random = "random up to " if source == 4 else ""
    return ("wait", f"wait {random}{seconds_words(value)} s", ("seconds", value / 100))


def seconds_words(hundredths: int) -> str:
    """Return hundredths of a second in seconds.

    >>> seconds_words(200), seconds_words(105)
    ('2', '1.05')
    """
    return f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")


def _sound(numbers: tuple[int, ...]) -> Leaf | None:
    return ("sound", f"sound {SOUNDS[numbers[0]]}") if numbers[0] < len(SOUNDS) else None


def _tone(numbers: tuple[int, ...]) -> Leaf:
    hertz, length = numbers
    words = f"tone {hertz} Hz for {seconds_words(length)} s"
    return ("sound", words, ("hertz", hertz), ("seconds", length / 100))


def _arithmetic(sign: str) -> Callable[[tuple[int, ...]], Leaf]:
    def leaf(numbers: tuple[int, ...]) -> Leaf:
        variable, source, value = numbers
        return ("container", f"container {variable} {sign} {value_words(source, value)}", ("container", variable))

    return leaf


def _sensor(numbers: tuple[int, ...]) -> Leaf | None:
    port, kind = numbers
    if port >= MOST["port"] or kind >= len(SENSORS):
        return None
    return ("port", f"port {port + 1} has {SENSORS[kind]}", ("port", port + 1))


def _reset(what: str) -> Callable[[tuple[int, ...]], Leaf | None]:
    return lambda numbers: (what, f"reset {what} {numbers[0] + 1}") if numbers[0] < MOST[what] else None


def _plain(kind: str, words: str) -> Callable[[tuple[int, ...]], Leaf]:
    return lambda numbers: (kind, words.format(*numbers))


_SINGLE: dict[str, Callable[[tuple[int, ...]], Leaf | None]] = {
    "out": _out, "dir": _dir, "pwr": _pwr, "wait": _wait, "plays": _sound, "playt": _tone, "sent": _sensor,
    **{name: _arithmetic(sign) for name, sign in ARITHMETIC.items()},
    "tmrz": _reset("timer"), "senz": _reset("port"),
    "msg": lambda numbers: ("message", f"send message {value_words(*numbers)}"),
    "msgz": _plain("message", "clear message"),
    "start": _plain("split", "start task {}"),
    "stop": lambda numbers: ("task", f"stop task {numbers[0]}" if numbers else "stop all tasks"),
    "calls": _plain("call", "call {}"), "rets": _plain("return", "return"),
}  # fmt: skip
