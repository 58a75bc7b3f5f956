"""Pictures and the tree that come with SEAR objects, drawn here when they are needed."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from functools import cache

from understudy import elementary

CARDBOARD, BIN, TRAFFIC_CONE, LEAVES = (
    "understudy/cardboard.png", "understudy/bin.png", "understudy/traffic-cone.png", "understudy/tree.png",
)  # fmt: skip
TREE = "models/Tree/Tree.mesh.xml"  # as SEAR's users write it
DEFAULTS: Mapping[str, str] = {"box": CARDBOARD, "cylinder": BIN, "cone": TRAFFIC_CONE}
COLOURS: Mapping[str, str] = {"box": "#b58956", "cylinder": "#14326e", "cone": "#f06818"}  # of what has no picture
_SIZE = 64  # pixels
_MOST_PIXELS = 20_000_000  # of a picture whose mean is taken


def _png(draw: Callable[[int, int], tuple[int, int, int]]) -> bytes:
    """Return a picture whose pixels a function of column and row gives."""
    from PIL import Image

    picture = Image.new("RGB", (_SIZE, _SIZE))
    picture.putdata([draw(column, row) for row in range(_SIZE) for column in range(_SIZE)])
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _cardboard(column: int, row: int) -> tuple[int, int, int]:
    """Corrugated brown, a strip of tape across the middle, and edges that are a little darker."""
    if abs(row - _SIZE // 2) < 4:
        return 214, 186, 140
    edge = 18 if min(column, row, _SIZE - 1 - column, _SIZE - 1 - row) < 2 else 0
    ridge = 8 * (column % 4 == 0)
    return 181 - edge - ridge, 137 - edge - ridge, 86 - edge - ridge


def _bin(column: int, row: int) -> tuple[int, int, int]:
    """Blue with a dark rim, and three white bars that follow each other around."""
    if row < 6:
        return 20, 50, 110
    around = column % 32 - 16
    if 24 <= row < 40 and abs(around) < 12 and (row + around) % 11 < 4:
        return 240, 244, 248
    return 32, 84 - (column % 8 == 0) * 10, 170


def _traffic_cone(column: int, row: int) -> tuple[int, int, int]:
    """Orange with two white stripes and a dark foot."""
    if row > _SIZE - 6:
        return 50, 44, 40
    return (245, 245, 240) if 18 <= row < 28 or 40 <= row < 48 else (240, 104, 24)


def _leaves(column: int, row: int) -> tuple[int, int, int]:
    """Green in the upper half, for the crown; bark in the lower one, for the trunk."""
    if row < _SIZE // 2:
        shade = (column * 7 + row * 13) % 5 * 9
        return 36 + shade // 2, 96 + shade, 40
    shade = column % 6 * 5
    return 92 + shade, 66 + shade, 42


_DRAWN = {CARDBOARD: _cardboard, BIN: _bin, TRAFFIC_CONE: _traffic_cone, LEAVES: _leaves}


@cache
def content(name: str) -> bytes:
    """Return the file of a picture or mesh that comes with Understudy; raises KeyError."""
    return tree_mesh().encode() if name == TREE else _png(_DRAWN[name])


def known(name: str) -> bool:
    """Return whether a file of this name comes with Understudy."""
    return name == TREE or name in _DRAWN


def mean_colour(data: bytes) -> str:
    """Return the mean colour of a picture as ``#rrggbb``; empty if it cannot be read."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return ""
            red, green, blue = picture.convert("RGB").resize((1, 1), Image.Resampling.BOX).tobytes()
    except Exception:  # a damaged picture may raise anything
        return ""
    return f"#{red:02x}{green:02x}{blue:02x}"


# ---- the tree

_Point = tuple[float, float, float]
_Face = tuple[int, int, int]
_SIDES = 10
_TRUNK, _CROWN = (0.12, 0.0, 1.1), (0.75, 1.0, 3.0)  # radius, bottom, top (m)


def tree_mesh() -> str:
    """Return the tree as an Ogre mesh, Y up: a trunk and a crown, each convex, with one picture for both."""
    parts = (
        _submesh(*_frustum(*_TRUNK, top=0.08), v=(1.0, 0.55)),
        _submesh(*_frustum(*_CROWN, top=0.0), v=(0.45, 0.0)),
    )
    return f"<mesh>\n<submeshes>\n{''.join(parts)}</submeshes>\n</mesh>\n"


def _frustum(radius: float, low: float, high: float, top: float) -> tuple[list[_Point], list[_Face]]:
    """Return points and triangles of a cone or a part of one, closed at both ends, about the Y axis."""
    ways = [math.tau * n / _SIDES for n in range(_SIDES)]
    points = [(radius * elementary.cos(way), low, radius * elementary.sin(way)) for way in ways]
    faces = [(n, n + 1, 0) for n in range(1, _SIDES - 1)]
    if top == 0.0:
        points.append((0.0, high, 0.0))
        return points, [*faces, *((n, _SIDES, (n + 1) % _SIDES) for n in range(_SIDES))]
    points += [(top * elementary.cos(way), high, top * elementary.sin(way)) for way in ways]
    faces += [(_SIDES, _SIDES + n + 1, _SIDES + n) for n in range(1, _SIDES - 1)]
    for n in range(_SIDES):
        after = (n + 1) % _SIDES
        faces += [(n, _SIDES + n, after), (after, _SIDES + n, _SIDES + after)]
    return points, faces


def _submesh(points: list[_Point], faces: list[_Face], v: tuple[float, float]) -> str:
    low, high = min(y for _, y, _ in points), max(y for _, y, _ in points)
    rise = (v[1] - v[0]) / (high - low)
    vertices = "".join(
        f'<vertex><position x="{x:.12f}" y="{y:.12f}" z="{z:.12f}"/>'
        f'<texcoord u="{elementary.atan2(z, x) / math.tau % 1.0:.5f}" v="{v[0] + rise * (y - low):.5f}"/></vertex>\n'
        for x, y, z in points
    )
    triangles = "".join(f'<face v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in faces)
    return (
        f'<submesh material="" usesharedvertices="false" operationtype="triangle_list">\n<faces count="{len(faces)}">\n'
        f'{triangles}</faces>\n<geometry vertexcount="{len(points)}">\n<vertexbuffer positions="true" '
        f'texture_coords="1" texture_coord_dimensions_0="2">\n{vertices}</vertexbuffer>\n</geometry>\n</submesh>\n'
    )
