"""Threads and semaphores for both APIs. Waits for them are RoBIOS waits, so that lockstep runs repeat."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from .calls import current

_Lock = threading.Lock  # the real one: `patches` replaces it for programs


class TaskEnd(SystemExit):
    """Ends the task that raises it."""


class TaskSemaphore:
    """A semaphore whose waits let simulated time pass."""

    def __init__(self, value: int) -> None:
        self.value = value
        self._lock = _Lock()

    def take(self) -> bool:
        """Take one, if there is one."""
        with self._lock:
            if self.value <= 0:
                return False
            self.value -= 1
            return True

    def give(self) -> None:
        """Give one back."""
        with self._lock:
            self.value += 1

    def wait(self) -> None:
        """Take one; wait until there is one. Only inside of a call."""
        current().wait_for(self.take)


class Task:
    """A thread of a program, by its number."""

    def __init__(self, number: int, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if not callable(function):
            raise TypeError(f"a task needs a function to run, not {type(function).__name__}")
        self.number, self.name = number, name
        self.stop, self.ready, self.ended = False, True, False
        self.thread = threading.Thread(target=self._run, args=(function, args), name=name, daemon=True)

    def _run(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            with contextlib.suppress(SystemExit):  # the task has ended itself, or the simulation has
                function(*args)
        finally:
            self.ended = True


class Tasks:
    """The tasks of a program; the main thread is number 0."""

    def __init__(self) -> None:
        self.known: dict[int, Task] = {}
        self.alone: int | None = None  # the task that has forbidden the others to run

    def make(self, name: str, function: Callable[..., Any], args: tuple[Any, ...] = (), number: int = 0) -> Task:
        """Return a new task; a number of 0 is replaced by the next free one."""
        number = number or max(self.known, default=0) + 1
        task = self.known[number] = Task(number, name, function, args)
        return task

    def mine(self) -> int:
        """Return the number of the task that asks."""
        me = threading.current_thread()
        return next((task.number for task in self.known.values() if task.thread is me), 0)

    def anyone_is_ready(self) -> bool:
        """Return whether a task can still run."""
        return any(task.ready and not (task.stop or task.ended) for task in self.known.values())

    def check(self) -> None:
        """Do what others have asked of this task: end, or wait until it is made ready. Only inside of a call."""
        task = self.known.get(self.mine())
        if task is not None:
            current().wait_for(lambda: task.stop or task.ready)
            if task.stop:
                raise TaskEnd
        me = task.number if task else 0
        current().wait_for(lambda: self.alone in (None, me))


tasks = Tasks()
