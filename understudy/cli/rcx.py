"""The verbs ``rcx asm``, ``disasm``, ``run`` and ``trace``: programs of a LEGO RCX without a scene file."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from understudy import api
from understudy.assets import fence
from understudy.cli import collector, logs
from understudy.cli.examples import folder
from understudy.cli.rcx_keys import HELP, LOOK_S, BrickKeys, typed
from understudy.cli.rcx_trace import TraceListener, step_lines, time_lines
from understudy.cli.run import quiet_ctrl_c
from understudy.errors import UnderstudyError, nearest
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import merge
from understudy.formats.rcx.disasm import disassemble
from understudy.formats.rcx.icon_svg import svg_of
from understudy.formats.rcx.icon_text import compile_icons, write_icons
from understudy.formats.rcx.icons import IconProgram, icons_of
from understudy.formats.rcx.image import MOST_BYTES, RcxImage, read_image, write_image
from understudy.formats.rcx.lasm import MOST_TEXT, assemble
from understudy.formats.rcx.operand_check import ignored_operands
from understudy.frozen import frozen
from understudy.robots.rcx.firmware import SUFFIXES, RcxPanel, program_of
from understudy.sim.robot import Robot
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import PlacedRobot, Program
from understudy.world.shapes import Pose

WORLDS = {"E1": "lego-plane.toml", "E2": "lego-walls.toml", "E3": "lego-lines.toml"}  # of LURobotSim
MODELS = {f"M{n}": f"rcx-m{n}" for n in range(1, 6)}
KIND = "rcx"
STEP_US = 1000  # tick of runs with steps: one instruction of each task
MOST_S = 60.0  # without --seconds
_PIECE_S = 0.05  # between two looks at the robot
STILL_M = 1e-4
MOST_WARNINGS = 10


def asm(args: argparse.Namespace) -> int:
    """Assemble LASM or icon text into an image."""
    source = Path(args.source)
    if source.suffix.lower() == ".rcx":
        raise UnderstudyError(f"{source}: an image is assembled already; `understudy rcx disasm` prints its text")
    if source.suffix.lower() == ".icons":
        image = compile_icons(_text(source), str(source), args.firmware)
    else:
        image = assemble(_text(source), str(source), args.firmware, args.dialect)
    if image.before or image.after:
        raise UnderstudyError(f"{source}: an image has no direct commands; move them into a task or leave them out")
    target = Path(args.output or source.with_suffix(".rcx"))
    if target.resolve() == source.resolve():
        raise UnderstudyError(f"{target}: would overwrite the program itself; give another name with -o")
    _warn(image, source)
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
        return fence.read_bytes(path, max(MOST_BYTES, MOST_TEXT))
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


@frozen
class Brick:
    """Which brick: a robot and its unit."""

    robot: str
    unit: str

    @property
    def path(self) -> str:
        """Return the unit as news name it."""
        return f"{self.robot}/{self.unit}"

    def of(self, sim: Sim) -> Robot:
        """Return the robot."""
        return sim.robot(self.robot)

    def panel(self, sim: Sim) -> RcxPanel:
        """Return what the brick shows."""
        panel: RcxPanel = self.of(sim).panel(self.unit)
        return panel


@frozen
class RcxOutcome:
    """A run that has ended: what it is reported from."""

    sim: Sim
    brick: Brick
    start: Pose
    journey: Journey
    program: IconProgram
    trace: TraceListener


def run(args: argparse.Namespace) -> int:
    """Run a program on one of LURobotSim's robots and worlds, and print what the robot did."""
    return _perform(args, _results)


def trace(args: argparse.Namespace) -> int:
    """Run a program, and print which icon ran when, or draw it."""
    return _perform(args, lambda ended: _picture(ended, Path(args.svg)) if args.svg else _steps(ended))


def _perform(args: argparse.Namespace, report: Callable[[RcxOutcome], Iterator[str]]) -> int:
    _warn(_check(Path(args.program)), Path(args.program))
    program = Path(args.program).resolve()
    with logs.to_stderr(args.log) as stamp, logs.compile_notice():
        # icons of a program that is downloaded meanwhile are others
        document, brick = placed(args, Program(str(program)), trace=not args.ports, fine=args.step or bool(args.breaks))
        sim = api.load(document, seed=args.seed, engine=args.engine, speed=args.speed)
        collector.release()
        stamp.sim = sim
        with sim:
            if args.ports:
                sim.open_ports()
            icons = icons_of(program_of(_bytes(program), str(program), brick.panel(sim).firmware))
            start = brick.of(sim).pose
            ended = RcxOutcome(sim, brick, start, Journey(start), icons, TraceListener(brick.path))
            sim.attach(ended.trace)
            with quiet_ctrl_c(sim):
                _go(sim, brick, ended.journey, args.seconds, _keys(args, sim, brick))
            for line in report(ended):
                print(line)
        return sim.exit_code or 0


def _keys(args: argparse.Namespace, sim: Sim, brick: Brick) -> BrickKeys | None:
    """Return the user's keys: with --step and --break whatever the input is, otherwise at a terminal."""
    if not (args.step or args.breaks or (sys.stdin is not None and sys.stdin.isatty())):
        return None
    end_s = MOST_S if args.seconds is None else args.seconds
    keys = BrickKeys(sim, lambda: brick.panel(sim), typed(sys.stdin), breaks=args.breaks, end_s=end_s)
    if args.step:
        print(HELP)
        sim.pause()
        keys.show()
    return keys


def _results(ended: RcxOutcome) -> Iterator[str]:
    yield from results(ended.sim, ended.brick, ended.start, ended.journey)
    yield from time_lines(ended.program, ended.trace.so_far())


