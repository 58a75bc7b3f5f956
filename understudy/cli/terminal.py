"""The terminal view: a live map, a panel for the selected robot, and a few keys.

It does not influence the run: unless a key is pressed, results are bit-identical with and without the view.
"""

from __future__ import annotations

import io
import logging
import math
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from itertools import zip_longest
from typing import Any, Protocol, TextIO, TypeVar

from understudy.cli.braille import Point, Row, rgb
from understudy.cli.picture import MESSAGES, MapView, frame
from understudy.errors import UnderstudyError
from understudy.sim.clock import Gauge
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.world.changes import Change, Pause, Quit, Reset, Speed, Step

FRAME_S = 1 / 15
ESCAPE_S = 0.05  # how long the rest of an arrow key may take to arrive
MESSAGE_S = 30.0  # how long a message stays
KEPT_LINES = 500  # of output while the view is open
TRAIL_STEP_US, TRAIL_POINTS, MOST_TRAILS = 100_000, 400, 40
SPEEDS: tuple[float | None, ...] = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, None)  # None: as fast as possible
PRESSES = 10  # of an arrow key, from standstill to full speed
Setting = TypeVar("Setting", Pause, Speed)
ARROWS = {"KEY_UP": (1, 0), "KEY_DOWN": (-1, 0), "KEY_LEFT": (0, 1), "KEY_RIGHT": (0, -1)}


def show(sim: Sim, title: str, seconds: float | None = None) -> None:
    """Show the run on the terminal and accept keys, until the user quits or its time is over."""
    from blessed import Terminal

    terminal = Terminal()
    if not terminal.is_a_tty:
        raise UnderstudyError("--view terminal needs an interactive terminal; output is redirected. Use --view none")
    view = MapView(title, braille=knows_braille(getattr(terminal.stream, "encoding", ""), os.environ))
    with (
        off_screen() as lines, terminal.fullscreen(), terminal.cbreak(), terminal.hidden_cursor(),
        suppress(KeyboardInterrupt),
    ):  # fmt: skip
        screen = TerminalScreen(terminal)
        try:
            watch(sim, view, screen, lines, seconds)
        finally:
            screen.clear()


