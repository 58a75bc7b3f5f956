from __future__ import annotations

from robots.robots_fakes import Bench

from understudy.robots.base import Drive, Session


def test_it_keeps_the_motion_until_it_is_changed() -> None:
    bench = Bench("controller")
    bench.unit.order(Drive(0.5, -0.2, 0.1))
    bench.step(3)
    assert bench.seen() == [(0.5, 0.1, -0.2)]
    assert bench.unit.panel().rad_s == -0.2


def test_it_stops_when_the_session_ends() -> None:
    bench = Bench("controller")
    bench.unit.order(Drive(0.5))
    bench.unit.order(Session(False))
    bench.step()
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


def test_a_new_session_changes_nothing() -> None:
    bench = Bench("controller")
    bench.unit.order(Drive(0.5))
    bench.unit.order(Session(True))
    assert bench.unit.panel().m_s == 0.5
