"""The service ``SEAR``: the simulation of the current project, in a thread of its own, in real time.

A script that `understudy sear run --mode realtime` runs gets the simulation that runs already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from understudy.errors import ProgramError
from understudy.sear.mrl import runtime
from understudy.sear.mrl.service import Service
from understudy.sear.service import SearService

_GATED = "services of MyRobotLab need real time: use understudy sear run --mode realtime, or run the script with python"
_provided: list[SearService | None] = []  # innermost last; None: time waits for the script


@contextmanager
def provided(simulator: SearService | None) -> Iterator[None]:
    """Let scripts in this block use a simulation that runs; None: it waits for them, so services are refused."""
    _provided.append(simulator)
    try:
        yield
    finally:
        _provided.pop()
        runtime.Runtime.releaseAll()


def stay_while_listening(simulator: SearService) -> None:
    """Wait at the end of a script whose functions listen; raises SimulationOver at the end of the run."""
    while runtime.Runtime.listening:
        simulator.sleep(1.0)


class SimulatorService(Service):
    """SEAR's simulator as MyRobotLab knows it: `startSimulation`, then the getters of `SearService`."""

    def __init__(self, name: str, find: Callable[[str], Service]) -> None:
        super().__init__(name, find)
        if _provided and _provided[-1] is None:
            raise ProgramError(_GATED)
        self._own = not _provided
        self._simulator = (_provided[-1] if _provided else None) or SearService()

    def startSimulation(self) -> None:
        """Start the simulation of the project; does nothing if it runs. Raises what is wrong with the project."""
        self._simulator.startSimulation()
        runtime.Runtime.stay_first()

    def releaseService(self) -> None:
        """End the simulation, if this service has started it."""
        super().releaseService()
        if self._own:
            self._simulator.stopSimulation()

    def __getattr__(self, name: str) -> Any:
        """Return a getter, or anything else of the simulator."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._simulator, name)
