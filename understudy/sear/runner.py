"""Runs a project: its scene with open ports, and user code for which time waits, or which runs in real time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Literal

from understudy import api
from understudy.formats.document import Document
from understudy.formats.sear.project_file import SearProject
from understudy.frozen import frozen
from understudy.sear import user_code
from understudy.sear.gated import GatedSear, SimulationOver
from understudy.sear.mrl.simulator_service import provided, stay_while_listening
from understudy.sear.projects import USER_CODE, Project
from understudy.sear.readings import sensor_places
from understudy.sear.sensor_log import sensor_log
from understudy.sear.service import SearService
from understudy.sear.user_code import SearCode
from understudy.sim.sim import Sim

Mode = Literal["gated", "realtime"]


@frozen
class RunOptions:
    """How a project runs."""

    seconds: float | None = None  # of simulated time; None: until the code ends, or for good
    speed: float | None = 1.0
    seed: int | None = None
    engine: str | None = None
    ports: bool = True
    dev: bool = False  # serial ports under /dev, if this user may create them
    tape: str | None = None
    csv: str | None = None
    sensors: Sequence[str] = ()
    every_s: float = 0.1


def run_gated(
    project: Project, options: RunOptions, code: SearCode | None = None,
    around: Callable[[Sim], AbstractContextManager[None]] = lambda sim: nullcontext(),
) -> Sim:  # fmt: skip
    """Run a project, with user code that time waits for; returns the ended simulation. Raises ProgramError.

    The run is inside the block that *around* gives.
    """
    content = project.read()
    with opened(project.document(options.dev), project, content, options) as sim, around(sim):
        end_s = math.inf if options.seconds is None else options.seconds
        if code is not None:
            sear = GatedSear(sim, sensor_places(content), end_s)
            with suppress(SimulationOver), provided(None):
                sear.play(lambda: user_code.run(code, sear), code.file)
        if code is None or options.seconds is not None:
            rest = None if options.seconds is None else max(0.0, options.seconds - sim.time_s)
            sim.run(rest)
    return sim


def opened(document: Document, project: Project, content: SearProject, options: RunOptions) -> Sim:
    """Return the simulation of a project with its ports, its tape and its log."""
    if options.ports:
        project.port_folder.mkdir(parents=True, exist_ok=True)
    sim = api.load(
        document, seed=options.seed, engine=options.engine, speed=options.speed, tape=options.tape, ports=False
    )  # fmt: skip
    try:
        if options.csv:
            sim.attach(sensor_log(options.csv, sensor_places(content), options.sensors, options.every_s))
        if options.ports:
            sim.open_ports()
    except BaseException:
        sim.close("never started")
        raise
    return sim


def run_realtime(
    project: Project, options: RunOptions, code: SearCode, started: Callable[[SearService], None] | None = None
) -> None:
    """Run a project in a thread of its own, in real time, and user code beside it until the code ends.

    Code whose functions listen to services goes on until the end of the run.
    """
    service = SearService(project, seed=options.seed, speed=options.speed, engine=options.engine, dev=options.dev)
    with service, provided(service):
        if options.csv:
            log = sensor_log(options.csv, sensor_places(project.read()), options.sensors, options.every_s)
            service.ask(lambda sim: sim.attach(log))
        if started is not None:
            started(service)
        service.end_at(options.seconds)
        with suppress(SimulationOver):
            user_code.run(code, service)
            stay_while_listening(service)


def code_of(project: Project, named: str | None, trusted: bool) -> Path | None:
    """Return the user code to run: the named file, else the project's own if its author is trusted."""
    if named is not None:
        return Path(named)
    own = project.folder / USER_CODE
    return own if trusted and own.is_file() else None
