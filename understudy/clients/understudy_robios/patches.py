"""Python's own ways to wait, as RoBIOS programs use them: they mean simulated time once a program is connected.

`time.sleep` is OSWait. In lockstep, `time.time` and the other clocks give simulated time, each look costs as much as a
call. Threads are noted when they start; locks and join() let other threads have their turn. Modules of the standard
library keep the real functions.
"""

from __future__ import annotations

import queue  # noqa: F401  # modules that keep clocks of their own take the real ones
import selectors  # noqa: F401
import subprocess  # noqa: F401
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from functools import lru_cache, wraps
from types import ModuleType
from typing import Any

from .calls import process
from .session import Session

EPOCH_S = 946_684_800  # time.time() at simulated time 0: 1 January 2000
_STANDARD = sysconfig.get_paths()["stdlib"]
# name of a clock -> simulated value from microseconds
CLOCKS: dict[str, Callable[[int], Any]] = {
    "time": lambda us: EPOCH_S + us / 1e6,
    "monotonic": lambda us: us / 1e6,
    "perf_counter": lambda us: us / 1e6,
    "time_ns": lambda us: EPOCH_S * 1_000_000_000 + us * 1000,
    "monotonic_ns": lambda us: us * 1000,
    "perf_counter_ns": lambda us: us * 1000,
}


@lru_cache(maxsize=None)
def _is_standard(file: str) -> bool:
    return file.startswith("<frozen") or (
        file.startswith(_STANDARD) and "site-packages" not in file and "dist-packages" not in file
    )


def _session_of(depth: int) -> Session | None:
    """Return the session, if the caller of a patched function is the program and no standard module."""
    session = process.session
    if session is None or _is_standard(sys._getframe(depth).f_code.co_filename):
        return None
    return session


def _sleep_as(real: Callable[[float], None]) -> Callable[[float], None]:
    @wraps(real)
    def sleep(seconds: float) -> None:
        session = _session_of(2)
        if session is None:
            real(seconds)
            return
        session.begin(False)
        try:
            session.wait_until(session.now_us + round(max(float(seconds), 0.0) * 1e6))
        finally:
            session.end()

    return sleep


def _clock_as(real: Callable[[], Any], value: Callable[[int], Any]) -> Callable[[], Any]:
    @wraps(real)
    def clock() -> Any:
        session = _session_of(2)
        if session is None or not session.gated:
            return real()
        session.begin(False)
        try:
            return value(session.now_us)
        finally:
            session.end()

    return clock


def _start_as(real: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    @wraps(real)
    def start(self: threading.Thread) -> None:
        if not self.name.startswith("understudy "):
            run = self.run
            self.run = lambda: _noted(self, run)  # type: ignore[method-assign]
            with process.lock:  # no thread may be lost while another one connects
                process.threads.append(self)
                if process.session is not None:
                    process.session.expect(self)
        real(self)

    return start


def _noted(thread: threading.Thread, run: Callable[[], None]) -> None:
    try:
        run()
    finally:
        thread._understudy_left = True  # type: ignore[attr-defined]
        process.threads.remove(thread)
        if process.session is not None:
            process.session.leave(thread)


# ---- locks


class TurnLock:
    """A lock of the program: a thread that waits for it in lockstep lets the others have their turn."""

    def __init__(self) -> None:
        self._lock = _real_lock()
        self.locked, self.release = self._lock.locked, self._release

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock, as `threading.Lock` does."""
        if self._lock.acquire(False):
            return True
        while blocking and timeout < 0 and process.session is None:  # another thread may be connecting
            if self._lock.acquire(True, 0.001):
                return True
        session = process.session
        if blocking and timeout < 0 and session is not None and session.gated:
            session.block(self, lambda: self._lock.acquire(False))
            return True
        return blocking and self._lock.acquire(True, timeout)

    def _release(self) -> None:
        self._lock.release()
        session = process.session
        if session is not None and session.gated:
            session.wake(self)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *problem: object) -> None:
        self.release()


_real_lock = threading.Lock


def make_lock() -> Any:
    """Return a lock: for the program one that knows turns."""
    return _real_lock() if _is_standard(sys._getframe(1).f_code.co_filename) else TurnLock()


def _join_as(real: Callable[..., None]) -> Callable[..., None]:
    @wraps(real)
    def join(self: threading.Thread, timeout: float | None = None) -> None:
        session = process.session
        if timeout is None and session is not None and session.gated and self is not threading.current_thread():
            session.block(self, lambda: not self.is_alive() or getattr(self, "_understudy_left", False), False)
        real(self, timeout)

    return join


# ---- all of it

_replaced: dict[Any, Callable[..., Any]] = {}  # real function -> ours


def install() -> None:
    """Replace the functions, once; and in the program where it has them by name already."""
    if _replaced:
        return
    _replaced[time.sleep] = _sleep_as(time.sleep)
    for name, value in CLOCKS.items():
        real = getattr(time, name)
        _replaced[real] = _clock_as(real, value)
    for real, ours in _replaced.items():
        setattr(time, real.__name__, ours)
    _replaced[_real_lock] = make_lock
    threading.Lock = make_lock  # type: ignore[assignment]
    threading.Thread.start = _start_as(threading.Thread.start)  # type: ignore[method-assign, assignment]
    threading.Thread.join = _join_as(threading.Thread.join)  # type: ignore[method-assign]
    process.on_connect.append(lambda session: _rename())
    _rename()


def _rename() -> None:
    """Replace names in the program's own modules, such as those of `from time import sleep` before this import."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(module, ModuleType) and file and not _foreign(module.__name__, file):
            for name, value in list(vars(module).items()):
                ours = _replaced.get(value) if callable(value) and _hashable(value) else None
                if ours is not None:
                    setattr(module, name, ours)


def _hashable(value: Any) -> bool:
    return type(value).__hash__ is not None


def _foreign(name: str, file: str) -> bool:
    return name != "__main__" and (
        _is_standard(file)
        or "site-packages" in file
        or "dist-packages" in file
        or __package__.partition(".")[0] in name
    )
