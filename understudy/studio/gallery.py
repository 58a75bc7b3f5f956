"""Pictures on things, for browsers: handed out under a name that follows from their content, no larger than needed."""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from threading import Lock

from understudy.errors import FormatError
from understudy.formats import texture
from understudy.world.skins import Poster

MOST_SIDE = 2048  # pixels
MOST_MADE = 16


class Gallery:
    """The pictures that descriptions have named; kept by the simulation's thread, handed out by the web's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._posters: dict[str, Poster] = {}
        self._before: dict[str, Poster] = {}  # of the description before: somebody may just ask for them
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def begin(self) -> None:
        """Begin a new description; what only older ones than the last have named is forgotten."""
        with self._lock:
            self._before, self._posters = self._posters, {}

    def keep(self, poster: Poster) -> str:
        """Keep a picture; returns the name under which a browser may have it."""
        name = name_of(poster)
        with self._lock:
            self._posters[name] = poster
        return name

    def png(self, name: str) -> bytes | None:
        """Return a picture as a PNG file; None if there is none of that name or it is damaged."""
        with self._lock:
            poster, made = self._posters.get(name, self._before.get(name)), self._made.get(name)
        if poster is None or made is not None:
            return made
        try:
            made = _encoded(texture.decoded(poster))
        except FormatError:
            return None
        with self._lock:
            self._made[name] = made
            while len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        return made


def name_of(poster: Poster) -> str:
    """Return a name that only equal pictures have."""
    looks = f"{poster.tint} {poster.under} ".encode()
    return hashlib.sha256(looks + hashlib.sha256(poster.data).digest()).hexdigest()[:32]


def _encoded(pixels: texture.Pixels) -> bytes:
    from PIL import Image

    image, made = Image.fromarray(pixels), io.BytesIO()
    image.thumbnail((MOST_SIDE, MOST_SIDE))
    image.save(made, "PNG", compress_level=1)
    return made.getvalue()
