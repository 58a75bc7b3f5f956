"""Typed, frozen records from plain data and back: one mechanism for scene files, tapes, saved runs and the JSON Schema.

A record is a frozen dataclass whose fields state with :func:`rule` what is allowed. :class:`Reader` turns a table (what
``tomllib`` or ``msgpack`` returns) into a record and collects *every* error; :func:`to_plain` is the inverse.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from operator import ge, gt, le
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from understudy.errors import Problem, excerpt, nearest
from understudy.frozen import frozen
from understudy.world.limits import FINDINGS
from understudy.world.rules import (
    FORMS,
    NAME,
    KeyPath,
    Kinds,
    Rule,
    alternatives,
    canonical,
    choices_of,
    describe,
    fields_of,
    hints_of,
    is_optional,
    is_record,
    is_tagged,
    key_of,
    kind_of,
    row_width,
    rows_of,
    rule,
    rule_of,
    show,
    to_unit,
    union_members,
    verb_of,
)

__all__ = [
    "BAD",
    "FORMS",
    "NAME",
    "Finding",
    "KeyPath",
    "Kinds",
    "Reader",
    "Rule",
    "Where",
    "alternatives",
    "canonical",
    "describe",
    "fields_of",
    "from_plain",
    "hints_of",
    "is_optional",
    "is_record",
    "is_tagged",
    "key_of",
    "kind_of",
    "rule",
    "rule_of",
    "show",
    "to_plain",
    "union_members",
]  # fmt: skip

Where = Callable[[KeyPath], tuple[str, int]]
Spell = Callable[[str, Any], tuple[str, Any]]
R = TypeVar("R")

BAD: Any = object()
_WHOLE_NUMBERS_BELOW = 2**63


@frozen
class Finding:
    """An error at a key path of a table, before its line is known.

    *needs* are paths whose own errors make this one meaningless; *elsewhere* are alternative places to report, if the
    user wrote them and did not write *path*.
    """

    path: KeyPath
    text: str
    needs: tuple[KeyPath, ...] = ()
    elsewhere: tuple[KeyPath, ...] = ()


def no_file(path: KeyPath) -> tuple[str, int]:
    """Return the place of data that did not come from a file."""
    return "<data>", 0


class Reader:
    """Turns tables into records; collects every error with its key path instead of stopping at the first."""

    def __init__(self, where: Where = no_file, kinds: Kinds | None = None) -> None:
        self._where = where
        self._kinds = kinds or {}
        self.findings: list[Finding] = []

    @property
    def problems(self) -> list[Problem]:
        """Return the errors with file and line."""
        return [Problem(*self._where(finding.path), show(finding.path), finding.text) for finding in self.findings]

    def complain(self, path: KeyPath, text: str) -> Any:
        """Record one error, unless there are too many; returns BAD so that a caller can pass it on."""
        if len(self.findings) < FINDINGS:
            self.findings.append(Finding(path, text))
        return BAD

    # ---- records

    def record(self, cls: type[R], table: Any, path: KeyPath, extra: frozenset[str] = frozenset()) -> R:
        """Return the record of *cls* that *table* describes, or BAD; *extra* keys are allowed and ignored."""
        if not isinstance(table, Mapping):
            return cast(R, self.complain(path, f"want a table, got {_got(table)}"))
        values = self.values(cls, table, path, extra)
        return cast(R, BAD) if _spoiled(values.values()) else cls(**values)

    def values(
        self, cls: type, table: Mapping[str, Any], path: KeyPath, extra: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """Return the value of each field that *table* gives, BAD where it is invalid; reports unknown keys."""
        used = set(extra)
        values = self._fields(cls, table, path, used, None)
        self._unknown(cls, table, used, path)
        return values

    def _fields(self, cls: type, table: Mapping[str, Any], path: KeyPath, used: set[str], base: Any) -> dict[str, Any]:
        """Read the fields in *table*; missing ones come from *base* or the class's defaults."""
        values: dict[str, Any] = {}
        for field in fields_of(cls):
            hint, how = hints_of(cls)[field.name], rule_of(field)
            if how.inline:
                values[field.name] = self._inline(hint, how, table, path, used, field.default)
                continue
            raw, key, factor = self._lookup(field, table, used, path)
            if raw is not BAD:
                in_file_unit = how if factor == 1.0 else dataclasses.replace(how, factor=factor)
                values[field.name] = self.value(hint, in_file_unit, raw, (*path, key))
            elif base is not None:
                values[field.name] = getattr(base, field.name)
            elif field.default is dataclasses.MISSING or (how.unless and not any(key in table for key in how.unless)):
                values[field.name] = self.complain((*path, key), f"missing (want {describe(hint, how)})")
        return values

    def _lookup(
        self, field: dataclasses.Field[Any], table: Mapping[str, Any], used: set[str], path: KeyPath
    ) -> tuple[Any, str, float]:
        """Return the raw value, its key and its unit factor; BAD if it is absent."""
        key = key_of(field)
        spellings = ((key, 1.0), *alternatives(key))
        present = [(name, factor) for name, factor in spellings if name in table]
        used.update(name for name, _ in present)
        if len(present) > 1:
            self.complain((*path, present[1][0]), f"the same value as {present[0][0]}; give only one of them")
        if not present:
            return BAD, spellings[1][0] if len(spellings) > 1 else key, 1.0
        return table[present[0][0]], *present[0]

    def _inline(
        self, hint: Any, how: Rule, table: Mapping[str, Any], path: KeyPath, used: set[str], default: Any
    ) -> Any:
        cls = self._choose(hint, how, table, path, used, default)
        if cls is BAD:
            used.update(table)  # without the class, unknown keys cannot be determined
            return BAD
        values = self._fields(cls, table, path, used, default if type(default) is cls else None)
        return BAD if _spoiled(values.values()) else cls(**values)

    def _choose(
        self, hint: Any, how: Rule, table: Mapping[str, Any], path: KeyPath, used: set[str], default: Any
    ) -> Any:
        """Return the class of a union that *table* describes: by its tag, its verb, or a required key."""
        if is_tagged(hint, how):
            used.add(how.tag)
            if how.tag not in table and is_record(type(default)):
                return type(default)
            return self._tagged(self._known(union_members(hint), how), how.tag, table, path)
        members = self.members(hint, how)
        if verbs := _by_verb(members):
            return self._meant_by_verb(verbs, table, path)
        for cls in members[:-1]:
            needed = [key_of(f) for f in fields_of(cls) if f.default is dataclasses.MISSING]
            if any(key in table for key in needed):
                self._not_together(cls, members[-1], table, path, used)
                return cls
        return members[-1]

    def _meant_by_verb(self, verbs: Mapping[str, type], table: Mapping[str, Any], path: KeyPath) -> Any:
        present = [verb for verb in verbs if verb in table]
        if not present:
            return self.complain(path, f"names no change (want one of: {', '.join(sorted(verbs))})")
        if len(present) > 1:
            return self.complain((*path, present[1]), f"does not go together with {present[0]}; give one of them")
        return verbs[present[0]]

    def _not_together(self, cls: type, other: type, table: Mapping[str, Any], path: KeyPath, used: set[str]) -> None:
        chosen = next(key_of(f) for f in fields_of(cls) if key_of(f) in table)
        mine = {key_of(f) for f in fields_of(cls)}
        for key in (key_of(f) for f in fields_of(other) if key_of(f) not in mine):
            for name in (key, *(name for name, _ in alternatives(key))):
                if name in table:
                    used.add(name)
                    self.complain((*path, name), f"cannot be combined with {chosen}; give only one kind of position")

    def _known(self, members: tuple[type, ...], how: Rule) -> Mapping[str, type]:
        """Return the classes that a tagged field may hold, by tag; lazily imported ones are not loaded."""
        return self._kinds[how.kinds] if how.kinds else {kind_of(member): member for member in members}

    def _tagged(self, known: Mapping[str, type], tag: str, table: Mapping[str, Any], path: KeyPath) -> Any:
        word = table.get(tag)
        if word is None:
            return self.complain((*path, tag), f"missing (want one of: {', '.join(sorted(known))})")
        if not isinstance(word, str) or word not in known:
            return self.complain((*path, tag), f"no such {tag} {excerpt(word)} {nearest(_word(word), known)}")
        return known[word]

    def members(self, hint: Any, how: Rule) -> tuple[type, ...]:
        """Return the classes that a record field may hold."""
        return tuple(self._kinds[how.kinds].values()) if how.kinds else union_members(hint)

    def _unknown(self, cls: type, table: Mapping[str, Any], used: set[str], path: KeyPath) -> None:
        for key in table:
            if key not in used and len(self.findings) < FINDINGS:
                self.complain((*path, key), f"unknown key {_meant(key, set(self.keys(cls, table)) | used)}")

    def keys(self, cls: type, table: Mapping[str, Any] | None = None) -> Iterator[str]:
        """Yield every key that a table of *cls* may have."""
        for field in fields_of(cls):
            how, hint = rule_of(field), hints_of(cls)[field.name]
            if not how.inline:
                yield key_of(field)
                yield from (name for name, _ in alternatives(key_of(field)))
                continue
            if is_tagged(hint, how):
                yield how.tag
            for member in self._candidates(hint, how, table):
                yield from self.keys(member, table)

    def _candidates(self, hint: Any, how: Rule, table: Mapping[str, Any] | None) -> Iterable[type]:
        """Return the classes that *table* may describe: only that of its tag, if it has one."""
        if table is not None and not is_tagged(hint, how) and (verbs := _by_verb(self.members(hint, how))):
            return [cls for verb, cls in verbs.items() if verb in table]
        if not is_tagged(hint, how) or table is None or how.tag not in table:
            return self.members(hint, how)
        known, word = self._known(union_members(hint), how), table[how.tag]
        return (known[word],) if isinstance(word, str) and word in known else ()

    # ---- values

    def value(self, hint: Any, how: Rule, raw: Any, path: KeyPath) -> Any:
        """Return *raw* as a value of type *hint*, or BAD."""
        if raw is None and is_optional(hint):
            return None
        members = union_members(hint)
        if how.kinds or all(is_record(member) for member in members):
            return self._nested(members, how, raw, path)
        hint = members[0]
        if get_origin(hint) is tuple:
            return self._sequence(hint, how, raw, path)
        if get_origin(hint) is Literal:
            return self._literal(hint, raw, path)
        if hint is float or hint is int:
            return self._number(hint, how, raw, path)
        if hint in (str, bool, bytes):
            return self._simple(hint, how, raw, path)
        return raw if isinstance(raw, Mapping) else self.complain(path, f"want a table, got {_got(raw)}")

    def _nested(self, members: tuple[Any, ...], how: Rule, raw: Any, path: KeyPath) -> Any:
        if how.shorthand and isinstance(raw, str):
            return self._short(members[0], how.shorthand, raw, path)
        if not isinstance(raw, Mapping):
            return self.complain(path, f"want {describe(members[0], how)}, got {_got(raw)}")
        if len(members) == 1 and not how.kinds:
            return self.record(members[0], raw, path)
        cls = self._tagged(self._known(members, how), how.tag, raw, path)
        return BAD if cls is BAD else self.record(cls, raw, path, frozenset({how.tag}))

    def _short(self, cls: type, name: str, raw: str, path: KeyPath) -> Any:
        field = next(field for field in fields_of(cls) if field.name == name)
        value = self.value(hints_of(cls)[name], rule_of(field), raw, path)
        return BAD if value is BAD else cls(**{name: value})

    def _sequence(self, hint: Any, how: Rule, raw: Any, path: KeyPath) -> Any:
        if how.pairs:
            return self._pairs(raw, path)
        inner = get_args(hint)
        if how.keyed:
            named = self.keyed(inner[0], raw, path)
            return BAD if _spoiled(named) else tuple(named)
        if not isinstance(raw, list | tuple):
            return self.complain(path, f"want {describe(hint, how)}, got {_got(raw)}")
        if inner[-1] is not Ellipsis and len(raw) != len(inner):
            return self.complain(path, f"want {describe(hint, how)}, got {len(raw)} of them")
        if (rows := rows_of(inner[0], how, raw)) is not None:
            return rows
        items = [self.value(inner[0], how, item, (*path, i)) for i, item in enumerate(raw)]
        return BAD if _spoiled(items) else tuple(items)

    def keyed(self, element: type, raw: Any, path: KeyPath) -> list[Any]:
        """Return the records of a table of tables, BAD where one is invalid; ``front = false`` leaves one out."""
        if not isinstance(raw, Mapping):
            return [self.complain(path, f"want a table of tables, got {_got(raw)}")]
        return [self._named(element, name, table, (*path, name)) for name, table in raw.items() if table is not False]

    def _named(self, element: type, name: str, table: Any, path: KeyPath) -> Any:
        if not isinstance(table, Mapping):
            return self.complain(path, f"want a table, or false to leave it out, got {_got(table)}")
        if "name" in table:
            self.complain((*path, "name"), f"remove this key: the name is that of the table, {name}")
        legal = NAME.fullmatch(name) is not None
        if not legal:
            self.complain(path, f"want {FORMS['name'][1]}, got {excerpt(name)}")
        record: Any = self.record(element, {**table, "name": name if legal else "x"}, path)
        return record if legal else BAD

    def _pairs(self, raw: Any, path: KeyPath) -> Any:
        if not isinstance(raw, Mapping) or not all(isinstance(v, str) for v in raw.values()):
            return self.complain(path, 'want a table of names, such as {sonar = "sonar"}')
        return tuple(sorted(raw.items()))

    def _literal(self, hint: Any, raw: Any, path: KeyPath) -> Any:
        if raw in get_args(hint):
            return raw
        return self.complain(path, f"no such choice {_got(raw)} {nearest(_word(raw), choices_of(hint))}")

    def _number(self, hint: type, how: Rule, raw: Any, path: KeyPath) -> Any:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            return self.complain(path, f"want {describe(hint, how)}, got {_got(raw)}")
        if not math.isfinite(raw) if isinstance(raw, float) else abs(raw) >= _WHOLE_NUMBERS_BELOW:
            return self.complain(path, f"want a finite number, got {excerpt(raw)}")
        if hint is int and how.factor == 1.0 and not isinstance(raw, int):
            return self.complain(path, f"want a whole number, got {raw}")
        number = to_unit(raw, how.factor)
        for limit, words, within in ((how.above, "above", gt), (how.least, "at least", ge), (how.most, "at most", le)):
            if limit is not None and not within(number, limit):
                return self.complain(path, f"must be {words} {limit / how.factor:g}, got {raw:g}")
        return hint(number)

    def _simple(self, hint: type, how: Rule, raw: Any, path: KeyPath) -> Any:
        if how.form == "date" and isinstance(raw, date):
            raw = _iso(raw)
        if not isinstance(raw, hint):
            return self.complain(path, f"want {describe(hint, how)}, got {_got(raw)}")
        if how.form and not _has_form(str(raw), how.form):
            return self.complain(path, f"want {FORMS[how.form][1]}, got {excerpt(raw)}")
        if how.form == "colour" and not str(raw).startswith("#"):
            return self._colour(str(raw), path)
        return raw

    def _colour(self, name: str, path: KeyPath) -> Any:
        """Return a colour that is given by name as ``#rrggbb``."""
        from understudy.world import colour_names  # few scenes need it

        found = colour_names.colour(name)
        if found is None:
            return self.complain(path, f"unknown colour {excerpt(name)} {nearest(name, colour_names.names())}")
        return found


