"""Textures on triangle meshes: the texture of each face, and the texture coordinates of its corners."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen

Places = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

NO_PICTURE = -1


@frozen
class TextureFile:
    """A texture file on a thing, not yet decoded.

    Its pixels are multiplied by *tint*; where it is transparent, *under* shows, or its own colour if that is empty.
    """

    name: str
    data: bytes = field(repr=False)
    tint: str = "#ffffff"
    under: str = ""


@dataclass(frozen=True, eq=False)
class FaceTextures:
    """The texture mapping of the faces of a body.

    Texture coordinates count from the left and the bottom of the picture, 1 is its full size; beyond that it repeats.
    """

    places: Places  # (M, 3, 2) texture coordinates of the corners of each face; NaN where the file has none
    which: Ints  # (M,) the row of *files*, or NO_PICTURE
    files: tuple[TextureFile, ...] = ()

    @property
    def is_known(self) -> bool:
        """Return whether every corner has texture coordinates."""
        return bool(np.isfinite(self.places).all())

    @property
    def shows(self) -> bool:
        """Return whether any face shows a picture."""
        return bool((self.which != NO_PICTURE).any())

    def of(self, faces: npt.NDArray[np.bool_] | Ints) -> FaceTextures:
        """Return the textures of some of the faces."""
        return replace(self, places=self.places[faces], which=self.which[faces])

    def turned(self) -> FaceTextures:
        """Return the textures of faces with reversed corner order."""
        return replace(self, places=self.places[:, ::-1].copy())

    def showing(self, texture_file: TextureFile) -> FaceTextures:
        """Return these textures with one file on all faces."""
        return replace(self, which=np.zeros(len(self.which), np.int64), files=(texture_file,))


def bare(count: int) -> FaceTextures:
    """Return the entry for so many faces without textures."""
    return FaceTextures(np.full((count, 3, 2), np.nan, np.float32), np.full(count, NO_PICTURE, np.int64))


def joined_textures(bodies: list[FaceTextures | None], counts: list[int]) -> FaceTextures | None:
    """Return the textures of several bodies merged into one, with *counts* faces each; shared files are merged."""
    if all(textures is None for textures in bodies):
        return None
    rows: dict[TextureFile, int] = {}
    parts = [textures or bare(count) for textures, count in zip(bodies, counts)]
    which = []
    for part in parts:
        new = [rows.setdefault(texture_file, len(rows)) for texture_file in part.files]
        which.append(np.array([*new, NO_PICTURE], np.int64)[part.which])  # the last entry: no texture
    return FaceTextures(np.concatenate([part.places for part in parts]), np.concatenate(which), tuple(rows))
