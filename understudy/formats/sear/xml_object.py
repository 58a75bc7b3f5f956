"""One SEAR object as an XML file: readable, with the values of `kinds` as elements, read back with file and line.

::

    <box name="Box1_name">
      <length>0.25</length>
      <width>0.25</width>
      <height>0.25</height>
      <mass>0</mass>
      <move x="-1.5" y="1.25" z="0"/>
      <rotate x="45" y="0" z="0"/>
    </box>
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from xml.sax.saxutils import escape, quoteattr

from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.errors import FormatError, excerpt, nearest
from understudy.formats.sear import kinds
from understudy.formats.sear.axes import Triple
from understudy.formats.sear.kinds import KINDS, NOTHING, UNSCALED, BeamCone, SearEntry, Value
from understudy.world.limits import LENGTH_M

T = TypeVar("T")
MOST_BYTES = 1_000_000  # of one object
MOST_WHEELS = 100
MOST_CHILDREN = 500
_PLACES: Mapping[str, tuple[Triple, float]] = {
    "move": (NOTHING, LENGTH_M), "rotate": (NOTHING, 1e6), "scale": (UNSCALED, kinds.MOST_SCALE),
}  # fmt: skip
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


# ---- writing


def write(entry: SearEntry) -> str:
    """Return the XML file of an object."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(_lines(entry, "")) + "\n"


def _lines(entry: SearEntry, indent: str) -> Iterator[str]:
    robot = f" robot={quoteattr(entry.robot)}" if entry.robot else ""
    yield f"{indent}<{entry.kind} name={quoteattr(entry.name)}{robot}>"
    for value in KINDS[entry.kind].values:
        if value.name in entry.values:
            yield from _value_lines(value, entry.values[value.name], f"{indent}  ")
    for tag, (usual, _) in _PLACES.items():
        x, y, z = place = getattr(entry, tag)
        if place != usual:
            yield f'{indent}  <{tag} x="{_shown(x)}" y="{_shown(y)}" z="{_shown(z)}"/>'
    for wheel in entry.wheels:
        yield from _lines(wheel, f"{indent}  ")
    yield f"{indent}</{entry.kind}>"


def _value_lines(value: Value, content: Any, indent: str) -> Iterator[str]:
    if value.sort == "cones":
        for cone in content:
            attributes = " ".join(f'{key}="{_shown(number)}"' for key, number in cone._asdict().items() if number)
            yield f"{indent}<beam {attributes}/>"
    elif value.sort == "flag":
        yield f"{indent}<{value.name}>{str(content).lower()}</{value.name}>"
    else:
        shown = escape(content) if isinstance(content, str) else _shown(content)
        yield f"{indent}<{value.name}>{shown}</{value.name}>"


def _shown(number: float) -> str:
    """Return a number as short as it can be read back exactly."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


# ---- reading


def read(data: bytes, file: str) -> SearEntry:
    """Return the object of an XML file; raises FormatError with file and line."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"{file}: the file is too large: {len(data):,} bytes (at most {MOST_BYTES:,})")
    if b"<!DOCTYPE" in data:
        raise FormatError(f"{file}:1: a document type is not supported; remove <!DOCTYPE ...>")
    root = xml_text.parse(data, file)
    return _entry(root, file)


def _entry(element: Element, file: str) -> SearEntry:
    if element.tag not in KINDS:
        raise FormatError(f"{file}:{element.line}: no such object {excerpt(element.tag)} {nearest(element.tag, KINDS)}")
    if len(element.children) > MOST_CHILDREN:
        raise FormatError(
            f"{file}:{element.line}: too many elements: {len(element.children):,} (at most {MOST_CHILDREN})"
        )
    wheels = tuple(_entry(child, file) for child in element.children if _is_wheel(child, element))
    if len(wheels) > MOST_WHEELS:
        raise FormatError(f"{file}:{element.line}: too many wheels: {len(wheels)} (at most {MOST_WHEELS})")
    values: dict[str, Any] = {}
    places: dict[str, Any] = {}
    for child in element.children:
        if child.tag in values or child.tag in places:
            raise FormatError(f"{file}:{child.line}: {element.tag}: {excerpt(child.tag)} is given twice; remove one")
        if child.tag in _PLACES:
            places[child.tag] = _with_line(file, child.line, _place, child)
        elif child.tag == "beam" and element.tag == "distance":
            values["cones"] = (*values.get("cones", ()), _with_line(file, child.line, _cone, child))
        elif not _is_wheel(child, element):
            values[child.tag] = _with_line(file, child.line, _value, element.tag, child)
    entry = _with_line(file, element.line, kinds.made, element.tag, element.get("name"), values)
    robot = element.get("robot")[: kinds.MOST_LETTERS]
    return replace(entry, **places, wheels=wheels, robot=robot, file=file, line=element.line)


def _is_wheel(child: Element, parent: Element) -> bool:
    return child.tag == "wheel" and parent.tag == "robot"


def _with_line(file: str, line: int, make: Callable[..., T], *values: Any) -> T:
    """Return what a function makes of values; what is wrong with them is reported with file and line."""
    try:
        return make(*values)
    except FormatError as problem:
        raise FormatError(f"{file}:{line}: {problem}") from None


def _place(element: Element) -> Triple:
    usual, most = _PLACES[element.tag]
    given = (_read_number(element.get(axis), f"{element.tag} {axis}", usual[n]) for n, axis in enumerate("xyz"))
    place = kinds.triple(given, element.tag, most)
    if element.tag == "scale" and not all(number > 0.0 for number in place):
        raise FormatError("scale: must be above 0")
    return place


def _cone(element: Element) -> BeamCone:
    unknown = sorted(set(element.attributes) - set(BeamCone._fields))
    if unknown:
        raise FormatError(f"a beam has no {excerpt(unknown[0])} {nearest(unknown[0], BeamCone._fields)}")
    row = [_read_number(element.get(key), key, BeamCone._field_defaults.get(key, 0)) for key in BeamCone._fields]
    cones: tuple[BeamCone, ...] = kinds.check(KINDS["distance"].value("cones"), [row])
    return cones[0]


def _value(tag: str, element: Element) -> Any:
    value = KINDS[tag].value(element.tag)
    if element.children:
        raise FormatError(f"{value.name}: want a plain value, without elements in it")
    text = element.text.strip()
    if value.sort == "text":
        return kinds.check(value, text)
    if value.sort == "flag":
        if text.lower() not in _FLAGS:
            raise FormatError(f"{value.name}: want true or false, got {excerpt(text)}")
        return _FLAGS[text.lower()]
    return kinds.check(value, _read_number(text, value.name, None))


def _read_number(text: str, noun: str, default: float | None) -> float:
    if not text and default is not None:
        return default
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"{noun}: want a number, got {excerpt(text)}") from None
