"""Writing a scene: as a tidy new file, or as an edit of the text it came from."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from understudy.errors import SceneError
from understudy.formats.document import Document
from understudy.formats.native import event_flat, toml_text
from understudy.formats.native.scene_read import EVENT_WORDS, SceneReader, read_scene
from understudy.formats.native.toml_edit import Editor
from understudy.formats.native.toml_write import element_text, friendly, in_file_unit, pair_text, tables_text
from understudy.world.events import thing_of
from understudy.world.records import to_plain
from understudy.world.robot import PlacedRobot
from understudy.world.rules import alternatives, kind_of
from understudy.world.scene import LISTS, SCHEMA, Scene, SceneEvent, Thing

Table = dict[str, Any]
Spell = Callable[[str, Any], tuple[str, Any]]


def write(scene: Scene, like: Document | None) -> str:
    """Return *scene* as TOML; with *like*, its text with only the differences edited."""
    if like is not None and like.text:
        edited = like.text if scene == like.scene else _edited(scene, like)
        if edited is not None:
            return edited
    return _fresh(scene)


# ---- tables of one scene


def _settings(scene: Scene, spell: Spell) -> Table:
    """Return all settings, without the things."""
    bare: Any = dict.fromkeys(LISTS.values(), ())
    table = to_plain(dataclasses.replace(scene, include=(), **bare), spell)
    files = [include.file for include in scene.include]
    return {"schema": SCHEMA, **({"include": files} if files else {}), **table}


def _thing(thing: Thing | SceneEvent, spell: Spell) -> Table:
    """Return the table of one thing; a resolved robot is written in full, without naming its models."""
    if isinstance(thing, SceneEvent):
        return _event(event_flat.as_in_file(thing), spell)
    if not isinstance(thing, PlacedRobot):
        return to_plain(thing, spell)
    if thing.parts is None:
        return {**to_plain(dataclasses.replace(thing, overrides=None), spell), **(thing.overrides or {})}
    bare = dataclasses.replace(thing, model="", overrides=None, parts=None)
    devices = tuple(dataclasses.replace(device, model="") for device in thing.parts.devices)
    return {**to_plain(bare, spell), **to_plain(dataclasses.replace(thing.parts, devices=devices), spell)}


def _event(event: SceneEvent, spell: Spell) -> Table:
    """Return the table of an event; its time is in seconds unless it was written otherwise."""

    def in_seconds(key: str, value: Any) -> tuple[str, Any]:
        spelled = spell(key, value)
        seconds = in_file_unit(value, 1e6) if key == "at_us" and spelled == friendly(key, value) else None
        return spelled if seconds is None else ("at_s", seconds)

    table = to_plain(event, in_seconds)
    if (found := thing_of(event)) and isinstance(found[1], PlacedRobot):
        table[found[0]] = {"what": PlacedRobot.kind, **_thing(found[1], spell)}
    for key, (word, meaning) in EVENT_WORDS.items():
        if key in table and table[key] == meaning:
            table[key] = word
    return table


# ---- a new file


def _fresh(scene: Scene) -> str:
    settings = _settings(scene, friendly)
    tables = {key: value for key, value in settings.items() if isinstance(value, Mapping)}
    head = "".join(pair_text(key, value) for key, value in settings.items() if key not in tables)
    blocks = [tables_text(key, table) for key, table in tables.items()]
    for key, collection in LISTS.items():
        blocks += [element_text(key, _thing(thing, friendly)) for thing in getattr(scene, collection)]
    return "\n".join([head, *blocks])


# ---- an edit


def _edited(scene: Scene, like: Document) -> str | None:
    """Return the old text with the changes in it, or None if they do not read back."""
    raw = toml_text.loads(like.text, like.file)
    editor = Editor(like.text)
    spell = _spelled_as(raw)
    editor.update((), _settings(like.scene, spell), _settings(scene, spell))
    for key, collection in LISTS.items():
        old, new = getattr(like.scene, collection), getattr(scene, collection)
        _edit_things(editor, key, old, new, raw.get(key, []))
    text = editor.text()
    return text if _reads_as(text, scene) else None


def _edit_things(
    editor: Editor, key: str, old: Sequence[Thing | SceneEvent], new: Sequence[Thing | SceneEvent], raw: list[Table]
) -> None:
    pairs = partners(old, new)
    if editor.is_list(key):
        if list(new) != list(old):
            editor.edit_list(key, [_inline(old, row, thing, raw) for thing, row in zip(new, pairs)])
        return
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


def _inline(
    old: Sequence[Thing | SceneEvent], row: int | None, thing: Thing | SceneEvent, raw: list[Table]
) -> tuple[int | None, Table | None]:
    """Return an element of an inline array: its row before, and its table if it is not what it was."""
    if row is None:
        return None, _thing(thing, friendly)
    return row, None if thing == old[row] else _thing(thing, _spelled_as(raw[row]))


def partners(old: Sequence[Thing | SceneEvent], new: Sequence[Thing | SceneEvent]) -> list[int | None]:
    """Return for each new thing the row of the old one that it replaces, or None.

    That is an equal one, else one of the same name, else an unmatched one. Rows only increase: a thing that has moved
    before others counts as new.
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


def _name_of(thing: Thing | SceneEvent) -> str:
    return repr(thing) if isinstance(thing, SceneEvent) else thing.name or repr(thing)


def _spelled_as(raw: Mapping[str, Any]) -> Spell:
    """Return a function that keeps the units of the table *raw*, one level deep, where they are exact."""
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
    """Return whether *text* describes *scene*, ignoring its includes."""
    try:
        table = toml_text.loads(text, "")
    except SceneError:
        return False
    reader = SceneReader({"protocols": {kind_of(type(port.sheet)): type(port.sheet) for port in scene.ports}})
    got, _ = read_scene(reader, table)
    files = [include.file for include in scene.include]
    return not reader.findings and got == dataclasses.replace(scene, include=()) and table.get("include", []) == files
