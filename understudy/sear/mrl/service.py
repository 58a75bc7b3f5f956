"""Services: named parts of a program that publish messages to functions of the program."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from understudy.errors import UnknownName, nearest
from understudy.frozen import frozen

Namespace = dict[str, Any]  # the global names of a program


@frozen
class Published:
    """What a program finds as ``msg_<service>_<topic>``."""

    sender: str
    topic: str
    data: tuple[Any, ...]


@frozen
class Subscription:
    """A function of a program, by name, that waits for a topic."""

    topic: str
    function: str
    namespace: Namespace
    deliver: Callable[[Subscription, Published], None]


def caller_namespace(depth: int = 1) -> Namespace:
    """Return the global names of the program that called the function which calls this one."""
    return sys._getframe(depth + 1).f_globals


class Service:
    """A service of MyRobotLab: it has a name, is started and stopped, and publishes topics."""

    topics: ClassVar[tuple[str, ...]] = ()

    def __init__(self, name: str, find: Callable[[str], Service]) -> None:
        self.name = name
        self._find = find  # another service, by name
        self._listeners: tuple[Subscription, ...] = ()
        self._changing = threading.Lock()
        self.started = False

    def startService(self) -> None:
        """Let the service publish; what arrives before is lost."""
        self.started = True

    def stopService(self) -> None:
        """Let the service publish no more."""
        self.started = False

    def releaseService(self) -> None:
        """Stop the service and give back what it holds."""
        self.stopService()

    def addListener(self, topic: str, target: str, function: str) -> None:
        """Call a function of the program for everything that is published on *topic*; *target* is ``python.name``."""
        if topic not in self.topics:
            raise UnknownName(f"{self.name} does not publish {topic!r} {nearest(topic, self.topics)}")
        receiver = self._find(target)
        deliver = getattr(receiver, "deliver", None)
        if deliver is None:
            raise UnknownName(f"{target!r} cannot listen: want python.name")
        with self._changing:
            self._listeners += (Subscription(topic, function, caller_namespace(), deliver),)

    def removeListener(self, topic: str, target: str, function: str) -> None:
        """Call a function no more."""
        with self._changing:
            self._listeners = tuple(
                each for each in self._listeners if (each.topic, each.function) != (topic, function)
            )

    @property
    def has_listeners(self) -> bool:
        """Return whether a function of the program waits for a topic."""
        return bool(self._listeners)

    def publish(self, topic: str, *data: Any) -> None:
        """Hand data to all who listen to a topic; never waits for them."""
        if not self.started:
            return
        message = Published(self.name, topic, data)
        for listener in self._listeners:
            if listener.topic == topic:
                listener.deliver(listener, message)
