import dataclasses
import math

import pytest

from understudy.sensors import SENSORS
from understudy.sensors.cards.card import Card, Number

WHEN = {"phase_us", "latency_us"}  # 0 means "not at all" here as everywhere


def numbers_of(record, path=""):
    """Yield the path of every number on a data sheet that says something: neither 0 nor left out."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if dataclasses.is_dataclass(value):
            yield from numbers_of(value, f"{path}{field.name}.")
        elif isinstance(value, float | int) and not isinstance(value, bool) and value != 0 and field.name not in WHEN:
            yield f"{path}{field.name}"


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_every_kind_of_sensor_has_a_card(kind):
    card = SENSORS[kind].card
    assert isinstance(card, Card)
    assert card.name == kind
    assert card.summary.endswith(".")
    assert card.sources
    assert card.modelled
    assert card.not_modelled


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_every_number_of_a_data_sheet_says_where_it_comes_from(kind):
    sheet = SENSORS[kind]()
    listed = {number.key for number in sheet.card.numbers}
    assert set(numbers_of(sheet)) - {"noise.scale", "power_w"} <= listed


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_every_number_of_a_card_is_on_the_data_sheet(kind):
    sheet = SENSORS[kind]()
    for number in sheet.card.numbers:
        assert number.source
        value = number.value(sheet)
        assert math.isfinite(value) if isinstance(value, int | float) else len(value)


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_a_card_can_be_printed(kind):
    lines = SENSORS[kind].card.text(SENSORS[kind]()).splitlines()
    assert lines[0].startswith(f"{kind}: ")
    assert {"sources", "modelled", "not modelled"} <= set(lines)
    assert max(map(len, lines)) <= 100


def test_a_number_is_printed_with_its_value_and_source():
    sheet = SENSORS["laser"](max_m=30.0)
    assert Number("max_m", "brochure").text(sheet) == "max_m = 30: brochure"
    assert Number("noise.sigma_m", "brochure").text(sheet) == "noise.sigma_m = 0.01: brochure"
    assert Number("field_rad", "brochure").text(sheet) == "field_deg = 180: brochure"
    assert Number("period_us", "brochure").text(sheet) == "period_ms = 100: brochure"


def test_a_part_with_nothing_in_it_is_left_out():
    assert "numbers" not in Card("it", "It is.", ("a",), ("b",), ("c",)).text(None)
