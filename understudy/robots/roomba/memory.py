"""What a Roomba's firmware remembers about its client and itself, and what its panel shows."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.frozen import frozen
from understudy.robots.roomba import orders


@dataclass(slots=True)
class Asked:
    """The last drive commands as the client gave them, and the size of its stream."""

    mm_s: int = 0
    radius_mm: int = 0
    right_mm_s: int = 0
    left_mm_s: int = 0
    stream: int = 0


@dataclass(slots=True)
class Memory:
    """The rest of the state."""

    mode: orders.Mode = "off"
    asleep: bool = False
    quiet_us: int = 0  # since the last command
    now_us: int = 0


@frozen
class RoombaPanel:
    """What the robot's display, lights and instruments show."""

    generation: str
    mode: str
    asleep: bool
    behaviour: str
    leds: tuple[int, ...]
    digits: tuple[int, ...]
    motors: tuple[float, ...]
    song: int  # -1: none is playing
    charging_state: int
    held: float  # charge, 0 to 1
    requested_mm_s: tuple[int, int]  # left, right
