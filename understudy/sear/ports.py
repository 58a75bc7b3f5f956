"""Serial ports under the names that SEAR's users print, such as ``/dev/SEAR_Robot_01``.

`setPorts(uart, user)` names the two ends of a serial line. The device's end is inside the simulation; the user's end is
a pseudo-terminal. Programs without an administrator's rights cannot create names under ``/dev``, so the port appears in
the project's folder ``ports`` (in the user's runtime folder, if the project is an archive). `resolve` finds it there by
the name that was printed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from understudy.errors import LinkError, nearest
from understudy.formats.document import Document
from understudy.formats.sear.sensors import port_name
from understudy.links import directory
from understudy.links.directory import PortEntry
from understudy.world.robot import PlacedRobot

FOLDER = "ports"  # in a project
_SCHEME = "pty:"
_aliases: dict[str, str] = {}  # printed name -> address, of ports that this process has opened
_lock = threading.Lock()


# ---- where ports are placed


def placed_in(document: Document, folder: Path | None, dev: bool = False) -> Document:
    """Return a project's scene with its serial ports in *folder*; with *dev* under /dev, if the user may do that."""
    robots = tuple(_placed(robot, folder, dev) for robot in document.scene.robots)
    return replace(document, scene=replace(document.scene, robots=robots))


def _placed(robot: PlacedRobot, folder: Path | None, dev: bool) -> PlacedRobot:
    table = dict(robot.overrides or {})
    ports = {name: _moved(port, folder, dev) for name, port in table.get("port", {}).items()}
    return replace(robot, overrides={**table, **({"port": ports} if ports else {})})


def _moved(port: Mapping[str, Any], folder: Path | None, dev: bool) -> dict[str, Any]:
    name = str(port["link"]).removeprefix(_SCHEME)
    if dev and os.access("/dev", os.W_OK):
        return {**port, "link": f"{_SCHEME}/dev/{name}"}
    return {**port, "link": f"{_SCHEME}{folder.resolve() / name}" if folder else port["link"]}


# ---- finding them by the printed name


def register(printed: str, address: str) -> None:
    """Let `resolve` find a port of this process by its printed name."""
    with _lock:
        _aliases[printed] = address


def forget(printed: str) -> None:
    """Undo `register`."""
    with _lock:
        _aliases.pop(printed, None)


def resolve(printed: str) -> str:
    """Return the path or URL to open for a printed port name; raises LinkError that lists the open ports.

    In this order: a port that this process has registered, a URL, a path that exists (real hardware too), an open port
    of a simulation of this user whose name is the last part of the printed one.
    """
    with _lock:
        known = _aliases.get(printed)
    if known is not None:
        return known
    if "://" in printed or Path(printed).exists():
        return printed
    entries = _open_ports()
    found = [entry.url for entry in entries if is_called(entry, printed)]
    if found:
        return found[0]
    names = (Path(entry.url).name for entry in entries)
    raise LinkError(f"no serial port {printed!r}: start the simulation first {nearest(printed, names)}")


def is_called(entry: PortEntry, printed: str) -> bool:
    """Return whether an open port is the one that a user calls by a printed name."""
    return printed == entry.url or names(entry.url, port_name(printed))


def names(address: str, wanted: str) -> bool:
    """Return whether the port at an address has the name *wanted*, or was given NAME-2 because another run has it.

    >>> names("/run/SEAR_GPS_01-2", "SEAR_GPS_01")
    True
    """
    own = Path(address).name
    return own == wanted or (own.startswith(f"{wanted}-") and own[len(wanted) + 1 :].isdecimal())


def _open_ports() -> list[PortEntry]:
    """Return the open ports of this user's simulations: those of this process first, the exact names before others."""
    instances = sorted(directory.running(), key=lambda instance: instance.pid != os.getpid())
    return [port for instance in instances for port in instance.ports]
