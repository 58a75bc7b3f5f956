"""ARIA's robot parameter files (``.p``): what a client believes about its robot, read as a robot.

The robot is built as MobileSim builds one for ``-r file.p``: its octagon, limits, ramps, factors, sonars and laser.
What such a file does not say is as in the catalogue's ``p3dx``.
"""

from __future__ import annotations

import pathlib
import re

from understudy.errors import Problem
from understudy.formats.aria_keywords import Params, is_elsewhere, read
from understudy.formats.aria_robot import robot_table
from understudy.formats.document import Document, as_text
from understudy.world.robot import Robot
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "Params", "model_and_name", "parse", "read", "robot_table", "sniff"]

SUFFIXES: tuple[str, ...] = (".p",)

_SIGN = re.compile(
    rb"^[ \t\r]*+(?:ConfigVersion|Section|Subclass|RobotRadius|SonarUnit)\s", re.MULTILINE | re.IGNORECASE
)
_BOTH = re.compile(rb"^[ \t\r]*+(?:Subclass|RobotRadius)\s", re.MULTILINE | re.IGNORECASE)


def sniff(data: bytes, name: str) -> bool:
    """Say whether a file of this content and name is a robot parameter file."""
    if b"\0" in data:
        return False
    if name.lower().endswith(SUFFIXES):
        return _SIGN.search(data) is not None
    return len({found.strip().lower() for found in _BOTH.findall(data)}) == 2


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with nothing but the robot that the file describes; raises SceneError."""
    text = as_text(data, file)
    params = read(text, file)
    table = robot_table(params)
    robot = Robot(name=_name(file), model=str(table.pop("like")), overrides=table)
    scene = Scene(name=_name(file), robots=(robot,))
    return Document(scene, file, text, folder, {("robot", 0): 1}, warnings=_surprises(params))


def _name(file: str) -> str:
    """Return a legal name from the name of a file."""
    word = re.sub(r"[^A-Za-z0-9_-]+", "-", pathlib.PurePath(file).stem).strip("-")
    return word if word[:1].isalpha() else f"robot-{word}".rstrip("-")


def _surprises(params: Params) -> tuple[Problem, ...]:
    """Return the notes that may be slips of the pen, and not about parts that no robot here has."""
    return tuple(note for note in params.notes if not is_elsewhere(note.path))


def model_and_name(text: str) -> tuple[str, str]:
    r"""Return model and name of ``MODEL[:NAME]``, as MobileSim's ``-r`` has it.

    >>> model_and_name("custom.p:Bob"), model_and_name("p3dx"), model_and_name("C:\\robots\\custom.p")
    (('custom.p', 'Bob'), ('p3dx', ''), ('C:\\robots\\custom.p', ''))
    """
    model, colon, name = text.rpartition(":")
    if not colon or (len(model) == 1 and name[:1] in ("/", "\\")):
        return text, ""
    return model, name
