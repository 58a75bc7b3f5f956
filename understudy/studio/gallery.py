"""Textures for browsers: served under a name that is a hash of their content, scaled down if too large."""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from threading import Lock

from understudy.assets.pictures import texture
from understudy.errors import FormatError
from understudy.world.face_textures import TextureFile

MOST_SIDE = 2048  # pixels
MOST_MADE = 16


class Gallery:
    """The textures that scene descriptions name; stored by the simulation's thread, served by the web server's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._texture_files: dict[str, TextureFile] = {}
        self._before: dict[str, TextureFile] = {}  # of the previous description: a browser may still request them
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def begin(self) -> None:
        """Start a new description; textures that only descriptions before the last one name are forgotten."""
        with self._lock:
            self._before, self._texture_files = self._texture_files, {}

    def keep(self, texture_file: TextureFile) -> str:
        """Store a texture; returns the name under which a browser can request it."""
        name = name_of(texture_file)
        with self._lock:
            self._texture_files[name] = texture_file
        return name

    def png(self, name: str) -> bytes | None:
        """Return a texture as a PNG file; None if the name is unknown or the texture is damaged."""
        with self._lock:
            texture_file, made = self._texture_files.get(name, self._before.get(name)), self._made.get(name)
        if texture_file is None or made is not None:
            return made
        try:
            made = _encoded(texture.decoded(texture_file))
        except FormatError:
            return None
        with self._lock:
            self._made[name] = made
            while len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        return made


def name_of(texture_file: TextureFile) -> str:
    """Return a name that is equal only for equal textures."""
    looks = f"{texture_file.tint} {texture_file.under} ".encode()
    return hashlib.sha256(looks + hashlib.sha256(texture_file.data).digest()).hexdigest()[:32]


def _encoded(pixels: texture.Pixels) -> bytes:
    from PIL import Image

    image, made = Image.fromarray(pixels), io.BytesIO()
    image.thumbnail((MOST_SIDE, MOST_SIDE))
    image.save(made, "PNG", compress_level=1)
    return made.getvalue()
