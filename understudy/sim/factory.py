"""Robot factories: a port on which each client gets a fresh robot, gone with the client.

Everything happens through `Add` and `Remove` in the inbox, so that a tape replays it without any client.
"""

from __future__ import annotations

import dataclasses
import logging
import re
from collections import deque
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial

from understudy.links.base import Link
from understudy.world.changes import Add
from understudy.world.clearance import Clearance
from understudy.world.outlines import Outline, of_robot, overlaps
from understudy.world.robot import Robot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

log = logging.getLogger(__name__)
Place = Callable[[Scene, Robot, int], Pose]  # the scene as it is, the new robot, how many came before it


def robot_at(robot: Robot, pose: Pose) -> Outline:
    """Return the outline of a robot as it would be at *pose*."""
    return of_robot(dataclasses.replace(robot, place=pose))


def beside(scene: Scene, robot: Robot, number: int) -> Pose:
    """Return the robot's own pose, or a free one beside it if another robot stands there."""
    outline = of_robot(robot)
    others = [of_robot(other) for other in scene.robots]
    if next(overlaps([outline], others), None) is None:
        return robot.pose
    return Clearance(scene).nearest(robot.pose, partial(robot_at, robot))


@dataclass(frozen=True, slots=True)
class Factory:
    """What to make for each client: *robot* is resolved, *port* names the one of its ports that the client gets."""

    name: str
    robot: Robot
    link: str
    port: str = "host"
    most: int = 1000  # robots at the same time
    place: Place = beside


class Workshop:
    """A factory at work: who waits for a robot, and who has one."""

    def __init__(self, factory: Factory) -> None:
        from understudy.links.door import Door  # few runs have a factory

        self.factory = factory
        self.source = f"factory:{factory.name}"
        self.door = Door(factory.link, factory.name, factory.most)
        self._waiting: deque[tuple[Link, str]] = deque()
        self._guests: dict[str, Link] = {}  # by port path
        self._made = 0

    def open(self) -> None:
        """Let clients in; raises LinkError."""
        self.door.open(lambda link, address: self._waiting.append((link, address)))

    @property
    def called(self) -> bool:
        """Say whether somebody waits."""
        return bool(self._waiting)

    def orders(self, scene: Scene) -> list[Add]:
        """Return a robot for everybody who waits, each at a place that is free."""
        added: list[Add] = []
        while self._waiting:
            link, address = self._waiting.popleft()
            robot = dataclasses.replace(self.factory.robot, name=name_of(address), label=address)
            robot = dataclasses.replace(robot, place=self.factory.place(scene, robot, self._made))
            scene = dataclasses.replace(scene, robots=(*scene.robots, robot))
            self._guests[self.path(robot.name)] = link
            self._made += 1
            added.append(Add(robot))
        return added

    def path(self, robot: str) -> str:
        """Return the path of the port that a robot's client has."""
        return f"{robot}/{self.factory.port}"

    def guest(self, path: str) -> Link | None:
        """Return the link of the client whose robot has this port."""
        return self._guests.get(path)

    def forget(self, path: str) -> None:
        """Send the client of a port away, if it is one of ours."""
        link = self._guests.pop(path, None)
        if link is not None:
            link.close()

    def keep(self, paths: Container[str]) -> None:
        """Send the clients away whose robots have gone."""
        for path in [path for path in self._guests if path not in paths]:
            self.forget(path)

    def close(self) -> None:
        """Send everybody away and let nobody in."""
        self._guests.clear()
        self.door.close()


def name_of(address: str) -> str:
    """Return a robot's name for a client's address.

    >>> name_of("tcp://127.0.0.1:54321")
    'client-127-0-0-1-54321'
    """
    return "client-" + re.sub(r"[^A-Za-z0-9]+", "-", address.removeprefix("tcp://")).strip("-")
