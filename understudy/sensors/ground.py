"""Ground sensors: line, colour and cliff sensors, reflective infra-red.

The first three look straight down from their spots, which are positions on the device, and see the mean of a round spot
of the ground. Anything beyond the edge reflects nothing, and the signal fades when the robot is lifted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from understudy import elementary
from understudy.assets.pictures.texture import rgb
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Rows, Sampled, Truth
from understudy.sensors.cards import ground
from understudy.sensors.cards.card import Card
from understudy.sensors.floor import grey
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.places import axes, below, in_world, on_robot, turned
from understudy.world.materials import layer_mask
from understudy.world.records import rule
from understudy.world.shapes import Mount

WHITE = 255.0
_LOWEST_M = 0.005  # a device mounted lower than this fades as if it were here
_LEVEL_M = 1e-6  # anything this near to height 0 is the ground
_LIFTED_M = 0.002  # a robot this much above its mount height may stand on something
_INFRARED = layer_mask(("infrared",))
_DOWN = np.array([[0.0, 0.0, -1.0]])
_SPOTS = "positions on the device that look down, one value each"
_DARK = "share of it over black, which still reflects some infra-red"
_SPOT = "diameter of the spot; 0: what the field covers from the height of the mount"
_FIELD = "angle of view, used where spot_m is 0"


def look_down(truth: Truth, rows: Rows, mount: Mount, spots: Sequence[Mount], spot_m: float, field_rad: float) -> Array:
    """Return red, green, blue (0 to 255) that each spot of each robot sees, and the share of ground (1: all of it).

    All four fade with the square of the height when the robot is lifted.
    """
    poses, mine = truth.poses[rows], on_robot(mount, spots)
    points, down = in_world(poses, mine), turned(poses, _DOWN)
    steep = np.maximum(-down[..., 2], 1e-3)
    height = np.maximum(points[..., 2], 0.0) / steep
    usual = mine[:, 2] + _LIFTED_M
    height = below(truth, rows, points, np.broadcast_to(down, points.shape), height, _INFRARED, usual)
    points = points + height[..., None] * down
    wide = np.full(height.shape, spot_m) if spot_m > 0.0 else 2.0 * height * elementary.tan(field_rad / 2)
    near = np.maximum(mine[:, 2], _LOWEST_M)
    fade = np.square(np.minimum(near / np.maximum(height, _LOWEST_M), 1.0))
    return np.asarray(truth.around.floor.under(points, wide) * fade[..., None])


@frozen
class Line(Sampled):
    """A row of line or light sensors, each lit by its own lamp; reads from *black* to *white*."""

    kind: ClassVar[str] = "line"
    card: ClassVar[Card] = ground.LINE
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    spots: tuple[Mount, ...] = rule((Mount(),), doc=_SPOTS)
    measures: Literal["grey", "brightness"] = rule("grey", doc="grey value, or brightness: V of the HSV model")
    black: float = rule(0.0, doc="the reading over black, and beyond the edge")
    white: float | None = rule(None, doc="the reading over white; default: 255 for grey, 100 for brightness")
    spot_m: float = rule(0.0, least=0.0, doc=_SPOT)
    field_rad: float = rule(math.radians(40.0), least=0.0, most=math.radians(170.0), doc=_FIELD)
    noise: PlainNoise = rule(PlainNoise(sigma=1.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per spot."""
        return tuple(f"{self.measures}[{i}]" for i in range(len(self.spots)))

    def range(self) -> tuple[float, float]:
        """Return the readings over black and over white."""
        usual = WHITE if self.measures == "grey" else 100.0
        return self.black, usual if self.white is None else self.white

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the brightness of each spot."""
        seen = look_down(truth, rows, mount, self.spots, self.spot_m, self.field_rad)
        bright = grey(seen) if self.measures == "grey" else seen[..., :3].max(axis=2)
        black, white = self.range()
        out[:] = black + (white - black) * (bright / WHITE)

    def finish(self, truth: Truth, out: Array) -> None:
        """Clip to the range from black to white."""
        np.clip(out, min(self.range()), max(self.range()), out=out)


@frozen
class Named:
    """A colour of a sensor's palette."""

    name: str = rule()
    colour: str = rule(form="colour")


