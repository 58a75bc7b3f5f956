import logging

import pytest

from understudy.sim.clock import Clock, Gauge


class Wall:
    """A wall clock that only moves when a thread sleeps or works."""

    def __init__(self):
        self.now, self.slept = 100.0, []

    def read(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def wall():
    return Wall()


def clock(wall, tick_us=5_000, speed=1.0):
    return Clock(tick_us, speed, wall.read, wall.sleep)


def test_ticks_come_at_real_time(wall):
    it = clock(wall)
    for tick in range(1, 201):
        it.pace(tick, 1.0)
    assert wall.now - 100.0 == pytest.approx(199 * 0.005)


def test_twice_the_speed_takes_half_the_time(wall):
    it = clock(wall)
    for tick in range(1, 201):
        it.pace(tick, 2.0)
    assert wall.now - 100.0 == pytest.approx(199 * 0.0025)


def test_as_fast_as_possible_never_sleeps(wall):
    it = clock(wall, speed=None)
    for tick in range(1, 1000):
        it.pace(tick, None)
    assert wall.slept == []


def test_a_little_late_is_caught_up(wall):
    it = clock(wall)
    it.pace(1, 1.0)
    wall.now += 0.2
    for tick in range(2, 101):
        it.pace(tick, 1.0)
    assert wall.now - 100.0 == pytest.approx(99 * 0.005)


def test_while_catching_up_the_other_threads_get_a_turn_every_ten_ticks(wall):
    it = clock(wall)
    it.pace(1, 1.0)
    wall.now += 0.3
    for tick in range(2, 42):
        it.pace(tick, 1.0)
    assert wall.slept.count(0.0) == 4


def test_very_late_is_reported_and_not_caught_up(wall, caplog):
    it = clock(wall)
    it.pace(1, 1.0)
    wall.now += 3.0
    with caplog.at_level(logging.WARNING):
        it.pace(2, 1.0)
    it.pace(3, 1.0)
    it.pace(4, 1.0)
    assert wall.slept[-1] == pytest.approx(0.005)
    assert "behind real time" in caplog.text
    assert it.skipped_s == pytest.approx(2.995)


def test_a_delay_by_compiling_was_reported_already_and_is_no_warning(wall, caplog):
    it = Clock(5_000, 1.0, wall.read, wall.sleep, excused=lambda: True)
    it.pace(1, 1.0)
    wall.now += 3.0
    with caplog.at_level(logging.WARNING):
        it.pace(2, 1.0)
    assert caplog.text == ""
    assert it.skipped_s == pytest.approx(2.995)


def test_a_new_speed_starts_counting_anew(wall):
    it = clock(wall)
    it.pace(1, 1.0)
    wall.now += 10.0
    it.speed = 1.0
    it.pace(2, 1.0)
    assert it.skipped_s == 0.0


# ---- how fast time passes


def test_the_gauge_compares_simulated_time_with_the_clock(monkeypatch):
    clock = iter([10.0, 10.5, 11.0])
    monkeypatch.setattr("understudy.sim.clock.time.monotonic", lambda: next(clock))
    gauge = Gauge()
    assert [gauge.factor(t) for t in (0.0, 1.0, 2.0)] == [0.0, 2.0, 2.0]


def test_the_gauge_forgets_a_run_that_was_reset(monkeypatch):
    clock = iter([10.0, 11.0, 12.0])
    monkeypatch.setattr("understudy.sim.clock.time.monotonic", lambda: next(clock))
    gauge = Gauge()
    assert [gauge.factor(t) for t in (5.0, 0.0, 1.0)] == [0.0, 0.0, 1.0]
