from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from contracts.link_contract import PATIENCE_S, Recorder, wait_until
from links.clients import TcpClient

from understudy.errors import LinkError
from understudy.links import Event, Link, make, parse
from understudy.links.listen import FURTHER

HOLDER = """
import socket, sys
holder = socket.create_server(("127.0.0.1", 0))
print(holder.getsockname()[1], flush=True)
sys.stdin.read()
"""

CROWDED = """
import os, queue, resource, socket
from understudy import links

events = queue.Queue()
link = links.make("tcp://127.0.0.1:0", "scout/host")
link.open(lambda event, data: events.put(event.value))
address = links.parse(link.info().url)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
fillers = []
client = socket.socket()
try:
    while True:
        fillers.append(os.dup(0))
except OSError:
    client.connect((address.host, address.port))
try:
    print(events.get(timeout=0.2))
except queue.Empty:
    print("nobody")
for filler in fillers:
    os.close(filler)
print(events.get(timeout=5))
client.close()
link.close()
"""


@pytest.fixture
def sink() -> Recorder:
    return Recorder()


@pytest.fixture
def link(sink: Recorder) -> Iterator[Link]:
    link = make("tcp://127.0.0.1:0", "scout/host")
    link.open(sink)
    with closing(link):
        yield link


@pytest.fixture
def taken() -> Iterator[int]:
    """Return a port on which something else listens."""
    with socket.create_server(("127.0.0.1", 0)) as holder:
        yield holder.getsockname()[1]


def port_of(link: Link) -> int:
    return parse(link.info().url).port


