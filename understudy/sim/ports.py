"""Ports to the outside: the only place where a protocol's bytes meet a link."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from functools import partial

from understudy import links
from understudy.links import directory
from understudy.links.base import Event, Link, LinkInfo
from understudy.sim.factory import Factory, Workshop
from understudy.sim.inbox import Bytes, Inbox
from understudy.sim.outcome import Outcome, Plug
from understudy.world.changes import Add, Remove
from understudy.world.scene import Scene

log = logging.getLogger(__name__)
REPLY_PATIENCE_S = 2.0


class Ports:
    """All open links of a simulation, by port path."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._links: dict[str, Link] = {}
        self._plugs: dict[str, Plug] = {}
        self._owed: dict[str, float] = {}  # gated port -> since when time waits for its client
        self._workshops: list[Workshop] = []
        self._open = False
        self._run = f"{id(self):x}"  # tells two simulations in one process apart

    def open(self, factories: Sequence[Factory] = ()) -> None:
        """From now on, every plug gets a link; clients of *factories* get robots. Raises LinkError."""
        self._open = True
        for factory in factories:
            workshop = Workshop(factory)
            workshop.open()
            self._workshops.append(workshop)

    def called(self) -> bool:
        """Say whether a client waits for a robot of its own."""
        return any(workshop.called for workshop in self._workshops)

    def make_robots(self, scene: Scene) -> None:
        """Ask for a robot for everybody who waits for one."""
        for workshop in self._workshops:
            for add in workshop.orders(scene):
                log.info("%s: a client has come and gets %s", workshop.factory.name, add.thing.name)
                self._inbox.post(workshop.source, add)

    def match(self, plugs: Mapping[str, Plug]) -> None:
        """Open links for new plugs and close those whose plug has gone."""
        self._plugs = dict(plugs)
        if not self._open:
            return
        for path in [path for path in self._links if path not in plugs]:
            self._links.pop(path).close()
        for workshop in self._workshops:
            workshop.keep(plugs)
        for path, plug in plugs.items():
            if path not in self._links:
                self._links[path] = self._link(path, plug)
        entries = [directory.PortEntry(p, g.port.sheet.kind, self.info()[p].url) for p, g in plugs.items()]
        entries += [directory.PortEntry(w.factory.name, "factory", w.door.url) for w in self._workshops]
        directory.publish(entries, self._run)

    def _link(self, path: str, plug: Plug) -> Link:
        for workshop in self._workshops:
            guest = workshop.guest(path)
            if guest is not None:
                guest.open(partial(self._guest_arrived, workshop, path))
                return guest
        link = links.make(plug.port.link, path)
        link.open(partial(self._arrived, path))
        if link.info().notice:
            log.warning("%s", link.info().notice)
        return link

    def _arrived(self, path: str, event: Event, data: bytes) -> None:
        if event is not Event.DATA:
            log.info("%s: a client has %s", path, "connected" if event is Event.OPENED else "gone")
        self._inbox.post(f"port:{path}", Bytes(path, event, data))

    def _guest_arrived(self, workshop: Workshop, path: str, event: Event, data: bytes) -> None:
        """Take what the client of a factory's robot does; when it goes, so does the robot."""
        self._arrived(path, event, data)
        if event is Event.CLOSED:
            self._inbox.post(workshop.source, Remove(path.partition("/")[0]))

    def _refused(self, outcome: Outcome) -> None:
        """Send those away whose robot could not be made."""
        for source, done in outcome.done:
            if source.startswith("factory:") and not done.ok and isinstance(done.change, Add):
                for workshop in self._workshops:
                    workshop.forget(workshop.path(done.change.thing.name))

    def deliver(self, outcome: Outcome) -> None:
        """Send what the protocols have said."""
        if self._workshops:
            self._refused(outcome)
        for path, data in outcome.sent:
            if path in self._links:
                self._links[path].write(data)
                if self._plugs[path].port.gate == "reply" and self._plugs[path].connected:
                    self._owed[path] = time.perf_counter()
        for path in outcome.hang_ups:
            if path in self._links:
                self._links[path].hang_up()

    def wait_for_replies(self) -> None:
        """Hold time until every gated client has answered what it was sent."""
        while self._owed:
            answered = {body.port for _, body in self._inbox.waiting() if isinstance(body, Bytes)}
            for path, since in list(self._owed.items()):
                if path in answered or not self._plugs[path].connected:
                    del self._owed[path]
                elif time.perf_counter() - since > REPLY_PATIENCE_S:
                    log.warning("the client of %s has not answered for %g s; going on", path, REPLY_PATIENCE_S)
                    del self._owed[path]
            if self._owed:
                time.sleep(0.0005)

    def visited(self) -> bool:
        """Say whether a client for whom time does not wait is connected."""
        return any(plug.connected and plug.port.gate == "free" for plug in self._plugs.values())

    def link(self, path: str) -> Link:
        """Return the link of a port."""
        return self._links[path]

    def info(self) -> dict[str, LinkInfo]:
        """Return address and counters of every open port."""
        return {path: link.info() for path, link in self._links.items()}

    def doors(self) -> dict[str, str]:
        """Return the address of every robot factory, by its name."""
        return {workshop.factory.name: workshop.door.url for workshop in self._workshops}

    def close(self) -> None:
        """Close every link."""
        for workshop in self._workshops:
            workshop.close()
        self._workshops.clear()
        for link in self._links.values():
            link.close()
        if self._links:
            directory.withdraw(self._run)
        self._links.clear()
        self._open = False
