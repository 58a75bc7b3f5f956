"""Small stand-ins for a unit's world: wheels that obey exactly, devices with preset readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from understudy.robots import UNITS
from understudy.robots.base import Unit, Wiring
from understudy.sensors.base import Array
from understudy.sensors.gps import Gps
from understudy.sensors.laser import Laser
from understudy.world.motion import REST, Motion
from understudy.world.robot import Circle, Differential, RobotModel
from understudy.world.shapes import Mount, Pose

TICK_US = 5_000
START_US = 1_794_746_119_000_000  # 2026-11-15 12:35:19 UTC
TRACK_M = 0.33
MODEL = RobotModel(
    body=Circle(radius_m=0.2), drive=Differential(track_m=TRACK_M, max_m_s=1.0, max_rad_s=math.radians(100.0))
)
FIX = (33.61, -80.865, 182.5, 0.2, 90.0, 1.0, 8.0, 1.2)
SAMPLE_RANGES_MM = (1126, 1129, 808, 5000, 5000, 2799, 912, 682, 682, 912, 858, 736, 736, 857, 1209, 1126)


@dataclass(frozen=True)
class FakeScanner:
    """The data sheet of a scanner that cannot be tuned."""

    rays: int
    max_m: float = math.inf


class FakeDevice:
    """Reads the last preset value."""

    def __init__(self, name: str, values: tuple[float, ...], sheet: Any = None) -> None:
        self.name, self.sheet = name, sheet
        self._values = np.array(values)
        self.stamp_us, self.samples = -1, 0

    def tell(self, values: tuple[float, ...] | None, stamp_us: int) -> None:
        """Take a new reading, or the same one again."""
        if values is not None:
            self._values = np.array(values)
        self.stamp_us, self.samples = stamp_us, self.samples + 1

    def read(self) -> Array:
        """Return the newest reading."""
        copy: Array = self._values.copy()
        return copy


class FakeWheels:
    """Does at once what it is asked for."""

    def __init__(self) -> None:
        self.orders: list[Motion] = []

    def set(self, motion: Motion) -> None:
        self.orders.append(motion)

    def twist(self) -> Motion:
        return self.asked()

    def asked(self) -> Motion:
        return self.orders[-1] if self.orders else REST


class FakeOutput:
    """Records its commands; held as hard as its power."""

    def __init__(self) -> None:
        self.commanded: list[float | str] = []

    def set(self, power: float) -> None:
        self.commanded.append(power)

    def brake(self) -> None:
        self.commanded.append("brake")

    def coast(self) -> None:
        self.commanded.append("coast")

    def speed(self) -> float:
        return 0.0

    def current_a(self) -> float:
        last = self.commanded[-1] if self.commanded else 0.0
        return last if isinstance(last, float) else 0.0


class FakeHere:
    """A preset place."""

    def __init__(self) -> None:
        self.mapped = True
        self.at = Pose(1.0, 1.498)
        self.geo: tuple[float, float, float] | None = None
        self.sky = True
        self.dirt = False

    def pose(self) -> Pose:
        """Return the true pose."""
        return self.at

    def geodetic(self, mount: Mount) -> tuple[float, float, float] | None:
        """Return the place on Earth."""
        return self.geo

    def dirty(self, mount: Mount) -> bool:
        """Say whether there is dirt."""
        return self.dirt

    def reception(self, mount: Mount) -> bool:
        """Say whether the sky is seen."""
        return self.sky


class Bench:
    """A unit on a workbench: its inputs plugged in, its wheels in the air."""

    def __init__(
        self,
        kind: str,
        model: RobotModel = MODEL,
        without: tuple[str, ...] = (),
        plugged: Mapping[str, FakeDevice] | None = None,
        **settings: Any,
    ) -> None:
        self._class = UNITS[kind]
        self._sheet = self._class.Sheet(**settings)
        made = {
            "sonar": FakeDevice("sonar", tuple(mm / 1000 for mm in SAMPLE_RANGES_MM)),
            "wheels": FakeDevice("wheels", (0.0, 0.0, 0.0, 0.0)),
            "laser1": FakeDevice("front", (8.0,) * 181, FakeScanner(181)),
            "gps": FakeDevice("gps", FIX, Gps()),
            "laser": FakeDevice("robot/sick", (2.0,) * 181, Laser(max_m=8.183, period_us=13_333)),
        }
        usual = made if kind != "pioneer" else {name: made[name] for name in ("sonar", "wheels", "laser1")}
        every = {**usual, **(plugged or {})}
        self.devices = {name: every[name] for name in self._class.inputs if name in every and name not in without}
        self.wheels, self.here = FakeWheels(), FakeHere()
        self.outputs = {name: FakeOutput() for name in self._class.outputs}
        self.wiring = Wiring(
            "robot", model, self.devices, self.wheels, START_US, here=self.here, outputs=dict(self.outputs)
        )
        self.now_us = 0
        self.travel = [0.0, 0.0, 0.0]
        self.stalled = False
        self.unit: Any = None
        self.renew()
        self._sense()

    def renew(self) -> Unit:
        """Put a new unit of the same kind in the place of the old one."""
        unit = self._class(self._sheet, self.wiring)
        self.unit = unit
        return unit

    def step(self, ticks: int = 1) -> None:
        """Advance the unit and its world."""
        for _ in range(ticks):
            self.now_us += TICK_US
            self.unit.tick(self.now_us, TICK_US)
            self._roll()
            self._sense()

    def hold(self) -> None:
        """Tick the unit while the clock stands."""
        self.unit.tick(self.now_us, 0)

    def seen(self) -> list[Motion]:
        """Return all that the unit has asked of its wheels."""
        return list(self.wheels.orders)

    def commanded(self) -> dict[str, list[float | str]]:
        """Return all that the unit has asked of its outputs."""
        return {name: list(output.commanded) for name, output in self.outputs.items()}

    def plug_out(self) -> None:
        """Connect the unit to other outputs of the same names."""
        self.outputs = {name: FakeOutput() for name in self._class.outputs}
        self.wiring = replace(self.wiring, outputs=dict(self.outputs))
        self.unit.rewire(self.wiring)

    def _roll(self) -> None:
        if self.wheels.orders and not self.stalled:
            ahead, left, turn = self.wheels.asked()
            half = turn * TRACK_M / 2
            for i, speed in enumerate((ahead - half, ahead + half, left)):
                self.travel[i] += speed * TICK_US / 1e6

    def _sense(self) -> None:
        if "wheels" in self.devices:
            left, right, lateral = self.travel
            self.devices["wheels"].tell((left, right, lateral, float(self.stalled)), self.now_us)
        for name, period_us in (("sonar", 100_000), ("laser1", 100_000), ("gps", 1_000_000), ("laser", 15_000)):
            if name in self.devices and self.now_us % period_us == 0:
                self.devices[name].tell(None, self.now_us)
