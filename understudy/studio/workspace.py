"""The scene as a file: what would be saved, where it may be, and whether that differs from what is there.

A browser names files only: they are in the folder of the scene, or in the current one if the scene is one of ours.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path, PurePosixPath

from understudy.assets.files import Contents
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import targets
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.native.kept_edits import self_contained, with_edits
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.world.scene import Ground, Scene

log = logging.getLogger(__name__)
SUFFIX = ".toml"
MOST_LETTERS = 60
MOST_HEAD = 1_000_000  # bytes of a file in which its schema is searched
_NAME = re.compile(r"[\w .()+-]+")


def new_scene() -> Document:
    """Return an empty room."""
    return Document(Scene(name="untitled", ground=Ground((10.0, 8.0), walled=True)), "untitled")


class Workspace:
    """The file of one simulation."""

    def __init__(self, sim: Sim, path: Path | None, here: Path) -> None:
        self._source = sim.source
        self._first = sim.start  # the flat scene that the document gave
        self._saved = sim.start
        self._compared: tuple[Scene, bool] = sim.start, False
        self.path = path if path is not None and path.suffix == SUFFIX and not _is_ours(path) else None
        self.name = path.stem if path is not None else "untitled"
        home = path.parent if path is not None and not _is_ours(path) else here
        self.folder = home.resolve()

    def is_dirty(self, sim: Sim) -> bool:
        """Return whether the scene has changes that are not saved."""
        if self._compared[0] is not sim.start:  # comparing takes time, and scenes are frozen
            self._compared = sim.start, sim.start != self._saved
        return self._compared[1]

    def target(self, name: str) -> Path:
        """Return the file that a user's name means; raises FormatError for names that are not plain file names."""
        plain = name.strip().removesuffix(SUFFIX).rstrip(". ")
        if not plain or len(plain) > MOST_LETTERS or plain.startswith(".") or not _NAME.fullmatch(plain):
            raise FormatError(f"{name!r} is not a plain file name: letters, digits, spaces and - _ . ( ) only")
        return self.folder / f"{plain}{SUFFIX}"

    def exists(self, name: str) -> bool:
        """Return whether saving under a name would replace another file."""
        return self.target(name).exists()

    def save(self, sim: Sim, name: str = "", *, present_poses: bool = False) -> Path:
        """Write the scene to its own file, or under a name; raises FormatError or SceneError, then nothing is lost.

        With *present_poses*, robots and other things begin where they are now.
        """
        if not name and self.path is None:
            raise FormatError("the scene has no file yet: save it under a name")
        path = self.target(name) if name else self.path
        assert path is not None
        targets.check(path, "a scene", lambda head: scene_file.sniff(head, ""))
        scene = sim.scene if present_poses else sim.start
        text = self._text(scene, path)
        _write_files(sim, path.parent)
        self._check(text, path, scene)
        try:
            scene_file.save(path, text)
        except OSError as problem:
            raise FormatError(f"{path}: cannot be written ({problem.strerror})") from problem
        self.path, self.name = path, path.stem
        self._first = self._saved = sim.start
        self._compared = sim.start, False
        self._source = scene_file.read(path, vocabulary())
        log.info("saved as %s", path)
        return path

    def rescue(self, sim: Sim, folder: Path) -> Path | None:
        """Write changes that were not saved to a file of *folder*, as the program ends; None if there are none."""
        if not self.is_dirty(sim):
            return None
        target = folder / f"{re.sub(r'[^A-Za-z0-9_-]', '_', self.name)[:MOST_LETTERS]}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            scene_file.save(target, self._text(sim.start, target))
        except (OSError, UnderstudyError) as problem:
            log.warning("changes of the scene were not saved, and could not be kept: %s", problem)
            return None
        log.warning("changes of the scene were not saved; they are kept in %s", target)
        return target

    def _text(self, scene: Scene, path: Path) -> str:
        """Return the file's text: the document's own, edited, or a new one if it goes elsewhere."""
        source, words = self._source, vocabulary()
        at_home = bool(source.text) and Path(source.file).resolve().parent == path.parent and not source.files
        if at_home and source.file.endswith(SUFFIX):
            return scene_file.write(with_edits(source, self._first, scene, words), source)
        return scene_file.write(self_contained(scene, words))

    @staticmethod
    def _check(text: str, path: Path, scene: Scene) -> None:
        """Check that the file can be read again; raises SceneError."""
        found = scene_file.parse(text, str(path), vocabulary(), path.parent)
        names = {thing.name for thing in scene_file.resolve(found, vocabulary(), overlaps_too=False).things()}
        if lost := [thing.name for thing in scene.things() if thing.name not in names]:
            raise FormatError(f"{path.name}: {', '.join(lost[:5])} cannot be saved")


def _is_ours(path: Path) -> bool:
    """Return whether a file belongs to the program, examples included: nothing is saved there."""
    ours = (Path(__file__).parents[1], Path(str(files("understudy.examples"))))
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in ours)


def _write_files(sim: Sim, folder: Path) -> None:
    """Write the files that a scene names into its folder, unless they are there; never replaces one."""
    found: Contents = {**sim.files, **sim.current.files.brought}
    for name, data in found.items():
        parts = PurePosixPath(name).parts
        if not parts or any(part in ("..", "/") or ":" in part or "\\" in part for part in parts):
            continue  # an absolute path, or one that leads elsewhere: it stays where it is
        target = folder.joinpath(*parts)
        if target.exists():
            continue
        if not target.parent.resolve().is_relative_to(folder):
            raise FormatError(f"{name}: leads out of {folder}")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            scene_file.save(target, bytes(data))
        except OSError as problem:
            raise FormatError(f"{target}: cannot be written ({problem.strerror})") from problem


def scenes_in(folders: Iterable[Path], suffixes: tuple[str, ...], most: int = 300) -> dict[str, str]:
    """Return the scenes in some folders: path -> what to say about it."""
    found: dict[str, str] = {}
    for folder in folders:
        for file in sorted(folder.glob("*")) if folder.is_dir() else ():
            if len(found) < most and file.suffix.lower() in suffixes and file.is_file() and _is_scene(file):
                found[str(file.resolve())] = file.name
    return found


def _is_scene(file: Path) -> bool:
    """Return whether a file may be a scene; other TOML files, such as a project's, are not."""
    if file.suffix.lower() != SUFFIX:
        return True
    try:
        with file.open("rb") as opened:
            return scene_file.has_schema(opened.read(MOST_HEAD))
    except OSError:
        return False
