"""What user code may call: SEAR's getters and more, the same whether simulated time waits for the code or not."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, TypeVar

from understudy.formats.sear import kinds, pictures
from understudy.formats.sear.environment import placed_things
from understudy.sear.readings import Readings
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Bring
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Mesh

T = TypeVar("T")
BOX_M = 1.0  # edge of a box of the first thesis
BOX_KG = 10.0
WALL_M = (1.0, 0.1)  # height, thickness


class SearCalls(abc.ABC):
    """The object ``sear`` of user code. Positions are in SEAR's axes (m), directions of motion in the robot's."""

    @abc.abstractmethod
    def ask(self, request: Callable[[Sim], T]) -> T:
        """Call a function of the simulation where it may be touched, and return its result."""

    @abc.abstractmethod
    def sleep(self, seconds: float) -> None:
        """Let time pass."""

    @abc.abstractmethod
    def _get(self, name: str, getter: Callable[[Readings, str], T]) -> T:
        """Return a reading of the sensor *name*."""

    # ---- sensors

    def getDistanceResult(self, name: str) -> float:
        """Return the distance that a ranger measures (m), the maximum if nothing is in range."""
        return self._get(name, Readings.distance)

    def getAccelResult(self, name: str) -> str:
        """Return an accelerometer's reading as "x,y,z" (m/s2), without gravity unless the sensor was set to show it."""
        return self._get(name, Readings.accel)

    def getGyroResult(self, name: str) -> str:
        """Return a gyroscope's reading as "x,y,z" (rad/s)."""
        return self._get(name, Readings.gyro)

    def getCompassResult(self, name: str) -> float:
        """Return the angle from north to the robot's front, clockwise, within +-180 degrees."""
        return self._get(name, Readings.compass)

    def getGPSResult(self, name: str) -> tuple[float, float, float]:
        """Return latitude and longitude (degrees) and altitude (m)."""
        return self._get(name, Readings.gps)

    def getOdometerResult(self, name: str) -> float:
        """Return the distance travelled, forward minus backward (m)."""
        return self._get(name, Readings.odometer)

    def getLIDARResult(self, name: str) -> list[float]:
        """Return the newest scan (m), from right to left."""
        return self._get(name, Readings.lidar)

    def getCameraResult(self, name: str) -> dict[str, Any]:
        """Return the newest images of a camera by name."""
        return self._get(name, Readings.camera)

    def getTime(self) -> float:
        """Return the simulated time (s)."""
        return self.ask(lambda sim: sim.time_s)

    # ---- motion

    def drive(self, m_s: float, rad_s: float = 0.0, robot: str = "") -> None:
        """Drive ahead (m/s) and turn to the left (rad/s) until the next call; without a name, the first robot."""
        self.ask(lambda sim: _robot(sim, robot).drive(m_s, rad_s))

    def stop(self, robot: str = "") -> None:
        """Stop a robot."""
        self.drive(0.0, 0.0, robot)

    # ---- obstacles

    def addTree(self, x: float, y: float, z: float) -> None:
        """Add a tree."""
        self._add("model", "tree", {"file": pictures.TREE}, (x, y, z))

    def addBox(self, x: float, y: float, z: float, mass: float = BOX_KG, size: float = BOX_M) -> None:
        """Add a cube about a point; with mass 0 it is fixed."""
        self._add("box", "box", {"length": size, "width": size, "height": size, "mass": mass}, (x, y, z))

    def addWall(
        self, x1: float, z1: float, x2: float, z2: float, height: float = WALL_M[0], thickness: float = WALL_M[1]
    ) -> None:
        """Add a wall between two points of the ground."""
        values = {"x1": x1, "z1": z1, "x2": x2, "z2": z2, "height": height, "thickness": thickness}
        self._add("wall", "wall", values, (0.0, 0.0, 0.0))

    def _add(self, kind: str, word: str, values: dict[str, Any], move: tuple[float, float, float]) -> None:
        entry = kinds.moved(kinds.made(kind, word, values), move)
        self.ask(lambda sim: add_to(sim, entry))


def add_to(sim: Sim, entry: kinds.SearEntry) -> None:
    """Add an environment object to a running simulation, with the files that it needs."""
    made = placed_things([entry], {thing.name for thing in sim.scene.things()})
    things: list[Wall | Solid] = [*made.walls, *made.objects]
    for thing in things:
        for name in _files_of(thing):
            if pictures.known(name) and name not in sim.current.files:
                sim.change(Bring.of(name, pictures.content(name)))
        sim.change(Add(thing))


def _files_of(thing: Wall | Solid) -> list[str]:
    mesh = [thing.shape.file] if isinstance(thing, Solid) and isinstance(thing.shape, Mesh) else []
    return [name for name in (*mesh, thing.picture) if name]


def _robot(sim: Sim, name: str) -> Any:
    if name:
        labels = {robot.label: robot.name for robot in sim.scene.robots}
        return sim.robot(labels.get(name, name))
    return sim.robots[0]
