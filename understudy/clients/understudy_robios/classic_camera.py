"""The classic camera and image processing: 80 x 60 pixels with a border of one; img[row][column] as in C."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from . import images
from .calls import NO_EFFECT, current, local, robios
from .camera import picture
from .classic_constants import EYECAM, FPS3_75, NOCAM, imagecolumns, imagerows
from .values import image_bytes, store, whole, write_image

__all__ = [
    "CAMGet", "CAMGetColFrame", "CAMGetFrame", "CAMInit", "CAMMode", "CAMRelease", "CAMSet", "IPColor2Grey", "IPDiffer",
    "IPDither", "IPLaplace", "IPSobel", "colimage", "image",
]  # fmt: skip
image = ctypes.c_ubyte * imagecolumns * imagerows
colimage = ctypes.c_ubyte * 3 * imagecolumns * imagerows
_PIXELS = imagecolumns * imagerows
_settings = [FPS3_75, 0, 0]
_LEVELS = ((51, 153), (204, 102))  # of the dither pattern


@robios(starts=True)
def CAMInit(mode: Any = 0) -> int:
    """Start the camera and return its version; NOCAM without one."""
    present = current().greeting.values.get("camera", "0") != "0" or os.environ.get("EYESIM_CAMERA")
    return EYECAM if present else NOCAM


@robios()
def CAMRelease() -> int:
    """Stop the camera."""
    return 0


def _framed(inner: bytes, channels: int) -> bytes:
    """Return a picture with its border, which is black."""
    row, gap = (imagecolumns - 2) * channels, bytes(channels)
    rows = (gap + inner[at : at + row] + gap for at in range(0, len(inner), row))
    edge = bytes(imagecolumns * channels)
    return edge + b"".join(rows) + edge


def _given(data: bytes, target: Any, kind: Any) -> Any:
    if target is None:
        return kind.from_buffer_copy(data)
    write_image(target, data)
    return 0


def _taken() -> bytes:
    return picture(current(), imagecolumns - 2, imagerows - 2)


@robios(starts=True)
def CAMGetFrame(buf: Any = None) -> Any:
    """Return a gray image; with one, store it there."""
    return _given(_framed(images.gray_of(_taken()), 1), buf, image)


@robios(starts=True)
def CAMGetColFrame(buf: Any = None, convert: Any = 0) -> Any:
    """Return a colour image, or with convert TRUE a gray one; with one, store it there."""
    if whole(convert):
        return _given(_framed(images.gray_of(_taken()), 1), buf, image)
    return _given(_framed(_taken(), 3), buf, colimage)


@robios(support=NO_EFFECT)
def CAMSet(para1: Any, para2: Any = 0, para3: Any = 0) -> int:
    """Set parameters of the camera, such as the frame rate; they are kept."""
    _settings[:] = [whole(para1), whole(para2), whole(para3)]
    return 0


@robios(support=NO_EFFECT)
def CAMGet(para1: Any = None, para2: Any = None, para3: Any = None) -> Any:
    """Return the parameters of the camera; with three ctypes ints, store them there."""
    if para1 is None:
        return list(_settings)
    for target, value in zip((para1, para2, para3), _settings):
        store(target, value)
    return 0


@robios(support=NO_EFFECT)
def CAMMode(mode: Any) -> int:
    """Switch automatic brightness."""
    return 0


# ---- image processing


def _gray(picture: Any) -> bytes:
    return image_bytes(picture, _PIXELS)


@local()
def IPLaplace(src: Any, dest: Any = None) -> Any:
    """Return the edges of a gray image after Laplace."""
    return _given(images.laplace(_gray(src), imagecolumns), dest, image)


@local()
def IPSobel(src: Any, dest: Any = None) -> Any:
    """Return the edges of a gray image after Sobel."""
    return _given(images.sobel(_gray(src), imagecolumns), dest, image)


@local()
def IPDither(src: Any, dest: Any = None) -> Any:
    """Return a gray image in black (1) and white (0), by a pattern of 2 x 2 pixels."""
    gray = _gray(src)
    data = bytes(value < _LEVELS[at // imagecolumns % 2][at % imagecolumns % 2] for at, value in enumerate(gray))
    return _given(data, dest, image)


@local()
def IPDiffer(current: Any, last: Any, dest: Any = None) -> Any:
    """Return the difference of two gray images."""
    return _given(bytes(abs(one - two) for one, two in zip(_gray(current), _gray(last))), dest, image)


@local()
def IPColor2Grey(src: Any, dest: Any = None) -> Any:
    """Return a colour image as a gray one."""
    return _given(images.gray_of(image_bytes(src, 3 * _PIXELS)), dest, image)
