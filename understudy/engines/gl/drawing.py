"""A drawing of a world for use from other threads: it passes jobs to the render thread and frees itself."""

from __future__ import annotations

from functools import partial
from typing import cast
from weakref import finalize

from understudy.engines.gl.renderer import CameraView, Renderer, Shot
from understudy.engines.gl.sketch import Looks
from understudy.engines.gl.thread import RenderThread
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rigid.bodies import library


class Drawing:
    """What *layer* sees of one structure of the world."""

    def __init__(self, thread: RenderThread, world: SolidWorld, looks: Looks, layer: int) -> None:
        self._thread, self._world = thread, world
        number, canvas = thread.keep(partial(Renderer, library(), thread.kind, world, looks, layer))
        self._canvas = cast(Renderer, canvas)
        finalize(self, thread.drop, number)

    def shows(self, world: SolidWorld) -> bool:
        """Return whether it is a drawing of this world, at any poses."""
        return self._world is world

    def shot(self, view: CameraView, colours: bool, named: bool) -> Shot:
        """Return a picture of the world in its present state: optional colours, optional labels, and always depth."""
        return self._thread.call(partial(self._canvas.shoot, self._world, view, colours, named))
