"""The link thread: one daemon thread with one event loop, shared by all links of a process.

It starts when the first link opens and ends when the last one closes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache
from threading import Lock, Thread
from typing import Any, TypeVar, TypeVarTuple

Result = TypeVar("Result")
Args = TypeVarTuple("Args")


class LinkThread:
    """Runs an event loop for as long as a link holds it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    @property
    def running(self) -> bool:
        """Return whether the thread runs."""
        return self._thread is not None

    def hold(self) -> None:
        """Start the thread unless it runs, and keep it running until `release`."""
        with self._lock:
            self._holders += 1
            if self._thread is None:
                self._loop = asyncio.SelectorEventLoop()  # the only kind that works the same on every system
                self._thread = Thread(target=_work, args=(self._loop,), name="understudy-links", daemon=True)
                self._thread.start()

    def release(self) -> None:
        """Release one hold; the last release ends the thread and waits for its end."""
        with self._lock:
            self._holders -= 1
            if self._holders or self._loop is None or self._thread is None:
                return
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop = self._thread = None

    def post(self, call: Callable[[*Args], object], *args: *Args) -> None:
        """Schedule *call* in the thread without blocking; dropped if the thread has ended."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # closed since the line above
                loop.call_soon_threadsafe(call, *args)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run *work* in the thread, wait for it and return its result; the caller must hold the thread."""
        assert self._loop is not None, "hold the thread first"
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def shared() -> LinkThread:
    """Return the link thread of this process."""
    return _thread_of(os.getpid())


@cache
def _thread_of(pid: int) -> LinkThread:
    """Return one thread per process: a fork inherits the object, but not the running thread behind it."""
    return LinkThread()


def _work(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
        loop.run_until_complete(_cancel_all())
    finally:
        loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
