"""The lines of the paper's parameter file ``eyesim.p``: robot, sensors, errors, number of robots, environment.

The paper names the number of robots, their poses, error margins and ranges but not their keywords; those are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.formats.eyesim.environment import MOST_THINGS
from understudy.formats.eyesim.error_lines import ErrorMargins, read_error
from understudy.formats.eyesim.line_words import FileNotes, TextLine, numbers, said_lines
from understudy.frozen import frozen

MOST_SENSORS = 100
# keywords with one number: what to write, least and greatest value
_SINGLE: Mapping[str, tuple[str, float, float]] = {
    "diameter": ("diameter MM", 1.0, 1e5),
    "speed": ("speed CM_S", 0.1, 1e4),
    "turn": ("turn DEG_S", 0.1, 1e4),
    "robots": ("robots NUMBER", 1.0, MOST_THINGS),
    "ir_range": ("ir_range MM", 1.0, 1e6),
}
_SWITCHES = ("pause", "debug")
_FILES = ("world", "maze")
_SENSORS = {"psd": "psd NAME ID ANGLE DISTANCE DEVIATION", "ir": "ir NAME ID ANGLE DISTANCE DEVIATION"}
_BUMP = "bump NAME ID START END"
KEYWORDS = ("name", *_SINGLE, *_SWITCHES, *_FILES, *_SENSORS, "bump", "psd_range", "robot", "error")


@frozen
class PolarSensor:
    """A sensor: name, number, and two or three numbers: its place about the centre (deg, mm), or a sector (deg)."""

    name: str
    id: int
    values: tuple[float, ...]


@dataclass
class ClassicParams:
    """What a parameter file describes."""

    file: str
    name: str = "eyebot"
    single: dict[str, float] = field(default_factory=dict)
    sensors: dict[str, list[PolarSensor]] = field(default_factory=dict)  # psd, ir, bump
    psd_range: tuple[float, float] | None = None  # mm
    poses: list[tuple[float, float, float, int]] = field(default_factory=list)  # mm, deg, and the line
    environment: tuple[str, int] | None = None  # the file, and the line
    margins: ErrorMargins = ErrorMargins()
    lines: dict[str, int] = field(default_factory=dict)


def read_params(text: str, file: str, notes: FileNotes) -> ClassicParams:
    """Return what a parameter file describes; errors and warnings go to the notes."""
    reader = _Reader(ClassicParams(file), notes)
    for line in said_lines(text, "#"):
        reader.take(line)
    return reader.made


@dataclass
class _Reader:
    """Reads a parameter file line by line."""

    made: ClassicParams
    notes: FileNotes

    def take(self, line: TextLine) -> None:
        """Process one line, or add a warning if its keyword is unknown."""
        key = line.key
        if key not in KEYWORDS:
            self.notes.unknown(line, KEYWORDS)
            return
        self.made.lines.setdefault(key, line.number)
        if key in _SINGLE:
            self._single(line)
        elif key in _SENSORS:
            self._sensor(line, _SENSORS[key], 3)
        elif key in _FILES:
            self._environment(line)
        elif key in _SWITCHES:
            self._switch(line)
        else:
            _DO[key](self, line)

    def _wrong(self, line: TextLine, want: str) -> None:
        self.notes.wrong(line.number, f"not understood: {line.text[:60]!r} (want {want})")

    def _single(self, line: TextLine) -> None:
        want, least, most = _SINGLE[line.key]
        found = numbers(line.words[1:])
        if found is None or len(found) != 1 or (line.key == "robots" and not found[0].is_integer()):
            self._wrong(line, want)
        elif not least <= found[0] <= most:
            self.notes.wrong(line.number, f"{line.key} of {found[0]:g} (want {least:g} to {most:g})")
        else:
            self.made.single[line.key] = found[0]

    def _sensor(self, line: TextLine, want: str, count: int) -> None:
        values, id_ = numbers(line.words[3:]), numbers(line.words[2:3])
        if values is None or len(values) != count or not id_ or not id_[0].is_integer():
            self._wrong(line, want)
            return
        known = self.made.sensors.setdefault(line.key, [])
        if any(other.id == id_[0] for other in known) or len(known) >= MOST_SENSORS:
            text = f"the number {id_[0]:.0f} is taken by another {line.key}, or there are too many; skipped"
            self.notes.warn(line.number, text)
        else:
            known.append(PolarSensor(line.words[1][:40], int(id_[0]), tuple(values)))

    def bump(self, line: TextLine) -> None:
        """Take a bumper: a sector of the perimeter."""
        self._sensor(line, _BUMP, 2)

    def _environment(self, line: TextLine) -> None:
        if len(line.words) != 2:
            self._wrong(line, f"{line.key} FILE")
        elif self.made.environment is None:
            self.made.environment = line.words[1], line.number
        else:
            self.notes.warn(line.number, "a second environment; skipped")

    def _switch(self, line: TextLine) -> None:
        word = line.words[1].lower() if len(line.words) == 2 else ""
        if word not in ("on", "off"):
            self._wrong(line, f"{line.key} on, or {line.key} off")
        elif word == "on":
            self.notes.warn(line.number, f"{line.key} on has no effect")

    def name(self, line: TextLine) -> None:
        """Take the robot's name."""
        self.made.name = " ".join(line.words[1:])[:100] or self.made.name

    def psd_range(self, line: TextLine) -> None:
        """Take the range of all PSDs."""
        found = numbers(line.words[1:])
        if found and len(found) == 2 and 0.0 <= found[0] < found[1] <= 1e6:
            self.made.psd_range = found[0], found[1]
        else:
            self._wrong(line, "psd_range MIN MAX, in mm, MIN below MAX")

    def robot(self, line: TextLine) -> None:
        """Take the pose of one more robot."""
        found = numbers(line.words[1:])
        if found is None or len(found) != 3:
            self._wrong(line, "robot x y phi")
        elif len(self.made.poses) >= MOST_THINGS:
            self.notes.wrong(line.number, f"too many robots (at most {MOST_THINGS:,})")
        else:
            self.made.poses.append((found[0], found[1], found[2], line.number))

    def error(self, line: TextLine) -> None:
        """Take an error margin."""
        self.made.margins = read_error(line, self.made.margins, self.notes)


_DO = {
    "bump": _Reader.bump,
    "name": _Reader.name,
    "psd_range": _Reader.psd_range,
    "robot": _Reader.robot,
    "error": _Reader.error,
}
