"""The visuals of robots and objects, for people and cameras: without effect on collisions and other sensors.

A *figure* is a ready look of the catalogue, made of many solids, such as a Pioneer or a desk (`assets.figures`).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.world.marks import Point
from understudy.world.records import rule
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Sphere

Triple = tuple[float, float, float]
Place = tuple[float, float, float, float, float, float]
Material = Literal["matt", "plaster", "carpet", "cardboard", "wood", "rubber", "lino", "gloss", "metal", "glow"]


@frozen
class Prism:
    """An upright prism over a convex outline."""

    kind: ClassVar[str] = "prism"
    points_m: tuple[Point, ...] = rule()
    height_m: float = rule(1.0, above=0.0)


@frozen
class Figure:
    """A ready look of the catalogue."""

    kind: ClassVar[str] = "figure"
    name: str = rule(form="name", doc="a ready look, such as p3dx or desk")


LookShape = Box | Cylinder | Cone | Sphere | Mesh | Prism | Figure


@frozen(kw_only=True)
class Look:
    """One visual of a robot; a robot with visuals is drawn by them instead of by its body."""

    name: str = rule(form="name")
    shape: LookShape = rule(tag="kind")
    mount: Mount = rule(Mount())
    places: tuple[Place, ...] = rule(
        (), doc="the same shape at several places on its mount: x, y, z (m), roll, pitch, yaw (degrees)"
    )
    stretch: Triple = rule((1.0, 1.0, 1.0), doc="scale along its own axes; negative: mirrored")
    round_m: float = rule(0.0, least=0.0, doc="bevel of a box, prism or cylinder")
    colour: str = rule("", form="colour", doc="where its file has none; default: the robot's")
    material: Material = rule("matt", doc="how it reflects light")
    wheel: str = rule("", doc="the wheel that it turns with")
    joint: str = rule("", doc="the joint that carries it; default: the robot's body")


@frozen(kw_only=True)
class Axle:
    """The middle of a wheel of a figure; its height is the wheel's radius."""

    name: str = rule(form="name")
    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = rule(above=0.0)


@frozen(kw_only=True)
class FigureModel:
    """The file of a figure."""

    summary: str = ""
    size_m: Triple | None = rule(None, above=0.0, doc="the size that it was modelled for; objects stretch it to theirs")
    open: bool = rule(False, doc="light passes below it, such as under a table")
    far: tuple[str, ...] = rule((), doc="the looks that are drawn when it is only a few pixels large")
    axles: tuple[Axle, ...] = rule((), key="axle", keyed=True)
    looks: tuple[Look, ...] = rule((), key="look", keyed=True)
