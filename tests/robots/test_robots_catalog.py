from __future__ import annotations

import tomllib
from typing import Any

import pytest

from understudy.protocols import PROTOCOLS
from understudy.robots import UNITS, catalog
from understudy.sensors import SENSORS
from understudy.world.plain import from_plain
from understudy.world.robot import Polygon, RobotModel

KINDS = {
    "devices": SENSORS,
    "units": {name: unit.Sheet for name, unit in UNITS.items()},
    "protocols": {name: protocol.Sheet for name, protocol in PROTOCOLS.items()},
}
NAMES = ("amigo", "p3at", "p3dx", "scout")


def table(name: str) -> dict[str, Any]:
    parsed = tomllib.loads(catalog()[name])
    return {**parsed.pop("robot"), **parsed}


def model(name: str) -> RobotModel:
    return from_plain(RobotModel, table(name), KINDS)


def test_the_catalogue_holds_these_robots() -> None:
    assert tuple(catalog()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_input_is_bound_to_a_device_of_its_kind(name: str) -> None:
    robot = model(name)
    kinds = {device.name: device.sheet.kind for device in robot.devices}
    for unit in robot.units:
        assert {key: kinds[device] for key, device in unit.uses}.items() <= unit.sheet.inputs.items()


@pytest.mark.parametrize("name", NAMES)
def test_every_port_speaks_a_language_of_its_unit(name: str) -> None:
    robot = model(name)
    kinds = {unit.name: unit.sheet.kind for unit in robot.units}
    assert all(kinds[port.unit] in port.sheet.units for port in robot.ports)


@pytest.mark.parametrize("name", NAMES)
def test_every_robot_has_a_validity_card(name: str) -> None:
    card = model(name).card
    assert card is not None
    assert all(card[key] for key in ("sources", "modelled", "not_modelled", "numbers"))


@pytest.mark.parametrize("name", ["amigo", "p3at", "p3dx"])
def test_every_number_on_a_card_exists(name: str) -> None:
    raw = tomllib.loads(catalog()[name])
    for path in raw["card"]["numbers"]:
        node = raw
        for part in path.split("."):
            node = node[part]


@pytest.mark.parametrize("name", ["amigo", "p3at", "p3dx"])
def test_motors_can_do_more_than_the_firmware_asks(name: str) -> None:
    robot = model(name)
    sheet = next(unit.sheet for unit in robot.units if unit.name == "arcos")
    assert robot.drive.accel_m_s2 > max(sheet.accel_m_s2, sheet.decel_m_s2)
    assert robot.drive.accel_rad_s2 > max(sheet.accel_rad_s2, sheet.decel_rad_s2)


def test_the_p3dx_has_the_outline_of_its_parameter_file() -> None:
    body = model("p3dx").body
    assert isinstance(body, Polygon)
    xs, ys = zip(*body.points_m)
    assert (max(xs), min(xs), max(ys), min(ys), len(xs)) == (0.210, -0.301, 0.2125, -0.2125, 8)


def test_the_scout_has_no_firmware() -> None:
    assert (model("scout").units, model("scout").ports) == ((), ())
