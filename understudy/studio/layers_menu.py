"""The menu of what is drawn in the views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from understudy.studio.dialogs import beside

SHOWN: dict[str, tuple[str, str, bool]] = {  # option -> label, hint, initial value
    "hits": ("Hit points", "where beams hit something", True),
    "rays": ("Single rays", "draw every ray as a line", False),
    "trails": ("Trails", "paths that robots have driven", True),
    "grid": ("Grid", "grid lines on the floor, with their spacing (G)", True),
    "names": ("Names", "names of robots and marks", True),
    "odometry": ("Odometry", "the robots' pose estimates, as outlines", False),
    "contacts": ("Contacts", "points where robots touch something", True),
    "shapes": ("Collision shapes", "the shapes that collide with each other", False),
    "large": ("Large", "large type, points and trails, for projectors", False),
}
CHOICES: dict[str, tuple[str, dict[Any, str], Any]] = {  # option -> label, words of its values, initial value
    "beams": (
        "beams",
        {"none": "no beams", "selected": "beams of the selected robot", "all": "beams of all robots"},
        "selected",
    ),
    "trailLength": ("trail length", {0: "whole trails", 1: "1 m", 5: "5 m", 20: "20 m", 100: "100 m"}, 0),
    "trailWidth": ("trail width", {0.5: "thin trails", 1: "medium trails", 2: "wide trails", 4: "very wide trails"}, 1),
    "gridStep": (
        "grid step",
        {0: "grid step that fits", 0.01: "1 cm", 0.05: "5 cm", 0.1: "10 cm", 0.5: "50 cm", 1: "1 m", 5: "5 m"},
        0,
    ),
    "quality": (
        "drawing quality",
        {"auto": "automatic quality", "fast": "fast drawing", "fine": "fine drawing"},
        "auto",
    ),
}
GROUPS = {
    "Sensors": ("beams", "hits", "rays"),
    "Robots": ("trails", "trailLength", "trailWidth", "names", "odometry"),
    "World": ("grid", "gridStep", "contacts", "shapes"),
    "Picture": ("large", "quality"),
}


class LayersMenu:
    """Check boxes and choices under headings; *change* gets option and value."""

    def __init__(self, change: Callable[[str, Any], None], clear_trails: Callable[[], None]) -> None:
        self._change = change
        self._parts: dict[str, ui.checkbox | ui.select] = {}
        with ui.button(icon="layers").props('flat dense aria-label="What to draw"').mark("layers"):
            beside("What to draw")
            with ui.menu().classes("us-layers"):
                for heading, keys in GROUPS.items():
                    with ui.column().classes("us-layer-group gap-0"):
                        ui.label(heading).classes("us-heading")
                        for key in keys:
                            self._parts[key] = self._choice(key) if key in CHOICES else self._box(key, *SHOWN[key])
                        if heading == "Robots":
                            ui.button("Clear trails", icon="clear", on_click=clear_trails).props(
                                "flat dense no-caps"
                            ).tooltip("forget the paths that robots have driven").mark("clear-trails")

    def _choice(self, key: str) -> ui.select:
        label, words, initial = CHOICES[key]
        made = ui.select(words, value=initial, on_change=lambda e: self._change(key, e.value))
        return made.props(f'dense outlined options-dense aria-label="{label}"').classes("full-width q-mt-xs").mark(key)

    def _box(self, key: str, label: str, hint: str, initial: bool) -> ui.checkbox:
        box = ui.checkbox(label, value=initial, on_change=lambda e: self._change(key, e.value)).props("dense")
        return box.classes("q-mt-xs").tooltip(hint).mark(f"show-{key}")

    def show(self, key: str, value: Any) -> bool:
        """Show the value of an option that was changed elsewhere; returns whether it is one of the menu's."""
        part = self._parts.get(key)
        if part is None or (key in CHOICES and value not in CHOICES[key][1]):
            return False
        part.set_value(value)
        return True
