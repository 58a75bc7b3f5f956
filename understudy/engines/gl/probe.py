"""Try one kind of OpenGL in a separate process, since a broken one may abort: ``probe.py egl`` prints the driver.

It draws a red box the same way as `renderer`, checks the picture, and exits with 0 only if it is correct.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

_SIDE = 16


def main(kind: str) -> int:
    """Return the exit code: 0 if pictures are correct."""
    context = import_module(f"mujoco.{kind}").GLContext(_SIDE, _SIDE)
    context.make_current()
    picture, drawer = _picture()
    context.free()
    right = picture[_SIDE // 2, _SIDE // 2].tolist() == [255, 0, 0] and picture[0, 0].tolist() == [0, 0, 0]
    sys.stdout.write(drawer)
    return 0 if right else 1


def _picture() -> tuple[npt.NDArray[np.uint8], str]:
    import mujoco
    from OpenGL import GL

    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = _SIDE, _SIDE
    spec.visual.quality.offsamples = spec.visual.quality.shadowsize = 0
    model = spec.compile()
    renderer = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, renderer)
    scene = _red_box(mujoco, model)
    whole, picture = mujoco.MjrRect(0, 0, _SIDE, _SIDE), np.zeros((_SIDE, _SIDE, 3), np.uint8)
    mujoco.mjr_render(whole, scene, renderer)
    mujoco.mjr_readPixels(picture, None, whole, renderer)
    drawer = GL.glGetString(GL.GL_RENDERER).decode("ascii", "replace")
    renderer.free()
    return picture, drawer


def _red_box(mj: Any, model: Any) -> Any:
    """Return a scene of one box straight ahead."""
    scene = mj.MjvScene(model, 1)
    red, box = np.array([1.0, 0.0, 0.0, 1.0], np.float32), mj.mjtGeom.mjGEOM_BOX
    mj.mjv_initGeom(scene.geoms[0], box, np.full(3, 0.3), np.array([1.0, 0.0, 0.0]), np.eye(3).ravel(), red)
    scene.geoms[0].emission, scene.ngeom = 1.0, 1
    scene.flags[:] = 0
    for camera in scene.camera:
        camera.pos, camera.forward, camera.up = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        camera.frustum_near, camera.frustum_far, camera.frustum_width = 0.01, 10.0, 0.01
        camera.frustum_center, camera.frustum_top, camera.frustum_bottom = 0.0, 0.01, -0.01
    return scene


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
