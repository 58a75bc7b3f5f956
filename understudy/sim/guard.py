"""Finds programs that do not come back, and interrupts them with the place where they hang."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import ClassVar

PATIENCE_S = 2.0


class ProgramStuck(BaseException):
    """Raised inside a program that loops without waiting."""

    place: ClassVar[str] = "the program"

    def __str__(self) -> str:
        return (
            f"{self.place}: it does not come back: a loop without robot.wait(); interrupted. "
            'Put robot.wait(0.1) into the loop, or run it with mode = "realtime"'
        )


def stuck_at(place: str) -> type[ProgramStuck]:
    """Return the exception for a program that hangs at *place*; only a class can be raised in another thread."""
    return type("ProgramStuck", (ProgramStuck,), {"place": place})


def interrupt(thread_id: int, problem: type[BaseException]) -> None:
    """Raise *problem* in another thread at its next Python instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(problem))


def place_in(frame: FrameType | None, file: str) -> str:
    """Return ``file:line`` of the innermost frame that belongs to *file*."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back
    return file


class Guard:
    """Watches turns of gated programs from a thread of its own."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._watching: tuple[int, str, float] | None = None  # thread, file, since
        self._fired = False
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._look, name="program guard", daemon=True)

    @contextmanager
    def watch(self, file: str) -> Iterator[None]:
        """Watch the body of a with statement; it is interrupted when it takes too long, unless under a debugger."""
        if sys.gettrace() is not None:
            yield
            return
        if self._thread.ident is None:
            self._thread.start()
        self._fired = False
        self._watching = (threading.get_ident(), file, time.perf_counter())
        try:
            yield
        finally:
            with suppress(ProgramStuck):
                with self._lock:
                    self._watching = None
                if self._fired:
                    for _ in range(1000):  # an interrupt on its way must arrive here, not later
                        pass

    def _look(self) -> None:
        while not self._closed.wait(self._patience_s / 8):
            with self._lock:
                if self._watching is None or self._fired:
                    continue
                thread_id, file, since = self._watching
                if time.perf_counter() - since > self._patience_s:
                    self._fired = True
                    interrupt(thread_id, stuck_at(place_in(sys._current_frames().get(thread_id), file)))

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        if self._thread.ident is not None:
            self._thread.join()
