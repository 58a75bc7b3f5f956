"""The text of Stage's world files: includes, definitions, and blocks of properties within blocks.

::

    include "map.inc"                     another file, inserted here
    define crate model ( size [1 1 1] )   a name for a kind of model
    crate ( pose [2 3 0 45] )             a model; blocks inside it are its parts

A property is a word and a number, a "text" or a list in brackets; ``#`` begins a comment. After the Stage manual and
the worlds that come with Stage 2 to 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Never

from understudy.errors import Problem, SceneError
from understudy.frozen import frozen

BEFORE = " before"  # suffix of a definition that was extended under its own name
MOST_BLOCKS = 100_000
MOST_INCLUDES = 50  # nested
MOST_DEPTH = 60

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\f]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
      | (?P<word>[A-Za-z_][\w+-]*(?:\[\d+\])?(?:\.[A-Za-z_][\w-]*(?:\[\d+\])?)*)
      | (?P<text>"[^"\n]*")
      | (?P<sign>[()\[\],])
    """,
    re.VERBOSE,
)

Value = float | str


@frozen
class Token:
    """A token and its line."""

    kind: str
    text: str
    place: SourceLine


@frozen
class SourceLine:
    """A line of a file; *own*: the file is ours, not the user's."""

    file: str
    line: int
    own: bool = False

    def problem(self, path: str, text: str) -> Problem:
        """Return a problem at this line."""
        return Problem(self.file, self.line, path, text)


@frozen
class Property:
    """The values of a property."""

    values: tuple[Value, ...]
    place: SourceLine


@frozen
class Body:
    """The content between the parentheses of a block, unexpanded."""

    place: SourceLine
    properties: Mapping[str, Property]
    parts: tuple[tuple[str, Body], ...]


@frozen
class Definition:
    """``define name parent ( ... )``."""

    name: str
    parent: str
    body: Body


@dataclass(frozen=True)
class Block:
    """A block with everything from its definitions; *names* runs from the word used to the built-in type."""

    names: tuple[str, ...]
    place: SourceLine
    properties: dict[str, Property] = field(default_factory=dict)
    parts: list[Block] = field(default_factory=list)

    @property
    def type(self) -> str:
        """Return the built-in type."""
        return self.names[-1]


# finds an include: name and including file -> text, display name, is it ours; raises LookupError
Find = Callable[[str, str], tuple[str, str, bool]]


class WorldText:
    """A parsed world file: its own properties, its definitions, and the bodies of its blocks in order."""

    def __init__(self, find: Find, more: Callable[[str], str] = lambda name: "") -> None:
        self._find, self._more = find, more
        self._ours = ""  # our own file, if it was included
        self.properties: dict[str, Property] = {}
        self.definitions: dict[str, Definition] = {}
        self.bodies: list[tuple[str, Body]] = []
        self._count = 0

    def read(self, text: str, file: str, own: bool = False, depth: int = 0) -> None:
        """Read a file and its includes; raises SceneError with file and line."""
        _Parser(self, _tokens(text, file, own), SourceLine(file, 1, own), depth).file()

    def include(self, name: str, place: SourceLine, depth: int) -> None:
        """Read an included file."""
        if depth >= MOST_INCLUDES:
            raise SceneError([place.problem("include", f"{name!r} includes itself, or includes are nested too deeply")])
        try:
            text, shown, own = self._find(name, place.file)
        except LookupError as error:
            raise SceneError([place.problem("include", str(error.args[0]))]) from None
        self._ours = shown if own else self._ours
        self.read(text, shown, own, depth + 1)

    def define(self, new: Definition) -> None:
        """Add a definition; it replaces one of the same name, unless it extends it."""
        before = self.lookup(new.name)
        if before is not None and new.parent == new.name:
            new = Definition(new.name, f"{new.name}{BEFORE}", new.body)
            self.define(Definition(new.parent, before.parent, before.body))
        self.definitions[new.name] = new

    def lookup(self, name: str) -> Definition | None:
        """Return a definition; those of our own file are read on demand."""
        if name not in self.definitions and self._ours and (text := self._more(name)):
            self._ours, ours = "", self._ours
            self.read(text, ours, own=True)
            self._ours = ours
        return self.definitions.get(name)

    def blocks(self) -> Iterator[Block]:
        """Yield the world's blocks with everything from their definitions."""
        for word, body in self.bodies:
            yield self.expanded(word, body)

    def expanded(self, word: str, body: Body, depth: int = 0) -> Block:
        """Return a block with the properties and parts of its definitions, the innermost first."""
        self._count += 1
        if self._count > MOST_BLOCKS or depth > MOST_DEPTH:
            raise SceneError([body.place.problem(word, f"too many blocks (at most {MOST_BLOCKS:,})")])
        chain = self._chain(word)
        block = Block((word, *(definition.parent for definition in chain)), body.place)
        for layer in (*(definition.body for definition in reversed(chain)), body):
            block.properties.update(layer.properties)
            block.parts.extend(self.expanded(part, inner, depth + 1) for part, inner in layer.parts)
        return block

    def _chain(self, word: str) -> list[Definition]:
        """Return the definitions that a word is derived from, its own first; a cycle ends the chain."""
        chain: dict[str, Definition] = {}
        while word not in chain and (definition := self.lookup(word)) is not None:
            chain[word] = definition
            word = definition.parent
        return list(chain.values())


