"""The verb ``mobilesim``: MobileSim's options in, its ports and exit codes out."""

from __future__ import annotations

import argparse
import logging
import math
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.cli import collector, logs, mobilesim_process
from understudy.cli.examples import folder as examples_folder
from understudy.cli.mobilesim_words import parse
from understudy.cli.run import quiet_ctrl_c
from understudy.errors import LinkError, TapeError, UnderstudyError
from understudy.links.listen import EVERYWHERE
from understudy.links.url import parse as parse_link
from understudy.mobilesim import codes
from understudy.mobilesim.codes import StartError
from understudy.mobilesim.folders import folders
from understudy.mobilesim.options import LOOPBACK, Options, Wanted
from understudy.mobilesim.setup import DEFAULT_MODEL, Setup, mobilesim_scene
from understudy.mobilesim.tuning import FIRMWARE
from understudy.mobilesim.watchers import LogKeeper, MovementLog, PacketLog, TimingLog
from understudy.sim import policy
from understudy.sim.sim import Sim
from understudy.sim.vocabulary import vocabulary
from understudy.tape import TapeWriter
from understudy.world.robot import PlacedRobot

if TYPE_CHECKING:
    from understudy.studio.app import Studio

log = logging.getLogger("understudy.cli")
_NO_OPTIONS = argparse.Namespace(host=LOOPBACK, port=None, name=[], no_browser=False)  # of the studio
KEPT = 5  # log files, including the current one


def mobilesim(words: Sequence[str]) -> int:
    """Run as a replacement of MobileSim, with its options, ports and exit codes."""
    try:
        options = parse(words)
        if options.daemonize:
            print(f"understudy: running in the background as process {mobilesim_process.to_background(words)}")
            return 0
        alone = options.disable_crash_handler or options.no_crash_restart
        if options.noninteractive and not options.supervised and not alone:
            with logs.to_stderr("text"):
                return mobilesim_process.watched(words)
        return _logged(options)
    except StartError as problem:
        print(f"understudy: {problem}", file=sys.stderr)
        return problem.code
    except KeyboardInterrupt:
        print("understudy: interrupted", file=sys.stderr)
        return 130


def _logged(options: Options) -> int:
    """Run with messages where the options direct them; a crash is logged with its traceback."""
    _change_folder(options)
    form, level = "html" if options.html else "text", logging.DEBUG if options.verbose else logging.INFO
    handler = _handler(options)
    with logs.to(handler, form, level) as stamp, logs.compile_notice():
        try:
            return _serve(options, stamp, handler)
        except StartError as problem:
            log.error("%s", problem)
            return problem.code
        except Exception:
            if options.disable_crash_handler:
                raise
            log.critical("crashed; please report this traceback", exc_info=True)
            return codes.CRASH


def _change_folder(options: Options) -> None:
    try:
        os.chdir(options.cwd or ".")
    except OSError as problem:
        raise StartError(codes.ARGUMENTS, f"--cwd {options.cwd}: {problem.strerror}") from problem


def _handler(options: Options) -> logging.Handler:
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if options.log_file:
        try:
            handler = RotatingFileHandler(
                options.log_file, maxBytes=options.log_size, backupCount=KEPT - 1, encoding="utf-8"
            )
        except OSError as problem:
            raise StartError(codes.TEMPORARY_FILE, f"--log-file {options.log_file}: {problem.strerror}") from problem
    if options.less_verbose:
        handler.addFilter(logs.Seldom())
    return handler


# ---- the run


def _serve(options: Options, stamp: logs.Stamp, handler: logging.Handler) -> int:
    if options == Options() and folders(Path.cwd()).init_map is None:
        return _serve_choice(options, stamp, handler)
    with ExitStack() as stack:
        studio = _window(options, stack)
        setup = mobilesim_scene(options, vocabulary(), folders(Path.cwd()))
        return _serve_setup(options, setup, stamp, handler, studio)


def _window(options: Options, stack: ExitStack) -> Studio | None:
    """Open the studio as MobileSim opened its window; None without a display, or if the options say so."""
    from understudy.cli.studio import can_show, open_studio

    quiet = options.no_gui or bool(options.seconds)
    if not options.studio and (quiet or not can_show()):
        return None
    wanted = argparse.Namespace(**{**vars(_NO_OPTIONS), "no_browser": options.minimize_gui})
    try:
        return stack.enter_context(open_studio(wanted))
    except UnderstudyError as problem:
        log.warning("%s", problem)
        return None


def _serve_choice(options: Options, stamp: logs.Stamp, handler: logging.Handler) -> int:
    """Let the user choose map and robots in the browser, then continue as if they had been options."""
    from understudy.cli.studio import open_studio
    from understudy.studio.start_page import StartPage

    here = folders(Path.cwd())
    places = (here.working, *([here.resources] if here.resources else []), examples_folder())
    page = StartPage(places, tuple(vocabulary().catalog), DEFAULT_MODEL)
    with open_studio(_NO_OPTIONS, page.build) as studio:
        while True:
            if (choice := page.wait(0.2)) is None:
                continue
            robots = tuple(Wanted(model) for model in choice.models)
            name, within = (str(choice.map.path), choice.map.within) if choice.map else (None, ())
            wanted = replace(options, map=name, nomap=not name, robots=robots)
            try:
                setup = mobilesim_scene(wanted, vocabulary(), here, within)
                return _serve_setup(wanted, setup, stamp, handler, studio, within)
            except StartError as problem:
                log.error("%s", problem)
                page.refuse(str(problem))


