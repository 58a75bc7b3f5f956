"""From a world or a program to a simulation: which world, which robots, which program drives each of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from understudy import api
from understudy.clients.robios_c.build import is_classic
from understudy.errors import ProgramError, UnderstudyError, nearest
from understudy.formats.document import Document
from understudy.formats.eyesim.environment import open_world
from understudy.formats.eyesim.error_lines import WHAT, ErrorMargins, error_overrides
from understudy.formats.eyesim.things import ROBOTS, START_MODEL
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import merge
from understudy.frozen import frozen
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Ground, Scene
from understudy.world.shapes import Pose

Mode = Literal["gated", "realtime"]
PROGRAMS = (".py", ".c", ".cpp", ".cc", ".cxx", ".x", ".exe")
PARAMETERS = "eyesim.p"
HOME = "EYESIM_HOME"  # where a parameter file is searched that is not in the current folder
_BOX_M = 2.0  # EyeSim's world if there is no other


@frozen
class EyesimSetup:
    """What a user asks for."""

    world: Path | None = None  # None: the parameter file, or else a box
    program: tuple[str, ...] = ()  # file and arguments, for robots without a program of their own
    programs: Mapping[str, str] | None = None  # by robot
    model: str = ""  # of the robots at the starts of a world or maze; EyeSim's name, or ours; empty: by the program
    mode: Mode = "realtime"
    errors: tuple[tuple[str, float], ...] = ()  # what, share
    seed: int | None = None
    engine: str | None = None
    speed: float | None = 1.0


def simulation(setup: EyesimSetup) -> Sim:
    """Return the simulation that a user asks for; raises UnderstudyError."""
    setup = replace(setup, model=_model(setup))
    document = _with_programs(_with_errors(_with_robots(_document(setup), setup.model), setup), setup)
    return api.load(document, seed=setup.seed, engine=setup.engine, speed=setup.speed, trust=True)


def is_program(path: Path) -> bool:
    """Return whether a file is a program and not a world: by its suffix, or an executable that is no text."""
    if path.suffix.lower() in PROGRAMS:
        return True
    with suppress(OSError), path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
    return False


def margins(words: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return error margins as shares, from words such as ``psd=5`` (percent); raises UnderstudyError."""
    found = []
    for word in words:
        what, equals, number = word.partition("=")
        try:
            percent = float(number.removesuffix("%"))
        except ValueError:
            percent = -1.0
        if what not in WHAT:
            raise UnderstudyError(f"--error {word}: no error margin {what!r} {nearest(what, WHAT)}")
        if not equals or not 0.0 <= percent <= 100.0:
            raise UnderstudyError(f"--error {word}: want a percentage from 0 to 100, such as {what}=5")
        found.append((what, percent / 100))
    return tuple(found)


def _document(setup: EyesimSetup) -> Document:
    """Return the world: that of the user, else of the parameter file, else a box."""
    if setup.world is not None:
        is_world = setup.world.suffix.lower() in (".wld", ".maz")  # without a choice of robots elsewhere
        return open_world(setup.world, setup.model) if is_world else api.open_document(setup.world)
    folders = (Path(), *(Path(folder) for folder in (os.environ.get(HOME),) if folder))
    for file in (folder / PARAMETERS for folder in folders):
        if file.is_file():
            return api.open_document(file)
    middle = (_BOX_M / 2, _BOX_M / 2)
    ground = Ground((_BOX_M, _BOX_M), middle, walled=True)
    return Document(Scene(name="box", ground=ground), folder=Path())


def _model(setup: EyesimSetup) -> str:
    """Return the model of robots that the world does not name: classic programs get the robot of the paper."""
    if setup.model:
        return ROBOTS.get(setup.model.lower(), setup.model)
    maze = setup.world is not None and setup.world.suffix.lower() == ".maz"
    return START_MODEL if (_is_classic(setup.program[0]) if setup.program else maze) else "s4"


def _is_classic(program: str) -> bool:
    """Return whether a program uses the classic API, by what it imports or calls."""
    try:
        text = Path(program).read_text("utf-8", "replace")
    except OSError:
        return False  # that it is missing is reported when it starts
    return "eye_classic" in text if program.endswith(".py") else "eyebot" in text and is_classic([text])


def _with_robots(document: Document, model: str) -> Document:
    """Return the document, with a robot in the middle if it has none."""
    if document.scene.robots:
        return document
    x_m, y_m = document.scene.ground.center_m
    return _placed(document, (PlacedRobot(model=model, place=Pose(x_m, y_m)),))


def _placed(document: Document, robots: tuple[PlacedRobot, ...]) -> Document:
    return replace(document, scene=replace(document.scene, robots=robots))


def _with_errors(document: Document, setup: EyesimSetup) -> Document:
    """Return the document with the error margins of the command line."""
    if not setup.errors:
        return document
    errors = ErrorMargins(setup.errors)
    flat = scene_file.resolve(document, vocabulary())
    robots = tuple(
        replace(
            robot,
            overrides=merge(robot.overrides or {}, error_overrides(errors, [d.name for d in built.built.devices])),
        )
        for robot, built in zip(document.scene.robots, flat.robots)
    )
    media = {medium.name: medium for medium in (*document.scene.media, *errors.media())}
    scene = replace(document.scene, media=tuple(media.values()))
    return _placed(replace(document, scene=scene), robots)


def _with_programs(document: Document, setup: EyesimSetup) -> Document:
    """Return the document with a program for each robot that shall have one."""
    given = dict(setup.programs or {})
    flat = scene_file.resolve(document, vocabulary())
    robots = []
    for robot, built in zip(document.scene.robots, flat.robots):
        own = given.pop(built.name, "") or (setup.program[0] if setup.program and robot.program is None else "")
        arguments = setup.program[1:] if setup.program and own == setup.program[0] else ()
        robots.append(replace(robot, name=built.name, program=_program(robot, own, tuple(arguments), setup.mode)))
    if given:
        name = next(iter(given))
        raise ProgramError(f"no robot is named {name!r} {nearest(name, (robot.name for robot in flat.robots))}")
    return _placed(document, tuple(robots))


def _program(robot: PlacedRobot, file: str, arguments: tuple[str, ...], mode: Mode) -> Program | None:
    """Return a robot's program: a file of the user's, or its own at the user's pace."""
    if file:
        path = Path(file).resolve()
        if not path.is_file():
            raise ProgramError(f"{file}: no such program")
        return Program(str(path), mode, arguments, folder=str(Path.cwd()), interface="robios")
    if robot.program is not None and robot.program.interface == "robios":
        return replace(robot.program, mode=mode)
    return robot.program
