from __future__ import annotations

import dataclasses

import pytest
from robots.robots_fakes import Bench, FakeDevice

from understudy.api import load_text
from understudy.rng import key
from understudy.robots.base import Drive
from understudy.robots.pioneer.odometry import miscounts
from understudy.robots.pioneer.sheet import PioneerSheet

KEY = key(1, "robot/arcos")


def sheet(error: float = 0.0075, mode: str = "once") -> PioneerSheet:
    return PioneerSheet(odometry_error=(error, error, error), odometry_errors=mode)  # type: ignore[arg-type]


def travelled(m_s: float, rad_s: float, **settings: object) -> Bench:
    bench = Bench("pioneer", accel_m_s2=0.0, accel_rad_s2=0.0, **settings)  # type: ignore[arg-type]
    bench.unit.order(Drive(m_s, rad_s))
    bench.step(400)
    return bench


def test_errors_stay_within_their_bound_and_differ_from_robot_to_robot() -> None:
    drawn = [miscounts(sheet(), key(seed, "robot/arcos"), 0) for seed in range(200)]
    assert all(abs(error) <= 0.0075 for errors in drawn for error in errors)
    assert len({error for errors in drawn for error in errors}) == 600
    assert max(error for errors in drawn for error in errors) > 0.0074


def test_an_error_that_is_drawn_once_is_the_same_at_all_times() -> None:
    assert miscounts(sheet(), KEY, 0) == miscounts(sheet(), KEY, 123_456_789)


def test_an_error_that_is_drawn_always_changes_every_tenth_of_a_second() -> None:
    drawn = [miscounts(sheet(mode="always"), KEY, stamp_us) for stamp_us in (0, 99_999, 100_000)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_constant_error_is_the_greatest() -> None:
    assert miscounts(sheet(0.02, "constant"), KEY, 0) == (0.02, 0.02, 0.02)


def test_without_an_error_nothing_is_miscounted() -> None:
    assert miscounts(sheet(0.0, "always"), KEY, 0) == (0.0, 0.0, 0.0)


def test_the_way_is_miscounted_and_the_speed_is_not() -> None:
    right = travelled(0.5, 0.0).unit.odometry
    wrong = travelled(0.5, 0.0, odometry_error=(0.1, 0.0, 0.0), odometry_errors="constant").unit.odometry
    assert wrong.x_m == pytest.approx(1.1 * right.x_m)
    assert wrong.m_s == right.m_s


def test_the_turn_is_miscounted() -> None:
    right = travelled(0.0, 0.3).unit.odometry
    wrong = travelled(0.0, 0.3, odometry_error=(0.0, 0.0, 0.1), odometry_errors="constant").unit.odometry
    assert wrong.heading_rad == pytest.approx(1.1 * right.heading_rad)


SCENE = 'schema = 1\n{}\n[[robot]]\nname = "scout"\nmodel = "p3dx{}"\nport = {{host = false, gps = false}}\n'


def counted(text: str, seed: int = 3) -> tuple[float, float]:
    """Return how far the odometry says that the robot has come, and how far it has (m)."""
    sim = load_text(text, seed=seed)
    sim.robot("scout").drive(0.4)
    sim.step(800)
    unit = sim.current.units["scout/arcos"]
    return unit.odometry.x_m, sim.robot("scout").pose.x_m


def test_a_pioneer_of_the_catalogue_miscounts_and_another_seed_miscounts_otherwise() -> None:
    said, true = counted(SCENE.format("", ""))
    other, _ = counted(SCENE.format("", ""), seed=4)
    assert 0 < abs(said - true) < 0.0076 * true
    assert said != other


@pytest.mark.parametrize("text", [SCENE.format("", "-no-error"), SCENE.format('noise = "perfect"', "")])
def test_a_robot_without_error_and_a_perfect_scene_count_right(text: str) -> None:
    said, true = counted(text)
    assert said == pytest.approx(true, abs=1e-9)


def test_numbers_without_a_disc_report_the_maximum() -> None:
    bench = Bench("pioneer", absent_sonars=(1, 4))
    bench.devices["sonar"] = FakeDevice("sonar", (0.5, 0.6, 0.7, 9.0))
    bench.devices["sonar"].tell(None, 0)
    bench.unit.rewire(dataclasses.replace(bench.wiring, devices=bench.devices))
    assert bench.unit.ranges_m == (0.5, 5.0, 0.6, 0.7, 5.0, 5.0)
