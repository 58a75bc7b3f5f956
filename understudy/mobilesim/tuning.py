"""Applies MobileSim's options to a robot model: port, protocol settings, odometry error, watchdog."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from understudy.formats.native.robot_read import fitted
from understudy.mobilesim import codes
from understudy.mobilesim.codes import StartError
from understudy.mobilesim.options import Options
from understudy.world.robot import Port, RobotModel, UnitSpec

PROTOCOL, FIRMWARE = "arcos", "pioneer"

# --odom-error-mode: settings of the firmware
ERROR_MODES: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "random_init": {"odometry_errors": "once"},
    "random_each_update": {"odometry_errors": "always"},
    "constant": {"odometry_errors": "constant"},
    "none": {"odometry_error": (0.0, 0.0, 0.0)},
}


def tuned(model: RobotModel, options: Options, link: str, who: str) -> tuple[RobotModel, str]:
    """Return *model* with its Pioneer port at *link*, and the name of that port; raises StartError if it has none."""
    host = next((port for port in model.ports if port.sheet.kind == PROTOCOL), None)
    if host is None:
        raise StartError(codes.EMULATION, f"{who} is not a Pioneer: it has no port with the protocol {PROTOCOL}")
    ports = tuple(_port(port, options, link, who) if port is host else _own(port, who) for port in model.ports)
    units = tuple(_unit(unit, options) for unit in model.units)
    return fitted(dataclasses.replace(model, ports=ports, units=units)), host.name


def _port(port: Port, options: Options, link: str, who: str) -> Port:
    sheet = _with(port.sheet, protocol_settings(options))
    return dataclasses.replace(port, link=link, sheet=sheet, forbid=options.forbid)


def _own(port: Port, who: str) -> Port:
    """Return another port of the robot; a named pseudo-terminal gets the robot's name as prefix to stay unique."""
    scheme, _, name = port.link.partition(":")
    return dataclasses.replace(port, link=f"pty:{who}-{name}") if scheme == "pty" and "/" not in name else port


def protocol_settings(options: Options) -> dict[str, Any]:
    """Return the protocol settings of the options, by the field names of its data sheet."""
    return {
        "ignore_commands": options.ignore_command,
        "srisim_compat": options.srisim_compat,
        "srisim_laser_compat": not options.no_srisim_laser_compat,
        "less_verbose": options.less_verbose and not options.warn_unsupported_commands,
        "interval_ms": max(1, round(options.update_interval)),
        "sim_interval_ms": round(options.update_sim_time),
        "interactive": not options.noninteractive,
        "restarted": options.restarted,
    }


def _unit(unit: UnitSpec, options: Options) -> UnitSpec:
    if unit.sheet.kind != FIRMWARE:
        return unit
    settings = dict(ERROR_MODES["none" if options.no_error else options.odom_error_mode])
    settings |= {"watchdog": options.watchdog} if options.watchdog else {}
    settings |= {"exact": True} if options.exact else {}
    return dataclasses.replace(unit, sheet=_with(unit.sheet, settings))


def _with(sheet: Any, settings: Mapping[str, Any]) -> Any:
    known = {field.name for field in dataclasses.fields(sheet)}
    return dataclasses.replace(sheet, **{name: value for name, value in settings.items() if name in known})
