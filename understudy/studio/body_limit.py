"""Limits the size of request bodies: a plain ASGI layer that counts received bytes, whatever the headers claim."""

from __future__ import annotations

from collections.abc import Sequence
from re import Pattern

from understudy.studio.doorman import App, Message, Receive, Scope, Send, answer

MOST_BYTES = 1_000_000  # of a request whose path has no limit of its own


class TooLarge(Exception):
    """Aborts reading a body that is over its limit; never leaves this module."""


class BodyLimit:
    """Refuses bodies over a limit; *limits* are (pattern of whole paths, bytes), the first match applies."""

    def __init__(self, app: App, limits: Sequence[tuple[Pattern[str], int]]) -> None:
        self._app, self._limits = app, tuple(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit(scope["path"])
        if _announced(scope) > limit:
            await _too_large(send, limit)
            return
        body = _Body(receive, send, limit)
        try:
            await self._app(scope, body.receive, body.send)
        except Exception:  # frameworks wrap TooLarge in their own exceptions
            if not body.over:
                raise

    def _limit(self, path: str) -> int:
        return next((limit for pattern, limit in self._limits if pattern.fullmatch(path)), MOST_BYTES)


class _Body:
    """Counts one request's body; over the limit it responds in place of the application."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive, self._send, self._limit = receive, send, limit
        self._got, self._begun, self.over = 0, False, False

    async def receive(self) -> Message:
        """Return the next part; raises TooLarge when the limit is exceeded."""
        message = await self._receive()
        self._got += len(message.get("body", b""))
        if self._got > self._limit and not self.over:
            self.over = True
            if not self._begun:
                await _too_large(self._send, self._limit)
        if self.over:
            raise TooLarge
        return message

    async def send(self, message: Message) -> None:
        """Pass a message on, unless the response was sent already."""
        if not self.over:
            self._begun = True
            await self._send(message)


def _announced(scope: Scope) -> int:
    """Return the Content-Length of a request; invalid values are left to the server's parser."""
    lengths = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return max((int(value[:20]) for value in lengths if value.isdigit()), default=0)  # 20 digits are too many anyway


async def _too_large(send: Send, limit: int) -> None:
    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"].append((b"connection", b"close"))  # the rest is not read
        await send(message)

    await answer(closing, 413, f"too large: the limit is {limit} bytes")
