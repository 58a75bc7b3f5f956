"""Engines: world and wheel targets in; motion, contacts and ray casting out.

Each engine implements the contract of `base` and is made from a flat scene and a tick.
Engines are looked up here by name and imported on first use: compiling takes time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from understudy.assets.files import Contents
from understudy.engines.base import Engine
from understudy.errors import EngineError, nearest
from understudy.plugins import Registry, callable_only
from understudy.world.scene import Scene

ENGINES: Mapping[str, Callable[[Scene, int, Contents], Engine]] = Registry(
    "understudy.engines",
    "engine",
    {"planar": f"{__name__}.planar.engine:PlanarEngine", "rigid": f"{__name__}.rigid.engine:RigidEngine"},
    callable_only,
)


def make(name: str, scene: Scene, threads: int = 1, files: Contents | None = None) -> Engine:
    """Return the engine called *name* with *scene* loaded; the number of threads never changes results.

    *files* are the contents of the files that the scene names.
    """
    if name not in ENGINES:
        raise EngineError(f"unknown engine {name!r} {nearest(name, ENGINES)}")
    return ENGINES[name](scene, threads, files or {})
