"""Processes that have been started and must say hello before time goes on; and those that never do."""

from __future__ import annotations

import logging
import os
import selectors
import time
from collections.abc import Callable, KeysView
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from understudy.errors import ProgramError
from understudy.together import watch
from understudy.together.build import OTHER_WAY
from understudy.together.executables import why_not
from understudy.together.process import pidfd_of

log = logging.getLogger(__name__)
JUDGE_S = 0.5  # real time after which the file of a process that says nothing is looked at


@dataclass
class Newcomer:
    """A process that must say hello before time goes on."""

    parent: int
    now_us: int
    order: int
    pidfd: int
    launched: bool = False  # it is another program than its parent
    since: float = field(default_factory=time.perf_counter)
    judged: bool = False
    told: bool = False  # of what is strange about it


class Newcomers:
    """Everybody who is still to come; *selector* tells with a process number that one of them has ended."""

    def __init__(self, selector: selectors.BaseSelector, name_of: Callable[[int], str]) -> None:
        self._selector = selector
        self._name_of = name_of
        self._expected: dict[int, Newcomer] = {}
        self._unheard: dict[int, Newcomer] = {}  # have ended and never said hello
        self._strangers: dict[int, Newcomer] = {}  # children that do not take part

    @property
    def pids(self) -> KeysView[int]:
        """Return who must say hello before time goes on."""
        return self._expected.keys()

    @property
    def strangers(self) -> bool:
        """Return whether a child lives in real time."""
        return bool(self._strangers)

    def expect(self, pid: int, parent: int, now_us: int, order: int, launched: bool) -> bool:
        """Wait for a process; False if it has ended already."""
        newcomer = Newcomer(parent, now_us, order, pidfd_of(pid), launched)
        if newcomer.pidfd >= 0:
            self._expected[pid] = newcomer
            self._selector.register(newcomer.pidfd, selectors.EVENT_READ, pid)
        elif launched:
            self._unheard[pid] = newcomer
        return newcomer.pidfd >= 0

    def arrived(self, pid: int) -> Newcomer | None:
        """Wait no longer for a process: it has said hello, or has ended; None if nobody waits for it."""
        newcomer = self._expected.pop(pid, None) or self._strangers.pop(pid, None)
        if newcomer is not None:
            self._selector.unregister(newcomer.pidfd)
            os.close(newcomer.pidfd)
        return newcomer

    def ended_unheard(self, pid: int, newcomer: Newcomer) -> None:
        """Note that a process has ended before it said hello; `name_the_unheard` tells so."""
        if not newcomer.told:
            self._unheard[pid] = newcomer

    def signalled(self, pid: int) -> None:
        """Note that a process, or some (0 or below), was sent a signal: it is no wonder if it ends without a word."""
        if pid in self._expected:
            self._expected[pid].told = True
        self._unheard = {each: newcomer for each, newcomer in self._unheard.items() if each != pid and pid > 0}

    def name_the_unheard(self) -> None:
        """Name those that have ended without a word, if nobody has ended them before they could say one."""
        for pid, newcomer in self._unheard.items():
            self._say_real(pid, newcomer)
        self._unheard.clear()

    def judge(self, now: float, programs: AbstractSet[int]) -> None:
        """Look at those that say nothing: their files may tell why. Raises ProgramError if it is one of *programs*."""
        for pid, newcomer in list(self._expected.items()):
            quiet_s = now - newcomer.since
            if quiet_s >= (watch.QUIET_S if newcomer.judged else JUDGE_S):
                newcomer.judged = True
                self._judge(pid, newcomer, quiet_s, pid in programs)

    def _judge(self, pid: int, newcomer: Newcomer, quiet_s: float, program: bool) -> None:
        try:
            reason = why_not(str(Path(f"/proc/{pid}/exe").readlink()))
        except OSError:  # it has just ended
            return
        if not reason and quiet_s < watch.QUIET_S:
            return
        if program:
            unknown = f"it has a loader of its own, or clears its environment; {OTHER_WAY}"
            raise ProgramError(f"{self._name_of(pid)} does not take part: {reason or unknown}")
        self._say_real(pid, newcomer)
        self._strangers[pid] = self._expected.pop(pid)

    def _say_real(self, pid: int, newcomer: Newcomer) -> None:
        parent = self._name_of(newcomer.parent) if newcomer.parent else "a program"
        log.warning("a child of %s (%s) does not take part; its time is real", parent, self._name_of(pid))
        newcomer.told = True

    def close(self) -> None:
        """Wait for nobody any more."""
        for pid in [*self._expected, *self._strangers]:
            self.arrived(pid)
