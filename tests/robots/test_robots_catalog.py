from __future__ import annotations

import math
import tomllib
from functools import cache
from typing import Any

import pytest
from robots.pioneer.pioneer_tables import ALSO, CLIENT, LIMITS

from understudy.formats.native.robot_read import find_robot, robot_model
from understudy.robots import catalog
from understudy.robots.pioneer.sheet import PioneerSheet
from understudy.sim.vocabulary import vocabulary
from understudy.world.outlines import polygon_error
from understudy.world.robot import Omni, Polygon, Rectangle, RobotModel

PIONEERS = {**{name: name for name in CLIENT}, **ALSO}
NAMES = tuple(catalog())
EXACT = [f"{name}-no-error" for name in PIONEERS]


@cache
def table(name: str) -> Any:
    return find_robot(name, None, vocabulary()).table


@cache
def model(name: str) -> RobotModel:
    return robot_model(name, None, vocabulary())


def arcos(robot: RobotModel) -> PioneerSheet:
    sheet = next(unit.sheet for unit in robot.units if unit.name == "arcos")
    assert isinstance(sheet, PioneerSheet)
    return sheet


def device(robot: RobotModel, name: str) -> Any:
    return next((device for device in robot.devices if device.name == name), None)


def reach(robot: RobotModel) -> tuple[float, float, float, float]:
    """Return how far the outline goes ahead, back, left and right (mm)."""
    body = robot.body
    if isinstance(body, Rectangle):
        ahead, back = body.length_m / 2 + body.offset_x_m, body.length_m / 2 - body.offset_x_m
        return tuple(round(1000 * way, 3) for way in (ahead, back, body.width_m / 2, body.width_m / 2))  # type: ignore[return-value]
    assert isinstance(body, Polygon)
    xs, ys = zip(*body.points_m)
    return tuple(round(1000 * way, 3) for way in (max(xs), -min(xs), max(ys), -min(ys)))  # type: ignore[return-value]


# ---- every robot


def test_the_catalogue_holds_every_pioneer_of_the_tables_with_and_without_errors() -> None:
    assert set(NAMES) >= {*PIONEERS, *EXACT, "scout"}


@pytest.mark.parametrize("name", NAMES)
def test_every_input_is_bound_to_a_device_of_its_kind(name: str) -> None:
    robot = model(name)
    kinds = {device.name: device.sheet.kind for device in robot.devices}
    for unit in robot.units:
        for key, device in unit.uses:
            assert unit.sheet.inputs[key] in (kinds[device], "*")


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


@pytest.mark.parametrize("name", sorted({*NAMES} - {"scout"}))
def test_every_number_on_a_card_exists(name: str) -> None:
    robot = table(name)
    raw = {"robot": robot, **robot}
    for path in robot["card"]["numbers"]:
        node = raw
        for part in path.split("."):
            node = node[part]


@pytest.mark.parametrize("name", NAMES)
def test_every_outline_is_convex(name: str) -> None:
    body = model(name).body
    assert not isinstance(body, Polygon) or polygon_error(body.points_m) == ""


def test_no_two_files_of_the_catalogue_say_the_same() -> None:
    own = [tomllib.loads(text) for text in catalog().values()]
    assert len({repr(sorted(robot.items())) for robot in own}) == len(own)


def test_the_scout_has_no_firmware() -> None:
    assert (model("scout").units, model("scout").ports) == ((), ())


# ---- Pioneers


@pytest.mark.parametrize("name", [*PIONEERS, *EXACT])
def test_only_subtypes_that_aria_knows_are_announced(name: str) -> None:
    sheet = arcos(model(name))
    assert sheet.subtype == PIONEERS[name.removesuffix("-no-error")]
    assert sheet.robot_class == ("MTX" if "pioneer-lx" in sheet.subtype else "Pioneer")


@pytest.mark.parametrize("name", CLIENT)
def test_the_factors_are_those_that_the_client_uses(name: str) -> None:
    sheet = arcos(model(name))
    angle = 0.0061359 if name.startswith(("pion1", "pionat", "psos")) else 0.001534
    assert (sheet.dist_factor, sheet.vel_factor, sheet.range_factor, sheet.diff_factor) == CLIENT[name][3:7]
    assert sheet.angle_factor == angle


@pytest.mark.parametrize("name", CLIENT)
def test_the_outline_is_that_of_the_parameter_file(name: str) -> None:
    width, length, front = CLIENT[name][:3]
    ahead = front or length / 2
    assert reach(model(name)) == (ahead, length - ahead, width / 2, width / 2)


@pytest.mark.parametrize("name", CLIENT)
def test_there_are_as_many_sonar_numbers_as_the_client_wants(name: str) -> None:
    robot = model(name)
    sonar = device(robot, "sonar")
    discs = len(sonar.sheet.ring) if sonar else 0
    assert discs + len(arcos(robot).absent_sonars) == CLIENT[name][7]


