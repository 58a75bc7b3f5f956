"""The verb ``sear``: new, open, save, run and import projects of SEAR."""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from understudy.cli import logs
from understudy.cli.run import quiet_ctrl_c
from understudy.errors import ProgramError, UnderstudyError
from understudy.sear import first_thesis, parts, runner, starter, user_code
from understudy.sear.projects import USER_CODE, Project, existing, open_project
from understudy.sear.service import SearService
from understudy.sear.terrain import ElevationPart
from understudy.sim.sim import Sim

log = logging.getLogger("understudy.cli")


def new(args: argparse.Namespace) -> int:
    """Make a new project."""
    if not args.terrain and (args.middle or args.size):
        raise UnderstudyError("--middle and --size choose a part of a terrain file: give it with --terrain FILE")
    land = ElevationPart(args.terrain, args.middle, args.size) if args.terrain else None
    project = starter.new_project(args.folder, args.empty, land)
    print(f"{project.folder}: a new project; `understudy sear run {shlex.quote(args.folder)} --trust` runs it")
    return 0


def open_file(args: argparse.Namespace) -> int:
    """Unpack a `.sear` file into a folder."""
    project = open_project(args.file, args.folder)
    content = project.read()
    robots = ", ".join(robot.name for robot in content.robots) or "none"
    print(f"{project.folder}: {len(content.environment)} objects, robots: {robots}")
    if content.code:
        print(f"code, which was not run: {', '.join(content.code)}; read it before you run it")
    return 0


def save(args: argparse.Namespace) -> int:
    """Pack a project into a `.sear` file."""
    project = existing(args.folder)
    project.read()  # refuses to pack what cannot be opened again
    print(project.save(args.file or f"{Path(args.folder).resolve().name}.sear"))
    return 0


def take(args: argparse.Namespace) -> int:
    """Import a part of another project, or a file of SEAR's first version."""
    project = Project(args.into)
    if first_thesis.is_known(args.source):
        notes = first_thesis.take(project, args.source)
    elif args.part is None:
        raise UnderstudyError("say what to import: --robot, --environment or --code")
    else:
        notes = [f"{project.folder}/{name}" for name in parts.take(project, args.source, args.part)]
    print("\n".join(notes))
    return 0


def run(args: argparse.Namespace) -> int:
    """Run a project, and user code if the user consents to it."""
    with logs.to_stderr("text") as stamp, logs.compile_notice(), _project(args.project) as project:
        code = runner.code_of(project, args.code, args.trust)
        options = runner.RunOptions(
            args.seconds, args.speed, args.seed, args.engine, not args.no_ports, args.dev, args.tape, args.csv,
            tuple(name.strip() for name in args.sensors.split(",")) if args.sensors else (), args.every,
        )  # fmt: skip
        if code is None and (project.folder / USER_CODE).is_file():
            log.info("%s was not run: it is its author's code; --trust runs it", USER_CODE)
        try:
            loaded = user_code.load(code) if code is not None else None
            if loaded is not None and args.mode == "realtime":
                runner.run_realtime(project, options, loaded, _greet_service)
            else:
                _run_gated(project, options, loaded, stamp)
        except ProgramError as problem:
            print(problem, file=sys.stderr)  # begins with file:line, so that editors jump there
            return 1
    return 0


def _run_gated(
    project: Project, options: runner.RunOptions, code: user_code.SearCode | None, stamp: logs.Stamp
) -> None:
    @contextmanager
    def around(sim: Sim) -> Iterator[None]:
        stamp.sim = sim
        for path, info in sim.ports.info().items():
            log.info("%s listens on %s", path, info.url)
        with quiet_ctrl_c(sim):
            yield

    sim = runner.run_gated(project, options, code, around)
    log.info("%.3f s simulated, %d ticks, hash %s", sim.time_s, sim.tick, sim.hash())


def _greet_service(service: SearService) -> None:
    for printed, address in service.port_addresses.items():
        log.info("%s is at %s", printed, address)


@contextmanager
def _project(path: str) -> Iterator[Project]:
    """Give the project in a folder; a `.sear` file is unpacked into a folder that exists during the run only."""
    if Path(path).is_dir():
        yield existing(path)
        return
    with tempfile.TemporaryDirectory(prefix="understudy-sear-") as folder:
        yield open_project(path, Path(folder) / (Path(path).stem or "project"))
