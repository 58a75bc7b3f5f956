"""Listening TCP sockets, and clear messages when a port cannot be opened."""

from __future__ import annotations

import errno
import socket
import sys

from understudy.errors import LinkError
from understudy.links.owner import owner_of
from understudy.links.url import LOOPBACK, LinkUrl, tcp_address

FURTHER = 100  # ports that "+" tries after the first
EVERYWHERE = ("0.0.0.0", "")
_REMOTE = ("192.0.2.1", 9)  # an address reserved for documentation
BACKLOG = 512  # a full queue delays a client by a whole second


def reached_at(host: str) -> str:
    """Return an address for clients of a port that listens on *host*; one of them if it listens on all.

    >>> reached_at("127.0.0.2"), reached_at("::")
    ('127.0.0.2', '::1')
    """
    return own_address() if host in EVERYWHERE else "::1" if host == "::" else host


def own_address() -> str:
    """Return the address of this machine in its network; the loopback address if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_REMOTE)  # only selects a route; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


def listen(url: LinkUrl) -> socket.socket:
    """Return a listening socket for *url*: its port, or with "+" the next free one."""
    family, host = _resolve(url)
    last = min(url.port + FURTHER, 65535) if url.next_free and url.port else url.port
    for port in range(url.port, last + 1):
        try:
            return _bind(family, host, port)
        except OSError as problem:
            if not _is_taken(problem):
                raise LinkError(_refusal(url, port, problem)) from problem
    raise LinkError(_in_use(url, last))


def _resolve(url: LinkUrl) -> tuple[socket.AddressFamily, str]:
    """Return family and numeric address; IPv4 first, which clients try for names like localhost."""
    try:
        found = socket.getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise LinkError(f"{url}: cannot resolve the host {url.host!r}; {LOOPBACK} always works") from problem
    family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return family, str(address[0])


def _bind(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        _claim_alone(listener)
        listener.bind((host, port))
        # Two sockets may bind the same port as long as neither listens; only this line claims it.
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _claim_alone(listener: socket.socket) -> None:
    """Share the port with past connections, never with another program; the option differs between systems."""
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _is_taken(problem: OSError) -> bool:
    # Windows also reports EACCES for a port that another program holds exclusively
    return problem.errno == errno.EADDRINUSE or (sys.platform == "win32" and problem.errno == errno.EACCES)


def _in_use(url: LinkUrl, last: int) -> str:
    if last > url.port:
        return f"tcp ports {url.port} to {last} are all in use; stop a program, or choose a different first port"
    owner = owner_of(url.port)
    free = f"{tcp_address(url.host, url.port, url.scheme)}+ for the next free one"
    if owner.is_self:
        return f"tcp port {url.port} is in use by another port of this program ({owner}); write {free}"
    return f"tcp port {url.port} is in use by {owner}; stop it, or write {free}"


def _refusal(url: LinkUrl, port: int, problem: OSError) -> str:
    if problem.errno == errno.EACCES:
        return f"tcp port {port} needs administrator rights; choose one from 1024 on"
    if problem.errno == errno.EADDRNOTAVAIL:
        return f"{url}: {url.host} is not an address of this machine; use {LOOPBACK}, or 0.0.0.0 for all networks"
    return f"{url}: cannot listen on port {port}: {problem.strerror}; choose another"
