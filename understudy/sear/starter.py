"""A new project: a floor, a few obstacles, a small robot with sensors, and user code that avoids obstacles."""

from __future__ import annotations

from pathlib import Path

from understudy.errors import UnderstudyError
from understudy.formats.native.scene_file import save as save_file
from understudy.formats.sear.archive_file import ASSETS, ENVIRONMENT, ROBOT
from understudy.sear.components import (
    SearAccelerometer,
    SearCompass,
    SearDistance,
    SearDynamics,
    SearOdometer,
    SEARrobot,
    SearWheel,
)
from understudy.sear.objects import SearBox, SearCone, SearCylinder, SearFloor, SearModel, SearWall
from understudy.sear.projects import USER_CODE, Project, using
from understudy.sear.terrain import TERRAIN, ElevationPart, build_on_terrain, surveyed
from understudy.sear.user_code import BLANK, TEMPLATE

_WANDER = TEMPLATE.format(
    variables="turning = 0.0  # seconds left to turn",
    init="addTree(2.5, 0, 2.0)\n    addBox(-2.0, 0.5, 2.5, 0)",
    loop="""if turning > 0:
        turning -= 1 / 60
        sear.drive(0.0, 1.0)
    elif sear.getDistanceResult("Ping1") < 0.7:
        turning = 1.2
    else:
        sear.drive(0.25)""",
)


def new_project(folder: str | Path, empty: bool = False, terrain: ElevationPart | None = None) -> Project:
    """Make a project in a new or empty folder and return it: a room, nothing, or a rover on a terrain."""
    place = Path(folder)
    measured = surveyed(terrain) if terrain else None  # before anything is written
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UnderstudyError(f"{place} exists and is not empty: choose another folder")
    for part in (ENVIRONMENT, ROBOT, ASSETS):
        (place / part).mkdir(parents=True, exist_ok=True)
    project = Project(place)
    save_file(place / USER_CODE, BLANK if empty or measured else _WANDER)
    if measured:
        save_file(place / ASSETS / TERRAIN, measured[0])
        with using(project):
            build_on_terrain(measured[1])
    elif not empty:
        with using(project):
            _furnish()
            _build_robot()
    return project


def _furnish() -> None:
    SearFloor("floor", 10, 10)
    for name, ends in (
        ("north", (5, -5, 5, 5)),
        ("south", (-5, -5, -5, 5)),
        ("east", (-5, 5, 5, 5)),
        ("west", (-5, -5, 5, -5)),
    ):
        SearWall(f"{name} wall", *ends)
    SearBox("crate", 0.6, 0.4, 0.4, 0, 0.3, 0.2, 1.8)
    SearCylinder("bin", 0.25, 0.75, 8, -1.5, 0.375, -1.5)
    SearCone("traffic cone", 0.2, 0.6, 2, 1.5, 0.3, -2.0)
    SearModel("tree", "models/Tree/Tree.mesh.xml").move(3, 0, -3)


def _build_robot() -> None:
    robot = SEARrobot("rover")
    dynamics = SearDynamics("dynamics", 3, 400, 0.3, 0.4, 200, 0.01)
    dynamics.setPorts("/dev/rover_uart", "/dev/rover")
    robot.addComponent(dynamics)
    robot.addComponent(SearCylinder("body", 0.165, 0.07, 3))
    for name, side, ahead, driven in (
        ("left", 0.13, 0, 1),
        ("right", -0.13, 0, 1),
        ("front", 0, 0.13, 0),
        ("back", 0, -0.13, 0),
    ):
        wheel = SearWheel(f"{name} wheel", 0.036, 0.02, driven)
        wheel.move(side, -0.01, ahead)
        robot.addWheel(wheel)
    ping = SearDistance("Ping1")
    ping.move(0, 0.06, 0.15)
    for sensor in (ping, SearCompass("comp1"), SearAccelerometer("accel"), SearOdometer("odo")):
        robot.addComponent(sensor)
