"""Packets that ARCOS clients request: encoders, I/O, joystick, gripper, compass, gyro; and those of the simulator.

Layouts follow ARIA's parsers and the MobileSim manual, corrected where ARIA and MobileSim itself differ from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import understudy
from understudy.protocols.arcos.frames import MOST_COUNT
from understudy.protocols.arcos.layout import Layout, PacketSource, packed
from understudy.protocols.arcos.packets import CONFIG
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.robots.pioneer.firmware import Pioneer
from understudy.robots.pioneer.sheet import ANALOG_PORTS
from understudy.units import wrap_rad

GENERAL_IO = 2  # the gripper type that ARIA reads from the status packet
GYRO_READINGS = 4  # ARIA assumes 25 ms per reading
HAS_MAP, HAS_ORIGIN = 1, 2
NO_GEO, GOOD_GPS, BAD_GPS = -1, 100, 0


def _wrap32(value: float) -> int:
    return (round(value) + 0x80000000) % 0x100000000 - 0x80000000


def _ticks(view: PacketSource) -> tuple[int, int]:
    per_m = view.sheet.ticks_per_mm * 1000
    return _wrap32(view.odometry.left_m * per_m), _wrap32(view.odometry.right_m * per_m)


def _stick(view: PacketSource) -> tuple[float, float, float, float, float]:
    """Return buttons, x, y and throttle; 512 is the centre, x is positive to the right as ARIA expects."""
    stick = view.deck.joystick
    return stick.fire, stick.other, 512 + 511 * stick.x, 512 + 511 * stick.y, 1023 * stick.throttle


ENCODER = Layout(("id", "B", 0x90), ("left, right ticks", "ii", _ticks))
JOYSTICK = Layout(("id", "B", 0xF8), ("buttons, x, y, throttle", "BBHHH", _stick))
IO = Layout(
    ("id", "B", 0xF0),
    ("digital inputs", "BBBBB", lambda v: (4, v.deck.memory.digital_in, 0xFF, 0xFF, v.deck.infrared)),
    ("digital outputs", "BBBBB", lambda v: (4, v.deck.memory.digital_out, 0, 0, 0)),
    ("analog inputs", "B", ANALOG_PORTS),
    ("ten bits each", "H" * ANALOG_PORTS, lambda v: tuple(v.deck.analog(port) for port in range(ANALOG_PORTS))),
)
GRIPPER = Layout(
    ("id", "B", 0xE0),
    ("kind of gripper, 0 none", "B", lambda v: GENERAL_IO * v.deck.has_gripper),
    ("switches", "B", lambda v: v.deck.gripper_switches),
    ("grasp time, 20 ms", "B", lambda v: v.deck.memory.gripper.grasp_time),
)
COMPASS = Layout(
    ("id", "B", 0xC0),
    ("heading, deg x 10", "h", lambda v: (v.deck.compass_deg or 0.0) * 10),
    ("pitch, roll, deg x 10", "hh", 0),
    ("magnetic field", "hhh", 0),
    ("temperature, C x 10", "h", lambda v: max(0, v.deck.celsius) * 10),
    ("error, calibration", "hbbh", 0),
)
GYRO = Layout(
    ("id", "B", 0x98),
    ("readings", "B", GYRO_READINGS),
    *(("rate, temperature", "HB", lambda v: (v.deck.gyro_count, max(0, v.deck.celsius))),) * GYRO_READINGS,
)


def encoder(unit: Pioneer, sheet: ArcosSheet) -> bytes:
    """Return wheel ticks; empty if the model has none."""
    return ENCODER.pack(PacketSource.of(unit)) if unit.sheet.ticks_per_mm else b""


def gyro(unit: Pioneer, sheet: ArcosSheet) -> bytes:
    """Return rotation rates; empty if there is no gyro."""
    return GYRO.pack(PacketSource.of(unit)) if unit.deck.has_gyro else b""


def compass(unit: Pioneer, sheet: ArcosSheet) -> bytes:
    """Return the heading; empty if there is no compass."""
    return COMPASS.pack(PacketSource.of(unit)) if unit.deck.compass_deg is not None else b""


def simstat(unit: Pioneer, sheet: ArcosSheet) -> bytes:
    """Return the true pose, on the map and on Earth, and the odometry errors."""
    here, mount = unit.here, unit.antenna
    if here is None:
        return b""
    pose, geo = here.pose(), here.geodetic(mount)
    latitude, longitude, altitude = geo or (0.0, 0.0, 0.0)
    quality = NO_GEO if geo is None else GOOD_GPS if here.reception(mount) else BAD_GPS
    flags = HAS_MAP * here.mapped | HAS_ORIGIN * (geo is not None)
    true = pose.x_m * 1000, pose.y_m * 1000, pose.z_m * 1000, math.degrees(wrap_rad(pose.heading_rad))
    intervals = sheet.sim_interval_ms or sheet.interval_ms, sheet.interval_ms, sheet.interval_ms
    errors = tuple(error * 1e7 for error in unit.errors)
    return b"".join((
        packed("BBB", (0x62, 0, 0)), packed("I", flags), packed("HHH", intervals), packed("iiii", true),
        packed("iii", (latitude * 1e7, longitude * 1e7, altitude * 100)), packed("i", quality),
        packed("iii", errors),
    ))  # fmt: skip


def siminfo(unit: Pioneer, sheet: ArcosSheet) -> bytes:
    """Return the simulator's name and the devices of the robot, as many as fit into a packet."""
    flags = sheet.interactive | sheet.restarted << 1
    head = packed("B", 0x63) + packed("z", unit.sheet.announced) + packed("z", f"Understudy {understudy.__version__}")
    head += packed("I", flags)
    rows = [_device(name, kind, [k for _, k in unit.devices[:n]]) for n, (name, kind) in enumerate(unit.devices)]
    while len(head) + 4 + sum(map(len, rows)) > MOST_COUNT - 2:
        rows.pop()
    return head + packed("I", len(rows)) + b"".join(rows)


def _device(name: str, kind: str, before: list[str]) -> bytes:
    """Return name, kind, index within its kind, and four unused status bytes."""
    return packed("z", name) + packed("z", kind) + bytes([before.count(kind), 0, 0, 0, 0])


def map_changed(file: str, by_user: bool, loaded: bool) -> bytes:
    """Return the packet about a map change: whether a user loaded it, whether it is new, and its name."""
    name = file.encode("utf-8", "replace").replace(b"\0", b"")[-(MOST_COUNT - 6) :]
    return bytes([0x66, by_user, loaded]) + name + b"\0"


def _of(layout: Layout) -> Callable[[Pioneer, ArcosSheet], bytes]:
    return lambda unit, sheet: layout.pack(PacketSource.of(unit))


# packets that a client may request, by the names of the command table; an empty body is not sent
REPORTS: Mapping[str, Callable[[Pioneer, ArcosSheet], bytes]] = MappingProxyType({
    "config": _of(CONFIG),
    "siminfo": siminfo,
    "simstat": simstat,
    "encoder": encoder,
    "io": _of(IO),
    "joystick": _of(JOYSTICK),
    "gripper": _of(GRIPPER),
    "compass": compass,
    "gyro": gyro,
})  # fmt: skip
MOBILESIMS = ("config", "siminfo", "simstat")  # the packets that MobileSim also has
