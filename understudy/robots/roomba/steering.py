"""Drive commands of a Roomba as speeds of its wheels."""

from __future__ import annotations

from typing import NamedTuple

from understudy.world.motion import Motion

MOST_MM_S, MOST_RADIUS_MM, MOST_PWM = 500, 2000, 255
STRAIGHT = (0, 32767, -32768)  # radii; 0 is not defined, but many clients send it to stop
SPIN_LEFT, SPIN_RIGHT = 1, -1


class WheelSpeeds(NamedTuple):
    """Speeds of the left and the right wheel (m/s)."""

    left: float = 0.0
    right: float = 0.0

    def motion(self, track_m: float) -> Motion:
        """Return the motion of a robot with this track."""
        return Motion((self.left + self.right) / 2, 0.0, (self.right - self.left) / track_m)

    def within(self, most_m_s: float) -> WheelSpeeds:
        """Return the speeds, each limited."""
        return WheelSpeeds(*(max(-most_m_s, min(most_m_s, speed)) for speed in self))


def clip(value: int, most: int) -> int:
    """Return *value* limited to +-*most*."""
    return max(-most, min(most, value))


def arc(mm_s: int, radius_mm: int, track_m: float) -> WheelSpeeds:
    """Return the wheel speeds of a drive command.

    >>> arc(200, 500, 0.2)
    WheelSpeeds(left=0.16000000000000003, right=0.24)
    """
    speed = clip(mm_s, MOST_MM_S) / 1000
    if radius_mm in STRAIGHT:
        return WheelSpeeds(speed, speed)
    if radius_mm in (SPIN_LEFT, SPIN_RIGHT):
        return WheelSpeeds(-speed * radius_mm, speed * radius_mm)
    radius = clip(radius_mm, MOST_RADIUS_MM) / 1000
    half = track_m / 2
    return WheelSpeeds(speed * (radius - half) / radius, speed * (radius + half) / radius)


def backs_off_tightly(wheels: WheelSpeeds, track_m: float, robot_m: float) -> bool:
    """Return whether a robot drives backward on an arc narrower than itself, so that its front may swing outwards."""
    ahead, _, turn = wheels.motion(track_m)
    return ahead < 0.0 and abs(ahead) < robot_m * abs(turn)
