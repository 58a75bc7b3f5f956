"""Cameras: colours, depth, labels and warmth, a ray for each pixel, on any engine and without a graphics card.

Where there is OpenGL, MuJoCo's renderer can draw them instead; all else is the same.

A reading holds the wanted pictures one after the other, each by rows from the top and columns from the left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.rays.table import RayTable
from understudy.engines.rays.things import Things
from understudy.sensors import camera_cards, camera_paint
from understudy.sensors.base import Array, Glance, Sampled, Truth
from understudy.sensors.card import Card
from understudy.sensors.easel import Renderer
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.noise import SIGNAL, draw_normal
from understudy.world.materials import layer_mask
from understudy.world.plain import rule
from understudy.world.shapes import Mount
from understudy.world.turns import rotation

Image = Literal["rgb", "depth", "labels", "thermal"]
_CHANNELS = {"rgb": 3, "depth": 1, "labels": 1, "thermal": 1}
_NOISY = {"rgb": 1.0, "depth": 0.0, "labels": 0.0, "thermal": 0.05}  # share of the noise, which is in levels of grey
_WHITE = 255.0


@dataclass(frozen=True, slots=True)
class DepthNoise:
    """How depths are wrong: a deviation that grows with the square of the distance, and steps of disparity."""

    sigma_m: float = rule(0.0, least=0.0, doc="deviation of what is near")
    growth_1_m: float = rule(0.0, least=0.0, doc="times the square of the distance beyond near_m: more deviation")
    near_m: float = rule(0.0, least=0.0)
    step_1_m: float = rule(0.0, least=0.0, doc="steps of one over the distance; 0: any depth")

    def spoil(self, depth: Array, draws: Array) -> Array:
        """Return depths as a device tells them; 0, which is none, stays."""
        sigma = self.sigma_m + self.growth_1_m * np.square(depth - self.near_m)
        wrong = np.where(depth > 0.0, np.maximum(depth + sigma * draws, 1e-3), np.inf)
        if self.step_1_m:
            wrong = 1.0 / (np.maximum(np.rint(1.0 / wrong / self.step_1_m), 1.0) * self.step_1_m)
        return np.where(depth > 0.0, wrong, 0.0)


@dataclass(frozen=True, slots=True)
class Camera(Sampled):
    """A camera that looks along x of its mount."""

    kind: ClassVar[str] = "camera"
    card: ClassVar[Card] = camera_cards.CAMERA
    closer: ClassVar[bool] = True
    sees_floor: ClassVar[bool] = True
    sees_pictures: ClassVar[bool] = True  # on things
    images: tuple[Image, ...] = rule(("rgb",), doc="what a reading holds: rgb, depth (m), labels, thermal (Celsius)")
    width: int = rule(80, least=1, most=2_000)
    height: int = rule(60, least=1, most=2_000)
    field_rad: float = rule(math.radians(60.0), above=0.0, most=math.radians(175.0), doc="from left to right")
    min_m: float = rule(0.0, least=0.0, doc="what is nearer has no depth")
    max_m: float = rule(50.0, above=0.0, doc="what is farther away has no depth, and is sky")
    full: float = rule(1.0, above=0.0, doc="how much light makes white white: 1 is a lamp of brightness 1 at 1 m")
    shadows: bool = True
    renderer: Renderer = rule(
        "auto", doc="rays, or gl: MuJoCo's renderer; auto: gl where there is OpenGL, on the rigid engine"
    )
    depth: DepthNoise = rule(DepthNoise(), doc="how depths are wrong")
    noise: PlainNoise = rule(PlainNoise(sigma=2.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per pixel and channel."""
        return _columns(self.images, self.width * self.height)

    def scales(self) -> Array:
        """Return how much of the noise each value gets: colours all of it, warmth a little."""
        pixels = self.width * self.height
        return np.concatenate([np.full(_CHANNELS[image] * pixels, _NOISY[image]) for image in self.images])

    def blank(self) -> Array:
        """Return black pictures, without depth, label and warmth."""
        return np.zeros(len(self.columns()))

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield key and words for what does not fit together."""
        if not self.images:
            yield "images", "want at least one of: rgb, depth, labels, thermal"
        if self.min_m >= self.max_m:
            yield "min_m", f"must be below max_m, {self.max_m:g}"

    def table(self, mount: Mount) -> RayTable:
        """Return a ray for each pixel, from the top left."""
        return _rays(self.width, self.height, self.field_rad, self.max_m, mount)

    def look(self, glance: Glance, out: Array) -> None:
        """Write the pictures of all robots, one after the other: a picture is large."""
        view = self._drawn if self._is_drawn(glance.truth) else self._cast
        for n in range(len(glance.rows)):
            first = 0
            for part in view(glance, n):
                out[n, first : first + part.size] = part.reshape(-1)
                first += part.size

    def _is_drawn(self, truth: Truth) -> bool:
        """Say whether MuJoCo's renderer makes the pictures; by itself only if they have the light that rays give."""
        if not truth.around.easel.draws(self.renderer, self.width * self.height, truth.engine):
            return False
        from understudy.sensors import camera_drawn  # only who draws needs it

        return self.renderer == "gl" or "rgb" not in self.images or camera_drawn.faithful(truth, self.shadows)

    def _drawn(self, glance: Glance, n: int) -> Iterator[Array]:
        """Yield the wanted pictures as MuJoCo's renderer draws them."""
        from understudy.sensors import camera_drawn

        named = "labels" in self.images or "thermal" in self.images
        focal = _focal(self.width, self.field_rad)
        wish = camera_drawn.Wish(
            self.width, self.height, focal, self.max_m, self.full, self.shadows, "rgb" in self.images, named
        )
        taken = camera_drawn.taken(glance, n, wish)
        for image in self.images:
            yield taken.colours if image == "rgb" else self._plain(image, glance, n, taken.things, taken.distances)

    def _cast(self, glance: Glance, n: int) -> Iterator[Array]:
        """Yield the wanted pictures as rays see them."""
        distances = np.empty((1, self.width * self.height))
        met = glance.truth.engine.cast_things(glance.table, glance.rows[n : n + 1], distances)
        seen = Things(*(part[0] for part in met))
        for image in self.images:
            if image == "rgb":
                yield camera_paint.colours(glance.truth, seen, int(glance.rows[n]), self.full, self.shadows)
            else:
                yield self._plain(image, glance, n, seen, distances[0])

    def _plain(self, image: Image, glance: Glance, n: int, seen: Things, distances: Array) -> Array:
        """Return a picture that is none of colours."""
        if image == "depth":
            return self._depth(glance, n, distances)
        if image == "labels":
            return seen.label.astype(np.float64)
        return camera_paint.warmth(glance.truth, seen, distances, self.max_m)

    def _depth(self, glance: Glance, n: int, distances: Array) -> Array:
        """Return how far along the axis of the camera each pixel is; 0 for none (m)."""
        ahead = rotation(glance.mount)[:, 0]
        depth: Array = distances * arrays.product(glance.table.directions, ahead)
        depth[(distances >= self.max_m) | (depth < self.min_m) | (depth > self.max_m)] = 0.0
        if self.noise.preset == "perfect" or self.depth == DepthNoise():
            return depth
        return self.depth.spoil(depth, draw_normal(glance.keys[n : n + 1], glance.sample, SIGNAL, len(depth))[0])

    def settle(self, out: Array) -> None:
        """Leave all as it is."""

    def finish(self, truth: Truth, out: Array) -> None:
        """Let colours be whole levels from 0 to 255, and what is lost black."""
        np.nan_to_num(out, copy=False)
        first = 0
        for image in self.images:
            last = first + _CHANNELS[image] * self.width * self.height
            if image == "rgb":
                out[:, first:last] = np.rint(np.clip(out[:, first:last], 0.0, _WHITE))
            first = last

    def pictures(self, reading: Array) -> dict[str, Array]:
        """Return the pictures of a reading by name: (rows, columns), colours with three channels."""
        found: dict[str, Array] = {}
        first = 0
        for image in self.images:
            last = first + _CHANNELS[image] * self.width * self.height
            shape = (self.height, self.width, 3) if image == "rgb" else (self.height, self.width)
            found[image] = reading[first:last].reshape(shape)
            first = last
        return found

    def points(self, reading: Array) -> Array:
        """Return the cloud of points that the depths of a reading are, seen from the camera, (points, 3) (m)."""
        depth = self.pictures(reading)["depth"].reshape(-1)
        rays = _rays(self.width, self.height, self.field_rad, self.max_m, Mount()).directions
        seen = depth > 0.0
        return np.asarray(rays[seen] * (depth[seen] / rays[seen, 0])[:, None])

    def ranges(self, reading: Array) -> Array:
        """Return the distances that a reading tells: none; in drawings the whole field is one beam."""
        return np.full(1, np.nan)


def _focal(width: int, field_rad: float) -> float:
    """Return how far the picture is behind the pin-hole (pixels)."""
    return width / 2 / elementary.tan(field_rad / 2)


@lru_cache(maxsize=16)
def _columns(images: tuple[str, ...], pixels: int) -> tuple[str, ...]:
    return tuple(f"{image}[{i}]" for image in images for i in range(_CHANNELS[image] * pixels))


@lru_cache(maxsize=16)
def _rays(width: int, height: int, field_rad: float, limit_m: float, mount: Mount) -> RayTable:
    """Return rays through the middles of pixels, in the robot's frame."""
    focal = _focal(width, field_rad)
    columns, rows = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    ways = np.stack([np.full(columns.shape, focal), -columns, -rows], axis=-1).reshape(-1, 3)
    ways /= arrays.lengths(ways)[:, None]
    origins = np.tile([mount.x_m, mount.y_m, mount.z_m], (len(ways), 1))
    turned = arrays.product(ways, rotation(mount).T)
    return RayTable(origins, turned, limit_m, layer_mask(("camera",)), pixel_rad=1.0 / focal)
