"""The one thread that owns OpenGL: contexts are bound to the thread that created them.

Callers submit a job and wait for it, so a picture is a function of the job's input.
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

from understudy.engines.gl.opengl import KINDS, OpenGL, found
from understudy.errors import EngineError

T = TypeVar("T")
Job = tuple[Callable[[], Any], "Future[Any] | None"]

_OPENING_S = 60.0
_CLOSING_S = 5.0


class GlResource(Protocol):
    """Something that holds OpenGL resources and must be freed in its thread."""

    def close(self) -> None:
        """Free all resources."""
        ...


class RenderThread:
    """Runs jobs one after the other in OpenGL's thread, and keeps the renderers that they make."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._canvases: dict[int, GlResource] = {}
        self._made = 0
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(opened,), name="understudy-gl", daemon=True)
        self._thread.start()
        opened.result(_OPENING_S)
        atexit.register(self.close)  # registered after MuJoCo's own, so it runs before them

    def call(self, job: Callable[[], T]) -> T:
        """Return the result of a job; its exceptions are raised here."""
        if not self._thread.is_alive():
            raise EngineError("cannot draw pictures: the process is shutting down")
        done: Future[T] = Future()
        self._jobs.put((job, done))
        return done.result()

    def keep(self, make: Callable[[], GlResource]) -> tuple[int, GlResource]:
        """Make a renderer and keep it; return its number, for `drop`. The renderer is for jobs only."""
        return self.call(lambda: self._keep(make))

    def _keep(self, make: Callable[[], GlResource]) -> tuple[int, GlResource]:
        canvas = make()
        self._made += 1
        self._canvases[self._made] = canvas
        return self._made, canvas

    def drop(self, number: int) -> None:
        """Free a renderer later."""
        self._jobs.put((lambda: self._drop(number), None))

    def _drop(self, number: int) -> None:
        canvas = self._canvases.pop(number, None)
        if canvas is not None:
            canvas.close()

    def close(self) -> None:
        """Free everything."""
        self._jobs.put(None)
        self._thread.join(_CLOSING_S)

    def _run(self, opened: Future[None]) -> None:
        try:
            context = _context(self.kind)
        except Exception as problem:  # any exception of a driver
            opened.set_exception(problem)
            return
        opened.set_result(None)
        while self._work():
            pass
        for number in list(self._canvases):
            self._drop(number)
        context.free()

    def _work(self) -> bool:
        """Do the next job; return whether there may be more. Nothing of a finished job is kept."""
        item = self._jobs.get()
        if item is not None:
            _do(*item)
        return item is not None


def _do(job: Callable[[], Any], done: Future[Any] | None) -> None:
    try:
        result = job()
    except BaseException as problem:  # it belongs to the waiting caller; this thread continues
        if done is not None:
            done.set_exception(problem)
        return
    if done is not None:
        done.set_result(result)


def _context(kind: str) -> Any:
    """Return OpenGL's context, made current in this thread."""
    with settings(kind):
        context = import_module(f"mujoco.{kind}").GLContext(1, 1)  # pictures have their own buffers
        context.make_current()
    return context


@contextmanager
def settings(kind: str) -> Iterator[None]:
    """Make MuJoCo use this kind of OpenGL, and restore the user's settings afterwards."""
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
    """Return this process's render thread; None if OpenGL is not available here."""
    return _of_process(os.getpid()) if found().kind else None


def drawer() -> OpenGL:
    """Return the OpenGL driver of this process, or the reason why there is none."""
    here = found()
    if here.kind and render_thread() is None:
        return OpenGL("", f"{KINDS[here.kind]} was found, but does not work in this process")
    return here


@lru_cache(maxsize=1)
def _of_process(number: int) -> RenderThread | None:
    """Return the thread of the process with this id: a forked process has none of its parent's."""
    try:
        return RenderThread(found().kind)
    except Exception:  # any exception of a driver: rays work without it
        return None
