"""Direct commands of ROBOLAB: lines of LASM, and what a brick answers.

LURobotSim thesis, appendices A and C: ``poll`` is answered with ``e5 00 00``, ``prgm`` with 66, ``stop`` with 76,
``plays`` with a6. These are the complements of the opcodes with their toggle bit set, so every other direct command is
answered by the same rule. The thesis does not say how an answer is written: the default is the text that it prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from understudy.errors import FormatError
from understudy.formats.rcx.isa import OPCODES, TOGGLE, RcxOpcode
from understudy.formats.rcx.lasm import assemble
from understudy.frozen import frozen
from understudy.protocols.robolab.text import first_word
from understudy.robots.rcx.direct import SILENT

_NEWEST = 2  # generation of firmware whose opcodes are requests; Swan adds none

# what follows the first byte of an answer
_DATA: Mapping[str, str] = MappingProxyType({
    "poll": "value, 2 bytes", "pollb": "mV, 2 bytes", "pollp": "versions, 8 bytes", "memmap": "188 bytes",
    "pollm": "the bytes", "polld": "3 bytes for each entry", "boot": "25 letters", "logz": "0, or 1: no memory",
    "log": "0, or 1: full",
})  # fmt: skip


@frozen
class DirectCommand:
    """A row of the table: a direct command and its answer."""

    opcode: RcxOpcode

    @property
    def answer(self) -> int | None:
        """Return the first byte of the answer; None: there is none."""
        return None if self.opcode.code in SILENT else (self.opcode.code | TOGGLE) ^ 0xFF

    @property
    def data(self) -> str:
        """Return what follows the first byte."""
        return _DATA.get(self.opcode.name, "")


COMMANDS: tuple[DirectCommand, ...] = tuple(
    DirectCommand(row) for row in OPCODES if row.use != "P" and row.since <= _NEWEST and not row.name.startswith("(")
)
_NAMES = frozenset(row.opcode.name for row in COMMANDS)


def request_of(line: str) -> bytes | None:
    """Return the request that a line of LASM stands for, with the toggle bit set; None: it is not a direct command.

    >>> request_of("poll 8,0").hex(), request_of("fly 1")
    ('1a0800', None)
    """
    if first_word(line) not in _NAMES:  # most junk ends here, before anything is made of it
        return None
    try:
        requests = assemble(line).before
    except FormatError:
        return None
    return bytes([requests[0][0] | TOGGLE]) + requests[0][1:] if len(requests) == 1 else None
