"""Accessories of a Pioneer: bumpers, compass, gyro, battery, infrared, digital and analog ports, gripper.

Each reports the reading of its device, or MobileSim's constant if the robot has no such device.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from understudy import elementary
from understudy.robots.base import Tree, Wiring
from understudy.robots.pioneer import orders
from understudy.robots.pioneer.gripper import GripperState
from understudy.robots.pioneer.sheet import ANALOG_PORTS, INFRAREDS, PioneerSheet
from understudy.sensors.base import Device
from understudy.world.changes import Change, Done, Grasp, Release
from understudy.world.news import News, Sound
from understudy.world.shapes import Mount

ALL_ON = 0xFF
NO_TEMPERATURE, UNKNOWN_TEMPERATURE = -128, -127
FULL_SCALE_V, TEN_BITS = 5.0, 1023
GYRO_CENTRE, GYRO_DEG_S = 512.0, 600.0  # ARIA: a reading is 512 - rate * 1023 / (600 * GyroScaler)
FRONT, REAR = 1, 2
SERVO_CENTRE, SERVO_DEG = 150, 0.9  # pulse of 1.5 ms; 0.5 ms more or less is 45 degrees
MOST_TONES = 20


class Rings(NamedTuple):
    """Indices of the front and rear bumpers in the reading, in the order of their bits."""

    front: tuple[int, ...] = ()
    rear: tuple[int, ...] = ()


@dataclass(slots=True)
class DeckMemory:
    """The state of the accessories."""

    digital_out: int = ALL_ON
    digital_in: int = ALL_ON
    volts: list[float] = field(default_factory=lambda: [0.0] * ANALOG_PORTS)
    analog_port: int = 0
    pan: int = SERVO_CENTRE
    tilt: int = SERVO_CENTRE
    battery: int = 0  # set by BATTEST; kept after the session
    heat: bool = False
    celsius: int = NO_TEMPERATURE
    sound_on: bool = True
    joystick: orders.Joystick = orders.Joystick()
    gripper: GripperState = field(default_factory=GripperState)


class Deck:
    """The accessories; absent ones report what MobileSim sends."""

    def __init__(self, sheet: PioneerSheet) -> None:
        self._sheet = sheet
        self._devices: Mapping[str, Device] = {}
        self._rings = Rings()
        self._robot = ""
        self._mounts: Mapping[str, Mount] = {}
        self.has_gripper = False
        self.memory = DeckMemory()

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles."""
        self._devices = {} if self._sheet.exact else wiring.devices
        self._robot = wiring.robot
        self._mounts = {f"{wiring.robot}/{device.name}": device.mount for device in wiring.model.devices}
        self.has_gripper = "gripper" in self._devices
        bumpers = self._devices.get("bumpers")
        self._rings = Rings() if bumpers is None else rings(bumpers)

    # ---- orders

    def order(self, command: Any) -> Sequence[News]:
        """Take a command; return the sounds that it makes."""
        memory = self.memory
        match command:
            case orders.DigitalOut(mask, states):
                memory.digital_out = (memory.digital_out & ~mask | states & mask) & ALL_ON
            case orders.DigitalIn(states):
                memory.digital_in = states & ALL_ON
            case orders.AnalogIn(port, volts):
                memory.volts[port % ANALOG_PORTS] = volts
            case orders.SelectAnalog(port):
                memory.analog_port = port % ANALOG_PORTS
            case orders.ServoPulse(port, width):
                setattr(memory, "tilt" if port == 2 else "pan", width)
            case orders.Grip(action):
                memory.gripper.act(action)
            case orders.GripValue(value):
                memory.gripper.give(value)
            case orders.BatteryTest(value):
                memory.battery = value
            case orders.HeatTest(on):
                memory.heat = on
            case orders.TemperatureTest(celsius):
                memory.celsius = celsius
            case orders.Joystick():
                memory.joystick = command
            case _:
                return self._sound(command)
        return ()

    def _sound(self, command: Any) -> Sequence[News]:
        match command:
            case orders.SoundOn(on):
                self.memory.sound_on = on
            case orders.PlaySound(number) if self.memory.sound_on:
                return (Sound(number=number),)
            case orders.Beep(pairs) if self.memory.sound_on:
                return (Sound(tuple(_tone(*pair) for pair in pairs[:MOST_TONES])),)
        return ()

    def tick(self, dt_s: float) -> Sequence[Change]:
        """Move the gripper; return a request to grasp or release."""
        device = self._devices.get("gripper")
        if device is None:
            return ()
        action = self.memory.gripper.advance(any(self._beams()), dt_s)
        if action == "grasp":
            return (self._grasp(device),)
        return (Release(self._robot),) if action else ()

    def _grasp(self, device: Device) -> Grasp:
        reach_m, width_m = device.sheet.reach_m, device.sheet.width_m
        hinge = self._mounts.get(device.name, Mount())
        x_m = hinge.x_m + elementary.cos(hinge.yaw_rad) * reach_m / 2
        y_m = hinge.y_m + elementary.sin(hinge.yaw_rad) * reach_m / 2
        return Grasp(self._robot, x_m, y_m, reach_m / 2 + width_m / 2)

    def done(self, outcome: Done) -> None:
        """Note whether the gripper holds something."""
        if isinstance(outcome.change, Grasp):
            self.memory.gripper.holding = outcome.ok
        elif isinstance(outcome.change, Release):
            self.memory.gripper.holding = False

    def forget(self) -> None:
        """End a session: reset outputs, analog port and sound; the battery keeps its set value."""
        self.memory.digital_out, self.memory.analog_port, self.memory.sound_on = ALL_ON, 0, True

    def state(self) -> Tree:
        """Return the complete state of the accessories."""
        return asdict(self.memory)

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        parts = {"joystick": orders.Joystick(**state["joystick"]), "gripper": GripperState(**state["gripper"])}
        self.memory = DeckMemory(**{**state, **parts})

    # ---- readings

    @property
    def joystick(self) -> orders.Joystick:
        """Return the position of the robot's own joystick."""
        return self.memory.joystick

    def _read(self, name: str, column: str = "") -> float:
        """Return a value of a device's newest reading: the named column or the first; NaN if there is none."""
        device = self._devices.get(name)
        if device is None or device.stamp_us < 0:
            return math.nan
        names = () if device.sheet is None else device.sheet.columns()
        return float(device.read()[names.index(column) if column in names else 0])

    @property
    def bumpers(self) -> tuple[int, int]:
        """Return the pressed bumpers of front and rear, as bits 1 to 7."""
        device = self._devices.get("bumpers")
        if device is None or device.stamp_us < 0:
            return 0, 0
        pressed = device.read() >= 0.5
        front, rear = (sum(2 << n for n, i in enumerate(ring[:7]) if pressed[i]) for ring in self._rings)
        return front, rear

    @property
    def bumper_counts(self) -> tuple[int, int]:
        """Return the number of front and rear bumpers."""
        return len(self._rings.front), len(self._rings.rear)

    @property
    def compass_deg(self) -> float | None:
        """Return the heading of the compass, clockwise from north, or None (deg)."""
        heading = self._read("compass")
        return None if math.isnan(heading) else heading % 360.0

    @property
    def has_gyro(self) -> bool:
        """Return whether the robot has a gyro."""
        return "gyro" in self._devices

    @property
    def gyro_count(self) -> int:
        """Return the gyro's rate in ARIA's encoding: 512 is rest, more is clockwise."""
        device = self._devices.get("gyro")
        names = () if device is None or device.sheet is None else device.sheet.columns()
        column = next((name for name in names if name.startswith("z_")), "")
        rate = self._read("gyro", column)
        deg_s = 0.0 if math.isnan(rate) else rate if column.endswith("deg_s") else math.degrees(rate)
        counts = GYRO_CENTRE - deg_s * TEN_BITS / (GYRO_DEG_S * self._sheet.gyro_scaler)
        return max(0, min(TEN_BITS, round(counts)))

    @property
    def decivolts(self) -> int:
        """Return the battery's voltage: set by BATTEST, measured, or the model's constant."""
        if self.memory.battery and not self._sheet.state_of_charge:
            return self.memory.battery
        volts = self._read("battery", "voltage_v")
        return self._sheet.battery_decivolts if math.isnan(volts) else round(volts * 10)

    @property
    def charge_percent(self) -> int:
        """Return the battery's state of charge (percent); 0 if it has none."""
        if not self._sheet.state_of_charge:
            return 0
        held = self._read("battery", "held")
        return self.memory.battery or (100 if math.isnan(held) else round(held * 100))

    @property
    def celsius(self) -> int:
        """Return the temperature that the status reports; -127 if unknown."""
        if self.memory.celsius != NO_TEMPERATURE:
            return self.memory.celsius
        measured = self._read("thermometer", "temperature_c")
        return UNKNOWN_TEMPERATURE if math.isnan(measured) else round(measured)

    @property
    def infrared(self) -> int:
        """Return the infrared switches as bits, 0 where something is detected."""
        seen = (self._read(f"infrared{n}") >= 0.5 for n in range(1, INFRAREDS + 1))
        return ALL_ON & ~sum(bit << n for n, bit in enumerate(seen))

    @property
    def digital_in(self) -> int:
        """Return the digital inputs of the status: the set values, and 0 where an infrared switch detects something."""
        return self.memory.digital_in & self.infrared

    def analog(self, port: int) -> int:
        """Return an analog input as a 10-bit number."""
        measured = self._read(f"analog{port}")
        volts = self.memory.volts[port] if math.isnan(measured) else measured
        return max(0, min(TEN_BITS, round(volts * TEN_BITS / FULL_SCALE_V)))

    @property
    def gripper_switches(self) -> int:
        """Return the gripper's eight switches; 0 without a gripper."""
        return self.memory.gripper.switches(*self._beams()) if self.has_gripper else 0

    def _beams(self) -> tuple[bool, bool]:
        return self._read("gripper", "outer_broken") >= 0.5, self._read("gripper", "inner_broken") >= 0.5

    @property
    def pan_tilt_deg(self) -> tuple[float, float]:
        """Return pan (to the left) and tilt (up) of the camera (deg)."""
        return (SERVO_CENTRE - self.memory.pan) * SERVO_DEG, (self.memory.tilt - SERVO_CENTRE) * SERVO_DEG


def rings(device: Device) -> Rings:
    """Return the front and rear bumpers, each clockwise, in ARIA's order."""
    sectors = device.sheet.sectors
    middles = [(sector.start_rad + sector.width_rad() / 2) for sector in sectors]
    front = [i for i, angle in enumerate(middles) if elementary.cos(angle) >= 0.0]
    rear = [i for i, angle in enumerate(middles) if elementary.cos(angle) < 0.0]
    front.sort(key=lambda i: -math.remainder(middles[i], math.tau))
    rear.sort(key=lambda i: -math.remainder(middles[i] - math.pi, math.tau))
    return Rings(tuple(front), tuple(rear))


def _tone(duration: int, half_cycle: int) -> tuple[float, float]:
    """Return duration (s) and frequency (Hz) of a beep; a half-cycle is in units of 50 us, 0 is silence."""
    return duration * 0.02, 10_000.0 / half_cycle if half_cycle else 0.0
