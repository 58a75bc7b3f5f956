"""Convert between file formats through the scene, and report what was lost."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator

from understudy import formats
from understudy.errors import FormatError, Problem, nearest
from understudy.formats import Format, ReportsLosses, Saver, Writer, robot_formats, targets
from understudy.formats.aria import map_append, map_file, map_write
from understudy.formats.native import robot_files, scene_file
from understudy.formats.pictures import bitmap
from understudy.frozen import frozen
from understudy.world.file_names import file_names, seen_from_beside
from understudy.world.resolve import edged, merged, placed
from understudy.world.robot import PlacedRobot
from understudy.world.scene import COLLECTIONS, THING_KEYS, Scene
from understudy.world.vocabulary import Vocabulary


@frozen
class Conversion:
    """The result: the files written, what they cannot store, and the warnings from reading the source."""

    files: tuple[pathlib.Path, ...]
    left_out: tuple[str, ...]
    warnings: tuple[Problem, ...]
    became: tuple[Problem, ...] = ()


def convert(source: pathlib.Path, target: pathlib.Path, vocabulary: Vocabulary) -> Conversion:
    """Write the scene in *source* as the format that the suffix of *target* names; raises FormatError or SceneError."""
    known = writer_of(target)
    check_target(known, source, target)
    document = formats.read(source, vocabulary)
    _check_sources(known, scene_file.resolve(document, vocabulary), source, target)
    if known is scene_file:
        if document.files and any(file_names(document.scene)):
            raise FormatError(f"{source}: the scene names files that are in the archive; unpack it, then convert")
        ours = formats.FORMATS[document.format] is scene_file
        scene = document.scene if ours else _seen_from(target.parent, document.scene, source.parent)
        scene_file.save(target, scene_file.write(scene, document if ours else None))
        return Conversion((target,), (), document.warnings, document.became)
    scene, _ = placed(edged(merged(document.scene)))
    written = _written(known, scene, target)
    return Conversion(written, tuple(_lost(known, scene, target, vocabulary)), document.warnings, document.became)


def _seen_from(home: pathlib.Path, scene: Scene, folder: pathlib.Path) -> Scene:
    """Return a scene of *folder* with its files named as they are found from *home*."""
    way = robot_files.way(home, folder)
    moved = seen_from_beside(scene, f"{way}/scene")
    return dataclasses.replace(moved, robots=tuple(_robot_seen(robot, way) for robot in moved.robots))


def _robot_seen(robot: PlacedRobot, way: str) -> PlacedRobot:
    """Return a robot whose robot file, and the files that its own table names, are found by way of a folder."""
    is_beside = robot_formats.named(robot.model) and not pathlib.PurePath(robot.model).is_absolute()
    model = f"{way}/{robot.model}" if is_beside and way not in ("", ".") else robot.model
    overrides = robot.overrides and robot_files.seen_from_beside(robot.overrides, way)
    return dataclasses.replace(robot, model=model, overrides=overrides)


def into_map(source: pathlib.Path, old: pathlib.Path, target: pathlib.Path, vocabulary: Vocabulary) -> int:
    """Write the map *old* with the lines of *source* added and all else unchanged; returns the number of lines."""
    if target != old:
        check_target(map_file, source, target)
    scene, _ = placed(edged(merged(formats.read(source, vocabulary).scene)))
    pieces = map_write.plan_of(scene).pieces
    scene_file.save(target, map_append.add_lines(formats.content(old), str(old), pieces))
    return len(pieces)


def check_target(known: Format, source: pathlib.Path, target: pathlib.Path) -> None:
    """Raise FormatError if a conversion would overwrite what it reads, or a file of another format."""
    if target.exists() and source.exists() and target.samefile(source):
        raise FormatError(f"{target}: is the source file; choose another output name")
    targets.check(target, f"a {target.suffix} file of this format", lambda head: _is_own(known, head, target.name))
    for companion in _companions(known, target):
        if companion.exists() and not target.exists():
            raise FormatError(f"{companion}: belongs to {target.name} but already exists; choose another name")


def _is_own(known: Format, head: bytes, name: str) -> bool:
    """Return whether a file has a format by its content, not only by its name."""
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
    """Return the format that writes files with the suffix of *target*; raises FormatError that lists the suffixes."""
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
    scene_file.save(target, known.write(scene))
    return (target,)


def _lost(known: Format, scene: Scene, target: pathlib.Path, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what the file does not store; a format that cannot report this is read back and compared."""
    if scene.events:
        yield f"{len(scene.events)} event{'s' if len(scene.events) != 1 else ''}"
    if isinstance(known, ReportsLosses):
        yield from known.left_out(scene)
        return
    again = merged(formats.read(target, vocabulary).scene)
    for cls, collection in COLLECTIONS.items():
        count = len(getattr(scene, collection))
        if count and not getattr(again, collection):
            yield f"{count} {THING_KEYS[cls]}{'s' if count != 1 else ''}"
    for name in ("origin", "map"):
        if getattr(scene, name) and not getattr(again, name):
            yield f"the settings of [{name}]"
