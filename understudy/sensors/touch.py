"""Touch: bumpers around a robot, touch plates, wheel drop switches, motor stall.

All read 1 or 0 for each of their parts. Optional debounce and hold times are the state of such a device.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards import touch
from understudy.sensors.cards.card import Card
from understudy.sensors.floor import grey
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.places import below, in_world, on_robot
from understudy.world.materials import layer_mask
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

Flags = npt.NDArray[np.bool_]

TOUCH = layer_mask(("touch",))
_DEBOUNCE = "debounce time: a change counts only after it has lasted this long"
_HOLD = "hold time: a press is reported for at least this long after release"
_EDGE_RAD = 1e-6  # a hit on the line between two sectors counts in both
_LONG_AGO_US = -(1 << 62)


def fresh_memory(count: int, parts: int) -> Memory:
    """Return the initial state of new devices: nothing is pressed, and has not been for long."""
    flags, times = np.zeros((count, parts), np.bool_), np.full((count, parts), _LONG_AGO_US)
    return {"now": flags, "since_us": times, "counts": flags.copy(), "until_us": times.copy()}


def settled(pressed: Flags, t_us: Any, memory: Memory, debounce_us: int, hold_us: int) -> Flags:
    """Return what counts as pressed with debounce and hold times; stores the present state.

    *t_us* is one time, or a column with that of each device.
    """
    if not (pressed.any() or memory["now"].any() or memory["counts"].any()):  # as it was
        return np.asarray(t_us < memory["until_us"])
    np.copyto(memory["since_us"], t_us, where=pressed != memory["now"])
    memory["now"][:] = pressed
    lasting = t_us - memory["since_us"] >= debounce_us
    memory["counts"][lasting] = pressed[lasting]
    np.copyto(memory["until_us"], t_us + hold_us, where=memory["counts"])
    return np.asarray(memory["counts"] | (t_us < memory["until_us"]))


@frozen
class Sector:
    """A part of the robot's perimeter, counter-clockwise from *start* to *end*; 0 is ahead, left is positive."""

    start_rad: float = rule()
    end_rad: float = rule()

    def width_rad(self) -> float:
        """Return its angular width (rad)."""
        whole = abs(self.end_rad - self.start_rad) >= math.tau
        return math.tau if whole else (self.end_rad - self.start_rad) % math.tau


_LEFT_AND_RIGHT = (Sector(0.0, math.pi / 2), Sector(-math.pi / 2, 0.0))


@frozen
class Bumper(Sampled):
    """Bumpers around the robot: each is pressed while something touches the robot's body in its sector."""

    kind: ClassVar[str] = "bumper"
    card: ClassVar[Card] = touch.BUMPER
    mixed_times: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc=PERIOD)
    sectors: tuple[Sector, ...] = rule(_LEFT_AND_RIGHT, doc="seen from the mount; they may overlap")
    debounce_us: int = rule(0, least=0, doc=_DEBOUNCE)
    hold_us: int = rule(0, least=0, doc=_HOLD)
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per sector."""
        return tuple(f"pressed[{i}]" for i in range(len(self.sectors)))

    def nothing(self) -> float:
        """Return the value of a bumper that fails to close."""
        return 0.0

    def memory(self, keys: Keys) -> Memory:
        """Return the state of the bumpers."""
        return fresh_memory(len(keys), len(self.sectors))

    def calm(self, memory: Memory) -> bool:
        """Return whether no bumper is pressed, or about to be."""
        return not (memory["now"].any() or memory["counts"].any())

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write which sectors are in contact."""
        pressed = np.zeros(out.shape, np.bool_)
        contacts = truth.engine.contacts()
        if len(contacts):
            self._press(truth.poses, rows, mount, contacts, pressed)
        out[:] = settled(pressed, truth.times_us, memory, self.debounce_us, self.hold_us)

    def _press(self, poses: Array, rows: Rows, mount: Mount, contacts: Array, pressed: Flags) -> None:
        """Set the flags of the sectors that are in contact."""
        device = np.full(len(poses), -1)
        device[rows] = np.arange(len(rows))
        who = device[contacts[:, 0].astype(np.int64)]
        mine = (who >= 0) & (contacts[:, 6].astype(np.int64) & TOUCH != 0)
        first, width = _seen_from(mount, poses[rows][who[mine]], contacts[mine])
        for i, sector in enumerate(self.sectors):
            pressed[who[mine][_overlap(first, width, sector)], i] = True

    def finish(self, truth: Truth, out: Array) -> None:
        """Report 1 or 0."""
        _as_flags(out)


def _seen_from(mount: Mount, poses: Array, contacts: Array) -> tuple[Array, Array]:
    """Return the start angle of each contact's line around the mount, and its angular width (rad)."""
    cos, sin = arrays.cos(poses[:, 5]), arrays.sin(poses[:, 5])
    x, y, half = contacts[:, 1] - poses[:, 0], contacts[:, 2] - poses[:, 1], contacts[:, 5]
    ends = []
    for side in (half, -half):
        ex, ey = x - side * contacts[:, 4], y + side * contacts[:, 3]
        ends.append(arrays.atan2(cos * ey - sin * ex - mount.y_m, cos * ex + sin * ey - mount.x_m))
    turn = (ends[1] - ends[0] + math.pi) % math.tau - math.pi  # the short way
    return np.where(turn < 0.0, ends[1], ends[0]) - mount.yaw_rad, np.abs(turn)


def _overlap(first: Array, width: Array, sector: Sector) -> Flags:
    """Return which lines, given by start angle and width, overlap a sector."""
    begin, size = sector.start_rad - _EDGE_RAD, sector.width_rad() + 2 * _EDGE_RAD
    return np.asarray(((first - begin) % math.tau <= size) | ((begin - first) % math.tau <= width))


