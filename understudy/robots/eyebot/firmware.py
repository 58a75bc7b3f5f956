"""The RoBIOS firmware of an EyeBot: v-omega driving, motors and servos, sensors by number, radio, sound and console."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Drive, Offer, Session, Tree, Unit, Wiring
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.console import Console, console, offers
from understudy.robots.eyebot.inputs import Bump, IoLines
from understudy.robots.eyebot.keys import KEY_ORDERS, Keys
from understudy.robots.eyebot.lcd import Lcd
from understudy.robots.eyebot.lcd_orders import LCD_ORDERS
from understudy.robots.eyebot.motors import CENTRE, MOTORS, SERVOS, Motors
from understudy.robots.eyebot.odometry import WheelOdometry
from understudy.robots.eyebot.pilot import DRIVES, Pilot
from understudy.robots.eyebot.radio import MEDIUM, Radio, message
from understudy.robots.eyebot.sheet import EyebotSheet
from understudy.sensors.base import Device
from understudy.world.changes import Change, Done
from understudy.world.media import Heard
from understudy.world.news import News, Note, Sound
from understudy.world.shapes import Mount, Pose

_VW = (orders.SetSpeed, orders.Straight, orders.Turn, orders.Curve, orders.DriveTo)
_LINES = (orders.DigitalSetup, orders.DigitalWrite, orders.SetInput)
_OWN = (
    orders.SetPosition, orders.Control, orders.MotorDrive, orders.MotorSpeed, orders.MotorPid, orders.EncoderReset,
    orders.ServoSet, orders.ServoRange, orders.RadioPower, orders.RadioSend, orders.RadioTake, orders.Tone,
    orders.PlayFile,
)  # fmt: skip
_STALL_NOTE = "something blocks the robot; its v-omega command ends"
_FULL_CENTIVOLTS = 720  # six cells, if the robot has no battery


@frozen
class EyebotPanel:
    """The console, and what the v-omega interface does."""

    console: Console
    drive: str
    odometry: tuple[float, float, float]
    psd_mm: tuple[int, ...]


class Eyebot(Unit):
    """The controller of an EyeBot."""

    Sheet: ClassVar[type] = EyebotSheet
    inputs: ClassVar[Mapping[str, str]] = EyebotSheet.inputs
    drives: ClassVar[bool] = EyebotSheet.drives
    commands: ClassVar[tuple[type, ...]] = (
        Drive, Session, Heard, *_VW, *_LINES, *KEY_ORDERS, *_OWN, *LCD_ORDERS
    )  # fmt: skip
    ticks: ClassVar[bool] = True
    media: ClassVar[tuple[str, ...]] = (MEDIUM,)

    def __init__(self, sheet: EyebotSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self.wheels, self.pilot, self.motors = WheelOdometry(), Pilot(), Motors()
        self.radio, self.io, self.keys = Radio(), IoLines(), Keys(sheet.console)
        self.lcd = Lcd(sheet.console)
        self.bumps: tuple[Bump, ...] = ()
        self.zeros = [0] * MOTORS  # encoder counts at the last reset
        self.sound_ends_us = 0
        self.controlled = True
        self.now_us = 0
        self._asks: list[Change | News] = []
        self._felt = -1  # readings of the bumpers that were taken
        self.rewire(wiring)

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; counters, motion and console continue."""
        self._wiring, self._drive = wiring, wiring.model.drive
        self.track_m = self._drive.track_m
        self._ticks_per_m = self.sheet.ticks_per_rev / (2.0 * math.pi * self._drive.wheel_radius_m)
        count = _width(self.device("bumper"))
        self.bumps = (*self.bumps, *(Bump() for _ in range(count)))[:count]
        self.psds, self.infrareds = (_width(self.device(name)) for name in ("psd", "ir"))
        self._felt = -1

    def device(self, name: str) -> Device | None:
        """Return a device by the name of its input, or None."""
        return self._wiring.devices.get(name)

    # ---- readings

    def psd_mm(self) -> list[int]:
        """Return the distances of all PSDs (mm)."""
        return _whole(self.device("psd"))

    def infrared(self) -> list[int]:
        """Return 1 for each infra-red sensor that sees something, else 0."""
        return _whole(self.device("ir"))

    def compass_deg(self) -> int:
        """Return the compass; -1: there is none."""
        values = _whole(self.device("compass"))
        return values[0] % 360 if values else -1

    def centivolts(self) -> int:
        """Return the voltage of the battery (0.01 V)."""
        battery = self.device("battery")
        volts = float(battery.read()[0]) if battery is not None and battery.stamp_us >= 0 else math.nan
        return round(100.0 * volts) if math.isfinite(volts) else _FULL_CENTIVOLTS

    def encoders(self) -> list[int]:
        """Return the ticks of encoders 1 to 4 since their last reset; negative if a wheel has turned backwards."""
        return [_signed(count - zero) for count, zero in zip(self._counts(), self.zeros)]

    def _counts(self) -> list[int]:
        """Return the ticks of all encoders, which have 32 bits."""
        return [_signed(math.floor(way * self._ticks_per_m)) for way in self.wheels.wheels_m()]

    @property
    def stalled(self) -> int:
        """Return which motors are stalled: 0 none, 1 left, 2 right, 3 both."""
        return 3 if self.pilot.stalled else 0

    @property
    def remaining_m(self) -> float:
        """Return what remains of a v-omega drive (m; rad of a turn)."""
        return self.pilot.remaining_m(self.wheels)

    @property
    def sounding(self) -> bool:
        """Return whether a sound is playing."""
        return self.now_us < self.sound_ends_us

    @property
    def drive_kind(self) -> str:
        """Return the kind of drive: differential, omni, ackermann ..."""
        return self._drive.kind

    @property
    def m_per_tick(self) -> float:
        """Return the way of a wheel for each tick of its encoder (m)."""
        return 1.0 / self._ticks_per_m

    def servo(self, number: int) -> int:
        """Return the position of a servo, 0 to 255; -1 if there is none."""
        return round(self.motors.positions[number - 1]) if 1 <= number <= SERVOS else -1

    def camera_mount(self, mount: Mount) -> Mount:
        """Return where the camera looks, turned by servos 1 (pan) and 2 (tilt)."""
        pan, tilt = ((CENTRE - self.motors.positions[n]) / CENTRE for n in (0, 1))
        pan_rad, tilt_rad = pan * self.sheet.pan_rad, tilt * self.sheet.tilt_rad
        return replace(mount, pitch_rad=mount.pitch_rad + tilt_rad, yaw_rad=mount.yaw_rad + pan_rad)

    # ---- orders

    def order(self, command: Any) -> None:
        """Take one command; numbers of motors and servos that do not exist are ignored."""
        if isinstance(command, _VW):
            self.motors.release()
            self.pilot.order(command, self.sheet, self.wheels)
        elif isinstance(command, Drive):
            self.motors.release()
            self.pilot.order(orders.SetSpeed(command.m_s, command.rad_s, command.lateral_m_s), self.sheet, self.wheels)
        elif isinstance(command, LCD_ORDERS):
            self.lcd.take(command)
        elif isinstance(command, KEY_ORDERS):
            self.keys.take(command)
        elif isinstance(command, _LINES):
            self.io.order(command)
        elif isinstance(command, Heard):
            self.radio.hear(command, self.sheet.radio_bytes)
        elif not isinstance(command, self.commands):
            names = ", ".join(kind.__name__ for kind in self.commands)
            raise TypeError(f"eyebot takes {names}, not {command!r}")
        else:
            self._obey(command)

    def _obey(self, command: Any) -> None:
        match command:
            case orders.SetPosition(x_m, y_m, rad):
                self.wheels.set(x_m, y_m, rad)
            case orders.Control(on):
                self.controlled = on
            case orders.RadioPower(on):
                self.radio.power(on)
            case orders.RadioSend(robot, data):
                if self.radio.on:
                    self._asks.append(message(robot, data))
            case orders.RadioTake(number):
                self.radio.take(number)
            case orders.Tone(hertz, duration_us):
                self._sound(duration_us, float(hertz))
            case orders.PlayFile(duration_us, name):
                self._asks.append(Note(f"plays {name}"))
                self._sound(duration_us, 0.0)
            case _:
                self._turn(command)

    def _turn(self, command: Any) -> None:
        """Take a command for a motor, an encoder or a servo."""
        motors = self.motors
        match command:
            case orders.MotorDrive(motor, percent) if 1 <= motor <= MOTORS:
                self._power(motor, max(-100, min(100, percent)) / 100 * self.sheet.motor_m_s)
            case orders.MotorSpeed(motor, ticks) if 1 <= motor <= MOTORS:
                most = self._drive.max_m_s
                self._power(motor, max(-most, min(most, ticks * 100 / self._ticks_per_m)))
            case orders.MotorPid(motor, p, i, d) if 1 <= motor <= MOTORS:
                motors.pids[motor - 1] = [p, i, d]
            case orders.EncoderReset(encoder) if 1 <= encoder <= MOTORS:
                self.zeros[encoder - 1] = self._counts()[encoder - 1]
            case orders.ServoSet(servo, position) if 1 <= servo <= SERVOS:
                low, high = motors.ranges[servo - 1]
                motors.aims[servo - 1] = float(max(low, min(high, position)))
            case orders.ServoRange(servo, low, high) if 1 <= servo <= SERVOS:
                motors.ranges[servo - 1] = sorted((max(0, min(255, low)), max(0, min(255, high))))

    def _power(self, motor: int, m_s: float) -> None:
        self.pilot.stop()
        self.motors.on = True
        self.motors.speeds[motor - 1] = m_s

    def _sound(self, duration_us: int, hertz: float) -> None:
        duration_us = max(0, min(duration_us, 3_600_000_000))
        self.sound_ends_us = self.now_us + duration_us
        if hertz > 0.0 and duration_us:
            self._asks.append(Sound(((duration_us / 1e6, hertz),)))

    # ---- time

    def tick(self, now_us: int, dt_us: int) -> None:
        """Take the encoders and bumpers, move servos, and set the wheels."""
        if not dt_us:
            return
        self.now_us = now_us
        self.wheels.update(self.device("encoders"), self.track_m)
        if self.bumps:
            self._feel(now_us)
        self.motors.move_servos(dt_us / 1e6, (self.sheet.pan_rad, self.sheet.tilt_rad))
        if self.motors.on:
            self._wiring.wheels.set(self.motors.motion(self._drive))
            return
        stalled = self.pilot.stalled
        self._wiring.wheels.set(self.pilot.tick(dt_us, self.sheet, self.wheels))
        self._note_stall(stalled)

    def _note_stall(self, before: bool) -> None:
        if self.pilot.stalled and not before:
            self._asks.append(Note(_STALL_NOTE, "warning"))

    def before_leap(self, first_us: int) -> bool:
        """Do what the first of many ticks would do besides driving; returns whether motors are driven by number."""
        if self.bumps:
            self._feel(first_us)
        if self.motors.on:
            self._wiring.wheels.set(self.motors.motion(self._drive))
        return self.motors.on

    def after_leap(self, now_us: int, wheels: WheelOdometry, pilot: Pilot) -> None:
        """Take odometry and pilot as they are after many ticks that were made elsewhere (`leap`)."""
        self.now_us, self.wheels = now_us, wheels
        if not self.motors.on:
            stalled, self.pilot = self.pilot.stalled, pilot
            self._note_stall(stalled)

    def _feel(self, now_us: int) -> None:
        """Take the bumpers, if they have a new reading."""
        bumper = self.device("bumper")
        if bumper is None or bumper.samples == self._felt:
            return
        self._felt = bumper.samples
        for bump, pressed in zip(self.bumps, _whole(bumper)):
            bump.update(bool(pressed), now_us)

    def asks(self) -> Sequence[Change | News]:
        """Return messages, sounds and notes since the last call."""
        asked, self._asks = self._asks, []
        return asked

    @property
    def asks_something(self) -> bool:
        """Return whether `asks` has something to return."""
        return bool(self._asks)

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    # ---- for others

    def panel(self) -> EyebotPanel:
        """Return the console and the state of the v-omega interface."""
        odometry = self.wheels.x_m, self.wheels.y_m, self.wheels.rad
        shown, drive = console(self.lcd, self.keys, pixels=False), DRIVES[self.pilot.drive]
        return EyebotPanel(shown, drive, odometry, tuple(self.psd_mm()))

    def offers(self) -> tuple[Offer, ...]:
        """Return the four keys, with the labels of the menu."""
        return offers(self.lcd)

    def pose_estimate(self) -> Pose:
        """Return the pose by odometry (m, rad)."""
        return Pose(self.wheels.x_m, self.wheels.y_m, heading_rad=self.wheels.rad)

    def state(self) -> Tree:
        """Return everything that later ticks depend on."""
        return {**self._core(), "lcd": self.lcd.state()}

    def digest(self) -> Tree:
        """Return the state, with a checksum in place of the pictures on the LCD."""
        return {**self._core(), "lcd": self.lcd.digest()}

    def _core(self) -> Tree:
        return {
            "wheels": asdict(self.wheels),
            "pilot": self.pilot.state(),
            "motors": asdict(self.motors),
            "radio": {**asdict(self.radio), "waiting": [list(kept) for kept in self.radio.waiting]},
            "io": asdict(self.io),
            "keys": self.keys.state(),
            "bumps": [asdict(bump) for bump in self.bumps],
            "zeros": list(self.zeros),
            "sound_ends_us": self.sound_ends_us,
            "controlled": self.controlled,
            "now_us": self.now_us,
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self.wheels, self.pilot = WheelOdometry(**state["wheels"]), Pilot.of(state["pilot"])
        self.motors, self.io = Motors(**state["motors"]), IoLines(**state["io"])
        kept = [(number, robot, bytes(data)) for number, robot, data in state["radio"]["waiting"]]
        self.radio = Radio(**{**state["radio"], "waiting": kept})
        self.keys.restore(state["keys"])
        self.lcd.restore(state["lcd"])
        self.bumps = tuple(Bump(**bump) for bump in state["bumps"])
        self.zeros, self.sound_ends_us = list(state["zeros"]), state["sound_ends_us"]
        self.controlled, self.now_us = state["controlled"], state["now_us"]
        self._felt = -1


def _signed(number: int) -> int:
    """Return the lowest 32 bits of a whole number, as a signed one."""
    return (number + 0x8000_0000 & 0xFFFF_FFFF) - 0x8000_0000


def _width(device: Device | None) -> int:
    return len(device.sheet.columns()) if device else 0


def _whole(device: Device | None) -> list[int]:
    """Return the newest reading as whole numbers; 0 for values that are missing."""
    if device is None:
        return []
    return [round(value) if math.isfinite(value) else 0 for value in device.read().tolist()]
