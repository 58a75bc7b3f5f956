"""The plain motor controller."""

import pytest
from contracts.unit_contract import check_unit
from robots.robots_fakes import Bench

from understudy.robots.base import Session
from understudy.robots.motors import Brake, Coast, Measure, Measured, Power


def test_it_keeps_the_contract():
    check_unit(lambda: Bench("motors"), (Power("A", 0.5), Brake("B"), Coast("H")))


def test_it_passes_power_brake_and_coast_on():
    bench = Bench("motors")
    for order in (Power("A", 0.5), Brake("A"), Coast("A"), Power("A", -1.0)):
        bench.unit.order(order)
    assert bench.outputs["A"].commanded == [0.5, "brake", "coast", -1.0]


def test_it_answers_what_it_measures():
    bench = Bench("motors")
    bench.unit.order(Power("C", 0.25))
    assert bench.unit.order(Measure("C")) == Measured(0.0, 0.25)


def test_the_end_of_a_session_lets_the_motors_in_use_roll_out():
    bench = Bench("motors")
    bench.unit.order(Power("A", 1.0))
    bench.unit.order(Session(False))
    assert bench.outputs["A"].commanded[-1] == "coast"
    assert bench.outputs["B"].commanded == []


@pytest.mark.parametrize("order", [Power("Z", 1.0), Brake("Z"), Coast("Z"), Measure("Z")])
def test_an_output_that_it_does_not_have_is_skipped(order):
    bench = Bench("motors")
    assert bench.unit.order(order) is None
    assert not any(output.commanded for output in bench.outputs.values())
