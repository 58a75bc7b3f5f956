"""The views as a NiceGUI element of a page; implemented in `web/stage.js`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nicegui.elements.scene  # noqa: F401 - puts three.js into the page's import map
from nicegui.element import Element

Hear = Callable[[dict[str, Any]], None]


class StageView(Element, component=Path(__file__).parent / "web" / "component.js"):
    """Panes with 3D views and maps. All event handlers are registered here: a later one would remount the element."""

    def __init__(self, *, dark: bool, on_message: Hear, on_select: Hear, on_tool: Hear, on_option: Hear) -> None:
        super().__init__()
        self._props["dark"] = dark
        self._props["defaults"] = {}
        self.on("message", lambda event: on_message(event.args))
        self.on("select", lambda event: on_select(event.args))
        self.on("tool", lambda event: on_tool(event.args))
        self.on("option", lambda event: on_option(event.args))

    def set(self, key: str, value: Any) -> None:
        """Change a drawing option, in this browser only."""
        self.run_method("set", key, value)

    def set_tool(self, tool: str) -> None:
        """Select the mouse tool: measure, a thing to place, or empty for none."""
        self.run_method("setTool", tool)

    def be_dark(self, dark: bool) -> None:
        """Switch to the dark or light theme."""
        self._props["dark"] = dark
        self.update()
