"""The packets that every ARCOS client gets: names, status (SIP) and CONFIG.

Layouts follow the MobileSim manual and MobileSim 0.9.8. A robot without accessories sends exactly the same bytes.
"""

from __future__ import annotations

import math
import struct

from understudy.protocols.arcos.layout import Layout, PacketSource
from understudy.robots.pioneer.firmware import Pioneer

MOST_SONARS = 32
MOTORS, SONARS, HOT = 0x0001, 0x001E, 0x0002
STALL = 0x0101
TOP = 9999  # above every real limit
# what MobileSim's CONFIG reports for every robot: rotation and speed, deg and mm; their accelerations
DEFAULT_TURN, DEFAULT_SPEED, DEFAULT_TURN_RAMP, DEFAULT_RAMP = 150, 3000, 100, 300


def _wheels_mm_s(view: PacketSource) -> tuple[float, float]:
    """Return the speed of the left and the right wheels in the client's units."""
    odometry, sheet = view.odometry, view.sheet
    ahead, half = odometry.m_s * 1000, odometry.rad_s / sheet.diff_factor
    return (ahead - half) / sheet.vel_factor, (ahead + half) / sheet.vel_factor


def _place(view: PacketSource) -> tuple[int, int]:
    """Return x and y in the client's units, modulo 65536."""
    factor = view.sheet.dist_factor
    return round(view.odometry.x_m * 1000 / factor) & 0xFFFF, round(view.odometry.y_m * 1000 / factor) & 0xFFFF


def _stall(view: PacketSource) -> int:
    front, rear = view.deck.bumpers
    return front << 8 | rear | (STALL if view.unit.stalled else 0)


def _gripper(view: PacketSource) -> tuple[int, int, int]:
    """Return gripper, analog port and analog value; ARIA reads the gripper from the second."""
    deck = view.deck
    switches, port = deck.gripper_switches, deck.memory.analog_port
    return switches, switches if deck.has_gripper else port, deck.analog(port) >> 2


