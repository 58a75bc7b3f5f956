"""Camera images drawn by MuJoCo's renderer: one drawing for each structure of the world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.errors import EngineError
from understudy.sensors.floor import GroundPicture, Palette
from understudy.world.robot import DeviceSpec, PlacedRobot, Polygon
from understudy.world.scene import Scene

if TYPE_CHECKING:
    from understudy.engines.base import Seen
    from understudy.engines.gl.drawing import Drawing
    from understudy.engines.gl.sketch import Looks
    from understudy.engines.rays.spatial.solids import SolidWorld

Renderer = Literal["auto", "rays", "gl"]

MOST_TRIANGLES = 4_000_000  # in a drawing
_PER_PIXEL = 2  # with more triangles per pixel than this, rays are faster: they depend little on the triangle count
_PER_SOLID, _PER_SPHERE = 20, 500  # approximate number of triangles with the same cost


class Easel:
    """Chooses the renderer of a scene's cameras and keeps the drawing until the structure changes."""

    def __init__(self, scene: Scene, files: Contents) -> None:
        self._files = files
        self._scene = scene  # positions do not matter here
        insist = [sheet for _, sheet in _cameras(scene) if sheet.renderer == "gl" and "rgb" in sheet.images]
        self._lamps = bool(insist) and _has_lamps(scene)
        suns = any(light.style == "sun" for light in scene.lights)
        self._shadows = suns and any(sheet.shadows for sheet in insist)
        self._drawing: Drawing | None = None

    def draws(self, renderer: Renderer, pixels: int, engine: Seen) -> bool:
        """Return whether images of this size are drawn; otherwise they are ray-cast."""
        if renderer == "rays" or (renderer == "auto" and self._scene.engine != "rigid"):
            return False
        from understudy.engines.gl.thread import render_thread

        if render_thread() is None:
            return False
        return renderer == "gl" or _triangles(engine.matter()) <= _PER_PIXEL * pixels

    def drawing(self, engine: Seen, layer: int, palette: Palette, floor: GroundPicture) -> Drawing:
        """Return the drawing of the world in its present state."""
        from understudy.engines.gl.drawing import Drawing
        from understudy.engines.gl.thread import render_thread

        world, thread = engine.matter(), render_thread()
        assert thread is not None
        if self._drawing is None or not self._drawing.shows(world):
            if (count := _triangles(world)) > MOST_TRIANGLES:
                raise EngineError(f'{count} triangles are too many for OpenGL; set renderer = "rays" for the cameras')
            self._drawing = None  # free its resources before allocating more
            self._drawing = Drawing(thread, world, self._looks(palette, floor), layer)
        return self._drawing

    def _looks(self, palette: Palette, floor: GroundPicture) -> Looks:
        from understudy.engines.gl.forms import GroundTexture
        from understudy.engines.gl.sketch import Looks
        from understudy.engines.gl.textured import textured_things
        from understudy.engines.rays.spatial.hits import numbers_of

        bodies = [robot.built.body for robot in self._scene.robots]
        outlines = [body.points_m if isinstance(body, Polygon) else () for body in bodies]
        picture = GroundTexture(floor.pixels, floor.left, floor.top, floor.width, floor.depth)
        textured = textured_things(self._scene, Library.of(self._files))
        numbers = numbers_of(self._scene)
        return Looks(numbers, palette.colours, picture, outlines, self._lamps, self._shadows, textured)


def check(scene: Scene) -> None:
    """Detect OpenGL if any camera may use it; raises EngineError that names a camera which requires it in vain."""
    cameras = dict(reversed([(sheet.renderer, path) for path, sheet in _cameras(scene)]))  # the first camera of each
    if "gl" in cameras or ("auto" in cameras and scene.engine == "rigid"):
        from understudy.engines.gl.thread import drawer

        here = drawer()
        if "gl" in cameras and not here.kind:
            raise EngineError(
                f'{cameras["gl"]}: renderer = "gl" is not available: {here.drawer}; renderer = "rays" needs no OpenGL'
            )


def drawer_of(scene: Scene) -> str:
    """Return the renderer of a scene's cameras, such as ``egl llvmpipe``; empty if it has no cameras."""
    renderers = {sheet.renderer for _, sheet in _cameras(scene)}
    if "gl" in renderers or ("auto" in renderers and scene.engine == "rigid"):
        from understudy.engines.gl.thread import drawer

        here = drawer()
        return f"{here.kind} {here.drawer}" if here.kind else "rays"
    return "rays" if renderers else ""


def _devices(scene: Scene) -> Iterator[tuple[PlacedRobot, DeviceSpec]]:
    yield from ((robot, device) for robot in scene.robots for device in robot.built.devices)


def _cameras(scene: Scene) -> Iterator[tuple[str, Any]]:
    """Yield path and data sheet of all cameras."""
    for robot, device in _devices(scene):
        if device.sheet.renderer is not None:
            yield f"{robot.name}/{device.name}", device.sheet


def _has_lamps(scene: Scene) -> bool:
    carried = any(device.sheet.kind == "lamp" for _, device in _devices(scene))
    return carried or any(light.style == "lamp" for light in scene.lights)


def _triangles(world: SolidWorld) -> int:
    """Return the approximate number of triangles in a drawing."""
    from understudy.engines.rays.spatial.solid_shapes import SPHERE

    spheres = int(np.count_nonzero(world.solids.kind == SPHERE))
    solids = _PER_SOLID * len(world.solids.tags) + _PER_SPHERE * spheres
    land = 0 if world.relief is None else 2 * world.relief.z.size
    return solids + land + (0 if world.meshes is None else int(world.meshes.tags[:, 4].sum()))
