"""Which thread of the program runs while simulated time stands still (lockstep), so that runs repeat.

One thread runs at a time. It runs until it waits in a RoBIOS call; then the one with the earliest (due time, number)
runs, and time passes when none is due. A thread that is silent for 20 ms of wall time while others wait (it computes,
or it blocks somewhere else) counts as absent until its next call. One that waits for a lock or the end of another
thread does not count until that happens. Numbers are given in the order of starting.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

SILENT_S = 0.02
LOOKS = 4  # in this time: all must see the thread silent, should the whole process have been held up
BEGIN_S = 1.0  # how long time waits for the first call of a new thread
NEW, RUNS, WAITS, BLOCKED, ABSENT = "new", "runs", "waits", "blocked", "absent"
_monotonic = time.monotonic  # the real one: `patches` replaces it for programs


class Member:
    """A thread of the program."""

    __slots__ = ("calls", "due_us", "number", "reason", "since", "spent", "state", "task")

    def __init__(self, number: int, state: str) -> None:
        self.number, self.state = number, state
        self.task = 0  # the system's number of the thread
        self.spent = (-1, 0)  # number of its last call, and its processor time (ns) when it was first looked at since
        self.due_us, self.calls = 0, 0
        self.reason: object = None  # what it waits for, if it is blocked
        self.since = _monotonic()  # when it was started


class LockstepTurns:
    """The threads of a program in lockstep; *advance* lets the clock reach a time (us), if it is not later."""

    def __init__(self, now_us: Callable[[], int], advance: Callable[[int], None]) -> None:
        self.changed = threading.Condition()
        self._now_us, self._advance = now_us, advance
        self._members: dict[threading.Thread, Member] = {}
        self._by_ident: dict[int, Member] = {}
        self._runner: Member | None = None
        self._inside = False  # the runner is in a call
        self._sole = 0  # the only thread there is, while it runs: it needs no lock
        self.over = False  # the simulation has ended: no thread goes on

    # ---- who takes part

    def expect(self, thread: threading.Thread) -> None:
        """Note a thread that is about to start, or has started: time waits for its first call."""
        with self.changed:
            self._sole = 0
            self._members[thread] = Member(len(self._members), NEW)

    def leave(self, thread: threading.Thread) -> None:
        """Note that a thread has ended."""
        with self.changed:
            member = self._members.get(thread)
            if member is None:
                return
            member.state = ABSENT
            self._by_ident.pop(thread.ident or 0, None)
            if self._runner is member:
                self._runner = None
            self._wake(thread)

    def _me(self) -> Member:
        ident = threading.get_ident()
        member = self._by_ident.get(ident)
        if member is None:
            thread = threading.current_thread()
            with self.changed:
                self._sole = 0
                member = self._members.setdefault(thread, Member(len(self._members), NEW))
                self._by_ident[ident] = member
                member.task = threading.get_native_id()
        return member

    # ---- calls

    def begin(self) -> None:
        """Begin a call: wait until it is this thread's turn."""
        if self._sole == threading.get_ident():
            self._inside = True
            return
        me = self._me()
        with self.changed:
            if self._runner is not me:
                self._wait(me, self._now_us())
            self._inside = True
            me.calls += 1
            if len(self._members) == 1:
                self._sole = threading.get_ident()

    @property
    def alone_here(self) -> bool:
        """Return whether the program has no other thread."""
        return self._sole == threading.get_ident()

    def end(self) -> None:
        """End a call; the thread goes on with its own work."""
        self._inside = False

    def wait_until(self, t_us: int) -> None:
        """Let the others run, and time pass, until a time (us); only inside of a call."""
        me = self._me()
        with self.changed:
            self._runner = None
            self._wait(me, t_us)
            self._inside = True

    # ---- other waits

    def block(self, reason: object, done: Callable[[], bool], told: bool = True) -> None:
        """Wait for something that another thread does; *done* may take it, as a lock does.

        If it is always *told* by `wake`, nobody looks before.
        """
        me = self._me()
        with self.changed:
            while not done():
                me.state, me.reason = BLOCKED, reason
                if self._runner is me:
                    self._runner = None
                self.changed.notify_all()
                while me.state == BLOCKED:
                    self._check_over()
                    if not self.changed.wait(SILENT_S) and not told:
                        break
                self._wait(me, self._now_us())
            me.calls += 1
            if self._runner is me:
                self._inside = False

    def wake(self, reason: object) -> None:
        """Let the threads go on that are blocked for a reason."""
        with self.changed:
            self._wake(reason)

    def _wake(self, reason: object) -> None:
        for member in self._members.values():
            if member.state == BLOCKED and member.reason is reason:
                member.state, member.due_us = WAITS, self._now_us()
        self.changed.notify_all()

    def stop(self) -> None:
        """Let no thread go on: each ends in the call that it is in, or in its next."""
        with self.changed:
            self.over = True
            self.changed.notify_all()

    # ---- turns; the lock is held

    def _wait(self, me: Member, due_us: int) -> None:
        me.state, me.due_us = WAITS, due_us
        if self._runner is None:
            self._inside = False
        while self._runner is not me:
            self._check_over()
            if self._runner is None:
                self._choose()
            else:
                self._watch(self._runner)
        me.state = RUNS

    def _check_over(self) -> None:
        if self.over:
            raise SystemExit(0)

    def _choose(self) -> None:
        """Give the turn to the thread that is due first, unless one has yet to make its first call."""
        beginners = [member for member in self._members.values() if member.state == NEW]
        if beginners:
            self._await_first_call(beginners)
            return
        waiting = [member for member in self._members.values() if member.state == WAITS]
        first = min(waiting, key=lambda member: (member.due_us, member.number))
        self._advance(first.due_us)
        first.state, self._runner = RUNS, first
        self._inside = True  # in the call in which it waits, until it has noticed
        if len(waiting) > 1:
            self.changed.notify_all()

    def _await_first_call(self, beginners: list[Member]) -> None:
        remaining_s = min(member.since for member in beginners) + BEGIN_S - _monotonic()
        if remaining_s > 0.0:
            self.changed.wait(remaining_s)
            return
        for member in beginners:
            if member.since + BEGIN_S <= _monotonic():
                member.state = ABSENT

    def _watch(self, runner: Member) -> None:
        """Wait for a change; a runner that is silent for too long loses its turn."""
        seen = runner.calls
        before = _activity(runner.task)
        if runner.spent[0] != seen:
            runner.spent = seen, before[1]
        for _ in range(LOOKS):
            if (
                self.changed.wait(SILENT_S / LOOKS)
                or self._runner is not runner
                or self._inside
                or runner.calls != seen
            ):
                return
        now = _activity(runner.task)
        moves = now[0] == "R" or now[1:] != before[1:]
        if moves and now[1] - runner.spent[1] < SILENT_S * 1e9:
            return  # it had to wait for a processor
        runner.state, self._runner = ABSENT, None


def _activity(task: int) -> tuple[str, int, int]:
    """Return the state of a thread (R if it runs or could), its processor time and its time in the queue (ns).

    What the system does not tell (it is not Linux) is "?" and 0.
    """
    folder = Path(f"/proc/self/task/{task}")
    try:
        state = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
        ran, queued, _ = (folder / "schedstat").read_text("ascii").split()
        return state, int(ran), int(queued)
    except (OSError, IndexError, ValueError):
        return "?", 0, 0
