from __future__ import annotations

import tomllib

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from understudy.formats.native.toml_lines import key_lines, line_of, statements


def paths(value, path=()):
    """Yield every path of a parsed document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


EVERYTHING = r'''# a comment with [brackets] and "quotes"
title = "x"   # [not a header]
"quoted key" = 1
'single . quoted' = 2
dotted.a."b c".d = 3

[table]
long = """
[[not.a.header]]
key = "no"
quote: \""" end"""
raw = \'\'\'
# not a comment
it's fine\'\'\'\'\'
winpath = 'C:\new'
escaped = "a \" # b"

[table.sub.deep]
array = [ # comment, with ]
  1, 2,
  [3, "]", '}'],  # another
  {x = 1, y = {z = "}"}},
]
date = 1979-05-27 07:32:00 # not part of it
empty = []
none = {}

[[wall]]
points_m = [[0, 0], [1, 1]]

[[robot]]
device.front.max_m = 30

[robot.device.rear]
kind = "laser"

[[robot.tag]]
a = 1

[[wall]]

[[robot.tag]]
a = 2

[[robot]]
[robot.device.rear]
kind = "sonar"
'''.replace("\\'", "'")


def test_every_path_of_a_document_with_all_kinds_of_syntax_has_a_line():
    lines = key_lines(EVERYTHING)
    assert set(paths(tomllib.loads(EVERYTHING))) == set(lines)


@pytest.mark.parametrize(("path", "start"), [
    (("title",), "title ="),
    (("quoted key",), '"quoted key"'),
    (("single . quoted",), "'single"),
    (("dotted", "a", "b c", "d"), "dotted.a"),
    (("table", "raw"), "raw ="),
    (("table", "winpath"), "winpath ="),
    (("table", "sub"), "[table.sub.deep]"),
    (("table", "sub", "deep", "array", 0), "  1, 2"),
    (("table", "sub", "deep", "array", 2, 1), "  [3,"),
    (("table", "sub", "deep", "array", 3, "y", "z"), "  {x = 1"),
    (("table", "sub", "deep", "none"), "none ="),
    (("wall", 0), "[[wall]]"),
    (("wall", 0, "points_m", 1, 0), "points_m"),
    (("robot", 0, "device", "front", "max_m"), "device.front"),
    (("robot", 0, "tag", 1, "a"), "a = 2"),
    (("robot", 1, "device", "rear", "kind"), 'kind = "sonar"'),
])  # fmt: skip
def test_a_path_stands_on_the_line_where_it_is_written(path, start):
    line = EVERYTHING.splitlines()[key_lines(EVERYTHING)[path] - 1]
    assert line.startswith(start)


def test_windows_line_ends_give_the_same_lines():
    assert key_lines(EVERYTHING.replace("\n", "\r\n")) == key_lines(EVERYTHING)


def test_the_second_table_of_an_array_has_its_own_line():
    lines = key_lines("[[a]]\n\n[[a]]\n")
    assert (lines[("a", 0)], lines[("a", 1)]) == (1, 3)


def test_an_empty_text_has_its_first_line():
    assert key_lines("") == {(): 1}


def test_a_path_that_is_not_written_has_the_line_of_its_nearest_parent():
    lines = key_lines("a = 1\n[b.c]\nd = 2\n")
    assert line_of(lines, ("b", "c", "x", 3, "y")) == 2


def test_what_has_no_lines_has_line_zero():
    assert line_of({}, ("a", "b")) == 0


def test_a_statement_knows_where_its_value_begins_and_ends():
    text = "[t]\n  a = [1,\n  2]  # why\n"
    key = statements(text)[1]
    assert (text[key.value : key.stop], text[key.stop : key.end]) == ("[1,\n  2]", "  # why\n")


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=8)
NASTY = st.just('"""\n#]\'\'')
SCALARS = st.one_of(st.booleans(), st.integers(-(2**62), 2**62), st.floats(allow_nan=False), WORDS, NASTY)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(WORDS, VALUES, max_size=5))
def test_every_path_of_any_document_has_a_line(document):
    text = tomlkit.dumps(document)
    parsed = tomllib.loads(text)
    assert set(paths(parsed)) == set(key_lines(text))
