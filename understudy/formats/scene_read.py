"""Reading a scene file and its includes: as much of the scene as is right, and every mistake."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from understudy.errors import EngineError, FormatError, Problem, SceneError, excerpt
from understudy.formats import fence, toml_text
from understudy.formats.document import Document
from understudy.formats.files import contents
from understudy.formats.robot_read import placement_keys
from understudy.formats.toml_lines import key_lines
from understudy.world.file_names import file_names
from understudy.world.limits import INCLUDED_DEPTH, TOML_BYTES
from understudy.world.plain import BAD, Mistake, Path, Reader
from understudy.world.robot import Robot
from understudy.world.scene import COLLECTIONS, SCHEMA, THING_KEYS, Include, Scene, Solid
from understudy.world.shapes import Mesh

_PROGRAM_FILES = (".py", ".lasm", ".rcx", ".c")
_APART = frozenset({"schema", "include", *THING_KEYS.values()})


class Loader:
    """Reads a scene file and what it includes; keeps the mistakes and the paths they spoil."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.broken: set[tuple[str, Path]] = set()
        self._seen: set[pathlib.Path] = set()
        self._depth = 0

    def load(self, text: str, file: str, folder: pathlib.Path | None) -> Document:
        """Return what *text* describes, mistaken things left out."""
        text = text.removeprefix("\ufeff")
        if folder is not None:
            self._seen.add((folder / pathlib.PurePath(file).name).resolve())
        try:
            table = toml_text.loads(text, file)
        except SceneError as error:
            self.problems += error.problems
            return Document(Scene(), file, text, folder)
        lines = key_lines(text)
        reader = Reader()
        included = tuple(self._includes(table, file, folder, reader))
        scene, rows = read_scene(reader, table, included)
        document = Document(scene, file, text, folder, lines, included, rows)
        files = (*_absent_files(document), *_bad_pictures(document), *_bad_meshes(document))
        self._note(document, [*reader.mistakes, *files])
        return document

    def read(self, path: pathlib.Path, file: str) -> Document:
        """Return what the file at *path* describes; raises SceneError if it cannot be read."""
        return self.load(read_text(path, file), file, path.parent)

    def _note(self, document: Document, mistakes: list[Mistake]) -> None:
        self.problems += map(document.problem, mistakes)
        self.broken |= {(document.file, mistake.path) for mistake in mistakes}

    def _includes(
        self, table: Mapping[str, Any], file: str, folder: pathlib.Path | None, reader: Reader
    ) -> Iterator[Document]:
        names = table.get("include", [])
        if not isinstance(names, list):
            reader.complain(("include",), 'want a list of files, such as ["walls.toml"]')
            return
        for row, name in enumerate(names):
            document = self._include(name, file, folder, reader, ("include", row))
            if document:
                yield document

    def _include(
        self, name: Any, file: str, folder: pathlib.Path | None, reader: Reader, path: Path
    ) -> Document | None:
        if not isinstance(name, str):
            reader.complain(path, f'want the name of a file, such as "walls.toml", got {excerpt(name)}')
            return None
        if folder is None:
            reader.complain(path, f"cannot look for {name!r}: this text is in no folder")
            return None
        where = folder / name
        if where.resolve() in self._seen:
            reader.complain(path, f"{name!r} is part of this scene already; include it once, and not from itself")
            return None
        if self._depth >= INCLUDED_DEPTH:
            reader.complain(path, f"{name!r} is not read: more than {INCLUDED_DEPTH} files include each other")
            return None
        self._depth += 1
        try:
            return self.read(where, str(pathlib.PurePath(file).parent / name))
        except SceneError as error:
            reader.complain(path, f"{error.problems[0].text}: {name!r}")
            return None
        finally:
            self._depth -= 1


