"""Where a studio listens."""

import socket
import sys
import urllib.request
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from understudy.errors import LinkError
from understudy.studio.server import Address, Server, host_names, reserve


def taken():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


def test_a_port_in_use_is_an_error_that_says_what_to_do():
    with taken() as other, pytest.raises(LinkError, match=r"cannot listen on 127\.0\.0\.1:\d+: .*; try --port"):
        reserve("127.0.0.1", other.getsockname()[1])


def test_without_a_port_the_next_free_one_is_taken(monkeypatch):
    with taken() as other:
        port = other.getsockname()[1]
        monkeypatch.setattr("understudy.studio.server.PORT", port)
        listener, address = reserve("127.0.0.1", None)
        listener.close()
    assert port < address.port < port + 20


def test_if_every_port_is_taken_the_error_names_the_last(monkeypatch):
    with taken() as other:
        monkeypatch.setattr("understudy.studio.server.PORT", other.getsockname()[1])
        monkeypatch.setattr("understudy.studio.server.TRIES", 1)
        with pytest.raises(LinkError, match="try --port"):
            reserve("127.0.0.1", None)


def test_a_host_that_is_not_ours_is_an_error():
    with pytest.raises(LinkError, match=r"192\.0\.2\.1"):
        reserve("192.0.2.1", 0)


@pytest.mark.parametrize(("host", "guarded"), [("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)])
def test_only_beyond_this_machine_there_is_a_token(host, guarded):
    listener, address = reserve(host, 0)
    listener.close()
    assert bool(address.token) == guarded


@pytest.mark.parametrize(
    ("address", "url"),
    [
        (Address("127.0.0.1", 8080), "http://127.0.0.1:8080/"),
        (Address("0.0.0.0", 8081, "secret"), "http://127.0.0.1:8081/?token=secret"),
        (Address("10.0.0.7", 80, "secret"), "http://10.0.0.7:80/?token=secret"),
        (Address("::1", 8080), "http://[::1]:8080/"),
    ],
)
def test_the_address_can_be_typed_into_a_browser(address, url):
    assert address.url == url


def test_other_machines_get_an_address_of_this_one():
    away = Address("0.0.0.0", 8081, "secret").away
    with socket.create_server((urlsplit(away).hostname, 0)):  # it can be bound, so it is ours
        assert away.endswith(":8081/?token=secret")


def test_a_studio_answers_to_its_host_and_to_names_that_were_given():
    names = host_names(Address("10.0.0.7", 8080), ("robots.example",))
    assert {"127.0.0.1", "localhost", "10.0.0.7", "robots.example"} <= set(names)


def test_a_studio_for_everybody_answers_to_this_machines_name():
    assert socket.gethostname() in host_names(Address("0.0.0.0", 8080))


@pytest.mark.skipif(sys.platform == "darwin", reason="there is no 127.0.0.2")
def test_a_studio_for_everybody_answers_by_every_address_of_this_machine():
    listener, address = reserve("0.0.0.0", 0)
    server = Server(Starlette(routes=[Route("/", lambda request: PlainTextResponse("welcome"))]), listener, address)
    server.start()
    try:
        for host in ("127.0.0.1", "127.0.0.2"):
            url = f"http://{host}:{address.port}/?token={address.token}"
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=60) as answer:
                assert answer.read() == b"welcome"
    finally:
        server.stop()
