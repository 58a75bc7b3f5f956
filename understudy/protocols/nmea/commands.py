"""The MTK commands of a receiver: ``$PMTK220,200`` and its like, as a table.

Each is confirmed by ``$PMTK001,number,flag``: 1 unsupported, 2 failed, 3 done; questions are answered by their answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from understudy.protocols.base import SetBaud, Tree
from understudy.protocols.nmea.sentences import SENTENCES, NmeaSheet
from understudy.robots.nmea_gps import RestartReceiver, SetPeriod
from understudy.units import US_PER_MS

UNSUPPORTED, FAILED, DONE = 1, 2, 3
BAUDS = (4_800, 9_600, 14_400, 19_200, 38_400, 57_600, 115_200)
PMTK314 = ("GLL", "RMC", "VTG", "GGA", "GSA", "GSV")  # by position in the command
PMTK314_FIELDS = 19
ORDER = ("GGA", "GLL", "GSA", "GSV", "RMC", "VTG")  # of the sentences of an epoch, once a client has selected them
SHORTEST_PERIOD_MS, LONGEST_PERIOD_MS = 100, 10_000
POWER_ON = "PMTK010,001"
RELEASE = "PMTK705,AXN_1.30,0000,MTK-3301,1.0"


@dataclass
class Settings:
    """What a client has set: the period, and of which epochs each sentence is part."""

    sheet: NmeaSheet
    power_on_baud: int = 0
    period_us: int = 0
    every: dict[str, int] = field(default_factory=dict)  # sentence -> every n-th epoch
    switches: dict[str, int] = field(default_factory=dict)  # settings that have no effect here, but can be read back

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Return to the settings of the port."""
        self.period_us = self.sheet.period_us
        self.every = {name: self.sheet.gsv_every if name == "GSV" else 1 for name in self.sheet.sentences}
        self.switches = {"dgps": 0, "sbas": 0}

    def state(self) -> Tree:
        """Return the settings as plain values."""
        every = [[name, count] for name, count in self.every.items()]
        return {"period_us": self.period_us, "every": every, "switches": dict(self.switches)}

    def restore(self, state: Tree) -> None:
        """Continue from saved settings."""
        for name, count in state["every"]:
            if name not in SENTENCES or count < 1:
                raise ValueError(f"unknown sentence {name!r}, or not every n-th: {count}")
        self.period_us, self.every, self.switches = state["period_us"], dict(state["every"]), dict(state["switches"])


class Answer(NamedTuple):
    """What a command leads to: a confirmation, other sentences, and values for the run."""

    flag: int | None = None
    bodies: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()


Args = Sequence[str]


class Command(NamedTuple):
    """One row of the table."""

    number: int
    name: str
    args: str
    effect: str
    make: Callable[[Settings, Args], Answer]


def _number(args: Args) -> int:
    """Return the first argument, or -1 if it is not a small whole number."""
    return int(args[0]) if args and args[0].isascii() and args[0].isdecimal() and len(args[0]) < 7 else -1


def _set_period(settings: Settings, args: Args) -> Answer:
    wanted = _number(args)
    if not SHORTEST_PERIOD_MS <= wanted <= LONGEST_PERIOD_MS:
        return Answer(FAILED)
    settings.period_us = wanted * US_PER_MS
    return Answer(DONE, values=(SetPeriod(settings.period_us),))


def _set_baud(settings: Settings, args: Args) -> Answer:
    wanted = settings.power_on_baud if _number(args) == 0 else _number(args)
    if wanted not in BAUDS and wanted != settings.power_on_baud:
        return Answer(FAILED)
    return Answer(DONE, values=(SetBaud(wanted),) if wanted else ())


def _select(settings: Settings, args: Args) -> Answer:
    if list(args) == ["-1"]:
        period_us = settings.period_us
        settings.reset()
        settings.period_us = period_us
        return Answer(DONE)
    if len(args) < len(PMTK314) or not all(arg in tuple("012345") for arg in args):
        return Answer(FAILED)
    counts = dict(zip(PMTK314, map(int, args)))
    settings.every = {name: counts[name] for name in ORDER if counts[name]}
    return Answer(DONE)


