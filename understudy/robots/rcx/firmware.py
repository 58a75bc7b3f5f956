"""An RCX as a unit: devices on its ports, motors on its outputs, a virtual machine between them.

The machine's time passes in milliseconds within each tick, whatever the engine's step is. Readings of devices are taken
once per tick, and outputs are set at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any, ClassVar

import numpy as np

from understudy.errors import FormatError
from understudy.formats.rcx.disasm import text_of
from understudy.formats.rcx.icon_text import compile_icons
from understudy.formats.rcx.icon_words import Setting
from understudy.formats.rcx.icons import IconProgram
from understudy.formats.rcx.image import RcxImage, read_image
from understudy.formats.rcx.isa import RcxFirmware
from understudy.formats.rcx.lasm import assemble
from understudy.frozen import frozen
from understudy.rng import uniform
from understudy.robots.base import Offer, Session, Tree, Unit, Wiring
from understudy.robots.rcx.direct import Direct, DownloadState
from understudy.robots.rcx.face import VIEWS
from understudy.robots.rcx.machine import MOST_CODE, OUTSIDE, Machine, line_of
from understudy.robots.rcx.orders import LoadProgram, PressButton, RcxReply, RcxRequest
from understudy.robots.rcx.packets import unpacked
from understudy.robots.rcx.registers import FLOAT, MOTORS, OFF, ON, OutputDrive
from understudy.robots.rcx.sheet import PORTS, RcxSheet
from understudy.robots.rcx.signals import signal_of, type_of
from understudy.robots.rcx.tasks import SLOTS
from understudy.robots.rcx.trace import ENDED, MS_US, IconTrace
from understudy.world.changes import Change, Done
from understudy.world.media import Heard, Message
from understudy.world.news import At, News, Note

MS_PER_S = 1000
FULL_MV = 9000
SUFFIXES = (".lasm", ".rcx", ".icons")
SAG_STEP_MV = 50  # change of the battery after which the power of motors is set again
_STAGE = np.uint64(1)
_IDLE = OutputDrive(OFF, 0.0)


@frozen
class RcxTaskPanel:
    """A task as the panel shows it: what it runs now."""

    number: int
    line: int  # of the program's text; 0: it has none
    text: str
    wait_s: float  # seconds left of a wait
    icon: int = 0  # number of the icon, from 1; 0: none
    says: str = ""  # what the icon says
    settings: tuple[Setting, ...] = ()  # its parameters: power, port, threshold, seconds and so on
    ran: int = 0  # line of the instruction that it ran last


@frozen
class RcxPanel:
    """What an RCX shows."""

    on: bool
    firmware: RcxFirmware
    program: str  # name of the file in the selected slot
    slot: int  # 1 to 5, as on the display
    running: bool
    view: str
    display: str
    tasks: tuple[RcxTaskPanel, ...]
    sensors: tuple[int, ...]
    motors: tuple[tuple[str, str, float], ...]  # output, mode, percent
    variables: tuple[int, ...]
    message: int
    battery_mv: int
    launches: int  # how often a user or tool has started a program
    instructions: int  # how many have run since this object was made


def program_of(data: bytes, name: str, firmware: RcxFirmware = "swan") -> RcxImage:
    """Return the program of a file: LASM, icon text or image, by its suffix; raises FormatError."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".rcx":
        return read_image(data, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(f"{name}: not a text in UTF-8 (programs in LASM and icons are text)") from None
    return compile_icons(text, name, firmware) if suffix == ".icons" else assemble(text, name, firmware)


def check_size(image: RcxImage, name: str) -> None:
    """Raise FormatError for a program that is larger than the memory of an empty brick."""
    size = sum(len(part.code) for part in image if part.kind in ("task", "sub"))
    if size > MOST_CODE:
        raise FormatError(
            f"{name}: too large for an RCX: {size:,} bytes of code (it has {MOST_CODE:,} for all programs)"
        )


def load_order(data: bytes, name: str) -> LoadProgram:
    """Return the order that downloads a file and starts it; raises FormatError for one that is not a program."""
    program_of(data, name)
    return LoadProgram(name, data)


class Rcx(Unit):
    """The firmware unit of a LEGO RCX."""

    Sheet: ClassVar[type] = RcxSheet
    inputs: ClassVar[Mapping[str, str]] = RcxSheet.inputs
    drives: ClassVar[bool] = RcxSheet.drives
    outputs: ClassVar[tuple[str, ...]] = RcxSheet.outputs
    commands: ClassVar[tuple[type, ...]] = (Session, Heard, LoadProgram, PressButton, RcxRequest)
    ticks: ClassVar[bool] = True
    media: ClassVar[tuple[str, ...]] = ("infrared",)
    programs: ClassVar[Mapping[str, Callable[[bytes, str], LoadProgram]]] = dict.fromkeys(SUFFIXES, load_order)

    def __init__(self, sheet: RcxSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self.machine = Machine(sheet.version, sheet.pace == "brick", self._draw)
        self.machine.sleep_min = sheet.sleep_min
        self._direct = Direct(self.machine)
        self._trace = IconTrace(self.machine)
        if sheet.trace:
            self.machine.watch = self._trace.saw
        self._outputs: list[OutputDrive | None] = [_IDLE for _ in MOTORS]
        self._powered_mv = FULL_MV  # battery when motors were powered
        self._rest_us = 0
        self._news: list[Change | News] = []
        self._wiring = wiring
        for name, port in zip(PORTS, self.machine.inputs):
            if name in wiring.devices:
                port.plug(type_of(wiring.devices[name]))

    @classmethod
    def check_program(cls, sheet: RcxSheet, data: bytes, name: str) -> None:
        """Raise FormatError for a file that is not a program of this firmware, or does not fit into memory."""
        check_size(program_of(data, name, sheet.version), name)

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; outputs that were set are set again."""
        self._wiring = wiring
        self._outputs = [drive if drive == _IDLE else None for drive in self._outputs]

    def _draw(self, number: int, seed: int) -> float:
        return float(uniform(*self._wiring.key, number, _STAGE, seed))

    # ---- orders

    def order(self, command: Any) -> RcxReply | None:
        """Take one command; a request has a reply if the brick answers it."""
        match command:
            case Session():
                pass
            case Heard(data=data):
                content = unpacked(data)
                if content is not None:
                    self._heard(content)
            case LoadProgram():
                self._load(command)
            case PressButton(button):
                self._press(button)
            case RcxRequest(data):
                reply = self._direct.request(data)
                return None if reply is None else RcxReply(reply)
            case _:
                names = ", ".join(kind.__name__ for kind in self.commands)
                raise TypeError(f"rcx takes {names}, not {command!r}")
        return None

    def _heard(self, content: bytes) -> None:
        """Take a packet of another brick; a message may have a parameter."""
        if content[0] == 0xF7 and len(content) == 4 and self.machine.on:
            self.machine.receive(content[1], int.from_bytes(content[2:4], "little", signed=True))
        else:
            self._direct.request(content)

    def _load(self, command: LoadProgram) -> None:
        machine = self.machine
        try:
            image = program_of(command.data, command.name, self.sheet.version)
        except FormatError as problem:
            self._news.append(Note(f"program not loaded: {problem}", "warning"))
            return
        machine.stop_all()
        for each in image.before:
            self._direct.request(each)
        machine.delete("task")
        machine.delete("sub")
        for fragment in image:
            if fragment.kind in ("task", "sub") and self._fits(len(fragment.code), command.name):
                machine.store(fragment)
        machine.program.name = command.name
        for each in image.after:
            self._direct.request(each)
        if command.start:
            machine.start(0)

    def _fits(self, size: int, name: str) -> bool:
        if size > self.machine.free:
            self._news.append(Note(f"{name}: a part of {size} bytes does not fit into the RCX's memory", "warning"))
            return False
        return True

    def _press(self, button: str) -> None:
        """Do what a button of the brick does; all but one need that it is on."""
        machine = self.machine
        if button == "on-off":
            machine.switch(not machine.on)
        elif not machine.on:
            return
        elif button == "view":
            machine.face.view = (machine.face.view + 1) % len(VIEWS)
        elif button == "prgm" and not machine.running:
            machine.select((machine.slot + 1) % SLOTS)
        elif button == "run" and machine.running:
            machine.stop_all()
            for motor in machine.bank.motors:
                motor.mode = OFF
        elif button == "run":
            machine.start(0)

    # ---- time

    def tick(self, now_us: int, dt_us: int) -> None:
        """Read the ports, run the machine for the milliseconds of the tick, set the outputs."""
        if not dt_us:
            return
        machine = self.machine
        self._feel()
        whole, self._rest_us = divmod(self._rest_us + dt_us, MS_US)
        for _ in range(whole):
            machine.pass_ms()
            if machine.watch is not None:
                self._news += self._trace.news()
        sagged = self._has_sagged()
        for n, drive in enumerate(machine.bank.drives() if machine.on else (OutputDrive(FLOAT, 0.0),) * len(MOTORS)):
            if drive != self._outputs[n] or (sagged and drive.mode == ON):
                self._outputs[n] = drive
                self._power(MOTORS[n], drive)
        self._report()

    def _has_sagged(self) -> bool:
        """Return whether the battery has changed so much that motors turn at another speed."""
        now_mv = self.machine.battery_mv
        sagged = self.sheet.sags and abs(now_mv - self._powered_mv) >= SAG_STEP_MV
        self._powered_mv = now_mv if sagged else self._powered_mv
        return sagged

    def _feel(self) -> None:
        devices, machine = self._wiring.devices, self.machine
        battery = devices.get("battery")
        volts = float(battery.read()[0]) if battery is not None else self.sheet.battery_mv / 1000.0
        machine.battery_mv = round(min(max(volts, 0.0), 32.0) * 1000) if volts == volts else 0
        radius_m = self._wiring.model.drive.wheel_radius_m
        for name, settings, port in zip(PORTS, self.sheet.ports(), machine.inputs):
            if name in devices:
                port.feel(signal_of(devices[name], settings, radius_m))

    def _full_rad_s(self) -> float:
        """Return how fast wheels turn at full power."""
        model = self._wiring.model
        motor = next((unit.motor for unit in model.units if unit.sheet == self.sheet), None)
        rim_m_s = (motor.max_m_s if motor else 0.0) or model.drive.max_m_s
        return rim_m_s / model.drive.wheel_radius_m

    def _power(self, name: str, drive: OutputDrive) -> None:
        output = self._wiring.outputs[name]
        if drive.mode == ON:
            share = self.sheet.share(abs(drive.percent), self._full_rad_s())
            sag = min(self.machine.battery_mv / FULL_MV, 1.0) if self.sheet.sags else 1.0
            output.set(min(max(share * sag, 0.0), 1.0) * (1.0 if drive.percent >= 0.0 else -1.0))
        elif drive.mode == OFF:
            output.brake()
        else:
            output.coast()

    def _report(self) -> None:
        machine, sheet = self.machine, self.sheet
        self._news += [Note(text, "warning") for text in machine.notes]
        self._news += machine.face.new
        self._news += [Message("infrared", data, sheet.far_m if far else sheet.near_m) for data, far in machine.outbox]
        machine.notes, machine.face.new, machine.outbox = [], [], []

    def asks(self) -> Sequence[Change | News]:
        """Return sounds, notes and messages."""
        news, self._news = self._news, []
        return news

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    # ---- panel

    def panel(self) -> RcxPanel:
        """Return display, tasks and registers."""
        machine = self.machine
        drives = machine.bank.drives()
        modes = ("float", "off", "on")
        return RcxPanel(
            machine.on, self.sheet.version, machine.program.name, machine.slot + 1, machine.running,
            VIEWS[machine.face.view], self.display(), tuple(self._task_panels()),
            tuple(port.value for port in machine.inputs),
            tuple((name, modes[drive.mode], drive.percent) for name, drive in zip(MOTORS, drives)),
            tuple(machine.memory[:32]), machine.message, machine.battery_mv, machine.launches,
            machine.instructions,
        )  # fmt: skip

    def _task_panels(self) -> list[RcxTaskPanel]:
        return [self._task_panel(n) for n, task in enumerate(self.machine.tasks) if task.running]

    def _task_panel(self, number: int) -> RcxTaskPanel:
        place = self._position(number)
        fragment, address, _ = self.machine.present(number)
        icon = self._trace.icon(fragment, address)
        settings = icon.settings if icon else ()
        ran = self.machine.last_line(number)
        return RcxTaskPanel(number, place.line, place.words, place.left_s, place.icon, place.says, settings, ran)

    def display(self) -> str:
        """Return the text of the display; empty while the brick is off."""
        machine, face = self.machine, self.machine.face
        if not machine.on:
            return ""
        view = VIEWS[face.view]
        if view == "clock":
            return f"{machine.clock_min // 60:02d}.{machine.clock_min % 60:02d}"
        if view == "user":
            return f"{machine.read(OUTSIDE, face.source, face.value) / 10**face.decimals:.{face.decimals}f}"
        kind, _, which = view.partition(" ")
        if kind == "sensor":
            return str(machine.inputs[int(which) - 1].value)
        drive = machine.bank.drives()[MOTORS.index(which)]
        return f"{drive.percent:.0f}"

    def offers(self) -> tuple[Offer, ...]:
        """Return the four buttons."""
        run = "Run: stop" if self.machine.running else "Run"
        return (
            Offer("On-Off", PressButton("on-off")), Offer(run, PressButton("run")), Offer("Prgm", PressButton("prgm")),
            Offer("View", PressButton("view")),
        )  # fmt: skip

    def icons(self) -> IconProgram:
        """Return the selected program as icons."""
        return self._trace.program()

    def program_name(self) -> str:
        """Return the name of the selected program."""
        return self._trace.name()

    def positions(self) -> tuple[At, ...]:
        """Return which instruction each running task executes next, or waits at."""
        return tuple(self._position(n) for n, task in enumerate(self.machine.tasks) if task.running)

    def _position(self, number: int) -> At:
        machine = self.machine
        fragment, address, here = machine.present(number)
        line = line_of(fragment, address) if fragment else 0
        icon = self._trace.icon(fragment, address)
        words = text_of(here) if here else ENDED
        shown = (icon.number, icon.words) if icon else (0, "")
        left_s = machine.tasks[number].left_ms / MS_PER_S
        return At(self._trace.name(), str(number), line, words, machine.now_ms * MS_US, *shown, left_s)

    # ---- state

    def state(self) -> Tree:
        """Return the complete state, programs included."""
        outputs = [None if drive is None else list(drive) for drive in self._outputs]
        return {
            "machine": self.machine.state(), "programs": self.machine.programs(), "rest_us": self._rest_us,
            "outputs": outputs, "powered_mv": self._powered_mv, "download": asdict(self._direct.download),
            "has_firmware": self._direct.has_firmware, "traced": [list(row) for row in self._trace.last.items()],
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically."""
        self.machine.recall(state["programs"])
        self.machine.restore(state["machine"])
        self._rest_us = state["rest_us"]
        self._outputs = [None if drive is None else OutputDrive(*drive) for drive in state["outputs"]]
        self._powered_mv = state["powered_mv"]
        self._direct.download = DownloadState(**state["download"])
        self._direct.has_firmware = state["has_firmware"]
        self._trace.last = dict(state.get("traced", ()))

    def digest(self) -> Tree:
        """Return time, variables, tasks and motors; programs change only by orders, which the tape has."""
        machine = self.machine
        tasks = [[task.running, task.pc, task.sub, task.wait_ms, task.mask, task.resources] for task in machine.tasks]
        motors = [list(drive) for drive in machine.bank.drives()]
        return {
            "now_ms": machine.now_ms, "memory": list(machine.memory), "tasks": tasks, "motors": motors,
            "sensors": [port.value for port in machine.inputs], "message": machine.message, "log": len(machine.log),
        }  # fmt: skip

    def keep(self) -> Tree:
        """Return the downloaded programs, which survive a reset."""
        programs = self.machine.programs()
        return {"programs": programs} if any(slot["parts"] for slot in programs) else {}

    def recall(self, kept: Tree) -> None:
        """Take the programs of before the reset."""
        self.machine.recall(kept["programs"])
