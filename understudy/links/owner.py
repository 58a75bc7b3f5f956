"""The process that owns a TCP port, for error messages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psutil

from understudy.frozen import frozen


@frozen
class Owner:
    """The process that listens on a port; pid is 0 if the system does not reveal it."""

    pid: int = 0
    name: str = ""

    @property
    def is_self(self) -> bool:
        """Return whether it is this process."""
        return self.pid == os.getpid()

    def __str__(self) -> str:
        """Return ``python (pid 1234)``, or as much as is known."""
        if not self.pid:
            return "another program"
        return f"{self.name or 'another program'} (pid {self.pid})"


def owner_of(port: int) -> Owner:
    """Return the process that listens on TCP *port* of this machine, as far as the system reveals it."""
    for pid in _listeners(port):
        try:
            return Owner(pid, psutil.Process(pid).name())
        except psutil.Error:
            return Owner(pid)
    return Owner()


def _listeners(port: int) -> Iterator[int]:
    try:
        connections = psutil.net_connections(kind="tcp")
    except (psutil.Error, OSError):  # macOS shows the whole table to root only
        yield from _listeners_one_by_one(port)
        return
    yield from (c.pid for c in connections if c.pid and _listens(c, port))


def _listeners_one_by_one(port: int) -> Iterator[int]:
    for process in psutil.process_iter():
        try:
            # psutil before version 6 names it connections
            table = getattr(process, "net_connections", None) or process.connections
            if any(_listens(connection, port) for connection in table(kind="tcp")):
                yield process.pid
        except (psutil.Error, OSError):
            continue


def _listens(connection: Any, port: int) -> bool:
    return bool(connection.status == psutil.CONN_LISTEN and connection.laddr and connection.laddr.port == port)
