"""Programs that share the simulator's clock: who runs next, and when all of them wait.

One process runs at a time, until all of its threads wait; then the next one that has a reason to: its time has come, a
robot has sent it something, a child of it has ended, or another process has done something it may be waiting for.
Nothing here depends on real time, but for the messages about programs that do not come back.
"""

from __future__ import annotations

import logging
import os
import secrets
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from understudy.errors import ProgramError
from understudy.together import launch, watch, wire
from understudy.together.connections import PATIENCE_S, Connections, HeldConnection
from understudy.together.launch import ClockSettings
from understudy.together.newcomers import Newcomers
from understudy.together.numbers import ProcessNumbers
from understudy.together.process import Process, credentials, wait_for_end
from understudy.together.wire import NEVER_US, About, Bye, Hello, Idle, Report, Words

log = logging.getLogger(__name__)
OUTSIDE_S = 0.1  # real time between two looks at input from outside: a keyboard, a network
GRACE_S = 2.0  # real and simulated time that programs have to end when the run ends
_LOOK_S = 0.2
_LARGEST = 1 << 16


@dataclass(eq=False)
class SharedProgram:
    """A program that was started here; *code* is its exit code, as in a shell, once it has ended."""

    command: tuple[str, ...]
    process: subprocess.Popen[bytes]
    code: int | None = None

    @property
    def name(self) -> str:
        """Return how messages name it."""
        return self.command[0]


