"""SEAR's getters: the newest readings of a robot's sensors, by the names that the user gave them.

Vectors are in SEAR's body axes: X left, Y up, Z forward.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.formats.robot_parts import free_name
from understudy.formats.sear import axes
from understudy.formats.sear.kinds import SENSORS
from understudy.formats.sear.project_file import SearProject
from understudy.formats.sear.robot import device_names
from understudy.frozen import frozen
from understudy.sim.sim import Sim


@frozen
class SensorPlace:
    """Where a sensor of a project is in its simulation."""

    kind: str
    robot: str
    device: str


def sensor_places(project: SearProject) -> dict[str, SensorPlace]:
    """Return robot and device of each sensor, by the name that the user gave it."""
    found: dict[str, SensorPlace] = {}
    taken: set[str] = set()
    for entry in project.robots:
        robot = free_name(entry.name, "robot", taken)
        sensors = [part for part in project.components(entry.name) if part.kind in SENSORS]
        kinds = {part.name: part.kind for part in sensors}
        found |= {name: SensorPlace(kinds[name], robot, device) for name, device in device_names(sensors).items()}
    return found


class Readings:
    """The getters on a simulation; to be called where the simulation may be touched."""

    def __init__(self, sim: Sim, places: Mapping[str, SensorPlace]) -> None:
        self._sim, self._places = sim, places

    def distance(self, name: str) -> float:
        """Return a ranger's distance (m), the maximum if nothing is in range."""
        place = self._place(name, "distance")
        robot = self._sim.robot(place.robot)
        return float(robot.sheet(place.device).ranges(robot.read(place.device))[0])

    def accel(self, name: str) -> str:
        """Return an acceleration as "x,y,z" (m/s2)."""
        return self._vector(name, "accelerometer")

    def gyro(self, name: str) -> str:
        """Return an angular velocity as "x,y,z" (rad/s)."""
        return self._vector(name, "gyroscope")

    def compass(self, name: str) -> float:
        """Return the angle from north to the robot's front, clockwise, within +-180 degrees."""
        return float(self._read(name, "compass")[0])

    def gps(self, name: str) -> tuple[float, float, float]:
        """Return latitude (degrees), longitude (degrees) and altitude (m); NaN without a fix."""
        latitude, longitude, altitude = (float(number) for number in self._read(name, "gps")[:3])
        return latitude, longitude, altitude

    def odometer(self, name: str) -> float:
        """Return the distance travelled, forward minus backward (m)."""
        return float(self._read(name, "odometer")[0])

    def lidar(self, name: str) -> list[float]:
        """Return a scan (m), from right to left."""
        place = self._place(name, "lidar")
        robot = self._sim.robot(place.robot)
        return [float(number) for number in robot.read(place.device)[: robot.sheet(place.device).rays]]

    def camera(self, name: str) -> dict[str, Any]:
        """Return the images of a camera by name, as arrays of rows and columns."""
        place = self._place(name, "camera")
        return self._sim.robot(place.robot).pictures(place.device)

    def _vector(self, name: str, kind: str) -> str:
        x, y, z = axes.sears(*(float(number) for number in self._read(name, kind)))
        return f"{x},{y},{z}"

    def _read(self, name: str, kind: str) -> Any:
        place = self._place(name, kind)
        return self._sim.robot(place.robot).read(place.device)

    def _place(self, name: str, kind: str) -> SensorPlace:
        place = self._places.get(name)
        if place is None:
            sensors = ", ".join(f"{other} ({where.kind})" for other, where in sorted(self._places.items())) or "none"
            guess = nearest(name, self._places)
            also = f" {guess}" if guess.startswith("(did") else ""
            raise UnknownName(f"no sensor is named {name!r}{also}; the sensors are: {sensors}")
        if place.kind != kind:
            raise UnknownName(f"{name!r} is not a {kind} but a {place.kind}: use its own getter")
        return place
