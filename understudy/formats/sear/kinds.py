"""The kinds of SEAR objects and their values: one table for the grammar, the XML files and the documentation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from understudy.errors import FormatError, excerpt, nearest
from understudy.formats.sear.axes import Triple
from understudy.frozen import frozen
from understudy.world.limits import LENGTH_M

Place = Literal["environment", "robot"]
Sort = Literal["number", "count", "flag", "text", "cones"]
MOST_LETTERS = 400  # of a name, a file name or another text
MOST_CONES = 60
MOST_SCALE = 1e6


@frozen
class Value:
    """A value of an object: its name in XML, its sort, its default (None: it must be given), and its limits."""

    name: str
    default: Any
    doc: str
    sort: Sort = "number"
    above: float | None = None
    least: float | None = None
    most: float = LENGTH_M
    choices: tuple[str, ...] = ()


class BeamCone(NamedTuple):
    """A cone of a distance sensor: half its width (degrees), its range (m), its rays, and its axis (degrees)."""

    angle: float
    range: float
    lines: int = 0
    left: float = 0.0
    down: float = 0.0


@frozen
class ObjectKind:
    """A kind of object: where its file lies, and its values."""

    tag: str
    place: Place
    doc: str
    values: tuple[Value, ...] = ()
    solid: bool = False  # it can also be a component of a robot

    def value(self, name: str) -> Value:
        """Return a value by name; raises FormatError that suggests another."""
        for value in self.values:
            if value.name == name:
                return value
        raise FormatError(f"a {self.tag} has no {name!r} {nearest(name, (value.name for value in self.values))}")


def _picture(what: str) -> Value:
    return Value("picture", "", f"a picture file in assets; left out: {what}", "text")


_MASS = Value("mass", 0.0, "kg; 0: it stays where it is, also in the air", least=0.0)
_HEIGHT = Value("height", None, "m, along Y", above=0.0)
_RADIUS = Value("radius", None, "m", above=0.0)
_NOISE = Value("noise", False, "true: the errors of a real device; false: none, as in SEAR", "flag")
_RATE = Value("rate", 100.0, "readings per second", above=0.0, most=1e4)


def _serial(baud: int) -> tuple[Value, ...]:
    rate = "baud rate; 0: any" if not baud else f"baud rate; left out: {baud}"
    return (
        Value("uart", "", "name of the device's end of its serial line", "text"),
        Value("user", "", "name of the user's end", "text"),
        Value("baud", baud, rate, "count", least=0, most=4_000_000),
    )


KINDS: Mapping[str, ObjectKind] = MappingProxyType({
    kind.tag: kind
    for kind in (
        ObjectKind("box", "environment", "a cuboid about its centre", (
            Value("length", None, "m, along Z", above=0.0),
            Value("width", None, "m, along X", above=0.0),
            _HEIGHT, _MASS, _picture("cardboard"),
        ), solid=True),
        ObjectKind("cylinder", "environment", "an upright cylinder about its centre", (
            _RADIUS, _HEIGHT, _MASS, _picture("a recycling bin"),
        ), solid=True),
        ObjectKind("cone", "environment", "an upright cone about the middle of its height", (
            _RADIUS, _HEIGHT, _MASS, _picture("a traffic cone"),
        ), solid=True),
        ObjectKind("model", "environment", "a mesh, such as Ogre's .mesh.xml; its origin is at the position", (
            Value("file", None, "a mesh file in assets; models/Tree/Tree.mesh.xml comes with Understudy", "text"),
            _MASS, _picture("that of the file"),
            Value("terrain", False, "true: it is the ground", "flag"),
            Value("seen", True, "false: invisible to distance sensors and scanners", "flag"),
            Value("hull", False, "true: collisions use its convex hull", "flag"),
        ), solid=True),
        ObjectKind("floor", "environment", "the ground; its top is at Y", (
            Value("length", None, "m, along Z", above=0.0),
            Value("width", None, "m, along X", above=0.0),
            Value("seen", True, "false: invisible to distance sensors and scanners", "flag"),
            Value("friction", 1.0, "of wheels on it", least=0.0),
            _picture("none"),
        )),
        ObjectKind("wall", "environment", "a straight wall that stands on Y", (
            Value("x1", None, "m, one end"), Value("z1", None, "m"),
            Value("x2", None, "m, the other end"), Value("z2", None, "m"),
            Value("height", 1.0, "m", above=0.0), Value("thickness", 0.1, "m", above=0.0), _picture("none"),
        )),
        ObjectKind("robot", "robot", "a robot; what it consists of are its components"),
        ObjectKind("wheel", "robot", "a wheel; in the file of its robot", (
            _RADIUS, Value("width", None, "m", above=0.0),
            Value("driven", False, "true: a motor turns it; false: it idles", "flag"),
        )),
        ObjectKind("dynamics", "robot", "mass, suspension and start pose of a robot, and its serial port", (
            Value("mass", None, "kg, of the whole robot", above=0.0),
            Value("stiffness", None, "of each wheel's spring, per kg of the robot (N/m/kg)", least=0.0),
            Value("compression", 0.3, "damping of a spring under compression, of 2*sqrt(stiffness)", least=0.0),
            Value("damping", 0.4, "damping of a spring that extends, of 2*sqrt(stiffness)", least=0.0),
            Value("max_force", 10_000.0, "N, of each spring", least=0.0),
            Value("rest_length", 0.0, "m, of a spring without load", least=0.0),
            Value("x", 0.0, "m, start position"), Value("y", 0.0, "m"), Value("z", 0.0, "m"),
            Value("roll", 0.0, "degrees, about body Z"), Value("pitch", 0.0, "degrees, about body X"),
            Value("yaw", 0.0, "degrees, about body Y"),
            Value("max_speed", 0.5, "m/s, of a wheel", above=0.0),
            *_serial(0),
        )),
        ObjectKind("gps", "robot", "a GPS receiver that sends NMEA sentences", (
            Value("latitude", None, "degrees, of the world's centre", least=-90.0, most=90.0),
            Value("altitude", None, "m, of the world's centre"),
            Value("longitude", None, "degrees, of the world's centre", least=-180.0, most=180.0),
            Value("rate", 1.0, "readings per second", above=0.0, most=1e4),
            Value("flat", False, "true: degrees of one length everywhere, as SEAR computes them", "flag"),
            *_serial(0), _NOISE,
        )),
        ObjectKind("compass", "robot", "the angle from north to the robot's front", (
            Value("north_x", 100_000.0, "m, where north is; SEAR: 100 km along X"), Value("north_z", 0.0, "m"),
            Value("declination", False, "true: magnetic north at the robot's GPS position instead", "flag"),
            _RATE, _NOISE,
        )),
        ObjectKind("accelerometer", "robot", "acceleration along body X, Y, Z", (
            Value("gravity", False, "true: it also shows the reaction to gravity, as real ones do", "flag"),
            _RATE, _NOISE,
        )),
        ObjectKind("gyroscope", "robot", "angular velocity about body X, Y, Z", (_RATE, _NOISE)),
        ObjectKind("odometer", "robot", "distance travelled, forward minus backward", (
            Value("wrap", 32.767, "m, after which it begins again at 0; 0: never", least=0.0),
            Value("threshold", 0.0, "m/s, below which motion is not counted", least=0.0),
            _NOISE,
        )),
        ObjectKind("distance", "robot", "an ultrasonic, infrared, radar or laser ranger with one beam", (
            Value("model", "ping", "a device of the catalogue, as `understudy catalog --devices` lists", "text"),
            Value("range", 0.0, "m; 0: that of the model", least=0.0),
            Value("spread", 0.0, "degrees, full width of a plain beam; 0: that of the model", least=0.0, most=180.0),
            Value("lines", 0, "rays of each cone; 0: the exact cone", "count", least=0, most=1000),
            Value("rate", 0.0, "readings per second; 0: that of the model", least=0.0, most=1e4),
            Value("cones", (), "nested cones that form the beam", "cones"),
            _NOISE,
        )),
        ObjectKind("lidar", "robot", "a laser scanner; as a SICK LMS-200 it has a serial port", (
            Value("range", 8.191, "m", above=0.0),
            Value("spread", 180.0, "degrees, centred on the front", above=0.0, most=360.0),
            Value("resolution", 1.0, "degrees between two readings", above=0.0, most=180.0),
            Value("lms", 0, "1: a SICK LMS-200", "count", least=0, most=1),
            *_serial(9600), _NOISE,
        )),
        ObjectKind("camera", "robot", "a camera that looks to the front", (
            Value("width", 80, "pixels", "count", least=1, most=2000),
            Value("height", 60, "pixels", "count", least=1, most=2000),
            Value("field", 60.0, "degrees, from left to right", above=0.0, most=175.0),
            Value("rate", 10.0, "images per second", above=0.0, most=1e4),
            Value("depth", False, "true: also a depth image", "flag"),
            _NOISE,
        )),
    )
})  # fmt: skip
SENSORS = ("gps", "compass", "accelerometer", "gyroscope", "odometer", "distance", "lidar", "camera")
WITH_PORTS = ("dynamics", "gps", "lidar")  # kinds that have a serial line
NOTHING: Triple = (0.0, 0.0, 0.0)
UNSCALED: Triple = (1.0, 1.0, 1.0)


@frozen
class SearEntry:
    """An object as it is written in XML: what kind, what name, what values, and where."""

    kind: str
    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    move: Triple = NOTHING
    rotate: Triple = NOTHING
    scale: Triple = UNSCALED
    robot: str = ""  # of a component: the robot that it belongs to
    wheels: tuple[SearEntry, ...] = ()  # of a robot
    file: str = ""  # that it was read from
    line: int = 0

    def __getitem__(self, name: str) -> Any:
        """Return a value, or its default."""
        return self.values[name] if name in self.values else KINDS[self.kind].value(name).default

    def with_value(self, name: str, value: Any) -> SearEntry:
        """Return the object with another value; raises FormatError if it is invalid."""
        checked = check(KINDS[self.kind].value(name), value)
        return replace(self, values={**self.values, name: checked})

    def problem(self, text: str) -> FormatError:
        """Return an error about this object, with its file and line if it was read from one."""
        place = f"{self.file}:{self.line}: " if self.file else ""
        return FormatError(f"{place}{self.kind} {excerpt(self.name)}: {text}")


def made(kind: str, name: str, values: Mapping[str, Any]) -> SearEntry:
    """Return an object of valid values; raises FormatError that names a missing or an invalid one."""
    sheet = KINDS[kind]
    entry = SearEntry(kind, checked_name(name))
    checked = {key: check(sheet.value(key), value) for key, value in values.items()}
    missing = [value.name for value in sheet.values if value.default is None and value.name not in checked]
    if missing:
        raise entry.problem(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return replace(entry, values=checked)


def moved(entry: SearEntry, by: Iterable[Any]) -> SearEntry:
    """Return an object moved by so many metres along SEAR's axes; raises FormatError."""
    step = triple(by, "move")
    return replace(entry, move=triple((a + b for a, b in zip(entry.move, step)), "move"))


