"""Listeners that log: timing statistics, packets of clients, and true poses when something is sent to a client."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable

from understudy.links.base import Event
from understudy.protocols.arcos.commands import commands
from understudy.protocols.arcos.frames import Decoder
from understudy.sim.inbox import Bytes
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.world.news import NewLog

log = logging.getLogger(__name__)


class TimingLog:
    """Logs periodically how the simulation keeps up with real time."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._logged_s = self._last_s = time.perf_counter()
        self._logged_us = self._ticks = 0
        self._worst_s = 0.0

    def begin(self, sim: Sim) -> None:
        """Start counting."""
        self._logged_us, self._ticks, self._worst_s = sim.t_us, 0, 0.0
        self._logged_s = self._last_s = time.perf_counter()

    def tick(self, snapshot: Snapshot) -> None:
        """Count a tick, and log if it is due."""
        now_s = time.perf_counter()
        self._worst_s = max(self._worst_s, now_s - self._last_s)
        self._last_s = now_s
        self._ticks += snapshot.sub == 0
        if now_s - self._logged_s >= self._every_s and self._ticks:
            self._report(now_s, snapshot.t_us)

    def _report(self, now_s: float, t_us: int) -> None:
        real_s, simulated_s = now_s - self._logged_s, (t_us - self._logged_us) / 1e6
        log.info(
            "timing: %.2f s simulated in %.2f s (%.3f x), %d ticks, %.2f ms each, at most %.2f ms",
            simulated_s, real_s, simulated_s / real_s, self._ticks, 1e3 * real_s / self._ticks, 1e3 * self._worst_s,
        )  # fmt: skip
        self._logged_s, self._logged_us, self._ticks, self._worst_s = now_s, t_us, 0, 0.0

    def end(self, reason: str) -> None:
        """Do nothing."""


class PacketLog:
    """Logs the packets of clients, or (verbose) connections, disconnections and unsupported commands."""

    def __init__(self, *, packets: bool, verbose: bool) -> None:
        self._packets, self._verbose = packets, verbose
        self._decoders: dict[str, Decoder] = {}
        self._commands = commands()

    def begin(self, sim: Sim) -> None:
        """Forget the clients of the previous run."""
        self._decoders.clear()

    def tick(self, snapshot: Snapshot) -> None:
        """Read the received bytes."""
        for item in snapshot.items:
            if isinstance(item.body, Bytes):
                self._read(item.body)

    def _read(self, body: Bytes) -> None:
        if body.event is not Event.DATA:
            self._decoders.pop(body.port, None)
            if self._verbose:
                log.debug("%s: client %s", body.port, "connected" if body.event is Event.OPENED else "disconnected")
            return
        for packet in self._decoders.setdefault(body.port, Decoder()).feed(body.data):
            self._packet(body.port, packet)

    def _packet(self, port: str, packet: bytes) -> None:
        row = self._commands.get(packet[0])
        name = row.name if row else "unknown"
        if self._packets:
            log.info("%s: received %d %s %s", port, packet[0], name, packet[1:].hex(" "))
        if self._verbose and (row is None or not row.supported):
            log.debug("%s: command %d (%s) is not supported", port, packet[0], name)

    def end(self, reason: str) -> None:
        """Do nothing."""


class LogKeeper:
    """Rotates the log file when a client asks for it."""

    def __init__(self, rotate: Callable[[], None]) -> None:
        self._rotate = rotate

    def begin(self, sim: Sim) -> None:
        """Do nothing."""

    def tick(self, snapshot: Snapshot) -> None:
        """Rotate the log once, however many clients have asked for it."""
        asked = [path for path, news in snapshot.news if isinstance(news, NewLog)]
        if asked:
            self._rotate()
            log.info("%s: new log file, requested by the client", asked[0])

    def end(self, reason: str) -> None:
        """Do nothing."""


class MovementLog:
    """Logs the true pose of a robot whenever something is sent to its client."""

    def begin(self, sim: Sim) -> None:
        """Do nothing: a snapshot has everything."""

    def tick(self, snapshot: Snapshot) -> None:
        """Log the robots that have sent something."""
        rows = {robot.name: row for row, robot in enumerate(snapshot.robots)}
        for path, data in snapshot.sent:
            row = rows.get(path.partition("/")[0])
            if row is not None:
                x, y, *_, yaw = snapshot.poses()[row].tolist()
                text = "%s: sent %d bytes at %.0f, %.0f mm, %.1f deg"
                log.info(text, path, len(data), 1e3 * x, 1e3 * y, math.degrees(yaw))

    def end(self, reason: str) -> None:
        """Do nothing."""
