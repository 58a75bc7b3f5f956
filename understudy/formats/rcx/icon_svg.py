"""A program of an RCX as a picture: icons with wires, how long each has run, and when (SVG, drawn by us)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from understudy.formats.rcx.icon_glyphs import colour_of, glyph_of
from understudy.formats.rcx.icons import Icon, IconProgram, IconTask
from understudy.frozen import frozen

BOX, STEP_X, STEP_Y, MARGIN = 56, 96, 132, 24
TITLE_Y, LANE_GAP = 22, 26
BAR, BAR_GAP, AXIS = 26, 12, 30
ARCH, ARCH_STEP, ARCHES = 18, 6, 2  # wires back and over icons: above these; apart; how many above each other
LEAST_WIDTH, NARROW = 640, 0.4  # pixels: of the picture; of a piece of a bar that is not drawn
LETTERS = 15  # of a line below an icon
STYLE = (
    "text{font-family:sans-serif;font-size:11px;fill:#223}.title{font-size:13px;font-weight:bold}"
    ".wire{fill:none;stroke:#c2185b;stroke-width:3;stroke-linejoin:round}.else{stroke-dasharray:7 4}"
    ".box{stroke:#445;stroke-width:1.5}.ran{stroke:#f39c12;stroke-width:4}.now{stroke:#e53935;stroke-width:6}"
    ".glyph{fill:none;stroke:#fff;stroke-width:3;stroke-linecap:round;stroke-linejoin:round}"
    ".time{font-weight:bold;fill:#b35900}.split{stroke:#1565c0}"
)


@frozen
class Span:
    """A task has run an icon from one time to another (s)."""

    task: int
    icon: int
    start_s: float
    end_s: float


@frozen
class Spot:
    """Where an icon is drawn (pixels)."""

    x: float
    y: float


def svg_of(program: IconProgram, title: str = "", spans: Sequence[Span] = (), now: Sequence[int] = ()) -> str:
    """Return a program as SVG, with what has run if there are spans; *now* are the icons that run at the end."""
    spots, height, width = _layout(program)
    times = seconds_of(spans)
    parts = [f'<text class="title" x="{MARGIN}" y="{TITLE_Y}">{escape(title)}</text>'] if title else []
    for task in program.tasks:
        parts += _task(task, spots, times, now)
    bars, bottom = _timeline(program, spans, height, width)
    size = f'width="{width:.0f}" height="{bottom:.0f}" viewBox="0 0 {width:.0f} {bottom:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>'
    back = '<rect width="100%" height="100%" fill="#fdfdf8"/>'
    return "\n".join([head, back, *parts, *bars, "</svg>"]) + "\n"


def seconds_of(spans: Sequence[Span]) -> Mapping[int, float]:
    """Return how long each icon has run, by its number (s).

    >>> seconds_of([Span(0, 1, 0.0, 1.0), Span(0, 2, 1.0, 1.5), Span(0, 1, 1.5, 2.0)])
    {1: 1.5, 2: 0.5}
    """
    times: dict[int, float] = {}
    for span in spans:
        times[span.icon] = times.get(span.icon, 0.0) + span.end_s - span.start_s
    return times


# ---- layout


def _layout(program: IconProgram) -> tuple[dict[int, Spot], float, float]:
    """Return where each icon is, and height and width of all: a lane for each task, branches below each other."""
    spots: dict[int, Spot] = {}
    top, most = TITLE_Y + LANE_GAP, 0
    for task in program.tasks:
        cells, rows = _cells(task)
        for number, (column, row) in cells.items():
            spots[number] = Spot(MARGIN + STEP_X * (column + 1), top + LANE_GAP + STEP_Y * row)
            most = max(most, column)
        top += LANE_GAP + STEP_Y * rows
    return spots, top, max(2 * MARGIN + STEP_X * (most + 2), LEAST_WIDTH)


@dataclass(slots=True)
class _Fork:
    column: int
    row: int
    end: int = 0  # column behind the first branch


def _cells(task: IconTask) -> tuple[dict[int, tuple[int, int]], int]:
    """Return column and row of each icon of a task, and how many rows it has."""
    cells: dict[int, tuple[int, int]] = {}
    forks: list[_Fork] = []
    column = row = lowest = 0
    for icon in task.icons:
        if icon.kind == "merge":
            fork = forks.pop()
            column, row = max(column, fork.end, fork.column), fork.row
        cells[icon.number] = (column, row)
        column += 1
        if icon.kind == "fork":
            forks.append(_Fork(column, row))
        elif icon.kind == "else":
            forks[-1].end = column
            lowest += 1
            column, row = forks[-1].column, lowest
    return cells, lowest + 1


# ---- icons and wires


def _task(task: IconTask, spots: Mapping[int, Spot], times: Mapping[int, float], now: Sequence[int]) -> Iterator[str]:
    if not task.icons:
        return
    first = spots[task.icons[0].number]
    yield f'<text class="title" x="{MARGIN}" y="{first.y + BOX / 2 + 4:.0f}">{task.kind} {task.number}</text>'
    yield f'<path class="wire" d="M{first.x - STEP_X / 3:.0f} {first.y + BOX / 2:.0f}H{first.x:.0f}"/>'
    for icon in task.icons:
        yield from (_wire(icon, n, spots, target) for n, target in enumerate(icon.to))
    for icon in task.icons:
        yield from _icon(icon, spots[icon.number], times.get(icon.number), icon.number in now)


def _wire(icon: Icon, n: int, spots: Mapping[int, Spot], target: int) -> str:
    """Return a wire: straight or in steps to the right, an arch back and over icons."""
    start, end = spots[icon.number], spots[target]
    x1, y1, x2, y2 = start.x + BOX, start.y + BOX / 2, end.x, end.y + BOX / 2
    name = "wire" + (" split" if icon.kind == "split" and n else " else" if n else "")
    if icon.kind == "split" and n:
        down = f"M{x1:.0f} {y1 + 8:.0f}h10V{end.y - 20:.0f}"
        return f'<path class="{name}" d="{down}H{x2 - 12:.0f}V{y2:.0f}H{x2:.0f}"/>'
    passes = y1 == y2 and x2 - x1 > STEP_X  # over icons of the same row
    if x2 > x1 and not passes:
        middle = x2 - 12 if y2 < y1 else x1 + 12
        return f'<path class="{name}" d="M{x1:.0f} {y1:.0f}H{middle:.0f}V{y2:.0f}H{x2:.0f}"/>'
    over = min(start.y, end.y) - ARCH - ARCH_STEP * max(0, ARCHES - icon.depth) - (ARCH_STEP / 2 if passes else 0)
    return f'<path class="{name}" d="M{x1:.0f} {y1:.0f}h8V{over:.1f}H{x2 - 8:.0f}V{y2:.0f}h8"/>'


def _icon(icon: Icon, spot: Spot, seconds: float | None, runs: bool) -> Iterator[str]:
    name = "box" + (" now" if runs else " ran" if seconds is not None else "")
    place = f'data-icon="{icon.number}" transform="translate({spot.x:.0f} {spot.y:.0f})"'
    yield f"<g {place}><title>{escape(icon.words)}</title>"
    yield f'<rect class="{name}" width="{BOX}" height="{BOX}" rx="10" fill="{colour_of(icon)}"/>{glyph_of(icon)}'
    for n, line in enumerate(_caption(icon.words)):
        yield f'<text x="{BOX / 2:.0f}" y="{BOX + 14 + 12 * n}" text-anchor="middle">{escape(line)}</text>'
    if seconds is not None:
        yield f'<text class="time" x="{BOX / 2:.0f}" y="-5" text-anchor="middle">{seconds:.3f} s</text>'
    yield "</g>"


def _caption(words: str) -> list[str]:
    """Return the words in at most three short lines."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) >= LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    short = [line if len(line) <= LETTERS + 3 else line[: LETTERS + 2] + "…" for line in lines]
    return [*short[:2], short[2] + " …"] if len(short) > 3 else short


