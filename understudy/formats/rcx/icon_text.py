"""Programs as lines of icons (``.icons``), which a child can read: to LASM and to an image, and back.

One icon on a line. ``repeat``, ``forever``, ``while`` and ``if`` have a body up to their ``end``; ``task 1`` and
``sub 1`` too. Without a ``task`` line the whole text is task 0. ``lasm`` passes an instruction on as it is. Comments
begin with ``;``, ``#`` or ``//``. Capitals do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from understudy.errors import FormatError, cut, nearest
from understudy.formats.rcx.disasm import data_text, direct_text, symbol_text
from understudy.formats.rcx.icon_words import (
    COUNTER,
    LEAVES,
    MOST_COUNTERS,
    SCRATCH,
    WordsError,
    condition_of,
    leaf_lines,
    port_of,
    value_of,
    wait_condition_of,
)
from understudy.formats.rcx.icons import Icon, IconTask, icons_of
from understudy.formats.rcx.image import Fragment, RcxImage
from understudy.formats.rcx.isa import FIRMWARES, RcxFirmware
from understudy.formats.rcx.lasm import MOST_CODE, MOST_COMPARED, MOST_PROBLEMS, MOST_TEXT, assemble, lines_of

MOST_BLOCKS = 200  # in each other
_NAME = r"([A-Za-z0-9_]{1,40})"
_COMMENT = re.compile(r"[;#]|//")
_PROBLEM = re.compile(r":(\d+):(\d+): (.*)")
_BLOCK = re.compile(r"(task|sub) (\d{1,3})")
_REPEAT = re.compile(r"repeat (.+?) times?(?: counting in (\d{1,3})| (with loops))?")
_DIFFERENCE = re.compile(r"wait for (darker|lighter) by (\d{1,6}) on port (\d+)")
_UNLESS = re.compile(rf"unless (.+) jump {_NAME}")
_JUMP, _LAND = re.compile(rf"jump {_NAME}"), re.compile(rf"land {_NAME}")
_FIRST = ("firmware", "task", "sub", "lasm")  # lines that may stand outside of a task
_WORDS = (
    "repeat", "forever", "while", "if", "else", "end", "unless", "jump", "land", *_FIRST,
    *(leaf.form.split()[0] for leaf in LEAVES),
)  # fmt: skip


@dataclass(slots=True)
class _Open:
    """A block that has not ended: its word, its line, and the labels of its instructions."""

    word: str
    line: int
    head: str = ""
    behind: str = ""
    has_else: bool = False


def compile_icons(text: str, file: str = "<icons>", firmware: RcxFirmware = "swan") -> RcxImage:
    """Return the program of icon text, with its lines; raises FormatError with the line of every problem."""
    compiler = _Compiler(text, file, firmware)
    lasm = "\n".join(line for line, _ in compiler.lasm)
    try:
        image = assemble(lasm, "", compiler.firmware)
    except FormatError as problem:
        raise FormatError("\n".join(compiler.own(each) for each in str(problem).splitlines())) from None
    fragments = tuple(replace(each, lines=compiler.lines(each)) for each in image)
    return replace(image, fragments=fragments)


def lasm_of(text: str, file: str = "<icons>", firmware: RcxFirmware = "swan") -> str:
    """Return the LASM text of icon text; raises FormatError.

    >>> print(lasm_of("motor A forward level 7\\nwait 2 s\\nstop A"))
    task 0
    dir 2,1
    pwr 1,2,7
    out 2,1
    wait 2,200
    out 1,1
    endt
    """
    compile_icons(text, file, firmware)
    return "\n".join(line for line, _ in _Compiler(text, file, firmware).lasm)


class _Compiler:
    """Icon text line by line to LASM lines, each with the line that it comes from."""

    def __init__(self, text: str, file: str, firmware: RcxFirmware) -> None:
        if len(text) > MOST_TEXT:
            raise FormatError(f"{file}: too large for a program ({len(text):,} characters, at most {MOST_TEXT:,})")
        self.firmware, self._file = firmware, file
        self.lasm: list[tuple[str, int]] = []
        self._problems: list[tuple[int, int, str]] = []  # line, column, text
        self._stack: list[_Open] = []
        self._labels = self._line = self._column = 0
        self._lands: dict[str, int] = {}
        self._jumps: list[tuple[str, int, int]] = []
        rows = [(n, _without_comment(line)) for n, line in enumerate(lines_of(text), 1)]
        if not any(_BLOCK.fullmatch(_plain(line)) for _, line in rows):
            self._take_all_as_task_0(rows)
        else:
            self._take_all(rows)
        if self._problems:
            first = sorted(self._problems[:MOST_PROBLEMS])
            raise FormatError("\n".join(f"{file}:{line}:{column}: {problem}" for line, column, problem in first))

    def own(self, problem: str) -> str:
        """Return a problem of the assembler at the line of the icon."""
        found = _PROBLEM.fullmatch(problem)
        if not found:
            return f"{self._file}: {problem.lstrip(': ')}"
        n = min(int(found[1]), len(self.lasm)) - 1
        return f"{self._file}:{self.lasm[n][1]}:1: {found[3]}"

    def lines(self, fragment: Fragment) -> tuple[tuple[int, int], ...]:
        """Return the lines of a fragment in the icon text."""
        return tuple((at, self.lasm[line - 1][1]) for at, line in fragment.lines)

    # ---- lines

    def _take_all_as_task_0(self, rows: list[tuple[int, str]]) -> None:
        first = {n for n, line in rows if _plain(line).startswith("firmware")}
        self._take_all([row for row in rows if row[0] in first], ends=False)
        self._open_task("task", "0")
        self._take_all([row for row in rows if row[0] not in first], ends=False)
        self._close_task()

    def _take_all(self, rows: list[tuple[int, str]], ends: bool = True) -> None:
        for self._line, line in rows:
            words = _plain(line)
            if len(self._problems) >= MOST_PROBLEMS:
                return
            if not words:
                continue
            self._column = len(line) - len(line.lstrip()) + 1
            try:
                self._take(words, line.strip())
            except WordsError as problem:
                self._problem(str(problem))
        if ends:
            for block in self._stack:
                self._problem(f"this {block.word} has no end (add a line: end)", block.line)

    def _problem(self, text: str, line: int = 0, column: int = 0) -> None:
        self._problems.append((line or self._line, column or (1 if line else self._column), cut(text, 300)))

    def _take(self, words: str, line: str) -> None:
        first = words.split()[0]
        if first == "lasm":
            self._emit(_instruction(line[4:].strip()))
        elif first == "firmware":
            self._choose(words.removeprefix("firmware").strip())
        elif found := _BLOCK.fullmatch(words):
            self._open_task(found[1], found[2])
        elif not self._stack:
            raise WordsError(f"{first!r} stands outside of a task (put it between task 0 and end)")
        elif not any(look(words) for look in self._looks()):
            self._icon(words, first)

    def _looks(self) -> Iterator[Callable[[str], bool]]:
        return iter((self._begins, self._ends, self._jumps_to, self._waits))

    def _icon(self, words: str, first: str) -> None:
        lines = leaf_lines(words, self.firmware)
        if lines is None:
            forms = [leaf.form for leaf in LEAVES if leaf.form.split()[0] == first]
            if forms:
                raise WordsError(f"cannot read {cut(repr(words), 80)} (write it like: {'; '.join(forms)})")
            raise WordsError(f"unknown icon {cut(repr(words), 80)} {nearest(first, set(_WORDS))}")
        self._emit(*lines)

    def _emit(self, *lines: str) -> None:
        if len(self.lasm) > MOST_CODE:
            raise WordsError("the program is too large for a brick")
        self.lasm += [(line, self._line) for line in lines]

    def _label(self) -> str:
        self._labels += 1
        return f"at_{self._labels}"

    def _choose(self, name: str) -> None:
        if name not in FIRMWARES:
            raise WordsError(f"unknown firmware {cut(repr(name), 60)} {nearest(name, FIRMWARES)}")
        if self._stack or self.lasm:
            raise WordsError("firmware must stand before the first task")
        self.firmware = name

    # ---- blocks

    def _open_task(self, kind: str, number: str) -> None:
        if self._stack:
            outer = self._stack[-1]
            self._stack.clear()
            self._problem(f"this {outer.word} has no end before the next {kind} (add a line: end)", outer.line)
        self._stack.append(_Open(kind, self._line))
        self._lands, self._jumps = {}, []
        self._emit(f"{kind} {number}")

    def _close_task(self) -> None:
        block, *inner = self._stack
        for each in inner:
            self._problem(f"this {each.word} has no end (add a line: end)", each.line)
        for name, line, column in self._jumps:
            if name not in self._lands and len(self._problems) < MOST_PROBLEMS:
                self._problem(
                    f"there is no land {name} in this {block.word} {nearest(name, islice(self._lands, MOST_COMPARED))}",
                    line,
                    column,
                )
        self.lasm.append(("endt" if block.word == "task" else "ends", self._line))
        self._stack.clear()

    def _push(self, block: _Open) -> None:
        if len(self._stack) >= MOST_BLOCKS:
            raise WordsError(f"more than {MOST_BLOCKS} loops and forks in each other")
        self._stack.append(block)

    def _begins(self, words: str) -> bool:
        """Take the head of a loop or fork."""
        if words == "forever":
            head = self._label()
            self._push(_Open("forever", self._line, head))
            self._emit(f"{head}:")
        elif words.startswith("while "):
            head, behind = self._label(), self._label()
            self._push(_Open("while", self._line, head, behind))
            self._emit(f"{head}: chkl {condition_of(words.removeprefix('while '))},{behind}")
        elif words.startswith("if "):
            behind = self._label()
            self._push(_Open("if", self._line, behind=behind))
            self._emit(f"chkl {condition_of(words.removeprefix('if '))},{behind}")
        elif words.startswith("repeat "):
            self._repeat(words)
        else:
            return False
        return True

    def _repeat(self, words: str) -> None:
        found = _REPEAT.fullmatch(words)
        if not found:
            raise WordsError(f"cannot read {cut(repr(words), 80)} (write it like: repeat 5 times)")
        head, behind = self._label(), self._label()
        counters = sum(each.word == "repeat" for each in self._stack)
        value = value_of(found[1])
        self._push(_Open("repeat", self._line, head, behind))
        if found[3] or (self.firmware == "fw1" and not found[2]):
            self._emit(f"loops {value}", f"{head}: loopcl {behind}")
            return
        if counters >= MOST_COUNTERS:
            raise WordsError(f"more than {MOST_COUNTERS} repeats in each other")
        counter = int(found[2]) if found[2] else COUNTER + counters
        self._emit(f"setv {counter},{value}", f"{head}: decvjnl {counter},{behind}")

    def _ends(self, words: str) -> bool:
        """Take the end of a body, or the else of a fork."""
        if words not in ("end", "else"):
            return False
        block = self._stack[-1]
        if words == "else":
            if block.word != "if" or block.has_else:
                raise WordsError("else without its if")
            merge = self._label()
            self._emit(f"jmpl {merge}", f"{block.behind}:")
            block.behind, block.has_else = merge, True
        elif block.word in ("task", "sub"):
            if not block.line:
                raise WordsError("end without its repeat, forever, while or if")
            self._close_task()
        else:
            self._stack.pop()
            self._emit(*([f"jmpl {block.head}"] if block.head else []), *([f"{block.behind}:"] if block.behind else []))
        return True

    # ---- jumps and waits

    def _jumps_to(self, words: str) -> bool:
        if found := _LAND.fullmatch(words):
            if found[1] in self._lands:
                raise WordsError(f"land {found[1]} stands twice (the first is at line {self._lands[found[1]]})")
            self._lands[found[1]] = self._line
            self._emit(f"to_{found[1]}:")
        elif found := _JUMP.fullmatch(words):
            self._jumps.append((found[1], self._line, self._column))
            self._emit(f"jmpl to_{found[1]}")
        elif found := _UNLESS.fullmatch(words):
            self._jumps.append((found[2], self._line, self._column))
            self._emit(f"chkl {condition_of(found[1])},to_{found[2]}")
        else:
            return False
        return True

    def _waits(self, words: str) -> bool:
        """Take a wait with a condition."""
        if words.startswith("wait until "):
            here = self._label()
            self._emit(f"{here}: chkl {condition_of(words.removeprefix('wait until '))},{here}")
        elif found := _DIFFERENCE.fullmatch(words):
            port = port_of(found[3])
            verb, relation = ("subv", 1) if found[1] == "darker" else ("sumv", 0)
            self._emit(f"set 0,{SCRATCH},9,{port}", f"{verb} {SCRATCH},2,{found[2]}")
            self._loop_while(f"0,{SCRATCH},{relation},9,{port}")
        elif (condition := wait_condition_of(words)) is not None:
            self._loop_while(condition)
        else:
            return False
        return True

    def _loop_while(self, condition: str) -> None:
        here, behind = self._label(), self._label()
        self._emit(f"{here}: chkl {condition},{behind}", f"jmpl {here}", f"{behind}:")


def _without_comment(line: str) -> str:
    return _COMMENT.split(line, maxsplit=1)[0].rstrip()


def _plain(line: str) -> str:
    return " ".join(line.lower().split())


def _instruction(text: str) -> str:
    first = text.split()[0].lower() if text else ""
    if first in ("", "task", "sub", "endt", "ends", ".firmware"):
        raise WordsError("want an instruction after lasm, such as lasm view 2,7")
    return text


# ---- and back


def write_icons(image: RcxImage) -> str:
    """Return a program as icon text; what icons cannot say are lines of LASM.

    >>> print(write_icons(compile_icons("forever\\nmotor A forward\\nend")), end="")
    task 0
      forever
        motor A forward power 5
      end
    end
    """
    lines = [] if image.firmware == "swan" else [f"firmware {image.firmware}", ""]
    lines += [f"lasm {symbol_text(symbol)}" for symbol in image.symbols]
    lines += [f"lasm {direct_text(data, image.firmware)}" for data in image.before]
    tasks = {(task.kind, task.number): task for task in icons_of(image).tasks}
    for fragment in image:
        task = tasks.get((fragment.kind, fragment.number))
        lines += _task_lines(task) if task else [f"lasm {data_text(fragment)}"]
    lines += [f"lasm {direct_text(data, image.firmware)}" for data in image.after]
    return "\n".join(lines) + "\n"


def _task_lines(task: IconTask) -> Iterator[str]:
    yield f"{task.kind} {task.number}"
    for icon in task.icons:
        yield from ("  " * (icon.depth + 1) + words for words in _icon_lines(icon))
    yield "end"


def _icon_lines(icon: Icon) -> list[str]:
    return [f"lasm {line}" for line in icon.lasm] or [icon.words]
