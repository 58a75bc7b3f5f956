"""RFC 2217 links: a serial port over TCP, with baud rate, RTS, DTR and break (pyserial: ``rfc2217://HOST:PORT``)."""

from __future__ import annotations

from dataclasses import replace

from understudy.links.base import Event, LineState
from understudy.links.com_port import ComPort
from understudy.links.tcp import TcpLink
from understudy.links.telnet import (
    BREAK,
    COM_PORT,
    WILL,
    Negotiation,
    Subnegotiation,
    TelnetCommand,
    TelnetDecoder,
    TelnetOptions,
    escaped,
)
from understudy.links.url import LinkUrl
from understudy.links.visitor import LIMIT, Visitor


class Rfc2217Link(TcpLink):
    """A TCP port on which one program at a time uses a serial port."""

    def __init__(self, url: LinkUrl, label: str) -> None:
        super().__init__(url, label)
        self._decoder, self._options, self._port = TelnetDecoder(), TelnetOptions(), ComPort(label)
        self._reported = LineState()
        self._introduced = False  # the client has received the modem lines

    # The methods below run in the link thread.

    def _admit(self, visitor: Visitor) -> None:
        super()._admit(visitor)
        self._decoder, self._options, self._port = TelnetDecoder(), TelnetOptions(), ComPort(self._label)
        self._reported = LineState()
        self._introduced = False
        self._say(visitor, self._options.greeting())

    def _receive(self, visitor: Visitor, data: bytes) -> None:
        if visitor is not self._client:
            return
        for part in self._decoder.feed(data):
            match part:
                case bytes():
                    super()._receive(visitor, part)
                case Negotiation():
                    self._negotiated(visitor, part)
                case Subnegotiation() if part.option == COM_PORT:
                    self._asked(visitor, part.payload)
                case TelnetCommand() if part.code == BREAK:
                    self._report(replace(self._port.line, breaking=True))
                    self._report(self._port.line)

    def _negotiated(self, visitor: Visitor, part: Negotiation) -> None:
        self._say(visitor, self._options.answer(part))
        if part == Negotiation(WILL, COM_PORT):
            self._introduce(visitor)

    def _introduce(self, visitor: Visitor) -> None:
        """Tell the modem lines once to a client that uses the option; pyserial may use it without saying WILL."""
        if not self._introduced:
            self._introduced = True
            self._say(visitor, self._port.modem_state())

    def _asked(self, visitor: Visitor, payload: bytes) -> None:
        """Take a request about the port."""
        self._introduce(visitor)
        answer = self._port.answer(payload)
        if self._port.purged:
            self._outbox.clear()
            self._port.purged = False
        self._report(self._port.line)
        self._say(visitor, answer)
        self._flush()

    def _report(self, line: LineState) -> None:
        if line != self._reported:
            self._reported = line
            self._sink(Event.LINE, line.encode())

    def _say(self, visitor: Visitor, data: bytes) -> None:
        """Answer at once; a client that asks and never reads is disconnected."""
        if visitor.transport.get_write_buffer_size() > LIMIT:
            visitor.transport.abort()
        elif data and not visitor.transport.is_closing():
            visitor.write(data)

    def _flush(self) -> None:
        if not self._port.suspended:
            super()._flush()

    def _encoded(self, data: bytes) -> bytes:
        return escaped(data)
