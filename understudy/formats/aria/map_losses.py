"""Reports what a scene loses when it is written as an ARIA map file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from understudy.formats.aria.cairn_types import Effect
from understudy.formats.aria.map_write import NORTH_UP, plan_of
from understudy.world.marks import HOME
from understudy.world.materials import Surface
from understudy.world.resolve import EDGE
from understudy.world.scene import Ground, Origin, Scene, Solid, Thing, Wall
from understudy.world.shapes import Box

_MOST_NAMES = 5
_FEWEST_HEIGHT_M = 1.0


def left_out(scene: Scene) -> list[str]:
    """Return what a map cannot store of *scene*, or stores in another form."""
    return [*_things(scene), *_forms(scene), *_looks(scene), *_settings(scene)]


def _things(scene: Scene) -> Iterator[str]:
    if scene.robots:
        yield f"{_names(scene.robots, 'robot')}: maps do not store robots"
        if not any(mark.tag.type == HOME for mark in scene.marks):
            yield f"the start pose of {scene.robots[0].name or 'the first robot'} is written as the map's {HOME}"
    if scene.balls:
        yield f"{_names(scene.balls, 'ball')}: maps do not store balls"
    if scene.lights:
        yield f"{_names(scene.lights, 'light')}: maps do not store lights"
    if nothing := plan_of(scene).nothing:
        yield f"{_names(nothing, 'object')}: maps store only upright boxes and plain round things (as lines)"


def _forms(scene: Scene) -> Iterator[str]:
    """Yield what is stored in another form."""
    kept = [solid for solid in scene.objects if solid not in plan_of(scene).nothing]
    if round_things := [solid for solid in kept if not isinstance(solid.shape, Box)]:
        yield f"{_names(round_things, 'object')}: round things are written as lines around them"
    if any(wall.thickness_m for wall in scene.walls):
        yield "thick walls are written as lines around them"
    if hidden := [wall for wall in scene.walls if Effect.of(wall.surface) not in (Effect(), Effect(laser=2.0))]:
        yield f"{_names(hidden, 'wall')}: walls that are neither plain nor reflecting are written as thin boxes"
    if pushed := [solid for solid in kept if solid.mass_kg]:
        yield f"{_names(pushed, 'object')}: objects on a map cannot be pushed"
    if not _whole(scene):
        yield "lines and points are rounded to whole millimetres"


def _looks(scene: Scene) -> Iterator[str]:
    things: list[Wall | Solid] = [*scene.walls, *scene.objects]
    if any(_has_height(thing) for thing in things):
        yield "heights: maps are flat"
    if any(thing.surface != _seen(thing.surface) for thing in things):
        yield "surface properties for sensors other than lasers and sonars"
    if any(_is_painted(thing) for thing in things):
        yield "colours"
    if any(thing.picture for thing in things):
        yield "textures"
    if any(wall.name not in ("", EDGE) for wall in scene.walls):
        yield "names of walls"


def _settings(scene: Scene) -> Iterator[str]:
    plain, bare = Scene(), Ground()
    names = ("engine", "seed", "tick_us", "gravity_m_s2", "noise")
    if changed := [name for name in names if getattr(scene, name) != getattr(plain, name)]:
        yield f"settings of the run: {', '.join(changed)}"
    if changed := [
        n for n in ("colour", "picture", "heights", "friction") if getattr(scene.ground, n) != getattr(bare, n)
    ]:
        yield f"the ground's {', '.join(changed)}"
    if scene.origin and scene.origin.north_rad != NORTH_UP:
        yield "the direction of north: on a map it is along y"
    elif scene.origin and scene.origin.date != Origin().date:
        yield "the date"


def _names(things: Iterable[Thing], noun: str) -> str:
    """Return the names of things, or how many there are."""
    names = [thing.name for thing in things]
    if all(names) and len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{len(names)} {noun}{'s' if len(names) != 1 else ''}"


def _whole(scene: Scene) -> bool:
    plan = plan_of(scene)
    values = np.fromiter(chain.from_iterable((*plan.pieces, *plan.dots)), np.float64) * 1000
    return bool(np.all(np.abs(values - np.rint(values)) < 1e-6))


def _has_height(thing: Wall | Solid) -> bool:
    if isinstance(thing, Wall):
        return thing.height_m != _FEWEST_HEIGHT_M
    return bool(thing.pose.z_m) or not isinstance(thing.shape, Box) or thing.shape.size_m[2] != _FEWEST_HEIGHT_M


def _seen(surface: Surface) -> Surface:
    return Effect.of(surface).surface()


def _is_painted(thing: Wall | Solid) -> bool:
    """Return whether a thing has a colour of its own; a tagged thing gets its colour from its type."""
    plain = Wall() if isinstance(thing, Wall) else Solid(shape=thing.shape)
    return thing.tag is None and thing.colour != plain.colour
