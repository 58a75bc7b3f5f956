"""The workshop: has kernels compiled by other processes and takes each as soon as it is there.

Each process has a thread of ours that hands it one order after the other, the long ones first, and takes what it
reports. A process that has nothing to do for a while is sent home. When the program ends the processes get all that is
left: they go on without us, so that the next start finds everything compiled.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from understudy.tiers import worker

log = logging.getLogger(__name__)
_ROOT = str(Path(__file__).parents[2])  # may be known to this program alone
_WORK = f"import sys; sys.path.append({_ROOT!r}); import understudy.tiers.worker as it; it.main()"
_IDLE_S = 10.0  # after which a process goes home
_MOST_PROCESSES = 2


class Order(NamedTuple):
    """A kernel that is wanted for arguments of these types."""

    kernel: Any
    signature: Any
    line: bytes


class Workshop:
    """Orders that wait, and the processes that do them."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._told = self._known_to_exit = False
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing ordered; a process that was forked off has none of our threads and begins anew."""
        self._known: set[tuple[int, Any]] = set()  # what has been ordered, by kernel and signature
        self._orders: list[Order] = []
        self._change = threading.Condition()
        self._taking = threading.Lock()  # held while code is taken: a program must not end amid that
        self._at_work: dict[threading.Thread, subprocess.Popen[bytes]] = {}
        self._unmade = 0
        self._left = False
        self.closed = False  # nothing can be compiled beside: whoever wants code compiles it

    def has(self, kernel: Any, signature: Any) -> bool:
        """Say whether this has been ordered."""
        return (id(kernel), signature) in self._known

    def order(self, kernel: Any, signature: Any) -> bool:
        """Have a kernel compiled, some time; return whether that can be done."""
        function = kernel.py_func
        self._known.add((id(kernel), signature))
        try:
            line = worker.written(function.__module__, function.__name__, signature)
        except Exception:  # types of Numba's that cannot be written down
            log.debug("%s cannot be ordered for %s", function.__name__, signature)
            return False
        with self._change:
            self._orders.append(Order(kernel, signature, line))
            self._unmade += 1
            self._change.notify()
            if len(self._at_work) < min(self._processes, self._unmade) and not (self.closed or self._left):
                self._hire()
            return not self.closed

    def _hire(self) -> None:
        """Begin a process and the thread that leads it."""
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
            log.warning("nothing can be compiled beside the run (%s): it waits for what must be compiled", reason)

    def _lead(self, process: subprocess.Popen[bytes]) -> None:
        """Hand a process its orders until there are no more."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if process.stdout.readline() != worker.READY:
                raise BrokenPipeError("a compiler has not started")
            self._tell()
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

    def _tell(self) -> None:
        """Say once why all is slow."""
        with self._change:
            count, told = self._unmade, self._told
            self._told = True
        if count and not told:
            some = "a kernel is" if count == 1 else f"{count} kernels are"
            log.warning("running at reduced speed while %s compiled, once on this machine", some)

    def _next(self) -> Order | None:
        """Return the order that takes longest; None, and its process is sent home, if none has come for a while."""
        with self._change:
            if not self._change.wait_for(lambda: self._orders, _IDLE_S):
                del self._at_work[threading.current_thread()]
                return None
            longest = max(self._orders, key=_length)
            self._orders.remove(longest)
            return longest

    def _finish(self, order: Order, answer: bytes) -> None:
        """Take what was compiled."""
        if not answer:
            raise BrokenPipeError("a compiler has died")
        name = order.kernel.py_func.__name__
        with self._taking:
            taken = answer == worker.DONE and order.kernel.take(order.signature) is not None
        with self._change:
            self._unmade -= 1
            last = not self._unmade
        if not taken:
            log.warning("%s could not be compiled: it goes on at reduced speed", name)
        elif last:
            log.info("everything is compiled")

    def _leave(self) -> None:
        """Leave what is not done to the processes, and never again take code."""
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


def _length(order: Order) -> int:
    """Return about how long it takes to compile a kernel, in any unit: 0 if we have never looked."""
    return int(order.kernel.effort)


def _process() -> subprocess.Popen[bytes]:
    """Start a process that compiles; it belongs to no terminal and holds none of our files."""
    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("there is no Python to start")
    quiet: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        quiet = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env={**os.environ, "UNDERSTUDY_COMPILE": "now"}, **quiet,
    )  # fmt: skip


WORKSHOP = Workshop(min(_MOST_PROCESSES, os.cpu_count() or 1))
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WORKSHOP._begin)
