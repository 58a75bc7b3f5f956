"""Cameras: colour, depth, labels and thermal images, one ray per pixel, on any engine and without a graphics card.

With OpenGL, MuJoCo's renderer can draw the images instead; everything else is the same.

A reading holds the chosen images one after the other, each by rows from the top and columns from the left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.rays.spatial.hits import HitDetails
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import Array, Glance, Sampled, Truth
from understudy.sensors.camera import shading
from understudy.sensors.camera.drawings import Renderer
from understudy.sensors.cards import camera
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.noise import SIGNAL, UNIFORM, draw_normal, draw_uniform
from understudy.world.materials import layer_mask
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

Image = Literal["rgb", "depth", "labels", "thermal"]
_CHANNELS = {"rgb": 3, "depth": 1, "labels": 1, "thermal": 1}
_NOISY = {"rgb": 1.0, "depth": 0.0, "labels": 0.0, "thermal": 0.05}  # noise factor; noise is in grey levels
_WHITE = 255.0


@frozen
class DepthNoise:
    """Depth errors: a deviation that grows with the square of the distance, and steps of disparity."""

    sigma_m: float = rule(0.0, least=0.0, doc="standard deviation of near depths")
    growth_1_m: float = rule(0.0, least=0.0, doc="additional deviation per square metre of distance beyond near_m")
    near_m: float = rule(0.0, least=0.0)
    step_1_m: float = rule(0.0, least=0.0, doc="step of the inverse distance (disparity); 0: no steps")

    def spoil(self, depth: Array, draws: Array) -> Array:
        """Return depths as a device reports them; 0 (no depth) stays 0."""
        sigma = self.sigma_m + self.growth_1_m * np.square(depth - self.near_m)
        wrong = np.where(depth > 0.0, np.maximum(depth + sigma * draws, 1e-3), np.inf)
        if self.step_1_m:
            wrong = 1.0 / (np.maximum(np.rint(1.0 / wrong / self.step_1_m), 1.0) * self.step_1_m)
        return np.where(depth > 0.0, wrong, 0.0)


@frozen
class Camera(Sampled):
    """A camera that looks along x of its mount."""

    kind: ClassVar[str] = "camera"
    card: ClassVar[Card] = camera.CAMERA
    closer: ClassVar[bool] = True
    sees_floor: ClassVar[bool] = True
    sees_pictures: ClassVar[bool] = True  # on things
    images: tuple[Image, ...] = rule(("rgb",), doc="what a reading holds: rgb, depth (m), labels, thermal (Celsius)")
    width: int = rule(80, least=1, most=4_000)
    height: int = rule(60, least=1, most=4_000)
    field_rad: float = rule(math.radians(60.0), above=0.0, most=math.radians(175.0), doc="from left to right")
    min_m: float = rule(0.0, least=0.0, doc="anything nearer has no depth")
    max_m: float = rule(50.0, above=0.0, doc="anything farther has no depth and is shown as sky")
    full: float = rule(1.0, above=0.0, doc="light at which white is 255: 1 is a lamp of brightness 1 at 1 m")
    shadows: bool = True
    renderer: Renderer = rule(
        "auto", doc="rays, or gl (MuJoCo's renderer); auto: gl on the rigid engine if OpenGL is available"
    )
    salt_pepper: float = rule(0.0, least=0.0, most=1.0, doc="share of pixels that are black or white instead")
    depth: DepthNoise = rule(DepthNoise(), doc="errors of the depth image")
    noise: PlainNoise = rule(PlainNoise(sigma=2.0), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per pixel and channel."""
        return _columns(self.images, self.width * self.height)

    def scales(self) -> Array:
        """Return the noise factor of each value: 1 for colours, less for temperatures."""
        pixels = self.width * self.height
        return np.concatenate([np.full(_CHANNELS[image] * pixels, _NOISY[image]) for image in self.images])

    def blank(self) -> Array:
        """Return black pictures, without depth, labels and temperatures."""
        return np.zeros(len(self.columns()))

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        if not self.images:
            yield "images", "needs at least one of: rgb, depth, labels, thermal"
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
            for image, part in zip(self.images, view(glance, n)):
                out[n, first : first + part.size] = part.reshape(-1)
                if image == "rgb" and self.salt_pepper and self.noise.preset != "perfect":
                    self._speckle(glance, n, out[n, first : first + part.size].reshape(-1, 3))
                first += part.size

    def _speckle(self, glance: Glance, n: int, pixels: Array) -> None:
        """Turn some pixels black, and as many white."""
        draws = draw_uniform(glance.keys[n : n + 1], glance.sample, UNIFORM, len(pixels))[0]
        pixels[draws < self.salt_pepper / 2] = 0.0
        pixels[draws > 1.0 - self.salt_pepper / 2] = _WHITE

    def _is_drawn(self, truth: Truth) -> bool:
        """Return whether MuJoCo's renderer draws the images; "auto": only if its light equals that of the rays."""
        if not truth.around.easel.draws(self.renderer, self.width * self.height, truth.engine):
            return False
        from understudy.sensors.camera import drawn  # needed only for drawing

        return self.renderer == "gl" or "rgb" not in self.images or drawn.faithful(truth, self.shadows)

    def _drawn(self, glance: Glance, n: int) -> Iterator[Array]:
        """Yield the chosen images as MuJoCo's renderer draws them."""
        from understudy.sensors.camera import drawn

        named = "labels" in self.images or "thermal" in self.images
        focal = _focal(self.width, self.field_rad)
        request = drawn.PictureRequest(
            self.width, self.height, focal, self.max_m, self.full, self.shadows, "rgb" in self.images, named
        )
        taken = drawn.taken(glance, n, request)
        for image in self.images:
            yield taken.colours if image == "rgb" else self._plain(image, glance, n, taken.things, taken.distances)

    def _cast(self, glance: Glance, n: int) -> Iterator[Array]:
        """Yield the chosen images by ray casting."""
        distances = np.empty((1, self.width * self.height))
        met = glance.truth.engine.cast_things(glance.table, glance.rows[n : n + 1], distances)
        seen = HitDetails(*(part[0] for part in met))
        for image in self.images:
            if image == "rgb":
                yield shading.colours(glance.truth, seen, int(glance.rows[n]), self.full, self.shadows)
            else:
                yield self._plain(image, glance, n, seen, distances[0])

    def _plain(self, image: Image, glance: Glance, n: int, seen: HitDetails, distances: Array) -> Array:
        """Return an image other than the colour image."""
        if image == "depth":
            return self._depth(glance, n, distances)
        if image == "labels":
            return seen.label.astype(np.float64)
        return shading.warmth(glance.truth, seen, distances, self.max_m)

    def _depth(self, glance: Glance, n: int, distances: Array) -> Array:
        """Return the depth of each pixel along the camera's axis; 0 for none (m)."""
        ahead = rotation(glance.mount)[:, 0]
        depth: Array = distances * arrays.product(glance.table.directions, ahead)
        depth[(distances >= self.max_m) | (depth < self.min_m) | (depth > self.max_m)] = 0.0
        if self.noise.preset == "perfect" or self.depth == DepthNoise():
            return depth
        return self.depth.spoil(depth, draw_normal(glance.keys[n : n + 1], glance.sample, SIGNAL, len(depth))[0])

    def finish(self, truth: Truth, out: Array) -> None:
        """Round colours to whole levels from 0 to 255; lost pixels are black."""
        np.nan_to_num(out, copy=False)
        first = 0
        for image in self.images:
            last = first + _CHANNELS[image] * self.width * self.height
            if image == "rgb":
                out[:, first:last] = np.rint(np.clip(out[:, first:last], 0.0, _WHITE))
            first = last

    def pictures(self, reading: Array) -> dict[str, npt.NDArray[Any]]:
        """Return the images of a reading by name: (rows, columns), colours as uint8 with three channels."""
        found: dict[str, npt.NDArray[Any]] = {}
        first = 0
        for image in self.images:
            last = first + _CHANNELS[image] * self.width * self.height
            shape = (self.height, self.width, 3) if image == "rgb" else (self.height, self.width)
            values = reading[first:last].reshape(shape)
            found[image] = _levels(values) if image == "rgb" else values
            first = last
        return found

    def points(self, reading: Array) -> Array:
        """Return the depth image of a reading as a point cloud in the camera's frame, (points, 3) (m)."""
        depth = self.pictures(reading)["depth"].reshape(-1)
        rays = _rays(self.width, self.height, self.field_rad, self.max_m, Mount()).directions
        seen = depth > 0.0
        return np.asarray(rays[seen] * (depth[seen] / rays[seen, 0])[:, None])

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading: none; drawings show the whole field as one beam."""
        return np.full(1, np.nan)


def _levels(values: Array) -> npt.NDArray[np.uint8]:
    """Return levels of colour as bytes; a fault may have left NaN or numbers beyond white."""
    return np.nan_to_num(values).clip(0.0, _WHITE).astype(np.uint8)


def _focal(width: int, field_rad: float) -> float:
    """Return the focal length (pixels)."""
    return width / 2 / elementary.tan(field_rad / 2)


@lru_cache(maxsize=16)
def _columns(images: tuple[str, ...], pixels: int) -> tuple[str, ...]:
    return tuple(f"{image}[{i}]" for image in images for i in range(_CHANNELS[image] * pixels))


@lru_cache(maxsize=16)
def _rays(width: int, height: int, field_rad: float, limit_m: float, mount: Mount) -> RayTable:
    """Return rays through the centres of pixels, in the robot's frame."""
    focal = _focal(width, field_rad)
    columns, rows = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    ways = np.stack([np.full(columns.shape, focal), -columns, -rows], axis=-1).reshape(-1, 3)
    ways /= arrays.lengths(ways)[:, None]
    origins = np.tile([mount.x_m, mount.y_m, mount.z_m], (len(ways), 1))
    turned = arrays.product(ways, rotation(mount).T)
    return RayTable(origins, turned, limit_m, layer_mask(("camera",)), pixel_rad=1.0 / focal)
