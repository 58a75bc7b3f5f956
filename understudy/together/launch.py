"""Starts programs with the library and an environment in which they do the same each time."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from understudy.clients.shared_library import preloaded
from understudy.errors import ProgramError
from understudy.frozen import frozen
from understudy.together.build import library_path
from understudy.together.executables import why_not
from understudy.together.numbers import ProcessNumbers

_NO_RANDOM_ADDRESSES = 0x0040000  # ADDR_NO_RANDOMIZE
_CLONE3, _CLONE_PARENT = 435, 0x00008000
# what other runtimes draw by chance, or do with calls that cannot be trapped
STEADY = {
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "UV_USE_IO_URING": "0",
    "QT_NO_CPU_FEATURE": "rdrnd rdseed",
    # one thread runs at a time: more of them compute nothing sooner, and those that look at memory in a loop never end
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "BLIS_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "passive",
    "KMP_BLOCKTIME": "0",
}


@frozen
class ClockSettings:
    """The settings of a run that its programs get."""

    line: str  # address of the simulator
    start_us: int  # UTC at simulated time zero, since 1970
    seed: int = 0
    compute: float = 0.0  # simulated seconds that a second of computing costs
    moved: tuple[tuple[int, int], ...] = ()  # TCP ports that are taken here, and where their robots are instead


def check(command: Sequence[str]) -> None:
    """Raise ProgramError if a program cannot share the clock, as far as its file tells; LinkError if none can here."""
    if not command:
        raise ProgramError("no program: write understudy together SCENE -- PROGRAM ARGUMENT ...")
    library_path()
    problem = why_not(command[0])
    if problem:
        raise ProgramError(problem)


def environment(settings: ClockSettings, before: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of programs that share the clock; builds the library if need be."""
    return {
        **before,
        **{name: value for name, value in STEADY.items() if name not in before},
        "LD_PRELOAD": preloaded(library_path(), before),
        "UNDERSTUDY_TOGETHER": settings.line,
        "UNDERSTUDY_CLOCK": f"{settings.start_us:020d} {settings.seed:020d} {round(settings.compute * 1e6):020d}",
        "UNDERSTUDY_PORTS": ",".join(f"{wanted:05d}:{actual:05d}" for wanted, actual in settings.moved),
        "UNDERSTUDY_OUTSIDE": ",".join(_identity(number) for number in range(3)),
    }


def start(
    command: Sequence[str], settings: ClockSettings, first: bool, numbers: ProcessNumbers, folder: Path | None = None
) -> subprocess.Popen[bytes]:
    """Start a program; the first has our standard input. Raises ProgramError."""
    check(command)
    own_session = not (first and sys.stdin is not None and sys.stdin.isatty())
    number = numbers.take()
    told, tell = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(settings, os.environ),
            stdin=None if first else subprocess.DEVNULL,
            start_new_session=own_session,
            preexec_fn=lambda: _begin(number, own_session, tell),
        )
    except OSError as problem:
        if problem.errno == errno.ENOEXEC:
            reason = "is not a program that the system can run; a script needs a first line such as #!/bin/sh"
            raise ProgramError(f"{command[0]} {reason}") from problem
        raise ProgramError(f"{command[0]}: {problem.strerror or problem}") from problem
    finally:
        os.close(tell)
        pid = int(os.read(told, 20) or 0)
        os.close(told)
        if sys.exc_info()[0] is not None and pid:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
    if pid != number:
        numbers.refuse()
    if pid != process.pid:  # it has another process in its place
        process.wait()
        process.pid, process.returncode = pid, None
    return process


def end(program: subprocess.Popen[bytes], number: int = signal.SIGKILL) -> None:
    """Send a signal to a program and, if it has a session of its own, to all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if os.getpgid(program.pid) == program.pid:
            os.killpg(program.pid, number)
        else:
            program.send_signal(number)


def _begin(number: int, own_session: bool, tell: int) -> None:
    """In the new process: what makes it the same each time.

    Addresses are not random, where that is allowed. Signals do what they should: a shell lets its background jobs
    ignore interrupts. And another process of ours goes on, with a number of our choice if we may, which does not lead
    its session: a serial port that it opens would become its controlling terminal.
    """
    libc = ctypes.CDLL(None)
    libc.personality(libc.personality(0xFFFFFFFF) | _NO_RANDOM_ADDRESSES)
    for each in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(each, signal.SIG_DFL)
    made = _sibling(libc, number) if number else -1
    made = _sibling(libc, 0) if made < 0 else made
    if made > 0:
        os._exit(0)
    if own_session and made == 0:
        os.setpgid(0, 0)
    os.write(tell, str(os.getpid()).encode())


def _sibling(libc: ctypes.CDLL, number: int) -> int:
    """Fork, but as a child of our parent; return 0 in it, below 0 if that cannot be."""
    wanted = ctypes.c_int(number)
    place = ctypes.addressof(wanted) if number else 0
    arguments = (ctypes.c_uint64 * 10)(_CLONE_PARENT, 0, 0, 0, 0, 0, 0, 0, place, 1 if number else 0)
    return int(libc.syscall(_CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments)))


def _identity(number: int) -> str:
    """Return what the library knows a file by, in hexadecimal digits; it must agree with connections.c."""
    try:
        s = os.fstat(number)
    except OSError:
        return "0" * 16
    return f"{(s.st_ino ^ s.st_dev << 40 ^ s.st_rdev << 48) & (1 << 64) - 1:016x}"
