"""A project that runs: the simulation in a thread of its own, in real time, and SEAR's getters for any thread."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from understudy import api
from understudy.errors import UnderstudyError
from understudy.formats.sear.kinds import WITH_PORTS
from understudy.formats.sear.project_file import SearProject
from understudy.formats.sear.sensors import port_name
from understudy.sear import ports, projects
from understudy.sear.calls import SearCalls
from understudy.sear.gated import SimulationOver
from understudy.sear.projects import Project
from understudy.sear.readings import Readings, sensor_places
from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
T = TypeVar("T")
CHECK_S = 0.1  # how often a sleep looks whether the run has ended
START_S, ANSWER_S, END_S = 300.0, 20.0, 20.0  # wall time; the first start on a machine compiles


class SearService(SearCalls):
    """SEAR as its users' programs see it: ``startSimulation``, then getters, then ``stopSimulation``.

    The simulation runs in a thread of its own and opens the project's serial ports. Getters may be called from any
    thread; they return the newest reading.
    """

    def __init__(
        self, project: Project | str | Path | None = None, *, seed: int | None = None, speed: float | None = 1.0,
        engine: str | None = None, dev: bool = False,
    ) -> None:  # fmt: skip
        self._project = project if isinstance(project, Project) else Project(project) if project else None
        self._seed, self._speed, self._engine = seed, speed, engine
        self._dev = dev
        self._sim: Sim | None = None
        self._readings: Readings | None = None
        self._thread: threading.Thread | None = None
        self._end_s = math.inf
        self._problem: Exception | None = None  # that has ended the simulation
        self._printed: dict[str, str] = {}  # printed name of a port -> its address

    @property
    def project(self) -> Project:
        """Return the project that is simulated: the given one, else the current one."""
        return self._project or projects.current()

    @property
    def running(self) -> bool:
        """Return whether the simulation runs."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def port_addresses(self) -> dict[str, str]:
        """Return the address of each serial port by the name that the user gave it."""
        return dict(self._printed)

    # ---- life

    def startSimulation(self) -> None:
        """Start the simulation of the project; does nothing if it runs. Raises what is wrong with the project."""
        if self.running:
            return
        self._problem = None
        started: Future[None] = Future()
        self._thread = threading.Thread(target=self._live, args=(started,), name="sear", daemon=True)
        self._thread.start()
        started.result(START_S)

    def stopSimulation(self) -> None:
        """End the simulation and close its ports."""
        if self.running and self._sim is not None:
            self._sim.requests.ask(_end)
        if self._thread is not None:
            self._thread.join(END_S)
        self._thread = None

    def _live(self, started: Future[None]) -> None:
        try:
            sim = self._open()
        except BaseException as problem:
            started.set_exception(problem)
            return
        with sim:
            self._sim = sim
            started.set_result(None)
            try:
                sim.run()
            except Exception as problem:
                log.exception("the simulation has failed")
                self._problem = problem
        for printed in self._printed:
            ports.forget(printed)

    def _open(self) -> Sim:
        project = self.project
        content = project.read()
        project.port_folder.mkdir(parents=True, exist_ok=True)
        sim = api.load(project.document(self._dev), seed=self._seed, speed=self._speed, engine=self._engine)
        try:
            sim.open_ports()
        except BaseException:
            sim.close("never started")
            raise
        self._readings = Readings(sim, sensor_places(content))
        self._printed = _printed_names(content, sim)
        for printed, address in self._printed.items():
            ports.register(printed, address)
        return sim

    def __enter__(self) -> SearService:
        self.startSimulation()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopSimulation()

    # ---- calls

    def sleep(self, seconds: float) -> None:
        """Let wall time pass; simulated time passes with it. Raises SimulationOver when the run has ended."""
        end = time.monotonic() + seconds
        while self.running and self.getTime() < self._end_s and (left := end - time.monotonic()) > 0.0:
            time.sleep(min(left, CHECK_S))
        if not self.running or self.getTime() >= self._end_s:
            raise SimulationOver

    def end_at(self, seconds: float | None) -> None:
        """Let `sleep` raise SimulationOver from this simulated time on; None: never."""
        self._end_s = math.inf if seconds is None else seconds

    def ask(self, request: Callable[[Sim], T]) -> T:
        """Call a function of the simulation in its thread, between two ticks, and return its result."""
        if self._problem is not None:
            raise UnderstudyError(f"the simulation has failed: {self._problem}")
        if not self.running or self._sim is None:
            raise UnderstudyError("the simulation does not run: call startSimulation() first")
        return self._sim.requests.ask(request).result(ANSWER_S)

    def _get(self, name: str, getter: Callable[[Readings, str], T]) -> T:
        def request(sim: Sim) -> T:
            assert self._readings is not None
            return getter(self._readings, name)

        return self.ask(request)


def _end(sim: Sim) -> None:
    sim.exit_code = 0


def _printed_names(project: SearProject, sim: Sim) -> dict[str, str]:
    """Return the address of each serial port by the name that the user gave it."""
    urls = [info.url for info in sim.ports.info().values()]
    found: dict[str, str] = {}
    for entry in project.robot:
        if entry.kind in WITH_PORTS and entry["user"]:
            wanted = port_name(entry["user"])
            addresses = [url for url in urls if ports.names(url, wanted)]
            if addresses:
                found[entry["user"]] = addresses[0]
    return found
