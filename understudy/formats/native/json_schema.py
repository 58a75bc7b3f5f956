"""JSON Schema (2020-12) of scene and robot files, for editors; generated from the rules of the records."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args, get_origin

from understudy.formats.native.robot_read import SECTIONS
from understudy.formats.native.scene_read import EVENT_WORDS
from understudy.world.events import FILE_VERBS
from understudy.world.records import Reader
from understudy.world.robot import DeviceSpec, PlacedRobot, RobotModel
from understudy.world.rules import (
    FORMS,
    NAME,
    Rule,
    alternatives,
    choices_of,
    fields_of,
    hints_of,
    is_record,
    is_tagged,
    key_of,
    kind_of,
    rule_of,
    union_members,
)
from understudy.world.scene import SCHEMA, Scene
from understudy.world.vocabulary import Vocabulary

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES: dict[Any, str] = {float: "number", int: "integer", str: "string", bool: "boolean"}


def scene_schema(vocabulary: Vocabulary) -> Schema:
    """Return the schema of a scene file."""
    maker = _Maker(vocabulary)
    (shape,) = maker.shapes(Scene, skip=("schema", "engine", "include", "robots"))
    shape = shape.having("schema", {"const": SCHEMA, "description": "version of this format"}, needed=True)
    shape = shape.having("include", {"type": "array", "items": {"type": "string"}, "description": "other scene files"})
    shape = shape.having("engine", {"enum": list(vocabulary.engines)})
    shape = shape.having("robot", {"type": "array", "items": maker.robot()})
    return {"$schema": _DIALECT, "title": "Understudy scene", **shape.schema(), "$defs": maker.defs}


def robot_schema(vocabulary: Vocabulary) -> Schema:
    """Return the schema of a robot file."""
    maker = _Maker(vocabulary)
    return {
        "$schema": _DIALECT,
        "title": "Understudy robot",
        "if": {"properties": {"robot": {"required": ["like"]}}, "required": ["robot"]},
        "then": maker.robot_file(partial=True),
        "else": maker.robot_file(partial=False),
        "$defs": maker.defs,
    }


@dataclass(frozen=True)
class _Shape:
    """One form that a table may have: its keys, and groups of alternative keys of which one is required."""

    properties: Mapping[str, Schema]
    needed: tuple[tuple[str, ...], ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    doc: str = ""

    def having(self, key: str, schema: Schema, needed: bool = False) -> _Shape:
        """Return this form with one more key."""
        groups = (*self.needed, (key,)) if needed else self.needed
        return dataclasses.replace(self, properties={key: schema, **self.properties}, needed=groups)

    def __or__(self, other: _Shape) -> _Shape:
        return _Shape(
            {**self.properties, **other.properties},
            self.needed + other.needed,
            self.exclusive + other.exclusive,
            self.doc or other.doc,
        )

    def partial(self) -> _Shape:
        """Return the form of a table that only changes some keys of another."""
        return dataclasses.replace(self, needed=())

    def schema(self) -> Schema:
        """Return the form as a schema."""
        result: Schema = {"type": "object", "properties": dict(self.properties), "additionalProperties": False}
        if self.doc:
            result["description"] = self.doc
        if required := [group[0] for group in self.needed if len(group) == 1]:
            result["required"] = required
        either = [{"anyOf": [{"required": [key]} for key in group]} for group in self.needed if len(group) > 1]
        pairs = (pair for group in self.exclusive for pair in combinations(group, 2))
        if conditions := either + [{"not": {"required": list(pair)}} for pair in pairs]:
            result["allOf"] = conditions
        return result


class _Maker:
    """Makes schemas of records; each class is written once, under ``$defs``."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._reader = Reader(kinds={**vocabulary.kinds, "changes": FILE_VERBS})
        self._models = vocabulary.models
        self.defs: Schema = {}

    def robot(self, tag: str = "") -> Schema:
        """Return the schema of a placed robot: complete without a model, else only what differs from it."""
        placed = self.shapes(PlacedRobot, skip=("overrides", "parts"))
        placed = [place.having(tag, {"const": PlacedRobot.kind}, needed=True) for place in placed] if tag else placed
        (whole,) = self.shapes(RobotModel)
        (partial,) = self.shapes(RobotModel, partial=True)
        return {
            "if": {"required": ["model"]},
            "then": _any_of([(place | partial).schema() for place in placed]),
            "else": _any_of([(place | whole).schema() for place in placed]),
        }

    def robot_file(self, partial: bool) -> Schema:
        """Return the schema of a robot file: complete, or only what differs from the robot that it is derived from."""
        (whole,) = self.shapes(RobotModel, partial=partial)
        apart = {key: whole.properties[key] for key in (*SECTIONS, "card")}
        (own,) = self.shapes(RobotModel, skip=(*(f"{section}s" for section in SECTIONS), "card"), partial=partial)
        own = own.having("like", {"type": "string", "description": "the robot that this one is derived from"})
        return _Shape({"robot": own.schema(), **apart}, (("robot",),)).schema()

    # ---- tables

    def shapes(self, cls: type, skip: tuple[str, ...] = (), partial: bool = False) -> list[_Shape]:
        """Return the forms that a table of *cls* may have: one for each class that may stand inline."""
        shapes = [_Shape({}, doc=_first_line(cls))]
        for field in fields_of(cls):
            if field.name not in skip:
                shapes = [shape | more for shape in shapes for more in self._field(cls, field, partial)]
        return [shape.partial() for shape in shapes] if partial else shapes

    def _field(self, cls: type, field: dataclasses.Field[Any], partial: bool) -> list[_Shape]:
        hint, how = hints_of(cls)[field.name], rule_of(field)
        if how.inline:
            chosen = type(field.default)  # needs no tag
            return [
                shape
                for member in self._reader.members(hint, how)
                for shape in self._member(member, hint, how, partial, optional=member is chosen)
            ]
        key = key_of(field)
        spellings = {name: dataclasses.replace(how, factor=factor) for name, factor in ((key, 1.0), *alternatives(key))}
        properties = {name: self._described(hint, spelled, partial) for name, spelled in spellings.items()}
        names = (tuple(spellings),)
        must = how.unless or how.verb or field.default is dataclasses.MISSING
        needed = ((*spellings, *how.unless),) if must else ()
        return [_Shape(properties, needed, names if len(spellings) > 1 else ())]

    def _member(self, cls: type, hint: Any, how: Rule, partial: bool, optional: bool = False) -> list[_Shape]:
        """Return the forms of one class of a union, with its tag."""
        shapes = self.shapes(cls, partial=partial)
        if not is_tagged(hint, how):
            return shapes
        tagged = [shape.having(how.tag, {"const": kind_of(cls)}, needed=not optional) for shape in shapes]
        return [shape.partial() for shape in tagged] if partial else tagged

    def _described(self, hint: Any, how: Rule, partial: bool) -> Schema:
        schema = self.value(hint, how, partial)
        schema = _any_of([schema, {"type": "string"}]) if how.file else schema
        if how.verb and how.key in EVENT_WORDS:
            schema = _any_of([schema, {"const": EVENT_WORDS[how.key][0]}])
        return {**schema, "description": how.doc} if how.doc else schema

    def _named(self, name: str, shapes: list[_Shape]) -> Schema:
        self.defs.setdefault(name, _any_of([shape.schema() for shape in shapes]))
        return {"$ref": f"#/$defs/{name}"}

    # ---- values

    def value(self, hint: Any, how: Rule, partial: bool = False) -> Schema:
        """Return the schema of one value."""
        members = union_members(hint)
        if how.kinds or all(is_record(member) for member in members):
            return self._record(hint, how, partial)
        hint = members[0]
        if get_origin(hint) is tuple:
            return self._sequence(hint, how, partial)
        if get_origin(hint) is Literal:
            return {"enum": choices_of(hint)}
        schema: Schema = {"type": _TYPES.get(hint, "object")}
        if schema["type"] == "integer" and how.factor != 1.0:
            schema["type"] = "number"
        if how.form:
            schema["pattern"] = f"^(?:{FORMS[how.form][0].pattern})$"
        return {**schema, **dict(_limits(how))}

    def _record(self, hint: Any, how: Rule, partial: bool) -> Schema:
        classes = self._reader.members(hint, how)
        tables = [self._one_of(cls, hint, how, partial) for cls in classes]
        if not how.shorthand:
            return _any_of(tables)
        short = next(field for field in fields_of(classes[0]) if field.name == how.shorthand)
        return _any_of([self.value(hints_of(classes[0])[short.name], rule_of(short)), *tables])

    def _one_of(self, cls: type, hint: Any, how: Rule, partial: bool) -> Schema:
        """Return the schema of one class that a field may hold; another tag than a kind makes another form."""
        if cls is PlacedRobot:
            return self.robot(how.tag)
        tag = f"-{how.tag}" if is_tagged(hint, how) and how.tag != "kind" else ""
        name = f"{cls.__name__}{tag}{'-part' if partial else ''}"
        return self._named(name, self._member(cls, hint, how, partial))

    def _sequence(self, hint: Any, how: Rule, partial: bool) -> Schema:
        inner = get_args(hint)
        if how.pairs:
            name: Schema = {"type": "string"}
            return {"type": "object", "additionalProperties": {"anyOf": [name, {"const": False}]} if partial else name}
        if how.keyed:
            return self._keyed(inner[0], partial)
        items = self.value(inner[0], how)
        size = {} if inner[-1] is Ellipsis else {"minItems": len(inner), "maxItems": len(inner)}
        return {"type": "array", "items": items, **size}

    def _keyed(self, element: type, partial: bool) -> Schema:
        name = f"{element.__name__}{'-part' if partial else ''}"
        shapes = (
            self._devices(partial) if element is DeviceSpec else self.shapes(element, skip=("name",), partial=partial)
        )
        table = self._named(name, shapes)
        choices = _any_of([{"const": False}, table]) if partial else table
        return {"type": "object", "patternProperties": {f"^{NAME.pattern}$": choices}, "additionalProperties": False}

    def _devices(self, partial: bool) -> list[_Shape]:
        """Return the forms of a device: by its kind, or by a model, which makes all other keys optional."""
        by_kind = self.shapes(DeviceSpec, skip=("name", "model"), partial=partial)
        return by_kind + [more for shape in by_kind for more in self._by_model(shape)]

    def _by_model(self, shape: _Shape) -> list[_Shape]:
        kind = shape.properties["kind"]["const"]
        names = [name for name, table in self._models.items() if table["kind"] == kind]
        return [shape.partial().having("model", {"enum": names}, needed=True)] if names else []


def _any_of(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _limits(how: Rule) -> Iterator[tuple[str, float]]:
    for word, limit in (("exclusiveMinimum", how.above), ("minimum", how.least), ("maximum", how.most)):
        if limit is not None:
            yield word, limit / how.factor


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").partition("\n")[0]
