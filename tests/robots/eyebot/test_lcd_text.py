"""Text, cursor, menu and modes of an EyeBot's screen."""

import numpy as np
import pytest

from understudy.robots.eyebot import font
from understudy.robots.eyebot.lcd import Lcd
from understudy.robots.eyebot.lcd_orders import (
    LcdArea,
    LcdClear,
    LcdColourFlags,
    LcdColours,
    LcdCursor,
    LcdFont,
    LcdFontSize,
    LcdMenu,
    LcdMenuItem,
    LcdMode,
    LcdPrint,
    LcdPrintAt,
)

WHITE, RED, GREEN = 0xFFFFFF, 0xFF0000, 0x00FF00
NOSCROLLING, NOLINEFEED, HIDEMENU = 0x0200, 0x0400, 0x0800


def shown(*orders, kind="robios7"):
    lcd = Lcd(kind)
    for order in orders:
        lcd.take(order)
    return lcd


def test_the_screen_has_22_rows_of_68_columns():
    assert Lcd().text_size() == (22, 68)


def test_the_classic_screen_has_7_rows_of_16_columns():
    assert Lcd("classic").text_size() == (7, 16)


def test_text_moves_the_cursor():
    lcd = shown(LcdPrint("one\n"), LcdPrint("two "), LcdPrint("three"))
    assert lcd.text()[:3] == ("one", "two three", "")
    assert lcd.cursor() == (1, 9)


def test_text_at_a_position_leaves_the_cursor_behind_it():
    lcd = shown(LcdPrintAt(5, 10, "here"), LcdPrint("!"))
    assert lcd.text()[5] == " " * 10 + "here!"
    assert lcd.cursor() == (5, 15)


def test_a_long_line_continues_in_the_next_row():
    lcd = shown(LcdPrint("x" * 70))
    assert lcd.text()[:2] == ("x" * 68, "xx")


def test_a_line_that_fills_its_row_and_ends_makes_no_empty_row():
    lcd = shown(LcdPrint("x" * 16 + "\n"), LcdPrint("y"), kind="classic")
    assert lcd.text()[:2] == ("x" * 16, "y")


def test_without_linefeed_a_long_line_is_cut_off():
    lcd = shown(LcdMode(NOLINEFEED), LcdPrint("x" * 70 + "\ny"))
    assert lcd.text()[:2] == ("x" * 68, "y")


def test_the_screen_scrolls_at_its_end():
    lcd = shown(*(LcdPrint(f"line {n}\n") for n in range(30)))
    assert lcd.text() == (*(f"line {n}" for n in range(9, 30)), "")
    assert lcd.cursor() == (21, 0)


def test_graphics_scroll_with_the_text():
    lcd = shown(LcdArea(0, 28, 5, 41, RED, True), LcdCursor(21, 0), LcdPrint("\n\n"))
    assert (lcd.pixel(0, 0), lcd.pixel(5, 13), lcd.pixel(0, 14)) == (RED, RED, 0)


def test_without_scrolling_the_text_resumes_at_the_top():
    lcd = shown(LcdMode(NOSCROLLING), *(LcdPrint(f"{n}\n") for n in range(8)), kind="classic")
    assert lcd.text() == ("7", "1", "2", "3", "4", "5", "6")
    assert lcd.cursor() == (1, 0)


def test_control_characters_move_the_cursor():
    lcd = shown(LcdPrint("abc\rX\n12\b3\tY\n"))
    assert lcd.text()[:2] == ("Xbc", "13      Y")


def test_a_form_feed_clears_the_screen():
    assert shown(LcdPrint("old\fnew")).text()[:2] == ("new", "")


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (22, 0), (0, 68), (0, -1), (10**30, -(10**30))])
def test_text_outside_the_screen_is_not_shown(row, col):
    lcd = shown(LcdPrintAt(row, col, "lost"))
    assert not any(lcd.text())
    assert not lcd.pixels()[:320].any()


def test_the_cursor_stays_on_the_screen():
    assert shown(LcdCursor(10**12, -(10**12))).cursor() == (21, 0)
    assert shown(LcdCursor(-5, 10**12)).cursor() == (0, 67)


def test_text_replaces_the_text_before():
    lcd = shown(LcdPrintAt(0, 0, "12345"), LcdPrintAt(0, 0, "99 "), LcdPrintAt(0, 0, "7"))
    assert lcd.text()[0] == "79 45"
    assert np.array_equal(lcd.pixels(), shown(LcdPrintAt(0, 0, "79 45")).pixels())


def test_text_has_its_colours():
    lcd = shown(LcdColours(RED, GREEN), LcdPrint("I"))
    colours = {lcd.pixel(x, y) for x in range(7) for y in range(14)}
    assert colours == {RED, GREEN}
    assert lcd.pixel(7, 0) == 0


def test_a_transparent_background_keeps_what_is_behind_the_letters():
    green = LcdArea(0, 0, 50, 50, GREEN, True)
    lcd = shown(green, LcdColourFlags(0x01), LcdPrint("I"))
    assert {lcd.pixel(x, y) for x in range(7) for y in range(14)} == {GREEN, WHITE}
    again = shown(green, LcdColourFlags(0x01), LcdColourFlags(0x10), LcdPrint("I"))
    assert {again.pixel(x, y) for x in range(7) for y in range(14)} == {0, WHITE}


def test_inverse_colours_are_the_complement():
    lcd = shown(LcdColours(RED, GREEN), LcdColourFlags(0x06), LcdPrint("I"))
    assert {lcd.pixel(x, y) for x in range(7) for y in range(14)} == {RED ^ WHITE, GREEN ^ WHITE}


