"""Tasks and programs in the memory of an RCX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from understudy.formats.rcx.image import Fragment

TASKS, SUBS, SLOTS = 10, 8, 5
MAIN = -1  # not in a subroutine
LOWEST_PRIORITY = 255
MOST_LOOPS = 4
Tree = dict[str, object]


@dataclass(slots=True)
class TaskState:
    """One task: where it is, and what it waits for."""

    running: bool = False
    pc: int = 0
    sub: int = MAIN  # the subroutine that it is in
    back: int = 0  # address behind the call
    at: int = 0  # address of the instruction that it ran last ...
    at_sub: int = MAIN  # ... and in which subroutine
    wait_ms: int = 0
    loops: list[int] = field(default_factory=list)
    priority: int = LOWEST_PRIORITY
    mask: int = 0  # events that it waits for
    handler: int = 0  # where it goes when one happens ...
    handler_sub: int = MAIN  # ... and in which subroutine
    fired: int = 0
    resources: int = 0
    loser: int = 0  # where it goes when it loses its resources
    loser_sub: int = MAIN

    def restart(self) -> None:
        """Begin at the beginning."""
        self.stop()
        self.running, self.pc, self.sub, self.fired = True, 0, MAIN, 0
        self.priority = LOWEST_PRIORITY

    def stop(self) -> None:
        """End; resources, events and loops are given up."""
        self.running, self.wait_ms, self.mask, self.resources, self.loops = False, 0, 0, 0, []

    def is_awake(self) -> bool:
        """Let a millisecond of its wait pass; returns whether the wait is over."""
        self.wait_ms = max(0, self.wait_ms - 1)
        return not self.wait_ms

    @property
    def place(self) -> tuple[int, int]:
        """Return subroutine and address of the instruction that it waits at, or runs next."""
        return (self.at_sub, self.at) if self.left_ms else (self.sub, self.pc)

    @property
    def left_ms(self) -> int:
        """Return how long it still waits after the present millisecond; with the last one its next instruction runs."""
        return self.wait_ms if self.wait_ms > 1 else 0

    def go(self, address: int, sub: int) -> None:
        """Continue at a handler; a wait is aborted."""
        self.pc, self.sub, self.wait_ms = address, sub, 0


@dataclass(slots=True)
class ProgramSlot:
    """A program: its tasks and subroutines by number, and the name of its file."""

    name: str = ""
    tasks: dict[int, Fragment] = field(default_factory=dict)
    subs: dict[int, Fragment] = field(default_factory=dict)

    def store(self, fragment: Fragment) -> None:
        """Keep a task or subroutine."""
        (self.tasks if fragment.kind == "task" else self.subs)[fragment.number] = fragment

    @property
    def size(self) -> int:
        """Return how many bytes it takes."""
        return sum(len(each.code) for each in self)

    def __iter__(self) -> Iterator[Fragment]:
        """Return subroutines, then tasks, by number."""
        yield from (self.subs[number] for number in sorted(self.subs))
        yield from (self.tasks[number] for number in sorted(self.tasks))

    def state(self) -> Tree:
        """Return the program as plain values."""
        parts = [[each.kind, each.number, each.code.hex(), [list(row) for row in each.lines]] for each in self]
        return {"name": self.name, "parts": parts}


def slot_of(state: Tree) -> ProgramSlot:
    """Return the program that `ProgramSlot.state` returned."""
    slot = ProgramSlot(str(state["name"]))
    for kind, number, code, lines in state["parts"]:  # type: ignore[attr-defined]
        slot.store(Fragment(kind, number, bytes.fromhex(code), tuple((at, line) for at, line in lines)))
    return slot
