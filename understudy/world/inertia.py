"""Mass distribution of a body: its centre of mass, and its moments of inertia about it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.world.records import rule

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]

SLACK = 0.01  # of the greatest moment: tolerance for rounded numbers
_LEAST = 1e-6  # of the greatest moment: lower bound of the least, and margin of the triangle inequality


@frozen(kw_only=True)
class Inertia:
    """Centre and moments of a mass given elsewhere, along the axes of the frame in which they are given."""

    cog_m: Triple = rule((0.0, 0.0, 0.0), doc="centre of gravity")
    moments_kg_m2: Triple = rule(doc="about x, y and z through the centre of gravity")
    products_kg_m2: Triple = rule((0.0, 0.0, 0.0), doc="the elements xy, xz and yz of the inertia tensor, as in URDF")

    @property
    def tensor(self) -> Array:
        """Return the moments as a matrix, about the centre of gravity (kg m2)."""
        return tensor_of((*self.moments_kg_m2, *self.products_kg_m2))


@dataclass(frozen=True, eq=False)
class Heavy:
    """A mass (kg) with its centre (m) and its inertia tensor about it (kg m2)."""

    mass_kg: float
    cog: Array
    tensor: Array

    def seen(self, turn: Array, at: Array) -> Heavy:
        """Return it in another frame, in which this frame has a given rotation and position."""
        return Heavy(self.mass_kg, at + arrays.product(turn, self.cog), arrays.product(turn, self.tensor, turn.T))


NOTHING = Heavy(0.0, np.zeros(3), np.zeros((3, 3)))


def tensor_of(six: tuple[float, ...]) -> Array:
    """Return the matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def merged(bodies: list[Heavy]) -> Heavy:
    """Return several masses as one, by the parallel axis theorem; NOTHING if their mass is 0."""
    mass = math.fsum(body.mass_kg for body in bodies)
    if not mass > 0.0:
        return NOTHING
    cog = np.sum([body.mass_kg * body.cog for body in bodies], axis=0) / mass
    return Heavy(mass, cog, np.sum([body.tensor + body.mass_kg * away(body.cog - cog) for body in bodies], axis=0))


def away(shift: Array) -> Array:
    """Return the inertia tensor of 1 kg in a point at this offset.

    >>> away(np.array([0.0, 0.0, 2.0])).diagonal().tolist()
    [4.0, 4.0, 0.0]
    """
    return np.asarray(arrays.product(shift, shift) * np.eye(3) - np.outer(shift, shift))


def box(mass_kg: float, size_m: Triple) -> Array:
    """Return the tensor of a box of uniform density."""
    x, y, z = (size * size for size in size_m)
    return np.diag([y + z, x + z, x + y]) * (mass_kg / 12)


def cylinder(mass_kg: float, radius_m: float, height_m: float) -> Array:
    """Return the tensor of an upright cylinder of uniform density."""
    thin = (3 * radius_m * radius_m + height_m * height_m) / 12
    return np.diag([thin, thin, radius_m * radius_m / 2]) * mass_kg


def cone(mass_kg: float, radius_m: float, height_m: float) -> Array:
    """Return the tensor of an upright cone of uniform density."""
    thin = 3 * (4 * radius_m * radius_m + height_m * height_m) / 80
    return np.diag([thin, thin, 0.3 * radius_m * radius_m]) * mass_kg


def ball(mass_kg: float, radius_m: float) -> Array:
    """Return the tensor of a ball of uniform density."""
    return np.eye(3) * (0.4 * mass_kg * radius_m * radius_m)


def why_impossible(tensor: Array) -> str:
    """Return why these moments are physically impossible; empty if they are possible, up to rounding."""
    low, middle, high = np.linalg.eigvalsh(tensor).tolist()
    if not high > 0.0:
        return "its moments are 0" if high == low == 0.0 else "it has negative moments"
    if low < -SLACK * high:
        return "it has negative moments"
    if low + middle < high * (1.0 - SLACK):
        return f"one of its moments, {high:g}, is greater than the sum of the others, {low + middle:g}"
    return ""


def rounded_up(tensor: Array) -> Array:
    """Return moments of a degenerate body, or of rounded numbers, adjusted so that engines can use them."""
    (low, middle, high), ways = np.linalg.eigh(tensor)
    least = max(_LEAST * high, high * (1.0 + _LEAST) - middle)
    if low >= least:
        return tensor
    return np.asarray(arrays.product(ways, np.diag([least, max(middle, least), high]), ways.T))


def findings(inertia: Inertia) -> Iterator[str]:
    """Yield the errors in an inertia."""
    if why := why_impossible(inertia.tensor):
        yield f"physically impossible inertia: {why}"
