"""Our own robot files: TOML with ``[robot]``, and a table for each part."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from functools import lru_cache

from understudy.errors import SceneError, nearest
from understudy.formats.document import Source, as_text
from understudy.formats.native import toml_text
from understudy.formats.native.toml_lines import key_lines
from understudy.formats.robot_formats import RobotFile
from understudy.formats.sources import RobotSource

SUFFIXES: tuple[str, ...] = (".toml",)
_TOP_LEVEL = ("robot", "wheel", "castor", "joint", "part", "look", "device", "unit", "port", "drive_stage", "card")


def read_robot(data: bytes, file: str, folder: pathlib.Path) -> RobotFile:
    """Return the robot that a file describes, unchecked but for its top level."""
    return parse_robot(as_text(data, file), file)


@lru_cache(maxsize=256)  # many robots are like few others
def parse_robot(text: str, file: str) -> RobotFile:
    """Return the robot that *text* describes, unchecked but for its top level."""
    try:
        raw = toml_text.loads(text, file)
    except SceneError as error:
        return RobotFile.refused(file, error.problems)
    source = Source(file, key_lines(text))
    unknown = [
        source.problem((key,), f"unknown key {nearest(key, _TOP_LEVEL)}") for key in raw if key not in _TOP_LEVEL
    ]
    own = raw.pop("robot", {})
    if not isinstance(own, Mapping):
        unknown.append(source.problem(("robot",), "want one table; write [robot], with single brackets"))
        own = {}
    table = {**own, **{key: value for key, value in raw.items() if key in _TOP_LEVEL}}
    return RobotFile(table, RobotSource(source), tuple(unknown))