class Programs:
    """All programs of a run and their children; one thread owns it."""

    def __init__(
        self,
        connections: Connections,
        start_us: int,
        seed: int = 0,
        compute: float = 0.0,
        moved: Sequence[tuple[int, int]] = (),
    ) -> None:
        self._connections = connections
        line = f"understudy-{secrets.token_hex(8)}"  # as long in every run: addresses depend on the environment's size
        self._settings = ClockSettings(line, start_us, seed, compute, tuple(moved))
        self._selector = selectors.DefaultSelector()
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._door.bind("\0" + self._settings.line)
        self._door.listen(64)
        self._selector.register(self._door, selectors.EVENT_READ, None)
        self._processes: list[Process] = []
        self._newcomers = Newcomers(self._selector, self._name)
        self._left: dict[int, Process] = {}  # images that have become others
        self._numbers = ProcessNumbers()
        self._killed = False  # a process was killed, and its end may not have been heard
        self._orders = self._runs = 0
        self._now_us = self._lease_us = 0
        self._outside_at = 0.0
        self.programs: list[SharedProgram] = []
        self.questions = 0  # how often a process has asked for time
        self.waited_s = 0.0  # real time that the simulation has waited for programs

    # ---- programs

    def start(self, command: Sequence[str], folder: Path | None = None) -> SharedProgram:
        """Start a program; it runs from the next `settle` on. Raises ProgramError or LinkError."""
        process = launch.start(command, self._settings, not self.programs, self._numbers, folder)
        program = SharedProgram(tuple(command), process)
        self.programs.append(program)
        self._expect(process.pid, 0, self._now_us, self._new_order())
        return program

    def end(self, program: SharedProgram) -> None:
        """End a program."""
        if program.process.poll() is None:
            launch.end(program.process)
            program.process.wait()
        self._reap()

    @property
    def running(self) -> bool:
        """Return whether a program has not ended."""
        return any(program.code is None for program in self.programs)

    @property
    def ports(self) -> set[str]:
        """Return the ports that programs have been connected to."""
        return self._connections.ports

    @property
    def real_time(self) -> bool:
        """Return whether a child lives in real time."""
        return self._newcomers.strangers

    def _reap(self) -> None:
        for program in self.programs:
            if program.code is None and program.process.poll() is not None:
                code = program.process.returncode
                program.code = code if code >= 0 else 128 - code

    # ---- time

    def settle(self, now_us: int, lease_us: int, wrote: bool, stop: Callable[[], bool]) -> None:
        """Let programs run until all of them wait beyond *lease_us*, the time of the next tick; or until *stop*.

        *wrote*: the simulation has written to connections since the last call.
        """
        if now_us != self._now_us:
            self._connections.ticked()
        self._now_us, self._lease_us = now_us, lease_us
        if wrote:
            self._connections.look()
            self._connections.settle()
        self._look_outside()
        begun = time.perf_counter()
        while self._gather(stop):
            self._newcomers.name_the_unheard()
            self._connections.settle()
            process = self._next()
            if process is None:
                break
            self._go(process)
        self.waited_s += time.perf_counter() - begun

    def _next(self) -> Process | None:
        """Return the process that runs next; None if all wait beyond the lease."""
        best, best_at = None, (NEVER_US, 0)
        for process in self._processes:
            at = (self._wake_us(process), process.order)
            if at < best_at:
                best, best_at = process, at
        return best if best_at[0] < self._lease_us else None

    def _wake_us(self, process: Process) -> int:
        """Return when a process has a reason to run."""
        noticed = process.looks or (process.outside and process.seen < self._runs) or self._has_news(process)
        soonest = max(process.floor_us, process.now_us, self._now_us)
        return min(soonest, max(process.until_us, self._now_us), self._lease_us - 1) if noticed else process.until_us

    def _has_news(self, process: Process) -> bool:
        """Return whether a connection of a process gives it a reason to run."""
        return any(self._connections.is_new(each, held) for each, held in process.holds.items())

    def _go(self, process: Process) -> None:
        news = [each for each in map(self._connections.news, process.holds) if each]
        for each in news:
            process.holds[each.wire].told = self._connections.state(each.wire) or (0, False)
        now_us, others = max(self._now_us, process.floor_us), len(self._processes) > 1
        text = wire.go(now_us, self._lease_of(process), process.child_ended, others, news)
        process.child_ended = process.looks = process.idle = process.warned = False
        process.since, process.seen = time.perf_counter(), self._runs
        with suppress(OSError):  # it has just died, which the next message tells
            process.line.send(text.encode())

    def _lease_of(self, process: Process) -> int:
        """Return how far a process may go on: to the next tick, or until it is another one's turn."""
        others = (self._wake_us(other) for other in self._processes if other is not process)
        return min(self._lease_us, max(min(others, default=NEVER_US), self._wake_us(process) + 1))

    def _look_outside(self) -> None:
        """Let those look again from time to time who wait for input that no program of ours sends."""
        now = time.perf_counter()
        if now < self._outside_at:
            return
        self._outside_at = now + OUTSIDE_S
        for process in self._processes:
            process.looks = process.looks or process.outside
        if self._newcomers.strangers:
            self._hear(0.0)

    # ---- listening

    def _gather(self, stop: Callable[[], bool]) -> bool:
        """Come back when every process waits and nobody is still to come; False if *stop*."""
        while self._newcomers.pids or self._killed or any(not process.idle for process in self._processes):
            if stop():
                return False
            if self._killed:
                self._killed = self._hear(0.0)  # until the last words of the dead are heard
            elif not self._hear(_LOOK_S):
                self._reap()
                self._watch()
        return True

    def _hear(self, patience_s: float) -> bool:
        """Take what has been said; return whether anything was."""
        events = self._selector.select(patience_s)
        for key, _ in events:
            if key.fileobj is self._door:
                self._admit()
            elif isinstance(key.data, Process):
                if key.data in self._processes:  # an event before may have ended it
                    self._take(key.data)
            else:
                self._child_died(key.data)
        return bool(events)

    def _admit(self) -> None:
        line, _ = self._door.accept()
        pid, uid = credentials(line)
        if uid != os.getuid() and pid not in self._newcomers.pids:  # a child may run as another user
            line.close()
            return
        process = Process(line, pid, floor_us=self._now_us)
        self._processes.append(process)
        self._selector.register(line, selectors.EVENT_READ, process)

    def _take(self, process: Process) -> None:
        try:
            text = process.line.recv(_LARGEST).decode("utf-8", "replace")
        except ConnectionError:
            text = ""
        process.since = time.perf_counter()
        match wire.parse(text) if text else None:
            case Hello():
                self._welcome(process)
            case Idle() as idle:
                self._rests(process, idle)
            case Bye() as bye:
                process.now_us = bye.now_us
                self._note(process, bye.reports)
            case About() as about:
                self._about(process, about)
            case Words() as words:
                self._words(process, words)
            case None:
                self._gone(process)

    def _words(self, process: Process, words: Words) -> None:
        if words.fatal:
            raise ProgramError(f"{self._name(process.pid)}: {words.text}")
        log.warning("%s: %s", self._name(process.pid), words.text)

    def _rests(self, process: Process, idle: Idle) -> None:
        self.questions += 1
        process.idle, process.until_us, process.now_us = True, idle.until_us, idle.now_us
        process.awaits_child, process.outside = idle.awaits_child, idle.outside
        if idle.ran:
            self._did_something(process)
        self._note(process, idle.reports)

    def _did_something(self, process: Process) -> None:
        """Others may have to look: what it did, it did not before its clock's time."""
        others = process.seen == self._runs
        self._runs += 1
        if others:
            process.seen = self._runs
        for other in self._processes:
            if other is not process and other.outside:
                other.floor_us = max(other.floor_us, process.now_us)

    def _note(self, process: Process, reports: Sequence[Report]) -> None:
        """Take what a process says of its connections."""
        known = set(self._connections.take(reports))
        for report in reports:
            if report.wire in known:
                process.holds.setdefault(report.wire, HeldConnection()).wants = report.wants
            if report.closed:
                self._let_go(process, report.wire)

    def _let_go(self, process: Process, which: wire.Wire) -> None:
        if process.holds.pop(which, None) is not None and not any(which in other.holds for other in self._processes):
            self._connections.release(which)

    # ---- processes that come and go

    def _new_order(self) -> int:
        """Return a place behind all others, in the order in which processes are made, not in which they report."""
        self._orders += 1
        return self._orders

    def _expect(self, pid: int, parent: int, now_us: int, order: int, launched: bool = False) -> None:
        if not self._newcomers.expect(pid, parent, now_us, order, launched):
            self._runs += 1  # it has ended, and its parent knows

    def _child_died(self, pid: int) -> None:
        """Note that a process has ended before it said hello, or that never took part."""
        self._hear_out(pid)
        expected = self._newcomers.arrived(pid)
        before = self._left.pop(pid, None)
        self._reap()
        if before is not None:
            for each in list(before.holds):
                self._let_go(before, each)
        if expected is not None:
            if before is not None or expected.launched:
                self._newcomers.ended_unheard(pid, expected)
            self._runs += 1
            self._tell_parent(expected.parent, expected.now_us)

    def _tell_parent(self, pid: int, now_us: int) -> None:
        for process in self._processes:
            if process.pid == pid:
                process.child_ended = process.looks = True
                process.floor_us = max(process.floor_us, now_us)

    def _hear_out(self, pid: int, but: Process | None = None) -> None:
        """Take what earlier images of a process had to say, to the end of their lines."""
        for old in [each for each in self._processes if each.pid == pid and each is not but]:
            while old in self._processes:
                self._take(old)

    def _welcome(self, process: Process) -> None:
        """Find out who has come: a new image, or a child; a child may come before its parent tells of it."""
        self._hear_out(process.pid, process)
        expected = self._newcomers.arrived(process.pid)
        before = self._left.pop(process.pid, None)
        if before is not None:
            process.inherit(before)
        if expected is not None:
            process.parent, process.order = expected.parent or process.parent, expected.order
            process.floor_us = max(process.floor_us, expected.now_us)

    def _about(self, process: Process, about: About) -> None:
        process.now_us = about.now_us
        match about.verb:
            case "spawn" | "launch":
                child = next((p for p in self._processes if p.pid == about.pid), None)
                order = self._new_order()
                if child is None:
                    self._expect(about.pid, process.pid, about.now_us, order, about.verb == "launch")
                else:
                    child.parent, child.order, child.floor_us = process.pid, order, max(child.floor_us, about.now_us)
            case "exec":
                process.execs = True
                self._expect(process.pid, process.parent, about.now_us, process.order)
            case "stay":
                process.execs = False
                self._newcomers.arrived(process.pid)
            case "number":
                with suppress(OSError):
                    process.line.send(str(self._numbers.take()).encode())
            case "kill":
                self._newcomers.signalled(about.pid)
                self._await_killed(about.pid)
            case "poke":
                self._newcomers.signalled(about.pid)
                for other in self._processes:
                    if about.pid in (other.pid, 0, -1) or about.pid < -1:
                        other.looks, other.floor_us = True, max(other.floor_us, about.now_us)

    def _await_killed(self, pid: int) -> None:
        """Wait until a killed process has ended, or all of a group (below zero): it does so in real time."""
        self._killed = True
        for each in [*(process.pid for process in self._processes), *self._newcomers.pids]:
            with suppress(ProcessLookupError):
                if each == pid or (pid < -1 and os.getpgid(each) == -pid):
                    wait_for_end(each, PATIENCE_S)

    def _gone(self, process: Process) -> None:
        self._selector.unregister(process.line)
        process.line.close()
        self._processes.remove(process)
        if process.execs:  # it comes again, with its connections
            self._left[process.pid] = process
            return
        wait_for_end(process.pid, PATIENCE_S)
        self._reap()
        self._runs += 1
        for each in list(process.holds):
            self._let_go(process, each)
        for other in self._processes:
            if other.outside:
                other.floor_us = max(other.floor_us, process.now_us)
        self._tell_parent(process.parent, process.now_us)

    # ---- processes that do not come back

    def _name(self, pid: int) -> str:
        """Return how messages name a process."""
        for program in self.programs:
            if program.process.pid == pid:
                return program.name
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            return f"{os.fsdecode(words[0])} (process {pid})" if words[0] else f"process {pid}"
        return f"process {pid}"

    def _watch(self) -> None:
        """Say so when a process neither waits nor works; raises ProgramError if it never will."""
        now = time.perf_counter()
        self._newcomers.judge(now, {program.process.pid for program in self.programs})
        for process in self._processes:
            if not process.idle and now - process.since > watch.QUIET_S:
                watch.look_after(process, self._name(process.pid), now - process.since)

    # ---- the end

    def finish(self) -> None:
        """Ask programs to end, and give them a little time of their own, which the world does not share."""
        for program in self.programs:
            if program.code is None:
                launch.end(program.process, signal.SIGTERM)
        for process in self._processes:
            process.looks = True
        real_end, step_us = time.perf_counter() + GRACE_S, 5_000
        end_us = self._lease_us + int(GRACE_S * 1e6)
        while self.running and self._lease_us < end_us and time.perf_counter() < real_end:
            try:
                self.settle(
                    self._lease_us, self._lease_us + step_us, False, lambda: time.perf_counter() > real_end
                )  # fmt: skip
            except ProgramError:
                return

    def close(self) -> None:
        """End what still runs."""
        for program in self.programs:
            self.end(program)
        for process in self._processes:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, signal.SIGKILL)
            process.line.close()
        self._reap()
        self._processes.clear()
        self._newcomers.close()
        self._selector.close()
        self._door.close()
        self._connections.close()
