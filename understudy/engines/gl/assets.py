"""The MuJoCo model that holds the meshes and textures of a drawing, without bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.gl.forms import Form, Pixels
from understudy.errors import EngineError

Array = npt.NDArray[np.float64]

SHADOW_M = 10.0  # suns cast shadows this far around a point in front of the camera ...
_SHADOW = 2048  # ... with this resolution each way
_SHARP, _MOST = (
    1024,
    4096,
)  # pixels along a side: smaller textures are enlarged, since OpenGL blends them, larger ones reduced


class MeshFrame(NamedTuple):
    """The frame of a mesh relative to that of the form it was made from."""

    shift: Array  # (3,)
    turn: Array  # (3, 3)


class Assets:
    """Collects meshes and textures by number; both become parts of one model."""

    def __init__(self, mj: Any, quads: int, shadows: bool) -> None:
        self._mj, self._spec = mj, mj.MjSpec()
        quality = self._spec.visual.quality
        quality.offsamples, quality.shadowsize, quality.numquads = 0, _SHADOW if shadows else 0, quads
        self._spec.visual.map.shadowclip, self._spec.stat.extent = SHADOW_M, 1.0
        quality.numslices, quality.numstacks = 32, 16  # of spheres
        self._meshes = self._textures = 0

    def mesh(self, form: Form) -> int:
        """Add a form; return its number."""
        count = 3 * len(form.corners)
        rows = np.arange(count)
        given: dict[str, Any] = {"usernormal": form.normals.reshape(-1), "userfacenormal": rows}
        if form.spots is not None:
            given |= {"usertexcoord": form.spots.reshape(-1), "userfacetexcoord": rows}
        made = self._spec.add_mesh(
            name=f"mesh-{self._meshes}", uservert=form.corners.reshape(-1), userface=rows, **given
        )
        made.inertia = self._mj.mjtMeshInertia.mjMESH_INERTIA_SHELL  # the others need closed meshes
        self._meshes += 1
        return self._meshes - 1

    def texture(self, pixels: Pixels) -> int:
        """Add a texture; return the number of the material that shows it."""
        shown = _sized(pixels)
        name = f"texture-{self._textures}"
        made = self._spec.add_texture(
            name=name, type=self._mj.mjtTexture.mjTEXTURE_2D, width=shown.shape[1], height=shown.shape[0], nchannel=3
        )
        made.data = shown.tobytes()
        material = self._spec.add_material(name=name)
        material.textures[self._mj.mjtTextureRole.mjTEXROLE_RGB] = name
        self._textures += 1
        return self._textures - 1

    def made(self) -> tuple[Any, list[MeshFrame]]:
        """Return the model, and the frame of each of its meshes."""
        try:
            model = self._spec.compile()
        except ValueError as problem:
            raise EngineError(
                f"MuJoCo's renderer cannot draw this scene: {problem}; set the cameras' renderer to rays"
            ) from None
        return model, [self._placing(model, k) for k in range(self._meshes)]

    def _placing(self, model: Any, mesh: int) -> MeshFrame:
        turn = np.empty(9)
        self._mj.mju_quat2Mat(turn, model.mesh_quat[mesh])
        return MeshFrame(model.mesh_pos[mesh].copy(), turn.reshape(3, 3))


def _sized(pixels: Pixels) -> Pixels:
    """Return a texture with a size that OpenGL accepts and shows with sharp edges."""
    for axis in (0, 1):
        side = pixels.shape[axis]
        pixels = pixels.repeat(-(-_SHARP // side), axis=axis) if side < _SHARP else pixels
        step = -(-pixels.shape[axis] // _MOST)
        pixels = pixels[::step] if axis == 0 else pixels[:, ::step]
    return np.ascontiguousarray(pixels)


def swatches(colours: npt.NDArray[np.int16]) -> tuple[Pixels, Array]:
    """Return a texture that holds every colour once, and the position of the colour of each row on it, (rows, 2)."""
    kinds, which = np.unique(colours, axis=0, return_inverse=True)
    side = 1 << max(0, (len(kinds) - 1).bit_length() + 1 >> 1)
    pixels = np.zeros((side * side, 3), np.uint8)
    pixels[: len(kinds)] = kinds
    which = which.reshape(-1)
    spots = np.column_stack([which % side + 0.5, which // side + 0.5]) / side
    return pixels.reshape(side, side, 3), spots
