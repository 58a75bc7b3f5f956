"""A program of an RCX as icons with wires, recognised in its instructions.

Every instruction belongs to exactly one icon. Loops, whiles and forks are found where their jumps are nested; all other
jumps stay ``jump`` and ``land``, and instructions that no icon stands for stay visible as ``lasm``. Icons of a task are
in the order of its code; ``depth`` is how many loops and forks are around one. Some icons have no instructions:
``forever``, ``land`` and the end of a fork.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from understudy.formats.rcx.icon_reader import IconDraft, drafts_of
from understudy.formats.rcx.icon_words import Setting
from understudy.formats.rcx.image import KINDS, Fragment, Kind, RcxImage
from understudy.formats.rcx.isa import RcxFirmware
from understudy.frozen import frozen


@frozen
class Icon:
    """An icon: its words, the instructions that it stands for, and where its wires go."""

    number: int  # in the program, from 1
    kind: str
    words: str  # as in the text form
    start: int  # first address
    end: int  # address behind it
    depth: int = 0
    settings: tuple[Setting, ...] = ()  # power, port, threshold, seconds and so on
    lasm: tuple[str, ...] = ()  # its instructions, if the words do not say all of them
    to: tuple[int, ...] = ()  # icons that may follow; of a fork: if it holds, then if not
    lines: tuple[int, int] = (0, 0)  # first and last line of the source; 0: it has none

    def setting(self, name: str) -> str | float | None:
        """Return a parameter; None if the icon has none like it."""
        return dict(self.settings).get(name)


@frozen
class IconTask:
    """The icons of a task or subroutine."""

    kind: Kind
    number: int
    icons: tuple[Icon, ...]

    def at(self, address: int) -> Icon | None:
        """Return the icon that the instruction at an address belongs to."""
        return next((icon for icon in self.icons if icon.start <= address < icon.end), None)


@frozen
class IconProgram:
    """A program as icons."""

    firmware: RcxFirmware
    tasks: tuple[IconTask, ...]

    def table(self) -> Mapping[tuple[Kind, int, int], Icon]:
        """Return the icon of every byte of code, for quick searches: task or sub, its number, address."""
        rows = {
            (task.kind, task.number, at): icon
            for task in self.tasks for icon in task.icons for at in range(icon.start, icon.end)
        }  # fmt: skip
        return MappingProxyType(rows)


def icons_of(image: RcxImage) -> IconProgram:
    """Return the icons of a program: tasks by number, then subroutines."""
    tasks: list[IconTask] = []
    first = 1
    for fragment in sorted(image, key=lambda each: (KINDS.index(each.kind), each.number)):
        if fragment.kind in ("task", "sub"):
            tasks.append(_task(fragment, image.firmware, first))
            first += len(tasks[-1].icons)
    starts = {task.number: task.icons[0].number for task in tasks if task.kind == "task" and task.icons}
    return IconProgram(image.firmware, tuple(_split(task, starts) for task in tasks))


def _split(task: IconTask, starts: Mapping[int, int]) -> IconTask:
    """Add the wires from icons that start a task to its first icon."""
    icons = []
    for icon in task.icons:
        started = starts.get(int(icon.words.split()[-1])) if icon.kind == "split" else None
        icons.append(icon if started is None else replace(icon, to=(*icon.to, started)))
    return replace(task, icons=tuple(icons))


# ---- one task


def _task(fragment: Fragment, firmware: RcxFirmware, first: int) -> IconTask:
    drafts = drafts_of(fragment, firmware)
    number = {id(draft): first + n for n, draft in enumerate(drafts)}
    lands = {draft.name: number[id(draft)] for draft in drafts if draft.kind == "land"}
    icons = tuple(
        Icon(
            first + n, draft.kind, draft.words, draft.start, draft.end, draft.depth, draft.settings, draft.lasm,
            tuple(dict.fromkeys(_wires(draft, first + n, first + len(drafts), number, lands))),
            _lines(fragment, draft),
        )
        for n, draft in enumerate(drafts)
    )  # fmt: skip
    return IconTask(fragment.kind, fragment.number, icons)


def _wires(draft: IconDraft, own: int, end: int, number: Mapping[int, int], lands: Mapping[str, int]) -> list[int]:
    """Return the icons that may follow one."""
    following = [own + 1] if own + 1 < end else []
    partner = number.get(id(draft.partner), 0)
    behind = [partner + 1] if partner + 1 < end else []
    match draft.kind:
        case "jump":
            return [lands[draft.name]]
        case "unless":
            return [*following, lands[draft.name]]
        case "else" | "again":
            return [partner]
        case "repeat" | "while":
            return [*following, *behind]
        case "fork":
            return [*following, *(behind if draft.partner and draft.partner.kind == "else" else [partner])]
        case "return":
            return []
        case _:
            return following


def _lines(fragment: Fragment, draft: IconDraft) -> tuple[int, int]:
    lines = fragment.lines
    low = bisect_left(lines, (draft.start, 0))
    own = [line for _, line in lines[low : bisect_left(lines, (draft.end, 0))]]
    return (min(own), max(own)) if own else (0, 0)
