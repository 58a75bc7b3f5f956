"""Map files: what clients ask for, and what that names, lies in allowed folders; read beside the running simulation."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from understudy import formats
from understudy.errors import FormatError, UnderstudyError
from understudy.formats import fence, native
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import Change, KeepMap, LoadMap

log = logging.getLogger(__name__)
Stamp = tuple[Path, int, int]  # a file, when it was changed (ns), how long it is


def read(path: Path, name: str = "", within: Sequence[Path] | None = None) -> LoadMap:
    """Return the change that exchanges the world for that of a file of any format; raises FormatError, SceneError.

    The file may name others below the folders *within* only; None: any.
    """
    words = vocabulary()
    with fence.within(within):
        scene = native.resolve(formats.read(path, words), words)
    return LoadMap(dataclasses.replace(scene, robots=()), name or str(path))


def find(name: str, folders: Sequence[Path]) -> Path:
    """Return the file that a client means, whatever the case of its letters; raises FormatError.

    A name is relative to the folders, in order, or the whole path of a file in one of them; links do not lead out.
    """
    for folder in folders:
        for path in _matches(folder, _steps(name, folder)):
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                return path
    places = ", ".join(str(folder) for folder in folders)
    raise FormatError(f"no map {name!r} in {places}; another folder is allowed with --map-dir")


def _steps(name: str, folder: Path) -> list[str]:
    """Return the way from the folder to the file, as the client spells it; empty if there is none."""
    parts = list(PurePosixPath(name.replace("\\", "/")).parts)
    base = [part.casefold() for part in PurePosixPath(folder.absolute().as_posix()).parts]
    if [part.casefold() for part in parts[: len(base)]] == base:
        parts = parts[len(base) :]
    return [] if any(part in ("/", "..") or part.endswith(":") for part in parts) else parts


def _matches(folder: Path, steps: Sequence[str]) -> Iterator[Path]:
    """Yield what lies at the end of *steps*, exact spellings first."""
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
    """Reads maps for clients, one after the other, in a thread of its own; the run goes on meanwhile."""

    def __init__(self, folders: Sequence[Path], post: Callable[[Change, str], None]) -> None:
        self._folders, self._post = folders, post
        self._latest: Stamp | None = None  # the map that is here
        self.within: Sequence[Path] | None = None  # which files that map may name
        self._worker: ThreadPoolExecutor | None = None
        self._reading: Future[None] | None = None

    @property
    def path(self) -> Path | None:
        """Return the file of the map that is here, None if it came from none."""
        return None if self._latest is None else self._latest[0]

    @property
    def folders(self) -> Sequence[Path]:
        """Return where clients may have maps from."""
        return self._folders

    def idle(self) -> bool:
        """Say whether all that was asked for has been read."""
        return self._reading is None or self._reading.done()

    def note(self, path: Path | None, within: Sequence[Path] | None = None) -> None:
        """Remember which file the present map came from (None: from none), and where others that it names may be."""
        self._latest, self.within = None if path is None else _stamp(path), within

    def fetch(self, name: str, source: str) -> None:
        """Read the map that *source* asks for and post it; or that it is here already; or nothing but a warning."""
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, "maps")
        self._reading = self._worker.submit(self._fetch, name, source)

    def _fetch(self, name: str, source: str) -> None:
        try:
            path = find(name, self._folders)
            if _stamp(path) == self._latest:
                self._post(KeepMap(name), source)
                return
            change = read(path, name, self._folders)
            self.note(path, self._folders)
            self._post(change, source)
        except (UnderstudyError, OSError) as problem:
            log.warning("%s: %s", source, problem)
        except Exception:  # a map may be mistaken in ways that nobody has thought of
            log.exception("%s: the map %r cannot be read", source, name)

    def close(self) -> None:
        """End the thread; what it still reads is forgotten."""
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return path.resolve(), status.st_mtime_ns, status.st_size
