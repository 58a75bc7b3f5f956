"""The verbs ``rcx asm``, ``disasm``, ``run`` and ``trace``: programs of a LEGO RCX without a scene file."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from understudy import api
from understudy.cli import collector, logs
from understudy.cli.examples import folder
from understudy.cli.rcx_trace import TraceListener, step_lines, time_lines
from understudy.cli.run import quiet_ctrl_c
from understudy.errors import UnderstudyError
from understudy.formats.document import Document
from understudy.formats.rcx.disasm import disassemble
from understudy.formats.rcx.icon_svg import svg_of
from understudy.formats.rcx.icon_text import compile_icons, write_icons
from understudy.formats.rcx.icons import IconProgram, icons_of
from understudy.formats.rcx.image import MOST_BYTES, RcxImage, read_image, write_image
from understudy.formats.rcx.lasm import MOST_TEXT, assemble
from understudy.robots.rcx.firmware import SUFFIXES, RcxPanel, program_of
from understudy.sim.robot import Robot
from understudy.sim.sim import Sim
from understudy.world.robot import PlacedRobot, Program
from understudy.world.shapes import Pose

WORLDS = {"E1": "lego-plane.toml", "E2": "lego-walls.toml", "E3": "lego-lines.toml"}  # of LURobotSim
MODELS = {f"M{n}": f"rcx-m{n}" for n in range(1, 6)}
UNIT = "rcx"
MOST_S = 60.0  # without --seconds
_PIECE_S = 0.05  # between two looks at the robot
STILL_M = 1e-4


def asm(args: argparse.Namespace) -> int:
    """Assemble LASM or icon text into an image."""
    source = Path(args.source)
    if source.suffix.lower() == ".icons":
        image = compile_icons(_text(source), str(source), args.firmware)
    else:
        image = assemble(_text(source), str(source), args.firmware, args.dialect)
    if image.before or image.after:
        raise UnderstudyError(f"{source}: an image has no direct commands; move them into a task or leave them out")
    target = Path(args.output or source.with_suffix(".rcx"))
    if target.resolve() == source.resolve():
        raise UnderstudyError(f"{target}: would overwrite the program itself; give another name with -o")
    data = write_image(image)
    _write(target, data)
    print(f"{target}: {len(image.fragments)} tasks and subs, {sum(len(each.code) for each in image)} bytes of code")
    return 0


def disasm(args: argparse.Namespace) -> int:
    """Print the LASM text of a program, or its icons."""
    source = Path(args.source)
    text_kind = source.suffix.lower() in (".lasm", ".icons")
    image = program_of(_bytes(source), str(source)) if text_kind else read_image(_bytes(source), str(source))
    text = write_icons(image) if args.icons else disassemble(image, args.dialect)
    if args.output:
        _write(Path(args.output), text.encode())
    else:
        sys.stdout.write(text)
    return 0


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise UnderstudyError(f"{path}: not a text in UTF-8") from None


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > max(MOST_BYTES, MOST_TEXT):
            raise UnderstudyError(f"{path}: too large for a program of an RCX")
        return path.read_bytes()
    except OSError as error:
        raise UnderstudyError(f"{path}: {error.strerror}") from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UnderstudyError(f"{path}: {error.strerror}") from None


# ---- run


@dataclass(slots=True)
class Journey:
    """What a robot has travelled so far."""

    pose: Pose
    path_m: float = 0.0
    turned_rad: float = 0.0  # to the left minus to the right
    turning_rad: float = 0.0  # both added

    def look(self, pose: Pose) -> float:
        """Add the way since the last look; returns its length (m)."""
        step_m = math.dist((pose.x_m, pose.y_m), (self.pose.x_m, self.pose.y_m))
        turn = math.remainder(pose.heading_rad - self.pose.heading_rad, math.tau)
        self.pose = pose
        self.path_m += step_m
        self.turned_rad += turn
        self.turning_rad += abs(turn)
        return step_m + abs(turn)


@dataclass(frozen=True, slots=True)
class RcxOutcome:
    """A run that has ended: what it is reported from."""

    sim: Sim
    robot: Robot
    start: Pose
    journey: Journey
    program: IconProgram
    trace: TraceListener


def run(args: argparse.Namespace) -> int:
    """Run a program on one of LURobotSim's robots and worlds, and print what the robot did."""
    return _perform(args, _told)


def trace(args: argparse.Namespace) -> int:
    """Run a program, and print which icon ran when, or draw it."""
    return _perform(args, lambda ended: _picture(ended, Path(args.svg)) if args.svg else _steps(ended))


