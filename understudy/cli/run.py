"""The verb ``run``."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from understudy import api, formats
from understudy.cli import collector, logs
from understudy.cli.examples import default_scene
from understudy.cli.examples import folder as examples_folder
from understudy.cli.phases import Phases
from understudy.cli.progress import Progress
from understudy.errors import UnderstudyError
from understudy.formats import targets
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.sim import saving
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter
from understudy.tape.writer import check_target
from understudy.world.robot import Program

if TYPE_CHECKING:
    from understudy.studio.app import Studio

log = logging.getLogger("understudy.cli")
# signal that ends a run -> exit code; a requested end is a success (0), a lost terminal is 128 + SIGHUP
HUNG_UP = 128 + getattr(signal, "SIGHUP", 1)
EXIT_CODES: dict[int, int] = {signal.SIGINT: 0, signal.SIGTERM: 0}
if hasattr(signal, "SIGHUP"):
    EXIT_CODES[signal.SIGHUP] = HUNG_UP
DEFAULT_ROBOT = "p3dx"  # as in MobileSim


def run(args: argparse.Namespace) -> int:
    """Run a scene for --seconds, until a client asks to exit, or until Ctrl-C."""
    check_outputs(args)
    path = Path(args.file) if args.file else default_scene()
    title = Path(args.restore or path).stem
    with logs.to_stderr(args.log) as stamp, logs.compile_notice(), ExitStack() as stack:
        studio = stack.enter_context(_studio(args)) if args.view == "studio" else None
        sim = _open(args, path)
        collector.release()
        file: Path | None = None if args.restore else path
        while True:
            code = _shown(sim, args, title, studio, file, stamp)
            if studio is None or (following := studio.following()) is None:
                return code
            (sim, file), args.tape, args.save = following, None, None  # those belong to the first scene
            title = file.stem if file is not None else sim.start.name
            if not args.no_ports:
                sim.open_ports()


def _shown(
    sim: Sim, args: argparse.Namespace, title: str, studio: Studio | None, file: Path | None, stamp: logs.Stamp
) -> int:
    """Run one simulation, in the studio or without it; returns its exit code."""
    stamp.sim = sim
    with sim:
        phases = Phases(sim) if args.profile else None
        with quiet_ctrl_c(sim):
            greet(sim, title)
            if studio is not None:
                studio.show(sim, title, file, partial(_load, args), examples_folder()).run(args.seconds)
                if studio.desk is not None and studio.desk.following is None:
                    studio.rescue(sim)  # whoever opens another scene was asked
            else:
                _go(sim, args, title)
        if args.save:
            scene_file.save(args.save, sim.save())
        if phases is not None:
            print(phases.table())
        log_end(sim, args)
    return sim.exit_code or 0


def _load(args: argparse.Namespace, what: Path | Document) -> Sim:
    """Return the simulation of another scene, with the options of the command line; its ports are not open yet."""
    document = what if isinstance(what, Document) else api.open_document(what)
    sim = api.load(
        document, engine=args.engine, seed=args.seed, speed=args.speed, trust=args.trust, insist=args.insist,
        armed=args.armed, robots=() if what is document else default_robots(document),
    )  # fmt: skip
    if what is document:
        sim.maps.note(None)
    return sim


def check_outputs(args: argparse.Namespace) -> None:
    """Check before the run that its output files can be written and do not overwrite other files."""
    if args.tape:
        check_target(args.tape)
    if args.save:
        targets.check(args.save, "a saved run", saving.is_saved_run)
    if args.tape and args.save and Path(args.tape).resolve() == Path(args.save).resolve():
        raise UnderstudyError(f"{args.tape}: --tape and --save need two different files")


def _open(args: argparse.Namespace, path: Path) -> Sim:
    if args.restore:
        sim = api.restore(args.restore, trust=args.trust)
        sim.clock.speed = args.speed
    else:
        programs = {robot: Program(str(Path(f).resolve()), args.program_mode) for robot, f in args.program}
        document = api.open_document(path)
        sim = api.load(
            document, seed=args.seed, engine=args.engine, speed=args.speed, programs=programs, insist=args.insist,
            armed=args.armed, robots=args.robot or default_robots(document), trust=args.trust,
        )  # fmt: skip
    try:
        if args.tape:
            sim.attach(TapeWriter(args.tape, args.tape_level))
        if not args.no_ports:
            sim.open_ports()
        if args.seat:
            log.info("seats are open at %s", sim.open_seats(args.seats_at, args.seat))
    except UnderstudyError:
        sim.close("never started")
        raise
    return sim


def _studio(args: argparse.Namespace) -> Studio:
    from understudy.cli.studio import open_studio

    return open_studio(args)


def default_robots(document: Document) -> tuple[str, ...]:
    """Return the robot that a map without robots gets; a native scene without robots stays as it is."""
    is_scene = formats.FORMATS[document.format] is scene_file or document.file.endswith(scene_file.SUFFIXES)
    return () if is_scene or document.scene.robots else (DEFAULT_ROBOT,)


def greet(sim: Sim, name: str) -> None:
    """Log what is run, and where its ports are."""
    scene = sim.start
    robots = ", ".join(robot.name for robot in scene.robots) or "no robots"
    log.info("%s: %s; %s engine, seed %d", name, robots, scene.engine, scene.seed)
    for path, info in sim.ports.info().items():
        log.info("%s listens on %s", path, info.url)


def _go(sim: Sim, args: argparse.Namespace, title: str) -> None:
    if _wants_view(args):
        from understudy.cli.terminal import show

        show(sim, title, args.seconds)
        return
    progress = Progress(sim, args.seconds)
    if args.seconds is None:
        sim.run()
        return
    while sim.exit_code is None and (left := args.seconds - progress.done_s()) > 1e-9:
        sim.run(min(left, progress.piece_s()))
        progress.show()
    progress.close()


def _wants_view(args: argparse.Namespace) -> bool:
    if args.view not in ("auto", None):
        return bool(args.view == "terminal")
    return args.seconds is None and args.log == "text" and sys.stdout.isatty() and sys.stdin.isatty()


@contextmanager
def quiet_ctrl_c(sim: Sim) -> Iterator[None]:
    """Turn the first SIGINT, SIGTERM or SIGHUP into a clean end between two ticks; a second one interrupts."""

    def ask(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler)
        sim.exit_code = EXIT_CODES[number]  # not through the inbox: the signal may interrupt code that holds it

    wanted = [number for number in EXIT_CODES if signal.getsignal(number) is not signal.SIG_IGN]  # nohup ignores SIGHUP
    before = {number: signal.signal(number, ask) for number in wanted}
    try:
        yield
    except Exception:  # after a hang-up, drawing fails with OSError, termios.error or curses.error
        if sim.exit_code != HUNG_UP:
            raise
        _leave_terminal()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave_terminal() -> None:
    """Redirect output to the null device: the terminal is gone, and flushing at exit must not fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(null, number)


def log_end(sim: Sim, args: argparse.Namespace) -> None:
    """Log the time, the hash and what was lost."""
    log.info("%.3f s simulated, %d ticks, hash %s", sim.time_s, sim.tick, sim.hash())
    for path, lost in sim.inbox.lost.items():
        log.warning("%s: %d bytes lost, because the client sent faster than the robot reads", path, lost)
    if args.tape:
        log.info("tape: %s", args.tape)
