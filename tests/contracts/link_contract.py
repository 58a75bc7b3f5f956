"""What every link must do. `check_link(make)` runs it all; each check gets a link of its own.

*make* returns a link that is not open yet, and a function that connects a client to it once it is. A client has
``send(data)``, ``receive(count)`` (so many bytes, fewer only if the stream ends or five seconds pass) and ``close()``.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Protocol

import psutil

from understudy.links import Event, Link
from understudy.links.base import LineState

PATIENCE_S = 30.0
ALL_BYTES = bytes(range(256))


class Client(Protocol):
    def send(self, data: bytes) -> None: ...

    def receive(self, count: int) -> bytes: ...

    def close(self) -> None: ...


Connect = Callable[[], Client]
Make = Callable[[], tuple[Link, Connect]]


class Recorder:
    """A sink that keeps the events for the test to wait for."""

    def __init__(self) -> None:
        self._events: queue.Queue[tuple[Event, bytes]] = queue.Queue()
        self.lines: list[LineState | None] = []

    def __call__(self, event: Event, data: bytes) -> None:
        if event is Event.LINE:
            self.lines.append(LineState.decode(data))
        else:
            self._events.put((event, data))

    def next(self) -> tuple[Event, bytes]:
        return self._events.get(timeout=PATIENCE_S)

    def expect(self, event: Event) -> None:
        got = self.next()
        assert got == (event, b""), f"expected {event}, got {got}"

    def chunks(self, count: int) -> list[bytes]:
        """Return the next DATA events, until they make up *count* bytes."""
        chunks: list[bytes] = []
        while sum(map(len, chunks)) < count:
            event, data = self.next()
            assert event is Event.DATA, f"expected data, got {event} after {sum(map(len, chunks))} of {count} bytes"
            chunks.append(data)
        return chunks

    def data(self, count: int) -> bytes:
        return b"".join(self.chunks(count))

    def rest(self) -> list[tuple[Event, bytes]]:
        """Return what has come and was not waited for."""
        events = []
        while not self._events.empty():
            events.append(self._events.get_nowait())
        return events


def wait_until(condition: Callable[[], bool]) -> None:
    """Return as soon as *condition* holds; fails after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        pause.wait(0.002)


def open_descriptors() -> int:
    process = psutil.Process()
    return int(process.num_fds() if hasattr(process, "num_fds") else process.num_handles())


def check_link(make: Make) -> None:
    """Fail with the name of the first rule that a link breaks."""
    for check in CHECKS:
        link, connect = make()
        try:
            check(link, connect)
        except Exception as problem:
            raise AssertionError(f"{check.__name__}: {problem!r}") from problem
        finally:
            link.close()
        _check_that_nothing_is_left()


def _check_that_nothing_is_left() -> None:
    names = [thread.name for thread in threading.enumerate()]
    assert "understudy-links" not in names, "the link thread outlives the last link"


def a_link_that_is_not_open_takes_every_call(link: Link, connect: Connect) -> None:
    link.write(b"nobody")
    link.hold_back(True)
    link.hang_up()
    link.close()
    assert link.info().dropped == 6
    assert not link.info().connected


