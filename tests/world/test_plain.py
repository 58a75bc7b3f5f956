from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.world.records import BAD, Reader, from_plain, rule, show, to_plain
from understudy.world.rules import canonical


@dataclass(frozen=True, slots=True)
class Spot:
    x_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Far:
    latitude_deg: float = rule(least=-90.0, most=90.0)


@dataclass(frozen=True, slots=True)
class Disc:
    kind: ClassVar[str] = "disc"
    radius_m: float = rule(above=0.0)


@dataclass(frozen=True, slots=True)
class Slab:
    kind: ClassVar[str] = "slab"
    size_m: tuple[float, float] = rule(above=0.0)


@dataclass(frozen=True, slots=True)
class Quality:
    preset: Literal["", "perfect"] = rule("")
    sigma_m: float = rule(0.0, least=0.0)


@dataclass(frozen=True, slots=True)
class Part:
    name: str = rule(form="name")
    gain: int = 1


@dataclass(frozen=True, slots=True)
class Thing:
    shape: Disc | Slab = rule(inline=True)
    place: Far | Spot = rule(Spot(z_m=3.0), inline=True, tag="")
    cover: Disc | Slab | None = rule(None, tag="shape")
    quality: Quality = rule(Quality(sigma_m=0.5), shorthand="preset")
    period_us: int = rule(5_000, least=100)
    turns_rad: tuple[float, ...] = rule((), most=math.pi)
    steps_us: tuple[int, int] = (0, 0)
    colour: str = rule("#000000", form="colour")
    day: str = rule("2026-01-01", form="date")
    open: bool = False
    layers: tuple[Literal["laser", "sonar"], ...] = ()
    parts: tuple[Part, ...] = rule((), key="part", keyed=True)
    uses: tuple[tuple[str, str], ...] = rule((), pairs=True)
    notes: Mapping[str, Any] | None = None


DISC = {"kind": "disc", "radius_m": 1.0}


def read(table):
    return from_plain(Thing, table)


def problems(table):
    reader = Reader()
    assert reader.record(Thing, table, ()) is BAD or reader.findings
    return [f"{show(m.path)}: {m.text}" for m in reader.findings]


# ---- what is accepted


def test_an_inline_record_takes_its_defaults_from_the_field_and_not_from_its_class():
    assert read(DISC).place == Spot(z_m=3.0)


def test_an_inline_default_that_is_changed_back_to_the_class_default_is_written():
    thing = read({**DISC, "z_m": 0.0})
    assert to_plain(thing)["z_m"] == 0.0
    assert read(to_plain(thing)) == thing


def test_a_required_key_chooses_between_untagged_records():
    assert read({**DISC, "latitude_deg": 50}).place == Far(50.0)


@pytest.mark.parametrize(("given_", "wanted"), [
    ({"yaw_deg": 90}, math.pi / 2),
    ({"yaw_rad": 1.25}, 1.25),
])  # fmt: skip
def test_an_angle_may_be_given_in_degrees(given_, wanted):
    assert read({**DISC, **given_}).place.yaw_rad == wanted


@pytest.mark.parametrize("given_", [{"period_us": 40_000}, {"period_ms": 40}, {"period_ms": 40.0}, {"period_s": 0.04}])
def test_a_time_may_be_given_in_three_units(given_):
    assert read({**DISC, **given_}).period_us == 40_000


def test_a_list_of_angles_may_be_given_in_degrees():
    assert read({**DISC, "turns_deg": [90, 180]}).turns_rad == (math.pi / 2, math.pi)


def test_a_list_of_times_may_be_given_in_milliseconds():
    assert read({**DISC, "steps_ms": [1, 2.5]}).steps_us == (1_000, 2_500)


def test_a_string_stands_for_the_shorthand_field():
    assert read({**DISC, "quality": "perfect"}).quality == Quality("perfect")


def test_a_named_part_that_is_false_is_left_out():
    assert read({**DISC, "part": {"a": {}, "b": False}}).parts == (Part("a"),)


@pytest.mark.parametrize("day", [
    "2026-06-01", date(2026, 6, 1), datetime(2026, 6, 1, 14, 0, tzinfo=timezone(timedelta(hours=2))),
])  # fmt: skip
def test_a_date_may_be_a_string_or_a_date_of_toml(day):
    assert read({**DISC, "day": day}).day in ("2026-06-01", "2026-06-01T12:00:00")


# ---- what is refused, in these words


