"""The trace of an RCX: how long and how often each icon has run, as lines and as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from understudy.formats.rcx.icon_svg import Span, seconds_of
from understudy.formats.rcx.icons import IconProgram
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.world.news import At

MOST_SPANS = 200_000  # that a trace keeps; later ones are counted, not drawn


class TraceListener:
    """Collects when each task has run which icon."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self.spans: list[Span] = []
        self.lost = 0
        self.words: dict[int, str] = {}  # of each icon
        self._open: dict[int, At] = {}
        self._now_s = 0.0

    def begin(self, sim: Sim) -> None:
        """Start a new trace."""
        self.clear()

    def clear(self) -> None:
        """Drop everything: another program begins."""
        self.spans.clear()
        self.words.clear()
        self._open.clear()
        self.lost = 0

    def tick(self, snapshot: Snapshot) -> None:
        """Take the steps of a tick."""
        self._now_s = snapshot.t_us / 1e6
        for path, news in snapshot.news:
            if path == self._unit and isinstance(news, At):
                self._take(news)

    def end(self, reason: str) -> None:
        """Do nothing: spans are read while the run is there."""

    def _take(self, step: At) -> None:
        task = int(step.task)
        before = self._open.pop(task, None)
        if before is not None:
            self._keep(Span(task, before.icon, before.t_us / 1e6, step.t_us / 1e6))
        if step.icon:
            self._open[task] = step
            self.words[step.icon] = step.says

    def _keep(self, span: Span) -> None:
        if len(self.spans) < MOST_SPANS:
            self.spans.append(span)
        else:
            self.lost += 1

    def so_far(self) -> list[Span]:
        """Return what has run, and what runs until now."""
        running = [Span(task, at.icon, at.t_us / 1e6, self._now_s) for task, at in sorted(self._open.items())]
        return [*self.spans, *running]

    def now(self) -> list[int]:
        """Return the icons that run now."""
        return [at.icon for at in self._open.values()]


def time_lines(program: IconProgram, spans: list[Span]) -> Iterator[str]:
    """Return how long and how often each icon has run."""
    seconds, counts = seconds_of(spans), Counter(span.icon for span in spans)
    for task in program.tasks:
        ran = [icon for icon in task.icons if icon.number in seconds]
        for icon in ran:
            time = f"{seconds[icon.number]:.3f} s in {task.kind} {task.number}, {counts[icon.number]} times"
            yield f"icon {icon.number:<10} {time}: {icon.words}"


def icon_lines(trace: TraceListener) -> Iterator[str]:
    """Return the same of a program that only the brick has."""
    spans = trace.so_far()
    seconds, counts = seconds_of(spans), Counter(span.icon for span in spans)
    for icon in sorted(seconds):
        yield f"icon {icon:<10} {seconds[icon]:.3f} s, {counts[icon]} times: {trace.words.get(icon, '')}"


def step_lines(program: IconProgram, spans: list[Span]) -> Iterator[str]:
    """Return the trace in the order of time."""
    words = {icon.number: icon.words for task in program.tasks for icon in task.icons}
    for span in sorted(spans, key=lambda span: (span.start_s, span.task)):
        length = span.end_s - span.start_s
        yield f"{span.start_s:9.3f} s  task {span.task}  {length:8.3f} s  {span.icon:>4}  {words.get(span.icon, '')}"
