"""From one file format to another, through the scene; and in words what did not come along."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass

from understudy import formats
from understudy.errors import FormatError, Problem, nearest
from understudy.formats import (
    Confessor,
    Format,
    Saver,
    Writer,
    aria_into,
    aria_map,
    aria_write,
    bitmap,
    look_files,
    native,
    targets,
)
from understudy.world.file_names import file_names, seen_from_beside
from understudy.world.resolve import edged, merged, placed
from understudy.world.scene import COLLECTIONS, THING_KEYS, Scene
from understudy.world.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Conversion:
    """What came of it: the files that were written, what they do not hold, and what was odd in the one read."""

    files: tuple[pathlib.Path, ...]
    left_out: tuple[str, ...]
    warnings: tuple[Problem, ...]
    became: tuple[Problem, ...] = ()


def convert(source: pathlib.Path, target: pathlib.Path, vocabulary: Vocabulary) -> Conversion:
    """Write the scene in *source* as the format that the suffix of *target* names; raises FormatError or SceneError."""
    known = writer_of(target)
    check_target(known, source, target)
    document = formats.read(source, vocabulary)
    _check_sources(known, native.resolve(document, vocabulary), source, target)
    if known is native:
        ours = formats.detect(source) is native
        scene = document.scene if ours else _seen_from(target.parent, document.scene, source.parent)
        native.save(target, native.write(scene, document if ours else None))
        return Conversion((target,), (), document.warnings, document.became)
    scene, _ = placed(edged(merged(document.scene)))
    written = _written(known, scene, target)
    return Conversion(written, tuple(_lost(known, scene, target, vocabulary)), document.warnings, document.became)


def _seen_from(home: pathlib.Path, scene: Scene, folder: pathlib.Path) -> Scene:
    """Return a scene of *folder* with its files named as they are found from *home*."""
    way = look_files.way(home, folder)
    robots = tuple(
        dataclasses.replace(robot, overrides=robot.overrides and look_files.seen_from_beside(robot.overrides, way))
        for robot in scene.robots
    )
    return dataclasses.replace(seen_from_beside(scene, f"{way}/scene"), robots=robots)


def into_map(source: pathlib.Path, old: pathlib.Path, target: pathlib.Path, vocabulary: Vocabulary) -> int:
    """Write the map *old* with the lines of *source* added and all else as it was; returns how many lines."""
    if target != old:
        check_target(aria_map, source, target)
    scene, _ = placed(edged(merged(formats.read(source, vocabulary).scene)))
    pieces = aria_write.plan_of(scene).pieces
    native.save(target, aria_into.add_lines(formats.content(old), str(old), pieces))
    return len(pieces)


def check_target(known: Format, source: pathlib.Path, target: pathlib.Path) -> None:
    """Raise FormatError if a conversion would overwrite what it reads, or a file of another kind."""
    if target.exists() and source.exists() and target.samefile(source):
        raise FormatError(f"{target}: is the file to be converted; write to another one")
    targets.check(target, f"a {target.suffix} file of this format", lambda head: _is_own(known, head, target.name))
    for companion in _companions(known, target):
        if companion.exists() and not target.exists():
            raise FormatError(f"{companion}: would be written beside {target.name} but exists; choose another name")


def _is_own(known: Format, head: bytes, name: str) -> bool:
    """Say whether the content of a file, and not only its name, is of a format."""
    return known.sniff(head, "") or (known is bitmap and bitmap.sniff(head, name))


def _companions(known: Format, target: pathlib.Path) -> list[pathlib.Path]:
    return [file for file in known.files_of(target) if file != target] if isinstance(known, Saver) else []


def _check_sources(known: Format, scene: Scene, source: pathlib.Path, target: pathlib.Path) -> None:
    """Raise FormatError if a file that the scene names, such as a picture, would be overwritten."""
    written = {file.resolve() for file in (target, *_companions(known, target))}
    for name in file_names(scene):
        if (source.parent / name).resolve() in written:
            raise FormatError(f"{source.parent / name}: {source} uses this file, so it is not overwritten")


def writer_of(target: pathlib.Path) -> Format:
    """Return the format that writes files with the suffix of *target*; raises FormatError that lists what there is."""
    by_suffix = {
        suffix: known
        for known in formats.FORMATS.values()
        for suffix in known.SUFFIXES
        if isinstance(known, Writer | Saver)
    }
    if target.suffix.lower() not in by_suffix:
        wanted = target.suffix or "files without a suffix"
        raise FormatError(f"{target}: no format writes {wanted} {nearest(target.suffix.lower(), by_suffix)}")
    return by_suffix[target.suffix.lower()]


def _written(known: Format, scene: Scene, target: pathlib.Path) -> tuple[pathlib.Path, ...]:
    if isinstance(known, Saver):
        return known.save(scene, target)
    assert isinstance(known, Writer)
    native.save(target, known.write(scene))
    return (target,)


def _lost(known: Format, scene: Scene, target: pathlib.Path, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what the file does not hold; a format that does not say so itself is read again and compared."""
    if isinstance(known, Confessor):
        yield from known.left_out(scene)
        return
    again = merged(formats.read(target, vocabulary).scene)
    for cls, collection in COLLECTIONS.items():
        count = len(getattr(scene, collection))
        if count and not getattr(again, collection):
            yield f"{count} {THING_KEYS[cls]}{'s' if count != 1 else ''}"
    for name in ("origin", "map"):
        if getattr(scene, name) and not getattr(again, name):
            yield f"what [{name}] says"
