"""The consoles of EyeBots in the terminal: their LCDs, and keys 1 to 4 for the selected one."""

from __future__ import annotations

import math
import os
from contextlib import suppress

from understudy.cli.terminal import FRAME_S, Screen, TerminalScreen, change_of, knows_braille, off_screen
from understudy.eyesim.runner import consoles, eyebots
from understudy.eyesim.terminal import ConsoleView
from understudy.sim.inbox import Order
from understudy.sim.sim import Sim


def show(sim: Sim, seconds: float | None, stay: bool) -> None:
    """Show the consoles until the programs have ended, the user quits or the time is over."""
    from blessed import Terminal

    terminal = Terminal()
    view = ConsoleView(knows_braille(getattr(terminal.stream, "encoding", ""), os.environ))
    with (
        off_screen(), terminal.fullscreen(), terminal.cbreak(), terminal.hidden_cursor(), suppress(KeyboardInterrupt)
    ):  # fmt: skip
        screen = TerminalScreen(terminal)
        try:
            watch(sim, view, screen, seconds, stay)
        finally:
            screen.clear()


def watch(sim: Sim, view: ConsoleView, screen: Screen, seconds: float | None, stay: bool) -> None:
    """Run, draw and handle keys until the run is over."""
    end_s = math.inf if seconds is None else sim.time_s + seconds
    while sim.exit_code is None and sim.time_s < end_s and (stay or sim.programs_running):
        screen.draw(view.frame(consoles(sim), *screen.size()))
        sim.run_for(FRAME_S, end_s)
        for key in screen.pressed():
            press(sim, view, key)


def press(sim: Sim, view: ConsoleView, key: str) -> None:
    """Handle a key: 1 to 4 press the keys of the selected robot, others are those of every view (q, p, + ...)."""
    pressed = view.press(key)
    if pressed is not None:
        robot, order = pressed
        path = next(path for path, _ in eyebots(sim) if path.partition("/")[0] == robot)
        sim.inbox.post("user", Order(path, order))
    elif (change := change_of(sim, key)) is not None:
        sim.post(change, "user")
