"""The words of icons: what a child reads, and the LASM instructions that each line stands for.

The instructions are those of ROBOLAB 2.9 (LURobotSim thesis, tables 3.1 to 3.10). A motor's power is 1 to 5, as in
ROBOLAB; ``level`` is the 0 to 7 of the brick, ``%`` the percent of Swan's firmware.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from understudy.formats.rcx.isa import RcxFirmware
from understudy.frozen import frozen

Setting = tuple[str, str | float]
Lines = list[str]
SCRATCH = 47  # the variable in which ROBOLAB's icons compute
COUNTER, MOST_COUNTERS = 33, 14  # variables that count repeats, from the outermost
PERCENT_PER_POWER = 20
LEVEL_OF_POWER = (0, 1, 3, 5, 7)  # of the powers 1 to 5, before ROBOLAB 2.9
MOTOR_LETTERS = "ABC"
SOUNDS = ("click", "beep", "falling", "rising", "buzz", "fast")
SENSORS = ("raw", "touch", "temperature", "light", "rotation")  # types 0 to 4
RELATIONS = (">", "<", "=", "!=")
ARITHMETIC: Mapping[str, str] = MappingProxyType({"setv": "=", "sumv": "+", "subv": "-", "mulv": "*", "divv": "/"})
_VERBS = {sign: name for name, sign in ARITHMETIC.items()}
MOST: Mapping[str, int] = MappingProxyType({"port": 3, "timer": 4})  # that a brick has
# source -> its word and what is added to its index in the words
_SOURCES: Mapping[int, tuple[str, int]] = MappingProxyType({
    0: ("container", 0), 1: ("timer", 1), 4: ("random", 0), 9: ("port", 1),
})  # fmt: skip
_SINGLE = {14: "clock", 15: "message"}
_VALUE = r"(?:container \d+|timer \d+|random \d+|port \d+|clock|message|source \d+ -?\d+|-?\d+)"


class WordsError(ValueError):
    """Words that have no meaning as they stand."""


# ---- values and conditions


def value_words(source: int, value: int) -> str:
    """Return a source and its value as words.

    >>> value_words(2, 5), value_words(9, 0), value_words(3, 1)
    ('5', 'port 1', 'source 3 1')
    """
    if source == 2:
        return str(value)
    word, first = _SOURCES.get(source, ("", 0))
    if word and 0 <= value < MOST.get(word, value + 1):
        return f"{word} {value + first}"
    return _SINGLE[source] if source in _SINGLE and value == 0 else f"source {source} {value}"


def value_of(words: str) -> str:
    """Return the two numbers of LASM that stand for a value; raises WordsError.

    >>> value_of("port 1"), value_of("-3")
    ('9,0', '2,-3')
    """
    if re.fullmatch(r"-?\d{1,9}", words):
        return f"2,{int(words)}"
    word, *numbers = words.split()
    if word == "source" and len(numbers) == 2:
        return ",".join(numbers)
    for source, (name, first) in _SOURCES.items():
        if word == name and len(numbers) == 1:
            return f"{source},{_at_least(numbers[0], first, name)}"
    for source, name in _SINGLE.items():
        if words == name:
            return f"{source},0"
    raise WordsError(f"not a value: {words[:60]!r} (want a number, container 3, port 1, timer 1, random 5 or message)")


def _at_least(digits: str, first: int, name: str) -> int:
    number, most = int(digits[:9]), MOST.get(name)
    if number < first or (most is not None and number > most):
        raise WordsError(f"there is no {name} {number} (want {first} {f'to {most}' if most else 'or more'})")
    return number - first


def port_of(digits: str) -> int:
    """Return the number of LASM for a port; raises WordsError.

    >>> port_of("3")
    2
    """
    return _at_least(digits, 1, "port")


def condition_words(numbers: Sequence[int]) -> str:
    """Return the condition of ``chk``: source 1, value 1, relation, source 2, value 2.

    >>> condition_words((2, 1, 0, 9, 0)), condition_words((2, 40, 1, 9, 1)), condition_words((0, 3, 2, 2, 7))
    ('port 1 is not pressed', 'port 2 is above 40', 'container 3 = 7')
    """
    source1, value1, relation, source2, value2 = numbers
    if source1 == 2 and source2 == 9 and relation < 2 and value2 < MOST["port"]:
        port = f"port {value2 + 1} is "
        if (value1, relation) in ((1, 0), (0, 1)):
            return port + ("pressed" if relation else "not pressed")
        return port + (f"above {value1}" if relation else f"below {value1}")
    return f"{value_words(source1, value1)} {RELATIONS[relation]} {value_words(source2, value2)}"


_PORT = re.compile(r"port (\d+) is (not pressed|pressed|above|below)(?: (-?\d+))?")
_COMPARED = re.compile(rf"({_VALUE}) ?(>|<|=|!=) ?({_VALUE})")


def condition_of(words: str) -> str:
    """Return the five numbers of ``chk`` for a condition; raises WordsError.

    >>> condition_of("port 1 is above 40")
    '2,40,1,9,0'
    """
    if (found := _PORT.fullmatch(words)) and (found[3] is None) == found[2].endswith("pressed"):
        port = port_of(found[1])
        if found[3] is None:
            return f"2,1,0,9,{port}" if found[2].startswith("not") else f"2,0,1,9,{port}"
        return f"2,{int(found[3][:9])},{1 if found[2] == 'above' else 0},9,{port}"
    if found := _COMPARED.fullmatch(words):
        return f"{value_of(found[1])},{RELATIONS.index(found[2])},{value_of(found[3])}"
    raise WordsError(f"not a condition: {words[:60]!r} (want port 1 is pressed, port 1 is above 40, container 3 = 7)")


def wait_words(numbers: Sequence[int]) -> str:
    """Return the words of a wait that goes on while a condition holds.

    >>> wait_words((2, 1, 0, 9, 0)), wait_words((2, 40, 1, 9, 0))
    ('wait for push on port 1', 'wait for dark 40 on port 1')
    """
    words = condition_words(numbers)
    if not (found := _PORT.fullmatch(words)):
        return f"wait while {words}"
    what = {"not pressed": "push", "pressed": "let go", "above": "dark", "below": "light"}[found[2]]
    return f"wait for {what}{' ' + found[3] if found[3] else ''} on port {found[1]}"


_WAIT_FOR = re.compile(r"wait for (push|let go|dark|light)(?: (-?\d+))? on port (\d+)")


def wait_condition_of(words: str) -> str | None:
    """Return the numbers of ``chk`` that a wait goes on with; None: these words are not such a wait."""
    if words.startswith("wait while "):
        return condition_of(words.removeprefix("wait while "))
    found = _WAIT_FOR.fullmatch(words)
    if not found or (found[2] is None) != (found[1] in ("push", "let go")):
        return None
    what = {"push": "not pressed", "let go": "pressed", "dark": "above", "light": "below"}[found[1]]
    return condition_of(f"port {found[3]} is {what}{' ' + found[2] if found[2] else ''}")


def condition_settings(numbers: Sequence[int]) -> tuple[Setting, ...]:
    """Return port and threshold of a condition, as far as it has them."""
    source1, value1, _, source2, value2 = numbers
    if source2 == 9:
        return (("port", value2 + 1), *((("threshold", value1),) if source1 == 2 else ()))
    if source1 == 9:
        return (("port", value1 + 1), *((("threshold", value2),) if source2 == 2 else ()))
    return ()


# ---- motors


def letters_of(mask: int) -> str:
    """Return the motors of a mask.

    >>> letters_of(5)
    'AC'
    """
    return "".join(letter for n, letter in enumerate(MOTOR_LETTERS) if mask >> n & 1)


def mask_of(letters: str) -> int:
    """Return the mask of motors."""
    return sum(1 << MOTOR_LETTERS.index(letter) for letter in set(letters.upper()))


def _motor(found: re.Match[str], firmware: RcxFirmware) -> Lines:
    mask, ahead = mask_of(found[1]), found[2] == "forward"
    strength = found[3] or "power 5"
    number = int((re.search(r"\d+", strength) or [0])[0])
    if strength == "same power":
        return _by_level(mask, ahead, None)
    if strength.startswith("level"):
        return _by_level(mask, ahead, _within(number, 0, 7, "level"))
    motors = [n for n in range(3) if mask >> n & 1]
    if strength.endswith("%"):
        percent = _within(number, 0, 100, "percent") * (1 if ahead else -1)
        return [*(f"set 5,{n},2,{percent}" for n in motors), f"out 2,{mask}"]
    power = _within(number, 1, 5, "power")
    if firmware != "swan":
        return _by_level(mask, ahead, LEVEL_OF_POWER[power - 1])
    factor = PERCENT_PER_POWER if ahead else -PERCENT_PER_POWER
    computed = [f"set 0,{SCRATCH},2,{power}", f"mulv {SCRATCH},2,{factor}"]
    return [*computed, *(f"set 5,{n},0,{SCRATCH}" for n in motors), f"out 2,{mask}"]


def _by_level(mask: int, ahead: bool, level: int | None) -> Lines:
    power = [] if level is None else [f"pwr {mask},2,{level}"]
    return [f"dir {2 if ahead else 0},{mask}", *power, f"out 2,{mask}"]


def _direction(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"dir {2 if found[2] == 'forward' else 0},{mask_of(found[1])}"]


def _level(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"pwr {mask_of(found[1])},2,{_within(int(found[2]), 0, 7, 'level')}"]


def _within(number: int, least: int, most: int, name: str) -> int:
    if not least <= number <= most:
        raise WordsError(f"there is no {name} {number} (want {least} to {most})")
    return number


# ---- lines of one icon


def _sound(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"plays {SOUNDS.index(found[1])}"]


def _tone(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"playt {int(found[1])},{hundredths(found[2])}"]


def hundredths(seconds: str) -> int:
    """Return seconds as hundredths, which is what the brick counts; raises WordsError for finer ones."""
    whole, _, part = seconds.partition(".")
    if len(part.rstrip("0")) > 2:
        raise WordsError(f"{seconds} s is finer than a hundredth of a second")
    return int(whole[:9] or 0) * 100 + int((part + "00")[:2])


def _assignment(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"{_VERBS[found[2]]} {int(found[1])},{value_of(found[3])}"]


def _sensor(found: re.Match[str], _: RcxFirmware) -> Lines:
    return [f"sent {port_of(found[1])},{SENSORS.index(found[2])}"]


def _numbered(template: str, first: int = 0, name: str = "number") -> Callable[[re.Match[str], RcxFirmware], Lines]:
    return lambda found, _: [template.format(_at_least(found[1], first, name))]


def _by_mask(template: str) -> Callable[[re.Match[str], RcxFirmware], Lines]:
    return lambda found, _: [template.format(mask_of(found[1]))]


def _fixed(*lines: str) -> Callable[[re.Match[str], RcxFirmware], Lines]:
    return lambda found, firmware: list(lines)


@frozen
class Leaf:
    """Words of one icon without a condition: their pattern, and their instructions."""

    form: str  # for people
    pattern: re.Pattern[str]
    lines: Callable[[re.Match[str], RcxFirmware], Lines]


_S = r"(\d{1,6}(?:\.\d{1,6})?)"
_M = r"([abc]{1,3})"
_N = r"(\d{1,6})"


def _leaf(form: str, pattern: str, lines: Callable[[re.Match[str], RcxFirmware], Lines]) -> Leaf:
    return Leaf(form, re.compile(pattern), lines)


LEAVES: tuple[Leaf, ...] = (
    _leaf("begin", "begin", lambda _, firmware: ["tmrz 3", *(["set 24,9,2,1"] if firmware == "swan" else [])]),
    _leaf(
        "motor AC forward power 5",
        rf"motor {_M} (forward|backward)(?: (power \d{{1,6}}|level \d{{1,6}}|\d{{1,6}} ?%|same power))?",
        _motor,
    ),
    _leaf("stop AC", f"stop {_M}", _by_mask("out 1,{}")),
    _leaf("float AC", f"float {_M}", _by_mask("out 0,{}")),
    _leaf("on AC", f"on {_M}", _by_mask("out 2,{}")),
    _leaf("flip AC", f"flip {_M}", _by_mask("dir 1,{}")),
    _leaf("direction AC forward", f"direction {_M} (forward|backward)", _direction),
    _leaf("level AC 7", f"level {_M} {_N}", _level),
    _leaf("wait 2 s", f"wait {_S} ?s", lambda found, _: [f"wait 2,{hundredths(found[1])}"]),
    _leaf("wait random up to 2 s", f"wait random up to {_S} ?s", lambda found, _: [f"wait 4,{hundredths(found[1])}"]),
    _leaf("wait container 3 hundredths", f"wait ({_VALUE}) hundredths", lambda got, _: [f"wait {value_of(got[1])}"]),
    _leaf("sound beep", f"sound ({'|'.join(SOUNDS)})", _sound),
    _leaf("tone 440 Hz for 0.5 s", f"tone {_N} ?hz for {_S} ?s", _tone),
    _leaf("container 3 = 5", rf"container {_N} ?([-=+*/]) ?({_VALUE})", _assignment),
    _leaf("reset timer 1", f"reset timer {_N}", _numbered("tmrz {}", 1, "timer")),
    _leaf("reset port 1", f"reset port {_N}", _numbered("senz {}", 1, "port")),
    _leaf("port 1 has light", f"port {_N} has ({'|'.join(SENSORS)})", _sensor),
    _leaf("send message 5", f"send message ({_VALUE})", lambda found, _: [f"msg {value_of(found[1])}"]),
    _leaf("clear message", "clear message", _fixed("msgz")),
    _leaf("start task 1", f"start task {_N}", _numbered("start {}")),
    _leaf("stop task 1", f"stop task {_N}", _numbered("stop {}")),
    _leaf("stop all tasks", "stop all tasks", _fixed("stop")),
    _leaf("call 1", f"call {_N}", _numbered("calls {}")),
    _leaf("return", "return", _fixed("rets")),
)  # fmt: skip


def leaf_lines(words: str, firmware: RcxFirmware) -> Lines | None:
    """Return the instructions of one icon; None: the words are not those of such an icon. Raises WordsError.

    >>> leaf_lines("wait 2 s", "swan"), leaf_lines("motor A forward level 3", "fw2")
    (['wait 2,200'], ['dir 2,1', 'pwr 1,2,3', 'out 2,1'])
    """
    for leaf in LEAVES:
        if found := leaf.pattern.fullmatch(words.lower()):
            return leaf.lines(found, firmware)
    return None
