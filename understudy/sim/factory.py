"""Robot factories: a port on which each client gets a new robot, which is removed when the client disconnects.

Robots come and go through `Add` and `Remove` in the inbox, so that a tape replays them without any client.
"""

from __future__ import annotations

import dataclasses
import logging
import re
from collections import deque
from collections.abc import Callable, Container
from functools import partial

from understudy.frozen import frozen
from understudy.links.base import Link
from understudy.world.changes import Add
from understudy.world.clearance import Clearance
from understudy.world.outlines import Outline, of_robot, overlaps
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

log = logging.getLogger(__name__)
Place = Callable[[Scene, PlacedRobot, int], Pose]  # the current scene, the new robot, how many were made before it


def robot_at(robot: PlacedRobot, pose: Pose) -> Outline:
    """Return the outline of a robot at *pose*."""
    return of_robot(dataclasses.replace(robot, place=pose))


def beside(scene: Scene, robot: PlacedRobot, number: int) -> Pose:
    """Return the robot's own pose, or a free pose near it if another robot is there."""
    outline = of_robot(robot)
    others = [of_robot(other) for other in scene.robots]
    if next(overlaps([outline], others), None) is None:
        return robot.pose
    return Clearance(scene).nearest(robot.pose, partial(robot_at, robot))


@frozen
class Factory:
    """What each client gets: *robot* is a resolved robot, *port* the name of its port that the client talks to."""

    name: str
    robot: PlacedRobot
    link: str
    port: str = "host"
    most: int = 1000  # robots at the same time
    place: Place = beside


class RobotFactory:
    """A running factory: the clients that wait for a robot, and those that have one."""

    def __init__(self, factory: Factory) -> None:
        from understudy.links.door import Door  # few runs have a factory

        self.factory = factory
        self.source = f"factory:{factory.name}"
        self.door = Door(factory.link, factory.name, factory.most)
        self._waiting: deque[tuple[Link, str]] = deque()
        self._guests: dict[str, Link] = {}  # by port path
        self._made = 0
        self.numbered = False  # robots are named by number: their clients' addresses differ from run to run

    def open(self) -> None:
        """Accept clients; raises LinkError."""
        self.door.open(lambda link, address: self._waiting.append((link, address)))

    @property
    def called(self) -> bool:
        """Return whether a client waits for a robot."""
        return bool(self._waiting)

    def orders(self, scene: Scene) -> list[Add]:
        """Return a robot for every waiting client, each at a free pose."""
        added: list[Add] = []
        while self._waiting:
            link, address = self._waiting.popleft()
            who = f"client-{self._made + 1}" if self.numbered else name_of(address)
            robot = dataclasses.replace(self.factory.robot, name=who, label=who if self.numbered else address)
            robot = dataclasses.replace(robot, place=self.factory.place(scene, robot, self._made))
            scene = dataclasses.replace(scene, robots=(*scene.robots, robot))
            self._guests[self.path(robot.name)] = link
            self._made += 1
            added.append(Add(robot))
        return added

    def path(self, robot: str) -> str:
        """Return the path of the port that a robot's client uses."""
        return f"{robot}/{self.factory.port}"

    def guest(self, path: str) -> Link | None:
        """Return the link of the client whose robot has this port."""
        return self._guests.get(path)

    def forget(self, path: str) -> None:
        """Disconnect the client of a port, if it belongs to this factory."""
        link = self._guests.pop(path, None)
        if link is not None:
            link.close()

    def keep(self, paths: Container[str]) -> None:
        """Disconnect the clients whose robots were removed."""
        for path in [path for path in self._guests if path not in paths]:
            self.forget(path)

    def close(self) -> None:
        """Disconnect all clients and accept no more."""
        self._guests.clear()
        self.door.close()


def name_of(address: str) -> str:
    """Return a robot's name for a client's address.

    >>> name_of("tcp://127.0.0.1:54321")
    'client-127-0-0-1-54321'
    """
    return "client-" + re.sub(r"[^A-Za-z0-9]+", "-", address.removeprefix("tcp://")).strip("-")
