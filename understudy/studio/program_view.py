"""The program of an RCX as icons with wires, on a page: those that run now are marked; see `web/program.js`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui.element import Element

from understudy.formats.rcx.icon_svg import svg_of
from understudy.frozen import frozen
from understudy.robots.rcx.firmware import Rcx
from understudy.sim.sim import Sim
from understudy.studio.heartbeat import Heartbeat
from understudy.studio.runner import Runner

EVERY_S = 0.1


@frozen
class ProgramPicture:
    """A program as SVG; *revision* changes with the program."""

    unit: str
    revision: tuple[int, int]
    svg: str


Running = tuple[tuple[int, float], ...]  # number of an icon, and how long it still waits (s)


def rcx_of(sim: Sim, robot: str) -> tuple[str, Rcx] | None:
    """Return the RCX of a robot and its path, None if it has none."""
    for path, unit in sim.current.units.items():
        if isinstance(unit, Rcx) and path.startswith(f"{robot}/"):
            return path, unit
    return None


def program_picture(sim: Sim, robot: str, known: ProgramPicture | None) -> ProgramPicture | None:
    """Return the selected program of a robot's RCX, drawn anew only if it has changed."""
    found = rcx_of(sim, robot)
    if found is None:
        return None
    path, brick = found
    revision = brick.machine.slot, brick.machine.revision
    if known is not None and (known.unit, known.revision) == (path, revision):
        return known
    program = brick.icons()
    empty = not any(task.icons for task in program.tasks)
    return ProgramPicture(path, revision, "" if empty else svg_of(program, brick.program_name()))


def running(sim: Sim, robot: str) -> Running:
    """Return the icons that the tasks of a robot's RCX run now."""
    found = rcx_of(sim, robot)
    places = found[1].positions() if found is not None else ()
    return tuple((at.icon, round(at.left_s, 2)) for at in places if at.icon)


class ProgramView(Element, component=Path(__file__).parent / "web" / "program.component.js"):
    """Shows the program of the selected robot."""

    def __init__(self, runner: Runner, heartbeat: Heartbeat) -> None:
        super().__init__()
        self._runner = runner
        self._robot = ""
        self._picture: ProgramPicture | None = None
        self._shown: ProgramPicture | None = None
        self._running: Running = ()
        self._marked: Running = ()
        self.hidden = True
        heartbeat.every(EVERY_S, self._refresh)

    def choose(self, robot: str) -> None:
        """Show the program of another robot."""
        self._robot, self._picture = robot, None

    def scroll(self, steps: int) -> None:
        """Move the view along the program."""
        self.run_method("scroll", steps)

    def _read(self, sim: Sim) -> None:
        self._picture = program_picture(sim, self._robot, self._picture)
        self._running = running(sim, self._robot)

    def _refresh(self) -> None:
        if self.hidden:
            return
        if self._picture is not self._shown:
            self._shown = self._picture
            self.run_method("show", self._shown.svg if self._shown else "", self._shown is not None)
            self._marked = ()
        if self._running != self._marked:
            self._marked = self._running
            self.run_method("mark", [list(each) for each in self._marked])
        self._runner.ask(self._read)

    def on_shown(self, event: Any) -> None:
        """Take which tab is shown: a hidden view asks nothing."""
        self.hidden = event.value != "program"
