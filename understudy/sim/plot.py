"""A scene from above as a Matplotlib plot. Matplotlib is imported when the first plot is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from understudy.sensors.base import Array
from understudy.sim import map_shapes
from understudy.sim.map_shapes import MapShape
from understudy.sim.record_files import extra
from understudy.world.scene import Scene

MOST_LABELS = 20  # robots; with more, none shows its name
_LAYERS = {"ground": 0, "wall": 1, "object": 1, "ball": 1, "robot": 3, "nose": 4}


def columns_of(trails: Any) -> Mapping[str, Array]:
    """Return the columns of a recording, if *trails* are not columns already; raises TypeError for anything else."""
    if trails is None or isinstance(trails, Mapping):
        return trails or {}
    if not hasattr(trails, "to_arrays"):
        raise TypeError(f"plot: want a recording, got {trails!r} (sim.plot().figure.savefig('map.png') saves it)")
    columns: Mapping[str, Array] = trails.to_arrays()
    return columns


def draw(scene: Scene, trails: Mapping[str, Array], ax: Any = None) -> Any:
    """Draw a scene and the *trails* of robots on *ax*, or on a new figure; return the axes."""
    extra("matplotlib", "a plot", "plot")
    if ax is None:
        ax = extra("matplotlib.pyplot", "a plot", "plot").subplots()[1]
    found = map_shapes.shapes(scene)
    _draw_lines(ax, [shape for shape in found if len(shape.points) == 2])
    for shape in found:
        if len(shape.points) != 2:
            _draw_area(ax, shape)
    colours = {robot.name: robot.colour for robot in scene.robots}
    for name, path in trails.items():
        ax.plot(*path.T, color=colours.get(name, "#808080"), alpha=0.6, zorder=2, label=name)
    if len(scene.robots) <= MOST_LABELS:
        for robot in scene.robots:
            at = robot.pose.x_m, robot.pose.y_m
            ax.annotate(robot.name, at, xytext=(8, 8), textcoords="offset points", zorder=5)
    shown = map_shapes.bounds(found, list(trails.values()))
    ax.set(xlim=(shown.left, shown.right), ylim=(shown.bottom, shown.top), xlabel="x (m)", ylabel="y (m)")
    ax.set_aspect("equal")
    return ax


def _draw_lines(ax: Any, found: list[MapShape]) -> None:
    """Draw walls and noses, each kind at once: a scanned map has tens of thousands of pieces."""
    collections = extra("matplotlib.collections", "a plot", "plot")
    for kind in ("wall", "nose"):
        lines = [shape for shape in found if shape.kind == kind]
        ax.add_collection(
            collections.LineCollection(
                [shape.points for shape in lines], colors=[shape.colour for shape in lines], linewidths=1.5,
                zorder=_LAYERS[kind],
            )
        )  # fmt: skip


def _draw_area(ax: Any, shape: MapShape) -> None:
    patches = extra("matplotlib.patches", "a plot", "plot")
    style = {"facecolor": shape.colour, "zorder": _LAYERS[shape.kind]}
    style["edgecolor"] = "none" if shape.kind == "ground" else "#333333"
    if len(shape.points) == 1:
        ax.add_patch(patches.Circle(shape.points[0], shape.radius_m, **style))
    else:
        ax.add_patch(patches.Polygon(shape.points, closed=True, **style))
