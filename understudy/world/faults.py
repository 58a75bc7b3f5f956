"""Faults: plain values that links, sensors and drives obey.

An effect is a small record with its own parameters. `EFFECTS` lists the effects of each sort of part; a stage in
`sensors.failing` (devices) or `sim.drive_stages` (drives) implements each of them.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from understudy.errors import ChangeRefused, nearest
from understudy.frozen import frozen
from understudy.world.drive_stages import STAGES, BrownOut, Dead, Errors, Slip, Stuck, Weak
from understudy.world.records import rule

Sort = Literal["device", "port", "drive"]


@frozen
class MoreNoise:
    """A sensor's noise is stronger or weaker than its data sheet says."""

    kind: ClassVar[str] = "noise"
    scale: float = rule(3.0, least=0.0, doc="factor on the noise of the data sheet")


@frozen
class Offset:
    """A sensor reads too much or too little."""

    kind: ClassVar[str] = "offset"
    by: float = rule(doc="added to every reading, in its unit (m, rad, rad/s, m/s2)")


@frozen
class Lost:
    """A sensor detects nothing in some of its readings."""

    kind: ClassVar[str] = "lost"
    share: float = rule(0.5, least=0.0, most=1.0, doc="share of the readings that are lost")


@frozen
class Delay:
    """A sensor reports what it measured some time ago."""

    kind: ClassVar[str] = "delay"
    delay_us: int = rule(least=0, most=60_000_000, doc="age of a reading, in addition to the latency of the data sheet")


Effect = Dead | Stuck | MoreNoise | Offset | Lost | Delay | Errors | Slip | Weak | BrownOut
WORDS: dict[str, type[Effect]] = {cls.kind: cls for cls in get_args(Effect)}
# the sort of part -> what can be wrong with it
EFFECTS: dict[Sort, tuple[type[Effect], ...]] = {
    "device": (Dead, Stuck, MoreNoise, Offset, Lost, Delay),
    "port": (Dead, Stuck),
    "drive": tuple(STAGES.values()),
}


@frozen
class Fault:
    """A part at *path* (``scout/front``, ``scout/host``, or ``scout`` for its drive) fails, or recovers.

    The effect may be given by its word, if it needs no more: ``Fault("scout/front", "stuck")``.
    """

    path: str = rule(key="fault", verb=True, doc="the part that fails, or recovers")
    how: Effect = rule(Dead(), inline=True, tag="effect")
    active: bool = rule(True, doc="false: the part works again")

    def __post_init__(self) -> None:
        if isinstance(self.how, str):
            object.__setattr__(self, "how", _from_word(self.how))

    @property
    def effect(self) -> str:
        """Return the word of the effect."""
        return self.how.kind


def _from_word(word: str) -> Effect:
    if word not in WORDS:
        raise ValueError(f"no such effect {word!r} {nearest(word, WORDS)}")
    try:
        return WORDS[word]()
    except TypeError:
        name = WORDS[word].__name__
        raise ValueError(f"{word!r} needs to know how much: give faults.{name}(...) instead of the word") from None


def check(fault: Fault, sort: Sort) -> None:
    """Raise ChangeRefused if a part of this sort cannot fail in this way."""
    if not isinstance(fault.how, EFFECTS[sort]):
        words = [effect.kind for effect in EFFECTS[sort]]
        raise ChangeRefused(f"{fault.path} is a {sort}, which cannot have {fault.effect!r} {nearest('', words)}")
    if sort != "drive" and isinstance(fault.how, Dead) and fault.how.side != "both":
        raise ChangeRefused(f"{fault.path} is a {sort}, which has no {fault.how.side} side; leave the side out")
