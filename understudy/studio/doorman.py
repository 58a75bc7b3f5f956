"""Who may come in: a plain ASGI layer before every page, file and websocket of the studio.

The studio runs users' code, so a foreign web page must not reach it through the user's own browser. The Host header
must be one of ours (or a name could be pointed at this machine); whatever is not a plain reading of a page must come
from a page of ours; a foreign page may link to the studio, but neither fetch from it nor show it in a frame. Beyond
this machine nobody enters without the token.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
READING = ("GET", "HEAD", "OPTIONS")
OURS = ("", "same-origin", "none")  # Sec-Fetch-Site: old browsers and programs; our pages; typed by the user
GUARDS = {  # headers of every response
    b"content-security-policy": b"frame-ancestors 'none'",
    b"x-frame-options": b"DENY",  # the same for old browsers
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"x-content-type-options": b"nosniff",  # a file of a scene must not become a page of ours
    b"referrer-policy": b"same-origin",  # the address may hold the token
}


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(24)


def cookie_name(port: int) -> str:
    """Return the name of a studio's cookie; browsers keep one jar for all ports of a host."""
    return f"understudy_token_{port}"


class Doorman:
    """Lets requests through to *app*, or refuses them."""

    def __init__(self, app: App, hosts: Iterable[str], port: int, token: str = "") -> None:
        self._app, self._token, self._cookie = app, token, cookie_name(port)
        self._hosts = {f"{host}:{port}" for host in hosts} | ({*hosts} if port in (80, 443) else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, _with_headers(send, GUARDS), *refusal)
        elif self._token and not self._has_cookie(headers):
            cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
            await self._app(scope, receive, _with_headers(send, {**GUARDS, b"set-cookie": cookie.encode("ascii")}))
        else:
            await self._app(scope, receive, _with_headers(send, GUARDS))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return status and reason if the request may not pass."""
        host = headers.get("host", "")
        if host not in self._hosts and host != _reached_at(scope):
            return 421, f"this studio is not called {host or 'that'}"
        if not _from_here(scope, headers, host):
            return 403, "only pages of this studio may do that"
        if self._token and not self._has_cookie(headers) and not self._is_token(_query_token(scope)):
            return 401, "this studio wants its token: open the address that it printed when it was started"
        return None

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return cookie is not None and self._is_token(cookie.value)

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token.encode())


def _from_here(scope: Scope, headers: dict[str, str], host: str) -> bool:
    """Say whether a request comes from a page of ours, from the user, or follows a link to our page."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return False
    if scope["type"] == "websocket" or scope["method"] not in READING:
        return origin is not None
    return headers.get("sec-fetch-site", "") in OURS or _is_link(scope, headers)


def _is_link(scope: Scope, headers: dict[str, str]) -> bool:
    """Say whether somebody follows a link to our page in a tab of its own."""
    top = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")
    return top and scope["path"] == "/" and "sec-purpose" not in headers  # that one looks ahead without being asked


def _with_headers(send: Send, more: dict[bytes, bytes]) -> Send:
    """Return a *send* that adds headers to the response."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *more.items()]
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
    await answer(send, status, reason)


async def answer(send: Send, status: int, reason: str) -> None:
    """Send a whole response of one line."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
