"""The conversations of a run: bytes through a serial line to a protocol, its commands to a unit, replies back."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from understudy.links.base import Event, LineState
from understudy.protocols import PROTOCOLS
from understudy.protocols.base import For, HearsMaps, Refused, SetBaud, WireProtocol
from understudy.protocols.scene_view import SceneView
from understudy.robots.base import Session, Unit
from understudy.sim.inbox import Bytes
from understudy.sim.line import SerialLine
from understudy.sim.outcome import Outcome
from understudy.world import changes
from understudy.world.changes import Change, Done
from understudy.world.news import NEWS, News
from understudy.world.robot import AnyPort, Port, ScenePort, UnitSpec

Tree = dict[str, Any]
GiveOrder = Callable[[str, Any, Outcome], Any]  # unit and command; returns the reply
MakeChange = Callable[[Change, str, Outcome, AnyPort], Done]  # change, source, the port that asks for it
MOST_REPLIES = 50  # to commands that follow from replies to commands ...


class Desk(Protocol):
    """What protocols of the scene see, and to whom their orders go."""

    def view(self) -> SceneView:
        """Return the run as it is now."""
        ...

    def address(self, order: For, port: AnyPort) -> str | Refused:
        """Return the path of the unit that an order is for, or why it is not given to it."""
        ...


@dataclass
class Plug:
    """A port inside the run: one conversation between a protocol and a unit, or the whole scene."""

    path: str
    port: AnyPort
    protocol: WireProtocol
    unit: str  # empty: a port of the scene
    devices: tuple[str, ...] = ()  # that the unit uses
    kind: str = ""  # of the unit
    line: SerialLine | None = None
    connected: bool = False

    @staticmethod
    def of(robot: str, port: Port, unit: UnitSpec) -> Plug:
        """Return a port of a robot, with no client connected, that speaks for *unit*."""
        line = SerialLine(port) if port.baud else None
        protocol = PROTOCOLS[port.sheet.kind](port.sheet, robot)
        protocol.wired(port.baud, port.pace)
        devices = tuple(dict.fromkeys(device for _, device in unit.uses))
        path = f"{robot}/{port.name}"
        return Plug(path, port, protocol, f"{robot}/{port.unit}", devices, unit.sheet.kind, line)

    @staticmethod
    def of_scene(port: ScenePort) -> Plug:
        """Return a port of the scene, with no client connected."""
        line = SerialLine(port) if port.baud else None
        return Plug(port.name, port, PROTOCOLS[port.sheet.kind](port.sheet, ""), "", line=line)

    def holds_time(self, now_us: int) -> bool:
        """Return whether time must stand because of the client."""
        return self.port.gate == "hold" and self.connected and not self.protocol.lets_pass(now_us)

    def state(self) -> Tree:
        """Return the conversation as a tree of plain values."""
        line = self.line.state() if self.line else {}
        return {"connected": self.connected, "protocol": self.protocol.state(), "line": line}

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        self.connected = state["connected"]
        self.protocol.restore(state["protocol"])
        if self.line:
            self.line.restore(state["line"])


class Plugs:
    """All ports of a run, by path."""

    def __init__(self, order: GiveOrder, change: MakeChange, desk: Desk, plugs: Iterable[Plug]) -> None:
        self._order, self._change, self._desk = order, change, desk
        self.by_path = {plug.path: plug for plug in plugs}
        self.lines = [plug for plug in self.by_path.values() if plug.line]
        self._of_scene = any(not plug.unit for plug in self.by_path.values())
        self.timed = [plug for plug in self.by_path.values() if type(plug.protocol).due is not WireProtocol.due]

    # ---- from the client

    def take(self, body: Bytes, cut: Container[str], outcome: Outcome) -> None:
        """Take what a client did; bytes of a port in *cut* are lost."""
        plug = self.by_path.get(body.port)
        if plug is None or (body.port in cut and body.event is Event.DATA):
            return
        match body.event:
            case Event.DATA if plug.line:
                plug.line.receive(body.data)
            case Event.DATA:
                self._dispatch(plug, plug.protocol.feed(body.data), outcome)
            case Event.LINE:
                self._line_changed(plug, LineState.decode(body.data), outcome)
            case Event.OPENED:
                plug.connected = True
                if plug.line:
                    plug.line.opened()
                self._dispatch(plug, plug.protocol.opened(), outcome)
            case Event.CLOSED:
                plug.connected = False
                self._dispatch(plug, plug.protocol.closed(), outcome)

    def _line_changed(self, plug: Plug, line: LineState | None, outcome: Outcome) -> None:
        if line is not None and plug.line:
            plug.line.client = line
            self._dispatch(plug, plug.protocol.line_changed(line), outcome)

    def carry(self, dt_us: int, outcome: Outcome) -> None:
        """Feed what has come through the serial lines."""
        for plug in self.lines:
            assert plug.line
            if data := plug.line.arrived(dt_us):
                self._dispatch(plug, plug.protocol.feed(data), outcome)

    def act(self, now_us: int, outcome: Outcome) -> None:
        """Let protocols act whose time has come."""
        for plug in self.timed:
            self._dispatch(plug, plug.protocol.due(now_us), outcome)

    def _dispatch(self, plug: Plug, values: Iterable[Any], outcome: Outcome, depth: int = 0) -> None:
        """Carry out what a protocol asks for, one by one: commands and what replies lead to, changes, news, rates."""
        for value in values:
            if isinstance(value, changes.CHANGES):
                source = f"port:{plug.path}"
                plug.protocol.done(self._change(cast(Change, value), source, outcome, plug.port))
            elif isinstance(value, NEWS):
                outcome.news.append((plug.path, cast(News, value)))
            elif isinstance(value, SetBaud):
                if plug.line:
                    plug.line.set_baud(value.baud, value.lenient)
            else:
                reply = self._ordered(plug, value, outcome)
                if (reply is not None or not plug.unit) and depth < MOST_REPLIES:
                    self._dispatch(plug, plug.protocol.answered(value, reply), outcome, depth + 1)

    def _ordered(self, plug: Plug, value: Any, outcome: Outcome) -> Any:
        """Give a command to the plug's unit or, from a port of the scene, to the one that it is for."""
        unit, command = plug.unit, value
        if not unit:
            found = self._desk.address(value, plug.port)
            if isinstance(found, Refused):
                return found
            unit, command = found, value.command
        return self._order(unit, replace(command, port=plug.path) if isinstance(command, Session) else command, outcome)

    # ---- to the client

    def speak(self, units: Mapping[str, Unit], now_us: int, dt_us: int, cut: Container[str], outcome: Outcome) -> None:
        """Collect what the protocols have to say."""
        view = self._desk.view() if self._of_scene else None
        for plug in self.by_path.values():
            protocol = plug.protocol
            data = protocol.tick(units[plug.unit] if plug.unit else view, now_us)
            if plug.line:
                data = plug.line.send(data, dt_us)
            if data and plug.path not in cut:
                outcome.sent.append((plug.path, data))
            if protocol.hung_up():
                outcome.hang_ups.append(plug.path)

    def tell_of_map(self, file: str, by_user: bool, loaded: bool, source: str = "") -> None:
        """Tell the client of *source*, or all clients, of a map."""
        for plug in self.by_path.values():
            if isinstance(plug.protocol, HearsMaps) and source in ("", f"port:{plug.path}"):
                plug.protocol.map_changed(file, by_user, loaded)

    # ---- a new run, and saving

    def go_on(self, before: Mapping[str, Plug], outcome: Outcome) -> None:
        """Go on with the clients of the run *before* a reset."""
        for path, plug in self.by_path.items():
            old = before.get(path)
            if old is None or not old.connected:
                continue
            plug.connected = True
            if plug.line and old.line:
                plug.line.client = old.line.client
            plug.protocol.restore(old.protocol.state())
            self._dispatch(plug, plug.protocol.greet(), outcome)

    def state(self) -> Tree:
        """Return all conversations as a tree of plain values."""
        return {path: plug.state() for path, plug in self.by_path.items()}

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        for path, saved in state.items():
            self.by_path[path].restore(saved)
