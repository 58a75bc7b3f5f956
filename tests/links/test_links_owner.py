from __future__ import annotations

import os
import socket

import psutil
import pytest

from understudy.links.owner import Owner, owner_of


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the system's table of connections, as macOS does from everybody but root."""

    def refuse(kind: str) -> None:
        raise psutil.AccessDenied()

    monkeypatch.setattr(psutil, "net_connections", refuse)


def test_the_owner_of_a_port_is_the_process_that_listens_on_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        owner = owner_of(holder.getsockname()[1])
    assert owner.pid == os.getpid()
    assert owner.is_self


def test_an_owner_reads_as_name_and_pid() -> None:
    assert str(Owner(1234, "python")) == "python (pid 1234)"


def test_an_owner_without_a_name_still_has_a_pid() -> None:
    assert str(Owner(1234)) == "another program (pid 1234)"


def test_an_owner_that_the_system_hides_is_another_program() -> None:
    assert str(Owner()) == "another program"


def test_a_port_that_nobody_has_has_no_owner() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
    assert owner_of(port) == Owner()


@pytest.mark.usefixtures("nothing_known")
def test_the_owner_is_found_process_by_process_where_the_table_is_hidden() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        assert owner_of(holder.getsockname()[1]).is_self


@pytest.mark.usefixtures("nothing_known")
def test_where_no_process_may_be_asked_the_owner_is_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "process_iter", lambda: iter(()))
    with socket.create_server(("127.0.0.1", 0)) as holder:
        assert str(owner_of(holder.getsockname()[1])) == "another program"
