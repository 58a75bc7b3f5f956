"""The lines of a ``.robi`` file: a robot of EyeSim 6 or of EyeSim-VR (mm, degrees, kg).

A line whose first word is no keyword is skipped. Files with ``diameter``, ``speed`` or ``turn`` are EyeSim 6's: there a
wheel's last number is the whole track and a camera's last two are the size of its picture.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from understudy.errors import nearest
from understudy.formats.document import as_text
from understudy.formats.eyesim.colliders import SIZES, Collider, collider
from understudy.formats.eyesim.line_words import FileNotes, TextLine, check_size, is_number, numbers, said_lines
from understudy.frozen import frozen

SUFFIXES: tuple[str, ...] = (".robi",)
DRIVES: Mapping[str, str] = {
    "differential_drive": "differential", "ackermann_drive": "ackermann", "omni_drive": "omni",
    "differential": "differential", "ackermann": "ackermann", "omni": "omni", "mecanum_drive": "omni",
}  # fmt: skip
MOST_SENSORS = 100
_MOST_COLLIDERS = 100
_OLD = ("diameter", "speed", "turn")  # keywords of EyeSim 6


@frozen
class RobiSensor:
    """A distance sensor: name, number, place in the robot's frame (x ahead, y left, z up; mm) and direction (deg)."""

    name: str
    id: int
    place: tuple[float, float, float]
    yaw: float
    tilt: float = 0.0
    roll: float = 0.0


@frozen
class RobiWheel:
    """Diameter (mm), greatest speed (deg/s), ticks of a revolution, and distance from the middle or track (mm)."""

    diameter: float
    deg_s: float
    ticks: float
    distance: float


@dataclass
class RobiParams:
    """What a ``.robi`` file describes."""

    file: str
    name: str
    drive: str = ""
    single: dict[str, float] = field(default_factory=dict)  # diameter, speed, turn, mass, fisheye
    model: tuple[str, tuple[float, ...]] | None = None  # file, and place in model space
    colliders: list[Collider] = field(default_factory=list)
    axes: dict[str, tuple[float, float]] = field(default_factory=dict)  # "", drive, turn: height and ahead
    wheels: dict[str, RobiWheel] = field(default_factory=dict)  # "", drive, turn
    psds: list[RobiSensor] = field(default_factory=list)
    camera: tuple[float, ...] = ()
    lidar: tuple[float, ...] = ()  # range, points, tilt
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def is_old(self) -> bool:
        """Return whether this is a file of EyeSim 6."""
        return any(word in self.single for word in _OLD)


def read_robi(data: bytes | str, file: str, notes: FileNotes) -> RobiParams:
    """Return what a robot file describes; errors and warnings go to the notes."""
    if isinstance(data, bytes):
        check_size(data, file)
    params = RobiParams(file, pathlib.PurePath(file).stem)
    reader = _Reader(params, notes)
    for line in said_lines(as_text(data, file), "#;"):
        reader.take(line)
    reader.check()
    return params


