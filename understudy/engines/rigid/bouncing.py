"""Bouncing balls: an impact returns exactly the share of the speed that the ball's `bounce` gives.

MuJoCo's contacts are springs that a sub-step samples a few times, so the rebound depends on where in a sub-step an
impact falls: a spring of 0.3 gave 0.41, and one of 1.0 more than it got. Here the springs only carry. Between the two
halves of MuJoCo's step, where contacts are known and forces are not, the normal row of an impact gets the speed with
which the ball must leave, without softness; MuJoCo's solver finds the forces, so the other body and friction get their
share. The impact happened somewhere within the previous sub-step: the ball is put where it would be had it turned back
at that moment. A ball in flight follows its parabola, from which MuJoCo's integrator deviates by g h^2 / 2 per
sub-step. So the energy of a ball is the same before and after an impact, except for what `bounce` takes away.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from understudy.engines.rigid.bodies import MujocoModel
from understudy.engines.rigid.rows import Array, Ints
from understudy.world.scene import Scene

_HARD = 1e-4  # the softness of an impact, relative to that of a resting contact
_OPPOSED = 0.1  # minus the cosine between two contacts that squeeze a ball
_SLOW = 2.0  # an approach slower than what gravity adds in this many sub-steps is resting contact, not an impact


class Leaving(NamedTuple):
    """Motion after an impact: speed and distance one sub-step later (m/s, m)."""

    speed: float
    away: float


def leaving(speed: float, depth: float, pull: float, bounce: float, step: float) -> Leaving:
    """Return the motion one sub-step after an impact with a *speed* and a penetration *depth*.

    *pull* is the gravity component along the approach (m/s2).
    """
    hit = math.sqrt(max(speed * speed - 2.0 * pull * depth, 0.0))  # its speed at the surface
    since = 2.0 * depth / (speed + hit) + step
    off = bounce * hit
    return Leaving(max(off - pull * since, 0.0), max(off * since - 0.5 * pull * since * since, 0.0))


class Bouncing:
    """Advances MuJoCo by a sub-step for scenes that have balls."""

    def __init__(self, mj: Any, model: MujocoModel, data: Any, scene: Scene) -> None:
        self._mj, self._model, self._data = mj, model.mj, data
        self._step, self._gravity = float(model.mj.opt.timestep), scene.gravity_m_s2
        self._slow = -max(_SLOW * self._gravity * self._step, 1e-6)
        first, count = len(model.bodies) - len(scene.balls), len(scene.balls)
        self._ball: Ints = np.where(model.owner >= first, model.owner - first, count)  # by shape; count: not a ball
        self._bounces = np.array([*(ball.bounce for ball in scene.balls), 1.0])
        self._masses = np.array([*(ball.mass_kg for ball in scene.balls), math.inf])
        self._at = model.bodies["at"][first:, None] + np.arange(3)
        self._shift = np.zeros((count + 1, 3))
        self._behind = np.array([0.0, 0.0, 0.5 * self._gravity * self._step**2])  # error in flight after a sub-step

    def step(self) -> None:
        """Advance one sub-step."""
        mj, model, data = self._mj, self._model, self._data
        mj.mj_step1(model, data)
        if hits := self._hits():
            self._step_with(hits)
        else:
            mj.mj_step2(model, data)
        data.qpos[self._at] += self._shift[:-1]

    def _step_with(self, hits: list[int]) -> None:
        """Do the second half of a sub-step with impacts."""
        mj, model, data = self._mj, self._model, self._data
        used = model.opt.integrator
        if used == mj.mjtIntegrator.mjINT_DISCRETE:  # it evaluates contacts later: impacts use another integrator
            model.opt.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
            mj.mj_step1(model, data)
        for hit in hits:
            self._turn_back(hit)
        mj.mj_step2(model, data)
        model.opt.integrator = used

    def _hits(self) -> list[int]:
        """Return the contacts that are impacts, and record the parabola error of balls in flight."""
        shift, data, none = self._shift, self._data, len(self._shift) - 1
        shift[:] = self._behind
        if not data.ncon:
            return []
        contact = data.contact
        rows, pairs = contact.efc_address, self._ball[contact.geom]
        touching = np.flatnonzero((rows >= 0) & ((pairs[:, 0] < none) | (pairs[:, 1] < none)))
        shift[pairs[touching]] = 0.0
        fast = touching[data.efc_vel[rows[touching]] < self._slow].tolist()
        return [k for k in fast if not self._is_squeezed(k, pairs, touching)]

    def _is_squeezed(self, hit: int, pairs: Ints, touching: Ints) -> bool:
        """Return whether a ball of a contact is also held from the opposite side: then it is only carried."""
        normals, both = self._data.contact.frame[touching, :3], pairs[touching]
        here = self._data.contact.frame[hit, :3]
        for ball in pairs[hit][pairs[hit] < len(self._shift) - 1]:
            away = normals * np.where(both[:, 1] == ball, 1.0, -1.0)[:, None]
            mine = here if pairs[hit, 1] == ball else -here
            if (away[(both == ball).any(axis=1)] @ mine < -_OPPOSED).any():
                return True
        return False

    def _turn_back(self, hit: int) -> None:
        """Let the two bodies of a contact separate."""
        data, contact = self._data, self._data.contact
        row, normal = int(contact.efc_address[hit]), contact.frame[hit, :3]  # it points to the second thing
        pair, speed = self._ball[contact.geom[hit]], -float(data.efc_vel[row])
        first, second = self._masses[pair]
        alone = math.isinf(first) or math.isinf(second)  # otherwise both fall alike
        up = float(normal[2]) * (1.0 if math.isinf(first) else -1.0)
        depth = max(float(data.efc_margin[row] - data.efc_pos[row]), 0.0)
        bounce = float(self._bounces[pair].min())
        left = leaving(speed, depth, self._gravity * up if alone else 0.0, bounce, self._step)
        rows = slice(row, row + int(contact.dim[hit]))
        data.efc_aref[rows] = -data.efc_vel[rows] / self._step
        data.efc_aref[row] += left.speed / self._step
        self._harden(rows)
        apart = left.away + depth - self._step * left.speed
        share = 1.0 if math.isinf(first) else 0.0 if math.isinf(second) else first / (first + second)
        self._move(pair[1], normal, apart * share)
        self._move(pair[0], -normal, apart * (1.0 - share))

    def _harden(self, rows: slice) -> None:
        """Make contact rows hard; MuJoCo keeps a copy of them by island."""
        data = self._data
        data.efc_R[rows] *= _HARD
        data.efc_D[rows] /= _HARD
        if data.nisland:
            mine = data.map_efc2iefc[rows]
            data.iefc_R[mine] *= _HARD
            data.iefc_D[mine] /= _HARD

    def _move(self, ball: int, way: Array, far: float) -> None:
        """Record that a ball must move at least this far along a unit vector; several contacts may do so."""
        self._shift[ball] += max(far - float(self._shift[ball] @ way), 0.0) * way
