"""Delivers what units send to each other: range, direction, line of sight, loss by noise with a key of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from understudy import elementary, rng
from understudy.engines.base import Engine
from understudy.units import wrap_rad
from understudy.world.materials import layer_mask
from understudy.world.media import MEDIA, Heard, Medium, Message
from understudy.world.scene import Scene

Tree = dict[str, Any]
HEIGHT_M = 0.1  # of senders and receivers above the robot's origin
MOST_WAITING = 1000  # messages of one tick; more are lost
_LOSS = 1  # stage of the random numbers


@dataclass(frozen=True, slots=True)
class Receiver:
    """A unit that listens."""

    path: str
    row: int  # of its robot
    media: tuple[str, ...]


class Messages:
    """The messages on their way from one tick to the next."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.waiting: list[tuple[str, int, Message]] = []  # (sender, row of its robot, message)
        self._media: Mapping[str, Medium] = MEDIA
        self._receivers: list[Receiver] = []
        self._rows: dict[str, int] = {}
        self.lost = 0

    def connect(self, scene: Scene, rows: Mapping[str, int], receivers: Iterable[Receiver]) -> None:
        """Take the units of a scene: the row of each robot, and those that listen."""
        self._media = {**MEDIA, **{medium.name: medium for medium in scene.media}}
        self._receivers, self._rows = list(receivers), dict(rows)
        kept = [(sender, self._row(sender), message) for sender, _, message in self.waiting]
        self.waiting = [each for each in kept if each[1] >= 0]

    def _row(self, path: str) -> int:
        return self._rows.get(path.partition("/")[0], -1)

    def send(self, sender: str, message: Message) -> None:
        """Let a message of a unit wait for the next tick."""
        if message.medium not in self._media or len(self.waiting) >= MOST_WAITING:
            self.lost += 1
        else:
            self.waiting.append((sender, self._row(sender), message))

    def deliver(self, engine: Engine, tick: int, give: Callable[[str, Heard], None]) -> None:
        """Give every receiver what it hears, in the order in which it was sent."""
        if not self.waiting:
            return
        waiting, self.waiting = self.waiting, []
        poses = engine.poses()
        for number, (sender, row, message) in enumerate(waiting):
            for receiver in self._receivers:
                if receiver.path == sender or message.medium not in receiver.media:
                    continue
                distance_m = _distance(poses[row], poses[receiver.row], message)
                if self._arrives(engine, message, row, receiver, distance_m) and not self._misses(
                    receiver, message.medium, tick, number
                ):
                    bearing_rad = _bearing(poses[receiver.row], poses[row])
                    give(receiver.path, Heard(message.medium, message.data, sender, distance_m, bearing_rad))

    def _arrives(self, engine: Engine, message: Message, row: int, receiver: Receiver, distance_m: float) -> bool:
        medium = self._media[message.medium]
        if not distance_m <= min(message.reach_m, medium.reach_m):
            return False
        if medium.blocked_by is None or row == receiver.row:
            return True
        poses = engine.poses()
        here, there = poses[row, :3] + (0.0, 0.0, HEIGHT_M), poses[receiver.row, :3] + (0.0, 0.0, HEIGHT_M)
        passed = np.array([[row, receiver.row]], np.int64)
        return bool(engine.clear(here[None], there[None], passed, layer_mask((medium.blocked_by,)))[0])

    def _misses(self, receiver: Receiver, medium: str, tick: int, number: int) -> bool:
        loss = self._media[medium].loss
        if not loss:
            return False
        k0, k1 = rng.key(self._seed, f"{receiver.path}/{medium}")
        return bool(rng.row_of_words(tick, _LOSS, k0, k1, number + 1)[number] < loss * 2.0**32)

    def state(self) -> Tree:
        """Return the messages on their way."""
        waiting = [
            {"sender": sender, **asdict(message), "data": message.data.hex()} for sender, _, message in self.waiting
        ]
        return {"waiting": waiting, "lost": self.lost}

    def restore(self, state: Tree) -> None:
        """Go on with the messages on their way."""
        self.waiting = []
        for saved in state["waiting"]:
            message = {**saved, "data": bytes.fromhex(saved["data"])}
            self.send(message.pop("sender"), Message(**message))
        self.lost = state["lost"]


def _distance(sender: Any, receiver: Any, message: Message) -> float:
    """Return how far a receiver is from a sender (m); infinitely far outside of the beam."""
    dx, dy, dz = (float(value) for value in receiver[:3] - sender[:3])
    distance_m = math.sqrt(dx * dx + dy * dy + dz * dz)
    if message.spread_rad >= 2.0 * math.pi or distance_m == 0.0:
        return distance_m
    off = wrap_rad(elementary.atan2(dy, dx) - float(sender[5]) - message.yaw_rad)
    return distance_m if abs(off) <= message.spread_rad / 2.0 else math.inf


def _bearing(receiver: Any, sender: Any) -> float:
    """Return the direction of a sender in the receiver's frame; 0 on the same spot (rad)."""
    dx, dy = float(sender[0] - receiver[0]), float(sender[1] - receiver[1])
    return wrap_rad(elementary.atan2(dy, dx) - float(receiver[5])) if dx or dy else 0.0
