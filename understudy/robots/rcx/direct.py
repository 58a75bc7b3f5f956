"""Requests of the link: direct commands, questions and downloads, with their replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from understudy.formats.rcx.code import decode
from understudy.formats.rcx.image import Fragment, Kind
from understudy.formats.rcx.isa import TOGGLE, instruction_set
from understudy.robots.rcx.execute import EXECUTE, MESSAGE
from understudy.robots.rcx.machine import OUTSIDE, Machine
from understudy.robots.rcx.tasks import SUBS, TASKS

OK, NO_MEMORY, BAD_INDEX, BAD_SUM, NO_START = 0, 1, 2, 3, 6
ROM_KEY, UNLOCK_KEY = bytes([1, 3, 5, 7, 11]), b"LEGO\xae"
UNLOCKED = b"Just a bit off the block!"
DATA, REMOTE, PING, VERSIONS, ERASE, FIRMWARE, UNLOCK = 0x45, 0xD2, 0x10, 0x15, 0x65, 0x75, 0xA5
SILENT = (MESSAGE, REMOTE)  # requests without a reply
HELD_MS = 500  # the buttons of a remote control count for so long
MOST_FRAGMENT = 65_535
_BASE = 0x9000  # of program memory
_ROM = bytes([0, 3, 0, 1])
_WITHOUT_FIRMWARE = (PING, VERSIONS, ERASE, FIRMWARE, UNLOCK, DATA)
_PROGRAMS, _STOP, _BEEP = 9, 14, 15  # bits of the remote control: programs 1 to 5, stop, sound


@dataclass(slots=True)
class DownloadState:
    """A download in progress: what it is, how long, and what has come so far."""

    kind: str = ""  # task, sub, firmware; empty: none
    number: int = 0
    length: int = 0
    data: str = ""  # hexadecimal
    last: int = -1  # sequence number of the last block


@dataclass(slots=True)
class Direct:
    """Carries out requests on a machine."""

    machine: Machine
    download: DownloadState = field(default_factory=DownloadState)
    has_firmware: bool = True

    def request(self, data: bytes) -> bytes | None:
        """Return the reply to a request; None: the brick is silent."""
        if not data or not self.machine.on:
            return None
        code = data[0] & ~TOGGLE
        if not self.has_firmware and code not in _WITHOUT_FIRMWARE:
            return None
        self.machine.quiet_ms = 0
        extra = self._carry_out(code, bytes([code]) + data[1:])
        return None if extra is None or code in SILENT else bytes([data[0] ^ 0xFF]) + extra

    def _carry_out(self, code: int, data: bytes) -> bytes | None:
        """Return the reply's data; None for what is not a request, or has a wrong key."""
        if code == DATA:
            return self._block(data)
        row = instruction_set(self.machine.firmware).get(code)
        if row is None or row.use == "P" or row.since > 2 or len(data) != row.size:
            return None
        if code in _ANSWERS:
            return _ANSWERS[code](self, data)
        here = decode(data, 0, instruction_set(self.machine.firmware))
        if here is None:
            return None
        EXECUTE[code](self.machine, OUTSIDE, here.numbers)
        return b""

    # ---- downloads

    def begin(self, kind: Kind, most: int, data: bytes) -> bytes:
        """Begin to download a task or subroutine."""
        number, length = data[2], int.from_bytes(data[4:6], "little")
        old = self.machine.program.tasks if kind == "task" else self.machine.program.subs
        if number >= most:
            return bytes([BAD_INDEX])
        if length > self.machine.free + (len(old[number].code) if number in old else 0):
            return bytes([NO_MEMORY])
        if kind == "task":
            self.machine.tasks[number].stop()
        self.download = DownloadState(kind, number, length)  # the old one stays until all of the new one has come
        return bytes([OK])

    def begin_firmware(self, data: bytes) -> bytes:
        """Begin to download firmware; its image is accepted and not run."""
        self.download = DownloadState("firmware", 0, MOST_FRAGMENT)
        return bytes([OK])

    def _block(self, data: bytes) -> bytes | None:
        """Take a block: sequence number (0 is the last), length, bytes, their sum."""
        if len(data) < 6 or len(data) != 6 + int.from_bytes(data[3:5], "little"):
            return None
        sequence, content, check = int.from_bytes(data[1:3], "little"), data[5:-1], data[-1]
        now = self.download
        if not now.kind:
            return bytes([NO_START])
        if sum(content) & 0xFF != check:
            return bytes([BAD_SUM])
        if sequence == now.last and sequence:  # sent again, although it had arrived
            return bytes([OK])
        if sequence not in (0, now.last + 1 if now.last >= 0 else 1):
            return bytes([NO_START])
        if len(now.data) // 2 + len(content) > now.length:  # more than was announced
            self.download = DownloadState()
            return bytes([NO_START])
        now.last = sequence
        if now.kind != "firmware":
            now.data += content.hex()
        return self._finish() if sequence == 0 else bytes([OK])

    def _finish(self) -> bytes:
        now, self.download = self.download, DownloadState()
        code = bytes.fromhex(now.data)
        if now.kind == "firmware":
            return bytes([OK])
        if len(code) != now.length:
            return bytes([NO_START])
        self.machine.store(Fragment("task" if now.kind == "task" else "sub", now.number, code))
        self.machine.program.name = ""
        return bytes([OK])

    # ---- questions

    def erase(self, data: bytes) -> bytes | None:
        """Delete the firmware and all programs."""
        if data[1:] != ROM_KEY:
            return None
        for slot in range(len(self.machine.slots)):
            self.machine.select(slot)
            self.machine.delete("task")
            self.machine.delete("sub")
        self.machine.select(0)
        self.has_firmware = False
        return b""

    def unlock(self, data: bytes) -> bytes | None:
        """Start the firmware that was downloaded."""
        if data[1:] != UNLOCK_KEY:
            return None
        self.has_firmware = True
        return UNLOCKED

    def versions(self, data: bytes) -> bytes | None:
        """Return the versions of ROM and firmware, the latter zeros without firmware."""
        if data[1:] != ROM_KEY:
            return None
        major, minor = divmod(self.machine.version, 100)
        firmware = bytes([0, major, major, int(f"{minor:02d}", 16)])
        return _ROM + (firmware if self.has_firmware else bytes(4))

    def remote(self, data: bytes) -> bytes:
        """Take the buttons of the remote control."""
        bits, machine = int.from_bytes(data[1:3], "little"), self.machine
        machine.bank.hold(bits, HELD_MS)
        for n in range(3):
            if bits >> n & 1:
                machine.receive(n + 1)
        for slot in range(len(machine.slots)):
            if bits >> (_PROGRAMS + slot) & 1:
                machine.select(slot)
                machine.start(0)
        if bits >> _STOP & 1:
            machine.stop_all()
        if bits >> _BEEP & 1:
            machine.face.system_sound(1, machine.now_ms)
        return b""


