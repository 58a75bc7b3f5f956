"""Consoles in a terminal, as rows of text."""

import numpy as np
import pytest
from eyesim.consoles import shown

from understudy.eyesim.dots import dots_of, letter_of
from understudy.eyesim.terminal import ConsoleView, paint, render
from understudy.robots.eyebot.keys import KEY2, KEY3, KeyPress, KeyTap
from understudy.robots.eyebot.lcd_orders import (
    LcdArea,
    LcdCircle,
    LcdColours,
    LcdFontSize,
    LcdImage,
    LcdLine,
    LcdMenu,
    LcdPrint,
    LcdPrintAt,
)

RED = 0xFF0000
MENU = LcdMenu("GO", "LEFT", "RIGHT", "END")


def test_text_is_shown_as_text_where_it_is():
    lines = render(shown(LcdPrintAt(3, 10, "hello world")), 80, 24)
    assert lines[3] == " " * 10 + "hello world"
    assert len(lines) == 23


def test_the_last_line_is_the_menu():
    assert render(shown(MENU), 80, 24)[-1].split() == ["[1]GO", "[2]LEFT", "[3]RIGHT", "[4]END"]


def test_a_pressed_key_is_marked():
    menu = paint(shown(MENU, keys=[KeyPress(KEY2)]), 80, 24)[-1]
    assert [colour for text, colour in menu if text.strip()] == ["reverse", "reverse bold", "reverse", "reverse"]


def test_a_line_is_drawn_with_dots_from_end_to_end():
    lines = render(shown(LcdLine(0, 0, 479, 307, 0xFFFFFF)), 80, 24)
    assert all(any(letter > "⠀" for letter in line) for line in lines[:22])
    assert lines[0][0] > "⠀"
    assert lines[21][67] > "⠀"


def test_graphics_without_braille_use_plain_characters():
    lines = render(shown(LcdCircle(240, 150, 100, RED, True)), 80, 24, braille=False)
    assert "#" in lines[10]
    assert all(line.isascii() for line in lines)


def test_letters_have_their_colour():
    runs = paint(shown(LcdColours(RED, 0), LcdPrint("red")), 80, 24)[0]
    assert runs[0][0] == "red"
    assert runs[0][1].startswith("#f0")


def test_white_and_dark_letters_have_the_colour_of_the_terminal():
    assert paint(shown(LcdPrint("white")), 80, 24)[0][0] == ("white" + " " * 63, "")
    dark = shown(LcdArea(0, 0, 479, 319, 0xFFFFFF, True), LcdColours(0, 0xFFFFFF), LcdPrint("dark"))
    assert paint(dark, 80, 24)[0][0] == ("dark" + " " * 64, "")


def test_a_white_background_is_not_full_of_dots():
    lines = render(shown(LcdArea(0, 0, 479, 319, 0xFFFFFF, True), LcdLine(0, 100, 479, 100, 0)), 80, 24)
    assert sum(bool(line) for line in lines) == 2  # the line and the menu


