"""Calls of user functions that the run itself needs (filters, firmware): each returns, whatever the function does."""

from __future__ import annotations

import ctypes
import traceback
from collections.abc import Callable
from typing import Any

from greenlet import getcurrent, greenlet

from understudy.errors import ProgramError
from understudy.sim.endings import is_ctrl_c
from understudy.sim.guard import Guard, ProgramStuck, Watch


class UserCode:
    """Calls each function in a greenlet, which is abandoned if the function does not return."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def call(self, file: str, function: Callable[[], Any], what: str = "filter") -> Any:
        """Return what a function of *file* returns; raises ProgramError if it fails, exits or does not return."""
        hub, call = getcurrent(), _Call(file, function)
        inner = greenlet(call.run)
        watch = Watch(file, hub.switch)
        with self.guard.watching(watch):
            inner.switch()
        if watch.left:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(inner))  # never freed: it would not unwind
        if watch.fired:
            limit = f"{self.guard.patience_s:g} s"
            raise ProgramError(f"{watch.place}: the {what} did not return for {limit} (an endless loop?); interrupted")
        if call.problem:
            raise ProgramError(call.problem)
        return call.result


class _Call:
    """One call and its outcome."""

    def __init__(self, file: str, function: Callable[[], Any]) -> None:
        self._file, self._function = file, function
        self.result: Any = None
        self.problem = ""

    def run(self) -> None:
        """Make the call."""
        try:
            self.result = self._function()
        except ProgramStuck:
            return
        except ProgramError as problem:  # says where
            self.problem = str(problem)
        except BaseException as problem:
            if is_ctrl_c(problem):
                raise
            self.problem = f"{self._where(problem)}: {problem!r}"

    def _where(self, problem: BaseException) -> str:
        """Return file and line of the user code that failed."""
        if isinstance(problem, SyntaxError) and problem.filename:
            return f"{problem.filename}:{problem.lineno}"
        lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == self._file]
        line = (lines or [None])[-1]
        return f"{self._file}:{line}" if line else self._file
