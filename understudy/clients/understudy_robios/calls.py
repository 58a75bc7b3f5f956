"""What every RoBIOS function does first: connect, take its turn, pay its simulated time."""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from . import starting
from .session import Session

F = TypeVar("F", bound="Callable[..., Any]")
FULL, NO_EFFECT, REFUSED = "full", "no effect", "refused"


class _Process:
    """The connection of this process: there is one robot."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.session: Session | None = None
        self.simulator: subprocess.Popen[bytes] | None = None
        self.copied = False  # this process is a copy of the one that has the seat
        self.threads: list[threading.Thread] = [threading.main_thread()]  # that may make calls, in order of starting
        self.on_connect: list[Callable[[Session], None]] = []


process = _Process()


def current() -> Session:
    """Return the session; the first call connects."""
    return process.session or _connect()


def _connect() -> Session:
    with process.lock:
        if process.session is None:
            if process.copied:
                raise RuntimeError("RoBIOS functions work only in the process that called one first")
            try:
                sock, process.simulator = starting.seat()
            except starting.NoSimulator as problem:
                sys.stderr.write(f"understudy: {problem}\n")
                raise SystemExit(1) from None
            living = tuple(thread for thread in process.threads if thread.is_alive())
            session = Session(sock, sys.argv, living)
            for setup in process.on_connect:
                setup(session)
            atexit.register(_leave)
            session.watch()
            process.session = session
        return process.session


def use(session: Session | None) -> None:
    """Set the session of this process (tests have their own)."""
    process.session = session


def _leave() -> None:
    """Say goodbye at the end of the program; a simulator that ends with it may finish its files."""
    if process.session is not None:
        process.session.close()
    if process.simulator is not None:
        try:
            process.simulator.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            process.simulator.returncode = 0  # it goes on without us


def _forked() -> None:
    process.copied = True
    if process.session is not None:
        process.session.abandon()
    process.session = process.simulator = None
    process.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def robios(starts: bool = False, support: str = FULL) -> Callable[[F], F]:
    """Return the decorator of a RoBIOS function; *starts*: a driving or sensor call, before which robots wait for each
    other."""

    def wrap(function: F) -> F:
        @functools.wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            session = process.session or _connect()
            session.begin(starts)
            try:
                return function(*args, **named)
            finally:
                session.end()

        call.support = support  # type: ignore[attr-defined]
        return cast(F, call)

    return wrap


def local(support: str = FULL) -> Callable[[F], F]:
    """Return the decorator of a function that needs no robot."""

    def wrap(function: F) -> F:
        function.support = support  # type: ignore[attr-defined]
        return function

    return wrap
