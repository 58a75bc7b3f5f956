"""The light beams of a two-finger gripper: anything between the paddles breaks them."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.world.materials import layer_mask
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

BEAMS = (0.85, 0.35)  # outer and inner, as shares of the paddles' length
_CARD = Card(
    "gripper",
    "Two light beams between the open paddles of a gripper, as in the Pioneer's gripper.",
    sources=("ARIA (AriaCoda), ArGripper: an outer and an inner beam, each broken or not",),
    modelled=("anything on the infra-red layer that crosses the line between the paddles breaks a beam",),
    not_modelled=(
        "the paddles themselves: they do not collide, and do not push what they close on",
        "beams that move with the closing paddles",
    ),
    numbers=(
        Number("period_us", "estimate: as often as the firmware reports"),
        Number("reach_m", "estimate: no data sheet available"),
        Number("width_m", "estimate: no data sheet available"),
    ),
)


@frozen
class Gripper(Sampled):
    """Geometry of the paddles; the mount is midway between their hinges, its x axis points between them."""

    kind: ClassVar[str] = "gripper"
    card: ClassVar[Card] = _CARD
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    reach_m: float = rule(0.1, above=0.0, doc="length of the paddles")
    width_m: float = rule(0.2, above=0.0, doc="between the open paddles")
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per beam: 1 means broken."""
        return ("outer_broken", "inner_broken")

    def nothing(self) -> float:
        """Return the value of an unbroken beam."""
        return 0.0

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write which beams are broken."""
        truth.engine.cast(_beams(mount, self.reach_m, self.width_m), rows, out)
        out[:] = out < self.width_m

    def finish(self, truth: Truth, out: Array) -> None:
        """Report 1 or 0."""
        out[:] = out >= 0.5


@lru_cache(maxsize=64)  # casters identify a table by its identity
def _beams(mount: Mount, reach_m: float, width_m: float) -> RayTable:
    """Return the rays from the left paddle to the right one."""
    turn = rotation(mount)
    starts = arrays.product(np.array([[share * reach_m, width_m / 2, 0.0] for share in BEAMS]), turn.T)
    directions = np.tile(arrays.product(turn, [0.0, -1.0, 0.0]), (len(BEAMS), 1))
    origins = starts + np.array([mount.x_m, mount.y_m, mount.z_m])
    return RayTable(origins, directions, width_m, layer_mask(("infrared",)))
