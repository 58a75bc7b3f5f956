"""What units send to each other through infrared light, radio, sound: messages, and how far a medium carries them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from understudy.frozen import frozen
from understudy.world.materials import Layer
from understudy.world.rules import rule

FAR_M = 10_000.0


@frozen
class Message:
    """Bytes that a unit sends into a medium; units that listen to it hear them in the next tick.

    A beam may be narrower than the full circle, about a direction in the robot's frame.
    """

    medium: str
    data: bytes
    reach_m: float = FAR_M
    yaw_rad: float = 0.0
    spread_rad: float = 2.0 * math.pi
    to: str = ""  # the robot that it is for; empty: all that hear it


@frozen
class Heard:
    """A message as a unit receives it, an order of its own."""

    medium: str
    data: bytes
    sender: str  # path of the unit
    distance_m: float
    bearing_rad: float = 0.0  # direction of the sender in the receiver's frame, to the left of ahead


@frozen(kw_only=True)
class Medium:
    """How a medium carries messages; ``[medium.NAME]`` of a scene changes one or adds one."""

    name: str = rule(form="name")
    reach_m: float = rule(FAR_M, above=0.0, doc="beyond it nothing is heard, whatever a sender asks for")
    blocked_by: Layer | None = rule(None, doc="what stops it is what this kind of sensor sees; left out: nothing")
    loss: float = rule(0.0, least=0.0, most=1.0, doc="fraction of messages that a receiver misses")
    corruption: float = rule(0.0, least=0.0, most=1.0, doc="fraction of messages that arrive with one byte changed")


MEDIA: Mapping[str, Medium] = MappingProxyType({
    "infrared": Medium(name="infrared", reach_m=10.0, blocked_by="infrared"),
    "radio": Medium(name="radio", reach_m=100.0),
    "sound": Medium(name="sound", reach_m=30.0),
})  # fmt: skip
