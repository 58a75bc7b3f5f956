"""The server side of the stream: sends the latest frame to every browser that has credit for it.

A browser acknowledges each frame after drawing it and has at most two unacknowledged ones. A slow, hidden or dead
browser gets fewer frames or none; neither the simulation nor another browser waits for it. The simulation's thread
calls `describe`, `publish` and `say`; everything else happens in the web server's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from understudy.studio.frame_memory import FrameMemory, PastFrame
from understudy.studio.lookout import BeamRequest

CREDITS = 2
MOST_TEXTS = 2000  # queued messages for a browser; with more it is disconnected
ACK_BYTES = 4
MOST_WORDS = 1_000_000  # characters of one message from a browser
GOODBYE_S = 1.0  # timeout for closing the connection to a browser

Message = dict[str, Any]
Listen = Callable[["Viewer", Message], None]


class Viewer:
    """One browser that is connected to the stream."""

    _numbers = itertools.count(1)

    def __init__(self, socket: WebSocket) -> None:
        self.number = next(Viewer._numbers)
        self.name = f"user {self.number}"
        self.selected = ""  # robot
        self.beams = "selected"  # of which robots: none, selected, all
        self.credits = CREDITS
        self.sent = 0  # frames
        self._socket = socket
        self._texts: deque[str] = deque()
        self._frame: bytes = b""
        self._again: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self.overrun = asyncio.Event()

    def offer(self, frame: bytes) -> None:
        """Keep the latest frame until there is credit for it; not while this browser sees earlier ones again."""
        if self._again is None:
            self._show(frame)

    def _show(self, frame: bytes) -> None:
        self._frame = frame
        self._ready.set()

    def see_again(self, frames: Sequence[PastFrame]) -> None:
        """Show frames again, as fast as they were shown; none: back to the present."""
        if self._again is not None:
            self._again.cancel()
        elif not frames:
            return
        self._again = asyncio.get_running_loop().create_task(self._play(frames)) if frames else None
        self.say(json.dumps({"kind": "again", "on": bool(frames)}))

    async def _play(self, frames: Sequence[PastFrame]) -> None:
        for seen in frames:
            await asyncio.sleep(seen.gap_s)
            self._show(seen.frame)
        self._again = None
        self.say(json.dumps({"kind": "again", "on": False}))

    def say(self, text: str) -> None:
        """Queue a message; all messages arrive, in order."""
        if len(self._texts) >= MOST_TEXTS:
            self.overrun.set()
            return
        self._texts.append(text)
        self._ready.set()

    @property
    def is_behind(self) -> bool:
        """Return whether earlier messages still wait: one that a later message replaces need not be sent."""
        return bool(self._texts)

    def acknowledge(self) -> None:
        """Note that the browser has drawn a frame."""
        self.credits = min(self.credits + 1, CREDITS)
        self._ready.set()

    async def send(self) -> None:
        """Send messages and frames until cancelled."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            while self._texts:
                await self._socket.send_text(self._texts.popleft())
            if self._frame and self.credits > 0:
                frame, self._frame = self._frame, b""
                self.credits -= 1
                self.sent += 1
                await self._socket.send_bytes(frame)


class Stream:
    """All browsers of one studio."""

    def __init__(self) -> None:
        self._viewers: list[Viewer] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._scene = ""
        self.memory = FrameMemory()
        self._lock = threading.Lock()
        self.on_message: Listen = lambda viewer, message: None
        self.on_leave: Callable[[Viewer], None] = lambda viewer: None

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Return all connected browsers."""
        return tuple(self._viewers)

    def watched(self) -> bool:
        """Return whether a browser has credit for a frame."""
        return any(viewer.credits > 0 for viewer in self.viewers)

    def request(self) -> BeamRequest:
        """Return the robots whose beams at least one browser shows."""
        viewers = self.viewers
        chosen = frozenset(viewer.selected for viewer in viewers if viewer.beams == "selected" and viewer.selected)
        return BeamRequest(any(viewer.beams == "all" for viewer in viewers), chosen)

    # ---- called by the simulation's thread

    def describe(self, scene: Message) -> None:
        """Send the scene description to all browsers, and to those that connect later."""
        text = json.dumps(scene, separators=(",", ":"))
        with self._lock:
            self._scene = text
        self.memory.clear()
        self._soon(self._end_again, None)
        self._soon(self._send_all, text)

    def forget(self) -> None:
        """Forget the scene, because another simulation is shown next; every page loads anew."""
        with self._lock:
            self._scene = ""
        self.memory.clear()
        self.say({"kind": "reload"})

    def publish(self, frame: bytes) -> None:
        """Offer a frame to all browsers; it replaces older ones that wait."""
        self.memory.add(frame)
        self._soon(self._offer, frame)

    def say(self, message: Message, to: Viewer | None = None) -> None:
        """Send a message to one browser, or to all."""
        text = json.dumps(message, separators=(",", ":"))
        if to is None:
            self._soon(self._send_all, text)
        else:
            self._soon(lambda _: to.say(text), "")

    def _soon(self, call: Callable[[Any], None], value: Any) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop was closed in the meantime
                loop.call_soon_threadsafe(call, value)

    # ---- in the web server's thread

    def _end_again(self, _: Any) -> None:
        for viewer in self._viewers:
            viewer.see_again(())

    def _send_all(self, text: str) -> None:
        for viewer in self._viewers:
            viewer.say(text)

    def _offer(self, frame: bytes) -> None:
        for viewer in self._viewers:
            viewer.offer(frame)

    async def serve(self, socket: WebSocket) -> None:
        """Serve one browser until it disconnects."""
        self._loop = asyncio.get_running_loop()
        await socket.accept()
        viewer = Viewer(socket)
        viewer.say(json.dumps({"kind": "you", "name": viewer.name, "number": viewer.number}))
        with self._lock:
            if self._scene:
                viewer.say(self._scene)
            self._viewers.append(viewer)
        works = (viewer.send(), self._listen(socket, viewer), viewer.overrun.wait())
        tasks = [asyncio.ensure_future(work) for work in works]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._viewers.remove(viewer)
            viewer.see_again(())
            self.on_leave(viewer)
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                    await task
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
                await asyncio.wait_for(socket.close(), GOODBYE_S)

    async def _listen(self, socket: WebSocket, viewer: Viewer) -> None:
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            if received.get("bytes") is not None:
                if len(received["bytes"]) == ACK_BYTES:
                    viewer.acknowledge()
            elif (message := _parsed(received.get("text") or "")) is not None:
                self.on_message(viewer, message)


def _parsed(text: str) -> Message | None:
    """Return a browser's message, None if it is invalid."""
    if len(text) > MOST_WORDS:
        return None
    try:
        message = json.loads(text)
        json.dumps(message, ensure_ascii=False).encode()  # refuse lone surrogates, which cannot be displayed
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
