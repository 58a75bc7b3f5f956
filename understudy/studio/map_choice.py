"""Map selection: from the folders of the simulation, or by upload."""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from nicegui import events, ui

from understudy.frozen import frozen

SUFFIXES = (".map", ".wld", ".maz", ".world", ".toml", ".png", ".pgm", ".yaml")
MOST_BYTES = 200_000_000
MOST_FILES = 500
MOST_LETTERS = 60  # of a file name; longer names are cut at the start


def maps_in(folders: Iterable[Path]) -> dict[str, str]:
    """Return the maps in *folders*: absolute path -> displayed text."""
    found: dict[str, str] = {}
    for folder in folders:
        for file in sorted(folder.glob("*")) if folder.is_dir() else ():
            if file.suffix.lower() in SUFFIXES and file.is_file() and len(found) < MOST_FILES:
                found[str(file.resolve())] = f"{file.name}   ({folder.resolve()})"
    return found


def safe_name(name: str) -> str:
    """Return the name under which an uploaded file is stored: a plain file name without path components."""
    plain = re.sub(r"[^\w .()+-]", "_", Path(name).name).strip(". ")
    return plain[-MOST_LETTERS:] or "map"


def _new_folder() -> Path:
    """Return an empty folder that is deleted when the process ends, because a map may be reloaded."""
    folder = Path(tempfile.mkdtemp(prefix="understudy-map-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@frozen
class MapChoice:
    """A map that a user has chosen; it may name other files (includes, pictures) below the folders *within* only."""

    path: Path
    within: tuple[Path, ...]


def chooser(folders: Sequence[Path], chosen: Callable[[MapChoice], None]) -> None:
    """Build a list of maps and an upload field; the chosen map is passed to *chosen*."""
    known = maps_in(folders)

    def pick(event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value:
            chosen(MapChoice(Path(str(event.value)), tuple(folders)))

    if known:
        select = ui.select(known, label="choose a map", with_input=True).props("dense outlined options-dense")
        select.classes("full-width").tooltip("choose a map, or type a part of its name").mark("map-file")
        select.on_value_change(pick)
    else:
        ui.label("No maps found in this folder.").classes("us-quiet")

    async def uploaded(event: events.UploadEventArguments) -> None:
        file = _new_folder() / safe_name(event.file.name)
        await event.file.save(file)
        chosen(MapChoice(file, (file.parent,)))

    ui.upload(label="or upload a map", auto_upload=True, max_file_size=MOST_BYTES, on_upload=uploaded).props(
        'flat bordered aria-label="upload a map" title="upload a map from this computer"'
    ).classes("full-width").mark("map-upload")