def _steps(ended: RcxOutcome) -> Iterator[str]:
    yield from step_lines(ended.program, ended.trace.so_far())
    if ended.trace.lost:
        yield f"and {ended.trace.lost} more"


def _picture(ended: RcxOutcome, target: Path) -> Iterator[str]:
    trace = ended.trace
    title = f"{Path(ended.brick.panel(ended.sim).program).name}: {ended.sim.time_s:.3f} s"
    _write(target, svg_of(ended.program, title, trace.so_far(), trace.now()).encode())
    yield f"{target}: {sum(len(task.icons) for task in ended.program.tasks)} icons, {ended.sim.time_s:.3f} s"
    yield from time_lines(ended.program, trace.so_far())


def _check(program: Path) -> RcxImage:
    """Read the program first: its errors are those of the user's file, not of a run."""
    if program.suffix.lower() not in SUFFIXES:
        compiled = f"; compile it first: nqc -TRCX2 -O{program.stem}.rcx {program.name}" * (program.suffix == ".nqc")
        raise UnderstudyError(f"{program}: not a program of an RCX (want {', '.join(SUFFIXES)}){compiled}")
    return program_of(_bytes(program), str(program))


def _warn(image: RcxImage, source: Path) -> None:
    """Print what the brick will ignore."""
    for warning in islice(ignored_operands(image, str(source)), MOST_WARNINGS):
        print(f"warning: {warning}", file=sys.stderr)


def placed(
    args: argparse.Namespace, program: Program | None, *, trace: bool = False, fine: bool = False, link: str = ""
) -> tuple[Document, Brick]:
    """Return the world with the robot and its program, and which brick runs it.

    *trace* reports icons, *fine* makes a tick one instruction, *link* opens ROBOLAB's port there.
    """
    path = folder() / WORLDS[args.world.upper()] if args.world.upper() in WORLDS else Path(args.world)
    if not path.exists():
        raise UnderstudyError(f"no such world {args.world!r}: want {', '.join(WORLDS)} or a scene file")
    document = api.open_document(path)
    robots, name = _robots(args, document)
    scene = replace(document.scene, robots=robots, tick_us=STEP_US if fine else document.scene.tick_us)
    document = replace(document, scene=scene, rows={**document.rows, "robot": tuple(range(len(robots)))})
    brick = Brick(name, _unit(document, name))
    more: dict[str, Any] = {"unit": {brick.unit: {"trace": trace}}}
    if link:
        more["port"] = {"robolab": {"unit": brick.unit, "protocol": "robolab", "link": link}}
    robots = tuple(_with(each, program, more) if each.name == name else each for each in robots)
    return replace(document, scene=replace(scene, robots=robots)), brick


def _robots(args: argparse.Namespace, document: Document) -> tuple[tuple[PlacedRobot, ...], str]:
    """Return the robots of the run, and which of them is meant: one of the world, or a model in their place."""
    own = tuple(each if each.name else replace(each, name=f"robot{n}") for n, each in enumerate(document.scene.robots))
    wanted = args.robot or (own[0].name if own and args.world.upper() not in WORLDS else "M5")
    if any(robot.name == wanted for robot in own):
        return own, wanted
    model = MODELS.get(wanted.upper(), wanted)
    if Path(model).is_file():  # a robot file, seen from here
        model = str(Path(model).resolve())
    elif model not in vocabulary().catalog:
        known = nearest(wanted, [*MODELS, *(robot.name for robot in own)])
        raise UnderstudyError(f"no such robot {wanted!r} {known}; also a model of the catalogue, or a robot file")
    return (PlacedRobot(name="robot", model=model, place=own[0].place if own else Pose()),), "robot"


def _unit(document: Document, name: str) -> str:
    """Return the unit of a robot that is an RCX."""
    flat = scene_file.resolve(document, vocabulary())
    robot = next(robot for robot in flat.robots if robot.name == name)
    unit = next((unit.name for unit in robot.built.units if unit.sheet.kind == KIND), None)
    if unit is None:
        have = ", ".join(unit.sheet.kind for unit in robot.built.units) or "none"
        raise UnderstudyError(
            f"{robot.model or name}: no unit of kind rcx (it has: {have}; want M1 to M5, or your own)"
        )
    return unit


def _with(robot: PlacedRobot, program: Program | None, more: Mapping[str, Any]) -> PlacedRobot:
    return replace(robot, program=program, overrides=merge(dict(robot.overrides or {}), more))


def _go(sim: Sim, brick: Brick, journey: Journey, seconds: float | None, keys: BrickKeys | None) -> None:
    """Run until the time is over, or without a time until the program has ended and the robot stands."""
    end_s = MOST_S if seconds is None else seconds
    piece_s = _PIECE_S if keys is None else sim.scene.tick_us / 1e6
    looked_s = 0.0
    while sim.exit_code is None and (left := end_s - sim.time_s) > 1e-9:
        if keys is not None and keys.advanced():
            continue
        if sim.paused:
            sim.run_for(LOOK_S)
            continue
        sim.run(min(left, piece_s))
        if sim.time_s - looked_s < _PIECE_S - 1e-9 and left > piece_s:
            continue
        looked_s = sim.time_s
        moved = journey.look(brick.of(sim).pose)
        if seconds is None and sim.time_s > 2 * _PIECE_S and not brick.panel(sim).running and moved < STILL_M:
            return


def results(sim: Sim, brick: Brick, start: Pose, journey: Journey) -> Iterator[str]:
    """Yield what the robot did, line by line."""
    pose, panel = brick.of(sim).pose, brick.panel(sim)
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
