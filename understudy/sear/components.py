"""SEAR's object grammar: robots, their wheels, dynamics and sensors, which are written when a robot gets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from understudy.errors import FormatError, UnknownName, nearest
from understudy.formats.sear import kinds
from understudy.sear.objects import SearObject
from understudy.sensors.models import find, models


class SEARrobot(SearObject):
    """A robot, made of components: ``SEARrobot(name)``. Making it again begins with no components."""

    kind = "robot"

    def __init__(self, name: str) -> None:
        super().__init__(name, {})
        self._project.remove_components(self.name)

    def addComponent(self, component: SearObject) -> None:
        """Add a body part, dynamics or a sensor; its position is now in the robot's frame."""
        if isinstance(component, SearWheel):
            self.addWheel(component)
            return
        kind = kinds.KINDS[component.kind] if isinstance(component, SearObject) else None
        if kind is None or component.kind == "robot" or not (kind.solid or kind.place == "robot"):
            raise FormatError(f"{component!r} cannot be a component of a robot")
        component.belong(self.name)

    def addWheel(self, wheel: SearWheel) -> None:
        """Add a wheel; it is written into the robot's file."""
        if not isinstance(wheel, SearWheel):
            raise FormatError(f"{wheel!r} is not a wheel: use addComponent")
        others = tuple(each for each in self._entry.wheels if each.name != wheel.name)
        wheel.belong(self.name)
        self._set(replace(self._entry, wheels=(*others, replace(wheel.entry, robot=""))))
        wheel.follow(self)

    def update_wheel(self, wheel: SearWheel) -> None:
        """Write a wheel that was changed after it was added."""
        wheels = tuple(replace(wheel.entry, robot="") if w.name == wheel.name else w for w in self._entry.wheels)
        self._set(replace(self._entry, wheels=wheels))


class SearComponent(SearObject):
    """A part that means nothing without a robot: it is written when it is added to one."""

    def _write(self) -> None:
        if self._entry.robot:
            super()._write()


class SearWheel(SearComponent):
    """A wheel with a level axle along body X: ``Wheel(name, radius, width, driven)``; driven: 1, idler: 0."""

    kind = "wheel"

    def __init__(self, name: str, radius: float, width: float, driven: int = 0) -> None:
        self._robot: SEARrobot | None = None
        super().__init__(name, {"radius": radius, "width": width, "driven": driven})

    def follow(self, robot: SEARrobot) -> None:
        """Note the robot whose file holds the wheel."""
        self._robot = robot

    def _write(self) -> None:
        if self._robot is not None:
            self._robot.update_wheel(self)


class SerialComponent(SearComponent):
    """A component with a serial line."""

    def setPorts(self, uart: str, user: str) -> None:
        """Name both ends of the serial line: the device's, and the one that the user's program opens."""
        self._value("uart", uart)
        self._value("user", user)

    def setBaud(self, baud: int) -> None:
        """Set the baud rate; 0: any."""
        self._value("baud", baud)


