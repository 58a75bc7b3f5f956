"""The logger: chosen sensors of a run to a CSV file, one row per time, the first column is the simulated time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from understudy.errors import UnknownName, nearest
from understudy.formats.sear import axes
from understudy.sear.readings import SensorPlace
from understudy.sim.record_files import CsvRows, store_for
from understudy.sim.recording import Channel, Recording
from understudy.sim.view import View

_BODY_AXES = {"accelerometer": "m_s2", "gyroscope": "rad_s"}  # reported along SEAR's axes, with their unit


def sensor_log(
    path: str | Path, places: Mapping[str, SensorPlace], names: Sequence[str] = (), every_s: float = 0.1
) -> Recording:
    """Return a listener that writes sensors to a CSV file (or ``.parquet``), by SEAR's names and along its axes.

    A row is written every *every_s* of simulated time, with the newest reading of each sensor at that time.
    """
    chosen = tuple(names) or tuple(name for name, place in places.items() if place.kind != "camera")
    for name in chosen:
        if name not in places:
            raise UnknownName(f"no sensor is named {name!r} {nearest(name, places)}")
    store = store_for(path) if Path(path).suffix.lower() == ".parquet" else CsvRows(Path(path))
    return Recording(lambda view: [_channel(view, name, places[name]) for name in chosen], store, every_s)


def _channel(view: View, name: str, place: SensorPlace) -> Channel:
    device = f"{place.robot}/{place.device}"
    unit = _BODY_AXES.get(place.kind)
    if unit is None:
        return Channel(name, tuple(view.columns(device)), lambda moment: moment.view.reading(device))
    columns = tuple(f"{axis}_{unit}" for axis in "xyz")
    return Channel(name, columns, lambda moment: axes.sears(*moment.view.reading(device)))
