"""ARIA's robot parameter files (``.p``): a client's description of its robot, read as a robot.

The robot is built as MobileSim builds one for ``-r file.p``: its octagon, limits, ramps, factors, sonars and laser.
Missing values are those of the catalogue's ``p3dx``.
"""

from __future__ import annotations

import pathlib
import re

from understudy.errors import Problem
from understudy.formats.aria.param_keywords import Params, is_elsewhere, read
from understudy.formats.aria.param_robot import robot_table
from understudy.formats.document import Document, as_text
from understudy.formats.robot_formats import RobotFile
from understudy.world.resolve import legal
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "Params", "model_and_name", "parse", "read", "read_robot", "robot_table", "sniff"]

SUFFIXES: tuple[str, ...] = (".p",)

_SIGN = re.compile(
    rb"^[ \t\r]*+(?:ConfigVersion|Section|Subclass|RobotRadius|SonarUnit)\s", re.MULTILINE | re.IGNORECASE
)
_BOTH = re.compile(rb"^[ \t\r]*+(?:Subclass|RobotRadius)\s", re.MULTILINE | re.IGNORECASE)


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a robot parameter file."""
    if b"\0" in data:
        return False
    if name.lower().endswith(SUFFIXES):
        return _SIGN.search(data) is not None
    return len({found.strip().lower() for found in _BOTH.findall(data)}) == 2


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with only the robot that the file describes; raises SceneError."""
    text = as_text(data, file)
    params = read(text, file)
    table = robot_table(params)
    robot = PlacedRobot(name=_name(file), model=str(table.pop("like")), overrides=table)
    scene = Scene(name=_name(file), robots=(robot,))
    return Document(scene, file, text, folder, {("robot", 0): 1}, warnings=_surprises(params))


def read_robot(data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that the file describes; raises SceneError."""
    return RobotFile.of(file, robot_table(read(as_text(data, file), file)))


def _name(file: str) -> str:
    """Return a valid name from the name of a file."""
    return legal(pathlib.PurePath(file).stem, "robot")


def _surprises(params: Params) -> tuple[Problem, ...]:
    """Return the notes that may be typing errors, without those about unsupported parts."""
    return tuple(note for note in params.notes if not is_elsewhere(note.path))


def model_and_name(text: str) -> tuple[str, str]:
    r"""Return model and name of ``MODEL[:NAME]``, as in MobileSim's ``-r``.

    >>> model_and_name("custom.p:Bob"), model_and_name("p3dx"), model_and_name("C:\\robots\\custom.p")
    (('custom.p', 'Bob'), ('p3dx', ''), ('C:\\robots\\custom.p', ''))
    """
    model, colon, name = text.rpartition(":")
    if not colon or (len(model) == 1 and name[:1] in ("/", "\\")):
        return text, ""
    return model, name
