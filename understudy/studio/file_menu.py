"""The file menu: new, open, recent files, save, save as; changes that are not saved are asked about."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from understudy.errors import UnderstudyError
from understudy.studio.dialogs import actions, beside, dialog
from understudy.studio.file_desk import FileDesk


class FileMenu:
    """A button with a menu; *is_dirty* says whether there are changes that are not saved."""

    def __init__(self, desk: FileDesk, is_dirty: Callable[[], bool]) -> None:
        self._desk, self._is_dirty = desk, is_dirty
        with ui.button(icon="folder_open").props('flat dense aria-label="File: new, open, save"').mark("file"):
            beside("File: new, open, save")
            with ui.menu().classes("us-file-menu"):
                if desk.can_open:
                    self._item("New", "an empty room", lambda: self._ask_first(desk.new))
                    self._item("Open ...", "another scene", lambda: self._ask_first(self._choose))
                    ui.separator()
                self._item("Save", "Ctrl S", self.save)
                self._item("Save as ...", "under another name", self.save_as)
                self._item("Save present poses as ...", "robots begin where they are now", self._save_poses)

    def _item(self, label: str, hint: str, call: Callable[[], None]) -> None:
        item = ui.menu_item(on_click=call).mark(f"file-{label.split()[0].lower()}")
        with item, ui.row().classes("items-center justify-between no-wrap full-width gap-4"):
            ui.label(label)
            ui.label(hint).classes("us-quiet")

    # ---- saving

    def save(self) -> None:
        """Save to the scene's own file; one that has none gets a name first."""
        if self._desk.workspace.path is None:
            self.save_as()
        else:
            self._desk.save()

    def save_as(self) -> None:
        """Ask for a name, and save."""
        self._ask_name("Save as", present_poses=False)

    def _save_poses(self) -> None:
        self._ask_name("Save present poses as", present_poses=True)

    def _ask_name(self, title: str, *, present_poses: bool, then: Callable[[], None] | None = None) -> None:
        workspace = self._desk.workspace
        with dialog(title, f"In {workspace.folder}") as made:
            name = ui.input("file name", value=workspace.name, suffix=".toml").props("autofocus outlined dense")
            name.classes("full-width").mark("save-name")
            problem = ui.label("").classes("text-negative").mark("save-problem")

            def save() -> None:
                text = str(name.value or "")
                try:
                    is_there = workspace.exists(text)
                except UnderstudyError as wrong:
                    problem.text = str(wrong)
                    return
                made.close()
                if is_there and workspace.target(text) != workspace.path:
                    self._ask_to_replace(text, present_poses)
                else:
                    self._desk.save(text, present_poses=present_poses)

            name.on("keydown.enter", save)
            with ui.row().classes("full-width justify-end gap-2"):
                ui.button("Cancel", on_click=made.close).props("no-caps flat").mark("save-cancel")
                ui.button("Save", on_click=save).props("no-caps").mark("save-go")

    def _ask_to_replace(self, name: str, present_poses: bool) -> None:
        file = self._desk.workspace.target(name).name
        with dialog(f"Replace {file}?", "A file of that name is there already.") as made:
            actions(made, ("Replace", lambda: self._desk.save(name, present_poses=present_poses)), mark="replace")

    # ---- opening

    def _ask_first(self, then: Callable[[], None]) -> None:
        """Do something that ends this scene, after asking about changes that are not saved."""
        if not self._is_dirty():
            then()
            return
        with dialog("Save the changes first?", f"{self._desk.workspace.name} has changes that are not saved.") as made:
            actions(made, ("Discard changes", then), ("Save", self.save), mark="unsaved")

    def _choose(self) -> None:
        with dialog("Open a scene") as made:
            with ui.column().classes("us-open-list full-width gap-0 no-wrap"):
                for heading, found in self._desk.choices().items():
                    ui.label(heading).classes("us-heading q-mt-sm")
                    for path, name in found.items():
                        ui.button(name, on_click=lambda path=path: self._open(made, path)).props(
                            "flat dense no-caps align=left"
                        ).classes("full-width").tooltip(path)
            actions(made, mark="open")

    def _open(self, made: ui.dialog, path: str) -> None:
        made.close()
        try:
            self._desk.open(path)
        except UnderstudyError as problem:  # gone in the meantime
            ui.notify(str(problem), type="negative")