def _as_flags(out: Array) -> None:
    """Convert readings, noise included, to 1 or 0."""
    out[:] = out >= 0.5


@frozen
class Touch(Sampled):
    """A touch sensor: a flat plate that sticks out from its mount, pressed while something solid is within it."""

    kind: ClassVar[str] = "touch"
    card: ClassVar[Card] = touch.TOUCH
    mixed_times: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc=PERIOD)
    width_m: float = rule(0.03, least=0.0, doc="across, half of it to each side")
    reach_m: float = rule(0.02, above=0.0, doc="how far it sticks out from the mount")
    debounce_us: int = rule(0, least=0, doc=_DEBOUNCE)
    hold_us: int = rule(0, least=0, doc=_HOLD)
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the one value."""
        return ("pressed",)

    def nothing(self) -> float:
        """Return the value of a switch that fails to close."""
        return 0.0

    def memory(self, keys: Keys) -> Memory:
        """Return the state of the switch."""
        return fresh_memory(len(keys), 1)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write whether something is within reach."""
        table, lengths = _feelers(mount, self.width_m, self.reach_m)
        hits = np.empty((len(rows), len(lengths)))
        truth.engine.cast(table, rows, hits)
        pressed = np.asarray((hits < lengths).any(axis=1, keepdims=True))
        out[:] = settled(pressed, truth.times_us, memory, self.debounce_us, self.hold_us)

    def finish(self, truth: Truth, out: Array) -> None:
        """Report 1 or 0."""
        _as_flags(out)


@lru_cache(maxsize=64)  # casters identify a table by its identity
def _feelers(mount: Mount, width_m: float, reach_m: float) -> tuple[RayTable, Array]:
    """Return rays along the edge of the plate and across it, and the length of each (m).

    Anything larger than the gaps between them crosses the edge, so only things thinner than a quarter of the width and
    entirely inside are missed.
    """
    across = np.linspace(-width_m / 2, width_m / 2, 5 if width_m > 0.0 else 1)
    rays = [((0.0, y, 0.0), (1.0, 0.0, 0.0), reach_m) for y in across]
    if width_m > 0.0:
        rays.append(((reach_m, -width_m / 2, 0.0), (0.0, 1.0, 0.0), width_m))
    starts, directions, lengths = (np.array(column) for column in zip(*rays))
    turn = rotation(mount)
    origins = np.array([mount.x_m, mount.y_m, mount.z_m]) + arrays.product(starts, turn.T)
    return RayTable(origins, arrays.product(directions, turn.T), max(reach_m, width_m), TOUCH), lengths


@frozen
class Stall(Sampled):
    """Reports that the robot is stalled."""

    kind: ClassVar[str] = "stall"
    card: ClassVar[Card] = touch.STALL
    mixed_times: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc=PERIOD)
    debounce_us: int = rule(0, least=0, doc=_DEBOUNCE)
    hold_us: int = rule(0, least=0, doc=_HOLD)
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the one value."""
        return ("stalled",)

    def nothing(self) -> float:
        """Return the value of an undetected stall."""
        return 0.0

    def memory(self, keys: Keys) -> Memory:
        """Return the state of the motor controller."""
        return fresh_memory(len(keys), 1)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write whether the robot is stalled."""
        out[:] = settled(truth.stalled[rows][:, None], truth.times_us, memory, self.debounce_us, self.hold_us)

    def finish(self, truth: Truth, out: Array) -> None:
        """Report 1 or 0."""
        _as_flags(out)


def _hanging(truth: Truth, rows: Rows, points: Array, travel_m: float) -> Flags:
    """Return which points of robots have no support within a distance below them."""
    down = np.broadcast_to([0.0, 0.0, -1.0], points.shape)
    return below(truth, rows, points, down, points[..., 2], TOUCH, travel_m) > travel_m


@frozen
class WheelDrop(Sampled):
    """Reports which wheels have no ground under them: beyond the edge, over a hole, or lifted."""

    kind: ClassVar[str] = "wheel_drop"
    card: ClassVar[Card] = touch.WHEEL_DROP
    sees_floor: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc=PERIOD)
    wheels: tuple[Mount, ...] = rule(
        (Mount(y_m=0.1175), Mount(y_m=-0.1175)), doc="ground contact point of each wheel, in the robot's frame"
    )
    travel_m: float = rule(0.01, least=0.0, doc="how far a wheel hangs down before it counts as dropped")
    hole_below: float = rule(0.0, least=0.0, most=255.0, doc="ground darker than this grey is a hole; 0: none is")
    debounce_us: int = rule(0, least=0, doc=_DEBOUNCE)
    hold_us: int = rule(0, least=0, doc=_HOLD)
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per wheel."""
        return tuple(f"dropped[{i}]" for i in range(len(self.wheels)))

    def nothing(self) -> float:
        """Return the value of a switch that fails to close."""
        return 0.0

    def memory(self, keys: Keys) -> Memory:
        """Return the state of the switches."""
        return fresh_memory(len(keys), len(self.wheels))

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write which wheels have dropped."""
        points, floor = in_world(truth.poses[rows], on_robot(mount, self.wheels)), truth.around.floor
        dropped = ~floor.on(points) | _hanging(truth, rows, points, self.travel_m)
        if self.hole_below > 0.0:
            dropped |= grey(floor.under(points, np.zeros(dropped.shape))) < self.hole_below
        out[:] = settled(dropped, truth.t_us, memory, self.debounce_us, self.hold_us)

    def finish(self, truth: Truth, out: Array) -> None:
        """Report 1 or 0."""
        _as_flags(out)
