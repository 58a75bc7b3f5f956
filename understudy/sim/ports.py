"""Ports to the outside: the only module that passes a protocol's bytes to a link."""

from __future__ import annotations

import logging
import math
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from understudy import links
from understudy.errors import LinkError
from understudy.links import directory
from understudy.links.base import Event, Link, LinkInfo, TrafficSource
from understudy.links.directory import PortEntry
from understudy.links.url import parse
from understudy.sim.factory import Factory, RobotFactory
from understudy.sim.inbox import Bytes, Inbox, Item
from understudy.sim.line import GO_ON, HOLD_BACK, SerialLine
from understudy.sim.outcome import Outcome
from understudy.sim.plugs import Plug
from understudy.sim.staging import Stage
from understudy.world.changes import Add, Remove
from understudy.world.scene import Scene

log = logging.getLogger(__name__)
REPLY_PATIENCE_S = 2.0
PUBLISH_S = 1.0  # wall time between two publications of the counters ...
PUBLISH_SHARE = 0.01  # ... and the most of it that they take


class Ports:
    """All open links of a simulation, by port path."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._events: Inbox | Stage = inbox  # where what clients do goes
        self.written = 0  # how often something was written to clients, or they were disconnected
        self.partners: set[str] = set()  # ports whose clients share the clock, so that time waits for them
        self._links: dict[str, Link] = {}
        self._plugs: dict[str, Plug] = {}
        self._lines: dict[str, SerialLine] = {}
        self._held_back: set[str] = set()  # ports whose clients must wait
        self._holding: list[str] = []  # ports whose clients let time pass
        self._admitted: Counter[str] = Counter()  # clients by port; counted in the link thread
        self._known: Counter[str] = Counter()  # those whose connection the run has processed
        self._owed: dict[str, float] = {}  # gated port -> wall time since which time waits for its client
        self._workshops: list[RobotFactory] = []
        self._open = False
        self._run = f"{id(self):x}"  # distinguishes simulations in one process
        self._published: list[PortEntry] = []
        self._publish_at = math.inf  # wall time

    def open(self, factories: Sequence[Factory] = ()) -> None:
        """Give every plug a link from now on; clients of *factories* get robots. Raises LinkError."""
        self._open = True
        for factory in factories:
            workshop = RobotFactory(factory)
            workshop.open()
            self._workshops.append(workshop)

    def stage(self, stage: Stage) -> None:
        """Hold from now on what clients do, until the stage is released."""
        self._events = stage
        for workshop in self._workshops:
            workshop.numbered = True

    def source_of(self, serial: bool, client: int, port: int) -> tuple[str, TrafficSource] | None:
        """Return which port a client is connected to: one on /dev/pts/*client*, or on this TCP port."""
        for path, link in self._links.items():
            url = link.info().url
            if os.path.realpath(url) == f"/dev/pts/{client}" if serial else url.endswith(f":{port}"):
                return path, link
        for workshop in self._workshops:
            if not serial and workshop.door.port == port:
                return workshop.factory.name, workshop.door
        return None

    def on_line(self, path: str) -> int:
        """Return how many bytes of a port's client its serial line has not carried yet."""
        line = self._lines.get(path)
        return line.waiting if line else 0

    def moved(self) -> list[tuple[int, int]]:
        """Return the TCP ports that the links would have if nothing else ran on this machine, with those they have."""
        places: dict[int, int] = {}
        for path, plug in self._plugs.items():
            url = parse(plug.port.link)
            actual = parse(self._links[path].info().url) if url.port and path in self._links else None
            if actual is None:
                continue
            port = url.port
            while url.next_free and port in places:
                port += 1
            places[port] = actual.port
        return list(places.items())

    def called(self) -> bool:
        """Return whether a client waits for a robot of its own."""
        return bool(self._workshops) and any(workshop.called for workshop in self._workshops)

    def make_robots(self, scene: Scene) -> None:
        """Request a robot for every client that waits for one."""
        for workshop in self._workshops:
            for add in workshop.orders(scene):
                log.info("%s: a client connected and gets %s", workshop.factory.name, add.thing.name)
                self._inbox.post(workshop.source, add)

    def match(self, plugs: Mapping[str, Plug]) -> None:
        """Open links for new plugs and close those whose plug was removed."""
        self._plugs = dict(plugs)
        self._holding = [path for path, plug in plugs.items() if plug.port.gate == "hold"]
        if not self._open:
            return
        for path in [path for path in self._links if path not in plugs]:
            self.written += 1
            self._links.pop(path).close()
        for workshop in self._workshops:
            workshop.keep(plugs)
        for path, plug in plugs.items():
            if path not in self._links:
                self._links[path] = self._link(path, plug)
        self._lines = {path: plug.line for path, plug in plugs.items() if plug.line}
        self._held_back &= self._lines.keys()
        self._publish()

    def _publish(self) -> None:
        """Tell other processes of the ports and their counters; raises LinkError."""
        begun = time.perf_counter()
        entries = self._entries()
        if entries != self._published:
            directory.publish(entries, self._run)
            self._published = entries
        now = time.perf_counter()
        self._publish_at = now + max(PUBLISH_S, (now - begun) / PUBLISH_SHARE)

    def _publish_counters(self) -> None:
        try:
            self._publish()
        except LinkError as problem:  # such as a full disk
            log.warning("the counters of the ports are no longer published: %s", problem)
            self._publish_at = math.inf

    def _entries(self) -> list[PortEntry]:
        entries = [_entry(path, plug, self._links[path].info()) for path, plug in self._plugs.items()]
        return entries + [PortEntry(w.factory.name, "factory", w.door.url) for w in self._workshops]

    def _link(self, path: str, plug: Plug) -> Link:
        self._admitted[path] = self._known[path] = 0
        for workshop in self._workshops:
            guest = workshop.guest(path)
            if guest is not None:
                guest.open(partial(self._guest_arrived, workshop, path))
                return guest
        link = links.make(plug.port.link, path, plug.port.baud)
        link.open(partial(self._arrived, path))
        if link.info().notice:
            log.warning("%s", link.info().notice)
        return link

    def _arrived(self, path: str, event: Event, data: bytes) -> None:
        if event in (Event.OPENED, Event.CLOSED):
            log.info("%s: client %s", path, "connected" if event is Event.OPENED else "disconnected")
            self._admitted[path] += event is Event.OPENED
        self._events.post(f"port:{path}", Bytes(path, event, data))

    def _guest_arrived(self, workshop: RobotFactory, path: str, event: Event, data: bytes) -> None:
        """Process an event from the client of a factory's robot; when the client disconnects, remove the robot."""
        self._arrived(path, event, data)
        if event is Event.CLOSED:
            self._events.post(workshop.source, Remove(path.partition("/")[0]))

    def _refused(self, outcome: Outcome) -> None:
        """Disconnect the clients whose robot could not be added."""
        for source, done in outcome.done:
            if source.startswith("factory:") and not done.ok and isinstance(done.change, Add):
                for workshop in self._workshops:
                    workshop.forget(workshop.path(done.change.thing.name))

    def deliver(self, items: Iterable[Item], outcome: Outcome) -> None:
        """Send the bytes of the protocols, and close the links that they asked to close; *items* is what they took."""
        if not self._open:
            return
        for item in items:
            if isinstance(item.body, Bytes) and item.body.event is Event.OPENED:
                self._known[item.body.port] += 1
        if self._workshops:
            self._refused(outcome)
        for path, data in outcome.sent:
            client = self._partner(path)
            if client is not None:
                self.written += 1
                self._links[path].write(data, client)
                if self._plugs[path].port.gate == "reply" and self._plugs[path].connected:
                    self._owed[path] = time.perf_counter()
        for path in outcome.hang_ups:
            client = self._partner(path)
            if client is not None:
                self.written += 1
                self._links[path].hang_up(client)
        for path, line in self._lines.items():
            self._hold_back(path, line)
        if time.perf_counter() >= self._publish_at:
            self._publish_counters()

    def _partner(self, path: str) -> int | None:
        """Return the number of the client that the run speaks to; None if another one has taken its place."""
        client = self._admitted[path]  # once: a link thread counts it up at any time
        return client if path in self._links and self._known[path] >= client else None

    def _hold_back(self, path: str, line: SerialLine) -> None:
        """Let a client wait that sends faster than its serial line carries."""
        held = path in self._held_back
        if line.waiting > (GO_ON if held else HOLD_BACK):
            if not held and not self._is_partner(path):  # a program that shares the clock waits by itself
                self._held_back.add(path)
                self._links[path].hold_back(True)
        elif held:
            self._held_back.discard(path)
            self._links[path].hold_back(False)

    def wait_for_replies(self) -> None:
        """Wait until every gated client has answered what it was sent."""
        while self._owed:
            answered = {body.port for _, body in self._inbox.waiting() if isinstance(body, Bytes)}
            for path, since in list(self._owed.items()):
                if path in answered or not self._plugs[path].connected:
                    del self._owed[path]
                elif time.perf_counter() - since > REPLY_PATIENCE_S:
                    log.warning("%s: no answer from the client for %g s; continuing without it", path, REPLY_PATIENCE_S)
                    del self._owed[path]
            if self._owed:
                time.sleep(0.0005)

    @property
    def in_use(self) -> bool:
        """Return whether ports are open to the outside."""
        return self._open

    def hold_time(self, now_us: int) -> bool:
        """Return whether a client of an open port lets no time pass."""
        return any(path in self._links and self._plugs[path].holds_time(now_us) for path in self._holding)

    def visited(self) -> bool:
        """Return whether a client is connected that time does not wait for."""
        return any(
            plug.connected and plug.port.gate == "free" and not self._is_partner(path)
            for path, plug in self._plugs.items()
        )

    def _is_partner(self, path: str) -> bool:
        """Return whether the client of a port shares the clock."""
        doors = (w.factory.name for w in self._workshops if w.guest(path) is not None)
        return bool(self.partners) and (path in self.partners or any(name in self.partners for name in doors))

    def link(self, path: str) -> Link:
        """Return the link of a port."""
        return self._links[path]

    def info(self) -> dict[str, LinkInfo]:
        """Return address and counters of every open port, with the bytes that were lost before the run took them."""
        return {path: replace(link.info(), lost=self._inbox.lost[path]) for path, link in self._links.items()}

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
        if self._open:
            directory.withdraw(self._run)
        self._links.clear()
        self._open = False
        self._published = []
        self._publish_at = math.inf


def _entry(path: str, plug: Plug, info: LinkInfo) -> PortEntry:
    """Return what other processes may know of a port."""
    unit = plug.unit.rpartition("/")[2]
    return PortEntry(
        path, plug.port.sheet.kind, info.url, unit, plug.kind, plug.devices,
        info.connected, info.received, info.sent, info.dropped,
    )  # fmt: skip
