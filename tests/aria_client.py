"""A small client that behaves on the wire as ARIA does: blocking, over TCP, its cycle chained to the status packet.

It counts time in cycles of 100 ms, so that a test may run faster than the clock. Handshake, what is sent after it, how
often motion commands are repeated, and how raw numbers become a pose follow the protocol reference, sections 4 to 8.
"""

from __future__ import annotations

import math
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

TIMEOUT_S = 20.0
REPEAT = 5  # cycles after which motion commands, or a PULSE, are sent again; ARIA: 500 ms
ANGLE = 0.001534
# mm per count of odometry, where it is not 1 (DistConvFactor)
FACTORS = {"p3dx": 0.485, "p3at": 0.465}


class Lost(ConnectionError):
    """The other side has hung up, or says nothing any more."""


@dataclass
class Status:
    """A decoded status packet."""

    raw: tuple[int, int, int]
    left_mm_s: int
    right_mm_s: int
    volts: float
    stalled: bool
    bumpers: tuple[int, int]  # front, rear
    motors_on: bool
    sonar_on: bool
    sonars: dict[int, int]


@dataclass
class AriaClient:
    """One robot as a program of ARIA sees it."""

    host: str
    port: int
    name: str = ""
    subtype: str = ""
    x: float = 0.0  # mm
    y: float = 0.0
    heading: float = 0.0  # deg
    status: Status | None = None
    sonars: dict[int, int] = field(default_factory=dict)
    scan: list[int] = field(default_factory=list)
    reflectances: list[int] = field(default_factory=list)
    moved: bool = False  # the last scan said that a user had moved the robot
    packets: list[bytes] = field(default_factory=list)  # others than status and laser
    cycles: int = 0
    gated: bool = True  # say something in every cycle, since time waits for it

    def __post_init__(self) -> None:
        self._socket = socket.create_connection((self.host, self.port), TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""
        self._partial: dict[int, tuple[int, int]] = {}
        self._wanted: dict[int, int] = {}  # motion commands that are repeated, by number
        self._quiet = 0

    # ---- packets

    def send(self, code: int, value: int | None = None) -> None:
        """Send a command with an integer, or bare."""
        body = bytes([code]) if value is None else struct.pack("<BBH", code, 0x1B if value < 0 else 0x3B, abs(value))
        self.send_body(body)

    def send_text(self, code: int, text: bytes) -> None:
        """Send a command with a string, as ARIA's comStr does."""
        self.send_body(bytes([code, 0x2B, len(text)]) + text + b"\0")

    def send_body(self, body: bytes) -> None:
        """Frame and send a packet."""
        total = sum((body[i] << 8) + body[i + 1] for i in range(0, len(body) - 1, 2)) & 0xFFFF
        total ^= body[-1] if len(body) % 2 else 0
        self._quiet = 0
        try:
            self._socket.sendall(b"\xfa\xfb" + bytes([len(body) + 2]) + body + struct.pack(">H", total))
        except OSError as problem:
            raise Lost(str(problem)) from problem

    def receive(self) -> bytes:
        """Return the body of the next packet."""
        while len(self._buffer) < 3 or len(self._buffer) < self._buffer[2] + 3:
            try:
                more = self._socket.recv(65_536)
            except OSError as problem:
                raise Lost(str(problem)) from problem
            if not more:
                raise Lost("hung up")
            self._buffer += more
        assert self._buffer[:2] == b"\xfa\xfb", self._buffer[:16].hex()
        size = self._buffer[2] + 3
        packet, self._buffer = self._buffer[:size], self._buffer[size:]
        return packet[3:-2]

    # ---- the session

    def connect(self, laser: bool = False) -> AriaClient:
        """Shake hands and send what ARIA sends before its first cycle."""
        try:
            self._shake_hands()
        except Lost:
            self.vanish()
            raise
        if laser:
            for code, value in ((36, -90), (37, 90), (38, 100), (35, 2)):
                self.send(code, value)
        return self

    def _shake_hands(self) -> None:
        for number in (0, 1, 2):
            self.send(number)
            body = self.receive()
            assert body[0] == number, body.hex()
        name, kind, subtype = (part.decode() for part in body[1:-1].split(b"\0"))
        assert kind == "Pioneer"
        self.name, self.subtype = name, subtype.lower()
        self.send(1, 1)
        self.send(18, 1)
        while (config := self.receive())[0] != 0x20:
            self._take(config)
        self.send(62, 1)
        self._echo(config)

    def _echo(self, config: bytes) -> None:
        """Send back the limits that CONFIG tells: SETRV, SETV, SETRA, SETA."""
        strings, at = 0, 1
        while strings < 3:  # class, subclass, serial number
            strings, at = strings + (config[at] == 0), at + 1
        at += 1 + 8 + 2  # to the robot's name
        at = config.index(0, at) + 1 + 3 + 2 + 2 + 1 + 4 + 2 + 1 + 8
        turn, speed, turn_up, turn_down, up, down = struct.unpack_from("<HHHH6xHH", config, at)
        for code, value in ((6, speed), (5, up), (5, -down), (10, turn), (23, turn_up), (23, -turn_down)):
            self.send(code, value)

    def close(self) -> None:
        """Say goodbye as ARIA does."""
        self.send(4, 0)
        self.send(2, 1)
        self._socket.close()

    def vanish(self) -> None:
        """Go without a word."""
        self._socket.close()

    # ---- cycles

    def cycle(self, count: int = 1) -> Status:
        """Wait for so many status packets, and keep the robot informed meanwhile."""
        for _ in range(count):
            while not self._take(self.receive()):
                pass
            self.cycles += 1
            self._quiet += 1
            if self._wanted and self.cycles % REPEAT == 0:
                for code, value in self._wanted.items():
                    self.send(code, value)
            elif self._quiet >= (1 if self.gated else REPEAT):
                self.send(0)
        assert self.status is not None
        return self.status

    def until(self, done: Callable[[AriaClient], bool], most: int = 1000) -> int:
        """Cycle until something is so; returns after how many cycles."""
        for n in range(most):
            self.cycle()
            if done(self):
                return n + 1
        raise AssertionError(f"not so after {most} cycles, at {self.x:.0f}, {self.y:.0f}, {self.heading:.0f}")

    def _take(self, body: bytes) -> bool:
        """Take one packet; says whether it was a status packet."""
        if body[0] in (0x32, 0x33):
            self._take_status(body)
            return True
        if body[0] == 0x61:
            self._take_piece(body)
        else:
            self.packets.append(body)
            if self.gated:
                self.send(0)
        return False

    def _take_status(self, body: bytes) -> None:
        x, y, th, left, right, battery, stall, _, flags, _, count = struct.unpack_from("<HHhhhBHhHBB", body, 1)
        sonars = {body[20 + 3 * i]: struct.unpack_from("<H", body, 21 + 3 * i)[0] for i in range(count)}
        before = self.status.raw if self.status else None
        self.status = Status(
            (x & 0x7FFF, y & 0x7FFF, th), left, right, battery / 10, bool(stall & 0x0101),
            (stall >> 9, stall >> 1 & 0x7F), bool(flags & 1), bool(flags & 0x1E), sonars,
        )  # fmt: skip
        self.sonars.update(sonars)
        if before is not None:
            self._reckon(before, self.status.raw)

    def _reckon(self, before: tuple[int, int, int], now: tuple[int, int, int]) -> None:
        """Add what the raw numbers have changed by; they wrap at 2^15 and at one turn."""
        factor = FACTORS.get(self.subtype, 1.0)
        dx, dy = ((b - a + 0x4000) % 0x8000 - 0x4000 for a, b in zip(before[:2], now[:2]))
        assert max(abs(dx), abs(dy)) <= 0x1000, "ARIA takes such a step for a wrap"
        self.x, self.y = self.x + dx * factor, self.y + dy * factor
        turn = math.degrees((now[2] - before[2]) * ANGLE)
        self.heading = math.remainder(self.heading + math.remainder(turn, 360), 360)

    def _take_piece(self, body: bytes) -> None:
        total, first, count = struct.unpack_from("<HHB", body, 1)
        if first == 0:
            self._scan: list[int] = []
            self._bright: list[int] = []
            self.moved = bool(body[-1] & 1)
        assert first == len(self._scan), "pieces come in order"
        for i in range(count):
            distance, bright = struct.unpack_from("<HB", body, 6 + 5 * i)
            self._scan.append(distance)
            self._bright.append(bright)
        if len(self._scan) == total:
            self.scan, self.reflectances = self._scan, self._bright

    # ---- motion

    def enable(self) -> None:
        """Switch the motors on."""
        self.send(4, 1)

    def velocity(self, mm_s: int, deg_s: int) -> None:
        """Set both speeds; they are repeated until something else is wanted."""
        for code, value in ((11, mm_s), (21, deg_s)):
            if self._wanted.get(code) != value:
                self.send(code, value)
            self._wanted[code] = value

    def move(self, mm: int) -> None:
        """Drive a distance."""
        self._wanted.pop(11, None)
        self.send(8, mm)

    def head(self, deg: int) -> None:
        """Turn to a heading; ARIA repeats it while it is off by more than a degree."""
        self._wanted.pop(21, None)
        while True:
            self.send(12, deg)
            self.cycle()
            if abs(math.remainder(self.heading - deg, 360)) <= 1.0:
                return

    def place(self, x_mm: int, y_mm: int, deg: int) -> None:
        """Move the true pose in the simulator."""
        self.send_body(b"\xe0\0" + struct.pack("<iii", x_mm, y_mm, deg))