def read_text(path: pathlib.Path, file: str) -> str:
    """Return the text of a file with its line ends; raises SceneError that says why not."""
    try:
        return fence.read_bytes(path, TOML_BYTES).decode()
    except FormatError:
        raise SceneError([Problem(file, 0, "", f"more than {TOML_BYTES:,} bytes are too many")]) from None
    except UnicodeDecodeError as error:
        raise SceneError([Problem(file, 0, "", f"not UTF-8 text (byte {error.start})")]) from None
    except FileNotFoundError:
        raise SceneError([Problem(file, 0, "", "no such file")]) from None
    except OSError as error:
        raise SceneError([Problem(file, 0, "", f"cannot be read ({error.strerror})")]) from None


# ---- tables to records


def read_scene(
    reader: Reader, table: Mapping[str, Any], included: tuple[Document, ...] = ()
) -> tuple[Scene, dict[str, tuple[int, ...]]]:
    """Return the scene of a parsed file without its mistaken parts, and the rows of the things that are in it."""
    if not _schema(reader, table):
        return Scene(), {}
    settings = {key: value for key, value in table.items() if key not in _APART}
    values = reader.values(Scene, settings, (), _APART - table.keys())
    rows: dict[str, tuple[int, ...]] = {}
    for cls, key in THING_KEYS.items():
        things = _things(reader, cls, table.get(key, []), key)
        rows[key] = tuple(things)
        values[COLLECTIONS[cls]] = tuple(things.values())
    values["include"] = tuple(Include(name, part.scene) for name, part in zip(table.get("include", ()), included))
    return Scene(**{name: value for name, value in values.items() if value is not BAD}), rows


def _schema(reader: Reader, table: Mapping[str, Any]) -> bool:
    """Say whether the rest of the file can be read by our rules."""
    if "schema" not in table:
        reader.complain(("schema",), f"missing; write schema = {SCHEMA} as the first line")
    elif isinstance(table["schema"], bool) or table["schema"] != SCHEMA:
        reader.complain(
            ("schema",), f"want {SCHEMA}, the only one that this version reads, got {excerpt(table['schema'])}"
        )
        return False
    return True


def _things(reader: Reader, cls: type, raw: Any, key: str) -> dict[int, Any]:
    if not isinstance(raw, list):
        reader.complain((key,), f"there can be several, so it has double brackets: write [[{key}]]")
        return {}
    things = {row: _thing(reader, cls, item, (key, row)) for row, item in enumerate(raw)}
    return {row: thing for row, thing in things.items() if thing is not BAD}


def _thing(reader: Reader, cls: type, table: Any, path: Path) -> Any:
    is_robot = cls is Robot and isinstance(table, Mapping)
    return _robot(reader, table, path) if is_robot else reader.record(cls, table, path)


def _robot(reader: Reader, table: Mapping[str, Any], path: Path) -> Robot:
    """Return a robot whose mistaken placement is left out, so that what it is made of can still be checked."""
    mine = placement_keys(reader)
    values = reader.values(Robot, {key: value for key, value in table.items() if key in mine}, path)
    overrides = {key: value for key, value in table.items() if key not in mine}
    return Robot(**{k: v for k, v in values.items() if v is not BAD}, overrides=overrides or None)


# ---- files that a scene names


def _absent_files(document: Document) -> Iterator[Mistake]:
    if document.folder is None:
        return
    for path, elsewhere, name in _named_files(document):
        if not name or fence.is_file(document.folder / name):
            continue
        if fence.allows(document.folder / name):
            beside = "" if pathlib.PurePath(name).is_absolute() else f" beside {pathlib.PurePath(document.file).name}"
            yield Mistake(path, f"no such file {name!r}{beside}", elsewhere=elsewhere)
        else:
            yield Mistake(path, f"cannot read {name!r}: {fence.OUTSIDE}", elsewhere=elsewhere)


