"""Virtual serial ports: two names joined by a null modem, which other programs can open too."""

from __future__ import annotations

import itertools
import threading

from understudy.errors import LinkError
from understudy.formats.sear.sensors import port_name
from understudy.links import directory
from understudy.sear import ports, projects
from understudy.sear.mrl import runtime
from understudy.sim.null_modem import NullModem

PUBLISH_S = 1.0  # between two reports of the counters
_NUMBERS = itertools.count(1)
OPEN_S = 1.0  # a pseudo-terminal takes 50 ms to notice a program


class VirtualSerialPort:
    """A serial port by name, such as ``/dev/my_Controller01``; `makeNullModem` creates it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.address = ""  # path or URL, once it exists
        self.modem: RunningModem | None = None

    @staticmethod
    def makeNullModem(first: VirtualSerialPort, second: VirtualSerialPort) -> None:
        """Join two ports: bytes that a program writes to one, another reads from the other. Raises LinkError."""
        if first.name == second.name:
            raise LinkError(f"a null modem needs two names, got {first.name!r} twice")
        for port in (first, second):
            if port.modem is not None:
                port.modem.close()
        RunningModem(first, second)
        runtime.Runtime.stay_first()


class RunningModem:
    """A null modem and the thread that lets programs go on which had to wait."""

    def __init__(self, first: VirtualSerialPort, second: VirtualSerialPort) -> None:
        self._ends = (first, second)
        self._modem = NullModem(_place(first.name), _place(second.name), any_baud=True)  # SEAR's ports have no rate
        self._ended = threading.Event()
        self._run = f"modem-{next(_NUMBERS)}"
        self._modem.open()
        for end, info in zip(self._ends, self._modem.infos()):
            end.address, end.modem = info.url, self
        directory.publish(self._modem.entries(), self._run)  # other programs find the ports by name
        self._thread = threading.Thread(target=self._relieve, name="null modem", daemon=True)
        self._thread.start()

    def _relieve(self) -> None:
        rounds = round(PUBLISH_S / NullModem.LOOK_S)
        while not self._ended.wait(NullModem.LOOK_S):
            self._modem.relieve()
            rounds -= 1
            if rounds == 0:
                rounds = round(PUBLISH_S / NullModem.LOOK_S)
                directory.publish(self._modem.entries(), self._run)

    def wait_open(self, end: VirtualSerialPort) -> None:
        """Wait until the modem has noticed that a program has opened an end: what it gets before is lost."""
        self._modem.opened[self._ends.index(end)].wait(OPEN_S)

    def close(self) -> None:
        """Remove both ports."""
        self._ended.set()
        self._thread.join()
        self._modem.close()
        directory.withdraw(self._run)
        for end in self._ends:
            end.address, end.modem = "", None


def _place(name: str) -> str:
    """Return where a port appears: in the folder of the project if there is one, else in the user's runtime folder."""
    project, plain = projects.current(), port_name(name)
    if not project.folder.is_dir():
        return plain
    project.port_folder.mkdir(exist_ok=True)
    return str(project.port_folder.resolve() / plain)


class VirtualPorts:
    """The ports that `connect` finds by name in this program."""

    def __init__(self) -> None:
        self._added: list[VirtualSerialPort] = []

    def add(self, port: VirtualSerialPort) -> None:
        """Let `connect` find a port by its name."""
        if not port.address:
            raise LinkError(f"{port.name} does not exist yet: call VirtualSerialPort.makeNullModem first")
        ports.register(port.name, port.address)
        self._added.append(port)

    def wait_open(self, address: str) -> None:
        """Wait until a port that this program has just opened is ready; returns at once for all other ports."""
        for port in self._added:
            if port.address == address and port.modem is not None:
                port.modem.wait_open(port)

    def release(self) -> None:
        """Remove all ports that were added."""
        while self._added:
            port = self._added.pop()
            ports.forget(port.name)
            if port.modem is not None:
                port.modem.close()


SerialDeviceFactory = VirtualPorts()
