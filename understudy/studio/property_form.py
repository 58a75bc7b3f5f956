"""A form for the properties of the selected thing: numbers and a colour that can be typed."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui import ui

from understudy.errors import UnderstudyError
from understudy.sim.sim import Sim
from understudy.studio.commands import Commands
from understudy.studio.properties import PROPERTIES, Value, properties
from understudy.world.changes import find


class PropertyForm:
    """Fields in a grid; each follows the simulation unless somebody types in it."""

    def __init__(self, name: str, commands: Commands) -> None:
        self._name, self._commands = name, commands
        self._fields: dict[str, ui.input] = {}
        self._held: set[str] = set()  # somebody is there
        self._typed: set[str] = set()  # and has typed something that is not taken yet
        self._fresh: dict[str, Value] = {}
        self._grid = ui.element("div").classes("us-properties full-width").mark("properties")

    def _field(self, key: str, value: Value) -> ui.input:
        row = PROPERTIES[key]
        if row.unit == "colour":
            field: Any = ui.color_input(row.label, value=str(value), preview=True)
            field.on_value_change(partial(self._colour, key))
            field.on("blur", partial(self._release, key))
        else:
            field = ui.input(row.label, value=_text(value)).props(f"type=number step=any suffix='{row.unit}'")
            field.on("update:model-value", partial(self._note, key))
            field.on("keydown.enter", partial(self._set, key))
            field.on("blur", partial(self._leave, key))
        field.on("focus", partial(self._hold, key))
        field.props(f'dense outlined aria-label="{row.label} of {self._name}"').mark(f"property-{key}")
        made: ui.input = field
        return made

    def _hold(self, key: str) -> None:
        self._held.add(key)

    def _note(self, key: str) -> None:
        self._typed.add(key)

    def _release(self, key: str) -> None:
        self._held.discard(key)

    def _leave(self, key: str) -> None:
        self._set(key)
        self._release(key)

    def _set(self, key: str) -> None:
        if key not in self._typed:  # leaving a field later must not repeat what was undone meanwhile
            return
        self._typed.discard(key)
        try:
            value = float(self._fields[key].value or "nan")
        except ValueError:
            return
        if _text(value) != _text(self._fresh.get(key, "")):
            self._change(key, value)

    def _colour(self, key: str) -> None:
        value = str(self._fields[key].value or "")
        if value != self._fresh.get(key) and len(value) == 7:
            self._change(key, value)

    def _change(self, key: str, value: Value) -> None:
        try:
            self._commands.set_property(self._name, key, value)
            self._fresh[key] = value
        except (UnderstudyError, ValueError) as problem:
            ui.notify(str(problem), type="warning", position="top")
            self._held.discard(key)

    def read(self, sim: Sim) -> None:
        """Read the values, in the simulation's thread; raises ChangeRefused if the thing is gone."""
        self._fresh = properties(find(sim.scene, self._name))

    def refresh(self) -> None:
        """Show the values."""
        if self._fresh and self._fresh.keys() != self._fields.keys():
            self._grid.clear()
            with self._grid:
                self._fields = {key: self._field(key, value) for key, value in self._fresh.items()}
        for key, value in self._fresh.items():
            if key not in self._held and self._fields[key].value != _text(value):
                self._fields[key].set_value(_text(value))


def _text(value: Value) -> str:
    """Return a value as a field shows it."""
    return value if isinstance(value, str) else f"{value:.4f}".rstrip("0").rstrip(".")
