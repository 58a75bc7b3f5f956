"""Textures of the ground and of things (PNG, JPEG, BMP, PPM): bytes in, rows of red, green and blue out.

They are untrusted, so only these formats are tried, and the size is checked before decoding.
"""

from __future__ import annotations

import io
import math
import struct
import warnings
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError
from understudy.frozen import frozen
from understudy.world.face_textures import TextureFile

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = npt.NDArray[np.uint8]

FORMATS = ("PNG", "JPEG", "BMP", "PPM")
MOST_BYTES = 256_000_000  # of a file
MOST_PIXELS = 64_000_000  # of a ground picture, and of all textures on things together
MOST_ON_A_THING = 16_777_216  # 4096 x 4096, which every graphics card supports
TOO_MANY = f"pictures on things have more than {MOST_PIXELS // 1_000_000} million pixels together; make them smaller"
_ROWS = 256  # blended at once where a picture is transparent
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error)  # what decoders raise


@frozen(eq=False)
class Texture:
    """Pixels by row from the top and column from the left: red, green, blue from 0 to 255; read-only."""

    pixels: Pixels  # (rows, columns, 3)


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour.

    >>> rgb("#3366cc")
    (51, 102, 204)
    """
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def parse(data: bytes, file: str, under: str = "#ffffff", most: int = MOST_PIXELS) -> Texture:
    """Return the picture in *data*; where it is transparent the colour *under* shows, if any; raises FormatError."""
    from PIL import ImageOps

    image = _opened(data, file, most)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unusual metadata
            pixels = _pixels(ImageOps.exif_transpose(image), under)
    except _DAMAGED:
        raise FormatError(f"{file}: the picture is damaged; save it again") from None
    pixels.flags.writeable = False
    return Texture(pixels)


def decoded(texture_file: TextureFile) -> Pixels:
    """Return the pixels of a texture, read-only; raises FormatError."""
    found = parse(texture_file.data, texture_file.name, texture_file.under, MOST_ON_A_THING).pixels
    if texture_file.tint == "#ffffff":
        return found
    levels = np.round(np.outer(np.arange(256), rgb(texture_file.tint)) / 255.0).astype(np.uint8)
    tinted = np.stack([levels[found[:, :, channel], channel] for channel in range(3)], axis=-1)
    tinted.flags.writeable = False
    return tinted


class Levels(NamedTuple):
    """A picture with its mipmaps: each half as wide and high, averaged from the one before, down to one pixel."""

    pixels: Pixels  # (of all levels, 3)
    sizes: npt.NDArray[np.int64]  # (levels, 3): the first pixel, rows, columns


def levels(pixels: Pixels) -> Levels:
    """Return a picture with its mipmaps.

    >>> levels(np.array([[[0, 0, 0], [100, 200, 50]]], np.uint8)).pixels.tolist()
    [[0, 0, 0], [100, 200, 50], [50, 100, 25]]
    """
    from PIL import Image

    parts = [pixels]
    while parts[-1].shape[:2] != (1, 1):
        rows, columns = (max(1, side // 2) for side in parts[-1].shape[:2])
        parts.append(np.asarray(Image.fromarray(parts[-1]).resize((columns, rows), Image.Resampling.BOX)))
    firsts = np.cumsum([0, *(len(part) * part.shape[1] for part in parts)])
    sizes = [(first, *part.shape[:2]) for first, part in zip(firsts, parts)]
    flat = np.concatenate([part.reshape(-1, 3) for part in parts])
    flat.flags.writeable = False
    return Levels(flat, np.array(sizes, np.int64))


def problem(data: bytes, file: str, most: int = MOST_PIXELS) -> str:
    """Return the error in the header of a picture file; empty if it is valid."""
    try:
        _opened(data, file, most)
    except FormatError as problem:
        return str(problem)
    return ""


def pixel_count(data: bytes, file: str) -> int:
    """Return the number of pixels in the header of a picture file; raises FormatError."""
    width, height = _opened(data, file, MOST_PIXELS).size
    return width * height


def _opened(data: bytes, file: str, most: int) -> Image:
    """Return the opened picture, only its header read: format and size."""
    from PIL import Image

    wanted = f"want at most {_spoken(most)} pixels"
    if len(data) > MOST_BYTES:
        raise FormatError(f"{file}: the picture is too large, {len(data):,} bytes; want at most {MOST_BYTES:,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about large pictures: we have our own limit
            image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise FormatError(f"{file}: the picture is too large; {wanted}") from None
    except _DAMAGED:
        raise FormatError(f"{file}: not a supported picture; want PNG, JPEG, BMP or PPM") from None
    width, height = image.size
    if width * height > most:
        raise FormatError(f"{file}: the picture is too large, {width} x {height} pixels; {wanted}")
    return image


def _spoken(pixels: int) -> str:
    """Return a readable limit.

    >>> _spoken(64_000_000), _spoken(4096 * 4096)
    ('64 million', '4096 x 4096')
    """
    side = math.isqrt(pixels)
    return f"{side} x {side}" if side * side == pixels and pixels % 1_000_000 else f"{pixels // 1_000_000} million"


def _pixels(image: Image, under: str) -> Pixels:
    if image.mode.startswith(("I", "F")):  # 16 bits of grey
        grey = np.asarray(image, np.float64) / 257.0
        return np.repeat(grey.clip(0.0, 255.0).round().astype(np.uint8)[:, :, None], 3, axis=2)
    if not image.has_transparency_data:
        return np.array(image.convert("RGB"))
    layers = np.asarray(image.convert("RGBA"))
    return _mixed(layers, rgb(under)) if under else layers[:, :, :3].copy()


def _mixed(layers: Pixels, under: tuple[int, int, int]) -> Pixels:
    """Return red, green and blue over a colour, some rows at a time, to save memory."""
    made = np.empty((*layers.shape[:2], 3), np.uint8)
    for first in range(0, len(layers), _ROWS):
        some = layers[first : first + _ROWS].astype(np.float64)
        share = some[:, :, 3:] / 255.0
        made[first : first + _ROWS] = (some[:, :, :3] * share + np.array(under) * (1.0 - share)).round()
    return made
