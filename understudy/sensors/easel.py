"""Where cameras get pictures from that MuJoCo's renderer draws: one drawing for each structure of the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from understudy.errors import EngineError
from understudy.formats.files import Contents
from understudy.formats.library import Library
from understudy.sensors.floor import Floor, Palette
from understudy.world.robot import Device, Polygon, Robot
from understudy.world.scene import Scene

if TYPE_CHECKING:
    from understudy.engines.base import Seen
    from understudy.engines.gl.drawing import Drawing
    from understudy.engines.gl.sketch import Looks
    from understudy.engines.rays.solids import SolidWorld

Renderer = Literal["auto", "rays", "gl"]

MOST_TRIANGLES = 4_000_000  # in a drawing
_PER_PIXEL = 2  # with more triangles than this for each pixel rays are faster, which hardly mind how many there are
_PER_SOLID, _PER_SPHERE = 20, 500  # triangles, about, that take as long


class Easel:
    """Says who makes the pictures of a scene, and keeps the drawing while the structure lasts."""

    def __init__(self, scene: Scene, files: Contents) -> None:
        self._files = files
        self._scene = scene  # what is where does not matter here
        insist = [sheet for _, sheet in _cameras(scene) if sheet.renderer == "gl" and "rgb" in sheet.images]
        self._lamps = bool(insist) and _has_lamps(scene)
        suns = any(light.style == "sun" for light in scene.lights)
        self._shadows = suns and any(sheet.shadows for sheet in insist)
        self._drawing: Drawing | None = None

    def draws(self, renderer: Renderer, pixels: int, engine: Seen) -> bool:
        """Say whether pictures of so many pixels are drawn; else they are cast."""
        if renderer == "rays" or (renderer == "auto" and self._scene.engine != "rigid"):
            return False
        from understudy.engines.gl.thread import render_thread

        if render_thread() is None:
            return False
        return renderer == "gl" or _triangles(engine.matter()) <= _PER_PIXEL * pixels

    def drawing(self, engine: Seen, layer: int, palette: Palette, floor: Floor) -> Drawing:
        """Return the drawing of the world as it is."""
        from understudy.engines.gl.drawing import Drawing
        from understudy.engines.gl.thread import render_thread

        world, thread = engine.matter(), render_thread()
        assert thread is not None
        if self._drawing is None or not self._drawing.shows(world):
            if (count := _triangles(world)) > MOST_TRIANGLES:
                raise EngineError(f'{count} triangles are too many to be drawn; let cameras have renderer = "rays"')
            self._drawing = None  # what it holds is given back before more is asked for
            self._drawing = Drawing(thread, world, self._looks(palette, floor), layer)
        return self._drawing

    def _looks(self, palette: Palette, floor: Floor) -> Looks:
        from understudy.engines.gl.dress import dresses_of
        from understudy.engines.gl.forms import Picture
        from understudy.engines.gl.sketch import Looks
        from understudy.engines.rays.things import numbers_of

        bodies = [robot.built.body for robot in self._scene.robots]
        outlines = [body.points_m if isinstance(body, Polygon) else () for body in bodies]
        picture = Picture(floor.pixels, floor.left, floor.top, floor.width, floor.depth)
        dresses = dresses_of(self._scene, Library.of(self._files))
        numbers = numbers_of(self._scene)
        return Looks(numbers, palette.colours, picture, outlines, self._lamps, self._shadows, dresses)


def check(scene: Scene) -> None:
    """Find out who draws if any camera may want it; raises EngineError that names one which insists in vain."""
    wanted = dict(reversed([(sheet.renderer, path) for path, sheet in _cameras(scene)]))  # the first of each
    if "gl" in wanted or ("auto" in wanted and scene.engine == "rigid"):
        from understudy.engines.gl.thread import drawer

        here = drawer()
        if "gl" in wanted and not here.kind:
            raise EngineError(
                f'{wanted["gl"]} wants renderer = "gl": {here.drawer}; renderer = "rays" needs none of it'
            )


def drawer_of(scene: Scene) -> str:
    """Return who makes the pictures of a scene's cameras, such as ``egl llvmpipe``; empty if it has none."""
    wishes = {sheet.renderer for _, sheet in _cameras(scene)}
    if "gl" in wishes or ("auto" in wishes and scene.engine == "rigid"):
        from understudy.engines.gl.thread import drawer

        here = drawer()
        return f"{here.kind} {here.drawer}" if here.kind else "rays"
    return "rays" if wishes else ""


def _devices(scene: Scene) -> Iterator[tuple[Robot, Device]]:
    yield from ((robot, device) for robot in scene.robots for device in robot.built.devices)


def _cameras(scene: Scene) -> Iterator[tuple[str, Any]]:
    """Yield path and data sheet of all that takes pictures."""
    for robot, device in _devices(scene):
        if hasattr(device.sheet, "renderer"):
            yield f"{robot.name}/{device.name}", device.sheet


def _has_lamps(scene: Scene) -> bool:
    carried = any(device.sheet.kind == "lamp" for _, device in _devices(scene))
    return carried or any(light.style == "lamp" for light in scene.lights)


def _triangles(world: SolidWorld) -> int:
    """Return how many triangles a drawing has, about."""
    from understudy.engines.rays.solid_shapes import SPHERE

    spheres = int(np.count_nonzero(world.solids.kind == SPHERE))
    solids = _PER_SOLID * len(world.solids.tags) + _PER_SPHERE * spheres
    land = 0 if world.relief is None else 2 * world.relief.z.size
    return solids + land + (0 if world.meshes is None else int(world.meshes.tags[:, 4].sum()))
