"""The menu of what is drawn in the views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

SHOWN: dict[str, tuple[str, str, bool]] = {  # option -> label, hint, initial value
    "hits": ("Hit points", "where beams hit something", True),
    "rays": ("Single rays", "draw every ray as a line", False),
    "trails": ("Trails", "paths that robots have driven", True),
    "grid": ("Grid", "grid lines on the floor, with their spacing (G)", True),
    "names": ("Names", "names of robots and marks", True),
    "odometry": ("Odometry", "the robots' pose estimates, as outlines", False),
    "contacts": ("Contacts", "points where robots touch something", True),
    "shapes": ("Collision shapes", "the shapes that collide with each other", False),
}
GROUPS = {
    "Sensors": ("hits", "rays"),
    "Robots": ("trails", "names", "odometry"),
    "World": ("grid", "contacts", "shapes"),
}
BEAMS: dict[str, str] = {"none": "no beams", "selected": "beams of the selected robot", "all": "beams of all robots"}


class LayersMenu:
    """Check boxes under headings; *change* gets option and value."""

    def __init__(self, change: Callable[[str, Any], None]) -> None:
        self._change = change
        self._boxes: dict[str, ui.checkbox] = {}
        with ui.button(icon="layers").props('flat dense aria-label="What to draw"').mark("layers"):
            ui.tooltip("What to draw")
            with ui.menu().classes("us-layers"):
                for heading, keys in GROUPS.items():
                    with ui.column().classes("us-layer-group gap-0"):
                        ui.label(heading).classes("us-heading")
                        if heading == "Sensors":
                            self._beams = self._beam_choice()
                        for key in keys:
                            self._boxes[key] = self._box(key, *SHOWN[key])

    def _beam_choice(self) -> ui.select:
        made = ui.select(BEAMS, value="selected", on_change=lambda e: self._change("beams", e.value))
        return made.props('dense outlined options-dense aria-label="beams"').classes("full-width").mark("beams")

    def _box(self, key: str, label: str, hint: str, initial: bool) -> ui.checkbox:
        box = ui.checkbox(label, value=initial, on_change=lambda e: self._change(key, e.value)).props("dense")
        return box.classes("q-mt-xs").tooltip(hint).mark(f"show-{key}")

    def show(self, key: str, value: Any) -> bool:
        """Show the value of an option that was changed elsewhere; returns whether it is one of the menu's."""
        if key == "beams":
            self._beams.set_value(value)
        elif key in self._boxes:
            self._boxes[key].set_value(value)
        else:
            return False
        return True
