"""Pictures that lie on ground or things (PNG, JPEG, BMP, PPM): bytes in, rows of red, green and blue out.

They come from strangers, so only these formats are tried, and the size is looked at before anything is decoded.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = npt.NDArray[np.uint8]

FORMATS = ("PNG", "JPEG", "BMP", "PPM")
MOST_PIXELS = 64_000_000
_MOST = f"{MOST_PIXELS // 1_000_000} million pixels"
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error)  # what decoders raise


@dataclass(frozen=True, slots=True, eq=False)
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


def parse(data: bytes, file: str, under: str = "#ffffff") -> Texture:
    """Return the picture in *data*; where it is transparent the colour *under* shows; raises FormatError."""
    from PIL import ImageOps

    image = _opened(data, file)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd notes beside the pixels
            pixels = _pixels(ImageOps.exif_transpose(image), rgb(under))
    except _DAMAGED:
        raise FormatError(f"{file}: the picture is damaged; save it again") from None
    pixels.flags.writeable = False
    return Texture(pixels)


def mistake(data: bytes, file: str) -> str:
    """Return what the head of a picture file shows to be wrong with it; empty if nothing is."""
    try:
        _opened(data, file)
    except FormatError as problem:
        return str(problem)
    return ""


def _opened(data: bytes, file: str) -> Image:
    """Return the picture as far as its head tells: what it is and how large."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large pictures: we have a limit of our own
            image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise FormatError(f"{file}: the picture is too large; want at most {_MOST}") from None
    except _DAMAGED:
        raise FormatError(f"{file}: not a picture that can be read here; want PNG, JPEG, BMP or PPM") from None
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise FormatError(f"{file}: the picture is too large, {width} x {height} pixels; want at most {_MOST}")
    return image


def _pixels(image: Image, under: tuple[int, int, int]) -> Pixels:
    if image.mode.startswith(("I", "F")):  # 16 bits of grey
        grey = np.asarray(image, np.float64) / 257.0
        return np.repeat(grey.clip(0.0, 255.0).round().astype(np.uint8)[:, :, None], 3, axis=2)
    if not image.has_transparency_data:
        return np.array(image.convert("RGB"))
    layers = np.asarray(image.convert("RGBA"), np.float64)
    share = layers[:, :, 3:] / 255.0
    mixed = layers[:, :, :3] * share + np.array(under) * (1.0 - share)
    return np.asarray(mixed.round(), np.uint8)
