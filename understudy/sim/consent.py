"""Code that comes with a file: it runs only when the user trusts its author."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from understudy.errors import TapeError, UnderstudyError
from understudy.world.changes import Add, Change, Replace, Tune
from understudy.world.file_names import filters, firmware
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Scene

_MOST_NAMED = 5
ADVICE = "run it with --trust (trust=True) if you trust its author"


def require(trust: bool, what: str, code: Iterable[str], error: type[UnderstudyError] = TapeError) -> None:
    """Raise an error that names the code in *what*, unless it is trusted or there is none."""
    found = sorted(set(code))
    if found and not trust:
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise error(f"{what} contains code, {', '.join(found[:_MOST_NAMED])}{more}: {ADVICE}")


def of_scene(scene: Scene) -> list[str]:
    """Return a description of each filter and firmware of a scene."""
    return [f"the filter {spec}" for spec in filters(scene)] + [f"the firmware {file}" for file in firmware(scene)]


def of_change(change: Change) -> list[str]:
    """Return a description of each filter and firmware that a change would add to a run."""
    if isinstance(change, Tune):
        return [f"the filter {change.sheet.filter}"] if change.sheet.filter else []
    if isinstance(change, Add | Replace) and isinstance(change.thing, PlacedRobot):
        return of_scene(Scene(robots=(change.thing,)))
    return []


def of_commands(robots: Iterable[PlacedRobot]) -> list[str]:
    """Return the processes that the programs of robots would start, in words."""
    return [f"{r.name}'s program {r.program.title!r}" for r in robots if r.program and _is_process(r.program)]


def _is_process(program: Program) -> bool:
    return bool(program.command) or program.interface == "robios"


def of_archive(scene: Scene, robots: Iterable[PlacedRobot]) -> list[str]:
    """Return all Python code of a scene that came in an archive, in words: it may be from anywhere."""
    programs = {r.name: r.program for r in robots if r.program and r.program.file.endswith(".py")}
    return of_programs(programs, Path()) + of_scene(scene)


def of_programs(programs: Mapping[str, Program], folder: Path) -> list[str]:
    """Return the programs of robots, in words."""
    return [
        f"{name}'s program {folder / program.file if program.file else program.title}"
        for name, program in programs.items()
    ]
