"""The firmware of a Roomba or Create: modes and safety, wheels, counters, songs, charging, built-in behaviours.

Whatever the serial port's opcodes mean ends here as one of the commands of `orders`; what a mode forbids is ignored.
There is no watchdog: the last drive command holds, also when the client has disconnected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np

from understudy.rng import uniform
from understudy.robots.base import Drive, Session, Sessions, Tree, Unit, Wiring
from understudy.robots.roomba import modes, orders
from understudy.robots.roomba.beams import Beams
from understudy.robots.roomba.deck import Deck
from understudy.robots.roomba.jukebox import Jukebox, hertz
from understudy.robots.roomba.memory import Asked, Memory, RoombaPanel
from understudy.robots.roomba.odometer import WheelCounters
from understudy.robots.roomba.pilot import BEHAVIOURS, CLEANING, Around, Pilot
from understudy.robots.roomba.power import BatteryState, Power
from understudy.robots.roomba.readings import READINGS
from understudy.robots.roomba.senses import BodySenses
from understudy.robots.roomba.sheet import GENERATIONS, Generation, RoombaSheet
from understudy.robots.roomba.steering import MOST_MM_S, MOST_PWM, WheelSpeeds, arc, backs_off_tightly, clip
from understudy.robots.roomba.waits import CurrentWait
from understudy.sensors.base import Device
from understudy.units import US_PER_S
from understudy.world.changes import Change, Done
from understudy.world.media import Heard, Message
from understudy.world.news import News, Note, Sound
from understudy.world.shapes import Mount

IR_REACH_M = 3.0  # of the diode for Send IR
LOW_BATTERY = 0.05
DUSTY_M_S = 0.3  # at this speed a brush on dirt gives the strongest signal
_STAGE = np.uint64(1)
_MUSIC = {"pachelbel": 62, "banjo": 67}  # note of a bump
_DECK = (
    orders.Motors, orders.Leds, orders.ScheduleLeds, orders.Digits, orders.DigitalOut, orders.Schedule,
    orders.SetClock, orders.StoreScript, orders.CargoBay,
)  # fmt: skip
_DRIVE = (orders.DriveArc, orders.DriveWheels, orders.DrivePwm)
_OWN = (
    orders.Enter, orders.Resume, orders.PowerDown, orders.Restart, orders.Wake, orders.Behave, orders.SendIr,
    orders.Song, orders.Play, orders.PushButtons, orders.ReadScript, orders.Wait, orders.AskWait, orders.Identify,
    orders.AskMode, orders.Sense, orders.Streaming, orders.Cable,
)  # fmt: skip
_QUIET = (orders.Sense, orders.AskWait)  # streams and scripts ask too; a client's question comes with AskMode
_DEAF = (Drive, orders.Wake, orders.Identify, orders.AskMode, orders.Cable, orders.CargoBay, orders.PushButtons)


class Roomba(Unit):
    """The firmware unit of a Roomba or Create."""

    Sheet: ClassVar[type] = RoombaSheet
    inputs: ClassVar[Mapping[str, str]] = RoombaSheet.inputs
    drives: ClassVar[bool] = RoombaSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session, Heard, *_DRIVE, *_DECK, *_OWN)
    ticks: ClassVar[bool] = True
    media: ClassVar[tuple[str, ...]] = ("infrared",)

    sheet: RoombaSheet
    generation: Generation
    senses: BodySenses
    beams: Beams
    odometer: WheelCounters
    power: Power
    deck: Deck
    jukebox: Jukebox
    pilot: Pilot
    asked: Asked
    wait: CurrentWait
    speeds: WheelSpeeds

    def __init__(self, sheet: RoombaSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self.generation = GENERATIONS[sheet.generation]
        self._sessions = Sessions()
        self._requests: list[Change | News] = []
        self.beams = Beams(self.generation)
        self.odometer, self.power, self.deck = WheelCounters(), Power(), Deck()
        self.jukebox, self.pilot = Jukebox(), Pilot()
        self.asked, self.wait = Asked(), CurrentWait()
        self._memory, self.speeds = Memory(), WheelSpeeds()
        self.rewire(wiring)

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; counters and motion continue."""
        self._wiring, self._track_m = wiring, wiring.model.drive.track_m
        self.senses = BodySenses(wiring.devices)

    # ---- readings

    @property
    def mode(self) -> orders.Mode:
        """Return the mode."""
        return self._memory.mode

    @property
    def gauge(self) -> BatteryState:
        """Return the state of the battery."""
        return self.power.gauge(self.device("battery"), self.device("thermometer"), self.sheet)

    @property
    def charging(self) -> int:
        """Return the charging state."""
        return self.power.state(self.device("battery"), self.device("thermometer"), self.sheet)

    @property
    def true_m_s(self) -> float:
        """Return the true speed ahead, which the castor's sensor feels (m/s)."""
        return self._wiring.wheels.twist().ahead_m_s

    def dirt(self, left_m: float) -> float:
        """Return how much dirt the brush throws against a sensor that is so far left of the middle (0 to 1)."""
        here, brush = self._wiring.here, abs(self.deck.motors[0])
        if here is None or not brush or not here.dirty(Mount(y_m=left_m)):
            return 0.0
        return brush * min(1.0, abs(self.true_m_s) / DUSTY_M_S)

    def device(self, name: str) -> Device | None:
        """Return a device by the name of its input, or None."""
        return self._wiring.devices.get(name)

    # ---- orders

    def order(self, command: Any) -> Any:
        """Take one command; returns the reply to a question. What the mode forbids is ignored."""
        if isinstance(command, Heard):
            self.beams.hear(command, self._memory.now_us)
            return None
        if isinstance(command, Session):
            self._session(command)
            return None
        if not isinstance(command, self.commands):
            names = ", ".join(kind.__name__ for kind in self.commands)
            raise TypeError(f"roomba takes {names}, not {command!r}")
        if self._memory.asleep and not isinstance(command, _DEAF):
            return None
        if not isinstance(command, _QUIET):
            self._memory.quiet_us = 0
        if not modes.allows(self.mode, command):
            return None
        if isinstance(command, Drive):
            self.speeds = WheelSpeeds(
                command.m_s - command.rad_s * self._track_m / 2, command.m_s + command.rad_s * self._track_m / 2
            )
            self.pilot.stop()
            return None
        if isinstance(command, _DRIVE):
            self._drive(command)
            return None
        return self._obey(command)

    def _session(self, session: Session) -> None:
        """Note a client; opening a serial port pulses the line that wakes the robot."""
        self._sessions.take(session)
        if session.open:
            self._wake()

    def _drive(self, command: Any) -> None:
        asked, most = self.asked, self.sheet.max_m_s
        match command:
            case orders.DriveArc(mm_s, radius_mm):
                asked.mm_s, asked.radius_mm = clip(mm_s, MOST_MM_S), radius_mm
                self.speeds = arc(mm_s, radius_mm, self._track_m)
            case orders.DriveWheels(right, left):
                asked.right_mm_s, asked.left_mm_s = clip(right, MOST_MM_S), clip(left, MOST_MM_S)
                self.speeds = WheelSpeeds(asked.left_mm_s / 1000, asked.right_mm_s / 1000)
            case orders.DrivePwm(right, left):
                self.speeds = WheelSpeeds(
                    clip(left, MOST_PWM) / MOST_PWM * most, clip(right, MOST_PWM) / MOST_PWM * most
                )
        self.speeds = self.speeds.within(most)

    def _obey(self, command: Any) -> Any:
        memory = self._memory
        match command:
            case orders.Enter(way):
                mode = modes.after(self.mode, way, self.generation.strict)
                if mode is not None:
                    self._enter(mode)
            case orders.Resume(mode):
                self._enter(mode)
            case orders.PowerDown():
                self._enter("passive")
            case orders.Restart():
                self._enter("off")
                self.asked = Asked()
                return orders.Banner(f"bl-start\r\n{self.generation.label}, simulated by Understudy\r\n")
            case orders.Wake():
                self._wake()
            case orders.Behave(name):
                self._behave(name)
            case orders.PushButtons(bits):
                self.deck.order(command, memory.now_us)
                self._pushed(bits)
            case orders.Cable(plugged):
                self.power.cable = plugged
            case orders.Streaming(packets):
                self.asked.stream = packets
            case orders.SendIr(code):
                self._requests.append(Message("infrared", bytes([code & 0xFF]), IR_REACH_M))
            case orders.Song():
                self.jukebox.define(command, self.generation.songs)
            case orders.Play(number):
                if sound := self.jukebox.play(number, memory.now_us):
                    self._requests.append(sound)
            case _ if isinstance(command, _DECK):
                self.deck.order(command, memory.now_us)
            case _:
                return self._answer(command)
        return None

    def _answer(self, question: Any) -> Any:
        match question:
            case orders.Identify():
                return orders.Identity(self.sheet.generation)
            case orders.AskMode():
                return orders.ModeIs(self.mode)
            case orders.Sense(names) if all(name in READINGS for name in names):
                self.odometer.update(self.device("wheels"), self._track_m)
                return orders.Sensed(tuple(round(READINGS[name](self)) for name in names))
            case orders.ReadScript():
                return orders.Script(tuple(self.deck.script))
            case orders.Wait():
                self.wait.begin(question, self.odometer)
            case orders.AskWait():
                return orders.WaitState(self.wait.is_over(self))
        return None

    # ---- modes

    def _enter(self, mode: orders.Mode) -> None:
        """Change the mode: wheels, brushes and behaviours stop on the way to passive and off."""
        self.pilot.stop()
        if mode in ("off", "passive"):
            self.speeds = WheelSpeeds()
            self.deck.switch_off()
        if mode == "off":
            self.wait = CurrentWait()
        self._memory.mode = mode

    def _wake(self) -> None:
        self._memory.asleep, self._memory.quiet_us = False, 0

    def _behave(self, name: str) -> None:
        """Start a behaviour in passive mode, or end it."""
        self._enter("passive")
        if name in BEHAVIOURS:
            self.pilot.start(name)
            if name in CLEANING:
                self.deck.motors = [1.0, 1.0, 1.0]

    def _pushed(self, bits: int) -> None:
        """Start the behaviour of a button, except in the modes that leave the buttons to the client."""
        if self.mode in ("safe", "full"):
            return
        for bit, name in self.generation.buttons.items():
            if bits >> bit & 1:
                self._wake()
                self._behave("stop" if self.pilot.name else name)
                return

    # ---- time

    def tick(self, now_us: int, dt_us: int) -> None:
        """Update counters, timers and charge, look after safety, and set the wheels."""
        if not dt_us:
            return
        memory = self._memory
        memory.now_us = now_us
        self.wait.passed_us += dt_us
        self.odometer.update(self.device("wheels"), self._track_m)
        self.beams.fade(now_us)
        self.deck.go_on(now_us)
        self.jukebox.go_on(now_us)
        self.power.docked = self.beams.docked(self.sheet.dock_m)
        self.power.charge(self.device("battery"), self.device("thermometer"), self.sheet, dt_us / US_PER_S)
        self._look_after_safety()
        if self.power.is_empty(self.device("battery")):
            self._enter("off")
        elif self.deck.cleaning_is_due(now_us, dt_us) and memory.mode in ("off", "passive"):
            self._wake()
            self._behave("clean")
        self._fall_asleep(dt_us)
        if self.pilot.name:
            self._follow_pilot(dt_us)
        self._wiring.wheels.set(self.speeds.motion(self._track_m))

    def _look_after_safety(self) -> None:
        """End safe mode where it is dangerous; the client only sees the mode, the log also has the reason."""
        if self.mode == "safe" and (reason := self._danger()):
            self._requests.append(Note(f"safe mode ends: {reason}"))
            self._enter("passive")

    def _danger(self) -> str:
        """Return why safe mode has to end; empty: it need not."""
        if any(self.senses.drops):
            return "a wheel has dropped"
        if self.power.sources:
            return "the charger is connected"
        ahead = self.speeds.left + self.speeds.right > 0.0
        reach_m = self._wiring.model.body.reach_m()
        moving = ahead or backs_off_tightly(self.speeds, self._track_m, reach_m)
        return "there is a cliff" if moving and any(self.senses.cliffs) else ""

    def _fall_asleep(self, dt_us: int) -> None:
        memory, limit = self._memory, self.sheet.sleep_us
        memory.quiet_us += dt_us
        idle = memory.mode == "passive" and not self.pilot.name and not self.power.sources
        if limit and idle and memory.quiet_us >= limit:
            self._enter("off")
            memory.asleep = True

    def _follow_pilot(self, dt_us: int) -> None:
        pilot, around = self.pilot, self._around()
        bumped = around.left_bump or around.right_bump
        if pilot.name in _MUSIC and bumped and not pilot.bumped:
            self._requests.append(Sound(((0.25, hertz(_MUSIC[pilot.name])),)))
        pilot.bumped = bumped
        if any(self.senses.drops):  # lifted: the behaviour ends
            pilot.stop()
            self.speeds = WheelSpeeds()
        else:
            self.speeds = pilot.steer(around, self._track_m, dt_us, self._draw).within(self.sheet.max_m_s)
        if not pilot.name:
            self.deck.motors = [0.0, 0.0, 0.0]

    def _around(self) -> Around:
        beams, senses = self.beams, self.senses
        home, newest = beams.home, beams.newest
        return Around(
            *senses.bumps, any(senses.cliffs) or beams.virtual_wall, senses.wall, self.power.docked,
            None if home is None else (home.bearing_rad, home.distance_m), home is None and beams.force_field,
            None if newest is None else newest.bearing_rad, self.gauge.held < LOW_BATTERY,
        )  # fmt: skip

    def _draw(self, number: int) -> float:
        return float(uniform(*self._wiring.key, number, _STAGE, 0))

    # ---- requests

    def asks(self) -> Sequence[Change | News]:
        """Return the sounds and the light that it sends."""
        requests, self._requests = self._requests, []
        return requests

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    # ---- panel and state

    def panel(self) -> RoombaPanel:
        """Return display, lights and instruments."""
        deck, jukebox, gauge, asked = self.deck, self.jukebox, self.gauge, self.asked
        return RoombaPanel(
            self.sheet.generation, self.mode, self._memory.asleep, self.pilot.name, tuple(deck.leds),
            tuple(deck.digits), tuple(deck.motors), jukebox.number if jukebox.playing else -1,
            self.charging, gauge.held, (asked.left_mm_s, asked.right_mm_s),
        )  # fmt: skip

    def state(self) -> Tree:
        """Return the complete state of the firmware."""
        parts = {name: asdict(getattr(self, name)) for name in _PARTS}
        own = {"own": asdict(self._memory), "speeds": list(self.speeds), "beams": self.beams.state()}
        return {**parts, **own, "sessions": list(self._sessions.ports)}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically."""
        for name, kind in _PARTS.items():
            setattr(self, name, kind(**state[name]))
        self._memory, self.speeds = Memory(**state["own"]), WheelSpeeds(*state["speeds"])
        self.beams.restore(state["beams"])
        self._sessions.ports = list(state["sessions"])

    def keep(self) -> Tree:
        """Return songs and script, which stay when the robot is carried back to its start."""
        songs, script = self.jukebox.songs, self.deck.script
        tunes = {number: [list(note) for note in notes] for number, notes in songs.items()}
        return {"songs": tunes, "script": list(script)} if songs or script else {}

    def recall(self, kept: Tree) -> None:
        """Take songs and script of before the reset."""
        self.jukebox.songs, self.deck.script = dict(kept["songs"]), list(kept["script"])


_PARTS: Mapping[str, type] = {
    "odometer": WheelCounters, "power": Power, "deck": Deck, "jukebox": Jukebox, "pilot": Pilot, "asked": Asked,
    "wait": CurrentWait,
}  # fmt: skip
