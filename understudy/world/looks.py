"""The visuals of a robot, for people and cameras: shapes and colours without effect on collisions and other sensors."""

from __future__ import annotations

from understudy.frozen import frozen
from understudy.world.records import rule
from understudy.world.shapes import Mount, Shape

Triple = tuple[float, float, float]


@frozen(kw_only=True)
class Look:
    """One visual of a robot; a robot with visuals is drawn by them instead of by its body."""

    name: str = rule(form="name")
    shape: Shape = rule(tag="kind")
    mount: Mount = rule(Mount())
    stretch: Triple = rule((1.0, 1.0, 1.0), doc="scale along its own axes; negative: mirrored")
    colour: str = rule("", form="colour", doc="where its file has none; default: the robot's")
    wheel: str = rule("", doc="the wheel that it turns with")
    joint: str = rule("", doc="the joint that carries it; default: the robot's body")
