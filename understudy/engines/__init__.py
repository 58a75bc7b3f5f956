"""World and wheel targets in; motion, contacts and rays out.

Each engine fulfils the contract of `base` and is made from a flat scene and a tick.
Engines are looked up here by name and imported only when wanted: compiling takes time.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from understudy.engines.base import Engine
from understudy.errors import EngineError
from understudy.formats.files import Contents
from understudy.world.scene import Scene

ENGINES: dict[str, str] = {
    "planar": "understudy.engines.planar.engine:PlanarEngine",
    "rigid": "understudy.engines.rigid.engine:RigidEngine",
}


def make(name: str, scene: Scene, threads: int = 1, files: Contents | None = None) -> Engine:
    """Return the engine called *name* with *scene* loaded; it may use so many threads, which never changes results.

    *files* are those that the scene names, by content.
    """
    if name not in ENGINES:
        raise EngineError(f"there is no engine {name!r} in this version (have: {', '.join(ENGINES)})")
    module, _, attribute = ENGINES[name].partition(":")
    return cast(Engine, getattr(import_module(module), attribute)(scene, threads, files or {}))
