"""Code that comes with a file: it runs only when the user has said that its author is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from understudy.errors import TapeError
from understudy.world.changes import Add, Change, Replace, Tune
from understudy.world.file_names import filters
from understudy.world.robot import Program, Robot
from understudy.world.scene import Scene

_MOST_NAMED = 5
ADVICE = "--trust (trust=True) lets it run"


def require(trust: bool, what: str, code: Iterable[str]) -> None:
    """Raise TapeError that names the code in *what*, unless it is trusted or there is none."""
    found = sorted(set(code))
    if found and not trust:
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        raise TapeError(f"{what} holds code, {', '.join(found[:_MOST_NAMED])}{more}: {ADVICE}")


def of_scene(scene: Scene) -> list[str]:
    """Return the filters of a scene, in words."""
    return [f"the filter {spec}" for spec in filters(scene)]


def of_change(change: Change) -> list[str]:
    """Return the filters that a change would bring into a run, in words."""
    if isinstance(change, Tune):
        return [f"the filter {change.sheet.filter}"] if getattr(change.sheet, "filter", "") else []
    if isinstance(change, Add | Replace) and isinstance(change.thing, Robot):
        return of_scene(Scene(robots=(change.thing,)))
    return []


def of_programs(programs: Mapping[str, Program], folder: Path) -> list[str]:
    """Return the programs of robots, in words."""
    return [f"{name}'s program {folder / program.file}" for name, program in programs.items()]
