"""ARCOS packets on the wire: framing, and the layouts of what a Pioneer sends.

Each layout is a table of rows (name, struct letters, value), in the order of the MobileSim manual and of what
MobileSim 0.9.8 sends.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from understudy.robots.pioneer import Pioneer

HEADER = b"\xfa\xfb"
LEAST_COUNT, MOST_COUNT = 3, 200
MOST_SONARS = 32


def checksum(body: bytes) -> int:
    """Return the sum of big-endian pairs modulo 65536, xor a last odd byte."""
    pairs: tuple[int, ...] = struct.unpack(f">{len(body) // 2}H", body[: len(body) & ~1])
    total = sum(pairs) & 0xFFFF
    return total ^ body[-1] if len(body) % 2 else total


def encode(body: bytes) -> bytes:
    """Return the packet around *body* (type and payload)."""
    assert len(body) + 2 <= MOST_COUNT, f"packet {body[0]:#x} is too long: {len(body)} bytes"
    return HEADER + bytes([len(body) + 2]) + body + struct.pack(">H", checksum(body))


class Decoder:
    """Turns a byte stream into packet bodies; never raises on bad input."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.dropped = 0  # bytes that belong to no good packet
        self.bad = 0  # packets with a wrong checksum

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies (type and payload) completed by *data*."""
        self.buffer += data
        bodies = []
        while self._hunt() and len(self.buffer) >= 3:
            count = self.buffer[2]
            if not LEAST_COUNT <= count <= MOST_COUNT:
                self._drop(len(HEADER))
                continue
            if len(self.buffer) < count + 3:
                break
            body = bytes(self.buffer[3 : count + 1])
            if checksum(body) == int.from_bytes(self.buffer[count + 1 : count + 3], "big"):
                bodies.append(body)
                del self.buffer[: count + 3]
            else:
                self.bad += 1
                self._drop(count + 3)
        return bodies

    def clear(self) -> None:
        """Forget an unfinished packet."""
        self._drop(len(self.buffer))

    def _hunt(self) -> bool:
        """Bring a header to the front; a last FA may still become one."""
        start = self.buffer.find(HEADER)
        if start < 0:
            self._drop(len(self.buffer) - self.buffer.endswith(HEADER[:1]))
            return False
        self._drop(start)
        return True

    def _drop(self, count: int) -> None:
        self.dropped += count
        del self.buffer[:count]


# a layout is rows of (name, struct letters or "z" for text with NUL, value or function of the unit)
Layout = tuple[tuple[str, str, Any], ...]
_LIMITS = {"B": (0, 0xFF), "b": (-0x80, 0x7F), "H": (0, 0xFFFF), "h": (-0x8000, 0x7FFF)}


def pack(layout: Layout, unit: Pioneer) -> bytes:
    """Return the bytes of a layout; numbers beyond their field are clipped."""
    return b"".join(_packed(code, value(unit) if callable(value) else value) for _, code, value in layout)


def _packed(code: str, value: Any) -> bytes:
    if code == "z":
        return str(value).encode("latin-1", "replace").replace(b"\0", b"")[:32] + b"\0"
    low, high = _LIMITS[code[0]]
    return struct.pack(f"<{code}", *[max(low, min(high, round(value)))] * len(code))


def _wheel_mm_s(unit: Pioneer, side: int) -> float:
    odometry, sheet = unit.odometry, unit.sheet
    return (odometry.m_s * 1000 + side * odometry.rad_s / sheet.diff_factor) / sheet.vel_factor


SYNC2: Layout = (
    ("name", "z", lambda u: u.sheet.announced),
    ("class", "z", lambda u: u.sheet.robot_class),
    ("subclass", "z", lambda u: u.sheet.subtype),
)
SIP_HEAD: Layout = (
    ("id", "B", 0x32),
    ("x", "H", lambda u: round(u.odometry.x_m * 1000 / u.sheet.dist_factor) & 0xFFFF),
    ("y", "H", lambda u: round(u.odometry.y_m * 1000 / u.sheet.dist_factor) & 0xFFFF),
    ("heading", "h", lambda u: u.odometry.heading_rad / u.sheet.angle_factor),
    ("left wheel", "h", lambda u: _wheel_mm_s(u, -1)),
    ("right wheel", "h", lambda u: _wheel_mm_s(u, 1)),
    ("battery", "B", lambda u: u.sheet.battery_decivolts),
    ("stall, bumpers", "H", lambda u: 0x0101 if u.odometry.stalled else 0),
    ("control", "h", 0),
    ("flags", "H", lambda u: u.motors_on | (0x1E if u.sonar_on else 0)),
    ("compass", "B", 0),
)
SIP_TAIL: Layout = (
    ("gripper, analog port, analog value", "BBB", 0),
    ("digital in, digital out", "BB", 0xFF),
    ("battery x 10", "H", lambda u: u.sheet.battery_decivolts),
    ("charge state", "B", 0),
    ("turn, deg/s x 10", "h", lambda u: math.degrees(u.odometry.rad_s) * 10),
    ("fault flags", "H", 0),
    ("lateral velocity", "h", lambda u: u.odometry.lateral_m_s * 1000),
    ("temperature", "b", -127),
    ("state of charge", "b", 0),
)
CONFIG: Layout = (
    ("id", "B", 0x20),
    *SYNC2[1:],
    ("serial number", "z", "SIM"),
    ("unused", "B", 0),
    ("top rotation and speed, top accelerations", "HHHH", 9999),
    ("PWM max", "H", 400),
    *SYNC2[:1],
    ("SIP cycle, ms", "B", lambda u: u.sheet.sip_period_us // 1000),
    ("host baud, aux1 baud", "BB", 0),
    ("gripper", "H", 0),
    ("front sonar", "H", lambda u: u.has_sonar),
    ("rear sonar", "B", lambda u: u.has_sonar),
    ("low battery, rev count", "HH", 0),
    ("watchdog, ms", "H", lambda u: u.sheet.watchdog_us // 1000),
    ("alternate SIP", "B", 0),
    ("stall value and count, joystick velocities", "HHHH", 0),
    ("rotation max, deg/s", "H", 150),
    ("speed max, mm/s", "H", 3000),
    ("rotational accel, decel, deg/s2", "HH", 100),
    ("rotational gains", "HHH", 0),
    ("translational accel, decel, mm/s2", "HH", 300),
    ("translational gains", "HHH", 0),
    ("front bumpers, rear bumpers, charger, sonar cycle", "BBBB", 0),
    ("autobaud", "B", 2),
    ("gyro type", "B", 0),
    ("gyro drift", "h", 0),
    ("aux2 baud, aux3 baud", "BB", 0),
    ("ticks per mm, shutdown voltage", "HH", 0),
    ("firmware version", "z", "S.0"),
    ("gyro CW, CCW", "HH", 0),
    ("kinematics delay", "B", 0),
    ("top lateral velocity, top lateral acceleration", "HH", 9999),
    ("lateral max, accel, decel", "HHH", 0),
    ("charge threshold", "H", 0),
)


def sip(unit: Pioneer) -> bytes:
    """Return the body of a status packet with every sonar in it."""
    ranges = unit.ranges_m[:MOST_SONARS]
    counts = (_packed("H", value * 1000 / unit.sheet.range_factor) for value in ranges)
    sonars = b"".join(bytes([number]) + count for number, count in enumerate(counts))
    return pack(SIP_HEAD, unit) + bytes([len(ranges)]) + sonars + pack(SIP_TAIL, unit)
