"""Accelerometers and gyros: inertial measurements along the axes of the mount.

An accelerometer measures specific force: at rest it shows the reaction to gravity. A sample is the mean since the
previous sample: the change of speed, the change of the direction of motion, and the centripetal and tangential terms
from the distance of the mount to the centre of rotation.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from understudy import elementary
from understudy.frozen import frozen
from understudy.jit import inner, kernel
from understudy.sensors.base import PERIOD, Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import AccelerationNoise, RateNoise
from understudy.sensors.memory import NEVER
from understudy.units import US_PER_S
from understudy.world.records import rule
from understudy.world.rotations import rotation, shift
from understudy.world.shapes import Mount

STANDARD_GRAVITY_M_S2 = 9.80665

Axes = Literal["x", "y", "z", "xy", "xz", "yz", "xyz"]
_ACCELEROMETER = Card(
    "accelerometer",
    "Specific force along one to three axes of the mount, as from an ADXL330.",
    sources=(
        "SEAR dissertation 5.6.1.3; first thesis 5.2.1.3 and appendix D (axes, bandwidth, range, resolution)",
        "ADXL330: +-3.6 g, 300 mV/g, noise density 280 ug/rtHz in x and y, 350 in z",
        "inertial noise by grade of part: hobby parts of 2010",
    ),
    modelled=(
        "change of speed, centripetal and tangential terms at the position of the mount, axes of the mount",
        "gravity, which SEAR leaves out: gravity = false does so too",
        "a first-order low-pass filter, full scale, and a floor of noise with a slow drift",
    ),
    not_modelled=(
        "motion between two samples: a sample is the mean since the previous one, so a short shock is averaged",
        "vibration of motors and ground, cross-axis sensitivity, temperature",
        "noise that depends on the bandwidth: sigma is that of one sample at the default rate",
    ),
    numbers=(
        Number("period_us", "estimate: 100 Hz, as hobby controllers poll"),
        Number("bandwidth_hz", "the usual capacitors on breakout boards; the part allows 0.5 to 1600 Hz"),
        Number("range_m_s2", "ADXL330: 3.6 g"),
        Number("noise.sigma_m_s2", "280 ug/rtHz at 100 samples per second; z has 350"),
        Number("noise.drift_m_s2", "hobby parts: 1 to 5 mg"),
        Number("noise.drift_time_us", "usual time of bias instability: 100 to 1000 s"),
    ),
)
_GYRO = Card(
    "gyro",
    "Angular rate about one to three axes of the mount, as from an IDG500.",
    sources=(
        "SEAR dissertation 5.6.1.4; first thesis 5.2.1.4 (degrees or radians per second) and appendix D",
        "IDG500: +-500 deg/s, 2 mV per deg/s",
        "inertial noise by grade of part: hobby parts of 2010",
    ),
    modelled=(
        "the true angular rate in the axes of the mount",
        "a first-order low-pass filter, full scale, white noise and a slow drift",
    ),
    not_modelled=(
        "bias at power-on: set noise.bias_deg_s; a few deg/s for such parts",
        "sensitivity to acceleration, cross-axis sensitivity, temperature, the rotation of the Earth",
        "noise that depends on the bandwidth: sigma is that of one sample at the default rate",
    ),
    numbers=(
        Number("period_us", "estimate: 100 Hz, as hobby controllers poll"),
        Number("bandwidth_hz", "estimate: the low-pass filter of such parts"),
        Number("range_rad_s", "IDG500: 500 deg/s"),
        Number("noise.sigma_rad_s", "hobby parts, 0.02 to 0.05 deg/s/rtHz: 0.03 at 100 samples per second"),
        Number("noise.drift_rad_s", "hobby parts, 200 to 1000 deg/h: 600"),
        Number("noise.drift_time_us", "usual time of bias instability: 100 to 1000 s"),
    ),
)


@inner()
def _own(pose, vector, first):
    """Return a world vector in the axes of a robot: x, y, z."""
    cr, cp, cy = elementary.cos(pose[3]), elementary.cos(pose[4]), elementary.cos(pose[5])
    sr, sp, sy = elementary.sin(pose[3]), elementary.sin(pose[4]), elementary.sin(pose[5])
    x, y, z = vector[first], vector[first + 1], vector[first + 2]
    return (
        cy * cp * x + sy * cp * y - sp * z,
        (cy * sp * sr - sy * cr) * x + (sy * sp * sr + cy * cr) * y + cp * sr * z,
        (cy * sp * cr + sy * sr) * x + (sy * sp * cr - cy * sr) * y + cp * cr * z,
    )


@inner()
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inner()
def _since(t_us, n, now_us):
    """Return the time since a device's previous sample, 0 at the first (s), and store the present time."""
    passed = 0.0 if t_us[n] == NEVER else (now_us - t_us[n]) / 1e6
    t_us[n] = now_us
    return passed


