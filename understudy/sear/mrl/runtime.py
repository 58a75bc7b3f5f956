"""``Runtime``: makes services by name and type, and ends them all.

A program whose last line has run stays while a simulation or a listener is at work, as in MyRobotLab; Ctrl-C ends it.
"""

from __future__ import annotations

import atexit
import logging
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from understudy.errors import UnknownName, nearest
from understudy.lazy import imported
from understudy.sear.mrl.service import Namespace, Service, caller_namespace

log = logging.getLogger(__name__)
PYTHON = "python"  # the service that every program has
_HERE = __name__.rpartition(".")[0]
TYPES: Mapping[str, type[Service]] = imported(
    {
        "GPS": f"{_HERE}.gps_service:GpsService",
        "LIDAR": f"{_HERE}.lidar_service:LidarService",
        "Python": f"{_HERE}.python_service:PythonService",
        "Roomba": f"{_HERE}.roomba_service:RoombaService",
        "SEAR": f"{_HERE}.simulator_service:SimulatorService",
        "Serial": f"{_HERE}.serial_service:SerialService",
    }
)


class ServiceRegistry:
    """All services of this process, by name. Any thread may use it."""

    def __init__(self) -> None:
        self._services: dict[str, Service] = {}
        self._lock = threading.RLock()
        self._released = threading.Event()
        self._serves_script = False

    def create(self, name: str, kind: str) -> Any:
        """Return the service of this name; makes it if there is none. Raises UnknownName for an unknown type."""
        return self._made(name, kind, caller_namespace())

    def createAndStart(self, name: str, kind: str) -> Any:
        """Return the service of this name, started; makes it if there is none. Raises UnknownName."""
        service = self._made(name, kind, caller_namespace())
        service.startService()
        return service

    def start(self, name: str, kind: str) -> Any:
        """Do what `createAndStart` does, by the name that later versions of MyRobotLab have."""
        service = self._made(name, kind, caller_namespace())
        service.startService()
        return service

    def _made(self, name: str, kind: str, namespace: Namespace) -> Service:
        if kind not in TYPES:
            raise UnknownName(f"no type of service {kind!r} {nearest(kind, TYPES)}")
        with self._lock:
            self._stay_for(namespace)
            service = self._services.get(name)
            if service is None:
                service = self._services[name] = TYPES[kind](name, self.getService)
            elif not isinstance(service, TYPES[kind]):
                raise UnknownName(f"{name!r} is already the name of a {type(service).__name__}; choose another name")
            return service

    def getService(self, name: str) -> Any:
        """Return a service by name; raises UnknownName."""
        with self._lock:
            if name == PYTHON and name not in self._services:
                self._services[name] = TYPES["Python"](name, self.getService)
            if name not in self._services:
                raise UnknownName(f"no service is named {name!r} {nearest(name, self._services)}")
            return self._services[name]

    def release(self, name: str) -> None:
        """End a service and remove it; does nothing if there is none."""
        with self._lock:
            service = self._services.pop(name, None)
        if service is not None:
            service.releaseService()

    def releaseAll(self) -> None:
        """End all services: listeners first, then ports, then simulations."""
        from understudy.sear.mrl.virtual_ports import SerialDeviceFactory

        with self._lock:
            services = sorted(self._services.values(), key=lambda each: (each.name != PYTHON, hasattr(each, "ask")))
            self._services = {each.name: each for each in services if each.name == PYTHON}  # programs have imported it
        for service in services:
            service.releaseService()
        SerialDeviceFactory.release()
        self._released.set()

    # ---- the end of a script

    def _stay_for(self, namespace: Namespace) -> None:
        """Note that a script, not a library or a test, uses services: they keep it alive."""
        self._serves_script = self._serves_script or namespace is vars(sys.modules["__main__"])
        self.stay_first()

    def stay_first(self) -> None:
        """Wait before all else that happens at the end of the script: ports that are open now stay open."""
        if self._serves_script:
            atexit.unregister(self._stay)
            atexit.register(self._stay)

    def _stay(self) -> None:
        """Wait at the end of the script until Ctrl-C, if there is something to wait for."""
        self._released.clear()  # before the question whether there is something to wait for
        failed = getattr(sys, "last_value", None) is not None
        if not failed and not hasattr(sys, "ps1") and not sys.flags.interactive and self.busy:
            log.warning("the program has ended; its services go on until Ctrl-C (Runtime.releaseAll() ends them)")
            with suppress(KeyboardInterrupt):
                self._released.wait()
        with suppress(KeyboardInterrupt):
            self.releaseAll()

    @property
    def listening(self) -> bool:
        """Return whether a function of the program listens."""
        with self._lock:
            return any(each.has_listeners for each in self._services.values())

    @property
    def busy(self) -> bool:
        """Return whether a simulation runs or a function of the program listens."""
        with self._lock:
            return self.listening or any(getattr(each, "running", False) for each in self._services.values())


Runtime = ServiceRegistry()
