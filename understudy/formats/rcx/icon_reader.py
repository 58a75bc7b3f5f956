"""Loops, forks, waits and jumps in the instructions of a task, written down as a flat list of icons.

A loop or fork is recognised where its jumps are nested in the one around it; every other jump stays a jump, with a
land where it leads to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.formats.rcx.code import Instruction, decode, encode
from understudy.formats.rcx.disasm import reachable, text_of
from understudy.formats.rcx.icon_leaves import MOST_RUN, leaf_of
from understudy.formats.rcx.icon_words import (
    COUNTER,
    MOST,
    SCRATCH,
    Setting,
    condition_settings,
    condition_words,
    value_words,
    wait_words,
)
from understudy.formats.rcx.image import Fragment
from understudy.formats.rcx.isa import RcxFirmware, RcxOpcode, program_set

MOST_DEPTH = 40  # of loops and forks in each other; deeper ones are shown as jumps
JUMPS, CHECKS, COUNTS, LOOPS = ("jmp", "jmpl"), ("chk", "chkl"), ("decvjn", "decvjnl"), ("loopc", "loopcl")
LONG = {"mone": "monel", "decvjn": "decvjnl", "loopc": "loopcl"}  # text has long jumps only: icons may be longer


@dataclass(slots=True)
class IconDraft:
    """An icon that is not numbered yet."""

    kind: str
    words: str
    start: int
    end: int
    depth: int
    settings: tuple[Setting, ...] = ()
    lasm: tuple[str, ...] = ()
    goes: int | None = None  # address that it jumps to, to be marked by a land
    partner: IconDraft | None = field(default=None, repr=False)  # of a loop: head and end; of a fork: else or end
    name: str = ""  # of a land


def drafts_of(fragment: Fragment, firmware: RcxFirmware) -> list[IconDraft]:
    """Return the icons of a task or subroutine in the order of its code."""
    return _Reader(fragment, firmware).read()


def _instructions(code: bytes, known: Mapping[int, RcxOpcode]) -> list[Instruction]:
    """Return the instructions by address; also those that nothing reaches, where they fill the bytes between others."""
    found = reachable(code, known)
    at = 0
    while at < len(code):
        if at in found:
            at = found[at].end
            continue
        end = at
        while end < len(code) and end not in found:
            end += 1
        found.update(_filling(code, at, end, known))
        at = end
    return [found[at] for at in sorted(found)]


def _filling(code: bytes, at: int, end: int, known: Mapping[int, RcxOpcode]) -> dict[int, Instruction]:
    """Return the instructions that fill bytes exactly, as an assembler would write them; none if they do not."""
    filling: dict[int, Instruction] = {}
    while at < end:
        here = decode(code, at, known)
        if here is None or here.end > end or encode(here.opcode, here.numbers, at) != code[at : here.end]:
            return {}
        filling[at] = here
        at = here.end
    return filling


class _Reader:
    """Reads the instructions of a fragment as a tree of loops and forks, written down as a flat list."""

    def __init__(self, fragment: Fragment, firmware: RcxFirmware) -> None:
        self._code, self._firmware = fragment.code, firmware
        self._run = _instructions(fragment.code, program_set(firmware))
        self._place = {each.at: n for n, each in enumerate(self._run)}
        self._place[len(fragment.code)] = len(self._run)
        self._jumpers: dict[int, list[int]] = {}
        for n, each in enumerate(self._run):
            if each.target is not None:
                self._jumpers.setdefault(each.target, []).append(n)
        self._drafts: list[IconDraft] = []
        self._shown = 0  # address behind the last icon

    def read(self) -> list[IconDraft]:
        """Return the icons in the order of the code."""
        self._region(0, len(self._run), 0, 0)
        self._gap(len(self._code), 0)
        return self._landed()

    # ---- structure

    def _region(self, low: int, high: int, depth: int, counters: int) -> None:
        """Read the instructions from one index to another."""
        n = low
        while n < high:
            self._gap(self._run[n].at, depth)
            n = self._structure(n, high, depth, counters) or self._plain(n, high, depth)

    def _gap(self, end: int, depth: int) -> None:
        """Show bytes before an address that no instruction reaches."""
        start = self._shown
        if start < end:
            data = ",".join(f"0x{byte:02x}" for byte in self._code[start:end])
            self._add("lasm", f"lasm .byte {data}", start, end, depth)

    def _add(self, kind: str, words: str, start: int, end: int, depth: int) -> IconDraft:
        self._drafts.append(IconDraft(kind, words, start, end, depth))
        self._shown = max(self._shown, end)
        return self._drafts[-1]

    def _structure(self, n: int, high: int, depth: int, counters: int) -> int | None:
        """Read a loop or a fork that begins here; returns the index behind it, None if there is none."""
        here = self._run[n]
        name = here.opcode.name
        back = self._last_jump_to(here.at, n, high)
        if depth >= MOST_DEPTH:
            return None
        if name in CHECKS:
            behind = self._index(here.target, n + 1, high)
            if behind is not None and back is not None and here.target == self._run[back].end:
                return self._while(n, back, depth, counters)
        if back is not None and self._run[back].opcode.name in JUMPS:
            return self._forever(n, back, depth, counters)
        if (loop := self._repeat(n, high, depth, counters)) is not None:
            return loop
        if (wait := self._difference(n, high, depth)) is not None:
            return wait
        return self._fork(n, high, depth, counters) if name in CHECKS else None

    def _last_jump_to(self, address: int, low: int, high: int) -> int | None:
        """Return the last plain jump back to an address within a region."""
        jumpers = self._jumpers.get(address, [])
        for k in range(bisect_left(jumpers, high) - 1, -1, -1):
            if jumpers[k] < low:
                return None
            if self._run[jumpers[k]].opcode.name in JUMPS:
                return jumpers[k]
        return None

    def _index(self, address: int | None, low: int, high: int) -> int | None:
        """Return the index of an address if it is from *low* to *high*."""
        n = self._place.get(address) if address is not None else None
        return n if n is not None and low <= n <= high else None

    def _while(self, n: int, back: int, depth: int, counters: int) -> int:
        here, last = self._run[n], self._run[back]
        condition = here.numbers[:5]
        if back == n + 1 and last.at not in self._jumpers and last.at == here.end:
            self._add("wait", wait_words(condition), here.at, last.end, depth).settings = condition_settings(condition)
            return back + 1
        head = self._add("while", f"while {condition_words(condition)}", here.at, here.end, depth)
        head.settings = condition_settings(condition)
        return self._body(head, n + 1, back, depth, counters)

    def _forever(self, n: int, back: int, depth: int, counters: int) -> int:
        head = self._add("forever", "forever", self._run[n].at, self._run[n].at, depth)
        return self._body(head, n, back, depth, counters)

    def _body(self, head: IconDraft, low: int, back: int, depth: int, counters: int) -> int:
        """Read what is in a loop, and its jump back."""
        self._region(low, back, depth + 1, counters)
        last = self._run[back]
        self._gap(last.at, depth + 1)
        tail = self._add("again", "end", last.at, last.end, depth)
        tail.partner, head.partner = head, tail
        return back + 1

    def _repeat(self, n: int, high: int, depth: int, counters: int) -> int | None:
        """Read a loop that counts: in a variable, or (before fw2) in the brick's loop counter."""
        if n + 2 >= high:
            return None
        first, count = self._run[n : n + 2]
        behind = self._index(count.target, n + 3, high)
        if behind is None or first.end != count.at or self._jumpers.get(count.at) != [behind - 1]:
            return None
        last = self._run[behind - 1]
        if last.opcode.name not in JUMPS or last.end != count.target:
            return None
        if first.opcode.name == "setv" and count.opcode.name in COUNTS and first.numbers[0] == count.numbers[0]:
            source, value = first.numbers[1:]
            more = "" if first.numbers[0] == COUNTER + counters else f" counting in {first.numbers[0]}"
        elif first.opcode.name == "loops" and count.opcode.name in LOOPS:
            source, value = first.numbers
            more = "" if self._firmware == "fw1" else " with loops"
        else:
            return None
        head = self._add("repeat", f"repeat {value_words(source, value)} times{more}", first.at, count.end, depth)
        head.settings = (("times", value),) if source == 2 else ()
        return self._body(head, n + 2, behind - 1, depth, counters + 1)

    def _difference(self, n: int, high: int, depth: int) -> int | None:
        """Read a wait for darker or lighter: a threshold is computed from the present reading."""
        run = self._run[n : min(n + 4, high)]
        names = [each.opcode.name for each in run]
        if len(run) < 4 or names[0] != "set" or names[1] not in ("subv", "sumv") or names[2] not in CHECKS:
            return None
        port, by = run[0].numbers[3], run[1].numbers[2]
        darker = names[1] == "subv"
        fits = (
            run[0].numbers == (0, SCRATCH, 9, port) and run[1].numbers == (SCRATCH, 2, by)
            and run[2].numbers == (0, SCRATCH, 1 if darker else 0, 9, port, run[3].end)
            and names[3] in JUMPS and run[3].target == run[2].at and self._jumpers[run[2].at] == [n + 3]
            and not any(each.at in self._jumpers for each in (run[1], run[3]))
        )  # fmt: skip
        if not fits or by < 0 or not 0 <= port < MOST["port"]:
            return None
        words = f"wait for {'darker' if darker else 'lighter'} by {by} on port {port + 1}"
        self._add("wait", words, run[0].at, run[3].end, depth).settings = (("port", port + 1), ("difference", by))
        return n + 4

    def _fork(self, n: int, high: int, depth: int, counters: int) -> int | None:
        here = self._run[n]
        behind = self._index(here.target, n + 1, high)
        if behind is None:
            return None
        condition = here.numbers[:5]
        head = self._add("fork", f"if {condition_words(condition)}", here.at, here.end, depth)
        head.settings = condition_settings(condition)
        last = self._run[behind - 1]
        jumps = behind - 1 > n and last.opcode.name in JUMPS and last.end == here.target
        merge = self._index(last.target, behind, high) if jumps else None
        if merge is None:
            self._region(n + 1, behind, depth + 1, counters)
            head.partner = self._merge(behind, depth)
            return behind
        self._region(n + 1, behind - 1, depth + 1, counters)
        other = head.partner = self._add("else", "else", last.at, last.end, depth)
        self._region(behind, merge, depth + 1, counters)
        other.partner = self._merge(merge, depth)
        return merge

    def _merge(self, n: int, depth: int) -> IconDraft:
        at = self._run[n].at if n < len(self._run) else len(self._code)
        self._gap(at, depth + 1)  # bytes that nothing reaches belong to the branch before them
        return self._add("merge", "end", at, at, depth)

    # ---- icons of a line

    def _plain(self, n: int, high: int, depth: int) -> int:
        """Read one icon without a body; returns the index behind it."""
        here = self._run[n]
        if here.opcode.name in CHECKS and here.target == here.at:
            words = f"wait until {condition_words(here.numbers[:5])}"
            draft = self._add("wait", words, here.at, here.end, depth)
            draft.settings = condition_settings(here.numbers[:5])
        elif here.opcode.name in JUMPS and here.target in self._place:
            self._add("jump", "jump {}", here.at, here.end, depth).goes = here.target
        elif here.opcode.name in CHECKS and here.target in self._place:
            draft = self._add(
                "unless", f"unless {condition_words(here.numbers[:5])} jump {{}}", here.at, here.end, depth
            )
            draft.goes, draft.settings = here.target, condition_settings(here.numbers[:5])
        elif here.target is not None and here.target in self._place:
            rest = ",".join([*map(str, here.numbers[:-1]), "to_{}"])
            draft = self._add("lasm", f"lasm {here.opcode.name} {rest}", here.at, here.end, depth)
            far = LONG.get(here.opcode.name)
            draft.goes, draft.lasm = here.target, (f"{far} {rest}",) if far else ()
        else:
            return self._leaf(n, high, depth)
        return n + 1

    def _leaf(self, n: int, high: int, depth: int) -> int:
        run = self._run[n : n + 1]
        for each in self._run[n + 1 : min(n + MOST_RUN, high)]:
            if each.at in self._jumpers or each.at != run[-1].end:
                break
            run.append(each)
        found = leaf_of(run, self._firmware)
        own = run[: found.count]
        draft = self._add(found.kind, found.words, own[0].at, own[-1].end, depth)
        draft.settings = found.settings
        draft.lasm = () if found.exact else tuple(text_of(each) for each in own)
        return n + found.count

    # ---- jumps

    def _landed(self) -> list[IconDraft]:
        """Put a land where jumps lead to, and give both a name."""
        wanted = sorted({draft.goes for draft in self._drafts if draft.goes is not None})
        names = {address: str(n) for n, address in enumerate(wanted, 1)}
        placed: list[IconDraft] = []
        waiting = set(wanted)
        for draft in self._drafts:
            if draft.start in waiting and draft.kind != "merge":
                waiting.discard(draft.start)
                inside = draft.kind in ("else", "again")
                placed.append(_land(draft.start, draft.depth + inside, names[draft.start]))
            placed.append(draft)
        placed += [_land(address, 0, names[address]) for address in sorted(waiting)]
        for draft in placed:
            if draft.goes is not None:
                draft.name = names[draft.goes]
                draft.words = draft.words.format(draft.name)
                draft.lasm = tuple(line.format(draft.name) for line in draft.lasm)
        return placed


def _land(address: int, depth: int, name: str) -> IconDraft:
    return IconDraft("land", f"land {name}", address, address, depth, name=name)