# ---- time


def _timeline(program: IconProgram, spans: Sequence[Span], top: float, width: float) -> tuple[list[str], float]:
    """Return a bar for each task, in the colours of its icons, and where they end."""
    if not spans:
        return [], top
    icons = {icon.number: icon for task in program.tasks for icon in task.icons}
    end_s = max(span.end_s for span in spans)
    left, scale = MARGIN + STEP_X, (width - 2 * MARGIN - STEP_X) / max(end_s, 1e-9)
    parts: list[str] = []
    y = top
    for task in sorted({span.task for span in spans}):
        parts.append(f'<text class="title" x="{MARGIN}" y="{y + 17:.0f}">task {task}</text>')
        parts += _bar([span for span in spans if span.task == task], icons, left, scale, y)
        y += BAR + BAR_GAP
    for n in range(6):
        x, at_s = left + scale * end_s * n / 5, end_s * n / 5
        parts.append(f'<text x="{x:.0f}" y="{y + 8:.0f}" text-anchor="middle">{at_s:.4g} s</text>')
    return parts, y + AXIS


def _bar(spans: Sequence[Span], icons: Mapping[int, Icon], left: float, scale: float, y: float) -> Iterator[str]:
    drawn = -1.0
    for span in spans:
        x, wide = left + scale * span.start_s, scale * (span.end_s - span.start_s)
        if x + wide < drawn + NARROW or span.icon not in icons:
            continue
        drawn = x + wide
        icon = icons[span.icon]
        title = escape(f"{icon.number}: {icon.words}, {span.start_s:.3f} to {span.end_s:.3f} s")
        place = f'x="{x:.2f}" y="{y:.0f}" width="{max(wide, NARROW):.2f}" height="{BAR}"'
        yield f'<rect {place} fill="{colour_of(icon)}"><title>{title}</title></rect>'
