"""A sequence of pictures at fixed intervals of simulated time: asked for, taken in step, downloaded as an archive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nicegui import ui

from understudy.studio.commands import Commands
from understudy.studio.dialogs import actions, dialog
from understudy.studio.pictures import Album
from understudy.studio.runner import Runner
from understudy.studio.view import StageView

MOST = 2000  # pictures


class Sequence:
    """Takes sequences for one page. Afterwards the clock runs or stands as it did before."""

    def __init__(self, runner: Runner, commands: Commands, album: Album) -> None:
        self._runner, self._commands, self._album = runner, commands, album
        self._stopped = False

    def ask(self, view: StageView) -> None:
        """Ask how many pictures, and how far apart."""
        hint = "The simulation is stepped in between; afterwards it goes on as before."
        with dialog("Save a picture at fixed intervals of simulated time", hint) as made:
            every = ui.number("interval, ms", value=100, min=1).classes("full-width").mark("burst-every")
            count = ui.number("number of pictures", value=20, min=1, max=MOST).classes("full-width").mark("burst-count")

            async def take() -> None:
                await self._take(view, float(every.value or 100), min(max(int(count.value or 1), 1), MOST))

            actions(made, ("Start", take), mark="burst")

    async def _take(self, view: StageView, every_ms: float, count: int) -> None:
        sim, album = self._runner.sim, self._album
        take, ticks = album.open(), max(1, round(every_ms * 1000 / sim.start.tick_us))
        was_paused, self._stopped = sim.paused, False
        with dialog("Taking pictures") as made:
            made.props("persistent")
            bar = ui.linear_progress(0.0, show_value=False).classes("full-width").mark("burst-progress")
            said = ui.label(f"0 of {count}").mark("burst-said")
            ui.button("Stop, and keep those taken", on_click=self._stop).props("no-caps flat").mark("burst-stop")
        self._commands.pause()
        try:
            await _until(lambda: sim.paused)
            for number in range(count):
                await view.run_method("shoot", f"/pictures/{take}/{number}", sim.time_s, timeout=30)
                bar.value, said.text = (number + 1) / count, f"{number + 1} of {count}"
                if self._stopped:
                    break
                wanted = sim.tick + ticks
                self._commands.step(ticks)
                await _until(lambda: sim.tick >= wanted)  # noqa: B023 - waited for at once
            ui.download.content(album.archive(take), "understudy-pictures.zip", "application/zip")
        finally:
            made.close()
            if not was_paused:
                self._commands.run()

    def _stop(self) -> None:
        self._stopped = True


async def _until(ready: Callable[[], bool], patience_s: float = 10.0) -> None:
    """Wait until *ready* returns true, at most *patience_s*."""
    for _ in range(round(patience_s / 0.01)):
        if ready():
            return
        await asyncio.sleep(0.01)
