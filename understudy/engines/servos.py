"""Servos: they move joints to a position or at a speed, within their speed and joint limits."""

from __future__ import annotations

import numpy as np

from understudy.engines.base import Array
from understudy.engines.joints import Chain


class ServoTargets:
    """The last commands of all servos; a servo without a command holds its start position."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._low, self._high = chain.limits.T
        self._fastest = np.array([joint.motion.fastest for joint in chain.joints], np.float64)
        self.driven = np.array([joint.driven and not joint.follows for joint in chain.joints], np.bool_)
        self._target = chain.starts
        self._turning = np.zeros(len(chain), np.bool_)  # commanded a speed instead of a position

    def aim(self, row: int, position: float) -> None:
        """Go to a position, clipped to the joint limits; a geared joint passes the command to its leader."""
        row, position = self._leading(row, position)
        self._target[row], self._turning[row] = min(max(position, self._low[row]), self._high[row]), False

    def turn(self, row: int, speed: float) -> None:
        """Move at a speed."""
        row, speed = self._leading(row, speed)
        self._target[row], self._turning[row] = speed, True

    def _leading(self, row: int, value: float) -> tuple[int, float]:
        leader = int(self._chain.leader[row])
        return (row, value) if leader < 0 else (leader, value / float(self._chain.ratio[row]))

    def speeds(self, position: Array, gain: float) -> Array:
        """Return the speed of each servo now: remaining distance times *gain* (1/s), within its limits."""
        left = self._target - position
        wanted = np.where(self._turning, self._target, gain * left)
        wanted = np.clip(wanted, -self._fastest, self._fastest)
        return np.asarray(np.clip(wanted, gain * (self._low - position), gain * (self._high - position)))

    def keep(self, before: ServoTargets) -> None:
        """Take over the commands of the same joints from before a structural change."""
        known = {path: row for row, path in enumerate(before._chain.paths)}
        for row, path in enumerate(self._chain.paths):
            if path in known:
                self._target[row], self._turning[row] = before._target[known[path]], before._turning[known[path]]

    def state(self) -> Array:
        """Return the commands, (2, joints)."""
        return np.stack([self._target, self._turning])

    def restore(self, state: Array) -> None:
        """Continue from a saved state."""
        self._target[:], self._turning[:] = state
