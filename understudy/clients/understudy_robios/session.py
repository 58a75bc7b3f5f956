"""The program's side of a seat: orders that are collected, the newest frame, the local clock, queries, the end."""

from __future__ import annotations

import contextlib
import json
import os
import select
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from . import wire
from .frame import STARTED, Greeting, StateFrame
from .live_turns import LiveTurns
from .turns import LockstepTurns

if TYPE_CHECKING:
    import socket

SEND_BYTES = 65_536  # orders beyond this are sent at once
GRACE_S = 2.0  # how long a program may go on after the end of the simulation
FLUSH_S = 0.005  # in real time, orders are not kept longer than this
_INT64 = struct.Struct("<q")
_FAR_US = 10**15
_sleep, _Lock = time.sleep, threading.Lock  # the real ones: `patches` replaces them for programs


class Session:
    """A connection to the simulation, as the robot's program."""

    def __init__(self, sock: socket.socket, argv: list[str], threads: tuple[threading.Thread, ...] = ()) -> None:
        self._sock, self._reader = sock, wire.RecordReader(sock)
        self._orders, self._sending = bytearray(), _Lock()
        self._unsent = threading.Event()
        self._given = self._sent = self._settled = 0  # orders: so far, those sent, those whose effect the frame shows
        self.heard: deque[tuple[int, int, bytes]] = deque()  # radio: number of the message, sender, bytes
        self._complaints: set[str] = set()
        self._ready = False  # the robots have started
        self._left = False  # the program has ended, and with it threads that still make calls
        self.cost_us = 0  # simulated time of calls since the last GO
        hello = {"version": wire.VERSION, "robot": "", "dialect": "robios", "argv": argv}
        self.greeting = Greeting(self._ask(wire.record(wire.HELLO, json.dumps(hello).encode()), wire.WELCOME).decode())
        self._psds, self._irs = len(self.greeting.sensors["psd"]), len(self.greeting.sensors["ir"])
        self.frame: StateFrame
        self._take_frame(self._receive(wire.GO))
        self.begin_us = self.frame.t_us
        self.gated, self.tick_us = self.greeting.gated, self.greeting.tick_us
        self._turns: LockstepTurns | LiveTurns
        if self.gated:
            self._turns = LockstepTurns(lambda: self.now_us, self._pass_whole_ticks)
        else:
            self._turns = LiveTurns(lambda: self.now_us, self._pass_time, self.tick_us)
            threading.Thread(target=self._send_soon, daemon=True, name="understudy orders").start()
        self.expect, self.leave = self._turns.expect, self._turns.leave
        self.block, self.wake = self._turns.block, self._turns.wake
        for thread in threads:
            self.expect(thread)

    def watch(self) -> None:
        """From now on, end the program some time after the simulation also if it makes no more calls."""
        if hasattr(select, "poll"):
            threading.Thread(target=self._await_end, daemon=True, name="understudy watch").start()

    def _await_end(self) -> None:
        poll = select.poll()
        try:
            poll.register(self._sock, getattr(select, "POLLRDHUP", 0))  # and POLLHUP, which is always reported
            poll.poll()
        except (OSError, ValueError):  # closed
            return
        _sleep(GRACE_S)
        if not self._left:
            if not self._turns.over:
                self.complain("the simulation has ended")
            _end_process(0.0)

    # ---- the clock

    @property
    def now_us(self) -> int:
        """Return the local time: that of the last frame, and what calls have cost since."""
        return self.frame.t_us + self.cost_us

    def begin(self, starts: bool) -> None:
        """Begin a call; one that *starts* waits until all robots are ready."""
        self._turns.begin()
        if self.gated:
            self.cost_us += self.greeting.cost_us
            if self.cost_us >= self.tick_us:
                self._turns.wait_until(self.now_us)
        if starts and not self._ready:
            self._start()

    def end(self) -> None:
        """End a call."""
        self._turns.end()

    def _start(self) -> None:
        """Wait at the barrier: all robots begin together."""
        self._ready = True
        self.order("AtStart")
        self.wait_for(lambda: self.frame.flags & STARTED, STARTED)

    def wait_until(self, t_us: int) -> None:
        """Return at a simulated time (us), or after it."""
        if t_us > self.now_us:
            self._turns.wait_until(t_us)

    def wait_tick(self) -> None:
        """Let one tick pass."""
        self._turns.wait_until(self.frame.t_us + max(self.tick_us, self.cost_us))

    def wait_for(self, condition: Callable[[], Any], signals: int = 0) -> None:
        """Return when a condition of the frame is true: looked at in every tick, or when one of *signals* changes."""
        while not condition():
            if signals and isinstance(self._turns, LockstepTurns) and self._turns.alone_here:
                self._pass_time(self.frame.t_us + _FAR_US, signals)
            else:
                self.wait_tick()

    def settle(self) -> StateFrame:
        """Return a frame that shows the effect of all orders: waits a tick if some have not acted yet."""
        given = self._given
        while self._settled < given:
            self.wait_tick()
        return self.frame

    def frame_with(self, absent: int) -> StateFrame:
        """Return a frame with sensors that frames hold only once they were asked for, given by their flag."""
        if self.frame.flags & absent:
            content = self.query("SENSORS", absent)
            if content:
                self.frame = StateFrame(content, self._psds, self._irs)
        return self.frame

    def _pass_whole_ticks(self, until_us: int) -> None:
        """Lockstep: let the clock reach a time (us): whole ticks pass, the rest of it counts as cost.

        So waits of any length are exact: the next one begins where this one ends, not at a tick.
        """
        until_us = max(until_us, self.now_us)
        whole_us = (until_us - self.frame.t_us) // self.tick_us * self.tick_us
        if whole_us:
            self._pass_time(self.frame.t_us + whole_us)
        self.cost_us = max(until_us - self.frame.t_us, 0)

    def _pass_time(self, until_us: int, signals: int = 0) -> None:
        """Hand time back until a time (us), or a change of one of *signals*, and take the frame that comes then."""
        wanted = struct.pack("<I", signals) if signals else b""
        self._send(wire.record(wire.WAIT, _INT64.pack(max(until_us - self.frame.t_us, 0)) + wanted))
        sent = self._sent
        self._take_frame(self._receive(wire.GO))
        self._settled = sent

    def _take_frame(self, content: bytes) -> None:
        self.frame = StateFrame(content, self._psds, self._irs)
        self.cost_us = 0

    # ---- orders and queries

    def order(self, name: str, *values: Any, rest: bytes = b"") -> None:
        """Give an order; it goes out with the next record that hands time back or asks something."""
        data = wire.order(name, *values, rest=rest)
        with self._sending:
            self._orders += data
            self._given += 1
        if len(self._orders) > SEND_BYTES:
            self._send(b"")
        elif not self.gated:
            self._unsent.set()

    def query(self, name: str, *values: int) -> bytes:
        """Return the answer to a query; empty if the simulation refuses it."""
        if isinstance(self._turns, LockstepTurns):
            return self._ask(wire.query(name, *values), wire.RESULT)
        self._turns.alone(must=True)
        try:
            return self._ask(wire.query(name, *values), wire.RESULT)
        finally:
            self._turns.done()

    def _send_soon(self) -> None:
        """Send orders of a program that makes no further calls (real time only)."""
        while not self._turns.over:
            self._unsent.wait()
            self._unsent.clear()
            _sleep(FLUSH_S)
            try:
                self._send(b"")
            except SystemExit:
                return

    # ---- records

    def _ask(self, record: bytes, wanted: int) -> bytes:
        self._send(record)
        return self._receive(wanted)

    def _send(self, record: bytes) -> None:
        try:
            with self._sending:
                data = bytes(self._orders) + record
                self._orders.clear()
                self._sent = self._given
                if data:
                    self._sock.sendall(data)
        except OSError:
            self._over("")

    def _receive(self, wanted: int) -> bytes:
        """Return the content of the next record of a kind; what comes before it is seen to."""
        while True:
            try:
                kind, content = self._reader.next()
            except (OSError, EOFError, ValueError) as problem:
                self._over("" if isinstance(problem, (OSError, EOFError)) else str(problem))
            if kind == wanted:
                return content
            if kind == wire.HEARD and len(content) >= 8:
                number, sender = struct.unpack_from("<Ii", content)
                self.heard.append((number, sender, content[8:]))
            elif kind == wire.END:
                self._over(content.decode("utf-8", "replace"))
            elif kind == wire.ERROR:
                self.complain(content.decode("utf-8", "replace"))
                if wanted == wire.RESULT:
                    return b""

    def complain(self, text: str) -> None:
        """Show a message on stderr, each once."""
        if text not in self._complaints:
            self._complaints.add(text)
            sys.stderr.write(f"understudy: {text}\n")
            sys.stderr.flush()

    # ---- the end

    def _over(self, reason: str) -> NoReturn:
        """End the program: every thread from its next call, and what makes none after a grace time."""
        if not hasattr(self, "_turns"):  # there was no seat
            self.complain(reason or "the simulation has ended before the program could begin")
            raise SystemExit(1) from None
        if self._left:
            raise SystemExit(0) from None
        self.complain(f"the simulation has ended{': ' if reason else ''}{reason}")
        if not self._turns.over:
            self._turns.stop()
            threading.Thread(target=_end_process, daemon=True, name="understudy end").start()
        raise SystemExit(0) from None

    def close(self) -> None:
        """Leave at the normal end of the program; the robot goes on with what it was told last."""
        self._left = True
        try:
            with self._sending:
                self._sock.sendall(bytes(self._orders) + wire.record(wire.BYE))
                self._orders.clear()
            self._sock.close()
        except OSError:
            pass  # the simulation has left before

    def abandon(self) -> None:
        """Forget the connection, without a word: it belongs to the process that this one is a copy of."""
        self._sock.close()


def _end_process(grace_s: float = GRACE_S) -> None:
    _sleep(grace_s)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
