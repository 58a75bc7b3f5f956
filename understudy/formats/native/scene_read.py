"""Reading a scene file and its includes: the valid part of the scene, and every error."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from understudy.assets import fence
from understudy.errors import FormatError, Problem, SceneError, excerpt
from understudy.formats.document import Document
from understudy.formats.native import scene_files, toml_text
from understudy.formats.native.robot_read import placement_keys
from understudy.formats.native.toml_lines import key_lines
from understudy.world.events import FILE_VERBS
from understudy.world.limits import INCLUDED_DEPTH, TOML_BYTES
from understudy.world.records import BAD, Finding, KeyPath, Kinds, Reader
from understudy.world.robot import PlacedRobot
from understudy.world.scene import LISTS, SCHEMA, THING_KEYS, Include, Scene, SceneEvent

_APART = frozenset({"schema", "include", *LISTS})


class SceneReader(Reader):
    """Reads the tables of a scene file; a robot in it has only what differs from its model."""

    def __init__(self, kinds: Kinds | None = None) -> None:
        super().__init__(kinds={**(kinds or {}), "changes": FILE_VERBS})

    def record(self, cls: type[Any], table: Any, path: KeyPath, extra: frozenset[str] = frozenset()) -> Any:
        """Return the record of *cls* that *table* describes, or BAD."""
        if isinstance(table, Mapping) and cls is PlacedRobot:
            return self._robot({key: value for key, value in table.items() if key not in extra}, path)
        if isinstance(table, Mapping) and cls is SceneEvent:
            table = {key: _in_data(key, value) for key, value in table.items()}
        return super().record(cls, table, path, extra)

    def _robot(self, table: Mapping[str, Any], path: KeyPath) -> PlacedRobot:
        """Return a robot whose invalid placement is left out, so that its parts can still be checked."""
        mine = placement_keys(self)
        values = self.values(PlacedRobot, {key: value for key, value in table.items() if key in mine}, path)
        overrides = {key: value for key, value in table.items() if key not in mine}
        return PlacedRobot(**{k: v for k, v in values.items() if v is not BAD}, overrides=overrides or None)


# key of an event -> its value in a file and its meaning, where TOML has no value for that: the whole run, no limit
EVENT_WORDS: dict[str, tuple[Any, Any]] = {"reset": (True, ""), "speed": ("max", None)}


def _in_data(key: str, value: Any) -> Any:
    word, meaning = EVENT_WORDS.get(key, (None, None))
    return meaning if key in EVENT_WORDS and type(value) is type(word) and value == word else value


class Loader:
    """Reads a scene file and what it includes; collects the errors and the key paths that they affect."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self.problems: list[Problem] = []
        self.broken: set[tuple[str, KeyPath]] = set()
        self._seen: set[pathlib.Path] = set()
        self._depth = 0

    def load(self, text: str, file: str, folder: pathlib.Path | None) -> Document:
        """Return what *text* describes, invalid things left out."""
        text = text.removeprefix("\ufeff")
        if folder is not None:
            self._seen.add((folder / pathlib.PurePath(file).name).resolve())
        try:
            table = toml_text.loads(text, file)
        except SceneError as error:
            self.problems += error.problems
            return Document(Scene(), file, text, folder)
        lines = key_lines(text)
        reader = SceneReader(self._kinds)
        included = tuple(self._includes(table, file, folder, reader))
        scene, rows = read_scene(reader, table, included)
        document = Document(scene, file, text, folder, lines, included, rows)
        self._note(document, [*reader.findings, *scene_files.findings(document)])
        return document

    def read(self, path: pathlib.Path, file: str) -> Document:
        """Return what the file at *path* describes; raises SceneError if it cannot be read."""
        return self.load(read_text(path, file), file, path.parent)

    def _note(self, document: Document, findings: list[Finding]) -> None:
        self.problems += map(document.problem, findings)
        self.broken |= {(document.file, finding.path) for finding in findings}

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
        self, name: Any, file: str, folder: pathlib.Path | None, reader: Reader, path: KeyPath
    ) -> Document | None:
        if not isinstance(name, str):
            reader.complain(path, f'want the name of a file, such as "walls.toml", got {excerpt(name)}')
            return None
        if folder is None:
            reader.complain(path, f"cannot resolve {name!r}: this text was not loaded from a file")
            return None
        where = folder / name
        if where.resolve() in self._seen:
            reader.complain(path, f"{name!r} is already part of this scene; include it only once, and not from itself")
            return None
        if self._depth >= INCLUDED_DEPTH:
            reader.complain(path, f"{name!r} is skipped: includes are nested more than {INCLUDED_DEPTH} deep")
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
    """Return the text of a file with its line ends; raises SceneError with the reason if it cannot be read."""
    try:
        return fence.read_bytes(path, TOML_BYTES).decode()
    except FormatError:
        raise SceneError([Problem(file, 0, "", f"the file is too large (at most {TOML_BYTES:,} bytes)")]) from None
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
    """Return the scene of a parsed file without its invalid parts, and the rows of the things that are in it."""
    if not _schema(reader, table):
        return Scene(), {}
    settings = {key: value for key, value in table.items() if key not in _APART}
    values = reader.values(Scene, settings, (), _APART - table.keys())
    rows: dict[str, tuple[int, ...]] = {}
    for key, cls in {**{key: cls for cls, key in THING_KEYS.items()}, "event": SceneEvent}.items():
        things = _things(reader, cls, table.get(key, []), key)
        rows[key] = tuple(things)
        values[LISTS[key]] = tuple(things.values())
    values["include"] = tuple(Include(name, part.scene) for name, part in zip(table.get("include", ()), included))
    return Scene(**{name: value for name, value in values.items() if value is not BAD}), rows


def _schema(reader: Reader, table: Mapping[str, Any]) -> bool:
    """Return whether the schema version of the file is supported."""
    if "schema" not in table:
        reader.complain(("schema",), f"missing; write schema = {SCHEMA} as the first line")
    elif isinstance(table["schema"], bool) or table["schema"] != SCHEMA:
        reader.complain(("schema",), f"want {SCHEMA}, the only supported schema, got {excerpt(table['schema'])}")
        return False
    return True


def _things(reader: Reader, cls: type, raw: Any, key: str) -> dict[int, Any]:
    if not isinstance(raw, list):
        reader.complain((key,), f"want an array of tables; write [[{key}]] with double brackets")
        return {}
    things: dict[int, Any] = {row: reader.record(cls, item, (key, row)) for row, item in enumerate(raw)}
    return {row: thing for row, thing in things.items() if thing is not BAD}
