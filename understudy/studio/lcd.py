"""The LCD of an EyeBot as a picture in the page; a click on it is a touch."""

from __future__ import annotations

import base64

from nicegui import events, ui

from understudy.eyesim.dump import png
from understudy.frozen import frozen
from understudy.robots.base import Offer
from understudy.robots.eyebot.console import console
from understudy.robots.eyebot.firmware import Eyebot
from understudy.robots.eyebot.keys import ScreenTouch
from understudy.sim.sim import Sim
from understudy.studio.commands import Commands


@frozen
class LcdView:
    """What an LCD shows: the unit's path, the number of changes so far, and a picture as a data URL."""

    unit: str
    changes: int
    url: str


def lcd_view(sim: Sim, robot: str, known: LcdView | None) -> LcdView | None:
    """Return what the LCD of a robot shows, drawn anew only if it has changed; None if the robot has none."""
    for path, unit in sim.current.units.items():
        if isinstance(unit, Eyebot) and path.startswith(f"{robot}/"):
            if known is not None and (known.unit, known.changes) == (path, unit.lcd.changes):
                return known
            picture = base64.b64encode(png(console(unit.lcd, unit.keys))).decode()
            return LcdView(path, unit.lcd.changes, f"data:image/png;base64,{picture}")
    return None


class LcdPicture(ui.interactive_image):
    """The picture of an LCD; it fills the panel's width."""

    def __init__(self, commands: Commands, view: LcdView) -> None:
        super().__init__(view.url, events=["click"], on_mouse=self._touched)
        self._commands, self._view = commands, view
        self.classes("full-width").mark("lcd")
        self.props('alt="LCD of the robot"').tooltip("the LCD; a click touches the screen")

    def show(self, view: LcdView) -> None:
        """Show what an LCD shows now."""
        if view is not self._view:
            self._view = view
            self.set_source(view.url)

    def _touched(self, event: events.MouseEventArguments) -> None:
        order = ScreenTouch(round(event.image_x), round(event.image_y))
        self._commands.press(self._view.unit, Offer("touch", order))
