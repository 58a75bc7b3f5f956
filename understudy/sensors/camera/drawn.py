"""Camera images drawn by MuJoCo's renderer: OpenGL's output is converted to the same numbers that rays give.

If the scene has no lights, or only suns without shadows, colours equal those of `shading`. Lamps shine as in OpenGL:
light is computed at vertices and nothing blocks it. Suns cast the shadows of MuJoCo's renderer.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.gl.renderer import MOST_LAMPS, NEAR_M, CameraView, GlLight
from understudy.engines.rays.spatial.hits import HitDetails
from understudy.jit import CAMERA, kernel
from understudy.sensors.base import Array, Glance, Truth
from understudy.sensors.camera import shading
from understudy.sensors.light import all_sources
from understudy.sensors.lighting import Sources
from understudy.world import labels
from understudy.world.rotations import rotation, shift, turns_of

Ints = npt.NDArray[np.int64]


class PictureRequest(NamedTuple):
    """What a camera needs: image size and range, the light at which white is 255, and which images."""

    width: int
    height: int
    focal: float  # in pixels
    max_m: float
    full: float
    shadows: bool
    colours: bool
    named: bool


class Taken(NamedTuple):
    """An image pixel by pixel from the top left, as rays would give it."""

    colours: Array  # (pixels, 3) if requested, else (0, 3)
    distances: Array  # along the ray of each pixel; the maximum range where there is nothing (m)
    things: HitDetails  # labels if requested, and where rays end; normals and colours are left out


def faithful(truth: Truth, shadows: bool) -> bool:
    """Return whether OpenGL's light equals that of `shading`."""
    sun = all_sources(truth).sun
    return not len(sun) or (bool(sun.all()) and not shadows and len(sun) <= MOST_LAMPS)


def taken(glance: Glance, n: int, request: PictureRequest) -> Taken:
    """Return an image for one of the robots."""
    truth, around = glance.truth, glance.truth.around
    drawing = around.easel.drawing(truth.engine, glance.table.layer, around.palette, around.floor)
    row = int(glance.rows[n])
    pose = truth.poses[row]
    turn = turns_of(pose[None])[0]
    eye = pose[:3] + arrays.product(turn, shift(glance.mount))
    ambient, lamps, gain = _lights(truth, eye, request.full)
    shadows = request.colours and request.shadows and bool(truth.around.lights.sun.any())
    look = arrays.product(turn, rotation(glance.mount))
    view = CameraView(
        request.width, request.height, request.focal, request.max_m, eye, look, row, ambient, lamps, shadows
    )
    shot = drawing.shot(view, request.colours, request.named)
    distances = np.empty(request.width * request.height)
    colours = np.empty((len(distances) if request.colours else 0, 3))
    drawn = shot.colours if shot.colours is not None else np.empty((0, 0, 3), np.uint8)
    develop(
        drawn, shot.closeness, request.focal, NEAR_M, request.max_m, look, gain, shading.HORIZON, shading.ZENITH,
        colours, distances,
    )  # fmt: skip
    return Taken(colours, distances, _things(glance, eye, turn, shot.labels, distances))


def _things(glance: Glance, eye: Array, turn: Array, names: Ints | None, distances: Array) -> HitDetails:
    """Return what each ray has hit, as far as a drawing shows it."""
    if names is None:
        nothing = np.empty((0, 3))
        return HitDetails(np.empty(0, np.int64), nothing, nothing, nothing, nothing.astype(np.int16))
    label = np.where(distances < glance.table.limit_m, names[::-1].reshape(-1), labels.NOTHING)
    way = arrays.product(glance.table.directions, turn.T)
    normal = np.zeros((0, 3))
    return HitDetails(label, eye + distances[:, None] * way, way, normal, normal.astype(np.int16))


def _lights(truth: Truth, eye: Array, full: float) -> tuple[float, tuple[GlLight, ...], float]:
    """Return the ambient light, the lamps, and the factor by which all of it exceeds OpenGL's range."""
    sources = all_sources(truth)
    if not len(sources.sun):
        shade, bright = shading.SHADE, shading.BRIGHT
        ambient, lamps = shade, [GlLight(tuple(bright.tolist()), (0.0, 0.0, 0.0), math.pi, 1.0 - shade, True)]
    else:
        ambient, lamps = truth.around.ambient, _lamps(sources, eye)
    gain = max(1.0, (ambient + sum(lamp.brightness for lamp in lamps if lamp.sun)) / full)
    scale = 1.0 / (full * gain)
    return ambient * scale, tuple(lamp._replace(brightness=lamp.brightness * scale) for lamp in lamps), gain


def _lamps(sources: Sources, eye: Array) -> list[GlLight]:
    """Return the lights that are brightest at the camera, in the order of the scene."""
    away = (np.square(sources.place - eye)).sum(axis=1)
    strength = np.where(sources.sun, sources.brightness, sources.brightness / np.maximum(away, 1e-6))
    most = np.sort(np.argsort(-strength, kind="stable")[:MOST_LAMPS])
    half = arrays.acos(np.clip(sources.edge, -1.0, 1.0))
    half[sources.edge < -1.0] = math.pi
    return [
        GlLight(
            tuple(sources.place[k].tolist()), tuple(sources.axis[k].tolist()), float(half[k]),
            float(sources.brightness[k]), bool(sources.sun[k]),
        )
        for k in most.tolist()
    ]  # fmt: skip


@kernel(effort=30, cost=("closeness", 2e-6), what=CAMERA)
def develop(drawn, closeness, focal, near, limit, look, gain, horizon, zenith, colours, distances):
    """Write distances along rays from the depth buffer (m), and colours with the sky behind them if requested."""
    height, width = closeness.shape
    step, first = 1.0 / near - 1.0 / limit, 1.0 / limit
    k = 0
    for i in range(height):
        row = 0.5 * (height - 1) - i  # upward
        for j in range(width):
            column = 0.5 * (width - 1) - j  # to the left
            long = math.sqrt(focal * focal + column * column + row * row)
            near_by = closeness[height - 1 - i, j]
            t = limit
            if near_by > 0.0:
                t = min(long / focal / (first + near_by * step), limit)
            distances[k] = t
            if colours.shape[0]:
                if t < limit:
                    for c in range(3):
                        colours[k, c] = gain * drawn[height - 1 - i, j, c]
                else:
                    up = (look[2, 0] * focal + look[2, 1] * column + look[2, 2] * row) / long
                    share = min(max(up, 0.0), 1.0)
                    for c in range(3):
                        colours[k, c] = horizon[c] * (1.0 - share) + zenith[c] * share
            k += 1
