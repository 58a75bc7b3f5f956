"""The seat of a robot's program in a process of its own: a blocking socket, and records in both directions.

    from understudy_seat import connect

    robot = connect()
    while True:
        robot.drive(0.3)
        robot.wait(0.1)

A record is the length of its content (4 bytes, least first), its kind (1 byte) and the content. The simulation stands
still from the moment in which it says GO until the program says WAIT. Orders are kept here and go out with the next
record that wants an answer, so a turn costs one record each way. docs/programs.md has the table of records.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import socket
import struct
import sys
from types import FrameType
from typing import Any, NoReturn

VERSION = 1
VARIABLE = "UNDERSTUDY_SEAT"  # names the socket of a process that a simulation has started
HEAD = struct.Struct("<IB")
MOST_BYTES = 1 << 28  # of one record
# a program says
HELLO, WAIT, DRIVE, ORDER, READ, POSE, BYE, AT, ASK = 1, 2, 3, 4, 5, 6, 7, 8, 9
# a simulation says
WELCOME, GO, READING, PLACE, ERROR, END, WHERE, ANSWER = 129, 130, 131, 132, 133, 134, 135, 136
# with HELLO's dialect "robios": calls and queries of RoBIOS, their results, radio messages
CALL, QUERY, RESULT, HEARD = 16, 17, 144, 145

# number -> who says it, its name, its content, what it means
RECORDS: dict[int, tuple[str, str, str, str]] = {
    HELLO: (
        "program",
        "HELLO",
        "JSON: version, robot, positions, dialect",
        "the first record; no robot: the one it was started for; positions = true: it answers WHERE while it waits",
    ),
    WELCOME: ("simulation", "WELCOME", "JSON: robot, devices (name: kind), tick_us, t_us", "answers HELLO"),
    WAIT: (
        "program",
        "WAIT",
        "i64 us, robios: u32 signals",
        "ends the turn: advance by this time, at least one tick; with signals, until one of them changes",
    ),
    GO: ("simulation", "GO", "i64 us", "begins a turn: the simulated time"),
    DRIVE: ("program", "DRIVE", "f64 m/s, f64 rad/s, f64 m/s to the left", "move like this until the next command"),
    ORDER: (
        "program",
        "ORDER",
        "JSON: unit, command, values",
        "a command for a unit by its name; no unit: the driving one",
    ),
    ASK: (
        "program",
        "ASK",
        "JSON: unit, command, values",
        "as ORDER; the reply comes as ANSWER before the next GO",
    ),
    ANSWER: ("simulation", "ANSWER", "JSON: kind, values; or null", "the reply to an ASK, in their order; null: none"),
    READ: ("program", "READ", "text: a device", "asks for its newest reading"),
    READING: ("simulation", "READING", "i64 us, f64 ...", "answers READ: when it was taken, and its values"),
    POSE: ("program", "POSE", "", "asks for the true pose of the robot"),
    PLACE: ("simulation", "PLACE", "6 x f64", "answers POSE: x, y, z (m), roll, pitch, yaw (rad)"),
    ERROR: ("simulation", "ERROR", "text", "the reason why a request failed"),
    WHERE: ("simulation", "WHERE", "", "comes between WAIT and GO: asks at which line the program waits"),
    AT: ("program", "AT", "JSON: program, task, line, words", "answers WHERE; any of them may be left out"),
    CALL: ("program", "CALL", "u8 opcode, arguments", "robios: a call that changes something; acts at the next tick"),
    QUERY: ("program", "QUERY", "u8 number, arguments", "robios: asks for something that is not in the frame"),
    RESULT: ("simulation", "RESULT", "bytes", "robios: answers QUERY"),
    HEARD: ("simulation", "HEARD", "u32 number, i32 robot, bytes", "robios: comes before GO: a radio message"),
    BYE: ("program", "BYE", "", "leaves the seat; the robot stops"),
    END: ("simulation", "END", "text", "the run is over, or (with a reason) there is no seat"),
}

_WAIT = struct.Struct("<IBq")
_DRIVE = struct.Struct("<IBddd")
_GO = struct.Struct("<IBq")
_STAMP = struct.Struct("<q")
_PLACE = struct.Struct("<6d")


class SeatError(RuntimeError):
    """The simulation has refused something: it names what and why."""


class RunOver(SystemExit):
    """The run is over, or the robot is gone: raised where the program waits, and ends it quietly."""


def record(kind: int, content: bytes = b"") -> bytes:
    """Return a record."""
    return HEAD.pack(len(content), kind) + content


class Records:
    """The records that come in over a blocking socket."""

    def __init__(self, sock: socket.socket, most: int = MOST_BYTES) -> None:
        self._sock, self.most = sock, most
        self.flags = 0  # of the socket's recv
        self._data, self._at = b"", 0  # what has come, and how much of it has been taken

    def next(self) -> tuple[int, bytes]:
        """Return kind and content of the next record; raises EOFError at the end, ValueError for one that is too long.

        What the socket raises when it has waited long enough goes through; nothing is lost then.
        """
        while True:
            begin = self._at + HEAD.size
            if begin <= len(self._data):
                length, kind = HEAD.unpack_from(self._data, self._at)
                if length > self.most:
                    raise ValueError(f"a record of {length:,} bytes is too long (at most {self.most:,})")
                if begin + length <= len(self._data):
                    self._at = begin + length
                    return kind, self._data[begin : self._at]
            self._more()

    def _more(self) -> None:
        data = self._sock.recv(65536, self.flags)
        if not data:
            raise EOFError("the other side has disconnected")
        rest = self._data[self._at :]
        self._data, self._at = rest + data if rest else data, 0


class SeatRobot:
    """The robot as a program in another process sees it."""

    def __init__(self, sock: socket.socket, name: str = "") -> None:
        self._sock, self._records = sock, Records(sock)
        self._orders = bytearray()  # that go out with the next record
        self._answers: list[dict[str, Any] | None] = []
        hello = {"version": VERSION, "robot": name, "positions": True}
        welcome = json.loads(self._ask(HELLO, json.dumps(hello).encode(), WELCOME))
        self.name: str = welcome["robot"]
        self.devices: dict[str, str] = welcome["devices"]  # name -> kind
        self.tick_s: float = welcome["tick_us"] / 1e6
        self._t_us: int = welcome["t_us"]

    @property
    def time_s(self) -> float:
        """Return the simulated time (s)."""
        return self._t_us / 1e6

    @property
    def pose(self) -> tuple[float, ...]:
        """Return the true pose: x, y, z (m), roll, pitch, yaw (rad)."""
        return _PLACE.unpack(self._ask(POSE, b"", PLACE))

    def drive(self, m_s: float, rad_s: float = 0.0, lateral_m_s: float = 0.0) -> None:
        """Move like this until the next command (m/s, rad/s, m/s to the left)."""
        self._orders += _DRIVE.pack(_DRIVE.size - HEAD.size, DRIVE, m_s, rad_s, lateral_m_s)

    def stop(self) -> None:
        """Stand still."""
        self.drive(0.0)

    def order(self, command: str, unit: str = "", **values: Any) -> None:
        """Give a unit a command by its name; without a unit, to the one that drives."""
        self._orders += record(ORDER, _words(command, unit, values))

    def ask(self, command: str, unit: str = "", **values: Any) -> dict[str, Any] | None:
        """Give a unit a command by its name, wait one tick and return the values of its reply; None if it has none."""
        self._orders += record(ASK, _words(command, unit, values))
        self._answers.clear()
        self.wait()
        return self._answers.pop() if self._answers else None

    def read(self, device: str) -> tuple[float, ...]:
        """Return the newest reading of a sensor."""
        return self.reading(device)[1]

    def reading(self, device: str) -> tuple[int, tuple[float, ...]]:
        """Return when the newest reading of a sensor was taken (us, simulated), and its values."""
        content = self._ask(READ, device.encode(), READING)
        count = (len(content) - _STAMP.size) // 8
        return _STAMP.unpack_from(content)[0], struct.unpack_from(f"<{count}d", content, _STAMP.size)

    def wait(self, seconds: float = 0.0) -> None:
        """Let simulated time pass, at least one tick."""
        self._send(_WAIT.pack(8, WAIT, max(round(seconds * 1e6), 0)))
        kind, content = self._next()
        while kind in (WHERE, ANSWER):
            if kind == WHERE:
                self._send(record(AT, json.dumps(_position(sys._getframe(1))).encode()))
            else:
                reply = json.loads(content)
                self._answers.append(reply and reply["values"])
            kind, content = self._next()
        if kind != GO:
            self._fail(kind, content)
        self._t_us = _STAMP.unpack(content)[0]

    def wait_for(self, device: str) -> tuple[float, ...]:
        """Wait for the next reading of a sensor and return it."""
        before = self.reading(device)[0]
        while (now := self.reading(device))[0] == before:
            self.wait()
        return now[1]

    def close(self) -> None:
        """Leave; the robot stops."""
        with contextlib.suppress(OSError):  # the other side may have left before
            self._sock.sendall(bytes(self._orders) + record(BYE))
        self._sock.close()

    def _ask(self, kind: int, content: bytes, wanted: int) -> bytes:
        self._send(record(kind, content))
        answer, content = self._next()
        if answer != wanted:
            self._fail(answer, content)
        return content

    def _send(self, last: bytes) -> None:
        self._orders += last
        try:
            self._sock.sendall(self._orders)
        except OSError:
            self._end()
        self._orders.clear()

    def _next(self) -> tuple[int, bytes]:
        try:
            return self._records.next()
        except (EOFError, OSError):
            self._end()

    def _fail(self, kind: int, content: bytes) -> NoReturn:
        if kind == ERROR:
            raise SeatError(content.decode())
        if kind == END:
            self._end(content.decode())
        raise SeatError(f"the simulation has sent a record of kind {kind}, which is not expected here")

    def _end(self, reason: str = "") -> NoReturn:
        """Hang up; without a reason the run is over, with one there was no seat."""
        self._sock.close()
        if reason:
            raise SeatError(reason)
        raise RunOver from None


def _words(command: str, unit: str, values: dict[str, Any]) -> bytes:
    return json.dumps({"unit": unit, "command": command, "values": values}).encode()


def _position(frame: FrameType | None) -> dict[str, Any]:
    """Return the line of the program's own file that has led to a frame; if none has, the nearest of another file."""
    own = nearest = None
    while frame is not None and own is None:
        if frame.f_globals.get("__name__") == "__main__":
            own = frame
        elif nearest is None and frame.f_globals is not globals():
            nearest = frame
        frame = frame.f_back
    found = own or nearest
    if found is None:
        return {}
    file, line = found.f_code.co_filename, found.f_lineno
    return {
        "program": file.replace(os.sep, "/").rpartition("/")[2],
        "line": line,
        "words": linecache.getline(file, line).strip(),
    }


def connect(address: str = "", robot: str = "") -> SeatRobot:
    """Return the robot whose seat this process has, or takes at the address of a simulation that is open for seats.

    An address is ``tcp://127.0.0.1:8600``; without one it is the seat that the simulation started this process for.
    """
    address = address or os.environ.get(VARIABLE, "")
    scheme, _, rest = address.partition(":")
    if scheme == "fd":
        return SeatRobot(socket.socket(fileno=int(rest)), robot)
    if scheme != "tcp":
        raise SeatError(f"no seat: want tcp://HOST:PORT, or {VARIABLE} set by a simulation, got {address!r}")
    host, _, port = rest.lstrip("/").rpartition(":")
    sock = socket.create_connection((host, int(port)))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return SeatRobot(sock, robot)