@dataclass
class _Reader:
    """Reads a robot file line by line."""

    made: RobiParams
    notes: FileNotes

    def take(self, line: TextLine) -> None:
        """Process one line; one without a keyword is skipped."""
        do = getattr(self, f"do_{line.key}", None)
        if line.key in _SINGLE:
            self._single(line)
        elif do is not None:
            do(line)
        else:
            self._warn(line, f"not a keyword of robot files: {line.words[0][:40]!r}; skipped")
            return
        self.made.lines[line.key] = line.number

    def check(self) -> None:
        """Report what is missing or contradictory."""
        made = self.made
        if not made.drive:
            made.drive = "differential"
            if "drive" not in made.lines:
                self.notes.warn(1, "no drive; taken for DIFFERENTIAL_DRIVE", made.file)
        if not made.wheels and "speed" not in made.single:
            text = "the robot has no wheels (add a line: wheel DIAMETER MAX_DEG_S TICKS DISTANCE)"
            self.notes.wrong(0, text, made.file)
        if not made.colliders and "diameter" not in made.single:
            text = "no diameter and no collider; the robot is a circle of 186 mm, as the S4 of EyeSim 6"
            self.notes.warn(0, text, made.file)

    # ---- helpers

    def _warn(self, line: TextLine, text: str) -> None:
        self.notes.warn(line.number, text, self.made.file)

    def _numbers(self, line: TextLine, first: int, want: str, *counts: int) -> list[float] | None:
        found = numbers(line.words[first:])
        if found is None or len(found) not in counts:
            self.notes.wrong(line.number, f"not understood: {line.text[:60]!r} (want {want})", self.made.file)
            return None
        return found

    def _single(self, line: TextLine) -> None:
        want, least, most = _SINGLE[line.key]
        found = self._numbers(line, 1, want, 1)
        if found and least <= found[0] <= most:
            self.made.single[line.key] = found[0]
        elif found:
            self.notes.wrong(line.number, f"{line.key} of {found[0]:g} (want {least:g} to {most:g})", self.made.file)

    def _part(self, line: TextLine) -> tuple[str, int]:
        """Return which wheels or axle of a car a line is about, and where its numbers begin."""
        word = line.words[1].lower() if len(line.words) > 1 else ""
        return (word, 2) if word in ("drive", "turn") else ("", 1)

    # ---- one method for each keyword

    def do_drive(self, line: TextLine) -> None:
        """Take the kind of drive; motor and encoder names of EyeSim 6 follow."""
        word = line.words[1].lower() if len(line.words) > 1 else ""
        self.made.drive = DRIVES.get(word, "")
        if not self.made.drive:
            text = f"no such drive {word[:40]!r} {nearest(word, [name for name in DRIVES if name.endswith('_drive')])}"
            self.notes.wrong(line.number, text, self.made.file)

    def do_name(self, line: TextLine) -> None:
        """Take the name, which may have blanks."""
        self.made.name = " ".join(line.words[1:])[:100] or self.made.name

    def do_model(self, line: TextLine) -> None:
        """Take the file of the mesh, and its place."""
        if len(line.words) < 2:
            self._warn(line, "no file of the model; skipped (want model FILE [x y z rx ry rz])")
            return
        place = numbers(line.words[2:]) or []
        self.made.model = line.words[1].replace("\\", "/"), tuple(place if len(place) == 6 else [0.0] * 6)

    def do_mass(self, line: TextLine) -> None:
        """Take the mass; its centre is not used."""
        found = self._numbers(line, 1, "mass KG [cx cy cz]", 1, 4)
        if found and 0.0 < found[0] <= 1e4:
            self.made.single["mass"] = found[0]
        elif found:
            self.notes.wrong(line.number, f"a mass of {found[0]:g} kg (want above 0, up to 10000)", self.made.file)

    def do_collider(self, line: TextLine) -> None:
        """Take a collider: its size, then its centre."""
        kind = line.words[1].lower() if len(line.words) > 1 else ""
        if kind not in SIZES:
            self._warn(line, f"unknown collider {kind[:40]!r}; skipped {nearest(kind, SIZES)}")
            return
        count = len(SIZES[kind].split())
        found = self._numbers(line, 2, f"collider {kind} {SIZES[kind]} cx cy cz", count + 3)
        part = collider(kind, found[:count], found[count:]) if found else None
        if found and part is None:
            self.notes.wrong(line.number, "a collider without size (want sizes above 0)", self.made.file)
        elif part and len(self.made.colliders) < _MOST_COLLIDERS:
            self.made.colliders.append(part)

    def do_axis(self, line: TextLine) -> None:
        """Take the place of an axle; EyeSim 6 gives only how far it is ahead of the centre."""
        part, first = self._part(line)
        if found := self._numbers(line, first, "axis HEIGHT AHEAD", 1, 2):
            self.made.axes[part] = (found[0], found[1]) if len(found) == 2 else (0.0, found[0])

    do_axel = do_axle = do_axis

    def do_wheel(self, line: TextLine) -> None:
        """Take the wheels."""
        part, first = self._part(line)
        found = self._numbers(line, first, "wheel [drive|turn] DIAMETER MAX_DEG_S TICKS DISTANCE", 4)
        if found and min(found) > 0.0:
            self.made.wheels[part] = RobiWheel(*found)
        elif found:
            self.notes.wrong(line.number, "numbers of wheels must be above 0", self.made.file)

    def do_psd(self, line: TextLine) -> None:
        """Take a distance sensor in either form."""
        words = line.words[1:]
        newer = len(words) > 1 and is_number(words[0])  # psd id name x y z roll pan tilt
        name, number_ = (words[1], words[0]) if newer else ((*words, "", "")[:2])
        values, id_ = numbers(words[2:]), numbers([number_])
        if values is None or not id_ or not id_[0].is_integer() or len(values) != (6 if newer else 4):
            want = "psd NAME ID x y z ANGLE, or psd ID NAME x y z ROLL PAN TILT"
            self.notes.wrong(line.number, f"not understood: {line.text[:60]!r} (want {want})", self.made.file)
            return
        self._add_psd(line, RobiSensor(name[:40], int(id_[0]), (values[0], values[1], values[2]), *_angles(values[3:])))

    def _add_psd(self, line: TextLine, sensor: RobiSensor) -> None:
        if any(known.id == sensor.id for known in self.made.psds):
            self._warn(line, f"the number {sensor.id} is taken by another psd; skipped")
        elif len(self.made.psds) >= MOST_SENSORS:
            self._warn(line, f"more than {MOST_SENSORS} psds; skipped")
        else:
            self.made.psds.append(sensor)

    def do_camera(self, line: TextLine) -> None:
        """Take the camera: its place, pan and tilt, and their limits or the size of the picture."""
        if found := self._numbers(line, 1, "camera x y z PAN TILT MAXPAN MAXTILT", 5, 7):
            self.made.camera = tuple(found)

    def do_lidar(self, line: TextLine) -> None:
        """Take the LIDAR: its range in degrees if that is given, points and tilt."""
        found = self._numbers(line, 1, "lidar RANGE POINTS TILT", 2, 3)
        if not found:
            return
        angle, points, tilt = found if len(found) == 3 else [360.0, *found]
        if 1.0 <= angle <= 360.0 and 1.0 <= points <= 10_000.0 and points.is_integer() and abs(tilt) <= 90.0:
            self.made.lidar = (angle, points, tilt)
        else:
            want = "1 to 360 degrees, 1 to 10000 points, a tilt up to 90 degrees"
            self.notes.wrong(line.number, f"not a lidar: {line.text[:60]!r} (want {want})", self.made.file)


# keyword -> what to write, least and greatest value
_SINGLE: Mapping[str, tuple[str, float, float]] = {
    "diameter": ("diameter MM", 1.0, 1e5),
    "speed": ("speed MM_S", 1.0, 1e5),
    "turn": ("turn DEG_S", 1.0, 1e5),
    "fisheye": ("fisheye ANGLE", 1.0, 175.0),
}


def _angles(values: list[float]) -> tuple[float, float, float]:
    """Return yaw, tilt and roll of the angles of a sensor: the only one, or roll, pan and tilt."""
    return (values[0], 0.0, 0.0) if len(values) == 1 else (values[1], values[2], values[0])
