"""Light at a point from lamps and from the sun, with shadows of what is between.

The unit is the light of a lamp of brightness 1 at a distance of 1 m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.base import Seen
from understudy.world.materials import layer_mask
from understudy.world.scene import Light
from understudy.world.shapes import Pose

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

NOBODY = -1
EYES = layer_mask(("camera",))  # what cameras see casts shadows
_SUN_M = 1e4  # distance at which the sky begins
_NEAR_M = 1e-3  # minimum distance of a lamp
_FAINT = 1e-6  # less light than this counts as none
_PAIRS = 1_000_000  # of points and sources that are processed at once


class Sources(NamedTuple):
    """All light sources, one row each."""

    place: Array  # x, y, z; for the sun: the direction to it, a unit vector
    axis: Array  # the centre of its beam
    edge: Array  # cosine of half the width of the beam
    brightness: Array
    sun: npt.NDArray[np.bool_]
    row: Rows  # the robot that carries it, or NOBODY


def sources_of(lights: Sequence[Light]) -> Sources:
    """Return the lights of a scene."""
    places = np.array([(light.pose.x_m, light.pose.y_m, light.pose.z_m) for light in lights]).reshape(-1, 3)
    sun = np.array([light.style == "sun" for light in lights], np.bool_)
    away = np.sqrt((places * places).sum(axis=1))
    places[sun] = np.where(away[sun, None] > 0.0, places[sun] / np.maximum(away[sun, None], 1e-300), (0.0, 0.0, 1.0))
    brightness = np.array([light.brightness for light in lights], np.float64)
    axes = np.array([_ahead(light.pose) for light in lights]).reshape(-1, 3)
    edges = np.array([edge_of(light.beam_rad) for light in lights], np.float64)
    return Sources(places, axes, edges, brightness, sun, np.full(len(lights), NOBODY))


def _ahead(pose: Pose) -> tuple[float, float, float]:
    """Return the x axis of a pose."""
    level = elementary.cos(pose.pitch_rad)
    return (
        elementary.cos(pose.heading_rad) * level,
        elementary.sin(pose.heading_rad) * level,
        -elementary.sin(pose.pitch_rad),
    )


def edge_of(beam_rad: float) -> float:
    """Return the cosine of half the width of a beam; a lamp that shines in all directions has no edge."""
    return elementary.cos(beam_rad / 2) if beam_rad < math.tau else -math.inf


def bulbs_of(lights: Sequence[Light]) -> tuple[tuple[Array, float], ...]:
    """Return the positions and temperatures of lamps that look warm (degrees Celsius)."""
    return tuple(
        (np.array([light.pose.x_m, light.pose.y_m, light.pose.z_m]), light.temperature_c)
        for light in lights
        if light.style == "lamp" and light.temperature_c is not None
    )


def light_on(
    engine: Seen, sources: Sources, points: Array, normals: Array, passed: Rows,
    exponent: float = 1.0, shield_m: float = 0.0,
) -> Array:  # fmt: skip
    """Return the light at each point, weighted by the cosine to its normal to the power *exponent*.

    *passed* are the robots whose bodies cast no shadow on their point, NOBODY for none; no robot hides its own lamps.
    Lamps of the same robot that are nearer than *shield_m* do not count.
    """
    total, share = np.zeros(len(points)), max(1, _PAIRS // max(len(sources.sun), 1))
    for first in range(0, len(points) if len(sources.sun) else 0, share):
        some = slice(first, first + share)
        total[some] = _light_on_some(engine, sources, points[some], normals[some], passed[some], exponent, shield_m)
    return total


def _light_on_some(
    engine: Seen, sources: Sources, points: Array, normals: Array, passed: Rows, exponent: float, shield_m: float
) -> Array:
    to = np.where(sources.sun[:, None], _SUN_M * sources.place, sources.place - points[:, None])
    far = np.maximum(np.sqrt(dot(to, to)), _NEAR_M)
    toward = to / far[..., None]
    light = sources.brightness * arrays.power(np.maximum(dot(toward, normals[:, None]), 0.0), exponent)
    light = np.where(sources.sun, light, light / (far * far))
    dark = (-dot(toward, sources.axis) < sources.edge) | ((far < shield_m) & (sources.row == passed[:, None]))
    point, source = np.nonzero((light > _FAINT) & ~dark)
    through = np.column_stack([passed[point], sources.row[source]])
    seen = engine.clear(points[point], points[point] + to[point, source], through, EYES)
    # adds pair by pair: the result for a point must not depend on the number of points
    return np.asarray(np.bincount(point, np.where(seen, light[point, source], 0.0), len(points)), np.float64)


def dot(a: Array, b: Array) -> Array:
    """Return the inner products of vectors in the last axis, term by term."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])