def a_client_is_reported_once_when_it_comes_and_once_when_it_goes(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    assert not link.info().connected
    client = connect()
    sink.expect(Event.OPENED)
    assert link.info().connected
    client.close()
    sink.expect(Event.CLOSED)
    assert not link.info().connected
    assert sink.rest() == []


def bytes_from_the_client_come_unchanged_and_in_small_chunks(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    sent = ALL_BYTES * 40
    sender = threading.Thread(target=client.send, args=(sent,))
    sender.start()
    chunks = sink.chunks(len(sent))
    sender.join()
    assert b"".join(chunks) == sent
    assert max(map(len, chunks)) <= 4096
    assert link.info().received == len(sent)
    client.close()
    sink.expect(Event.CLOSED)


def bytes_to_the_client_come_unchanged(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    for _ in range(20):
        link.write(ALL_BYTES)
    assert client.receive(20 * 256) == ALL_BYTES * 20
    wait_until(lambda: link.info().sent == 20 * 256)
    assert link.info().dropped == 0
    client.close()


def a_client_that_leaves_in_the_middle_does_not_spoil_the_next(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    for number in range(3):
        client = connect()
        sink.expect(Event.OPENED)
        client.send(b"half a pack")
        assert sink.data(11) == b"half a pack"
        link.write(b"unread")
        client.close()
        sink.expect(Event.CLOSED)
        link.write(bytes([number]))


def what_nobody_was_there_for_is_dropped_and_counted(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    link.write(b"too early")
    assert link.info().dropped == 9
    client = connect()
    sink.expect(Event.OPENED)
    link.write(b"now")
    assert client.receive(3) == b"now"
    client.close()
    sink.expect(Event.CLOSED)
    link.write(b"too late")
    assert link.info().dropped == 17


def what_one_client_left_unread_is_not_for_the_next(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    first = connect()
    sink.expect(Event.OPENED)
    for _ in range(100):
        link.write(b"s" * 100)
    wait_until(lambda: link.info().sent == 10_000)
    first.close()
    sink.expect(Event.CLOSED)
    second = connect()
    sink.expect(Event.OPENED)
    link.write(b"fresh")
    assert second.receive(5) == b"fresh"
    second.close()


def hanging_up_delivers_what_was_written_and_frees_the_port(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    link.hang_up()
    first = connect()
    sink.expect(Event.OPENED)
    link.write(b"bye")
    link.hang_up()
    assert first.receive(3) == b"bye"
    sink.expect(Event.CLOSED)
    second = connect()
    sink.expect(Event.OPENED)
    first.close()
    second.send(b"hello")
    assert sink.data(5) == b"hello"
    second.close()
    sink.expect(Event.CLOSED)


def what_is_meant_for_one_client_never_reaches_the_next(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    first = connect()
    sink.expect(Event.OPENED)
    first.close()
    sink.expect(Event.CLOSED)
    second = connect()
    sink.expect(Event.OPENED)
    link.write(b"for the first", 1)
    link.hang_up(1)
    link.write(b"for the second", 2)
    assert second.receive(14) == b"for the second"
    assert link.info().dropped == 13
    link.hang_up(2)
    sink.expect(Event.CLOSED)
    second.close()


def writes_from_many_threads_stay_whole(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    writers = [threading.Thread(target=_write_often, args=(link, bytes([65 + n]) * 50)) for n in range(8)]
    for writer in writers:
        writer.start()
    got = client.receive(8 * 20 * 50)
    for writer in writers:
        writer.join()
    assert len(got) == 8 * 20 * 50
    assert all(len(set(got[at : at + 50])) == 1 for at in range(0, len(got), 50))
    client.close()


def _write_often(link: Link, message: bytes) -> None:
    for _ in range(20):
        link.write(message)


def a_client_that_does_not_read_costs_whole_writes_and_no_time(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    count = _flood(link)
    assert (link.info().waiting > 0, link.info().lost) == (True, 0)
    last = _write_the_end(link, client)
    got = last + _read_to_the_end(client, last)
    numbers = [int.from_bytes(got[at : at + 4], "big") for at in range(0, len(got) - 1000, 1000)]
    assert numbers == sorted(set(numbers))
    assert 0 < len(numbers) < count
    assert link.info().sent + link.info().dropped >= 1000 * count
    client.close()


def _flood(link: Link) -> int:
    """Write until a megabyte was dropped; returns the number of writes."""
    count = 0
    while link.info().dropped < 1_000_000:
        link.write(count.to_bytes(4, "big") * 250)
        count += 1
        assert count < 200_000, "a client that does not read is buffered for without bounds"
    return count


def _write_the_end(link: Link, client: Client) -> bytes:
    """Write a last message once there is room for it; returns what had to be read to make room."""
    got = b""
    while True:
        before = link.info().dropped
        link.write(b"\xff" * 1000)
        if link.info().dropped == before:
            return got
        got += client.receive(1000)


def _read_to_the_end(client: Client, before: bytes) -> bytes:
    got = b""
    while not (before + got).endswith(b"\xff" * 1000):
        piece = client.receive(1000)
        assert piece, "the stream has ended too early"
        got += piece
    return got


def closing_tells_the_end_and_leaves_nothing_behind(link: Link, connect: Connect) -> None:
    before = open_descriptors()
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    link.close()
    assert sink.rest() == [(Event.CLOSED, b"")]
    client.close()
    link.write(b"late")
    link.hang_up()
    link.close()
    assert open_descriptors() <= before
    assert sink.rest() == []


def a_link_can_be_opened_again(link: Link, connect: Connect) -> None:
    for _ in range(2):
        sink = Recorder()
        link.open(sink)
        client = connect()
        sink.expect(Event.OPENED)
        client.send(b"again")
        assert sink.data(5) == b"again"
        link.close()
        client.close()


def a_client_that_is_held_back_loses_nothing(link: Link, connect: Connect) -> None:
    sink = Recorder()
    link.open(sink)
    client = connect()
    sink.expect(Event.OPENED)
    link.hold_back(True)
    client.send(ALL_BYTES)
    link.hold_back(False)
    assert sink.data(256) == ALL_BYTES
    link.hold_back(True)
    client.close()
    link.hold_back(False)
    sink.expect(Event.CLOSED)
    client = connect()
    sink.expect(Event.OPENED)
    client.send(ALL_BYTES)
    assert sink.data(256) == ALL_BYTES
    client.close()
    sink.expect(Event.CLOSED)


CHECKS: tuple[Callable[[Link, Connect], None], ...] = (
    a_link_that_is_not_open_takes_every_call,
    a_client_is_reported_once_when_it_comes_and_once_when_it_goes,
    bytes_from_the_client_come_unchanged_and_in_small_chunks,
    bytes_to_the_client_come_unchanged,
    a_client_that_leaves_in_the_middle_does_not_spoil_the_next,
    what_nobody_was_there_for_is_dropped_and_counted,
    what_one_client_left_unread_is_not_for_the_next,
    hanging_up_delivers_what_was_written_and_frees_the_port,
    what_is_meant_for_one_client_never_reaches_the_next,
    writes_from_many_threads_stay_whole,
    a_client_that_does_not_read_costs_whole_writes_and_no_time,
    closing_tells_the_end_and_leaves_nothing_behind,
    a_link_can_be_opened_again,
    a_client_that_is_held_back_loses_nothing,
)
