"""MuJoCo's renderer for a world of rays: one shape per row, moved to the row's pose before each picture.

All of this runs in the thread that owns OpenGL.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.gl.assets import SHADOW_M, MeshFrame
from understudy.engines.gl.sketch import DEEP_M, Drawn, Looks, Sketch, places_of
from understudy.engines.gl.thread import settings
from understudy.engines.rays.spatial.solids import NOBODY, SolidWorld
from understudy.world import labels

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NEAR_M = 0.005  # anything nearer to the camera than this is not drawn
MOST_LAMPS = 7  # OpenGL has eight lights, and one is the ambient light


class GlLight(NamedTuple):
    """A light: its position or, for a sun, the direction to it; the axis and half the width of its beam."""

    place: Sequence[float]
    axis: Sequence[float]
    half_rad: float  # pi or more: all directions
    brightness: float
    sun: bool


class CameraView(NamedTuple):
    """The view of a camera: image size, position, orientation, and light."""

    width: int
    height: int
    focal: float  # in pixels
    far_m: float
    eye: Array  # (3,)
    turn: Array  # (3, 3), whose columns are ahead, left and up
    owner: int  # things of this robot are not drawn
    ambient: float
    lamps: tuple[GlLight, ...]
    shadows: bool  # of suns; other lights cast none


class Shot(NamedTuple):
    """A picture, row by row from the bottom: colours, labels, and depth buffer, 1 at NEAR_M and 0 at the far end."""

    colours: npt.NDArray[np.uint8] | None
    labels: Ints | None
    closeness: npt.NDArray[np.float32]


class Renderer:
    """Everything in one structure of the world that *layer* sees, ready to be drawn."""

    def __init__(self, mj: Any, kind: str, world: SolidWorld, looks: Looks, layer: int) -> None:
        self._mj = mj
        sketch = Sketch(mj, world, looks, layer)
        model, placings = sketch.assets.made()
        self._note(sketch.drawn, placings)
        with settings(kind):
            self._renderer = mj.MjrContext(model, mj.mjtFontScale.mjFONTSCALE_50)
        self._renderer.readDepthMap = mj.mjtDepthMap.mjDEPTH_ZEROFAR
        self._scene = mj.MjvScene(model, max(len(sketch.drawn), 1))
        self._fill(sketch.drawn)

    def _note(self, drawn: Sequence[Drawn], placings: Sequence[MeshFrame]) -> None:
        """Store labels and frames of all shapes."""
        self._label = np.array([labels.NOTHING, *(shape.label for shape in drawn)], np.int64)
        self._place = np.array([shape.place for shape in drawn], np.int64)
        none = MeshFrame(np.zeros(3), np.eye(3))
        own = [placings[shape.mesh] if shape.mesh >= 0 else none for shape in drawn]
        self._shift = np.array([placing.shift for placing in own]).reshape(-1, 3)
        self._turn = np.array([placing.turn for placing in own]).reshape(-1, 3, 3)
        self._last = np.empty(0)  # poses of the last picture

    def _fill(self, drawn: Sequence[Drawn]) -> None:
        """Add all shapes to MuJoCo's scene."""
        room = self._scene.geoms
        self._shapes = [self._shape(room[k], k, each) for k, each in enumerate(drawn)]
        self._scene.ngeom = len(drawn)
        self._endless = [shape for shape, each in zip(self._shapes, drawn) if each.endless]
        self._owned: dict[int, list[Any]] = {}
        for shape, each in zip(self._shapes, drawn):
            if each.owner != NOBODY:
                self._owned.setdefault(each.owner, []).append(shape)

    def close(self) -> None:
        """Free OpenGL's resources."""
        self._renderer.free()

    def _shape(self, shape: Any, number: int, drawn: Drawn) -> Any:
        mj = self._mj
        kind, rgba = getattr(mj.mjtGeom, f"mjGEOM_{drawn.kind}"), np.array([*drawn.colour, 1.0], np.float32)
        mj.mjv_initGeom(shape, kind, np.array(drawn.size), np.zeros(3), np.eye(3).ravel(), rgba)
        shape.dataid = 2 * drawn.mesh if drawn.mesh >= 0 else -1  # the odd ones are convex hulls
        shape.matid, shape.texcoord = drawn.material, int(drawn.material >= 0)
        shape.segid = number
        shape.specular = shape.shininess = shape.reflectance = 0.0
        return shape

    # ---- pictures

    def shoot(self, world: SolidWorld, view: CameraView, colours: bool, named: bool) -> Shot:
        """Return a picture of the world in its present state: optional colours, optional labels, and always depth."""
        self._put(places_of(world))
        self._aim(view)
        hidden = self._owned.get(view.owner, ())
        for shape in hidden:
            shape.rgba[3] = 0.0
        shown, names = None, None
        closeness = np.empty((view.height, view.width), np.float32)
        if named:
            names = self._label[_numbers(self._taken(view, closeness, ("SEGMENT", "IDCOLOR")))]
        if colours or not named:
            self._light_up(view)
            shown = self._taken(view, closeness, ("SHADOW",) if view.shadows else ())
        for shape in hidden:
            shape.rgba[3] = 1.0
        return Shot(shown, names, closeness)

    def _put(self, places: Array) -> None:
        """Move every shape to the pose of its row; most have not moved."""
        now = places[self._place]
        known = now.shape == self._last.shape
        moved = np.flatnonzero((now != self._last).any(axis=1)) if known else np.arange(len(now))
        self._last = now
        some = now[moved]
        turn = some[:, 3:].reshape(-1, 3, 3)
        at = some[:, :3] + np.einsum("nij,nj->ni", turn, self._shift[moved])
        lie = turn @ self._turn[moved]
        for row, number in enumerate(moved.tolist()):
            self._shapes[number].pos, self._shapes[number].mat = at[row], lie[row]

    def _aim(self, view: CameraView) -> None:
        wide, high = (NEAR_M * side / 2 / view.focal for side in (view.width, view.height))
        for camera in self._scene.camera:
            camera.pos, camera.forward, camera.up = view.eye, view.turn[:, 0], view.turn[:, 2]
            camera.frustum_near, camera.frustum_far = NEAR_M, view.far_m
            camera.frustum_center, camera.frustum_width = 0.0, wide
            camera.frustum_top, camera.frustum_bottom = high, -high
        side, below = 2.0 * view.far_m, -DEEP_M if view.eye[2] >= 0.0 else DEEP_M
        for ground in self._endless:
            ground.size, ground.pos = [side, side, DEEP_M], [*view.eye[:2], below]

    def _light_up(self, view: CameraView) -> None:
        self._scene.nlight = 1 + len(view.lamps)
        everywhere = GlLight((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), math.pi, 0.0, True)
        for number, lamp in enumerate((everywhere, *view.lamps)):
            light, kinds = self._scene.lights[number], self._mj.mjtLightType
            light.type = kinds.mjLIGHT_DIRECTIONAL if lamp.sun else kinds.mjLIGHT_SPOT
            light.pos, light.attenuation = lamp.place, [1.0, 0.0, 0.0] if lamp.sun else [0.0, 0.0, 1.0]
            light.dir = [-value for value in lamp.place] if lamp.sun else lamp.axis
            light.cutoff = math.degrees(lamp.half_rad) if lamp.half_rad <= math.pi / 2 else 180.0
            light.ambient = [view.ambient if number == 0 else 0.0] * 3
            light.diffuse, light.specular, light.exponent = [lamp.brightness] * 3, [0.0] * 3, 0.0
            light.headlight, light.castshadow = 0, int(view.shadows and lamp.sun and number > 0)
            if lamp.sun:  # its shadow map is rendered from there
                light.pos = view.eye + 0.5 * SHADOW_M * view.turn[:, 0] + SHADOW_M * np.array(lamp.place)

    def _taken(
        self, view: CameraView, closeness: npt.NDArray[np.float32], flags: tuple[str, ...]
    ) -> npt.NDArray[np.uint8]:
        """Draw; return colours, and write the depth buffer."""
        mj, renderer = self._mj, self._renderer
        if view.width > renderer.offWidth or view.height > renderer.offHeight:
            wide, high = max(view.width, renderer.offWidth), max(view.height, renderer.offHeight)
            mj.mjr_resizeOffscreen(wide, high, renderer)
        self._scene.flags[:] = 0
        for flag in ("CULL_FACE", *flags):
            self._scene.flags[getattr(mj.mjtRndFlag, f"mjRND_{flag}")] = 1
        part, taken = mj.MjrRect(0, 0, view.width, view.height), np.empty((view.height, view.width, 3), np.uint8)
        mj.mjr_setBuffer(mj.mjtFramebuffer.mjFB_OFFSCREEN, renderer)
        mj.mjr_render(part, self._scene, renderer)
        mj.mjr_readPixels(taken, closeness, part, renderer)
        return taken


def _numbers(colours: npt.NDArray[np.uint8]) -> Ints:
    """Return the shape numbers, from 1, that are encoded in a picture; 0 is none."""
    return np.asarray(colours.astype(np.int64) @ np.array([1, 1 << 8, 1 << 16]))
