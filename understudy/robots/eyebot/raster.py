"""Shapes and images drawn into an array of pixels 0xRRGGBB; what is outside of it is clipped and costs nothing.

*Ink* is a colour, or None: pixels are then combined with *inversion* (exclusive or). Coordinates farther away than
FARTHEST count as that far.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt

from understudy.robots.eyebot.font import FULL

Pixels = npt.NDArray[np.uint32]

FARTHEST = 1 << 30  # the product of two distances fits into 64 bits
# thresholds of ordered dithering, in sixteenths
_DITHER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.uint32)


def near(value: int) -> int:
    """Return a coordinate within FARTHEST."""
    return max(-FARTHEST, min(FARTHEST, value))


def pixel(frame: Pixels, inversion: int, x: int, y: int, ink: int | None) -> None:
    """Set one pixel."""
    if 0 <= y < frame.shape[0] and 0 <= x < frame.shape[1]:
        frame[y, x] = frame[y, x] ^ np.uint32(inversion) if ink is None else ink


def rectangle(frame: Pixels, inversion: int, x1: int, y1: int, x2: int, y2: int, ink: int | None) -> None:
    """Fill a rectangle; both corners belong to it."""
    left, right, top, bottom = max(min(x1, x2), 0), max(x1, x2) + 1, max(min(y1, y2), 0), max(y1, y2) + 1
    if right <= 0 or bottom <= 0:
        return
    part = frame[top:bottom, left:right]
    if ink is None:
        part ^= np.uint32(inversion)
    else:
        part[:] = ink


def outline(frame: Pixels, inversion: int, x1: int, y1: int, x2: int, y2: int, ink: int | None) -> None:
    """Draw the outline of a rectangle; each of its pixels once."""
    left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
    rectangle(frame, inversion, left, top, right, top, ink)
    if bottom > top:
        rectangle(frame, inversion, left, bottom, right, bottom, ink)
    if bottom > top + 1:
        rectangle(frame, inversion, left, top + 1, left, bottom - 1, ink)
        if right > left:
            rectangle(frame, inversion, right, top + 1, right, bottom - 1, ink)


def line(frame: Pixels, inversion: int, x1: int, y1: int, x2: int, y2: int, ink: int | None) -> None:
    """Draw a line; it is the same in both directions."""
    x1, y1, x2, y2 = near(x1), near(y1), near(x2), near(y2)
    if x1 == x2 or y1 == y2:
        rectangle(frame, inversion, x1, y1, x2, y2, ink)
    elif abs(x2 - x1) >= abs(y2 - y1):
        _steps(frame, inversion, (x1, y1), (x2, y2), ink)
    else:
        _steps(frame.T, inversion, (y1, x1), (y2, x2), ink)


def _steps(frame: Pixels, inversion: int, start: tuple[int, int], end: tuple[int, int], ink: int | None) -> None:
    """Draw a line that is not steep: one pixel for each column."""
    (x1, y1), (x2, y2) = sorted((start, end))
    columns = np.arange(max(x1, 0), min(x2, frame.shape[1] - 1) + 1, dtype=np.int64)
    run = x2 - x1
    rows = y1 + ((columns - x1) * (y2 - y1) + run // 2) // run
    seen = (rows >= 0) & (rows < frame.shape[0])
    place = rows[seen], columns[seen]
    frame[place] = frame[place] ^ np.uint32(inversion) if ink is None else np.uint32(ink)


def disc(frame: Pixels, inversion: int, x: int, y: int, radius: int, ink: int | None) -> None:
    """Fill a circle."""
    x, y, radius = near(x), near(y), near(radius)
    for row, half in _rows(frame, y, radius):
        rectangle(frame, inversion, x - half, row, x + half, row, ink)


def circle(frame: Pixels, inversion: int, x: int, y: int, radius: int, ink: int | None) -> None:
    """Draw the outline of a circle; each of its pixels once."""
    x, y, radius = near(x), near(y), near(radius)
    for row, half in _rows(frame, y, radius):
        inner = min(_half(radius, abs(row - y) + 1), half - 1) + 1  # the row beyond covers what is nearer
        if inner <= 0:
            rectangle(frame, inversion, x - half, row, x + half, row, ink)
        else:
            rectangle(frame, inversion, x - half, row, x - inner, row, ink)
            rectangle(frame, inversion, x + inner, row, x + half, row, ink)


def _rows(frame: Pixels, y: int, radius: int) -> list[tuple[int, int]]:
    """Return the visible rows of a circle, and how far it extends to each side there."""
    top, bottom = max(y - radius, 0), min(y + radius, frame.shape[0] - 1)
    return [(row, _half(radius, abs(row - y))) for row in range(top, bottom + 1)]


def _half(radius: int, away: int) -> int:
    """Return half the width of a circle in a row, -1 beyond it."""
    return isqrt(radius * radius + radius - away * away) if away <= radius else -1


# ---- images


def image(frame: Pixels, x: int, y: int, width: int, height: int, values: Pixels) -> None:
    """Copy an image: its pixels in one row after the other; those that are missing stay as they are."""
    if width <= 0 or height <= 0:
        return
    whole = min(len(values) // width, height)
    if whole:
        _copy(frame, x, y, values[: whole * width].reshape(whole, width))
    if whole < height and len(values) % width:
        _copy(frame, x, y + whole, values[whole * width :].reshape(1, -1))


def _copy(frame: Pixels, x: int, y: int, part: Pixels) -> None:
    right, bottom = x + part.shape[1], y + part.shape[0]
    if right > 0 and bottom > 0 and x < frame.shape[1] and y < frame.shape[0]:
        seen = part[max(-y, 0) :, max(-x, 0) :]
        target = frame[max(y, 0) : bottom, max(x, 0) : right]
        target[:] = seen[: target.shape[0], : target.shape[1]]


def colours(pixels: bytes, channels: int, binary: bool) -> Pixels:
    """Return the colours of an image: RGB, grey, or binary with 0 white and 1 black (other values are grey)."""
    raw: Pixels = np.frombuffer(pixels, np.uint8, len(pixels) // channels * channels).astype(np.uint32)
    if channels == 3:
        return (raw[0::3] << np.uint32(16)) | (raw[1::3] << np.uint32(8)) | raw[2::3]
    if binary:
        raw[raw <= 1] = (np.uint32(1) - raw[raw <= 1]) * np.uint32(255)
    return raw * np.uint32(0x010101)


def dithered(values: Pixels, width: int, ink: int, paper: int) -> Pixels:
    """Return an image in two colours: the darker, the more ink."""
    grey = ((values >> 16) * 77 + (values >> 8 & 255) * 151 + (values & 255) * 28) >> 8
    place = np.arange(len(values))
    threshold = _DITHER[place // max(width, 1) % 4, place % max(width, 1) % 4] * 16 + 8
    return np.where(grey >= threshold, np.uint32(paper), np.uint32(ink))


# ---- text


def text(frame: Pixels, x: int, y: int, levels: npt.NDArray[np.uint8], ink: int, paper: int | None) -> None:
    """Write a line of text, given by how much its letters cover (FULL is all); paper None is transparent."""
    part = frame[y : y + levels.shape[0], x : x + levels.shape[1]]
    seen = levels[: part.shape[0], : part.shape[1]]
    if paper is None:
        part[seen >= FULL // 2] = ink
    else:
        part[:] = _shades(ink, paper)[seen]


@lru_cache(maxsize=256)
def _shades(ink: int, paper: int) -> Pixels:
    """Return the colours between paper and ink, for each level."""
    mixed = np.zeros(FULL + 1, np.uint32)
    for shift in (16, 8, 0):
        low, high = paper >> shift & 255, ink >> shift & 255
        steps = [(low * (FULL - level) + high * level) // FULL for level in range(FULL + 1)]
        mixed |= np.array(steps, np.uint32) << np.uint32(shift)
    return mixed
