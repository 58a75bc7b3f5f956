"""A program outside of this process, at a blocking socket: the simulation waits until it waits.

The records are those of ``clients/understudy_seat.py``. All programs whose wait is over run at the same time; what they
order is posted in the order of their names when each waits again, so a run repeats to the bit. Orders of a turn that
does not end, because the process has exited, are dropped: how many there are depends on the machine.
"""

from __future__ import annotations

import json
import logging
import math
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from understudy.clients import understudy_seat as wire
from understudy.errors import UnderstudyError
from understudy.sim.guard import HELD_UP_S
from understudy.sim.inbox import Order
from understudy.sim.programs import over
from understudy.sim.robot import Robot
from understudy.world.news import At
from understudy.world.records import from_plain
from understudy.world.robot import PlacedRobot

if TYPE_CHECKING:
    from understudy.sim.robios import RobiosTalk
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
MOST_BYTES = 65_536  # of one record from a program
_LOOK_S = 0.25  # after how long a wait for the program looks at what else there is
_MOST_WORDS = 200  # characters of what a program says about where it is
_SEND_S = 5.0  # how long a program may leave an answer unread
_GO, _MICROSECONDS, _MOTION = struct.Struct("<IBq"), struct.Struct("<q"), struct.Struct("<ddd")


class OutsideProgram:
    """The seat of a program in another process."""

    def __init__(
        self,
        sim: Sim,
        robot: PlacedRobot,
        sock: socket.socket,
        source: str,
        greeting: bytes = b"",
        realtime: bool = False,
    ) -> None:
        self.name, self._sim, self._sock, self.realtime = robot.name, sim, sock, realtime
        self._robot = Robot(sim, robot, source)
        self._records = wire.Records(sock, MOST_BYTES)
        self._answers = {wire.HELLO: self._welcome, wire.READ: self._reading, wire.POSE: self._place}
        self._robios: RobiosTalk | None = None  # of a program that speaks this dialect
        self._orders: list[Callable[[], object] | tuple[float, float, float]] = []  # a motion, or how to give the order
        self._questions: list[Order | None] = []  # that the program has asked in its last turn; None: refused
        self._due_us = 0
        self._wanted = 0  # signals that end its wait early
        self._signals: tuple[int, ...] = ()  # what they were when it began
        self._busy, self.over = True, False  # it begins as soon as it is there
        self._free = False  # whether time no longer waits for it
        self._greeting = greeting  # one that is to be answered
        self._tells_where, self._asked = False, False  # whether it answers WHERE, and was asked since its last turn
        self._at: At | None = None
        self._early: deque[tuple[int, bytes]] = deque()  # records that came before their turn
        _limit_waits(sock)

    # ---- turns

    def wake(self) -> None:
        """Let the program go on, if its wait is over."""
        if self._greeting:
            self._answer(wire.HELLO, self._greeting)
            self._greeting = b""
        now_us = self._sim.t_us
        if self.over or self._busy or (now_us < self._due_us and not self._signalled()):
            return
        self._busy, self._asked, self._at = True, False, None
        go = self._robios.go(now_us) if self._robios else _GO.pack(8, wire.GO, now_us)
        self._send(self._replies() + go if self._questions else go)

    def turn(self) -> None:
        """Answer the program until it waits again; one that time does not wait for, as far as it has got by now.

        Time waits for every program until it has connected, so that all begin at the same time.
        """
        since_s, limit_s = time.perf_counter(), HELD_UP_S
        while self._busy and not self.over and not self._free:
            if not self._took():
                limit_s = self._look(time.perf_counter() - since_s, limit_s)
        while self._free and not self.over and self._took():
            self._post()

    def idle_until_us(self) -> float:
        """Return the time at which its wait is over (us); signals that the run itself gives end a leap."""
        if self.over:
            return math.inf
        return 0.0 if self._busy or self._free or self._greeting or self._signalled() else self._due_us

    def _signalled(self) -> bool:
        """Say whether something that the program waits for has changed."""
        return bool(self._signals) and self._robios is not None and self._robios.signals(self._wanted) != self._signals

    def _took(self) -> bool:
        """Take the next record; returns whether there was one in time."""
        try:
            self._take(*(self._early.popleft() if self._early else self._records.next()))
        except BlockingIOError:
            return False
        except (EOFError, OSError):
            self._gone()
        except (ValueError, TypeError, AttributeError, RecursionError, struct.error) as problem:
            self._leave(f"{self._title()} sent an invalid seat record: {problem}")
        return True

    def _look(self, waited_s: float, limit_s: float) -> float:
        """See to what else there is while the program does not answer; returns after how long to report that."""
        if self._sim.exit_code is not None:  # the run is to end
            self.end()
        elif waited_s > limit_s:
            log.warning("the simulation has waited for %s for %g s", self._title(), limit_s)
            return math.inf
        return limit_s

    def _take(self, kind: int, content: bytes) -> None:
        """Do what one record asks for."""
        if kind == wire.WAIT:
            self._due_us = self._sim.t_us + max(_MICROSECONDS.unpack_from(content)[0], 1)
            self._wanted = struct.unpack("<I", content[8:])[0] if len(content) > _MICROSECONDS.size else 0
            self._signals = self._robios.signals(self._wanted) if self._robios and self._wanted else ()
            self._busy = False
            self._post()
        elif kind == wire.DRIVE:
            self._orders.append(_MOTION.unpack(content))
        elif kind == wire.ORDER:
            self._orders.append(partial(self._order, json.loads(content)))
        elif kind == wire.ASK:
            self._orders.append(partial(self._ask, json.loads(content)))
        elif kind == wire.CALL and self._robios:
            self._orders.append(self._robios.order(content))
        elif kind == wire.BYE:
            self._post()
            self._bye()
        elif kind != wire.AT:  # an answer that came too late
            self._answer(kind, content)

    def _answer(self, kind: int, content: bytes) -> None:
        if kind not in self._answers:
            raise ValueError(f"kind {kind} is not known")
        try:
            self._send(self._answers[kind](content))
        except UnderstudyError as problem:
            self._send(wire.record(wire.ERROR, str(problem).encode()))

    # ---- where it is

    def position(self) -> At | None:
        """Return where the program waits, if it tells: it is asked once a turn, and only if somebody looks.

        Nothing else is done here, so that looking does not change the run: whatever is wrong shows in its turn.
        """
        if self._tells_where and not (self.over or self._busy or self._asked):
            self._asked = True
            with suppress(OSError, EOFError, ValueError, TypeError, RecursionError):
                self._sock.sendall(wire.record(wire.WHERE))
                kind, content = self._records.next()
                if kind == wire.AT:
                    self._at = _at(json.loads(content), self._sim.t_us)
                else:
                    self._early.append((kind, content))
        return self._at

    # ---- answers and orders

    def _welcome(self, content: bytes) -> bytes:
        hello = json.loads(content)
        if hello.get("version") != wire.VERSION:
            raise ValueError(f"its version is {hello.get('version')!r}, want {wire.VERSION}")
        if self.realtime:
            self._free, self._records.flags = True, socket.MSG_DONTWAIT
        if hello.get("dialect") == "robios":
            return self._welcome_robios()
        devices = {name: self._robot.sheet(name).kind for name in self._robot.devices}
        self._tells_where = hello.get("positions") is True
        tick_us, t_us = self._sim.start.tick_us, self._sim.t_us
        words = {"robot": self.name, "tick_us": tick_us, "t_us": t_us, "devices": devices}
        return wire.record(wire.WELCOME, json.dumps(words).encode())

    def _welcome_robios(self) -> bytes:
        """Return what a RoBIOS program has to know, and its first frame."""
        from understudy.sim.robios import MOST_BYTES as MOST_ROBIOS
        from understudy.sim.robios import RobiosTalk

        self._robios = RobiosTalk(self._sim, self._robot, self.realtime)
        self._answers[wire.QUERY] = self._robios.result
        self._records.most = MOST_ROBIOS
        return self._robios.welcome() + self._robios.go(self._sim.t_us)

    def _reading(self, content: bytes) -> bytes:
        device = content.decode()
        values = self._robot.read(device)
        return wire.record(
            wire.READING, _MICROSECONDS.pack(self._robot.stamp_us(device)) + values.astype("<f8").tobytes()
        )

    def _place(self, content: bytes) -> bytes:
        row = self._sim.current.engine.poses()[self._sim.row(self.name)]
        return wire.record(wire.PLACE, struct.pack("<6d", *row))

    def _order(self, words: Any, question: bool = False) -> Order:
        """Give a command that a program has named."""
        path = self._robot.unit_path(str(words["unit"]))
        known = {cls.__name__: cls for cls in self._sim.current.orders.commands_of(path)}
        name = str(words["command"])
        if name not in known:
            raise ValueError(f"{path} takes no {name} (known: {', '.join(sorted(known))})")
        return self._robot.post(from_plain(known[name], words["values"]), str(words["unit"]), question)

    def _ask(self, words: Any) -> None:
        """Give a command, and keep the reply until the next turn; one that cannot be given has no reply."""
        self._questions.append(None)
        self._questions[-1] = self._order(words, question=True)

    def _replies(self) -> bytes:
        """Return the answers to what was asked in the last turn, as records."""
        replies = [order and self._sim.questions.reply(order) for order in self._questions]
        self._questions.clear()
        return b"".join(wire.record(wire.ANSWER, _reply(reply)) for reply in replies)

    def _post(self) -> None:
        """Give the orders of the turn; one that cannot be given is reported."""
        for order in self._orders:
            try:
                self._robot.drive(*order) if isinstance(order, tuple) else order()
            except (UnderstudyError, ValueError, TypeError, KeyError) as problem:
                log.warning("an order of %s is refused: %s", self._title(), problem)
        self._orders.clear()

    def _send(self, data: bytes) -> None:
        try:
            self._sock.sendall(data)
        except OSError:
            self._gone()

    # ---- the end

    def _title(self) -> str:
        return f"{self.name}'s program"

    def _bye(self) -> None:
        """End the seat of a program that wants to leave."""
        self._leave("")

    def _gone(self) -> None:
        """End the seat of a program that disconnected without a message."""
        self._leave(f"{self._title()} has disconnected")

    def _leave(self, problem: str) -> None:
        if self.over:
            return
        self._close()
        if problem or self._robios is None:  # the robot of a RoBIOS program that has ended goes on
            over(self._sim, self._robot, problem)

    def end(self) -> None:
        """Tell the program that the run is over for it, and hang up."""
        if not self.over:
            with suppress(OSError):  # it has disconnected
                self._sock.sendall(wire.record(wire.END))
            self._close()

    def _close(self) -> None:
        self.over = True
        self._orders.clear()
        self._replies()  # nobody takes them any more
        if self._robios:
            self._robios.leave()
        self._sock.close()


def _at(words: Any, t_us: int) -> At:
    """Return where a program says that it is; raises ValueError for what is no place."""
    told = {key: words[key] for key in ("program", "task", "line", "words") if key in words}
    place = from_plain(At, {"program": "program", **told, "t_us": t_us})
    return replace(place, **{key: getattr(place, key)[:_MOST_WORDS] for key in ("program", "task", "words")})


def _reply(reply: Any) -> bytes:
    """Return a unit's reply as the content of a record."""
    told = None if reply is None else {"kind": type(reply).__name__, "values": asdict(reply)}
    return json.dumps(told, default=list).encode()  # bytes are lists of numbers


def _limit_waits(sock: socket.socket) -> None:
    """Let blocking calls of a socket fail with BlockingIOError in the end: cheaper than Python's own time-outs."""
    sock.setblocking(True)
    for option, seconds in ((socket.SO_RCVTIMEO, _LOOK_S), (socket.SO_SNDTIMEO, _SEND_S)):
        whole, rest = divmod(round(seconds * 1e6), 1_000_000)
        value = struct.pack("@I", round(seconds * 1e3)) if sys.platform == "win32" else struct.pack("@ll", whole, rest)
        sock.setsockopt(socket.SOL_SOCKET, option, value)
