"""Writing a scene: as a tidy new file, or as an edit of the text it came from."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from understudy.errors import SceneError
from understudy.formats import toml_text
from understudy.formats.document import Document
from understudy.formats.scene_read import read_scene
from understudy.formats.toml_edit import Editor
from understudy.formats.toml_write import element_text, friendly, in_file_unit, pair_text, table_text
from understudy.world.plain import Reader, to_plain
from understudy.world.robot import Robot
from understudy.world.rules import alternatives
from understudy.world.scene import COLLECTIONS, SCHEMA, THING_KEYS, Scene, Thing

Table = dict[str, Any]
Spell = Callable[[str, Any], tuple[str, Any]]


def write(scene: Scene, like: Document | None) -> str:
    """Return *scene* as TOML; with *like*, its text with only what differs edited."""
    if like is not None and like.text:
        edited = like.text if scene == like.scene else _edited(scene, like)
        if edited is not None:
            return edited
    return _fresh(scene)


# ---- tables of one scene


def _settings(scene: Scene, spell: Spell) -> Table:
    """Return all but the things."""
    bare: Any = dict.fromkeys(COLLECTIONS.values(), ())
    table = to_plain(dataclasses.replace(scene, include=(), **bare), spell)
    files = [include.file for include in scene.include]
    return {"schema": SCHEMA, **({"include": files} if files else {}), **table}


def _thing(thing: Thing, spell: Spell) -> Table:
    """Return the table of one thing; a resolved robot is written whole, without the models that it was made of."""
    if not isinstance(thing, Robot):
        return to_plain(thing, spell)
    if thing.parts is None:
        return {**to_plain(dataclasses.replace(thing, overrides=None), spell), **(thing.overrides or {})}
    bare = dataclasses.replace(thing, model="", overrides=None, parts=None)
    devices = tuple(dataclasses.replace(device, model="") for device in thing.parts.devices)
    return {**to_plain(bare, spell), **to_plain(dataclasses.replace(thing.parts, devices=devices), spell)}


# ---- a new file


def _fresh(scene: Scene) -> str:
    settings = _settings(scene, friendly)
    tables = {key: value for key, value in settings.items() if isinstance(value, Mapping)}
    head = "".join(pair_text(key, value) for key, value in settings.items() if key not in tables)
    blocks = [table_text(key, table) for key, table in tables.items()]
    for cls, key in THING_KEYS.items():
        blocks += [element_text(key, _thing(thing, friendly)) for thing in getattr(scene, COLLECTIONS[cls])]
    return "\n".join([head, *blocks])


# ---- an edit


def _edited(scene: Scene, like: Document) -> str | None:
    """Return the old text with the changes in it, or None if they do not read back."""
    raw = toml_text.loads(like.text, like.file)
    editor = Editor(like.text)
    spell = _spelled_as(raw)
    editor.update((), _settings(like.scene, spell), _settings(scene, spell))
    for cls, key in THING_KEYS.items():
        old, new = getattr(like.scene, COLLECTIONS[cls]), getattr(scene, COLLECTIONS[cls])
        _edit_things(editor, key, old, new, raw.get(key, []))
    text = editor.text()
    return text if _reads_as(text, scene) else None


def _edit_things(editor: Editor, key: str, old: Sequence[Thing], new: Sequence[Thing], raw: list[Table]) -> None:
    pairs = partners(old, new)
    for gone in set(range(len(old))) - set(pairs):
        editor.remove((key, gone))
    last: int | None = None
    waiting: list[Mapping[str, Any]] = []
    for thing, row in zip(new, pairs):
        if row is None:
            waiting.append(_thing(thing, friendly))
            continue
        if waiting:
            editor.add_elements(key, last, waiting)
        last, waiting = row, []
        if thing != old[row]:
            spell = _spelled_as(raw[row])
            editor.update((key, row), _thing(old[row], spell), _thing(thing, spell))
    if waiting:
        editor.add_elements(key, last, waiting)


def partners(old: Sequence[Thing], new: Sequence[Thing]) -> list[int | None]:
    """Return for each new thing the row of the old one that it is a version of, or None.

    That is an equal one, else one of the same name, else one that is left over. Rows only grow: a thing that has gone
    before others that it was behind is taken for a new one.
    """
    found: dict[int, int] = {}
    for same in (repr, _name_of, lambda thing: ""):
        taken = set(found.values())
        rows: dict[str, deque[int]] = {}
        for row, thing in enumerate(old):
            if row not in taken:
                rows.setdefault(same(thing), deque()).append(row)
        for index, thing in enumerate(new):
            if index not in found and rows.get(same(thing)):
                found[index] = rows[same(thing)].popleft()
    highest = [-1, *accumulate((found.get(index, -1) for index in range(len(new))), max)]
    return [found[i] if found.get(i, -1) > highest[i] else None for i in range(len(new))]


def _name_of(thing: Thing) -> str:
    return thing.name or repr(thing)


def _spelled_as(raw: Mapping[str, Any]) -> Spell:
    """Return a speller that keeps the units of the table *raw*, one level deep, where they are exact."""
    present = {key for value in (raw, *raw.values()) if isinstance(value, Mapping) for key in value}

    def spell(key: str, value: Any) -> tuple[str, Any]:
        if key in present:
            return key, value
        for name, factor in alternatives(key):
            converted = in_file_unit(value, factor) if name in present else None
            if converted is not None:
                return name, converted
        return friendly(key, value)

    return spell


def _reads_as(text: str, scene: Scene) -> bool:
    """Say whether *text* describes *scene*, whatever is in its includes."""
    try:
        table = toml_text.loads(text, "")
    except SceneError:
        return False
    reader = Reader()
    got, _ = read_scene(reader, table)
    files = [include.file for include in scene.include]
    return not reader.mistakes and got == dataclasses.replace(scene, include=()) and table.get("include", []) == files
