"""The catalogue of figures: ready looks of robots, devices and furniture, a TOML file each."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources

from understudy.errors import UnknownName, nearest
from understudy.world.looks import Figure, FigureModel, Look, Place
from understudy.world.records import from_plain
from understudy.world.shapes import Mount


@cache
def names() -> tuple[str, ...]:
    """Return the names of all figures."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def figure(name: str) -> FigureModel:
    """Return a figure of the catalogue; raises UnknownName."""
    if name not in names():
        raise UnknownName(f"no such look {name!r} {nearest(name, names())}")
    text = (resources.files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    return from_plain(FigureModel, tomllib.loads(text))


def mounts(look: Look) -> tuple[Mount, ...]:
    """Return where a look is, on its mount: there, or at each of its places."""
    return tuple(map(_mount, look.places)) or (Mount(),)


def _mount(place: Place) -> Mount:
    x, y, z, *angles = place
    roll, pitch, yaw = map(math.radians, angles)
    return Mount(x, y, z, yaw, pitch, roll)


def solids(looks: tuple[Look, ...], least_m: float = 0.0) -> Iterator[tuple[Look, tuple[Mount, ...]]]:
    """Yield looks that are not figures, with the mounts that lead to each; small parts of figures are left out."""
    for look in looks:
        if not isinstance(look.shape, Figure):
            yield from ((look, (look.mount, mount)) for mount in mounts(look))
            continue
        for part in figure(look.shape.name).looks:
            if extent_m(part) < least_m:
                continue
            worn = dataclasses.replace(part, joint=look.joint, colour=part.colour or look.colour)
            yield from ((worn, (look.mount, on, part.mount, mount)) for on in mounts(look) for mount in mounts(part))


def extent_m(look: Look) -> float:
    """Return about the longest side of a look (m); 0 for a mesh or a figure."""
    shape = look.shape
    outline = max((2 * abs(value) for point in getattr(shape, "points_m", ()) for value in point), default=0.0)
    sides = (*getattr(shape, "size_m", ()), 2 * getattr(shape, "radius_m", 0.0), getattr(shape, "height_m", 0.0))
    return float(max(*sides, outline, 0.0))
