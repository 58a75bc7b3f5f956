"""The files that a document names: whether they exist, and the errors in their headers.

The whole of a file is read only when needed.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from understudy.assets import fence
from understudy.assets.files import contents
from understudy.errors import EngineError, FormatError
from understudy.formats.document import Document
from understudy.world.events import thing_of
from understudy.world.file_names import file_names
from understudy.world.records import Finding, KeyPath
from understudy.world.robot import PlacedRobot
from understudy.world.scene import LISTS, Scene, Solid, Thing, Wall
from understudy.world.shapes import Mesh


def findings(document: Document) -> Iterator[Finding]:
    """Yield the errors in the files of a document, as far as their names and headers show them."""
    yield from _absent_files(document)
    yield from _bad_pictures(document)
    yield from _bad_meshes(document)


def _things(document: Document) -> Iterator[tuple[KeyPath, Thing]]:
    """Yield every thing of a document with its key path, also those that its events add."""
    for key, collection in LISTS.items():
        for row, thing in zip(document.rows.get(key, ()), getattr(document.scene, collection)):
            if key != "event":
                yield (key, row), thing
            elif found := thing_of(thing):
                yield (key, row, found[0]), found[1]


def _absent_files(document: Document) -> Iterator[Finding]:
    if document.folder is None:
        return
    yield from _packed_commands(document)
    for path, elsewhere, name in _named_files(document):
        if not name or fence.is_file(document.folder / name):
            continue
        if fence.allows(document.folder / name):
            beside = "" if pathlib.PurePath(name).is_absolute() else f" beside {pathlib.PurePath(document.file).name}"
            yield Finding(path, f"no such file {name!r}{beside}", elsewhere=elsewhere)
        else:
            yield Finding(path, f"cannot read {name!r}: {fence.OUTSIDE}", elsewhere=elsewhere)


def _packed_commands(document: Document) -> Iterator[Finding]:
    for path, thing in _things(document) if fence.is_mounted() else ():
        program = thing.program if isinstance(thing, PlacedRobot) else None
        if program is None or document.folder is None:
            continue
        named = program.may_be_command and not fence.is_file(document.folder / program.folder / program.file)
        if program.command or named:
            yield Finding((*path, "program"), "processes cannot run from an archive; unpack it, or use --program")


def _named_files(document: Document) -> Iterator[tuple[KeyPath, tuple[KeyPath, ...], str]]:
    ground = document.scene.ground
    yield ("ground", "picture"), (), ground.picture
    if ground.heights:
        yield ("ground", "heights", "file"), (("ground", "heights"),), ground.heights.file
    for path, thing in _things(document):
        if isinstance(thing, Wall | Solid):
            yield (*path, "picture"), (), thing.picture
        if isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
            yield (*path, "file"), (), thing.shape.file
        program = thing.program if isinstance(thing, PlacedRobot) else None
        if program and program.file and not program.may_be_command:
            yield (*path, "program", "file"), ((*path, "program"),), program.file
        for unit, firmware in _named_firmware(thing) if isinstance(thing, PlacedRobot) else ():
            yield (*path, "unit", unit, "firmware"), (), firmware


def _named_firmware(robot: PlacedRobot) -> Iterator[tuple[str, str]]:
    """Yield the units that get a firmware in the scene itself; that of a robot file is beside that file."""
    units = (robot.overrides or {}).get("unit")
    for name, unit in units.items() if isinstance(units, Mapping) else ():
        if isinstance(unit, Mapping) and isinstance(unit.get("firmware"), str):
            yield name, unit["firmware"]


def _bad_pictures(document: Document) -> Iterator[Finding]:
    """Yield the errors in the headers of picture files; the whole picture is decoded only when needed."""
    if not any(file_names(document.scene)):
        return
    from understudy.assets.pictures import texture  # most scenes have no pictures

    seen: set[tuple[str, int]] = set()
    total = 0
    for path, name, most in _pictures(document):
        file = document.folder / name if document.folder else None
        if file is None or not name or (name, most) in seen or not fence.is_file(file):
            continue
        seen.add((name, most))
        wrong, pixels = _looked_at(file, name, most)
        total += 0 if path[0] == "ground" else pixels
        if wrong or total > texture.MOST_PIXELS:
            yield Finding(path, wrong or f"{name}: {texture.TOO_MANY}")
            total -= pixels


def _pictures(document: Document) -> Iterator[tuple[KeyPath, str, int]]:
    """Yield every picture with its key path and the maximum number of pixels."""
    from understudy.assets.pictures import texture

    yield ("ground", "picture"), document.scene.ground.picture, texture.MOST_PIXELS
    for path, thing in _things(document):
        if isinstance(thing, Wall | Solid):
            yield (*path, "picture"), thing.picture, texture.MOST_ON_A_THING


def _looked_at(file: pathlib.Path, name: str, most: int) -> tuple[str, int]:
    """Return the error in a picture file (or nothing) and its number of pixels."""
    from understudy.assets.pictures import texture

    size = fence.size_of(file)
    if size > texture.MOST_BYTES:
        return f"{name}: the picture is too large, {size:,} bytes; want at most {texture.MOST_BYTES:,}", 0
    data = fence.read_bytes(file)
    wrong = texture.problem(data, name, most)
    return wrong, 0 if wrong else texture.pixel_count(data, name)


def _bad_meshes(document: Document) -> Iterator[Finding]:
    """Yield the errors in the headers of mesh files; the whole mesh is read only when needed."""
    for path, thing in _things(document):
        shape = thing.shape if isinstance(thing, Solid) else None
        if document.folder is None or not isinstance(shape, Mesh) or not fence.is_file(document.folder / shape.file):
            continue
        from understudy.assets.meshes import mesh  # most scenes have no meshes

        try:
            mesh.kind_of(fence.read_bytes(document.folder / shape.file), shape.file)
        except FormatError as problem:
            yield Finding((*path, "file"), str(problem))
            continue
        if isinstance(thing, Solid) and thing.picture and fence.is_file(document.folder / thing.picture):
            yield from _unwrapped(thing, document.folder, path)


def _unwrapped(solid: Solid, folder: pathlib.Path, path: KeyPath) -> Iterator[Finding]:
    """Yield an error if a mesh cannot have a texture because it has no texture coordinates."""
    from understudy.assets.library import Library

    assert isinstance(solid.shape, Mesh)
    library = Library(contents(Scene(objects=(solid,)), folder))
    key = "file"
    try:
        library.mesh(solid.shape)
        key = "picture"
        library.body(replace(solid, name=solid.name or "the mesh"))
    except FormatError as problem:
        yield Finding((*path, key), str(problem))
    except EngineError:
        return  # the mesh library is not installed; whatever shows the mesh reports it
