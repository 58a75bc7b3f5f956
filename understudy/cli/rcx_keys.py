"""Keys that a user types while a program of an RCX runs: pause, steps by instruction or icon, breakpoints, speed."""

from __future__ import annotations

import argparse
import contextlib
import math
import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TextIO

from understudy.cli.values import speed
from understudy.robots.rcx.firmware import RcxPanel, RcxTaskPanel
from understudy.sim.sim import Sim

LOOK_S = 0.05  # wall time between two looks at the keyboard while time is paused
MOST_STEPS = 100_000
HELP = (
    "keys, then Enter: p pause or go on, s [N] step N instructions, i [N] step N icons, t [N] step N ticks, "
    "b LINE breakpoint, x FACTOR speed, q quit"
)


class Typed(Protocol):
    """A queue of lines; None is the end of the input."""

    def get_nowait(self) -> str | None:
        """Return the next line; raises queue.Empty."""
        ...


def typed(stream: TextIO | None) -> queue.SimpleQueue[str | None]:
    """Return a queue of the lines that a user types; reading them blocks, so a thread does it."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):  # closed, or not text
            for line in stream or ():
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    return lines


class BrickKeys:
    """Carries out the keys of a user; *more* are keys of the verb."""

    def __init__(
        self,
        sim: Sim,
        panel: Callable[[], RcxPanel],
        lines: Typed,
        more: Mapping[str, Callable[[str], None]] | None = None,
        breaks: Iterable[int] = (),
        end_s: float = math.inf,
    ) -> None:
        self._sim, self._panel, self._typed, self._end_s = sim, panel, lines, end_s
        self.breaks = set(breaks)
        self._alone = False  # the input has ended
        self._places: dict[int, tuple[int, int]] = {}  # task -> line that it ran last, and its next, at the last look
        self._more = more or {}
        self._keys: Mapping[str, Callable[[str], None]] = {
            "p": self.pause, "s": self.step, "i": self.step_icon, "t": self.tick, "b": self.stop_at, "x": self.hurry,
            "q": self.quit, **self._more,
        }  # fmt: skip

    def read(self) -> None:
        """Do what has been typed."""
        while self._sim.exit_code is None:
            try:
                line = self._typed.get_nowait()
            except queue.Empty:
                return
            if line is None:
                self._go_on_alone()
                return
            key, *rest = line.split() or ["p"]
            do = self._keys.get(key.lower())
            if do is None:
                print(", ".join((HELP, *(f"{key} {_doc(do)}" for key, do in self._more.items()))), flush=True)
            else:
                do(rest[0] if rest else "")

    def advanced(self) -> bool:
        """Do what has been typed and look for breakpoints; returns whether time has passed meanwhile."""
        before = self._sim.tick
        self.read()
        self.look()
        return self._sim.tick != before

    def look(self) -> None:
        """Pause where a task has reached a breakpoint."""
        if not self.breaks or self._sim.paused:
            return
        before, self._places = self._places, self._now()
        reached = [line for task in self._places for line in self._places[task] if line in self._fresh(task, before)]
        if reached:
            print(f"breakpoint at line {reached[0]}")
            self.show()
            if not self._alone:
                self._sim.pause()

    def _now(self) -> dict[int, tuple[int, int]]:
        return {task.number: (task.ran, task.line) for task in self._panel().tasks}

    def _fresh(self, task: int, before: Mapping[int, tuple[int, int]]) -> set[int]:
        """Return the breakpoints that a task has reached since the last look; the first line of a task has run then."""
        return self.breaks & set(self._places[task]) - set(before.get(task, ()))

    def show(self) -> None:
        """Print what each task runs next."""
        tasks = self._panel().tasks
        print(f"{self._sim.time_s:.3f} s: " + ("; ".join(map(_words, tasks)) or "no task runs"), flush=True)

    def _go_on_alone(self) -> None:
        """Go on without a user, as no more keys will come; breakpoints are still reported."""
        self._alone = True
        if self._sim.paused:
            self._sim.resume()

    # ---- keys

    def pause(self, word: str) -> None:
        """Pause, or go on."""
        if self._sim.paused:
            self._sim.resume()
        else:
            self._sim.pause()
        print("paused" if self._sim.paused else "goes on", flush=True)
        if self._sim.paused:
            self.show()

    def step(self, word: str) -> None:
        """Advance until so many instructions have run, and stay paused."""
        count = _count(word)
        before = self._panel().instructions
        self._advance(lambda: self._panel().instructions - before >= count)

    def step_icon(self, word: str) -> None:
        """Advance until tasks have gone to another icon so many times, and stay paused."""
        left, icons = _count(word), self._icons()

        def there() -> bool:
            nonlocal left, icons
            now = self._icons()
            left, icons = left - (now != icons), now
            return left <= 0

        self._advance(there)

    def tick(self, word: str) -> None:
        """Advance some ticks, and stay paused."""
        end = self._sim.tick + _count(word)
        self._advance(lambda: self._sim.tick >= end, stands=True)

    def stop_at(self, word: str) -> None:
        """Set a breakpoint, or remove it."""
        if not word.isascii() or not word.isdigit() or len(word) > 9:
            print(f"breakpoints at lines: {', '.join(map(str, sorted(self.breaks))) or 'none'}", flush=True)
            return
        self.breaks ^= {int(word)}
        print(f"breakpoint at line {int(word)}" + ("" if int(word) in self.breaks else " removed"), flush=True)

    def hurry(self, word: str) -> None:
        """Change the speed."""
        try:
            self._sim.clock.speed = speed(word)
        except argparse.ArgumentTypeError as problem:
            print(problem, flush=True)

    def quit(self, word: str) -> None:
        """End."""
        self._sim.exit_code = 0

    # ---- steps

    def _icons(self) -> list[tuple[int, int]]:
        return [(task.number, task.icon) for task in self._panel().tasks]

    def _advance(self, there: Callable[[], bool], stands: bool = False) -> None:
        """Advance tick by tick, at most until the program ends; *stands*: also if no program runs."""

        def goes() -> bool:
            panel = self._panel()
            return stands or panel.running or not panel.launches  # a program starts with the first tick

        sim = self._sim
        if not sim.paused:
            sim.pause()
        while sim.exit_code is None and sim.time_s < self._end_s - 1e-9 and goes():
            sim.step()
            if there():
                break
        self._places = self._now()
        self.show()


def _doc(do: Callable[[str], None]) -> str:
    """Return the first words of a method's docstring, for the help."""
    return (do.__doc__ or "").split(";")[0].strip(".").lower()


def _count(word: str) -> int:
    return min(max(int(word), 1), MOST_STEPS) if word.isascii() and word.isdigit() and len(word) < 9 else 1


def _words(task: RcxTaskPanel) -> str:
    line = f" (line {task.line})" if task.line else ""
    icon = f", icon {task.icon}: {task.says}" if task.icon else ""
    left = f", {task.wait_s:.3f} s left" if task.wait_s else ""
    return f"task {task.number}: {task.text}{line}{icon}{left}"
