"""Which icon each task of an RCX runs: looked up on request, and reported at every change while a trace is on."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.formats.rcx.code import Instruction
from understudy.formats.rcx.disasm import text_of
from understudy.formats.rcx.icons import Icon, IconProgram, icons_of
from understudy.formats.rcx.image import Fragment, Kind, RcxImage
from understudy.robots.rcx.machine import Machine, line_of
from understudy.world.news import At

MS_US = 1000
ENDED = "end"
_Step = tuple[Fragment, Instruction, Icon | None]


class IconTrace:
    """The icons of the selected program, and the one that each task has reported last."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._revision = (-1, -1)
        self._icons: Mapping[tuple[Kind, int, int], Icon] = {}
        self.last: dict[int, int] = {}  # task -> number of its icon
        self._steps: dict[int, _Step] = {}  # of this millisecond

    def icon(self, fragment: Fragment | None, address: int) -> Icon | None:
        """Return the icon of an instruction of the selected program."""
        machine = self._machine
        if self._revision != (machine.slot, machine.revision):
            self._revision = (machine.slot, machine.revision)
            self._icons = self.program().table()
        return self._icons.get((fragment.kind, fragment.number, address)) if fragment else None

    def program(self) -> IconProgram:
        """Return the selected program as icons."""
        return icons_of(RcxImage(self._machine.firmware, tuple(self._machine.program)))

    def name(self) -> str:
        """Return the name of the selected program."""
        return self._machine.program.name or f"program {self._machine.slot + 1}"

    def saw(self, task: int, fragment: Fragment, here: Instruction) -> None:
        """Take an instruction that a task is about to run."""
        icon = self.icon(fragment, here.at)
        number = icon.number if icon else 0
        if self.last.get(task) != number:
            self.last[task] = number
            self._steps[task] = (fragment, here, icon)

    def news(self) -> list[At]:
        """Return what has changed in the last millisecond: icons that tasks have reached, and tasks that have ended."""
        machine = self._machine
        found = [self._at(task, *step) for task, step in self._steps.items()]
        self._steps.clear()
        for task in [number for number in self.last if not machine.tasks[number].running]:
            del self.last[task]
            found.append(At(self.name(), str(task), words=ENDED, t_us=machine.now_ms * MS_US))
        return found

    def _at(self, task: int, fragment: Fragment, here: Instruction, icon: Icon | None) -> At:
        machine = self._machine
        number, says = (icon.number, icon.words) if icon else (0, "")
        left_s = machine.tasks[task].wait_ms / 1000
        line = line_of(fragment, here.at)
        return At(self.name(), str(task), line, text_of(here), machine.now_ms * MS_US, number, says, left_s)
