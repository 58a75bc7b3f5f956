"""The built-in behaviours of a Roomba: cleaning, docking and the demos of a Create, as small state machines.

They imitate what a user sees, not iRobot's own programs, which are not published: a robot that covers a room by
spirals and straight lines, turns away from what it bumps into, follows walls, and drives to a home base that it sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from understudy.robots.roomba.steering import WheelSpeeds, arc
from understudy.units import US_PER_S

CLEANING = ("clean", "max", "spot", "cover", "cover_and_dock")  # brushes and vacuum are on
DEMOS = ("cover", "cover_and_dock", "spot", "mouse", "figure_eight", "wimp", "home", "tag", "pachelbel", "banjo")
_GO, _SLOW, _BACK = 300, 100, -150  # mm/s
_BACK_US, _TURN_US, _MORE_US = 400_000, 500_000, 1_500_000
_SPIRAL_US, _SPIRAL_MM_PER_S, _INNER_MM = 20 * US_PER_S, 20.0, 100.0
_CIRCLE_RADIUS_MM = 250
_NEAR_M = 0.6
_AIMED_RAD = math.radians(12.0)
_LEFT, _RIGHT = 1, -1


class Around(NamedTuple):
    """What a behaviour knows of the world."""

    left_bump: bool = False
    right_bump: bool = False
    blocked: bool = False  # a cliff or a virtual wall is ahead
    wall: bool = False
    docked: bool = False
    home: tuple[float, float] | None = None  # bearing (rad) and distance (m) of a home base whose buoys are seen
    beside_home: bool = False  # its force field is seen, but no buoy: this is not the way in
    beam: float | None = None  # bearing of any beam (rad)
    low: bool = False  # the battery is nearly empty

    @property
    def obstacle(self) -> bool:
        """Return whether it has to turn away."""
        return self.left_bump or self.right_bump or self.blocked


@dataclass(slots=True)
class Pilot:
    """The present behaviour; an empty name is none."""

    name: str = ""
    phase: str = "go"
    phase_us: int = 0  # since the phase began
    until_us: int = 0  # length of the phase
    side: int = _LEFT
    draws: int = 0
    bumped: bool = False  # in the last tick

    def start(self, name: str) -> None:
        """Begin a behaviour."""
        self.name, self.bumped = name, False
        self._enter("spiral" if name in ("clean", "spot", "cover", "cover_and_dock") else "go")

    def stop(self) -> None:
        """End the behaviour."""
        self.name = ""

    def _enter(self, phase: str, length_us: int = 0) -> None:
        self.phase, self.phase_us, self.until_us = phase, 0, length_us

    def steer(self, around: Around, track_m: float, dt_us: int, draw: Callable[[int], float]) -> WheelSpeeds:
        """Return the wheel speeds for the next *dt_us*; a behaviour that is done ends. *draw* is random, 0 to 1."""
        if around.low and self.name != "dock":
            self.stop()
        elif self.phase in ("back", "turn"):
            command = self._turn_away(draw)
            self.phase_us += dt_us
            return arc(*command, track_m)
        else:
            command = _STEPS[self.name](self, around)
            self.phase_us += dt_us
            if self.name:
                return arc(*command, track_m)
        return WheelSpeeds()

    # ---- obstacles

    def _avoid(self, around: Around) -> tuple[int, int]:
        """Begin to back off from an obstacle."""
        self.side = _RIGHT if around.left_bump and not around.right_bump else _LEFT
        self._enter("back", _BACK_US)
        return _BACK, 32767

    def _turn_away(self, draw: Callable[[int], float]) -> tuple[int, int]:
        if self.phase == "back":
            if self.phase_us < self.until_us:
                return _BACK, 32767
            self.draws += 1
            half_turn = self.name in ("wimp", "tag")
            self._enter("turn", _MORE_US if half_turn else _TURN_US + int(draw(self.draws) * _MORE_US))
        if self.phase_us >= self.until_us:
            self._enter("go")
        return 200, self.side

    # ---- one step of each behaviour

    def _cover(self, around: Around) -> tuple[int, int]:
        if self.name == "cover_and_dock" and around.home is not None:
            return self._dock(around)
        if around.obstacle:
            return self._avoid(around)
        if self.phase == "spiral" and self.phase_us < _SPIRAL_US:
            return _GO, int(_INNER_MM + _SPIRAL_MM_PER_S * self.phase_us / US_PER_S)
        return _GO, 32767

    def _spot(self, around: Around) -> tuple[int, int]:
        if around.obstacle:
            return self._avoid(around)
        if self.phase != "spiral" or self.phase_us >= 2 * _SPIRAL_US:
            self.stop()
        seconds = min(self.phase_us, 2 * _SPIRAL_US - self.phase_us) / US_PER_S
        return _GO, int(_INNER_MM + _SPIRAL_MM_PER_S * seconds)

    def _dock(self, around: Around) -> tuple[int, int]:
        if around.docked:
            self.stop()
            return 0, 0
        if around.obstacle or around.beside_home:
            return self._avoid(around)
        if around.home is None:
            return _GO, 32767
        bearing, distance = around.home
        return _towards(bearing, _SLOW if distance < _NEAR_M else 2 * _SLOW)

    def _mouse(self, around: Around) -> tuple[int, int]:
        if around.obstacle:
            return self._avoid(around._replace(left_bump=False))  # always to the left, the wall is on the right
        return (200, 1000) if around.wall else (200, -400)

    def _figure_eight(self, around: Around) -> tuple[int, int]:
        if around.obstacle:
            return self._avoid(around)
        circle_us = int(2 * math.pi * _CIRCLE_RADIUS_MM / 200 * US_PER_S)
        return 200, _CIRCLE_RADIUS_MM if self.phase_us % (2 * circle_us) < circle_us else -_CIRCLE_RADIUS_MM

    def _wimp(self, around: Around) -> tuple[int, int]:
        return self._avoid(around) if around.obstacle else (_SLOW, 32767)

    def _home(self, around: Around) -> tuple[int, int]:
        """Turn until a beam is seen, drive to it, and end when it is reached; tag then looks for the next one."""
        bumped = around.left_bump or around.right_bump
        if bumped and self.name == "home":
            self.stop()
        elif bumped:
            return self._avoid(around)
        return (_SLOW, 1) if around.beam is None else _towards(around.beam, 2 * _SLOW)

    def _music(self, around: Around) -> tuple[int, int]:
        return 0, 32767


def _towards(bearing_rad: float, mm_s: int) -> tuple[int, int]:
    """Return the drive command that goes to a bearing."""
    if abs(bearing_rad) > _AIMED_RAD:
        return _SLOW, _LEFT if bearing_rad > 0.0 else _RIGHT
    return mm_s, 32767 if abs(bearing_rad) < 0.02 else max(-2000, min(2000, int(200 / bearing_rad)))


_STEPS: Mapping[str, Callable[[Pilot, Around], tuple[int, int]]] = MappingProxyType({
    "clean": Pilot._cover, "max": Pilot._cover, "cover": Pilot._cover, "cover_and_dock": Pilot._cover,
    "spot": Pilot._spot, "dock": Pilot._dock, "mouse": Pilot._mouse, "figure_eight": Pilot._figure_eight,
    "wimp": Pilot._wimp, "home": Pilot._home, "tag": Pilot._home, "pachelbel": Pilot._music, "banjo": Pilot._music,
})  # fmt: skip
BEHAVIOURS = tuple(_STEPS)
