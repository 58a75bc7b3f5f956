"""Error margins: ``error psd 5`` in the parameter file and in ``.sim`` files. The keyword is ours.

The paper says that the parameter file has error margins of sensors and actuators, but not how; EyeSim 6 sets them in
percent in its windows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from understudy.errors import nearest
from understudy.formats.eyesim.line_words import FileNotes, TextLine, numbers
from understudy.frozen import frozen
from understudy.world.media import MEDIA, Medium

Table = dict[str, Any]
# what an error may be of, and what its percentage means
WHAT: Mapping[str, str] = {
    "psd": "standard deviation, as a share of the distance",
    "ir": "standard deviation of the distance at which it switches, as a share of it",
    "lidar": "standard deviation, as a share of the distance",
    "encoder": "greatest share by which a wheel counts wrong, drawn once for each wheel",
    "drive": "greatest share by which the speed is wrong, drawn once for each robot, and its deviation at every tick",
    "turn": "the same of turning",
    "camera": "share of pixels that are black or white (salt and pepper)",
    "camera_gauss": "standard deviation of pixel values, as a share of 255",
    "radio": "share of messages that are lost",
    "radio_corrupt": "share of messages that arrive with one byte changed",
}
_DRIVE = ("drive", "turn")


@frozen
class ErrorMargins:
    """The errors of a file: shares from 0 to 1 by what they are of; empty: a perfect world."""

    shares: tuple[tuple[str, float], ...] = ()

    def of(self, what: str) -> float:
        """Return a share; 0 if it is not given."""
        return dict(self.shares).get(what, 0.0)

    def with_share(self, what: str, share: float) -> ErrorMargins:
        """Return the errors with one more."""
        return ErrorMargins((*self.shares, (what, share)))

    def media(self) -> tuple[Medium, ...]:
        """Return the medium of the radio, if messages are lost or changed."""
        loss, corruption = self.of("radio"), self.of("radio_corrupt")
        return (replace(MEDIA["radio"], loss=loss, corruption=corruption),) if loss or corruption else ()


def read_error(line: TextLine, margins: ErrorMargins, notes: FileNotes) -> ErrorMargins:
    """Return the errors after a line ``error WHAT PERCENT``; what is wrong goes to the notes."""
    words = line.words[1:]
    value = numbers(words[1:2]) or []
    if len(words) != 2 or not value:
        notes.wrong(line.number, f"not an error margin (want error WHAT PERCENT; WHAT is one of {', '.join(WHAT)})")
    elif words[0].lower() not in WHAT:
        notes.wrong(line.number, f"no error margin {words[0][:40]!r} {nearest(words[0].lower(), WHAT)}")
    elif not 0.0 <= value[0] <= 100.0:
        notes.wrong(line.number, f"an error of {value[0]:g} percent (want 0 to 100)")
    else:
        return margins.with_share(words[0].lower(), value[0] / 100)
    return margins


def error_overrides(margins: ErrorMargins, devices: Collection[str]) -> Table:
    """Return what a robot with these devices gets from the errors, as a table of its overrides."""
    made = {name: table for name, table in _devices(margins) if name in devices}
    table: Table = {"device": made} if made else {}
    if any(margins.of(what) for what in _DRIVE):
        stage: Table = {"kind": "errors"}
        for what, word in zip(_DRIVE, ("speed", "turn")):
            if share := margins.of(what):
                stage |= {f"{word}_margin": share, f"{word}_noise": share}
        table["drive_stage"] = {"margins": stage}
    return table


def _devices(margins: ErrorMargins) -> Iterable[tuple[str, Table]]:
    for name in ("psd", "ir", "lidar"):
        if share := margins.of(name):
            yield name, {"noise": {"preset": "", "sigma_m": 0.0, "relative": share}}
    if share := margins.of("encoder"):
        yield "encoders", {"noise": {"preset": ""}, "error": {"random": share}}
    if margins.of("camera") or margins.of("camera_gauss"):
        sigma = round(255.0 * margins.of("camera_gauss"), 6)
        yield "camera", {"salt_pepper": margins.of("camera"), "noise": {"preset": "", "sigma": sigma}}