@inner()
def _smooth(value, before, now, lag):
    """Return a first-order filter's value after an input that changed linearly from *before* to *now* (`low_pass`)."""
    if lag <= 0.0:
        return now
    trail = (now - before) / lag
    return now - trail + elementary.exp(-lag) * (value - before + trail)


@kernel()
def _feel(poses, twists, rows, turn, arm, gravity, rate, now_us, t_us, last, felt):
    """Update accelerometers: write the motion of their robots into *last*, their readings into *felt*."""
    lever = (arm[0], arm[1], arm[2])
    for n in range(rows.shape[0]):
        pose, twist = poses[rows[n]], twists[rows[n]]
        passed = _since(t_us, n, now_us)
        speed, spin = _own(pose, twist, 0), _own(pose, twist, 3)
        over = 1.0 / passed if passed > 0.0 else 0.0
        gain = ((speed[0] - last[n, 0]) * over, (speed[1] - last[n, 1]) * over, (speed[2] - last[n, 2]) * over)
        swing = ((spin[0] - last[n, 3]) * over, (spin[1] - last[n, 4]) * over, (spin[2] - last[n, 5]) * over)
        bend, tangent, pull = _cross(spin, speed), _cross(swing, lever), _cross(spin, _cross(spin, lever))
        up = (
            -elementary.sin(pose[4]),
            elementary.cos(pose[4]) * elementary.sin(pose[3]),
            elementary.cos(pose[4]) * elementary.cos(pose[3]),
        )
        force = (
            gain[0] + bend[0] + tangent[0] + pull[0] + gravity * up[0],
            gain[1] + bend[1] + tangent[1] + pull[1] + gravity * up[1],
            gain[2] + bend[2] + tangent[2] + pull[2] + gravity * up[2],
        )
        last[n, 0], last[n, 1], last[n, 2] = speed
        last[n, 3], last[n, 4], last[n, 5] = spin
        for k in range(3):
            shown = force[0] * turn[0, k] + force[1] * turn[1, k] + force[2] * turn[2, k]
            felt[n, k] = _smooth(felt[n, k], shown, shown, rate * passed)


@kernel()
def _spin(poses, twists, rows, turn, rate, now_us, t_us, last, felt):
    """Update gyros: write the rates of their mounts into *last*, their readings into *felt*."""
    for n in range(rows.shape[0]):
        passed = _since(t_us, n, now_us)
        spin = _own(poses[rows[n]], twists[rows[n]], 3)
        for k in range(3):
            now = spin[0] * turn[0, k] + spin[1] * turn[1, k] + spin[2] * turn[2, k]
            felt[n, k] = _smooth(felt[n, k], last[n, k], now, rate * passed)
            last[n, k] = now


def _columns(axes: str) -> list[int]:
    return ["xyz".index(axis) for axis in axes]


