"""How a user has arranged the page: kept in the browser, so that it survives a reload; see `web/layout.js`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui.element import Element


class PageLayout(Element, component=Path(__file__).parent / "web" / "layout.component.js"):
    """Stands in the drawer whose width can be dragged; *on_known* gets what the browser has kept."""

    def __init__(
        self,
        on_known: Callable[[dict[str, Any]], None],
        on_width: Callable[[int], None],
        on_save: Callable[[], None],
    ) -> None:
        super().__init__()
        self.on("known", lambda event: on_known(event.args))
        self.on("wide", lambda event: on_width(int(event.args)))
        self.on("save", on_save)  # Ctrl S, wherever the focus is

    def keep(self, key: str, value: Any) -> None:
        """Keep a value under this key, in this browser."""
        self.run_method("keep", key, value)
