"""The verb ``together``: a scene and unmodified programs that share its clock."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from understudy import api
from understudy.cli import collector, logs
from understudy.cli.run import check_outputs, default_robots, greet, log_end, quiet_ctrl_c
from understudy.formats.native import scene_file
from understudy.sim.shared_clock import SharedClock
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.together import launch

if TYPE_CHECKING:
    from understudy.studio.app import Studio

log = logging.getLogger("understudy.cli")
WRONG_USAGE, TIMED_OUT = 2, 124  # as timeout(1) has it
USAGE = "understudy together SCENE -- PROGRAM ARGUMENT ... [-- PROGRAM ARGUMENT ...]"


def together(args: argparse.Namespace) -> int:
    """Run until the programs have ended; return the first one's exit code."""
    if not args.commands:
        print(f"understudy: no program: write {USAGE}", file=sys.stderr)
        return WRONG_USAGE
    for command in args.commands:
        launch.check(command)
    check_outputs(args)
    path = Path(args.file)
    with logs.to_stderr(args.log) as stamp, logs.compile_notice(), ExitStack() as stack:
        studio = stack.enter_context(_studio(args)) if args.view == "studio" else None
        sim = stack.enter_context(_open(args, path))
        collector.release()
        stamp.sim = sim
        if args.tape:
            sim.attach(TapeWriter(args.tape, args.tape_level))
        with quiet_ctrl_c(sim):
            return _run(sim, args, path.stem, studio)


def _run(sim: Sim, args: argparse.Namespace, title: str, studio: Studio | None) -> int:
    sim.open_ports()
    greet(sim, title)
    begun = time.perf_counter()
    clock = sim.share_clock(args.commands, compute=args.compute)
    clock.end_run_with_programs(first_only=args.until == "first")
    if studio is not None:
        studio.show(sim, title).run(args.seconds or args.timeout)
    else:
        sim.run(args.seconds or args.timeout)
    _report(sim, clock, time.perf_counter() - begun)
    if args.save:
        scene_file.save(args.save, sim.save())
    log_end(sim, args)
    return _exit_code(sim, clock, args)


def _exit_code(sim: Sim, clock: SharedClock, args: argparse.Namespace) -> int:
    code, is_late = clock.exit_code, args.timeout and not args.seconds and sim.time_s >= args.timeout
    if code is None and is_late:  # not if Ctrl-C ended the run before
        log.error("%s has not ended within %g simulated seconds", args.commands[0][0], args.timeout)
        return TIMED_OUT
    return code or 0


def _report(sim: Sim, clock: SharedClock, wall_s: float) -> None:
    for command, code in zip(clock.commands, clock.exit_codes):
        how = "was stopped with the run" if code is None else f"ended with exit code {code}"
        log.info("%s %s", command[0], how)
    log.info("%.1f times real time: %.3f s in %.2f s", sim.time_s / max(wall_s, 1e-9), sim.time_s, wall_s)


def _open(args: argparse.Namespace, path: Path) -> Sim:
    document = api.open_document(path)
    usual = 1.0 if args.view == "studio" else None
    speed = usual if args.speed == 0.0 else args.speed
    return api.load(
        document, seed=args.seed, engine=args.engine, speed=speed, robots=args.robot or default_robots(document),
        trust=args.trust,
    )  # fmt: skip


def _studio(args: argparse.Namespace) -> Studio:
    from understudy.cli.studio import open_studio

    return open_studio(args)
