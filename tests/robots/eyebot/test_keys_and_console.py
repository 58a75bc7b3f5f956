"""Keys, touches and the value that panels show of an EyeBot's console."""

import pytest

from understudy.robots.eyebot.console import console, offers
from understudy.robots.eyebot.keys import KEY1, KEY2, KEY3, KEY4, KeyPress, KeyRelease, Keys, KeyTap, ScreenTouch
from understudy.robots.eyebot.lcd import Lcd
from understudy.robots.eyebot.lcd_orders import LcdMenu, LcdPixel, LcdPrint


def pressed(*orders, kind="robios7"):
    keys = Keys(kind)
    for order in orders:
        keys.take(order)
    return keys


def test_a_key_is_pressed_until_it_is_released():
    keys = pressed(KeyPress(KEY1 | KEY3))
    assert keys.pressed == KEY1 | KEY3
    keys.take(KeyRelease(KEY1))
    assert keys.pressed == KEY3


def test_presses_of_each_key_are_counted():
    assert pressed(KeyPress(KEY2), KeyRelease(KEY2), KeyPress(KEY2), KeyPress(KEY4)).presses == [0, 2, 0, 1]


def test_a_key_that_is_held_is_not_counted_again():
    assert pressed(KeyPress(KEY1), KeyPress(KEY1), KeyTap(KEY1)).presses == [1, 0, 0, 0]


def test_a_tap_is_counted_and_leaves_nothing_pressed():
    keys = pressed(KeyTap(KEY1 | KEY4))
    assert (keys.presses, keys.pressed) == ([1, 0, 0, 1], 0)


@pytest.mark.parametrize("keys", [0, 16, -16, 1 << 40])
def test_other_bits_are_no_keys(keys):
    made = pressed(KeyPress(keys), KeyTap(keys))
    assert (made.pressed, made.presses) == (0, [0, 0, 0, 0])


def test_counters_have_32_bits():
    keys = Keys()
    keys.presses[0] = 2**32 - 1
    keys.take(KeyTap(KEY1))
    assert keys.presses[0] == 0


def test_a_touch_is_remembered_and_counted():
    keys = pressed(ScreenTouch(100, 50), ScreenTouch(479, 319))
    assert (keys.touch, keys.touches) == ((479, 319), 2)


@pytest.mark.parametrize(("x", "key"), [(0, 0), (119, 0), (120, 1), (300, 2), (479, 3)])
def test_a_touch_of_the_menu_bar_is_a_tap_of_its_key(x, key):
    keys = pressed(ScreenTouch(x, 340))
    assert keys.presses == [int(number == key) for number in range(4)]
    assert keys.touches == 0


@pytest.mark.parametrize(("x", "y"), [(-1, 5), (480, 5), (5, -1), (5, 350), (10**30, 10**30)])
def test_a_touch_outside_the_screen_is_ignored(x, y):
    assert pressed(ScreenTouch(x, y)).state() == Keys().state()


def test_the_classic_screen_does_not_feel_touches():
    assert pressed(ScreenTouch(5, 5), kind="classic").touches == 0


def test_saved_keys_continue():
    keys, again = pressed(KeyPress(KEY1), KeyTap(KEY2), ScreenTouch(7, 8)), Keys()
    again.restore(keys.state())
    again.take(KeyTap(KEY2))
    assert (again.pressed, again.presses, again.touch, again.touches) == (KEY1, [1, 2, 0, 0], (7, 8), 1)


def test_other_commands_are_refused():
    with pytest.raises(TypeError, match="str is not a command of keys"):
        Keys().take("KEY1")


@pytest.fixture
def lcd():
    made = Lcd()
    for order in (LcdPrint("hello\n"), LcdMenu("GO", "", "", "END"), LcdPixel(479, 319, 0xFF8040)):
        made.take(order)
    return made


def test_a_console_has_text_menu_keys_and_pixels(lcd):
    shown = console(lcd, pressed(KeyPress(KEY2)))
    assert shown.text[0] == "hello"
    assert [label.text for label in shown.menu] == ["GO", "", "", "END"]
    assert shown.pressed == KEY2
    assert len(shown.pixels) == shown.width * shown.height * 3
    corner = (319 * 480 + 479) * 3
    assert shown.pixels[corner : corner + 3] == bytes([0xFF, 0x80, 0x40])


def test_a_console_without_pixels_is_equal_otherwise(lcd):
    full, small = console(lcd, Keys()), console(lcd, Keys(), pixels=False)
    assert small.pixels is None
    assert (small.text, small.menu, small.changes) == (full.text, full.menu, full.changes)


def test_a_console_says_where_its_text_is(lcd):
    lcd.take(LcdPrint("to you"))
    assert console(lcd, Keys(), pixels=False).text_boxes == ((0, 0, 35, 14), (0, 14, 42, 28))


def test_every_command_changes_the_number_of_changes(lcd):
    before = lcd.changes
    lcd.take(LcdPrint(""))
    assert lcd.changes == before + 1


def test_the_four_keys_are_offered_with_their_labels(lcd):
    assert [(offer.label, offer.order) for offer in offers(lcd)] == [
        ("KEY1: GO", KeyTap(KEY1)),
        ("KEY2", KeyTap(KEY2)),
        ("KEY3", KeyTap(KEY3)),
        ("KEY4: END", KeyTap(KEY4)),
    ]
