"""A toy protocol of the whole scene: lines of text in, lines of text out, each question answered in its turn.

====================  =========================================================================
``ROBOTS``            the names of all robots
``READ scout/front``  ``stamp_us column=value ...``, at most three values
``WHERE scout``       ``x y`` (m)
``TIME``              ``t_us running`` or ``t_us paused``
``ASK scout/meter``   what the toy unit answers to a Read
``DRIVE scout 0.2``   ``ok``, or ``no`` and the reason; so do the following
``MOVE scout 1 0``    puts it there
``PAUSE`` ``GO``      hold time and let it go on; ``STEP 3`` advances while paused
``RESET``             begins a new run
``QUIT``              which the policy does not allow
``WAIT 500``          ``at t_us``, once that many milliseconds have passed since time zero
====================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from contracts.toy import Read

from understudy.errors import UnknownName
from understudy.protocols.base import For, Refused, Tree, WireProtocol
from understudy.protocols.scene_view import SceneView
from understudy.robots.base import Drive
from understudy.world.changes import Done, Move, Pause, Quit, Reset, Step
from understudy.world.shapes import Pose

ROOM = 2000  # bytes of answers that may wait


@dataclass(frozen=True, slots=True)
class SceneTalkSheet:
    """The protocol has no settings."""

    kind: ClassVar[str] = "toy_scene"
    units: ClassVar[tuple[str, ...]] = ()
    scope: ClassVar[str] = "scene"


class SceneTalk(WireProtocol):
    """Lines of text about all robots."""

    Sheet: ClassVar[type] = SceneTalkSheet
    units: ClassVar[tuple[str, ...]] = ()
    scope: ClassVar[Literal["robot", "scene"]] = "scene"

    def __init__(self, sheet: SceneTalkSheet, robot: str) -> None:
        self._counts = {"lines": 0, "unknown": 0}
        self._forget()

    def _forget(self) -> None:
        self._buffer = bytearray()
        self._out: list[str] = []  # answers ("= text") and questions that need a look at the scene ("? words")
        self._until_us = -1

    def opened(self) -> Sequence[Any]:
        self._forget()
        return ()

    def closed(self) -> Sequence[Any]:
        self._forget()
        return ()

    def greet(self) -> Sequence[Any]:
        if self._until_us >= 0:  # time starts again, and the wait of the client has no end
            self._until_us = -1
            self._say("no: reset")
        return ()

    def feed(self, data: bytes) -> Iterator[Any]:
        for byte in data:
            if byte != ord("\n"):
                self._buffer.append(byte)
                del self._buffer[:-80]
            else:
                line = self._buffer.decode("ascii", "replace")
                self._buffer.clear()
                yield from self._line(line)

    def _line(self, line: str) -> list[Any]:
        self._counts["lines"] += 1
        match line.split():
            case ["ROBOTS" | "TIME"] | ["READ" | "WHERE", _]:
                self._put(f"? {line}")
            case ["ASK", unit]:
                return [For(unit, Read())]
            case ["DRIVE", robot, speed] if _is_number(speed):
                return [For(robot, Drive(float(speed)))]
            case ["MOVE", robot, x, y] if _is_number(x) and _is_number(y):
                return [Move(robot, Pose(float(x), float(y)))]
            case ["PAUSE" | "GO" as word]:
                return [Pause(word == "PAUSE")]
            case ["STEP", ticks] if ticks.isascii() and ticks.isdecimal() and int(ticks[:4]) > 0:
                return [Step(int(ticks[:4]))]
            case ["RESET"]:
                return [Reset()]
            case ["QUIT"]:
                return [Quit()]
            case ["WAIT", ms] if ms.isascii() and ms.isdecimal():
                self._until_us = int(ms[:6]) * 1000
            case _:
                self._counts["unknown"] += 1
                self._say("what?")
        return []

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        if isinstance(reply, Refused):
            self._say(f"no: {reply.reason}")
        else:
            self._say(reply.text if reply else "ok")
        return ()

    def done(self, outcome: Done) -> None:
        self._say("ok" if outcome.ok else f"no: {outcome.reason}")

    def lets_pass(self, now_us: int) -> bool:
        return now_us < self._until_us

    def _say(self, text: str) -> None:
        self._put(f"= {text}")

    def _put(self, entry: str) -> None:
        if sum(map(len, self._out)) < ROOM:
            self._out.append(entry)

    def tick(self, unit: SceneView, now_us: int) -> bytes:
        answers = [entry[2:] if entry[0] == "=" else _look(unit, entry[2:]) for entry in self._out]
        self._out.clear()
        if 0 <= self._until_us <= now_us:
            self._until_us = -1
            answers.append(f"at {now_us}")
        return "".join(f"{answer}\n" for answer in answers).encode()

    def counters(self) -> Mapping[str, int]:
        return self._counts

    def state(self) -> Tree:
        return {
            "buffer": self._buffer.hex(), "out": list(self._out), "until_us": self._until_us,
            "counters": dict(self._counts),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        self._buffer, self._out = bytearray.fromhex(state["buffer"]), list(state["out"])
        self._until_us, self._counts = state["until_us"], dict(state["counters"])


def _is_number(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").replace(".", "", 1).isdecimal()


def _look(view: SceneView, line: str) -> str:
    """Return the answer to a question that needs a look at the scene."""
    word, *rest = line.split()
    try:
        return _LOOKS[word](view, *rest)
    except UnknownName as problem:
        return f"no: {problem}"


def _read(view: SceneView, path: str) -> str:
    values = zip(view.columns(path)[:3], view.reading(path).tolist())
    return " ".join([str(view.stamp_us(path)), *(f"{name}={value:.2f}" for name, value in values)])


def _where(view: SceneView, robot: str) -> str:
    pose = view.pose(robot)
    return f"{pose.x_m:.3f} {pose.y_m:.3f}"


_LOOKS: dict[str, Callable[..., str]] = {
    "ROBOTS": lambda view: " ".join(robot.name for robot in view.robots),
    "TIME": lambda view: f"{view.t_us} {'paused' if view.paused else 'running'}",
    "READ": _read,
    "WHERE": _where,
}
