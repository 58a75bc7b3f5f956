"""Pictures as Braille characters, two by four dots to a character, each with one colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen

Numbers = npt.NDArray[np.int64]
Box = tuple[int, int, int, int]  # left, top, right, bottom

_BRAILLE = 0x2800
_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])  # Unicode, block Braille Patterns
_PLAIN = " .:-=+*##"  # by how many dots are set
_SEEN = 48  # how much a pixel differs from the background to be seen
_EDGE = 64  # how much a pixel stands out from its neighbours to be a line
# thresholds of ordered dithering, 0 to 255: what is half as bright has half of the dots
_DITHER = np.array([[16, 144], [208, 80], [48, 176], [240, 112]])


@frozen
class Dots:
    """The dots of each character, and its colour (red, green, blue)."""

    ACROSS: ClassVar[int] = 2
    DOWN: ClassVar[int] = 4

    bits: Numbers  # row, column
    colours: Numbers  # row, column, channel


def letter_of(bits: int, braille: bool = True) -> str:
    """Return the character of some dots.

    >>> letter_of(0x01 | 0x80), letter_of(0xFF, braille=False), letter_of(0)
    ('⢁', '#', ' ')
    """
    if not bits or not braille:
        return _PLAIN[bits.bit_count()]
    return chr(_BRAILLE + bits)


def dots_of(picture: npt.NDArray[np.uint8], across: int, down: int, hidden: Iterable[Box] = ()) -> Dots:
    """Return a picture (row, column, channel) in this many characters; dots stand out from its background.

    There are no dots in the *hidden* rectangles, but their characters have colours.
    """
    values = picture.astype(np.int64)
    away = _stretched(np.abs(values - _background(values)).max(axis=2))
    seen = away > _SEEN
    for left, top, right, bottom in hidden:
        away[top:bottom, left:right] = 0
    tops, lefts = _starts(away.shape[0], down * Dots.DOWN), _starts(away.shape[1], across * Dots.ACROSS)
    mean, peak = _sums(away, tops, lefts) // _areas(away.shape, tops, lefts), _peaks(away, tops, lefts)
    lit = (mean > np.tile(_DITHER, (down, across))) | (peak - mean > _EDGE)
    bits = (lit.reshape(down, Dots.DOWN, across, Dots.ACROSS) * _BITS[:, None, :]).sum(axis=(1, 3))
    return Dots(bits, _colours(values, seen, tops[:: Dots.DOWN], lefts[:: Dots.ACROSS]))


def _background(values: Numbers) -> Numbers:
    """Return the most frequent colour, judging by a ninth of the pixels."""
    few = values[::3, ::3]
    packed = (few[:, :, 0] << 16) | (few[:, :, 1] << 8) | few[:, :, 2]
    found, times = np.unique(packed, return_counts=True)
    colour = int(found[np.argmax(times)])
    return np.array([colour >> 16, colour >> 8 & 255, colour & 255])


def _stretched(away: Numbers) -> Numbers:
    """Return differences with the largest as 255, unless nothing can be seen."""
    most = int(away.max(initial=0))
    return away * 255 // most if most > _SEEN else away


def _starts(size: int, parts: int) -> Numbers:
    """Return where each part begins when so many pixels are divided into parts."""
    return np.arange(parts) * size // parts


def _sums(values: Numbers, tops: Numbers, lefts: Numbers) -> Numbers:
    return np.add.reduceat(np.add.reduceat(values, tops, axis=0), lefts, axis=1)


def _peaks(values: Numbers, tops: Numbers, lefts: Numbers) -> Numbers:
    return np.maximum.reduceat(np.maximum.reduceat(values, tops, axis=0), lefts, axis=1)


def _areas(shape: tuple[int, ...], tops: Numbers, lefts: Numbers) -> Numbers:
    heights, widths = np.diff(np.append(tops, shape[0])), np.diff(np.append(lefts, shape[1]))
    areas: Numbers = np.maximum(heights[:, None] * widths[None, :], 1)
    return areas


def _colours(values: Numbers, seen: npt.NDArray[np.bool_], tops: Numbers, lefts: Numbers) -> Numbers:
    """Return the mean colour of the pixels that are seen, for each character."""
    count = np.maximum(_sums(seen.astype(np.int64), tops, lefts), 1)
    return _sums(np.where(seen[:, :, None], values, 0), tops, lefts) // count[:, :, None]
