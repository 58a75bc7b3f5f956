from __future__ import annotations

import pytest
from formats.fake_vocabulary import VOCABULARY
from formats.some_maps import EVERYTHING, maps
from hypothesis import given

from understudy.errors import FormatError
from understudy.formats.aria import map_file
from understudy.formats.aria.map_append import add_lines

NEW = ((0.0, 0.0, 1.0, 2.0), (-0.5, 3.0, 1.0, 2.0))


def added(text, pieces=NEW):
    return add_lines(text.encode(), "old.map", pieces).decode()


def changed_lines(before, after):
    old = before.splitlines()
    return [line for line in after.splitlines() if line not in old]


def test_lines_come_behind_the_old_ones_and_counts_are_right():
    text = "2D-Map\nLineMinPos: 5 5\nLineMaxPos: 9 9\nNumLines: 1\nMy:  key\nLINES\n5 5 9 9\nDATA\n1 1\n"
    assert added(text) == (
        "2D-Map\nLineMinPos: -500 0\nLineMaxPos: 1000 3000\nNumLines: 3\nMy:  key\nLINES\n5 5 9 9\n"
        "0 0 1000 2000\n-500 3000 1000 2000\nDATA\n1 1\n"
    )


def test_a_map_of_points_alone_gets_a_list_of_lines_and_their_counts():
    assert added("2D-Map\nDATA\n1 1\n") == (
        "2D-Map\nLineMinPos: -500 0\nLineMaxPos: 1000 3000\nNumLines: 2\n"
        "LINES\n0 0 1000 2000\n-500 3000 1000 2000\nDATA\n1 1\n"
    )


def test_everything_else_stays_to_the_byte():
    assert changed_lines(EVERYTHING, added(EVERYTHING)) == [
        "LineMinPos: -500 0", "NumLines: 6", "0 0 1000 2000", "-500 3000 1000 2000"
    ]  # fmt: skip


def test_line_ends_are_those_of_the_map():
    text = "2D-Map\r\nNumLines: 0\r\nLINES\r\nDATA\r\n"
    assert added(text).replace("\r\n", "").count("\n") == 0


def test_a_last_line_without_an_end_gets_one():
    assert added("2D-Map\nLINES\n5 5 9 9").endswith("LINES\n5 5 9 9\n0 0 1000 2000\n-500 3000 1000 2000\n")


def test_lines_that_are_no_longer_sorted_are_not_called_so():
    text = "2D-Map\nlinesAreSorted:  true\nLINES\n5 5 9 9\n"
    assert "linesAreSorted:  false\n" in added(text)
    assert "linesAreSorted:  true\n" in added(text, ((0.006, 0.0, 0.0, 0.0),))


def test_no_lines_change_nothing():
    assert added(EVERYTHING, ()) == EVERYTHING


def test_letters_that_are_not_utf_8_stay():
    data = b'2D-Map\nCairn: Goal 0 0 0 "" ICON "B\xfcro"\nDATA\n'
    assert b'"B\xfcro"' in add_lines(data, "old.map", NEW)


def test_what_is_no_map_is_refused():
    with pytest.raises(FormatError, match=r"^old\.map:1: not a map: 'hello'"):
        added("hello\n")


@given(maps())
def test_the_lines_are_added_and_all_else_reads_as_before(text):
    before, after = (map_file.parse(t, "old.map", VOCABULARY).scene for t in (text, added(text)))
    had = next((wall.pieces_m for wall in before.walls if wall.pieces_m and not wall.tag), ())
    assert after.walls[0].pieces_m == (*had, *NEW)
    assert (after.marks, after.objects, after.map, after.origin) == (
        before.marks, before.objects, before.map, before.origin
    )  # fmt: skip
