"""What a tape holds as columns: the true motion of every robot at every tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from understudy.errors import TapeError
from understudy.sensors.base import Array
from understudy.sim.record_files import TIME
from understudy.sim.recording import MOTION_COLUMNS, POSE_COLUMNS, motion_row
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import TapeEntry

if TYPE_CHECKING:
    from understudy.tape.reader import Tape

_OTHER_ROBOTS = "robots were added or removed; play the tape (understudy.tape.playback.TapeSim) and record that instead"


def of_tape(tape: Tape) -> dict[str, Array]:
    """Return the columns of a tape; raises TapeError if it has no states, or if robots came or went."""
    if tape.level == "inbox":
        raise TapeError(f"{tape.path}: recorded with level inbox, so it has no poses; record with level state")
    robots = [robot.name for robot in tape.scene.robots]
    names = [TIME, *(name for robot in robots for name in _names(robot))]
    with blamed_on(str(tape.path)):
        rows = [_row(entry, robots, tape.header["tick_us"]) for entry in tape.entries() if entry.sub == 0]
    return dict(zip(names, np.array(rows).reshape(-1, len(names)).T))


def _names(robot: str) -> list[str]:
    pose = [f"{robot}/pose.{column}" for column in POSE_COLUMNS]
    return [*pose, *(f"{robot}/velocity.{column}" for column in MOTION_COLUMNS)]


def _row(entry: TapeEntry, robots: list[str], tick_us: int) -> list[float]:
    """Return time, poses and velocities at a tick."""
    if entry.rows is None:
        raise TapeError(f"tick {entry.tick} has no poses")
    if len(entry.rows) != len(robots) or any(_renames(item, robots) for item in entry.items):
        raise TapeError(f"tick {entry.tick}: {_OTHER_ROBOTS}")
    values = [entry.tick * tick_us / 1e6]
    for row in entry.rows:
        values += [*row[:6].tolist(), *motion_row(row[:6], row[6:])]
    return values


def _renames(item: list[object], robots: list[str]) -> bool:
    """Return whether an item removes or replaces a robot, so that rows may be those of others."""
    body = item[4]
    if not isinstance(body, list | tuple) or list(body[:2]) not in (["change", "Remove"], ["change", "Replace"]):
        return False
    return any(isinstance(body[2], dict) and body[2].get(key) in robots for key in ("remove", "replace"))
