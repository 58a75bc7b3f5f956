"""Shapes, images and colours on an EyeBot's screen."""

import numpy as np
import pytest

from understudy.robots.eyebot.lcd import Lcd
from understudy.robots.eyebot.lcd_orders import (
    LcdArea,
    LcdCircle,
    LcdClear,
    LcdImage,
    LcdImageArea,
    LcdInvert,
    LcdLine,
    LcdMenuItem,
    LcdPixel,
    LcdPrint,
    LcdPrintAt,
    LcdShape,
)

RED, WHITE, BLACK = 0xFF0000, 0xFFFFFF, 0


def drawn(*orders, kind="robios7"):
    lcd = Lcd(kind)
    for order in orders:
        lcd.take(order)
    return lcd


def lit(lcd):
    """Return the pixels that are not background, as (x, y)."""
    screen = lcd.screen
    frame = lcd.pixels()[: screen.height]
    paper = [screen.paper >> shift & 255 for shift in (16, 8, 0)]
    return {(int(x), int(y)) for y, x in zip(*np.nonzero((frame != paper).any(axis=2)))}


def test_the_screen_is_480_by_320_and_has_a_menu_bar_below():
    lcd = Lcd()
    assert lcd.size == (480, 320)
    assert lcd.pixels().shape == (350, 480, 3)


def test_the_classic_screen_is_128_by_64_with_the_menu_in_its_last_line():
    lcd = Lcd("classic")
    assert lcd.size == (128, 64)
    assert lcd.pixels().shape == (64, 128, 3)


def test_a_pixel_has_the_colour_that_was_set():
    lcd = drawn(LcdPixel(7, 9, 0x123456))
    assert lcd.pixel(7, 9) == 0x123456
    assert lcd.pixels()[9, 7].tolist() == [0x12, 0x34, 0x56]
    assert lit(lcd) == {(7, 9)}


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (480, 0), (0, 320), (10**30, 5), (5, -(10**30))])
def test_a_pixel_outside_is_not_drawn_and_reads_as_0(x, y):
    lcd = drawn(LcdPixel(x, y, RED))
    assert lit(lcd) == set()
    assert lcd.pixel(x, y) == 0


def test_a_line_has_one_pixel_for_each_column_and_both_ends():
    lcd = drawn(LcdLine(2, 3, 12, 8, RED))
    points = lit(lcd)
    assert {(2, 3), (12, 8)} <= points
    assert sorted(x for x, _ in points) == list(range(2, 13))


@pytest.mark.parametrize("ends", [(2, 3, 40, 17), (5, 90, 11, 2), (0, 0, 30, 30), (30, 5, 0, 5), (5, 30, 5, 0)])
def test_a_line_is_the_same_in_both_directions(ends):
    x1, y1, x2, y2 = ends
    assert lit(drawn(LcdLine(x1, y1, x2, y2, RED))) == lit(drawn(LcdLine(x2, y2, x1, y1, RED)))


def test_a_line_that_leaves_the_screen_has_the_pixels_of_the_whole_line_that_are_inside():
    whole, shifted = lit(drawn(LcdLine(0, 0, 400, 250, RED))), lit(drawn(LcdLine(-100, -60, 300, 190, RED)))
    assert shifted == {(x - 100, y - 60) for x, y in whole if x >= 100 and y >= 60}


def test_a_line_to_a_billion_keeps_its_direction():
    assert lit(drawn(LcdLine(0, 0, 10**9, 10**9, RED))) == {(i, i) for i in range(320)}


def test_a_filled_area_has_both_corners_in_any_order():
    expected = {(x, y) for x in range(3, 8) for y in range(4, 7)}
    assert lit(drawn(LcdArea(3, 4, 7, 6, RED, True))) == expected
    assert lit(drawn(LcdArea(7, 6, 3, 4, RED, True))) == expected


def test_an_outline_is_the_border_of_the_area():
    inside = {(x, y) for x in range(4, 7) for y in range(5, 8)}
    assert lit(drawn(LcdArea(3, 4, 7, 8, RED, False))) == lit(drawn(LcdArea(3, 4, 7, 8, RED, True))) - inside


def test_a_circle_is_symmetric_and_the_border_of_its_disc():
    disc, ring = lit(drawn(LcdCircle(50, 50, 20, RED, True))), lit(drawn(LcdCircle(50, 50, 20, RED, False)))
    assert {(100 - x, y) for x, y in ring} == ring == {(y, x) for x, y in ring}
    inner = {(x, y) for x, y in disc if {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} <= disc}
    assert ring == disc - inner
    assert all(19 < np.hypot(x - 50, y - 50) < 21 for x, y in ring)


def test_a_circle_of_radius_0_is_a_pixel_and_a_negative_one_is_nothing():
    assert lit(drawn(LcdCircle(9, 9, 0, RED, True))) == lit(drawn(LcdCircle(9, 9, 0, RED, False))) == {(9, 9)}
    assert lit(drawn(LcdCircle(9, 9, -5, RED, True), LcdCircle(9, 9, -(10**12), RED, False))) == set()


def test_a_huge_circle_is_drawn_where_it_crosses_the_screen():
    lcd = drawn(LcdCircle(-(10**9), 100, 10**9 + 30, RED, False))
    assert (30, 100) in lit(lcd)
    assert {x for x, _ in lit(lcd)} <= {30, 31}


