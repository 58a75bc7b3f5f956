"""Image processing: the size is that of IPSetSize or CAMInit. Buffers of any kind come in, signed bytes go out.

Hue: a sixth of the colour circle is 42 units (red 42, yellow 84, green 126, cyan 168, blue 210, magenta 0); gray is 0;
saturation and intensity are 0 to 255. After T. Braeunl, Embedded Robotics (chapter on colour).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .calls import local
from .constants import SIZES
from .pictures import read_picture, written
from .values import image_bytes, signed_bytes, store, text, whole, write_image

__all__ = [
    "IPPRGB2HSI",
    "IPCol2Gray",
    "IPCol2HSI",
    "IPGray2Col",
    "IPLaplace",
    "IPOverlay",
    "IPOverlayGray",
    "IPPCol2HSI",
    "IPPCol2RGB",
    "IPPRGB2Col",
    "IPPRGB2Hue",
    "IPRGB2Col",
    "IPReadFile",
    "IPSetSize",
    "IPSobel",
    "IPWriteFile",
    "IPWriteFileGray",
]  # fmt: skip


class ImageSize:
    """The size of images: set by IPSetSize and CAMInit."""

    width, height = SIZES[0]

    @property
    def pixels(self) -> int:
        """Return the number of pixels."""
        return self.width * self.height


size = ImageSize()


def _gray(image: Any) -> bytes:
    return image_bytes(image, size.pixels)


def _colour(image: Any) -> bytes:
    return image_bytes(image, 3 * size.pixels)


def _given(data: bytes | bytearray, target: Any) -> Any:
    """Return an image as a new buffer, or write it to the one that the program gave."""
    if target is None:
        return signed_bytes(data)
    write_image(target, data)
    return 0


@local()
def IPSetSize(resolution: Any) -> int:
    """Set the size of images: QQVGA, QVGA, VGA ...; 1 for others."""
    chosen = SIZES.get(whole(resolution))
    if chosen is None:
        return 1
    size.width, size.height = chosen
    return 0


# ---- files


@local()
def IPReadFile(filename: Any, img: Any = None) -> Any:
    """Return [code, image] of a PNM or PNG file, filled or cropped: code 3 colour, 2 gray, 1 binary, -1 error."""
    try:
        picture = read_picture(text(filename))
    except (OSError, ValueError):
        return [-1, signed_bytes(bytes(3 * size.pixels))] if img is None else -1
    data = picture.cropped(size.width, size.height)
    code = 3 if picture.channels == 3 else 1 if picture.binary else 2
    if img is None:
        return [code, signed_bytes(data)]
    write_image(img, data)
    return code


@local()
def IPWriteFile(filename: Any, img: Any) -> int:
    """Write a colour image as PPM file; 1 if that fails."""
    return _write(filename, 3, _colour(img))


@local()
def IPWriteFileGray(filename: Any, gray: Any) -> int:
    """Write a gray image as PGM file; 1 if that fails."""
    return _write(filename, 1, _gray(gray))


def _write(filename: Any, channels: int, data: bytes) -> int:
    try:
        Path(text(filename)).write_bytes(written(size.width, size.height, channels, data))
    except OSError:
        return 1
    return 0


# ---- edges; the border of one pixel is black


def _rows(gray: bytes, width: int) -> list[bytes]:
    return [gray[at : at + width] for at in range(0, len(gray), width)]


def _framed(rows: Iterable[bytes], width: int) -> bytes:
    black = bytes(width)
    return black + b"".join([b"\0" + row + b"\0" for row in rows]) + black


def laplace(gray: bytes, width: int) -> bytes:
    """Return the edges of a gray image: four times a pixel less its neighbours, absolute, at most 255."""
    rows = _rows(gray, width)
    return _framed(map(_laplace_row, rows, rows[1:], rows[2:]), width)


def _laplace_row(above: bytes, row: bytes, below: bytes) -> bytes:
    around = zip(row, row[1:], row[2:], above[1:], below[1:])
    return bytes([min(abs(4 * here - left - right - over - under), 255) for left, here, right, over, under in around])


def sobel(gray: bytes, width: int) -> bytes:
    """Return the edges of a gray image: the sum of both gradients, absolute, divided by 3, at most 255."""
    rows = _rows(gray, width)
    return _framed(map(_sobel_row, rows, rows[1:], rows[2:]), width)


def _sobel_row(above: bytes, row: bytes, below: bytes) -> bytes:
    corners = zip(above, above[1:], above[2:], row, row[2:], below, below[1:], below[2:])
    return bytes([
        min((abs(c + 2 * e + h - a - 2 * d - f) + abs(a + 2 * b + c - f - 2 * g - h)) // 3, 255)
        for a, b, c, d, e, f, g, h in corners
    ])  # fmt: skip


@local()
def IPLaplace(grayIn: Any, grayOut: Any = None) -> Any:
    """Return the edges of a gray image after Laplace."""
    return _given(laplace(_gray(grayIn), size.width), grayOut)


@local()
def IPSobel(grayIn: Any, grayOut: Any = None) -> Any:
    """Return the edges of a gray image after Sobel."""
    return _given(sobel(_gray(grayIn), size.width), grayOut)


# ---- colours


def gray_of(rgb: bytes) -> bytes:
    """Return a colour image as a gray one: the mean of red, green and blue."""
    return bytes([(red + green + blue) // 3 for red, green, blue in zip(rgb[::3], rgb[1::3], rgb[2::3])])


def hue_of(red: int, green: int, blue: int) -> int:
    """Return the hue of a colour, 0 to 252; 0 for gray."""
    most, least = max(red, green, blue), min(red, green, blue)
    spread = most - least
    if 2 * spread <= most:  # too pale for a hue
        return 0
    if most == red:
        return 42 + 42 * (green - blue) // spread if green >= blue else 42 - 42 * (blue - green) // spread
    if most == green:
        return 126 + 42 * (blue - red) // spread if blue >= red else 126 - 42 * (red - blue) // spread
    return 210 + 42 * (red - green) // spread if red >= green else 210 - 42 * (green - red) // spread


def hsi_of(red: int, green: int, blue: int) -> tuple[int, int, int]:
    """Return hue, saturation and intensity of a colour."""
    total, least = red + green + blue, min(red, green, blue)
    saturation = 255 - 765 * least // total if total else 0
    return hue_of(red, green, blue), saturation, total // 3


class _KnownColours(dict):  # type: ignore[type-arg]
    """Colours that were converted before: images have few."""

    def __missing__(self, rgb: tuple[int, int, int]) -> tuple[int, int, int]:
        if len(self) > 200_000:
            self.clear()
        self[rgb] = found = hsi_of(*rgb)
        return found


_known = _KnownColours()


@local()
def IPCol2Gray(img: Any, gray: Any = None) -> Any:
    """Return a colour image as a gray one."""
    return _given(gray_of(_colour(img)), gray)


@local()
def IPGray2Col(gray: Any, img: Any = None) -> Any:
    """Return a gray image as a colour one."""
    data = _gray(gray)
    return _given(_mixed(data, data, data), img)


def _mixed(red: bytes, green: bytes, blue: bytes) -> bytearray:
    rgb = bytearray(3 * len(red))
    rgb[::3], rgb[1::3], rgb[2::3] = red, green, blue
    return rgb


@local()
def IPRGB2Col(r: Any, g: Any, b: Any, img: Any = None) -> Any:
    """Return three planes as one colour image."""
    return _given(_mixed(_gray(r), _gray(g), _gray(b)), img)


@local()
def IPCol2HSI(img: Any, h: Any = None, s: Any = None, i: Any = None) -> Any:
    """Return the planes [hue, saturation, intensity] of a colour image."""
    rgb = _colour(img)
    pixels = [_known[pixel] for pixel in zip(rgb[::3], rgb[1::3], rgb[2::3])]
    planes = [bytes(plane) for plane in zip(*pixels)]
    if h is None:
        return [signed_bytes(plane) for plane in planes]
    for plane, target in zip(planes, (h, s, i)):
        write_image(target, plane)
    return 0


@local()
def IPOverlay(c1: Any, c2: Any, cOut: Any = None) -> Any:
    """Return a colour image with the pixels of another on it that are not black."""
    below, above = _colour(c1), _colour(c2)
    shown = bytes(255 if any(pixel) else 0 for pixel in zip(above[::3], above[1::3], above[2::3]))
    return _given(_masked(below, above, bytes(_mixed(shown, shown, shown))), cOut)


def _masked(below: bytes, above: bytes, mask: bytes) -> bytes:
    """Return *above* where the mask is 255, else *below*; whole images are numbers here, because that is fast."""
    length = len(below)
    under, over, where = (int.from_bytes(data, "little") for data in (below, above, mask))
    return ((under & ~where) | (over & where)).to_bytes(length, "little")


@local()
def IPOverlayGray(g1: Any, g2: Any, col: Any, cOut: Any = None) -> Any:
    """Return a gray image in colour, with the pixels of another on it that are not 0, in one colour."""
    below, shown = _gray(g1), _gray(g2).translate(b"\0" + b"\xff" * 255)
    paint = bytes((whole(col) >> shift) & 255 for shift in (16, 8, 0)) * size.pixels
    mask = bytes(_mixed(shown, shown, shown))
    return _given(_masked(bytes(_mixed(below, below, below)), paint, mask), cOut)


# ---- single pixels


def _parts(col: Any) -> tuple[int, int, int]:
    value = whole(col)
    return value >> 16 & 255, value >> 8 & 255, value & 255


def _three(values: Iterable[int], targets: tuple[Any, Any, Any]) -> Any:
    if targets[0] is None:
        return list(values)
    for target, value in zip(targets, values):
        store(target, value)
    return 0


@local()
def IPPRGB2Col(r: Any, g: Any, b: Any) -> int:
    """Return red, green and blue as a colour 0xRRGGBB."""
    return (whole(r) & 255) << 16 | (whole(g) & 255) << 8 | whole(b) & 255


@local()
def IPPCol2RGB(col: Any, r: Any = None, g: Any = None, b: Any = None) -> Any:
    """Return a colour as [red, green, blue]; with three ctypes values, store them there."""
    return _three(_parts(col), (r, g, b))


@local()
def IPPCol2HSI(col: Any, h: Any = None, s: Any = None, i: Any = None) -> Any:
    """Return a colour as [hue, saturation, intensity]; with three ctypes values, store them there."""
    return _three(hsi_of(*_parts(col)), (h, s, i))


@local()
def IPPRGB2Hue(r: Any, g: Any, b: Any) -> int:
    """Return the hue of red, green and blue; 0 for gray."""
    return hue_of(whole(r) & 255, whole(g) & 255, whole(b) & 255)


@local()
def IPPRGB2HSI(r: Any, g: Any, b: Any, h: Any = None, s: Any = None, i: Any = None) -> Any:
    """Return red, green and blue as [hue, saturation, intensity]; with three ctypes values, store them there."""
    return _three(hsi_of(whole(r) & 255, whole(g) & 255, whole(b) & 255), (h, s, i))
