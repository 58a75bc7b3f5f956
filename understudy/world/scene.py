"""A scene: ground, walls, objects, balls, lights, marks, robots, and its geographic origin. All frozen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from understudy.frozen import frozen
from understudy.world.marks import MapNotes, Mark, Piece, Point, Tag
from understudy.world.materials import LAYERS, Layer, Surface
from understudy.world.media import Medium
from understudy.world.records import rule
from understudy.world.robot import PlacedRobot, ScenePort
from understudy.world.shapes import Pose, Shape

SCHEMA = 1
DEFAULT_TICK_US = 5_000


@frozen
class Heights:
    """A height field over the ground: a picture, an elevation file (.asc, .hgt, .tif) or a mesh.

    A picture is stretched over the ground. A file with a known size sets the size of the ground, and its centre is the
    world's origin.
    """

    file: str = rule()
    low_m: float = rule(0.0, doc="height of black pixels in a picture")
    high_m: float = rule(1.0, doc="height of white pixels in a picture")
    window: tuple[int, int, int, int] | None = rule(
        None, least=0, doc="only a part of the file: first column and row, from the top left, and how many of each"
    )
    middle_deg: tuple[float, float] | None = rule(
        None, doc="only a part of the file: latitude and longitude of its centre", least=-180.0, most=180.0
    )
    size_m: tuple[float, float] | None = rule(None, above=0.0, doc="size of the part about middle_deg, east and north")
    cell_m: float = rule(0.0, least=0.0, doc="grid spacing; 0: that of the file, or from the size of the ground")
    scale: float = rule(1.0, above=0.0, doc="of a mesh")
    node: str = rule("", doc="of a mesh: only this node of the file, at its place")


@frozen
class Ground:
    """The floor; *walled* puts a wall around its edge."""

    size_m: tuple[float, float] = rule((20.0, 20.0), above=0.0)
    center_m: tuple[float, float] = (0.0, 0.0)
    walled: bool = False
    colour: str = rule("#d8d4cc", form="colour")
    picture: str = rule("", doc="a picture file, stretched over the size, its top to the north")
    heights: Heights | None = rule(None, shorthand="file")
    friction: float = rule(1.0, least=0.0)
    seen_by: tuple[Layer, ...] = rule(LAYERS, doc="the sensors that see the ground; line and cliff sensors always do")


@frozen(kw_only=True)
class Wall:
    """Straight wall pieces: a line through *points_m*, separate *pieces_m*, or dots of a scanned map."""

    name: str = rule("", form="name")
    points_m: tuple[Point, ...] = rule((), unless=("pieces_m", "dots_m"))
    closed: bool = False
    pieces_m: tuple[Piece, ...] = rule((), doc="separate pieces, each x1, y1, x2, y2")
    dots_m: tuple[Point, ...] = rule((), doc="single points; neighbours are joined to one wall")
    dot_m: float = rule(0.02, above=0.0, doc="size of a dot")
    solid: bool = rule(False, doc="the lines are the edges of solid areas, such as the dark areas of a picture")
    height_m: float = rule(1.0, above=0.0)
    thickness_m: float = rule(0.0, least=0.0)
    colour: str = rule("#7a7a7a", form="colour")
    picture: str = rule("", doc="a picture file, upright on both long sides of each straight piece")
    picture_m: tuple[float, float] | None = rule(
        None, above=0.0, doc="width and height after which the picture repeats; default: once on each piece"
    )
    surface: Surface = rule(Surface(), inline=True)
    tag: Tag | None = rule(None, doc="its name and type on a map")


@frozen(kw_only=True)
class Solid:
    """An object; with mass 0 it cannot be moved."""

    kind: ClassVar[str] = "object"
    name: str = rule("", form="name")
    shape: Shape = rule(inline=True)
    pose: Pose = rule(Pose(), inline=True)
    mass_kg: float = rule(0.0, least=0.0)
    friction: float = rule(0.5, least=0.0)
    colour: str = rule("#b08040", form="colour")
    picture: str = rule(
        "", doc="a picture file: once on each face of a box, once around round shapes, by texture coordinates on a mesh"
    )
    look: str = rule("", doc="a ready look, such as desk, chair or plant, stretched to the size of the object")
    surface: Surface = rule(Surface(), inline=True)
    tag: Tag | None = rule(None, doc="its name and type on a map")


@frozen
class Ball:
    """A ball that rolls."""

    name: str = rule("", form="name")
    radius_m: float = rule(0.11, above=0.0)
    mass_kg: float = rule(0.4, above=0.0)
    pose: Pose = rule(Pose(), inline=True)
    rolling_friction: float = rule(0.03, least=0.0)
    bounce: float = rule(0.6, least=0.0, most=1.0, doc="coefficient of restitution; of two balls the lower one applies")
    colour: str = rule("#ee7733", form="colour")
    surface: Surface = rule(Surface(), inline=True)


@frozen
class Light:
    """A lamp, or the sun, which shines from the direction of its position as seen from the world's origin.

    Only a lamp with a beam has a direction; turning any other light is an error.
    """

    name: str = rule("", form="name")
    style: Literal["lamp", "sun"] = "lamp"
    pose: Pose = rule(Pose(z_m=3.0), inline=True)
    brightness: float = rule(1.0, least=0.0, doc="a lamp: its light at 1 m; the sun: its light everywhere")
    beam_rad: float = rule(
        math.tau, above=0.0, most=math.tau, doc="width of a lamp's beam about its x axis (its heading)"
    )
    colour: str = rule("#ffffff", form="colour")
    temperature_c: float | None = rule(
        None, least=-273.15, doc="temperature of a lamp for a thermal camera; default: not visible"
    )


@frozen
class Origin:
    """Geographic position of the world's origin; *north_rad* is the direction of north, counter-clockwise from x."""

    latitude_deg: float = rule(0.0, least=-90.0, most=90.0)
    longitude_deg: float = rule(0.0, least=-180.0, most=180.0)
    altitude_m: float = 0.0
    north_rad: float = math.pi / 2
    date: str = rule("2026-01-01T12:00:00", form="date", doc="UTC at simulated time zero")


