"""The shape of Stage's models: polygons, blocks, lines or a picture's dark pixels, stretched to the model's size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.assets.pictures import grey_picture
from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats.pictures import trace
from understudy.formats.pictures.bitmap import MOST_PIECES, dark_areas
from understudy.formats.pictures.map_yaml import MapPlacement
from understudy.formats.stage.block_values import StageBlock
from understudy.world.shapes import Pose

Array = npt.NDArray[np.float64]
Point = tuple[float, float]

_CORNER = re.compile(r"(?:polygon|block)\[(\d+)\]\.point\[(\d+)\]")
_POINT = re.compile(r"point\[(\d+)\]")
_LINE = re.compile(r"line\[(\d+)\]")
_RECT = re.compile(r"rect\[(\d+)\]")


@dataclass(frozen=True)
class StageOutline:
    """Polygons (or open lines, of two points) in the frame of the model, already scaled to its size (m)."""

    polygons: tuple[Array, ...]

    def hull(self) -> list[Point]:
        """Return the smallest convex outline of everything, counter-clockwise (m)."""
        return convex_hull(np.concatenate(self.polygons))


def drawing(model: StageBlock) -> StageOutline | None:
    """Return the shape given by a model's properties; None if it is a plain box."""
    figures = [*_indexed(model), *_blocks(model), *_lines(model), *_rects(model)]
    if not figures:
        return None
    every = np.concatenate(figures)
    fit = _fitted(every.min(axis=0), every.max(axis=0), model)
    return StageOutline(tuple(fit(figure) for figure in figures))


def corners(model: StageBlock) -> list[Point]:
    """Return the corners of the box that a model fills, in its frame (m)."""
    length, width, _ = model.size_m
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([length, width]) / 2
    return [(round(float(x), 6) + 0.0, round(float(y), 6) + 0.0) for x, y in moved(box, model.pose("origin"))]


def moved(points: Array, pose: Pose) -> Array:
    """Return points of the frame at *pose* in the frame in which *pose* is given (m)."""
    cos, sin = arrays.cos(pose.heading_rad), arrays.sin(pose.heading_rad)
    turned = arrays.product(points, np.array([[cos, sin], [-sin, cos]]))
    return np.asarray(turned + np.array([pose.x_m, pose.y_m]))


def _fitted(low: Array, high: Array, model: StageBlock) -> Callable[[Array], Array]:
    """Return the function that scales the box from *low* to *high* to the model's size and moves it to its origin."""
    size, middle = np.array(model.size_m[:2]), (low + high) / 2
    span = np.where(high > low, high - low, 1.0)
    origin = model.pose("origin")
    return lambda points: moved((points - middle) / span * size, origin)


# ---- shapes as numbers


def _indexed(model: StageBlock) -> Iterator[Array]:
    """Yield ``polygon[0].point[3] [x y]`` and ``block[0].point[3] [x y]``."""
    found: dict[int, dict[int, Point]] = {}
    for name in model.block.properties:
        if match := _CORNER.fullmatch(name):
            numbers = model.numbers(name, (2,))
            if numbers:
                found.setdefault(int(match[1]), {})[int(match[2])] = (numbers[0], numbers[1])
    for polygon in (found[index] for index in sorted(found)):
        yield from _figure(polygon)


def _blocks(model: StageBlock) -> Iterator[Array]:
    """Yield ``block ( point[0] [x y] ... )``."""
    for part in model.block.parts:
        if part.type == "block":
            inner = model.part(part)
            points = {int(m[1]): inner.numbers(name, (2,)) for name in part.properties if (m := _POINT.fullmatch(name))}
            yield from _figure({index: (p[0], p[1]) for index, p in points.items() if p})


def _figure(points: Mapping[int, Point]) -> Iterator[Array]:
    if len(points) > 1:
        yield np.array([points[index] for index in sorted(points)])


def _lines(model: StageBlock) -> Iterator[Array]:
    for name in model.block.properties:
        if _LINE.fullmatch(name) and (ends := model.numbers(name, (4,))):
            yield np.array(ends).reshape(2, 2)


def _rects(model: StageBlock) -> Iterator[Array]:
    for name in model.block.properties:
        if _RECT.fullmatch(name) and (sides := model.numbers(name, (4,))):
            x, y, dx, dy = sides
            yield np.array([[x, y], [x + dx, y], [x + dx, y + dy], [x, y + dy]])


# ---- pictures


def bitmap_pieces(model: StageBlock, data: bytes, file: str) -> Array:
    """Return the edges of a picture's dark pixels in the frame of the model, a row each (m); raises FormatError.

    The dark part is stretched to the model's size; with a boundary or its own resolution, the whole picture is.
    """
    read = grey_picture.read(data, file)
    edges = trace.edges(dark_areas(read, MapPlacement())).astype(np.float64)
    if len(edges) > MOST_PIECES:
        raise FormatError(f"{file}: too many edges: {len(edges):,} (at most {MOST_PIECES:,}); smooth the picture")
    height, width = read.grey.shape
    resolution = model.length("bitmap_resolution", 0.0)
    ends = edges.reshape(-1, 2)
    if resolution > 0.0:
        middle = np.array([width, height]) / 2
        return moved((ends - middle) * resolution, model.pose("origin")).reshape(-1, 4)
    whole = model.number("boundary", 0.0) != 0.0 or not len(ends)
    low, high = (np.zeros(2), np.array([width, height], float)) if whole else (ends.min(axis=0), ends.max(axis=0))
    return np.asarray(_fitted(low, high, model)(ends).reshape(-1, 4))


# ---- hulls


def convex_hull(points: Array) -> list[Point]:
    """Return the corners of the smallest convex outline around *points*, counter-clockwise.

    >>> convex_hull(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0]]))
    [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    """
    ordered = sorted({(round(float(x), 6) + 0.0, round(float(y), 6) + 0.0) for x, y in points})
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(points: list[Point]) -> list[Point]:
    """Return the lower or upper half of a hull, in the order of the points."""
    line: list[Point] = []
    for x, y in points:
        while len(line) > 1:
            (ax, ay), (bx, by) = line[-2], line[-1]
            if (bx - ax) * (y - by) - (by - ay) * (x - bx) > 1e-12:
                break
            line.pop()
        line.append((x, y))
    return line