@pytest.mark.parametrize("name", CLIENT)
def test_the_laser_is_where_the_client_thinks_it_is(name: str) -> None:
    x, y, rays = CLIENT[name][8:]
    front = device(model(name), "front")
    found = (front.mount.x_m, front.mount.y_m, front.sheet.rays) if front else (0, 0, 0)
    assert found == (x / 1000, y / 1000, rays)


@pytest.mark.parametrize("name", LIMITS)
def test_speeds_and_ramps_are_those_of_mobilesim(name: str) -> None:
    robot = model(name)
    sheet = arcos(robot)
    ramps = (sheet.accel_m_s2 * 1000, sheet.decel_m_s2 * 1000, sheet.accel_rad_s2, sheet.decel_rad_s2)
    found = (robot.drive.max_m_s * 1000, math.degrees(robot.drive.max_rad_s), *ramps[:2], *map(math.degrees, ramps[2:]))
    assert found == pytest.approx(LIMITS[name])


@pytest.mark.parametrize("name", PIONEERS)
def test_motors_can_do_more_than_the_firmware_asks(name: str) -> None:
    robot = model(name)
    sheet = arcos(robot)
    assert robot.drive.accel_m_s2 > max(sheet.accel_m_s2, sheet.decel_m_s2)
    assert robot.drive.accel_rad_s2 > max(sheet.accel_rad_s2, sheet.decel_rad_s2)


@pytest.mark.parametrize("name", PIONEERS)
def test_the_form_without_error_differs_in_nothing_else(name: str) -> None:
    robot, exact = model(name), model(f"{name}-no-error")
    assert arcos(robot).odometry_error == (0.009 if name == "seekur" else 0.0075,) * 3
    assert arcos(exact) == arcos(robot).perfect()
    assert (exact.body, exact.drive, exact.devices, exact.ports) == (
        robot.body, robot.drive, robot.devices, robot.ports,
    )  # fmt: skip


def test_the_first_and_last_sonars_of_some_rings_stand_where_the_parameter_files_say() -> None:
    places = {
        "p3dx": (69, 136, 90, -157, 136, 90),
        "p3at": (147, 136, 90, -144, 136, 90),
        "amigo": (76, 100, 90, -140, 58, 145),
        "amigo-sh": (70, 100, 90, -146, 58, 145),
        "peoplebot": (69, 136, 90, -191, 136, 90),
        "perfpb": (69, 136, 90, -191, 136, 90),
        "p2pb": (69, 136, 90, -157, 136, 90),
        "powerbot": (152, 278, 90, -298, 278, 90),
        "powerbot-sh-uarcs": (-298, -278, -90, -298, 278, 90),
        "patrolbot": (83, 229, 90, -83, 229, 90),
        "pioneer-lx": (331, 61, 10, -317, -90, -164),
        "pion1x": (100, 100, 90, 100, -100, -90),
    }
    for name, place in places.items():
        ring = device(model(name), "sonar").sheet.ring
        ends = [(disc.x_m * 1000, disc.y_m * 1000, math.degrees(disc.yaw_rad)) for disc in (ring[0], ring[-1])]
        assert (*ends[0], *ends[1]) == pytest.approx(place), name


def test_a_powerbot_has_no_disc_in_four_of_its_slots() -> None:
    assert arcos(model("powerbot")).absent_sonars == (7, 15, 23, 31)
    assert arcos(model("powerbot-sh-uarcs")).absent_sonars == (7, 15)


def test_the_seekur_moves_sideways() -> None:
    drive = model("seekur").drive
    assert isinstance(drive, Omni)
    assert drive.max_lateral_m_s == 3.0


def test_a_pioneer_lx_hears_half_a_metre_and_a_pioneer_1_three_and_a_half() -> None:
    for name, far_m in (("pioneer-lx", 0.5), ("pion1x", 3.5), ("p3dx", 5.0)):
        robot = model(name)
        assert (device(robot, "sonar").sheet.max_m, arcos(robot).sonar_max_m) == (far_m, far_m)


def test_every_pioneer_and_nobody_else_has_a_double_without_errors():
    tables = {name: tomllib.loads(text) for name, text in catalog().items() if not name.endswith("-no-error")}

    def is_pioneer(table):
        kinds = [unit["kind"] for unit in table.get("unit", {}).values() if unit and "kind" in unit]
        like = table["robot"].get("like")
        return "pioneer" in kinds or (like is not None and is_pioneer(tables[like]))

    doubles = {name.removesuffix("-no-error") for name in catalog() if name.endswith("-no-error")}
    assert doubles == {name for name, table in tables.items() if is_pioneer(table)}
