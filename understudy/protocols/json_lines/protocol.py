"""The conversation: requests are carried out and answered in the order in which they came.

While a request lets time pass (wait, step), and between a reset and the new run, later requests wait in a queue. It
goes on as soon as the answer is sent: requests that only look at once, those that act before the next tick.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from understudy.errors import UnderstudyError
from understudy.frozen import frozen
from understudy.protocols.base import For, Refused, Tree, WireProtocol
from understudy.protocols.json_lines.lines import LONGEST_LINE, LineBuffer, id_of, is_http, parsed
from understudy.protocols.json_lines.requests import REQUESTS, BadRequest, Request, arguments
from understudy.protocols.scene_view import SceneView
from understudy.robots.base import Drive
from understudy.robots.servos import JointSpeed
from understudy.world.changes import Done, Reset

MOST_ANSWERS = 1_000  # in one exchange; further requests wait
MOST_BYTES = 4_000_000  # of answers in one exchange
MOST_WAITING = 1_000  # requests
MOST_MOVING = 10_000  # robots and joints that a client may leave moving
OK = {"ok": True}


@frozen
class JsonLinesSheet:
    """The protocol has no settings."""

    kind: ClassVar[str] = "json_lines"
    units: ClassVar[tuple[str, ...]] = ()
    scope: ClassVar[str] = "scene"


class JsonTalk(WireProtocol):
    """A line of JSON each way, about all robots."""

    Sheet: ClassVar[type] = JsonLinesSheet
    units: ClassVar[tuple[str, ...]] = ()
    scope: ClassVar[Literal["robot", "scene"]] = "scene"

    def __init__(self, sheet: JsonLinesSheet, robot: str) -> None:
        self._counts = {"requests": 0, "errors": 0, "sent": 0}
        self._now_us = 0
        self._forget()

    def _forget(self) -> None:
        self._buffer = LineBuffer()
        self._queue: list[str] = []  # lines that wait, a character for each byte
        self._out: list[Tree] = []  # answers, and requests that need a look: "do" with "given"
        self._wait: Tree | None = None  # the request that lets time pass, "until_us"
        self._blocked: Literal["", "time", "reset"] = ""
        self._moving: dict[tuple[str, str], None] = {}  # what the client has set in motion: unit, and joint or nothing
        self._asked: Tree | None = None  # the request that is being carried out
        self._hang_up = self._deaf = False

    # ---- the client

    def opened(self) -> Sequence[Any]:
        """Begin a conversation."""
        self._forget()
        return ()

    def closed(self) -> Sequence[Any]:
        """Stop what the client has set in motion."""
        stops = [For(unit, JointSpeed(joint, 0.0) if joint else Drive()) for unit, joint in self._moving]
        self._forget()
        return stops

    def greet(self) -> Iterator[Any]:
        """Go on in a new run: time starts again, so a wait ends."""
        self._now_us = 0
        if self._wait is not None:
            self._refuse("the run was reset", self._wait)
        self._wait, self._blocked = None, ""
        yield from self._go_on()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Carry out the requests that *data* completes, unless one lets time pass."""
        for line in self._buffer.take(data):
            self._receive(line)
            yield from self._go_on()

    def _receive(self, line: bytes | None) -> None:
        if line is not None and is_http(line):
            self._hang_up = self._deaf = True
        if self._deaf or (line is not None and not line.strip()):
            return
        self._counts["requests"] += 1
        if line is None:
            self._refuse(f"the line is longer than {LONGEST_LINE} bytes", {})
        elif len(self._queue) >= MOST_WAITING:
            self._refuse("too many requests wait for their turn", {})
        else:
            self._queue.append(line.decode("latin-1"))

    def due(self, now_us: int) -> Iterator[Any]:
        """Carry out requests that have waited."""
        yield from self._go_on()

    def _go_on(self) -> Iterator[Any]:
        while self._queue and not self._blocked and len(self._out) < MOST_ANSWERS:
            yield from self._carry_out(self._understood(self._queue.pop(0)))

    def _understood(self, line: str) -> Tree | None:
        """Return a request as plain values; None: it was refused."""
        asked: Tree = {}
        try:
            given = parsed(line.encode("latin-1"))
            if "id" in given:
                asked["id"] = id_of(given)
            request, values = arguments(given)
        except BadRequest as problem:
            self._refuse(str(problem), asked)
            return None
        return {**asked, "do": request.name, "given": values}

    def _carry_out(self, asked: Tree | None) -> Iterator[Any]:
        if asked is None:
            return
        request = REQUESTS[asked["do"]]
        try:
            if request.until:
                request.until(asked["given"], 0, 0)  # refuses values that do not go together
            value = request.act(asked["given"]) if request.act else None
        except BadRequest as problem:
            self._refuse(str(problem), asked)
            return
        if value is None:
            self._put(asked, request)
        else:
            self._asked = asked
            yield value  # `answered` or `done` follows
            self._asked = None

    def _put(self, asked: Tree, request: Request) -> None:
        """Note a request whose answer needs a look at the scene; one that lets time pass blocks the later ones."""
        asked["from_us"] = self._now_us
        self._out.append(asked)
        if request.until:
            self._blocked = "time"

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        """Take the outcome of an order."""
        if isinstance(reply, Refused):
            self._finish(reply.reason)
        else:
            self._note_motion(command)
            self._finish("")
        return ()

    def _note_motion(self, order: For) -> None:
        what = order.unit, getattr(order.command, "joint", "")
        self._moving.pop(what, None)
        if (isinstance(order.command, Drive) and order.command != Drive()) or isinstance(order.command, JointSpeed):
            self._moving[what] = None
        if len(self._moving) > MOST_MOVING:  # names of joints that do not exist
            del self._moving[next(iter(self._moving))]

    def done(self, outcome: Done) -> None:
        """Take the outcome of a change."""
        if outcome.ok and isinstance(outcome.change, Reset) and not outcome.change.name:
            self._blocked = "reset"
        self._finish("" if outcome.ok else outcome.reason)

    def _finish(self, problem: str) -> None:
        """Answer the request that was carried out."""
        asked = self._asked
        if asked is None:  # the client has disconnected
            return
        request = REQUESTS[asked["do"]]
        if problem:
            self._refuse(problem, asked)
        elif request.look:
            self._put(asked, request)
        else:
            self._out.append({"reply": _with_id(OK, asked)})

    def _refuse(self, reason: str, asked: Tree) -> None:
        self._out.append({"reply": self._error(reason, asked)})

    def _error(self, reason: str, asked: Tree) -> Tree:
        self._counts["errors"] += 1
        return {"error": reason, "id": asked.get("id")}

    # ---- time and answers

    def lets_pass(self, now_us: int) -> bool:
        """Return whether a request lets time pass, or another waits for the next tick."""
        return bool(self._wait or self._queue or self._out)

    def tick(self, unit: SceneView, now_us: int) -> bytes:
        """Return the answers that are ready."""
        self._now_us = now_us
        lines: list[bytes] = []
        self._answer_all(unit, lines)
        if self._wait is not None and now_us >= self._wait["until_us"]:
            asked, self._wait, self._blocked = self._wait, None, ""
            self._out.append({"reply": self._looked(unit, asked)})
        while self._out or self._looks_next():
            if not self._out:
                for _ in self._carry_out(self._understood(self._queue.pop(0))):
                    pass  # it only looks
            self._answer_all(unit, lines)
        if unit.paused and self._queue and self._blocked != "time":
            self._refuse_queue()
            self._answer_all(unit, lines)
        self._counts["sent"] += len(lines)
        return b"".join(lines)

    def _looks_next(self) -> bool:
        """Return whether the next request that waits only looks."""
        if self._blocked or not self._queue:
            return False
        try:
            return arguments(parsed(self._queue[0].encode("latin-1")))[0].act is None
        except BadRequest:
            return True

    def _refuse_queue(self) -> None:
        """Refuse what would wait for a tick that does not come."""
        queue, self._queue = self._queue, []
        for line in queue:
            asked = self._understood(line)
            if asked is not None:
                self._refuse("time is paused: send this request after the answer to the one before it", asked)

    def _answer_all(self, view: SceneView, lines: list[bytes]) -> None:
        out, self._out = self._out, []
        room = MOST_BYTES - sum(map(len, lines))
        for entry in out:
            reply = entry["reply"] if "reply" in entry else self._reply(view, entry)
            if reply is None:
                continue
            if room <= 0 and "error" not in reply:
                reply = self._error("too many answers at once: wait for them", reply)
            lines.append(json.dumps(reply, allow_nan=False).encode("ascii") + b"\n")
            room -= len(lines[-1])

    def _reply(self, view: SceneView, asked: Tree) -> Tree | None:
        """Return the answer to a request; None: time passes first."""
        request = REQUESTS[asked["do"]]
        if request.until:
            if view.paused and request.act is None:
                self._blocked = ""
                return self._error("time is paused: use step, or resume first", asked)
            self._wait = {**asked, "until_us": request.until(asked["given"], asked["from_us"], view.tick_us)}
            if self._wait["until_us"] > view.t_us:
                return None
            self._wait, self._blocked = None, ""
        return self._looked(view, asked)

    def _looked(self, view: SceneView, asked: Tree) -> Tree:
        look = REQUESTS[asked["do"]].look
        assert look is not None
        try:
            reply = look(view, asked["given"])
        except UnderstudyError as problem:
            return self._error(str(problem), asked)
        return _with_id(reply, asked)

    def hung_up(self) -> bool:
        """Return whether a browser was at the other end (true once)."""
        hang_up, self._hang_up = self._hang_up, False
        return hang_up

    # ---- saving

    def counters(self) -> Mapping[str, int]:
        """Return requests received, refused, and answers sent."""
        return dict(self._counts)

    def state(self) -> Tree:
        """Return the conversation."""
        return {
            "rest": self._buffer.rest.hex(), "too_long": self._buffer.too_long, "queue": list(self._queue),
            "out": [dict(entry) for entry in self._out], "wait": self._wait or {}, "blocked": self._blocked,
            "moving": [list(each) for each in self._moving], "hang_up": self._hang_up, "deaf": self._deaf,
            "now_us": self._now_us, "counters": dict(self._counts),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Go on from a saved conversation."""
        self._forget()
        self._buffer.rest, self._buffer.too_long = bytearray.fromhex(state["rest"]), state["too_long"]
        self._queue, self._out = list(state["queue"]), [dict(entry) for entry in state["out"]]
        self._wait, self._blocked = dict(state["wait"]) or None, state["blocked"]
        self._moving = dict.fromkeys((unit, joint) for unit, joint in state["moving"])
        self._hang_up, self._deaf, self._now_us = state["hang_up"], state["deaf"], state["now_us"]
        self._counts = dict(state["counters"])


def _with_id(reply: Tree, asked: Tree) -> Tree:
    """Return a reply with the id of its request, if that has one."""
    return {**reply, "id": asked["id"]} if "id" in asked else reply
