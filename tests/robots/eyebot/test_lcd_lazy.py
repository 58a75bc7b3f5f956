"""A screen that is looked at and one that is not are bit-identical; waiting commands take little time and memory."""

import time
import tracemalloc

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.robots.eyebot import lcd as lcd_module
from understudy.robots.eyebot import lcd_orders as o
from understudy.robots.eyebot import raster
from understudy.robots.eyebot.lcd import Lcd

NUMBERS = st.one_of(
    st.integers(-20, 500), st.integers(-(2**31), 2**31 - 1), st.sampled_from([0, 1, 2, -1, 10**9, -(10**9), 10**30])
)
NEAR = st.integers(-20, 500)
COLOURS = st.one_of(st.sampled_from([0, 1, 2, 0xFFFFFF, 0xFF0000]), NUMBERS)
TEXTS = st.one_of(
    st.sampled_from(["a\n", "hello", "x" * 70, "\n\n\n", "12 ", "\t", "\f", "ab\rc"]), st.text(max_size=30)
)
FLAGS = st.one_of(st.sampled_from([0x01, 0x10, 0x0200, 0x0002, 0x0400, 0x0004, 0x06, 0x60]), NUMBERS)
ORDERS = st.one_of(
    st.builds(o.LcdPrint, TEXTS),
    st.builds(o.LcdPrint, TEXTS),
    st.builds(o.LcdPrintAt, st.integers(-1, 23), st.integers(-1, 70), TEXTS),
    st.builds(o.LcdPrintAt, st.integers(0, 1), st.integers(0, 1), TEXTS),
    st.just(o.LcdClear()),
    st.builds(o.LcdCursor, st.integers(-1, 23), NUMBERS),
    st.builds(o.LcdColours, COLOURS, COLOURS),
    st.builds(o.LcdColourFlags, FLAGS),
    st.builds(o.LcdFont, NUMBERS, NUMBERS),
    st.builds(o.LcdFontSize, st.sampled_from([8, 10, 12, 14, 18, 24, 9])),
    st.builds(o.LcdMode, FLAGS),
    st.builds(o.LcdMenu, TEXTS, TEXTS, TEXTS, TEXTS),
    st.builds(o.LcdMenuItem, st.integers(-1, 6), COLOURS, COLOURS, TEXTS),
    st.builds(o.LcdPixel, NUMBERS, NUMBERS, COLOURS),
    st.builds(o.LcdInvert, st.integers(-1, 4), NEAR, NEAR, NUMBERS, NUMBERS),
    st.builds(o.LcdLine, NUMBERS, NUMBERS, NUMBERS, NUMBERS, COLOURS),
    st.builds(o.LcdArea, NUMBERS, NUMBERS, NUMBERS, NUMBERS, COLOURS, st.booleans()),
    st.builds(o.LcdArea, NEAR, NEAR, NEAR, NEAR, COLOURS, st.booleans()),
    st.builds(o.LcdCircle, NUMBERS, NUMBERS, NUMBERS, COLOURS, st.booleans()),
    st.builds(o.LcdImageArea, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    st.builds(o.LcdImageArea, NEAR, NEAR, st.integers(1, 9), st.integers(1, 9)),
    st.builds(o.LcdImage, st.integers(0, 4), st.booleans(), st.binary(max_size=300)),
)
KINDS = st.sampled_from(["robios7", "classic"])


def same(one, two):
    assert np.array_equal(one.pixels(), two.pixels())
    assert one.text() == two.text()
    assert (one.cursor(), one.menu(), one.digest(), one.changes) == (
        two.cursor(), two.menu(), two.digest(), two.changes,
    )  # fmt: skip
    assert one.state() == two.state()


@settings(max_examples=250, deadline=None)
@given(KINDS, st.lists(st.tuples(ORDERS, st.integers(0, 9)), max_size=40))
def test_looking_changes_nothing(kind, steps):
    seen, unseen = Lcd(kind), Lcd(kind)
    for order, look in steps:
        seen.take(order)
        unseen.take(order)
        match look:
            case 0 | 1 | 2:
                seen.pixels()
            case 3:
                seen.text()
            case 4:
                seen.digest()
            case 5:
                seen.state()
    same(seen, unseen)


@settings(max_examples=60, deadline=None)
@given(KINDS, st.lists(ORDERS, max_size=30), st.lists(ORDERS, max_size=30))
def test_a_restored_screen_continues_bit_identically(kind, before, after):
    whole, first = Lcd(kind), Lcd(kind)
    for order in before:
        whole.take(order)
        first.take(order)
    second = Lcd(kind)
    second.restore(msgpack.unpackb(msgpack.packb(first.state())))
    for order in after:
        whole.take(order)
        second.take(order)
    same(whole, second)


@pytest.mark.parametrize("kind", ["robios7", "classic"])
def test_a_restored_screen_with_text_scrolls(kind):
    whole, second = Lcd(kind), Lcd(kind)
    whole.take(o.LcdPrint("a\n"))
    second.restore(whole.state())
    for _ in range(30):
        whole.take(o.LcdPrint("a\n"))
        second.take(o.LcdPrint("a\n"))
    same(whole, second)


@settings(max_examples=40, deadline=None)
@given(KINDS, st.lists(ORDERS, max_size=60))
def test_a_short_list_of_waiting_commands_gives_the_same_picture(kind, orders):
    one, two = Lcd(kind), Lcd(kind)
    for order in orders:
        one.take(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcd_module, "MOST_ORDERS", 3)
        patch.setattr("understudy.robots.eyebot.lcd_canvas.MOST_WAITING", 2)
        for order in orders:
            two.take(order)
        same(one, two)


def test_the_checksum_depends_on_every_command():
    def digest(*orders):
        lcd = Lcd()
        for order in orders:
            lcd.take(order)
        return lcd.digest()

    distinct = [
        (), (o.LcdPrint("a"),), (o.LcdPrint("b"),), (o.LcdPrint("a"), o.LcdClear()), (o.LcdClear(),),
        (o.LcdImage(1, False, b"abc"),), (o.LcdImage(1, False, b"abd"),), (o.LcdPixel(1, 2, 3),),
        (o.LcdPixel(2, 1, 3),),
    ]  # fmt: skip
    assert len({digest(*orders) for orders in distinct}) == len(distinct)


def test_a_number_with_thousands_of_digits_does_no_harm():
    lcd = Lcd()
    for order in (
        o.LcdPixel(10**5000, 0, 10**5000),
        o.LcdLine(0, 0, 10**5000, 3, 1),
        o.LcdCircle(0, 0, 10**5000, 1, True),
    ):
        lcd.take(order)
    lcd.pixels()
    lcd.digest()


def test_memory_is_bounded_while_nobody_looks():
    lcd, frame = Lcd(), bytes(320 * 240 * 3)
    tracemalloc.start()
    try:
        for number in range(60):
            lcd.take(o.LcdImage(3, False, frame + bytes([number])))
        for number in range(20_000):
            lcd.take(o.LcdPrint(f"line {number}\n"))
        for number in range(5_000):
            lcd.take(o.LcdPixel(number % 480, number % 320, number))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 12_000_000


@pytest.mark.parametrize(("look", "least", "most"), [(False, 0, 60), (True, 200, 200)])
def test_texts_that_scroll_away_unseen_are_never_drawn(look, least, most, monkeypatch):
    drawn, text = [], raster.text
    monkeypatch.setattr(raster, "text", lambda *values: drawn.append(values) or text(*values))
    lcd = Lcd()
    for number in range(200):
        lcd.take(o.LcdPrint(f"x = {number}\n"))
        if look:
            lcd.pixel(0, 0)
    lcd.pixel(0, 0)
    assert least <= len(drawn) <= most


def test_huge_shapes_cost_no_more_than_small_ones():
    lcd = Lcd()
    huge = 10**9
    start = time.process_time()
    for _ in range(200):
        lcd.take(o.LcdLine(-huge, -huge, huge, huge - 1, 1))
        lcd.take(o.LcdCircle(0, 0, huge, 1, True))
        lcd.take(o.LcdCircle(100, 100, huge, 1, False))
        lcd.take(o.LcdArea(-huge, -huge, huge, huge, 1, True))
        lcd.take(o.LcdImageArea(-huge, -huge, 2 * huge, 2 * huge))
        lcd.take(o.LcdImage(1, False, bytes(1000)))
    lcd.pixels()
    assert time.process_time() - start < 5.0


def test_a_picture_stays_as_it_is_when_the_screen_changes():
    lcd = Lcd()
    before = lcd.pixels()
    assert lcd.pixels() is before
    lcd.take(o.LcdArea(0, 0, 9, 9, 0xFFFFFF, True))
    assert not before[:300].any()
    assert lcd.pixels()[:300].any()
    with pytest.raises(ValueError, match="read-only"):
        before[0, 0] = 1


def test_a_restored_screen_shows_its_own_picture():
    one, two = Lcd(), Lcd()
    one.take(o.LcdPrint("one"))
    two.take(o.LcdPrint("two"))
    two.pixels()
    two.restore(one.state())
    assert np.array_equal(two.pixels(), one.pixels())
