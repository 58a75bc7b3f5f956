"""Effects of an ARCOS command on the conversation itself, as frozen values."""

from __future__ import annotations

from understudy.frozen import frozen


@frozen
class Begin:
    """Send status packets from now on."""


@frozen
class End:
    """Disconnect the client."""


@frozen
class Send:
    """Send a packet: 1 once, 2 with every status packet, 0 no more."""

    packet: str
    mode: int


@frozen
class AuxWrite:
    """Pass bytes to the device on an auxiliary port."""

    port: int
    data: bytes


@frozen
class AuxRead:
    """Send so many bytes of an auxiliary port as soon as they were received; 0 clears the receive buffer."""

    port: int
    count: int


OWN = (Begin, End, Send, AuxWrite, AuxRead)
