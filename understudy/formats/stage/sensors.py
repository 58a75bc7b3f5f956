"""Stage's lasers and rangers as devices: ``laser`` and ``ranger`` of Stage 2, ``sensor`` blocks of later versions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from understudy import elementary
from understudy.formats.stage.block_values import StageBlock
from understudy.formats.stage.text import Block
from understudy.world.shapes import Pose

Table = dict[str, Any]

RANGERS = ("laser", "ranger", "sonar")
FLAT_M = 0.2  # height of sensors in worlds without heights
_UNIFORM = math.sqrt(12.0)  # the width of a uniform error over its standard deviation
_ANGLES = "the third number, the error of ray directions, is not supported and ignored"
_LASER = frozenset({"range", "range_min", "range_max", "fov", "samples", "pose", "noise", "color"})
_SONAR = frozenset({"pose", "scount", "spose", "sview", "ssize", "noise", "projection_type", "color"})


def rangers(model: StageBlock, base_m: float) -> Iterator[tuple[str, Table]]:
    """Yield the devices of a laser or ranger: a sensor with many samples is a laser, the others form one sonar ring."""
    mount = _mount(model.pose(), base_m)
    if model.block.type == "laser":
        yield "laser", _laser(model, mount)
        return
    ring: list[Table] = []
    for part in model.block.parts:
        if part.type != "sensor":
            model.notes.ignore(part, "")
            continue
        sensor = model.part(part)
        if sensor.number("samples", 1.0) > 1:
            yield "laser", _scanner(sensor, mount)
        else:
            ring.append(_disc(sensor.pose()))
    ring += [_disc(pose) for pose in _old_poses(model)]
    if ring:
        yield "sonar", {"kind": "sonar", "mount": mount, "ring": ring, **_hearing(model)}
    model.note_rest(_SONAR)


def _mount(pose: Pose, base_m: float) -> Table:
    high = base_m + pose.z_m if base_m != FLAT_M else base_m
    return {"x_m": pose.x_m, "y_m": pose.y_m, "z_m": round(high, 6), "yaw_rad": pose.heading_rad}


def _disc(pose: Pose) -> Table:
    return {"x_m": pose.x_m, "y_m": pose.y_m, "yaw_rad": pose.heading_rad}


def _laser(model: StageBlock, mount: Table) -> Table:
    """Return the laser of Stage 2."""
    model.note_rest(_LASER)
    least, most = model.numbers("range", (2,)) or (model.number("range_min", 0.0), model.number("range_max", 8.0))
    return _scan(mount, model, math.pi, 180, least, most)


def _scanner(sensor: StageBlock, mount: Table) -> Table:
    """Return a sensor of Stage 3 and later with many samples."""
    pose = sensor.pose()
    cos, sin = elementary.cos(mount["yaw_rad"]), elementary.sin(mount["yaw_rad"])
    place = {
        "x_m": mount["x_m"] + cos * pose.x_m - sin * pose.y_m,
        "y_m": mount["y_m"] + sin * pose.x_m + cos * pose.y_m,
        "z_m": round(mount["z_m"] + pose.z_m, 6),
        "yaw_rad": mount["yaw_rad"] + pose.heading_rad,
    }
    least, most = sensor.numbers("range", (2,)) or (0.0, 5.0)
    return _scan(place, sensor, 0.1, 1, least, most)


def _scan(mount: Table, model: StageBlock, fov_rad: float, samples: int, least: float, most: float) -> Table:
    field_rad = model.angle("fov", fov_rad)
    return {
        "kind": "laser",
        "mount": mount,
        "field_rad": min(max(field_rad, 1e-3), 2 * math.pi),
        "rays": int(min(max(model.number("samples", samples), 1), 100_000)),
        "min_m": max(least * model.units.length, 0.0),
        "max_m": most * model.units.length if most > 0.0 else 8.0,
        "noise": _noise(model),
    }


def _noise(*models: StageBlock) -> Any:
    """Return the noise of the first model that has one: a width in Stage 2, three numbers in Stage 4.

    These are the variance of a normal error, the maximum error as a share of the range, and the error of the ray
    directions, which is not supported.
    """
    model = next((model for model in models if model.has("noise")), models[0])
    found = model.numbers("noise", (1, 3)) or (0.0,)
    if len(found) == 1:
        width = found[0] * model.units.length
        return {"sigma_m": width / _UNIFORM, "lost": 0.0} if width > 0.0 else "perfect"
    variance, share, angle = (max(number, 0.0) for number in found)
    if angle:
        model.notes.ignore(model.block, "noise", model.properties["noise"], _ANGLES)
    if not variance and not share:
        return "perfect"
    return {"sigma_m": math.sqrt(variance * model.units.length), "relative": share * 2.0 / _UNIFORM, "lost": 0.0}


def _hearing(model: StageBlock) -> Table:
    """Return the range of a sonar ring: one for all, from the first sensor that gives it."""
    views = [model.numbers("sview", (3,)), *(model.part(p).numbers("view", (3,)) for p in _sensors(model))]
    ranges = [model.part(p).numbers("range", (2,)) for p in _sensors(model)]
    view = next((v for v in views if v), None)
    least, most = next((r for r in (*ranges, view and view[:2]) if r), (0.0, 5.0))
    wide = view[2] * model.units.angle if view and model.text("projection_type", "single") == "closest" else 0.0
    return {
        "min_m": max(least * model.units.length, 0.0),
        "max_m": most * model.units.length if most > 0.0 else 5.0,
        "cone_rad": min(max(wide, 0.0), math.pi),
        "noise": _noise(model, *map(model.part, _sensors(model))),
    }


def _sensors(model: StageBlock) -> list[Block]:
    return [part for part in model.block.parts if part.type == "sensor"]


def _old_poses(model: StageBlock) -> Iterator[Pose]:
    """Yield the poses of the transducers of Stage 2, without those that never measure."""
    for n in range(int(min(max(model.number("scount", 0.0), 0), 255))):
        if model.has(f"spose[{n}]") and not _is_dead(model, n):
            yield model.pose(f"spose[{n}]")


def _is_dead(model: StageBlock, n: int) -> bool:
    view = model.numbers(f"sview[{n}]", (3,))
    return view is not None and view[0] >= view[1]


def absent_sonars(model: StageBlock) -> list[int] | None:
    """Return the numbers of the first ring that have no transducer; None if there is no ring."""
    for part in model.block.parts:
        inner = model.part(part)
        if part.type in RANGERS and inner.has("scount") and (model.only is None or not part.place.own):
            count = int(min(max(inner.number("scount", 0.0), 0), 255))
            return [n for n in range(count) if not inner.has(f"spose[{n}]") or _is_dead(inner, n)]
    return None