def checked_name(name: Any) -> str:
    """Return a valid name of an object; raises FormatError."""
    text = name.strip() if isinstance(name, str) else ""
    if not text or len(text) > MOST_LETTERS or not text.isprintable():
        raise FormatError(f"not the name of an object: {excerpt(name)} (want printable text, at most {MOST_LETTERS})")
    return text


def check(value: Value, given: Any) -> Any:
    """Return a given value as its sort; raises FormatError with what is wanted."""
    return _CHECKS[value.sort](value, given)


def finite(value: Any, noun: str, most: float = LENGTH_M) -> float:
    """Return a finite number; raises FormatError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most:
        raise FormatError(f"{noun}: want a number of at most {most:g}, got {excerpt(value)}")
    return float(value)


def triple(values: Iterable[Any], noun: str, most: float = LENGTH_M) -> Triple:
    """Return three finite numbers; raises FormatError."""
    x, y, z = (finite(value, noun, most) for value in values)
    return x, y, z


def _number(value: Value, given: Any) -> float:
    number = finite(given, value.name, value.most)
    if value.above is not None and not number > value.above:
        raise FormatError(f"{value.name}: must be above {value.above:g}, got {number:g}")
    if value.least is not None and number < value.least:
        raise FormatError(f"{value.name}: must be at least {value.least:g}, got {number:g}")
    return number


def _count(value: Value, given: Any) -> int:
    number = _number(value, given)
    if number != math.floor(number):
        raise FormatError(f"{value.name}: want a whole number, got {number:g}")
    return int(number)


def _flag(value: Value, given: Any) -> bool:
    if given in (0, 1):
        return bool(given)
    raise FormatError(f"{value.name}: want true or false, got {excerpt(given)}")


def _text(value: Value, given: Any) -> str:
    if not isinstance(given, str) or len(given) > MOST_LETTERS or not given.isprintable():
        raise FormatError(f"{value.name}: want printable text of at most {MOST_LETTERS} letters, got {excerpt(given)}")
    return given.strip()


_CONE = (
    Value("angle", None, "degrees", least=0.0, most=90.0),
    Value("range", None, "m", above=0.0),
    Value("lines", 0, "", "count", least=0, most=1000),
    Value("left", 0.0, "degrees", most=180.0),
    Value("down", 0.0, "degrees", most=90.0),
)


def _cones(value: Value, given: Any) -> tuple[BeamCone, ...]:
    rows = list(given) if isinstance(given, list | tuple) else None
    if (
        rows is None
        or len(rows) > MOST_CONES
        or not all(isinstance(row, list | tuple) and 2 <= len(row) <= 5 for row in rows)
    ):
        raise FormatError(
            f"{value.name}: want up to {MOST_CONES} of (angle, range) or (angle, range, lines, left, down)"
        )
    return tuple(BeamCone(*(check(part, number) for part, number in zip(_CONE, row))) for row in rows)


_CHECKS = {"number": _number, "count": _count, "flag": _flag, "text": _text, "cones": _cones}
