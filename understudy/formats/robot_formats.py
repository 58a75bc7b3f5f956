"""One module per format of robot files: a file's bytes in, one table out, as a TOML file of ours would have it.

To add one: a module with SUFFIXES and ``read_robot``, and one line in ROBOT_FORMATS. A module may be a format of scenes
as well.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from understudy.errors import FormatError, Problem, SceneError
from understudy.formats.document import Source
from understudy.formats.sources import RobotSource
from understudy.plugins import Registry, having


@dataclass(frozen=True)
class RobotFile:
    """A robot as a file describes it, as one table; what is wrong with the file itself is in *problems*."""

    table: Mapping[str, Any]
    source: RobotSource
    problems: tuple[Problem, ...] = ()

    @staticmethod
    def of(file: str, table: Mapping[str, Any]) -> RobotFile:
        """Return the robot of a file whose lines say nothing to those who read the table."""
        return RobotFile(table, RobotSource(Source(file, {})))

    @staticmethod
    def refused(file: str, problems: tuple[Problem, ...]) -> RobotFile:
        """Return what a file gives that cannot be read."""
        return RobotFile({}, RobotSource(Source(file, {})), problems)


class RobotFormat(Protocol):
    """What a module of a robot format has."""

    SUFFIXES: tuple[str, ...]

    def read_robot(self, data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
        """Return the robot that a file describes; it may name files in *folder*; raises FormatError or SceneError."""
        ...


ROBOT_FORMATS: Mapping[str, RobotFormat] = Registry(
    "understudy.robot_formats",
    "robot format",
    {
        "native": "understudy.formats.native.robot_toml",
        "aria_params": "understudy.formats.aria.param_file",
        "urdf": "understudy.formats.urdf.robot_file",
        "robi": "understudy.formats.eyesim.robi_file",
    },
    having("SUFFIXES", "read_robot"),
)


def named(model: str) -> RobotFormat | None:
    """Return the format that a robot file has by its name; None for what is no file name, or of no format."""
    if not pathlib.PurePath(model).suffix:
        return None
    return next((known for known in ROBOT_FORMATS.values() if model.lower().endswith(tuple(known.SUFFIXES))), None)


def read(known: RobotFormat, data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that a file describes, or what is wrong with it."""
    try:
        return known.read_robot(data, file, folder)
    except SceneError as error:
        return RobotFile.refused(file, error.problems)
    except FormatError as error:
        return RobotFile.refused(file, (Problem(file, 0, "", str(error).removeprefix(f"{file}:").strip()),))
