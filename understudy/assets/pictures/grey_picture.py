"""Pictures as grey values: portable any-maps (PBM, PGM, PPM) by our own reader, others by Pillow.

Formats: the manual pages pbm(5), pgm(5), ppm(5) of Netpbm.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.errors import FormatError

Grey = npt.NDArray[np.float32]
Values = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]

MOST_PIXELS = 100_000_000
SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"BM", b"GIF8", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
# formats that Pillow may open: not EPS, which runs as a program in Ghostscript
FORMATS = ("PNG", "BMP", "GIF", "JPEG", "TIFF", "PPM", "WEBP", "TGA", "PCX", "XPM", "XBM", "ICO")
PNM = re.compile(rb"P[1-6](?=\s|#)")
_TOKEN = re.compile(rb"(?:[ \t\r\n]|#([^\r\n]*))*([^ \t\r\n#]+)")
_CHANNELS = {1: 1, 2: 1, 3: 3, 4: 1, 5: 1, 6: 3}


@dataclass(frozen=True)
class GreyPicture:
    """Brightness from 0 (black) to 1 (white), the top row first; the transparent pixels; the comment."""

    grey: Grey
    clear: Bools | None = None
    comment: str = ""


def is_picture(data: bytes) -> bool:
    """Return whether a file begins like a picture."""
    return data.startswith(SIGNATURES) or PNM.match(data) is not None


def read(data: bytes, file: str) -> GreyPicture:
    """Return the picture in a file's bytes; colours are averaged; raises FormatError."""
    return _pnm(data, file) if PNM.match(data) else _by_pillow(data, file)


def _grey(values: Values, most: int) -> Grey:
    """Return values of one or more channels as brightness."""
    mean: Grey = values[:, :, 0].astype(np.float32) if values.shape[2] == 1 else values.mean(axis=2, dtype=np.float32)
    mean /= np.float32(most)
    return np.minimum(mean, np.float32(1.0), out=mean)


def to_pgm(grey: npt.NDArray[np.uint8], comment: str) -> bytes:
    """Return a binary PGM file of grey values from 0 to 255, the top row first."""
    height, width = grey.shape
    return f"P5\n# {comment}\n{width} {height}\n255\n".encode() + grey.tobytes()


def to_other(grey: npt.NDArray[np.uint8], suffix: str) -> bytes:
    """Return a file of another format, given by its suffix, of grey or RGB values from 0 to 255, the top row first."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(grey).save(buffer, Image.registered_extensions()[suffix])
    return buffer.getvalue()


# ---- portable any-maps


def _pnm(data: bytes, file: str) -> GreyPicture:
    kind = int(data[1:2])
    header, start, comment = _header(data, 3 if kind in (1, 4) else 4, file)
    width, height = header[:2]
    most = 1 if kind in (1, 4) else header[2]
    if not 0 < most < 65536:
        raise FormatError(f"{file}: the maximum pixel value is {most} (want 1 to 65535)")
    _check_size(width, height, file)
    shape = (height, width, _CHANNELS[kind])
    body = memoryview(data)[start:]
    values = _plain_values(body, kind, shape) if kind < 4 else _binary_values(body, kind, shape, most)
    if values is None:
        raise FormatError(f"{file}: the picture is truncated (want {width} x {height} pixels)")
    grey = _grey(values, most)
    return GreyPicture(1 - grey if kind in (1, 4) else grey, None, comment)


def _header(data: bytes, count: int, file: str) -> tuple[list[int], int, str]:
    """Return the whole numbers of a header, the offset of the pixels, and the comments."""
    numbers, comments, at = [], [], 2
    for _ in range(count - 1):
        found = _TOKEN.match(data, at)
        if not found or not found[2].isdigit() or len(found[2]) > 9:
            raise FormatError(f"{file}: not a picture: its header needs width, height and maximum value")
        comments += [part.strip() for part in re.findall(rb"#([^\r\n]*)", data[at : found.start(2)])]
        numbers.append(int(found[2]))
        at = found.end()
    return numbers, at + 1, b" ".join(comments).decode("latin-1")


def _plain_values(body: memoryview, kind: int, shape: tuple[int, int, int]) -> Values | None:
    """Return values written as text; bits need no spaces between them."""
    text = re.sub(rb"#[^\r\n]*", b"", bytes(body))
    try:
        if kind == 1:
            bits = np.frombuffer(re.sub(rb"\s", b"", text), np.uint8)
            values = bits.astype(np.int64) - ord("0")
        else:
            values = np.array(text.split(), np.int64)
    except (ValueError, OverflowError):
        return None
    count = int(np.prod(shape))
    good = len(values) >= count and (not len(values) or (values.min() >= 0 and (kind > 1 or values.max() <= 1)))
    return values[:count].reshape(shape) if good else None


def _binary_values(body: memoryview, kind: int, shape: tuple[int, int, int], most: int) -> Values | None:
    height, width, channels = shape
    if kind == 4:
        across = (width + 7) // 8
        if len(body) < across * height:
            return None
        rows = np.frombuffer(body, np.uint8, across * height).reshape(height, across)
        return np.unpackbits(rows, axis=1)[:, :width].reshape(shape)
    kind_of_value = np.dtype(">u2" if most > 255 else np.uint8)
    count = height * width * channels
    if len(body) < count * kind_of_value.itemsize:
        return None
    return np.frombuffer(body, kind_of_value, count).reshape(shape)


# ---- other formats


def _by_pillow(data: bytes, file: str) -> GreyPicture:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            _check_size(*picture.size, file)
            return _converted(picture)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, MemoryError):
        raise FormatError(f"{file}: the picture is too large (at most {MOST_PIXELS:,} pixels)") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, LookupError, struct.error) as error:
        raise FormatError(f"{file}: not a valid picture ({_reason(error)})") from None


def _converted(picture: Any) -> GreyPicture:
    """Return one of Pillow's pictures in our form."""
    if picture.mode.startswith("I"):
        deep = np.asarray(picture)
        return GreyPicture(_grey(deep[:, :, None].clip(0), 65535 if deep.max() > 255 else 255))
    if picture.mode in ("1", "L") and "transparency" not in picture.info:
        return GreyPicture(_grey(np.asarray(picture.convert("L"))[:, :, None], 255))
    values = np.asarray(picture.convert("RGBA"))
    clear = values[:, :, 3] < 255
    return GreyPicture(_grey(values[:, :, :3], 255), clear if clear.any() else None)


def _reason(error: Exception) -> str:
    return str(error).partition(" <_io")[0].replace("\n", " ") or type(error).__name__


def _check_size(width: int, height: int, file: str) -> None:
    if width < 1 or height < 1:
        raise FormatError(f"{file}: the picture has no pixels ({width} x {height})")
    if width * height > MOST_PIXELS:
        raise FormatError(f"{file}: the picture is too large: {width} x {height} (at most {MOST_PIXELS:,} pixels)")