def _named_files(document: Document) -> Iterator[tuple[Path, tuple[Path, ...], str]]:
    scene = document.scene
    yield ("ground", "picture"), (), scene.ground.picture
    if scene.ground.heights:
        yield ("ground", "heights", "file"), (("ground", "heights"),), scene.ground.heights.file
    for row, wall in zip(document.rows.get("wall", ()), scene.walls):
        yield ("wall", row, "picture"), (), wall.picture
    for row, solid in zip(document.rows.get("object", ()), scene.objects):
        yield ("object", row, "picture"), (), solid.picture
        if isinstance(solid.shape, Mesh):
            yield ("object", row, "file"), (), solid.shape.file
    for row, robot in zip(document.rows.get("robot", ()), scene.robots):
        if robot.program and _is_program_file(robot.program.file):
            yield ("robot", row, "program", "file"), (("robot", row, "program"),), robot.program.file


def _bad_pictures(document: Document) -> Iterator[Mistake]:
    """Yield what the heads of picture files show to be wrong; the whole of one is read when somebody looks at it."""
    if not any(file_names(document.scene)):
        return
    from understudy.formats import texture  # most scenes have no pictures

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
            yield Mistake(path, wrong or f"{name}: {texture.TOO_MANY}")
            total -= pixels


def _pictures(document: Document) -> Iterator[tuple[Path, str, int]]:
    """Yield every picture with its path and how many pixels it may have."""
    from understudy.formats import texture

    scene, rows = document.scene, document.rows
    yield ("ground", "picture"), scene.ground.picture, texture.MOST_PIXELS
    for row, wall in zip(rows.get("wall", ()), scene.walls):
        yield ("wall", row, "picture"), wall.picture, texture.MOST_ON_A_THING
    for row, solid in zip(rows.get("object", ()), scene.objects):
        yield ("object", row, "picture"), solid.picture, texture.MOST_ON_A_THING


def _looked_at(file: pathlib.Path, name: str, most: int) -> tuple[str, int]:
    """Return what is wrong with a picture file, if anything, and how many pixels it has."""
    from understudy.formats import texture

    size = file.stat().st_size
    if size > texture.MOST_BYTES:
        return f"{name}: the picture is too large, {size:,} bytes; want at most {texture.MOST_BYTES:,}", 0
    data = file.read_bytes()
    wrong = texture.mistake(data, name, most)
    return wrong, 0 if wrong else texture.pixel_count(data, name)


def _bad_meshes(document: Document) -> Iterator[Mistake]:
    """Yield what the heads of mesh files show to be wrong; the whole is read when an engine or a picture wants it."""
    for row, solid in zip(document.rows.get("object", ()), document.scene.objects):
        shape = solid.shape
        if document.folder is None or not isinstance(shape, Mesh) or not fence.is_file(document.folder / shape.file):
            continue
        from understudy.formats import mesh  # most scenes have no meshes

        try:
            mesh.kind_of((document.folder / shape.file).read_bytes(), shape.file)
        except FormatError as problem:
            yield Mistake(("object", row, "file"), str(problem))
            continue
        if solid.picture and fence.is_file(document.folder / solid.picture):
            yield from _unwrapped(solid, document.folder, row)


def _unwrapped(solid: Solid, folder: pathlib.Path, row: int) -> Iterator[Mistake]:
    """Yield a mistake if a mesh cannot have a picture, for it does not say how that lies."""
    from understudy.formats.library import Library

    assert isinstance(solid.shape, Mesh)
    library = Library(contents(Scene(objects=(solid,)), folder))
    key = "file"
    try:
        library.mesh(solid.shape)
        key = "picture"
        library.body(replace(solid, name=solid.name or "the mesh"))
    except FormatError as problem:
        yield Mistake(("object", row, key), str(problem))
    except EngineError:
        return  # the library for meshes is not here; who wants to see it will say so


def _is_program_file(text: str) -> bool:
    """Say whether *text* is a file of ours to look for, and not a command line."""
    return text.endswith(_PROGRAM_FILES) and " " not in text
