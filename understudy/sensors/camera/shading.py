"""Pixel values of a camera: the colour of the surface hit, in the light that falls on it, or its temperature."""

from __future__ import annotations

import numpy as np

from understudy.engines.rays.spatial.hits import HitDetails
from understudy.sensors.base import Array, Rows, Truth
from understudy.sensors.light import all_sources
from understudy.sensors.lighting import NOBODY, Sources, dot, light_on
from understudy.world import labels

_WHITE = 255.0
HORIZON, ZENITH = np.array([222.0, 232.0, 242.0]), np.array([106.0, 154.0, 216.0])
BRIGHT = np.array([0.3, 0.2, 0.933])  # direction of the brightest sky, if the scene has no lights
SHADE = 0.6  # share of full light on surfaces that face away from there
_OFF_M = 1e-6  # a shadow ray starts this far from the surface
_BULB_M = 0.05  # radius of a lamp in a thermal image
_SKY_C = -20.0  # apparent temperature of a clear sky, relative to the air


def colours(truth: Truth, seen: HitDetails, robot: int, full: float, shadows: bool) -> Array:
    """Return red, green and blue of each pixel, 0 to 255."""
    base = truth.around.palette.colours[seen.label].astype(np.float64)
    own = seen.colour[:, 0] >= 0
    base[own] = seen.colour[own]
    ground = seen.label == labels.GROUND
    base[ground & ~own] = truth.around.floor.colours(seen.point[ground & ~own])
    sky = seen.label == labels.NOTHING
    light = np.ones(len(base))
    light[~sky] = _light(truth, seen.point[~sky], seen.normal[~sky], shadows) / full
    base *= light[:, None]
    base[sky] = _sky(seen.way[sky, 2])
    return base


def _sky(up: Array) -> Array:
    """Return the colour of the sky as a function of elevation."""
    share = np.clip(up, 0.0, 1.0)[:, None]
    return np.asarray(HORIZON * (1.0 - share) + ZENITH * share)


def _light(truth: Truth, points: Array, normals: Array, shadows: bool) -> Array:
    """Return the light at points; in a scene without lights, that of a bright sky."""
    sources = all_sources(truth)
    if not len(sources.sun):
        return np.asarray(SHADE + (1.0 - SHADE) * np.maximum(dot(normals, np.broadcast_to(BRIGHT, normals.shape)), 0.0))
    places = points + _OFF_M * normals
    if shadows:
        nobody: Rows = np.full(len(points), NOBODY)
        return truth.around.ambient + light_on(truth.engine, sources, places, normals, nobody)
    return truth.around.ambient + _straight(sources, places, normals)


def _straight(sources: Sources, points: Array, normals: Array) -> Array:
    """Return the light at points without shadows, light by light."""
    total = np.zeros(len(points))
    for place, axis, edge, brightness, sun in zip(*sources[:5]):
        to = np.broadcast_to(place, points.shape) if sun else place - points
        square = np.maximum(dot(to, to), 1e-6)
        far = np.sqrt(square)
        lit = brightness * np.maximum(dot(to, normals) / far, 0.0) / (1.0 if sun else square)
        total += np.where(-dot(to, np.broadcast_to(axis, to.shape)) / far < edge, 0.0, lit)
    return total


def warmth(truth: Truth, seen: HitDetails, distances: Array, limit_m: float) -> Array:
    """Return the temperature of each pixel (degrees Celsius)."""
    air = truth.around.air_c(truth.t_us)
    found = truth.around.palette.warmth[seen.label]
    found = np.where(np.isnan(found), air, found)
    found[seen.label == labels.NOTHING] = air + _SKY_C
    eye = seen.point - distances[:, None] * seen.way
    for place, temperature_c in truth.around.bulbs:
        to = place - eye
        along = dot(to, seen.way)
        aside = dot(to, to) - along * along
        found[(along > 0.0) & (aside < _BULB_M * _BULB_M) & (along < distances + _BULB_M)] = temperature_c
    return found
