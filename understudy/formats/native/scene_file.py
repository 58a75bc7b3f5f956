"""Our own scene files: TOML with ``schema = 1``, read, flattened, and written with comments preserved."""

from __future__ import annotations

import os
import pathlib
import re
import tempfile

from understudy.errors import SceneError
from understudy.formats.document import Document, as_text
from understudy.formats.native.scene_flat import Flattener
from understudy.formats.native.scene_read import Loader
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "Document", "parse", "read", "resolve", "save", "sniff", "write"]

SUFFIXES: tuple[str, ...] = (".toml",)
_SCHEMA = re.compile(rb"^[ \t]*schema[ \t]*=", re.MULTILINE)


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a native scene."""
    return name.lower().endswith(SUFFIXES) or (b"\0" not in data and has_schema(data))


def has_schema(data: bytes) -> bool:
    """Return whether a text says which schema of scenes it follows, as every scene does."""
    return _SCHEMA.search(data) is not None


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the document that a file's text describes; raises SceneError with every error that can be found."""
    loader = Loader(vocabulary.kinds)
    return _checked(loader, loader.load(as_text(data, file), file, folder), vocabulary)


def read(path: str | os.PathLike[str], vocabulary: Vocabulary) -> Document:
    """Return the document in the file at *path*, its includes read too; raises SceneError."""
    loader = Loader(vocabulary.kinds)
    return _checked(loader, loader.read(pathlib.Path(path), str(path)), vocabulary)


def _checked(loader: Loader, document: Document, vocabulary: Vocabulary) -> Document:
    if loader.problems:
        flattener = Flattener(document, vocabulary)
        flattener.run(loader.broken)
        raise SceneError(flattener.places.ordered([*loader.problems, *flattener.problems]))
    return document


def resolve(document: Document, vocabulary: Vocabulary, overlaps_too: bool = True) -> Scene:
    """Return the flat scene that engines see; raises SceneError with every error, including robots inside walls."""
    flattener = Flattener(document, vocabulary)
    with document.opened():
        scene = flattener.run(set(), overlaps_too)
    if flattener.problems:
        raise SceneError(flattener.places.ordered(flattener.problems))
    return scene


def write(scene: Scene, like: Document | None = None) -> str:
    """Return *scene* as TOML; with *like*, that document's text with only the differences edited."""
    from understudy.formats.native import scene_write  # few runs write a scene

    return scene_write.write(scene, like)


def save(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write atomically (temporary file and rename): a reader never sees a partial file; text is UTF-8."""
    data = content.encode() if isinstance(content, str) else content
    if _is_special(pathlib.Path(path)):
        pathlib.Path(path).write_bytes(data)
        return
    target = pathlib.Path(path).resolve()
    handle, aside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        pathlib.Path(aside).chmod(_mode(target))
        pathlib.Path(aside).replace(target)
    except BaseException:
        pathlib.Path(aside).unlink(missing_ok=True)
        raise


def _is_special(path: pathlib.Path) -> bool:
    """Return whether this is a device or a pipe, such as /dev/null, which a rename would replace."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _mode(target: pathlib.Path) -> int:
    """Return the permissions that the file has, or those of an ordinary new file."""
    return target.stat().st_mode & 0o777 if target.exists() else 0o644
