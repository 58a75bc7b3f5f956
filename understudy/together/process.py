"""One process that shares the clock, as the simulator knows it."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field

from understudy.together.connections import HeldConnection
from understudy.together.wire import Wire

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


@dataclass(eq=False)
class Process:
    """A program, or a child of one; *order* is its place among those that could run at the same time."""

    line: socket.socket
    pid: int
    order: int = 0
    parent: int = 0
    idle: bool = False
    until_us: int = 0
    now_us: int = 0
    floor_us: int = 0  # its clock is not behind that of those it has heard of
    awaits_child: bool = False
    outside: bool = False  # waits for input that is no robot's, perhaps another program's
    looks: bool = True  # must go on to notice something: a signal, the end of a child
    seen: int = 0  # how much others had done when it last looked
    execs: bool = False  # becomes another image
    child_ended: bool = False
    holds: dict[Wire, HeldConnection] = field(default_factory=dict)  # its connections, with what it knows of them
    since: float = field(default_factory=time.perf_counter)  # real time at which it last went on or said something
    warned: bool = False

    def inherit(self, other: Process) -> None:
        """Take the place of an earlier image of the same process."""
        self.order, self.parent, self.holds = other.order, other.parent, other.holds
        self.now_us, self.floor_us = other.now_us, other.now_us


def credentials(line: socket.socket) -> tuple[int, int]:
    """Return number and user of the process at the other end of a Unix socket."""
    data = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(data)
    return pid, uid


def pidfd_of(pid: int) -> int:
    """Return a descriptor that is readable once a process has ended; -1 if there is no such process."""
    with suppress(OSError):
        return os.pidfd_open(pid)
    return -1


def wait_for_end(pid: int, patience_s: float) -> None:
    """Wait until a process has ended, so that its parent's wait finds it."""
    descriptor = pidfd_of(pid)
    if descriptor >= 0:
        select.select([descriptor], [], [], patience_s)
        os.close(descriptor)
