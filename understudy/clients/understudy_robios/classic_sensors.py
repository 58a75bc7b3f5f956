"""Classic sensors: distance, bumpers, infrared and the compass. An Init function turns a name into a handle."""

from __future__ import annotations

from typing import Any

from .calls import current, robios
from .classic_constants import NAMES, PSD_OUT_OF_RANGE
from .frame import NO_COMPASS, NO_IR, NO_PSD
from .values import store, whole

__all__ = [
    "BUMPCheck", "BUMPInit", "BUMPRelease", "COMPASSCalibrate", "COMPASSCheck", "COMPASSGet", "COMPASSInit",
    "COMPASSRelease", "COMPASSStart", "COMPASSStop", "IRInit", "IRRead", "IRRelease", "PSDCheck", "PSDGet", "PSDGetRaw",
    "PSDInit", "PSDRelease", "PSDStart", "PSDStop",
]  # fmt: skip
WRONG = -1


class _State:
    """Whether PSDs measure (once: with which values), and which bumps the program has seen."""

    started = False
    once: dict[int, int] | None = None
    bumps: dict[int, int] = {}  # noqa: RUF012


_state = _State()


def _handle(kind: str, semantics: Any) -> int:
    """Return the handle of a sensor by its name, or by its number; 0 if there is none."""
    number, sensors = whole(semantics), current().greeting.sensors[kind]
    name = NAMES.get(number, "")
    for at, (_, known) in enumerate(sensors):
        if name and known == name:
            return 1 << at
    return next((1 << at for at, (known, _) in enumerate(sensors) if known == number), 0)


def _place(kind: str, handle: Any) -> int:
    """Return the place of a sensor by its handle; -1 for a wrong one."""
    mask, count = whole(handle), len(current().greeting.sensors[kind])
    return next((at for at in range(count) if mask == 1 << at), -1)


@robios(starts=True)
def PSDInit(semantics: Any) -> int:
    """Return the handle of a distance sensor; 0 if there is none."""
    return _handle("psd", semantics)


@robios(starts=True)
def PSDStart(handles: Any, cycle: Any = 1) -> int:
    """Begin to measure, continuously (TRUE) or once; -1 for wrong handles."""
    session, mask = current(), whole(handles)
    count = len(session.greeting.sensors["psd"])
    if not 0 < mask < 1 << count:
        return WRONG
    _state.started, frame = True, session.frame_with(NO_PSD)
    _state.once = None if whole(cycle) else {at: frame.psd_mm(at) for at in range(count) if mask >> at & 1}
    return 0


@robios(starts=True)
def PSDStop() -> int:
    """Stop measuring."""
    _state.started, _state.once = False, None
    return 0


@robios(starts=True)
def PSDRelease() -> int:
    """Stop measuring and release all sensors."""
    _state.started, _state.once = False, None
    return 0


@robios(starts=True)
def PSDCheck() -> int:
    """Return 1 if values are valid."""
    return int(_state.started)


def _distance(handle: Any) -> int:
    place = _place("psd", handle)
    if place < 0:
        return PSD_OUT_OF_RANGE
    now = current().frame_with(NO_PSD).psd_mm(place)
    return now if _state.once is None else _state.once.get(place, now)


@robios(starts=True)
def PSDGet(handle: Any) -> int:
    """Return the distance (mm); PSD_OUT_OF_RANGE if nothing is there."""
    return _distance(handle)


@robios(starts=True)
def PSDGetRaw(handle: Any) -> int:
    """Return the raw value; here the same as PSDGet."""
    return _distance(handle)


@robios(starts=True)
def BUMPInit(semantics: Any) -> int:
    """Return the handle of a bumper; 0 if there is none."""
    return _handle("bumper", semantics)


@robios(starts=True)
def BUMPRelease(handle: Any) -> int:
    """Release a bumper."""
    return 0 if _place("bumper", handle) >= 0 else WRONG


@robios(starts=True)
def BUMPCheck(handle: Any, timestamp: Any = None) -> int:
    """Return 0 if the bumper was hit since the last check (and store when, in 1/100 s), else -1."""
    session, place = current(), _place("bumper", handle)
    if place < 0:
        return WRONG
    count, last_us = session.frame.bump(place)
    if count == _state.bumps.get(place, 0):
        return WRONG
    _state.bumps[place] = count
    if timestamp is not None:
        store(timestamp, (last_us - session.begin_us) // 10_000)
    return 0


@robios(starts=True)
def IRInit(semantics: Any) -> int:
    """Return the handle of an infrared sensor; 0 if there is none."""
    return _handle("ir", semantics)


@robios(starts=True)
def IRRelease(handle: Any) -> int:
    """Release an infrared sensor."""
    return 0 if _place("ir", handle) >= 0 else WRONG


@robios(starts=True)
def IRRead(handle: Any) -> int:
    """Return 1 if an obstacle is near, 0 if not, -1 for a wrong handle."""
    place = _place("ir", handle)
    return current().frame_with(NO_IR).ir(place) if place >= 0 else WRONG


def _compass() -> int:
    return int(current().frame_with(NO_COMPASS).compass_deg)


@robios(starts=True)
def COMPASSInit(semantics: Any = 0) -> int:
    """Open the compass; 1 if there is none."""
    return int(_compass() < 0)


@robios(starts=True)
def COMPASSStart(cycle: Any = 1) -> int:
    """Begin to measure; 1 without a compass."""
    return int(_compass() < 0)


@robios(starts=True)
def COMPASSCheck() -> int:
    """Return 1 if a value is valid."""
    return int(_compass() >= 0)


@robios(starts=True)
def COMPASSGet() -> int:
    """Return the heading (degrees); -1 without a compass."""
    return _compass()


@robios(starts=True)
def COMPASSStop() -> int:
    """Stop measuring."""
    return 0


@robios(starts=True)
def COMPASSRelease() -> int:
    """Release the compass."""
    return 0


@robios(starts=True)
def COMPASSCalibrate(mode: Any = 0) -> int:
    """Calibrate the compass; ours needs none."""
    return 0
