"""What people and cameras see of a robot: its true form and colours, which neither bodies nor other sensors notice."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.world.plain import rule
from understudy.world.shapes import Mount, Shape

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A piece of what is drawn of a robot; one that has any is drawn by them instead of by its body."""

    name: str = rule(form="name")
    shape: Shape = rule(tag="kind")
    mount: Mount = rule(Mount())
    stretch: Triple = rule((1.0, 1.0, 1.0), doc="how many times as long along its own axes; below 0: mirrored")
    colour: str = rule("", form="colour", doc="where its file has none; left out: the robot's")
    wheel: str = rule("", doc="the wheel that it turns with")
    joint: str = rule("", doc="the joint that carries it; left out: the robot's body")
