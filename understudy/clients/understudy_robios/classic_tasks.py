"""Classic threads and semaphores. A task runs after OSReady has been called for it, and ends in a call after OSKill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .calls import current, local, robios
from .classic_constants import COOP, NOTASK, PREEMPT
from .classic_lcd import show
from .classic_system import TICK_US
from .tasks import Task, TaskEnd, TaskSemaphore, tasks
from .values import text, whole

__all__ = [
    "OSExit", "OSForbid", "OSGetUID", "OSKill", "OSMTInit", "OSMTStatus", "OSPanic", "OSPermit", "OSReady",
    "OSReschedule", "OSRun", "OSSemInit", "OSSemP", "OSSemV", "OSSleep", "OSSpawn", "OSSuspend", "OSYield",
]  # fmt: skip
_mode = {"mode": PREEMPT}


@local()
def OSMTInit(mode: Any = PREEMPT) -> int:
    """Begin multitasking; tasks take turns at their calls in both modes."""
    _mode["mode"] = whole(mode)
    return 0


@local()
def OSMTStatus() -> int:
    """Return the mode of multitasking; NOTASK without tasks."""
    return _mode["mode"] if tasks.known else NOTASK


@robios()
def OSSpawn(name: Any, function: Callable[[], Any], stack: Any = 0, priority: Any = 1, uid: Any = 0) -> Task:
    """Return a new task; it runs after OSReady."""
    task = tasks.make(text(name), function, number=whole(uid))
    task.ready = False
    return task


def _set_ready(task: Task | None, ready: bool) -> None:
    chosen = task if isinstance(task, Task) else tasks.known.get(tasks.mine())
    if chosen is not None:
        chosen.ready = ready
        if ready and chosen.thread.ident is None:
            chosen.thread.start()


@robios()
def OSReady(thread: Task | None = None) -> int:
    """Let a task run."""
    _set_ready(thread, True)
    return 0


@robios()
def OSSuspend(thread: Task | None = None) -> int:
    """Let a task wait for OSReady; without one, the caller."""
    _set_ready(thread, False)
    tasks.check()
    return 0


@robios()
def OSReschedule() -> int:
    """Let others run; in mode COOP the main program goes on when no task is ready any more."""
    current().wait_tick()
    if _mode["mode"] == COOP and not tasks.mine():
        current().wait_for(lambda: not tasks.anyone_is_ready())
    tasks.check()
    return 0


@robios()
def OSYield() -> int:
    """Let others run."""
    current().wait_tick()
    tasks.check()
    return 0


@robios()
def OSRun(thread: Task | None = None) -> int:
    """Let a task run, now."""
    _set_ready(thread, True)
    current().wait_tick()
    tasks.check()
    return 0


@robios()
def OSGetUID(thread: Task | None = None) -> int:
    """Return the number of a task; without one, of the caller."""
    return thread.number if isinstance(thread, Task) else tasks.mine()


@robios()
def OSKill(thread: Task | None = None) -> int:
    """End a task; without one, the caller."""
    if not isinstance(thread, Task):
        raise TaskEnd(0)
    thread.stop = True
    return 0


@local()
def OSExit(code: Any = 0) -> None:
    """End the task that calls this."""
    raise TaskEnd(whole(code))


@robios()
def OSPanic(msg: Any, *values: Any) -> None:
    """Show a message and end the program."""
    show(text(msg), *values)
    current().complain(f"OSPanic: {text(msg)}")
    raise SystemExit(1)


@robios()
def OSSleep(n: Any) -> int:
    """Let a task wait (1/100 s)."""
    session = current()
    session.wait_until(session.now_us + max(whole(n), 0) * TICK_US)
    tasks.check()
    return 0


@robios()
def OSForbid() -> int:
    """Let only the caller run, until OSPermit: others wait in their task calls."""
    tasks.check()
    tasks.alone = tasks.mine()
    return 0


@robios()
def OSPermit() -> int:
    """Let others run again."""
    if tasks.alone == tasks.mine():
        tasks.alone = None
    return 0


@local()
def OSSemInit(sem: Any = 1, val: Any = None) -> Any:
    """Return a new semaphore with a value; with one, set its value."""
    if isinstance(sem, TaskSemaphore):
        sem.value = whole(val)
        return 0
    return TaskSemaphore(whole(sem))


@robios()
def OSSemP(sem: TaskSemaphore) -> int:
    """Take a semaphore; wait until it is free."""
    tasks.check()
    sem.wait()
    return 0


@robios()
def OSSemV(sem: TaskSemaphore) -> int:
    """Give a semaphore back."""
    sem.give()
    return 0
