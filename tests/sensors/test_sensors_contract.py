import pytest
from contracts.sensor_contract import check_sensor

from understudy.sensors import SENSORS


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_every_sensor_fulfils_the_contract(kind):
    check_sensor(SENSORS[kind])


@pytest.mark.parametrize("kind", sorted(SENSORS))
def test_the_word_for_a_sensor_is_its_kind(kind):
    assert SENSORS[kind].kind == kind
