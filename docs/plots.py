"""Plots as SVG text: axes with round ticks, lines, points and outlines, and a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Points = Sequence[tuple[float, float]]
FONT = 'font-family="sans-serif" font-size="12" fill="#444"'
LEFT, RIGHT, TOP, BOTTOM = 56.0, 14.0, 14.0, 42.0  # margins (pixels)
MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Axes:
    """The data range of a plot and its size in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: float
    height: float

    def at(self, point: tuple[float, float]) -> str:
        """Return a point of the data in pixels."""
        (x0, x1), (y0, y1) = self.x, self.y
        across, up = (point[0] - x0) / (x1 - x0) * self.width, (point[1] - y0) / (y1 - y0) * self.height
        return f"{LEFT + across:.1f},{TOP + self.height - up:.1f}"


def line(axes: Axes, points: Points, colour: str, closed: bool = False) -> str:
    """Return a line through points of the data; a closed one is filled."""
    end, fill = (" Z", f'fill="{colour}" fill-opacity="0.25"') if closed else ("", 'fill="none"')
    path = " L".join(axes.at(point) for point in points)
    return f'<path d="M{path}{end}" {fill} stroke="{colour}" stroke-width="1.4"/>'


def dots(axes: Axes, points: Points, colour: str, radius: float = 1.8) -> str:
    """Return a dot for every point of the data, as one path."""
    path = " ".join(f"M{axes.at(point)}h0" for point in points)
    return f'<path d="{path}" stroke="{colour}" stroke-width="{2 * radius:g}" stroke-linecap="round"/>'


def figure(axes: Axes, parts: Sequence[str], x_label: str, y_label: str, legend: Sequence[tuple[str, str]]) -> str:
    """Return a plot of parts made with `line` and `dots`; *legend* has names and colours."""
    wide, high = LEFT + axes.width + RIGHT, TOP + axes.height + BOTTOM
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}">'
    paper = f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#fff"/>'
    middle = 'text-anchor="middle"'
    turned = f'transform="translate(14 {TOP + axes.height / 2:.0f}) rotate(-90)"'
    names = [
        f'<text x="{LEFT + axes.width / 2:.0f}" y="{high - 8:.0f}" {middle} {FONT}>{x_label}</text>',
        f"<text {turned} {middle} {FONT}>{y_label}</text>",
    ]
    return "\n".join([head, paper, *_grid(axes), *parts, *names, *_legend(legend), "</svg>", ""])


def _grid(axes: Axes) -> Iterator[str]:
    low, style = TOP + axes.height, 'stroke="#ddd" stroke-width="0.8"'
    for value in _ticks(*axes.x):
        x = axes.at((value, axes.y[0])).split(",")[0]
        yield f'<path d="M{x},{TOP:g}V{low:g}" {style}/>'
        yield f'<text x="{x}" y="{low + 15:g}" text-anchor="middle" {FONT}>{value:g}</text>'
    for value in _ticks(*axes.y):
        y = axes.at((axes.x[0], value)).split(",")[1]
        yield f'<path d="M{LEFT:g},{y}h{axes.width:g}" {style}/>'
        yield f'<text x="{LEFT - 6:g}" y="{y}" dy="4" text-anchor="end" {FONT}>{value:g}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Return round values between two limits.

    >>> _ticks(0.0, 3.2)
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    """
    power = 10.0 ** math.floor(math.log10((high - low) / MOST_TICKS))
    gap = next(power * digit for digit in (1, 2, 5, 10) if (high - low) / (power * digit) <= MOST_TICKS)
    return [round(n * gap, 9) for n in range(math.ceil(low / gap - 1e-9), math.floor(high / gap + 1e-9) + 1)]


def _legend(names: Sequence[tuple[str, str]]) -> Iterator[str]:
    for row, (name, colour) in enumerate(names):
        y = TOP + 16 + 18 * row
        yield f'<path d="M{LEFT + 10:g},{y:g}h22" stroke="{colour}" stroke-width="3"/>'
        yield f'<text x="{LEFT + 38:g}" y="{y + 4:g}" {FONT}>{name}</text>'
