"""What a process does that neither waits for simulated time nor ends: which thread, in which system call."""

from __future__ import annotations

from pathlib import Path

from understudy.frozen import frozen

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
