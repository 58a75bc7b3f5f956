"""Pictures as worlds: dark areas are walls; and ROS maps, a picture with a ``map.yaml`` that gives its scale.

A picture alone is centred on 0, 0 with 5 cm per pixel, unless a ``.yaml`` next to it names it or a comment in it says
otherwise. ``map.yaml`` follows the documentation of ROS's map_server: image, resolution, origin (x, y, yaw of the lower
left corner), negate, occupied_thresh, free_thresh, mode.
"""

from __future__ import annotations

import pathlib
import re

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.assets import fence
from understudy.assets.pictures import grey_picture
from understudy.assets.pictures.grey_picture import GreyPicture
from understudy.errors import FormatError, Problem, SceneError
from understudy.formats.document import Document, as_text
from understudy.formats.native import scene_file
from understudy.formats.pictures import flat_yaml, map_yaml, trace
from understudy.formats.pictures.flat_yaml import YamlEntry
from understudy.formats.pictures.map_yaml import RESOLUTION_M, MapPlacement
from understudy.formats.pictures.raster import OccupancyRaster, rendered
from understudy.world.scene import Ground, Scene, Wall
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "MapPlacement", "dark_areas", "left_out", "parse", "save", "sniff", "traced", "write"]

SUFFIXES: tuple[str, ...] = (
    ".pgm", ".png", ".bmp", ".pbm", ".ppm", ".pnm", ".gif", ".jpg", ".jpeg", ".tif", ".tiff", ".yaml", ".yml",
)  # fmt: skip
WRITTEN = (".pgm", ".pnm", ".png", ".bmp", ".gif", ".tif", ".tiff")
MOST_PIECES = 2_000_000
FREE, OCCUPIED = 254, 0  # the grey values that map_saver writes

_MAP_YAML = re.compile(rb"^['\"]?image['\"]?\s*:", re.MULTILINE)
_RESOLUTION = re.compile(r"([0-9.eE+-]+) m/pix")
_CORNER = re.compile(r"lower left corner at ([0-9.eE+-]+) ([0-9.eE+-]+)")


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a picture or a ROS map."""
    if grey_picture.is_picture(data):
        return True
    return name.lower().endswith((".yaml", ".yml")) and b"\0" not in data and _MAP_YAML.search(data) is not None


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the world of a picture or a ``map.yaml``; raises FormatError or SceneError."""
    if not isinstance(data, str) and grey_picture.is_picture(data):
        read = grey_picture.read(data, file)
        placing = _yaml_beside(file, folder) or _from_comment(read.comment)
        return Document(_scene(read, placing, file), file, folder=folder)
    text = as_text(data, file)
    entries = flat_yaml.loads(text, file)
    if "image" not in entries:
        raise FormatError(f"{file}: neither a picture nor a ROS map (the key image: is missing)")
    placing = map_yaml.placing(entries, file)
    read = grey_picture.read(_picture_data(entries["image"], file, folder), f"{file}: {entries['image'].value}")
    return Document(_scene(read, placing, file), file, text, folder)


# ---- from pictures to walls


def dark_areas(read: GreyPicture, placing: MapPlacement) -> npt.NDArray[np.bool_]:
    """Return which cells are walls, counted from the lower left."""
    grey = read.grey[::-1]
    if placing.mode == "raw":  # the grey value is the occupancy in percent; above 100: unknown
        percent = np.rint(grey * 255.0)
        dark = (percent <= 100.0) & (percent > placing.occupied * 100.0)
    else:
        dark = (grey if placing.negate else 1 - grey) > placing.occupied
    return np.asarray(dark if read.clear is None else dark & ~read.clear[::-1])


def traced(read: GreyPicture, placing: MapPlacement, file: str) -> npt.NDArray[np.float64]:
    """Return the edges of the dark areas in the world, a row each: x1, y1, x2, y2 (m)."""
    edges = trace.edges(dark_areas(read, placing)).astype(np.float64)
    if len(edges) > MOST_PIECES:
        raise FormatError(f"{file}: too many edges: {len(edges):,} (at most {MOST_PIECES:,}); smooth the picture")
    ends = edges.reshape(-1, 2)
    return _placed(ends, placing, read.grey.shape).reshape(-1, 4)


