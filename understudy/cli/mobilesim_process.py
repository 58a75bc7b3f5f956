"""Processes around MobileSim: a supervisor that restarts it after a crash, and a start in the background."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType

from understudy.cli.mobilesim_words import RESTARTED, SUPERVISED
from understudy.mobilesim import codes

log = logging.getLogger("understudy.cli")
MOST_CRASHES = 5
WITHIN_S = 60.0  # MOST_CRASHES within this time end the supervisor


def supervise(start: Callable[[bool], int], now_s: Callable[[], float] = time.monotonic) -> int:
    """Call *start* and again after each crash, up to a limit; its argument is whether this is a restart.

    Returns the last exit code.
    """
    crashes: list[float] = []
    while True:
        code = start(bool(crashes))
        if not is_crash(code):
            return code
        crashes = [*(at for at in crashes if now_s() - at < WITHIN_S), now_s()]
        if len(crashes) >= MOST_CRASHES:
            log.error("crashed %d times within %g s; giving up", len(crashes), WITHIN_S)
            return codes.CRASH
        log.error("crashed (exit code %d); restarting", code)


def is_crash(code: int) -> bool:
    """Return whether an exit code means a crash: one that we caught, or a signal that was not a request to end."""
    polite = {-signal.SIGTERM, -signal.SIGINT, -getattr(signal, "SIGHUP", 0)}
    return code == codes.CRASH or (code < 0 and code not in polite) or code > 0xC0000000


def watched(words: Sequence[str]) -> int:
    """Run MobileSim in a child process and restart it after crashes."""
    return supervise(lambda again: _run(command(SUPERVISED, *([RESTARTED] if again else []), *words)))


def _run(words: Sequence[str]) -> int:
    """Run a process and forward signals that ask it to end; returns its exit code."""
    child = subprocess.Popen(words)

    def pass_on(number: int, frame: FrameType | None) -> None:
        child.terminate()

    polite = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))
    wanted = {number for number in polite if signal.getsignal(number) is not signal.SIG_IGN}  # nohup ignores SIGHUP
    before = {number: signal.signal(number, pass_on) for number in wanted}
    try:
        return child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def to_background(words: Sequence[str]) -> int:
    """Run MobileSim without a terminal in a process that outlives this one; returns its process id."""
    rest = [word for word in words if word.lstrip("-") != "daemonize"]
    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    nothing = subprocess.DEVNULL
    child = subprocess.Popen(
        command(*rest), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True, creationflags=flags
    )
    return child.pid


def command(*words: str) -> list[str]:
    """Return the command that runs the verb with these words."""
    return [sys.executable, "-m", "understudy", "mobilesim", *words]
