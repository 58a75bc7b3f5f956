"""Held keys are a motion; silence is a stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.studio import driving
from understudy.studio.driving import KEYS, SILENCE_S, STILL, Driver, KeyMotion, motion


class Loop:
    """Timers that run out when the test says so."""

    def __init__(self):
        self.timers = []

    def call_later(self, seconds, call):
        timer = Timer(seconds, call)
        self.timers.append(timer)
        return timer

    def silence(self):
        for timer in self.timers:
            if not timer.cancelled:
                timer.cancelled = True
                timer.call()


class Timer:
    def __init__(self, seconds, call):
        self.seconds, self.call, self.cancelled = seconds, call, False

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def loop(monkeypatch):
    made = Loop()
    monkeypatch.setattr(driving.asyncio, "get_running_loop", lambda: made)
    return made


@pytest.fixture
def steered():
    return []


@pytest.fixture
def driver(loop, steered):
    return Driver(lambda robot, wanted: steered.append((robot, wanted)))


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ([], STILL),
        (["forward"], KeyMotion(0.5)),
        (["back"], KeyMotion(-0.5)),
        (["left"], KeyMotion(turn=0.5)),
        (["right"], KeyMotion(turn=-0.5)),
        (["shift_left"], KeyMotion(aside=0.5)),
        (["forward", "left"], KeyMotion(0.5, 0.5)),
        (["forward", "back"], STILL),
        (["forward", "forward"], KeyMotion(0.5)),
        (["jump", "forward"], KeyMotion(0.5)),
    ],
)
def test_keys_are_a_motion(keys, wanted):
    assert motion(keys) == wanted


@given(st.lists(st.one_of(st.sampled_from(sorted(KEYS)), st.text())), st.floats(0.05, 1.0))
def test_no_keys_ask_for_more_than_the_share(keys, share):
    wanted = motion(keys, share)
    assert all(abs(part) <= share for part in (wanted.ahead, wanted.turn, wanted.aside))


def test_a_held_key_is_steered_once_however_often_it_is_sent(driver, steered):
    for _ in range(5):
        driver.hold("scout", ["forward"])
    assert steered == [("scout", KeyMotion(0.5))]


def test_a_released_key_stops(driver, steered):
    driver.hold("scout", ["forward"])
    driver.hold("scout", [])
    assert steered[-1] == ("scout", STILL)


def test_silence_stops(driver, steered, loop):
    driver.hold("scout", ["forward"])
    assert loop.timers[-1].seconds == SILENCE_S <= 0.5
    loop.silence()
    assert steered == [("scout", KeyMotion(0.5)), ("scout", STILL)]


def test_every_word_puts_the_stop_off(driver, steered, loop):
    for _ in range(3):
        driver.hold("scout", ["forward"])
    assert [timer.cancelled for timer in loop.timers] == [True, True, False]


def test_no_key_needs_no_watch(driver, loop):
    driver.hold("scout", [])
    assert loop.timers == []


def test_driving_goes_on_after_a_silence(driver, steered, loop):
    driver.hold("scout", ["forward"])
    loop.silence()
    driver.hold("scout", ["forward"])
    assert steered[-1] == ("scout", KeyMotion(0.5))


def test_whoever_takes_another_robot_stops_the_first(driver, steered):
    driver.hold("scout", ["forward"])
    driver.hold("rover", ["left"])
    assert steered == [("scout", KeyMotion(0.5)), ("scout", STILL), ("rover", KeyMotion(turn=0.5))]


def test_letting_go_stops_once(driver, steered, loop):
    driver.hold("scout", ["forward"])
    driver.let_go()
    driver.let_go()
    assert steered == [("scout", KeyMotion(0.5)), ("scout", STILL)]
    assert all(timer.cancelled for timer in loop.timers)


def test_a_viewer_that_drives_nothing_stops_nothing(driver, steered):
    driver.let_go()
    assert steered == []
