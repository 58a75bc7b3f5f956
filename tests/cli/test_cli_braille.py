"""Drawing with characters."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.cli.braille import BrailleCanvas, Fit, ViewBounds, ascii_letter, blend, cells, cut, joined

UNIT = ViewBounds(0.0, 0.0, 10.0, 10.0)
ANY = st.floats(allow_nan=True, allow_infinity=True)
POINTS = st.tuples(ANY, ANY)


def picture(canvas):
    return ["".join(text for text, _ in row) for row in canvas.render()]


def dot_places(canvas):
    order = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))  # Unicode's bits, as x and y in the cell
    for row, line in enumerate(picture(canvas)):
        for column, letter in enumerate(line):
            bits = 0 if letter == " " else ord(letter) - 0x2800
            yield from ((2 * column + x, 4 * row + y) for bit, (x, y) in enumerate(order) if bits >> bit & 1)


def dots(canvas):
    return len(list(dot_places(canvas)))


def test_an_empty_canvas_is_blank_and_of_its_size():
    assert picture(BrailleCanvas(UNIT, 5, 3)) == [" " * 5] * 3


def test_the_corners_of_the_world_are_the_corners_of_the_canvas():
    canvas = BrailleCanvas(ViewBounds(0.0, 0.0, 9.0, 7.0), 5, 2)
    for corner in ((0.0, 0.0), (9.0, 0.0), (0.0, 7.0), (9.0, 7.0)):
        canvas.dot(corner)
    assert picture(canvas) == ["⠁   ⠈", "⡀   ⢀"]


@given(st.integers(2, 60), st.integers(1, 30), st.floats(0.1, 1e4), st.floats(0.1, 1e4))
def test_the_fitted_view_keeps_proportions_and_holds_everything(width, height, wide, deep):
    fit = Fit.to(ViewBounds(0.0, 0.0, wide, deep), width, height)
    left, bottom = fit.dots((0.0, 0.0))
    right, top = fit.dots((wide, deep))
    assert (right - left) / wide == pytest.approx((bottom - top) / deep)
    assert left >= -0.01
    assert right <= width * 2 - 0.99
    assert top >= -0.01
    assert bottom <= height * 4 - 0.99


def test_a_horizontal_line_has_no_gaps():
    canvas = BrailleCanvas(UNIT, 10, 5)
    canvas.line((0.0, 5.0), (10.0, 5.0))
    assert dots(canvas) == 20


def test_a_line_that_starts_between_two_dots_has_no_gaps():
    canvas = BrailleCanvas(ViewBounds(0.0, 0.0, 1.0, 19.0), 10, 5)
    canvas.line((0.0, 0.5), (0.0, 18.5))
    assert dots(canvas) == 19


def test_a_line_that_leaves_the_canvas_is_cut_at_its_edge():
    canvas = BrailleCanvas(UNIT, 10, 5)
    canvas.line((-1e12, 5.0), (1e12, 5.0))
    assert dots(canvas) == 20


def test_a_line_beside_the_canvas_draws_nothing():
    canvas = BrailleCanvas(UNIT, 10, 5)
    canvas.line((-5.0, 30.0), (20.0, 40.0))
    assert dots(canvas) == 0


@given(st.lists(POINTS, min_size=1, max_size=4), ANY)
def test_no_number_makes_drawing_fail(points, radius):
    canvas = BrailleCanvas(UNIT, 6, 3)
    canvas.polygon(points)
    canvas.circle(points[0], radius)
    canvas.dot(points[0])
    canvas.text(points[0], "x")
    assert [len(row) for row in picture(canvas)] == [6, 6, 6]


def test_a_circle_is_the_same_from_all_sides():
    canvas = BrailleCanvas(ViewBounds(0.0, 0.0, 11.0, 11.0), 6, 3)
    canvas.circle((5.0, 5.0), 4.0)
    drawn = {(x - 5, y - 6) for x, y in dot_places(canvas)}  # y counts down, so 5 m up is 6 dots down
    assert drawn == {(-x, y) for x, y in drawn} == {(x, -y) for x, y in drawn} == {(y, x) for x, y in drawn}


def test_a_circle_smaller_than_a_dot_is_a_dot():
    canvas = BrailleCanvas(UNIT, 10, 5)
    canvas.circle((5.0, 5.0), 0.001)
    assert dots(canvas) == 1


def test_a_polygon_is_closed():
    canvas = BrailleCanvas(ViewBounds(0.0, 0.0, 3.0, 3.0), 2, 1)
    canvas.polygon([(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)])
    assert picture(canvas) == ["⣏⣹"]


def test_text_covers_dots_and_is_cut_at_the_edge():
    canvas = BrailleCanvas(UNIT, 5, 5)
    canvas.line((0.0, 5.0), (10.0, 5.0))
    canvas.text((5.0, 5.0), "name", shift=1)
    assert picture(canvas)[2][3:] == "na"


def test_the_last_colour_of_a_cell_counts():
    canvas = BrailleCanvas(UNIT, 1, 1)
    canvas.dot((0.0, 0.0), "#111111")
    canvas.dot((10.0, 10.0), "bold")
    assert canvas.render()[0][0][1] == "bold"


def test_neighbours_of_one_colour_are_one_run():
    assert joined([("a", "x"), (" ", ""), ("b", "x"), ("c", "y")]) == [("a b", "x"), ("c", "y")]


def test_a_blank_after_reversed_text_is_not_reversed():
    assert joined([("a", "reverse"), (" ", "")]) == [("a", "reverse"), (" ", "")]


def test_without_braille_everything_is_ascii():
    canvas = BrailleCanvas(UNIT, 8, 4, braille=False)
    canvas.polygon([(1.0, 1.0), (9.0, 2.0), (5.0, 9.0)])
    assert all(row.isascii() for row in picture(canvas))


def test_every_cell_has_a_plain_letter():
    assert set(map(ascii_letter, range(256))) == set(" .-_|/\\+#")


def test_bounds_of_one_point_are_a_metre_wide():
    assert ViewBounds.around([(2.0, 3.0)]) == (1.5, 2.5, 2.5, 3.5)


def test_blending_goes_from_one_colour_to_the_other():
    assert [blend("#000000", "#ff8000", part) for part in (0.0, 1.0)] == ["#000000", "#ff8000"]


def test_wide_letters_take_two_cells_and_marks_none():
    assert [cells(text) for text in ("ab", "日本", "e\u0301")] == [2, 4, 1]


@given(st.text(max_size=20), st.integers(0, 12))
def test_a_cut_text_fits_and_holds_no_control_character(text, width):
    short = cut(text, width)
    assert cells(short) <= width
    assert short.isprintable()


def test_infinite_circles_are_left_out():
    canvas = BrailleCanvas(UNIT, 3, 3)
    canvas.circle((math.inf, 0.0), 1.0)
    assert dots(canvas) == 0


def test_drawing_on_a_copy_leaves_the_first_sheet_as_it_was():
    first = BrailleCanvas(ViewBounds(0.0, 0.0, 9.0, 9.0), 5, 5)
    first.line((0.0, 0.0), (9.0, 9.0))
    before = picture(first)
    second = first.copy()
    assert picture(second) == before
    second.line((0.0, 9.0), (9.0, 0.0))
    second.text((5.0, 5.0), "x", "bold")
    assert picture(first) == before != picture(second)