def test_a_picture_is_dithered():
    values = bytes(x * 255 // 319 for _ in range(240) for x in range(320))
    line = render(shown(LcdImage(1, False, values)), 80, 24)[8]
    counts = [(ord(letter) - 0x2800).bit_count() if letter != " " else 0 for letter in line.ljust(45)[:45]]
    assert counts[0] == 0
    assert counts[44] == 8
    assert len(set(counts)) > 4


def test_letters_of_another_size_leave_no_dots_beside_their_text():
    lines = render(shown(LcdFontSize(24), LcdPrint("BIG\n"), LcdFontSize(12), LcdPrint("small")), 80, 24)
    assert [line for line in lines[:-1] if line] == ["BIG", "small"]


def test_a_small_terminal_shows_the_last_rows_that_are_used():
    lines = render(shown(*(LcdPrint(f"line {n}\n") for n in range(12))), 30, 5)
    assert lines[:4] == [f"line {n}" for n in range(8, 12)]
    assert len(lines) == 5


def test_lines_are_cut_at_the_right():
    assert render(shown(LcdPrint("x" * 68)), 20, 24)[0] == "x" * 20


@pytest.mark.parametrize(("columns", "rows"), [(0, 24), (80, 0), (-5, -5), (1, 1), (1, 2), (10_000, 10_000)])
def test_any_size_is_possible(columns, rows):
    lines = render(shown(LcdPrint("hello"), LcdLine(0, 0, 400, 300, RED)), columns, rows)
    assert len(lines) <= max(rows, 0)
    assert all(len(line) <= max(columns, 0) for line in lines)


def test_a_console_without_pixels_shows_its_text():
    assert render(shown(LcdPrint("hello"), pixels=False), 80, 24)[0] == "hello"


def test_the_classic_screen_with_text_only_is_text():
    lines = render(shown(LcdPrint("Hello\nEyeBot"), kind="classic"), 80, 24)
    assert lines[:2] == ["Hello", "EyeBot"]
    assert len(lines) == 8


def test_the_classic_screen_with_graphics_is_shown_dot_by_dot():
    lines = render(shown(LcdArea(0, 0, 127, 63, 1, False), kind="classic"), 80, 24)
    assert len(lines) == 17
    assert lines[0] == "⡏" + "⠉" * 62 + "⢹"
    assert lines[15] == "⣇" + "⣀" * 62 + "⣸"


def test_no_escape_sequence_reaches_the_terminal():
    lines = render(shown(LcdPrint("\x1b[2J\x9b31m\u202e"), LcdMenu("\x1b[31m", "\x07", "a\nb", "\x00")), 80, 24)
    assert all(line.isprintable() for line in lines)


def test_a_character_has_the_dots_of_its_pixels():
    picture = np.zeros((4, 4, 3), np.uint8)
    picture[0, 0] = picture[3, 1] = picture[1, 2] = 255
    assert [letter_of(int(bits)) for bits in dots_of(picture, 2, 1).bits[0]] == ["⢁", "⠂"]


def joined(rows):
    return ["".join(text for text, _ in row).rstrip() for row in rows]


def test_one_robot_has_a_title_and_its_keys():
    view = ConsoleView()
    lines = joined(view.frame({"bob": shown(LcdPrint("hello"))}, 80, 24))
    assert lines[0].startswith("bob  1-4: keys")
    assert lines[1] == "hello"
    assert len(lines) == 24
    assert view.press("3") == ("bob", KeyTap(4))


def test_robots_stand_side_by_side_if_there_is_room():
    view = ConsoleView()
    consoles = {"bob": shown(LcdPrint("I am bob")), "eve": shown(LcdPrint("I am eve"))}
    wide, narrow = joined(view.frame(consoles, 140, 24)), joined(view.frame(consoles, 100, 24))
    assert wide[1].split() == ["I", "am", "bob", "I", "am", "eve"]
    assert narrow[1] == "I am bob"


def test_robots_stand_below_each_other_on_a_high_terminal():
    consoles = {"bob": shown(LcdPrint("I am bob")), "eve": shown(LcdPrint("I am eve"))}
    lines = joined(ConsoleView().frame(consoles, 80, 50))
    assert (lines[1], lines[25]) == ("I am bob", "I am eve")


def test_tab_selects_the_next_robot():
    view = ConsoleView()
    consoles = {name: shown(LcdPrint(f"I am {name}")) for name in ("bob", "eve", "joe")}
    view.frame(consoles, 80, 24)
    assert view.press("KEY_TAB") is None
    assert joined(view.frame(consoles, 80, 24))[1] == "I am eve"
    assert view.press("2") == ("eve", KeyTap(KEY2))
    view.press("\t")
    view.press("\t")
    assert view.selected == "bob"


def test_a_robot_that_has_gone_is_no_longer_selected():
    view = ConsoleView()
    view.frame({"bob": shown(), "eve": shown()}, 80, 24)
    view.press("\t")
    view.frame({"bob": shown()}, 80, 24)
    assert view.press("3") == ("bob", KeyTap(KEY3))


def test_without_robots_there_is_nothing_to_show_or_to_press():
    view = ConsoleView()
    assert view.frame({}, 80, 24) == []
    assert view.press("1") is None
    assert view.press("\t") is None


@pytest.mark.parametrize("key", ["5", "0", "q", "", "KEY_UP", "１"])
def test_other_keys_do_nothing(key):
    view = ConsoleView()
    view.frame({"bob": shown()}, 80, 24)
    assert view.press(key) is None


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (1, 1), (2, 2), (500, 3), (3, 500)])
def test_a_view_fits_into_any_terminal(columns, rows):
    consoles = {name: shown(LcdPrint("hello"), MENU) for name in ("bob", "eve", "joe")}
    frame = ConsoleView().frame(consoles, columns, rows)
    assert len(frame) <= rows
    assert all(sum(len(text) for text, _ in row) <= columns for row in frame)


def test_a_view_shows_what_has_changed():
    view = ConsoleView()
    first = joined(view.frame({"bob": shown(LcdPrint("one"))}, 80, 24))
    again = joined(view.frame({"bob": shown(LcdPrint("two"))}, 80, 24))  # as many commands as before
    assert (first[1], again[1]) == ("one", "two")
    assert joined(view.frame({"bob": shown(LcdPrint("two"))}, 80, 12))[1] == "two"
