"""Pictures on bodies of triangles: which picture each face shows, and where its corners are on it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

NO_PICTURE = -1


@dataclass(frozen=True, slots=True)
class Poster:
    """A picture file as it lies on a thing, not yet decoded.

    Its pixels are multiplied with *tint*; where it is transparent *under* shows, or what it has there if that is empty.
    """

    name: str
    data: bytes = field(repr=False)
    tint: str = "#ffffff"
    under: str = ""


@dataclass(frozen=True, eq=False)
class Skin:
    """How posters lie on the faces of a body.

    A place is how far from the left and from the bottom of the picture, 1 is all of it; beyond that it repeats.
    """

    places: Places  # (M, 3, 2) of the corners of each face; nan where the file does not say
    which: Ints  # (M,) the row of *posters*, or NO_PICTURE
    posters: tuple[Poster, ...] = ()

    @property
    def is_known(self) -> bool:
        """Say whether every corner has a place on a picture."""
        return bool(np.isfinite(self.places).all())

    @property
    def shows(self) -> bool:
        """Say whether any face shows a picture."""
        return bool((self.which != NO_PICTURE).any())

    def of(self, faces: npt.NDArray[np.bool_] | Ints) -> Skin:
        """Return the skin of some of the faces."""
        return replace(self, places=self.places[faces], which=self.which[faces])

    def turned(self) -> Skin:
        """Return the skin of faces whose corners are named in the opposite order."""
        return replace(self, places=self.places[:, ::-1].copy())

    def showing(self, poster: Poster) -> Skin:
        """Return it with one poster on all faces."""
        return replace(self, which=np.zeros(len(self.which), np.int64), posters=(poster,))


def bare(count: int) -> Skin:
    """Return the skin of faces that know nothing of pictures."""
    return Skin(np.full((count, 3, 2), np.nan, np.float32), np.full(count, NO_PICTURE, np.int64))


def joined_skins(skins: list[Skin | None], counts: list[int]) -> Skin | None:
    """Return the skin of several bodies as one, of so many faces each; a poster that several have is there once."""
    if all(skin is None for skin in skins):
        return None
    rows: dict[Poster, int] = {}
    parts = [skin or bare(count) for skin, count in zip(skins, counts)]
    which = []
    for part in parts:
        new = [rows.setdefault(poster, len(rows)) for poster in part.posters]
        which.append(np.array([*new, NO_PICTURE], np.int64)[part.which])  # the last stands for none
    return Skin(np.concatenate([part.places for part in parts]), np.concatenate(which), tuple(rows))
