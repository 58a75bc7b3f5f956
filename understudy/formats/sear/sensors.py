"""SEAR's sensors as devices of a robot, and those with a serial line also as a unit with a port."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from understudy.errors import nearest
from understudy.formats.sear.kinds import SearEntry
from understudy.frozen import frozen
from understudy.world.resolve import legal
from understudy.world.vocabulary import Vocabulary

Table = dict[str, Any]
_UNLIMITED = 1e6  # full scale of a sensor without errors
LMS_VARIANTS = ("180/1", "180/0.5", "100/1", "100/0.5", "100/0.25")


@frozen
class Fitted:
    """A sensor on a robot: its device, and its unit and port if it has a serial line."""

    device: Table
    unit: Table = field(default_factory=dict)
    port: Table = field(default_factory=dict)


def port_name(user: str) -> str:
    """Return the name under which a port is found, made from the name that a user gave it.

    >>> port_name("/dev/SEAR_LIDAR_01"), port_name("COM4")
    ('SEAR_LIDAR_01', 'COM4')
    """
    return legal(user.replace("\\", "/").rpartition("/")[2], "port")[:60]


def serial(entry: SearEntry, unit: str, protocol: str) -> Table:
    """Return the port of a sensor or robot; empty if it has no user's end."""
    if not entry["user"]:
        return {}
    line = {"baud": entry["baud"], "pace": True} if entry["baud"] else {}
    return {"unit": unit, "protocol": protocol, "link": f"pty:{port_name(entry['user'])}", **line}


def fitted(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    """Return the device of a sensor, without its mount; *name* is that of its device and unit."""
    return _FITTERS[entry.kind](entry, name, vocabulary)


def _noise(entry: SearEntry) -> Table:
    return {} if entry["noise"] else {"noise": "perfect"}


def _period(entry: SearEntry) -> Table:
    return {"period_us": max(1, round(1e6 / entry["rate"]))} if entry["rate"] else {}


def _gps(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    earth = {"earth": "flat"} if entry["flat"] else {}
    device = {"kind": "gps", **earth, **_period(entry), **_noise(entry)}
    port = serial(entry, name, "nmea")
    if port:
        port |= {"sentences": ["GGA"], "period_us": device["period_us"]}
    return Fitted(device, {"kind": "nmea_gps", "uses": {"gps": name}}, port)


def _compass(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    point = [entry["north_z"], entry["north_x"]]
    north: Table = {"north": "magnetic"} if entry["declination"] else {"north_m": point}
    return Fitted({"kind": "compass", "span": "signed", "unit": "deg", **north, **_period(entry), **_noise(entry)})


def _accelerometer(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    ideal = {} if entry["noise"] else {"bandwidth_hz": 0.0, "range_m_s2": _UNLIMITED}
    return Fitted({
        "kind": "accelerometer", "gravity": entry["gravity"], **ideal, **_period(entry), **_noise(entry)
    })  # fmt: skip


def _gyroscope(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    ideal = {} if entry["noise"] else {"bandwidth_hz": 0.0, "range_rad_s": _UNLIMITED}
    return Fitted({"kind": "gyro", **ideal, **_period(entry), **_noise(entry)})


def _odometer(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    limits = {"again_at_m": entry["wrap"], "dead_band_m_s": entry["threshold"]}
    return Fitted({"kind": "odometer", **limits, **_noise(entry)})


def _camera(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    images = ["rgb", "depth"] if entry["depth"] else ["rgb"]
    device = {"kind": "camera", "images": images, "width": entry["width"], "height": entry["height"],
              "field_rad": math.radians(entry["field"])}  # fmt: skip
    return Fitted({**device, **_period(entry), **_noise(entry)})


# ---- rangers


def _distance(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    model = _known_model(entry, vocabulary)
    device = {"model": model, **_beam(entry, vocabulary.models[model]), **_period(entry), **_noise(entry)}
    return Fitted(device)


def _known_model(entry: SearEntry, vocabulary: Vocabulary) -> str:
    wanted: str = entry["model"]
    if wanted not in vocabulary.models:
        raise entry.problem(f"no such sensor {wanted!r} {nearest(wanted, vocabulary.models)}")
    return wanted


def _beam(entry: SearEntry, model: Mapping[str, Any]) -> Table:
    """Return what differs from the model's beam: cones of its own, a plain beam, or another range."""
    reach, lines = entry["range"], entry["lines"]
    if entry["cones"]:
        farthest = reach or max(cone.range for cone in entry["cones"])
        lobes = [_lobe(2 * c.angle, min(c.range, farthest), c.lines or lines, c.left, c.down) for c in entry["cones"]]
        return {"lobes": lobes, "max_m": farthest}
    usual = float(model.get("max_m", 1.0))
    if entry["spread"]:
        return {"lobes": [_lobe(entry["spread"], reach or usual, lines)], "max_m": reach or usual}
    own = [dict(lobe) for lobe in model.get("lobes", ())]
    if not own or not (reach or lines):
        return {"max_m": reach} if reach else {}
    share = (reach or usual) / usual
    lobes = [{**lobe, "max_m": lobe["max_m"] * share, **({"rays": lines} if lines else {})} for lobe in own]
    return {"lobes": lobes, "max_m": reach or usual}


def _lobe(width: float, reach: float, lines: int, left: float = 0.0, down: float = 0.0) -> Table:
    aside = {key: math.radians(angle) for key, angle in (("yaw_rad", left), ("pitch_rad", down)) if angle}
    return {"width_rad": math.radians(width), "max_m": reach, **({"rays": lines} if lines else {}), **aside}


def _lidar(entry: SearEntry, name: str, vocabulary: Vocabulary) -> Fitted:
    if entry["lms"] or entry["user"]:
        return _lms200(entry, name)
    rays = round(entry["spread"] / entry["resolution"]) + 1
    field_rad = min(math.radians((rays - 1) * entry["resolution"]), math.tau)
    if rays < 2:
        raise entry.problem("the resolution is larger than the spread")
    return Fitted({"kind": "laser", "field_rad": field_rad, "rays": rays, "max_m": entry["range"], **_noise(entry)})


def _lms200(entry: SearEntry, name: str) -> Fitted:
    variant = f"{entry['spread']:g}/{entry['resolution']:g}"
    if variant not in LMS_VARIANTS:
        raise entry.problem(f"an LMS-200 has no {variant} degrees (known: {', '.join(LMS_VARIANTS)})")
    unit = {"kind": "lms200", "uses": {"laser": name}, "variant": variant, "range_m": entry["range"]}
    ideal = {} if entry["noise"] else {"spot_rad": 0.0, "noise": "perfect"}
    return Fitted({"model": "lms200", "max_m": entry["range"], **ideal}, unit, serial(entry, name, "sick_lms200"))


_FITTERS: Mapping[str, Callable[[SearEntry, str, Vocabulary], Fitted]] = {
    "gps": _gps, "compass": _compass, "accelerometer": _accelerometer, "gyroscope": _gyroscope,
    "odometer": _odometer, "distance": _distance, "lidar": _lidar, "camera": _camera,
}  # fmt: skip