def _restart(seconds: float, forget: bool = False) -> Callable[[Settings, Args], Answer]:
    def make(settings: Settings, args: Args) -> Answer:
        if forget:
            settings.reset()
        return Answer(None, (POWER_ON,), (RestartReceiver(round(seconds * 1e6)),))

    return make


def _switch(name: str, most: int) -> Callable[[Settings, Args], Answer]:
    def make(settings: Settings, args: Args) -> Answer:
        if not 0 <= _number(args) <= most:
            return Answer(FAILED)
        settings.switches[name] = _number(args)
        return Answer(DONE)

    return make


def _done(settings: Settings, args: Args) -> Answer:
    return Answer(DONE)


def _tell(body: Callable[[Settings], str]) -> Callable[[Settings, Args], Answer]:
    return lambda settings, args: Answer(None, (body(settings),))


def _selected(settings: Settings) -> str:
    counts = [str(settings.every.get(name, 0)) for name in PMTK314]
    return ",".join(["PMTK514", *counts, *["0"] * (PMTK314_FIELDS - len(counts))])


def _fix_control(settings: Settings) -> str:
    return f"PMTK500,{settings.period_us // US_PER_MS},0,0,0.0,0.0"


COMMANDS: tuple[Command, ...] = (
    Command(0, "test", "", "none", _done),
    Command(101, "hot start", "", "PMTK010; no fix for 1 s", _restart(1.0)),
    Command(102, "warm start", "", "PMTK010; no fix for 33 s", _restart(33.0)),
    Command(103, "cold start", "", "PMTK010; no fix for 36 s", _restart(36.0)),
    Command(104, "full cold start", "", "as 103, and the settings of the port again", _restart(36.0, forget=True)),
    Command(220, "period", "ms, 100 to 10000", "time between two epochs", _set_period),
    Command(251, "baud rate", "4800 ... 115200; 0: as at power-on", "after its confirmation", _set_baud),
    Command(300, "fix control", "ms, 0, 0, 0.0, 0.0", "as 220", _set_period),
    Command(301, "DGPS mode", "0 to 2", "can be read back", _switch("dgps", 2)),
    Command(313, "SBAS", "0 or 1", "can be read back", _switch("sbas", 1)),
    Command(314, "sentences", "19 numbers, or -1", "each in every n-th epoch; 0: never", _select),
    Command(320, "power saving", "any", "none", _done),
    Command(386, "speed threshold", "m/s", "none", _done),
    Command(400, "read fix control", "", "answered by PMTK500", _tell(_fix_control)),
    Command(401, "read DGPS mode", "", "answered by PMTK501", _tell(lambda s: f"PMTK501,{s.switches['dgps']}")),
    Command(413, "read SBAS", "", "answered by PMTK513", _tell(lambda s: f"PMTK513,{s.switches['sbas']}")),
    Command(414, "read sentences", "", "answered by PMTK514", _tell(_selected)),
    Command(605, "read release", "", "answered by PMTK705", _tell(lambda s: RELEASE)),
)
_BY_NUMBER: Mapping[int, Command] = MappingProxyType({command.number: command for command in COMMANDS})


def carried_out(settings: Settings, fields: Sequence[str]) -> Answer | None:
    """Carry out the command of a sentence's fields; None if it is not an MTK command."""
    digits = fields[0].removeprefix("PMTK")
    if digits == fields[0] or len(digits) != 3 or not (digits.isascii() and digits.isdecimal()):
        return None
    command = _BY_NUMBER.get(int(digits))
    answer = command.make(settings, fields[1:]) if command else Answer(UNSUPPORTED)
    confirmed = () if answer.flag is None else (f"PMTK001,{int(digits)},{answer.flag}",)
    return answer._replace(bodies=(*confirmed, *answer.bodies))
