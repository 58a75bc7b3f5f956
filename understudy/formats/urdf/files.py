"""The files of a URDF robot: meshes in its folder, and those of ROS packages (``package://name/path``).

A package is a folder of that name, or one whose ``package.xml`` has that name: above the robot's file, next to one of
those folders, or in ``ROS_PACKAGE_PATH`` and ``AMENT_PREFIX_PATH``.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from understudy.assets import fence

_URL = re.compile(r"^(\w+)://")
_PACKAGE_NAME = re.compile(rb"<name>\s*([\w.-]+)\s*</name>")
_PACKAGES = ("package", "model")
_ABOVE = 6  # number of folders above a robot's file that are searched
_MOST_FOLDERS = 300  # in one folder; a folder with more is not a workspace


class Beside:
    """Finds the files that a robot's file names."""

    def __init__(self, folder: pathlib.Path | None) -> None:
        self._home = folder.resolve() if folder else None
        self.vertices: dict[str, npt.NDArray[np.float64]] = {}  # of the meshes read so far, by name
        self._packages: dict[str, tuple[pathlib.Path, ...]] = {}

    def content(self, name: str) -> bytes | None:
        """Return the content of a file, None if it does not exist."""
        path = self._path(name)
        try:
            return fence.read_bytes(path) if path else None
        except OSError:
            return None

    def name(self, name: str) -> str:
        """Return the path of a file relative to the robot's folder, empty if it does not exist."""
        path = self._path(name)
        return pathlib.PurePath(os.path.relpath(path, self._home)).as_posix() if path else ""

    def _path(self, name: str) -> pathlib.Path | None:
        if self._home is None or "\0" in name:
            return None
        url = _URL.match(name)
        steps = [part for part in _URL.sub("", name).replace("\\", "/").split("/") if part]
        if url and url[1] in _PACKAGES and len(steps) > 1:
            if steps[0] not in self._packages:
                self._packages[steps[0]] = tuple(packages(steps[0], self._home))
            for base in self._packages[steps[0]]:
                if found := _inside(base, steps[1:]):
                    return found
        return self._beside(steps)

    def _beside(self, steps: list[str]) -> pathlib.Path | None:
        """Return a file by the end of its path, in the robot's folder or the one above."""
        assert self._home is not None
        for parts in (steps[n:] for n in range(len(steps))):
            for base in (self._home, self._home.parent):
                if found := _inside(base, parts):
                    return found
        return None


def _inside(base: pathlib.Path, steps: list[str]) -> pathlib.Path | None:
    """Return a file inside a folder, None if it does not exist or is outside."""
    try:
        path = base.joinpath(*steps).resolve()
    except (OSError, RuntimeError):  # cyclic links
        return None
    return path if path.is_relative_to(base.resolve()) and fence.is_file(path) else None


# ---- packages


def packages(name: str, home: pathlib.Path) -> Iterator[pathlib.Path]:
    """Yield the folders that may be the package of this name, nearest first."""
    if name in ("", ".", ".."):
        return
    above = [home, *home.parents[: _ABOVE - 1]]
    for folder in above:
        if _is_package(folder, name):
            yield folder
    for folder in above:
        if folder != folder.parent and fence.allows(folder):  # not the whole disk
            yield from _packages_in(folder, name)
    for folder in _from_environment():
        if _is_package(folder, name):
            yield folder
        yield from _packages_in(folder, name)


def _from_environment() -> Iterator[pathlib.Path]:
    """Yield the package folders given by environment variables."""
    for variable, below in (("ROS_PACKAGE_PATH", ""), ("AMENT_PREFIX_PATH", "share"), ("GAZEBO_MODEL_PATH", "")):
        for entry in os.environ.get(variable, "").split(os.pathsep):
            if entry and fence.allows(folder := pathlib.Path(entry, below)):
                yield folder


def _packages_in(folder: pathlib.Path, name: str) -> Iterator[pathlib.Path]:
    """Yield packages in a folder, or one level deeper (several packages of one repository)."""
    if (folder / name).is_dir():
        yield folder / name
    below = _folders(folder)
    yield from (deep for one in below if (deep := one / name).is_dir())
    yield from (one for one in below if one.name != name and _is_package(one, name))


def _is_package(folder: pathlib.Path, name: str) -> bool:
    return folder.name == name or _package_name(folder) == name


def _package_name(folder: pathlib.Path) -> str:
    """Return the name in the package.xml of a folder, empty if there is none."""
    try:
        found = _PACKAGE_NAME.search((folder / "package.xml").read_bytes()[:20_000])
    except OSError:
        return ""
    return found[1].decode() if found else ""


def _folders(folder: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """Return the folders in a folder; none if there are too many to be packages."""
    try:
        found = sorted(pathlib.Path(entry.path) for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return ()
    return tuple(found) if len(found) <= _MOST_FOLDERS else ()