def reset(client: TcpClient) -> None:
    """Leave as a program that crashes does: with a RST instead of a farewell."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_a_second_client_is_disconnected_and_the_first_does_not_notice(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)) as first, closing(TcpClient(link)) as second:
        second.send(b"me too")
        assert second.ended()
        first.send(b"hello")
        sink.expect(Event.OPENED)
        assert sink.data(5) == b"hello"
        link.write(b"welcome")
        assert first.receive(7) == b"welcome"
        assert sink.rest() == []


def test_a_crowd_of_clients_is_disconnected_and_the_first_does_not_notice(link: Link, sink: Recorder) -> None:
    with ExitStack() as stack:
        first, *others = [stack.enter_context(closing(TcpClient(link))) for _ in range(30)]
        assert all(other.ended() for other in others)
        sink.expect(Event.OPENED)
        link.write(b"still here")
        assert first.receive(10) == b"still here"
        assert sink.rest() == []


def test_a_client_that_comes_right_after_another_has_left_is_let_in(link: Link, sink: Recorder) -> None:
    first = TcpClient(link)
    first.send(b"x" * 100_000)
    first.close()
    with closing(TcpClient(link)) as second:
        second.send(b"mine")
        sink.expect(Event.OPENED)
        assert sink.data(100_000) == b"x" * 100_000
        sink.expect(Event.CLOSED)
        sink.expect(Event.OPENED)
        assert sink.data(4) == b"mine"


def test_a_thousand_reconnects_work(link: Link, sink: Recorder) -> None:
    for number in range(1000):
        with closing(TcpClient(link)) as client:
            client.send(struct.pack(">H", number))
    for number in range(1000):
        sink.expect(Event.OPENED)
        assert sink.data(2) == struct.pack(">H", number)
        sink.expect(Event.CLOSED)
    assert sink.rest() == []


def test_a_client_that_crashes_is_a_client_that_has_left(link: Link, sink: Recorder) -> None:
    for _ in range(20):
        client = TcpClient(link)
        client.send(b"\xfa\xfb\x06")
        sink.expect(Event.OPENED)
        assert sink.data(3) == b"\xfa\xfb\x06"
        link.write(b"unread" * 1000)
        reset(client)
        sink.expect(Event.CLOSED)


def test_writing_to_a_client_that_has_just_crashed_does_no_harm(link: Link, sink: Recorder) -> None:
    client = TcpClient(link)
    sink.expect(Event.OPENED)
    reset(client)
    for _ in range(1000):
        link.write(b"x" * 1000)
    sink.expect(Event.CLOSED)
    assert sink.rest() == []


def test_a_client_that_says_it_will_send_no_more_has_left_but_gets_its_answers(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)) as client:
        sink.expect(Event.OPENED)
        link.write(b"answer")
        client.socket.shutdown(socket.SHUT_WR)
        sink.expect(Event.CLOSED)
        assert client.receive(6) == b"answer"
        assert client.ended()


def test_a_client_that_is_hung_up_on_sees_the_end(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)) as client:
        sink.expect(Event.OPENED)
        link.hang_up()
        assert client.ended()


def test_what_a_client_still_sends_after_the_hang_up_is_not_heard(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)) as old:
        sink.expect(Event.OPENED)
        link.hang_up()
        sink.expect(Event.CLOSED)
        old.send(b"one more thing")
        with closing(TcpClient(link)) as new:
            sink.expect(Event.OPENED)
            new.send(b"hello")
            assert sink.data(5) == b"hello"


def test_a_client_that_neither_reads_nor_leaves_can_be_hung_up_on(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)):
        sink.expect(Event.OPENED)
        while link.info().dropped == 0:
            link.write(b"x" * 10_000)
        link.hang_up()
        sink.expect(Event.CLOSED)
        with closing(TcpClient(link)):
            sink.expect(Event.OPENED)


def test_a_slow_reader_is_buffered_for_within_bounds(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)):
        sink.expect(Event.OPENED)
        wait_until(lambda: _full(link))
        before = link.info().sent
        for _ in range(2000):
            link.write(b"x" * 1000)
        assert link.info().sent == before
        waiting = link._outbox._size  # type: ignore[attr-defined]
        assert 255 * 1024 < waiting <= 256 * 1024


def _full(link: Link) -> bool:
    """Write a little more; say whether the system has stopped taking it."""
    sent, dropped = link.info().sent, link.info().dropped
    for _ in range(100):
        link.write(b"x" * 1000)
    return link.info().sent == sent and link.info().dropped == dropped + 100_000


def test_one_write_may_be_longer_than_the_buffer(link: Link, sink: Recorder) -> None:
    picture = os.urandom(1_000_000)
    with closing(TcpClient(link)) as client:
        sink.expect(Event.OPENED)
        link.write(picture)
        assert client.receive(len(picture)) == picture


def test_small_packets_are_sent_at_once(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)):
        sink.expect(Event.OPENED)
        connection = link._client.transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
def test_a_client_that_comes_when_too_many_files_are_open_is_let_in_later() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", CROWDED], check=True, capture_output=True, timeout=30)
    assert (run.stdout.split(), run.stderr) == ([b"nobody", b"opened"], b"")


def test_a_client_whose_network_is_lost_will_be_noticed(link: Link, sink: Recorder) -> None:
    with closing(TcpClient(link)):
        sink.expect(Event.OPENED)
        connection = link._client.transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_a_client_that_never_stops_talking_keeps_its_port(link: Link, sink: Recorder) -> None:
    stop = threading.Event()
    with closing(TcpClient(link)) as talker:
        sink.expect(Event.OPENED)
        talking = threading.Thread(target=_talk, args=(talker, stop))
        talking.start()
        with closing(TcpClient(link)) as second:
            assert second.ended()
        stop.set()
        talking.join(PATIENCE_S)
    wait_until(lambda: not link.info().connected)
    assert [event for event, _ in sink.rest() if event is not Event.DATA] == [Event.CLOSED]


def _talk(client: TcpClient, stop: threading.Event) -> None:
    while not stop.is_set():
        client.send(b"x" * 1000)


def test_a_port_in_use_names_its_owner_and_the_way_out() -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        port = int(holder.stdout.readline())
        with pytest.raises(LinkError) as refused:
            make(f"tcp://127.0.0.1:{port}", "scout/host").open(Recorder())
        holder.communicate()
    words = str(refused.value)
    assert words.startswith(f"tcp port {port} is in use by python")
    assert words.endswith(f" (pid {holder.pid}); stop it, or write tcp://127.0.0.1:{port}+ for the next free one")


def test_a_port_that_this_program_has_itself_is_not_to_be_stopped(taken: int) -> None:
    with pytest.raises(LinkError, match=rf"tcp port {taken} is in use by another port of this program .*; write"):
        make(f"tcp://127.0.0.1:{taken}", "scout/host").open(Recorder())


def test_a_plus_takes_the_next_free_port(taken: int) -> None:
    link = make(f"tcp://127.0.0.1:{taken}+", "scout/host")
    with closing(link):
        link.open(Recorder())
        assert taken < port_of(link) <= taken + FURTHER


def test_many_links_with_the_same_plus_stand_side_by_side(taken: int) -> None:
    with ExitStack() as stack:
        links = [stack.enter_context(closing(make(f"tcp://127.0.0.1:{taken}+", f"r{n}/host"))) for n in range(10)]
        for link in links:
            link.open(Recorder())
        ports = [port_of(link) for link in links]
        assert ports == sorted(set(ports))


def test_a_plus_gives_up_after_a_hundred_more(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr("understudy.links.listen.FURTHER", 1)
    with ExitStack() as stack:
        first = make(f"tcp://127.0.0.1:{taken}+", "a/host")
        try:
            first.open(Recorder())
            stack.enter_context(closing(first))
        except LinkError:
            pass  # another process has the next port, which is fine too
        with pytest.raises(LinkError, match=f"tcp ports {taken} to {taken + 1} are all in use; stop a program, or"):
            make(f"tcp://127.0.0.1:{taken}+", "b/host").open(Recorder())


@pytest.mark.skipif(sys.platform == "darwin", reason="there is no 127.0.0.2")
def test_a_port_on_every_network_is_reached_by_any_address_and_tells_one_that_works() -> None:
    with closing(make("tcp://0.0.0.0:0", "scout/host")) as link:
        link.open(sink := Recorder())
        shown = parse(link.info().url)
        with socket.create_connection(("127.0.0.2", shown.port), timeout=PATIENCE_S):
            sink.expect(Event.OPENED)
    with socket.create_server((shown.host, 0)):  # it can be bound, so it belongs to this machine
        assert shown.host != "0.0.0.0"


def test_an_address_of_another_machine_is_refused_with_the_way_out() -> None:
    with pytest.raises(LinkError, match=r"192.0.2.1 is not an address of this machine; use 127.0.0.1, or 0.0.0.0"):
        make("tcp://192.0.2.1:0", "scout/host").open(Recorder())


def test_a_name_that_means_nothing_is_refused_with_the_way_out() -> None:
    with pytest.raises(LinkError, match=r"cannot resolve the host 'nowhere.invalid'; 127.0.0.1 always works"):
        make("tcp://nowhere.invalid:0", "scout/host").open(Recorder())


def test_a_port_is_free_again_as_soon_as_its_link_is_closed() -> None:
    first = make("tcp://127.0.0.1:0", "scout/host")
    sink = Recorder()
    first.open(sink)
    with closing(TcpClient(first)):
        sink.expect(Event.OPENED)
        port = port_of(first)
        first.close()
        again = make(f"tcp://127.0.0.1:{port}", "scout/host")
        with closing(again):
            again.open(Recorder())
            assert port_of(again) == port


def test_the_port_is_reachable_from_this_machine_only(link: Link) -> None:
    listener = link._reception._listener  # type: ignore[attr-defined]
    assert listener.getsockname()[0] == "127.0.0.1"


def test_clients_that_come_and_go_while_a_link_closes_do_no_harm() -> None:
    for _ in range(20):
        link = make("tcp://127.0.0.1:0", "scout/host")
        link.open(Recorder())
        callers = [threading.Thread(target=_call, args=(port_of(link),)) for _ in range(5)]
        for caller in callers:
            caller.start()
        link.close()
        for caller in callers:
            caller.join(PATIENCE_S)
        assert not link.info().connected


def _call(port: int) -> None:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
            caller.sendall(b"hello")
            caller.recv(1)
    except OSError:
        pass
