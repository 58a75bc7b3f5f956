"""EyeSim's robots (``.robi``): drive, wheels, PSDs, camera and LIDAR, with the firmware of an EyeBot.

A robot file of EyeSim 6 or EyeSim-VR; alone it is a scene with this robot, ``model = "pip.robi"`` puts it into another.
"""

from __future__ import annotations

import pathlib

from understudy.formats.document import Document, as_text
from understudy.formats.eyesim.line_words import FileNotes
from understudy.formats.eyesim.robi_lines import SUFFIXES, read_robi
from understudy.formats.eyesim.robi_robot import name_of, robot_table
from understudy.formats.robot_formats import RobotFile
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "parse", "read_robot", "sniff"]


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a robot of EyeSim."""
    return name.lower().endswith(SUFFIXES) and b"\0" not in data


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene with only the robot that the file describes; raises SceneError."""
    notes = FileNotes(file)
    params = read_robi(data, file, notes)
    table = robot_table(params, folder, notes)
    notes.raise_errors()
    robot = PlacedRobot(name=name_of(params), overrides=table)
    scene = Scene(name=pathlib.PurePath(file).stem, robots=(robot,))
    return Document(scene, file, as_text(data, file), folder, {("robot", 0): 1}, warnings=notes.all_warnings())


def read_robot(data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that the file describes; raises SceneError."""
    notes = FileNotes(file)
    table = robot_table(read_robi(data, file, notes), folder, notes)
    notes.raise_errors()
    return RobotFile.of(file, table)
