"""The port of a GPS receiver: an epoch of sentences for each reading, with or without a client, and MTK commands.

An epoch is one reading of the receiver: its sentences carry the time at which the reading was due. Input that is not a
command is ignored, since GPS daemons probe a port with bytes of other protocols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from understudy.protocols.base import SetBaud, Tree, WireProtocol
from understudy.protocols.nmea.commands import POWER_ON, Settings, carried_out
from understudy.protocols.nmea.sentences import SENTENCES, NmeaSheet, parse, sentence
from understudy.robots.nmea_gps import Fix, NmeaGps
from understudy.units import US_PER_S
from understudy.world.changes import Done

LONGEST_LINE = 255  # input; MTK commands are far shorter
MOST_ANSWERS = 64
CHARACTER_BITS = 10


class Nmea(WireProtocol):
    """A receiver's port: one epoch per reading, sent with or without a client."""

    Sheet: ClassVar[type] = NmeaSheet
    units: ClassVar[tuple[str, ...]] = NmeaSheet.units

    def __init__(self, sheet: NmeaSheet, robot: str) -> None:
        self._sheet = sheet
        self._settings = Settings(sheet)
        self._line = b""
        self._answers: list[str] = [POWER_ON] if sheet.announce else []
        self._epochs = 0
        self._due_us = 0  # the earliest reading that makes the next epoch
        self._now_us = 0
        self._baud = 0  # of a line whose bytes take time, else 0
        self._free_us = 0  # when that line has carried everything
        self._counts = {"received": 0, "ignored": 0, "sent": 0, "dropped": 0, "skipped": 0}

    def wired(self, baud: int, paced: bool) -> None:
        """Take the baud rate of the port at power-on."""
        self._settings.power_on_baud = baud
        self._baud = baud if paced else 0

    def opened(self) -> Sequence[Any]:
        """Do nothing: the receiver does not depend on clients."""
        return ()

    def closed(self) -> Sequence[Any]:
        """Do nothing: settings stay, as in a receiver that stays powered."""
        return ()

    def greet(self) -> Sequence[Any]:
        """Begin with a receiver that was switched on again."""
        self._settings.reset()
        self._baud = self._settings.power_on_baud if self._baud else 0
        self._free_us = self._epochs = 0
        return ()

    def feed(self, data: bytes) -> Sequence[Any]:
        """Take MTK commands; return what they mean for the receiver and the line."""
        values: list[Any] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._append(end)
            values += self._take(self._line)
            self._line = b""
        self._append(rest)
        return values

    def _append(self, part: bytes) -> None:
        """Extend the unfinished line; bytes beyond the limit cannot be a command and are dropped."""
        line = self._line + part
        self._counts["dropped"] += max(0, len(line) - LONGEST_LINE)
        self._line = line[:LONGEST_LINE]

    def _take(self, line: bytes) -> Sequence[Any]:
        period_us = self._settings.period_us
        fields = parse(line) if len(line) < LONGEST_LINE else None
        answer = carried_out(self._settings, fields) if fields else None
        if answer is None:
            self._counts["ignored"] += 1
            return ()
        self._counts["received"] += 1
        self._due_us += self._settings.period_us - period_us if self._due_us else 0
        if len(self._answers) < MOST_ANSWERS:
            self._answers += answer.bodies
        for value in answer.values:
            if isinstance(value, SetBaud) and self._baud:
                self._baud = value.baud
        return answer.values

    def done(self, outcome: Done) -> None:
        """Do nothing: a client requests no changes."""

    def tick(self, unit: NmeaGps, now_us: int) -> bytes:
        """Return answers and, if time has advanced, the sentences of a new reading that is due."""
        lines = [sentence(answer) for answer in self._answers]
        self._answers.clear()
        moved, self._now_us = now_us != self._now_us, now_us
        if unit.stamp_us + self._settings.period_us < self._due_us:  # the run was reset
            self._due_us = 0
        if moved and unit.stamp_us >= self._due_us:
            lines += self._epoch(unit.fix, now_us)
        self._counts["sent"] += len(lines)
        data = b"".join(lines)
        if data and self._baud:
            spent_us = len(data) * CHARACTER_BITS * US_PER_S // self._baud
            self._free_us = max(self._free_us, now_us) + spent_us
        return data

    def _epoch(self, fix: Fix | None, now_us: int) -> list[bytes]:
        """Return the sentences of a reading; none while the line is still busy with an earlier one."""
        assert fix is not None, "a stamped reading has a fix"
        self._due_us = fix.stamp_us + self._settings.period_us
        if self._free_us > now_us:
            self._counts["skipped"] += 1
            return []
        names = [name for name, every in self._settings.every.items() if self._epochs % every == 0]
        self._epochs += 1
        rows = ((name, fields) for name in names for fields in SENTENCES[name](fix, self._sheet))
        return [sentence(",".join((self._sheet.talker + name, *fields))) for name, fields in rows]

    def counters(self) -> Mapping[str, int]:
        """Return commands received, lines ignored, sentences sent, bytes dropped, epochs skipped."""
        return dict(self._counts)

    def state(self) -> Tree:
        """Return line buffer, settings and counters."""
        return {
            "line": self._line.hex(), "answers": list(self._answers), "settings": self._settings.state(),
            "epochs": self._epochs, "due_us": self._due_us, "now_us": self._now_us,
            "baud": self._baud, "power_on_baud": self._settings.power_on_baud, "free_us": self._free_us,
            "counters": dict(self._counts),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, also in the middle of a line."""
        self._settings.restore(state["settings"])
        self._settings.power_on_baud = state["power_on_baud"]
        self._line = bytes.fromhex(state["line"])
        self._answers, self._epochs = list(state["answers"]), state["epochs"]
        self._due_us, self._now_us = state["due_us"], state["now_us"]
        self._baud, self._free_us = state["baud"], state["free_us"]
        self._counts = dict(state["counters"])