@frozen
class Air:
    """The air over the ground; a *swing_c* makes it warmer by day and colder by night."""

    temperature_c: float = rule(20.0, least=-273.15, doc="mean of the day")
    swing_c: float = rule(0.0, least=0.0, doc="amplitude of the daily cycle: the warmest temperature above the mean")
    warmest_h: float = rule(15.0, least=0.0, most=24.0, doc="local solar time at which it is warmest")


Thing = Wall | Solid | Ball | Light | Mark | PlacedRobot


@frozen
class SceneEvent:
    """A change (`changes`) that the scene itself makes, at the first tick at or after a time."""

    at_us: int = rule(least=0, doc="simulated time")
    change: Any = rule(inline=True, kinds="changes", tag="")


@frozen
class Include:
    """Another scene file whose contents belong to this one."""

    file: str
    scene: Scene


@frozen
class Scene:
    """Everything that exists at time zero: the document. ``resolve`` makes the flat form that engines see."""

    schema: int = SCHEMA
    name: str = ""
    engine: str = rule("planar", doc="planar, rigid, or one of another package")
    seed: int = rule(0, least=0, most=2**63 - 1)
    tick_us: int = rule(DEFAULT_TICK_US, least=100, most=1_000_000)
    substep_us: int = rule(
        0, least=0, most=10_000, doc="of the rigid engine; 0: 2500 or 1000, whichever divides the tick"
    )
    gravity_m_s2: float = rule(9.81, least=0.0)
    noise: Literal["", "perfect"] = rule("", doc="perfect: every sensor of every robot reads the true values")
    include: tuple[Include, ...] = ()
    ground: Ground = rule(Ground())
    origin: Origin | None = None
    map: MapNotes | None = None
    air: Air = rule(Air())
    ambient: float = rule(0.2, least=0.0, doc="ambient light, in addition to lamps and the sun")
    walls: tuple[Wall, ...] = rule((), key="wall")
    objects: tuple[Solid, ...] = rule((), key="object")
    balls: tuple[Ball, ...] = rule((), key="ball")
    lights: tuple[Light, ...] = rule((), key="light")
    marks: tuple[Mark, ...] = rule((), key="mark")
    robots: tuple[PlacedRobot, ...] = rule((), key="robot")
    media: tuple[Medium, ...] = rule((), key="medium", keyed=True)
    ports: tuple[ScenePort, ...] = rule((), key="port", keyed=True, doc="for protocols that cover all robots")
    events: tuple[SceneEvent, ...] = rule((), key="event")
    numbering: tuple[str, ...] = rule((), doc="names in the order of their RoBIOS numbers, from 1; others follow")
    start_together: bool = rule(
        False, doc="true: RoBIOS programs wait for each other at their first driving or sensor call"
    )

    def things(self) -> Iterator[Thing]:
        """Yield everything that has a name, in file order by kind."""
        yield from self.walls
        yield from self.objects
        yield from self.balls
        yield from self.lights
        yield from self.marks
        yield from self.robots


# the field of a scene for each kind of thing
COLLECTIONS: dict[type, str] = {
    Wall: "walls", Solid: "objects", Ball: "balls", Light: "lights", Mark: "marks", PlacedRobot: "robots"
}  # fmt: skip
# and its key in a file: [[wall]]
THING_KEYS: dict[type, str] = {
    Wall: "wall", Solid: "object", Ball: "ball", Light: "light", Mark: "mark", PlacedRobot: "robot"
}  # fmt: skip
# every list of tables that a file has, [[event]] too, and the field that holds it
LISTS: dict[str, str] = {**{THING_KEYS[cls]: field for cls, field in COLLECTIONS.items()}, "event": "events"}
