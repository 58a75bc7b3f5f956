"""Compasses: the angle from north to the direction of the mount, clockwise."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.sensors.attitude import places
from understudy.sensors.base import PERIOD, Array, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import AngleNoise
from understudy.world.magnetism import declinations_rad
from understudy.world.records import rule
from understudy.world.rotations import direction, turns_of
from understudy.world.shapes import Mount

_CARD = Card(
    "compass",
    "Heading of the mount, clockwise from north, as from an HMC6352.",
    sources=(
        "SEAR dissertation 5.6.1.2 and appendix A (declination); first thesis 5.2.1.2 (a point as north, units)",
        "World Magnetic Model 2010 to 2025 (NOAA and BGS), by pygeomag: within 0.01 deg of the published test values",
        "HMC6352: about 2.5 deg RMS, 0.5 deg resolution, 1 to 20 Hz",
    ),
    modelled=(
        "magnetic north at the robot's position and the scene's date; true north; a fixed direction or point, as SEAR",
        "the direction of the mount seen from above, at any tilt of the robot",
        "iron on the robot: an error that varies with the heading (iron_deg)",
    ),
    not_modelled=(
        "disturbance by iron, motors and currents in the surroundings",
        "tilt error of compasses without tilt compensation",
        "convergence of meridians: true north is one direction in the whole scene, wrong by about 0.01 deg per km",
        "declination if the scene has no origin: magnetic north is then true north",
    ),
    numbers=(
        Number("period_us", "HMC6352: at most 20 Hz"),
        Number("noise.sigma_rad", "HMC6352: 2.5 deg RMS"),
        Number("noise.step_rad", "HMC6352: 0.5 deg"),
    ),
)  # fmt: skip
_DECIMALS = 9  # of a reading in degrees: steps of half a degree stay steps, and 360 is 0


@frozen
class Compass(Sampled):
    """Heading clockwise from north; *north_m* overrides *north_rad*, and both override *north*."""

    kind: ClassVar[str] = "compass"
    card: ClassVar[Card] = _CARD
    period_us: int = rule(50_000, least=0, doc=PERIOD)
    north: Literal["magnetic", "true"] = rule("magnetic", doc="magnetic: by the World Magnetic Model and [origin]")
    north_rad: float | None = rule(None, doc="a fixed north: its direction, counter-clockwise from the world's x")
    north_m: tuple[float, float] | None = rule(None, doc="a fixed north: a point of the world; SEAR uses [100000, 0]")
    unit: Literal["deg", "rad"] = rule("deg", doc="of a reading")
    span: Literal["circle", "signed"] = rule("circle", doc="circle: from 0 to 360 degrees; signed: +-180 degrees")
    iron_rad: float = rule(0.0, least=0.0, doc="largest error caused by iron on the robot; it varies with the heading")
    iron_at_rad: float = rule(0.0, doc="heading at which that error is 0 and increasing")
    noise: AngleNoise = rule(AngleNoise(sigma_rad=math.radians(2.5), step_rad=math.radians(0.5)), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the heading."""
        return (f"heading_{self.unit}",)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the angle from north to the mount's direction, clockwise (rad)."""
        poses = truth.poses[rows]
        ahead = arrays.product(turns_of(poses), direction(mount))
        heading = self._north(truth, poses, mount) - arrays.atan2(ahead[:, 1], ahead[:, 0])
        if self.noise.preset != "perfect":
            heading += self.iron_rad * arrays.sin(heading - self.iron_at_rad)
        out[:, 0] = heading

    def _north(self, truth: Truth, poses: Array, mount: Mount) -> Array:
        """Return the direction of north at each device, counter-clockwise from the world's x (rad)."""
        if self.north_m is not None:
            here = places(poses, mount)
            return np.asarray(arrays.atan2(self.north_m[1] - here[:, 1], self.north_m[0] - here[:, 0]))
        if self.north_rad is not None:
            return np.full(len(poses), self.north_rad)
        north = np.full(len(poses), truth.frame.north_rad)
        if self.north == "magnetic" and truth.around.on_earth:
            north -= declinations_rad(truth.frame.geodetic(places(poses, mount)), truth.frame.start_us + truth.t_us)
        return north

    def finish(self, truth: Truth, out: Array) -> None:
        """Wrap the heading into its span, in the chosen unit."""
        circle = 360.0 if self.unit == "deg" else math.tau
        if self.unit == "deg":
            np.round(np.degrees(out), _DECIMALS, out=out)
        if self.span == "signed":
            out -= circle * np.ceil(out / circle - 0.5)
        else:
            out -= circle * np.floor(out / circle)
            out[(out >= circle) | (out < 0.0)] = 0.0  # rounding may leave the interval
