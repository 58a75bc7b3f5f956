"""Who may come in: a plain ASGI layer before every page, file and websocket of the studio.

The studio runs users' code, so a foreign web page must not reach it through the user's own browser: the Host header
must be one of ours (or a name could be pointed at this machine), and whatever is no plain reading of a page must come
from a page of ours. Beyond this machine nobody enters without the token.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "understudy_token"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
READING = ("GET", "HEAD", "OPTIONS")


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(24)


class Doorman:
    """Lets requests through to *app*, or refuses them."""

    def __init__(self, app: App, hosts: Iterable[str], port: int, token: str = "") -> None:
        self._app, self._token = app, token
        self._hosts = {f"{host}:{port}" for host in hosts} | ({*hosts} if port in (80, 443) else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
        elif self._token and not self._has_cookie(headers):
            await self._app(scope, receive, self._with_cookie(send))
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return status and reason if the request may not pass."""
        host = headers.get("host", "")
        if host not in self._hosts and host != _reached_at(scope):
            return 421, f"this studio is not called {host or 'that'}"
        writes = scope["type"] == "websocket" or scope["method"] not in READING
        origin = headers.get("origin")
        if writes and (origin is None or origin.partition("://")[2] != host):
            return 403, "only pages of this studio may do that"
        if self._token and not self._has_cookie(headers) and not self._is_token(_query_token(scope)):
            return 401, "this studio wants its token: open the address that it printed when it was started"
        return None

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and self._is_token(cookie.value)

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token.encode())

    def _with_cookie(self, send: Send) -> Send:
        """Return a *send* that gives the browser the token for its next requests, out of reach of scripts."""

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
                message["headers"] = [*message.get("headers", ()), (b"set-cookie", cookie.encode("ascii"))]
            await send(message)

        return sending


def _reached_at(scope: Scope) -> str:
    """Return the address and port of this machine that a request has come in by, as a Host header has it.

    Whoever calls us by a number means this machine, and no foreign name can be made to look like one.
    """
    address, port = scope.get("server") or ("", 0)
    number = str(address).removeprefix("::ffff:")  # of an old address on a socket of the new kind
    return f"[{number}]:{port}" if ":" in number else f"{number}:{port}"


def _query_token(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # the connect message
        await send({"type": "websocket.close", "code": 1008, "reason": reason[:100]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
