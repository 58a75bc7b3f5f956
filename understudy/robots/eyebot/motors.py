"""Motors and servos by number: what they ask of the wheels, by the kind of drive.

After EyeSim-VR: differential 1 left, 2 right; Mecanum 1 front left, 2 front right, 3 back left, 4 back right;
Ackermann: motor 1 drives, servo 1 steers (0 full left, 128 straight, 255 full right).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy import elementary
from understudy.world.motion import Motion
from understudy.world.robot import Ackermann, DriveSpec, Omni

MOTORS, SERVOS, CENTRE = 4, 14, 128
SERVO_RAD_S = 0.5235987755982988  # 30 degrees per second


@dataclass(slots=True)
class Motors:
    """Rim speeds that the motors ask for (m/s), and positions of the servos, 0 to 255."""

    on: bool = False  # whether the motors are driven by number, not by v-omega
    speeds: list[float] = field(default_factory=lambda: [0.0] * MOTORS)
    pids: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(MOTORS)])
    aims: list[float] = field(default_factory=lambda: [float(CENTRE)] * SERVOS)
    positions: list[float] = field(default_factory=lambda: [float(CENTRE)] * SERVOS)
    ranges: list[list[int]] = field(default_factory=lambda: [[0, 255] for _ in range(SERVOS)])

    def motion(self, drive: DriveSpec) -> Motion:
        """Return the motion that the motors ask for."""
        first, second, third, fourth = self.speeds
        if isinstance(drive, Ackermann):
            steer = (CENTRE - self.positions[0]) / CENTRE * drive.max_steer_rad
            return Motion(first, 0.0, first * elementary.tan(steer) / drive.wheelbase_m)
        if isinstance(drive, Omni):
            turn = (second + fourth - first - third) / (2 * drive.track_m)
            return Motion((first + second + third + fourth) / 4, (second + third - first - fourth) / 4, turn)
        return Motion((first + second) / 2, 0.0, (second - first) / drive.track_m)

    def release(self) -> None:
        """Let v-omega commands have the motors."""
        self.on, self.speeds = False, [0.0] * MOTORS

    @property
    def still(self) -> bool:
        """Return whether no servo is moving."""
        return self.positions == self.aims

    def move_servos(self, seconds: float, turns_rad: tuple[float, ...]) -> None:
        """Move the servos; *turns_rad* is how far the first ones turn to either side."""
        if self.still:
            return
        for n, aim in enumerate(self.aims):
            reach = turns_rad[n] if n < len(turns_rad) and turns_rad[n] > 0.0 else 1.5707963267948966
            step = SERVO_RAD_S * seconds / reach * CENTRE
            here = self.positions[n]
            self.positions[n] = aim if abs(aim - here) <= step else here + (step if aim > here else -step)