def knows_braille(encoding: str, environment: Mapping[str, str]) -> bool:
    """Return whether a terminal can show Braille characters, judging by its settings."""
    locale = next((environment[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(key)), "utf-8")
    console = environment.get("TERM") == "linux"  # its font has only 512 characters
    return "utf" in encoding.lower() and "utf" in locale.lower() and not console


class Screen(Protocol):
    """What the view needs of a terminal."""

    def size(self) -> tuple[int, int]:
        """Return width and height (cells)."""
        ...

    def pressed(self) -> Iterable[str]:
        """Return the keys pressed since the last call: letters, or names such as KEY_UP."""
        ...

    def draw(self, rows: list[Row]) -> None:
        """Show a picture."""
        ...


def watch(sim: Sim, view: MapView, screen: Screen, lines: Lines, seconds: float | None = None) -> None:
    """Run, draw and handle keys until the run is over."""
    trails, gauge = Trails(), Gauge(round(1 / FRAME_S))
    end_s = math.inf if seconds is None else sim.time_s + seconds
    sim.attach(trails)
    try:
        while sim.exit_code is None and sim.time_s < end_s:
            select(sim, view)
            view.factor, view.messages = gauge.factor(sim.time_s), lines.recent()
            screen.draw(frame(sim, trails.points, view, *screen.size()))
            sim.run_for(FRAME_S, end_s)
            for key in screen.pressed():
                press(sim, view, key)
    finally:
        with suppress(ValueError):  # the run was closed: the listener is detached already
            sim.detach(trails)


class Trails:
    """A listener that records the recent positions of the robots."""

    def __init__(self) -> None:
        self.points: dict[str, deque[Point]] = {}

    def begin(self, sim: Sim) -> None:
        """Forget the previous run."""
        self._due_us = sim.t_us
        self.points.clear()

    def tick(self, snapshot: Snapshot) -> None:
        """Record the positions, ten times per simulated second."""
        if snapshot.t_us < self._due_us:
            return
        self._due_us = snapshot.t_us + TRAIL_STEP_US
        for robot, pose in zip(snapshot.robots[:MOST_TRAILS], snapshot.poses()):
            trail = self.points.setdefault(robot.name, deque(maxlen=TRAIL_POINTS))
            trail.append((float(pose[0]), float(pose[1])))

    def end(self, reason: str) -> None:
        """Do nothing: the trails stay until the next run."""


# ---- keys


def press(sim: Sim, view: MapView, key: str) -> None:
    """Handle a key: motion as a drive command, everything else as a change of the run."""
    if key in ARROWS:
        drive(sim, view, *ARROWS[key])
    elif key == " ":
        stop(sim, view)
    elif key in ("KEY_TAB", "\t"):
        select(sim, view, 1)
    elif (change := change_of(sim, key)) is not None:
        if isinstance(change, Reset):
            view.wanted.clear()
        sim.post(change, "user")


def change_of(sim: Sim, key: str) -> Change | None:
    """Return the change that a key requests, None for other keys."""
    match key:
        case "q" | "Q" | "\x03":
            return Quit(0)
        case "p" | "P":
            return Pause(not _coming(sim, Pause(sim.paused)).on)
        case ".":
            return Step(1) if sim.paused else None
        case "+" | "=":
            return Speed(next_speed(_coming(sim, Speed(sim.clock.speed)).factor, 1))
        case "-" | "_":
            return Speed(next_speed(_coming(sim, Speed(sim.clock.speed)).factor, -1))
        case "r" | "R":
            return Reset()
    return None


def _coming(sim: Sim, now: Setting) -> Setting:
    """Return the latest pending change of this kind in the inbox, or the current setting."""
    waiting = [change for _, change in sim.inbox.waiting() if isinstance(change, type(now))]
    return waiting[-1] if waiting else now


def next_speed(speed: float | None, way: int) -> float | None:
    """Return the next faster (1) or slower (-1) of SPEEDS.

    >>> next_speed(1.0, 1), next_speed(1.5, -1), next_speed(50.0, 1), next_speed(None, -1)
    (2.0, 1.0, None, 50.0)
    """
    now = float("inf") if speed is None else speed
    if way > 0:
        return next((s for s in SPEEDS if s is None or s > now), None)
    return next((s for s in reversed(SPEEDS) if s is not None and s < now), SPEEDS[0])


def select(sim: Sim, view: MapView, step: int = 0) -> None:
    """Select the robot *step* places further on, or the first one if the selected robot no longer exists."""
    names = [robot.name for robot in sim.current.robots]
    if view.selected in names:
        view.selected = names[(names.index(view.selected) + step) % len(names)]
    else:
        view.selected = names[0] if names else ""


def drive(sim: Sim, view: MapView, faster: int, left: int) -> None:
    """Drive the selected robot one step faster or slower, or turn it one step more to the left or right."""
    if not view.selected:
        return
    limits = sim.current.robots[sim.row(view.selected)].built.drive
    m_s, rad_s = view.wanted.get(view.selected, (0.0, 0.0))
    m_s = _stepped(m_s, faster, limits.max_m_s)
    rad_s = _stepped(rad_s, left, limits.max_rad_s)
    view.wanted[view.selected] = (m_s, rad_s)
    sim.robot(view.selected).drive(m_s, rad_s)


def _stepped(speed: float, way: int, most: float) -> float:
    """Return *speed* changed by one step, in whole steps so that zero is reached exactly."""
    steps = round(speed / most * PRESSES) + way if most else 0
    return most * min(max(steps, -PRESSES), PRESSES) / PRESSES


def stop(sim: Sim, view: MapView) -> None:
    """Stop the selected robot."""
    if view.selected:
        view.wanted.pop(view.selected, None)
        sim.robot(view.selected).stop()


# ---- messages while the view is open


class Lines:
    """Output while the view is open: the last few lines for the screen."""

    def __init__(self) -> None:
        self._last: deque[tuple[float, str]] = deque(maxlen=MESSAGES)

    def say(self, line: str) -> None:
        """Add a line, unless it is only a rule or the mark under a traceback's line."""
        if any(letter.isalnum() for letter in line):
            self._last.append((time.monotonic(), line.strip()))

    def recent(self) -> tuple[str, ...]:
        """Return the lines that are still recent."""
        now = time.monotonic()
        return tuple(line for said, line in list(self._last) if now - said < MESSAGE_S)


class StandIn(io.TextIOBase):
    """Replaces a stream that writes to the screen; passes the text on when the view closes."""

    def __init__(self, stream: TextIO, lines: Lines) -> None:
        self.stream, self._lines = stream, lines
        self._kept: deque[str] = deque(maxlen=KEPT_LINES)
        self._rest = ""

    def write(self, text: str) -> int:
        """Keep the text, and show each line that it completes."""
        *whole, self._rest = (self._rest + text).split("\n")
        for line in whole:
            self._kept.append(f"{line}\n")
            self._lines.say(line)
        return len(text)

    def close(self) -> None:
        """Stay open: a robot program may call this, but the stream is not its own."""

    def hand_on(self) -> None:
        """Write the kept text to the stream."""
        self.stream.write("".join(self._kept) + self._rest)
        self.stream.flush()


@contextmanager
def off_screen() -> Iterator[Lines]:
    """Keep log records and output of programs off the screen; write them to their streams afterwards."""
    lines = Lines()
    stand_ins = {id(stream): StandIn(stream, lines) for stream in (sys.stdout, sys.stderr)}
    handlers = list(_screen_handlers(stand_ins))
    for handler in handlers:
        handler.setStream(stand_ins[id(handler.stream)])
    try:
        with redirect_stdout(stand_ins[id(sys.stdout)]), redirect_stderr(stand_ins[id(sys.stderr)]):
            yield lines
    finally:
        for handler in handlers:
            handler.setStream(handler.stream.stream)
        for stand_in in stand_ins.values():
            stand_in.hand_on()


def _screen_handlers(streams: Mapping[int, Any]) -> Iterator[logging.StreamHandler[Any]]:
    for name in ("", "understudy"):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, logging.StreamHandler) and id(handler.stream) in streams:
                yield handler


