"""The keywords of ARIA's robot parameter files, and their reader.

A line is a keyword and its value; ``;`` and ``#`` begin a comment; ``Section`` begins a section. Case does not matter.
Keywords and defaults follow ARIA's own (AriaCoda).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from understudy.errors import Problem, SceneError, nearest

Value = str | float | bool

# keyword -> its default; the type of the default is the type of the keyword
KEYWORDS: Mapping[str, Value] = {
    # General settings
    "Class": "Pioneer", "Subclass": "", "RobotRadius": 250.0, "RobotDiagonal": 120.0, "RobotWidth": 400.0,
    "RobotLength": 500.0, "RobotLengthFront": 0.0, "RobotLengthRear": 0.0, "Holonomic": True, "MaxRVelocity": 0.0,
    "MaxVelocity": 0.0, "MaxLatVelocity": 0.0, "HasMoveCommand": True, "RequestIOPackets": False,
    "RequestEncoderPackets": False, "SwitchToBaudRate": 0.0,
    # Conversion factors
    "AngleConvFactor": 0.001534, "DistConvFactor": 1.0, "VelConvFactor": 1.0, "RangeConvFactor": 1.0,
    "DiffConvFactor": 0.0056, "Vel2Divisor": 20.0, "GyroScaler": 0.0,
    # Accessories the robot has
    "TableSensingIR": False, "NewTableSensingIR": False, "FrontBumpers": False, "NumFrontBumpers": 5.0,
    "RearBumpers": False, "NumRearBumpers": 5.0,
    # IR parameters
    "IRNum": 0.0,
    # Movement control parameters
    "SettableVelMaxes": True, "TransVelMax": 0.0, "RotVelMax": 0.0, "SettableAccsDecs": True, "TransAccel": 0.0,
    "TransDecel": 0.0, "RotAccel": 0.0, "RotDecel": 0.0, "HasLatVel": False, "LatVelMax": 0.0, "LatAccel": 0.0,
    "LatDecel": 0.0,
    # GPS parameters
    "GPSPX": 0.0, "GPSPY": 0.0, "GPSType": "", "GPSPort": "", "GPSBaud": 0.0,
    # Sonar parameters
    "SonarNum": 0.0,
    # Laser parameters, Laser 2 parameters ...
    "LaserPossessed": False, "LaserAutoConnect": False, "LaserX": 0.0, "LaserY": 0.0, "LaserTh": 0.0, "LaserZ": 0.0,
    "LaserIgnore": "", "LaserFlipped": False, "LaserType": "", "LaserMaxRange": 0.0, "LaserStartDegrees": "",
    "LaserEndDegrees": "", "LaserDegreesChoice": "", "LaserIncrement": "", "LaserIncrementChoice": "",
}  # fmt: skip
REPEATED: Mapping[str, int] = {"SonarUnit": 4, "IRUnit": 5}  # keyword -> the minimum number of values
POSITIVE = (
    "RobotWidth", "RobotLength", "AngleConvFactor", "DistConvFactor", "VelConvFactor", "RangeConvFactor",
    "DiffConvFactor",
)  # fmt: skip
# further keywords of ARIA's files, for unsupported parts
OTHERS = ("Laser", "Sonar", "PTZ", "LCD", "Battery", "Video", "GPS", "Compass", "IR", "Camera", "Config", "Section")

_SPELLED = {name.lower(): name for name in (*KEYWORDS, *REPEATED)}
_LINE = re.compile(r"\s*([A-Za-z]\w*)\b[ \t]*(.*)")
_LASER_SECTION = re.compile(r"laser\s*(\d*)\s*(?:parameters)?", re.IGNORECASE)


@dataclass(frozen=True)
class ParamLine:
    """A keyword with its value, its line, and the laser that it applies to, if any."""

    number: int
    keyword: str
    value: str
    laser: int = 1


@dataclass(frozen=True)
class Params:
    """A parameter file: the value of each keyword, and the lines without a known keyword."""

    file: str
    values: Mapping[tuple[str, int], Value]
    rows: Mapping[str, tuple[tuple[float, ...], ...]]
    lines: Mapping[tuple[str, int], int]
    notes: tuple[Problem, ...] = ()

    def number(self, keyword: str, laser: int = 1) -> float:
        """Return a number, or its default if it is absent."""
        return float(self.values.get((keyword, laser), KEYWORDS[keyword]))

    def text(self, keyword: str, laser: int = 1) -> str:
        """Return a word, empty if it is absent."""
        return str(self.values.get((keyword, laser), KEYWORDS[keyword]))

    def flag(self, keyword: str, laser: int = 1) -> bool:
        """Return a flag."""
        return bool(self.values.get((keyword, laser), KEYWORDS[keyword]))

    def line(self, *keywords: str) -> int:
        """Return the line of the first of *keywords* that is present, 0 if none is."""
        return next((self.lines[keyword, 1] for keyword in keywords if (keyword, 1) in self.lines), 0)

    @property
    def lasers(self) -> tuple[int, ...]:
        """Return the numbers of the lasers that the robot has."""
        numbered = sorted({laser for keyword, laser in self.values if keyword.startswith("Laser")})
        return tuple(n for n in numbered if self.text("LaserType", n) or self.flag("LaserPossessed", n))


# ---- reading


def read(text: str, file: str) -> Params:
    """Return the contents of a parameter file; raises SceneError with every error."""
    values: dict[tuple[str, int], Value] = {}
    lines: dict[tuple[str, int], int] = {}
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in REPEATED}
    problems, notes = [], []
    for line in _lines(text):
        try:
            if line.keyword in REPEATED:
                rows[line.keyword].append(_row(line))
            elif line.keyword in KEYWORDS:
                values[line.keyword, line.laser] = _value(line)
                lines[line.keyword, line.laser] = line.number
            else:
                notes.append(Problem(file, line.number, line.keyword, _unknown(line.keyword)))
        except ValueError as error:
            problems.append(Problem(file, line.number, line.keyword, str(error)))
    if problems:
        raise SceneError(problems)
    return Params(file, values, {name: tuple(found) for name, found in rows.items()}, lines, tuple(notes))


def _unknown(keyword: str) -> str:
    hint = "" if is_elsewhere(keyword) else nearest(keyword, KEYWORDS)
    return f"unknown keyword {hint}" if "did you mean" in hint else "unknown keyword, skipped"


def is_elsewhere(keyword: str) -> bool:
    """Return whether a keyword belongs to parts that ARIA knows but we do not support."""
    return keyword.lower().startswith(tuple(map(str.lower, OTHERS)))


def _lines(text: str) -> Iterator[ParamLine]:
    """Yield the lines that have a keyword; an indented line after a comment continues it."""
    laser, in_comment = 1, False
    for number, raw in enumerate(text.splitlines(), 1):
        content = re.split("[;#]", raw, maxsplit=1)[0]
        if not content.strip():
            in_comment = in_comment if not raw.strip() else raw != content
            continue
        found = _LINE.match(content)
        if not found or (in_comment and raw[:1].isspace()):
            continue
        in_comment = False
        if found[1].lower() == "section":
            section = _LASER_SECTION.fullmatch(found[2].strip())
            laser = int(section[1] or 1) if section else 1
        elif found[1].lower() != "configversion":
            yield ParamLine(number, _SPELLED.get(found[1].lower(), found[1]), found[2].strip(), laser)


def _value(line: ParamLine) -> Value:
    """Return the value of a keyword in its type; a missing one is the default."""
    default = KEYWORDS[line.keyword]
    if not line.value:
        return default
    if isinstance(default, str):
        return line.value.strip('"')
    if isinstance(default, bool):
        return _truth(line.value)
    number = _number(line.value)
    if line.keyword in POSITIVE and number <= 0.0:
        raise ValueError(f"must be above 0, got {line.value}")
    return number


def _truth(text: str) -> bool:
    word = text.lower()
    if word not in ("true", "false", "1", "0"):
        raise ValueError(f"want true or false, got {text!r}")
    return word in ("true", "1")


def _number(text: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", text):
        raise ValueError(f"want a number, got {text!r}")
    return float(text)


def _row(line: ParamLine) -> tuple[float, ...]:
    """Return the numbers of a keyword that may be repeated; further values are for other firmware."""
    count = REPEATED[line.keyword]
    words = line.value.split()
    if len(words) < count:
        raise ValueError(f"want {count} numbers, got {line.value!r}")
    row = tuple(map(_number, words[:count]))
    if row[0] < 0 or row[0] > 254 or row[0] % 1:
        raise ValueError(f"its number must be 0 to 254, got {words[0]}")
    return row
