"""The board as its firmware sees it: what a user's ``setup``, ``received`` and ``loop`` get."""

from __future__ import annotations

import math
from typing import Any

from understudy.errors import nearest
from understudy.robots.base import Wiring
from understudy.units import US_PER_S
from understudy.world.motion import Motion

MOST_SENT = 65_536  # bytes in one tick


class Board:
    """Reads the robot's devices, drives it and sends bytes. All of it takes effect when the firmware has returned."""

    def __init__(self, wiring: Wiring) -> None:
        self.memory: dict[str, Any] = {}  # plain values, saved with the run
        self.connected = False  # whether a client is at a port of the board
        self._now_us = 0
        self._motion: Motion | None = None
        self._sent = bytearray()
        self.connect(wiring)

    @property
    def time_s(self) -> float:
        """Return the simulated time (s)."""
        return self._now_us / US_PER_S

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the names of the robot's devices."""
        return tuple(self._wiring.devices)

    def read(self, device: str) -> list[float]:
        """Return the newest reading of a device of the robot as a list of numbers."""
        if device not in self._wiring.devices:
            raise LookupError(f"{self._wiring.robot} has no device {device!r} {nearest(device, self.devices)}")
        reading: list[float] = self._wiring.devices[device].read().tolist()
        return reading

    def drive(self, m_s: float, rad_s: float = 0.0, lateral_m_s: float = 0.0) -> None:
        """Move like this until the next command (m/s, rad/s, m/s to the left)."""
        motion = Motion(float(m_s), float(lateral_m_s), float(rad_s))
        if not math.isfinite(sum(motion)):
            raise ValueError(f"invalid motion (NaN or infinity): {m_s} m/s, {rad_s} rad/s, {lateral_m_s} m/s")
        if self.driver:
            raise RuntimeError(f"the unit {self.driver!r} drives {self._wiring.robot}; this board can only read")
        self._motion = motion

    def wheels(self, left_m_s: float, right_m_s: float) -> None:
        """Turn the wheels at these speeds until the next command (m/s at the rim)."""
        track_m = self._wiring.model.drive.track_m
        self.drive((left_m_s + right_m_s) / 2.0, (right_m_s - left_m_s) / track_m)

    def stop(self) -> None:
        """Stop the robot."""
        self.drive(0.0)

    def send(self, data: bytes) -> None:
        """Send bytes to the client."""
        if len(self._sent) + len(data) > MOST_SENT:
            raise ValueError(f"more than {MOST_SENT:,} bytes sent in one tick")
        self._sent += data

    # ---- for the unit

    def connect(self, wiring: Wiring) -> None:
        """Replace the devices and wheels."""
        self._wiring = wiring
        self.driver = next((spec.name for spec in wiring.model.units if spec.moves_robot), "")

    def begin(self, now_us: int, connected: bool) -> None:
        """Begin a turn of the firmware."""
        self._now_us, self.connected = now_us, connected
        self._motion, self._sent = None, bytearray()

    def results(self) -> tuple[Motion | None, bytes]:
        """Return the motion that was commanded in this turn, if one was, and the bytes to send."""
        return self._motion, bytes(self._sent)
