"""SEAR projects on disk: a folder that objects are written to as they are made, and the `.sear` file packed from it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from understudy.assets import archive, fence
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import targets
from understudy.formats.document import Document
from understudy.formats.native.scene_file import save as save_file
from understudy.formats.sear import archive_file, project_file, xml_object
from understudy.formats.sear.archive_file import ENVIRONMENT, ROBOT
from understudy.formats.sear.kinds import KINDS, SearEntry
from understudy.formats.sear.project_file import SearProject
from understudy.sear import ports
from understudy.sim.vocabulary import vocabulary

USUAL_FOLDER = "SEARproject"  # in the working folder, as in SEAR
USER_CODE = "userCode.py"
_PLACES = (ENVIRONMENT, ROBOT)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_PACKED_DATE = (1980, 1, 1, 0, 0, 0)  # equal projects give equal archives


class Project:
    """A project in a folder. Objects are written when they are made, so the folder is always up to date."""

    def __init__(self, folder: str | Path = USUAL_FOLDER) -> None:
        self.folder = Path(folder)

    # ---- objects

    def put(self, entry: SearEntry) -> None:
        """Write an object; one that became a component of a robot moves from environment/ to robot/."""
        place = ROBOT if entry.robot else KINDS[entry.kind].place
        for other in _PLACES:
            if other != place:
                self._file(entry.name, other).unlink(missing_ok=True)
        file = self._file(entry.name, place)
        file.parent.mkdir(parents=True, exist_ok=True)
        save_file(file, xml_object.write(entry))

    def remove(self, name: str) -> None:
        """Remove an object; does nothing if there is none of this name."""
        for place in _PLACES:
            self._file(name, place).unlink(missing_ok=True)

    def remove_components(self, robot: str) -> None:
        """Remove the components of a robot that is made again."""
        for file in self._xml_files(ROBOT):
            try:
                entry = xml_object.read(fence.read_bytes(file, xml_object.MOST_BYTES), str(file))
            except FormatError:
                continue  # reported when the project is read
            if entry.robot == robot:
                file.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove all objects; assets and code stay."""
        for place in _PLACES:
            for file in self._xml_files(place):
                file.unlink(missing_ok=True)

    def _file(self, name: str, place: str) -> Path:
        return self.folder / place / file_name(name)

    def _xml_files(self, place: str) -> list[Path]:
        return sorted((self.folder / place).glob("*.xml"))

    # ---- reading

    def files(self) -> dict[str, bytes]:
        """Return the files of the project by name; links that lead outside are left out."""
        if not self.folder.is_dir():
            raise FormatError(f"{self.folder}: no such project; `understudy sear new {self.folder}` makes one")
        found: dict[str, bytes] = {}
        left = archive_file.MOST_BYTES
        with fence.within([self.folder]):
            for path in sorted(self.folder.rglob("*")):
                name = path.relative_to(self.folder).as_posix()
                if name.startswith(f"{ports.FOLDER}/") or any(part.startswith(".") for part in Path(name).parts):
                    continue
                if len(found) >= archive.MOST_FILES:
                    raise FormatError(f"{self.folder}: too many files for a project (at most {archive.MOST_FILES:,})")
                if fence.is_file(path):
                    found[name] = fence.read_bytes(path, left)
                    left -= len(found[name])
        return found

    def read(self) -> SearProject:
        """Return what the project contains; raises FormatError with file and line."""
        return project_file.read(self.files(), str(self.folder))

    def document(self, dev: bool = False) -> Document:
        """Return the scene of the project, its serial ports in the folder ``ports``; *dev*: under /dev, if allowed."""
        made = project_file.document(self.read(), str(self.folder), vocabulary(), self.folder)
        return ports.placed_in(made, self.port_folder, dev)

    @property
    def port_folder(self) -> Path:
        """Return the folder of the project's serial ports."""
        return self.folder / ports.FOLDER

    # ---- packing

    def pack(self) -> bytes:
        """Return the project as an archive."""
        return packed(self.files())

    def save(self, path: str | Path) -> Path:
        """Pack the project into a `.sear` file and return its path."""
        target = Path(path)
        target = target if target.suffix.lower() in project_file.SUFFIXES else target.with_name(f"{target.name}.sear")
        targets.check(target, "a project", _is_archive)
        save_file(target, self.pack())
        return target


def _is_archive(head: bytes) -> bool:
    return head.startswith(archive.SIGNATURE)


def file_name(name: str) -> str:
    """Return the file name of an object: its own name where a file system allows it.

    >>> file_name("trash Can"), file_name("a/b")
    ('trash Can.xml', 'a%2Fb.xml')
    """
    stem = quote(name, safe=" ()+,'")
    if len(stem) > 150 or stem.endswith((" ", ".")) or stem.startswith(".") or _RESERVED.fullmatch(stem):
        stem = f"object-{blake2b(name.encode(), digest_size=8).hexdigest()}"
    return f"{stem}.xml"


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return files as an archive; equal files give equal archives."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _PACKED_DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            made.writestr(entry, files[name])
    return target.getvalue()


def existing(folder: str | Path) -> Project:
    """Return the project in a folder; raises FormatError if there is none in it."""
    project = Project(folder)
    if project.folder.is_dir() and not any((project.folder / place).is_dir() for place in _PLACES):
        raise FormatError(f"{folder}: not a project of SEAR (it has neither {ENVIRONMENT}/ nor {ROBOT}/)")
    return project


def open_project(path: str | Path, folder: str | Path | None = None) -> Project:
    """Return the project in a folder, or unpack a `.sear` file into *folder* (default: its name without suffix).

    The folder must not exist or must be empty, so nothing is overwritten.
    """
    source = Path(path)
    if source.is_dir():
        return existing(source)
    files = archive_files(source)
    project_file.checked(project_file.read(files, str(source)), str(source))  # before anything is written
    return unpack(files, Path(folder) if folder is not None else source.with_suffix(""))


def archive_files(path: Path) -> dict[str, bytes]:
    """Return the files of a `.sear` file by name; raises FormatError with the reason if it is damaged or hostile."""
    try:
        data = fence.read_bytes(path, archive_file.MOST_BYTES)
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None
    return archive_file.unpacked(data, str(path))


def unpack(files: Mapping[str, bytes], folder: Path) -> Project:
    """Write files into a new or empty folder and return the project."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnderstudyError(f"{folder} exists and is not empty: choose another folder")
    for name, data in files.items():
        archive_file.check_name(name, str(folder))
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Project(folder)


# ---- the current project

_current: ContextVar[Project | None] = ContextVar("project", default=None)
_chosen: Project | None = None  # for all threads that have none of their own


def current() -> Project:
    """Return the project that new objects belong to: the chosen one, else ``SEARproject`` in the working folder."""
    return _current.get() or _chosen or Project(Path(USUAL_FOLDER).absolute())


def choose(project: Project | str | Path | None) -> Project:
    """Let new objects belong to a project from now on; None: the usual folder."""
    global _chosen
    _chosen = project if isinstance(project, Project) or project is None else Project(project)
    return current()


@contextmanager
def using(project: Project | str | Path) -> Iterator[Project]:
    """Let objects that are made in this block belong to a project."""
    chosen = project if isinstance(project, Project) else Project(project)
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)
