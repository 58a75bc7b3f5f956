"""The firmware of a Pioneer (ARCOS) as MobileSim imitates it: sessions, motion, watchdog, odometry, stall, scanners.

Numbers and rules follow MobileSim 0.9.8 and its manual, and the real robot's firmware where the settings say so. One
bug is not copied: MobileSim reverses from +v to -v in one step because it compares magnitudes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Drive, Offer, Session, Sessions, Tree, TruePlace, Unit, Wiring
from understudy.robots.nmea_gps import NmeaGps, NmeaGpsSheet
from understudy.robots.pioneer import orders
from understudy.robots.pioneer.deck import FRONT, REAR, Deck
from understudy.robots.pioneer.drive import LIMITS, MOTION, REST, DriveTrain
from understudy.robots.pioneer.laser import Scanners
from understudy.robots.pioneer.odometry import OdometryErrors, WheelOdometry, miscounts
from understudy.robots.pioneer.sheet import PioneerSheet
from understudy.units import US_PER_S, wrap_rad
from understudy.world.changes import Change, Done, Move
from understudy.world.news import News, Note
from understudy.world.shapes import Mount, Pose

_DECK = (
    orders.DigitalOut, orders.DigitalIn, orders.AnalogIn, orders.SelectAnalog, orders.Grip, orders.GripValue,
    orders.ServoPulse, orders.BatteryTest, orders.HeatTest, orders.TemperatureTest, orders.Beep, orders.PlaySound,
    orders.SoundOn,
)  # fmt: skip
_OTHER = (
    orders.Stop, orders.QuickStop, orders.Enable, orders.BumpStall, orders.SetOdometry, orders.SwitchSonar,
    orders.SetLaser, orders.Pulse, orders.Joystick, orders.JoyDrive, orders.PlaceRobot, orders.Describe,
)  # fmt: skip


@dataclass(slots=True)
class Memory:
    """The state of the firmware, except drive, deck and scanners."""

    odometry: WheelOdometry = WheelOdometry()
    motors_on: bool = True
    sonar_on: bool = True
    silent_us: int = 0
    lapsed: bool = False  # the watchdog has fired since the last order
    bump_rings: int = 0  # which bumpers count as a stall
    bumped: int = 0  # which of them are pressed
    joy_drive: bool = False


@frozen
class PioneerPanel:
    """The indicators and numbers of the robot's deck (m, rad)."""

    motors_on: bool
    sonar_on: bool
    session: bool
    lapsed: bool
    stalled: bool
    x_m: float
    y_m: float
    heading_rad: float
    m_s: float
    rad_s: float
    decivolts: int
    digital_out: int
    pan_deg: float
    tilt_deg: float
    holding: bool
    lasers: tuple[int, ...]  # mode of each


