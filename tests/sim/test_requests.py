"""Other threads have things done in the simulation's thread."""

import threading
from concurrent.futures import CancelledError

import pytest
from scenes import room

from understudy.errors import ChangeRefused
from understudy.sim.sim import Sim
from understudy.world.changes import Pause, Remove


@pytest.fixture
def sim():
    with Sim(room(), seed=1) as it:
        yield it


def test_a_request_is_carried_out_between_two_ticks_in_the_thread_of_the_simulation(sim):
    seen = []
    thread = threading.Thread(target=lambda: sim.requests.ask(lambda s: seen.append((s.tick, threading.get_ident()))))
    thread.start()
    thread.join()
    assert seen == []
    sim.step(3)
    assert seen == [(0, threading.get_ident())]


def test_requests_are_carried_out_in_order(sim):
    seen = []
    for number in range(5):
        sim.requests.ask(lambda s, number=number: seen.append(number))
    sim.run(0.005)
    assert seen == [0, 1, 2, 3, 4]


def test_whoever_asks_gets_the_result(sim):
    future = sim.requests.ask(lambda s: s.robot("scout").pose.x_m)
    sim.step()
    assert future.result(0) == 0.0


def test_whoever_asks_gets_what_was_raised_and_the_run_goes_on(sim):
    refused = sim.requests.ask(lambda s: s.change(Remove("nobody")))
    failed = sim.requests.ask(lambda s: 1 / 0)
    sim.step()
    with pytest.raises(ChangeRefused):
        refused.result(0)
    with pytest.raises(ZeroDivisionError):
        failed.result(0)
    assert sim.tick == 1


def test_a_paused_simulation_serves_requests(sim):
    sim.pause()
    future = sim.requests.ask(lambda s: s.post(Pause(False)))
    while sim.tick == 0:
        sim.run_for(0.01)
    assert future.done()


def test_a_request_may_ask_for_more_and_may_run_the_simulation(sim):
    seen = []
    sim.requests.ask(lambda s: (s.requests.ask(lambda t: seen.append("inner")), s.step(2), seen.append("outer")))
    sim.requests.ask(lambda s: seen.append("second"))
    sim.step()
    assert seen == ["second", "inner", "outer"]


def test_what_waits_when_the_simulation_is_closed_is_cancelled(sim):
    before = sim.requests.ask(lambda s: None)
    sim.close()
    after = sim.requests.ask(lambda s: None)
    for future in (before, after):
        with pytest.raises(CancelledError):
            future.result(0)


def test_a_request_changes_nothing_by_itself():
    def hash_of(requests):
        with Sim(room(), seed=3) as sim:
            for _ in range(20):
                for _ in range(requests):
                    sim.requests.ask(lambda s: s.robot("scout").read("front"))
                sim.step()
            return sim.hash()

    assert hash_of(0) == hash_of(3)
