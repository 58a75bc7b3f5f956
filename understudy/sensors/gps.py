"""GPS receivers: a geodetic fix of the antenna, speed and course over ground."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.sensors.attitude import places, speeds
from understudy.sensors.base import PERIOD, Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.memory import NEVER
from understudy.units import US_PER_S
from understudy.world.records import rule
from understudy.world.shapes import Mount

FEWEST_SATELLITES = 4  # for a fix with a height
_CARD = Card(
    "gps",
    "Geodetic position of the antenna, speed and course over ground, as from a San Jose FV-M8.",
    sources=(
        "SEAR dissertation 5.6.1.1; first thesis 5.2.1.1 (degrees or decimal), 6.2.3 (3 m) and appendix D",
        "WGS 84: the world's plane touches the ellipsoid at the scene's origin",
        "usual error models: a drift of 1.5 to 3 m over 60 to 300 s, twice as large in height, and white noise",
        "MobileSim maps: sectors without GPS",
    ),
    modelled=(
        "the position of the antenna, within 0.1 m of the geodesic up to 20 km away; SEAR's flat degrees as an option",
        "a slow drift and white noise: 3 m RMS in the plane, that is a sigma of 2.1 m to north and to east and a "
        "CEP of 2.5 m (half of all fixes are nearer); twice as much in height",
        "random loss of the fix and outliers (noise): one draw for the whole fix",
        "no fix where the scene has no reception, for a while after it (acquire_s), or with fewer than 4 satellites",
        "a course that is held while the receiver is stationary",
    ),
    not_modelled=(
        "satellites in their orbits: their number and HDOP are settings without influence on the error",
        "reflections from buildings, ionosphere, weather; use outliers for jumps",
        "errors of speed and course",
        "the geoid: altitude is that of the scene's origin plus height over the tangent plane, 8 cm too high 1 km away",
    ),
    numbers=(
        Number("period_us", "the usual 1 Hz; the FV-M8 supports 5 Hz"),
        Number("satellites", "estimate: an open sky"),
        Number("hdop", "estimate: an open sky"),
        Number("hold_m_s", "estimate: speed at which receivers of this kind hold the course"),
        Number("noise.sigma_m", "white part of the usual error model: 0.1 to 0.5 m"),
        Number("noise.drift_m", "with the white part 3 m RMS in the plane, SEAR's default accuracy"),
        Number("noise.drift_time_us", "usual error model: 60 to 300 s"),
    ),
)  # fmt: skip


def degrees_minutes(angle_deg: Array) -> Array:
    """Return decimal degrees as degrees times 100 plus minutes, the way NMEA writes them.

    >>> degrees_minutes(np.array([33.61, -80.865])).round(6).tolist()
    [3336.6, -8051.9]
    """
    whole = np.trunc(angle_deg)
    return np.asarray(100.0 * whole + 60.0 * (angle_deg - whole))


def decimal_degrees(angle_dm: Array) -> Array:
    """Return degrees times 100 plus minutes as decimal degrees.

    >>> decimal_degrees(np.array([3336.6, -8051.9])).round(6).tolist()
    [33.61, -80.865]
    """
    whole = np.trunc(angle_dm / 100.0)
    return np.asarray(whole + (angle_dm - 100.0 * whole) / 60.0)


@frozen
class Gps(Sampled):
    """A receiver whose position drifts around the truth, twice as far in height."""

    kind: ClassVar[str] = "gps"
    card: ClassVar[Card] = _CARD
    whole: ClassVar[bool] = True
    period_us: int = rule(1_000_000, least=0, doc=PERIOD)
    satellites: int = rule(8, least=0, most=12, doc="in view; fewer than 4 give no fix")
    hdop: float = rule(1.2, above=0.0)
    form: Literal["degrees", "minutes"] = rule(
        "degrees", doc="of latitude and longitude; minutes: degrees times 100 plus minutes, as in NMEA"
    )
    earth: Literal["ellipsoid", "flat"] = rule("ellipsoid", doc="flat: degrees of equal length everywhere, as in SEAR")
    acquire_us: int = rule(0, least=0, doc="time with a free view of the sky before it has a fix, also at the start")
    hold_m_s: float = rule(0.05, least=0.0, doc="below this speed the course is held")
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.3, drift_m=2.1, drift_time_us=120 * US_PER_S), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        unit = "deg" if self.form == "degrees" else "dm"
        place = (f"latitude_{unit}", f"longitude_{unit}", "altitude_m")
        return (*place, "speed_m_s", "course_deg", "fix", "satellites", "hdop")

    def scales(self) -> Array:
        """Return the noise factor of each value: east, north, up at the time it is added."""
        return np.array([1.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def memory(self, keys: Keys) -> Memory:
        """Return the time since when the sky is visible, and the last course."""
        return {"seen_us": np.full(len(keys), NEVER), "course_deg": np.zeros(len(keys))}

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the antenna's world position (m), speed and course; `finish` makes the position geodetic."""
        poses = truth.poses[rows]
        here, speed = places(poses, mount), speeds(poses, truth.twists[rows], mount)
        out[:, :3], out[:, 3] = here, arrays.hypot(speed[:, 0], speed[:, 1])
        course = truth.frame.bearing_deg(arrays.atan2(speed[:, 1], speed[:, 0]))
        memory["course_deg"][:] = out[:, 4] = np.where(out[:, 3] > self.hold_m_s, course, memory["course_deg"])
        out[:, 5:] = (1.0, self.satellites, self.hdop)
        out[~self._has_fix(truth, here, memory["seen_us"]), :5] = np.nan

    def _has_fix(self, truth: Truth, here: Array, since_us: Rows) -> npt.NDArray[np.bool_]:
        """Return which receivers have had a sufficient view of the sky for long enough."""
        seen = truth.around.reception(here[:, 0], here[:, 1]) & (self.satellites >= FEWEST_SATELLITES)
        since_us[seen & (since_us == NEVER)] = truth.t_us
        since_us[~seen] = NEVER
        return np.asarray(seen & (truth.t_us - since_us >= self.acquire_us))

    def finish(self, truth: Truth, out: Array) -> None:
        """Convert metres to latitude and longitude; a lost reading is a receiver without a fix."""
        lost = np.isnan(out[:, :5]).any(axis=1)
        geodetic = truth.frame.geodetic if self.earth == "ellipsoid" else truth.frame.flat_geodetic
        out[:, :3] = geodetic(out[:, :3])
        if self.form == "minutes":
            out[:, :2] = degrees_minutes(out[:, :2])
        out[lost, 5:7] = 0.0
        out[lost, :5] = np.nan

    def in_degrees(self, reading: Array) -> Array:
        """Return a reading with latitude and longitude in decimal degrees, for any *form*."""
        return reading if self.form == "degrees" else np.concatenate([decimal_degrees(reading[:2]), reading[2:]])
