"""The workshop: lets other processes compile kernels and loads each as soon as it is ready.

Each process has a thread of ours that sends it one order at a time, the longest first, and loads the results. An idle
process is stopped after a while. When the program ends, the processes get all remaining orders: they continue without
us, so that the next start finds everything compiled.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from understudy.tiers import worker

log = logging.getLogger(__name__)
_ROOT = str(Path(__file__).parents[2])  # may be importable only in this program
_WORK = f"import sys; sys.path.append({_ROOT!r}); import understudy.tiers.worker as it; it.main()"
_IDLE_S = 10.0  # after which an idle process is stopped
_MOST_PROCESSES = 2
_AFTER_S = 2.0  # for so long after compiling a delay is still its fault


class CompileOrder(NamedTuple):
    """A kernel to be compiled for arguments of these types."""

    kernel: Any
    signature: Any
    line: bytes


class CompileWorkshop:
    """Waiting orders, and the processes that compile them."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._reported = self._known_to_exit = False
        self._begin()

    def _begin(self) -> None:
        """Start without orders; a forked process has none of our threads and starts empty."""
        self._known: set[tuple[int, Any]] = set()  # all orders so far, by kernel and signature
        self._orders: list[CompileOrder] = []
        self._change = threading.Condition()
        self._taking = threading.Lock()  # held while code is loaded: a program must not end during that
        self._at_work: dict[threading.Thread, subprocess.Popen[bytes]] = {}
        self._unmade = 0
        self._made_s = -_AFTER_S  # when code was last compiled or loaded
        self._left = False
        self.closed = False  # background compilation is not available: callers compile themselves

    def has(self, kernel: Any, signature: Any) -> bool:
        """Return whether this has been ordered."""
        return (id(kernel), signature) in self._known

    def note(self) -> None:
        """Note that code was compiled or loaded just now."""
        self._made_s = time.monotonic()

    @property
    def busy(self) -> bool:
        """Return whether a delay is the fault of compiling: some code is missing, or has come just now."""
        return self._unmade > 0 or time.monotonic() < self._made_s + _AFTER_S

    def order(self, kernel: Any, signature: Any) -> bool:
        """Order the compilation of a kernel; return whether that is possible."""
        function = kernel.py_func
        self._known.add((id(kernel), signature))
        try:
            line = worker.written(function.__module__, function.__name__, signature)
        except Exception:  # some Numba types cannot be serialised
            log.debug("%s cannot be compiled in the background for %s", function.__name__, signature)
            return False
        with self._change:
            self._orders.append(CompileOrder(kernel, signature, line))
            self._unmade += 1
            self._change.notify()
            if len(self._at_work) < min(self._processes, self._unmade) and not (self.closed or self._left):
                self._hire()
            return not self.closed

    def _hire(self) -> None:
        """Start a process and the thread that controls it."""
        try:
            process = _process()
        except OSError as problem:
            self._give_up(str(problem))
            return
        if not self._known_to_exit:
            self._known_to_exit = True
            atexit.register(self._leave)
        thread = threading.Thread(target=self._lead, args=(process,), name="compile", daemon=True)
        self._at_work[thread] = process
        thread.start()

    def _give_up(self, reason: str) -> None:
        if not self.closed:
            self.closed = True
            log.warning("background compilation is not available (%s): the run waits for each kernel", reason)

    def _lead(self, process: subprocess.Popen[bytes]) -> None:
        """Send orders to a process until there are no more."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if process.stdout.readline() != worker.READY:
                raise BrokenPipeError("a compiler process did not start")
            self._report()
            while (order := self._next()) is not None:
                process.stdin.write(order.line)
                process.stdin.flush()
                self._finish(order, process.stdout.readline())
        except OSError as problem:
            with self._change:
                self._give_up(str(problem))
        finally:
            with self._change:
                self._at_work.pop(threading.current_thread(), None)
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _report(self) -> None:
        """Log once why the run is slow."""
        with self._change:
            count, reported = self._unmade, self._reported
            self._reported = True
        if count and not reported:
            some = "a kernel is" if count == 1 else f"{count} kernels are"
            log.warning("running at reduced speed while %s compiled, once on this machine", some)

    def _next(self) -> CompileOrder | None:
        """Return the order that takes longest; None, which stops its process, if none has come for a while."""
        with self._change:
            if not self._change.wait_for(lambda: self._orders, _IDLE_S):
                del self._at_work[threading.current_thread()]
                return None
            longest = max(self._orders, key=_length)
            self._orders.remove(longest)
            return longest

    def _finish(self, order: CompileOrder, answer: bytes) -> None:
        """Load what was compiled."""
        if not answer:
            raise BrokenPipeError("a compiler process exited unexpectedly")
        name = order.kernel.py_func.__name__
        with self._taking:
            taken = answer == worker.DONE and order.kernel.take(order.signature) is not None
        self.note()
        with self._change:
            self._unmade -= 1
            last = not self._unmade
        if not taken:
            log.warning("%s could not be compiled: it stays interpreted, at reduced speed", name)
        elif last:
            log.info("all kernels are compiled")

    def _leave(self) -> None:
        """Leave the remaining orders to the processes, and load no more code."""
        self._taking.acquire()
        with self._change:
            self._left = True
            lines = [order.line for order in sorted(self._orders, key=_length, reverse=True)]
            self._orders.clear()
            for n, process in enumerate(self._at_work.values()):
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.write(b"".join(lines[n :: len(self._at_work)]))
                    process.stdin.close()
                process.returncode = 0  # it may outlive us


def _length(order: CompileOrder) -> int:
    """Return the approximate compile time of a kernel, in any unit: 0 if unknown."""
    return int(order.kernel.effort)


def _process() -> subprocess.Popen[bytes]:
    """Start a compiler process; it has no terminal and holds none of our files."""
    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("no Python executable found")
    quiet: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        quiet = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env={**os.environ, "UNDERSTUDY_COMPILE": "now"}, **quiet,
    )  # fmt: skip


WORKSHOP = CompileWorkshop(min(_MOST_PROCESSES, os.cpu_count() or 1))
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WORKSHOP._begin)
