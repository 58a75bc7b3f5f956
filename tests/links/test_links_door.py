import socket
import threading

import pytest
from contracts.link_contract import wait_until

from understudy.errors import LinkError
from understudy.links.base import Event
from understudy.links.door import Door


class House:
    """Lets everybody in and writes down what happens."""

    def __init__(self, **settings):
        self.door = Door("tcp://127.0.0.1:0", "house", **settings)
        self.guests, self.events, self.lock = [], {}, threading.Lock()
        self.door.open(self._called)

    def _called(self, link, address):
        self.events[address] = []
        self.guests.append((address, link))

    def admit(self, number):
        wait_until(lambda: len(self.guests) > number)
        address, link = self.guests[number]
        link.open(lambda event, data: self.events[address].append((event, data)))
        return address, link

    def knock(self):
        return socket.create_connection(("127.0.0.1", self.door.port), timeout=10)

    def kinds(self, address):
        return [event for event, _ in self.events[address]]


@pytest.fixture
def house():
    it = House(most=20)
    yield it
    it.door.close()


def heard(client, count):
    got = b""
    while len(got) < count and (more := client.recv(count - len(got))):
        got += more
    return got


def test_everybody_has_a_conversation_of_his_own(house):
    clients = [house.knock() for _ in range(3)]
    links = [house.admit(n) for n in range(3)]
    for number, (_, link) in enumerate(links):
        link.write(b"hello %d" % number)
    assert sorted(heard(client, 7) for client in clients) == [b"hello 0", b"hello 1", b"hello 2"]
    for client in clients:
        client.close()


def test_a_client_is_heard_from_its_first_byte_however_late_it_is_let_in(house):
    client = house.knock()
    client.sendall(b"early")
    wait_until(lambda: house.guests)
    address, _ = house.admit(0)
    wait_until(lambda: (Event.DATA, b"early") in house.events[address])
    client.close()


def test_the_address_is_the_clients(house):
    client = house.knock()
    address, _ = house.admit(0)
    assert address == f"tcp://127.0.0.1:{client.getsockname()[1]}"
    client.close()


def test_a_client_that_disconnects_is_reported_once(house):
    client = house.knock()
    address, link = house.admit(0)
    client.close()
    wait_until(lambda: Event.CLOSED in house.kinds(address))
    link.hang_up()
    link.close()
    assert house.kinds(address) == [Event.OPENED, Event.CLOSED]


def test_a_client_that_disconnects_before_it_was_let_in_is_opened_and_closed(house):
    house.knock().close()
    address, _ = house.admit(0)
    wait_until(lambda: len(house.events[address]) == 2)
    assert house.kinds(address) == [Event.OPENED, Event.CLOSED]


def test_one_can_be_disconnected_and_the_others_stay(house):
    clients = [house.knock() for _ in range(2)]
    links = dict(house.admit(n) for n in range(2))
    by_address = {f"tcp://127.0.0.1:{client.getsockname()[1]}": client for client in clients}
    (first, second) = links
    links[first].write(b"bye")
    links[first].hang_up()
    assert heard(by_address[first], 10) == b"bye"
    links[second].write(b"still here")
    assert heard(by_address[second], 10) == b"still here"
    for client in clients:
        client.close()


def test_a_slow_reader_loses_bytes_and_holds_nobody_up(house):
    client = house.knock()
    _, link = house.admit(0)
    for _ in range(400):
        link.write(b"x" * 100_000)
    assert link.info().dropped > 0
    client.close()


def test_beyond_the_limit_clients_are_turned_away():
    house = House(most=1)
    first = house.knock()
    house.admit(0)
    with house.knock() as second:
        assert second.recv(1) == b""
    assert house.door.turned_away == 1
    first.close()
    wait_until(lambda: not house.door._guests)
    third = house.knock()
    wait_until(lambda: len(house.guests) == 2)
    third.close()
    house.door.close()


def test_closing_the_door_ends_every_conversation(house):
    with house.knock() as client:
        address, _ = house.admit(0)
        house.door.close()
        assert client.recv(1) == b""
    assert house.kinds(address)[-1] is Event.CLOSED


def test_only_tcp_has_doors():
    with pytest.raises(LinkError, match="does not support several clients"):
        Door("pty:gps", "house")
