"""Keys that a script presses: ``KEY1@2s, bob:KEY4@20s, KEY2@500ms+1.5s``.

An entry is ``[ROBOT:]KEY@TIME[+HOLD]``. KEY is KEY1 to KEY4, several with ``&``, or ``TOUCH 100x50`` for the screen.
TIME is when in simulated time, HOLD how long; without it the key is released at once. Units: s (default), ms, min.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from understudy.errors import FormatError, UnknownName, excerpt, nearest
from understudy.robots.eyebot.keys import KEYS, KeyPress, KeyRelease, KeyTap, ScreenTouch

KeyOrder = KeyPress | KeyRelease | KeyTap | ScreenTouch

MOST_ENTRIES, MOST_US = 100_000, 10**15
_WANT = "want KEY1@2s, bob:KEY4@20s or KEY2@500ms+1.5s"
_UNITS_US = {"": 1_000_000, "s": 1_000_000, "ms": 1000, "min": 60_000_000}
_ENTRY = re.compile(r"(?:(?P<robot>[^:@+]*):)?(?P<keys>[^:@+]*)@(?P<at>[^:@+]*)(?:\+(?P<hold>[^:@+]*))?")
_TIME = re.compile(r"(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*([a-z]*)", re.ASCII)
_TOUCH = re.compile(r"TOUCH\s*(\d{1,9})\s*X\s*(\d{1,9})", re.ASCII)
_NUMBERS = {f"KEY{number}": key for number, key in enumerate(KEYS, 1)}


class ScriptedKey(NamedTuple):
    """What happens at a key, and when; the robot is empty if all robots are meant."""

    t_us: int
    robot: str
    order: KeyOrder


def parse(script: str, source: str = "--keys") -> tuple[ScriptedKey, ...]:
    """Return what a script does, in order of time; raises FormatError that names *source* and the entry."""
    entries = [entry.strip() for entry in re.split(r"[,;\n]", script)]
    filled = [entry for entry in entries if entry]
    if len(filled) > MOST_ENTRIES:
        raise FormatError(f"{source}: {len(filled):,} keys are too many (at most {MOST_ENTRIES:,})")
    made = [key for entry in filled for key in _entry(entry, source)]
    return tuple(sorted(made, key=lambda key: key.t_us))


def check_robots(script: Iterable[ScriptedKey], robots: Iterable[str], source: str = "--keys") -> None:
    """Raise UnknownName if a script names a robot that does not exist."""
    known = set(robots)
    for key in script:
        if key.robot and key.robot not in known:
            raise UnknownName(f"{source}: there is no robot {excerpt(key.robot)} {nearest(key.robot, known)}")


def _entry(entry: str, source: str) -> Iterator[ScriptedKey]:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise FormatError(f"{source}: {excerpt(entry)} is not a key and its time ({_WANT})")
    robot, keys, at, hold = (part.strip() if part is not None else None for part in found.groups())
    if robot == "":
        raise FormatError(f"{source}: {excerpt(entry)} names no robot before ':' ({_WANT})")
    where = f"{source}: {excerpt(entry)}"
    start_us = _time(at or "", where)
    touch = _TOUCH.fullmatch((keys or "").upper())
    if touch:
        if hold is not None:
            raise FormatError(f"{where}: a touch cannot be held (leave out +{excerpt(hold)})")
        yield ScriptedKey(start_us, robot or "", ScreenTouch(int(touch[1]), int(touch[2])))
        return
    mask = _mask(keys or "", where)
    if hold is None:
        yield ScriptedKey(start_us, robot or "", KeyTap(mask))
    else:
        yield ScriptedKey(start_us, robot or "", KeyPress(mask))
        yield ScriptedKey(start_us + _time(hold, where), robot or "", KeyRelease(mask))


def _mask(keys: str, where: str) -> int:
    mask = 0
    for word in keys.upper().split("&"):
        key = _NUMBERS.get(word.strip())
        if key is None:
            raise FormatError(
                f"{where}: there is no key {excerpt(word.strip())} (want KEY1, KEY2, KEY3, KEY4 or TOUCH)"
            )
        mask |= key
    return mask


def _time(text: str, where: str) -> int:
    """Return a time (us)."""
    found = _TIME.fullmatch(text.lower())
    if found is None or found[2] not in _UNITS_US:
        raise FormatError(f"{where}: {excerpt(text)} is not a time (want 2s, 1.5s, 500ms or 3min)")
    exact = Fraction(found[1].rstrip(".") or "0") * _UNITS_US[found[2]]
    if exact > MOST_US:
        raise FormatError(f"{where}: {excerpt(text)} is too late (at most {MOST_US // 1_000_000:,} s)")
    return round(exact)
