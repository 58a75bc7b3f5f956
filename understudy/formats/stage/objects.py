"""Stage's ``model`` blocks as walls and objects: boxes, walls along polygons, walls from pictures."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from understudy.formats.stage.block_values import StageBlock, placed
from understudy.formats.stage.shape import Array, bitmap_pieces, corners, drawing, moved
from understudy.world.boxes import BOXES
from understudy.world.colour_names import colour, from_shares
from understudy.world.materials import Surface
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Box, Pose

THINGS = frozenset({"model", *BOXES})
_USED = frozenset({
    "name", "pose", "color", "color_rgba", "bitmap", "bitmap_resolution", "mass", "obstacle_return", "laser_return",
    "ranger_return", "friction",
})  # fmt: skip

_ZERO = Pose()


@dataclasses.dataclass(frozen=True)
class StageObjects:
    """Creates the walls and objects of a world; *read* returns the content of a picture file."""

    read: Callable[[str, str], bytes]

    def of(self, model: StageBlock, parent: Pose = _ZERO, on_m: float = 0.0) -> Iterator[Wall | Solid]:
        """Yield the things of a model and of the models on it, in the world's frame."""
        pose = placed(parent, dataclasses.replace(model.pose(), z_m=model.pose().z_m + on_m))
        model.note_rest(_USED)
        yield from self._own(model, pose)
        for part in model.block.parts:
            if part.type in THINGS:
                top = model.size_m[2] if model.is_high and model.number("stack_children", 1.0) else 0.0
                yield from self.of(model.part(part), pose, top)
            elif part.type != "block":
                model.notes.ignore(part, "")

    def _own(self, model: StageBlock, pose: Pose) -> Iterator[Wall | Solid]:
        drawn = drawing(model)
        if model.has("bitmap"):
            yield from self._picture(model, pose)
        elif drawn is None or _is_box(drawn.polygons, model):
            yield _box(model, pose)
        else:
            for n, polygon in enumerate(drawn.polygons):
                yield _outline(model, moved(polygon, pose), n)
        if model.number("boundary", 0.0):
            yield _rim(model, pose)

    def _picture(self, model: StageBlock, pose: Pose) -> Iterator[Wall]:
        given = model.properties["bitmap"]
        name = model.text("bitmap")
        try:
            pieces = bitmap_pieces(model, self.read(name, given.place.file), f"{given.place.file}: {name}")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error).removeprefix(f"{given.place.file}: {name}: ")
            model.notes.wrong(given, "bitmap", f"cannot read {name!r} ({reason})")
            return
        if len(pieces):
            ends = np.round(moved(pieces.reshape(-1, 2), pose), 6) + 0.0
            rows: Any = tuple(map(tuple, ends.reshape(-1, 4).tolist()))
            yield Wall(**_common(model), pieces_m=rows, solid=True, height_m=_height(model, pose))


def _is_box(polygons: tuple[Array, ...], model: StageBlock) -> bool:
    """Return whether the only polygon of a model is its bounding box."""
    if len(polygons) != 1 or len(polygons[0]) != 4:
        return False
    sides = {(round(float(x), 6), round(float(y), 6)) for x, y in polygons[0]}
    return sides == set(corners(model))


def _box(model: StageBlock, pose: Pose) -> Solid:
    """Return a box; MobileSim's own boxes and those that a gripper can grasp can be pushed."""
    ours = next((BOXES[name] for name in model.block.names if name in BOXES), None)
    mass = model.number("mass", 10.0) if ours or model.number("gripper_return", 0.0) else 0.0
    length, width, high = model.size_m
    if ours and not model.has("size"):
        length, width, high = ours.shape.size_m if isinstance(ours.shape, Box) else model.size_m
    if not model.is_high:
        high = 1.0
    at = placed(pose, dataclasses.replace(model.pose("origin"), z_m=0.0))
    common = _common(model)
    if ours and not model.has("color", "color_rgba"):
        common["colour"] = ours.colour
    if ours and not model.surface():
        common["surface"] = ours.surface
    return Solid(**common, shape=Box((length, width, high)), pose=at, mass_kg=max(mass, 0.0))


def _outline(model: StageBlock, points: Array, n: int) -> Wall:
    common = _common(model) if n == 0 else {**_common(model), "name": ""}
    rounded = [(round(float(x), 6) + 0.0, round(float(y), 6) + 0.0) for x, y in points]
    line = tuple(point for at, point in enumerate(rounded) if point != rounded[at - 1])
    closed = len(line) > 2
    return Wall(**common, points_m=line, closed=closed, solid=closed, height_m=_height(model, _ZERO))


def _rim(model: StageBlock, pose: Pose) -> Wall:
    """Return the boundary around a model."""
    points: Any = np.round(moved(np.array(corners(model)), pose), 6) + 0.0
    common = {**_common(model), "name": ""}
    return Wall(**common, points_m=tuple(map(tuple, points.tolist())), closed=True, height_m=_height(model, pose))


def _height(model: StageBlock, pose: Pose) -> float:
    return model.size_m[2] + pose.z_m if model.is_high else 1.0


def _common(model: StageBlock) -> dict[str, Any]:
    found = paint(model)
    surface: Any = {key: tuple(value) if isinstance(value, list) else value for key, value in model.surface().items()}
    return {"name": model.text("name"), **({"colour": found} if found else {}), "surface": Surface(**surface)}


def paint(model: StageBlock) -> str | None:
    """Return the colour of a model; None if it gives no known colour."""
    shares = model.numbers("color_rgba", (3, 4))
    if shares is not None:
        return from_shares(*shares[:3])
    name = model.text("color")
    found = colour(name) if name else None
    if name and name != "random" and found is None:
        model.notes.ignore(model.block, "color", model.properties["color"], f"unknown colour {name!r}, ignored")
    return found
