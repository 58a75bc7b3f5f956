"""A drawing of a world, for those who live in other threads: handed over, waited for, given back by itself."""

from __future__ import annotations

from functools import partial
from typing import cast
from weakref import finalize

from understudy.engines.gl.canvas import Canvas, Shot, View
from understudy.engines.gl.sketch import Looks
from understudy.engines.gl.thread import RenderThread
from understudy.engines.rays.solids import SolidWorld
from understudy.engines.rigid.bodies import library


class Drawing:
    """What *layer* sees of one structure of the world."""

    def __init__(self, thread: RenderThread, world: SolidWorld, looks: Looks, layer: int) -> None:
        self._thread, self._world = thread, world
        number, canvas = thread.keep(partial(Canvas, library(), thread.kind, world, looks, layer))
        self._canvas = cast(Canvas, canvas)
        finalize(self, thread.drop, number)

    def shows(self, world: SolidWorld) -> bool:
        """Say whether it is a drawing of this world, wherever its things are."""
        return self._world is world

    def shot(self, view: View, colours: bool, named: bool) -> Shot:
        """Return a picture of the world as it is now: colours if wanted, labels if wanted, and always closeness."""
        return self._thread.call(partial(self._canvas.shoot, self._world, view, colours, named))
