"""Picture files without libraries: PNM (P1 to P6) and PNG, read; PGM and PPM, written."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

MOST_PIXELS = 50_000_000
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # samples of a pixel by PNG's colour type
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Picture:
    """A picture: 1 byte (gray) or 3 bytes (red, green, blue) for each pixel, row by row from the top."""

    def __init__(self, width: int, height: int, channels: int, data: bytes, binary: bool = False) -> None:
        if not (width > 0 and height > 0 and width * height <= MOST_PIXELS):
            raise ValueError(f"a picture of {width} x {height} pixels is not accepted")
        if len(data) < width * height * channels:
            raise ValueError("the picture is cut off")
        self.width, self.height, self.channels, self.data, self.binary = width, height, channels, data, binary

    def coloured(self) -> Picture:
        """Return the picture with three bytes for each pixel."""
        if self.channels == 3:
            return self
        data = bytes(value for value in self.data[: self.width * self.height] for _ in range(3))
        return Picture(self.width, self.height, 3, data)

    def scaled(self, width: int, height: int) -> bytes:
        """Return the pixels at another size: the nearest ones."""
        if (width, height) == (self.width, self.height):
            return self.data[: width * height * self.channels]
        columns = [x * self.width // width for x in range(width)]
        rows = [self._row(y * self.height // height, columns) for y in range(height)]
        return b"".join(rows)

    def _row(self, y: int, columns: list[int]) -> bytes:
        step = self.channels
        row = self.data[y * self.width * step : (y + 1) * self.width * step]
        return b"".join([row[x * step : x * step + step] for x in columns])

    def cropped(self, width: int, height: int) -> bytes:
        """Return the top left part at a size; what is missing is black."""
        step, gap = self.channels, bytes(max(width - self.width, 0) * self.channels)
        wide = min(width, self.width) * step
        starts = (y * self.width * step for y in range(min(height, self.height)))
        rows = b"".join(self.data[at : at + wide] + gap for at in starts)
        return rows + bytes(width * height * step - len(rows))


def read_picture(path: str | Path) -> Picture:
    """Return the picture of a file; raises OSError, or ValueError for what is no PNM or PNG."""
    data = Path(path).read_bytes()
    if data.startswith(_SIGNATURE):
        return _png(data)
    if data[:1] == b"P" and data[1:2] in b"123456":
        return _pnm(data)
    raise ValueError(f"{path} is neither a PNM nor a PNG file")


def written(width: int, height: int, channels: int, data: bytes) -> bytes:
    """Return the content of a PGM or PPM file."""
    return b"P%d\n%d %d\n255\n" % (6 if channels == 3 else 5, width, height) + data


# ---- PNM


def _pnm(data: bytes) -> Picture:
    kind = int(data[1:2])
    numbers, at = _header(data, 2 if kind in (1, 4) else 3)
    width, height, most = numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 1
    channels = 3 if kind in (3, 6) else 1
    if not (width > 0 and height > 0 and width * height <= MOST_PIXELS and 0 < most < 65536):
        raise ValueError("the header of the picture is wrong")
    count = width * height * channels
    if kind == 4:
        values = _bits(data[at:], width, height)
    elif kind == 1:
        values = [digit - 48 for digit in re.sub(rb"#[^\n]*|\s", b"", data[at:])[:count]]
    elif kind in (2, 3):
        values = [int(word) for word in data[at:].split()[:count]]
    else:
        return Picture(width, height, channels, _samples(data[at:], most, count))
    top = 0 if kind in (1, 4) else most  # a 1 is black there
    pixels = bytes(255 * (1 - value) for value in values) if top == 0 else _scaled(values, most)
    return Picture(width, height, channels, pixels, binary=kind in (1, 4))


def _header(data: bytes, count: int) -> tuple[list[int], int]:
    """Return the numbers of a header, and where the pixels begin."""
    numbers, at = [], 2
    for _ in range(count):
        found = re.compile(rb"(?:\s|#[^\n]*\n)*(\d{1,9})").match(data, at)
        if found is None:
            raise ValueError("the header of the picture is wrong")
        numbers.append(int(found[1]))
        at = found.end()
    return numbers, at + 1


def _bits(data: bytes, width: int, height: int) -> list[int]:
    stride = (width + 7) // 8
    if len(data) < stride * height:
        raise ValueError("the picture is cut off")
    rows = (data[y * stride : (y + 1) * stride] for y in range(height))
    return [row[x >> 3] >> (7 - (x & 7)) & 1 for row in rows for x in range(width)]


def _samples(data: bytes, most: int, count: int) -> bytes:
    if most == 255:
        return data[:count]
    if most < 256:
        return _scaled(list(data[:count]), most)
    words = struct.unpack(f">{min(len(data) // 2, count)}H", data[: min(len(data) // 2, count) * 2])
    return _scaled(list(words), most)


def _scaled(values: list[int], most: int) -> bytes:
    return bytes(max(0, min(value, most)) * 255 // most for value in values)


# ---- PNG


def _png(data: bytes) -> Picture:
    width = height = depth = colour = interlace = 0
    palette, packed, at = b"", [], len(_SIGNATURE)
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        chunk = data[at + 8 : at + 8 + length]
        at += length + 12
        if kind == b"IHDR" and len(chunk) == 13:
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"PLTE":
            palette = chunk
        elif kind == b"IDAT":
            packed.append(chunk)
        elif kind == b"IEND":
            break
    if interlace or depth not in (1, 2, 4, 8, 16) or colour not in _CHANNELS:
        raise ValueError("interlaced and unusual PNG files are not read")
    if not (width > 0 and height > 0 and width * height <= MOST_PIXELS):
        raise ValueError(f"a picture of {width} x {height} pixels is not accepted")
    rows = _unfiltered(_unpacked(packed, width, height, depth, colour), width, depth, colour)
    return _png_pixels(rows, width, height, depth, colour, palette)


def _unpacked(packed: list[bytes], width: int, height: int, depth: int, colour: int) -> bytes:
    size = ((width * depth * _CHANNELS[colour] + 7) // 8 + 1) * height
    try:
        raw = zlib.decompressobj().decompress(b"".join(packed), size)
    except zlib.error as problem:
        raise ValueError(f"the PNG file is damaged: {problem}") from None
    if len(raw) < size:
        raise ValueError("the picture is cut off")
    return raw


def _unfiltered(raw: bytes, width: int, depth: int, colour: int) -> list[bytearray]:
    """Return the rows of a PNG file without their filters."""
    stride, step = (width * depth * _CHANNELS[colour] + 7) // 8, max(depth * _CHANNELS[colour] // 8, 1)
    rows, above = [], bytearray(stride)
    for at in range(0, len(raw), stride + 1):
        row = bytearray(raw[at + 1 : at + 1 + stride])
        _FILTERS.get(raw[at], _refuse)(row, above, step)
        rows.append(row)
        above = row
    return rows


def _refuse(row: bytearray, above: bytearray, step: int) -> None:
    raise ValueError("the PNG file has an unknown filter")


def _keep(row: bytearray, above: bytearray, step: int) -> None:
    pass


def _sub(row: bytearray, above: bytearray, step: int) -> None:
    for at in range(step, len(row)):
        row[at] = (row[at] + row[at - step]) & 255


def _up(row: bytearray, above: bytearray, step: int) -> None:
    row[:] = bytes([(value + other) & 255 for value, other in zip(row, above)])


def _average(row: bytearray, above: bytearray, step: int) -> None:
    for at in range(len(row)):
        left = row[at - step] if at >= step else 0
        row[at] = (row[at] + (left + above[at]) // 2) & 255


def _paeth(row: bytearray, above: bytearray, step: int) -> None:
    for at in range(len(row)):
        left, corner = (row[at - step], above[at - step]) if at >= step else (0, 0)
        up = above[at]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        row[at] = (row[at] + nearest) & 255


_FILTERS = {0: _keep, 1: _sub, 2: _up, 3: _average, 4: _paeth}


def _png_pixels(rows: list[bytearray], width: int, height: int, depth: int, colour: int, palette: bytes) -> Picture:
    if depth == 16:
        rows = [row[::2] for row in rows]
    elif depth < 8:
        rows = [_small(row, width, depth, colour) for row in rows]
    data = b"".join(bytes(row) for row in rows)
    if colour == 3:
        palette += bytes(768 - len(palette))
        return Picture(width, height, 3, b"".join([palette[3 * value : 3 * value + 3] for value in data]))
    if colour in (4, 6):  # without the transparency
        channels = _CHANNELS[colour]
        kept = bytearray(width * height * (channels - 1))
        for channel in range(channels - 1):
            kept[channel :: channels - 1] = data[channel::channels]
        return Picture(width, height, channels - 1, bytes(kept))
    return Picture(width, height, _CHANNELS[colour], data)


def _small(row: bytearray, width: int, depth: int, colour: int) -> bytearray:
    """Return a row of 1, 2 or 4 bits a pixel with a byte for each."""
    per_byte, mask = 8 // depth, (1 << depth) - 1
    factor = 1 if colour == 3 else 255 // mask
    return bytearray((row[x // per_byte] >> (8 - depth - x % per_byte * depth) & mask) * factor for x in range(width))
