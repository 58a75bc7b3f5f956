"""Directory of the ports of this user's running instances: one small file per process in the runtime folder.

A file contains ``{"pid": 1234, "started": 1700000000.0, "ports": [{"path": "scout/host", "protocol": "arcos", "url": "tcp://..."}]}``
and the other fields of `PortEntry`; a run replaces it about once a second while its counters change. The start time
detects a later process with the same pid.
"""

from __future__ import annotations

import getpass
import json
import os
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from understudy.errors import LinkError
from understudy.frozen import frozen

SAME_START_S = 5.0  # tolerance: start times depend on the system clock, which may be adjusted meanwhile
WAY_OUT = "set XDG_RUNTIME_DIR to a folder that you own"


@frozen
class PortEntry:
    """One port of a running instance."""

    path: str  # robot and port: scout/host
    protocol: str
    url: str  # as LinkInfo gives it
    unit: str = ""  # name of the unit behind the port
    kind: str = ""  # of the unit
    devices: tuple[str, ...] = ()  # that the unit uses
    connected: bool = False
    received: int = 0  # bytes, as LinkInfo counts them
    sent: int = 0
    dropped: int = 0


@frozen
class Instance:
    """One running process and its ports."""

    pid: int
    ports: tuple[PortEntry, ...]


def runtime_folder() -> Path:
    """Return the folder for this user's sockets, names and port files; create it if needed."""
    base = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if base.is_absolute() and os.access(base, os.W_OK | os.X_OK):
        folder = base / "understudy"
    else:
        folder = Path(tempfile.gettempdir()) / f"understudy-{_user()}"
    try:
        folder.mkdir(mode=0o755, exist_ok=True)
        status = folder.lstat()
    except OSError as problem:
        raise LinkError(f"cannot create the folder {folder}: {problem.strerror}; {WAY_OUT}") from problem
    if not _is_ours(status):
        raise LinkError(f"{folder} is not a folder that only this user can write to; remove it, or {WAY_OUT}")
    return folder


def publish(ports: Sequence[PortEntry], run: str = "") -> None:
    """Publish the ports of a run of this process to other processes of this user; replaces its earlier entry."""
    note = _note(os.getpid(), run)
    text = json.dumps({"pid": os.getpid(), "started": _started(os.getpid()), "ports": [asdict(port) for port in ports]})
    aside = note.with_suffix(".new")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(note)
    except OSError as problem:
        raise LinkError(f"cannot write {note}: {problem.strerror}; {WAY_OUT}") from problem


def withdraw(run: str = "") -> None:
    """Remove a run of this process from the directory; does nothing if it is not in it."""
    _note(os.getpid(), run).unlink(missing_ok=True)


def running() -> list[Instance]:
    """Return the running instances, by pid; remove the files of ended ones."""
    from psutil import pid_exists  # imported late: only runs with ports need it

    instances = []
    for note in runtime_folder().glob("*.json"):
        pid = _pid(note)
        if pid is None:
            continue
        if not pid_exists(pid):
            note.unlink(missing_ok=True)
        elif instance := _read(note):
            instances.append(instance)
    return sorted(instances, key=lambda instance: instance.pid)


def _read(note: Path) -> Instance | None:
    """Return the instance of a file; None if its process has ended, or if the file is invalid."""
    try:
        table: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
        pid, started = int(table["pid"]), float(table["started"])
        ports = tuple(_entry(port) for port in table["ports"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if pid != _pid(note) or abs(_started(pid) - started) > SAME_START_S:
        note.unlink(missing_ok=True)
        return None
    return Instance(pid, ports)


def _entry(table: dict[str, Any]) -> PortEntry:
    """Return the port of a table; raises ValueError, KeyError or TypeError if it is invalid."""
    return PortEntry(
        path=str(table["path"]),
        protocol=str(table["protocol"]),
        url=str(table["url"]),
        unit=str(table.get("unit", "")),
        kind=str(table.get("kind", "")),
        devices=tuple(str(device) for device in table.get("devices", ())),
        connected=bool(table.get("connected", False)),
        received=int(table.get("received", 0)),
        sent=int(table.get("sent", 0)),
        dropped=int(table.get("dropped", 0)),
    )


def _note(pid: int, run: str) -> Path:
    return runtime_folder() / (f"{pid}-{run}.json" if run else f"{pid}.json")


def _pid(note: Path) -> int | None:
    """Return the pid in a file's name; None if there is none."""
    number = note.stem.partition("-")[0]
    return int(number) if number.isdecimal() else None


def _started(pid: int) -> float:
    """Return the start time of a process (s since 1970); 0 if it has ended or is not accessible."""
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return 0.0


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()


def _is_ours(status: os.stat_result) -> bool:
    """Return whether a folder belongs to this user and no other user can write to it."""
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
