"""A conversation with an LMS-200: requests are acknowledged and answered, scans follow as the line allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.protocols.base import SetBaud, Tree, WireProtocol
from understudy.protocols.sick_lms200 import replies, requests
from understudy.protocols.sick_lms200.telegrams import ACK, FROM_SCANNER, NAK, Decoder, encode
from understudy.robots.base import Session
from understudy.robots.lms200 import orders
from understudy.robots.lms200.firmware import Lms200
from understudy.units import US_PER_S
from understudy.world.changes import Done
from understudy.world.records import rule

POWER_ON_BAUD = 9_600
FREE_BAUD = 500_000  # clients reach it by tricks that hide their true rate, so each is understood
SILENCE_US = 250_000  # after which half a telegram is forgotten
MOST_WAITING = 4_096  # bytes of replies; beyond this replies are lost and counted
MOST_WANTED = 8  # single scans
CHARACTER_BITS = 10


@frozen
class SickLms200Sheet:
    """The scanner's address on its line."""

    kind: ClassVar[str] = "sick_lms200"
    units: ClassVar[tuple[str, ...]] = ("lms200",)

    address: int = rule(0, least=0, most=127, doc="0 is also the address that every scanner listens to")


class SickLms200(WireProtocol):
    """A scanner's serial port."""

    Sheet: ClassVar[type] = SickLms200Sheet
    units: ClassVar[tuple[str, ...]] = SickLms200Sheet.units

    def __init__(self, sheet: SickLms200Sheet, robot: str) -> None:
        self._sheet = sheet
        self._power_on_baud, self._paced = POWER_ON_BAUD, False
        self._decoder = Decoder(sheet.address)
        self._now_us, self._heard_us = 0, 0
        self._counts = {"requests": 0, "bad": 0, "refused": 0, "sent": 0, "skipped": 0, "lost": 0}
        self._begin()

    def _begin(self) -> None:
        """Begin as after power-on."""
        self._baud = self._power_on_baud
        self._free_us = 0  # when the line has carried everything
        self._power_ons, self._scans = 0, 0  # of the unit, that were seen here
        self._deaf = False  # the unit starts up
        self._forget()

    def _forget(self) -> None:
        self._decoder.forget()
        self._out = bytearray()
        self._wanted = 0  # single scans to send
        self._parts = 0  # partial scans that were sent

    def wired(self, baud: int, paced: bool) -> None:
        """Take the baud rate of the port at power-on, and whether its line limits the stream of scans."""
        self._power_on_baud, self._paced = baud or POWER_ON_BAUD, bool(baud and paced)
        self._begin()

    def opened(self) -> Sequence[Any]:
        """Begin with a client; the scanner goes on as it is."""
        self._forget()
        return (Session(True),)

    def closed(self) -> Sequence[Any]:
        """End with a client; the scanner goes on as it is."""
        self._forget()
        return (Session(False),)

    def greet(self) -> Sequence[Any]:
        """Begin again with a scanner that was switched on again."""
        self._begin()
        return (Session(True),)

    # ---- requests

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the command of each request; a telegram with a wrong check sum is answered by a single byte."""
        self._heard_us = self._now_us
        for byte in data:
            received = self._decoder.put(byte)
            if received is None:
                continue
            if received.valid:
                self._counts["requests"] += 1
                yield requests.command(received.body)
            else:
                self._counts["bad"] += 1
                self._put(b"" if self._deaf else NAK)

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        """Acknowledge a request and send its reply; some lead to another baud rate."""
        match command:
            case orders.RequestScan() if reply.ok:
                self._put(ACK)
                self._wanted = min(self._wanted + 1, MOST_WANTED)
            case orders.ReadStatus():
                self._put(
                    ACK + self._telegram(replies.status(replies.ScannerState(reply, self._baud, self._sheet.address)))
                )
            case _:
                make = replies.REPLIES.get(type(command))
                body = make(reply) if make else replies.NOT_ACKNOWLEDGED
                self._counts["refused"] += body == replies.NOT_ACKNOWLEDGED
                self._put(ACK + self._telegram(body))
        if isinstance(command, orders.ChangeBaud):
            return (self._set_baud(command.baud),)
        if isinstance(command, orders.Restart):
            return (self._set_baud(self._power_on_baud),)
        return ()

    def _set_baud(self, baud: int) -> SetBaud:
        self._baud = baud
        return SetBaud(baud, lenient=baud == FREE_BAUD)

    def _telegram(self, body: bytes) -> bytes:
        return encode(body + bytes([replies.STATUS]), FROM_SCANNER + self._sheet.address)

    def _put(self, data: bytes) -> None:
        if len(self._out) + len(data) > MOST_WAITING:
            self._counts["lost"] += 1
        else:
            self._out += data

    def due(self, now_us: int) -> Sequence[Any]:
        """Forget half a telegram after a silence."""
        self._now_us = now_us
        if self._decoder.buffer and now_us - self._heard_us >= SILENCE_US:
            self._decoder.forget()
        return ()

    def done(self, outcome: Done) -> None:
        """Do nothing: a client requests no changes."""

    # ---- to the client

    def tick(self, unit: Lms200, now_us: int) -> bytes:
        """Return replies, the power-on telegram, and the newest scan if it is wanted and the line is free."""
        self._deaf = not unit.hears
        if unit.power_ons != self._power_ons:
            self._power_ons = unit.power_ons
            self._put(self._telegram(replies.power_on()))
        if unit.scans != self._scans:
            self._scan(unit, now_us)
        data = bytes(self._out)
        self._out.clear()
        self._counts["sent"] += len(data)
        if data and self._paced:
            spent_us = len(data) * CHARACTER_BITS * US_PER_S // self._baud
            self._free_us = max(self._free_us, now_us) + spent_us
        return data

    def _scan(self, unit: Lms200, now_us: int) -> None:
        """Send the newest scan; those of a stream that were measured while the line was busy are skipped."""
        whole = bool(self._wanted)
        if unit.streaming and not whole and self._free_us > now_us:
            return
        before, self._scans = self._scans, unit.scans
        scan = unit.scan(whole, self._parts) if whole or unit.streaming else None
        if scan is None:
            return
        self._wanted -= whole
        self._parts += scan.partial is not None
        self._counts["skipped"] += 0 if whole else max(0, unit.scans - before - 1)
        self._put(self._telegram(replies.scan_body(scan, unit.status, unit.scans, whole)))

    def counters(self) -> Mapping[str, int]:
        """Return requests, those that were wrong or refused, bytes sent and dropped, scans skipped, replies lost."""
        return {**self._counts, "dropped": self._decoder.dropped}

    def state(self) -> Tree:
        """Return decoder, replies that wait, and what was seen of the unit."""
        return {
            "buffer": self._decoder.buffer.hex(), "out": self._out.hex(), "wanted": self._wanted, "parts": self._parts,
            "baud": self._baud, "power_on_baud": self._power_on_baud, "free_us": self._free_us,
            "power_ons": self._power_ons, "scans": self._scans, "deaf": self._deaf,
            "now_us": self._now_us, "heard_us": self._heard_us,
            "counters": dict(self.counters()),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, also in the middle of a telegram."""
        if state["baud"] <= 0 or state["power_on_baud"] <= 0:
            raise ValueError(f"invalid baud rates: {state['baud']}, {state['power_on_baud']}")
        self._decoder = Decoder(self._sheet.address, buffer=bytes.fromhex(state["buffer"]))
        self._out, self._wanted = bytearray.fromhex(state["out"]), state["wanted"]
        self._parts = state["parts"]
        self._baud, self._power_on_baud, self._free_us = state["baud"], state["power_on_baud"], state["free_us"]
        self._power_ons, self._scans = state["power_ons"], state["scans"]
        self._now_us, self._heard_us, self._deaf = state["now_us"], state["heard_us"], state["deaf"]
        self._counts = {name: state["counters"][name] for name in self._counts}
        self._decoder.dropped = state["counters"]["dropped"]
