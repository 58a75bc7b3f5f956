"""Watches user code while the simulation waits for it, and interrupts it when it does not yield.

The limit applies to the CPU time of the thread that runs the code, so a busy machine interrupts no program. Code over
its limit gets `ProgramStuck` raised at its current line, repeatedly. Code that catches even that is abandoned: building
the exception, in the program's own greenlet, sets a trace function, which at the next line of the program switches
back to the simulation and never returns. (Not while the exception is built: the interpreter is then in a state that
would outlive the program.)
"""

from __future__ import annotations

import ctypes
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from understudy.sim import streams

log = logging.getLogger(__name__)
PATIENCE_S = 2.0  # CPU time limit of one turn
PATIENCE_ELSEWHERE_S = 60.0  # CPU time limit of a turn that imports or compiles
HELD_UP_S = 20.0  # wall time of one turn, after which it is reported
_PART = 8  # checks per time limit; each further interrupt comes one such part later
_LEAVE_AFTER = 3  # interrupts that code may catch
_HOPELESS_AFTER = 40  # interrupts without effect: the code is inside a call that cannot be interrupted
_RETRY_S = 0.002
_ADVICE = '(a blocking call such as input() or recv()?); with mode = "realtime" simulated time does not wait'
_IDLE_LOOKS = 5 * _PART
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_IMPORTING, _COMPILING = "<frozen importlib", str(Path("numba", "core"))
_LOCKED = (_PACKAGE, logging.__file__, threading.__file__, _IMPORTING)  # code that may hold a lock of the simulator


class ProgramStuck(BaseException):
    """Raised inside user code that does not yield."""

    watch: ClassVar[Watch | None] = None

    def __init__(self) -> None:
        super().__init__("interrupted: the program did not yield")
        if self.watch is not None:
            self.watch.caught(sys._getframe(1))


class Watch:
    """One turn of user code: its file, its thread, and how often it was interrupted."""

    __slots__ = ("_file", "_leave", "_place", "fired", "left", "thread_id")

    def __init__(self, file: str, leave: Callable[[], object]) -> None:
        self._file, self._leave = file, leave
        self._place = ""
        self.fired, self.left = 0, False
        self.thread_id = threading.get_ident()

    @property
    def place(self) -> str:
        """Return where the code was first interrupted, as ``file:line``."""
        return self._place or shown(self._file)

    def frame(self) -> FrameType | None:
        """Return the current frame of the watched thread."""
        return sys._current_frames().get(self.thread_id)

    def interrupt(self, frame: FrameType | None) -> bool:
        """Raise ProgramStuck in the watched thread if *frame* is in user code; return whether it is."""
        if not self._is_free(frame):
            return False
        self._place = self._place or self.place_of(frame)
        self.fired += 1
        _raise_in(self.thread_id, type("ProgramStuck", (ProgramStuck,), {"watch": self}))
        return True

    def caught(self, frame: FrameType) -> None:
        """Abandon user code that has caught too many interrupts, at its next line."""
        if self.fired >= _LEAVE_AFTER:
            sys.settrace(self._trace)
            outer: FrameType | None = frame
            while outer is not None:
                if self._is_free(outer):
                    outer.f_trace = self._trace
                outer = outer.f_back

    def _trace(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        """Abandon user code at *frame*, unless it may hold one of the simulator's locks there."""
        if event in ("line", "call") and self._is_free(frame):
            self.left = True
            sys.settrace(None)
            sys.call_tracing(self._leave, ())  # as if outside a trace function, because this call never returns
        return self._trace

    def forget(self) -> None:
        """Cancel an interrupt that is still pending (called by the watched thread)."""
        try:
            _raise_in(self.thread_id, ProgramStuck)  # replaces it
            _spin()
        except ProgramStuck:
            if sys.gettrace() == self._trace:
                sys.settrace(None)

    def place_of(self, frame: FrameType | None) -> str:
        """Return ``file:line`` of the innermost line of user code."""
        while frame is not None and not self.owns(frame.f_code.co_filename):
            frame = frame.f_back
        return f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}" if frame is not None else shown(self._file)

    def owns(self, file: str) -> bool:
        """Return whether a file is the user's own: the program or a file in its folder."""
        if file == self._file:
            return True
        folder = str(Path(self._file).parent) + os.sep
        return file.startswith(folder) and "site-packages" not in file and not file.startswith(_PACKAGE)

    def is_elsewhere(self, frame: FrameType | None) -> bool:
        """Return whether the time is spent importing a module or compiling a function."""
        while frame is not None and not self.owns(file := frame.f_code.co_filename):
            if file.startswith(_IMPORTING) or _COMPILING in file:
                return True
            frame = frame.f_back
        return False

    def _is_free(self, frame: FrameType | None) -> bool:
        """Return whether user code is on the stack and has called nothing that may hold a lock."""
        while frame is not None:
            file = frame.f_code.co_filename
            if self.owns(file):
                return True
            if file.startswith(_LOCKED):
                return False
            frame = frame.f_back
        return False