def _placed(ends: npt.NDArray[np.float64], placing: MapPlacement, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return corners of cells as points of the world (m)."""
    height, width = shape
    x, y = ends.T * placing.resolution_m
    if placing.corner_m is None:
        x, y = x - width * placing.resolution_m / 2, y - height * placing.resolution_m / 2
    cos, sin = elementary.cos(placing.yaw_rad), elementary.sin(placing.yaw_rad)
    dx, dy = placing.corner_m or (0.0, 0.0)
    points = np.column_stack([dx + cos * x - sin * y, dy + sin * x + cos * y])
    return np.round(points, 9) + 0.0  # no -0.0


def _scene(read: GreyPicture, placing: MapPlacement, file: str) -> Scene:
    pieces = traced(read, placing, file)
    height, width = read.grey.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    corners = _placed(corners, placing, (height, width))
    low, high = corners.min(axis=0), corners.max(axis=0)
    (x, y), (size_x, size_y) = np.round((low + high) / 2, 9).tolist(), np.round(high - low, 9).tolist()
    walls = (Wall(name="map", pieces_m=tuple(map(tuple, pieces.tolist())), solid=True),) if len(pieces) else ()
    return Scene(name=pathlib.PurePath(file).stem, ground=Ground((size_x, size_y), (x, y)), walls=walls)


# ---- placement of a picture in the world


def _from_comment(comment: str) -> MapPlacement:
    """Return the placement in a picture's comment, as written by map_saver and `write`."""
    resolution, corner = _RESOLUTION.search(comment), _CORNER.search(comment)
    cell_m = map_yaml.number(resolution[1]) if resolution else RESOLUTION_M
    place = [map_yaml.number(part) for part in corner.groups()] if corner else []
    known = [part for part in place if part is not None]
    if not cell_m or cell_m <= 0.0:
        return MapPlacement()
    return MapPlacement(cell_m, (known[0], known[1]) if len(known) == 2 else None)


def _yaml_beside(file: str, folder: pathlib.Path | None) -> MapPlacement | None:
    """Return the placement in a ``map.yaml`` next to the picture, if it names the picture."""
    name = pathlib.PurePath(file)
    for suffix in (".yaml", ".yml"):
        beside = folder / f"{name.stem}{suffix}" if folder is not None else None
        data = fence.read_bytes(beside) if beside is not None and fence.is_file(beside) else b""
        if not _MAP_YAML.search(data):
            continue
        shown = str(name.with_suffix(suffix))
        entries = flat_yaml.loads(as_text(data, shown), shown)
        image = entries["image"].value if "image" in entries else ""
        if isinstance(image, str) and pathlib.PurePath(image).name == name.name:
            return map_yaml.placing(entries, shown)
    return None


def _picture_data(image: YamlEntry, file: str, folder: pathlib.Path | None) -> bytes:
    """Return the content of the picture that a ``map.yaml`` names."""
    try:
        if not isinstance(image.value, str):
            raise ValueError("want the name of a picture")
        if folder is None:
            raise ValueError(f"cannot resolve {image.value!r}: this text was not loaded from a file")
        return fence.read_bytes(folder / image.value)
    except OSError as error:
        problem = Problem(file, image.line, "image", f"cannot read {image.value!r} ({error.strerror})")
    except ValueError as error:
        problem = Problem(file, image.line, "image", str(error))
    raise SceneError([problem])


# ---- back


def write(scene: Scene, resolution_m: float | None = None) -> bytes:
    """Return *scene* seen from above as a PGM picture: black where there is an obstacle, nearly white elsewhere.

    The default resolution is that of the picture which the scene was read from, else 5 cm per pixel.
    """
    return _drawn(rendered(scene, resolution_m), ".pgm")


def left_out(scene: Scene) -> list[str]:
    """Return descriptions of what a picture does not store."""
    parts = {"robot": scene.robots, "ball": scene.balls, "light": scene.lights, "mark": scene.marks}
    words = [f"{len(found)} {noun}{'s' if len(found) != 1 else ''}" for noun, found in parts.items() if found]
    return [*words, "names, heights, colours and surface properties: pixels are dark or light"]


def save(scene: Scene, path: str | pathlib.Path, resolution_m: float | None = None) -> tuple[pathlib.Path, ...]:
    """Write a ROS map: a picture and its yaml (*path* names either of the two); returns both."""
    image, note = files_of(path)
    if image.suffix.lower() not in WRITTEN:
        raise FormatError(f"{path}: pictures are written as {', '.join(WRITTEN)}, not as {image.suffix or 'this'}")
    raster = rendered(scene, resolution_m)
    scene_file.save(image, _drawn(raster, image.suffix.lower()))
    scene_file.save(note, map_yaml.text(image.name, raster.resolution_m, raster.corner_m))
    return image, note


def files_of(path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
    """Return the files that `save` writes: the picture and its yaml."""
    named = pathlib.Path(path)
    image = named.with_suffix(".pgm") if named.suffix.lower() in (".yaml", ".yml") else named
    return image, named.with_suffix(".yaml")


def _drawn(raster: OccupancyRaster, suffix: str) -> bytes:
    grey = np.where(raster.dark[::-1], np.uint8(OCCUPIED), np.uint8(FREE))
    x, y = raster.corner_m
    comment = f"Understudy: {raster.resolution_m:.9g} m/pix, lower left corner at {x:.9g} {y:.9g}"
    return grey_picture.to_pgm(grey, comment) if suffix in (".pgm", ".pnm") else grey_picture.to_other(grey, suffix)
