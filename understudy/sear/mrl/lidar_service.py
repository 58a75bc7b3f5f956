"""The service ``LIDAR``: a SICK LMS-200, as a client (SICK, LMS 2xx telegram listing)."""

from __future__ import annotations

import queue
import struct
from typing import Any

from understudy.errors import LinkError
from understudy.protocols.sick_lms200.telegrams import FROM_SCANNER, Decoder, encode
from understudy.sear.mrl.serial_service import OnSerialPort, keep

SCAN, VARIANT, MODE = 0x30, 0x3B, 0x20  # requests; the reply is 0x80 above
SCAN_REPLY, VARIANT_REPLY, MODE_REPLY, REFUSED = 0xB0, 0xBB, 0xA0, 0x92
BAUD_MODES = {38400: 0x40, 19200: 0x41, 9600: 0x42, 500000: 0x48}
VARIANTS = {(100, 1.0), (100, 0.5), (100, 0.25), (180, 1.0), (180, 0.5)}
ADDRESSES = (FROM_SCANNER, FROM_SCANNER + 1)  # some scanners have the address 1
MOST_REPLIES = 100  # without a request for them
REPLY_S = 5.0  # a real scanner may take 3 s for another mode
VALUE = 0x1FFF  # bits of a reading; the others are flags
COUNT = 0x3FFF


def readings(body: bytes) -> list[int] | None:
    """Return the readings of a scan, in the scanner's unit (cm or mm); None if the telegram is too short.

    >>> readings(bytes.fromhex("b0 0200 e803 d007 10"))
    [1000, 2000]
    """
    if len(body) < 3:
        return None
    count = struct.unpack_from("<H", body, 1)[0] & COUNT
    if len(body) < 3 + 2 * count:
        return None
    return [value & VALUE for value in struct.unpack_from(f"<{count}H", body, 3)]


class LidarService(OnSerialPort):
    """A scanner: reading 0 is on the right, the middle one is straight ahead."""

    topics = ("publishLidarData",)
    default_baud = 9600

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._decoder = Decoder(*ADDRESSES)
        self._replies: queue.Queue[bytes] = queue.Queue(MOST_REPLIES)

    def _begin(self) -> None:
        self._decoder = Decoder(*ADDRESSES)

    def setScanMode(self, spread: int, resolution: float) -> None:
        """Set field of view and step in degrees: 100 or 180, and 1, 0.5 or 0.25; raises LinkError if refused."""
        if (spread, float(resolution)) not in VARIANTS:
            choices = ", ".join(f"({angle}, {step:g})" for angle, step in sorted(VARIANTS))
            raise LinkError(f"{self.name}: an LMS-200 has no scan mode ({spread}, {resolution}); it has {choices}")
        body = self._ask(VARIANT_REPLY, struct.pack("<BHH", VARIANT, spread, round(100 * resolution)))
        if body[1:2] != b"\x01":
            raise LinkError(f"{self.name}: the scanner refuses scan mode ({spread}, {resolution})")

    def setBaud(self, baud: int) -> None:
        """Let scanner and port change to another rate: 9600, 19200, 38400 or 500000; raises LinkError if refused."""
        if baud not in BAUD_MODES:
            raise LinkError(f"{self.name}: an LMS-200 has no rate {baud}; it has {sorted(BAUD_MODES)}")
        body = self._ask(MODE_REPLY, bytes([MODE, BAUD_MODES[baud]]))
        if body[1:2] != b"\x00":
            raise LinkError(f"{self.name}: the scanner refuses {baud} baud")
        self.change_baud(baud)

    def singleScan(self) -> None:
        """Ask for one scan; it is published when it has arrived."""
        self.send(encode(bytes([SCAN, 0x01])))

    def _ask(self, reply: int, request: bytes) -> bytes:
        """Send a request and return the reply to it; raises LinkError if there is none."""
        while not self._replies.empty():  # late replies to earlier requests
            self._replies.get_nowait()
        self.send(encode(request))
        try:
            while (body := self._replies.get(timeout=REPLY_S))[0] not in (reply, REFUSED):
                pass
        except queue.Empty:
            raise LinkError(
                f"{self.name}: the scanner has not answered for {REPLY_S:g} s; is its baud rate another one?"
            ) from None
        if body[0] == REFUSED:
            raise LinkError(f"{self.name}: the scanner refuses the request {request[0]:02X}")
        return body

    def received(self, data: bytes) -> None:
        """Publish scans; keep replies for the request that waits for them."""
        for byte in data:
            telegram = self._decoder.put(byte)
            if telegram is not None and telegram.valid:
                self._take(telegram.body)

    def _take(self, body: bytes) -> None:
        if body[0] != SCAN_REPLY:
            keep(body, self._replies)
        elif (values := readings(body)) is not None:
            self.publish("publishLidarData", values)
