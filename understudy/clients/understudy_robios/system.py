"""System functions and timers: what the robot is, time, functions that are called periodically."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

from .calls import current, local, robios
from .constants import VEHICLE
from .values import fill_text, store, text, whole

__all__ = [
    "OSAttachTimer", "OSDetachTimer", "OSExecute", "OSGetCount", "OSGetTime", "OSMachineID", "OSMachineName",
    "OSMachineSpeed", "OSMachineType", "OSSetTime", "OSVersion", "OSVersionIO", "OSWait",
]  # fmt: skip
VERSION, VERSION_IO = "7.2 Understudy", "1.0 Understudy"
MHZ = 900
_DAY_US = 86_400_000_000
_localtime = time.localtime


def _told(words: str, buffer: Any) -> Any:
    if buffer is None:
        return words
    fill_text(buffer, words)
    return 0


@local()
def OSVersion(buf: Any = None) -> Any:
    """Return the version of RoBIOS; with a buffer, store it there."""
    return _told(VERSION, buf)


@local()
def OSVersionIO(buf: Any = None) -> Any:
    """Return the version of the I/O board; with a buffer, store it there."""
    return _told(VERSION_IO, buf)


@local()
def OSExecute(command: Any, out: Any = None) -> Any:
    """Run a command of the shell and return what it prints; with a buffer, store it there and return its exit code."""
    done = subprocess.run(text(command), shell=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    printed = done.stdout.decode("utf-8", "replace")
    if out is None:
        return printed
    fill_text(out, printed)
    return done.returncode


@robios()
def OSMachineSpeed() -> int:
    """Return the speed of the processor (MHz)."""
    return MHZ


@robios()
def OSMachineType() -> int:
    """Return the kind of machine: 1, a vehicle."""
    return VEHICLE


@robios()
def OSMachineName(buf: Any = None) -> Any:
    """Return the name of the robot; with a buffer, store it there."""
    return _told(current().greeting.name, buf)


@robios()
def OSMachineID() -> int:
    """Return the number of the robot, from 1."""
    return current().greeting.id


# ---- time


def wait_us(duration_us: int) -> None:
    """Let simulated time pass."""
    session = current()
    session.wait_until(session.now_us + max(duration_us, 0))


@robios()
def OSWait(milliseconds: Any) -> int:
    """Wait (ms)."""
    wait_us(whole(milliseconds) * 1000)
    return 0


def sleep(seconds: float) -> None:
    """Wait (s): what time.sleep means while a program is connected."""
    session = current()
    session.begin(False)
    try:
        wait_us(round(max(seconds, 0.0) * 1e6))
    finally:
        session.end()


@robios()
def OSGetCount() -> int:
    """Return the time since the program began (ms)."""
    session = current()
    return int(session.now_us - session.begin_us) // 1000


class _Clock:
    """The time of day at simulated time 0 (us); in real time that of this machine."""

    offset_us: int | None = None


_clock = _Clock()


def time_of_day_us() -> int:
    """Return the time of day; in lockstep it begins at midnight, so that runs repeat."""
    session = current()
    if _clock.offset_us is None:
        now = _localtime()
        seconds = 0 if session.gated else (now.tm_hour * 60 + now.tm_min) * 60 + now.tm_sec
        _clock.offset_us = seconds * 1_000_000 - (0 if session.gated else session.now_us)
    return int((session.now_us + _clock.offset_us) % _DAY_US)


@robios()
def OSSetTime(hrs: Any, mins: Any, secs: Any) -> int:
    """Set the clock."""
    seconds = (whole(hrs) * 60 + whole(mins)) * 60 + whole(secs)
    _clock.offset_us = seconds * 1_000_000 - current().now_us
    return 0


@robios()
def OSGetTime(hrs: Any = None, mins: Any = None, secs: Any = None, ticks: Any = None) -> Any:
    """Return the clock [hours, minutes, seconds, milliseconds]; with four ctypes ints, store it there."""
    minutes, within_us = divmod(time_of_day_us(), 60_000_000)
    values = [*divmod(minutes, 60), within_us // 1_000_000, within_us % 1_000_000 // 1000]
    if hrs is None:
        return values
    for target, value in zip((hrs, mins, secs, ticks), values):
        if target is not None:
            store(target, value)
    return 0


# ---- timers

_timers: dict[int, threading.Event] = {}


def attach(period_us: int, function: Callable[[], Any]) -> int:
    """Call a function periodically, in a thread of its own; returns the number of the timer."""
    if not callable(function):
        raise TypeError(f"a timer needs a function to call, not {type(function).__name__}")
    number = len(_timers) + 1
    off = _timers[number] = threading.Event()
    thread = threading.Thread(target=_tick, args=(period_us, function, off), daemon=True, name=f"RoBIOS timer {number}")
    thread.start()
    return number


def _tick(period_us: int, function: Callable[[], Any], off: threading.Event) -> None:
    session = current()
    due_us = session.now_us + period_us
    try:
        while not off.is_set():
            session.begin(False)
            session.wait_until(due_us)
            session.end()
            if not off.is_set():
                function()
            due_us = max(due_us + period_us, session.now_us)
    except SystemExit:  # the simulation has ended
        pass


def detach(number: int) -> int:
    """Stop a timer; 1 if there is none with this number."""
    off = _timers.get(number)
    if off is None or off.is_set():
        return 1
    off.set()
    return 0


@robios()
def OSAttachTimer(scale: Any, function: Callable[[], Any]) -> int:
    """Call a function every *scale* ms, in a thread; returns the number of the timer."""
    return attach(max(whole(scale), 1) * 1000, function)


@robios()
def OSDetachTimer(handle: Any) -> int:
    """Stop a timer; 1 if there is none with this number."""
    return detach(whole(handle))
