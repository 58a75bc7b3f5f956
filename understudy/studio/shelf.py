"""The left drawer: what can be added, and everything that is in the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from understudy.sim.vocabulary import vocabulary
from understudy.studio import palette

ICONS = {"robot": "smart_toy", "ball": "sports_soccer", "wall": "fence", "light": "lightbulb"}
MOST_THINGS = 200


class Shelf:
    """A drawer whose things can be placed, selected and deleted; a tape's cannot be changed."""

    def __init__(
        self, pick: Callable[[str], None], select: Callable[[str], None], remove: Callable[[str], None], fixed: bool
    ) -> None:
        self._pick, self._select, self._remove, self._fixed = pick, select, remove, fixed
        self.drawer = ui.left_drawer(value=False, bordered=True).props("width=220 breakpoint=900 show-if-above")
        with self.drawer.classes("us-chrome q-pa-sm"):
            if not fixed:
                self._palette()
            ui.label("In the scene").classes("us-heading q-mt-md")
            self._things = ui.column().classes("us-things gap-0 full-width")

    def _palette(self) -> None:
        ui.label("Add to the scene").classes("us-heading")
        models = {name: name for name in vocabulary().catalog}
        chosen = ui.select(models, value="p3dx", with_input=True, label="robot").props("dense outlined options-dense")
        chosen.classes("full-width").tooltip("Robot model to add; type a part of its name").mark("model")
        ui.button("Add robot", icon="smart_toy", on_click=lambda: self._pick(str(chosen.value))).props(
            "dense no-caps outline"
        ).classes("full-width q-my-xs").tooltip("Then click where to place it").mark("add-robot")
        with ui.element("div").classes("us-palette"):
            for what, hint in palette.HINTS.items():
                then = "" if what == "wall" else "; then click where to place it"
                ui.button(what, on_click=lambda what=what: self._pick(what)).props("dense no-caps outline").tooltip(
                    f"{hint}{then}"
                ).mark(f"add-{what}")

    def show(self, things: list[dict[str, Any]]) -> None:
        """List what is in the scene."""
        self._things.clear()
        with self._things:
            for thing in things[:MOST_THINGS]:
                self._thing(thing["name"], thing["what"])
            if len(things) > MOST_THINGS:
                ui.label(f"... and {len(things) - MOST_THINGS} more").classes("us-quiet")

    def _thing(self, name: str, what: str) -> None:
        with ui.row().classes("us-thing items-center no-wrap full-width gap-1"):
            ui.icon(ICONS.get(what, "category")).classes("us-quiet")
            ui.button(name, on_click=lambda: self._select(name)).props("flat dense no-caps align=left").classes(
                "col ellipsis"
            ).tooltip(f"select {name}")
            if not self._fixed:
                ui.button(icon="delete", on_click=lambda: self._remove(name)).props(
                    f'flat dense size=sm aria-label="delete {name}"'
                ).tooltip(f"delete {name} (Delete)")
