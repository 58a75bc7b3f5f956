"""The one thread that owns OpenGL: its contexts are bound to the thread that has made them.

Whoever wants a picture hands over a job and waits for it, so a picture is a function of what the job was given.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from understudy.engines.gl.found import KINDS, Found, found
from understudy.errors import EngineError

T = TypeVar("T")
Job = tuple[Callable[[], Any], "Future[Any] | None"]

_OPENING_S = 60.0
_CLOSING_S = 5.0


class Canvas(Protocol):
    """What holds something of OpenGL's and must be given back in its thread."""

    def close(self) -> None:
        """Give back all that it holds."""
        ...


class RenderThread:
    """Runs jobs one after the other where OpenGL is at home, and keeps the canvases that they make."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._canvases: dict[int, Canvas] = {}
        self._made = 0
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="understudy-gl", daemon=True)
        self._thread.start()
        opened.result(_OPENING_S)
        atexit.register(self.close)  # after MuJoCo's own, so it comes before them

    def call(self, job: Callable[[], T]) -> T:
        """Return what a job returns, once it is done; what it raises is raised here."""
        if not self._thread.is_alive():
            raise EngineError("pictures cannot be drawn any more: this process is about to end")
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return done.result()

    def keep(self, make: Callable[[], Canvas]) -> tuple[int, Canvas]:
        """Make a canvas and keep it; return its number, by which it can be dropped. The canvas is for jobs only."""
        return self.call(lambda: self._keep(make))

    def _keep(self, make: Callable[[], Canvas]) -> tuple[int, Canvas]:
        canvas = make()
        self._made += 1
        self._canvases[self._made] = canvas
        return self._made, canvas

    def drop(self, number: int) -> None:
        """Give a canvas back when there is time for it."""
        self._jobs.put((lambda: self._drop(number), None))

    def _drop(self, number: int) -> None:
        canvas = self._canvases.pop(number, None)
        if canvas is not None:
            canvas.close()

    def close(self) -> None:
        """Give everything back."""
        self._jobs.put(None)
        self._thread.join(_CLOSING_S)

    def _run(self, opened: Future[None]) -> None:
        try:
            context = _context(self.kind)
        except Exception as problem:  # whatever a foreign driver raises
            opened.set_exception(problem)
            return
        opened.set_result(None)
        while self._work():
            pass
        for number in list(self._canvases):
            self._drop(number)
        context.free()

    def _work(self) -> bool:
        """Do the next job; say whether there may be more. Nothing of a job is kept once it is done."""
        item = self._jobs.get()
        if item is not None:
            _do(*item)
        return item is not None


def _do(job: Callable[[], Any], done: Future[Any] | None) -> None:
    try:
        result = job()
    except BaseException as problem:  # it belongs to who waits; this thread goes on
        if done is not None:
            done.set_exception(problem)
        return
    if done is not None:
        done.set_result(result)


def _context(kind: str) -> Any:
    """Return OpenGL's context, which is current in this thread from now on."""
    with settings(kind):
        context = import_module(f"mujoco.{kind}").GLContext(1, 1)  # pictures have buffers of their own
        context.make_current()
    return context


@contextmanager
def settings(kind: str) -> Iterator[None]:
    """Let MuJoCo look for this kind of OpenGL, and leave the user's own settings as they were."""
    names = ("MUJOCO_GL", "PYOPENGL_PLATFORM")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, kind))
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def render_thread() -> RenderThread | None:
    """Return the thread of this process that draws; None if there is no OpenGL, or it cannot be used here."""
    return _of_process(os.getpid()) if found().kind else None


def drawer() -> Found:
    """Return who draws in this process, or why nobody does."""
    here = found()
    if here.kind and render_thread() is None:
        return Found("", f"{KINDS[here.kind]} is there, but not for this process")
    return here


@lru_cache(maxsize=1)
def _of_process(number: int) -> RenderThread | None:
    """Return the thread of the process of this number: a process that was forked off has none of its parent's."""
    try:
        return RenderThread(found().kind)
    except Exception:  # whatever a foreign driver raises: rays do it too
        return None
