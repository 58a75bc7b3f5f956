"""Reads ARIA's map files; `map_file` describes the format."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.assets import number_rows
from understudy.errors import FormatError, Problem
from understudy.formats.aria.cairn_types import types_of
from understudy.formats.aria.cairns import KEYWORDS, Status, thing_of
from understudy.formats.aria.words import number, one_line, words
from understudy.formats.document import Document
from understudy.world.marks import MapNotes, MapSource, Mark, Piece, Point
from understudy.world.outlines import of_solid
from understudy.world.records import KeyPath
from understudy.world.scene import Ground, Origin, Scene, Solid, Wall

Ints = npt.NDArray[np.int64]

MEASURED = ("minpos:", "maxpos:", "numpoints:", "lineminpos:", "linemaxpos:", "numlines:")  # recomputed
RESOLUTION = "resolution:"
_OF_A_SOURCE = (*MEASURED, RESOLUTION, "pointsaresorted:", "linesaresorted:", "display:")
_ORIGINS = ("originlatlongalt:", "originlatlonalt:")  # ARIA reads the first; its reference and some maps use the second
_FORM = re.compile(r"2D-Map(-Ex[2-4]?)?", re.IGNORECASE)
TAG = re.compile(r"(?:(\S+)_)?(LINES|DATA)", re.IGNORECASE)
_WIDTHS = {"LINES": 4, "DATA": 2}
_WANT_FORM = "want 2D-Map, 2D-Map-Ex, 2D-Map-Ex2, 2D-Map-Ex3 or 2D-Map-Ex4"
_WIDEST_MM = 2_000_000  # ARIA treats a larger map as damaged


@dataclass
class Section:
    """One list of numbers: its source, its kind, and the positions of its tag and rows in the file."""

    source: str
    tag: str
    line: int
    tag_start: int
    start: int
    end: int = 0


@dataclass
class _Source:
    """The data of an additional sensor."""

    name: str
    header: list[str] = field(default_factory=list)
    rows: dict[str, Ints] = field(default_factory=dict)


class AriaMapReader:
    """Reads one map and collects warnings."""

    def __init__(self, data: bytes, file: str) -> None:
        self._data, self._file = data, file
        self._warnings: list[Problem] = []
        self._header: list[str] = []
        self._info: list[tuple[int, str]] = []
        self._cairns: list[tuple[int, Status, list[str], str]] = []
        self._origin: Origin | None = None
        self._dot_m = 0.02
        self._sources: dict[str, _Source] = {}  # by name in lower case; "" is the map itself

    def document(self, folder: pathlib.Path | None) -> Document:
        """Return the document; raises FormatError."""
        text = self._text()
        head, sections = self.split()
        self._find_sources(head, sections)
        self._read_head(head)
        self._read_sections(sections)
        scene, lines = self._scene()
        self._warnings.sort(key=lambda problem: problem.line)
        return Document(scene, self._file, text, folder, lines, warnings=tuple(self._warnings))

    def _warn(self, line: int, text: str) -> None:
        self._warnings.append(Problem(self._file, line, "", text))

    def _text(self) -> str:
        try:
            return self._data.decode()
        except UnicodeDecodeError as error:
            line = self._data.count(b"\n", 0, error.start) + 1
            self._warn(line, "not UTF-8 text; read as Latin-1")
            return self._data.decode("latin-1")

    # ---- the parts of the file

    def split(self) -> tuple[list[tuple[int, str]], list[Section]]:
        """Return the header's lines with their numbers, and the positions of the lists of rows; raises FormatError."""
        head: list[tuple[int, str]] = []
        at, line = 3 if self._data.startswith(b"\xef\xbb\xbf") else 0, 1
        while at < len(self._data):
            end = self._data.find(b"\n", at) + 1 or len(self._data)
            text = _decoded(self._data[at:end])
            found = TAG.fullmatch(text)
            if found and head:
                return self._checked(head), self._sections(Section(found[1] or "", found[2].upper(), line, at, end))
            head += [(line, text)] if text else []
            at, line = end, line + 1
        self._checked(head)
        raise FormatError(
            f"{self._file}:{line - 1}: the map has neither LINES nor DATA; add one of them, even if empty"
        )

    def _checked(self, head: list[tuple[int, str]]) -> list[tuple[int, str]]:
        if not head:
            raise FormatError(f"{self._file}:1: not a map: the file is empty ({_WANT_FORM} as the first line)")
        line, text = head[0]
        if not text.lower().startswith("2d-map"):
            raise FormatError(f"{self._file}:{line}: not a map: {text[:40]!r} ({_WANT_FORM} as the first line)")
        if not _FORM.fullmatch(text):
            self._warn(line, f"unknown kind of map: {text[:40]!r} ({_WANT_FORM})")
        return head

    def _sections(self, first: Section) -> list[Section]:
        """Return the lists from the *first* on; only lines with letters are examined."""
        chars = np.frombuffer(self._data, np.uint8, offset=first.start)
        ends = np.flatnonzero(chars == ord("\n"))
        lettered = np.unique(np.searchsorted(ends, np.flatnonzero(chars >= ord("A"))))
        sections = [first]
        for row in lettered.tolist():
            start = first.start + (int(ends[row - 1]) + 1 if row else 0)
            end = first.start + int(ends[row]) + 1 if row < len(ends) else len(self._data)
            if found := TAG.fullmatch(_decoded(self._data[start:end])):
                sections[-1].end = start
                sections.append(Section(found[1] or "", found[2].upper(), first.line + 1 + row, start, end))
        sections[-1].end = len(self._data)
        return sections

    # ---- the header

    def _find_sources(self, head: list[tuple[int, str]], sections: list[Section]) -> None:
        """Record the sensors that the header or a data tag names."""
        for _, text in head:
            keyword, *names = words(text)
            for name in names if keyword.lower() == "sources:" else ():
                self._sources.setdefault(name.lower(), _Source(name))
        for section in sections:
            self._sources.setdefault(section.source.lower(), _Source(section.source))

    def _read_head(self, head: list[tuple[int, str]]) -> None:
        self._form = head[0][1]
        for line, text in head[1:]:
            self._take(line, text, words(text)[0].lower())

    def _take(self, line: int, text: str, keyword: str) -> None:
        """Process one line of the header."""
        source = self._source_of(keyword)
        if source is not None:
            source.header += [] if keyword.removeprefix(source.name.lower()) in MEASURED else [text]
        elif keyword in KEYWORDS:
            self._cairns.append((line, KEYWORDS[keyword], words(text)[1:], text))
        elif keyword == "mapinfo:":
            self._info.append((line, text))
        elif keyword in _ORIGINS:
            self._take_origin(line, text)
        elif keyword not in MEASURED:
            self._header.append(text)
            if keyword == RESOLUTION:
                self._take_resolution(line, text)

    def _source_of(self, keyword: str) -> _Source | None:
        """Return the sensor whose name a keyword begins with."""
        for name, source in self._sources.items() if keyword not in _OF_A_SOURCE else ():
            if name and keyword.startswith(name) and keyword.removeprefix(name) in _OF_A_SOURCE:
                return source
        return None

    def _take_origin(self, line: int, text: str) -> None:
        try:
            latitude, longitude, altitude = (number(word) for word in words(text)[1:])
            if abs(latitude) > 90.0 or abs(longitude) > 180.0:
                raise ValueError
            self._origin = Origin(latitude, longitude, altitude)
        except ValueError:
            self._warn(
                line, f"not a geographic position: {text!r} (want latitude longitude altitude, degrees and metres)"
            )

    def _take_resolution(self, line: int, text: str) -> None:
        found = resolution_m(text)
        if found is None:
            self._warn(line, f"not a resolution: {text!r} (want millimetres above 0)")
        else:
            self._dot_m = found

    # ---- the lists

    def _read_sections(self, sections: list[Section]) -> None:
        for section in sections:
            source = self._sources[section.source.lower()]
            found = self._rows(section)
            before = source.rows.get(section.tag)
            source.rows[section.tag] = found if before is None else np.concatenate([before, found])
        if not self._data.endswith(b"\n") and sections[-1].start < len(self._data):
            self._warn(self._data.count(b"\n") + 1, "the last line has no line ending; ARIA programs skip it")

    def _rows(self, section: Section) -> Ints:
        width = _WIDTHS[section.tag]
        rows = number_rows.parse(self._data[section.start : section.end], width, section.line + 1)
        want = "x1 y1 x2 y2" if width == 4 else "x y"
        for line, text in rows.rounded:
            self._warn(line, f"not whole millimetres: {text!r} (rounded)")
        for line, text in rows.other:
            self._warn(line, f"not a {'wall' if width == 4 else 'point'}: {text[:60]!r} (want {want})")
        if len(rows.values) and not section.source and self._widest(rows.values) > _WIDEST_MM:
            self._warn(section.line, f"{section.tag} spans more than 2 km; ARIA programs refuse such a map")
        return rows.values

    def _widest(self, rows: Ints) -> int:
        return int(max(np.ptp(rows[:, ::2]), np.ptp(rows[:, 1::2])))

    # ---- the scene

    def _scene(self) -> tuple[Scene, dict[KeyPath, int]]:
        things: dict[str, list[Any]] = {"wall": list(self._walls()), "object": [], "mark": []}
        lines: dict[KeyPath, int] = {(): 1}
        for line, thing in self._things():
            key = {Wall: "wall", Solid: "object", Mark: "mark"}[type(thing)]
            lines[(key, len(things[key]))] = line
            things[key].append(thing)
        walls, objects = tuple(things["wall"]), tuple(things["object"])
        sources = tuple(_carried(source) for name, source in self._sources.items() if name and _says_something(source))
        scene = Scene(
            name=pathlib.PurePath(self._file).stem,
            ground=self._ground(walls, objects),
            origin=self._origin,
            map=MapNotes(self._form, tuple(self._header), tuple(text for _, text in self._info), sources),
            walls=walls,
            objects=objects,
            marks=tuple(things["mark"]),
        )
        return scene, lines

    def _walls(self) -> Iterator[Wall]:
        """Yield all lines as one wall, and all points as another."""
        rows = self._sources[""].rows if "" in self._sources else {}
        if len(rows.get("LINES", ())):
            yield Wall(pieces_m=_in_metres(rows["LINES"]))
        if len(rows.get("DATA", ())):
            yield Wall(dots_m=_in_metres(rows["DATA"]), dot_m=self._dot_m)

    def _things(self) -> Iterator[tuple[int, Mark | Solid | Wall]]:
        types, wrong = types_of(text for _, text in self._info)
        for line, text in self._info:
            if text in wrong:
                self._warn(line, wrong[text])
        for line, status, found, text in self._cairns:
            try:
                yield line, thing_of(found, status, types)
            except ValueError as problem:
                self._warn(line, f"not a map object: {text[:80]!r} ({problem})")

    def _ground(self, walls: tuple[Wall, ...], objects: tuple[Solid, ...]) -> Ground:
        """Return a ground large enough for everything on it."""
        points = [_extent(rows) for rows in self._sources[""].rows.values() if len(rows)] if "" in self._sources else []
        points += [np.reshape(wall.pieces_m, (-1, 2)) for wall in walls if wall.tag]
        points += [np.array(outline.points) for solid in objects for outline in of_solid(solid)]
        if not points:
            return Ground()
        every = np.concatenate(points)
        low, high = every.min(axis=0), every.max(axis=0)
        (x, y), (wide, deep) = ((low + high) / 2).tolist(), np.maximum(high - low, 1.0).tolist()
        return Ground((wide, deep), (x, y))


def resolution_m(line: str) -> float | None:
    """Return the point size given by a ``Resolution:`` line, or None if it gives none (m)."""
    try:
        (word,) = words(line)[1:]
        value = number(word) / 1000
    except ValueError:
        return None
    return value if value > 0.0 else None


def _decoded(line: bytes) -> str:
    try:
        return one_line(line.decode())
    except UnicodeDecodeError:
        return one_line(line.decode("latin-1"))


def _in_metres(rows: Ints) -> Any:
    return tuple(zip(*(rows / 1000).T.tolist()))


def _extent(rows: Ints) -> npt.NDArray[np.float64]:
    """Return the lowest and the highest x and y (m)."""
    points = rows.reshape(-1, 2)
    return np.stack([points.min(axis=0), points.max(axis=0)]) / 1000


def _says_something(source: _Source) -> bool:
    return bool(source.header or any(map(len, source.rows.values())))


def _carried(source: _Source) -> MapSource:
    pieces: tuple[Piece, ...] = _in_metres(source.rows["LINES"]) if "LINES" in source.rows else ()
    dots: tuple[Point, ...] = _in_metres(source.rows["DATA"]) if "DATA" in source.rows else ()
    return MapSource(source.name, tuple(source.header), pieces, dots)