def _memory(machine: Machine) -> Iterator[tuple[str, int, int, bytes]]:
    """Yield slot, number and address of every fragment, subroutines first, and its code."""
    at = _BASE
    for n, slot in enumerate(machine.slots):
        for each in slot:
            yield f"{n}{each.kind}", each.number, at, each.code
            at += len(each.code)


def _map(direct: Direct, data: bytes) -> bytes:
    """Return where subroutines, tasks and the datalog are."""
    machine = direct.machine
    places = {(slot, number): at for slot, number, at, _ in _memory(machine)}
    free = _BASE + sum(slot.size for slot in machine.slots)
    slots = range(len(machine.slots))
    starts = [places.get((f"{slot}sub", n), free) for slot in slots for n in range(SUBS)]
    starts += [places.get((f"{slot}task", n), free) for slot in slots for n in range(TASKS)]
    log_end = free + 3 * machine.log_size
    rest = (free, free + 3 * len(machine.log), log_end, log_end + max(machine.free, 0))
    return b"".join(word.to_bytes(2, "big") for word in (*starts, *rest))


def _peek(direct: Direct, data: bytes) -> bytes:
    """Return bytes of program memory; 0 elsewhere."""
    at, count = int.from_bytes(data[1:3], "little"), data[3]
    code = b"".join(each for *_, each in _memory(direct.machine))
    return bytes(code[n - _BASE] if 0 <= n - _BASE < len(code) else 0 for n in range(at, at + count))


def _read_log(direct: Direct, data: bytes) -> bytes:
    first, count = int.from_bytes(data[1:3], "little"), int.from_bytes(data[3:5], "little")
    entries = direct.machine.log[first : first + min(count, 100)]
    return b"".join(bytes([kind]) + (value & 0xFFFF).to_bytes(2, "little") for kind, value in entries)


def _poll(direct: Direct, data: bytes) -> bytes:
    return (direct.machine.read(OUTSIDE, data[1], data[2]) & 0xFFFF).to_bytes(2, "little")


def _new_log(direct: Direct, data: bytes) -> bytes:
    size = int.from_bytes(data[1:3], "little")
    EXECUTE[0x52](direct.machine, OUTSIDE, (size,))
    return bytes([OK if direct.machine.log_size == size else NO_MEMORY])


def _add_to_log(direct: Direct, data: bytes) -> bytes:
    before = len(direct.machine.log)
    EXECUTE[0x62](direct.machine, OUTSIDE, (data[1], data[2]))
    return bytes([OK if len(direct.machine.log) > before else NO_MEMORY])


Answer = Callable[[Direct, bytes], bytes | None]
_ANSWERS: Mapping[int, Answer] = MappingProxyType({
    PING: lambda direct, data: b"",
    0x12: _poll,
    VERSIONS: Direct.versions,
    0x20: _map,
    0x25: lambda direct, data: direct.begin("task", TASKS, data),
    0x30: lambda direct, data: direct.machine.battery_mv.to_bytes(2, "little"),
    0x35: lambda direct, data: direct.begin("sub", SUBS, data),
    0x52: _new_log,
    0x62: _add_to_log,
    0x63: _peek,
    ERASE: Direct.erase,
    FIRMWARE: Direct.begin_firmware,
    0xA4: _read_log,
    UNLOCK: Direct.unlock,
    REMOTE: Direct.remote,
})  # fmt: skip