def _by_verb(members: Iterable[type]) -> dict[str, type]:
    return {verb: member for member in members if (verb := verb_of(member))}


def _spoiled(values: Any) -> bool:
    return any(value is BAD for value in values)


def _got(raw: Any) -> str:
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, Mapping):
        return "a table"
    return "a list" if isinstance(raw, list | tuple) else excerpt(raw)


def _word(raw: Any) -> str:
    """Return the user's text in place of a known word."""
    return raw if isinstance(raw, str) else excerpt(raw)


def _meant(key: str, known: set[str]) -> str:
    """Return a hint for an unknown key; the usual error is a missing unit."""
    with_unit = sorted(name for name in known if name.startswith(f"{key}_"))
    return f"(did you mean {with_unit[0]!r}? the key names the unit)" if with_unit else nearest(key, known)


def _iso(when: date) -> str:
    if isinstance(when, datetime) and when.tzinfo is not None:
        when = when.astimezone(UTC).replace(tzinfo=None)
    return when.isoformat()


def _has_form(text: str, form: str) -> bool:
    if not FORMS[form][0].fullmatch(text):
        return False
    try:
        return form != "date" or bool(datetime.fromisoformat(text))
    except ValueError:  # the 31st of June
        return False


# ---- and back


def to_plain(record: Any, spell: Spell | None = None) -> dict[str, Any]:
    """Return *record* as a plain table; what equals its default is left out.

    Reading the table again gives an equal record. *spell* may give each key another unit.
    """
    return _table(record, None, spell)


