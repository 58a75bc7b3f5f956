import pytest

from understudy.sensors import SENSORS

KINDS = ["line", "colour", "cliff", "reflective", "bumper", "touch", "stall", "wheel_drop", "light", "lamp"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_card_whose_numbers_are_on_its_sheet(kind):
    sheet = SENSORS[kind]()
    assert sheet.card.name == kind
    assert "not modelled" in sheet.card.text(sheet)
