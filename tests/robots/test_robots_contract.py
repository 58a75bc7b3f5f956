from __future__ import annotations

import pytest
from contracts.unit_contract import check_unit
from robots.robots_fakes import Bench

from understudy.robots import UNITS


@pytest.mark.parametrize("kind", UNITS)
def test_every_unit_keeps_the_contract(kind: str) -> None:
    check_unit(lambda: Bench(kind))


@pytest.mark.parametrize("kind", UNITS)
def test_every_unit_is_listed_under_its_own_kind(kind: str) -> None:
    assert UNITS[kind].Sheet.kind == kind  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", UNITS)
def test_every_unit_works_with_nothing_plugged_in(kind: str) -> None:
    bench = Bench(kind, without=tuple(UNITS[kind].inputs))
    bench.step(3)
    bench.unit.panel()
    assert bench.devices == {}


def test_only_units_with_odometry_estimate_a_pose() -> None:
    assert [kind for kind in UNITS if Bench(kind).unit.pose_estimate() is not None] == ["eyebot", "pioneer"]
