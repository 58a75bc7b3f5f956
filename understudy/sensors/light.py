"""Light sensors and lamps.

A light sensor receives direct light from lamps and sun and, if it looks at the ground, the light reflected there.
Lamps on robots shine like all others. A LEGO light sensor is a light sensor and a lamp side by side.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Keys, Lamps, Memory, Rows, Sampled, Truth
from understudy.sensors.cards import light
from understudy.sensors.cards.card import Card
from understudy.sensors.floor import grey
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.lighting import EYES, NOBODY, Sources, dot, edge_of, light_on
from understudy.sensors.places import axes, in_world, on_robot, turned
from understudy.world.records import rule
from understudy.world.shapes import Mount

_HERE = (Mount(),)
_UP = np.array([0.0, 0.0, 1.0])
_WHITE = 255.0
_LEVEL = 1e-3  # a sensor that looks down by less than this sine counts as level
_SHIELD_M = 0.02  # lamps this near on the same robot do not shine into the sensor


@frozen
class LightSensor(Sampled):
    """A light sensor: the light that falls on it, and the light reflected by the ground where it looks."""

    kind: ClassVar[str] = "light"
    card: ClassVar[Card] = light.LIGHT
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    dark: float = rule(0.0, doc="the reading without light")
    bright: float = rule(100.0, doc="the reading at full light or more")
    full: float = rule(1.0, above=0.0, doc="amount of full light: 1 is a lamp of brightness 1 at 1 m")
    exponent: float = rule(1.0, least=0.0, doc="sensitivity at an angle: the cosine to this power; 0: uniform")
    field_rad: float = rule(math.radians(40.0), least=0.0, most=math.radians(170.0), doc="angle of view on the ground")
    reach_m: float = rule(0.5, least=0.0, doc="ground farther away than this is ignored")
    noise: PlainNoise = rule(PlainNoise(sigma=0.5), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the one value."""
        return ("light",)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the brightness."""
        poses, sources = truth.poses[rows], all_sources(truth)
        points = in_world(poses, on_robot(mount, _HERE))[:, 0]
        looks = turned(poses, axes(mount, _HERE))[:, 0]
        light = light_on(truth.engine, sources, points, looks, rows, self.exponent, _SHIELD_M)
        spots, seen = self._spots(truth, rows, points, looks)
        light[~seen] += truth.around.ambient
        light[seen] += self._reflected(truth, sources, points[seen], spots[seen])
        out[:, 0] = self.dark + (self.bright - self.dark) * np.minimum(light / self.full, 1.0)

    def _spots(self, truth: Truth, rows: Rows, points: Array, looks: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Return the point of the ground plane where each sensor looks, and which sensors see it."""
        away = np.maximum(points[:, 2], 0.0) / np.maximum(-looks[:, 2], _LEVEL)
        spots = points + away[:, None] * looks
        seen = (looks[:, 2] < -_LEVEL) & (away <= self.reach_m)
        nobody = np.full(np.count_nonzero(seen), NOBODY)
        seen[seen] = truth.engine.clear(points[seen], spots[seen], np.column_stack([rows[seen], nobody]), EYES)
        return spots, seen

    def _reflected(self, truth: Truth, sources: Sources, points: Array, spots: Array) -> Array:
        """Return the brightness of ground spots seen from points; robots cast shadows on them."""
        up, nobody = np.broadcast_to(_UP, spots.shape), np.full(len(spots), NOBODY)
        away = np.sqrt(dot(spots - points, spots - points))
        bright = grey(truth.around.floor.under(spots, 2.0 * away * elementary.tan(self.field_rad / 2))) / _WHITE
        return np.asarray(bright * (truth.around.ambient + light_on(truth.engine, sources, spots, up, nobody)))

    def finish(self, truth: Truth, out: Array) -> None:
        """Clip to the range from dark to bright."""
        np.clip(out, min(self.dark, self.bright), max(self.dark, self.bright), out=out)


@frozen
class Lamp(Sampled):
    """A lamp on a robot; it lights the ground and all light sensors, and can be switched."""

    kind: ClassVar[str] = "lamp"
    card: ClassVar[Card] = light.LAMP
    period_us: int = rule(0, least=0, doc=PERIOD)
    brightness: float = rule(0.5, least=0.0, doc="its light at 1 m")
    beam_rad: float = rule(math.tau, above=0.0, most=math.tau, doc="width of its beam")
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the one value: whether it is on; between 0 and 1 while an output dims it."""
        return ("on",)

    def memory(self, keys: Keys) -> Memory:
        """Return the share of their power that lamps are supplied with: all of it."""
        return {"level": np.ones(len(keys))}

    def nothing(self) -> float:
        """Return the value of a lamp that is switched off or has failed."""
        return 0.0

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the share of its light that it gives: lamps that are off read "nothing", which is 0."""
        out[:, 0] = memory["level"]


def all_sources(truth: Truth) -> Sources:
    """Return the lights of the scene, then the lamps of robots."""
    return Sources(*map(np.concatenate, zip(truth.around.lights, *(_carried(truth, lamps) for lamps in truth.lamps))))


def _carried(truth: Truth, lamps: Lamps) -> Sources:
    poses, count = truth.on(lamps.joint).poses[lamps.rows], len(lamps.rows)
    return Sources(
        in_world(poses, on_robot(lamps.mount, _HERE))[:, 0],
        turned(poses, axes(lamps.mount, _HERE))[:, 0],
        np.full(count, edge_of(lamps.sheet.beam_rad)),
        np.where(lamps.lit, lamps.sheet.brightness * lamps.level, 0.0),
        np.zeros(count, np.bool_),
        lamps.rows,
    )
