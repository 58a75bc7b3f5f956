from __future__ import annotations

from contextlib import closing
from typing import cast

import pytest
from contracts.link_contract import Recorder

from understudy.errors import LinkError
from understudy.links import make
from understudy.links.loopback import LIMIT, LoopLink


def make_open() -> LoopLink:
    link = cast(LoopLink, make("loop:", "scout/host"))
    link.open(Recorder())
    return link


def test_a_client_receives_all_so_far_and_then_nothing() -> None:
    with closing(make_open()) as link:
        client = link.client()
        link.write(b"one")
        link.write(b"two")
        assert (client.receive(), client.receive()) == (b"onetwo", b"")


def test_a_client_that_was_hung_up_on_knows_it_and_can_read_the_rest() -> None:
    with closing(make_open()) as link:
        client = link.client()
        link.write(b"bye")
        link.hang_up()
        assert client.closed
        assert client.receive() == b"bye"


def test_a_second_client_is_refused_with_the_way_out() -> None:
    with closing(make_open()) as link:
        link.client()
        with pytest.raises(LinkError, match="loop link scout/host already has a client; close it first"):
            link.client()


def test_a_link_that_is_not_open_has_no_client() -> None:
    link = cast(LoopLink, make("loop:", "scout/host"))
    with pytest.raises(LinkError, match="loop link scout/host is not open"):
        link.client()


def test_what_a_client_never_reads_does_not_pile_up() -> None:
    with closing(make_open()) as link:
        client = link.client()
        for _ in range(2 * LIMIT // 1024):
            link.write(b"x" * 1024)
        assert len(client.receive()) == LIMIT
        assert link.info().dropped == LIMIT


def test_a_closed_client_is_not_heard() -> None:
    with closing(make_open()) as link:
        client = link.client()
        client.close()
        client.send(b"hello")
        assert link.info().received == 0
