"""What every format of robot files must do; run any module of `understudy.formats.robot_formats` through it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from contracts.format_contract import DAMAGE

from understudy.formats import robot_formats
from understudy.formats.robot_formats import RobotFile


def check_robot_format(module: Any, good: dict[str, str], folder: Path) -> None:
    """Check a format by *good* examples: name of a file -> its text; *folder* has the other files that they need."""
    assert module.__doc__
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in module.SUFFIXES)
    for name, text in good.items():
        assert name.endswith(module.SUFFIXES)
        assert robot_formats.named(name) is module, f"{name} is taken for another format"
        robot = module.read_robot(text.encode(), name, folder)
        assert isinstance(robot, RobotFile)
        assert robot.table, f"{name} is empty"
        assert not robot.problems
        assert robot.table == module.read_robot(text.encode(), name, folder).table, "two readings differ"
        _check_damage(module, name, text.encode(), folder)


def _check_damage(module: Any, name: str, data: bytes, folder: Path) -> None:
    """Damage a good file in many ways: it is read, or refused with its name; nothing else happens."""
    dice = random.Random(1)
    for _ in range(60):
        at, length = dice.randrange(len(data)), dice.randrange(4)
        damaged = data[:at] + dice.choice(DAMAGE) + data[at + length :]
        robot = robot_formats.read(module, damaged, name, folder)
        assert all(name in problem.file for problem in robot.problems)
