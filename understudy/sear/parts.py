"""Takes a part of another project: its robot, its environment or its code, and the assets that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from understudy.errors import UnderstudyError
from understudy.formats.native.scene_file import save as save_file
from understudy.formats.sear import project_file
from understudy.formats.sear.archive_file import ASSETS, ENVIRONMENT, ROBOT
from understudy.formats.sear.asset_files import asset_name
from understudy.formats.sear.kinds import SearEntry
from understudy.formats.sear.project_file import SearProject
from understudy.sear.projects import Project, archive_files

Part = Literal["robot", "environment", "code"]


def files_of(source: str | Path) -> dict[str, bytes]:
    """Return the files of a project's folder or of a `.sear` file; raises FormatError."""
    path = Path(source)
    return Project(path).files() if path.is_dir() else archive_files(path)


def take(project: Project, source: str | Path, part: Part) -> list[str]:
    """Replace a part of a project by that of another one; returns the names of the files written.

    Everything is checked before anything is written. An asset of the same name and another content is an error.
    """
    other = files_of(source)
    theirs = project_file.read(other, str(source))
    mine = project.files()
    new = _chosen(other, theirs, part)
    if not new:
        raise UnderstudyError(f"{source}: there is no {part} in it")
    for name, data in new.items():
        if name.startswith(f"{ASSETS}/") and mine.get(name, data) != data:
            raise UnderstudyError(f"{project.folder}/{name} differs from the one in {source}: rename one of them")
    kept = {name: data for name, data in mine.items() if not _replaced(name, part)}
    project_file.read({**kept, **new}, str(project.folder))  # refuses names that occur twice
    for name in mine:
        if name not in kept and name not in new:
            (project.folder / name).unlink(missing_ok=True)
    for name, data in new.items():
        target = project.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        save_file(target, data)
    return sorted(new)


def _replaced(name: str, part: Part) -> bool:
    """Return whether a file of a project gives way to the new part; code is added to, and overwritten by name."""
    return part != "code" and _is_object(name, part)


def _chosen(files: Mapping[str, bytes], project: SearProject, part: Part) -> dict[str, bytes]:
    if part == "code":
        return dict(project.code)
    place = ROBOT if part == "robot" else ENVIRONMENT
    objects = {name: data for name, data in files.items() if _is_object(name, place)}
    entries = project.robot if part == "robot" else project.environment
    return {**objects, **_assets(project, entries)} if objects else {}


def _is_object(name: str, place: str) -> bool:
    return name.startswith(f"{place}/") and name.lower().endswith(".xml")


def _assets(project: SearProject, entries: tuple[SearEntry, ...]) -> dict[str, bytes]:
    """Return the assets that objects name, and what lies in the folders of their meshes: materials and textures."""
    wanted: set[str] = set()
    for entry in entries:
        wanted |= {asset_name(entry.values[key]) for key in ("file", "picture") if entry.values.get(key)}
    folders = {str(Path(name).parent) for name in wanted}
    return {
        f"{ASSETS}/{name}": data
        for name, data in project.assets.items()
        if name in wanted or str(Path(name).parent) in folders - {"."}
    }