_PALETTE = tuple(
    Named(name, colour)
    for name, colour in (
        ("black", "#000000"), ("blue", "#0000ff"), ("green", "#008000"), ("yellow", "#ffff00"), ("red", "#ff0000"),
        ("white", "#ffffff"), ("brown", "#8b4513"),
    )
)  # fmt: skip


@frozen
class Colour(Sampled):
    """A colour sensor: red, green, blue from 0 to 255, and the nearest colour of its palette."""

    kind: ClassVar[str] = "colour"
    card: ClassVar[Card] = ground.COLOUR
    whole: ClassVar[bool] = True
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    spot_m: float = rule(0.0, least=0.0, doc=_SPOT)
    field_rad: float = rule(math.radians(40.0), least=0.0, most=math.radians(170.0), doc=_FIELD)
    palette: tuple[Named, ...] = rule(_PALETTE, doc="a reading has the colour's number, from 1; 0: none")
    least: float = rule(0.5, least=0.0, most=1.0, doc="share of ground in the spot below which no colour is reported")
    noise: PlainNoise = rule(PlainNoise(sigma=2.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return three values, and the number of the colour in the palette."""
        return ("red", "green", "blue", "colour")

    def scales(self) -> Array:
        """Return how much of the noise each value gets; the name follows from the others."""
        return np.array([1.0, 1.0, 1.0, 0.0])

    def name(self, reading: Array) -> str:
        """Return the name of the colour of a reading; empty if there is none."""
        number = reading[3]
        return self.palette[int(number) - 1].name if number >= 1 else ""

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write red, green, blue, and the share of ground in view."""
        out[:] = look_down(truth, rows, mount, (Mount(),), self.spot_m, self.field_rad)[:, 0]

    def finish(self, truth: Truth, out: Array) -> None:
        """Name the colour that is reported."""
        np.clip(out[:, :3], 0.0, WHITE, out=out[:, :3])
        known = np.array([rgb(named.colour) for named in self.palette], np.float64).reshape(-1, 3)
        lost = np.isnan(out[:, :3]).any(axis=1)
        away = (np.square(out[:, None, :3] - known)).sum(axis=2)
        away[lost] = 0.0
        tells = (out[:, 3] >= self.least) & bool(len(known))
        out[:, 3] = np.where(tells, away.argmin(axis=1) + 1.0 if len(known) else 0.0, 0.0)
        out[lost, 3] = np.nan


# of a Roomba; iRobot's documents do not give positions: 155 mm from the centre, 15 and 60 degrees from ahead
_CLIFFS = (Mount(0.078, 0.134, 0.02), Mount(0.15, 0.04, 0.02), Mount(0.15, -0.04, 0.02), Mount(0.078, -0.134, 0.02))


@frozen
class Cliff(Sampled):
    """Cliff sensors: the strength of the infra-red reflection of the ground, and whether it is below a threshold."""

    kind: ClassVar[str] = "cliff"
    card: ClassVar[Card] = ground.CLIFF
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(15_000, least=0, doc=PERIOD)
    spots: tuple[Mount, ...] = rule(_CLIFFS, doc=_SPOTS)
    spot_m: float = rule(0.01, least=0.0, doc=_SPOT)
    field_rad: float = rule(math.radians(40.0), least=0.0, most=math.radians(170.0), doc=_FIELD)
    full: float = rule(4095.0, above=0.0, doc="the signal over white")
    dark: float = rule(0.05, least=0.0, most=1.0, doc=_DARK)
    threshold: float = rule(100.0, least=0.0, doc="a weaker signal is a cliff; above full * dark: black too")
    noise: PlainNoise = rule(PlainNoise(sigma=10.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return for each spot whether there is a cliff, then for each its signal."""
        spots = range(len(self.spots))
        return (*(f"cliff[{i}]" for i in spots), *(f"signal[{i}]" for i in spots))

    def scales(self) -> Array:
        """Return the noise factor of each value; the cliffs follow from the signals."""
        return np.repeat([0.0, 1.0], len(self.spots))

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the signals."""
        seen = look_down(truth, rows, mount, self.spots, self.spot_m, self.field_rad)
        out[:, : len(self.spots)] = 0.0
        out[:, len(self.spots) :] = self.full * (self.dark * seen[..., 3] + (1.0 - self.dark) * grey(seen) / WHITE)

    def finish(self, truth: Truth, out: Array) -> None:
        """Compare the reported signals with the threshold."""
        signals = out[:, len(self.spots) :]
        np.clip(signals, 0.0, self.full, out=signals)
        out[:, : len(self.spots)] = np.where(np.isnan(signals), np.nan, signals < self.threshold)


@frozen
class Reflective(Sampled):
    """Reflective infra-red sensors: the reflection of a spot straight ahead of each, and whether it is strong."""

    kind: ClassVar[str] = "reflective"
    card: ClassVar[Card] = ground.REFLECTIVE
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(15_000, least=0, doc=PERIOD)
    ring: tuple[Mount, ...] = rule((Mount(),), doc="position and direction of each on the device")
    best_m: float = rule(0.02, above=0.0, doc="distance of the strongest signal; beyond, inverse square")
    max_m: float = rule(0.15, above=0.0, doc="nothing is seen beyond this")
    spot_m: float = rule(0.005, least=0.0, doc="diameter of the lit spot on the ground")
    full: float = rule(4095.0, above=0.0, doc="the signal of white at best_m or nearer")
    dark: float = rule(0.05, least=0.0, most=1.0, doc=_DARK)
    threshold: float = rule(100.0, least=0.0, doc="a signal of at least this strength means that something is near")
    noise: PlainNoise = rule(PlainNoise(sigma=10.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return for each sensor whether something is near, then for each its signal."""
        ring = range(len(self.ring))
        return (*(f"near[{i}]" for i in ring), *(f"signal[{i}]" for i in ring))

    def scales(self) -> Array:
        """Return the noise factor of each value; what is near follows from the signals."""
        return np.repeat([0.0, 1.0], len(self.ring))

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the signals: of things, and of the ground according to its colour."""
        table, poses = _rays(mount, self.ring, self.max_m), truth.poses[rows]
        hits = np.empty((len(rows), len(self.ring)))
        truth.engine.cast(table, rows, hits)
        points = in_world(poses, table.origins) + hits[..., None] * turned(poses, table.directions)
        seen = truth.around.floor.under(points, np.full(hits.shape, self.spot_m))
        ground = self.dark * seen[..., 3] + (1.0 - self.dark) * grey(seen) / WHITE
        bright = np.where(np.abs(points[..., 2]) < _LEVEL_M, ground, 1.0)
        near = np.where(hits < self.max_m, np.minimum(self.best_m / np.maximum(hits, 1e-9), 1.0), 0.0)
        out[:, : len(self.ring)] = 0.0
        out[:, len(self.ring) :] = self.full * bright * np.square(near)

    def finish(self, truth: Truth, out: Array) -> None:
        """Compare the reported signals with the threshold."""
        signals = out[:, len(self.ring) :]
        np.clip(signals, 0.0, self.full, out=signals)
        out[:, : len(self.ring)] = np.where(np.isnan(signals), np.nan, signals >= self.threshold)


@lru_cache(maxsize=64)  # casters identify a table by its identity
def _rays(mount: Mount, ring: tuple[Mount, ...], max_m: float) -> RayTable:
    return RayTable(on_robot(mount, ring), axes(mount, ring), max_m, layer_mask(("infrared",)))
