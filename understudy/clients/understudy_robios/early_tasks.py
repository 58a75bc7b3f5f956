"""Tasks and semaphores of the first RoBIOS-7 header; later programs use Python's threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .calls import current, local, robios
from .tasks import TaskEnd, TaskSemaphore, tasks
from .values import whole

__all__ = [
    "MTExit", "MTGetUID", "MTInit", "MTKill", "MTSleep", "MTSpawn", "SEMAInit", "SEMALock", "SEMAUnlock",
]  # fmt: skip


@local()
def MTInit() -> int:
    """Begin multitasking; nothing needs to be prepared."""
    return 0


@robios()
def MTSpawn(function: Callable[..., Any], *args: Any) -> int:
    """Start a task and return its number."""
    task = tasks.make("task", function, args)
    task.thread.start()
    return task.number


@robios()
def MTSleep(milliseconds: Any) -> int:
    """Let a task wait (ms)."""
    session = current()
    session.wait_until(session.now_us + max(whole(milliseconds), 0) * 1000)
    tasks.check()
    return 0


@robios()
def MTGetUID() -> int:
    """Return the number of the task that asks; 0 is the main program."""
    return tasks.mine()


@robios()
def MTKill(task: Any) -> int:
    """End a task: it ends in its next MTSleep or SEMALock; 1 if there is none with this number."""
    found = tasks.known.get(whole(task))
    if found is None:
        return 1
    found.stop = True
    return 0


@local()
def MTExit(code: Any = 0) -> None:
    """End the task that calls this."""
    raise TaskEnd(0)


@local()
def SEMAInit(value: Any = 1) -> TaskSemaphore:
    """Return a new semaphore."""
    return TaskSemaphore(whole(value))


@robios()
def SEMALock(semaphore: TaskSemaphore) -> int:
    """Take a semaphore; wait until it is free."""
    tasks.check()
    semaphore.wait()
    return 0


@robios()
def SEMAUnlock(semaphore: TaskSemaphore) -> int:
    """Give a semaphore back."""
    semaphore.give()
    return 0