def test_an_inversion_done_twice_leaves_no_trace():
    shapes = [
        LcdInvert(LcdShape.PIXEL, 3, 3, 0, 0), LcdInvert(LcdShape.LINE, 0, 0, 200, 90),
        LcdInvert(LcdShape.AREA, 10, 10, 60, 40), LcdInvert(LcdShape.CIRCLE, 50, 50, 30, 0),
    ]  # fmt: skip
    plain = drawn(LcdPrint("hello"))
    once, twice = drawn(LcdPrint("hello"), *shapes), drawn(LcdPrint("hello"), *shapes, *shapes)
    assert not np.array_equal(once.pixels(), plain.pixels())
    assert np.array_equal(twice.pixels(), plain.pixels())


def test_an_unknown_inversion_does_nothing():
    assert lit(drawn(LcdInvert(77, 0, 0, 100, 100))) == set()


def test_on_the_classic_screen_0_clears_1_sets_and_2_inverts():
    lcd = drawn(LcdArea(0, 0, 9, 9, 1, True), LcdPixel(1, 1, 0), LcdPixel(2, 2, 2), LcdPixel(20, 2, 2), kind="classic")
    assert [lcd.pixel(*at) for at in ((0, 0), (1, 1), (2, 2), (20, 2), (21, 2))] == [1, 0, 0, 1, 0]


def test_an_rgb_image_is_drawn_where_its_area_is():
    lcd = drawn(LcdImageArea(5, 6, 2, 1), LcdImage(3, False, bytes([1, 2, 3, 4, 5, 6])))
    assert (lcd.pixel(5, 6), lcd.pixel(6, 6), lcd.pixel(7, 6)) == (0x010203, 0x040506, 0)


def test_images_are_320_by_240_at_the_top_left_at_first():
    lcd = drawn(LcdImage(1, False, bytes([200]) * (320 * 240)))
    assert lit(lcd) == {(x, y) for x in range(320) for y in range(240)}


def test_a_binary_image_has_0_white_1_black_and_other_values_grey():
    lcd = drawn(LcdImageArea(0, 0, 3, 1), LcdImage(1, True, bytes([0, 1, 0x40])))
    assert [lcd.pixel(x, 0) for x in range(3)] == [WHITE, BLACK, 0x404040]


def test_an_image_that_is_too_short_draws_the_pixels_that_it_has():
    assert lit(drawn(LcdImageArea(0, 0, 4, 4), LcdImage(1, False, bytes([9] * 6)))) == {
        (0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1),
    }  # fmt: skip


def test_an_image_that_is_too_long_stays_in_its_area():
    assert len(lit(drawn(LcdImageArea(0, 0, 4, 4), LcdImage(1, False, bytes([9] * 100))))) == 16


def test_an_image_that_is_partly_outside_shows_the_part_inside():
    values = bytes(range(1, 17))
    lcd = drawn(LcdImageArea(-2, -1, 4, 4), LcdImage(1, False, values))
    assert [[lcd.pixel(x, y) & 255 for x in range(2)] for y in range(3)] == [[7, 8], [11, 12], [15, 16]]
    assert len(lit(lcd)) == 6


@pytest.mark.parametrize("area", [(0, 0, -1, 5), (0, 0, 0, 0), (500, 0, 4, 4), (0, -(10**9), 4, 4), (10**30, 0, 4, 4)])
def test_an_image_with_no_visible_area_is_not_drawn(area):
    assert lit(drawn(LcdImageArea(*area), LcdImage(3, False, bytes([255] * 48)))) == set()


def test_an_image_of_a_huge_area_costs_nothing():
    assert lit(drawn(LcdImageArea(0, 0, 10**9, 10**9), LcdImage(1, False, bytes([255] * 5)))) == {
        (x, 0) for x in range(5)
    }


def test_an_image_with_an_unknown_number_of_channels_is_not_drawn():
    assert lit(drawn(LcdImage(2, False, bytes(1000)), LcdImage(0, False, bytes([9] * 9)))) == set()


def test_a_grey_image_on_the_classic_screen_is_darker_where_more_pixels_are_set():
    values = bytes(x * 8 for _ in range(16) for x in range(32))
    lcd = drawn(LcdImageArea(0, 0, 32, 16), LcdImage(1, False, values), kind="classic")
    parts = [sum(lcd.pixel(x, y) for x in range(left, left + 8) for y in range(16)) for left in (0, 8, 16, 24)]
    assert parts == sorted(parts, reverse=True)
    assert parts[0] > 100 > 30 > parts[3]


def test_clear_removes_text_and_graphics_but_not_the_menu():
    label = LcdMenuItem(1, WHITE, RED, "GO")
    lcd = drawn(label, LcdPrint("hello"), LcdArea(0, 0, 300, 300, RED, True), LcdClear())
    assert np.array_equal(lcd.pixels(), drawn(label).pixels())
    assert lcd.cursor() == (0, 0)


def test_an_area_over_a_text_removes_it_from_the_rows():
    lcd = drawn(LcdPrint("hello\nworld"), LcdArea(0, 0, 479, 13, BLACK, True))
    assert lcd.text()[:2] == ("", "world")


def test_an_image_over_a_text_removes_it_from_the_rows():
    lcd = drawn(LcdPrintAt(0, 0, "hidden"), LcdPrintAt(20, 0, "seen"), LcdImage(3, False, bytes(320 * 240 * 3)))
    assert (lcd.text()[0], lcd.text()[20]) == ("", "seen")


def test_anything_else_is_refused():
    with pytest.raises(TypeError, match="int is not a command of a screen"):
        Lcd().take(5)