def _serve_setup(
    options: Options,
    setup: Setup,
    stamp: logs.Stamp,
    handler: logging.Handler,
    studio: Studio | None,
    within: Sequence[Path] | None = None,
) -> int:
    for notice in (*options.ignored, *setup.notices):
        log.warning("%s", notice)
    with _sim(options, setup, within) as sim:
        collector.release()
        stamp.sim = sim
        _watch(sim, options)
        if isinstance(handler, RotatingFileHandler):
            sim.attach(LogKeeper(handler.doRollover))
        _open(sim, setup)
        _greet(sim, options, setup)
        with quiet_ctrl_c(sim):
            if studio is not None:
                studio.show(sim, sim.start.name, setup.map).run(options.seconds or None)
            else:
                _run(sim, options)
        log.info("%.3f s simulated, %d ticks, hash %s", sim.time_s, sim.tick, sim.hash())
    return sim.exit_code or 0


def _sim(options: Options, setup: Setup, within: Sequence[Path] | None) -> Sim:
    try:
        here, more = Path.cwd(), [Path(folder) for folder in options.map_dir]
        sim = Sim(
            setup.scene, speed=options.factor, folder=here, rules=policy.MOBILESIM, map_dirs=more, files=setup.files
        )
        sim.maps.note(setup.map, within)
        return sim
    except UnderstudyError as problem:
        raise StartError(codes.START, str(problem)) from problem


def _watch(sim: Sim, options: Options) -> None:
    try:
        if options.tape:
            sim.attach(TapeWriter(options.tape))
    except (TapeError, OSError) as problem:
        raise StartError(codes.TEMPORARY_FILE, f"--tape {options.tape}: {problem}") from problem
    if options.log_packets_received or options.verbose:
        sim.attach(PacketLog(packets=options.log_packets_received, verbose=options.verbose))
    if options.log_movement_sent:
        sim.attach(MovementLog())
    if options.log_timing_stats:
        sim.attach(TimingLog(options.log_timing_stats))


def _open(sim: Sim, setup: Setup) -> None:
    try:
        sim.open_ports(setup.factories)
    except LinkError as problem:
        raise StartError(codes.SOCKET, str(problem)) from problem


def _greet(sim: Sim, options: Options, setup: Setup) -> None:
    things = [f"{robot.name} ({robot.model})" for robot in sim.start.robots]
    log.info("%s: %s; seed %d", sim.start.name, ", ".join(things) or "no robots yet", sim.start.seed)
    for robot in sim.start.robots:
        log.debug("%s", _described(robot))
    for path, info in sim.ports.info().items():
        log.info("%s listens on %s", path, info.url)
        _warn_of_other_port(path, sim.current.plugs[path].port.link, info.url)
    for factory in setup.factories:
        url = sim.ports.doors()[factory.name]
        log.info("%s: every client on %s gets a new %s", factory.name, url, factory.robot.model)
        _warn_of_other_port(factory.name, factory.link, url)
    if options.bind_to_address == LOOPBACK:
        log.info("only programs on this machine can connect; use --bind-to-address 0.0.0.0 to allow other machines")
    elif options.bind_to_address in EVERYWHERE:
        log.info("listening on all network interfaces: programs on other machines can connect without a password")


def _described(robot: PlacedRobot) -> str:
    """Return what a client finds: the robot's subtype, its start pose and its devices."""
    subtypes = [unit.sheet.subtype for unit in robot.built.units if unit.sheet.kind == FIRMWARE]
    x, y, turn = 1e3 * robot.pose.x_m, 1e3 * robot.pose.y_m, math.degrees(robot.pose.heading_rad)
    devices = ", ".join(f"{device.name} ({device.sheet.kind})" for device in robot.built.devices)
    return f"{robot.name}: subtype {', '.join(subtypes)}; starts at {x:.0f}, {y:.0f} mm, {turn:.0f} deg; has {devices}"


def _warn_of_other_port(owner: str, wanted: str, url: str) -> None:
    """Warn if the wanted port was taken and another one is used."""
    if wanted.startswith("tcp:") and parse_link(wanted).port not in (0, parse_link(url).port):
        log.warning("%s: port %d is in use by another program", owner, parse_link(wanted).port)


def _run(sim: Sim, options: Options) -> None:
    if _wants_view(options):
        from understudy.cli.terminal import show

        show(sim, sim.start.name, options.seconds or None)
    else:
        sim.run(options.seconds or None)


def _wants_view(options: Options) -> bool:
    """Return whether to draw the live map instead of a window: on a terminal, unless the options disable it."""
    quiet = options.no_gui or options.minimize_gui or options.noninteractive or bool(options.seconds) or options.html
    return not quiet and sys.stdout.isatty() and sys.stdin.isatty()
