"""Specular reflection of sound: no echo from surfaces at an angle, echoes over two surfaces, cross-talk.

A surface reflects sound in the mirror direction, spread by twice the angle *specular* to all sides. So a transducer
hears its own echo from surfaces with an angle of incidence up to *specular*; otherwise another one may hear it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.base import Seen
from understudy.engines.rays.table import RayTable, no_hits
from understudy.frozen import frozen
from understudy.sensors.base import Array, Glance, Rows
from understudy.sensors.lobes import Lobe
from understudy.sensors.places import in_world, on_robot, turned
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

Bools = npt.NDArray[np.bool_]
Line = Callable[[Rows, Rows, Rows], tuple[Array, Array, Rows]]

_OFF_M = 1e-6  # how far from a surface a reflected ray starts
_TRIES = 8  # how many hidden sounds are skipped before nothing is heard
_MOST_RAYS, _STEP_RAD = 1000, math.radians(1.0)


@frozen
class Reflection:
    """How smooth surfaces reflect sound."""

    specular_rad: float = rule(
        math.radians(25.0), least=0.0, most=math.pi / 2, doc="surfaces at a larger angle of incidence give no echo"
    )
    bounces: int = rule(0, least=0, most=1, doc="1: sound reflected aside may return from a second surface")
    crosstalk: bool = rule(False, doc="true: transducers hear each other, and those of other robots that face them")


class Flight(NamedTuple):
    """The sound of all transducers, ray by ray: (robots, rays) or (robots, rays, 3)."""

    starts: Array
    ways: Array
    away: Array  # distance of the hit; inf: none within the ray's own length (m)
    normals: Array
    cosine: Array  # of the angle of incidence
    mirrored: Array  # the reflected direction


class Ears(NamedTuple):
    """Positions of transducers and what they hear."""

    places: Array  # (robots, transducers, 3)
    axes: Array  # (robots, transducers, lobes, 3)
    least: Array  # by lobe: cosine of half its width
    lengths: Array  # by lobe (m)


def filled(lobes: Sequence[Lobe]) -> tuple[Lobe, ...]:
    """Return lobes with rays in them: a cone gives no angle of incidence."""
    return tuple(
        lobe if lobe.rays else Lobe(lobe.width_rad, lobe.max_m, lobe.yaw_rad, lobe.pitch_rad, _rays_in(lobe))
        for lobe in lobes
    )


def _rays_in(lobe: Lobe) -> int:
    return min(math.ceil(lobe.width_rad / _STEP_RAD) + 1, _MOST_RAYS)


def listen(glance: Glance, ring: Sequence[Mount], lobes: Sequence[Lobe], how: Reflection) -> Array:
    """Return the distance that each transducer of each robot derives from the first sound it hears (m)."""
    poses = glance.truth.poses[glance.rows]
    flight = _flight(glance, poses)
    heard = np.where(flight.cosine >= elementary.cos(how.specular_rad), flight.away, math.inf)
    if how.bounces:
        heard = np.minimum(heard, _bounced(glance, flight, how))
    heard = heard.reshape(len(poses), len(ring), -1).min(axis=2)
    if how.crosstalk:
        ears = _ears(poses, glance.mount, ring, lobes)
        heard = _from_ring(glance, flight, ears, how, heard)
        heard = _from_others(glance, ears, heard)
    return np.minimum(heard, glance.table.limit_m)


def _lengths(table: RayTable) -> Array:
    return np.full(len(table.origins), table.limit_m) if table.lengths is None else table.lengths


def _flight(glance: Glance, poses: Array) -> Flight:
    table = glance.table
    starts, ways = in_world(poses, table.origins), turned(poses, table.directions)
    owners = np.repeat(glance.rows, len(table.origins))
    away, normals, cosine = _cast(glance.truth.engine, starts.reshape(-1, 3), ways.reshape(-1, 3), table, owners)
    away, cosine = (each.reshape(starts.shape[:2]) for each in (away, cosine))
    normals = normals.reshape(starts.shape)
    away = np.where(away < _lengths(table), away, math.inf)
    return Flight(starts, ways, away, normals, cosine, ways + 2.0 * cosine[..., None] * normals)


def _cast(engine: Seen, starts: Array, ways: Array, table: RayTable, owners: Rows) -> tuple[Array, Array, Array]:
    """Return distance (inf: nothing), normal and cosine of what world rays hit."""
    away, hits = np.empty(len(starts)), no_hits(len(starts))
    normals = engine.cast_world(starts, ways, table.limit_m, table.layer, owners, away, hits)
    return np.where(away < table.limit_m, away, math.inf), normals, hits.cosine


def _bounced(glance: Glance, flight: Flight, how: Reflection) -> Array:
    """Return the distance of echoes from a second surface, back along the same path; inf: none (m)."""
    aside = np.isfinite(flight.away) & (flight.cosine < elementary.cos(how.specular_rad))
    heard = np.full(aside.shape, math.inf)
    robot, ray = np.nonzero(aside)
    points = flight.starts[aside] + flight.away[aside][:, None] * flight.ways[aside] + _OFF_M * flight.normals[aside]
    away, _, cosine = _cast(glance.truth.engine, points, flight.mirrored[aside], glance.table, glance.rows[robot])
    total = flight.away[aside] + away
    there = (cosine >= elementary.cos(how.specular_rad)) & (total < _lengths(glance.table)[ray])
    heard[aside] = np.where(there, total, math.inf)
    return heard


# ---- cross-talk


def _ears(poses: Array, mount: Mount, ring: Sequence[Mount], lobes: Sequence[Lobe]) -> Ears:
    turns = [arrays.product(rotation(mount), rotation(disc)) for disc in ring]
    ways = [rotation(Mount(yaw_rad=lobe.yaw_rad, pitch_rad=lobe.pitch_rad))[:, 0] for lobe in lobes]
    axes = np.array([arrays.product(turn, way) for turn in turns for way in ways])
    shape = (len(poses), len(ring), len(lobes), 3)
    least = np.array([elementary.cos(lobe.width_rad / 2) - 1e-9 for lobe in lobes])
    lengths = np.array([lobe.max_m for lobe in lobes])
    return Ears(in_world(poses, on_robot(mount, ring)), turned(poses, axes).reshape(shape), least, lengths)


def _in_beam(ears: Ears, axes: Array, ways: Array, away: Array) -> Bools:
    """Return whether a target at a distance and direction is in any lobe; lobes are the last axis but one of *axes*."""
    inside = (axes * ways[..., None, :]).sum(axis=-1) >= ears.least
    return np.asarray((inside & (away[..., None] < ears.lengths)).any(axis=-1))


def _from_ring(glance: Glance, flight: Flight, ears: Ears, how: Reflection, heard: Array) -> Array:
    """Return what is heard if the echoes of other transducers of the same ring count too (m)."""
    robots, transducers = heard.shape
    points = flight.starts + np.where(np.isfinite(flight.away), flight.away, 0.0)[..., None] * flight.ways
    back = ears.places[:, :, None] - points[:, None]  # (robots, transducers, rays, 3)
    away = arrays.lengths(back)
    ways = back / np.maximum(away, 1e-9)[..., None]
    mirrored = (ways * flight.mirrored[:, None]).sum(axis=-1) >= elementary.cos(
        min(2.0 * how.specular_rad, math.pi)
    ) - 1e-9
    within = _in_beam(ears, ears.axes[:, :, None], -ways, away)
    own = np.repeat(np.arange(transducers), flight.away.shape[1] // transducers) == np.arange(transducers)[:, None]
    total = (flight.away[:, None] + away) / 2.0
    total = np.where(mirrored & within & ~own, total, math.inf)
    passed = np.column_stack([glance.rows, np.full(robots, -1)])
    return _unhidden(glance, total, heard, lambda r, t, c: (ears.places[r, t], points[r, c], passed[r]))


def _from_others(glance: Glance, ears: Ears, heard: Array) -> Array:
    """Return what is heard if direct sound of other robots' transducers that face this one counts too (m)."""
    robots, transducers = heard.shape
    total = np.full((robots, transducers, _TRIES), math.inf)
    who, which = np.zeros(total.shape, np.int64), np.zeros(total.shape, np.int64)
    reach = 2.0 * float(ears.lengths.max()) + 2.0 * float(np.ptp(ears.places, axis=1).max())
    for robot in range(robots):
        near = arrays.lengths(ears.places[:, 0] - ears.places[robot, 0]) < reach
        near[robot] = False
        others = np.flatnonzero(near)
        if len(others):
            away = _facing(ears, robot, others)
            order = away.argsort(axis=1, kind="stable")[:, :_TRIES]
            count = order.shape[1]
            total[robot, :, :count] = np.take_along_axis(away, order, 1) / 2.0
            who[robot, :, :count], which[robot, :, :count] = others[order // transducers], order % transducers

    def line(r: Rows, t: Rows, c: Rows) -> tuple[Array, Array, Rows]:
        other = who[r, t, c]
        passed = np.column_stack([glance.rows[r], glance.rows[other]])
        return ears.places[r, t], ears.places[other, which[r, t, c]], passed

    return _unhidden(glance, total, heard, line)


def _facing(ears: Ears, robot: int, others: Rows) -> Array:
    """Return the distances of others' transducers from each transducer of a robot; inf: beams do not face (m)."""
    back = ears.places[others].reshape(-1, 3) - ears.places[robot][:, None]  # (transducers, theirs, 3)
    away = arrays.lengths(back)
    ways = back / np.maximum(away, 1e-9)[..., None]
    mine = _in_beam(ears, ears.axes[robot][:, None], ways, away / 2.0)
    theirs = _in_beam(ears, ears.axes[others].reshape(len(others) * len(ears.axes[robot]), -1, 3), -ways, away / 2.0)
    return np.where(mine & theirs, away, math.inf)


def _unhidden(glance: Glance, total: Array, heard: Array, line: Line) -> Array:
    """Return the nearest of what was heard and of unobstructed candidates (robots, transducers, candidates).

    *line* gives, for robots, transducers and candidates, both ends of the line of sight and the robots it ignores.
    """
    heard = heard.copy()
    for _ in range(_TRIES):
        best = total.argmin(axis=2)
        robot, transducer = np.nonzero(np.take_along_axis(total, best[..., None], 2)[..., 0] < heard)
        if not len(robot):
            break
        chosen = best[robot, transducer]
        starts, ends, passed = line(robot, transducer, chosen)
        clear = glance.truth.engine.clear(starts, ends, passed, glance.table.layer)
        values = total[robot, transducer, chosen]
        heard[robot[clear], transducer[clear]] = values[clear]
        total[robot, transducer, chosen] = math.inf
    return heard
