"""The service ``Serial``, and what services of devices on a serial port share: a port and a thread that reads."""

from __future__ import annotations

import logging
import queue
import threading
from contextlib import suppress
from typing import Any, ClassVar, TypeVar

from understudy.errors import LinkError
from understudy.links.client import ClientPort, open_port
from understudy.sear import ports
from understudy.sear.mrl.service import Service
from understudy.sear.mrl.virtual_ports import SerialDeviceFactory

log = logging.getLogger(__name__)
T = TypeVar("T")
END_S = 2.0  # how long the end waits for the thread that reads


def keep(newest: T, waiting: queue.Queue[T]) -> None:
    """Add to a bounded queue; if it is full, its oldest item goes."""
    while True:
        try:
            waiting.put_nowait(newest)
            return
        except queue.Full:
            with suppress(queue.Empty):
                waiting.get_nowait()


class OnSerialPort(Service):
    """A service with a serial port."""

    default_baud: ClassVar[int] = 57600

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._port: ClientPort | None = None
        self._thread: threading.Thread | None = None

    def connect(self, port: str, baud: int = 0, databits: int = 8, stopbits: int = 1, parity: int = 0) -> bool:
        """Open a port by name: the one that `setPorts` was given, a path, a TCP address; raises LinkError.

        Without *baud* it has the usual rate of the device. A simulated line has 8 data bits, one stop bit and no
        parity, as all these devices do; real ports are opened in the same way.
        """
        if (databits, stopbits, parity) != (8, 1, 0):
            raise LinkError(f"{port}: only 8 data bits, 1 stop bit and no parity are supported")
        self.disconnect()
        address = ports.resolve(port)
        self._port = opened = open_port(address, baud or self.default_baud)
        SerialDeviceFactory.wait_open(address)
        self._begin()
        self._thread = threading.Thread(target=self._read, args=(opened,), name=f"{self.name} reads", daemon=True)
        self._thread.start()
        return True

    def disconnect(self) -> None:
        """Close the port."""
        port, thread, self._port, self._thread = self._port, self._thread, None, None
        if port is not None:
            port.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(END_S)

    def isConnected(self) -> bool:
        """Return whether the service has a port."""
        return self._port is not None

    def releaseService(self) -> None:
        """Stop the service and close its port."""
        super().releaseService()
        self.disconnect()

    def send(self, data: bytes) -> None:
        """Write bytes; raises LinkError without a port."""
        port = self._port
        if port is None:
            raise LinkError(f"{self.name} is not connected; call {self.name}.connect(port) first")
        port.write(data)

    def change_baud(self, baud: int) -> None:
        """Change the rate of this end; raises LinkError."""
        port = self._port
        if port is not None:
            port.set_baud(baud)

    def _read(self, port: ClientPort) -> None:
        while data := port.read():
            try:
                self.received(data)
            except Exception:  # an internal error must not end the connection
                log.exception("%s: bytes could not be handled", self.name)
        if self._port is port:
            log.warning("%s: the other end of its port is closed; connect again", self.name)
            self._port = None
        port.close()

    def _begin(self) -> None:
        """Discard the data of an earlier connection."""

    def received(self, data: bytes) -> None:
        """Take bytes from the port; in the thread that reads."""


class SerialService(OnSerialPort):
    """Any device: bytes out, bytes in."""

    topics = ("publishByte",)

    def write(self, data: int | str | bytes | bytearray | list[int] | tuple[int, ...]) -> None:
        """Send a number as one byte (its lowest 8 bits), or several bytes; raises LinkError without a port."""
        if isinstance(data, int):
            self.send(bytes([data & 0xFF]))
        elif isinstance(data, str):
            self.send(data.encode("latin-1"))
        else:
            self.send(bytes(value & 0xFF for value in data))

    def received(self, data: bytes) -> None:
        """Publish each byte as a number from 0 to 255."""
        for byte in data:
            self.publish("publishByte", byte)
