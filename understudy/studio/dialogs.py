"""Dialogs of the page, each can be cancelled; and hints that a menu does not hide behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from nicegui import ui


@contextmanager
def dialog(title: str, hint: str = "") -> Iterator[ui.dialog]:
    """Build an open dialog with a title; its buttons follow with `actions`."""
    with ui.dialog(value=True) as made, ui.card().classes("us-dialog"):
        ui.label(title).classes("text-weight-bold")
        if hint:
            ui.label(hint).classes("us-quiet")
        yield made


def actions(made: ui.dialog, *buttons: tuple[str, Callable[[], Awaitable[None] | None]], mark: str = "") -> None:
    """Build the last row of a dialog: Cancel, and buttons that close it and then act; the last is the usual one."""

    def press(call: Callable[[], Awaitable[None] | None]) -> Callable[[], Awaitable[None] | None]:
        def pressed() -> Awaitable[None] | None:
            made.close()
            return call()

        return pressed

    with ui.row().classes("full-width justify-end gap-2"):
        ui.button("Cancel", on_click=made.close).props("no-caps flat").mark(f"{mark}-cancel")
        for label, call in buttons:
            look = "no-caps" if label == buttons[-1][0] else "no-caps outline"
            ui.button(label, on_click=press(call)).props(look).mark(f"{mark}-{label.split()[0].lower()}")


def beside(hint: str) -> None:
    """Build the tooltip of a button with a menu: beside it, because the menu opens below."""
    ui.tooltip(hint).props('anchor="center right" self="center left"')
