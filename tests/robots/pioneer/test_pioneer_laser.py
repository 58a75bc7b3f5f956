"""How clients set a scanner, and what they get of it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from robots.robots_fakes import Bench, FakeDevice

from understudy.robots.base import Session
from understudy.robots.pioneer.laser import Scanner, scan
from understudy.robots.pioneer.orders import SetLaser
from understudy.sensors.laser import Laser, Sweep
from understudy.world.changes import Tune
from understudy.world.news import Note


def laser(sheet: Laser, value: float = 1.0) -> FakeDevice:
    device = FakeDevice("robot/front", (value,) * sheet.rays, sheet)
    device.tell(None, 0)
    return device


def bench(sheet: Laser | None = None) -> Bench:
    made = Bench("pioneer", plugged={"laser1": laser(sheet or Laser(max_m=32.0))})
    made.unit.order(Session(True))
    return made


def tell(made: Bench, **settings: int) -> None:
    for what, value in settings.items():
        made.unit.order(SetLaser(0, what, value))  # type: ignore[arg-type]


# number of readings by the client's laser type (reference, 12.1)
@pytest.mark.parametrize(
    ("start", "end", "step", "readings"),
    [(-90, 90, 100, 181), (-90, 90, 50, 361), (-50, 50, 100, 101), (-50, 50, 50, 201), (-135, 135, 50, 541),
     (-135, 135, 25, 1081), (-95, 95, 100, 191), (-135, 135, 300, 91), (-135, 135, 100, 271), (-135, 135, 33, 820),
     (-120, 120, 100, 241), (-180, 180, 100, 361), (0, 0, 100, 1), (-90, 45, 100, 136)],
)  # fmt: skip
def test_the_number_of_readings_follows_from_field_and_step(start: int, end: int, step: int, readings: int) -> None:
    sheet = Scanner(2, start, end, step).wanted(Laser())
    assert isinstance(sheet, Laser)
    angles = np.degrees(sheet.angles_rad())
    assert len(angles) == readings
    assert angles == pytest.approx(start + np.arange(readings) * step / 100)


def test_what_aria_asks_for_by_itself_needs_nothing_more_than_reflectance() -> None:
    made = bench()
    tell(made, start=-90, end=90, step=100, mode=2)
    assert made.unit.asks() == [Tune("robot/front", Laser(max_m=32.0, reflectance=True))]
    assert made.unit.scanners.modes == (2, 0, 0, 0)


def test_another_field_is_asked_for_once_it_is_switched_on() -> None:
    made = bench()
    tell(made, start=-90, end=90, step=50)
    assert not list(made.unit.asks())
    tell(made, mode=1)
    assert made.unit.asks() == [
        Tune("robot/front", Laser(max_m=32.0, rays=361, sweep=Sweep(math.radians(-90), math.radians(0.5))))
    ]


def test_a_scanner_gets_its_own_data_sheet_back_when_the_session_ends() -> None:
    made = bench()
    tell(made, step=50, mode=2)
    (tune,) = made.unit.asks()
    made.devices["laser1"].sheet = tune.sheet
    made.unit.order(Session(False))
    assert made.unit.asks() == [Tune("robot/front", Laser(max_m=32.0))]
    assert made.unit.scanners.modes == (0, 0, 0, 0)


def test_settings_survive_a_saved_state() -> None:
    made = bench()
    tell(made, start=-45, end=45, step=50, mode=2)
    (tune,) = made.unit.asks()
    made.devices["laser1"].sheet = tune.sheet
    state = json.loads(json.dumps(made.unit.state()))
    made.renew().restore(state)
    assert made.unit.state() == state
    made.unit.order(Session(False))
    assert made.unit.asks() == [Tune("robot/front", Laser(max_m=32.0))]


@pytest.mark.parametrize(("start", "end", "step"), [(-360, 360, 100), (-180, 180, 1), (-20000, 20000, 100)])
def test_an_unsupported_field_of_view_is_reported(start: int, end: int, step: int) -> None:
    made = bench()
    tell(made, start=start, end=end, step=step, mode=1)
    (note,) = made.unit.asks()
    assert isinstance(note, Note)
    assert "does not support" in note.text


def test_a_step_of_zero_leaves_the_scanners_own() -> None:
    made = bench()
    tell(made, step=0, mode=1)
    assert not list(made.unit.asks())


def test_a_missing_laser_is_reported() -> None:
    made = bench()
    made.unit.order(SetLaser(1, "mode", 2))
    assert made.unit.asks() == [Note("the robot has no laser 2", "warning")]


def test_start_above_end_reverses_the_readings() -> None:
    made = bench(Laser(rays=3, max_m=32.0))
    made.devices["laser1"].tell((1.0, 2.0, 3.0), 0)
    tell(made, start=90, end=-90, step=9000, mode=1)
    assert not list(made.unit.asks())
    assert made.unit.scanners.scan(0).ranges_mm.tolist() == [3000, 2000, 1000]


def test_ranges_are_millimetres_and_nothing_is_farther_than_the_client_expects() -> None:
    device = laser(Laser(rays=5, max_m=8.0))
    device.tell((1.2345, 8.0, math.nan, 0.0, 9.0), 0)
    got = scan(device, 32_767, False)
    assert got is not None
    assert got.ranges_mm.tolist() == [1234, 32_767, 32_767, 0, 32_767]
    assert got.reflectances.tolist() == [0] * 5


def test_before_the_first_sweep_there_is_no_scan() -> None:
    assert scan(FakeDevice("front", (1.0,), None), 32_767, False) is None
