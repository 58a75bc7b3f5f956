"""The web server: pages, our own scripts and the stream, in one daemon thread; the simulation keeps its own."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from understudy.errors import LinkError
from understudy.frozen import frozen
from understudy.links.listen import own_address
from understudy.studio.doorman import LOOPBACK, Doorman, new_token

WEB = Path(__file__).parent / "web"
PORT, TRIES = 8080, 20
START_S = 15.0  # timeout for the server's start
RECONNECT_S = 120.0  # timeout after which a page that does not respond is reloaded: a busy machine needs it
EVERYWHERE = ("0.0.0.0", "::", "")


@frozen
class Address:
    """The address of a studio; one that other machines can reach is protected by a *token*."""

    host: str
    port: int
    token: str = ""

    @property
    def url(self) -> str:
        """Return the URL for browsers on this machine."""
        return self._called("127.0.0.1" if self.host in EVERYWHERE else self.host)

    @property
    def away(self) -> str:
        """Return the URL for browsers on other machines if it differs, else empty."""
        return self._called(own_address()) if self.host in EVERYWHERE else ""

    def _called(self, host: str) -> str:
        return f"http://{_bracketed(host)}:{self.port}/{f'?token={self.token}' if self.token else ''}"


def _bracketed(host: str) -> str:
    """Return a host as written in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def reserve(host: str, port: int | None) -> tuple[socket.socket, Address]:
    """Return an open socket and its address; without a port, the first free one from 8080 up. Raises LinkError."""
    ports = range(PORT, PORT + TRIES) if port is None else (port,)
    for number in ports:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            if os.name == "posix":  # on Windows two processes could share a port then
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, number))
            listener.listen()
        except OSError as problem:
            listener.close()
            if number == ports[-1]:
                raise LinkError(
                    f"the studio cannot listen on {host}:{number}: {problem.strerror}; try --port"
                ) from problem
            continue
        token = "" if _bracketed(host) in LOOPBACK else new_token()
        return listener, Address(host, listener.getsockname()[1], token)
    raise AssertionError("there is always a port to try")


def host_names(address: Address, more: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the host names that this studio accepts; it also accepts every numeric address of this machine."""
    own = socket.gethostname() if address.host in EVERYWHERE else _bracketed(address.host)
    return (*LOOPBACK, own, *more)


class Server:
    """Uvicorn in a thread."""

    def __init__(self, app: Any, listener: socket.socket, address: Address, names: Iterable[str] = ()) -> None:
        import uvicorn

        self.address = address
        guarded = Doorman(app, host_names(address, names), address.port, address.token)
        config = uvicorn.Config(
            guarded, log_level="warning", access_log=False, ws_per_message_deflate=False, lifespan="on",
            timeout_graceful_shutdown=1, ws="websockets-sansio", ws_ping_timeout=RECONNECT_S,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._listener = listener
        self._thread = threading.Thread(target=self._run, name="studio", daemon=True)

    def _run(self) -> None:
        self._server.run(sockets=[self._listener])

    def start(self) -> None:
        """Start serving; raises LinkError if the server does not start."""
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        self._thread.start()
        end_s = time.monotonic() + START_S
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > end_s:
                raise LinkError("the studio's web server did not start")
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop serving and close the socket."""
        self._server.should_exit = True
        self._thread.join(5.0)
        self._listener.close()
