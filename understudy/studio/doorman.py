"""Access control: a plain ASGI layer before every page, file and websocket of the studio.

The studio runs users' code, so a foreign web page must not reach it through the user's own browser. The Host header
must be one of ours (against DNS rebinding). Requests other than plain reads must come from a page of ours (same
origin). A foreign page may link to the studio, but neither fetch from it nor show it in a frame. Requests from other
machines need the token.
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
OURS = (
    "",
    "same-origin",
    "none",
)  # Sec-Fetch-Site of old browsers and programs; of our pages; of addresses typed by the user
GUARDS = {  # headers of every response
    b"content-security-policy": b"frame-ancestors 'none'",
    b"x-frame-options": b"DENY",  # the same for old browsers
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"x-content-type-options": b"nosniff",  # a file of a scene must not be interpreted as a page
    b"referrer-policy": b"same-origin",  # the URL may contain the token
}


def new_token() -> str:
    """Return an unguessable token."""
    return secrets.token_urlsafe(24)


def cookie_name(port: int) -> str:
    """Return the name of a studio's cookie; browsers share cookies between all ports of a host."""
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
        """Return status and reason if the request is refused."""
        host = headers.get("host", "")
        if host not in self._hosts and host != _reached_at(scope):
            return 421, f"unknown host name {host or '(none)'}; allow it with --name"
        if not _from_here(scope, headers, host):
            return 403, "cross-origin request refused: only pages of this studio may do that"
        if self._token and not self._has_cookie(headers) and not self._is_token(_query_token(scope)):
            return 401, "token missing or wrong: open the address that the studio printed at its start"
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
    """Return whether a request comes from a page of ours, from the user, or follows a link to our page."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return False
    if scope["type"] == "websocket" or scope["method"] not in READING:
        return origin is not None
    return headers.get("sec-fetch-site", "") in OURS or _is_link(scope, headers)


def _is_link(scope: Scope, headers: dict[str, str]) -> bool:
    """Return whether the request is a top-level navigation by a link to our page."""
    top = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")
    return top and scope["path"] == "/" and "sec-purpose" not in headers  # not a prefetch


def _with_headers(send: Send, more: dict[bytes, bytes]) -> Send:
    """Return a *send* that adds headers to the response."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *more.items()]
        await send(message)

    return sending


def _reached_at(scope: Scope) -> str:
    """Return the local address and port of a request's connection, in the form of a Host header.

    A numeric address is safe to accept: it cannot be rebound to this machine by DNS.
    """
    address, port = scope.get("server") or ("", 0)
    number = str(address).removeprefix("::ffff:")  # an IPv4 address on an IPv6 socket
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
    """Send a complete response of one line."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
