"""A scene from above as an SVG picture, and the HTML around it that notebooks show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from understudy.sensors.base import Array
from understudy.sim import map_shapes
from understudy.sim.map_shapes import MapBounds, MapShape, Point
from understudy.world.scene import Scene

WIDTH, HEIGHT = 480, 360  # most pixels of a picture
MOST_LABELS = 20  # robots; with more, only the marked one shows its name
LEAST_ROBOT = 5.0  # pixels; a smaller robot gets a ring of this radius around it
_FONT = 'font-family="sans-serif" font-size="11"'


class _Page:
    """Where points of the world are on the picture; its y goes down."""

    def __init__(self, shown: MapBounds) -> None:
        self.scale = min(WIDTH / shown.width, HEIGHT / shown.height)
        self._left, self._top = shown.left, shown.top
        self.size = shown.width * self.scale, shown.height * self.scale

    def at(self, point: Point) -> tuple[float, float]:
        return (point[0] - self._left) * self.scale, (self._top - point[1]) * self.scale

    def path(self, points: Iterable[Point], style: str, closed: bool = False) -> str:
        steps = " ".join(f"{'L' if i else 'M'}{x:.1f},{y:.1f}" for i, (x, y) in enumerate(map(self.at, points)))
        return f'<path d="{steps}{" Z" if closed else ""}" {style}/>'

    def circle(self, centre: Point, pixels: float, style: str) -> str:
        x, y = self.at(centre)
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{pixels:.1f}" {style}/>'


def draw(scene: Scene, trails: Mapping[str, Array] | None = None, marked: str = "") -> str:
    """Return the picture of a scene with the *trails* of robots; the robot named *marked* has a ring around it."""
    found, paths = map_shapes.shapes(scene), trails or {}
    page = _Page(map_shapes.bounds(found, list(paths.values())))
    colours = {robot.name: robot.colour for robot in scene.robots}
    robots = [shape for shape in found if shape.kind in ("robot", "nose")]
    parts = [_shape(page, shape) for shape in found if shape not in robots]
    parts += [_trail(page, path, colours.get(name, "#808080")) for name, path in paths.items() if len(path)]
    parts += [_shape(page, shape) for shape in robots]
    parts += _labels(page, [shape for shape in robots if shape.kind == "nose"], marked)
    wide, high = page.size
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}"'
    return f'{head} viewBox="0 0 {wide:.1f} {high:.1f}">{"".join(parts)}</svg>'


def _shape(page: _Page, shape: MapShape) -> str:
    """Return one shape."""
    radius = shape.radius_m * page.scale
    if len(shape.points) == 2:
        style = f'stroke="{shape.colour}" stroke-width="{max(2 * radius, 1.5):.1f}" stroke-linecap="round" fill="none"'
        return page.path(shape.points, style)
    style = f'fill="{shape.colour}"' + ("" if shape.kind == "ground" else ' stroke="#333" stroke-width="0.8"')
    if len(shape.points) == 1:
        return page.circle(shape.points[0], radius, style)
    return page.path(shape.points, style, closed=True)


def _trail(page: _Page, path: Array, colour: str) -> str:
    """Return a trail; of a long one, as many points as can be told apart."""
    every = max(len(path) // (4 * WIDTH), 1)
    points = [*map(tuple, path[::every].tolist()), tuple(path[-1].tolist())]
    return page.path(points, f'stroke="{colour}" stroke-width="1.5" stroke-opacity="0.6" fill="none"')


def _labels(page: _Page, noses: Sequence[MapShape], marked: str) -> Iterable[str]:
    """Yield names and rings; a nose begins in the middle of its robot."""
    for nose in noses:
        (x, y), (ahead, _) = page.at(nose.points[0]), page.at((nose.points[0][0] + _length(nose), 0.0))
        radius = max(ahead - x, LEAST_ROBOT)
        if nose.name == marked or ahead - x < LEAST_ROBOT:
            style = f'fill="none" stroke="#000" stroke-width="{2 if nose.name == marked else 0.6}"'
            yield page.circle(nose.points[0], radius + 3, style)
        if nose.name == marked or (not marked and len(noses) <= MOST_LABELS):
            right = x > 0.7 * page.size[0]
            end = ' text-anchor="end"' if right else ""
            place = x + (-radius - 5 if right else radius + 5)
            yield f'<text x="{place:.1f}" y="{y - 4:.1f}" {_FONT}{end}>{escape(nose.name)}</text>'


def _length(nose: MapShape) -> float:
    (ax, ay), (bx, by) = nose.points
    return math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))


def figure(picture: str, caption: str) -> str:
    """Return a picture with a line of text under it, as HTML."""
    return f'<figure style="margin:0">{picture}<figcaption><small>{escape(caption)}</small></figcaption></figure>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], left_out: int = 0) -> str:
    """Return a table as HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    more = f'<tr><td colspan="{len(columns)}">and {left_out} more</td></tr>' if left_out > 0 else ""
    return f"<table><tr>{head}</tr>{body}{more}</table>"