# ---- the terminal


class TerminalScreen:
    """A blessed terminal; writes only the rows that have changed."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._shown: list[Row] = []
        self._size = (0, 0)
        self._codes: dict[str, str] = {"": ""}

    def size(self) -> tuple[int, int]:
        """Return width and height (cells); the last column stays empty, as writing there may scroll."""
        return self._terminal.width - 1, self._terminal.height

    def pressed(self) -> Iterator[str]:
        """Yield the keys pressed since the last call."""
        while key := self._terminal.inkey(timeout=0, esc_delay=ESCAPE_S):
            yield key.name or str(key)

    def clear(self) -> None:
        """Clear the screen."""
        self._shown = []
        self._terminal.stream.write(self._terminal.home + self._terminal.clear)

    def draw(self, rows: list[Row]) -> None:
        """Show a picture."""
        if self._size != self.size():
            self._size = self.size()
            self.clear()
        pairs = zip_longest(rows, self._shown)
        changed = [self._line(i, row or []) for i, (row, old) in enumerate(pairs) if row != old]
        self._terminal.stream.write("".join(changed))
        self._terminal.stream.flush()
        self._shown = rows

    def _line(self, number: int, row: Row) -> str:
        text = "".join(self._painted(part, colour) for part, colour in row)
        return f"{self._terminal.move_yx(number, 0)}{text}{self._terminal.clear_eol}"

    def _painted(self, text: str, colour: str) -> str:
        if colour not in self._codes:
            self._codes[colour] = "".join(self._code(word) for word in colour.split())
        code = self._codes[colour]
        return f"{code}{text}{self._terminal.normal}" if code else text

    def _code(self, word: str) -> str:
        """Return the escape sequence of a style or of the nearest colour that the terminal supports."""
        if not word.startswith("#"):
            return str(getattr(self._terminal, word))
        return str(self._terminal.color_rgb(*rgb(word))) if self._terminal.number_of_colors else ""