def _table(record: Any, base: Any, spell: Spell | None) -> dict[str, Any]:
    table: dict[str, Any] = {}
    cls: type = type(record)
    for field in fields_of(cls):
        value, how, hint = getattr(record, field.name), rule_of(field), hints_of(cls)[field.name]
        if how.inline:
            own_default = field.default if type(field.default) is type(value) else None
            table |= _with_tag(value, how, hint, _table(value, own_default, spell))
            continue
        default = field.default if base is None else getattr(base, field.name)
        alone = how.unless and not any(getattr(record, other) for other in how.unless)
        if default is dataclasses.MISSING or value != default or alone or how.verb:
            key, plain = key_of(field), _plain(value, how, hint, spell)
            table |= dict([spell(key, plain) if spell else (key, plain)])
    return table


def _with_tag(value: Any, how: Rule, hint: Any, table: dict[str, Any]) -> dict[str, Any]:
    return {how.tag: kind_of(type(value)), **table} if is_tagged(hint, how) else table


def _plain(value: Any, how: Rule, hint: Any, spell: Spell | None) -> Any:
    if how.keyed:
        return {item.name: {k: v for k, v in _table(item, None, spell).items() if k != "name"} for item in value}
    if how.pairs:
        return dict(value)
    if dataclasses.is_dataclass(value):
        table = _with_tag(value, how, hint, _table(value, None, spell))
        return table[how.shorthand] if set(table) == {how.shorthand} else table
    if isinstance(value, tuple):
        inner = get_args(union_members(hint)[0])
        if inner and row_width(inner[0]):
            return [list(row) for row in value]
        return [_plain(item, how, inner[0] if inner else Any, spell) for item in value]
    return value


def from_plain(cls: type[R], table: Mapping[str, Any], kinds: Kinds | None = None) -> R:
    """Return the record that :func:`to_plain` turned into *table*; raises ValueError if it is invalid."""
    reader = Reader(no_file, kinds)
    record = reader.record(cls, table, ())
    if reader.problems:
        raise ValueError("; ".join(map(str, reader.problems)))
    return record