SYNC2 = Layout(
    ("name", "z", lambda v: v.sheet.announced),
    ("class", "z", lambda v: v.sheet.robot_class),
    ("subclass", "z", lambda v: v.sheet.subtype),
)
SIP_HEAD = Layout(
    ("id", "B", 0x32),
    ("x, y", "HH", _place),
    ("heading", "h", lambda v: v.odometry.heading_rad / v.sheet.angle_factor),
    ("left wheel, right wheel", "hh", _wheels_mm_s),
    ("battery", "B", lambda v: v.deck.decivolts),
    ("stall, bumpers", "H", _stall),
    ("control", "h", 0),
    ("flags", "H", lambda v: MOTORS * v.unit.motors_on | SONARS * v.unit.sonar_on),
    ("compass", "B", lambda v: (v.deck.compass_deg or 0.0) // 2),
)
SIP_TAIL = Layout(
    ("gripper, analog port, analog value", "BBB", _gripper),
    ("digital in, digital out", "BB", lambda v: (v.deck.digital_in, v.deck.memory.digital_out)),
    ("battery x 10", "H", lambda v: v.deck.decivolts),
    ("charge state", "B", 0),
    ("turn, deg/s x 10", "h", lambda v: math.degrees(v.odometry.rad_s) * 10),
    ("fault flags", "H", lambda v: HOT * v.deck.memory.heat),
    ("lateral velocity", "h", lambda v: v.odometry.lateral_m_s * 1000),
    ("temperature", "b", lambda v: v.deck.celsius),
    ("state of charge", "b", lambda v: v.deck.charge_percent),
)


def _speeds(view: PacketSource) -> tuple[float, float]:
    """Return the greatest rotation and speed: as set, or else as CONFIG reports by default (deg/s, mm/s)."""
    limits, (speed, _, turn) = view.unit.drive.limits, view.unit.drive.most
    model = view.sheet.report == "model"
    default = (math.degrees(turn), speed * 1000) if model else (DEFAULT_TURN, DEFAULT_SPEED)
    return (
        default[0] if limits.turn_rate is None else math.degrees(limits.turn_rate),
        default[1] if limits.speed is None else limits.speed * 1000,
    )


def _turn_ramps(view: PacketSource) -> tuple[float, float]:
    limits, (_, ramps, _) = view.unit.drive.limits, view.unit.drive.ramps
    if view.sheet.report == "model":
        return math.degrees(ramps.accel), math.degrees(ramps.decel)
    set_ones = limits.turn_accel, limits.turn_decel
    accel, decel = (DEFAULT_TURN_RAMP if rate is None else math.degrees(rate) for rate in set_ones)
    return accel, decel


def _ramps(view: PacketSource) -> tuple[float, float]:
    limits, (ramps, _, _) = view.unit.drive.limits, view.unit.drive.ramps
    if view.sheet.report == "model":
        return ramps.accel * 1000, ramps.decel * 1000
    accel, decel = (DEFAULT_RAMP if rate is None else rate * 1000 for rate in (limits.ahead_accel, limits.ahead_decel))
    return accel, decel


def _lateral(view: PacketSource) -> tuple[float, float, float]:
    """Return greatest speed and ramps sideways: the real ones, since ARIA obeys them; 0 without such a drive."""
    most, (_, _, ramps) = view.unit.drive.most.left_m_s, view.unit.drive.ramps
    return (most * 1000, ramps.accel * 1000, ramps.decel * 1000) if most else (0, 0, 0)


CONFIG = Layout(
    ("id", "B", 0x20),
    *SYNC2.rows[1:],
    ("serial number", "z", "SIM"),
    ("unused", "B", 0),
    ("top rotation and speed, top accelerations", "HHHH", TOP),
    ("PWM max", "H", 400),
    *SYNC2.rows[:1],
    ("SIP cycle, ms", "B", lambda v: v.sheet.sip_period_us // 1000),
    ("host baud, aux1 baud", "BB", 0),
    ("gripper", "H", lambda v: v.deck.has_gripper),
    ("front sonar", "H", lambda v: v.unit.has_sonar),
    ("rear sonar", "B", lambda v: v.unit.has_sonar),
    ("low battery, rev count", "HH", 0),
    ("watchdog, ms", "H", lambda v: v.sheet.watchdog_us // 1000),
    ("alternate SIP", "B", 0),
    ("stall value and count, joystick velocities", "HHHH", 0),
    ("rotation max, deg/s; speed max, mm/s", "HH", _speeds),
    ("rotational accel, decel, deg/s2", "HH", _turn_ramps),
    ("rotational gains", "HHH", 0),
    ("translational accel, decel, mm/s2", "HH", _ramps),
    ("translational gains", "HHH", 0),
    ("front bumpers, rear bumpers", "BB", lambda v: v.deck.bumper_counts),
    ("charger, sonar cycle", "BB", 0),
    ("autobaud", "B", 2),
    ("gyro type", "B", lambda v: v.deck.has_gyro),
    ("gyro drift", "h", 0),
    ("aux2 baud, aux3 baud", "BB", 0),
    ("ticks per mm", "H", lambda v: 0 if v.sheet.exact else v.sheet.ticks_per_mm),
    ("shutdown voltage", "H", 0),
    ("firmware version", "z", "S.0"),
    ("gyro CW, CCW", "HH", 0),
    ("kinematics delay", "B", 0),
    ("top lateral velocity, top lateral acceleration", "HH", TOP),
    ("lateral max, accel, decel", "HHH", _lateral),
    ("charge threshold", "H", 0),
)


def sip(unit: Pioneer, first: int = 0) -> tuple[bytes, int]:
    """Return the body of a status packet, and the first sonar of the next one."""
    view, ranges = PacketSource.of(unit), unit.ranges_m[:MOST_SONARS]
    count = len(ranges)
    most = min(unit.sheet.sonars_per_sip or count, count)
    numbers = [(first + n) % count for n in range(most)]
    factor = unit.sheet.range_factor
    readings: list[int] = []
    for number in numbers:
        readings += (number, min(0xFFFF, round(ranges[number] * 1000 / factor)))
    sonars = struct.pack("<B" + "BH" * most, most, *readings)
    after = (first + most) % count if count else 0
    return SIP_HEAD.pack(view) + sonars + SIP_TAIL.pack(view), after