def test_inverse_text_on_the_classic_screen_swaps_set_and_clear():
    plain, inverse = shown(LcdPrint("I"), kind="classic"), shown(LcdColourFlags(0x06), LcdPrint("I"), kind="classic")
    assert all(plain.pixel(x, y) != inverse.pixel(x, y) for x in range(8) for y in range(8))


@pytest.mark.parametrize(
    ("size", "grid"), [(8, (32, 80)), (10, (26, 80)), (14, (20, 60)), (18, (15, 43)), (24, (11, 34))]
)
def test_each_font_size_has_its_rows_and_columns(size, grid):
    lcd = shown(LcdFontSize(size))
    assert lcd.text_size() == grid
    lcd.take(LcdPrint("x" * grid[1] + "y"))
    assert lcd.text()[1] == "y"


@pytest.mark.parametrize("size", [-1, 0, 9, 7, 10**9])
def test_other_font_sizes_are_ignored(size):
    assert shown(LcdFontSize(size)).text_size() == (22, 68)


def test_a_larger_font_does_not_cover_the_row_before():
    lcd = shown(LcdPrint("small\n"), LcdFontSize(24), LcdPrint("large\n"))
    assert [row for row in lcd.text() if row] == ["small", "large"]


def test_text_of_one_size_erases_what_it_covers_of_another():
    lcd = shown(LcdPrint("under\n"), LcdFontSize(24), LcdPrintAt(0, 0, "TOP"))
    assert "under" not in "".join(lcd.text())


def test_bold_letters_have_more_pixels():
    def ink(variation):
        return int((shown(LcdFont(0, variation), LcdPrint("Hamburgefonts")).pixels()[:320] > 0).sum())

    assert ink(1) > 1.3 * ink(0)


def test_every_printable_letter_has_its_own_shape():
    for size in (7, *font.SIZES):
        face = font.face(size)
        shapes = {face.line(chr(code)).tobytes() for code in range(32, 127)}
        assert len(shapes) == 95


@pytest.mark.parametrize("size", [7, *font.SIZES])
@pytest.mark.parametrize("variation", [0, 1, 2, 3])
def test_every_variation_of_every_size_covers_at_most_its_cell(size, variation):
    face = font.face(size, variation)
    assert face.cells.max() == font.FULL
    assert face.line("AB").shape == (face.height, 2 * face.width)


def test_an_accent_is_left_out_and_other_letters_are_boxes():
    face = font.face(12)
    assert np.array_equal(face.line("é"), face.line("e"))
    assert np.array_equal(face.line("語"), face.line("□"))
    assert not np.array_equal(face.line("°"), face.line("□"))


def test_control_and_wide_characters_show_as_boxes():
    lcd = shown(LcdPrint("a\x00\x1b[31mb語\ud800\u0301é"))
    assert lcd.text()[0] == "a□□[31mb□□□é"


def test_a_text_of_ten_million_letters_is_cut():
    assert shown(LcdPrint("\n" * 10_000_000)).cursor() == (21, 0)


def test_the_menu_has_four_labels():
    lcd = shown(LcdMenu("GO", "LEFT", "RIGHT", "END"))
    assert [label.text for label in lcd.menu()] == ["GO", "LEFT", "RIGHT", "END"]
    assert lcd.pixels()[320:].any()


def test_one_label_has_its_own_colours():
    label = shown(LcdMenu("a", "b", "c", "d"), LcdMenuItem(4, WHITE, RED, "STOP")).menu()[3]
    assert (label.text, label.foreground, label.background) == ("STOP", WHITE, RED)


@pytest.mark.parametrize("position", [-1, 0, 5, 10**9])
def test_a_label_of_a_key_that_does_not_exist_is_ignored(position):
    assert shown(LcdMenuItem(position, WHITE, RED, "x")).menu() == Lcd().menu()


def test_an_empty_label_clears_on_the_screen_and_keeps_on_the_classic_one():
    orders = LcdMenu("a", "b", "c", "d"), LcdMenu("", "", "", "x")
    assert [label.text for label in shown(*orders).menu()] == ["", "", "", "x"]
    assert [label.text for label in shown(*orders, kind="classic").menu()] == ["a", "b", "c", "x"]
    blank = LcdMenu(" ", "", "", "")
    assert [label.text for label in shown(*orders, blank, kind="classic").menu()] == ["", "b", "c", "x"]


def test_labels_are_cut_to_what_fits():
    assert shown(LcdMenu("x" * 10**6, "a\nb", "", "")).menu()[0].text == "x" * 14
    assert shown(LcdMenu("FORWARD", "", "", ""), kind="classic").menu()[0].text == "FORW"


def test_a_hidden_menu_is_not_drawn():
    lcd = shown(LcdMenu("a", "b", "c", "d"), LcdMode(HIDEMENU))
    assert not lcd.pixels()[320:].any()
    lcd.take(LcdMode(0x0008))
    assert lcd.pixels()[320:].any()


def test_the_classic_menu_covers_the_last_line_only_when_it_is_set():
    area = LcdArea(0, 56, 127, 63, 1, True)
    assert shown(area, kind="classic").pixels()[60, 5].tolist() == [0x10, 0x20, 0x2C]
    assert shown(area, LcdMenu("GO", "", "", ""), kind="classic").pixels()[57, 0].tolist() == [0xB8, 0xCC, 0xA8]


def test_clear_keeps_colours_and_font():
    lcd = shown(LcdColours(RED, 0), LcdFontSize(24), LcdClear(), LcdPrint("I"))
    assert lcd.text_size() == (11, 34)
    assert RED in {lcd.pixel(x, y) for x in range(14) for y in range(28)}
