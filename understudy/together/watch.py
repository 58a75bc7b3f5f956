"""What a process does that neither waits for simulated time nor ends: which thread, in which system call."""

from __future__ import annotations

import logging
from pathlib import Path

from understudy.errors import ProgramError
from understudy.frozen import frozen
from understudy.together.build import OTHER_WAY
from understudy.together.connections import PATIENCE_S
from understudy.together.process import Process

log = logging.getLogger(__name__)
QUIET_S = 5.0  # real time after which a process that does not come back is looked at
COMPUTE_S = 120.0  # real time that a program may compute without waiting or looking at the clock

# the calls that wait most often, by their number on x86-64
CALLS = {
    0: "read", 1: "write", 7: "poll", 16: "ioctl", 23: "select", 34: "pause", 35: "nanosleep", 40: "sendfile",
    42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 61: "wait4", 65: "semop",
    69: "msgsnd", 70: "msgrcv", 72: "fcntl", 73: "flock", 74: "fsync", 75: "fdatasync", 128: "rt_sigtimedwait",
    130: "rt_sigsuspend", 202: "futex", 208: "io_getevents", 219: "restart_syscall", 220: "semtimedop",
    230: "clock_nanosleep", 232: "epoll_wait", 242: "mq_timedsend", 243: "mq_timedreceive", 247: "waitid",
    257: "openat", 271: "ppoll", 270: "pselect6", 275: "splice", 276: "tee", 281: "epoll_pwait",
    299: "recvmmsg", 307: "sendmmsg", 426: "io_uring_enter", 449: "futex_waitv",
}  # fmt: skip
_FUTEX = 202  # in which threads wait for the baton: they are not the reason
_NAP = 35  # nanosleep: the library itself waits, for bytes that must come


def look_after(process: Process, name: str, quiet_s: float) -> None:
    """Say what a process does that has not come back for *quiet_s*; raises ProgramError if it never will."""
    found = activity(process.pid)
    if found.naps and quiet_s < 2 * PATIENCE_S:
        return  # it warns by itself
    if found.computes and quiet_s < COMPUTE_S:
        if not process.warned:
            process.warned = True
            log.warning("%s has computed for %g s; time stands still meanwhile", name, QUIET_S)
    elif found.computes:
        raise ProgramError(
            f"{name} has computed for {COMPUTE_S:g} s without looking at the clock or waiting: "
            f"perhaps it waits for another thread in a loop; {OTHER_WAY}"
        )
    elif found.stopped:
        raise ProgramError(f"{name} was stopped by a signal or a debugger, so that time cannot go on")
    else:
        raise ProgramError(f"{name} waits in {found.text}, which together does not know; please report it")


@frozen
class Activity:
    """What a process does: it computes, or a thread waits in a call that the library does not know."""

    computes: bool
    stopped: bool
    naps: bool  # the library waits for bytes that were sent
    text: str


def activity(pid: int) -> Activity:
    """Return what the threads of a process do."""
    states = [_state(task) for task in _tasks(pid)]
    computes = any(state == "R" for state, _ in states)
    stopped = any(state in "Tt" for state, _ in states)
    waits = [(number, call) for number, (_, call) in enumerate(states, 1) if call != str(_FUTEX)] or [(1, str(_FUTEX))]
    number, call = waits[0]
    name = CALLS.get(int(call), f"system call {call}") if call.isdigit() else "a system call"
    return Activity(computes, stopped, call == str(_NAP), f"{name} (thread {number} of {max(len(states), 1)})")


def _tasks(pid: int) -> list[Path]:
    try:
        return sorted(Path(f"/proc/{pid}/task").iterdir(), key=lambda task: int(task.name))
    except OSError:
        return []


def _state(task: Path) -> tuple[str, str]:
    """Return the state of a thread, such as R or S, and the number of its system call."""
    try:
        state = (task / "stat").read_text().rsplit(")", 1)[1].split()[0]
        call = (task / "syscall").read_text().split()[0]
    except (OSError, IndexError):
        return "", ""
    return state, call
