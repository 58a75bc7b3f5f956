"""Scripts of keys: what they mean, and which errors they give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import FormatError, UnknownName
from understudy.eyesim.keys import check_robots, parse
from understudy.robots.eyebot.keys import KEY1, KEY2, KEY3, KEY4, KeyPress, KeyRelease, KeyTap, ScreenTouch


def test_keys_have_their_times():
    assert parse("KEY1@2s,KEY4@20s") == ((2_000_000, "", KeyTap(KEY1)), (20_000_000, "", KeyTap(KEY4)))


@pytest.mark.parametrize(
    ("time", "t_us"),
    [("2s", 2_000_000), ("500ms", 500_000), ("2", 2_000_000), ("1.5 s", 1_500_000), (".25s", 250_000),
     ("2.s", 2_000_000), ("3min", 180_000_000), ("0", 0), ("0.1s", 100_000), ("0.0000001s", 0), ("2S", 2_000_000)],
)  # fmt: skip
def test_times_have_units(time, t_us):
    assert parse(f"KEY1@{time}")[0].t_us == t_us


def test_a_held_key_is_pressed_and_released():
    assert parse("KEY2@500ms+1.5s") == ((500_000, "", KeyPress(KEY2)), (2_000_000, "", KeyRelease(KEY2)))


def test_a_key_may_belong_to_one_robot():
    assert parse("bob:KEY1@2s, eve : KEY3@1s") == ((1_000_000, "eve", KeyTap(KEY3)), (2_000_000, "bob", KeyTap(KEY1)))


def test_several_keys_are_pressed_together():
    assert parse("key1 & KEY3@1s")[0].order == KeyTap(KEY1 | KEY3)


def test_the_screen_can_be_touched():
    assert parse("TOUCH 100x50@3s") == ((3_000_000, "", ScreenTouch(100, 50)),)


def test_events_are_in_order_of_time_and_of_the_script_at_one_time():
    made = parse("KEY4@2s,KEY1@1s+1s,KEY2@2s;KEY3@1s\n")
    assert [(key.t_us, key.order) for key in made] == [
        (1_000_000, KeyPress(KEY1)), (1_000_000, KeyTap(KEY3)), (2_000_000, KeyTap(KEY4)),
        (2_000_000, KeyRelease(KEY1)), (2_000_000, KeyTap(KEY2)),
    ]  # fmt: skip


def test_an_empty_script_does_nothing():
    assert parse("") == parse(" , ;\n") == ()


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("KEY5@2s", r"--keys: 'KEY5@2s': there is no key 'KEY5' \(want KEY1, KEY2, KEY3, KEY4 or TOUCH\)"),
        ("KEY1", r"--keys: 'KEY1' is not a key and its time \(want KEY1@2s"),
        ("KEY1@2s@3s", "is not a key and its time"),
        ("KEY1@", "'' is not a time"),
        ("KEY1@soon", r"'soon' is not a time \(want 2s, 1.5s, 500ms or 3min\)"),
        ("KEY1@-2s", "'-2s' is not a time"),
        ("KEY1@nan", "'nan' is not a time"),
        ("KEY1@1e9", "'1e9' is not a time"),
        ("KEY1@2h", "'2h' is not a time"),
        ("KEY1@999999999999s", r"is too late \(at most 1,000,000,000 s\)"),
        ("KEY1@2s+", "'' is not a time"),
        (":KEY1@2s", "names no robot before ':'"),
        ("@2s", "there is no key ''"),
        ("TOUCH 1x2@2s+1s", "a touch cannot be held"),
        ("TOUCH -1x2@2s", "there is no key 'TOUCH -1X2'"),
        ("٣@٣s", "'٣s' is not a time"),
    ],
)
def test_an_error_names_the_entry_and_what_is_wanted(script, message):
    with pytest.raises(FormatError, match=message):
        parse(script)


def test_an_error_names_its_source():
    with pytest.raises(FormatError, match=r"^world\.sim:7: 'KEY9@1s': "):
        parse("KEY9@1s", "world.sim:7")


def test_too_many_keys_are_refused():
    with pytest.raises(FormatError, match="100,001 keys are too many"):
        parse("KEY1@1s," * 100_001)


def test_an_unknown_robot_is_named_with_the_nearest_one():
    script = parse("bbo:KEY1@1s")
    with pytest.raises(UnknownName, match=r"there is no robot 'bbo' \(did you mean 'bob'\?\)"):
        check_robots(script, ["bob", "eve"])
    check_robots(parse("bob:KEY1@1s,KEY2@2s"), ["bob"])


@given(st.text(alphabet="KEYTOUCH1234567890@+:&,.smin x-\n\x00é", max_size=40))
def test_any_text_gives_keys_or_an_error(script):
    try:
        made = parse(script)
    except FormatError:
        return
    assert all(0 <= key.t_us <= 2 * 10**15 for key in made)
