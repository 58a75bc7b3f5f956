"""Devices that name a model: missing keys come from the device catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from understudy.errors import nearest
from understudy.formats.beam_points import BEAM
from understudy.formats.native.robot_read import merge
from understudy.world.records import Finding
from understudy.world.rules import canonical

Table = Mapping[str, Any]
Models = Mapping[str, Table]


def completed(table: Table, models: Models) -> tuple[Table, list[Finding]]:
    """Return a robot's table with devices completed from their models, and the errors; invalid devices are dropped."""
    devices, findings = table.get("device"), []
    if not isinstance(devices, Mapping):
        return table, []
    whole = dict(devices)
    for name, device in devices.items():
        if isinstance(device, Mapping) and "model" in device:
            wrong = _model_error(device, models)
            if wrong:
                findings.append(Finding(("device", name, "model"), wrong))
                del whole[name]
            else:
                whole[name] = _made_whole(device, models[device["model"]])
    return {**table, "device": whole}, findings


def _model_error(device: Table, models: Models) -> str:
    model = device["model"]
    if not isinstance(model, str) or model not in models:
        return f"no such device {model!r} {nearest(str(model), models)}"
    kind, own = models[model]["kind"], device.get("kind", models[model]["kind"])
    return "" if own == kind else f"{model!r} is a {kind}, but kind = {own}; remove one of them"


def _made_whole(device: Table, model: Table) -> Table:
    """Return a device with missing keys taken from its model; a cone of its own replaces the model's lobes."""
    own_cone = any(canonical(key) == "cone_rad" for key in device) and BEAM not in device
    base = {key: value for key, value in model.items() if not (own_cone and key == BEAM)}
    return merge(base, device)