class SearDynamics(SerialComponent):
    """Mass, suspension and start pose of a robot.

    ``Dynamics(name, mass, stiffness, compression, damping, max_force, rest_length, x, y, z, roll, pitch, yaw)``

    SEAR prints this call without explaining it; this is our reading. *mass* (kg) is that of the whole robot.
    *stiffness* is that of a wheel's spring per kilogram of the robot, as in SEAR's game engine. *compression* and
    *damping* are its damping when it is compressed and when it extends, relative to 2*sqrt(stiffness), the critical
    damping; our springs have one damping, the mean of both. *max_force* (N) limits a spring, *rest_length* (m) is its
    length without load. Then the start position (m) and the angles about body Z, X and Y (degrees).
    """

    kind = "dynamics"

    def __init__(
        self, name: str, mass: float, stiffness: float, compression: float = 0.3, damping: float = 0.4,
        max_force: float = 10_000.0, rest_length: float = 0.0, x: float = 0.0, y: float = 0.0, z: float = 0.0,
        roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(name, {
            "mass": mass, "stiffness": stiffness, "compression": compression, "damping": damping,
            "max_force": max_force, "rest_length": rest_length, "x": x, "y": y, "z": z, "roll": roll, "pitch": pitch,
            "yaw": yaw,
        })  # fmt: skip

    def move(self, x: float, y: float, z: float) -> None:
        """Move the robot's start position (m)."""
        for axis, by in zip("xyz", (x, y, z)):
            self._value(axis, self._entry[axis] + kinds.finite(by, "move"))

    def rotate(self, x: float, y: float, z: float) -> None:
        """Turn the robot's start by so many degrees about body X (pitch), Y (yaw) and Z (roll)."""
        for angle, by in zip(("pitch", "yaw", "roll"), (x, y, z)):
            self._value(angle, self._entry[angle] + kinds.finite(by, "rotate"))

    def setMaxSpeed(self, m_s: float) -> None:
        """Set the greatest speed of a wheel (m/s); a Roomba's is 0.5."""
        self._value("max_speed", m_s)


# ---- sensors


class SearSensor(SearComponent):
    """A sensor. Without a rotation it looks along body Z, to the front."""

    def __init__(self, name: str, values: Mapping[str, Any] | None = None) -> None:
        super().__init__(name, values or {})

    def setNoise(self, noise: bool = True) -> None:
        """Set whether the sensor has the errors of a real device; SEAR's have none."""
        self._value("noise", bool(noise))


class RatedSensor(SearSensor):
    """A sensor that is read so many times per second."""

    def setRate(self, hz: float) -> None:
        """Set how many readings there are per second."""
        self._value("rate", hz)


class SearGPS(RatedSensor, SerialComponent):
    """A GPS receiver: ``GPS(name, latitude, altitude, longitude)`` of the world's centre, in the order of X, Y, Z."""

    kind = "gps"

    def __init__(self, name: str, latitude: float, altitude: float, longitude: float) -> None:
        super().__init__(name, {"latitude": latitude, "altitude": altitude, "longitude": longitude})

    def setFlat(self, flat: bool = True) -> None:
        """Let all degrees have one length, that at the centre, as SEAR does; else they follow the ellipsoid."""
        self._value("flat", bool(flat))


class SearCompass(RatedSensor):
    """The angle from north to the robot's front, clockwise, within +-180 degrees: ``Compass(name)``."""

    kind = "compass"

    def setNorth(self, x: float, y: float, z: float) -> None:
        """Set where north is (m); SEAR: 100 km along X."""
        kinds.finite(y, "north")
        self._value("north_x", x)
        self._value("north_z", z)

    def setDeclination(self, on: bool = True) -> None:
        """Point to magnetic north at the position that the robot's GPS receiver gives."""
        self._value("declination", bool(on))


class SearAccelerometer(RatedSensor):
    """Acceleration along body X, Y, Z: ``Accelerometer(name)``."""

    kind = "accelerometer"

    def setGravity(self, on: bool = True) -> None:
        """Show the reaction to gravity too, as real accelerometers do."""
        self._value("gravity", bool(on))


class SearGyroscope(RatedSensor):
    """Angular velocity about body X, Y, Z: ``Gyroscope(name)``."""

    kind = "gyroscope"


class SearOdometer(SearSensor):
    """Distance travelled, forward minus backward: ``Odometer(name)``; it begins again at 0 after 32.767 m."""

    kind = "odometer"

    def setRange(self, metres: float) -> None:
        """Set the distance after which it begins again at 0; 0: never."""
        self._value("wrap", metres)

    def setThreshold(self, m_s: float) -> None:
        """Set the speed below which motion is not counted."""
        self._value("threshold", m_s)


class SearDistance(RatedSensor):
    """A ranger with one beam: ``Distance(name)`` is a PING))).

    ``Distance(name, model)`` is another device of the catalogue, such as "EZ1". ``Distance(name, cones)`` has a beam of
    its own: a list of (half angle in degrees, range in metres), or (half angle, range, lines, left, down), nested
    cones whose axes may be turned to the left and down. ``Distance(name, range, spread)`` is a plain sector.
    """

    kind = "distance"

    def __init__(self, name: str, *beam: Any) -> None:
        super().__init__(name, _beam_values(name, beam))

    def setRange(self, metres: float) -> None:
        """Set the range; that of the nested cones of a model is scaled with it."""
        self._value("range", metres)

    def setSpread(self, degrees: float) -> None:
        """Make the beam a plain cone of this full width; 0: the beam of the model."""
        self._value("spread", degrees)

    def setResolution(self, lines: int) -> None:
        """Set how many rays each cone has; 0: the exact cone."""
        self._value("lines", lines)

    def addBeam(self, angle: float, metres: float, lines: int = 0, left: float = 0.0, down: float = 0.0) -> None:
        """Add a cone to the beam: half its width (degrees), its range (m), its rays, and its axis (degrees)."""
        self._value("cones", (*self._entry["cones"], (angle, metres, lines, left, down)))

    def setBeams(self, cones: Iterable[Sequence[float]]) -> None:
        """Replace the cones of the beam."""
        self._value("cones", tuple(tuple(cone) for cone in cones))


def _beam_values(name: str, beam: tuple[Any, ...]) -> dict[str, Any]:
    match beam:
        case ():
            return {}
        case (str(model),):
            return {"model": device_model(model)}
        case (list() | tuple() as cones,):
            return {"cones": tuple(cones)}
        case (float() | int() as metres, float() | int() as spread):
            return {"range": metres, "spread": spread}
    raise FormatError(f"distance {name!r}: want a model, a list of cones, or range and spread")


def device_model(wanted: str) -> str:
    """Return the name in the catalogue of a device that a user calls by any of its names; raises UnknownName."""
    known = find(wanted)
    if known is None:
        raise UnknownName(f"no such device {wanted!r} {nearest(wanted, models())}")
    return known.name


class SearLIDAR(SearSensor, SerialComponent):
    """A laser scanner: ``LIDAR(name)``; with ports it is a SICK LMS-200."""

    kind = "lidar"

    def setRange(self, metres: float) -> None:
        """Set the greatest distance (m)."""
        self._value("range", metres)

    def setSpread(self, degrees: float) -> None:
        """Set the angle of a scan, centred on the front (degrees)."""
        self._value("spread", degrees)

    def setResolution(self, degrees: float) -> None:
        """Set the angle between two readings (degrees)."""
        self._value("resolution", degrees)

    def LMS(self, lms: int = 1) -> None:
        """Set whether it is a SICK LMS-200: 1 or 0."""
        self._value("lms", lms)


class SearCamera(RatedSensor):
    """A camera: ``Camera(name, [width, height, [field of view in degrees]])``."""

    kind = "camera"

    def __init__(self, name: str, width: int = 80, height: int = 60, field: float = 60.0) -> None:
        super().__init__(name, {"width": width, "height": height, "field": field})

    def setDepth(self, on: bool = True) -> None:
        """Take a depth image too."""
        self._value("depth", bool(on))
