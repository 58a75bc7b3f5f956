"""The service ``python``: calls the functions of a program, in a thread of its own, and runs further files of it.

All listeners are called by one thread, one after the other, while the program itself goes on.
"""

from __future__ import annotations

import inspect
import logging
import queue
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from understudy.errors import ProgramError, nearest
from understudy.sear.mrl.service import Published, Service, Subscription, caller_namespace
from understudy.sim.endings import failure

log = logging.getLogger(__name__)
WorkQueue = queue.Queue[Callable[[], None] | None]
MOST_WAITING = 10_000  # messages; a program that is slower than its devices loses the newest
END_S = 2.0  # how long the end waits for a function that is running
_NOT_IN_NAMES = re.compile(r"\W")


def variable(message: Published) -> str:
    """Return the name under which a program finds a message.

    >>> variable(Published("front lidar", "publishLidarData", ()))
    'msg_front_lidar_publishLidarData'
    """
    return f"msg_{_NOT_IN_NAMES.sub('_', message.sender)}_{message.topic}"


class PythonService(Service):
    """The listener's thread, and files that share the names of the program."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._waiting: WorkQueue = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self.lost = 0  # messages
        self._missing: set[str] = set()  # functions that were reported

    def execFile(self, file: str) -> None:
        """Run a file; its names are those of the program that calls this, as if it were written there.

        A relative path is looked for in the working folder, then beside the program.
        """
        namespace = caller_namespace()
        path = Path(file)
        if not path.exists() and namespace.get("__file__"):
            path = Path(namespace["__file__"]).parent / file
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise ProgramError(f"{file}: cannot be read in {Path.cwd()}: {reason}") from problem
        self._run(text, str(path), namespace)

    def exec(self, text: str) -> None:
        """Run a text in the same way."""
        self._run(text, "<exec>", caller_namespace())

    def _run(self, text: str, name: str, namespace: dict[str, Any]) -> None:
        try:
            code = compile(text, name, "exec")
        except SyntaxError as problem:
            raise ProgramError(f"{name}:{problem.lineno or 1}: {problem.msg}") from problem
        except ValueError as problem:  # characters that no program has
            raise ProgramError(f"{name}:1: {problem}") from problem
        exec(code, namespace)

    # ---- listeners

    def deliver(self, listener: Subscription, message: Published) -> None:
        """Call a function soon; never waits."""
        if not self._put(partial(self._call, listener, message)):
            self.lost += 1
            if self.lost == 1:
                log.warning("%s: %s is too slow: messages are lost", message.sender, listener.function)

    def settle(self, timeout_s: float = END_S) -> bool:
        """Wait until everything that was published before has been handled; returns whether it was."""
        done = threading.Event()
        return self._put(done.set) and done.wait(timeout_s)

    def _put(self, work: Callable[[], None]) -> bool:
        """Add to the work of the thread; returns whether there was room."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=_work, args=(self._waiting,), name="listeners", daemon=True)
                self._thread.start()
            try:
                self._waiting.put_nowait(work)
            except queue.Full:
                return False
        return True

    def _call(self, listener: Subscription, message: Published) -> None:
        """Call a function of the program; it finds the message under its name, or takes its data as an argument."""
        listener.namespace[variable(message)] = message
        function = listener.namespace.get(listener.function)
        if not callable(function):
            if listener.function not in self._missing:
                self._missing.add(listener.function)
                log.error("%s", _missing_function(listener, message))
            return
        try:
            function(*(message.data if _takes_data(function) else ()))
        except BaseException as problem:
            text = failure(f"listener {listener.function} of {message.sender}", problem)
            if text:
                log.error("%s", text)

    def releaseService(self) -> None:
        """End the listener's thread."""
        super().releaseService()
        with self._starting:
            thread, self._thread, self.lost = self._thread, None, 0
            waiting, self._waiting = self._waiting, queue.Queue(MOST_WAITING)
        self._missing.clear()
        if thread is None:
            return
        with suppress(queue.Empty):
            while True:  # what waits is discarded
                waiting.get_nowait()
        waiting.put(None)
        if thread is not threading.current_thread():
            thread.join(END_S)


def _work(waiting: WorkQueue) -> None:
    """Do what comes, until None comes."""
    while (work := waiting.get()) is not None:
        work()


def _missing_function(listener: Subscription, message: Published) -> str:
    functions = [name for name, value in listener.namespace.items() if inspect.isfunction(value)]
    known = nearest(listener.function, functions)
    return f"{message.sender}: the program has no function {listener.function!r} {known}"


def _takes_data(function: Any) -> bool:
    """Return whether a function has an argument that it needs."""
    try:
        wanted = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(each.default is each.empty and each.kind in (0, 1) for each in wanted)
