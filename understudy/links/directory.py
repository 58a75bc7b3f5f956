"""Which ports the running instances of this user offer: one small file per process in the runtime folder.

A file says ``{"pid": 1234, "started": 1700000000.0, "ports": [{"path": "scout/host", "protocol": "arcos", "url": "tcp://..."}]}``.
The start time guards against a later process that was given the same pid.
"""

from __future__ import annotations

import getpass
import json
import os
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from understudy.errors import LinkError

SAME_START_S = 5.0  # the system derives start times from its clock, which may be set a little meanwhile
WAY_OUT = "set XDG_RUNTIME_DIR to a folder of yours"


@dataclass(frozen=True, slots=True)
class PortEntry:
    """One port of a running instance."""

    path: str  # robot and port: scout/host
    protocol: str
    url: str  # as LinkInfo gives it


@dataclass(frozen=True, slots=True)
class Instance:
    """One running process and its ports."""

    pid: int
    ports: tuple[PortEntry, ...]


def runtime_folder() -> Path:
    """Return the folder for this user's sockets, names and notes; makes it if need be."""
    base = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if base.is_absolute() and os.access(base, os.W_OK | os.X_OK):
        folder = base / "understudy"
    else:
        folder = Path(tempfile.gettempdir()) / f"understudy-{_user()}"
    try:
        folder.mkdir(mode=0o755, exist_ok=True)
        status = folder.lstat()
    except OSError as problem:
        raise LinkError(f"cannot make the folder {folder}: {problem.strerror}; {WAY_OUT}") from problem
    if not _is_ours(status):
        raise LinkError(f"{folder} is not a folder of this user alone; remove it, or {WAY_OUT}")
    return folder


def publish(ports: Sequence[PortEntry], run: str = "") -> None:
    """Tell other processes of this user which ports a run of this process has; replaces what it told before."""
    note = _note(os.getpid(), run)
    text = json.dumps({"pid": os.getpid(), "started": _started(os.getpid()), "ports": [asdict(port) for port in ports]})
    aside = note.with_suffix(".new")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(note)
    except OSError as problem:
        raise LinkError(f"cannot write {note}: {problem.strerror}; {WAY_OUT}") from problem


def withdraw(run: str = "") -> None:
    """Take a run of this process out of the list; does nothing if it is not in it."""
    _note(os.getpid(), run).unlink(missing_ok=True)


def running() -> list[Instance]:
    """Return the instances that run now, by pid; tidies away what dead ones have left."""
    from psutil import pid_exists  # only runs with ports are in the list

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
    """Return what a live process has noted; None if the note is a dead one's, or no note at all."""
    try:
        table: dict[str, Any] = json.loads(note.read_text(encoding="utf-8"))
        pid, started = int(table["pid"]), float(table["started"])
        ports = tuple(PortEntry(str(p["path"]), str(p["protocol"]), str(p["url"])) for p in table["ports"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if pid != _pid(note) or abs(_started(pid) - started) > SAME_START_S:
        note.unlink(missing_ok=True)
        return None
    return Instance(pid, ports)


def _note(pid: int, run: str) -> Path:
    return runtime_folder() / (f"{pid}-{run}.json" if run else f"{pid}.json")


def _pid(note: Path) -> int | None:
    """Return whose note a file is; None if it is no note."""
    number = note.stem.partition("-")[0]
    return int(number) if number.isdecimal() else None


def _started(pid: int) -> float:
    """Return when a process began (s since 1970); 0 if it has ended or does not tell."""
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return 0.0


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()


def _is_ours(status: os.stat_result) -> bool:
    """Say whether a folder in a place that all may write to is one that nobody else can tamper with."""
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
