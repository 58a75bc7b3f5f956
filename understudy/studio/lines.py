"""Lines in columns as a NiceGUI element; implemented in `web/lines.js`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nicegui.element import Element

MOST = 300  # lines that a browser keeps


class LineList(Element, component=Path(__file__).parent / "web" / "lines.component.js"):
    """Shows the last lines of something that goes on; *folds*: one that repeats is shown once, with its count."""

    def __init__(self, empty: str, *, folds: bool = False) -> None:
        super().__init__()
        self._props |= {"most": MOST, "empty": empty, "folds": folds}

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add lines at the end; each has a number, when, level and text, and may have a mark and words."""
        if found := list(rows)[-MOST:]:
            self.run_method("add", found)

    def clear(self) -> None:  # type: ignore[override]
        """Take all lines away."""
        self.run_method("clear")