def _tokens(text: str, file: str, own: bool) -> list[Token]:
    tokens, line, at = [], 1, 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    while at < len(text):
        found = _TOKEN.match(text, at)
        place = SourceLine(file, line, own)
        if not found:
            raise SceneError([place.problem("", _unreadable(text, at))])
        kind = str(found.lastgroup)
        if kind == "newline":
            line += 1
        elif kind != "blank":
            tokens.append(Token(kind, found[0], place))
        at = found.end()
    return tokens


def _unreadable(text: str, at: int) -> str:
    if text[at] == '"':
        return 'the closing " is missing on this line'
    word = re.split(r"[\s()\[\]]", text[at : at + 40], maxsplit=1)[0] or text[at]
    return f'cannot read {word!r} (want a word, a number, "text", [ ] or ( ))'


class _Parser:
    """Turns tokens into bodies; the world gets what is outside of blocks."""

    def __init__(self, world: WorldText, tokens: list[Token], begin: SourceLine, depth: int) -> None:
        self._world, self._tokens, self._depth = world, tokens, depth
        self._at, self._last = 0, begin

    def file(self) -> None:
        """Read until the end."""
        while (token := self._next()) is not None:
            if token.kind != "word":
                self._refuse(token.place, "", f"want a word here, got {token.text!r}")
            elif token.text == "include":
                name = self._expect("text", token, 'want include "file"')
                self._world.include(name.text[1:-1], token.place, self._depth)
            elif token.text == "define":
                self._definition(token)
            else:
                self._entry(token, self._world.properties, self._world.bodies, 0)

    def _definition(self, token: Token) -> None:
        wanted = "want define name parent ( ... )"
        name, parent = self._expect("word", token, wanted), self._expect("word", token, wanted)
        self._expect("(", token, wanted)
        self._world.define(Definition(name.text, parent.text, self._body(name, 1)))

    def _entry(self, word: Token, properties: dict[str, Property], parts: list[tuple[str, Body]], depth: int) -> None:
        """Parse a property or a block that begins with *word*."""
        token = self._next()
        if token is None:
            self._refuse(word.place, word.text, "its value is missing")
        elif token.text == "(":
            parts.append((word.text, self._body(word, depth + 1)))
        elif token.text == "[":
            properties[word.text] = Property(self._list(word), word.place)
        elif token.kind in ("number", "text"):
            properties[word.text] = Property((_value(token),), word.place)
        else:
            self._refuse(word.place, word.text, f'want a number, "text", [ ] or ( ) after it, got {token.text!r}')

    def _body(self, word: Token, depth: int) -> Body:
        """Read the content of parentheses, after the first one."""
        if depth > MOST_DEPTH:
            self._refuse(word.place, word.text, "blocks are nested too deeply")
        properties: dict[str, Property] = {}
        parts: list[tuple[str, Body]] = []
        while (token := self._next()) is not None and token.text != ")":
            if token.kind != "word":
                self._refuse(token.place, word.text, f"want a word or ) here, got {token.text!r}")
            self._entry(token, properties, parts, depth)
        if token is None:
            self._refuse(word.place, word.text, "its ) is missing")
        return Body(word.place, properties, tuple(parts))

    def _list(self, word: Token) -> tuple[Value, ...]:
        values: list[Value] = []
        while (token := self._next()) is not None and token.text != "]":
            if token.kind in ("number", "text"):
                values.append(_value(token))
            elif token.text != ",":
                self._refuse(token.place, word.text, f"want numbers or texts in its list, got {token.text!r}")
        if token is None:
            self._refuse(word.place, word.text, "its ] is missing")
        return tuple(values)

    def _next(self) -> Token | None:
        if self._at >= len(self._tokens):
            return None
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, what: str, begin: Token, wanted: str) -> Token:
        token = self._next()
        if token is None or what not in (token.kind, token.text):
            got = f", got {token.text!r}" if token else ""
            raise SceneError([begin.place.problem(begin.text, wanted + got)])
        return token

    def _refuse(self, place: SourceLine, path: str, text: str) -> Never:
        raise SceneError([place.problem(path, text)])


def _value(token: Token) -> Value:
    return token.text[1:-1] if token.kind == "text" else float(token.text)
