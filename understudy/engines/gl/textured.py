"""Things with textures: their triangles, grouped by texture, in the frames of their rows in `rays`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.assets.library import Library
from understudy.assets.pictures import texture
from understudy.engines.gl import forms
from understudy.engines.gl.forms import Array, Form, Pixels
from understudy.world import labels
from understudy.world.face_textures import NO_PICTURE, FaceTextures, TextureFile
from understudy.world.scene import Scene
from understudy.world.shapes import Mesh, half_height
from understudy.world.triangles import Triangles

_ALONG = 0.9  # minimum y component of the normal of a long side of a wall, which runs along x


class Piece(NamedTuple):
    """Triangles with one texture, or without: then each has its own colour."""

    form: Form
    pixels: Pixels | None
    colours: npt.NDArray[np.int16]  # (T, 3), or (0, 3)


class Paper(NamedTuple):
    """A texture on the long sides of a wall, and the size of a tile, 0: the size of the wall segment (m)."""

    pixels: Pixels
    size_m: tuple[float, float]
    colour: tuple[int, int, int]

    def pieces(self, half: Array) -> Iterator[Piece]:
        """Yield what is drawn of a wall segment along x with these half sizes."""
        box = forms.prism([(-half[0], -half[1]), (half[0], -half[1]), half[:2].tolist(), (-half[0], half[1])], half[2])
        times = [2.0 * extent / size if size else 1.0 for extent, size in zip(half[::2], self.size_m)]
        long = np.abs(box.normals[:, 0, 1]) > _ALONG
        side, rest = (Form(box.corners[which], box.normals[which]) for which in (long, ~long))
        across = np.where(side.normals[..., 1] > 0.0, -side.corners[..., 0], side.corners[..., 0])
        places = np.stack([across / half[0] + 1.0, side.corners[..., 2] / half[2] + 1.0], axis=-1) / 2.0 * times
        yield Piece(side._replace(spots=_from_top(places)), self.pixels, np.empty((0, 3), np.int16))
        yield Piece(rest, None, np.tile(np.array(self.colour, np.int16), (len(rest.corners), 1)))


class TexturedThings(NamedTuple):
    """By label: what is drawn of things, around the middle of their height or, for meshes, in their own frames."""

    things: dict[int, tuple[Piece, ...]]
    walls: dict[int, Paper]
    album: Mapping[TextureFile, Pixels] = {}

    def worn(self, form: Form, textures: FaceTextures, colours: npt.NDArray[np.int16]) -> Iterator[Piece]:
        """Yield what is drawn of textured triangles, grouped by texture."""
        for number in np.unique(textures.which).tolist():
            mine, pixels = textures.which == number, None
            spots = _from_top(textures.places[mine].astype(np.float64)) if number != NO_PICTURE else None
            if number != NO_PICTURE:
                pixels = self.album[textures.files[number]]
            yield Piece(Form(form.corners[mine], form.normals[mine], spots), pixels, colours[mine])


def textured_things(scene: Scene, library: Library) -> TexturedThings:
    """Return all things with textures."""
    album = _Album(library)
    found = TexturedThings({}, {}, album)
    ground = library.ground_mesh(scene.ground)
    if ground is not None and ground.textures and ground.textures.files:
        found.things[labels.GROUND] = tuple(_pieces(ground, album, 0.0))
    for label, wall in enumerate(scene.walls, labels.FIRST):
        if (texture_file := library.texture_file(wall)) is not None:
            found.walls[label] = Paper(album[texture_file], wall.picture_m or (0.0, 0.0), texture.rgb(wall.colour))
    for label, solid in enumerate(scene.objects, labels.FIRST + len(scene.walls)):
        if (body := library.textured(solid)) is not None:
            down = 0.0 if isinstance(solid.shape, Mesh) else half_height(solid.shape)
            found.things[label] = tuple(_pieces(body, album, down))
    return found


class _Album(dict[TextureFile, Pixels]):
    """Textures, each decoded once: equal textures are the same array."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library

    def __missing__(self, texture_file: TextureFile) -> Pixels:
        levels = self._library.levels(texture_file)
        _, rows, columns = levels.sizes[0].tolist()
        self[texture_file] = levels.pixels[: rows * columns].reshape(rows, columns, 3)
        return self[texture_file]


def _pieces(body: Triangles, album: _Album, down: float) -> Iterator[Piece]:
    assert body.textures is not None
    form, places = forms.flat(body.corners - np.array([0.0, 0.0, down])), body.textures.places.astype(np.float64)
    for number in np.unique(body.textures.which).tolist():
        mine = body.textures.which == number
        part = Form(form.corners[mine], form.normals[mine], _from_top(places[mine]))
        if number == NO_PICTURE:
            colours = body.colours[mine].astype(np.int16) if len(body.colours) else np.empty((0, 3), np.int16)
            yield Piece(part._replace(spots=None), None, colours)
        else:
            yield Piece(part, album[body.textures.files[number]], np.empty((0, 3), np.int16))


def _from_top(places: Array) -> Array:
    """Convert coordinates from the left and bottom to coordinates from the left and top."""
    return np.stack([places[..., 0], 1.0 - places[..., 1]], axis=-1)
