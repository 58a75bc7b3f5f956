"""The settings of a serial port as RFC 2217 (telnet option 44) transmits them: requests in, answers out; no socket."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from understudy.links.base import LineState
from understudy.links.telnet import COM_PORT, message

SIGNATURE, BAUD, DATA_SIZE, PARITY, STOP_SIZE, CONTROL = range(6)
LINE_STATE, MODEM_STATE, SUSPEND, RESUME, LINE_MASK, MODEM_MASK, PURGE = range(6, 13)
ANSWER = 100  # an answer has the number of its request plus this
USUAL_BAUD = 9600  # answered while the client has set none
CTS, DSR, CARRIER = 0x10, 0x20, 0x80
READY = CTS | DSR | CARRIER  # a simulated device is always there and always ready
FROM_DEVICE = (1, 3)  # values of PURGE that concern bytes for the client

SMALL_SETTINGS = {DATA_SIZE: (5, 8), PARITY: (1, 5), STOP_SIZE: (1, 3)}  # least and greatest value; 0 asks
USUAL = {DATA_SIZE: 8, PARITY: 1, STOP_SIZE: 1}

# values of CONTROL that change the line; the others are questions and flow control
CONTROLS: dict[int, Callable[[LineState], LineState]] = {
    5: lambda line: replace(line, breaking=True),
    6: lambda line: replace(line, breaking=False),
    8: lambda line: replace(line, dtr=True),
    9: lambda line: replace(line, dtr=False),
    11: lambda line: replace(line, rts=True),
    12: lambda line: replace(line, rts=False),
}
QUESTIONS: dict[int, Callable[[LineState], int]] = {
    4: lambda line: 5 if line.breaking else 6,
    7: lambda line: 8 if line.dtr else 9,
    10: lambda line: 11 if line.rts else 12,
}
FLOW_QUESTIONS = {0: (1, 2, 3, 17, 19), 13: (14, 15, 16, 18)}  # to the client, from the client: the settings


class ComPort:
    """The serial port that one client sees."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.line = LineState()
        self.suspended = False  # the client wants no bytes for now
        self.purged = False  # the client wants none of the waiting bytes; whoever drops them clears this
        self._settings = dict(USUAL)
        self._flow = {0: 1, 13: 14}  # none, in both directions
        self._modem_mask = 0xFF

    def answer(self, payload: bytes) -> bytes:
        """Take a request; returns the bytes of the answer, if there is one."""
        if not payload:
            return b""
        code, value = payload[0], payload[1:]
        if code in SMALL_SETTINGS:
            return _answer(code, self._small_setting(code, value))
        take = {
            SIGNATURE: self._signature, BAUD: self._baud, CONTROL: self._control, LINE_MASK: self._line_mask,
            MODEM_STATE: self._modem_state, MODEM_MASK: self._mask, PURGE: self._purge,
            SUSPEND: self._suspend, RESUME: self._resume,
        }.get(code)  # fmt: skip
        return take(value) if take else b""

    def modem_state(self) -> bytes:
        """Return the notification of the lines that the device holds."""
        return _answer(MODEM_STATE, bytes((READY & self._modem_mask,)))

    def _signature(self, value: bytes) -> bytes:
        """Answer an empty signature, which asks for ours."""
        return b"" if value else _answer(SIGNATURE, f"Understudy: {self._label}".encode())

    def _baud(self, value: bytes) -> bytes:
        wanted = int.from_bytes(value, "big") if len(value) == 4 else 0
        if wanted:
            self.line = replace(self.line, baud=wanted)
        return _answer(BAUD, (self.line.baud or USUAL_BAUD).to_bytes(4, "big"))

    def _small_setting(self, code: int, value: bytes) -> bytes:
        """Keep a setting that has no effect here; returns the one in use."""
        least, most = SMALL_SETTINGS[code]
        if len(value) == 1 and least <= value[0] <= most:
            self._settings[code] = value[0]
        return bytes((self._settings[code],))

    def _control(self, value: bytes) -> bytes:
        if len(value) != 1:
            return b""
        wanted = value[0]
        if wanted in QUESTIONS:
            return _answer(CONTROL, bytes((QUESTIONS[wanted](self.line),)))
        if wanted in CONTROLS:
            self.line = CONTROLS[wanted](self.line)
            return _answer(CONTROL, value)
        for question, settings in FLOW_QUESTIONS.items():
            if wanted in settings:
                self._flow[question] = wanted
            if wanted in (question, *settings):
                return _answer(CONTROL, bytes((self._flow[question],)))
        return b""

    def _modem_state(self, value: bytes) -> bytes:
        return self.modem_state()

    def _mask(self, value: bytes) -> bytes:
        self._modem_mask = value[0] if value else 0xFF
        return _answer(MODEM_MASK, bytes((self._modem_mask,))) + self.modem_state()

    def _line_mask(self, value: bytes) -> bytes:
        """Accept any mask: there is never an error to notify of."""
        return _answer(LINE_MASK, value[:1])

    def _purge(self, value: bytes) -> bytes:
        self.purged = bool(value) and value[0] in FROM_DEVICE
        return _answer(PURGE, value[:1])

    def _suspend(self, value: bytes) -> bytes:
        self.suspended = True
        return b""

    def _resume(self, value: bytes) -> bytes:
        self.suspended = False
        return b""


def _answer(code: int, value: bytes) -> bytes:
    return message(COM_PORT, bytes((code + ANSWER,)) + value)
