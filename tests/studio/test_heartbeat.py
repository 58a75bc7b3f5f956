"""Pages that do not keep up are left alone until they do."""

from studio_fakes import House

from understudy.studio.heartbeat import LATE_S, Heartbeat


def test_a_page_is_late_without_a_sign_of_life_and_not_after_one():
    now = [100.0]
    heartbeat = Heartbeat(lambda: now[0])
    assert not heartbeat.is_late
    now[0] += LATE_S + 0.1
    assert heartbeat.is_late
    heartbeat.beat()
    assert not heartbeat.is_late


def test_a_browser_with_messages_that_wait_gets_no_further_status_and_no_trails():
    with House() as house:
        fast, slow = house.browser(), house.browser()
        slow._texts.append("{}")
        for _ in range(3):
            house.runner._status_due_s = house.runner._trail_due_s = 0.0
            house.run(1)
            house.runner.turn()
        assert len(fast.of("status")) == 3
        assert fast.of("trail")
        assert not slow.of("status")
        assert not slow.of("trail")
        slow._texts.clear()
        house.runner._status_due_s = house.runner._trail_due_s = 0.0
        house.runner.turn()
        assert slow.of("status")
        assert slow.of("trail"), "and all of the trails"
