"""Untrusted XML: elements with their line numbers; entities, which can expand without limit, are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from understudy.errors import FormatError

MOST_DEPTH = 200
MOST_ELEMENTS = 2_000_000
Start = Callable[[str, Mapping[str, str], int], None]


@dataclass(slots=True)
class Element:
    """An element: its name without a namespace, its attributes, its content and its line."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """Yield the children of this name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Return the first child of this name, or None."""
        return next(self.all(tag), None)

    def find(self, *tags: str) -> Element | None:
        """Return the element at the end of a path of names, or None."""
        here: Element | None = self
        for tag in tags:
            here = here.first(tag) if here else None
        return here

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute."""
        return self.attributes.get(name, default)


def events(data: bytes, file: str, start: Start, end: Callable[[str], None], text: Callable[[str], None]) -> None:
    """Call *start* with name, attributes and line of each element, *text* and *end*; raises FormatError."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    open_elements = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal open_elements
        open_elements += 1
        if open_elements > MOST_DEPTH:
            raise FormatError(f"{file}:{parser.CurrentLineNumber}: elements nested too deeply (at most {MOST_DEPTH})")
        start(name.rpartition(" ")[2], attributes, parser.CurrentLineNumber)

    def finish(name: str) -> None:
        nonlocal open_elements
        open_elements -= 1
        end(name.rpartition(" ")[2])

    def refuse(*_: Any) -> None:
        raise FormatError(f"{file}:{parser.CurrentLineNumber}: XML entities are not supported; write out their values")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, finish, text
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FormatError(f"{file}:{error.lineno}: not XML ({expat.ErrorString(error.code)})") from None
    except (UnicodeError, LookupError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file}: not XML ({error})") from None


def parse(data: bytes, file: str) -> Element:
    """Return the root element of a document; raises FormatError with file and line."""
    root = Element("", {}, 1)
    stack, count = [root], 0
    words: list[list[str]] = [[]]  # of each open element; a growing string would take quadratic time

    def start(tag: str, attributes: Mapping[str, str], line: int) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS:
            raise FormatError(f"{file}:{line}: too many elements (at most {MOST_ELEMENTS:,})")
        element = Element(tag, attributes, line)
        stack[-1].children.append(element)
        stack.append(element)
        words.append([])

    def end(tag: str) -> None:
        stack.pop().text = "".join(words.pop())

    events(data, file, start, end, lambda text: words[-1].append(text))
    return root.children[0]


def numbers(text: str, count: int, file: str, line: int, noun: str) -> tuple[float, ...]:
    """Return *count* finite numbers from a text; raises FormatError with what is expected."""
    try:
        found = tuple(float(word) for word in text.replace(",", " ").split())
    except ValueError:
        found = ()
    if len(found) != count or not all(abs(number) < 1e18 for number in found):
        wanted = "a number" if count == 1 else f"{count} numbers"
        raise FormatError(f"{file}:{line}: not {noun}: {text[:60]!r} (want {wanted})")
    return found