def shown(file: str) -> str:
    """Return a file name for messages: relative to the working directory if possible."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):  # the file is elsewhere, or the working directory was deleted
        return file


def _raise_in(thread_id: int, problem: type[BaseException]) -> None:
    """Raise *problem* in a thread at its next instruction; it replaces an exception that is still pending there.

    (NULL would cancel the pending one, but CPython 3.11 then keeps checking for it, and under a debugger never stops.)
    """
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(problem))


def _spin() -> None:
    while True:
        pass


def cpu_clock(thread_id: int) -> Callable[[], float]:
    """Return a clock of the CPU time that a running thread uses (s).

    Where the system has none, it is the clock of the process: other threads then count against a program's limit.
    """
    clock_id: Any = getattr(time, "pthread_getcpuclockid", None)
    if clock_id is None:
        return time.process_time
    own = clock_id(thread_id)
    return lambda: time.clock_gettime(own)


class Guard:
    """Checks watched turns from a thread of its own, which exists only while there is something to watch."""

    def __init__(self, patience_s: float = PATIENCE_S, held_up_s: float = HELD_UP_S) -> None:
        self.patience_s, self._held_up_s = patience_s, held_up_s
        self._lock = threading.Lock()
        self._watch: Watch | None = None
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, watch: Watch) -> Iterator[None]:
        """Watch the body of a with statement, unless a debugger runs. No interrupt arrives after the body."""
        if sys.gettrace() is not None:
            yield
            return
        before = self._begin(watch)
        try:
            yield
        except ProgramStuck:
            if not watch.fired:
                raise
        finally:
            self._finish(watch, before)

    def _begin(self, watch: Watch | None) -> Watch | None:
        """Watch this from now on; return what was watched before."""
        with self._lock:
            before, self._watch = self._watch, watch
            if watch is not None and self._thread is None:
                self._closed.clear()
                self._thread = threading.Thread(target=self._look, name="program guard", daemon=True)
                self._thread.start()
        return before

    def _finish(self, watch: Watch, before: Watch | None) -> None:
        """Stop watching; pending interrupts end here."""
        while True:
            try:
                self._begin(before)
                if watch.fired:
                    watch.forget()
                return
            except ProgramStuck:
                continue

    # ---- in the guard's thread

    def _look(self) -> None:
        pause_s, idle, look = self.patience_s / _PART, 0, None
        while not self._closed.wait(pause_s):
            with self._lock:
                if look is None or look.watch is not self._watch:
                    look = _Look(self._watch, self.patience_s, self._held_up_s) if self._watch else None
                idle = 0 if self._watch else idle + 1
                if idle > _IDLE_LOOKS:
                    self._thread = None
                    return
                pause_s = look.again() if look else self.patience_s / _PART

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()


class _Look:
    """What the guard knows about the watched turn."""

    def __init__(self, watch: Watch, patience_s: float, held_up_s: float) -> None:
        self.watch, self._clock = watch, cpu_clock(watch.thread_id)
        self._pause_s = patience_s / _PART
        self._held_up_s, self._wall_s = held_up_s, time.perf_counter() + held_up_s
        start_s = self._clock()
        self._limit_s, self._limit_elsewhere_s = start_s + patience_s, start_s + PATIENCE_ELSEWHERE_S

    def again(self) -> float:
        """Interrupt or report the turn if it is over its limit; return the time until the next check (s)."""
        used_s = self._clock()
        if time.perf_counter() > self._wall_s:
            self._wall_s = math.inf
            self._warn(f"the simulation has waited for this line for {self._held_up_s:g} s {_ADVICE}")
        if used_s <= self._limit_s:
            return self._pause_s
        frame = self.watch.frame()
        if used_s <= self._limit_elsewhere_s and self.watch.is_elsewhere(frame):
            return self._pause_s
        if not self.watch.interrupt(frame):
            return _RETRY_S
        self._limit_s = used_s + self._pause_s
        if self.watch.fired == _HOPELESS_AFTER:
            self._warn("this line does not return and cannot be interrupted; the simulation waits for it")
        return self._pause_s

    def _warn(self, text: str) -> None:
        """Log a warning with the turn's current line, even if the program has closed the streams."""
        streams.reopen_closed()
        log.warning("%s: %s", self.watch.place_of(self.watch.frame()), text)