def _perform(args: argparse.Namespace, report: Callable[[RcxOutcome], Iterator[str]]) -> int:
    program = Path(args.program).resolve()
    _check(program)
    with logs.to_stderr(args.log) as stamp, logs.compile_notice():
        # icons of a program that is downloaded meanwhile are others
        traced = None if args.ports else {"unit": {UNIT: {"trace": True}}}
        document = placed(args, Program(str(program)), traced)
        sim = api.load(document, seed=args.seed, engine=args.engine, speed=args.speed)
        collector.release()
        stamp.sim = sim
        with sim:
            if args.ports:
                sim.open_ports()
            robot = sim.robots[0]
            icons = icons_of(program_of(_bytes(program), str(program), robot.panel(UNIT).firmware))
            ended = RcxOutcome(
                sim, robot, robot.pose, Journey(robot.pose), icons, TraceListener(f"{robot.name}/{UNIT}")
            )
            sim.attach(ended.trace)
            with quiet_ctrl_c(sim):
                _go(sim, robot, ended.journey, args.seconds)
            for line in report(ended):
                print(line)
        return sim.exit_code or 0


def _told(ended: RcxOutcome) -> Iterator[str]:
    yield from results(ended.sim, ended.robot, ended.start, ended.journey)
    yield from time_lines(ended.program, ended.trace.so_far())


def _steps(ended: RcxOutcome) -> Iterator[str]:
    yield from step_lines(ended.program, ended.trace.so_far())
    if ended.trace.lost:
        yield f"and {ended.trace.lost} more"


def _picture(ended: RcxOutcome, target: Path) -> Iterator[str]:
    trace = ended.trace
    title = f"{Path(ended.robot.panel(UNIT).program).name}: {ended.sim.time_s:.3f} s"
    _write(target, svg_of(ended.program, title, trace.so_far(), trace.now()).encode())
    yield f"{target}: {sum(len(task.icons) for task in ended.program.tasks)} icons, {ended.sim.time_s:.3f} s"
    yield from time_lines(ended.program, trace.so_far())


def _check(program: Path) -> RcxImage:
    """Read the program first: its errors are those of the user's file, not of a run."""
    if program.suffix.lower() not in SUFFIXES:
        raise UnderstudyError(f"{program}: not a program of an RCX (want {', '.join(SUFFIXES)})")
    return program_of(_bytes(program), str(program))


def placed(args: argparse.Namespace, program: Program | None, overrides: Mapping[str, Any] | None = None) -> Document:
    """Return the world with the robot in the place of its own robots."""
    path = folder() / WORLDS[args.world.upper()] if args.world.upper() in WORLDS else Path(args.world)
    document = api.open_document(path)
    model = MODELS.get(args.robot.upper(), args.robot)
    place = document.scene.robots[0].place if document.scene.robots else Pose()
    robot = PlacedRobot(name="robot", model=model, place=place, program=program, overrides=overrides)
    return replace(document, scene=replace(document.scene, robots=(robot,)))


def _go(sim: Sim, robot: Robot, journey: Journey, seconds: float | None) -> None:
    """Run until the time is over, or without a time until the program has ended and the robot stands."""
    end_s = MOST_S if seconds is None else seconds
    while sim.exit_code is None and (left := end_s - sim.time_s) > 1e-9:
        sim.run(min(left, _PIECE_S))
        moved = journey.look(robot.pose)
        panel: RcxPanel = robot.panel(UNIT)
        if seconds is None and sim.time_s > 2 * _PIECE_S and not panel.running and moved < STILL_M:
            return


def results(sim: Sim, robot: Robot, start: Pose, journey: Journey) -> Iterator[str]:
    """Yield what the robot did, line by line."""
    pose, panel = robot.pose, robot.panel(UNIT)
    away_m = math.dist((pose.x_m, pose.y_m), (start.x_m, start.y_m))
    yield f"time            {sim.time_s:.3f} s simulated, the program {'runs' if panel.running else 'has ended'}"
    yield f"distance        {journey.path_m:.3f} m travelled, {away_m:.3f} m from the start"
    turned, turning = math.degrees(journey.turned_rad), math.degrees(journey.turning_rad)
    yield f"angle           {turned:+.1f} degrees turned (left is positive), {turning:.1f} in both directions"
    heading = math.degrees(pose.heading_rad)
    yield f"pose            x {pose.x_m:.3f} m, y {pose.y_m:.3f} m, heading {heading:.1f} degrees"
    yield f"display         {panel.view}: {panel.display}"
    yield "sensors         " + ", ".join(f"{n}: {value}" for n, value in enumerate(panel.sensors, 1))
    yield "motors          " + ", ".join(f"{name} {mode} {percent:+.0f} %" for name, mode, percent in panel.motors)
    used = [f"{n} = {value}" for n, value in enumerate(panel.variables) if value]
    yield "variables       " + (", ".join(used) or "all 0")
