"""The sections of a robot as a NiceGUI element of the panel; implemented in `web/readings.js`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from nicegui.element import Element

from understudy.errors import UnknownName
from understudy.sim.sim import Sim
from understudy.studio.readings import Figures, Pictures, ReadingTable, figures, parts_of, pictures, sections
from understudy.studio.scope import Pin
from understudy.studio.sensor_pictures import sensor_picture
from understudy.world.labels import labels


class ReadingsView(Element, component=Path(__file__).parent / "web" / "readings.component.js"):
    """Shows all values of one robot; the simulation's thread reads them, the page's timer shows them."""

    def __init__(
        self, found: list[ReadingTable], on_switch: Callable[[str, bool], None] | None, on_pin: Callable[[Pin], None]
    ) -> None:
        super().__init__()
        self._sections = found
        self._parts: object = None  # of the robot that they were made of
        self._props["sections"] = [section.plain() for section in found]
        self._open: frozenset[str] = frozenset()
        self._stamps: dict[str, int] = {}
        self._figures: dict[str, Figures] = {}  # as last read
        self._shown: dict[str, Figures] = {}
        self._pictures: dict[str, Pictures] = {}  # read, not shown yet
        self._names: tuple[str, ...] = ()
        self.on("open", self._note_open)
        self._props["fixed"] = on_switch is None
        if on_switch is not None:
            self.on("switch", lambda event: on_switch(str(event.args["path"]), bool(event.args["on"])))
        self.on("pin", lambda event: on_pin(Pin(str(event.args["path"]), int(event.args["index"]))))

    def _note_open(self, event: Any) -> None:
        self._open = frozenset(map(str, event.args))
        self._stamps.clear()

    def read(self, sim: Sim, robot: str) -> bool:
        """Read what is shown, in the simulation's thread; returns False if the sections are no longer those."""
        view = sim.view()
        parts = parts_of(view, robot)
        if parts is not self._parts:  # the first time, or another robot of that name
            self._parts = parts
            if [section.path for section in sections(sim, robot)] != [section.path for section in self._sections]:
                return False
        try:
            self._figures = {each.path: figures(view, each, each.path in self._open) for each in self._sections}
        except UnknownName:  # changed in the meantime
            return False
        for section in self._sections:
            stamp = view.stamp_us(section.path) if section.pictures and section.path in self._open else -1
            if stamp >= 0 and self._stamps.get(section.path) != stamp:
                self._stamps[section.path] = stamp
                self._pictures[section.path] = pictures(view, section)
                self._names = labels(view.scene()) if "labels" in section.pictures else self._names
        return True

    def refresh(self) -> None:
        """Send what has changed to the browser."""
        news = [now for path, now in self._figures.items() if self._shown.get(path) != now]
        if news:
            self._shown = dict(self._figures)
            self.run_method("show", [now.plain() for now in news])
        for path in list(self._pictures):
            made = [sensor_picture(name, image, self._names) for name, image in self._pictures.pop(path).items()]
            self.run_method("showPictures", path, [picture.plain() for picture in made])

    def show_pins(self, pins: Collection[Pin]) -> None:
        """Mark the values that are plotted."""
        self.run_method("showPins", [f"{pin.path} {pin.index}" for pin in pins])
