"""The virtual machine of an RCX: memory, tasks and time. `execute` has what each instruction does.

Time passes in milliseconds. In each, inputs and events are evaluated, then every task that is not waiting runs one
instruction, in the order of the tasks' numbers; or, at the pace of a real brick, one task runs one every 3 ms.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from understudy.formats.rcx.code import Instruction, decode
from understudy.formats.rcx.image import Fragment
from understudy.formats.rcx.isa import FIRMWARES, RcxFirmware, program_set
from understudy.robots.rcx.events import DELETED, EVENTS, RcxEvent
from understudy.robots.rcx.face import RcxFace
from understudy.robots.rcx.inputs import SAMPLE_MS, RcxInput
from understudy.robots.rcx.registers import OFF, MotorBank, MotorRegister
from understudy.robots.rcx.sources import SOURCES, usable
from understudy.robots.rcx.tasks import MAIN, SLOTS, TASKS, ProgramSlot, TaskState, slot_of

Tree = dict[str, Any]
VERSIONS: Mapping[RcxFirmware, int] = {"fw1": 309, "fw2": 328, "swan": 332}
MEMORY, GLOBALS, LOCALS = 256, 32, 16  # variables; those of a task follow the global ones
TIMERS, COUNTERS, UART_BYTES = 4, 3, 18
MOST_LOG, MOST_CODE = 2000, 6144  # entries, bytes of all programs
BRICK_MS = 3  # per instruction of a real brick
DAY_MIN, MINUTE_MS, WRAP = 1440, 60_000, 32_768
BITS, BAUD = 11, 2400  # of a byte of infra-red light: start, 8, parity, stop; per second
MOST_NOTES = 100  # of one start of a program
LOG_SIZE_ENTRY = 0xFF
OUTSIDE = -1  # the "task" of a direct command
_PLAIN = (
    "on", "now_ms", "slot", "memory", "timers", "message", "parameter", "arrived", "log", "log_size", "clock_ms",
    "settings", "uart", "sleep_min", "quiet_ms", "far", "draws", "seed", "turn", "launches", "reported", "sent_ms",
)  # fmt: skip


def wrap16(number: int) -> int:
    """Return a number as a signed one of 16 bits.

    >>> wrap16(32768), wrap16(-32769)
    (-32768, 32767)
    """
    return (number + WRAP) % (2 * WRAP) - WRAP


class Machine:
    """Memory and tasks of a brick."""

    slot: int
    battery_mv: int

    def __init__(self, firmware: RcxFirmware, brick_pace: bool, draw: Callable[[int, int], float]) -> None:
        self.firmware, self.generation = firmware, FIRMWARES.index(firmware) + 1
        self._brick_pace, self._draw = brick_pace, draw
        from understudy.robots.rcx.execute import EXECUTE  # which needs this class

        self._known, self._execute = program_set(firmware), EXECUTE
        self._decoded: dict[tuple[int, str, int], dict[int, Instruction | None]] = {}
        self.revision = 0  # changes with every program that is stored or deleted
        self.watch: Callable[[int, Fragment, Instruction], None] | None = None  # before each instruction; for traces
        self.battery_mv = 9000
        self.notes: list[str] = []  # for the log
        self.reported: list[str] = []  # what the log has since the program was started: a loop must not fill it
        self.outbox: list[tuple[bytes, bool]] = []  # bytes to send by infra-red light, far or near
        self.sent_ms = 0  # when the last of them is sent
        self.slots = [ProgramSlot() for _ in range(SLOTS)]
        self.on, self.now_ms, self.slot = True, 0, 0
        self.memory = [0] * MEMORY
        self.timers = [0] * TIMERS  # when they were 0 (ms)
        self.message, self.parameter, self.arrived = 0, 0, False
        self.log = [[LOG_SIZE_ENTRY, 1]]  # type and value of each entry; the first has their number
        self.log_size, self.clock_ms = 0, 0
        self.settings: dict[str, int] = {}
        self.uart = [0] * UART_BYTES
        self.sleep_min, self.quiet_ms, self.far = 0, 0, True
        self.draws, self.seed, self.turn = 0, 0, 0
        self.launches = 0  # how often a user or tool has started a program
        self.instructions = 0  # how many have run; for those who step, not part of the state
        self.tasks = [TaskState() for _ in range(TASKS)]
        self.events = [RcxEvent() for _ in range(EVENTS)]
        self.inputs = [RcxInput() for _ in range(3)]
        self.bank, self.face = MotorBank(), RcxFace()

    # ---- registers

    def read(self, task: int, source: int, value: int) -> int:
        """Return the value of a source; 0 for one that the firmware does not have."""
        return wrap16(SOURCES[source].read(self, task, value)) if usable(source, self.generation) else 0

    def write(self, task: int, source: int, value: int, number: int) -> None:
        """Set a source; what cannot be written is ignored."""
        put = SOURCES[source].write if usable(source, self.generation) else None
        if put is not None:
            put(self, task, value, wrap16(number))

    def place(self, task: int, n: int) -> int:
        """Return the index of a variable in memory; below 0: there is none. A direct command has those of task 0."""
        if GLOBALS <= n < GLOBALS + LOCALS and self.generation > 1:
            return n + LOCALS * max(task, 0)
        most = (GLOBALS, GLOBALS, MEMORY)[self.generation - 1]
        return n if 0 <= n < most else -1

    def variable(self, task: int, n: int) -> int:
        """Return a variable as a task sees it."""
        place = self.place(task, n)
        return self.memory[place] if place >= 0 else 0

    def set_variable(self, task: int, n: int, number: int) -> None:
        """Set a variable as a task sees it."""
        place = self.place(task, n)
        if place >= 0:
            self.memory[place] = wrap16(number)

    def global_variable(self, n: int) -> int:
        """Return one of Swan's 256 variables."""
        return self.memory[n] if 0 <= n < MEMORY else 0

    def set_global(self, n: int, number: int) -> None:
        """Set one of Swan's 256 variables."""
        if 0 <= n < MEMORY:
            self.memory[n] = wrap16(number)

    def counter(self, n: int) -> int:
        """Return a counter; they are the first three variables."""
        return self.memory[n] if 0 <= n < COUNTERS else 0

    def set_counter(self, n: int, number: int) -> None:
        """Set a counter."""
        if 0 <= n < COUNTERS:
            self.memory[n] = wrap16(number)

    def timer(self, n: int, tick_ms: int) -> int:
        """Return a timer, in ticks."""
        return (self.now_ms - self.timers[n]) // tick_ms % WRAP

    def set_timer(self, n: int, ticks: int, tick_ms: int) -> None:
        """Let a timer go on from a number of ticks."""
        if 0 <= n < TIMERS:
            self.timers[n] = self.now_ms - max(ticks, 0) * tick_ms

    @property
    def clock_min(self) -> int:
        """Return the clock (minutes of the day)."""
        return (self.now_ms + self.clock_ms) // MINUTE_MS % DAY_MIN

    def set_clock(self, minutes: int) -> None:
        """Set the clock (minutes of the day)."""
        self.clock_ms = minutes % DAY_MIN * MINUTE_MS - self.now_ms

    @property
    def version(self) -> int:
        """Return the firmware's version, such as 328."""
        return VERSIONS[self.firmware]

    def mode_byte(self, n: int) -> int:
        """Return mode and slope of an input in one byte."""
        return self.inputs[n].mode << 5 | self.inputs[n].slope if 0 <= n < len(self.inputs) else 0

    def random(self, most: int) -> int:
        """Return a whole number from 0 to *most*, both included."""
        self.draws += 1
        return int(self._draw(self.draws, self.seed) * (max(most, 0) + 1))

    def reseed(self, seed: int) -> None:
        """Let random numbers begin again."""
        self.draws, self.seed = 0, seed & 0xFFFF

    def receive(self, message: int, parameter: int = 0) -> None:
        """Put a message into the mailbox."""
        self.message, self.parameter, self.arrived = message & 0xFF, parameter, True

    def send(self, data: bytes) -> None:
        """Send bytes by infra-red light, unless others are still being sent."""
        if not self.sending:
            self.outbox.append((data, self.far))
            self.sent_ms = self.now_ms + len(data) * BITS * 1000 // BAUD

    @property
    def sending(self) -> bool:
        """Return whether bytes are being sent."""
        return self.now_ms < self.sent_ms

    # ---- programs

    @property
    def program(self) -> ProgramSlot:
        """Return the selected program."""
        return self.slots[self.slot]

    @property
    def running(self) -> bool:
        """Return whether a task runs."""
        return any(task.running for task in self.tasks)

    @property
    def free(self) -> int:
        """Return how many bytes of code still fit into memory."""
        return MOST_CODE - sum(slot.size for slot in self.slots) - 3 * self.log_size

    def store(self, fragment: Fragment) -> None:
        """Keep a task or subroutine in the selected program; a running task of that number stops."""
        if fragment.kind == "task":
            self.tasks[fragment.number].stop()
        self.program.store(fragment)
        self._forget_decoded()

    def delete(self, kind: str, number: int | None = None) -> None:
        """Delete a task or subroutine of the selected program, or all."""
        parts = self.program.tasks if kind == "task" else self.program.subs
        for each in [number] if number is not None else list(parts):
            parts.pop(each, None)
            if kind == "task" and 0 <= each < TASKS:
                self.tasks[each].stop()
        self._forget_decoded()

    def _forget_decoded(self) -> None:
        self._decoded.clear()
        self.revision += 1

    def start(self, number: int, task: int = OUTSIDE) -> None:
        """Start a task or restart it; one that is not there is ignored."""
        if number in self.program.tasks:
            self.tasks[number].restart()
            if number == 0 and task == OUTSIDE:
                self.launches += 1
                self.reported = []

    def stop_all(self) -> None:
        """Stop all tasks; motors stay as they are."""
        for task in self.tasks:
            task.stop()

    def select(self, slot: int, task: int = OUTSIDE) -> None:
        """Stop all tasks and select a program; a task that does so starts the new program."""
        if 0 <= slot < SLOTS:
            self.stop_all()
            self.slot = slot
            if task != OUTSIDE:
                self.start(0, task)

    def switch(self, on: bool) -> None:
        """Switch the brick on or off; programs stay."""
        self.on, self.quiet_ms = on, 0
        self.stop_all()
        self.bank = MotorBank([MotorRegister(OFF) for _ in self.bank.motors])

    # ---- time

    def pass_ms(self) -> None:
        """Let a millisecond pass."""
        self.now_ms += 1
        sampled = self.now_ms % SAMPLE_MS == 0
        if sampled:
            for port in self.inputs:
                port.sample()
        self.bank.pass_ms()
        if not self.on:
            return
        self._raise_events(sampled)
        if self._brick_pace:
            self._pass_as_a_brick()
        else:
            for number, task in enumerate(self.tasks):
                if task.running and task.is_awake():
                    self._run(number, task)
        self._fall_asleep()

    def _pass_as_a_brick(self) -> None:
        """Run one instruction of one task each 3 ms, in turn."""
        ready = []
        for number, task in enumerate(self.tasks):
            if task.running and task.is_awake():
                ready.append(number)
        if ready and self.now_ms % BRICK_MS == 0:
            self.turn = next((number for number in ready if number > self.turn), ready[0])
            self._run(self.turn, self.tasks[self.turn])

    def _fall_asleep(self) -> None:
        self.quiet_ms = 0 if self.running else self.quiet_ms + 1
        if self.sleep_min and self.quiet_ms >= self.sleep_min * MINUTE_MS:
            self.switch(False)

    def _raise_events(self, sampled: bool) -> None:
        happened = 0
        for n, event in enumerate(self.events):
            if event.type != DELETED and event.happens(self, sampled):
                happened |= 1 << n
        self.arrived = False
        if happened:
            self.raise_events(happened)

    def raise_events(self, mask: int) -> None:
        """Let tasks that wait for events of a mask go to their handlers."""
        for task in self.tasks:
            if task.running and task.mask & mask:
                task.fired = task.mask & mask
                task.mask = 0
                task.go(task.handler, task.handler_sub)

    # ---- instructions

    def present(self, number: int) -> tuple[Fragment | None, int, Instruction | None]:
        """Return the instruction that a task waits at or runs next, with its fragment and address; for traces."""
        sub, address = self.tasks[number].place
        fragment = self._fragment(number, sub)
        return fragment, address, self._at(fragment, address) if fragment else None

    def last_line(self, number: int) -> int:
        """Return the line of the instruction that a task ran last; 0: it has none."""
        task = self.tasks[number]
        fragment = self._fragment(number, task.at_sub)
        return line_of(fragment, task.at) if fragment else 0

    def fragment_of(self, number: int) -> Fragment | None:
        """Return the task or subroutine that a task is in."""
        return self._fragment(number, self.tasks[number].sub)

    def _fragment(self, number: int, sub: int) -> Fragment | None:
        return self.program.tasks.get(number) if sub == MAIN else self.program.subs.get(sub)

    def _at(self, fragment: Fragment, address: int) -> Instruction | None:
        known = self._decoded.setdefault((self.slot, fragment.kind, fragment.number), {})
        if address not in known:
            known[address] = decode(fragment.code, address, self._known)
        return known[address]

    def _run(self, number: int, task: TaskState) -> None:
        """Run the next instruction of a task; the end of its code ends it, or returns from a subroutine."""
        fragment = self._fragment(number, task.sub)
        while fragment is not None and task.pc == len(fragment.code) and task.sub != MAIN:
            task.go(task.back, MAIN)
            fragment = self._fragment(number, MAIN)
        if fragment is None or task.pc == len(fragment.code):
            task.stop()
            return
        here = self._at(fragment, task.pc)
        if here is None:
            self._illegal(number, task, fragment)
            return
        if self.watch is not None:
            self.watch(number, fragment, here)
        task.at, task.at_sub, task.pc = here.at, task.sub, here.end
        self.instructions += 1
        self._execute[here.opcode.code](self, number, here.numbers)

    def _illegal(self, number: int, task: TaskState, fragment: Fragment) -> None:
        if 0 <= task.pc < len(fragment.code):
            byte = fragment.code[task.pc]
            known = self._known.get(byte)
            what = f"instruction 0x{byte:02x}" + (f" ({known.name})" if known else "")
            text = f"{what} is cut off" if known else f"{what} is not supported by {self.firmware}"
        else:
            text = "a jump leads out of the code"
        self.fail(number, text, fragment, task.pc)

    def fail(self, number: int, text: str, fragment: Fragment | None = None, at: int = 0) -> None:
        """Stop a task and say why and where."""
        self.tasks[number].stop()
        place = f" at address {at} of {fragment.kind} {fragment.number}" if fragment else ""
        line = line_of(fragment, at) if fragment else 0
        file = f" ({self.program.name}{f':{line}' if line else ''})" if self.program.name else ""
        note = f"task {number} stopped: {text}{place}{file}"
        if note not in self.reported and len(self.reported) < MOST_NOTES:
            self.reported.append(note)
            self.notes.append(note)

    # ---- state

    def state(self) -> Tree:
        """Return everything that later milliseconds depend on, except the programs."""
        plain = {name: _copied(getattr(self, name)) for name in _PLAIN}
        lists = {name: [asdict(each) for each in getattr(self, name)] for name in ("tasks", "events", "inputs")}
        face = asdict(self.face) | {"new": []}
        return {**plain, **lists, "bank": asdict(self.bank), "face": face}

    def programs(self) -> list[Tree]:
        """Return the programs of all slots as plain values."""
        return [slot.state() for slot in self.slots]

    def recall(self, programs: list[Tree]) -> None:
        """Take programs that `programs` returned."""
        self.slots = [slot_of(each) for each in programs]
        self._forget_decoded()

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        for name in _PLAIN:
            setattr(self, name, _copied(state[name]))
        self.tasks = [TaskState(**each) for each in state["tasks"]]
        self.events = [RcxEvent(**each) for each in state["events"]]
        self.inputs = [RcxInput(**each) for each in state["inputs"]]
        bank = state["bank"]
        self.bank = MotorBank([MotorRegister(**each) for each in bank["motors"]], list(bank["remote"]), bank["held_ms"])
        self.face = RcxFace(**{**state["face"], "new": []})


def line_of(fragment: Fragment, at: int) -> int:
    """Return the line of text of an address; 0: it has none."""
    place = bisect_left(fragment.lines, (at, 0))
    address, line = fragment.lines[place] if place < len(fragment.lines) else (-1, 0)
    return line if address == at else 0


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(each) for each in value]
    return dict(value) if isinstance(value, dict) else value
