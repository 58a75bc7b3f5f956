"""The instruction set of the RCX as one table: byte code, LASM name, operands, firmware.

Sources: NQC 3.1's listings of every opcode (names, operands and lengths, Swan's included), and the public opcode
reference of the RCX's firmware (meanings, replies). ``fw1`` is LEGO's firmware 3.09, ``fw2`` its 3.28 (RIS 2.0), Swan
is Dick Swan's replacement, which ROBOLAB 2.9 uses.

Operands, in the order of the bytes; the text has the same order except for ``chk``, which names the relation second:

=======  =====  ======================================================================================================
field    bytes  in LASM text
=======  =====  ======================================================================================================
b        1      a number from 0 to 255
w        2      a number from 0 to 65535, low byte first
W        2      a number from -32768 to 65535, high byte first (Swan)
v8       2      source, value from 0 to 255
v16      3      source, value from -32768 to 65535
out      1      mode (0 float, 1 off, 2 on), motors (A 1, B 2, C 4); NQC's listings have the motors first
dir      1      direction (0 reverse, 1 flip, 2 forward), motors
senm     1      mode, slope
chk      5      source 1, value 1, relation (0 >, 1 <, 2 =, 3 !=: jumps if it does not hold), source 2, value 2
chk8     4      as chk, with values from 0 to 255 (Swan)
chk16    6      as chk, both values from -32768 to 65535 (Swan)
short    1      label; sign and magnitude in one byte
long     2      label; sign and magnitude in two bytes
u8       1      label ahead, up to 255 bytes
u16      2      label ahead
s16      2      label
zero     1      nothing: the byte is 0
=======  =====  ======================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from understudy.formats.rcx.swan_isa import SWAN_ROWS
from understudy.frozen import frozen

RcxFirmware = Literal["fw1", "fw2", "swan"]
FIRMWARES: tuple[RcxFirmware, ...] = ("fw1", "fw2", "swan")
SIZES: Mapping[str, int] = MappingProxyType({
    "b": 1, "w": 2, "W": 2, "v8": 2, "v16": 3, "out": 1, "dir": 1, "senm": 1, "chk": 5, "zero": 1,
    "chk8": 4, "chk16": 6, "short": 1, "long": 2, "u8": 1, "u16": 2, "s16": 2,
})  # fmt: skip
TARGETS = frozenset(("short", "long", "u8", "u16", "s16"))
TOGGLE = 0x08  # the bit of a request's opcode that distinguishes a new request from a repeated one


@frozen
class RcxOpcode:
    """One row of the table."""

    code: int
    name: str  # of LASM; in brackets: a request that has no text
    fields: tuple[str, ...]
    since: int  # 1: fw1, 2: fw2, 3: Swan only
    use: str  # P in programs, D as a direct command (request), B both
    meaning: str

    @property
    def size(self) -> int:
        """Return its length with the opcode (bytes)."""
        return 1 + sum(SIZES[field] for field in self.fields)

    @property
    def jumps(self) -> bool:
        """Return whether it has a label."""
        return bool(self.fields) and self.fields[-1] in TARGETS

    @property
    def count(self) -> int:
        """Return how many numbers its text has, the label included."""
        return sum(_NUMBERS.get(field, 1) for field in self.fields)


_NUMBERS = {"v8": 2, "v16": 2, "out": 2, "dir": 2, "senm": 2, "chk": 5, "chk8": 5, "chk16": 5, "zero": 0}

# code, name, fields, first firmware, use, meaning
_ROWS: tuple[tuple[int, str, str, int, str, str], ...] = (
    (0x02, "playv", "b b", 2, "B", "tone whose frequency is in a variable, x 10 ms"),
    (0x03, "event", "v16", 2, "B", "force the events of a mask"),
    (
        0x04,
        "cale",
        "b b b b",
        2,
        "B",
        "calibrate an event from the present reading: upper, lower, hysteresis (percent)",
    ),
    (0x05, "set", "v8 v16", 2, "B", "any writable source = a source"),
    (0x06, "dele", "", 2, "B", "delete all events"),
    (0x10, "ping", "", 1, "D", "alive?"),
    (0x12, "poll", "v8", 1, "D", "read a source"),
    (0x13, "pwr", "b v8", 1, "B", "power of motors, 0 to 7; other values are ignored"),
    (0x14, "setv", "b v16", 1, "B", "variable = source"),
    (0x15, "pollp", "b b b b b", 1, "D", "versions of ROM and firmware, with the key 1, 3, 5, 7, 11"),
    (0x17, "calls", "b", 1, "P", "call a subroutine"),
    (0x20, "memmap", "", 1, "D", "memory map"),
    (0x21, "out", "out", 1, "B", "motors on, off (brake) or float"),
    (0x22, "setw", "b b", 1, "B", "clock = hours, minutes"),
    (0x23, "playt", "w b", 1, "B", "tone, Hz, x 10 ms"),
    (0x24, "sumv", "b v16", 1, "B", "variable += source"),
    (0x25, "(task)", "b b b w", 1, "D", "begin to download a task"),
    (0x27, "jmp", "short", 1, "P", "jump"),
    (0x30, "pollb", "", 1, "D", "battery, mV"),
    (0x31, "txs", "b", 1, "B", "infra-red range: 0 short, 1 long"),
    (0x32, "sent", "b b", 1, "B", "type of a sensor; also sets its default mode"),
    (0x33, "view", "v16", 1, "B", "what the display shows"),
    (0x34, "subv", "b v16", 1, "B", "variable -= source"),
    (0x35, "(sub)", "b b b w", 1, "D", "begin to download a subroutine"),
    (0x37, "loopc", "u8", 1, "P", "loop counter - 1; below 0: drop it and jump"),
    (0x40, "delt", "", 1, "B", "stop and delete all tasks"),
    (0x42, "senm", "b senm", 1, "B", "mode and slope of a sensor; clears its value"),
    (0x43, "wait", "v16", 1, "P", "sleep, x 10 ms"),
    (0x44, "divv", "b v16", 1, "B", "variable /= source, toward 0; division by 0 changes nothing"),
    (0x45, "(data)", "", 1, "D", "a block of a download; its length is in the packet"),
    (0x50, "stop", "", 1, "B", "stop all tasks"),
    (0x51, "plays", "b", 1, "B", "system sound"),
    (0x52, "logz", "w", 1, "B", "create the datalog"),
    (0x54, "mulv", "b v16", 1, "B", "variable *= source"),
    (0x60, "offp", "", 1, "B", "switch off"),
    (0x61, "delt", "b", 1, "B", "delete a task"),
    (0x62, "log", "v8", 1, "B", "append to the datalog"),
    (0x63, "pollm", "w b", 2, "D", "read memory"),
    (0x64, "sgnv", "b v16", 1, "B", "variable = sign of a source"),
    (0x65, "(erase)", "b b b b b", 1, "D", "delete the firmware, with the key 1, 3, 5, 7, 11"),
    (0x67, "gout", "out", 2, "B", "global mode of motors: on, off or float"),
    (0x70, "dels", "", 1, "B", "delete all subroutines"),
    (0x71, "start", "b", 1, "B", "start a task, or restart it"),
    (0x72, "jmpl", "long", 1, "P", "jump"),
    (0x73, "monal", "b long", 2, "P", "take resources (A 1, B 2, sound 4, C 8); the label is where to go without them"),
    (0x74, "absv", "b v16", 1, "B", "variable = magnitude of a source"),
    (0x75, "(firmware)", "w w b", 1, "D", "begin to download firmware"),
    (0x77, "gdir", "dir", 2, "B", "global direction of motors"),
    (0x80, "playz", "", 2, "B", "drop waiting sounds"),
    (0x81, "stop", "b", 1, "B", "stop a task"),
    (0x82, "loops", "v8", 1, "P", "begin a loop: push a loop counter"),
    (0x84, "andv", "b v16", 1, "B", "variable &= source"),
    (0x85, "chk", "chk u8", 1, "P", "continue if the relation holds, otherwise jump"),
    (0x90, "msgz", "", 1, "B", "empty the mailbox"),
    (0x91, "prgm", "b", 1, "B", "stop, select a program slot; in a program: start its task 0"),
    (0x92, "loopcl", "u16", 1, "P", "as loopc"),
    (0x93, "sete", "b b b", 2, "B", "define an event: its number, source, type"),
    (0x94, "orv", "b v16", 1, "B", "variable |= source"),
    (0x95, "chkl", "chk s16", 1, "P", "as chk"),
    (0x97, "cnti", "b", 2, "B", "counter + 1"),
    (0xA0, "monax", "", 2, "P", "give all resources back"),
    (0xA1, "tmrz", "b", 1, "B", "timer = 0"),
    (0xA3, "gpwr", "b v8", 2, "B", "greatest power of motors, 0 to 7"),
    (0xA4, "polld", "w w", 1, "D", "read the datalog: first entry, count"),
    (0xA5, "boot", "b b b b b", 1, "D", "unlock the firmware, with the key 76, 69, 71, 79, 174"),
    (0xA7, "cntd", "b", 2, "B", "counter - 1"),
    (0xB0, "monex", "", 2, "P", "stop waiting for events"),
    (0xB1, "tout", "b", 1, "B", "minutes until it switches off; 0: never"),
    (0xB2, "msg", "v8", 1, "P", "send a message by infra-red light"),
    (0xB4, "mone", "v16 short", 2, "P", "wait for the events of a mask; the label is where to go"),
    (0xB5, "monel", "v16 long", 2, "P", "as mone"),
    (0xB7, "cntz", "b", 2, "B", "counter = 0"),
    (0xC1, "dels", "b", 1, "B", "delete a subroutine"),
    (0xC2, "uart", "b b", 2, "B", "send bytes of the UART's buffer: first, count"),
    (0xD0, "mute", "", 2, "B", "sounds off"),
    (0xD1, "senz", "b", 1, "B", "clear the count of a sensor"),
    (0xD2, "remote", "w", 1, "D", "buttons of the remote control; no reply"),
    (0xD7, "setp", "b", 2, "P", "priority of this task, 0 is the highest"),
    (0xE0, "speak", "", 2, "B", "sounds on"),
    (0xE1, "dir", "dir", 1, "B", "direction of motors"),
    (0xE5, "disp", "zero b v16", 2, "B", "what the user's display shows: decimals, source"),
    (0xF2, "decvjn", "b short", 2, "P", "variable - 1; jump if it is now below 0"),
    (0xF3, "decvjnl", "b long", 2, "P", "as decvjn"),
    (0xF6, "rets", "", 1, "P", "return from a subroutine"),
    (0xF7, "msgs", "b", 1, "B", "fill the own mailbox; no reply"),
)


def _opcodes() -> Iterator[RcxOpcode]:
    for code, name, fields, since, use, meaning in _ROWS:
        yield RcxOpcode(code, name, tuple(fields.split()), since, use, meaning)
    for code, name, fields, meaning in SWAN_ROWS:
        yield RcxOpcode(code, name, tuple(fields.split()), 3, "P", meaning)


OPCODES: tuple[RcxOpcode, ...] = tuple(sorted(_opcodes(), key=lambda row: row.code))
DATA = 0x45  # the request whose length is in the packet


@cache
def instruction_set(firmware: RcxFirmware) -> Mapping[int, RcxOpcode]:
    """Return the opcodes that a firmware knows, by their code."""
    newest = FIRMWARES.index(firmware) + 1
    return MappingProxyType({row.code: row for row in OPCODES if row.since <= newest})


@cache
def program_set(firmware: RcxFirmware) -> Mapping[int, RcxOpcode]:
    """Return the opcodes that can stand in a program, by their code."""
    return MappingProxyType({code: row for code, row in instruction_set(firmware).items() if row.use != "D"})


@cache
def by_name(firmware: RcxFirmware) -> Mapping[str, tuple[RcxOpcode, ...]]:
    """Return the opcodes of a firmware by their name; ``stop``, ``delt`` and ``dels`` have two."""
    found: dict[str, tuple[RcxOpcode, ...]] = {}
    for row in instruction_set(firmware).values():
        if not row.name.startswith("("):
            found[row.name] = (*found.get(row.name, ()), row)
    return MappingProxyType(found)


def request_size(packet: bytes) -> int | None:
    """Return the length of a request from its first bytes, 0 if more are needed to say; None: there is none like it.

    >>> request_size(bytes([0x1A])), request_size(bytes([0x45, 1, 0, 20, 0]))
    (3, 26)
    """
    code = packet[0] & ~TOGGLE
    row = instruction_set("fw2").get(code)
    if row is None or row.use == "P":
        return None
    if code != DATA:
        return row.size
    return 0 if len(packet) < 5 else 6 + int.from_bytes(packet[3:5], "little")
