from __future__ import annotations

import math

import pytest
from robots.robots_fakes import FIX, START_US, Bench

from understudy.robots.nmea_gps import Fix


def test_a_fix_carries_the_time_at_which_it_was_due() -> None:
    bench = Bench("nmea_gps")
    bench.devices["gps"].tell(FIX, 3_000_000)
    assert bench.unit.fix == Fix(3_000_000, START_US + 3_000_000, True, 33.61, -80.865, 182.5, 0.2, 90.0, 8, 1.2)


def test_there_is_no_fix_before_the_first_reading() -> None:
    bench = Bench("nmea_gps")
    bench.devices["gps"].stamp_us = -1
    assert bench.unit.fix is None


@pytest.mark.parametrize("values", [(*FIX[:5], 0.0, 0.0, 1.2), (math.nan,) * 8, (math.nan, *FIX[1:])])
def test_a_receiver_that_sees_nothing_reports_only_the_time(values: tuple[float, ...]) -> None:
    bench = Bench("nmea_gps")
    bench.devices["gps"].tell(values, 1_000_000)
    assert bench.unit.fix == Fix(1_000_000, START_US + 1_000_000)
