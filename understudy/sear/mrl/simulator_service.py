"""The service ``SEAR``: the simulation of the current project, in a thread of its own, in real time."""

from __future__ import annotations

from collections.abc import Callable

from understudy.sear.mrl import runtime
from understudy.sear.mrl.service import Service
from understudy.sear.service import SearService


class SimulatorService(Service, SearService):
    """SEAR's simulator as MyRobotLab knows it: `startSimulation`, then the getters."""

    def __init__(self, name: str, find: Callable[[str], Service]) -> None:
        Service.__init__(self, name, find)
        SearService.__init__(self)

    def startSimulation(self) -> None:
        """Start the simulation of the project; does nothing if it runs. Raises what is wrong with the project."""
        super().startSimulation()
        runtime.Runtime.stay_first()

    def releaseService(self) -> None:
        """End the simulation."""
        super().releaseService()
        self.stopSimulation()
