"""The ground seen from above: its picture stretched over its size, or one colour, and its edge."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.assets.pictures import texture
from understudy.errors import FormatError
from understudy.frozen import frozen
from understudy.jit import inner, kernel
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Scene, Solid, Wall

Array = npt.NDArray[np.float64]

_FEWEST, _MOST = 24, 64  # points across a spot; even, so that an edge through its middle halves it


class Palette(NamedTuple):
    """By the numbers of `world.labels`: red, green, blue, and temperature (degrees Celsius; NaN: that of the air)."""

    colours: texture.Pixels  # (labels, 3)
    warmth: Array  # (labels,)


@frozen(eq=False)
class GroundPicture:
    """The ground's picture from *left*, *top* over *width* and *depth* (m); north is up. Default: one pixel."""

    pixels: texture.Pixels
    left: float
    top: float
    width: float
    depth: float

    def on(self, points: Array) -> npt.NDArray[np.bool_]:
        """Return which points, whose first columns are x and y, are on the ground; its edge belongs to it."""
        x, y = points[..., 0] - self.left, self.top - points[..., 1]
        inside: npt.NDArray[np.bool_] = (x >= 0.0) & (x <= self.width) & (y >= 0.0) & (y <= self.depth)
        return inside

    def colours(self, points: Array) -> Array:
        """Return red, green, blue (0 to 255) of the pixels at points; outside the picture, those of its edge."""
        rows, columns = self.pixels.shape[:2]
        x, y = (points[..., 0] - self.left) / self.width, (self.top - points[..., 1]) / self.depth
        column = np.clip(np.floor(x * columns), 0, columns - 1).astype(np.int64)
        row = np.clip(np.floor(y * rows), 0, rows - 1).astype(np.int64)
        return np.asarray(self.pixels[row, column], np.float64)

    def under(self, points: Array, spots: Array) -> Array:
        """Return mean red, green, blue (0 to 255) of round spots at points, and the share of each on the ground.

        Anything beyond the edge counts as black. *points* has x and y in its last axis, *spots* the diameters (m).
        """
        at = np.ascontiguousarray(points[..., :2], np.float64).reshape(-1, 2)
        out = np.empty((len(at), 4))
        wide = np.ascontiguousarray(np.broadcast_to(spots, points.shape[:-1]), np.float64).reshape(-1)
        _average(at, wide, self.pixels, self.left, self.top, self.width, self.depth, out)
        return out.reshape(*points.shape[:-1], 4)


def palette_of(scene: Scene) -> Palette:
    """Return colours and temperatures of everything that has a label."""
    things: tuple[Wall | Solid | PlacedRobot | Ball, ...] = (*scene.walls, *scene.objects, *scene.robots, *scene.balls)
    surfaces = [thing.built.surface if isinstance(thing, PlacedRobot) else thing.surface for thing in things]
    colours = [(0, 0, 0), texture.rgb(scene.ground.colour), *(texture.rgb(thing.colour) for thing in things)]
    warmth = [surface.temperature_c for surface in surfaces]
    return Palette(
        np.array(colours, np.uint8),
        np.array([np.nan, np.nan, *(np.nan if degrees is None else degrees for degrees in warmth)]),
    )


def grey(colours: Array) -> Array:
    """Return the perceived brightness of red, green, blue, in their unit (ITU-R BT.601)."""
    return np.asarray((299.0 * colours[..., 0] + 587.0 * colours[..., 1] + 114.0 * colours[..., 2]) / 1000.0)


def floor_of(ground: Ground, files: Contents) -> GroundPicture:
    """Return the floor of a scene, its picture decoded; raises FormatError that names the file."""
    (x, y), (width, depth) = ground.center_m, ground.size_m
    return GroundPicture(_pixels(ground, files), x - width / 2, y + depth / 2, width, depth)


def _pixels(ground: Ground, files: Contents) -> texture.Pixels:
    if not ground.picture:
        pixels = np.array([[texture.rgb(ground.colour)]], np.uint8)
        pixels.flags.writeable = False
        return pixels
    if ground.picture not in files:
        raise FormatError(f"{ground.picture}: no such file (the picture of the ground)")
    return texture.parse(files[ground.picture], ground.picture, ground.colour).pixels


@kernel()
def _average(points, spots, pixels, left, top, width, depth, out):
    """Write mean red, green, blue and the share on the ground from a grid of points over each spot."""
    rows, columns = pixels.shape[0], pixels.shape[1]
    across, down = columns / width, rows / depth
    for n in range(points.shape[0]):
        x, y = (points[n, 0] - left) * across, (top - points[n, 1]) * down
        sides = 1 if _in_one_pixel(x, y, spots[n] * across, spots[n] * down) else _sides(spots[n] * max(across, down))
        wide, tall, count = spots[n] * across / sides, spots[n] * down / sides, 0
        red, green, blue, on = 0, 0, 0, 0
        for j in range(sides):
            v = j + 0.5 - 0.5 * sides
            for i in range(sides):
                u = i + 0.5 - 0.5 * sides
                if u * u + v * v > 0.25 * sides * sides:
                    continue
                count += 1
                px, py = x + u * wide, y + v * tall
                if 0.0 <= px <= columns and 0.0 <= py <= rows:
                    row, column = min(int(py), rows - 1), min(int(px), columns - 1)
                    red += int(pixels[row, column, 0])
                    green += int(pixels[row, column, 1])
                    blue += int(pixels[row, column, 2])
                    on += 1
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = red / count, green / count, blue / count, on / count


@inner()
def _in_one_pixel(x, y, wide, tall):
    """Return whether a spot lies within one pixel: then its centre is enough."""
    column, row = math.floor(x - 0.5 * wide), math.floor(y - 0.5 * tall)
    return x + 0.5 * wide < column + 1.0 and y + 0.5 * tall < row + 1.0


@inner()
def _sides(pixels):
    """Return the number of points across a spot of this width in pixels; one if it has no width."""
    if not pixels > 0.0:
        return 1
    return min(max(2 * int(0.5 * min(pixels, 1e6)) + 2, _FEWEST), _MOST)
