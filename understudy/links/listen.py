"""Listening TCP sockets, and clear words when a port cannot be had."""

from __future__ import annotations

import errno
import socket
import sys

from understudy.errors import LinkError
from understudy.links.owner import owner_of
from understudy.links.url import LOOPBACK, LinkUrl, tcp_address

FURTHER = 100  # ports that "+" tries after the first
EVERYWHERE = ("0.0.0.0", "")
_SOMEBODY = ("192.0.2.1", 9)  # an address that is kept for examples
BACKLOG = 512  # a full queue costs a caller a whole second


def reached_at(host: str) -> str:
    """Return an address by which a program reaches a port that listens on *host*: one of many, if that is all of them.

    >>> reached_at("127.0.0.2"), reached_at("::")
    ('127.0.0.2', '::1')
    """
    return own_address() if host in EVERYWHERE else "::1" if host == "::" else host


def own_address() -> str:
    """Return the address of this machine that others know it by; the loopback address if it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEBODY)  # only chooses a way to there; nothing is sent
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
    """Return family and number of the address; the older family first, which clients try for names like localhost."""
    try:
        found = socket.getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise LinkError(f"{url}: no such address {url.host!r} here; {LOOPBACK} is always there") from problem
    family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return family, str(address[0])


def _bind(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        _claim_alone(listener)
        listener.bind((host, port))
        # Two sockets may bind the same port as long as neither listens; so only this line makes it ours.
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _claim_alone(listener: socket.socket) -> None:
    """Share the port with past connections, never with another program; the systems spell that differently."""
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _is_taken(problem: OSError) -> bool:
    # Windows also says "no permission" for a port that somebody else has for himself
    return problem.errno == errno.EADDRINUSE or (sys.platform == "win32" and problem.errno == errno.EACCES)


def _in_use(url: LinkUrl, last: int) -> str:
    if last > url.port:
        return f"tcp ports {url.port} to {last} are all in use; stop a program, or choose another first port"
    owner = owner_of(url.port)
    free = f"{tcp_address(url.host, url.port)}+ for the next free one"
    if owner.is_self:
        return f"tcp port {url.port} is in use by another port of this same program ({owner}); write {free}"
    return f"tcp port {url.port} is in use by {owner}; stop it, or write {free}"


def _refusal(url: LinkUrl, port: int, problem: OSError) -> str:
    if problem.errno == errno.EACCES:
        return f"tcp port {port} is kept for the system's administrator; choose one from 1024 on"
    if problem.errno == errno.EADDRNOTAVAIL:
        return f"{url}: {url.host} is not an address of this machine; use {LOOPBACK}, or 0.0.0.0 for every network"
    return f"{url}: cannot listen on port {port}: {problem.strerror}; choose another"
