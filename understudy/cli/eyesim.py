"""The verb ``eyesim``: a world with its RoBIOS programs, or a program in a world."""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.cli import collector, logs
from understudy.cli.run import quiet_ctrl_c
from understudy.errors import UnderstudyError
from understudy.eyesim import keys, runner
from understudy.eyesim.setup import EyesimSetup, is_program, margins, simulation
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.tape.writer import check_target

if TYPE_CHECKING:
    from understudy.studio.app import Studio

log = logging.getLogger("understudy.cli")


def eyesim(args: argparse.Namespace) -> int:
    """Run a world until its programs have ended; a view stays open until it is closed."""
    if args.tape:
        check_target(args.tape)
    args.view = args.view or _default_view(args)
    script = keys.parse(args.keys) if args.keys else ()
    with logs.to_stderr(args.log) as stamp, logs.compile_notice(), ExitStack() as stack:
        studio = stack.enter_context(_studio(args)) if args.view == "studio" else None
        sim = stack.enter_context(_open(args))
        collector.release()
        stamp.sim = sim
        if args.tape:
            sim.attach(TapeWriter(args.tape))
        if args.seat_fd is not None and not args.stay:
            sim.attach(runner.EndWithPrograms())
        if script:
            sim.attach(runner.KeyScript(script))
        with quiet_ctrl_c(sim):
            _greet(sim)
            if studio is not None:
                studio.show(sim, sim.start.name or "eyesim").run(args.seconds)
            else:
                _run(sim, args)
        if args.dump:
            for file in runner.write_consoles(sim, Path(args.dump)):
                log.info("%s", file)
        log.info("%.3f s simulated, %d ticks, hash %s", sim.time_s, sim.tick, sim.hash())
        return sim.exit_code or int(bool(sim.failed_programs))


def _default_view(args: argparse.Namespace) -> str:
    """Return the studio where there is a display, as EyeSim opens its windows; else the terminal, if it is one."""
    if args.fast or args.console:
        return "none"
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or sys.platform in ("darwin", "win32"):
        return "studio"
    terminal = args.seat_fd is None and sys.stdout.isatty() and sys.stdin.isatty()
    return "terminal" if terminal else "none"


def _studio(args: argparse.Namespace) -> Studio:
    from understudy.cli.studio import open_studio

    return open_studio(args)


def _open(args: argparse.Namespace) -> Sim:
    """Return the simulation; the program that has started it, if one has, drives the first robot."""
    world, program = args.world, tuple(args.arguments)
    seated = args.seat_fd is not None
    if seated:  # by a program, which may have no file of its own
        program = (args.file, *program) if args.file and Path(args.file).is_file() else ()
    elif args.file is not None:
        if world or is_program(Path(args.file)):
            program = (args.file, *program)
        else:
            world = args.file
    plain = [word for word in args.program if "=" not in word]
    if (program and plain) or len(plain) > 1:
        raise UnderstudyError("more than one program for all robots; want --program ROBOT=FILE for single ones")
    setup = EyesimSetup(
        Path(world) if world else None,
        program or tuple(plain),
        dict(word.split("=", 1) for word in args.program if "=" in word),
        args.robot,
        "gated" if args.fast else "realtime",
        margins(args.error),
        args.seed,
        args.engine,
        args.speed if args.speed is not None else None if args.fast else 1.0,
    )
    sim = simulation(setup)
    if seated:
        sim.take_seat(sim.start.robots[0].name, socket.socket(fileno=args.seat_fd), not args.fast)
    return sim


def _greet(sim: Sim) -> None:
    scene = sim.start
    for robot in scene.robots:
        program = robot.program.title if robot.program else "no program"
        log.info("%s (%s): %s", robot.name, robot.model, Path(program).name)


def _run(sim: Sim, args: argparse.Namespace) -> None:
    stay = args.stay or not sim.programs_running
    if args.console and sys.stdout.isatty():
        from understudy.cli.eyesim_console import show

        show(sim, args.seconds, stay)
    elif args.view == "terminal":
        from understudy.cli.terminal import show as show_map

        show_map(sim, sim.start.name or "eyesim", args.seconds)
    else:
        runner.run(sim, args.seconds, stay)
        if args.console:
            for name, shown in runner.consoles(sim, pixels=False).items():
                print(f"--- {name}")
                print("\n".join(shown.text).rstrip())
