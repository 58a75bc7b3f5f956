"""Map files that clients request: found in allowed folders only, and read while the simulation runs."""

from __future__ import annotations

import dataclasses
import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from understudy import formats
from understudy.assets import fence
from understudy.assets.files import Contents
from understudy.errors import FormatError, UnderstudyError
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import Bring, Change, KeepMap, LoadMap
from understudy.world.file_names import seen_from_beside

FILES = "files"  # the source of files that come along with a request
log = logging.getLogger(__name__)
Stamp = tuple[Path, int, int]  # a file, its modification time (ns), its length (bytes)


def read(path: Path, name: str = "", within: Sequence[Path] | None = None) -> tuple[list[Bring], LoadMap]:
    """Return the change that replaces the map with a file of any format, and the changes that bring its files.

    The file may refer to other files below the folders *within* only; None: anywhere. Raises FormatError or SceneError.
    """
    words = vocabulary()
    with fence.within(within):
        document = formats.read(path, words)
        scene = dataclasses.replace(scene_file.resolve(document, words), robots=(), events=())
        files = document.contents(scene)
    folder = _folder_for(path, files)
    brought = [Bring.of(str(PurePosixPath(folder, each)), data) for each, data in sorted(files.items())]
    return brought, LoadMap(seen_from_beside(scene, f"{folder}/{path.name}") if files else scene, name or str(path))


def _folder_for(path: Path, files: Contents) -> str:
    """Return a folder for the files of a map in the run, whose own may have the same names; made from their content."""
    crc = 0
    for name, data in sorted(files.items()):
        crc = zlib.crc32(data, zlib.crc32(name.encode(), crc))
    return f"{path.stem}-{crc:08x}"


def find(name: str, folders: Sequence[Path]) -> Path:
    """Return the file that a client names, ignoring case; raises FormatError.

    A name is relative to the folders, in order, or the absolute path of a file in one of them. Symbolic links that
    lead out of a folder are not followed.
    """
    for folder in folders:
        for path in _matches(folder, _steps(name, folder)):
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                return path
    places = ", ".join(str(folder) for folder in folders)
    raise FormatError(f"no map {name!r} in {places}; allow another folder with --map-dir")


def _steps(name: str, folder: Path) -> list[str]:
    """Return the path from the folder to the file, as the client spells it; empty if it leads out of the folder."""
    parts = list(PurePosixPath(name.replace("\\", "/")).parts)
    base = [part.casefold() for part in PurePosixPath(folder.absolute().as_posix()).parts]
    if [part.casefold() for part in parts[: len(base)]] == base:
        parts = parts[len(base) :]
    return [] if any(part in ("/", "..") or part.endswith(":") for part in parts) else parts


def _matches(folder: Path, steps: Sequence[str]) -> Iterator[Path]:
    """Yield the files at the end of *steps*, exact spellings first."""
    if not steps or not folder.is_dir():
        return
    wanted = steps[0].casefold()
    found = sorted((p for p in folder.iterdir() if p.name.casefold() == wanted), key=lambda p: (p.name != steps[0], p))
    for path in found:
        if len(steps) == 1:
            yield path
        else:
            yield from _matches(path, steps[1:])


class MapFiles:
    """Reads maps for clients, one after the other, in a thread of its own; the run continues meanwhile."""

    def __init__(self, folders: Sequence[Path], post: Callable[[Change, str], None]) -> None:
        self._folders, self._post = folders, post
        self._latest: Stamp | None = None  # the current map
        self.within: Sequence[Path] | None = None  # folders of the files that the map may refer to
        self._worker: ThreadPoolExecutor | None = None
        self._reading: Future[None] | None = None

    @property
    def path(self) -> Path | None:
        """Return the file of the current map, None if it did not come from a file."""
        return None if self._latest is None else self._latest[0]

    @property
    def folders(self) -> Sequence[Path]:
        """Return the folders from which clients may load maps."""
        return self._folders

    def idle(self) -> bool:
        """Return whether every requested map has been read."""
        return self._reading is None or self._reading.done()

    def note(self, path: Path | None, within: Sequence[Path] | None = None) -> None:
        """Record the file of the current map (None: no file) and the folders of the files that it may refer to."""
        self._latest, self.within = None if path is None else _stamp(path), within

    def fetch(self, name: str, source: str) -> None:
        """Read the map that *source* requests and post it, or post that it is loaded already; on errors, log them."""
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "maps")
        self._reading = self._worker.submit(self._fetch, name, source)

    def _fetch(self, name: str, source: str) -> None:
        try:
            path = find(name, self._folders)
            if _stamp(path) == self._latest:
                self._post(KeepMap(name), source)
                return
            files, change = read(path, name, self._folders)
            self.note(path, self._folders)
            for file in files:
                self._post(file, FILES)
            self._post(change, source)
        except (UnderstudyError, OSError) as problem:
            log.warning("%s: %s", source, problem)
        except Exception:  # a map may be invalid in unforeseen ways
            log.exception("%s: map %r cannot be read", source, name)

    def close(self) -> None:
        """End the thread; maps still being read are dropped."""
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return path.resolve(), status.st_mtime_ns, status.st_size
