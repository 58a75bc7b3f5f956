"""Telnet as far as serial ports need it (RFC 854, RFC 855): commands between the bytes, and options in use."""

from __future__ import annotations

from collections.abc import Iterator

from understudy.frozen import frozen

IAC, DONT, DO, WONT, WILL, SB, BREAK, SE = 255, 254, 253, 252, 251, 250, 243, 240
BINARY, ECHO, NO_GO_AHEAD, COM_PORT = 0, 1, 3, 44  # options
MOST_MESSAGE = 256  # bytes of a subnegotiation; longer ones are cut

OURS = frozenset({BINARY, ECHO, NO_GO_AHEAD, COM_PORT})  # that we agree to; ECHO stops a telnet program's own echo
THEIRS = frozenset({BINARY, NO_GO_AHEAD, COM_PORT})  # that the client may use


@frozen
class Negotiation:
    """The client's DO, DONT, WILL or WONT."""

    verb: int
    option: int


@frozen
class Subnegotiation:
    """A subnegotiation: what the client says within an option."""

    option: int
    payload: bytes


@frozen
class TelnetCommand:
    """A command without arguments, such as BREAK."""

    code: int


Part = bytes | Negotiation | Subnegotiation | TelnetCommand


def escaped(data: bytes) -> bytes:
    """Return data as it is sent.

    >>> escaped(bytes([1, 255]))
    b'\\x01\\xff\\xff'
    """
    return data.replace(b"\xff", b"\xff\xff")


def message(option: int, payload: bytes) -> bytes:
    """Return the bytes of a subnegotiation."""
    return bytes((IAC, SB, option)) + escaped(payload) + bytes((IAC, SE))


class TelnetDecoder:
    """Separates a client's data from its commands, whatever pieces the bytes come in; never fails."""

    def __init__(self) -> None:
        self._command = bytearray()  # IAC and what follows it, so far
        self._message: bytearray | None = None  # of a subnegotiation, so far

    def feed(self, data: bytes) -> Iterator[Part]:
        """Yield data and commands in their order."""
        start = 0
        while start < len(data):
            if self._command:
                self._command.append(data[start])
                yield from self._commanded()
                start += 1
                continue
            end = data.find(IAC, start)
            end = len(data) if end < 0 else end
            yield from self._plain(data[start:end])
            if end < len(data):
                self._command.append(IAC)
            start = end + 1

    def _plain(self, data: bytes) -> Iterator[Part]:
        """Take data: of a message, if one has begun."""
        if self._message is not None:
            self._message += data[: MOST_MESSAGE - len(self._message)]
        elif data:
            yield data

    def _commanded(self) -> Iterator[Part]:
        """Take another byte of a command."""
        code = self._command[1]
        if DO <= code < IAC or code in (WILL, WONT):
            if len(self._command) == 3:
                yield Negotiation(code, self._command[2])
                self._command.clear()
            return
        self._command.clear()
        if code == IAC:
            yield from self._plain(b"\xff")
        elif code == SB:
            self._message = bytearray()
        elif code == SE:
            ended, self._message = self._message, None
            if ended:
                yield Subnegotiation(ended[0], bytes(ended[1:]))
        else:
            yield TelnetCommand(code)


class TelnetOptions:
    """Which options are in use. A repeated request is not answered, so that two sides never talk in circles."""

    def __init__(self) -> None:
        self._ours: set[int] = set()
        self._theirs: set[int] = set()

    def greeting(self) -> bytes:
        """Return our offers and requests."""
        self._ours |= {ECHO, NO_GO_AHEAD, BINARY}
        self._theirs |= THEIRS
        offers = [(WILL, option) for option in sorted(self._ours)]
        requests = [(DO, option) for option in sorted(self._theirs)]
        return b"".join(bytes((IAC, *each)) for each in (*offers, *requests))

    def answer(self, asked: Negotiation) -> bytes:
        """Return our answer; empty if there is none."""
        if asked.verb in (DO, DONT):
            return _agree(asked.verb == DO, asked.option, self._ours, OURS, (WILL, WONT))
        return _agree(asked.verb == WILL, asked.option, self._theirs, THEIRS, (DO, DONT))


def _agree(wanted: bool, option: int, used: set[int], known: frozenset[int], verbs: tuple[int, int]) -> bytes:
    yes, no = verbs
    if wanted and option not in known:
        return bytes((IAC, no, option))
    if wanted == (option in used):
        return b""
    (used.add if wanted else used.discard)(option)
    return bytes((IAC, yes if wanted else no, option))