@frozen
class Accelerometer(Sampled):
    """Specific force along the mount's axes: x forward, y left, z up."""

    kind: ClassVar[str] = "accelerometer"
    card: ClassVar[Card] = _ACCELEROMETER
    whole: ClassVar[bool] = True
    period_us: int = rule(10_000, least=0, doc=PERIOD)
    axes: Axes = "xyz"
    gravity: bool = rule(True, doc="false: it shows 0 at rest, as in SEAR")
    unit: Literal["m_s2", "g"] = rule("m_s2", doc="of a reading")
    bandwidth_hz: float = rule(50.0, least=0.0, doc="of a first-order low-pass filter; 0: no filter")
    range_m_s2: float = rule(3.6 * STANDARD_GRAVITY_M_S2, above=0.0, doc="full scale in both directions")
    noise: AccelerationNoise = rule(
        AccelerationNoise(
            sigma_m_s2=280e-6 * 10 * STANDARD_GRAVITY_M_S2,
            drift_m_s2=2e-3 * STANDARD_GRAVITY_M_S2,
            drift_time_us=300 * US_PER_S,
        ),
        shorthand="preset",
    )

    def columns(self) -> tuple[str, ...]:
        """Return one value per axis."""
        return tuple(f"{axis}_{self.unit}" for axis in self.axes)

    def scales(self) -> Array:
        """Return the noise factor of each axis: the part is noisier in z."""
        return np.array([1.25 if axis == "z" else 1.0 for axis in self.axes])

    def memory(self, keys: Keys) -> Memory:
        """Return the last motion and the state of the filter."""
        count = len(keys)
        return {"t_us": np.full(count, NEVER), "twist": np.zeros((count, 6)), "felt": np.zeros((count, 3))}

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the specific force along the chosen axes (m/s2)."""
        gravity = truth.around.gravity_m_s2 if self.gravity else 0.0
        _feel(
            truth.poses, truth.twists, rows, rotation(mount), shift(mount), gravity, math.tau * self.bandwidth_hz,
            truth.t_us, memory["t_us"], memory["twist"], memory["felt"],
        )  # fmt: skip
        out[:] = memory["felt"][:, _columns(self.axes)]

    def finish(self, truth: Truth, out: Array) -> None:
        """Clip to the full scale and convert to the chosen unit."""
        np.clip(out, -self.range_m_s2, self.range_m_s2, out=out)
        if self.unit == "g":
            out /= STANDARD_GRAVITY_M_S2


@frozen
class Gyro(Sampled):
    """Angular rate about the mount's axes: x forward, y left, z up, counter-clockwise seen from their tips."""

    kind: ClassVar[str] = "gyro"
    card: ClassVar[Card] = _GYRO
    whole: ClassVar[bool] = True
    period_us: int = rule(10_000, least=0, doc=PERIOD)
    axes: Axes = "xyz"
    unit: Literal["rad_s", "deg_s"] = rule("rad_s", doc="of a reading")
    bandwidth_hz: float = rule(140.0, least=0.0, doc="of a first-order low-pass filter; 0: no filter")
    range_rad_s: float = rule(math.radians(500.0), above=0.0, doc="full scale in both directions")
    noise: RateNoise = rule(
        RateNoise(sigma_rad_s=math.radians(0.3), drift_rad_s=math.radians(600 / 3600), drift_time_us=300 * US_PER_S),
        shorthand="preset",
    )

    def columns(self) -> tuple[str, ...]:
        """Return one value per axis."""
        return tuple(f"{axis}_{self.unit}" for axis in self.axes)

    def memory(self, keys: Keys) -> Memory:
        """Return the last rate and the state of the filter."""
        count = len(keys)
        return {"t_us": np.full(count, NEVER), "rate": np.zeros((count, 3)), "felt": np.zeros((count, 3))}

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the angular rate about the chosen axes (rad/s)."""
        _spin(
            truth.poses, truth.twists, rows, rotation(mount), math.tau * self.bandwidth_hz, truth.t_us,
            memory["t_us"], memory["rate"], memory["felt"],
        )  # fmt: skip
        out[:] = memory["felt"][:, _columns(self.axes)]

    def finish(self, truth: Truth, out: Array) -> None:
        """Clip to the full scale and convert to the chosen unit."""
        np.clip(out, -self.range_rad_s, self.range_rad_s, out=out)
        if self.unit == "deg_s":
            np.degrees(out, out=out)
