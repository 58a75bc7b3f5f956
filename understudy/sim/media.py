"""Delivers what units send to each other: range, direction, line of sight, loss by noise with a key of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from understudy import elementary, rng
from understudy.engines.base import Engine
from understudy.frozen import frozen
from understudy.units import wrap_rad
from understudy.world.materials import layer_mask
from understudy.world.media import MEDIA, Heard, Medium, Message
from understudy.world.scene import Scene

Tree = dict[str, Any]
HEIGHT_M = 0.1  # of senders and receivers above the robot's origin
MOST_WAITING = 1000  # messages of one tick; more are lost
_LOSS, _CORRUPTION, _BYTE = 1, 2, 3  # stages of the random numbers


@frozen
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
            near = list(self._in_reach(poses, sender, row, message))
            clear = self._in_sight(engine, row, [receiver.row for receiver, _ in near], self._media[message.medium])
            for (receiver, distance_m), seen in zip(near, clear):
                if seen and not self._misses(receiver, message.medium, tick, number):
                    bearing_rad = _bearing(poses[receiver.row], poses[row])
                    data = self._received(receiver, message, tick, number)
                    give(receiver.path, Heard(message.medium, data, sender, distance_m, bearing_rad))

    def _in_reach(self, poses: Any, sender: str, row: int, message: Message) -> Iterator[tuple[Receiver, float]]:
        """Yield the receivers that a message reaches if nothing is between, and how far they are (m)."""
        reach_m = min(message.reach_m, self._media[message.medium].reach_m)
        for receiver in self._receivers:
            meant = not message.to or receiver.path.partition("/")[0] == message.to
            if meant and receiver.path != sender and message.medium in receiver.media:
                distance_m = _distance(poses[row], poses[receiver.row], message)
                if distance_m <= reach_m:
                    yield receiver, distance_m

    def _in_sight(self, engine: Engine, row: int, others: Sequence[int], medium: Medium) -> Sequence[bool]:
        """Return for each robot whether nothing that blocks the medium is between; all at once, which is faster."""
        if medium.blocked_by is None or not others:
            return [True] * len(others)
        poses = engine.poses()
        there = poses[list(others), :3] + (0.0, 0.0, HEIGHT_M)
        here = np.broadcast_to(poses[row, :3] + (0.0, 0.0, HEIGHT_M), there.shape)
        passed = np.array([[row, other] for other in others], np.int64)
        clear = engine.clear(np.ascontiguousarray(here), there, passed, layer_mask((medium.blocked_by,)))
        return [bool(seen) or other == row for seen, other in zip(clear, others)]

    def _misses(self, receiver: Receiver, medium: str, tick: int, number: int) -> bool:
        loss = self._media[medium].loss
        return bool(loss) and self._word(receiver, medium, tick, _LOSS, number) < loss * 2.0**32

    def _received(self, receiver: Receiver, message: Message, tick: int, number: int) -> bytes:
        """Return the data as it arrives: some messages have one byte changed."""
        share, data, medium = self._media[message.medium].corruption, message.data, message.medium
        if not share or not data or self._word(receiver, medium, tick, _CORRUPTION, number) >= share * 2.0**32:
            return data
        which = self._word(receiver, medium, tick, _BYTE, number)
        place, change = which % len(data), which // len(data) % 255 + 1
        return data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]

    def _word(self, receiver: Receiver, medium: str, tick: int, stage: int, number: int) -> int:
        """Return a random number below 2**32 that belongs to a message and its receiver."""
        k0, k1 = rng.key(self._seed, f"{receiver.path}/{medium}")
        return int(rng.row_of_words(tick, stage, k0, k1, number + 1)[number])

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