@pytest.mark.parametrize(("wrong", "words"), [
    ({"radius_m": -1}, "radius_m: must be above 0, got -1"),
    ({"radius_m": "1"}, "radius_m: want a number, got '1'"),
    ({"radius_m": True}, "radius_m: want a number, got true"),
    ({"radius_m": math.inf}, "radius_m: want a finite number, got inf"),
    ({"radius_m": 10**400}, f"radius_m: want a finite number, got 1{'0' * 49} ... {'0' * 25}"),
    ({"kind": "disk"}, "kind: no such kind 'disk' (did you mean 'disc'?)"),
    ({"kind": 3}, "kind: no such kind 3 (known: disc, slab)"),
    ({"latitude_deg": 91}, "latitude_deg: must be at most 90, got 91"),
    ({"latitude_deg": 9, "x_m": 1}, "x_m: cannot be combined with latitude_deg; give only one kind of position"),
    ({"latitude_deg": 9, "yaw_deg": 1},
     "yaw_deg: cannot be combined with latitude_deg; give only one kind of position"),
    ({"yaw_deg": 90, "yaw_rad": 1}, "yaw_deg: the same value as yaw_rad; give only one of them"),
    ({"period_ms": 0.05}, "period_ms: must be at least 0.1, got 0.05"),
    ({"period_ms": math.nan}, "period_ms: want a finite number, got nan"),
    ({"period_us": 5000.5}, "period_us: want a whole number, got 5000.5"),
    ({"turns_deg": [90, 200]}, "turns_deg[1]: must be at most 180, got 200"),
    ({"turns_deg": 90}, "turns_deg: want a list of numbers, got 90"),
    ({"steps_us": [1]}, "steps_us: want a list of 2 whole numbers, got 1 of them"),
    ({"colour": "redd"}, "colour: unknown colour 'redd' (did you mean 'red'?)"),
    ({"day": "2026-02-31"}, "day: want a date such as '2026-06-01' or '2026-06-01T12:00:00', got '2026-02-31'"),
    ({"open": "yes"}, "open: want true or false, got 'yes'"),
    ({"layers": ["lasr"]}, "layers[0]: no such choice 'lasr' (did you mean 'laser'?)"),
    ({"layers": "laser"}, "layers: want a list of words: laser, sonar, got 'laser'"),
    ({"quality": "perfct"}, "quality: no such choice 'perfct' (did you mean 'perfect'?)"),
    ({"quality": 1}, "quality: want a string or a table, got 1"),
    ({"quality": {"sigma_m": -1}}, "quality.sigma_m: must be at least 0, got -1"),
    ({"cover": {"shape": "disc"}}, "cover.radius_m: missing (want a number)"),
    ({"cover": {"radius_m": 1}}, "cover.shape: missing (want one of: disc, slab)"),
    ({"cover": []}, "cover: want a table, got a list"),
    ({"part": {"a": 3}}, "part.a: want a table, or false to leave it out, got 3"),
    ({"part": {"a": {"name": "b"}}}, "part.a.name: remove this key: the name is that of the table, a"),
    ({"part": {"a b": {}}}, "part.\"a b\": want a name: a letter, then letters, digits, '-' or '_', got 'a b'"),
    ({"part": []}, "part: want a table of tables, got a list"),
    ({"uses": {"a": 1}}, 'uses: want a table of names, such as {sonar = "sonar"}'),
    ({"notes": 1}, "notes: want a table, got 1"),
    ({"radus_m": 1}, "radus_m: unknown key (did you mean 'radius_m'?)"),
    ({"yaw": 1}, "yaw: unknown key (did you mean 'yaw_deg'? the key names the unit)"),
])  # fmt: skip
def test_an_error_is_reported_in_these_words(wrong, words):
    assert problems({**DISC, **wrong}) == [words]


def test_an_unknown_kind_is_the_only_error_of_a_table():
    assert len(problems({"kind": "disk", "radius_m": 1, "other_m": 2})) == 1


def test_every_error_is_found_at_once():
    assert (
        len(problems({**DISC, "radius_m": -1, "colour": "reddish-brown", "extra": 1, "part": {"a": {"gain": "x"}}}))
        == 4
    )


def test_a_missing_key_with_a_unit_is_asked_for_in_the_unit_that_people_use():
    @dataclass(frozen=True)
    class Timer:
        rate_us: int = rule()

    reader = Reader()
    reader.record(Timer, {}, ())
    assert show(reader.findings[0].path) == "rate_ms"


def test_plain_data_that_is_no_record_raises_a_value_error():
    with pytest.raises(ValueError, match="radius_m"):
        read({"kind": "disc"})


# ---- there and back


SIZES = st.floats(0.001, 1e6)
NUMBERS = st.floats(-1e6, 1e6)
THINGS = st.builds(
    Thing,
    shape=st.one_of(st.builds(Disc, SIZES), st.builds(Slab, st.tuples(SIZES, SIZES))),
    place=st.one_of(st.builds(Far, st.floats(-90, 90)), st.builds(Spot, NUMBERS, NUMBERS, NUMBERS)),
    cover=st.none() | st.builds(Disc, SIZES),
    quality=st.builds(Quality, st.sampled_from(["", "perfect"]), st.floats(0, 9)),
    period_us=st.integers(100, 2**60),
    turns_rad=st.lists(st.floats(-math.pi, math.pi), max_size=3).map(tuple),
    steps_us=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    open=st.booleans(),
    layers=st.lists(st.sampled_from(["laser", "sonar"]), max_size=2).map(tuple),
    parts=st.lists(st.sampled_from(["a", "b", "c"]), unique=True).map(lambda names: tuple(Part(n, 2) for n in names)),
    uses=st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2).map(lambda d: tuple(sorted(d.items()))),
    notes=st.none() | st.just({"period_us": 1}),
)


@given(THINGS)
def test_a_record_reads_back_from_its_plain_form(thing):
    assert read(to_plain(thing)) == thing


def test_what_equals_its_default_is_not_written():
    assert to_plain(read(DISC)) == DISC


def test_raw_tables_are_not_respelled():
    thing = read({**DISC, "notes": {"a_us": 1}})
    assert to_plain(thing, lambda key, value: (key.upper(), value))["NOTES"] == {"a_us": 1}


@pytest.mark.parametrize(("key", "wanted"), [
    ("a_deg", "a_rad"), ("a_deg_s", "a_rad_s"), ("a_rad_s", "a_rad_s"), ("a_ms", "a_us"), ("a_s", "a_us"),
    ("a_m", "a_m"),
])  # fmt: skip
def test_all_spellings_of_a_key_have_one_that_stands_for_them(key, wanted):
    assert canonical(key) == wanted