class Pioneer(Unit):
    """The firmware unit of a Pioneer.

    Motors are on at the start, off after a session, and on again after ENABLE or a program's Drive.
    """

    Sheet: ClassVar[type] = PioneerSheet
    inputs: ClassVar[Mapping[str, str]] = PioneerSheet.inputs
    drives: ClassVar[bool] = PioneerSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session, *MOTION, *LIMITS, *_DECK, *_OTHER)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: PioneerSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self.drive = DriveTrain(sheet)
        self.deck = Deck(sheet)
        self.scanners = Scanners(sheet.laser_nothing_mm)
        self._memory = Memory()
        self._sessions = Sessions()
        self._requests: list[Change | News] = []
        self.rewire(wiring)
        self._set_odometry(orders.SetOdometry())

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; odometry and motion continue."""
        self._wiring = wiring
        self._wheels, self._track_m = wiring.devices.get("wheels"), wiring.model.drive.track_m
        self._first_errors = miscounts(self.sheet, wiring.key, 0)
        self.drive.rewire(wiring.model)
        self.deck.rewire(wiring)
        self.scanners.rewire(wiring.devices)
        self.gps = self._receiver()  # on an auxiliary port

    def _receiver(self) -> NmeaGps | None:
        gps = self._wiring.devices.get("gps")
        if gps is None or self.sheet.exact or not self.sheet.gps_aux:
            return None
        return NmeaGps(NmeaGpsSheet(), dataclasses.replace(self._wiring, devices={"gps": gps}))

    # ---- readings

    @property
    def in_session(self) -> bool:
        """Return whether a client is connected to one of its ports."""
        return bool(self._sessions.ports)

    @property
    def motors_on(self) -> bool:
        """Return whether the motors are on."""
        return self._memory.motors_on

    @property
    def has_sonar(self) -> bool:
        """Return whether the robot has a sonar."""
        return "sonar" in self._wiring.devices

    @property
    def sonar_on(self) -> bool:
        """Return whether there is a sonar and it is on."""
        return self.has_sonar and self._memory.sonar_on

    @property
    def odometry(self) -> WheelOdometry:
        """Return the odometry up to the newest wheel reading."""
        odometry, wheels = self._memory.odometry, self._wheels
        if wheels is None or wheels.stamp_us == odometry.stamp_us:
            return odometry
        return odometry.advanced(wheels.read(), wheels.stamp_us, self._track_m, self._errors(wheels.stamp_us))

    def pose_estimate(self) -> Pose:
        """Return the pose by the odometry (m, rad)."""
        at = self.odometry
        return Pose(at.x_m, at.y_m, heading_rad=at.heading_rad)

    def _errors(self, stamp_us: int) -> OdometryErrors:
        if self.sheet.odometry_errors != "always":
            return self._first_errors
        return miscounts(self.sheet, self._wiring.key, stamp_us)

    @property
    def errors(self) -> OdometryErrors:
        """Return the current relative errors of distance ahead, distance sideways and rotation."""
        return self._errors(self._memory.odometry.stamp_us)

    @property
    def stalled(self) -> bool:
        """Return whether the wheels are blocked, or a bumper is pressed that counts as a stall."""
        return self.odometry.stalled or bool(self._memory.bumped)

    @property
    def ranges_m(self) -> tuple[float, ...]:
        """Return the newest range of each sonar (m); empty before the first reading or while off."""
        if not self.sonar_on or self._wiring.devices["sonar"].stamp_us < 0:
            return ()
        most, absent = self.sheet.sonar_max_m, self.sheet.absent_sonars
        readings = self._wiring.devices["sonar"].read().tolist()
        present = (value if 0.0 <= value <= most else most for value in readings)
        if not absent:
            return tuple(present)
        return tuple(most if n in absent else next(present, most) for n in range(len(readings) + len(absent)))

    @property
    def here(self) -> TruePlace | None:
        """Return the ground truth of the simulator: the true pose and the map; None on a workbench."""
        return self._wiring.here

    @property
    def antenna(self) -> Mount:
        """Return the mount of the GPS antenna."""
        mounts = (device.mount for device in self._wiring.model.devices if device.sheet.kind == "gps")
        return next(mounts, Mount())

    @property
    def devices(self) -> tuple[tuple[str, str], ...]:
        """Return name and kind of the devices that MobileSim lists: sonar and lasers."""
        listed = [name for name in self._wiring.devices if name == "sonar" or name.startswith("laser")]
        return tuple((self._wiring.devices[name].name, name.rstrip("1234")) for name in listed)

    # ---- orders

    def order(self, command: Any) -> None:
        """Take one command; every command resets the watchdog."""
        self._memory.silent_us, self._memory.lapsed = 0, False
        if isinstance(command, MOTION):
            if self._memory.motors_on:  # otherwise it is discarded, not queued
                self.drive.move(command)
        elif isinstance(command, LIMITS):
            self.drive.limit(command)
        elif isinstance(command, _DECK):
            self._requests += self.deck.order(command)
        else:
            self._obey(command)

    def _obey(self, command: Any) -> None:
        memory = self._memory
        match command:
            case orders.Pulse():
                pass
            case Drive():
                memory.motors_on = True
                self.drive.go(command)
            case orders.Stop():
                self.drive.go(REST)
            case orders.QuickStop():
                self.drive.stop_quickly()
            case orders.Enable():
                self._enable(command.on)
            case orders.SetOdometry():
                self._set_odometry(command)
            case orders.SwitchSonar():
                memory.sonar_on = command.on
            case orders.BumpStall():
                memory.bump_rings, memory.bumped = command.rings & (FRONT | REAR), 0
            case orders.SetLaser():
                if refusal := self.scanners.set(command):
                    self._requests.append(Note(refusal, "warning"))
            case orders.JoyDrive():
                memory.joy_drive = command.on
            case orders.Joystick():
                self._joystick(command)
            case orders.PlaceRobot():
                self._place(command)
            case orders.Describe():
                self._requests.append(Note(f"{command.why} {self.panel()}".strip()))
            case Session():
                if self._sessions.take(command):
                    self._session(command.open)
            case _:
                names = ", ".join(kind.__name__ for kind in self.commands)
                raise TypeError(f"pioneer accepts {names}, not {command!r}")

    def _enable(self, on: bool) -> None:
        self._memory.motors_on = on
        if not on:
            self.drive.go(REST)

    def _set_odometry(self, place: orders.SetOdometry) -> None:
        heading = wrap_rad(place.heading_rad)
        self._memory.odometry = self.odometry._replace(x_m=place.x_m, y_m=place.y_m, heading_rad=heading)

    def _joystick(self, stick: orders.Joystick) -> None:
        """Let the joystick drive while its button is pressed, if no client is connected or the client allows it."""
        was_pressed = self.deck.joystick.fire
        self.deck.order(stick)
        if self.in_session and not self._memory.joy_drive:
            return
        if stick.fire:
            most, _, most_turn = self.drive.most
            self._memory.motors_on = True
            self.drive.go(Drive(stick.y * stick.throttle * most, -stick.x * stick.throttle * most_turn))
        elif was_pressed:
            self.drive.go(REST)

    def _place(self, place: orders.PlaceRobot) -> None:
        if self.here is None:
            return
        given = {name: value for name, value in dataclasses.asdict(place).items() if value is not None}
        moves = [each.pose for each in self._requests if isinstance(each, Move)]  # x and y may come in the same tick
        start = moves[-1] if moves else self.here.pose()
        self._requests.append(Move(self._wiring.robot, dataclasses.replace(start, **given)))

    def _session(self, opened: bool) -> None:
        """Start with odometry zero and sonar on, or end with motors, sonar and lasers off; reset all settings."""
        memory = self._memory
        memory.sonar_on = opened
        memory.bump_rings, memory.bumped, memory.joy_drive = 0, 0, False
        self.drive.forget_limits()
        self.scanners.forget()
        self.deck.forget()
        self._set_odometry(orders.SetOdometry())
        if not opened:
            self._enable(False)

    # ---- time

    def tick(self, now_us: int, dt_us: int) -> None:
        """Update odometry, watchdog and ramps, and set the wheels; does nothing while time is paused."""
        if not dt_us:
            return
        memory, dt_s = self._memory, dt_us / US_PER_S
        before, now = memory.odometry, self.odometry
        memory.odometry = now
        if self.in_session:
            self._watch(dt_us)
        if memory.bump_rings:
            self._bump()
        held = memory.lapsed and self.sheet.watchdog == "stop"
        self._wiring.wheels.set(self.drive.advance(before, now, dt_s, held))
        if self.deck.has_gripper:
            self._requests += self.deck.tick(dt_s)

    def _watch(self, dt_us: int) -> None:
        memory, limit = self._memory, self.sheet.watchdog_us
        if limit and memory.silent_us >= limit and not memory.lapsed:
            memory.lapsed = True
            after = "the robot stops until the next one" if self.sheet.watchdog == "stop" else "the robot keeps moving"
            self._requests.append(Note(f"no packet for {limit / US_PER_S:g} s; {after}", "warning"))
        memory.silent_us += dt_us

    def _bump(self) -> None:
        """Stop a robot that drives towards a pressed bumper that counts as a stall; it can still drive away."""
        memory = self._memory
        front, rear = self.deck.bumpers
        memory.bumped = memory.bump_rings & (FRONT * bool(front) | REAR * bool(rear))
        self.drive.stop_at(bool(memory.bumped & FRONT), bool(memory.bumped & REAR))

    # ---- requests

    def asks(self) -> Sequence[Change | News]:
        """Return the firmware's requests and news since the last call."""
        if not self._requests and not self.scanners.detuned:
            return ()
        requests, self._requests = [*self._requests, *self.scanners.asks(self.in_session)], []
        return requests

    def done(self, outcome: Done) -> None:
        """Receive the outcome of a request."""
        self.deck.done(outcome)

    # ---- panel and state

    def panel(self) -> PioneerPanel:
        """Return indicators, odometry, speed and accessories."""
        memory, at, deck = self._memory, self.odometry, self.deck
        return PioneerPanel(
            memory.motors_on, self.sonar_on, self.in_session, memory.lapsed, self.stalled,
            at.x_m, at.y_m, at.heading_rad, at.m_s, at.rad_s, deck.decivolts, deck.memory.digital_out,
            *deck.pan_tilt_deg, deck.memory.gripper.holding, self.scanners.modes,
        )  # fmt: skip

    def offers(self) -> tuple[Offer, ...]:
        """Return the buttons: the motors, switched as the client's ENABLE does."""
        on = self._memory.motors_on
        return (Offer("motors off" if on else "motors on", orders.Enable(not on)),)

    def state(self) -> Tree:
        """Return the complete state of the firmware."""
        own = dataclasses.asdict(self._memory) | {"odometry": self._memory.odometry._asdict()}
        parts = {"drive": self.drive.state(), "deck": self.deck.state(), "scanners": self.scanners.state()}
        return {"own": own, "sessions": list(self._sessions.ports), **parts}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically."""
        own = state["own"]
        self._memory = Memory(**{**own, "odometry": WheelOdometry(**own["odometry"])})
        self._sessions.ports = list(state["sessions"])
        self.drive.restore(state["drive"])
        self.deck.restore(state["deck"])
        self.scanners.restore(state["scanners"])
