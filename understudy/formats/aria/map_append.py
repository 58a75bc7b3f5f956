"""Adds lines to an existing map; the rest of the file stays byte-identical."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from understudy.assets import number_rows
from understudy.formats.aria.map_read import AriaMapReader, Section
from understudy.world.marks import Piece

Ints = npt.NDArray[np.int64]


def add_lines(data: bytes, file: str, pieces: Sequence[Piece]) -> bytes:
    """Return the map in *data* with these walls added; raises FormatError if it is not a map."""
    _, sections = AriaMapReader(data, file).split()
    new = np.rint(np.array(pieces, np.float64).reshape(-1, 4) * 1000).astype(np.int64)
    if not len(new):
        return data
    newline = b"\r\n" if b"\r\n" in data[: sections[0].start] else b"\n"
    own = [section for section in sections if section.tag == "LINES" and not section.source]
    body = _with_rows(data, own, sections[0], new, newline)
    old = [number_rows.parse(data[section.start : section.end], 4).values for section in own]
    return _with_counts(body, sections[0].tag_start, np.concatenate([*old, new]), newline)


def _with_rows(data: bytes, own: list[Section], first: Section, new: Ints, newline: bytes) -> bytes:
    """Return the file with new rows after its last line, or with a LINES list before its other lists."""
    rows = b"".join(b"%d %d %d %d" % tuple(row) + newline for row in new.tolist())
    if not own:
        return data[: first.tag_start] + b"LINES" + newline + rows + data[first.tag_start :]
    at = own[-1].end
    missing = b"" if data[:at].endswith(b"\n") else newline
    return data[:at] + missing + rows + data[at:]


def _with_counts(data: bytes, header_end: int, rows: Ints, newline: bytes) -> bytes:
    """Return the file with the header's extent and count of lines updated."""
    points = rows.reshape(-1, 2)
    values = {
        b"LineMinPos:": b"%d %d" % tuple(points.min(axis=0).tolist()),
        b"LineMaxPos:": b"%d %d" % tuple(points.max(axis=0).tolist()),
        b"NumLines:": b"%d" % len(rows),
    }
    head, body = data[:header_end], data[header_end:]
    for keyword, value in values.items():
        line = re.compile(rb"^([ \t]*" + keyword + rb"[ \t]*)[^\r\n]*", re.MULTILINE | re.IGNORECASE)
        head, found = line.subn(rb"\g<1>" + value, head)
        head += b"" if found else keyword + b" " + value + newline
    if not _is_sorted(rows):
        head = re.sub(rb"(?im)^([ \t]*LinesAreSorted:[ \t]*)true\b", rb"\1false", head)
    return head + body


def _is_sorted(rows: Ints) -> bool:
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    return bool((rows[order, :2] == rows[:, :2]).all())
