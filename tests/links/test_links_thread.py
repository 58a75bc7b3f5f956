from __future__ import annotations

import threading

from contracts.link_contract import PATIENCE_S

from understudy.links.outbox import Outbox
from understudy.links.thread import LinkThread, shared


async def name_of_thread() -> str:
    return threading.current_thread().name


def test_the_thread_runs_exactly_while_it_is_held() -> None:
    thread = LinkThread()
    seen = [thread.running]
    thread.hold()
    thread.hold()
    thread.release()
    seen.append(thread.running)
    thread.release()
    seen.append(thread.running)
    assert seen == [False, True, False]


def test_work_is_done_in_the_link_thread() -> None:
    thread = LinkThread()
    thread.hold()
    name = thread.run(name_of_thread())
    thread.release()
    assert name == "understudy-links"


def test_posted_calls_run_in_order() -> None:
    thread, seen, done = LinkThread(), list[int](), threading.Event()
    thread.hold()
    for number in range(100):
        thread.post(seen.append, number)
    thread.post(done.set)
    assert done.wait(PATIENCE_S)
    thread.release()
    assert seen == list(range(100))


def test_a_call_that_is_posted_too_late_is_forgotten() -> None:
    thread, seen = LinkThread(), list[int]()
    thread.post(seen.append, 1)
    thread.hold()
    thread.release()
    thread.post(seen.append, 2)
    assert seen == []


def test_all_links_of_a_process_share_one_thread() -> None:
    assert shared() is shared()


def test_an_outbox_gives_back_whole_writes_in_order() -> None:
    outbox = Outbox(100)
    outbox.start()
    outbox.put(b"one")
    outbox.put(b"two")
    assert [outbox.take(), outbox.take(), outbox.take()] == [b"one", b"two", b""]


def test_an_outbox_wakes_only_for_the_first_write() -> None:
    outbox = Outbox(100)
    outbox.start()
    assert [outbox.put(b"one"), outbox.put(b"two")] == [True, False]


def test_an_outbox_drops_a_write_that_does_not_fit_and_takes_a_shorter_one() -> None:
    outbox = Outbox(10)
    outbox.start()
    for write in (b"12345678", b"too long", b"ok"):
        outbox.put(write)
    assert [outbox.take(), outbox.take(), outbox.dropped] == [b"12345678", b"ok", 8]


def test_an_outbox_that_is_stopped_counts_what_it_held() -> None:
    outbox = Outbox(100)
    outbox.start()
    outbox.put(b"12345")
    outbox.take()
    outbox.put_back(b"345")
    outbox.stop()
    outbox.put_back(b"5")
    outbox.put(b"6789")
    assert (outbox.take(), outbox.dropped) == (b"", 8)
